//! Triggers: the places at which a link might be recognised, found by a pass over stored bytes.
//!
//! What comes in are bytes, what goes out are the offsets of the last byte that each trigger needs
//! ("events"): the byte behind an `@` that may be a host's; the byte behind a colon that may be that of a `://`, or has a letter before it
//! and no white space behind it; the `#` of `&#`; the second letter behind a dot with a host-like byte
//! before it; the letter-like byte behind U+3002, U+FF0E, U+FF61. That is less than it takes to be a link and never
//! more: nothing is decoded and nothing is validated here.

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
    /// Of those that are zero it may be what was there before.
    pub(crate) events: [u64; BATCH],
    /// How many of them are made.
    pub(crate) len: usize,
    /// Bit m: mask m is not zero.
    pub(crate) present: u32,
    /// The masks before it were zero for the most part: it pays to ask first whether a block has any
    /// byte that triggers are made around. It changes nothing about the masks.
    pub(crate) is_sparse: bool,
}

impl Batch {
    pub(crate) fn new() -> Batch {
        Batch { base: 0, events: [0; BATCH], len: 0, present: 0, is_sparse: false }
    }
}

/// The events of a text, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Triggers {
    batch: Batch,
    /// What is left of the mask that is being gone through, and where its block begins.
    events: u64,
    block: usize,
    /// The end of what the batch covers.
    end: usize,
}

impl Triggers {
    pub(crate) fn new() -> Triggers {
        Triggers { batch: Batch::new(), events: 0, block: 0, end: 0 }
    }

    /// The next event.
    #[inline]
    pub(crate) fn next(&mut self, text: &[u8], kinds: Kinds) -> Option<usize> {
        while self.events == 0 {
            if self.batch.present == 0 {
                if self.end >= text.len() {
                    return None;
                }
                simd::fill(text, self.end, kinds, &mut self.batch);
                self.end = text.len().min(self.batch.base + self.batch.len * BLOCK);
                continue;
            }
            self.load();
        }
        let n = self.events.trailing_zeros() as usize;
        self.events &= self.events - 1;
        Some(self.block + n)
    }

    /// Goes on to the next mask that is not zero.
    #[inline]
    fn load(&mut self) {
        let next = self.batch.present.trailing_zeros() as usize;
        self.batch.present &= self.batch.present.wrapping_sub(1);
        self.events = self.batch.events[next % BATCH];
        self.block = self.batch.base + next % BATCH * BLOCK;
    }

    /// Leaves out the events before `offset`.
    #[inline]
    pub(crate) fn skip_to(&mut self, offset: usize) {
        if offset >= self.end {
            self.again(offset);
            return;
        }
        if offset.saturating_sub(self.block) >= BLOCK {
            // What is quiet at its front is not in the batch.
            let first = offset.saturating_sub(self.batch.base) / BLOCK;
            self.batch.present &= u32::MAX << first;
            self.events = 0;
            if self.batch.present == 0 {
                return;
            }
            self.load();
        }
        if let Some(ahead @ 0..BLOCK) = offset.checked_sub(self.block) {
            self.events &= u64::MAX << ahead;
        }
    }

    /// Gives `event`, and what comes after it, again: the text grows.
    pub(crate) fn again(&mut self, event: usize) {
        self.batch.present = 0;
        self.events = 0;
        self.block = event;
        self.end = event;
    }

    /// Where the next event may be.
    pub(crate) fn at(&self) -> usize {
        match (self.events, self.batch.present) {
            (0, 0) => self.end,
            (0, present) => self.batch.base + present.trailing_zeros() as usize * BLOCK,
            (events, _) => self.block + events.trailing_zeros() as usize,
        }
    }

    /// The text has lost `by` bytes at its front.
    pub(crate) fn shift(&mut self, by: usize) {
        let at = self.at();
        // Events inside a candidate that is still undecided may go: they are skipped when it ends.
        self.again(at.saturating_sub(by));
    }
}

/// The last two bytes of U+3002, U+FF0E and U+FF61, which UTS #46 maps to a dot. Behind a lead byte
/// that is not less than theirs some ideographs have them too, which saves comparisons.
pub(crate) const FULL_STOPS: [[u8; 2]; 3] = [[0x80, 0x82], [0xBC, 0x8E], [0xBD, 0xA1]];
/// The least of their lead bytes. Texts in Latin, Greek, Cyrillic, Arabic letters have hardly any byte
/// that is not below it.
pub(crate) const FIRST_LEAD: u8 = 0xE3;
/// The least byte that counts as a host's behind an `@`: `&`, with which a reference to a letter begins.
pub(crate) const FIRST_BEHIND_AT: u8 = b'&';
/// The least byte that counts as host-like before a dot: `-`. What lies between and is no
/// part of a host is let through, which saves comparisons.
pub(crate) const FIRST_HOST: u8 = 0x2D;
/// The least byte that counts as a letter before a colon: `;`, with which a reference to one ends. It
/// leaves out the colons of `12:30` and every second one of `a::b`.
pub(crate) const FIRST_WORD: u8 = 0x3B;
/// `/` and `&` behind a colon become this by [`SLASH_BITS`], and with them `'` and the dot.
pub(crate) const SLASH: u8 = b'/';
pub(crate) const SLASH_BITS: u8 = 0x09;
/// The least byte that counts as a letter behind a dot: `A`. A reference there has an event of its own.
pub(crate) const FIRST_LETTER: u8 = 0x41;

/// Whether there is an event at `at`: the rule that the fast passes are tested against.
#[cfg(any(test, feature = "markup", not(target_arch = "x86_64")))]
pub(crate) fn is_event(text: &[u8], at: usize, kinds: Kinds) -> bool {
    let back = |n: usize| at.checked_sub(n).map_or(0, |i| text[i]);
    let letter = |b: u8| b >= FIRST_LETTER;
    let host = |b: u8| b >= FIRST_HOST;
    let byte = text[at];
    byte == b'#' && back(1) == b'&'
        || byte >= FIRST_BEHIND_AT && back(1) == b'@'
        || back(1) == b':' && (byte > b' ' && back(2) >= FIRST_WORD || byte | SLASH_BITS == SLASH)
        || kinds.dots && letter(byte) && letter(back(1)) && back(2) == b'.' && host(back(3))
        || kinds.dots
            && letter(byte)
            && FULL_STOPS.contains(&[back(2), back(1)])
            && back(3) >= FIRST_LEAD
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_into_what_is_known_to_be_quiet() {
        let mut text = vec![b' '; 5 * BLOCK * BATCH];
        let (kinds, mut triggers) = (Kinds { dots: true }, Triggers::new());
        assert_eq!(triggers.next(&text, kinds), None);
        triggers.skip_to(10);
        assert_eq!(triggers.next(&text, kinds), None);
        text.extend(b"a@b");
        assert_eq!(triggers.next(&text, kinds), Some(text.len() - 1));
    }
}
