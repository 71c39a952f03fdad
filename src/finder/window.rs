//! Candidates of a text without its control sequences: judged as the text that a reader sees, reported where that is
//! stored.

use super::Finder;
use super::text::StoredSpan;
use crate::charset::Charset;
use crate::chunk::Chunk;
use crate::link::{Judged, owned};
use crate::scan::Candidate;
use crate::window::TextWindow;

impl Finder {
    /// Makes of a candidate of UTF-8 in a block a link or a refusal.
    #[inline]
    pub(crate) fn judge_in_block<'b>(&self, chunk: Chunk<'b>, candidate: Candidate) -> Judged<'b> {
        match chunk.text() {
            Some(text) => self.judge_str(text, candidate),
            None => self.judge(chunk.bytes(), chunk.base(), candidate),
        }
    }

    /// Makes of a candidate of UTF-8 that `window` has just given in a block a link or a refusal. What has no sequence in it is
    /// borrowed from the block, of the others the text is copied.
    pub(crate) fn judge_in_window<'b>(
        &self,
        window: &mut TextWindow,
        chunk: Chunk<'b>,
        mut candidate: Candidate,
    ) -> Judged<'b> {
        let range = window.stored(&candidate);
        let head = window.take_head();
        let is_there = range.start >= chunk.base() && range.end <= chunk.end();
        if head.is_none() && is_there && range.len() == candidate.range.len() {
            candidate.moved(candidate.range.start, range.start - chunk.base());
            return self.judge_in_block(chunk, candidate);
        }
        let span = StoredSpan { range, charset: Charset::UTF_8, raw: None };
        match head {
            Some(head) => Err(self.refuse_long(head.into(), candidate.kind, span)),
            None => owned(self.judge_at(&window.text, candidate, span)),
        }
    }
}
