//! Escapes of spreadsheets: what stands for a character in a cell of SpreadsheetML, and the codes in the headers of sheets.

use super::Rules;
use super::html::{ResolvedReference, reference_at};
use super::json::{hexadecimal, of_surrogates};

/// Length in bytes of the escape of a code unit.
const UNIT: usize = 7;

/// Reads the reference of XML or the escape `_x000D_` (ISO/IEC 29500-1 §22.9.2.19) that the bytes begin with.
pub(super) fn in_cell(bytes: &[u8]) -> Option<(ResolvedReference, usize)> {
    if bytes.first() != Some(&b'_') {
        return reference_at(bytes, 0, Rules::Xml);
    }
    let unit = |bytes: &[u8]| {
        let digits = bytes.strip_prefix(b"_x")?.get(..4)?;
        hexadecimal(digits).filter(|_| bytes.get(6) == Some(&b'_'))
    };
    let first = unit(bytes)?;
    let second = bytes.get(UNIT..).and_then(unit);
    let both = second.and_then(|low| of_surrogates(first, low));
    let (c, len) = match both {
        Some(c) => (c, 2 * UNIT),
        None => (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), UNIT),
    };
    Some((ResolvedReference::Character(c), len))
}

/// Length in bytes of the longest code of a header that is read whole.
const LONGEST_CODE: usize = 48;

/// Returns the text of the header or footer of a sheet: its codes (ISO/IEC 29500-1 §18.3.1.39), which format it and divide it
/// into sections, end a line.
pub(crate) fn header_text(header: &str) -> String {
    let (mut text, mut rest) = (String::new(), header);
    while let Some((before, after)) = rest.split_once('&') {
        text.push_str(before);
        let characters = after.char_indices().map(|(at, c)| (c, at + c.len_utf8()));
        let (meaning, len) = code(characters.take(LONGEST_CODE)).unwrap_or(("&", 0));
        text.push_str(meaning);
        rest = &after[len..];
    }
    text.push_str(rest);
    text
}

/// Reads the reference of XML or the code of a header that the bytes begin with.
pub(super) fn in_header(bytes: &[u8]) -> Option<(ResolvedReference, usize)> {
    let (first, start) = reference_at(bytes, 0, Rules::Xml)?;
    if !matches!(first, ResolvedReference::Named("&") | ResolvedReference::Character('&')) {
        return Some((first, start));
    }
    let mut at = start;
    let characters = std::iter::from_fn(|| {
        let byte = *bytes.get(at).filter(|_| at < start + LONGEST_CODE)?;
        let (c, len) = match reference_at(bytes, at, Rules::Xml).filter(|_| byte == b'&') {
            Some((ResolvedReference::Character(c), len)) => (c, len),
            Some((ResolvedReference::Named(name), len)) => (name.chars().next()?, len),
            None => (char::from(byte), 1),
        };
        at += len;
        Some((c, at))
    });
    let (meaning, end) = code(characters).unwrap_or(("&", start));
    Some((ResolvedReference::Named(meaning), end))
}

/// Returns the meaning and the end of the code that comes after an ampersand, by its characters and their ends; `None` if there is
/// none.
fn code(characters: impl Iterator<Item = (char, usize)>) -> Option<(&'static str, usize)> {
    let mut characters = characters.peekable();
    let (first, mut end) = characters.next()?;
    let (is_part, most): (fn(char) -> bool, _) = match first {
        '&' => return Some(("&", end)),
        // A font.
        '"' => (|c| c != '"', LONGEST_CODE),
        // A color, or one of a theme with its tint.
        'K' => (|c| c.is_ascii_hexdigit() || matches!(c, '+' | '-'), 6),
        '0'..='9' => (|c| c.is_ascii_digit(), 2),
        'A'..='Z' | 'a'..='z' => (|_| false, 0),
        _ => return None,
    };
    for _ in 0..most {
        let Some((_, next)) = characters.next_if(|(c, _)| is_part(*c)) else { break };
        end = next;
    }
    let quote = characters.next_if(|(c, _)| first == '"' && *c == '"');
    Some(("\n", quote.map_or(end, |(_, end)| end)))
}
