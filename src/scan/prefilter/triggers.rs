//! Triggers: the places at which a link might be recognised, found by a pass over stored bytes.
//!
//! Takes bytes; gives the offsets of the bytes after a mark:
//! after an `@` one that may be a host's; after a colon one that may be that of a `://`, or no white
//! space with a letter before the colon that a scheme may end with; the `#` of `&#`; what a top-level
//! domain may begin with, after a dot with a host-like byte before it and after U+3002, U+FF0E,
//! U+FF61; the `[` after an ESC. That is less than it takes to be a link and never more: nothing is decoded and nothing is
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
/// A text, or the rest of one, that is no longer than this is processed block by block.
const SHORT: usize = 8 * BLOCK;
/// Places of a mask that are written at once, whether there are so many or not.
const AT_ONCE: usize = 4;

/// Buffers for a long text: a batch of masks, and a list of its places, counted from the batch's base.
#[derive(Clone, Debug)]
struct Long {
    batch: Batch,
    places: [u16; ENOUGH + BLOCK],
    /// Before it no place that is to come is behind an ESC.
    quiet_to: usize,
}

impl Long {
    #[inline(never)]
    fn new() -> Box<Long> {
        Box::new(Long { batch: Batch::new(), places: [0; ENOUGH + BLOCK], quiet_to: 0 })
    }

    /// Adds to the first `len` places those of the mask of the block that begins at `base`, and tells how many they are
    /// now. In most there are one or two; a loop that ends with them is left at another place each time.
    #[inline]
    fn add(&mut self, len: usize, base: usize, mut mask: u64) -> usize {
        let places = &mut self.places[len..len + BLOCK];
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
        len + count
    }
}

/// The triggers of a text, one after the other.
///
/// A short text, and the end of a long one, is processed block by block: what a long one takes is not even there
/// for it.
#[derive(Clone, Debug)]
pub(crate) struct Triggers {
    /// Where the places of the list, or the block of the mask, are counted from.
    base: usize,
    long: Option<Box<Long>>,
    /// The places of a block that are still to be looked at, a bit for each; none while the list has some.
    mask: u64,
    /// The end of what the mask, or the batch, covers.
    end: usize,
    /// Places of the list that are still to come.
    at: u16,
    len: u16,
    asked: Asked,
}

impl Triggers {
    pub(crate) fn new(asked: Asked) -> Triggers {
        Triggers { base: 0, long: None, mask: 0, end: 0, at: 0, len: 0, asked }
    }

    /// Whether a text of which nothing is to come has no trigger any more. Of a short text the next block that has one
    /// is looked for here: most have none, and take no other step.
    #[inline(always)]
    pub(crate) fn is_done(&mut self, text: &[u8], kinds: Kinds) -> bool {
        if text.len() <= BLOCK {
            if self.end == 0 {
                self.mask = pass::block(text, 0, kinds);
                self.end = text.len();
            }
            return self.mask == 0 && self.end >= text.len();
        }
        text.len() <= SHORT && self.mask == 0 && self.has_no_block(text, kinds)
    }

    #[inline(never)]
    fn has_no_block(&mut self, text: &[u8], kinds: Kinds) -> bool {
        !self.next_block(text, kinds)
    }

    /// The next trigger.
    #[inline(always)]
    pub(crate) fn next(&mut self, text: &[u8], kinds: Kinds) -> Option<usize> {
        match self.listed() {
            None => self.next_unlisted(text, kinds),
            listed => listed,
        }
    }

    /// The next one of the list.
    #[inline(always)]
    fn listed(&mut self) -> Option<usize> {
        if self.at >= self.len {
            return None;
        }
        let place = self.long.as_ref()?.places[usize::from(self.at) % (ENOUGH + BLOCK)];
        self.at += 1;
        Some(self.base + usize::from(place))
    }

    /// The next one after those of the list.
    #[inline(never)]
    fn next_unlisted(&mut self, text: &[u8], kinds: Kinds) -> Option<usize> {
        loop {
            while self.mask != 0 {
                let at = self.base + self.mask.trailing_zeros() as usize;
                self.mask &= self.mask - 1;
                if surroundings::is_kept(text, at, self.asked) {
                    return Some(at);
                }
            }
            if !self.refill(text, kinds) {
                return None;
            }
            if let Some(listed) = self.listed() {
                return Some(listed);
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
        self.next_block(text, kinds)
    }

    /// Goes on to the next block with a trigger; false if there is none.
    #[inline(always)]
    fn next_block(&mut self, text: &[u8], kinds: Kinds) -> bool {
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

    /// Fills the list again, or comes to what is short of the text's end.
    #[inline(never)]
    fn refill_list(&mut self, text: &[u8], kinds: Kinds) {
        let long = self.long.get_or_insert_with(Long::new);
        (self.at, self.len) = (0, 0);
        while long.batch.present == 0 {
            if text.len().saturating_sub(self.end) <= SHORT {
                return;
            }
            pass::fill(text, self.end, kinds, &mut long.batch);
            self.end = text.len().min(long.batch.base + long.batch.len * BLOCK);
        }
        self.base = long.batch.base;
        let mut len = 0;
        while long.batch.present != 0 && len <= ENOUGH {
            let next = long.batch.present.trailing_zeros() as usize;
            long.batch.present &= long.batch.present - 1;
            len = long.add(len, next * BLOCK, long.batch.masks[next % BATCH]);
        }
        let (kept, has_escape) =
            surroundings::keep(text, self.base, &mut long.places[..len], self.asked);
        long.quiet_to = match (has_escape, long.batch.present) {
            (true, _) => 0,
            (false, 0) => self.end,
            (false, present) => self.base + present.trailing_zeros() as usize * BLOCK,
        };
        self.len = kept as u16;
    }

    /// Whether none is left in a text of so many bytes, as far as is known.
    #[inline(always)]
    pub(crate) fn have_ended(&self, len: usize) -> bool {
        self.mask == 0 && self.end >= len && self.long.is_none()
    }

    /// No trigger that is to come and stands before it is behind an ESC, as far as is known.
    pub(crate) fn quiet_to(&self) -> usize {
        self.long.as_ref().map_or(0, |long| long.quiet_to)
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
        let Some(Long { batch, places, .. }) = self.long.as_deref_mut() else { return };
        let Some(ahead) = offset.checked_sub(batch.base) else { return };
        let left = &places[usize::from(self.at)..usize::from(self.len)];
        self.at += left.iter().take_while(|place| usize::from(**place) < ahead).count() as u16;
        if self.at == self.len {
            // What is quiet at its front is not in the batch.
            batch.present &= u64::MAX << (ahead / BLOCK % BATCH);
            batch.masks[ahead / BLOCK % BATCH] &= u64::MAX << (ahead % BLOCK);
        }
    }

    /// Gives `trigger`, and what comes after it, again: the text grows.
    #[inline]
    pub(crate) fn again(&mut self, trigger: usize) {
        (self.at, self.len, self.mask) = (0, 0, 0);
        self.base = trigger;
        self.end = trigger;
        if let Some(long) = &mut self.long {
            long.batch.present = 0;
            long.batch.base = trigger;
            long.quiet_to = 0;
        }
    }

    /// Where the next trigger may be.
    pub(crate) fn at(&self) -> usize {
        if self.mask != 0 {
            return self.base + self.mask.trailing_zeros() as usize;
        }
        let Some(Long { batch, places, .. }) = self.long.as_deref() else { return self.end };
        match (places[self.at.into()..self.len.into()].first(), batch.present) {
            (Some(place), _) => self.base + usize::from(*place),
            (None, 0) => self.end,
            (None, present) => batch.base + present.trailing_zeros() as usize * BLOCK,
        }
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
        // Before anything is asked for, and with some of a batch processed.
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
