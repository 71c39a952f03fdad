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
//! (`surroundings`), both without a branch on what is found. In short texts that would take longer than what it saves.

use super::marks::{BATCH, BLOCK, Batch, Kinds};
use super::pass;
use super::surroundings::{self, Asked};

/// With so many places in the list no more masks are written into it.
const ENOUGH: usize = 64;
/// A text, or the rest of one, that is no longer than this is gone through block by block.
const SHORT: usize = 4 * BLOCK;
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

/// The triggers of a long text: a batch of masks, and those of its places that are in the list.
#[derive(Clone, Debug)]
struct Long {
    batch: Batch,
    list: List,
}

/// The triggers of a text, one after the other.
///
/// A short text, and the end of a long one, is gone through block by block: what a long one takes is not even there
/// for it.
#[derive(Clone, Debug)]
pub(crate) struct Triggers {
    /// The places of a block that are still to be looked at, a bit for each; none while the list has some.
    mask: u64,
    /// Where that block begins.
    base: usize,
    /// The end of what the mask, or the batch, covers.
    end: usize,
    asked: Asked,
    long: Option<Box<Long>>,
}

impl Triggers {
    pub(crate) fn new(asked: Asked) -> Triggers {
        Triggers { mask: 0, base: 0, end: 0, asked, long: None }
    }

    /// The next trigger.
    #[inline]
    pub(crate) fn next(&mut self, text: &[u8], kinds: Kinds) -> Option<usize> {
        loop {
            while self.mask != 0 {
                let at = self.base + self.mask.trailing_zeros() as usize;
                self.mask &= self.mask - 1;
                if surroundings::is_kept(text, at, self.asked) {
                    return Some(at);
                }
            }
            if let Some(long) = &mut self.long
                && let Some(place) = long.list.places[..long.list.len].get(long.list.at)
            {
                long.list.at += 1;
                return Some(long.batch.base + usize::from(*place));
            }
            if !self.refill(text, kinds) {
                return None;
            }
        }
    }

    /// Finds more places; false at the text's end.
    #[inline]
    fn refill(&mut self, text: &[u8], kinds: Kinds) -> bool {
        let is_open = self.long.as_ref().is_some_and(|long| long.batch.present != 0);
        if is_open || text.len().saturating_sub(self.end) > SHORT {
            self.refill_list(text, kinds);
            return true;
        }
        while self.end < text.len() {
            self.base = self.end;
            self.mask = pass::block(text, self.base, kinds);
            self.end = text.len().min(self.base + BLOCK);
            if self.mask != 0 {
                return true;
            }
        }
        false
    }

    /// Fills the list anew, or comes to what is short of the text's end.
    #[inline(never)]
    fn refill_list(&mut self, text: &[u8], kinds: Kinds) {
        let long = self.long.get_or_insert_with(|| {
            let list = List { places: [0; ENOUGH + BLOCK], len: 0, at: 0 };
            Box::new(Long { batch: Batch::new(), list })
        });
        let Long { batch, list } = &mut **long;
        list.at = 0;
        list.len = 0;
        while batch.present == 0 {
            if text.len().saturating_sub(self.end) <= SHORT {
                return;
            }
            pass::fill(text, self.end, kinds, batch);
            self.end = text.len().min(batch.base + batch.len * BLOCK);
        }
        while batch.present != 0 && list.len <= ENOUGH {
            let next = batch.present.trailing_zeros() as usize;
            batch.present &= batch.present - 1;
            list.add(next * BLOCK, batch.masks[next % BATCH]);
        }
        let places = &mut list.places[..list.len];
        list.len = surroundings::keep(text, batch.base, places, self.asked);
    }

    /// Leaves out the triggers before `offset`.
    #[inline]
    pub(crate) fn skip_to(&mut self, offset: usize) {
        if offset >= self.end {
            self.again(offset);
            return;
        }
        if self.mask != 0 {
            // A block that ends after the offset begins less than its length before it.
            self.mask &= u64::MAX << (offset.saturating_sub(self.base) % BLOCK);
            return;
        }
        let Some(Long { batch, list }) = self.long.as_deref_mut() else { return };
        let Some(ahead) = offset.checked_sub(batch.base) else { return };
        let left = &list.places[list.at..list.len];
        list.at += left.iter().take_while(|place| usize::from(**place) < ahead).count();
        if list.at == list.len {
            // What is quiet at its front is not in the batch.
            batch.present &= u64::MAX << (ahead / BLOCK % BATCH);
            batch.masks[ahead / BLOCK % BATCH] &= u64::MAX << (ahead % BLOCK);
        }
    }

    /// Gives `trigger`, and what comes after it, again: the text grows.
    #[inline]
    pub(crate) fn again(&mut self, trigger: usize) {
        self.mask = 0;
        self.base = trigger;
        self.end = trigger;
        if let Some(Long { batch, list }) = self.long.as_deref_mut() {
            batch.present = 0;
            batch.base = trigger;
            list.len = 0;
            list.at = 0;
        }
    }

    /// Where the next trigger may be.
    pub(crate) fn at(&self) -> usize {
        if self.mask != 0 {
            return self.base + self.mask.trailing_zeros() as usize;
        }
        let Some(Long { batch, list }) = self.long.as_deref() else { return self.end };
        match (list.places[list.at..list.len].first(), batch.present) {
            (Some(place), _) => batch.base + usize::from(*place),
            (None, 0) => self.end,
            (None, present) => batch.base + present.trailing_zeros() as usize * BLOCK,
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
