//! Start tags, end tags and processing instructions: determines which of their attributes are values.

use std::borrow::Cow;
use std::ops::Range;

use super::attribute::{TagItem, name_end, part_at, split};
use super::content::rules_of_text;
use super::features::{Features, TargetUse};
use super::flow::Flow;
use super::held::{self, What, told};
use super::vocabulary::{self, Vocabulary, is_prose, is_web};
use super::{Grammar, NeedsMore, Rules, Token, TokenResult, Until, UrlValue, Xml, XmlMode};
use crate::context::{ContextKind, StoredContext};
use crate::input::chunk::Chunk;
use crate::markup::{
    BaseScope as Reach, Element, FragmentFormat, Notes, is_json, note_attribute, reading,
};
use crate::notice::Notice;

/// Number of bytes of a tag that are read ahead for the attributes that declare something.
pub(super) const LOOKAHEAD: usize = 64 << 10;

/// The start tag that is being read.
#[derive(Clone, Debug)]
pub(super) struct CurrentTag {
    /// Offset of its `<`.
    pub(super) start: usize,
    /// Its name, in lower case.
    pub(super) name: String,
    /// Length in bytes of the prefix of the name and its colon.
    prefix: usize,
    /// The element, if its vocabulary is one of the web.
    pub(super) element: Element,
    pub(super) vocabulary: Vocabulary,
    pub(super) features: Features,
    /// What its attributes say of another one, by the table of HTML.
    pub(super) notes: Notes,
    /// Identifier of the relationship, if links have texts by such.
    pub(super) id: Vec<u8>,
    /// Whether it is on the stack.
    is_noted: bool,
}

impl Default for CurrentTag {
    fn default() -> CurrentTag {
        CurrentTag {
            start: 0,
            name: String::new(),
            prefix: 0,
            element: Element::OTHER,
            vocabulary: Vocabulary::Unknown,
            features: Features::default(),
            notes: Notes::default(),
            id: Vec::new(),
            is_noted: false,
        }
    }
}

impl CurrentTag {
    pub(super) fn is_atom(&self) -> bool {
        self.vocabulary == Vocabulary::Atom
    }

    pub(super) fn is_web(&self) -> bool {
        is_web(self.vocabulary)
    }

    /// Forgets the last tag; its name keeps its allocation.
    pub(super) fn restart(&mut self, is_noted: bool) {
        let mut name = std::mem::take(&mut self.name);
        name.clear();
        *self = CurrentTag { name, is_noted, ..CurrentTag::default() };
    }

    /// Notes an attribute on which the meaning of another one may depend, now that the element is known.
    pub(super) fn note(&mut self, name: &[u8], value: &[u8]) {
        if self.element.has_notes() {
            note_attribute(self.element, name, value, &mut self.notes);
        }
    }

    /// Returns the name without its prefix.
    pub(super) fn local_name(&self) -> &str {
        self.name.get(self.prefix..).unwrap_or_default()
    }
}

impl Xml {
    /// Enters the start tag whose `<` is here, when enough of it is available.
    pub(super) fn start_tag(&mut self, bytes: Chunk<'_>) -> Result<(), NeedsMore> {
        let start = self.at + 1;
        let window = bytes.up_to(start + LOOKAHEAD);
        let is_clipped = window.end() == start + LOOKAHEAD;
        let is_end = window.is_last();
        let Some(end) = name_end(window, start, window.end() + usize::from(!is_end && !is_clipped))
        else {
            return Err(NeedsMore);
        };
        let has_notes = Element::of(split(&window[start..end]).1).has_notes();
        // Read ahead before changing any state, since the bytes may end.
        let mut seen: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        let mut at = end;
        let tag_end = loop {
            match part_at(window, at, LOOKAHEAD) {
                TagItem::Attribute { name, value, next } => {
                    at = next;
                    if has_notes || is_notable(&window[name.clone()]) {
                        seen.push((name, value));
                    }
                }
                TagItem::Other { next } | TagItem::LongHead { next } => at = next,
                TagItem::End { next, .. } => break next,
                TagItem::Broken { .. } | TagItem::Long { .. } => break at,
                TagItem::Cut { .. } if is_clipped || is_end => break at,
                TagItem::Cut { .. } => return Err(NeedsMore),
            }
        };
        let name = &window[start..end];
        let is_root = self.scope.is_outside();
        self.open(start, name);
        let mut base = None;
        for (name, value) in &seen {
            let text = &window[value.clone()];
            match &window[name.clone()] {
                b"xml:base" => base = base.or(Some(value.clone())),
                b"xmlns" => self.bind(b"", text),
                name => match name.strip_prefix(b"xmlns:") {
                    Some(prefix) => self.bind(prefix, text),
                    None => self.note_feature(name, text),
                },
            }
        }
        self.know(name, is_root);
        for (name, value) in &seen {
            self.tag.note(&window[name.clone()], &window[value.clone()]);
        }
        let hyphen = self.hyphen(start - 1..tag_end);
        self.due.extend(hyphen);
        self.at = end;
        self.mode = XmlMode::Tag;
        let Some(range) = base else { return Ok(()) };
        let refused = match self.tag.is_noted {
            false => Some(Notice::ElementsTooDeep),
            true => (range.len() > self.limits.link).then_some(Notice::BaseTooLong),
        };
        if let Some(notice) = refused {
            self.due.push_back(Token::Notice(notice));
        } else {
            self.note(|open| open.has_base = true);
            let element = told(&self.tag.name);
            let context = StoredContext::of_attribute(element, "xml:base", ContextKind::Other);
            let value = UrlValue { range, context, grammar: Grammar::Url, rules: self.rules() };
            self.due.push_back(Token::Base { value, scope: Reach::Element });
        }
        Ok(())
    }

    /// Opens an element with this name, which starts at an offset.
    pub(super) fn open(&mut self, start: usize, name: &[u8]) {
        let is_noted = self.scope.enter(name);
        self.tag.restart(is_noted);
        self.tag.start = start - 1;
        let kept = &mut self.tag.name;
        match std::str::from_utf8(name) {
            Ok(name) => kept.push_str(name),
            Err(_) => kept.push_str(&String::from_utf8_lossy(name)),
        }
        kept.make_ascii_lowercase();
        self.tag.prefix = kept.len() - split(kept.as_bytes()).1.len();
    }

    /// Binds a prefix to the vocabulary of a namespace.
    fn bind(&mut self, prefix: &[u8], namespace: &[u8]) {
        let mut namespace = Cow::Borrowed(namespace);
        // Illustrator declares namespaces as entities.
        if self.entities.are_in(&namespace)
            && let Ok(text) = std::str::from_utf8(&namespace)
            && let Ok(Some((resolved, _))) = self
                .entities
                .resolved(text, 0, &|bytes| String::from_utf8_lossy(bytes).into_owned())
        {
            namespace = Cow::Owned(resolved.into_bytes());
        }
        if let Err(notice) = self.scope.bind(prefix, Vocabulary::of_namespace(&namespace)) {
            self.due.push_back(Token::Notice(notice));
        }
    }

    /// Determines the element from its name, now that its tag has declared its namespaces.
    pub(super) fn know(&mut self, name: &[u8], is_root: bool) {
        self.tag.vocabulary = self.vocabulary_of(name, is_root);
        if self.tag.is_web() {
            self.tag.element = Element::of(self.tag.local_name().as_bytes());
        }
        self.note_element(name);
    }

    pub(super) fn note(&mut self, change: impl FnOnce(&mut super::scope::OpenElement)) {
        if self.tag.is_noted
            && let Some(open) = self.scope.innermost()
        {
            change(open);
        }
    }

    pub(super) fn note_feature(&mut self, name: &[u8], value: &[u8]) {
        let is = |word: &str| value.trim_ascii().eq_ignore_ascii_case(word.as_bytes());
        let features = &mut self.tag.features;
        match name {
            b"type" | b"mode" => {
                features.html |= is("html") || is("text/html") || is("escaped");
                features.json |= std::str::from_utf8(value).is_ok_and(is_json);
                features.base64 |= name == b"mode" && is("base64");
                let is_plain = is("text") || is("text/plain") || is("plain");
                features.text |= name == b"type" && is_plain;
                features.plain &= name != b"type" || is_plain;
            }
            b"TargetMode" if is("External") => features.external = true,
            b"TargetMode" => features.internal = true,
            b"Type" if value.ends_with(b"/hyperlink") => features.target = TargetUse::Followed,
            b"Type" if value.contains(&b'/') => features.target = TargetUse::Loaded,
            b"Id" if self.texts.is_some() => self.tag.id = value.to_vec(),
            _ => {}
        }
    }

    fn vocabulary_of(&mut self, name: &[u8], is_root: bool) -> Vocabulary {
        let (prefix, local) = split(name);
        let bound = self.scope.bound(prefix.unwrap_or_default());
        match (bound, prefix) {
            (None | Some(Vocabulary::Unknown), _) if is_root => {
                // Names without a namespace, or with an unknown one, are interpreted by the first element of the document.
                let vocabulary = Vocabulary::of_root(local);
                // The binding cannot fail: the element is the first of all, or outside all others.
                self.scope.bind(prefix.unwrap_or_default(), vocabulary).ok();
                vocabulary
            }
            (Some(vocabulary), _) => vocabulary,
            (None, Some(prefix)) => Vocabulary::of_prefix(prefix),
            (None, None) => Vocabulary::Unknown,
        }
    }

    pub(super) fn note_element(&mut self, name: &[u8]) {
        let (_, local) = split(name);
        let vocabulary = self.tag.vocabulary;
        let element = self.tag.element;
        let is_drawn = matches!(vocabulary, Vocabulary::Xhtml | Vocabulary::Svg);
        let is_sheet = element == Element::STYLE && is_drawn;
        let is_code = element == Element::SCRIPT && is_drawn && !self.tag.features.json;
        let is_listing = vocabulary == Vocabulary::Xhtml
            && matches!(element, Element::CODE | Element::PRE | Element::KBD | Element::SAMP);
        let flow = Flow::of(vocabulary, local, self.scope.outer_flow());
        let flow = match flow {
            Flow::Other => flow,
            _ => self.note_run(local, flow),
        };
        let prose = is_prose(vocabulary, self.tag.features);
        let rules = rules_of_text(vocabulary, local);
        self.note(|open| {
            open.flow = flow;
            open.is_prose = prose.unwrap_or(open.is_prose);
            open.is_listing |= is_listing;
            open.is_sheet = is_sheet;
            open.is_code = is_code;
            open.rules = rules;
        });
    }

    /// Returns the rules for the references in the values of this tag: XHTML's names come from its DTD.
    pub(super) fn rules(&self) -> Rules {
        match self.tag.vocabulary {
            Vocabulary::Xhtml => Rules::HtmlAttribute,
            _ => Rules::Xml,
        }
    }

    /// Reads the attributes up to the next one that is a value, or up to the tag's end.
    pub(super) fn attributes(&mut self, bytes: Chunk<'_>) -> TokenResult {
        loop {
            match part_at(bytes, self.at, self.limits.whole) {
                TagItem::Cut { at } => {
                    self.at = at;
                    return Err(NeedsMore);
                }
                TagItem::Other { next } => self.at = next,
                TagItem::LongHead { next } => {
                    self.at = next;
                    return Ok(Some(Token::Notice(Notice::ValueTooLong)));
                }
                TagItem::Attribute { name, value, next } => {
                    let name = &bytes[name];
                    self.at = next;
                    let text = &bytes[value.clone()];
                    let Some((grammar, context)) = self.held(name, Some(text)) else { continue };
                    if let Some(run) = self.given(value, grammar, context) {
                        let labels = self.labels();
                        if labels.is_empty() {
                            return Ok(Some(run));
                        }
                        self.due.extend(labels);
                        self.due.push_back(run);
                        return Ok(self.due.pop_front());
                    }
                }
                TagItem::Long { name, start, quote } => {
                    if self.what(&bytes[name.clone()]) == What::Unknown
                        && held::may_be_text(split(&bytes[name.clone()]).1)
                    {
                        self.mode = XmlMode::LongText { quote };
                        self.at = start;
                        self.note_long_html(&bytes[start..]);
                        // This value is too long to wait for the end of an open text.
                        return Ok(self.text(start..start, false, Rules::Xml));
                    }
                    let held = self.held(&bytes[name], None);
                    self.mode = XmlMode::LongValue { quote, given: held.is_some() };
                    self.at = start;
                    let Some((grammar, context)) = held else { return Ok(None) };
                    let end = start + grammar.limit(&self.limits);
                    self.at = end;
                    let rules = self.rules();
                    return Ok(Some(Token::Long(UrlValue {
                        range: start..end,
                        context,
                        grammar,
                        rules,
                    })));
                }
                TagItem::Broken { at } => {
                    self.at = at;
                    return Ok(self.opened(false));
                }
                TagItem::End { next, is_empty } => {
                    self.at = next;
                    return Ok(self.opened(is_empty));
                }
            }
        }
    }

    /// Determines the content of an element after its start tag. An empty element ends here, and so does its base.
    pub(super) fn opened(&mut self, is_empty: bool) -> Option<Token> {
        self.mode = XmlMode::Content;
        if is_empty {
            return self.scope.leave().then_some(Token::BaseEnd);
        }
        let (_, local) = split(self.tag.name.as_bytes());
        let parent = self.scope.parent();
        let CurrentTag { vocabulary, features, .. } = self.tag;
        let content = match local == b"t" && self.scope.flow() == Flow::Aside {
            true => Some(Grammar::Running),
            false => vocabulary::content(vocabulary, local, parent, features),
        };
        self.mode = content.map_or(XmlMode::Content, XmlMode::Whole);
        None
    }

    /// Records that a value which begins like this would be HTML if it were not too long.
    fn note_long_html(&mut self, value: &[u8]) {
        if reading(value, false, Rules::Xml) == FragmentFormat::TooLong {
            self.due.push_back(Token::Notice(Notice::ReadAsText));
        }
    }

    /// Reads on in a value that is text and too long to be checked as a complete value.
    pub(super) fn long_text(&mut self, bytes: Chunk<'_>, quote: Option<u8>) -> TokenResult {
        let (start, rest) = (self.at, bytes.get(self.at..).unwrap_or_default());
        let len = value_len(rest, quote);
        let end = len.map_or(bytes.end(), |len| start + len);
        let is_over = len.is_some() || bytes.is_last();
        if !is_over && rest.is_empty() {
            return Err(NeedsMore);
        }
        self.at = end;
        if is_over {
            self.at = bytes.end().min(end + usize::from(quote.is_some()));
            self.mode = XmlMode::Tag;
        }
        Ok(self.text(start..end, !is_over, Rules::Xml))
    }

    pub(super) fn long_value(
        &mut self,
        bytes: Chunk<'_>,
        quote: Option<u8>,
        given: bool,
    ) -> TokenResult {
        let rest = bytes.get(self.at..).unwrap_or_default();
        let end = match value_len(rest, quote) {
            Some(len) => self.at + len,
            None if bytes.is_last() => bytes.end(),
            None => {
                self.at = bytes.end();
                return Err(NeedsMore);
            }
        };
        self.at = bytes.end().min(end + usize::from(quote.is_some()));
        self.mode = XmlMode::Tag;
        Ok(given.then_some(Token::LongEnd(end)))
    }

    /// Reads the end tag whose `<` is here.
    pub(super) fn end_tag(&mut self, bytes: Chunk<'_>) -> Result<(), NeedsMore> {
        let start = self.at + 2;
        let window = bytes.up_to(start + LOOKAHEAD);
        let is_clipped = window.end() == start + LOOKAHEAD;
        let limit = window.end() + usize::from(!is_clipped && !bytes.is_last());
        let Some(end) = name_end(window, start, limit) else { return Err(NeedsMore) };
        self.close(&window[start..end]);
        self.at = end;
        match window.get(end) {
            Some(b'>') => {
                self.at += 1;
                self.mode = XmlMode::Content;
            }
            _ => self.mode = XmlMode::Until(Until::Tag, None),
        }
        Ok(())
    }

    /// Closes the element with this name.
    pub(super) fn close(&mut self, name: &[u8]) {
        for _ in 0..self.scope.leave_named(name) {
            self.due.push_back(Token::BaseEnd);
        }
    }
}

/// Returns the length of a value that continues with these bytes; `None` if its end is not among them.
fn value_len(bytes: &[u8], quote: Option<u8>) -> Option<usize> {
    match quote {
        Some(quote) => memchr::memchr(quote, bytes),
        None => bytes.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>'),
    }
}

/// Returns `true` if a tag is read ahead for an attribute with this name.
fn is_notable(name: &[u8]) -> bool {
    is_declaration(name) || is_feature(name)
}

/// Returns `true` if an attribute with this name declares something for the element.
pub(super) fn is_declaration(name: &[u8]) -> bool {
    name.starts_with(b"xml") && matches!(&name[3..], b":base" | b"ns" | [b'n', b's', b':', ..])
}

/// Returns `true` if an attribute with this name determines the meaning of the others or of the content.
pub(super) fn is_feature(name: &[u8]) -> bool {
    matches!(name, b"type" | b"mode" | b"TargetMode" | b"Type" | b"Id")
}
