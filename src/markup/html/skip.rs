//! Skips markup that is neither text nor tag: comments with all their possible ends, declarations, instructions.
//!
//! A comment that Outlook reads (`<!--[if mso]>`, `conditional`) is a value: a document that ends where the comment does,
//! whatever is left open in it.

use std::ops::Range;

use super::conditional::{self, CONTEXT, Condition};
use super::{Html, HtmlState, HtmlStep, MarkupStart};
use crate::context::Context;
use crate::input::chunk::Chunk;
use crate::markup::{Grammar, Rules, Token, UrlValue};
use crate::notice::Notice;

/// Markup that is skipped to its end.
#[derive(Clone, Copy, Debug)]
pub(super) enum SkippedMarkup {
    /// `<!--`; the dashes of its end are at this offset or later, once its beginning is known.
    Comment { min_start: Option<usize> },
    /// A comment with a condition of Outlook; its content begins at this offset.
    Conditional { start: usize },
    /// Such a comment that is too long.
    LongConditional { min_start: usize },
    /// A bogus comment, up to the first `>`: `<!`, `<?` or `</` opens it.
    Bogus,
    /// `<!DOCTYPE`: also up to the first `>`, whatever is quoted in it.
    Doctype,
}

impl SkippedMarkup {
    pub(super) fn opening_len(self) -> usize {
        match self {
            SkippedMarkup::Comment { .. }
            | SkippedMarkup::Conditional { .. }
            | SkippedMarkup::LongConditional { .. } => 4,
            SkippedMarkup::Bogus => 2,
            SkippedMarkup::Doctype => 2,
        }
    }
}

/// Returns the construct that opens at `bytes[at]`, a `<!` (§13.2.5.42).
pub(super) fn declaration(bytes: Chunk<'_>, at: usize, is_foreign: bool) -> MarkupStart {
    let rest = &bytes[at + 2..];
    for (word, any_case, opening) in [
        (&b"--"[..], false, MarkupStart::Skip(SkippedMarkup::Comment { min_start: None })),
        (b"doctype", true, MarkupStart::Skip(SkippedMarkup::Doctype)),
        (b"[CDATA[", false, MarkupStart::Cdata),
    ] {
        let len = rest.len().min(word.len());
        let fits = match any_case {
            true => rest[..len].eq_ignore_ascii_case(&word[..len]),
            false => rest[..len] == word[..len],
        };
        match opening {
            MarkupStart::Cdata if !is_foreign => {}
            _ if fits && len == word.len() => return opening,
            _ if fits && !bytes.is_last() => return MarkupStart::Cut,
            _ => {}
        }
    }
    MarkupStart::Skip(SkippedMarkup::Bogus)
}

impl Html {
    /// Advances to the end of the markup that is skipped.
    pub(super) fn skip(&mut self, bytes: Chunk<'_>, skip: SkippedMarkup) -> HtmlStep {
        let end = match skip {
            SkippedMarkup::Bogus | SkippedMarkup::Doctype => {
                let end = memchr::memchr(b'>', &bytes[self.at..]);
                end.map(|len| self.at + len)
            }
            SkippedMarkup::Comment { min_start: None } => return self.comment_start(bytes),
            SkippedMarkup::Comment { min_start: Some(min_start) } => {
                comment_end(bytes, self.at, min_start)
            }
            SkippedMarkup::Conditional { start } => return self.conditional(bytes, start),
            SkippedMarkup::LongConditional { min_start } => {
                return self.long_conditional(bytes, min_start);
            }
        };
        let Some(end) = end else {
            self.at = match skip {
                SkippedMarkup::Comment { min_start: Some(min_start) } => open_end(bytes, min_start),
                _ => bytes.end(),
            };
            return HtmlStep::Out;
        };
        self.at = end + 1;
        self.state = HtmlState::Text;
        if matches!(skip, SkippedMarkup::Doctype) {
            self.joined = false;
        }
        HtmlStep::On
    }

    /// Reads on after `<!--`: `>` and `->` end a comment at once (§13.2.5.43).
    fn comment_start(&mut self, bytes: Chunk<'_>) -> HtmlStep {
        let rest = &bytes[self.at..];
        let min_start = self.at;
        let len = match rest {
            [b'>', ..] => 1,
            [b'-', b'>', ..] => 2,
            [] | [b'-'] => return HtmlStep::Out,
            [b'[', ..] => match conditional::condition(rest, bytes.is_last()) {
                Condition::Cut => return HtmlStep::Out,
                Condition::Outlook(len) => {
                    self.at += len;
                    self.state = HtmlState::Skip(SkippedMarkup::Conditional { start: self.at });
                    return HtmlStep::On;
                }
                Condition::Other => {
                    self.state =
                        HtmlState::Skip(SkippedMarkup::Comment { min_start: Some(min_start) });
                    return HtmlStep::On;
                }
                Condition::TooLong => {
                    self.state =
                        HtmlState::Skip(SkippedMarkup::Comment { min_start: Some(min_start) });
                    return HtmlStep::Token(Token::Notice(Notice::ValueTooLong));
                }
            },
            _ => {
                self.state = HtmlState::Skip(SkippedMarkup::Comment { min_start: Some(min_start) });
                return HtmlStep::On;
            }
        };
        self.at += len;
        self.state = HtmlState::Text;
        HtmlStep::On
    }

    /// Reads on in a comment that Outlook reads, whose content begins at `start`.
    fn conditional(&mut self, bytes: Chunk<'_>, start: usize) -> HtmlStep {
        let end = comment_end(bytes, self.at, start);
        let content = match end {
            Some(end) => start..dashes(bytes, end),
            None => start..bytes.end(),
        };
        let is_long = content.len() > Grammar::Srcdoc.limit(&self.limits);
        if end.is_none() && !is_long && !bytes.is_last() {
            // The dashes before the bytes' end may be the comment's.
            self.at = bytes.end();
            return HtmlStep::Out;
        }
        let value = |range: Range<usize>| UrlValue {
            range,
            context: Context::Known(&CONTEXT),
            grammar: Grammar::Srcdoc,
            rules: Rules::None,
        };
        if is_long {
            // Its end is searched again, from the current offset.
            self.at = end.unwrap_or(bytes.end());
            self.state = HtmlState::Skip(SkippedMarkup::LongConditional { min_start: start });
            return HtmlStep::Token(Token::Long(value(content)));
        }
        self.at = end.map_or(bytes.end(), |end| end + 1);
        self.state = HtmlState::Text;
        match content.is_empty() {
            true => HtmlStep::On,
            false => HtmlStep::Token(Token::Value(value(content))),
        }
    }

    fn long_conditional(&mut self, bytes: Chunk<'_>, min_start: usize) -> HtmlStep {
        match comment_end(bytes, self.at, min_start) {
            Some(end) => {
                self.at = end + 1;
                self.state = HtmlState::Text;
                HtmlStep::Token(Token::LongEnd(dashes(bytes, end)))
            }
            None if bytes.is_last() => {
                self.at = bytes.end();
                self.state = HtmlState::Text;
                HtmlStep::Token(Token::LongEnd(bytes.end()))
            }
            None => {
                self.at = open_end(bytes, min_start);
                HtmlStep::Out
            }
        }
    }
}

/// Returns where the search continues in a comment that the bytes' end cuts: the dashes before a `>` may be there.
fn open_end(bytes: Chunk<'_>, min_start: usize) -> usize {
    bytes.end().saturating_sub(3).max(min_start)
}

/// Returns where the dashes of a comment's end begin, whose `>` is at `end`.
fn dashes(bytes: Chunk<'_>, end: usize) -> usize {
    end - if bytes.get(end - 1) == Some(&b'!') { 3 } else { 2 }
}

/// Returns the offset of the `>` of the `-->` or `--!>` whose dashes are at `min_start` or later.
fn comment_end(bytes: Chunk<'_>, from: usize, min_start: usize) -> Option<usize> {
    let ends = |at: usize, ending: &[u8]| {
        let start = at.checked_sub(ending.len());
        // When the search continues, the dashes may be before the bytes that are left.
        let dashes = start.filter(|start| *start >= min_start).and_then(|at| bytes.get(at..));
        dashes.is_some_and(|dashes| dashes.starts_with(ending))
    };
    memchr::memchr_iter(b'>', bytes.get(from..)?)
        .map(|len| from + len)
        .find(|&at| ends(at, b"--") || ends(at, b"--!"))
}
