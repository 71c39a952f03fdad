//! Candidates of a document in a legacy charset: judged as the text they were decoded to, reported as
//! they are in the stored bytes.

use std::borrow::Cow;
use std::ops::Range;

use super::Finder;
use super::text::StoredSpan;
use crate::chunk::Chunk;
use crate::legacy::LegacyScanner;
use crate::link::{Judged, owned};
use crate::scan::Candidate;

impl Finder {
    /// Makes of a candidate that `scanner` has just given in a block a link or a refusal; most can be
    /// borrowed from the block, of the others the text is copied.
    pub(crate) fn judge_in<'b>(
        &self,
        scanner: &mut LegacyScanner,
        chunk: Chunk<'b>,
        mut candidate: Candidate,
    ) -> Judged<'b> {
        let stored = scanner.stored(chunk, &candidate);
        let is_there = stored.start >= chunk.base() && stored.len() <= self.scan.max_link;
        if is_there && scanner.is_as_stored(&candidate, &stored) {
            candidate.moved(candidate.range.start, stored.start - chunk.base());
            let span = StoredSpan { range: stored, charset: scanner.charset(), raw: None };
            return self.judge_at(chunk.bytes(), candidate, span);
        }
        owned(self.judge_stored(scanner, chunk, stored, candidate))
    }

    /// Makes of a candidate that `scanner` has just given a link or a refusal; `range` is where it
    /// is in the stored bytes.
    fn judge_stored<'s>(
        &self,
        scanner: &'s mut LegacyScanner,
        chunk: Chunk<'s>,
        range: Range<usize>,
        candidate: Candidate,
    ) -> Judged<'s> {
        let charset = scanner.charset();
        let head = scanner.long_head();
        let text = scanner.text(chunk);
        let is_long = range.len() > self.scan.max_link;
        let span = StoredSpan { range, charset, raw: None };
        if head.is_none() && !is_long {
            return self.judge_at(text, candidate, span);
        }
        let Range { start, end } = candidate.range;
        let end = end.min(start + self.scan.max_link);
        let head = match head {
            Some(head) => Cow::Owned(head),
            None => String::from_utf8_lossy(text.get(start..end).unwrap_or_default()),
        };
        Err(self.refuse_long(head, candidate.kind, span))
    }
}
