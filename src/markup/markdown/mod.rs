//! Markdown: CommonMark with the extensions of GitHub, as pulldown-cmark parses it.
//!
//! The input is a complete document in UTF-8. The result is the destinations of links and images, autolinks and the
//! definitions of references, each in the place where it is written, the references in its HTML, and as running text
//! everything that is neither markup nor an image's description. This includes code, since users expect its links to be
//! found.
//!
//! The parser needs the complete document, and many times its size in memory. A document that is too long, or has too many
//! special characters, does not pass `fits`, and is not read by this module.

mod autolink;
mod destination;
mod front;
mod parsed;
mod visible;

pub(crate) use destination::resolved;

use std::collections::VecDeque;

use super::{Token, Tokenizer, TokenizerStep, ValueLimits};
use crate::input::chunk::Chunk;
use crate::limits;

/// Maximum memory of the parser in bytes. Measured with repeated units of one to twenty bytes, it takes up to 70 bytes per
/// byte (`[`), and never more than `EACH` per special character and `LINE` per line.
const ROOM: usize = 64 << 20;
const EACH: usize = 144;
const LINE: usize = 224;
/// Maximum length of a document that is parsed, even without special characters.
const LONGEST: usize = 16 << 20;
/// Maximum depth of nested quotations and lists. The parser takes a step for each of them on each line, so that without a
/// bound its time grows with the square of the size.
const DEPTH: usize = limits::MARKDOWN;

/// Tokenizer for Markdown.
#[derive(Clone, Debug)]
pub(crate) struct Markdown {
    limits: ValueLimits,
    is_parsed: bool,
    due: VecDeque<Token>,
}

impl Markdown {
    pub(crate) fn new(limits: ValueLimits) -> Markdown {
        Markdown { limits, is_parsed: false, due: VecDeque::new() }
    }

    /// Returns `true` if a document can be parsed within the limits of memory and time.
    pub(crate) fn fits(bytes: &[u8]) -> bool {
        if bytes.len() > LONGEST {
            return false;
        }
        let cost = |byte: &u8| match byte {
            b'\n' | b'\r' => LINE,
            b'!' | b'&' | b'*' | b'<' | b'>' | b'[' | b'\\' | b']' | b'_' | b'`' | b'|' | b'~' => {
                EACH
            }
            _ => 1,
        };
        let is_short = bytes.len() <= ROOM / EACH.max(LINE);
        (is_short || bytes.iter().map(cost).sum::<usize>() <= ROOM) && depth(bytes) <= DEPTH
    }
}

/// Returns an upper bound of the depth of nested quotations and lists, from the markers at the beginnings of lines.
///
/// A line that begins with markers is inside at most one container for every two columns of its indentation, and inside no
/// more containers than were open before.
fn depth(bytes: &[u8]) -> usize {
    let (mut open, mut most) = (0, 0);
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).map(|end| end + 1);
    for start in std::iter::once(0).chain(ends) {
        // Most lines begin with a letter.
        if !matches!(bytes.get(start), Some(b' ' | b'\t' | b'>' | b'-' | b'+' | b'*' | b'0'..=b'9'))
        {
            continue;
        }
        let (marks, columns) = front(&bytes[start..]);
        if marks > 0 {
            open = marks + open.min(columns / 2);
            most = most.max(open);
        }
    }
    most
}

/// Returns the number of markers of quotations and items at the beginning of the line, and the number of columns of white
/// space between them.
fn front(line: &[u8]) -> (usize, usize) {
    let (mut marks, mut columns, mut blanks, mut at) = (0, 0, 0, 0);
    loop {
        let rest = &line[at..];
        let len = match rest.first() {
            Some(b' ' | b'\t') => {
                blanks += if rest[0] == b' ' { 1 } else { 4 };
                at += 1;
                continue;
            }
            Some(b'>') => 1,
            Some(b'-' | b'+' | b'*') => 1,
            Some(b'0'..=b'9') => {
                let digits = rest.iter().take(10).take_while(|b| b.is_ascii_digit()).count();
                match rest.get(digits) {
                    Some(b'.' | b')') => digits + 1,
                    _ => return (marks, columns),
                }
            }
            _ => return (marks, columns),
        };
        if rest[0] != b'>' && !is_gap(rest, len) {
            return (marks, columns);
        }
        (marks, columns, at) = (marks + 1, columns + blanks, at + len);
        blanks = 0;
    }
}

/// Returns `true` if white space or the line's end is at `at`.
fn is_gap(line: &[u8], at: usize) -> bool {
    line.get(at).is_none_or(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'))
}

impl Tokenizer for Markdown {
    fn next(&mut self, bytes: Chunk<'_>) -> TokenizerStep {
        if !self.is_parsed {
            if !bytes.is_last() {
                return TokenizerStep::Incomplete { needed: 0 };
            }
            self.is_parsed = true;
            self.due = parsed::runs(bytes.bytes(), &self.limits).into();
        }
        self.due.pop_front().map_or(TokenizerStep::Done, TokenizerStep::Token)
    }
}
