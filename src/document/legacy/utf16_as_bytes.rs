//! UTF-16 for the pass over bytes: each unit one byte.
//!
//! ASCII is unchanged, the ideographic full stops become a byte that no text has, and all other units a non-ASCII byte,
//! so that the pass for single bytes reads units too.

use std::ops::Range;

use super::direct::Stretch;
use crate::charset::Layout;
use crate::input::chunk::Chunk;
use crate::scan::ESC;
use crate::scan::prefilter::{LegacyKinds, LegacyTriggers, Trigger};
use crate::simd::narrow::narrow_units;

/// Units narrowed at once.
const UNITS: usize = 8 << 10;
/// Units kept before them, on which their triggers and links depend.
const BEFORE: usize = 256;

/// The units of a stretch of the document, narrowed.
#[derive(Clone, Debug)]
pub(super) struct Utf16AsBytes {
    layout: Layout,
    /// Offset of the text in the document.
    pub(super) first: usize,
    units: Vec<u8>,
    /// Offset of the first of them in the document.
    start: usize,
    triggers: LegacyTriggers,
}

impl Utf16AsBytes {
    pub(super) fn new(layout: Layout, first: usize) -> Utf16AsBytes {
        Utf16AsBytes {
            layout,
            first,
            units: Vec::new(),
            start: first,
            triggers: LegacyTriggers::new(),
        }
    }

    /// Returns the length in bytes of a unit.
    pub(super) fn unit_len(&self) -> usize {
        if self.layout.is_utf16() { 2 } else { 1 }
    }

    pub(super) fn units(&self) -> &[u8] {
        &self.units
    }

    /// Returns the offset of a unit in the document.
    pub(super) fn stored(&self, unit: usize) -> usize {
        self.start + 2 * unit
    }

    /// Returns the unit at an offset of the document.
    pub(super) fn unit(&self, stored: usize) -> usize {
        stored.saturating_sub(self.start) / 2
    }

    /// Returns the units, with the offsets of the document before which everything is decided.
    pub(super) fn stretch(
        &self,
        chunk: Chunk<'_>,
        decided: usize,
        min_start: usize,
    ) -> Stretch<'_> {
        Stretch {
            bytes: &self.units,
            is_first: self.start == self.first,
            is_last: chunk.is_last() && self.stored(self.units.len()) >= chunk.end(),
            decided: self.unit(decided),
            min_start: self.unit(min_start),
        }
    }

    /// Sets the offset of the document from which the next trigger is searched.
    pub(super) fn seek(&mut self, offset: usize) {
        let ahead = offset.saturating_sub(self.start) / 2;
        if offset >= self.start && ahead <= self.units.len() {
            self.triggers.seek(ahead);
            return;
        }
        self.units.clear();
        self.start = offset - (offset - self.first) % 2;
        self.triggers.restart(0);
    }

    /// Returns the next trigger, with its offset in the document.
    pub(super) fn next(
        &mut self,
        chunk: Chunk<'_>,
        kinds: LegacyKinds,
    ) -> Option<(usize, Trigger)> {
        loop {
            if let Some((at, trigger)) = self.triggers.next(&self.units, kinds, |_| true) {
                let trigger = match trigger {
                    Trigger::Label(label) => Trigger::Label(self.stored(label)),
                    other => other,
                };
                return Some((self.stored(at), trigger));
            }
            if !self.fill(chunk) {
                return None;
            }
        }
    }

    /// Advances to the next units; returns `false` at the end.
    fn fill(&mut self, chunk: Chunk<'_>) -> bool {
        let end = self.start + 2 * self.units.len();
        let from = end.saturating_sub(2 * BEFORE).max(self.first).max(self.aligned(chunk.base()));
        let bytes = chunk.within(from..end + 2 * UNITS);
        if from + bytes.len() < end + 2 {
            return false;
        }
        self.units.resize(bytes.len() / 2, 0);
        narrow_units(bytes, self.layout == Layout::Utf16Be, &mut self.units);
        self.start = from;
        self.triggers.restart((end - from) / 2);
        true
    }

    fn aligned(&self, offset: usize) -> usize {
        offset + (offset - self.first.min(offset)) % 2
    }

    /// Returns the last white space or control of a part of the document, except ESC, across which a link continues.
    pub(super) fn white_space(&self, chunk: Chunk<'_>, range: Range<usize>) -> Option<usize> {
        let bytes = chunk.within(range.clone());
        if !self.layout.is_utf16() {
            return Some(range.start + bytes.iter().rposition(|b| *b <= b' ' && *b != ESC)?);
        }
        let is_white = |unit: &[u8]| is_white(self.layout.unit([unit[0], unit[1]]));
        Some(range.start + 2 * bytes.chunks_exact(2).rposition(is_white)?)
    }

    /// Returns the end of the first white space or control.
    pub(super) fn white_space_in(&self, bytes: &[u8]) -> Option<usize> {
        if !self.layout.is_utf16() {
            return Some(1 + bytes.iter().position(|b| *b <= b' ' && *b != ESC)?);
        }
        let is_white = |unit: &[u8]| is_white(self.layout.unit([unit[0], unit[1]]));
        Some(2 + 2 * bytes.chunks_exact(2).position(is_white)?)
    }
}

fn is_white(unit: u16) -> bool {
    unit <= u16::from(b' ') && unit != u16::from(ESC)
}
