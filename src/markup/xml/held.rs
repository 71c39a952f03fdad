//! Attributes: determines their grammar from name, element and value, and creates the tokens of their values.

use std::ops::Range;

use super::attribute::split;
use super::unknown::{self, is_absolute};
use super::vocabulary::{self, AttributeUse, Vocabulary, is_packaged, is_web};
use super::{Grammar, Rules, Token, UrlValue, Xml};
use crate::context::{Context, ContextKind, KnownContext};
use crate::limits;
use crate::markup::field::may_be_formula;
use crate::markup::{BaseScope as Reach, html_place};

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
        context: Context,
    ) -> Option<Token> {
        // An open text continues after this one.
        if grammar == Grammar::Running && self.entities.is_empty() && !self.open {
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
    pub(super) fn held(&mut self, name: &[u8], value: Option<&[u8]>) -> Option<(Grammar, Context)> {
        let local = split(name).1;
        let grammar = match self.what(name) {
            What::Nothing => return None,
            What::Html => {
                let element = split(self.tag.name.as_bytes()).1;
                let held = self.held_by_html(element, local, value);
                let is_anchor = element == b"a" && local.eq_ignore_ascii_case(b"href");
                if is_anchor && held.is_some() {
                    self.note(|open| open.in_link = true);
                }
                held?
            }
            // A formula without a function whose argument is a URL is text.
            What::Holds(Grammar::Formula) if !value.is_some_and(may_be_formula) => {
                unknown::held(local, value?)?
            }
            What::Holds(grammar) => {
                if local.eq_ignore_ascii_case(b"href") || local.eq_ignore_ascii_case(b"url") {
                    self.note(|open| open.in_link = true);
                }
                grammar
            }
            What::Unknown => unknown::held(local, value?)?,
        };
        Some((grammar, self.context_of(name, grammar)))
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
                let bound = self.scope.bound(prefix);
                let bound = bound.unwrap_or_else(|| Vocabulary::of_prefix(prefix));
                vocabulary::prefixed(bound, local)
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

    /// Returns the grammar by the table of HTML; an XML document has SVG and MathML by their namespaces.
    fn held_by_html(&self, element: &[u8], name: &[u8], value: Option<&[u8]>) -> Option<Grammar> {
        let is_foreign = self.tag.vocabulary != Vocabulary::Xhtml;
        let element = std::str::from_utf8(element).ok()?;
        let name = std::str::from_utf8(name).ok()?;
        // Other attributes do not affect these, except for a refresh.
        match (element, name) {
            ("meta", "content") if self.tag.features.refresh => Some(Grammar::Refresh),
            ("meta", "content") | ("param", "value") => {
                value.is_some_and(is_absolute).then_some(Grammar::AbsoluteOnly)
            }
            _ => html_place(element, name, is_foreign, &self.limits),
        }
    }

    /// Returns the context of a value that is the content of the element.
    pub(super) fn context_of_content(&self) -> Context {
        Context::named(told(&self.tag.name).to_owned(), ContextKind::Other)
    }

    fn context_of(&self, name: &[u8], grammar: Grammar) -> Context {
        if grammar == Grammar::Style {
            return KnownContext::STYLE.into();
        }
        let name = lower(name);
        let is_base = || self.tag.vocabulary == Vocabulary::Xhtml && self.tag.name == "base";
        let kind = match name.rsplit(['@', ':']).next() {
            Some("href") if name == "href" && is_base() => ContextKind::Base,
            Some("href" | "url") => ContextKind::Anchor,
            _ => ContextKind::Other,
        };
        Context::named(format!("{}@{}", told(&self.tag.name), told(&name)), kind)
    }
}
