//! The document type declaration: its system identifier, and the entities in its internal subset.
//!
//! The external subset is not read, parameter entities are not expanded, element and attribute declarations are skipped.

use std::ops::Range;

use super::attribute::is_space;
use super::content::{Opener, opener_at};
use super::{NeedsMore, TokenResult, Until, Xml, XmlMode};
use crate::context::{ContextKind, KnownContext, StoredContext};
use crate::input::chunk::Chunk;
use crate::markup::{Grammar, Rules, Token};
use crate::notice::Notice;

/// Position in a document type declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Doctype {
    /// Between `[` and `]`.
    in_subset: bool,
    /// Number of literals up to the one that is the system identifier.
    system: Option<u8>,
}

/// Returns where a declaration that begins at `at` ends: its `>` outside quotes.
fn declaration_end(bytes: Chunk<'_>, mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr3(b'"', b'\'', b'>', bytes.get(at..)?)?;
        match bytes[at] {
            b'>' => return Some(at),
            quote => at += 2 + memchr::memchr(quote, bytes.get(at + 1..)?)?,
        }
    }
}

/// A word or a literal of a declaration, and the offset after it.
enum DoctypeWord {
    Bare(Range<usize>),
    Literal(Range<usize>),
}

fn word_at(bytes: Chunk<'_>, at: usize) -> Option<(DoctypeWord, usize)> {
    let at = at + bytes.get(at..)?.iter().position(|byte| !is_space(*byte))?;
    let rest = &bytes[at + 1..];
    match bytes[at] {
        quote @ (b'"' | b'\'') => {
            let end = at + 1 + memchr::memchr(quote, rest).unwrap_or(rest.len());
            Some((DoctypeWord::Literal(at + 1..end), end + 1))
        }
        _ => {
            let is_end = |byte: &u8| is_space(*byte) || matches!(byte, b'"' | b'\'');
            let end = at + 1 + rest.iter().position(is_end).unwrap_or(rest.len());
            Some((DoctypeWord::Bare(at..end), end))
        }
    }
}

/// Context of the system identifier of a document type.
static DOCTYPE: KnownContext = KnownContext::new("doctype", ContextKind::Identity);
/// Context of the system identifier of an entity.
static ENTITY: KnownContext = KnownContext::new("entity", ContextKind::Identity);

impl Xml {
    pub(super) fn doctype(&mut self, bytes: Chunk<'_>, inside: Doctype) -> TokenResult {
        while bytes.get(self.at).is_some_and(|byte| is_space(*byte)) {
            self.at += 1;
        }
        let Some(&byte) = bytes.get(self.at) else { return Err(NeedsMore) };
        let mut inside = inside;
        match byte {
            b'<' => return self.in_subset(bytes, inside),
            b'>' if !inside.in_subset => {
                self.at += 1;
                self.mode = XmlMode::Content;
                return Ok(None);
            }
            b'[' | b']' => {
                inside.in_subset = byte == b'[';
                self.at += 1;
            }
            b'>' => self.at += 1,
            b'"' | b'\'' => return self.literal(bytes, inside, byte),
            _ => {
                let Some(end) = self.word_end(bytes) else { return Err(NeedsMore) };
                let word = &bytes[self.at..end];
                if inside.in_subset && word.starts_with(b"%") {
                    self.due.push_back(Token::Notice(Notice::EntitiesUnread));
                }
                inside.system = match word {
                    _ if word.eq_ignore_ascii_case(b"SYSTEM") => Some(0),
                    _ if word.eq_ignore_ascii_case(b"PUBLIC") => Some(1),
                    _ => None,
                };
                self.at = end;
            }
        }
        self.mode = XmlMode::Doctype(inside);
        Ok(None)
    }

    fn word_end(&self, bytes: Chunk<'_>) -> Option<usize> {
        let start = self.at;
        let window = &bytes[start..bytes.end().min(start + self.limits.link)];
        let is_end = |(at, byte): (usize, &u8)| match byte {
            b'[' | b']' => (self.is_boundary)(bytes, start, start + at),
            _ => is_space(*byte) || matches!(byte, b'<' | b'>' | b'"' | b'\''),
        };
        match window.iter().enumerate().position(is_end) {
            // The caller handles brackets; here one is the first byte of a word.
            Some(len) => Some(start + len.max(1)),
            None if bytes.is_last() || window.len() == self.limits.link => {
                Some(start + window.len())
            }
            None => None,
        }
    }

    /// Reads a quoted string outside declarations: a public or a system identifier.
    fn literal(&mut self, bytes: Chunk<'_>, inside: Doctype, quote: u8) -> TokenResult {
        let start = self.at + 1;
        let window = &bytes[start..bytes.end().min(start + self.limits.link + 1)];
        let end = match memchr::memchr(quote, window) {
            Some(len) => start + len,
            None if window.len() > self.limits.link => {
                self.mode = XmlMode::Until(Until::Quote(quote), Some(inside));
                self.at = start;
                return Ok(None);
            }
            None if bytes.is_last() => bytes.end(),
            None => return Err(NeedsMore),
        };
        self.at = bytes.end().min(end + 1);
        let system = inside.system.and_then(|left| left.checked_sub(1));
        self.mode = XmlMode::Doctype(Doctype { system, ..inside });
        let is_system = inside.system == Some(0) && start < end;
        Ok(is_system.then(|| {
            self.value(start..end, StoredContext::Known(&DOCTYPE), Grammar::Url, Rules::None)
        }))
    }

    /// Reads the declaration that a `<` in a document type declaration begins.
    fn in_subset(&mut self, bytes: Chunk<'_>, inside: Doctype) -> TokenResult {
        let start = self.at;
        match opener_at(bytes, start) {
            Opener::Cut => return Err(NeedsMore),
            Opener::Comment if inside.in_subset => {
                self.at += 4;
                self.mode = XmlMode::Until(Until::Comment, Some(inside));
                return Ok(None);
            }
            Opener::Instruction if inside.in_subset => {
                self.at += 2;
                self.mode = XmlMode::Until(Until::Instruction, Some(inside));
                return Ok(None);
            }
            Opener::Declaration if inside.in_subset => {}
            // The declaration was not closed, and this is the document.
            _ => {
                self.mode = XmlMode::Content;
                return Ok(None);
            }
        }
        let window = bytes.up_to(start + self.limits.whole);
        let end = match declaration_end(window, start) {
            Some(end) => end,
            None if bytes.is_last() && window.end() == bytes.end() => bytes.end(),
            None if window.end() < bytes.end() || window.end() == start + self.limits.whole => {
                self.at += 2;
                self.mode = XmlMode::Until(Until::Tag, Some(inside));
                return Ok(None);
            }
            None => return Err(NeedsMore),
        };
        self.at = bytes.end().min(end + 1);
        self.mode = XmlMode::Doctype(inside);
        const ENTITY: &[u8] = b"<!ENTITY";
        match bytes[start..end].starts_with(ENTITY) {
            true => Ok(self.entity(bytes.up_to(end), start + ENTITY.len())),
            false => Ok(None),
        }
    }

    /// Parses the declaration of an entity, whose content begins at `start` and is complete.
    fn entity(&mut self, declaration: Chunk<'_>, start: usize) -> Option<Token> {
        let (DoctypeWord::Bare(name), next) = word_at(declaration, start)? else { return None };
        let is_parameter = &declaration[name.clone()] == b"%";
        let (name, next) = match is_parameter {
            false => (name, next),
            true => match word_at(declaration, next)? {
                (DoctypeWord::Bare(name), next) => (name, next),
                (DoctypeWord::Literal(_), _) => return None,
            },
        };
        let (what, next) = word_at(declaration, next)?;
        let word = match what {
            DoctypeWord::Literal(literal) => {
                let is_kept = is_parameter
                    || self.entities.declare(&declaration[name], &declaration[literal]);
                return (!is_kept).then_some(Token::Notice(Notice::EntitiesUnread));
            }
            DoctypeWord::Bare(word) => &declaration[word],
        };
        let next = match word {
            b"SYSTEM" => next,
            b"PUBLIC" => word_at(declaration, next)?.1,
            _ => return None,
        };
        match word_at(declaration, next)?.0 {
            DoctypeWord::Literal(id) if !id.is_empty() => {
                Some(self.value(id, StoredContext::Known(&ENTITY), Grammar::Url, Rules::None))
            }
            _ => None,
        }
    }
}
