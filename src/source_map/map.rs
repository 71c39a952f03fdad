//! Source maps: sorted segments of a text, each with its position in the source.
//!
//! A run of copied text is one segment, even if it has 16 MiB. A segment of characters that have to be counted has little
//! more than [`STRETCH`] bytes, so that each lookup is short. Lookups may be in any order: a binary search finds the segment,
//! and at most `STRETCH` stored bytes of it are read.

use std::ops::Range;

use super::StoredUnit;

/// Number of stored bytes after which a run of characters that have to be counted continues in another segment.
pub(crate) const STRETCH: usize = 256;

/// Maps the offsets of a text to the bytes of its source, from which it was created. An empty map maps each offset to
/// itself.
///
/// Offsets of the text are those of characters: their beginnings and the text's end.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    /// Segments, sorted by where they begin, both in the text and in the source.
    pub(super) segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) text: usize,
    pub(super) source: usize,
    pub(super) unit: StoredUnit,
}

impl SourceMap {
    /// Removes all segments.
    pub(crate) fn clear(&mut self) {
        self.segments.clear();
    }

    /// Returns the number of bytes of memory that it uses.
    #[cfg(test)]
    pub(crate) fn allocated(&self) -> usize {
        self.segments.capacity() * size_of::<Segment>()
    }

    /// Returns `true` if it has no segments.
    pub(crate) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Records that from `text` on the text is a copy of the source from `source` on.
    pub(crate) fn copied(&mut self, text: usize, source: usize) {
        self.run(text, source, StoredUnit::Copied);
    }

    /// Records that a piece begins at `text` that represents all of `source`, such as a character reference.
    pub(crate) fn replaced(&mut self, text: usize, source: Range<usize>) {
        self.run(text, source.start, StoredUnit::Whole(source.len()));
    }

    /// Records that from `text` on the characters are stored from `source` on in the form of `unit`.
    pub(crate) fn run(&mut self, text: usize, source: usize, unit: StoredUnit) {
        let segment = Segment { text, source, unit };
        match self.segments.last_mut() {
            // The last segment is empty.
            Some(last) if last.text == text => *last = segment,
            Some(last)
                if (last.unit, unit) == (StoredUnit::Copied, StoredUnit::Copied)
                    && source.checked_sub(last.source) == Some(text - last.text) => {}
            _ => self.segments.push(segment),
        }
    }

    /// Returns where the last segment begins in the text, and its unit.
    pub(crate) fn last(&self) -> Option<(usize, StoredUnit)> {
        self.segments.last().map(|last| (last.text, last.unit))
    }

    /// Returns the offset in the text of the offset `source`, which must be the edge of a character; only for a map of
    /// copied and replaced text.
    pub(crate) fn text_offset(&self, source: usize) -> usize {
        let after = self.segments.partition_point(|one| one.source <= source);
        match self.segments[..after].last() {
            None => source,
            Some(Segment { unit: StoredUnit::Whole(_), text, source: begin }) => {
                match *begin == source {
                    true => *text,
                    // The end of a piece that nothing follows.
                    false => usize::MAX,
                }
            }
            Some(one) => one.text + (source - one.source),
        }
    }
}

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
