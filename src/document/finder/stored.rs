//! Candidates of a text that differs from the stored bytes, decoded or without control sequences: judged as that text, reported
//! with its stored range.

use std::ops::Range;

use super::Finder;
use super::text::StoredSpan;
use crate::charset::Charset;
#[cfg(feature = "documents")]
use crate::document::legacy::LegacyScanner;
use crate::document::window::{FULL, TextWindow};
use crate::input::chunk::Chunk;
use crate::link::{Judged, owned};
#[cfg(feature = "documents")]
use crate::notation::Notation;
use crate::scan::{Match, Reason};

impl Finder {
    /// Judges a candidate of UTF-8 that `window` has just returned. A link without sequences borrows the chunk, others own a copy
    /// of the text.
    pub(crate) fn judge_in_window<'b>(
        &self,
        window: &mut TextWindow,
        chunk: Chunk<'b>,
        mut candidate: Match,
    ) -> Judged<'b> {
        let range = window.stored(&candidate);
        // The window holds no more than this of what is left out.
        if range.len() > self.scan.max_link.saturating_add(FULL) {
            candidate.refused = Some(Reason::TooLong);
        }
        let head = window.take_head();
        let is_there = head.is_none() && range.start >= chunk.base() && range.end <= chunk.end();
        if is_there && range.len() == candidate.range.len() {
            return self.judge(chunk, moved(candidate, &range, chunk));
        }
        let span = StoredSpan::new(range, Charset::UTF_8);
        owned(self.judge_kept(head, window.text.bytes(), candidate, span))
    }

    /// Judges a candidate that `scanner` has just returned, of a text in this notation. Most links borrow the chunk; the text of
    /// others is copied.
    #[cfg(feature = "documents")]
    pub(crate) fn judge_in_legacy<'b>(
        &self,
        scanner: &mut LegacyScanner,
        chunk: Chunk<'b>,
        mut candidate: Match,
        notation: Notation,
    ) -> Judged<'b> {
        let range = scanner.stored(chunk, &candidate);
        let is_long = range.len() > self.scan.max_link;
        let is_there = !is_long && range.start >= chunk.base();
        let is_as_stored = is_there && scanner.is_as_stored(&candidate, &range);
        let span = |range| StoredSpan { notation, ..StoredSpan::new(range, scanner.charset()) };
        if is_as_stored {
            let candidate = moved(candidate, &range, chunk);
            return self.judge_at(chunk.bytes(), candidate, span(range));
        }
        if is_long {
            candidate.refused = Some(Reason::TooLong);
        }
        let span = span(range);
        let head = scanner.long_head();
        owned(self.judge_kept(head, scanner.text(chunk), candidate, span))
    }

    /// Judges a candidate of a text, or one of which only the first characters are kept.
    pub(crate) fn judge_kept<'t>(
        &self,
        head: Option<Box<str>>,
        text: &'t [u8],
        candidate: Match,
        span: StoredSpan,
    ) -> Judged<'t> {
        match head {
            Some(head) => Err(self.refuse_long(String::from(head).into(), candidate.kind, span)),
            None => self.judge_at(text, candidate, span),
        }
    }
}

/// Returns the candidate as one of a chunk's bytes, in which it is stored at `range`.
fn moved(mut candidate: Match, range: &Range<usize>, chunk: Chunk<'_>) -> Match {
    candidate.moved(candidate.range.start, chunk.index(range.start));
    candidate
}
