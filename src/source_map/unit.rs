//! Units: how many bytes the characters of a text take where they are stored.
//!
//! In most encodings that follows from the character, so that a run of text needs no table of offsets:
//! the bytes between two of its offsets are counted from its characters.

use super::replay::Replay;

/// How the characters of a segment are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoredUnit {
    /// As they are in the text: each byte of it is one stored byte.
    Copied,
    /// All of them are one piece of so many stored bytes, which has no inner offsets.
    Whole(usize),
    /// Each in so many bytes.
    Each(u8),
    /// ASCII in one byte, the others in two.
    Double,
    /// As `Double`, but U+0080 and halfwidth katakana are in one byte too.
    ShiftJis,
    /// Two bytes for each unit of UTF-16.
    Utf16,
    /// Encoded, so that its bytes have to be decoded again to find one: by [`SourceMap::byte`](super::SourceMap::byte)
    /// alone.
    Replayed(Replay),
}

impl StoredUnit {
    /// The stored bytes of `text`: whole characters at the beginning of a segment, or further on in it if
    /// it is no [`Whole`](StoredUnit::Whole) one.
    pub(super) fn stored_len(self, text: &[u8]) -> usize {
        match self {
            StoredUnit::Copied => text.len(),
            StoredUnit::Whole(_) if text.is_empty() => 0,
            StoredUnit::Whole(len) => len,
            unit => decoded::stored_len(unit, text),
        }
    }
}

/// A malformed sequence of `len` stored bytes, 1 to 4, as it is in decoded text: one byte that UTF-8 does
/// not have, which ends every link and from which the length can be told.
pub(crate) fn malformed(len: u8) -> u8 {
    decoded::MALFORMED + len.clamp(1, 4)
}

/// Returns the unit of an encoding.
mod decoded {
    use super::StoredUnit;

    /// Malformed sequences are this and their length.
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

    /// The stored length where ASCII has one byte and all else two, but for malformed sequences.
    fn double_len(text: &[u8]) -> usize {
        sum(text, |byte| match byte {
            0..0x80 => 1,
            0x80..0xC0 => 0,
            0xC0..=MALFORMED => 2,
            _ => byte - MALFORMED,
        })
    }

    /// The sum of what `of` says of each byte, 4 at most. In small sums, which many bytes are added to at a
    /// time.
    #[inline(always)]
    fn sum(text: &[u8], of: impl Fn(u8) -> u8) -> usize {
        const CHUNK: usize = 32;
        let sum = |bytes: &[u8]| bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(of(*byte)));
        let (chunks, rest) = text.as_chunks::<CHUNK>();
        chunks.iter().map(|chunk| usize::from(sum(chunk))).sum::<usize>() + usize::from(sum(rest))
    }

    /// The non-ASCII characters that Shift_JIS has in one byte: U+0080, U+FF61 to U+FF9F.
    fn single_bytes(text: &[u8]) -> usize {
        let is_single = |at: usize| match text[at..] {
            [0xC2, 0x80, ..] | [0xEF, 0xBD, 0xA1..=0xBF, ..] => true,
            [0xEF, 0xBE, third, ..] => (0x80..=0x9F).contains(&third),
            _ => false,
        };
        memchr::memchr2_iter(0xC2, 0xEF, text).filter(|&at| is_single(at)).count()
    }
}
