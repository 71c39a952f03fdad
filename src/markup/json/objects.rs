//! JSON in which objects name the base of the references in them: HTTP archives of loaded pages (HAR), and metadata of
//! crawled pages (WAT). Notebooks, in which objects name the language of their texts.
//!
//! A table states for each format ([`formats`](super::formats)) in which objects a member is the base of all others, which
//! members are references, and which are HTML documents. All other strings are texts, as in any JSON. The member that
//! decides how an object is read may be after the members that depend on it, so the object is searched for it first, up to
//! [`REACH`].

use std::ops::Range;

use super::formats::{MemberRole, ObjectFormat, URL_CONTEXT, Way};
use super::look::{JsonSearch, look};
use super::notebook::{self, NotebookExtent, Texts};
use super::{Escapes, string_end};
use crate::context::{ContextKind, KnownContext};
use crate::input::chunk::Chunk;
use crate::markup::fragment::{StartedText, TextSplitter};
use crate::markup::{BaseScope, Grammar, Rules, Token, TokenizerStep, UrlValue, ValueLimits};
use crate::notice::Notice;

/// Maximum number of bytes that are searched for such a member, and maximum length of a document in a string.
const REACH: usize = crate::limits::IN_JSON;
/// Maximum depth of nested objects and lists whose names are stored; deeper ones are only counted.
const DEEPEST: usize = 64;
/// Maximum length in bytes of a name; longer names are not in the table.
const LONGEST_NAME: usize = 64;
/// An open object or list.
#[derive(Clone, Copy, Debug)]
struct OpenObject {
    is_list: bool,
    /// The step by which it is reached from the object or list around it; `None` if no role is deeper.
    way: Option<Way>,
    has_base: bool,
    /// Offset of the string that was returned as its base, until it is passed.
    base_at: Option<usize>,
    /// Whether its member `text` is a document if the object states that it is HTML.
    is_document: bool,
    /// Grammar of its member `text`.
    document: Option<Grammar>,
    /// Members that are texts of a notebook.
    texts: Texts,
}

impl OpenObject {
    /// Gives up the document in it, which is too long.
    fn read_as_text(&mut self) {
        (self.is_document, self.document) = (false, None);
    }
}

/// Tokenizer for a document of such a format.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    format: &'static ObjectFormat,
    pub(super) parts: TextSplitter,
    escapes: Escapes,
    open: Vec<OpenObject>,
    /// Number of open objects and lists that are not in `open`.
    deeper: usize,
    /// Whether the next string is the name of a member.
    is_name_next: bool,
    /// The member whose value is next, if it is on the path of some role.
    name: Option<&'static str>,
    /// Number of bytes that were available at the last search that found nothing.
    looked: usize,
    /// Maximum length of a reference.
    most: usize,
}

impl Objects {
    /// Creates the tokenizer of a document that begins at this offset of its source.
    pub(super) fn new(format: &'static ObjectFormat, limits: &ValueLimits, at: usize) -> Objects {
        Objects {
            format,
            parts: TextSplitter { at, ..TextSplitter::default() },
            escapes: Escapes::default(),
            open: Vec::new(),
            deeper: 0,
            is_name_next: false,
            name: None,
            looked: 0,
            most: limits.link,
        }
    }

    /// Returns the step by which the next value is reached from the object or list around it.
    fn way(&self) -> Option<Way> {
        match self.open.last() {
            Some(open) if self.deeper == 0 && open.is_list => Some(Way::Each),
            Some(_) if self.deeper == 0 => Some(self.name.map_or(Way::Any, Way::In)),
            _ => None,
        }
    }

    /// Returns the role of the next value.
    fn role(&self) -> Option<MemberRole> {
        if self.deeper > 0 {
            return None;
        }
        let last = if self.open.is_empty() { None } else { Some(self.way()?) };
        // The outermost value is reached by no step.
        let ways = || self.open.iter().skip(1).map(|open| open.way).chain(last.map(Some));
        let of = |(path, _): &&(&[Way], MemberRole)| {
            let mut steps = path.iter();
            let is_led =
                ways().all(|way| way.zip(steps.next()).is_some_and(|(way, step)| way.is_by(*step)));
            is_led && steps.next().is_none()
        };
        self.format.roles.iter().find(of).map(|(_, role)| *role)
    }

    /// Returns `true` to wait for more bytes; the search is repeated when there are twice as many.
    fn waits(&mut self, there: usize, most: usize, is_last: bool) -> bool {
        if is_last || there >= most {
            self.looked = 0;
            return false;
        }
        self.looked = there;
        true
    }

    /// Enters an object or a list; returns a token if it has a base.
    fn enter(&mut self, bytes: Chunk<'_>) -> Result<Option<Token>, ()> {
        let at = self.parts.at;
        let is_list = bytes[at] == b'[';
        let role = if is_list { None } else { self.role() };
        let (mut base, mut document, mut is_document, mut notice) = (None, None, false, None);
        let mut texts: Texts = &[];
        let there = bytes.end() - at;
        // What is found does not depend on how many bytes there are.
        let searched = bytes.up_to(at + REACH);
        match role {
            Some(MemberRole::Based(_) | MemberRole::Document | MemberRole::Cell)
                if !bytes.is_last() && there < 2 * self.looked =>
            {
                return Err(());
            }
            Some(MemberRole::Based(path)) => match look(searched, at, path) {
                JsonSearch::Found(range) => base = Some(range),
                JsonSearch::Cut if self.waits(there, REACH, bytes.is_last()) => return Err(()),
                _ => {}
            },
            Some(MemberRole::Cell) => match notebook::cell(searched, at) {
                Some(found) => texts = found,
                None if self.waits(there, REACH, bytes.is_last()) => return Err(()),
                None => {}
            },
            Some(MemberRole::Output) => texts = notebook::OUTPUT,
            Some(MemberRole::Document) => {
                let looks = ["mimeType", "encoding"].map(|name| look(searched, at, &[name]));
                if looks.contains(&JsonSearch::Cut) && self.waits(there, REACH, bytes.is_last()) {
                    return Err(());
                }
                let [media_type, encoding] = looks.map(|look| match look {
                    JsonSearch::Found(range) => Ok(bytes[range].to_ascii_lowercase()),
                    look => Err(look),
                });
                let is_html = media_type.map(|name| {
                    name.starts_with(b"text/html") || name.starts_with(b"application/xhtml")
                });
                is_document = true;
                document = match (is_html, encoding) {
                    (Ok(true), Err(JsonSearch::Absent)) => Some(Grammar::Srcdoc),
                    (Ok(true), Ok(name)) if name == b"base64" => Some(Grammar::Base64Html),
                    (Err(JsonSearch::Cut), _) | (Ok(true), Err(JsonSearch::Cut)) => {
                        is_document = false;
                        notice = Some(Token::Notice(Notice::ReadAsText));
                        None
                    }
                    _ => None,
                };
            }
            _ => {}
        }
        self.looked = 0;
        self.parts.at += 1;
        let way = self.way();
        self.is_name_next = !is_list;
        self.name = None;
        if self.deeper > 0 || self.open.len() == DEEPEST {
            self.deeper += 1;
            return Ok(None);
        }
        let (has_base, base_at) = (base.is_some(), base.as_ref().map(|range| range.start));
        self.open.push(OpenObject {
            is_list,
            way,
            has_base,
            base_at,
            is_document,
            document,
            texts,
        });
        let base = base.map(|range| Token::Base {
            value: value(range, URL_CONTEXT, Grammar::Json),
            scope: BaseScope::Element,
        });
        Ok(base.or(notice))
    }

    /// Reads the text of a notebook that begins here; `None` if the value is not one.
    fn notebook_text(&mut self, bytes: Chunk<'_>) -> Result<Option<Option<Token>>, ()> {
        let open = self.open.last().filter(|_| self.deeper == 0 && !self.is_name_next);
        let found =
            open.and_then(|open| open.texts.iter().find(|(name, _)| self.name == Some(name)));
        let Some((_, text)) = found else { return Ok(None) };
        let (at, there) = (self.parts.at, bytes.end() - self.parts.at);
        if !bytes.is_last() && there < 2 * self.looked {
            return Err(());
        }
        match notebook::extent(bytes.up_to(at + REACH), at) {
            NotebookExtent::Whole(range, end) => {
                (self.looked, self.parts.at, self.name) = (0, end, None);
                Ok(Some((!range.is_empty()).then(|| notebook::token(range, *text))))
            }
            NotebookExtent::Cut if self.waits(there, REACH, bytes.is_last()) => Err(()),
            NotebookExtent::Cut | NotebookExtent::Other => {
                // Its strings are read one by one.
                self.name = None;
                Ok(Some(Some(Token::Notice(Notice::ReadAsText))))
            }
        }
    }

    /// Leaves the innermost object or list; returns whether a base ends with it.
    fn leave(&mut self) -> bool {
        self.parts.at += 1;
        self.name = None;
        self.is_name_next = false;
        if self.deeper > 0 {
            self.deeper -= 1;
            return false;
        }
        self.open.pop().is_some_and(|open| open.has_base)
    }

    /// Reads a string from its quotation mark on; returns a token if it may contain a link.
    fn string(&mut self, bytes: Chunk<'_>) -> Result<Option<Token>, ()> {
        let start = self.parts.at + 1;
        // A string without any available bytes is not returned: the token could not state that it is open.
        let is_unseen = start == bytes.end() || bytes.end() - self.parts.at < 2 * self.looked;
        if !bytes.is_last() && is_unseen {
            return Err(());
        }
        let (end, is_end) = string_end(bytes, start, &mut Escapes::default());
        if self.is_name_next {
            if !is_end && self.waits(bytes.end() - start, LONGEST_NAME, bytes.is_last()) {
                return Err(());
            }
            self.is_name_next = false;
            let is_remembered = self.deeper == 0;
            self.name = Some(&bytes[start..end])
                .filter(|_| is_remembered)
                .and_then(|name| self.format.known(name));
        } else if is_end
            && let Some(open) = self.open.iter_mut().find(|open| open.base_at == Some(start))
        {
            open.base_at = None;
            self.parts.at = end + usize::from(bytes.get(end) == Some(&b'"'));
            return Ok(None);
        } else {
            let open = self.open.last().filter(|_| self.deeper == 0 && self.name == Some("text"));
            let document = open.and_then(|open| open.document);
            if is_end && document == Some(Grammar::Base64Html) && !is_base64(&bytes[start..end]) {
                self.open
                    .last_mut()
                    .into_iter()
                    .for_each(|open| open.document = Some(Grammar::Srcdoc));
                return Ok(Some(Token::Notice(Notice::ReadAsText)));
            }
            let is_document = open.is_some_and(|open| open.is_document);
            let (grammar, context, most) = match (document, self.role()) {
                (Some(grammar), _) => (
                    Some(grammar),
                    const { &KnownContext::new("json:text", ContextKind::DocumentText) },
                    REACH,
                ),
                (_, Some(MemberRole::Reference(context))) => {
                    (Some(Grammar::Json), context, self.most)
                }
                _ => (None, KnownContext::TEXT, 0),
            };
            if let Some(grammar) = grammar {
                if !is_end && self.waits(bytes.end() - start, most, bytes.is_last()) {
                    return Err(());
                }
                if is_end && end - start <= most {
                    self.looked = 0;
                    self.parts.at = end + usize::from(bytes.get(end) == Some(&b'"'));
                    return Ok(Some(Token::Value(value(start..end, context, grammar))));
                }
            }
            if document.is_some() {
                self.open.last_mut().into_iter().for_each(OpenObject::read_as_text);
                return Ok(Some(Token::Notice(Notice::ReadAsText)));
            }
            if !is_document && let Some(token) = self.fragment(bytes, start..end, is_end)? {
                return Ok(Some(token));
            }
        }
        self.looked = 0;
        self.parts.at = start;
        Ok(self.text(bytes))
    }

    /// Returns a string as a fragment of HTML, if it is one.
    fn fragment(
        &mut self,
        bytes: Chunk<'_>,
        string: Range<usize>,
        is_end: bool,
    ) -> Result<Option<Token>, ()> {
        let Range { start, end } = string;
        let quote = std::mem::replace(&mut self.parts.at, start);
        match self.parts.begun(&bytes[start..end], is_end, Rules::Json) {
            StartedText::Text => Ok(None),
            StartedText::Token(token @ Token::Notice(_)) => {
                self.looked = 0;
                self.parts.at = quote;
                Ok(Some(token))
            }
            StartedText::Token(token) => {
                self.looked = 0;
                self.parts.at = end + usize::from(bytes.get(end) == Some(&b'"'));
                Ok(Some(token))
            }
            StartedText::Undecided => {
                self.parts.at = quote;
                self.looked = bytes.end() - start;
                Err(())
            }
        }
    }

    /// Returns the open string, or its available bytes.
    fn text(&mut self, bytes: Chunk<'_>) -> Option<Token> {
        let (end, is_end) = string_end(bytes, self.parts.at, &mut self.escapes);
        let token = self.parts.take(end, is_end, Rules::Json);
        if is_end {
            self.parts.is_open = false;
            // Neither a line break nor the quotation mark belongs to the string.
            self.parts.at = end + usize::from(end < bytes.end());
        }
        token
    }

    pub(super) fn next(&mut self, bytes: Chunk<'_>) -> TokenizerStep {
        loop {
            let token = match bytes.get(self.parts.at) {
                None if !self.parts.is_open => break,
                _ if self.parts.is_open => match (self.text(bytes), self.parts.is_open) {
                    (None, true) => break,
                    (token, _) => Ok(token),
                },
                Some(byte @ (b'"' | b'[')) => match self.notebook_text(bytes) {
                    Ok(None) if *byte == b'[' => self.enter(bytes),
                    Ok(None) => self.string(bytes),
                    Ok(Some(token)) => Ok(token),
                    Err(()) => Err(()),
                },
                Some(b'{') => self.enter(bytes),
                Some(b'}' | b']') => Ok(self.leave().then_some(Token::BaseEnd)),
                byte => {
                    if byte == Some(&b',') {
                        self.is_name_next = self.open.last().is_some_and(|open| !open.is_list);
                        self.name = None;
                    }
                    self.parts.at += 1;
                    Ok(None)
                }
            };
            match token {
                Ok(Some(token)) => return TokenizerStep::Token(token),
                Ok(None) => {}
                Err(()) => return TokenizerStep::Incomplete { needed: self.parts.at },
            }
        }
        TokenizerStep::of(None, bytes, self.parts.at)
    }
}

/// Returns `true` if a string of JSON may be base64: it has no other characters, and breaks only as escapes.
fn is_base64(string: &[u8]) -> bool {
    let is_other = |byte: &u8| {
        !byte.is_ascii_alphanumeric() && !byte.is_ascii_whitespace() && !b"+/=-_\\".contains(byte)
    };
    !string.iter().any(is_other)
}

fn value(range: Range<usize>, context: &'static KnownContext, grammar: Grammar) -> UrlValue {
    UrlValue { range, context: context.into(), grammar, rules: Rules::Json }
}
