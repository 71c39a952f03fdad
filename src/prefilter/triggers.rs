//! Triggers: the places at which a link might be recognised, found by a pass over stored bytes.
//!
//! Takes bytes; gives the offsets of the bytes after a mark:
//! after an `@` one that may be a host's; after a colon one that may be that of a `://`, or no white
//! space with a letter before the colon that a scheme may end with; the `#` of `&#`; what a top-level
//! domain may begin with, after a dot with a host-like byte before it and after U+3002, U+FF0E,
//! U+FF61. That is less than it takes to be a link and never more: nothing is decoded and nothing is
//! validated here.
//!
//! It is done in two steps. The pass (`pass`) makes masks of all bytes after a mark; the places are
//! written into a list, a few at a time, and those of which the bytes around show more are left out
//! (`surroundings`), both without a branch on what is found.

use super::marks::{BATCH, BLOCK, Batch, Kinds};
use super::pass;
use super::surroundings::{self, Asked};

/// With so many places in the list no more masks are written into it.
const ENOUGH: usize = 64;
/// Places of a mask that are written at once, whether there are so many or not.
const AT_ONCE: usize = 4;

/// Places in a text, counted from the base of a batch.
#[derive(Clone, Debug)]
struct List {
    places: [u16; ENOUGH + BLOCK],
    len: usize,
    /// Those before it are gone through.
    at: usize,
}

impl List {
    /// Adds those of the mask of the block that begins at `base`. In most there are one or two; a loop
    /// that ends with them is left at another place each time.
    #[inline]
    fn add(&mut self, base: usize, mut mask: u64) {
        let places = &mut self.places[self.len..self.len + BLOCK];
        let mut count = 0;
        for place in &mut places[..AT_ONCE] {
            *place = (base + mask.trailing_zeros() as usize) as u16;
            count += usize::from(mask != 0);
            mask &= mask.wrapping_sub(1);
        }
        while mask != 0 {
            places[count % BLOCK] = (base + mask.trailing_zeros() as usize) as u16;
            count += 1;
            mask &= mask - 1;
        }
        self.len += count;
    }
}

/// The triggers of a text, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Triggers {
    batch: Batch,
    list: List,
    asked: Asked,
    /// The end of what the batch covers.
    end: usize,
}

impl Triggers {
    pub(crate) fn new(asked: Asked) -> Triggers {
        let list = List { places: [0; ENOUGH + BLOCK], len: 0, at: 0 };
        Triggers { batch: Batch::new(), list, asked, end: 0 }
    }

    /// The next trigger.
    #[inline]
    pub(crate) fn next(&mut self, text: &[u8], kinds: Kinds) -> Option<usize> {
        while self.list.at >= self.list.len {
            if !self.refill(text, kinds) {
                return None;
            }
        }
        let place = self.list.places[self.list.at];
        self.list.at += 1;
        Some(self.batch.base + usize::from(place))
    }

    /// Fills the list anew; false at the text's end.
    #[inline(never)]
    fn refill(&mut self, text: &[u8], kinds: Kinds) -> bool {
        self.list.at = 0;
        self.list.len = 0;
        while self.batch.present == 0 {
            if self.end >= text.len() {
                return false;
            }
            pass::fill(text, self.end, kinds, &mut self.batch);
            self.end = text.len().min(self.batch.base + self.batch.len * BLOCK);
        }
        while self.batch.present != 0 && self.list.len <= ENOUGH {
            let next = self.batch.present.trailing_zeros() as usize;
            self.batch.present &= self.batch.present - 1;
            self.list.add(next * BLOCK, self.batch.masks[next % BATCH]);
        }
        let places = &mut self.list.places[..self.list.len];
        self.list.len = surroundings::keep(text, self.batch.base, places, self.asked);
        true
    }

    /// Leaves out the triggers before `offset`.
    #[inline]
    pub(crate) fn skip_to(&mut self, offset: usize) {
        if offset >= self.end {
            self.again(offset);
            return;
        }
        let Some(ahead) = offset.checked_sub(self.batch.base) else { return };
        let left = &self.list.places[self.list.at..self.list.len];
        self.list.at += left.iter().take_while(|place| usize::from(**place) < ahead).count();
        if self.list.at == self.list.len {
            // What is quiet at its front is not in the batch.
            self.batch.present &= u64::MAX << (ahead / BLOCK);
            self.batch.masks[ahead / BLOCK % BATCH] &= u64::MAX << (ahead % BLOCK);
        }
    }

    /// Gives `trigger`, and what comes after it, again: the text grows.
    pub(crate) fn again(&mut self, trigger: usize) {
        self.batch.present = 0;
        self.list.len = 0;
        self.list.at = 0;
        self.batch.base = trigger;
        self.end = trigger;
    }

    /// Where the next trigger may be.
    pub(crate) fn at(&self) -> usize {
        let Batch { base, present, .. } = self.batch;
        match (self.list.places[self.list.at..self.list.len].first(), present) {
            (Some(place), _) => base + usize::from(*place),
            (None, 0) => self.end,
            (None, present) => base + present.trailing_zeros() as usize * BLOCK,
        }
    }

    /// The text has lost `by` bytes at its front.
    pub(crate) fn shift(&mut self, by: usize) {
        let at = self.at();
        // Triggers inside a candidate that is still undecided may go: they are skipped when it ends.
        self.again(at.saturating_sub(by));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_into_what_is_known_to_be_quiet() {
        let mut text = vec![b' '; 5 * BLOCK * BATCH];
        let (kinds, mut triggers) = (Kinds { dots: true }, Triggers::new(Asked::Labels));
        assert_eq!(triggers.next(&text, kinds), None);
        triggers.skip_to(10);
        assert_eq!(triggers.next(&text, kinds), None);
        text.extend(b"a@b");
        assert_eq!(triggers.next(&text, kinds), Some(text.len() - 1));
    }

    #[test]
    fn a_skip_to_every_place() {
        let text = ["a@b.de://c ", &" ".repeat(90)].concat().repeat(60);
        let kinds = Kinds { dots: true };
        let all = |mut triggers: Triggers| -> Vec<usize> {
            std::iter::from_fn(|| triggers.next(text.as_bytes(), kinds)).collect()
        };
        let expected = all(Triggers::new(Asked::Labels));
        assert_eq!(expected.len(), 180);
        // Before anything is asked for, and with some of a batch gone through.
        for gone in [0, 1, 9, 70, 100] {
            for offset in (0..text.len()).step_by(7) {
                let mut triggers = Triggers::new(Asked::Labels);
                for _ in 0..gone {
                    triggers.next(text.as_bytes(), kinds);
                }
                triggers.skip_to(offset);
                let mut left = expected[gone..].to_vec();
                left.retain(|trigger| *trigger >= offset);
                assert!(left.first().is_none_or(|first| triggers.at() <= *first));
                assert_eq!(all(triggers), left, "{gone} {offset}");
            }
        }
    }
}
