//! Units: the number of stored bytes of the characters of a text.
//!
//! In most encodings the number follows from the character, so that a run of text needs no table of offsets: the stored
//! bytes between two offsets are counted from its characters.

use super::replay::Replay;

/// Stored form of the characters of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoredUnit {
    /// Unchanged: each byte of the text is one stored byte.
    Copied,
    /// All of them are one piece of this many stored bytes, without inner offsets.
    Whole(usize),
    /// Each in this many bytes.
    Each(u8),
    /// ASCII in one byte, the others in two.
    Double,
    /// As `Double`, but U+0080 and halfwidth katakana are in one byte too.
    ShiftJis,
    /// Two bytes for each unit of UTF-16.
    Utf16,
    /// Encoded, so that its bytes have to be decoded again to find one: only for
    /// [`SourceMap::byte`](super::SourceMap::byte).
    Replayed(Replay),
}

impl StoredUnit {
    /// Returns the number of stored bytes of `text`: complete characters at the beginning of a segment, or later in it if
    /// it is not a [`Whole`](StoredUnit::Whole) one.
    pub(super) fn stored_len(self, text: &[u8]) -> usize {
        match self {
            StoredUnit::Copied => text.len(),
            StoredUnit::Whole(_) if text.is_empty() => 0,
            StoredUnit::Whole(len) => len,
            unit => decoded::stored_len(unit, text),
        }
    }
}

/// Returns the byte that represents a malformed sequence of `len` stored bytes, 1 to 4, in decoded text. It is a byte that
/// UTF-8 does not have, so that it ends every link, and it determines the length.
pub(crate) fn malformed(len: u8) -> u8 {
    decoded::MALFORMED + len.clamp(1, 4)
}

/// Returns the unit of an encoding.
mod decoded {
    use super::StoredUnit;

    /// Base of the bytes for malformed sequences, to which their length is added.
    pub(super) const MALFORMED: u8 = 0xF8;

    pub(super) fn stored_len(unit: StoredUnit, text: &[u8]) -> usize {
        match unit {
            StoredUnit::Copied | StoredUnit::Whole(_) | StoredUnit::Replayed(_) => text.len(),
            StoredUnit::Each(n) => sum(text, |byte| match byte {
                0x80..0xC0 => 0,
                0..=MALFORMED => n,
                _ => byte - MALFORMED,
            }),
            StoredUnit::Double => double_len(text),
            StoredUnit::ShiftJis => double_len(text).saturating_sub(single_bytes(text)),
            StoredUnit::Utf16 => sum(text, |byte| match byte {
                0x80..0xC0 => 0,
                // Two units are a character of four bytes.
                0xF0..=0xF4 => 4,
                0..=MALFORMED => 2,
                _ => byte - MALFORMED,
            }),
        }
    }

    /// Returns the stored length if ASCII has one byte and all other characters have two, except for malformed sequences.
    fn double_len(text: &[u8]) -> usize {
        sum(text, |byte| match byte {
            0..0x80 => 1,
            0x80..0xC0 => 0,
            0xC0..=MALFORMED => 2,
            _ => byte - MALFORMED,
        })
    }

    /// Returns the sum of `of` for each byte, which is at most 4. The partial sums fit in bytes, so that many are added at
    /// a time.
    #[inline(always)]
    fn sum(text: &[u8], of: impl Fn(u8) -> u8) -> usize {
        const CHUNK: usize = 32;
        let sum = |bytes: &[u8]| bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(of(*byte)));
        let (chunks, rest) = text.as_chunks::<CHUNK>();
        chunks.iter().map(|chunk| usize::from(sum(chunk))).sum::<usize>() + usize::from(sum(rest))
    }

    /// Returns the number of non-ASCII characters that Shift_JIS has in one byte: U+0080, U+FF61 to U+FF9F.
    fn single_bytes(text: &[u8]) -> usize {
        let is_single = |at: usize| match text[at..] {
            [0xC2, 0x80, ..] | [0xEF, 0xBD, 0xA1..=0xBF, ..] => true,
            [0xEF, 0xBE, third, ..] => (0x80..=0x9F).contains(&third),
            _ => false,
        };
        memchr::memchr2_iter(0xC2, 0xEF, text).filter(|&at| is_single(at)).count()
    }
}
