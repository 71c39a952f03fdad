//! Lines and columns, counted only as far as someone asks.
//!
//! What comes in are stored bytes and offsets that never go back; what goes out are positions. A
//! line ends at LF, CR LF or CR.

use std::ops::Range;

use crate::link::Position;
use crate::scan::simd::signs::{BLOCK, Masks, Plain};

/// How a line end is stored.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum LineEnds {
    /// The bytes 0A and 0D, wherever they stand.
    #[default]
    Bytes,
    /// Units of UTF-16, in this byte order.
    #[cfg(feature = "charset")]
    Utf16(fn([u8; 2]) -> u16),
    /// The bytes 0A and 0D, but for where they are half of a character.
    #[cfg(feature = "charset")]
    Iso2022Jp,
}

/// Counts lines from one asked offset to the next.
#[derive(Clone, Debug)]
pub(crate) struct LineCounter {
    ends: LineEnds,
    /// ISO-2022-JP: the bytes stand for characters of two bytes; and the last two bytes counted.
    #[cfg(feature = "charset")]
    in_pairs: bool,
    #[cfg(feature = "charset")]
    escape: [u8; 2],
    /// All before this offset of the whole input is counted.
    done: usize,
    line: u64,
    line_start: usize,
    /// The last byte counted was a CR: an LF right behind it is the same line end.
    after_cr: bool,
    /// No CR stands between what is counted and this offset: links are close to each other, and most
    /// documents have none at all.
    free_of_cr: usize,
}

impl LineCounter {
    pub(crate) fn new(ends: LineEnds) -> LineCounter {
        LineCounter {
            ends,
            #[cfg(feature = "charset")]
            in_pairs: false,
            #[cfg(feature = "charset")]
            escape: [0; 2],
            done: 0,
            line: 1,
            line_start: 0,
            after_cr: false,
            free_of_cr: 0,
        }
    }

    /// The position of `offset`; `bytes` begin at `base` in the whole input and reach from what is
    /// counted already to `offset` at least.
    pub(crate) fn position(&mut self, bytes: &[u8], base: usize, offset: usize) -> Position {
        self.advance(bytes, base, offset);
        // A CR LF that is cut by the offset: the LF still belongs to the line before it.
        Position { line: self.line, column: (offset - self.line_start.min(offset)) as u64 + 1 }
    }

    /// Counts all before `offset`.
    pub(crate) fn advance(&mut self, bytes: &[u8], base: usize, offset: usize) {
        if offset <= self.done {
            return;
        }
        let from = self.done;
        let segment = &bytes[from - base..offset - base];
        self.done = offset;
        match self.ends {
            LineEnds::Bytes => match self.has_cr(bytes, base, from..offset) {
                true => self.count_all(segment, from),
                false => self.count_lf(&bytes[from - base..], offset - from, from),
            },
            #[cfg(feature = "charset")]
            LineEnds::Utf16(unit) => {
                for (n, pair) in segment.chunks_exact(2).enumerate() {
                    let unit = unit([pair[0], pair[1]]);
                    if unit <= 0x0D {
                        self.count_one(unit, from + 2 * n + 2);
                    }
                    self.after_cr = unit == 0x0D;
                }
            }
            #[cfg(feature = "charset")]
            LineEnds::Iso2022Jp => self.count_iso_2022_jp(segment, from),
        }
    }

    /// A unit that may be a line end; the line would begin at `start`.
    #[cfg(feature = "charset")]
    fn count_one(&mut self, unit: u16, start: usize) {
        if matches!(unit, 0x0A | 0x0D) {
            self.line += u64::from(unit == 0x0D || !self.after_cr);
            self.line_start = start;
        }
    }

    /// Line ends outside of the sets that have two bytes a character: there they are malformed.
    #[cfg(feature = "charset")]
    fn count_iso_2022_jp(&mut self, segment: &[u8], from: usize) {
        for (n, &byte) in segment.iter().enumerate() {
            match [self.escape[0], self.escape[1], byte] {
                [0x1B, b'$', b'@' | b'B'] => self.in_pairs = true,
                [0x1B, b'(', b'B' | b'J' | b'I'] => self.in_pairs = false,
                _ => {}
            }
            self.escape = [self.escape[1], byte];
            if !self.in_pairs {
                self.count_one(byte.into(), from + n + 1);
                self.after_cr = byte == b'\r';
            }
        }
    }

    /// Whether a CR stands in what is to be counted.
    fn has_cr(&mut self, bytes: &[u8], base: usize, segment: Range<usize>) -> bool {
        if self.free_of_cr < segment.end {
            let from = self.free_of_cr.max(segment.start);
            let rest = &bytes[from - base..];
            self.free_of_cr = from + memchr::memchr(b'\r', rest).unwrap_or(rest.len());
        }
        self.free_of_cr < segment.end
    }

    /// Counts `len` bytes, which are not all that is there.
    fn count_lf(&mut self, bytes: &[u8], len: usize, from: usize) {
        if self.after_cr && bytes[0] == b'\n' {
            self.line_start = from + 1;
            self.line -= 1;
        }
        self.after_cr = false;
        let (mut at, mut last) = (0, None);
        // Links are close to each other: what is between two is looked at by blocks, and what stands
        // behind it with the last of them, for to call for a search and to go on by bytes takes longer.
        while at < len.min(NEAR)
            && let Some(block) = bytes[at..].first_chunk()
        {
            let left = u32::try_from(len - at).unwrap_or(u32::MAX);
            let ends =
                Plain.same(block, b'\n') & 1_u32.checked_shl(left).map_or(u32::MAX, |bit| bit - 1);
            if ends != 0 {
                self.line += u64::from(ends.count_ones());
                last = Some(at + ends.ilog2() as usize);
            }
            at += BLOCK;
        }
        if at < len {
            let rest = &bytes[at..len];
            self.line += memchr::memchr_iter(b'\n', rest).count() as u64;
            last = memchr::memrchr(b'\n', rest).map(|last| at + last).or(last);
        }
        if let Some(last) = last {
            self.line_start = from + last + 1;
        }
    }

    fn count_all(&mut self, segment: &[u8], from: usize) {
        let before = if self.after_cr { b'\r' } else { 0 };
        let inner = segment.chunks(PIECE).zip(segment[1..].chunks(PIECE));
        self.line += ends(&[before], &segment[..1])
            + inner.map(|(befores, bytes)| ends(befores, bytes)).sum::<u64>();
        if let Some(last) = memchr::memrchr2(b'\n', b'\r', segment) {
            self.line_start = from + last + 1;
        }
        self.after_cr = segment.last() == Some(&b'\r');
    }
}

/// So far blocks are looked at one by one.
const NEAR: usize = 16 * BLOCK;
/// So many line ends are counted in a byte.
const PIECE: usize = 255;

/// How many of at most [`PIECE`] bytes end a line, given what stands before each of them. By neighbours
/// and not from one line end to the next: where each byte is one, that is slow. In bytes, for the
/// compiler makes vectors of it.
fn ends(befores: &[u8], bytes: &[u8]) -> u64 {
    let is_end = |before: u8, byte: u8| (byte == b'\r') | ((byte == b'\n') & (before != b'\r'));
    let pairs = befores.iter().zip(bytes);
    u64::from(pairs.map(|(before, byte)| u8::from(is_end(*before, *byte))).sum::<u8>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts one byte after the other.
    fn naive(bytes: &[u8], offset: usize) -> (u64, u64) {
        let (mut line, mut column) = (1, 1);
        for at in 0..offset {
            let ends = match bytes[at] {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n') || at + 1 == offset,
                _ => false,
            };
            if ends {
                line += 1;
                column = 1;
            } else {
                column += 1;
            }
        }
        (line, column)
    }

    #[test]
    fn agrees_with_a_naive_count_at_every_offset_and_from_every_offset() {
        for text in ["a\nb\r\nc\rd\n\n\r\r\ne", "\r\n\r\n", "\n\r", "no end", "\r", "x\r\ny\r\n\nz"]
        {
            let bytes = text.as_bytes();
            for first in 0..=bytes.len() {
                for second in first..=bytes.len() {
                    let mut lines = LineCounter::new(LineEnds::Bytes);
                    lines.advance(bytes, 0, first);
                    let position = lines.position(&bytes[first..], first, second);
                    assert_eq!(
                        (position.line, position.column),
                        naive(bytes, second),
                        "{text:?} {first} {second}"
                    );
                }
            }
        }
    }

    #[test]
    fn more_line_ends_are_counted_than_a_byte_holds() {
        let storm = "\r".repeat(2 * PIECE + 1) + &"\r\n".repeat(PIECE);
        for first in [0, 1, PIECE, 2 * PIECE + 1, 2 * PIECE + 2] {
            let mut lines = LineCounter::new(LineEnds::Bytes);
            lines.advance(storm.as_bytes(), 0, first);
            let position = lines.position(storm.as_bytes(), 0, storm.len());
            assert_eq!((position.line, position.column), (3 * PIECE as u64 + 2, 1), "{first}");
        }
    }

    #[test]
    fn near_and_far_are_counted_alike() {
        let text: String =
            (0..3 * NEAR).map(|n| if n % 7 == 3 || n % 64 == 0 { '\n' } else { 'a' }).collect();
        for first in [0, 1, BLOCK, NEAR + 1] {
            for len in (0..2 * BLOCK).chain(NEAR - 1..NEAR + 2 * BLOCK).chain([2 * NEAR - 2]) {
                let (end, mut lines) = (first + len, LineCounter::new(LineEnds::Bytes));
                lines.advance(text.as_bytes(), 0, first);
                for behind in [end, end + 1, text.len()] {
                    let position = lines.clone().position(&text.as_bytes()[..behind], 0, end);
                    assert_eq!((position.line, position.column), naive(text.as_bytes(), end));
                }
            }
        }
    }
}
