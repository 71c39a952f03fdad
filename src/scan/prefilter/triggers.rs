//! Triggers: the places at which a link may be recognised, found by a pass over stored bytes.
//!
//! The input is bytes, the result is the offsets of the bytes after a trigger byte: after an `@`, a byte that may be a
//! host's; after a colon, a byte that may be that of a `://`, or one that is not white space if the letter before the colon
//! may end a scheme; the `#` of `&#`; a byte with which a top-level domain may begin, after a dot with a host character
//! before it and after U+3002, U+FF0E, U+FF61; the `[` after an ESC. These conditions are necessary for a link, but not
//! sufficient: nothing is decoded or validated here.
//!
//! There are two steps. The pass (`pass`) computes masks of all bytes after a trigger byte. The places are then written
//! into a list, a few at a time, and those that the bytes around them exclude are removed (`surroundings`); neither
//! branches on the data. Short texts skip the list, which would take longer than it saves.

use super::marks::{BATCH, BLOCK, Batch, Kinds};
use super::pass;
use super::surroundings::{self, Asked};

/// With this many places in the list no more masks are written into it.
const ENOUGH: usize = 64;
/// Maximum length of a text, or of the rest of one, that is processed block by block.
const SHORT: usize = 8 * BLOCK;
/// Number of places of a mask that are written at once, whether there are that many or not.
const AT_ONCE: usize = 4;

/// Buffers for a long text: a batch of masks, and a list of their places, counted from the batch's base.
#[derive(Clone, Debug)]
struct Long {
    batch: Batch,
    places: [u16; ENOUGH + BLOCK],
    /// No later place before this offset follows an ESC.
    quiet_to: usize,
}

impl Long {
    #[inline(never)]
    fn new() -> Box<Long> {
        Box::new(Long { batch: Batch::new(), places: [0; ENOUGH + BLOCK], quiet_to: 0 })
    }

    /// Adds the places of the mask of the block that begins at `base` to the first `len` places, and returns the new number
    /// of places. Most masks have one or two places; a loop over them would end after a different number each time.
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

/// The triggers of a text, in order.
///
/// A short text, and the end of a long one, is processed block by block: the buffers for long texts are not even allocated
/// for it.
#[derive(Clone, Debug)]
pub(crate) struct Triggers {
    /// Offset from which the places of the list, or of the mask, are counted.
    base: usize,
    long: Option<Box<Long>>,
    /// The places of a block that still have to be checked, a bit for each; zero while the list has places.
    mask: u64,
    /// End of the bytes that the mask, or the batch, covers.
    end: usize,
    /// Index of the next place in the list.
    at: u16,
    len: u16,
    asked: Asked,
}

impl Triggers {
    pub(crate) fn new(asked: Asked) -> Triggers {
        Triggers { base: 0, long: None, mask: 0, end: 0, at: 0, len: 0, asked }
    }

    /// Returns the triggers of a text, those of its first block already found if the text has no other block: a caller that has
    /// the text in registers need not wait until a state in memory can be read.
    #[inline(always)]
    pub(crate) fn of(text: &[u8], asked: Asked, kinds: Kinds) -> Triggers {
        match text.len() {
            1..=BLOCK => {
                let mask = pass::block(text, 0, kinds);
                Triggers { mask, end: text.len(), ..Triggers::new(asked) }
            }
            _ => Triggers::new(asked),
        }
    }

    /// Returns `true` if a text has no more triggers. In a short text it searches for the next block with a trigger: most
    /// texts have none, and then need no other step.
    #[inline(always)]
    pub(crate) fn is_done(&mut self, text: &[u8], kinds: Kinds) -> bool {
        if text.len() <= BLOCK {
            return self.mask == 0 && self.end >= text.len();
        }
        text.len() <= SHORT && self.mask == 0 && self.has_no_block(text, kinds)
    }

    #[inline(never)]
    fn has_no_block(&mut self, text: &[u8], kinds: Kinds) -> bool {
        !self.next_block(text, kinds)
    }

    /// Returns the next trigger.
    #[inline(always)]
    pub(crate) fn next(&mut self, text: &[u8], kinds: Kinds) -> Option<usize> {
        match self.listed() {
            None => self.next_unlisted(text, kinds),
            listed => listed,
        }
    }

    /// Returns the next trigger of the list.
    #[inline(always)]
    fn listed(&mut self) -> Option<usize> {
        if self.at >= self.len {
            return None;
        }
        let place = self.long.as_ref()?.places[usize::from(self.at) % (ENOUGH + BLOCK)];
        self.at += 1;
        Some(self.base + usize::from(place))
    }

    /// Returns the next trigger after those of the list.
    #[inline(never)]
    fn next_unlisted(&mut self, text: &[u8], kinds: Kinds) -> Option<usize> {
        loop {
            while self.mask != 0 {
                let at = self.base + self.mask.trailing_zeros() as usize;
                self.mask &= self.mask - 1;
                let sign = text.get(at.wrapping_sub(1));
                if sign.is_some_and(|sign| surroundings::is_plain(*sign, text.get(at)))
                    || surroundings::is_kept(text, at, self.asked)
                {
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

    /// Finds more places; returns `false` at the text's end.
    #[inline]
    fn refill(&mut self, text: &[u8], kinds: Kinds) -> bool {
        let is_open = self.long.as_ref().is_some_and(|long| long.batch.present != 0);
        if is_open || text.len().saturating_sub(self.end) > SHORT {
            self.refill_list(text, kinds);
            return true;
        }
        self.next_block(text, kinds)
    }

    /// Advances to the next block with a trigger; returns `false` if there is none.
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

    /// Fills the list again, unless only the short end of the text is left.
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

    /// Returns `true` if no trigger is left in a text of `len` bytes, as far as is known.
    #[inline(always)]
    pub(crate) fn have_ended(&self, len: usize) -> bool {
        self.mask == 0 && self.end >= len && self.long.is_none()
    }

    /// Returns an offset before which no later trigger follows an ESC, as far as is known.
    pub(crate) fn quiet_to(&self) -> usize {
        self.long.as_ref().map_or(0, |long| long.quiet_to)
    }

    /// Skips the triggers before `offset`.
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
            // The batch does not begin with blocks that are known to have no ESC.
            batch.present &= u64::MAX << (ahead / BLOCK % BATCH);
            batch.masks[ahead / BLOCK % BATCH] &= u64::MAX << (ahead % BLOCK);
        }
    }

    /// Makes `trigger`, and the triggers after it, be found again, because the text grows.
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

    /// Returns where the next trigger may be.
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
        // Before any trigger is requested, and after some of a batch are processed.
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
