//! Skips markup that is neither text nor tag: comments with all their possible ends, declarations, instructions.
//!
//! A comment that Outlook reads (`<!--[if mso]>`) is a value: a document that ends where the comment does,
//! whatever is left open in it.
//!
//! Conditional comments of Microsoft (`<!--[if mso]>…<![endif]-->`): decides which of them Outlook reads.
//!
//! Browsers read none of them. Outlook for Windows renders mail with Word, which reads those whose condition names `mso` or
//! `vml`; no current program reads those for `IE`. The other form, `<![if !mso]>…<![endif]>`, is two bogus comments, and
//! the text between them is part of the document for all programs.

use std::ops::Range;

use super::{Html, HtmlState, HtmlStep, MarkupStart};
use crate::context::KnownContext;
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
            [b'[', ..] => match condition(rest, bytes.is_last()) {
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
            context: KnownContext::CONDITIONAL.into(),
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

/// Maximum number of bytes of a condition with its brackets: real ones have fewer than a hundred.
const LONGEST: usize = 4 << 10;

/// Construct that begins after `<!--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// A condition of this many bytes that is true in Outlook.
    Outlook(usize),
    /// Another construct.
    Other,
    /// A condition that is too long to be read.
    TooLong,
    /// The bytes end before the construct is known.
    Cut,
}

/// Returns the construct that begins with a bracket after `<!--`.
pub(super) fn condition(rest: &[u8], is_last: bool) -> Condition {
    const OPENING: &[u8] = b"[if";
    let len = rest.len().min(OPENING.len());
    if !rest[..len].eq_ignore_ascii_case(&OPENING[..len]) {
        return Condition::Other;
    }
    let near = &rest[..rest.len().min(LONGEST)];
    match memchr::memchr(b'>', near) {
        Some(end) if near[..end].ends_with(b"]") && is_of_outlook(&near[len..end - 1]) => {
            Condition::Outlook(end + 1)
        }
        Some(_) => Condition::Other,
        None if near.len() == LONGEST => Condition::TooLong,
        None if is_last => Condition::Other,
        None => Condition::Cut,
    }
}

/// Returns `true` if a condition names a feature of Outlook and does not negate it.
fn is_of_outlook(condition: &[u8]) -> bool {
    let is_word = |b: &u8| b.is_ascii_alphanumeric();
    let mut at = 0;
    while let Some(start) = condition[at..].iter().position(is_word).map(|len| at + len) {
        let len = condition[start..].iter().take_while(|b| is_word(b)).count();
        at = start + len;
        let word = &condition[start..at];
        let is_named = ["mso", "vml"].iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
        if is_named && !is_negated(&condition[..start]) {
            return true;
        }
    }
    false
}

/// Returns `true` if the text before a feature negates it: `!`, `!(`, `!(gte `.
fn is_negated(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let compared = ["gte", "gt", "lte", "lt"].iter().find_map(|word| {
        let start = before.len().checked_sub(word.len())?;
        before[start..].eq_ignore_ascii_case(word.as_bytes()).then_some(start)
    });
    let before = &before[..compared.unwrap_or(before.len())];
    let last = before.iter().rev().find(|b| !b.is_ascii_whitespace() && **b != b'(');
    last == Some(&b'!')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_of_outlook() {
        for text in [
            "[if mso]>",
            "[IF MSO]>",
            "[if mso | IE]>",
            "[if (gte mso 9)|(IE)]>",
            "[if gte vml 1]>",
            "[if !IE & mso]>",
            "[if lt mso 12]>",
            "[if (!mso)|(gte mso 16)]>",
        ] {
            assert_eq!(condition(text.as_bytes(), false), Condition::Outlook(text.len()), "{text}");
            for end in 0..text.len() {
                let cut = condition(&text.as_bytes()[..end], false);
                assert_eq!(cut, Condition::Cut, "{text} {end}");
            }
        }
        for text in [
            "[if IE]>",
            "[if lt IE 9]>",
            "[if !mso]>",
            "[if !(mso)]>",
            "[if !( gte mso 9 )]>",
            "[if msoffice]>",
            "[if mso>",
            "[endif]>",
            "[if mso] >",
            "[x",
        ] {
            assert_eq!(condition(text.as_bytes(), false), Condition::Other, "{text}");
        }
        assert_eq!(condition(b"[if mso", true), Condition::Other);
        assert_eq!(condition(&b"[if mso ".repeat(999), false), Condition::TooLong);
    }
}
