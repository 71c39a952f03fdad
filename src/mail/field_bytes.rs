//! Runs of a header field's value: bytes as they are stored, and encoded words, each with its place in the input.

use std::ops::{ControlFlow, Range};

use super::encoded_word::{EncodedWords, ValueSegment, may_hold_words, pieces};
use super::shift_encoding::ShiftedRanges;
use crate::charset::Charset;
use crate::link::Transfer;
use crate::notice::Notice;

/// Calls `each` with every run of a value, which begins at `start` of the input, that is written in one way.
pub(super) fn each_written(
    value: &[u8],
    start: usize,
    each: &mut dyn FnMut(FieldBytes<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let plain = FieldBytes::plain(value, start);
    if !may_hold_words(value) {
        return each(plain);
    }
    for piece in pieces(value) {
        match piece {
            ValueSegment::Plain(range) => each(plain.part(range))?,
            ValueSegment::Words(words) => {
                let (bytes, charset) = (&*words.bytes, words.charset);
                let shifts = words.shifted.map(|shifted| shifted.stretches(bytes));
                let words = Some((&words, shifts.as_ref()));
                each(FieldBytes { value, bytes, charset, start, at: 0, words })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Run of a field's value that is written in one way: plain, or as encoded words.
pub(super) struct FieldBytes<'w> {
    /// Stored bytes of the entire value.
    value: &'w [u8],
    pub(super) bytes: &'w [u8],
    pub(super) charset: Option<Charset>,
    /// Offset of the value in the input.
    start: usize,
    /// Offset of the bytes in the value, or in the decoded words.
    at: usize,
    /// Encoded words, and the ranges in which they shift to other characters than ASCII.
    words: Option<(&'w EncodedWords, Option<&'w ShiftedRanges>)>,
}

impl<'w> FieldBytes<'w> {
    /// Creates the run of an entire value, which begins at `start` of the input, as it is stored.
    pub(super) fn plain(value: &'w [u8], start: usize) -> FieldBytes<'w> {
        FieldBytes { value, bytes: value, charset: None, start, at: 0, words: None }
    }

    pub(super) fn part(&self, range: Range<usize>) -> FieldBytes<'w> {
        FieldBytes { at: self.at + range.start, bytes: &self.bytes[range], ..*self }
    }

    fn shifts(&self) -> Option<&'w ShiftedRanges> {
        self.words.and_then(|(_, shifts)| shifts)
    }

    /// Returns the notice on its charset: a shift encoding, which is not decoded, or an unknown charset.
    pub(super) fn notice(&self) -> Option<Notice> {
        match self.words? {
            (_, Some(_)) => Some(Notice::Undecodable),
            (words, None) => words.is_unknown.then_some(Notice::UnknownCharset),
        }
    }

    /// Returns `true` if a range overlaps or touches bytes that a shift gives another meaning.
    pub(super) fn is_cut_by_shift(&self, range: &Range<usize>) -> bool {
        let range = self.at + range.start..self.at + range.end;
        self.shifts().is_some_and(|shifts| shifts.touch(&range))
    }

    /// Returns the range in the input that stores a range of the bytes, and the transfer encoding of its first byte.
    pub(super) fn stored(&self, range: Range<usize>) -> (Range<usize>, Option<Transfer>) {
        let range = self.at + range.start..self.at + range.end;
        let (range, transfer) = match self.words {
            None => (range, None),
            Some((words, _)) => {
                let (range, transfer) = words.place(self.value, range);
                (range, Some(transfer))
            }
        };
        (self.start + range.start..self.start + range.end, transfer)
    }
}
