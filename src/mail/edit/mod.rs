//! Edits a part's text before it is scanned: removes ranges, and maps the rest to its source.
//!
//! Lines that belong together are joined (`subtypes`, `angle`), encoded data in the text is removed (`skip`), and
//! commands of text/enriched are replaced with line ends. An edit never reorders bytes: it only removes ranges and
//! replaces bytes.

mod angle;
mod skip;
mod subtypes;

use std::ops::Range;

use super::part::LeafFormat;
use crate::source_map::SourceMap;
use crate::source_map::transfer::uuencode::UuencodeSearch;

/// Edited text, with a map to its source.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditedText {
    pub(crate) text: Vec<u8>,
    /// Map to the source.
    map: SourceMap,
    /// Offsets of the text at which bytes were removed and both sides join.
    joins: Vec<usize>,
    /// Whether encoded data was removed that is not in `files`.
    pub(crate) has_skipped: bool,
    /// Uuencoded files whose data was removed; ranges of the source, from the line `begin` to the last line of data.
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

    /// Creates a text that is `front`, which has no source, and then the source.
    pub(super) fn after(front: &[u8], source: &[u8]) -> EditedText {
        let mut edited = EditedText { text: [front, source].concat(), ..EditedText::default() };
        edited.map.copied(front.len(), 0);
        edited
    }

    /// Copies the source from `done` to `start`, and removes `start..end`; `join` records that both sides are joined.
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
        let at = self.text.len();
        self.joins.extend((join && self.joins.last() != Some(&at)).then_some(at));
        *done = end;
    }

    /// Copies the source from `done` to a range, and replaces that with as many spaces: no byte moves, so that a text of
    /// commands needs no map.
    fn blank(&mut self, source: &[u8], done: &mut usize, range: Range<usize>) {
        self.text.extend_from_slice(&source[*done..range.start]);
        self.text.resize(self.text.len() + range.len(), b' ');
        *done = range.end;
    }

    /// Like [`blank`](EditedText::blank), with a line end as the first byte.
    fn end_line(&mut self, source: &[u8], done: &mut usize, range: Range<usize>) {
        let first = self.text.len() + range.start - *done;
        self.blank(source, done, range);
        self.text[first] = b'\n';
    }

    fn finish(&mut self, source: &[u8], done: usize) {
        self.text.extend_from_slice(&source[done..]);
    }

    /// Returns the offset in the source of a byte of the text.
    pub(crate) fn source(&self, text: usize) -> usize {
        self.map.edges(&self.text, text).start
    }

    /// Returns the range of the source for a range of the text, including the parts that were removed.
    pub(crate) fn range(&self, text: Range<usize>) -> Range<usize> {
        self.map.range(&self.text, text)
    }

    /// Returns `true` if a range of the text was joined from several.
    pub(crate) fn is_joined(&self, start: usize, end: usize) -> bool {
        let from = self.joins.partition_point(|join| *join <= start);
        self.joins.get(from).is_some_and(|join| *join < end)
    }

    /// Returns `true` if anything was removed from a range of the text.
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

/// Applies the edits for a format; returns `true` if there were any.
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
        LeafFormat::As(..) => {
            skip::edit(source, &skip::find_files(source), WrappedLinks::Left, out)
        }
        LeafFormat::Kind(..) | LeafFormat::Skip => 0,
    };
    if reading.is_edited() && UuencodeSearch::may_be_in(source) {
        // Its lines were joined or edited, so they cannot be decoded.
        out.has_skipped = true;
        if out.map.is_empty() {
            out.map.copied(0, 0);
        }
    }
    if out.map.is_empty() && done == 0 {
        return false;
    }
    out.finish(source, done);
    true
}

/// Returns the end of a line without its line end, and the start of the next line.
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
