//! Edits: removes segments of a part's text before it is scanned, and maps the rest to its source.
//!
//! Lines that belong together are joined (`subtypes`, `angle`), encoded data in the text are left out
//! (`skip`), commands of text/enriched end links. An edit never moves a byte past another: the text after
//! it is the text before with pieces gone, and with single bytes put in another's place.

mod angle;
mod skip;
mod subtypes;

use std::ops::Range;

use super::part::LeafFormat;
use crate::source_map::SourceMap;

/// Edited text, with a map to its source.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditedText {
    pub(crate) text: Vec<u8>,
    /// Of bytes that are copied, or have another in their place.
    map: SourceMap,
    /// Offsets of the text at which bytes were removed and both sides join.
    joins: Vec<usize>,
    /// A segment that is not text was removed.
    pub(crate) has_skipped: bool,
    /// The uuencoded files that were left out, from `begin` to their last line; ranges of the source.
    pub(crate) files: Vec<Range<usize>>,
}

impl EditedText {
    fn clear(&mut self) {
        self.text.clear();
        self.map.clear();
        self.joins.clear();
        self.has_skipped = false;
        self.files.clear();
    }

    /// The source, with a text before it that is not of it.
    pub(super) fn after(front: &[u8], source: &[u8]) -> EditedText {
        let mut edited = EditedText { text: [front, source].concat(), ..EditedText::default() };
        edited.map.copied(front.len(), 0);
        edited
    }

    /// Copies the source from the end of the last piece to `start`, and leaves out
    /// `start..end`.
    pub(super) fn leave_out(
        &mut self,
        source: &[u8],
        done: &mut usize,
        start: usize,
        end: usize,
        join: bool,
    ) {
        self.text.extend_from_slice(&source[*done..start]);
        if self.map.is_empty() && start > 0 {
            self.map.copied(0, 0);
        }
        self.map.copied(self.text.len(), end);
        self.joins.extend(join.then_some(self.text.len()));
        *done = end;
    }

    /// The same for one byte, in whose place another is read.
    fn replace(&mut self, source: &[u8], done: &mut usize, at: usize, byte: u8) {
        self.text.extend_from_slice(&source[*done..at]);
        self.text.push(byte);
        *done = at + 1;
    }

    fn finish(&mut self, source: &[u8], done: usize) {
        self.text.extend_from_slice(&source[done..]);
    }

    /// Where a byte of the text came from.
    pub(crate) fn source(&self, text: usize) -> usize {
        self.map.edges(&self.text, text).start
    }

    /// Returns the source range of a range of the text, including the parts that were left out.
    pub(crate) fn range(&self, text: Range<usize>) -> Range<usize> {
        self.map.range(&self.text, text)
    }

    /// Whether a stretch of the text was joined of several.
    pub(crate) fn is_joined(&self, start: usize, end: usize) -> bool {
        let from = self.joins.partition_point(|join| *join <= start);
        self.joins.get(from).is_some_and(|join| *join < end)
    }

    /// Whether anything was left out of a stretch.
    pub(crate) fn has_gap(&self, start: usize, end: usize) -> bool {
        self.map.has_edge(start, end)
    }
}

/// Whether links that are broken over lines in `<…>` are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrappedLinks {
    Joined,
    Left,
}

/// Makes the edits that a reading asks for; whether there were any.
pub(crate) fn edit(
    reading: &LeafFormat,
    wrapped: WrappedLinks,
    source: &[u8],
    out: &mut EditedText,
) -> bool {
    out.clear();
    let done = match reading {
        LeafFormat::Enriched => subtypes::edit_enriched(source, out),
        LeafFormat::Text { delsp: true } => subtypes::edit_flowed(source, out),
        LeafFormat::Text { delsp: false } => {
            let skipped = skip::find(source);
            if skipped.is_empty() {
                match wrapped {
                    WrappedLinks::Joined => angle::edit(source, out),
                    WrappedLinks::Left => 0,
                }
            } else {
                skip::edit(source, &skipped, wrapped, out)
            }
        }
        _ => 0,
    };
    if out.map.is_empty() && done == 0 {
        return false;
    }
    out.finish(source, done);
    true
}

/// A line's range without its end, and where the next one begins.
fn line(source: &[u8], start: usize) -> (usize, usize) {
    match memchr::memchr(b'\n', &source[start..]) {
        Some(found) => {
            let lf = start + found;
            let is_pair = found > 0 && source[lf - 1] == b'\r';
            (lf - usize::from(is_pair), lf + 1)
        }
        None => (source.len(), source.len()),
    }
}

/// Returns the number of quote signs at a line's start, and the index of the quoted text.
fn quotes(line: &[u8]) -> (usize, usize) {
    let (mut depth, mut end) = (0, 0);
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b'>' => {
                depth += 1;
                end = at + 1;
            }
            b' ' => {}
            _ => break,
        }
    }
    (depth, end)
}

#[cfg(test)]
mod tests;
