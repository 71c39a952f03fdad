//! Progress of a scan: which part of the text is decided and which is still needed, in offsets that stay valid from view to
//! view.

use super::Scanner;
use super::schemeless::LookedAhead;
use crate::input::chunk::Chunk;

/// State of a scan of running text: the triggers before `at` and the candidates before `min_start` are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScanPoint {
    pub(crate) min_start: usize,
    pub(crate) at: usize,
}

impl Scanner {
    /// Marks the text before an offset as decided.
    pub(crate) fn decide_to(&mut self, end: usize) {
        self.skip_to(end - self.base);
    }

    /// Returns the end of the last candidate.
    pub(crate) fn min_start(&self) -> usize {
        self.base + self.min_start
    }

    /// Returns the offset from which the text is still needed, apart from the bytes that a backwards search needs. Also
    /// returns the start of a candidate that has grown longer than `max_link`, whose text is not needed.
    pub(crate) fn needed(&self, max_link: usize) -> (usize, Option<usize>) {
        match &self.pending {
            None => (self.base + self.triggers.at(), None),
            Some(pending) => {
                let candidate = &pending.head.candidate;
                let start = self.base + candidate.range.start;
                let safe = self.base + pending.safe();
                match safe - start + candidate.lead > max_link {
                    true => (safe, Some(start)),
                    false => (start, None),
                }
            }
        }
    }

    /// Returns from where the scan of a text can go on; `None` while a candidate is not decided.
    pub(crate) fn point(&self) -> Option<ScanPoint> {
        let is_free = self.pending.is_none() && self.head.is_none();
        let (at, min_start) = (self.base + self.triggers.at(), self.base + self.min_start);
        is_free.then_some(ScanPoint { min_start, at })
    }

    /// Returns the offset from which the text of a chunk is still needed, apart from the bytes that a backwards search
    /// needs. The first `kept` bytes of a candidate that has grown longer than `max_link` are kept, and its start is
    /// returned once.
    pub(crate) fn release(
        &mut self,
        chunk: Chunk<'_>,
        max_link: usize,
        kept: usize,
    ) -> (usize, Option<usize>) {
        let (needed, long) = self.needed(max_link);
        let long = long.filter(|_| self.head.is_none());
        if let Some(start) = long {
            let head = chunk.within(start..start.saturating_add(kept));
            self.head = Some(String::from_utf8_lossy(head).into());
        }
        (needed, long)
    }

    /// Takes the first characters of the last candidate, if it was too long to be kept.
    pub(crate) fn take_head(&mut self) -> Option<Box<str>> {
        self.head.take()
    }

    pub(crate) fn has_head(&self) -> bool {
        self.head.is_some()
    }

    /// Returns where the candidate begins whose end is still searched.
    pub(crate) fn pending(&self) -> Option<usize> {
        let candidate = &self.pending.as_ref()?.head.candidate;
        Some(self.base + candidate.range.start - candidate.lead)
    }

    /// Returns the scanner for a text that is equal up to the last trigger.
    pub(crate) fn in_another_text(&self) -> Scanner {
        let mut scanner = self.clone();
        scanner.look_again(self.triggers.at());
        scanner
    }

    /// Searches again from an offset of the view on: for triggers, at signs and control sequences.
    fn look_again(&mut self, at: usize) {
        // Triggers inside an undecided candidate may be lost: they are skipped when it ends.
        self.triggers.again(at);
        (self.looked, self.looked_to, self.clear_to) = (LookedAhead::default(), 0, 0);
    }

    /// Adjusts the offsets to a view that begins later.
    #[cold]
    pub(super) fn rebase(&mut self, base: usize) {
        let by = base - self.base;
        self.base = base;
        self.look_again(self.triggers.at().saturating_sub(by));
        self.min_start = self.min_start.saturating_sub(by);
        if let Some(pending) = &mut self.pending {
            pending.rebase(by);
        }
    }
}
