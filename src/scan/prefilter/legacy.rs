//! Finds triggers in stored bytes of a legacy encoding, before anything is decoded.
//!
//! The input is stored bytes, the result is the offsets of triggers: those of `triggers`, as far as the bytes show them. A
//! dot is excluded if no top-level domain can begin after it, a colon if the word before it cannot be a scheme. The caller
//! decides about non-ASCII characters. The bytes 40–7E may be the second half of a character here, so the result may
//! contain too many triggers, but none is missing.

use super::marks::{BATCH, BLOCK, Batch, FIRST_HOST, FIRST_LETTER, LegacyKinds, Stops};
use super::pass;
use super::surroundings::{self, may_be_colon};

/// Kind of a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// A place that only the decoded text can decide about.
    Look,
    /// The byte after an `@`, unless that is half a character.
    At,
    /// A dot, or a possible ideographic full stop; a non-ASCII character follows it at this offset.
    Label(usize),
}

/// The triggers of a document, in order; offsets are those of the available bytes.
#[derive(Clone, Debug)]
pub(crate) struct LegacyTriggers {
    batch: Batch,
    triggers: u64,
    block: usize,
    end: usize,
    /// The masks of the batch that are not zero, including those already processed.
    present: u64,
}

impl LegacyTriggers {
    pub(crate) fn new() -> LegacyTriggers {
        LegacyTriggers { batch: Batch::new(), triggers: 0, block: 0, end: 0, present: 0 }
    }

    /// Returns the next trigger and its kind. Labels for which `may_open` returns `false`, given the bytes from the label
    /// on, are skipped.
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

    /// Sets the offset from which the next trigger is searched.
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

    /// Sets the offset from which the next trigger is searched after the bytes have changed.
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
    // Between a dot and an ideographic full stop there would be an empty label.
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
        Some(0..0x80) => surroundings::is_promising_label(bytes, label).then_some(Trigger::Look),
        _ => Some(Trigger::Label(label)),
    }
}
