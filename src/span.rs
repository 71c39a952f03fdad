//! Offsets: where a piece of text stands in the stored bytes.
//!
//! What comes in are the steps in which a text was made out of stored bytes (a run copied as it is,
//! a character reference that became one character); what goes out are stored offsets for offsets
//! in the text. Segments, not a table for each character: a text that was only copied has none.

use std::ops::Range;

/// How the offsets of a text map back to the stored bytes that it was made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    text_start: usize,
    source_start: usize,
    /// Where the stored bytes end that became one indivisible piece; `None` where each byte of the
    /// text is one stored byte.
    replaced_end: Option<usize>,
}

impl Trace {
    /// Notes that from `text_start` on the text is a copy of the stored bytes from `source_start` on.
    pub(crate) fn copied(&mut self, text_start: usize, source_start: usize) {
        self.segments.push(Segment { text_start, source_start, replaced_end: None });
    }

    /// Notes that at `text_start` begins a piece made of the stored bytes `source`, which has no inner
    /// offsets: a character reference.
    pub(crate) fn replaced(&mut self, text_start: usize, source: Range<usize>) {
        let Range { start: source_start, end } = source;
        self.segments.push(Segment { text_start, source_start, replaced_end: Some(end) });
    }

    /// The offset in the text of the stored offset `source`, which must be the edge of a character.
    pub(crate) fn text_offset(&self, source: usize) -> usize {
        let behind = self.segments.partition_point(|s| s.source_start <= source);
        match self.segments[..behind].last() {
            None => source,
            Some(s) if s.replaced_end.is_none() => s.text_start + (source - s.source_start),
            Some(s) if s.source_start == source => s.text_start,
            // The end of a replaced piece that nothing follows.
            Some(_) => usize::MAX,
        }
    }

    /// The stored offset at which the character at text offset `text` begins.
    #[cfg(any(test, feature = "markup"))]
    pub(crate) fn source_offset(&self, text: usize) -> usize {
        let behind = self.segments.partition_point(|s| s.text_start <= text);
        match self.segments[..behind].last() {
            None => text,
            Some(s) if s.replaced_end.is_none() => s.source_start + (text - s.text_start),
            Some(s) => s.source_start,
        }
    }

    /// The stored offset at which the character ends that ends at text offset `text`: not the same as
    /// where the next one begins, if something was left out between the two.
    #[cfg(any(test, feature = "markup"))]
    pub(crate) fn source_end(&self, text: usize) -> usize {
        let behind = self.segments.partition_point(|s| s.text_start < text);
        match self.segments[..behind].last() {
            None => text,
            Some(s) => s.replaced_end.unwrap_or(s.source_start + (text - s.text_start)),
        }
    }
}

/// A text that is made of another one from left to right, with the trace back.
#[derive(Debug)]
pub(crate) struct Rewriting<'t> {
    text: &'t str,
    source_start: usize,
    /// Up to here it is done with.
    done: usize,
    out: String,
    trace: Trace,
}

impl<'t> Rewriting<'t> {
    /// Nothing is done yet of `text`, which begins at `source_start`.
    pub(crate) fn new(text: &'t str, source_start: usize) -> Rewriting<'t> {
        Rewriting { text, source_start, done: 0, out: String::new(), trace: Trace::default() }
    }

    /// Up to where the text is done with.
    #[cfg(feature = "markup")]
    pub(crate) fn done(&self) -> usize {
        self.done
    }

    /// What stands before `range` is copied, what stands in it is left out.
    pub(crate) fn leave_out(&mut self, range: Range<usize>) {
        if range.start > self.done {
            self.trace.copied(self.out.len(), self.source_start + self.done);
            self.out.push_str(&self.text[self.done..range.start]);
        }
        self.done = range.end;
    }

    /// What stands before `range` is copied; what is then pushed to the text that is lent here stands
    /// for what is in it.
    pub(crate) fn replace(&mut self, range: Range<usize>) -> &mut String {
        let source = self.source_start + range.start..self.source_start + range.end;
        self.leave_out(range);
        self.trace.replaced(self.out.len(), source);
        &mut self.out
    }

    /// The rest is copied; `None` if nothing was replaced or left out.
    pub(crate) fn finish(mut self) -> Option<(String, Trace)> {
        if self.done == 0 {
            return None;
        }
        self.trace.copied(self.out.len(), self.source_start + self.done);
        self.out.push_str(&self.text[self.done..]);
        Some((self.out, self.trace))
    }
}
