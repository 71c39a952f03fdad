//! The content of an element in base64 (RFC 4648 §4), as Atom 0.3 may have it.

use std::borrow::Cow;

use crate::simd::base64::value;
use crate::source_map::SourceMap;

/// What base64 holds as text, malformed sequences as U+FFFD, and the map back into `text`: the places of
/// a character are those of the groups of four digits that it is in. Bytes that are no digits are passed
/// over, and the first padding ends it.
pub(crate) fn resolved(text: &str) -> (Cow<'_, str>, Option<SourceMap>) {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    // Where the groups begin and end, one for each three bytes.
    let mut groups: Vec<(usize, usize)> = Vec::with_capacity(text.len() / 4);
    let (mut bits, mut count, mut start) = (0_u32, 0, 0);
    for (at, digit) in text.bytes().enumerate().take_while(|(_, byte)| *byte != b'=') {
        let Some(value) = value(digit) else { continue };
        if count == 0 {
            start = at;
        }
        bits = bits << 6 | u32::from(value);
        count += 1;
        // The last group may have two or three digits.
        match groups.last_mut() {
            Some(last) if count > 1 => last.1 = at + 1,
            _ => groups.push((start, at + 1)),
        }
        if count == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, count) = (0, 0);
        }
    }
    let rest = (bits << (6 * (4 - count))).to_be_bytes();
    bytes.extend_from_slice(&rest[1..][..[0, 0, 1, 2][count & 3]]);
    placed(&bytes, &groups)
}

/// The text that the bytes are, with its map.
fn placed(bytes: &[u8], groups: &[(usize, usize)]) -> (Cow<'static, str>, Option<SourceMap>) {
    let mut out = String::with_capacity(bytes.len());
    let mut map = SourceMap::default();
    // The piece of the text that is not noted yet: where it begins, its first group and its last.
    let mut piece: Option<(usize, usize, usize)> = None;
    let mut note = |piece: Option<(usize, usize, usize)>| {
        let Some((text, first, last)) = piece else { return };
        if let (Some(first), Some(last)) = (groups.get(first), groups.get(last)) {
            map.replaced(text, first.0..last.1);
        }
    };
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        let malformed =
            (!chunk.invalid().is_empty()).then_some(('\u{FFFD}', chunk.invalid().len()));
        for (c, len) in chunk.valid().chars().map(|c| (c, c.len_utf8())).chain(malformed) {
            let (first, last) = (at / 3, (at + len - 1) / 3);
            piece = match piece {
                Some((text, begin, end)) if first <= end => Some((text, begin, last.max(end))),
                noted => {
                    note(noted);
                    Some((out.len(), first, last))
                }
            };
            out.push(c);
            at += len;
        }
    }
    note(piece);
    (Cow::Owned(out), Some(map))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_give_places() {
        for (text, wanted) in [
            ("", ""),
            ("eA", "x"),
            ("eHk=", "xy"),
            (" eH\n l6 eA==eHk=", "xyzx"),
            ("w6TDtg", "äö"),
            ("/3g", "\u{FFFD}x"),
            ("A", ""),
        ] {
            assert_eq!(resolved(text).0, wanted, "{text}");
        }
        let text = "YWJj\nZGVmZw==";
        let (out, map) = resolved(text);
        let map = map.unwrap();
        assert_eq!(out, "abcdefg");
        assert_eq!(map.range(out.as_bytes(), 0..3), 0..4);
        assert_eq!(map.range(out.as_bytes(), 1..4), 0..9);
        assert_eq!(map.range(out.as_bytes(), 6..7), 9..11);
    }
}
