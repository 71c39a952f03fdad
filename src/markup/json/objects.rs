//! JSON in which objects name the base of the references in them: HTTP archives of loaded pages (HAR), and metadata of
//! crawled pages (WAT).
//!
//! A table states for each format how its documents begin, in which objects a member is the base of all others, which
//! members are references, and which are HTML documents. All other strings are texts, as in any JSON. The member that
//! decides how an object is read may be after the members that depend on it, so the object is searched for it first, up to
//! [`REACH`].

use std::ops::Range;

use super::look::{JsonSearch, look};
use super::{Escapes, Json, string_end};
use crate::context::KnownContext;
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
/// Number of bytes of a document in which its format must be recognised.
const HEAD: usize = 1024;

/// A step of a path: a member's name, or any item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    In(&'static str),
    Each,
}

use Way::{Each, In};

/// Role of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MemberRole {
    /// An object, and the path in it to the member that is the base of all others.
    Based(&'static [&'static str]),
    /// A reference, with its context.
    Reference(&'static KnownContext),
    /// An object whose member `text` is a document: HTML if `mimeType` states so, in base64 if `encoding` states so.
    Document,
}

/// A format.
#[derive(Debug)]
pub(super) struct ObjectFormat {
    /// The names of the first member of its documents, which is an object.
    begins: &'static [&'static str],
    roles: &'static [(&'static [Way], MemberRole)],
}

/// HTTP Archive 1.2: `request.url` of an entry is the base of its response.
static HAR: ObjectFormat = ObjectFormat {
    begins: &["log"],
    roles: &[
        (&[In("log"), In("entries"), Each], MemberRole::Based(&["request", "url"])),
        (
            &[In("log"), In("entries"), Each, In("response"), In("redirectURL")],
            MemberRole::Reference(&KnownContext::other("json:redirectURL")),
        ),
        (&[In("log"), In("entries"), Each, In("response"), In("content")], MemberRole::Document),
    ],
};

/// Web Archive Transformation: the target of the record is the base of its page, and that of a `<base>` element is the base
/// of the page's links.
static WAT: ObjectFormat = ObjectFormat {
    begins: &["Envelope", "Container"],
    roles: &[
        (&[], MemberRole::Based(&["Envelope", "WARC-Header-Metadata", "WARC-Target-URI"])),
        (&[ENVELOPE, PAYLOAD, HTTP, HTML], MemberRole::Based(&["Head", "Base"])),
        (&[ENVELOPE, PAYLOAD, HTTP, HTML, In("Links"), Each, In("url")], URL),
        (&[ENVELOPE, PAYLOAD, HTTP, HTML, In("Head"), In("Link"), Each, In("url")], URL),
        (&[ENVELOPE, PAYLOAD, HTTP, HTML, In("Head"), In("Scripts"), Each, In("url")], URL),
        (
            &[ENVELOPE, PAYLOAD, HTTP, In("Headers"), In("Location")],
            MemberRole::Reference(&KnownContext::other("json:Location")),
        ),
        (
            &[ENVELOPE, PAYLOAD, HTTP, In("Headers"), In("location")],
            MemberRole::Reference(&KnownContext::other("json:Location")),
        ),
    ],
};

static FORMATS: [&ObjectFormat; 2] = [&HAR, &WAT];

const ENVELOPE: Way = In("Envelope");
const PAYLOAD: Way = In("Payload-Metadata");
const HTTP: Way = In("HTTP-Response-Metadata");
const HTML: Way = In("HTML-Metadata");
const URL: MemberRole = MemberRole::Reference(URL_CONTEXT);
const URL_CONTEXT: &KnownContext = &KnownContext::other("json:url");

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

impl ObjectFormat {
    /// Returns the format of a document that begins with these bytes, if it is one of these formats; `None` if the
    /// following bytes decide.
    pub(super) fn of(bytes: Chunk<'_>) -> Option<Option<&'static ObjectFormat>> {
        let undecided = if bytes.is_last() || bytes.end() > HEAD { Some(None) } else { None };
        let rest = bytes.bytes();
        let rest = rest.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(rest);
        let Some(rest) = Json::unguarded(rest) else { return undecided };
        let mut rest = rest.trim_ascii_start();
        for byte in *b"{\"" {
            match rest.first() {
                None => return undecided,
                Some(found) if *found != byte => return Some(None),
                Some(_) => rest = rest[1..].trim_ascii_start(),
            }
        }
        let longest = FORMATS.iter().flat_map(|format| format.begins).map(|name| name.len());
        let longest = longest.max().unwrap_or(0);
        let Some(end) = rest.iter().take(longest + 1).position(|byte| *byte == b'"') else {
            return if rest.len() > longest { Some(None) } else { undecided };
        };
        let name = &rest[..end];
        let is_it =
            |format: &&&ObjectFormat| format.begins.iter().any(|begin| begin.as_bytes() == name);
        let Some(format) = FORMATS.iter().find(is_it).copied() else { return Some(None) };
        rest = rest[end + 1..].trim_ascii_start();
        for byte in *b":{" {
            match rest.first() {
                None => return undecided,
                Some(found) if *found != byte => return Some(None),
                Some(_) => rest = rest[1..].trim_ascii_start(),
            }
        }
        Some(Some(format))
    }

    /// Returns the name from the table, if some path or document has it.
    fn known(&self, name: &[u8]) -> Option<&'static str> {
        let ways = self.roles.iter().flat_map(|(path, _)| path.iter());
        let names = ways.filter_map(|way| match way {
            In(name) => Some(*name),
            Each => None,
        });
        names.chain(["text"]).find(|known| known.as_bytes() == name)
    }
}

impl Objects {
    pub(super) fn new(format: &'static ObjectFormat, limits: &ValueLimits) -> Objects {
        Objects {
            format,
            parts: TextSplitter::default(),
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
            Some(open) if self.deeper == 0 && open.is_list => Some(Each),
            Some(_) if self.deeper == 0 => self.name.map(In),
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
        let of = |(path, _): &&(&[Way], MemberRole)| ways().eq(path.iter().map(|way| Some(*way)));
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
        let there = bytes.end() - at;
        // What is found does not depend on how many bytes there are.
        let searched = bytes.up_to(at + REACH);
        match role {
            Some(MemberRole::Based(_) | MemberRole::Document)
                if !bytes.is_last() && there < 2 * self.looked =>
            {
                return Err(());
            }
            Some(MemberRole::Based(path)) => match look(searched, at, path) {
                JsonSearch::Found(range) => base = Some(range),
                JsonSearch::Cut if self.waits(there, REACH, bytes.is_last()) => return Err(()),
                _ => {}
            },
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
        self.open.push(OpenObject { is_list, way, has_base, base_at, is_document, document });
        let base = base.map(|range| Token::Base {
            value: value(range, URL_CONTEXT, Grammar::Json),
            scope: BaseScope::Element,
        });
        Ok(base.or(notice))
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
            let is_document = open.is_some_and(|open| open.is_document);
            let (grammar, context, most) = match (document, self.role()) {
                (Some(grammar), _) => {
                    (Some(grammar), const { &KnownContext::other("json:text") }, REACH)
                }
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
                Some(b'{' | b'[') => self.enter(bytes),
                Some(b'}' | b']') => Ok(self.leave().then_some(Token::BaseEnd)),
                Some(b'"') => self.string(bytes),
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

fn value(range: Range<usize>, context: &'static KnownContext, grammar: Grammar) -> UrlValue {
    UrlValue { range, context: context.into(), grammar, rules: Rules::Json }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings() {
        let of = |text: &str, is_last| {
            ObjectFormat::of(Chunk::new(text.as_bytes(), 0, is_last)).map(|format| format.is_some())
        };
        for (text, is_one) in [
            ("{\"log\":{", true),
            ("\u{FEFF} \n{ \"Envelope\" : {\"", true),
            ("{\"Container\":{}", true),
            ("{\"log\":[", false),
            ("{\"log\": \"x\"", false),
            ("{\"logs\":{", false),
            ("[{\"log\":{", false),
            ("{\"a long name of a member\":{", false),
        ] {
            assert_eq!(of(text, true), Some(is_one), "{text}");
            assert_eq!(of(text, false), Some(is_one), "{text}");
            let cuts = (0..text.len()).filter(|cut| text.is_char_boundary(*cut));
            for cut in cuts {
                assert!(of(&text[..cut], false).is_none_or(|one| one == is_one), "{text} {cut}");
            }
        }
    }
}
