//! Attributes: determines their grammar from name, element and value, and creates the tokens of their values.
//!
//! A value of unknown meaning may be an absolute IRI, running text, or escaped markup, as the contents of elements are (`<row
//! Body="&lt;a href=…" AboutMe="see http://…"/>`).

use std::ops::Range;

use super::attribute::split;
use super::features::TargetUse;
use super::purpose;
use super::vocabulary::{self, AttributeUse, Vocabulary, is_packaged, is_web};
use super::{Token, UrlValue, Xml};
use crate::context::{ContextKind, KnownContext, StoredContext};
use crate::limits;
use crate::markup::field::is_on_drive;
use crate::markup::formula::may_be_formula;
use crate::markup::fragment::is_html;
use crate::markup::{BaseScope as Reach, Element, Grammar, Rules, html_place};
use crate::tables::schemes::{self, SchemeShape};

/// Purpose of an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// The name of something, not a link.
    Nothing,
    Holds(Grammar),
    /// The table of HTML decides.
    Html,
    /// The value decides.
    Unknown,
}

/// Returns a name as contexts contain it.
pub(super) fn lower(name: &[u8]) -> String {
    let mut lower = String::from_utf8_lossy(name).into_owned();
    lower.make_ascii_lowercase();
    lower
}

/// Returns the part of a name that is reported with each of its values.
pub(super) fn told(name: &str) -> &str {
    let most = name.len().min(limits::NAME_IN_CONTEXT);
    let end = (0..=most).rev().find(|end| name.is_char_boundary(*end));
    &name[..end.unwrap_or(0)]
}

impl Xml {
    /// Returns an attribute's value as a token: running text as a text, unless it may contain entities.
    pub(super) fn given(
        &mut self,
        value: Range<usize>,
        grammar: Grammar,
        context: StoredContext,
    ) -> Option<Token> {
        // An open text continues after this one, and the element may have no text.
        let is_apart = self.open || self.scope.flow().is_without_text();
        if grammar == Grammar::Running && self.entities.is_empty() && !is_apart {
            return self.text(value, false, Rules::Xml);
        }
        let limit = grammar.limit(&self.limits);
        let is_long = value.len() > limit;
        let range = value.start..value.end.min(value.start + limit);
        let end = value.end;
        let value = UrlValue { range, context, grammar, rules: self.rules() };
        if is_long {
            self.due.push_back(Token::LongEnd(end));
            return Some(Token::Long(value));
        }
        Some(match value.context.kind() {
            ContextKind::Base => Token::Base { value, scope: Reach::Document },
            _ => Token::Value(value),
        })
    }

    /// Returns the grammar of an attribute's value, with its context. A value of `None` is too long for anything except an
    /// IRI by definition.
    pub(super) fn held(
        &mut self,
        name: &[u8],
        value: Option<&[u8]>,
    ) -> Option<(Grammar, StoredContext)> {
        let local = split(name).1;
        if let (Vocabulary::Word | Vocabulary::Drawing, Some(value)) = (self.tag.vocabulary, value)
        {
            self.note_property(local, value);
        }
        let grammar = match self.what(name) {
            What::Nothing => return None,
            What::Html => {
                let held = self.held_by_html(local, value);
                let is_anchor =
                    self.tag.element == Element::A && local.eq_ignore_ascii_case(b"href");
                if is_anchor && held.is_some() {
                    self.note(|open| open.in_link = true);
                }
                return held;
            }
            // A formula without a function whose argument is a URL is text.
            What::Holds(Grammar::Formula) if !value.is_some_and(may_be_formula) => {
                self.unknown_grammar(local, value?)?
            }
            What::Holds(grammar) => {
                if is_anchor(local) {
                    self.note(|open| open.in_link = true);
                }
                let is_office =
                    matches!(self.tag.vocabulary, Vocabulary::Relationships | Vocabulary::Word);
                match grammar {
                    Grammar::Url if is_office && value.is_some_and(is_on_drive) => {
                        Grammar::DrivePath
                    }
                    _ => grammar,
                }
            }
            What::Unknown => self.unknown_grammar(local, value?)?,
        };
        Some((grammar, self.context_of(name, grammar)))
    }

    /// Returns the grammar of an attribute that no vocabulary has; an entity that the document declares may be a link.
    fn unknown_grammar(&self, name: &[u8], value: &[u8]) -> Option<Grammar> {
        let grammar = unknown_grammar(name, value);
        let has_entity = || may_be_text(name) && self.entities.are_in(value);
        grammar.or_else(|| has_entity().then_some(Grammar::Running))
    }

    /// Returns the purpose of an attribute from its name.
    pub(super) fn what(&self, name: &[u8]) -> What {
        let (prefix, local) = split(name);
        let (own, element) = split(self.tag.name.as_bytes());
        let is_web = is_web(self.tag.vocabulary);
        let meaning = match prefix {
            Some(b"xmlns") => return What::Nothing,
            None if name == b"xmlns" => return What::Nothing,
            Some(prefix) if Some(prefix) != own => {
                vocabulary::prefixed(self.vocabulary_of_prefix(prefix), local)
            }
            None if is_web => return What::Html,
            prefix => {
                let bound = prefix.map(|_| self.tag.vocabulary);
                let of_element = vocabulary::attribute(self.tag.vocabulary, element, local);
                of_element.or_else(|| vocabulary::prefixed(bound?, local))
            }
        };
        match meaning {
            Some(AttributeUse::Holds(Grammar::Url)) if is_packaged(self.tag.vocabulary) => {
                What::Holds(Grammar::OutOfPackage)
            }
            Some(AttributeUse::HoldsIfExternal(_)) if !self.tag.features.external => What::Nothing,
            Some(AttributeUse::Holds(grammar) | AttributeUse::HoldsIfExternal(grammar)) => {
                What::Holds(grammar)
            }
            Some(AttributeUse::Names) => What::Nothing,
            None if is_web => What::Nothing,
            // A part of the package, in any vocabulary.
            None if self.tag.features.internal && local == b"Target" => What::Nothing,
            None => What::Unknown,
        }
    }

    /// Returns the grammar and the context by the table of HTML; an XML document has SVG and MathML by their namespaces.
    fn held_by_html(&self, name: &[u8], value: Option<&[u8]>) -> Option<(Grammar, StoredContext)> {
        let element = self.tag.element;
        let is_open = element == Element::META && name == b"content"
            || element == Element::PARAM && name == b"value";
        if is_open {
            // The other attributes decide.
            let (noted, context) = self.tag.notes.meaning(element == Element::META);
            let grammar = match noted {
                Some(grammar @ (Grammar::Refresh | Grammar::NonEmptyUrl)) => grammar,
                // Without a name that says more, an IRI is a link only if it is absolute.
                _ if value.is_some_and(is_absolute) => Grammar::AbsoluteOnly,
                _ => return None,
            };
            return Some((grammar, context.into()));
        }
        self.html_place(name)
    }

    /// Returns what the table of HTML has for an attribute of the element.
    fn html_place(&self, name: &[u8]) -> Option<(Grammar, StoredContext)> {
        let is_foreign = self.tag.vocabulary != Vocabulary::Xhtml;
        let (grammar, context) = html_place(self.tag.element, name, is_foreign, &self.limits)?;
        Some((grammar, context.on(|| told(self.tag.local_name()).into())))
    }

    /// Returns the context of a value that is the content of the element.
    pub(super) fn context_of_content(&self) -> StoredContext {
        let (_, local) = split(self.tag.name.as_bytes());
        let kind = purpose::of_content(self.tag.vocabulary, local, self.scope.parent());
        StoredContext::of_content(told(&self.tag.name), kind)
    }

    fn context_of(&self, name: &[u8], grammar: Grammar) -> StoredContext {
        if grammar == Grammar::Style {
            return KnownContext::STYLE.into();
        }
        let (prefix, local) = split(name);
        let is_of_xlink =
            prefix.is_some_and(|prefix| self.vocabulary_of_prefix(prefix) == Vocabulary::Xlink);
        if is_of_xlink
            && is_web(self.tag.vocabulary)
            && let Some((_, context)) = xlink_name(local).and_then(|name| self.html_place(name))
        {
            return context;
        }
        let name = lower(name);
        let element = self.tag.local_name().as_bytes();
        let kind = match self.tag.features.target {
            TargetUse::Followed if self.tag.vocabulary == Vocabulary::Relationships => {
                ContextKind::Navigation
            }
            TargetUse::Loaded if self.tag.vocabulary == Vocabulary::Relationships => {
                ContextKind::Loaded
            }
            _ => match purpose::of_attribute(self.tag.vocabulary, element, local) {
                Some(kind) => kind,
                None if is_anchor(local) => ContextKind::Anchor,
                None => ContextKind::Other,
            },
        };
        StoredContext::of_attribute(told(&self.tag.name), told(&name), kind)
    }

    fn vocabulary_of_prefix(&self, prefix: &[u8]) -> Vocabulary {
        self.scope.bound(prefix).unwrap_or_else(|| Vocabulary::of_prefix(prefix))
    }
}

/// Returns `true` if an attribute with this name, which holds an IRI, leads from its element to it.
fn is_anchor(local: &[u8]) -> bool {
    local.eq_ignore_ascii_case(b"href") || local.eq_ignore_ascii_case(b"url")
}

/// Returns the name that the table of HTML has for an attribute of XLink.
fn xlink_name(local: &[u8]) -> Option<&'static [u8]> {
    match local {
        b"href" => Some(b"xlink:href"),
        b"role" => Some(b"xlink:role"),
        b"arcrole" => Some(b"xlink:arcrole"),
        _ => None,
    }
}

/// Attributes that name kinds, parts and styles of elements, and namespaces, in any vocabulary.
const NAMES: [&[u8]; 4] = [b"class", b"id", b"style", b"schemaLocation"];

/// Returns the grammar of such an attribute's value; `None` if it is a word, a number or a name.
fn unknown_grammar(name: &[u8], value: &[u8]) -> Option<Grammar> {
    if is_absolute(value) && !has_second(value) {
        return Some(Grammar::AbsoluteOnly);
    }
    if !may_be_text(name) {
        return None;
    }
    let value = value.trim_ascii();
    match value {
        _ if is_html(value, Rules::Xml) => Some(Grammar::Fragment),
        _ if holds_text(value) => Some(Grammar::Running),
        _ => None,
    }
}

/// Returns `true` if an attribute with this name may hold text.
pub(super) fn may_be_text(name: &[u8]) -> bool {
    !NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns `true` if the bytes contain a sign that every link in text has: a colon, an at sign, a reference, or a dot
/// before a letter.
pub(super) fn has_sign(bytes: &[u8]) -> bool {
    let is_dot = |two: &[u8]| two[0] == b'.' && two[1] >= b'A';
    memchr::memchr3(b':', b'@', b'&', bytes).is_some() || bytes.windows(2).any(is_dot)
}

/// Returns `true` for more than one word, or a URL or an address in one word, with such a sign. Other words with a dot are names
/// rather than hosts.
fn holds_text(value: &[u8]) -> bool {
    let is_text = || {
        value.iter().any(u8::is_ascii_whitespace)
            || value.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"www."))
            || may_be_address(value)
            || ["://", "&#"]
                .iter()
                .any(|part| memchr::memmem::find(value, part.as_bytes()).is_some())
    };
    has_sign(value) && is_text()
}

/// Returns `true` if a word may have an e-mail address: an XPath begins with its at sign, or has a slash or a bracket before it.
fn may_be_address(value: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'@', value) else { return false };
    let is_local = at > 0 && value[at - 1].is_ascii_alphanumeric();
    is_local && memchr::memchr(b'.', &value[at..]).is_some()
}

/// Returns `true` if another IRI follows the one that a value begins with: `http://a.example/;http://b.example/`.
fn has_second(value: &[u8]) -> bool {
    memchr::memmem::find_iter(value, b"://").skip(1).any(|colon| {
        let scheme = value[..colon].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric());
        let before = colon.checked_sub(scheme.count() + 1).and_then(|at| value.get(at));
        before.is_some_and(|byte| matches!(byte, b',' | b';' | b'|'))
    })
}

/// Returns `true` if the text after the colon distinguishes a scheme without `//` from the prefix of a qualified name.
fn has_shape(rest: &[u8], shape: SchemeShape) -> bool {
    match shape {
        SchemeShape::At => memchr::memchr(b'@', rest).is_some(),
        SchemeShape::Colon => memchr::memchr(b':', rest).is_some(),
        SchemeShape::Comma => memchr::memchr(b',', rest).is_some(),
        SchemeShape::Query => rest.starts_with(b"?"),
        SchemeShape::Number => {
            rest.first().is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-'))
        }
    }
}

/// Returns `true` if `value` begins like an absolute IRI of a known scheme, and has no white space.
pub(super) fn is_absolute(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    // The longest known scheme is much shorter.
    let Some(colon) = memchr::memchr(b':', &value[..value.len().min(64)]) else { return false };
    let (scheme, rest) = (&value[..colon], &value[colon + 1..]);
    let is_iri = match rest.strip_prefix(b"//") {
        Some(rest) => !rest.is_empty() && schemes::is_known(scheme),
        None => {
            let shape = schemes::row(scheme).and_then(|row| row.shape);
            shape.is_some_and(|shape| has_shape(rest, shape))
        }
    };
    is_iri && !value.iter().any(|byte| byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_markup_and_names() {
        for (value, what) in [
            ("&lt;p&gt;see &lt;a href=&quot;/x&quot;&gt;", Some(Grammar::Fragment)),
            ("see &lt;b&gt;x&lt;/b&gt;", Some(Grammar::Fragment)),
            ("&#60;BR/&#62;", Some(Grammar::Fragment)),
            ("&#x3C;h2 id='a'>", Some(Grammar::Fragment)),
            ("a &lt;script&gt; tag: http://e.com/", Some(Grammar::Running)),
            ("List&lt;String&gt;", None),
            ("a &lt; b &amp;&amp; c", Some(Grammar::Running)),
            ("see http://e.com/", Some(Grammar::Running)),
            ("open('http://e.com/')", Some(Grammar::Running)),
            ("one&#10;e.com", Some(Grammar::Running)),
            ("a b example.com", Some(Grammar::Running)),
            ("http://e.com/", Some(Grammar::AbsoluteOnly)),
            ("http://e.com/;http://f.com/", Some(Grammar::Running)),
            ("http://e.com/?a=http://f.com/", Some(Grammar::AbsoluteOnly)),
            ("www.example.com", Some(Grammar::Running)),
            ("me@example.com", Some(Grammar::Running)),
            ("(tel:+12015550123)", None),
            ("example.com", None),
            ("@id", None),
            ("a/@b.c", None),
            ("two words", None),
            ("1.5 2.5 3.5", None),
            ("", None),
        ] {
            assert_eq!(unknown_grammar(b"a", value.as_bytes()), what, "{value}");
        }
        assert_eq!(unknown_grammar(b"Class", b"see http://e.com/"), None);
    }

    #[test]
    fn absolute_as_a_whole() {
        for value in [
            "http://example.com/",
            " HTTPS://例え.jp/パス\n",
            "mailto:a@example.com",
            "urn:isbn:0451450523",
            "tel:+1-201-555-0123",
            "data:,x",
            "file:///etc/hosts",
        ] {
            assert!(is_absolute(value.as_bytes()), "{value}");
        }
        for value in [
            "",
            "a",
            "xs:string",
            "geo:lat",
            "data:table",
            "urn:x",
            "see http://example.com/",
            "http://example.com/ now",
            "http://",
            "nonsense://example.com/",
            "//example.com/",
            "12:30:00",
        ] {
            assert!(!is_absolute(value.as_bytes()), "{value}");
        }
    }
}
