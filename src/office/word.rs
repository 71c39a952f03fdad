//! Word ([MS-DOC], and Word 6 and 95): the pieces of the text, in the order of the table of pieces.

use super::Unread;
use super::compound::{len_at, u16_at, u32_at, utf16};
use super::text::ParagraphText;
use crate::charset::Charset;

/// Identifiers of Word 2, of Word 6 and 95, and of later versions.
pub(super) const WORD_2: u16 = 0xA5DB;
const WORD_6: u16 = 0xA5DC;
const WORD_8: u16 = 0xA5EC;
/// First version of the format with a stream of tables.
const VERSION_8: u16 = 0xC1;

/// Bits of the header.
const IS_COMPLEX: u16 = 1 << 2;
const IS_ENCRYPTED: u16 = 1 << 8;
const IS_TABLE_1: u16 = 1 << 9;

/// Offsets of the place of the pieces in the header, of Word 97 and of Word 6.
const CLX_8: usize = 0x1A2;
const CLX_6: usize = 0x160;

/// Returns the text of a document; `table` returns the stream with this name.
///
/// # Errors
///
/// Returns an error if it is encrypted or damaged.
pub(super) fn read(
    document: &[u8],
    table: impl FnOnce(&str) -> Option<Vec<u8>>,
) -> Result<ParagraphText, Unread> {
    let header = |at| u16_at(document, at).ok_or(Unread::Damaged);
    let (magic, version, language, bits) = (header(0)?, header(2)?, header(6)?, header(10)?);
    if !matches!(magic, WORD_2 | WORD_6 | WORD_8) {
        return Err(Unread::Damaged);
    }
    if bits & IS_ENCRYPTED != 0 {
        return Err(Unread::Encrypted);
    }
    let mut text = ParagraphText::default();
    let charset = code_page_of(language);
    if version >= VERSION_8 {
        let name = if bits & IS_TABLE_1 != 0 { "1Table" } else { "0Table" };
        let table = table(name).ok_or(Unread::Damaged)?;
        let pieces = pieces(document, CLX_8, &table).ok_or(Unread::Damaged)?;
        push_pieces(&mut text, document, pieces, Charset::WINDOWS_1252);
        return Ok(text);
    }
    if bits & IS_COMPLEX != 0
        && let Some(pieces) = pieces(document, CLX_6, document)
    {
        let narrow = |piece: WordPiece| WordPiece { offset: piece.stored, is_wide: false, ..piece };
        push_pieces(&mut text, document, pieces.into_iter().map(narrow), charset);
        return Ok(text);
    }
    let range = len_at(document, 0x18).zip(len_at(document, 0x1C));
    let (start, end) = range.ok_or(Unread::Damaged)?;
    let bytes = document.get(start..end.min(document.len())).ok_or(Unread::Damaged)?;
    text.push_str(&charset.decode(bytes));
    Ok(text)
}

/// Piece of the text.
#[derive(Debug)]
struct WordPiece {
    /// Number of characters.
    len: usize,
    offset: usize,
    /// Offset as it is stored: in Word 6 without bits.
    stored: usize,
    is_wide: bool,
}

/// Returns the table of pieces, whose place the header of the document has at `at`.
fn pieces(document: &[u8], at: usize, table: &[u8]) -> Option<Vec<WordPiece>> {
    let (start, len) = (len_at(document, at)?, len_at(document, at + 4)?);
    let mut rest = table.get(start..start.checked_add(len)?.min(table.len()))?;
    // Properties of pieces precede it.
    while let [1, properties @ ..] = rest {
        let len = usize::from(u16_at(properties, 0)?);
        rest = properties.get(2 + len..)?;
    }
    let rest = rest.strip_prefix(&[2])?;
    let len = len_at(rest, 0)?.min(rest.len() - 4);
    let rest = &rest[4..4 + len];
    let count = len.checked_sub(4)? / 12;
    let piece = |number: usize| {
        let (first, end) = (len_at(rest, number * 4)?, len_at(rest, number * 4 + 4)?);
        let stored = u32_at(rest, (count + 1) * 4 + number * 8 + 2)?;
        let is_wide = stored & 1 << 30 == 0;
        let place = usize::try_from(stored & !(3 << 30)).ok()?;
        let offset = if is_wide { place } else { place / 2 };
        Some(WordPiece { len: end.checked_sub(first)?, offset, stored: place, is_wide })
    };
    Some((0..count).map_while(piece).collect())
}

/// Appends the text of pieces, which do not overlap: together they are not longer than the document.
fn push_pieces(
    text: &mut ParagraphText,
    document: &[u8],
    pieces: impl IntoIterator<Item = WordPiece>,
    charset: Charset,
) {
    let mut left = document.len();
    for piece in pieces {
        let len = if piece.is_wide { piece.len.saturating_mul(2) } else { piece.len };
        let rest = document.get(piece.offset..).unwrap_or_default();
        let bytes = &rest[..rest.len().min(len)];
        let Some(after) = left.checked_sub(bytes.len()) else {
            text.is_limited = true;
            break;
        };
        left = after;
        match piece.is_wide {
            true => text.push_str(&utf16(bytes)),
            false => text.push_str(&charset.decode(bytes)),
        }
    }
}

/// Returns the code page of a language of Word 6.
fn code_page_of(language: u16) -> Charset {
    let number = match language & 0x3FF {
        0x01 | 0x20 | 0x29 => 1256,
        0x02 | 0x19 | 0x22 | 0x23 | 0x2F => 1251,
        0x04 if matches!(language, 0x804 | 0x1004) => 936,
        0x04 => 950,
        0x05 | 0x0E | 0x15 | 0x18 | 0x1A | 0x1B | 0x1C | 0x24 => 1250,
        0x08 => 1253,
        0x0D => 1255,
        0x11 => 932,
        0x12 => 949,
        0x1E => 874,
        0x1F => 1254,
        0x25..=0x27 => 1257,
        _ => 1252,
    };
    Charset::of_code_page(number).unwrap_or(Charset::WINDOWS_1252)
}
