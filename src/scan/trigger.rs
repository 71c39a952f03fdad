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

/// The bytes that a mask has bits for.
pub(crate) const BLOCK: usize = 64;
/// The masks that are made at once.
pub(crate) const BATCH: usize = 32;

/// The masks of the blocks from `base` on: bit n of mask m is an event at `base + 64 m + n`.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub(crate) base: usize,
    pub(crate) events: [u64; BATCH],
    /// How many of them are made.
    pub(crate) len: usize,
}

/// The events of a text, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Triggers {
    batch: Batch,
    /// The mask of the batch that is being gone through.
    next: usize,
    /// The end of what the batch covers.
    end: usize,
}

impl Triggers {
    pub(crate) fn new() -> Triggers {
        Triggers { batch: Batch { base: 0, events: [0; BATCH], len: 0 }, next: 0, end: 0 }
    }

    /// The next event.
    #[inline]
    pub(crate) fn next(&mut self, text: &[u8], kinds: Kinds) -> Option<usize> {
        loop {
            while let Some(events) = self.batch.events[..self.batch.len].get_mut(self.next) {
                if *events != 0 {
                    let n = events.trailing_zeros() as usize;
                    *events &= *events - 1;
                    return Some(self.batch.base + self.next * BLOCK + n);
                }
                self.next += 1;
            }
            if self.end >= text.len() {
                return None;
            }
            simd::fill(text, self.end, kinds, &mut self.batch);
            self.next = 0;
            self.end = text.len().min(self.batch.base + self.batch.len * BLOCK);
        }
    }

    /// Leaves out the events before `offset`.
    #[inline]
    pub(crate) fn skip_to(&mut self, offset: usize) {
        if offset >= self.end {
            self.again(offset);
        } else if let Some(ahead) = offset.checked_sub(self.batch.base + self.next * BLOCK) {
            self.next += ahead / BLOCK;
            self.batch.events[self.next] &= u64::MAX << (ahead % BLOCK);
        }
    }

    /// Gives `event`, and what comes after it, again: the text grows.
    pub(crate) fn again(&mut self, event: usize) {
        self.batch.len = 0;
        self.next = 0;
        self.end = event;
    }

    /// Where the next event may be.
    pub(crate) fn at(&self) -> usize {
        let masks = self.batch.events[..self.batch.len].iter().enumerate().skip(self.next);
        let mut events = masks.filter(|(_, events)| **events != 0);
        match events.next() {
            Some((n, events)) => self.batch.base + n * BLOCK + events.trailing_zeros() as usize,
            None => self.end,
        }
    }

    /// The text has lost `by` bytes at its front, none of them behind [`at`](Triggers::at).
    pub(crate) fn shift(&mut self, by: usize) {
        let at = self.at();
        self.again(at - by);
    }
}

/// Whether these three bytes are U+3002, U+FF0E or U+FF61, which UTS #46 maps to a dot.
pub(crate) fn is_full_stop(bytes: &[u8]) -> bool {
    matches!(bytes, [0xE3, 0x80, 0x82] | [0xEF, 0xBC, 0x8E] | [0xEF, 0xBD, 0xA1])
}

/// Whether there is an event at `at`: the rule that the fast passes are tested against.
#[cfg(test)]
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
