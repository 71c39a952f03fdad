//! Control sequences of terminals in stored bytes, and which of them are removed from the text.
//!
//! All sequences that [`Sequence`] recognizes are left out, except three: one that ends a string sequence (`ESC ] … ESC [ m`), which
//! has no text; one directly after an ESC, which would begin another sequence without it; and one between a letter or digit and
//! `http://` or `https://`, where only the change of colour separates two links.

use std::num::NonZeroUsize;

use crate::input::chunk::Chunk;
use crate::scan::{ESC, Sequence};

#[cfg(feature = "documents")]
use crate::charset::Layout;

const BEL: u8 = 0x07;

/// How ASCII is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StoredUnits {
    Bytes,
    #[cfg(feature = "documents")]
    Utf16(Layout),
}

/// End of a part of the stored bytes that has no sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The end.
    All,
    /// A sequence that is cut.
    Cut,
    /// The two characters that a string sequence begins with.
    String,
    /// A sequence of this number of bytes.
    Sequence(usize),
}

impl StoredUnits {
    #[cfg(feature = "documents")]
    pub(crate) fn of(layout: Layout) -> StoredUnits {
        match layout.is_utf16() {
            true => StoredUnits::Utf16(layout),
            false => StoredUnits::Bytes,
        }
    }

    /// Returns the stored length of `units` units.
    pub(crate) fn len_of(self, units: usize) -> usize {
        match self {
            StoredUnits::Bytes => units,
            #[cfg(feature = "documents")]
            StoredUnits::Utf16(_) => 2 * units,
        }
    }

    /// Returns the complete units of stored bytes.
    fn units(self, stored: &[u8]) -> impl Iterator<Item = u16> {
        let len = self.len_of(1);
        stored.chunks_exact(len).map(move |unit| match (self, unit) {
            #[cfg(feature = "documents")]
            (StoredUnits::Utf16(layout), [a, b]) => layout.unit([*a, *b]),
            (_, unit) => unit[0].into(),
        })
    }

    /// Returns the offset of the first ESC from `from` on that may begin a control sequence, or a string sequence if
    /// the text has some.
    fn escape(self, stored: &[u8], mut from: usize, has_strings: bool) -> Option<usize> {
        if !has_strings {
            // Nearly all of them switch between encodings.
            let rest = stored.get(from..)?;
            let at = memchr::memmem::find(rest, &[ESC, b'[']);
            let at = at.or_else(|| rest.len().checked_sub(1).filter(|at| rest[*at] == ESC))?;
            return Some(from + at);
        }
        loop {
            let at = from + memchr::memchr(ESC, stored.get(from..)?)?;
            let unit = at - at % self.len_of(1);
            if self.units(&stored[unit..]).next() == Some(ESC.into()) {
                return Some(unit);
            }
            from = at + 1;
        }
    }

    /// Returns the start of the first control sequence that may be removed, or of an `ESC` at the end.
    #[cfg(feature = "documents")]
    pub(crate) fn next_sequence(
        self,
        stored: &[u8],
        is_last: bool,
        has_strings: bool,
    ) -> Option<usize> {
        let mut from = 0;
        loop {
            let at = self.escape(stored, from, has_strings)?;
            match Sequence::of(self.units(&stored[at..])) {
                Sequence::Whole(_) => return Some(at),
                Sequence::Cut if !is_last => return Some(at),
                Sequence::Cut | Sequence::None => from = at + self.len_of(1),
            }
        }
    }

    /// Returns the offset of the first sequence, and the sequence.
    pub(super) fn piece(self, stored: &[u8], is_last: bool, has_strings: bool) -> (usize, Piece) {
        let mut from = 0;
        while let Some(at) = self.escape(stored, from, has_strings) {
            match Sequence::of(self.units(&stored[at..])) {
                Sequence::Whole(len) => return (at, Piece::Sequence(self.len_of(len))),
                Sequence::Cut if !is_last => return (at, Piece::Cut),
                Sequence::Cut | Sequence::None => {}
            }
            if has_strings && self.units(&stored[at..]).nth(1).is_some_and(begins_string) {
                return (at, Piece::String);
            }
            from = at + self.len_of(1);
        }
        (stored.len(), Piece::All)
    }

    /// Returns `true` if a sequence between the text and the bytes after it separates the two; `None` if more bytes are
    /// needed.
    pub(super) fn separates(self, text: &[u8], stored: &[u8], is_last: bool) -> Option<bool> {
        match text.last() {
            Some(&ESC) => return Some(true),
            Some(last) if last.is_ascii_alphanumeric() => {}
            _ => return Some(false),
        }
        let mut units = self.units(stored).map(|unit| u8::try_from(unit).unwrap_or(0xFF));
        for wanted in b"http" {
            match units.next() {
                Some(unit) if unit.eq_ignore_ascii_case(wanted) => {}
                None if !is_last => return None,
                _ => return Some(false),
            }
        }
        let mut units = units.peekable();
        let _ = units.next_if(|unit| unit.eq_ignore_ascii_case(&b's'));
        for wanted in b"://" {
            match units.next() {
                Some(unit) if unit == *wanted => {}
                None if !is_last => return None,
                _ => return Some(false),
            }
        }
        Some(true)
    }
}

/// Returns `true` if a string sequence begins with this byte after its ESC: OSC, DCS, SOS, PM, APC.
fn begins_string(unit: u16) -> bool {
    matches!(u8::try_from(unit), Ok(b']' | b'P' | b'X' | b'^' | b'_'))
}

/// Offset in the text of the last string sequence.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StringAt(Option<NonZeroUsize>);

impl StringAt {
    pub(super) fn open(&mut self, end: usize) {
        self.0 = NonZeroUsize::new(end);
    }

    /// Returns `true` if it reaches the end of the text.
    pub(super) fn is_open(self, text: Chunk<'_>) -> bool {
        let string = self.0.map(|at| text.from(at.get()));
        string.is_some_and(|string| memchr::memchr3(BEL, b'\n', ESC, string).is_none())
    }

    pub(super) fn close(&mut self) {
        self.0 = None;
    }
}
