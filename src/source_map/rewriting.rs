//! Creates a text from another one, from left to right.

use std::ops::Range;

use super::SourceMap;

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
