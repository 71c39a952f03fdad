//! Encodings by the numbers of Windows code pages, and bytes of an encoding as text with its source map.

use std::borrow::Cow;

use super::legacy::LegacyDecoder;
use crate::charset::Charset;
use crate::source_map::{MappedText, SourceMap};

impl Charset {
    /// Returns the encoding of a Windows code page; `None` for those that the WHATWG standard does not have.
    pub(crate) fn of_code_page(number: u32) -> Option<Charset> {
        let encoding = match number {
            866 => encoding_rs::IBM866,
            874 => encoding_rs::WINDOWS_874,
            932 => encoding_rs::SHIFT_JIS,
            936 => encoding_rs::GBK,
            949 | 51949 => encoding_rs::EUC_KR,
            950 => encoding_rs::BIG5,
            1200 => encoding_rs::UTF_16LE,
            1201 => encoding_rs::UTF_16BE,
            10000 => encoding_rs::MACINTOSH,
            10007 => encoding_rs::X_MAC_CYRILLIC,
            20866 => encoding_rs::KOI8_R,
            20932 | 51932 => encoding_rs::EUC_JP,
            21866 => encoding_rs::KOI8_U,
            50220..=50222 => encoding_rs::ISO_2022_JP,
            54936 => encoding_rs::GB18030,
            65001 => encoding_rs::UTF_8,
            1250..=1258 => return format!("windows-{number}").parse().ok(),
            // ISO 8859 in the order of its parts.
            28591..=28606 => return format!("iso-8859-{}", number - 28590).parse().ok(),
            _ => return None,
        };
        Some(Charset::of(encoding))
    }

    /// Returns bytes of this encoding as text, with malformed sequences as U+FFFD, and its map.
    pub(crate) fn mapped(self, bytes: &[u8]) -> MappedText<'_> {
        let layout = self.layout().filter(|layout| layout.is_utf16() || !bytes.is_ascii());
        let Some(layout) = layout else {
            return match std::str::from_utf8(bytes) {
                Ok(text) => MappedText::copy(Cow::Borrowed(text), 0),
                Err(_) => MappedText::well_formed(bytes, None, 0),
            };
        };
        let (mut text, mut map) = (Vec::new(), SourceMap::default());
        let mut decoding = LegacyDecoder::new(self.encoding(), layout);
        decoding.decode(bytes, 0, true, &mut text, &mut map);
        match String::from_utf8(text) {
            Ok(text) => MappedText { text: Cow::Owned(text), map: Some(map), start: 0 },
            Err(error) => MappedText::well_formed(error.as_bytes(), Some(&map), 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_pages_by_number() {
        for (number, name) in [
            (1251, "windows-1251"),
            (28592, "iso-8859-2"),
            (932, "shift_jis"),
            (65001, "utf-8"),
            (1361, ""),
            (437, ""),
            (28602, ""),
        ] {
            let found = Charset::of_code_page(number).map_or("", Charset::as_str);
            assert_eq!(found, name, "{number}");
        }
    }

    #[test]
    fn bytes_with_a_map() {
        let text = Charset::of_code_page(932).unwrap().mapped(b"a\x83e\xFF.");
        assert_eq!(text.text, "a\u{30C6}\u{FFFD}.");
        assert_eq!(
            [0..1, 1..4, 4..7, 7..8].map(|range| text.range(range)),
            [0..1, 1..3, 3..4, 4..5]
        );
        let utf8 = Charset::UTF_8.mapped("é".as_bytes());
        assert_eq!((&*utf8.text, utf8.range(0..2)), ("é", 0..2));
    }
}
