//! Lookups: where the characters of a text are in its source.
//!
//! They are asked in any order. A segment is found by a binary search, and in one whose characters have to
//! be counted no more than a stretch is gone over.

use super::StoredUnit;
use super::map::{Segment, SourceMap};

/// Where the characters are, in the source, that meet at an offset of the text: something that is no text
/// may be between them, an escape sequence or a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edges {
    /// The end of the character before.
    pub(crate) end: usize,
    /// The beginning of the character after.
    pub(crate) start: usize,
}

/// Result of the last lookup. The next one is usually near it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SourceCursor {
    text: usize,
    source: usize,
}

impl SourceMap {
    /// The edges at `offset` of `text`, the text that the map is of.
    pub(crate) fn edges(&self, text: &[u8], offset: usize) -> Edges {
        self.edges_near(&mut SourceCursor::default(), text, offset)
    }

    /// The edges at `offset`, counted from the last one that `cursor` was asked for, if that is in the same
    /// segment. A cursor is good until the text loses its front.
    pub(crate) fn edges_near(
        &self,
        cursor: &mut SourceCursor,
        text: &[u8],
        offset: usize,
    ) -> Edges {
        let number = self.segments.partition_point(|one| one.text <= offset).saturating_sub(1);
        let Some(segment) = self.segments.get(number) else {
            return Edges { end: offset, start: offset };
        };
        if offset > segment.text {
            let (start, end) = match segment.unit {
                StoredUnit::Whole(len) => {
                    let end = segment.source + len;
                    // Inside of it is where it begins, as far as that can be said.
                    (if offset < text.len() { segment.source } else { end }, end)
                }
                unit => {
                    let (from, source) = match cursor.text {
                        known if known > segment.text && known <= offset => (known, cursor.source),
                        _ => (segment.text, segment.source),
                    };
                    let piece = text.get(from..offset).unwrap_or_default();
                    let at = match unit {
                        StoredUnit::Copied => segment.source + (offset - segment.text),
                        unit => source + unit.stored_len(piece),
                    };
                    (at, at)
                }
            };
            *cursor = SourceCursor { text: offset, source: start };
            return Edges { end, start };
        }
        let start = segment.source;
        let end = match number.checked_sub(1).and_then(|before| self.segments.get(before)) {
            Some(Segment { text: begin, source, unit }) => {
                let (from, source) = match cursor.text {
                    known
                        if known > *begin
                            && known < offset
                            && !matches!(unit, StoredUnit::Whole(_)) =>
                    {
                        (known, cursor.source)
                    }
                    _ => (*begin, *source),
                };
                let piece = text.get(from..offset).unwrap_or_default();
                match unit {
                    StoredUnit::Copied => source + (offset - from),
                    unit => source + unit.stored_len(piece),
                }
            }
            None => start,
        };
        *cursor = SourceCursor { text: offset, source: start };
        Edges { end, start }
    }

    /// Whether a segment begins inside a stretch of the text.
    pub(crate) fn has_edge(&self, start: usize, end: usize) -> bool {
        let from = self.segments.partition_point(|one| one.text <= start);
        self.segments.get(from).is_some_and(|one| one.text < end)
    }

    /// The text, which is `text` until then, loses its first `by` bytes.
    pub(crate) fn drop_front(&mut self, text: &[u8], by: usize) {
        let first = self.segments.partition_point(|one| one.text <= by).saturating_sub(1);
        let Some(segment) = self.segments.get(first).copied() else { return };
        let inside = by.saturating_sub(segment.text);
        let (unit, source) = match segment.unit {
            StoredUnit::Whole(_) => (segment.unit, segment.source),
            StoredUnit::Replayed(replay) => {
                (StoredUnit::Replayed(replay.without(inside)), segment.source)
            }
            _ => (segment.unit, self.edges(text, by).start),
        };
        self.segments.drain(..first);
        for one in &mut self.segments {
            one.text = one.text.saturating_sub(by);
        }
        if let Some(one) = self.segments.first_mut() {
            (one.unit, one.source) = (unit, source);
        }
    }
}
