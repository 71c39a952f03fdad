//! Offsets in other units than bytes: what Python, JavaScript and editors count in.
//!
//! Takes a text and offsets in its UTF-8 or UTF-16, best in order; gives the same places
//! in characters (Unicode scalar values) or in units of UTF-16, and back. Only what lies between one
//! offset and the next is looked at, by a loop without branches that compilers make vectors of.

use std::ops::Range;

use crate::codes::coded;

coded! {
    /// The unit that offsets count. Default: `Bytes`.
    ///
    /// ```
    /// use linksift::offsets::Unit;
    ///
    /// assert_eq!("utf16".parse(), Ok(Unit::Utf16));
    /// ```
    pub enum Unit in "linksift::offsets" default Bytes {
        /// Bytes of UTF-8, as Rust, C and Go count.
        Bytes = "bytes",
        /// Characters: Unicode scalar values, as Python counts.
        Chars = "chars",
        /// Units of UTF-16, as JavaScript, Java and the Language Server Protocol count.
        Utf16 = "utf16",
    }
}

impl Unit {
    /// How many units begin in these bytes of UTF-8, wherever they are cut.
    pub(crate) fn count(self, bytes: &[u8]) -> usize {
        match self {
            Unit::Bytes => bytes.len(),
            Unit::Chars => count(bytes, is_first),
            Unit::Utf16 => count(bytes, |byte| is_first(byte) + is_first_of_four(byte)),
        }
    }

    /// How many units the character has that begins with this byte; none if it goes on there.
    fn width(self, byte: u8) -> usize {
        self.count(&[byte])
    }
}

/// 1 for the first byte of a character.
#[inline(always)]
fn is_first(byte: u8) -> u8 {
    u8::from(byte & 0xC0 != 0x80)
}

/// 1 for the first byte of a character beyond U+FFFF: two units of UTF-16.
#[inline(always)]
fn is_first_of_four(byte: u8) -> u8 {
    u8::from(byte >= 0xF0) & u8::from(byte < 0xF5)
}

/// Encoding in which a text is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextStorage {
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl TextStorage {
    /// Returns the unit of UTF-16 that begins at an even byte; `None` if the text ends in it.
    fn unit(self, text: &[u8], byte: usize) -> Option<u16> {
        let unit = *text.get(byte..)?.first_chunk::<2>()?;
        Some(match self {
            TextStorage::Utf16Be => u16::from_be_bytes(unit),
            _ => u16::from_le_bytes(unit),
        })
    }

    /// Returns `true` if the unit at an even byte is the second half of a character.
    fn is_second(self, text: &[u8], byte: usize) -> bool {
        let is = |byte: Option<usize>, halves: u16| {
            let unit = byte.and_then(|byte| self.unit(text, byte));
            unit.is_some_and(|unit| unit & 0xFC00 == halves)
        };
        is(Some(byte), 0xDC00) && is(byte.checked_sub(2), 0xD800)
    }

    /// Returns the number of units that begin in a range of a text in UTF-16.
    fn count(self, text: &[u8], bytes: Range<usize>, unit: Unit) -> usize {
        let [start, end] = [bytes.start, bytes.end].map(|byte| byte.div_ceil(2));
        match unit {
            Unit::Bytes => bytes.len(),
            Unit::Utf16 => end - start,
            Unit::Chars => (start..end).filter(|at| !self.is_second(text, 2 * at)).count(),
        }
    }
}

/// Bytes whose counts, each at most 2, fit into one byte.
const PIECE: usize = 96;

#[inline(always)]
fn count(bytes: &[u8], of: impl Fn(u8) -> u8) -> usize {
    let sum = |piece: &[u8]| piece.iter().fold(0_u8, |sum, byte| sum + of(*byte));
    let (pieces, rest) = bytes.as_chunks::<PIECE>();
    let whole: usize = pieces.iter().map(|piece| usize::from(sum(piece))).sum();
    whole + usize::from(sum(rest))
}

/// Turns byte offsets of one text into offsets in another unit, and back.
///
/// Made for offsets that go forward, as those of links do: a conversion looks at what lies between it and the
/// one before. One that goes back is right too, and looks at what it goes back over.
///
/// ```
/// use linksift::offsets::{Offsets, Unit};
///
/// let text = "🦀 見て http://例え.jp/ と example.com";
/// let (mut chars, mut units) = (Offsets::new(text, Unit::Chars), Offsets::new(text, Unit::Utf16));
/// let found: Vec<_> = linksift::links(text)
///     .map(|link| (link.range(), chars.range(link.range()), units.range(link.range())))
///     .collect();
/// assert_eq!(found, [(12..29, 5..18, 6..19), (34..45, 21..32, 22..33)]);
/// ```
#[derive(Clone, Debug)]
pub struct Offsets<'t> {
    text: &'t [u8],
    stored: TextStorage,
    unit: Unit,
    /// The place that was asked for last, in bytes and in the unit.
    byte: usize,
    offset: usize,
}

impl<'t> Offsets<'t> {
    /// Offsets of `text` in `unit`: a `str`, or bytes that should be UTF-8. In malformed bytes, one that cannot
    /// begin a character counts with the byte before it. For UTF-16 see [`utf16le`](Offsets::utf16le); a text in another encoding
    /// has to be decoded first.
    ///
    /// ```
    /// use linksift::offsets::{Offsets, Unit};
    ///
    /// assert_eq!(Offsets::new("é🦀", Unit::Chars).of_byte(6), 2);
    /// assert_eq!(Offsets::new("é🦀".as_bytes(), Unit::Utf16).of_byte(6), 3);
    /// assert_eq!(Offsets::new(b"a\x80b", Unit::Chars).of_byte(3), 2);
    /// ```
    pub fn new<T: AsRef<[u8]> + ?Sized>(text: &'t T, unit: Unit) -> Offsets<'t> {
        let text = text.as_ref();
        Offsets { text, stored: TextStorage::Utf8, unit, byte: 0, offset: 0 }
    }

    /// Offsets of a text that is stored in UTF-16, little-endian; its byte order mark is a character.
    ///
    /// ```
    /// use linksift::offsets::{Offsets, Unit};
    ///
    /// let text: Vec<u8> = "é🦀b".encode_utf16().flat_map(u16::to_le_bytes).collect();
    /// assert_eq!(Offsets::utf16le(&text, Unit::Utf16).of_byte(6), 3);
    /// assert_eq!(Offsets::utf16le(&text, Unit::Chars).of_byte(6), 2);
    /// ```
    pub fn utf16le(text: &'t [u8], unit: Unit) -> Offsets<'t> {
        Offsets { stored: TextStorage::Utf16Le, ..Offsets::new(text, unit) }
    }

    /// Offsets of a text that is stored in UTF-16, big-endian; its byte order mark is a character.
    ///
    /// ```
    /// use linksift::offsets::{Offsets, Unit};
    ///
    /// let text: Vec<u8> = "é🦀b".encode_utf16().flat_map(u16::to_be_bytes).collect();
    /// assert_eq!(Offsets::utf16be(&text, Unit::Chars).to_byte(2), 6);
    /// ```
    pub fn utf16be(text: &'t [u8], unit: Unit) -> Offsets<'t> {
        Offsets { stored: TextStorage::Utf16Be, ..Offsets::new(text, unit) }
    }

    fn count(&self, bytes: Range<usize>) -> usize {
        match self.stored {
            TextStorage::Utf8 => self.unit.count(&self.text[bytes]),
            stored => stored.count(self.text, bytes, self.unit),
        }
    }

    /// How many units there are before this byte; inside a character, to the end of that character.
    /// After the text's end it is the text's length.
    ///
    /// ```
    /// use linksift::offsets::{Offsets, Unit};
    ///
    /// let mut offsets = Offsets::new("aé🦀b", Unit::Utf16);
    /// assert_eq!([1, 3, 7, 8, 99].map(|byte| offsets.of_byte(byte)), [1, 2, 4, 5, 5]);
    /// assert_eq!(offsets.of_byte(0), 0);
    /// ```
    pub fn of_byte(&mut self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        match byte >= self.byte {
            true => self.offset += self.count(self.byte..byte),
            false => self.offset -= self.count(byte..self.byte),
        }
        self.byte = byte;
        self.offset
    }

    /// Returns a range of bytes in the unit: both ends as [`of_byte`](Offsets::of_byte) has them.
    ///
    /// ```
    /// use linksift::offsets::{Offsets, Unit};
    ///
    /// let text = "见 http://例子.cn/";
    /// let link = linksift::links(text).next().unwrap();
    /// assert_eq!(link.range(), 4..21);
    /// assert_eq!(Offsets::new(text, Unit::Chars).range(link.range()), 2..15);
    /// ```
    pub fn range(&mut self, bytes: Range<usize>) -> Range<usize> {
        let start = self.of_byte(bytes.start);
        start..self.of_byte(bytes.end)
    }

    /// Returns the byte at which the character with this unit begins; the text's length if the text has fewer units.
    ///
    /// For offsets that come from outside, such as an edit: [`Composer::edit`](crate::html::Composer::edit)
    /// takes bytes. An offset before the last one is counted from the text's start.
    ///
    /// ```
    /// use linksift::offsets::{Offsets, Unit};
    ///
    /// let mut offsets = Offsets::new("aé🦀b", Unit::Utf16);
    /// assert_eq!([0, 1, 2, 3, 4, 5, 99].map(|unit| offsets.to_byte(unit)), [0, 1, 3, 3, 7, 8, 8]);
    /// ```
    pub fn to_byte(&mut self, offset: usize) -> usize {
        if offset < self.offset {
            (self.byte, self.offset) = (0, 0);
        }
        if self.stored != TextStorage::Utf8 {
            return self.byte_in_utf16(offset);
        }
        let bytes = self.text;
        let pieces = bytes[self.byte..].as_chunks::<PIECE>().0;
        for piece in pieces {
            let units = self.unit.count(piece);
            if self.offset + units > offset {
                break;
            }
            self.byte += PIECE;
            self.offset += units;
        }
        for &byte in &bytes[self.byte..] {
            let width = self.unit.width(byte);
            if width > 0 && self.offset + width > offset {
                break;
            }
            self.byte += 1;
            self.offset += width;
        }
        self.byte
    }

    fn byte_in_utf16(&mut self, offset: usize) -> usize {
        let len = self.text.len();
        if self.unit == Unit::Bytes {
            self.byte = offset.min(len);
        }
        // The last place may be inside a unit, which is counted.
        let mut byte = self.byte.next_multiple_of(2).min(len);
        while self.unit != Unit::Bytes && byte < len {
            let end = (byte + 2).min(len);
            let width = self.count(byte..end);
            if self.offset + width > offset {
                // The second half of a character begins with the first.
                let is_second = self.stored.is_second(self.text, byte);
                return byte - 2 * usize::from(is_second);
            }
            (byte, self.byte) = (end, end);
            self.offset += width;
        }
        if self.unit == Unit::Bytes {
            self.offset = self.byte;
        }
        self.byte
    }
}
