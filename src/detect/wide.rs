//! Text whose characters are units of two or four bytes: its zeros are no NULs.

use crate::charset::{Charset, Detected};
use crate::detect::document::Disposition;

/// Units that are examined in a document without a byte order mark.
const UNITS: usize = 16;

/// Detects UTF-16 in bytes with zeros, and UTF-32, which no standard of the Web decodes.
pub(super) fn disposition(charset: Option<Charset>, head: &[u8]) -> Option<Disposition> {
    if is_utf32(head) {
        return Some(Disposition::Undecodable);
    }
    let is_text = charset.is_some_and(Charset::is_utf16)
        || Detected::of(head).is_ok_and(|detected| detected.charset().is_utf16());
    is_text.then_some(Disposition::Text)
}

/// By a byte order mark; or where the first characters are ASCII, each with three zeros.
fn is_utf32(head: &[u8]) -> bool {
    if head.len() >= 8 && [&b"\xFF\xFE\0\0"[..], b"\0\0\xFE\xFF"].contains(&&head[..4]) {
        return true;
    }
    let (units, _) = head.as_chunks::<4>();
    let units = &units[..units.len().min(UNITS)];
    let is_ascii = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7E);
    units.len() > 1
        && (units.iter().all(|unit| is_ascii(unit[0]) && unit[1..] == [0; 3])
            || units.iter().all(|unit| is_ascii(unit[3]) && unit[..3] == [0; 3]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_four_bytes_are_told() {
        let text = "see http://e.com/";
        let little: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        let big: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        for bytes in [little.clone(), big, [&b"\xFF\xFE\0\0"[..], &little].concat()] {
            assert_eq!(disposition(None, &bytes), Some(Disposition::Undecodable));
        }
    }

    #[cfg(feature = "documents")]
    #[test]
    fn units_of_two_bytes_are_text() {
        let text: Vec<u8> = "see http://e.com/".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(disposition(None, &text), Some(Disposition::Text));
        assert_eq!(disposition("utf-16le".parse().ok(), b"\0\x4E\0\x01"), Some(Disposition::Text));
        for bytes in [&b"\0"[..], b"a\0", b"\x01\0\0\0\x02\0\0\0", b"\xFF\xFE", b""] {
            assert_ne!(disposition(None, bytes), Some(Disposition::Undecodable), "{bytes:?}");
        }
    }
}
