//! Byte order marks: detects the encoding of a byte order mark (Encoding Standard §6, "BOM sniff").

/// Encoding that a document's first bytes declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bom {
    Utf8,
    Utf16Be,
    Utf16Le,
}

/// Returns the encoding of the byte order mark with which `start` begins.
pub(super) fn sniff(start: &[u8]) -> Option<Bom> {
    match start {
        [0xEF, 0xBB, 0xBF, ..] => Some(Bom::Utf8),
        [0xFE, 0xFF, ..] => Some(Bom::Utf16Be),
        [0xFF, 0xFE, ..] => Some(Bom::Utf16Le),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_marks_and_nothing_shorter() {
        assert_eq!(sniff(b"\xEF\xBB\xBFa"), Some(Bom::Utf8));
        assert_eq!(sniff(b"\xFE\xFF"), Some(Bom::Utf16Be));
        assert_eq!(sniff(b"\xFF\xFE\0\0"), Some(Bom::Utf16Le), "UTF-32 is none of the standard's");
        for none in [&b""[..], b"\xEF\xBB", b"\xFE", b"\xFF", b"a\xEF\xBB\xBF"] {
            assert_eq!(sniff(none), None);
        }
    }
}
