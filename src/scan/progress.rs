//! How far a scan is: what of the text is decided and what is still needed, by offsets that stay true from view to view.

use super::Scanner;
use super::schemeless::LookedAhead;
use crate::input::chunk::Chunk;

impl Scanner {
    /// Takes all that is before an offset of the text as decided.
    pub(crate) fn decide_to(&mut self, end: usize) {
        self.skip_to(end - self.base);
    }

    /// The end of the last candidate.
    pub(crate) fn min_start(&self) -> usize {
        self.base + self.min_start
    }

    /// From which offset on the text is still needed, a walk back apart; and where the candidate
    /// begins that has grown longer than `max_link`, whose text is not.
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

    /// From which offset on the text of a chunk is still needed, a walk back apart; of a candidate that has grown longer than
    /// `max_link` the first `kept` bytes are kept, and where it begins is returned once.
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

    /// Where the candidate begins whose end is still looked for.
    pub(crate) fn pending(&self) -> Option<usize> {
        let candidate = &self.pending.as_ref()?.head.candidate;
        Some(self.base + candidate.range.start - candidate.lead)
    }

    /// The scanner for a text that is the same up to the last trigger.
    pub(crate) fn in_another_text(&self) -> Scanner {
        let mut scanner = self.clone();
        scanner.look_again(self.triggers.at());
        scanner
    }

    /// Looks for triggers from an offset of the view on, and at what is around them.
    fn look_again(&mut self, at: usize) {
        // Triggers inside a candidate that is still undecided may go: they are skipped when it ends.
        self.triggers.again(at);
        (self.looked, self.looked_to, self.clear_to) = (LookedAhead::default(), 0, 0);
    }

    /// Takes offsets of a view that begins later.
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
