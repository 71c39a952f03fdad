//! What is neither text nor tag: comments with their odd ends, declarations, instructions.
//!
//! A comment that Outlook reads (`<!--[if mso]>`, `conditional`) is a value: a document that ends where the comment
//! does, whatever is left open in it.

use std::ops::Range;

use super::conditional::{self, CONTEXT, Condition};
use super::{Html, Opening, Progress, State};
use crate::chunk::Chunk;
use crate::markup::{Grammar, Rules, Token, UrlValue};
use crate::notice::Notice;

/// Something that is passed over to its end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Skip {
    /// `<!--`; the dashes of its end stand at this offset or after it, once its beginning is known.
    Comment { min_start: Option<usize> },
    /// A comment whose condition is one of Outlook's; what is after that begins at this offset.
    Conditional { start: usize },
    /// One that has grown too long.
    LongConditional { min_start: usize },
    /// A bogus comment, up to the first `>`: `<!`, `<?` or `</` opens it.
    Bogus,
    /// `<!DOCTYPE`: up to the first `>` as well, whatever is quoted in it.
    Doctype,
}

impl Skip {
    pub(super) fn opening_len(self) -> usize {
        match self {
            Skip::Comment { .. } | Skip::Conditional { .. } | Skip::LongConditional { .. } => 4,
            Skip::Bogus => 2,
            Skip::Doctype => 2,
        }
    }

    pub(super) fn needed(self, at: usize) -> usize {
        match self {
            // The dashes before a `>` are looked back for.
            Skip::Comment { min_start: Some(min_start) } | Skip::LongConditional { min_start } => {
                at.saturating_sub(3).max(min_start).min(at)
            }
            Skip::Conditional { start } => start,
            _ => at,
        }
    }
}

/// What begins at `bytes[at]`, a `<!` (§13.2.5.42).
pub(super) fn declaration(bytes: Chunk<'_>, at: usize, is_foreign: bool) -> Opening {
    let rest = &bytes[at + 2..];
    for (word, any_case, opening) in [
        (&b"--"[..], false, Opening::Skip(Skip::Comment { min_start: None })),
        (b"doctype", true, Opening::Skip(Skip::Doctype)),
        (b"[CDATA[", false, Opening::Cdata),
    ] {
        let len = rest.len().min(word.len());
        let fits = match any_case {
            true => rest[..len].eq_ignore_ascii_case(&word[..len]),
            false => rest[..len] == word[..len],
        };
        match opening {
            Opening::Cdata if !is_foreign => {}
            _ if fits && len == word.len() => return opening,
            _ if fits && !bytes.is_last() => return Opening::Cut,
            _ => {}
        }
    }
    Opening::Skip(Skip::Bogus)
}

impl Html {
    /// Goes on to the end of what is passed over.
    pub(super) fn skip(&mut self, bytes: Chunk<'_>, skip: Skip) -> Progress {
        let end = match skip {
            Skip::Bogus | Skip::Doctype => {
                let end = memchr::memchr(b'>', &bytes[self.at..]);
                end.map(|len| self.at + len)
            }
            Skip::Comment { min_start: None } => return self.comment_start(bytes),
            Skip::Comment { min_start: Some(min_start) } => comment_end(bytes, self.at, min_start),
            Skip::Conditional { start } => return self.conditional(bytes, start),
            Skip::LongConditional { min_start } => {
                return self.long_conditional(bytes, min_start);
            }
        };
        let Some(end) = end else {
            self.at = bytes.end();
            return Progress::Out;
        };
        self.at = end + 1;
        self.state = State::Text;
        if matches!(skip, Skip::Doctype) {
            self.joined = false;
        }
        Progress::On
    }

    /// After `<!--`: `>` and `->` end a comment at once (§13.2.5.43).
    fn comment_start(&mut self, bytes: Chunk<'_>) -> Progress {
        let rest = &bytes[self.at..];
        let min_start = self.at;
        let len = match rest {
            [b'>', ..] => 1,
            [b'-', b'>', ..] => 2,
            [] | [b'-'] => return Progress::Out,
            [b'[', ..] => match conditional::condition(rest, bytes.is_last()) {
                Condition::Cut => return Progress::Out,
                Condition::Outlook(len) => {
                    self.at += len;
                    self.state = State::Skip(Skip::Conditional { start: self.at });
                    return Progress::On;
                }
                Condition::Other => {
                    self.state = State::Skip(Skip::Comment { min_start: Some(min_start) });
                    return Progress::On;
                }
                Condition::TooLong => {
                    self.state = State::Skip(Skip::Comment { min_start: Some(min_start) });
                    return Progress::Token(Token::Notice(Notice::ValueTooLong));
                }
            },
            _ => {
                self.state = State::Skip(Skip::Comment { min_start: Some(min_start) });
                return Progress::On;
            }
        };
        self.at += len;
        self.state = State::Text;
        Progress::On
    }

    /// In a comment that Outlook reads, whose content begins at `start`.
    fn conditional(&mut self, bytes: Chunk<'_>, start: usize) -> Progress {
        let end = comment_end(bytes, self.at, start);
        let content = match end {
            Some(end) => start..dashes(bytes, end),
            None => start..bytes.end(),
        };
        let is_long = content.len() > Grammar::Srcdoc.limit(&self.limits);
        if end.is_none() && !is_long && !bytes.is_last() {
            // The dashes before the bytes' end may be the comment's.
            self.at = bytes.end();
            return Progress::Out;
        }
        let value = |range: Range<usize>| UrlValue {
            range,
            context: CONTEXT.into(),
            grammar: Grammar::Srcdoc,
            rules: Rules::None,
        };
        if is_long {
            // Its end is looked for once more, from where it is.
            self.at = end.unwrap_or(bytes.end());
            self.state = State::Skip(Skip::LongConditional { min_start: start });
            return Progress::Token(Token::Long(value(content)));
        }
        self.at = end.map_or(bytes.end(), |end| end + 1);
        self.state = State::Text;
        match content.is_empty() {
            true => Progress::On,
            false => Progress::Token(Token::Value(value(content))),
        }
    }

    fn long_conditional(&mut self, bytes: Chunk<'_>, min_start: usize) -> Progress {
        match comment_end(bytes, self.at, min_start) {
            Some(end) => {
                self.at = end + 1;
                self.state = State::Text;
                Progress::Token(Token::LongEnd(dashes(bytes, end)))
            }
            None if bytes.is_last() => {
                self.at = bytes.end();
                self.state = State::Text;
                Progress::Token(Token::LongEnd(bytes.end()))
            }
            None => {
                self.at = bytes.end();
                Progress::Out
            }
        }
    }
}

/// Where the dashes of a comment's end begin, whose `>` is at `end`.
fn dashes(bytes: Chunk<'_>, end: usize) -> usize {
    end - if bytes.get(end - 1) == Some(&b'!') { 3 } else { 2 }
}

/// The `>` of the `-->` or `--!>` whose dashes stand at `min_start` or after it.
fn comment_end(bytes: Chunk<'_>, from: usize, min_start: usize) -> Option<usize> {
    let ends = |at: usize, ending: &[u8]| {
        let start = at.checked_sub(ending.len());
        start.is_some_and(|start| start >= min_start && bytes[start..].starts_with(ending))
    };
    memchr::memchr_iter(b'>', bytes.get(from..)?)
        .map(|len| from + len)
        .find(|&at| ends(at, b"--") || ends(at, b"--!"))
}
