//! Source maps: sorted segments of a text, each with its position in the source.
//!
//! A run of copied text is one segment, even if it has 16 MiB. A segment of characters that have to be counted has little
//! more than [`STRETCH`] bytes, so that each lookup is short.

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
