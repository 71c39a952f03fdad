//! The text of a scan, read character by character, forwards and backwards.
//!
//! The input is UTF-8 that may be malformed and may be a part of the whole input; the result is code points with the bytes
//! that they take. A malformed sequence is one character that ends everything; a numeric character reference is the
//! character that it represents, wherever it is read. So the later stages need not handle either. The text is never decoded
//! as a whole.

use crate::input::chunk::Chunk;
use crate::scan::reference::{Numeric, numeric_at, numeric_before};
use crate::scan::{References, ScanStep, Settings, TextKind};
use crate::tables;

/// The decision needs text after the end of the view, which is not the end of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Incomplete;

impl From<Incomplete> for ScanStep {
    fn from(Incomplete: Incomplete) -> ScanStep {
        ScanStep::Incomplete
    }
}

/// Code of the edge of the input, which is not a character.
pub(crate) const EDGE: u32 = u32::MAX;
/// Code of a malformed sequence.
pub(crate) const MALFORMED: u32 = u32::MAX - 1;

/// A character: its code point, [`EDGE`] or [`MALFORMED`], and the bytes it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Char {
    pub(crate) code: u32,
    pub(crate) len: usize,
}

/// Returns `true` if the character is white space or the text's edge.
pub(crate) fn is_gap(code: u32) -> bool {
    code == EDGE || tables::class(code).is_white_space()
}

/// A range of the input, and whether the input ends at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) is_last: bool,
    /// Offset in the document or in the window's text at which the view begins.
    pub(super) base: usize,
    references: bool,
    pub(crate) text_kind: TextKind,
    /// Non-ASCII bytes are not UTF-8.
    is_stored: bool,
    /// The text has control sequences over which a link continues, so the scan ends before them.
    pub(crate) has_sequences: bool,
}

impl<'a> View<'a> {
    pub(crate) fn new(text: &'a [u8], is_last: bool, references: References) -> View<'a> {
        let references = references == References::Auto;
        View {
            text,
            is_last,
            base: 0,
            references,
            text_kind: TextKind::Prose,
            is_stored: false,
            has_sequences: false,
        }
    }

    /// Creates the view of the available bytes.
    pub(crate) fn of(chunk: Chunk<'a>, references: References) -> View<'a> {
        View { base: chunk.base(), ..View::new(chunk.bytes(), chunk.is_last(), references) }
    }

    /// Sets the kind of the text.
    pub(crate) fn of_kind(self, text_kind: TextKind) -> View<'a> {
        View { text_kind, ..self }
    }

    /// Declares that the text may have control sequences over which a link continues: if so, the scan ends before a
    /// candidate that one affects ([`ScanStep::Sequence`](super::ScanStep::Sequence)).
    pub(crate) fn with_sequences(self, settings: &Settings) -> View<'a> {
        View { has_sequences: settings.links_go_over_sequences(), ..self }
    }

    /// Creates a view of stored bytes of a legacy encoding, of which only the ASCII ones are read. A non-ASCII byte counts
    /// as the end of the view, but not of the input, for a caller that reads forwards; no caller may reach one when it
    /// reads backwards.
    pub(crate) fn of_stored(bytes: &'a [u8], is_last: bool, references: References) -> View<'a> {
        View { is_stored: true, ..View::new(bytes, is_last, references) }
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns the byte at `at`, `None` at the input's end.
    #[inline]
    pub(crate) fn byte(&self, at: usize) -> Result<Option<u8>, Incomplete> {
        match self.text.get(at) {
            Some(&byte) => Ok(Some(byte)),
            None if self.is_last => Ok(None),
            None => Err(Incomplete),
        }
    }

    /// Returns the character that begins at `at`.
    #[inline]
    pub(crate) fn next(&self, at: usize) -> Result<Char, Incomplete> {
        match self.text.get(at) {
            Some(&byte) if byte < 0x80 && byte != b'&' => Ok(Char { code: byte.into(), len: 1 }),
            _ => self.next_slow(at),
        }
    }

    fn next_slow(&self, at: usize) -> Result<Char, Incomplete> {
        match self.byte(at)? {
            None => Ok(Char { code: EDGE, len: 0 }),
            Some(b'&') => Ok(match self.reference(at)? {
                Some(c) => c,
                None => Char { code: u32::from('&'), len: 1 },
            }),
            Some(byte) if byte < 0x80 => Ok(Char { code: byte.into(), len: 1 }),
            Some(_) => self.decoded(at),
        }
    }

    /// Returns the numeric reference that begins at `at`, an ampersand.
    pub(crate) fn reference(&self, at: usize) -> Result<Option<Char>, Incomplete> {
        if !self.references {
            return Ok(None);
        }
        match numeric_at(self.text, at) {
            Numeric::Reference { code, len } => Ok(Some(Char { code, len })),
            Numeric::Cut if !self.is_last => Err(Incomplete),
            Numeric::Cut | Numeric::None => Ok(None),
        }
    }

    /// Returns the non-ASCII character at `at`, like [`next`](View::next).
    #[inline(always)]
    pub(crate) fn foreign(&self, at: usize) -> Result<Char, Incomplete> {
        if self.is_stored {
            return Err(Incomplete);
        }
        let is_inner = |byte: u8| byte & 0xC0 == 0x80;
        let bits = |byte: u8| u32::from(byte & 0x3F);
        // Nearly all characters are complete, have two or three bytes, and no special limits for the second byte.
        match self.text[at..] {
            [first @ 0xC2..=0xDF, a, ..] if is_inner(a) => {
                Ok(Char { code: u32::from(first & 0x1F) << 6 | bits(a), len: 2 })
            }
            [first @ (0xE1..=0xEC | 0xEE..=0xEF), a, b, ..] if is_inner(a) && is_inner(b) => {
                let code = u32::from(first & 0x0F) << 12 | bits(a) << 6 | bits(b);
                Ok(Char { code, len: 3 })
            }
            _ => self.decoded_otherwise(at),
        }
    }

    /// Returns the non-ASCII character at `at`; a maximal ill-formed subsequence is one malformed character. Like
    /// [`foreign`](View::foreign), which loops over such characters inline; most callers meet few of them.
    fn decoded(&self, at: usize) -> Result<Char, Incomplete> {
        self.foreign(at)
    }

    /// Returns any other character at `at`: one that is cut, malformed, or near the limits of UTF-8.
    #[inline(never)]
    fn decoded_otherwise(&self, at: usize) -> Result<Char, Incomplete> {
        let bytes = &self.text[at..self.text.len().min(at + 4)];
        let malformed = |len| Ok(Char { code: MALFORMED, len });
        let (len, min_second, max_second) = match bytes[0] {
            0xC2..=0xDF => (2, 0x80, 0xBF),
            0xE0 => (3, 0xA0, 0xBF),
            0xED => (3, 0x80, 0x9F),
            0xE1..=0xEF => (3, 0x80, 0xBF),
            0xF0 => (4, 0x90, 0xBF),
            0xF1..=0xF3 => (4, 0x80, 0xBF),
            0xF4 => (4, 0x80, 0x8F),
            _ => return malformed(1),
        };
        let mut code = u32::from(bytes[0]) & (0x7F >> len);
        for n in 1..len {
            let (low, high) = if n == 1 { (min_second, max_second) } else { (0x80, 0xBF) };
            match bytes.get(n) {
                Some(&byte) if low <= byte && byte <= high => {
                    code = code << 6 | u32::from(byte & 0x3F)
                }
                None if !self.is_last => return Err(Incomplete),
                _ => return malformed(n),
            }
        }
        Ok(Char { code, len })
    }

    /// Returns `true` if the bytes from `start` to `end`, and the one before them, represent themselves: this is always so,
    /// except for non-ASCII bytes in stored bytes of a legacy encoding.
    pub(crate) fn is_ascii_back(&self, start: usize, end: usize) -> bool {
        !self.is_stored || self.text[start.saturating_sub(1)..end].is_ascii()
    }

    /// Returns the character that ends at `at` and does not begin before `min_start`; the edge at `min_start` itself.
    #[inline(always)]
    pub(crate) fn prev(&self, at: usize, min_start: usize) -> Char {
        if at <= min_start {
            return Char { code: EDGE, len: 0 };
        }
        match self.text[at - 1] {
            byte if byte < 0x80 && byte != b';' => Char { code: byte.into(), len: 1 },
            _ => self.prev_slow(at, min_start),
        }
    }

    #[inline(never)]
    fn prev_slow(&self, at: usize, min_start: usize) -> Char {
        let byte = self.text[at - 1];
        if byte < 0x80 {
            let reference = match self.references && byte == b';' {
                true => numeric_before(self.text, at, min_start),
                false => None,
            };
            return match reference {
                Some((code, len)) => Char { code, len },
                None => Char { code: byte.into(), len: 1 },
            };
        }
        let mut start = at - 1;
        while start > min_start && at - start < 4 && self.text[start] & 0xC0 == 0x80 {
            start -= 1;
        }
        let bytes = View { text: &self.text[..at], is_last: true, references: false, ..*self };
        match bytes.decoded(start) {
            Ok(c) if start + c.len == at && c.code != MALFORMED => c,
            _ => Char { code: MALFORMED, len: 1 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(text: &[u8]) -> View<'_> {
        View::new(text, true, References::Auto)
    }

    #[test]
    fn reads_what_std_reads_both_ways() {
        let text = "a&é&#x8868;表\u{10FFFF}😀&#46;&amp;;.";
        let want: Vec<u32> = "a&é表表\u{10FFFF}😀.&amp;;.".chars().map(u32::from).collect();
        let view = view(text.as_bytes());
        let (mut at, mut got) = (0, Vec::new());
        while let Ok(c) = view.next(at) {
            if c.code == EDGE {
                break;
            }
            got.push(c.code);
            at += c.len;
        }
        assert_eq!(got, want);
        got.clear();
        while at > 0 {
            let c = view.prev(at, 0);
            got.push(c.code);
            at -= c.len;
        }
        got.reverse();
        assert_eq!(got, want);
    }

    #[test]
    fn malformed_sequences_as_std_cuts_them() {
        for bytes in [
            &b"\xED\xA0\x80x"[..],
            b"\xC0\xAFx",
            b"\xE3\x81x",
            b"\xF0\x9F\x98x",
            b"\xF5x",
            b"\x80x",
            b"\xE0\x9F\x80x",
            b"\xF4\x90\x80\x80x",
        ] {
            let first = bytes.utf8_chunks().next().map_or(0, |chunk| chunk.invalid().len());
            assert_eq!(view(bytes).next(0), Ok(Char { code: MALFORMED, len: first }), "{bytes:x?}");
            assert_eq!(view(bytes).prev(bytes.len() - 1, 0).code, MALFORMED, "{bytes:x?}");
        }
    }

    #[test]
    fn a_cut_character_asks_for_more_unless_the_input_ends() {
        let cut = &"あ".as_bytes()[..2];
        assert_eq!(View::new(cut, false, References::Auto).next(0), Err(Incomplete));
        assert_eq!(view(cut).next(0), Ok(Char { code: MALFORMED, len: 2 }));
        assert_eq!(View::new(b"&#4", false, References::Auto).next(0), Err(Incomplete));
        assert_eq!(
            View::new(b"&#4", false, References::Never).next(0),
            Ok(Char { code: 38, len: 1 })
        );
    }
}
