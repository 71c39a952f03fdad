//! Sources: the bytes that a tokenizer goes through, and where they stand in the stored document.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use crate::charset::{Charset, DecodedTrace, Decoding, Layout};

/// Bytes for a tokenizer.
pub(crate) struct Source<'s> {
    pub(crate) bytes: &'s [u8],
    /// Where they begin in what they are a block of; other offsets are those of `bytes`.
    pub(crate) base: usize,
    pub(crate) is_last: bool,
    place: Place<'s>,
}

/// How they came to be.
enum Place<'s> {
    /// They are the stored bytes.
    Stored,
    /// The document, transcoded to UTF-8.
    Transcoded(&'s Transcoded),
    /// The text of a value; where a stretch of it is stored, and as what.
    Inside {
        stored: &'s dyn Fn(Range<usize>) -> Range<usize>,
        raw: &'s dyn Fn(Range<usize>) -> String,
    },
}

/// A document in an encoding whose bytes no tokenizer can go through, as UTF-8.
#[derive(Clone)]
pub(crate) struct Transcoded {
    pub(crate) text: Vec<u8>,
    trace: RefCell<DecodedTrace>,
}

impl Transcoded {
    /// All of a document whose text begins at `first`, behind its byte order mark.
    pub(crate) fn new(charset: Charset, layout: Layout, stored: &[u8], first: usize) -> Transcoded {
        let (mut text, mut trace) = (Vec::new(), DecodedTrace::default());
        let bytes = stored.get(first..).unwrap_or_default();
        let mut decoding = Decoding::new(charset.encoding(), layout);
        decoding.decode(bytes, first, true, &mut text, &mut trace);
        Transcoded { text, trace: RefCell::new(trace) }
    }
}

impl<'s> Source<'s> {
    pub(crate) fn stored_bytes(bytes: &'s [u8], base: usize, is_last: bool) -> Source<'s> {
        Source { bytes, base, is_last, place: Place::Stored }
    }

    pub(crate) fn transcoded(document: &'s Transcoded) -> Source<'s> {
        let place = Place::Transcoded(document);
        Source { bytes: &document.text, base: 0, is_last: true, place }
    }

    pub(super) fn inside(
        text: &'s [u8],
        stored: &'s dyn Fn(Range<usize>) -> Range<usize>,
        raw: &'s dyn Fn(Range<usize>) -> String,
    ) -> Source<'s> {
        Source { bytes: text, base: 0, is_last: true, place: Place::Inside { stored, raw } }
    }

    /// Whether they are UTF-8, whatever the document is.
    pub(super) fn is_utf8(&self) -> bool {
        !self.is_plain()
    }

    /// Whether they are the stored bytes themselves.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.place, Place::Stored)
    }

    /// Whether they are the text of a value, which is written otherwise.
    pub(super) fn is_inside(&self) -> bool {
        matches!(self.place, Place::Inside { .. })
    }

    /// What they are encoded in.
    pub(super) fn charset(&self, document: Charset) -> Charset {
        if self.is_plain() { document } else { Charset::UTF_8 }
    }

    /// Where a stretch of them is stored.
    pub(super) fn stored(&self, range: Range<usize>) -> Range<usize> {
        self.stored_absolute(self.base + range.start..self.base + range.end)
    }

    /// The same, of offsets that count from the beginning of all blocks.
    pub(super) fn stored_absolute(&self, range: Range<usize>) -> Range<usize> {
        match &self.place {
            Place::Stored => range,
            Place::Transcoded(Transcoded { text, trace }) => {
                let mut trace = trace.borrow_mut();
                let start = trace.edges(text, range.start).start;
                start..trace.edges(text, range.end).end.max(start)
            }
            Place::Inside { stored, .. } => stored(range),
        }
    }

    /// A stretch of them as it is written: decoded, references not resolved.
    pub(super) fn raw(&self, charset: Charset, range: Range<usize>) -> String {
        match &self.place {
            Place::Inside { raw, .. } => raw(range),
            _ => text_of(self.charset(charset), &self.bytes[range]).into_owned(),
        }
    }

    /// The same, of offsets that count from the beginning of all blocks.
    pub(super) fn raw_absolute(&self, charset: Charset, range: Range<usize>) -> String {
        let end = range.end.saturating_sub(self.base).min(self.bytes.len());
        self.raw(charset, range.start.saturating_sub(self.base).min(end)..end)
    }

    /// A stretch of them as text.
    pub(super) fn decoded(&self, document: Charset, range: Range<usize>) -> Decoded<'s> {
        let bytes = &self.bytes[range.clone()];
        let charset = self.charset(document);
        let layout = charset.layout().filter(|_| !bytes.is_ascii());
        if let Ok(text) = std::str::from_utf8(bytes)
            && layout.is_none()
        {
            let text = Cow::Borrowed(text);
            return Decoded { text, range, trace: None, is_whole: false };
        }
        let Some(layout) = layout else {
            let text = String::from_utf8_lossy(bytes);
            return Decoded { text, range, trace: None, is_whole: true };
        };
        let (mut text, mut trace) = (Vec::new(), DecodedTrace::default());
        let mut decoding = Decoding::new(charset.encoding(), layout);
        decoding.decode(bytes, range.start, true, &mut text, &mut trace);
        match String::from_utf8(text) {
            Ok(text) => {
                Decoded { text: Cow::Owned(text), range, trace: Some(trace), is_whole: false }
            }
            Err(error) => {
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Decoded { text: Cow::Owned(text), range, trace: None, is_whole: true }
            }
        }
    }
}

/// A stretch of a source as text.
pub(super) struct Decoded<'s> {
    pub(super) text: Cow<'s, str>,
    /// In the source.
    pub(super) range: Range<usize>,
    trace: Option<DecodedTrace>,
    /// There are malformed sequences in it: it has no inner offsets.
    is_whole: bool,
}

impl Decoded<'_> {
    /// Where a stretch of the text stands in the source.
    pub(super) fn source(&mut self, range: Range<usize>) -> Range<usize> {
        match &mut self.trace {
            _ if self.is_whole => self.range.clone(),
            None => self.range.start + range.start..self.range.start + range.end,
            Some(trace) => {
                let start = trace.edges(self.text.as_bytes(), range.start).start;
                start..trace.edges(self.text.as_bytes(), range.end).end.max(start)
            }
        }
    }
}

/// Bytes as text, malformed sequences as U+FFFD.
pub(super) fn text_of(charset: Charset, bytes: &[u8]) -> Cow<'_, str> {
    charset.decode(bytes)
}
