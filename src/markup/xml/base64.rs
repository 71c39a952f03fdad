//! The content of an element in base64 (RFC 4648 §4), as Atom 0.3 may have it.

use crate::source_map::transfer::Base64;
use crate::source_map::{MappedText, PlacedBytes, SourceMap};

/// Decodes base64 to text, malformed sequences to U+FFFD, with the source map to `text`: the range of a character is that
/// of the groups of four digits that contain it. Bytes that are not digits are skipped, and the first padding ends the
/// data.
pub(crate) fn resolved(text: &str) -> MappedText<'static> {
    let (mut bytes, mut map) = (Vec::with_capacity(text.len() / 4 * 3), SourceMap::default());
    let digits = text.split('=').next().unwrap_or_default();
    let mut sink = PlacedBytes { out: &mut bytes, map: &mut map };
    Base64::default().step(digits.as_bytes(), 0, 0, &mut sink);
    MappedText::well_formed(&bytes, Some(&map), 0)
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
            assert_eq!(resolved(text).text, wanted, "{text}");
        }
        let text = "YWJj\nZGVmZw==";
        let out = resolved(text);
        assert_eq!(out.text, "abcdefg");
        assert_eq!([0..3, 1..4, 6..7].map(|range| out.range(range)), [0..4, 0..9, 9..11]);
        // Each letter has two bytes.
        let out = resolved("0L/RgNC4 0LLQtdGC");
        assert_eq!(out.text, "привет");
        assert_eq!(
            [0..2, 2..4, 4..6, 6..12].map(|range| out.range(range)),
            [0..4, 0..8, 4..8, 9..17]
        );
    }
}
