//! Source maps: sorted segments of a text, each with where it is in its source.
//!
//! A run of text that was copied is one segment, even one of 16 MiB. A segment of characters that have to be
//! counted has not much more than [`STRETCH`] bytes, so that each lookup is short.

use std::ops::Range;

use super::StoredUnit;

/// Stored bytes after which a run of characters that have to be counted goes on in another segment.
pub(crate) const STRETCH: usize = 256;

/// How the offsets of a text map back to the bytes that it was made of, its source. A map that nothing
/// was noted in maps each offset to itself.
///
/// Offsets of the text are those of characters: of their beginnings and of the text's end.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceMap {
    /// By where they begin, in the text and in the source.
    pub(super) segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) text: usize,
    pub(super) source: usize,
    pub(super) unit: StoredUnit,
}

impl SourceMap {
    /// Begins again.
    pub(crate) fn clear(&mut self) {
        self.segments.clear();
    }

    /// Bytes of memory that it takes.
    #[cfg(test)]
    pub(crate) fn allocated(&self) -> usize {
        self.segments.capacity() * size_of::<Segment>()
    }

    /// Whether nothing was noted yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Notes that from `text` on the text is a copy of the source from `source` on.
    pub(crate) fn copied(&mut self, text: usize, source: usize) {
        self.run(text, source, StoredUnit::Copied);
    }

    /// Notes that at `text` begins a piece that stands for all of `source`: a character reference.
    pub(crate) fn replaced(&mut self, text: usize, source: Range<usize>) {
        self.run(text, source.start, StoredUnit::Whole(source.len()));
    }

    /// Notes that from `text` on the characters are stored from `source` on, as `unit` says.
    pub(crate) fn run(&mut self, text: usize, source: usize, unit: StoredUnit) {
        let segment = Segment { text, source, unit };
        match self.segments.last_mut() {
            // Nothing came of the last one.
            Some(last) if last.text == text => *last = segment,
            Some(last)
                if (last.unit, unit) == (StoredUnit::Copied, StoredUnit::Copied)
                    && source.checked_sub(last.source) == Some(text - last.text) => {}
            _ => self.segments.push(segment),
        }
    }

    /// Where the last segment begins in the text, and its unit.
    pub(crate) fn last(&self) -> Option<(usize, StoredUnit)> {
        self.segments.last().map(|last| (last.text, last.unit))
    }

    /// The offset in the text of the offset `source`, which must be the edge of a character; of a map of
    /// what was copied and replaced alone.
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
