//! Triggers in stored bytes of a legacy charset, before anything is decoded.
//!
//! Takes stored bytes; gives the offsets of triggers, those of `triggers` as far
//! as bytes show them: where a dot is followed by what begins no top-level domain, a colon by what
//! makes no scheme of the word before it, there is none. What is outside ASCII the caller judges.
//! 40–7E may be the second half of a character here, so that more is found than is there, never less.

use super::colon::may_be_colon;
use super::label;
use super::marks::{BATCH, BLOCK, Batch, FIRST_HOST, FIRST_LETTER, LegacyKinds, Stops};
use super::pass;

/// Kind of a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// Something that only the decoded text can decide.
    Look,
    /// A byte that is an `@`, if it is not half a character.
    At,
    /// A dot, or what may be an ideographic one; after it, at this offset, is what is not ASCII.
    Label(usize),
}

/// The triggers of a document, one after the other; offsets are those of the bytes available.
#[derive(Clone, Debug)]
pub(crate) struct LegacyTriggers {
    batch: Batch,
    triggers: u64,
    block: usize,
    end: usize,
    /// The masks of the batch that are not zero, those too that are processed.
    present: u64,
}

impl LegacyTriggers {
    pub(crate) fn new() -> LegacyTriggers {
        LegacyTriggers { batch: Batch::new(), triggers: 0, block: 0, end: 0, present: 0 }
    }

    /// The next trigger, and what it is; without those that are labels which `may_open` says no to, given
    /// the bytes from the label on.
    #[inline]
    pub(crate) fn next(
        &mut self,
        bytes: &[u8],
        kinds: LegacyKinds,
        may_open: impl Fn(&[u8]) -> bool,
    ) -> Option<(usize, Trigger)> {
        loop {
            while self.triggers == 0 {
                if self.batch.present == 0 {
                    if self.end >= bytes.len() {
                        return None;
                    }
                    pass::fill_stored(bytes, self.end, kinds, &mut self.batch);
                    self.present = self.batch.present;
                    self.end = bytes.len().min(self.batch.base + self.batch.len * BLOCK);
                    continue;
                }
                let next = self.batch.present.trailing_zeros() as usize;
                self.batch.present &= self.batch.present.wrapping_sub(1);
                self.triggers = self.batch.masks[next % BATCH];
                self.block = self.batch.base + next % BATCH * BLOCK;
            }
            let at = self.block + self.triggers.trailing_zeros() as usize;
            self.triggers &= self.triggers - 1;
            let trigger = look(bytes, at, kinds);
            if let Some(Trigger::Label(label)) = trigger
                && !may_open(&bytes[label..])
            {
                continue;
            }
            if let Some(trigger) = trigger {
                return Some((at - usize::from(trigger == Trigger::At), trigger));
            }
        }
    }

    /// The next trigger is wanted from `offset` on.
    pub(crate) fn seek(&mut self, offset: usize) {
        let base = self.batch.base;
        if offset < base || offset >= self.end {
            self.restart(offset);
            return;
        }
        let first = (offset - base) / BLOCK;
        self.block = base + first * BLOCK;
        self.triggers = self.batch.masks[first % BATCH] & u64::MAX << (offset - self.block);
        self.batch.present = self.present & (u64::MAX - 1) << first;
    }

    /// The next trigger is wanted from `at` on, of bytes that have changed.
    pub(crate) fn restart(&mut self, at: usize) {
        self.batch.present = 0;
        self.batch.base = at;
        self.triggers = 0;
        self.block = at;
        self.end = at;
    }
}

/// Returns the kind of a trigger by the bytes around it.
#[inline]
fn look(bytes: &[u8], at: usize, kinds: LegacyKinds) -> Option<Trigger> {
    let back = |n: usize| at.checked_sub(n).map_or(0, |i| bytes[i]);
    let byte = bytes[at];
    if back(1) == b'@' {
        return Some(Trigger::At);
    }
    if back(1) == b':' {
        return may_be_colon(bytes, at).then_some(Trigger::Look);
    }
    if back(1) == b'&' {
        return (byte == b'#').then_some(Trigger::Look);
    }
    // Between a dot and an ideographic one there is an empty label.
    let is_stop = match kinds.stops {
        Stops::Single(single) | Stops::PairsAndSingle(_, single) => back(1) == single,
        Stops::None | Stops::Pairs(_) => false,
    };
    let label = match back(2) {
        _ if is_stop => at,
        b'.' if (FIRST_LETTER..0x80).contains(&back(1)) && back(3) < FIRST_HOST => return None,
        b'.' if back(1) >= FIRST_LETTER => at - 1,
        _ => at,
    };
    match bytes.get(label) {
        Some(0..0x80) => label::is_promising(bytes, label).then_some(Trigger::Look),
        _ => Some(Trigger::Label(label)),
    }
}
