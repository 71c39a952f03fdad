//! Escapes of spreadsheets: what stands for a character in a cell of SpreadsheetML.

use super::Rules;
use super::html::{ResolvedReference, reference_at};

/// Reads the reference of XML or the escape `_x000D_` (ISO/IEC 29500-1 §22.9.2.19) that the bytes begin with.
pub(super) fn in_cell(bytes: &[u8]) -> Option<(ResolvedReference, usize)> {
    if bytes.first() != Some(&b'_') {
        return reference_at(bytes, 0, Rules::Xml);
    }
    let unit = |bytes: &[u8]| {
        let digits = std::str::from_utf8(bytes.strip_prefix(b"_x")?.get(..4)?).ok()?;
        let is_unit = bytes.get(6) == Some(&b'_') && digits.bytes().all(|b| b.is_ascii_hexdigit());
        is_unit.then(|| u16::from_str_radix(digits, 16).ok())?
    };
    let first = unit(bytes)?;
    let second = bytes.get(7..).and_then(unit);
    let mut both = char::decode_utf16([first].into_iter().chain(second));
    Some(match both.next()? {
        Ok(c) => (ResolvedReference::Character(c), 7 * c.len_utf16()),
        Err(_) => (ResolvedReference::Character(char::REPLACEMENT_CHARACTER), 7),
    })
}
