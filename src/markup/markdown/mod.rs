//! Markdown: CommonMark with the extensions of GitHub, as pulldown-cmark parses it.
//!
//! A whole document in UTF-8 goes in; out come destinations of links and images, autolinks, the
//! definitions of references, each where it is written, what HTML in it holds, and as running text
//! whatever is neither markup nor an image's description: code too, for people expect its links found.
//!
//! The parser needs all of a document, and many times its size in memory: what is too long, or has too
//! many marks in it, does not `fit`, and is no document for this room.

mod destination;
mod parsed;

pub(crate) use destination::resolved;

use std::collections::VecDeque;

use super::{Limits, Step, Token, Tokenizer};

/// What the parser may take, in bytes. Measured for repeated units of one to twenty bytes, it takes up to
/// 70 bytes a byte (`[`), and never more than `EACH` a mark and `LINE` a line.
const ROOM: usize = 64 << 20;
const EACH: usize = 144;
const LINE: usize = 224;
/// The longest document that is parsed, however plain.
const LONGEST: usize = 16 << 20;

/// Reads Markdown.
#[derive(Clone, Debug)]
pub(crate) struct Markdown {
    limits: Limits,
    is_parsed: bool,
    /// Where what has been given ends.
    at: usize,
    due: VecDeque<Token>,
}

impl Markdown {
    pub(crate) fn new(limits: Limits) -> Markdown {
        Markdown { limits, is_parsed: false, at: 0, due: VecDeque::new() }
    }

    /// Whether a document can be parsed without taking more memory than it may.
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
        bytes.iter().map(cost).sum::<usize>() <= ROOM
    }
}

impl Tokenizer for Markdown {
    fn next(&mut self, bytes: &[u8], is_last: bool) -> Step {
        if !self.is_parsed {
            if !is_last {
                return Step::Incomplete;
            }
            self.is_parsed = true;
            self.due = parsed::runs(bytes, &self.limits).into();
            self.at = bytes.len();
        }
        self.due.pop_front().map_or(Step::Done, Step::Token)
    }

    fn needed(&self) -> usize {
        self.at
    }

    fn shift(&mut self, by: usize) {
        self.at -= by;
    }
}
