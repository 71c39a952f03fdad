//! Sources: the bytes that a tokenizer reads, and their ranges in the stored document.

use std::borrow::Cow;
use std::ops::Range;

use crate::charset::{Charset, Layout, LegacyDecoder};
use crate::input::chunk::Chunk;
use crate::source_map::{MappedText, SourceMap};

/// Bytes for a tokenizer.
#[derive(Clone, Copy)]
pub(crate) struct Source<'s> {
    pub(crate) chunk: Chunk<'s>,
    made: Made<'s>,
}

/// Origin of the bytes.
#[derive(Clone, Copy)]
enum Made<'s> {
    /// Stored bytes.
    Stored,
    /// The document, transcoded to UTF-8.
    Transcoded(&'s SourceMap),
    /// Values, which are stored in these bytes.
    Written(&'s SourceMap, &'s [u8]),
    /// Text of a value of another source, with its references resolved; the map adds this number to its offsets.
    Inside { map: Option<&'s SourceMap>, start: usize, outer: &'s Source<'s> },
}

/// A document as UTF-8, whose stored encoding no tokenizer can read.
#[derive(Clone, Debug)]
pub(crate) struct Transcoded {
    pub(crate) text: Vec<u8>,
    pub(crate) map: SourceMap,
}

impl Transcoded {
    /// Creates the source of a whole document whose text begins at `first`, after its byte order mark.
    pub(crate) fn new(charset: Charset, layout: Layout, stored: &[u8], first: usize) -> Transcoded {
        let (mut text, mut map) = (Vec::new(), SourceMap::default());
        let bytes = stored.get(first..).unwrap_or_default();
        let mut decoding = LegacyDecoder::new(charset.encoding(), layout);
        decoding.decode(bytes, first, true, &mut text, &mut map);
        Transcoded { text, map }
    }
}

impl<'s> Source<'s> {
    pub(crate) fn stored_bytes(chunk: Chunk<'s>) -> Source<'s> {
        Source { chunk, made: Made::Stored }
    }

    pub(crate) fn transcoded(document: &'s Transcoded) -> Source<'s> {
        let made = Made::Transcoded(&document.map);
        Source { chunk: Chunk::whole(&document.text), made }
    }

    /// Creates the source of values that were made of stored bytes.
    pub(crate) fn written(document: &'s Transcoded, stored: &'s [u8]) -> Source<'s> {
        let made = Made::Written(&document.map, stored);
        Source { chunk: Chunk::whole(&document.text), made }
    }

    /// Creates the source of a document that is the value `text` of another one.
    pub(super) fn inside(text: &'s MappedText<'_>, outer: &'s Source<'s>) -> Source<'s> {
        let MappedText { text, map, start } = text;
        let made = Made::Inside { map: map.as_ref(), start: *start, outer };
        Source { chunk: Chunk::whole(text.as_bytes()), made }
    }

    /// Returns `true` if they are the stored bytes.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.made, Made::Stored)
    }

    /// Returns `true` if they are the text of a value, which is stored in another form.
    pub(super) fn is_inside(&self) -> bool {
        matches!(self.made, Made::Inside { .. } | Made::Written(..))
    }

    /// Returns the charset of the bytes.
    pub(super) fn charset(&self, document: Charset) -> Charset {
        if self.is_plain() { document } else { Charset::UTF_8 }
    }

    /// Returns the stored range of a range of them.
    pub(super) fn stored(&self, range: Range<usize>) -> Range<usize> {
        match self.made {
            Made::Stored => range,
            Made::Transcoded(map) | Made::Written(map, _) => map.range(self.chunk.bytes(), range),
            Made::Inside { outer, .. } => outer.stored(self.in_outer(range)),
        }
    }

    /// Returns the range of a part of a value's text in the source that has the value.
    fn in_outer(&self, range: Range<usize>) -> Range<usize> {
        match self.made {
            Made::Inside { map, start, .. } => {
                let inside = map.map_or(range.clone(), |map| map.range(self.chunk.bytes(), range));
                start + inside.start..start + inside.end
            }
            _ => range,
        }
    }

    /// Returns a range of them as far as it is available: decoded, with its references unresolved.
    pub(super) fn raw(&self, charset: Charset, range: Range<usize>) -> String {
        match self.made {
            Made::Inside { outer, .. } => outer.raw(charset, self.in_outer(range)),
            Made::Written(map, stored) => {
                text_of(charset, &stored[map.range(self.chunk.bytes(), range)]).into_owned()
            }
            _ => text_of(self.charset(charset), self.chunk.within(range)).into_owned(),
        }
    }

    /// Returns a range of them as text, with malformed sequences as U+FFFD, and its map.
    pub(super) fn decoded(&self, document: Charset, range: Range<usize>) -> MappedText<'s> {
        let mut text = self.charset(document).mapped(self.chunk.slice(range.clone()));
        text.start += range.start;
        text
    }
}

/// Returns bytes as text, with malformed sequences as U+FFFD.
pub(super) fn text_of(charset: Charset, bytes: &[u8]) -> Cow<'_, str> {
    charset.decode(bytes)
}
