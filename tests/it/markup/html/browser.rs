//! What a browser sees: html5ever's tokenizer driven by its tree builder, scripting off.
//!
//! Start tags are recorded as the tokenizer gives them, so that a tag is there even where the tree builder
//! drops it (a second `<frameset>`, a `<td>` outside of a table): what it linked to is in the file, and a
//! link finder that left it out would have to explain why. The tree builder decides what its
//! decision changes in reading: raw text, CDATA, and whether an element is of SVG or MathML.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::interface::ElemName;
use html5ever::interface::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer,
};
use html5ever::tree_builder::{
    ElementFlags, NodeOrText, QuirksMode, TreeBuilder, TreeBuilderOpts, TreeSink,
};
use html5ever::{Attribute, LocalName, Namespace, QualName, ns};

use linksift::peek;

/// A value: `element@attribute`, and the text with its references resolved.
pub(crate) type Seen = (String, String);

/// The values of our table's attributes, in order.
pub(crate) fn values(text: &str) -> Vec<Seen> {
    let nodes = Nodes::default();
    let recorder = Recorder {
        builder: TreeBuilder::new(
            nodes,
            TreeBuilderOpts { scripting_enabled: false, ..Default::default() },
        ),
        seen: RefCell::default(),
    };
    let tokenizer = Tokenizer::new(recorder, Default::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(text));
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.seen.take()
}

struct Recorder {
    builder: TreeBuilder<Node, Nodes>,
    seen: RefCell<Vec<Seen>>,
}

impl TokenSink for Recorder {
    type Handle = Node;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Node> {
        let tag = match &token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => Some(tag.clone()),
            _ => None,
        };
        self.builder.sink.last.take();
        let result = self.builder.process_token(token, line);
        if let Some(tag) = tag {
            self.record(&tag);
        }
        match result {
            // We know no encoding, and run no script.
            TokenSinkResult::EncodingIndicator(_) => TokenSinkResult::Continue,
            result => result,
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

impl Recorder {
    fn record(&self, tag: &Tag) {
        // The element that the tag became; implied ones come before it.
        let made = self.builder.sink.last.borrow();
        let is_foreign = made
            .as_ref()
            .is_some_and(|name| name.local.eq_ignore_ascii_case(&tag.name) && name.ns != ns!(html));
        let name = match (&*tag.name, is_foreign) {
            ("image", false) => "img",
            // Of a longer name ours keeps the first 64 bytes.
            (name, _) => name.get(..64).unwrap_or(name),
        };
        let mut seen = self.seen.borrow_mut();
        for attribute in &tag.attrs {
            let attribute_name = &*attribute.name.local;
            let Some(grammar) = peek::html_place(name, attribute_name, is_foreign) else {
                continue;
            };
            let value = attribute.value.to_string();
            if grammar == "CssValue" && !value.to_ascii_lowercase().contains("url(") {
                continue;
            }
            let context = match &*grammar {
                "Style" => "style".to_owned(),
                _ => format!("{name}@{attribute_name}"),
            };
            seen.push((context, value));
        }
        if is_foreign {
            return;
        }
        let value = |name: &str| {
            let mut all = tag.attrs.iter();
            all.find(|a| &*a.name.local == name).map(|a| a.value.to_string())
        };
        if name == "meta"
            && let Some(content) = value("content")
        {
            let pragma = value("http-equiv").unwrap_or_default();
            if pragma.eq_ignore_ascii_case("refresh") {
                seen.push(("meta@refresh".to_owned(), content));
            } else if ["name", "property", "itemprop"].iter().any(|n| value(n).is_some()) {
                seen.push(("meta@content".to_owned(), content));
            }
        }
        if name == "param"
            && let Some(content) = value("value")
            && (value("name").is_some()
                || value("valuetype").is_some_and(|v| v.eq_ignore_ascii_case("ref")))
        {
            seen.push(("param@value".to_owned(), content));
        }
    }
}

/// A node of the tree that is not kept: what the tree builder asks of it.
type Node = usize;

#[derive(Default)]
struct Nodes {
    names: RefCell<Vec<Option<(&'static QualName, bool)>>>,
    last: RefCell<Option<QualName>>,
    count: Cell<usize>,
}

#[derive(Debug)]
struct Name(&'static QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

thread_local! {
    /// Names live as long as the test: there are few of them, however many elements.
    static NAMES: RefCell<Vec<&'static QualName>> = const { RefCell::new(Vec::new()) };
}

fn kept(name: QualName) -> &'static QualName {
    NAMES.with_borrow_mut(|names| match names.iter().find(|known| ***known == name) {
        Some(known) => known,
        None => {
            let known: &'static QualName = Box::leak(Box::new(name));
            names.push(known);
            known
        }
    })
}

impl Nodes {
    fn add(&self, element: Option<(&'static QualName, bool)>) -> Node {
        let mut names = self.names.borrow_mut();
        names.push(element);
        self.count.set(names.len());
        names.len()
    }

    fn element(&self, node: Node) -> Option<(&'static QualName, bool)> {
        self.names.borrow().get(node.checked_sub(1)?).copied().flatten()
    }
}

impl TreeSink for Nodes {
    type Handle = Node;
    type Output = ();
    type ElemName<'a> = Name;

    fn finish(self) {}

    fn get_document(&self) -> Node {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a Node) -> Name {
        Name(self.element(*target).expect("an element").0)
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, flags: ElementFlags) -> Node {
        self.last.replace(Some(name.clone()));
        self.add(Some((kept(name), flags.mathml_annotation_xml_integration_point)))
    }

    fn create_comment(&self, _: StrTendril) -> Node {
        self.add(None)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Node {
        self.add(None)
    }

    fn get_template_contents(&self, _: &Node) -> Node {
        self.add(None)
    }

    fn same_node(&self, x: &Node, y: &Node) -> bool {
        x == y
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &Node) -> bool {
        self.element(*node).is_some_and(|(_, is_point)| is_point)
    }

    fn parse_error(&self, _: Cow<'static, str>) {}
    fn append(&self, _: &Node, _: NodeOrText<Node>) {}
    fn append_based_on_parent_node(&self, _: &Node, _: &Node, _: NodeOrText<Node>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, _: &Node, _: NodeOrText<Node>) {}
    fn add_attrs_if_missing(&self, _: &Node, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &Node) {}
    fn reparent_children(&self, _: &Node, _: &Node) {}
}
