//! Links that are added to pages: a browser finds the elements and attributes of the page, and links, whatever the page is.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::{TreeBuilderOpts, TreeSink};
use html5ever::{Attribute, ExpandedName, ParseOpts, QualName, local_name, ns, parse_document};
use linksift::html::{Linkify, Newlines, linkify, linkify_html};

use crate::support::dice::Dice;

/// Names of the elements that a browser makes, with their attributes, and all text; the tree is not kept.
#[derive(Default)]
struct Elements {
    made: RefCell<Vec<String>>,
    text: RefCell<String>,
}

#[derive(Clone)]
struct Node {
    name: Rc<QualName>,
    holds_html: bool,
}

impl Node {
    fn unnamed() -> Node {
        let name = QualName::new(None, ns!(), local_name!(""));
        Node { name: Rc::new(name), holds_html: false }
    }
}

impl TreeSink for Elements {
    type Handle = Node;
    type Output = Elements;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Elements {
        self
    }
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn get_document(&self) -> Node {
        Node::unnamed()
    }
    fn elem_name<'a>(&'a self, target: &'a Node) -> ExpandedName<'a> {
        target.name.expanded()
    }
    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, of: ElementFlags) -> Node {
        let mut has: Vec<String> =
            attributes.iter().map(|one| format!(" {}={:?}", one.name.local, &*one.value)).collect();
        has.sort();
        self.made.borrow_mut().push(format!("{}:{}{}", name.ns, name.local, has.concat()));
        Node { name: Rc::new(name), holds_html: of.mathml_annotation_xml_integration_point }
    }
    fn create_comment(&self, text: StrTendril) -> Node {
        self.text.borrow_mut().push_str(&text);
        Node::unnamed()
    }
    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Node {
        Node::unnamed()
    }
    fn append(&self, _: &Node, child: NodeOrText<Node>) {
        if let NodeOrText::AppendText(text) = child {
            self.text.borrow_mut().push_str(&text);
        }
    }
    fn append_based_on_parent_node(&self, _: &Node, _: &Node, child: NodeOrText<Node>) {
        self.append(&Node::unnamed(), child);
    }
    fn append_before_sibling(&self, _: &Node, child: NodeOrText<Node>) {
        self.append(&Node::unnamed(), child);
    }
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn get_template_contents(&self, _: &Node) -> Node {
        Node::unnamed()
    }
    fn same_node(&self, one: &Node, other: &Node) -> bool {
        Rc::ptr_eq(&one.name, &other.name)
    }
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn add_attrs_if_missing(&self, _: &Node, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &Node) {}
    fn reparent_children(&self, _: &Node, _: &Node) {}
    fn is_mathml_annotation_xml_integration_point(&self, node: &Node) -> bool {
        node.holds_html
    }
}

/// What a browser makes of a page: elements in the order of their names without the links that were added, and the text.
fn made(page: &str, scripting_enabled: bool) -> (Vec<String>, String) {
    let tree_builder = TreeBuilderOpts { scripting_enabled, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let elements = parse_document(Elements::default(), options).one(page);
    let mut made = elements.made.into_inner();
    made.retain(|element| !element.contains(" class=\"added\""));
    made.sort();
    (made, elements.text.into_inner())
}

/// Returns the page with links, of which a browser makes the same elements.
fn linked(page: &str) -> String {
    let html = linkify_html(page, &Linkify::new().rel("").class("added"));
    for scripting in [false, true] {
        let ((before, _), (after, text)) = (made(page, scripting), made(&html, scripting));
        assert_eq!(after, before, "{page}\n{html}");
        assert!(!text.contains("\"added\""), "{page}\n{html}");
    }
    html
}

const LINK: &str = "http://a.example/onmouseover=alert(1)//";

/// Where an element without markup, or a section, is none: in SVG and MathML, and behind them.
#[test]
fn attributes_stay_attributes() {
    for raw in ["style", "title", "script", "xmp", "textarea", "iframe", "noembed", "noframes"] {
        for (open, close) in [
            ("<svg>", "</svg>"),
            ("<math>", "</math>"),
            ("<svg><foreignObject><div></svg></div></foreignObject>", "</svg>"),
            ("<svg><title><div></svg></title></svg></div></title>", "</svg>"),
            ("<video><div><svg></video>", "</svg></div>"),
            ("<head><svg></head>", "</svg>"),
        ] {
            linked(&format!("{open}<{raw}><g title=\"</{raw}>{close}{LINK}\">x"));
        }
        let (deep, back) = ("<svg>".repeat(66), "</svg>".repeat(64));
        linked(&format!("{deep}{back}<{raw}><g title=\"</{raw}>{LINK}\">x"));
    }
    for page in [
        "<noscript><p title='</noscript><img src=x title=\"'> LINK \"x</p></noscript>\">",
        "<svg><![CDATA[>]]</svg>LINK ]]></svg>",
        "<script><!--<script></script>LINK</script>--></script>LINK",
        "<svg><style/>LINK</style><g title='LINK'>",
        "<svg><p><style><g title=\"</style>LINK\">",
    ] {
        linked(&page.replace("LINK", LINK));
    }
}

/// What pages have that nobody made to deceive: links behind it are marked.
#[test]
fn links_behind_pictures_and_scripts_are_marked() {
    for page in [
        "<svg><title>Icon</title><path d=\"M0\"/></svg>LINK",
        "<svg><style>.a{fill:red}</style></svg><style>a>b{}</style>LINK",
        "<svg><style><![CDATA[ .a{} ]]></style></svg>LINK",
        "<math><mi>x</mi></math><script>if (a<b) c()</script>LINK",
        "<noscript><img src=x alt='a > b'></noscript>LINK",
        "<noscript><style>.a{}</style></noscript>",
        "<script>document.write('<!--')</script>LINK",
        "<svg><g><a href=x>y</a></g></svg>LINK",
        "<p><svg><a href=x/><a href='x'/></svg>LINK",
        "<button>x</button><video src=x></video>LINK",
    ] {
        let html = linked(&page.replace("LINK", "http://a.example/"));
        assert_eq!(html.contains("\"added\""), page.contains("LINK"), "{html}");
    }
    // A link goes on behind the end of the element that it began in.
    for page in ["<button><a href=x></button>LINK", "<video><a href=x></video>LINK"] {
        assert!(!linked(&page.replace("LINK", LINK)).contains("\"added\""), "{page}");
    }
}

/// What does not interrupt a text does not end a link.
#[test]
fn a_link_goes_on_over_comments_and_breaks() {
    for (page, wanted) in [
        (
            "www.exa<wbr>mple.org x",
            "<a href=\"https://www.example.org\" class=\"added\">www.exa<wbr>mple.org</a> x",
        ),
        (
            "http://bank.com<WBR/>.evil.org/",
            "<a href=\"http://bank.com.evil.org/\" class=\"added\">http://bank.com<WBR/>.evil.org/</a>",
        ),
        (
            "me@exa<!-- < -->mple.org",
            "<a href=\"mailto:me@example.org\" class=\"added\">me@exa<!-- < -->mple.org</a>",
        ),
        (
            "<!--x--><p>a<wbrx>http://e.com/<br>b",
            "<!--x--><p>a<wbrx><a href=\"http://e.com/\" class=\"added\">http://e.com/</a><br>b",
        ),
        (
            "<wbr>http://e.com/<wbr><!---->",
            "<wbr><a href=\"http://e.com/\" class=\"added\">http://e.com/</a><wbr><!---->",
        ),
    ] {
        assert_eq!(linked(page), wanted);
    }
}

#[test]
fn line_ends_become_breaks() {
    let options = Linkify::new().newlines(Newlines::Break);
    assert_eq!(linkify("a\r\nb\rc\n\rd", &options), "a<br>\r\nb<br>\rc<br>\n<br>\rd");
}

#[test]
fn random_pages_keep_their_elements() {
    let pieces: Vec<&str> = "<svg> </svg> <math> </math> <style> </style> <title> </title> <g|title=\" \"> '> \
        <noscript> </noscript> <p|title=' <![CDATA[ ]]> <!-- --> <script> </script> <foreignObject> </foreignObject> <div> </div> \
        <a|href=x> </a> <button> </button> <video> </video> <desc> </desc> <mi> </mi> <template> </template> <textarea> </textarea> \
        <object> </object> <xmp> </xmp> <iframe> </iframe> <svg/> <title/> <style/> <p> <head> </head> <body> <b> </b> <wbr> <a/> <!--x--> text"
        .split_ascii_whitespace()
        .collect();
    let mut dice = Dice::new(71);
    let mut marked = 0;
    for _ in 0..30_000 {
        let mut page = String::new();
        for _ in 0..1 + dice.below(12) {
            match dice.once_in(4) {
                true => page.push_str(LINK),
                false => page.push_str(&dice.pick(&pieces).replace('|', " ")),
            }
            if dice.once_in(3) {
                page.push(' ');
            }
        }
        marked += usize::from(linked(&page).len() > page.len());
    }
    assert!(marked > 5_000, "{marked}");
}
