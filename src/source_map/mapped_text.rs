//! Texts with their maps: ranges of a text, composition of maps, and texts made of another one from left to right.

use std::borrow::Cow;
use std::ops::Range;

use super::map::{Segment, SourceMap};
use super::unit::StoredUnit;

impl SourceMap {
    /// Returns the range of the source from the first to the last character of a range of `text`.
    pub(crate) fn range(&self, text: &[u8], range: Range<usize>) -> Range<usize> {
        let start = self.edges(text, range.start).start;
        let end = match range.is_empty() {
            true => start,
            false => self.edges(text, range.end).end,
        };
        start..end.max(start)
    }

    /// Appends the segments of `other`, a map of `text`, for a range of `text` that is copied to `at`; `base` is added to
    /// the offsets of the source.
    pub(crate) fn append(
        &mut self,
        at: usize,
        other: &SourceMap,
        text: &[u8],
        stretch: Range<usize>,
        base: usize,
    ) {
        if stretch.is_empty() {
            return;
        }
        let first = other.segments.partition_point(|one| one.text <= stretch.start);
        match first.checked_sub(1).and_then(|first| other.segments.get(first)) {
            None => self.copied(at, base + stretch.start),
            Some(Segment { text: begin, source, unit: StoredUnit::Whole(len) }) => {
                debug_assert!(*begin <= stretch.start);
                self.run(at, base + source, StoredUnit::Whole(*len));
            }
            Some(Segment { text: begin, source, unit: StoredUnit::Replayed(replay) }) => {
                let unit = StoredUnit::Replayed(replay.without(stretch.start - begin));
                self.run(at, base + source, unit);
            }
            Some(Segment { unit, .. }) => {
                self.run(at, base + other.edges(text, stretch.start).start, *unit);
            }
        }
        for one in other.segments.get(first..).unwrap_or_default() {
            if one.text >= stretch.end {
                break;
            }
            self.run(at + (one.text - stretch.start), base + one.source, one.unit);
        }
    }

    /// Composes this map, of a text of `len` bytes that was created from `middle`, with `inner`, the map of `middle`:
    /// returns the map from the text to the source of `middle`.
    pub(crate) fn through(&self, len: usize, inner: &SourceMap, middle: &[u8]) -> SourceMap {
        let mut composed = SourceMap::default();
        let ends = self.segments.iter().skip(1).map(|next| next.text).chain([len]);
        for (Segment { text, source, unit }, end) in self.segments.iter().zip(ends) {
            match unit {
                StoredUnit::Whole(piece) => {
                    composed.replaced(*text, inner.range(middle, *source..source + piece));
                }
                // Text that was created from text is copied from it.
                _ => {
                    let stretch = *source..source + (end - text.min(&end));
                    composed.append(*text, inner, middle, stretch, 0);
                }
            }
        }
        composed
    }
}

/// A text with its position in its source.
#[derive(Clone, Debug)]
pub(crate) struct MappedText<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Source map; `None` if the text is a copy, byte for byte.
    pub(crate) map: Option<SourceMap>,
    /// Offset at which the source begins; it is added to those of the map.
    pub(crate) start: usize,
}

impl<'t> MappedText<'t> {
    /// Creates the mapped text for a copy of the source from `start` on.
    pub(crate) fn copy(text: Cow<'t, str>, start: usize) -> MappedText<'t> {
        MappedText { text, map: None, start }
    }

    /// Creates the mapped text for `bytes`, with malformed sequences as U+FFFD. `map` is that of the bytes, if they are not
    /// a copy of the source, in which they begin at `start`.
    pub(crate) fn well_formed(
        bytes: &[u8],
        map: Option<&SourceMap>,
        start: usize,
    ) -> MappedText<'static> {
        let (mut out, mut made) = (String::with_capacity(bytes.len()), SourceMap::default());
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            let valid = at..at + chunk.valid().len();
            let malformed = valid.end..valid.end + chunk.invalid().len();
            at = malformed.end;
            match map {
                Some(map) => made.append(out.len(), map, bytes, valid, 0),
                None if !valid.is_empty() => made.copied(out.len(), valid.start),
                None => {}
            }
            out.push_str(chunk.valid());
            if !malformed.is_empty() {
                let source = map.map_or(malformed.clone(), |map| map.range(bytes, malformed));
                made.replaced(out.len(), source);
                out.push(char::REPLACEMENT_CHARACTER);
            }
        }
        MappedText { text: Cow::Owned(out), map: Some(made), start }
    }

    /// Returns the range of the source of a range of the text.
    pub(crate) fn range(&self, range: Range<usize>) -> Range<usize> {
        let Range { start, end } = match &self.map {
            None => range,
            Some(map) => map.range(self.text.as_bytes(), range),
        };
        self.start + start..self.start + end
    }

    /// Composes the map with that of `middle`, the source of the text, so that it leads to the source of `middle`.
    pub(crate) fn through(self, middle: &MappedText<'_>) -> MappedText<'t> {
        let MappedText { text, map, start } = self;
        let map = match (map, &middle.map) {
            (map, None) => return MappedText { text, map, start: start + middle.start },
            (None, Some(inner)) => {
                let mut copied = SourceMap::default();
                let stretch = start..start + text.len();
                copied.append(0, inner, middle.text.as_bytes(), stretch, 0);
                copied
            }
            (Some(outer), Some(inner)) => outer.through(text.len(), inner, middle.text.as_bytes()),
        };
        MappedText { text, map: Some(map), start: middle.start }
    }
}

impl<'t> From<(Cow<'t, str>, Option<SourceMap>)> for MappedText<'t> {
    fn from((text, map): (Cow<'t, str>, Option<SourceMap>)) -> MappedText<'t> {
        MappedText { text, map, start: 0 }
    }
}

/// A text that is created from another one, with its source map.
#[derive(Debug)]
pub(crate) struct Rewriting<'t> {
    text: &'t str,
    source_start: usize,
    /// Offset up to which the source has been processed.
    done: usize,
    out: String,
    map: SourceMap,
}

impl<'t> Rewriting<'t> {
    /// Begins to process `text`, which begins at `source_start`.
    pub(crate) fn new(text: &'t str, source_start: usize) -> Rewriting<'t> {
        Rewriting { text, source_start, done: 0, out: String::new(), map: SourceMap::default() }
    }

    /// Returns the offset up to which the text has been processed.
    pub(crate) fn done(&self) -> usize {
        self.done
    }

    /// Copies the bytes before `range`, and removes those in it.
    pub(crate) fn leave_out(&mut self, range: Range<usize>) {
        if range.start > self.done {
            self.map.copied(self.out.len(), self.source_start + self.done);
            self.out.push_str(&self.text[self.done..range.start]);
        }
        self.done = range.end;
    }

    /// Copies the text before `range`, and returns the text to which a replacement for the range is pushed.
    pub(crate) fn replace(&mut self, range: Range<usize>) -> &mut String {
        let source = self.source_start + range.start..self.source_start + range.end;
        self.leave_out(range);
        self.map.replaced(self.out.len(), source);
        &mut self.out
    }

    /// Copies the rest; returns `None` if nothing was replaced or removed.
    pub(crate) fn finish(mut self) -> Option<(String, SourceMap)> {
        if self.done == 0 {
            return None;
        }
        self.map.copied(self.out.len(), self.source_start + self.done);
        self.out.push_str(&self.text[self.done..]);
        Some((self.out, self.map))
    }
}
