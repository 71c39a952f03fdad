//! Lookups: finds the positions of a text's characters in its source.
//!
//! Lookups may be in any order. A binary search finds the segment, and in a segment whose characters have to be counted at
//! most `STRETCH` stored bytes are read.

use super::StoredUnit;
use super::map::{Segment, SourceMap};

/// Positions in the source of the two characters that meet at an offset of the text: there may be other bytes between them,
/// such as an escape sequence or a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edges {
    /// End of the character before the offset.
    pub(crate) end: usize,
    /// Beginning of the character after the offset.
    pub(crate) start: usize,
}

/// Result of the last lookup. The next one is usually near it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SourceCursor {
    text: usize,
    source: usize,
}

impl SourceMap {
    /// Returns the edges at `offset` of `text`, the text of this map.
    pub(crate) fn edges(&self, text: &[u8], offset: usize) -> Edges {
        self.edges_near(&mut SourceCursor::default(), text, offset)
    }

    /// Returns the edges at `offset`, counted from the last lookup of `cursor`, if that was in the same segment. A cursor
    /// is valid until the front of the text is removed.
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
                    // Inside such a piece, its beginning is the best answer.
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

    /// Returns `true` if a segment begins inside a range of the text.
    pub(crate) fn has_edge(&self, start: usize, end: usize) -> bool {
        let from = self.segments.partition_point(|one| one.text <= start);
        self.segments.get(from).is_some_and(|one| one.text < end)
    }

    /// Removes the first `by` bytes of the text, which is `text` before the call.
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
