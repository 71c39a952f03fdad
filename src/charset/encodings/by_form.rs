//! Detects encodings by their form: ISO-2022-JP, ASCII bytes with text between escape sequences, and UTF-16 without a byte
//! order mark.
//!
//! UTF-16 is detected in the byte order in which the units are text: no NUL, no lone surrogate, hardly any control character,
//! and some ASCII characters, far more than there would be in the other order. Machine code, images and tables of numbers do
//! not meet one of these conditions.

use std::mem;

use encoding_rs::{DecoderResult, Encoding, ISO_2022_JP, UTF_16BE, UTF_16LE};

/// Number of bytes that are examined.
const MOST: usize = 16 << 10;
/// Number of bytes that are enough to show that an archive or an image is not text in either order.
const FEW: usize = 512;

/// Returns the encoding for the byte order of UTF-16 text.
pub(super) fn utf16_without_mark(start: &[u8]) -> Option<&'static Encoding> {
    let start = &start[..start.len().min(MOST)];
    // Other text has no NUL, and all UTF-16 text has one, except for a single line of CJK.
    memchr::memchr(0, start)?;
    let few = &start[..start.len().min(FEW)];
    if is_wrong(few, u16::from_le_bytes) && is_wrong(few, u16::from_be_bytes) {
        return None;
    }
    let little = Units::of(units(start, u16::from_le_bytes));
    let big = Units::of(units(start, u16::from_be_bytes));
    let is_text = |units: &Units, other: &Units| units.is_text() && units.ascii >= 4 * other.ascii;
    match (is_text(&little, &big), is_text(&big, &little)) {
        (true, false) => Some(UTF_16LE),
        (false, true) => Some(UTF_16BE),
        _ => None,
    }
}

fn units(bytes: &[u8], order: fn([u8; 2]) -> u16) -> impl Iterator<Item = u16> {
    bytes.chunks_exact(2).map(move |pair| order([pair[0], pair[1]]))
}

/// Returns `true` if the bytes contain a unit that never occurs in text; the rest is not examined.
fn is_wrong(bytes: &[u8], order: fn([u8; 2]) -> u16) -> bool {
    let mut counts = Units::default();
    units(bytes, order).any(|unit| {
        counts.count(unit);
        counts.wrong > 0
    })
}

/// Counts of 16-bit units by class.
#[derive(Debug, Default)]
struct Units {
    all: usize,
    ascii: usize,
    /// Units that never occur in text.
    wrong: usize,
    /// Units that are rare in text: controls, private use, blocks of rare scripts.
    odd: usize,
    /// Whether the previous unit was the first half of a pair.
    is_after_high: bool,
}

impl Units {
    fn of(units: impl Iterator<Item = u16>) -> Units {
        let mut counts = Units::default();
        units.for_each(|unit| counts.count(unit));
        counts
    }

    fn count(&mut self, unit: u16) {
        self.all += 1;
        let is_low = matches!(unit, 0xDC00..=0xDFFF);
        self.wrong += usize::from(mem::take(&mut self.is_after_high) != is_low);
        match unit {
            0x09 | 0x0A | 0x0D | 0x20..=0x7E => self.ascii += 1,
            0xD800..=0xDBFF => self.is_after_high = true,
            0 | 0xFFFE | 0xFFFF | 0xFDD0..=0xFDEF => self.wrong += 1,
            // Latin to Indic scripts, Georgian, Hangul Jamo, Ethiopic, additions to Latin and Greek, punctuation and
            // symbols; kana, ideographs, Hangul, compatibility forms.
            0xA0..=0x07BF
            | 0x0900..=0x12FF
            | 0x1780..=0x17FF
            | 0x1E00..=0x22FF
            | 0x2500..=0x27BF
            | 0x3000..=0x33FF
            | 0x4E00..=0x9FFF
            | 0xAC00..=0xD7A3
            | 0xDC00..=0xDFFF
            | 0xF900..=0xFAFF
            | 0xFB00..=0xFDCF
            | 0xFDF0..=0xFDFF
            | 0xFE30..=0xFEFF
            | 0xFF01..=0xFFE6 => {}
            _ => self.odd += 1,
        }
    }

    /// At least two ASCII characters, and one in a hundred: all but the shortest texts have spaces between words and line
    /// ends.
    fn is_text(&self) -> bool {
        self.wrong == 0
            && self.odd * 100 <= self.all
            && self.ascii >= 2
            && self.ascii * 100 >= self.all
    }
}

const ESC: u8 = 0x1B;
/// Maximum number of bytes from the first escape sequence on that are decoded.
const MOST_ISO_2022_JP: usize = 64 << 10;

/// Returns `true` if a text without bytes above 0x7F, decoded from its first escape sequence on, has no errors and contains
/// Japanese. Terminals use other escape sequences.
pub(super) fn is_iso_2022_jp(ascii: &[u8]) -> bool {
    let mut escapes = memchr::memchr_iter(ESC, ascii);
    let Some(start) = escapes.find(|at| is_shift(&ascii[*at..])) else { return false };
    let rest = &ascii[start..];
    let text = &rest[..rest.len().min(MOST_ISO_2022_JP)];
    let mut decoder = ISO_2022_JP.new_decoder_without_bom_handling();
    let mut decoded = String::with_capacity(
        decoder
            .max_utf8_buffer_length_without_replacement(text.len())
            .unwrap_or(4 * MOST_ISO_2022_JP),
    );
    // A character that is cut at the end is not an error.
    let (result, _) = decoder.decode_to_string_without_replacement(text, &mut decoded, false);
    let is_japanese = |c: char| matches!(c, '\u{3001}'..='\u{9FFF}' | '\u{FF61}'..='\u{FF9F}');
    matches!(result, DecoderResult::InputEmpty) && decoded.contains(is_japanese)
}

/// Returns `true` for a sequence that selects another set than ASCII: JIS X 0208, or one half of JIS X 0201.
fn is_shift(bytes: &[u8]) -> bool {
    matches!(bytes, [ESC, b'$', b'@' | b'B', ..] | [ESC, b'(', b'J' | b'I', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn little(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    fn big(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    }

    #[test]
    fn text_of_many_scripts_in_both_orders() {
        for text in [
            "plain ASCII, see http://example.com/",
            "Привет, мир: http://пример.рф/",
            "今日は。\n二行目 http://例え.jp/ です。\n",
            "안녕하세요 여러분, 한국어입니다.\n",
            "שלום עולם http://example.com/",
            "emoji 😀 and 𝒳",
            "ok",
        ] {
            assert_eq!(utf16_without_mark(&little(text)), Some(UTF_16LE), "{text}");
            assert_eq!(utf16_without_mark(&big(text)), Some(UTF_16BE), "{text}");
        }
    }

    #[test]
    fn noise_is_no_text() {
        let mut elf = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0".to_vec();
        elf.extend([0; 40]);
        let mut seed = 1_u32;
        let mut dice = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        let noise: Vec<u8> = (0..4096).map(|_| dice()).collect();
        let quiet: Vec<u8> = (0..4096).flat_map(|_| [dice(), 0]).collect();
        let numbers: Vec<u8> = (0..2000_u32).flat_map(u32::to_le_bytes).collect();
        for bytes in [&elf[..], &noise, &quiet, &numbers, b"", b"\0", b"a\0", b"name\0value\0"] {
            assert_eq!(utf16_without_mark(bytes), None);
        }
    }

    #[test]
    fn escape_sequences_alone_are_not_enough() {
        assert!(is_iso_2022_jp(b"abc \x1B$B$3$s$K$A$O\x1B(B."));
        assert!(is_iso_2022_jp(b"\x1B$@$3$s$K"), "cut");
        assert!(is_iso_2022_jp(b"\x1B(I1234"));
        for none in [
            &b"plain"[..],
            b"\x1B[0;31mred\x1B[0m \x1B(B",
            b"\x1B(Jroman\x1B(B",
            b"\x1B$B\x1B$B\x1B$B",
            b"\x1B$B with spaces",
            b"\x1B$B",
            b"",
        ] {
            assert!(!is_iso_2022_jp(none), "{none:?}");
        }
    }
}
