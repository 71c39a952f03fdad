//! A text made of another one from left to right.

use std::ops::Range;

use super::SourceMap;

/// A text that is made of another one, with the map back.
#[derive(Debug)]
pub(crate) struct Rewriting<'t> {
    text: &'t str,
    source_start: usize,
    /// Up to here it is done with.
    done: usize,
    out: String,
    map: SourceMap,
}

impl<'t> Rewriting<'t> {
    /// Nothing is done yet of `text`, which begins at `source_start`.
    pub(crate) fn new(text: &'t str, source_start: usize) -> Rewriting<'t> {
        Rewriting { text, source_start, done: 0, out: String::new(), map: SourceMap::default() }
    }

    /// Up to where the text is done with.
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

    /// The rest is copied; `None` if nothing was replaced or left out.
    pub(crate) fn finish(mut self) -> Option<(String, SourceMap)> {
        if self.done == 0 {
            return None;
        }
        self.map.copied(self.out.len(), self.source_start + self.done);
        self.out.push_str(&self.text[self.done..]);
        Some((self.out, self.map))
    }
}
