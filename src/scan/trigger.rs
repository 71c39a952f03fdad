//! Triggers: the places at which a link might be recognised, found by a pass over stored bytes.
//!
//! What comes in are bytes, what goes out are the offsets of the last byte that each trigger needs
//! ("events"): the `@`; the byte behind a colon with a host-like byte before it and no white
//! space behind it; the `#` of `&#`; the second letter behind a dot between host-like bytes; the last
//! byte of U+3002, U+FF0E, U+FF61. That is less than it takes to be a link and never more: nothing
//! is decoded and nothing is validated here.

use super::simd;

/// Which triggers are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds {
    /// Dots, ideographic ones too.
    pub(crate) dots: bool,
}

/// A block of 64 bytes with its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Where it begins.
    pub(crate) base: usize,
    /// Bit n: an event at `base + n`.
    pub(crate) events: u64,
}

/// The bytes that a block has.
pub(crate) const BLOCK: usize = 64;
/// The bytes before it that its events depend on.
pub(crate) const BEFORE: usize = 3;

/// The events of a text, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Triggers {
    /// The block that is being gone through.
    block: Block,
    /// All before is gone through, the block apart.
    at: usize,
}

impl Triggers {
    pub(crate) fn new() -> Triggers {
        Triggers { block: Block { base: 0, events: 0 }, at: 0 }
    }

    /// The next event.
    #[inline]
    pub(crate) fn next(&mut self, text: &[u8], kinds: Kinds) -> Option<usize> {
        while self.block.events == 0 {
            match simd::find(text, self.at, kinds) {
                Some(block) => {
                    self.block = block;
                    self.at = text.len().min(block.base + BLOCK);
                }
                None => {
                    self.at = text.len().max(self.at);
                    return None;
                }
            }
        }
        let n = self.block.events.trailing_zeros() as usize;
        self.block.events &= self.block.events - 1;
        Some(self.block.base + n)
    }

    /// Leaves out the events before `offset`.
    #[inline]
    pub(crate) fn skip_to(&mut self, offset: usize) {
        if offset >= self.at {
            self.block.events = 0;
            self.at = offset;
        } else if offset > self.block.base && self.block.events != 0 {
            self.block.events &= u64::MAX << (offset - self.block.base).min(63);
        }
    }

    /// Gives `event`, and what comes after it, again: the text grows.
    pub(crate) fn again(&mut self, event: usize) {
        self.block.events = 0;
        self.at = event;
    }

    /// Gives what comes after the last event again: the text grows.
    pub(crate) fn rest(&mut self) {
        if self.block.events != 0 {
            self.at = self.block.base + self.block.events.trailing_zeros() as usize;
            self.block.events = 0;
        }
    }

    /// Where the next event may be.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The text has lost `by` bytes at its front.
    pub(crate) fn shift(&mut self, by: usize) {
        debug_assert!(self.block.events == 0);
        self.at -= by;
    }
}

/// Whether these three bytes are U+3002, U+FF0E or U+FF61, which UTS #46 maps to a dot.
pub(crate) fn is_full_stop(bytes: &[u8]) -> bool {
    matches!(bytes, [0xE3, 0x80, 0x82] | [0xEF, 0xBC, 0x8E] | [0xEF, 0xBD, 0xA1])
}

/// Whether there is an event at `at`: the rule that the fast passes are tested against.
pub(crate) fn is_event(text: &[u8], at: usize, kinds: Kinds) -> bool {
    let back = |n: usize| at.checked_sub(n).map_or(0, |i| text[i]);
    // Letters and all beyond ASCII; five bytes between are let through, which saves a comparison.
    let letter = |b: u8| b | 0x20 > 0x60;
    // Digits, `-` and `;`, and what lies between them.
    let host = |b: u8| letter(b) || (0x2D..=0x3B).contains(&b);
    let byte = text[at];
    if byte == b'@' || byte == b'#' && back(1) == b'&' {
        return true;
    }
    if back(1) == b':' && byte > b' ' && host(back(2)) {
        return true;
    }
    if !kinds.dots {
        return false;
    }
    letter(byte) && letter(back(1)) && back(2) == b'.' && host(back(3))
        || is_full_stop(&[back(2), back(1), byte])
}
