//! Offsets: where a piece of text stands in the stored bytes.
//!
//! What comes in are the steps in which a text was made out of stored bytes (a run copied as it is,
//! a character reference that became one character); what goes out are stored offsets for offsets
//! in the text. Segments, not a table for each character: a text that was only copied has none.

/// How the offsets of a text map back to the stored bytes that it was made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    text_start: usize,
    source_start: usize,
    /// Each byte of the text is one stored byte; otherwise the segment is one indivisible piece.
    copied: bool,
}

impl Trace {
    /// Notes that from `text_start` on the text is a copy of the stored bytes from `source_start` on.
    pub(crate) fn copied(&mut self, text_start: usize, source_start: usize) {
        self.segments.push(Segment { text_start, source_start, copied: true });
    }

    /// Notes that at `text_start` begins a piece made of the stored bytes from `source_start` on,
    /// which has no inner offsets: a character reference.
    pub(crate) fn replaced(&mut self, text_start: usize, source_start: usize) {
        self.segments.push(Segment { text_start, source_start, copied: false });
    }

    /// The offset in the text of the stored offset `source`, which must be the edge of a character.
    pub(crate) fn text_offset(&self, source: usize) -> usize {
        match self.segments.iter().rev().find(|s| s.source_start <= source) {
            None => source,
            Some(s) if s.copied => s.text_start + (source - s.source_start),
            Some(s) if s.source_start == source => s.text_start,
            // The end of a replaced piece that nothing follows.
            Some(_) => usize::MAX,
        }
    }

    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "windows decoded from legacy charsets are mapped back with it")
    )]
    /// The stored offset at which the character at text offset `text` begins.
    pub(crate) fn source_offset(&self, text: usize) -> usize {
        match self.segments.iter().rev().find(|s| s.text_start <= text) {
            None => text,
            Some(s) if s.copied => s.source_start + (text - s.text_start),
            Some(s) => s.source_start,
        }
    }
}
