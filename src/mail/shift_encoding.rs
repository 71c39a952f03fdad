//! Shift encodings: ASCII up to a sequence after which ASCII bytes represent other characters (UTF-7, HZ, ISO-2022-KR
//! and ISO-2022-CN). The Encoding Standard does not decode them, and neither does linksift: the ASCII between the
//! shifts is scanned. A link that touches a shift is skipped, since its other characters are unknown.

use std::ops::Range;

/// Encoding that shifts between ASCII and other characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShiftEncoding {
    /// RFC 2152: `+`, base64, `-`.
    Utf7,
    /// RFC 1843: `~{` … `~}`.
    Hz,
    /// RFC 1557, RFC 1922: SO … SI, and escape sequences.
    Iso2022,
}

#[rustfmt::skip]
const LABELS: [(&str, ShiftEncoding); 13] = [
    ("utf-7", ShiftEncoding::Utf7), ("utf7", ShiftEncoding::Utf7), ("unicode-1-1-utf-7", ShiftEncoding::Utf7),
    ("x-unicode-2-0-utf-7", ShiftEncoding::Utf7), ("csunicode11utf7", ShiftEncoding::Utf7),
    ("hz-gb-2312", ShiftEncoding::Hz), ("hz", ShiftEncoding::Hz), ("chinese-hz", ShiftEncoding::Hz),
    ("iso-2022-kr", ShiftEncoding::Iso2022), ("csiso2022kr", ShiftEncoding::Iso2022),
    ("iso-2022-cn", ShiftEncoding::Iso2022), ("iso-2022-cn-ext", ShiftEncoding::Iso2022),
    ("replacement", ShiftEncoding::Iso2022),
];

const ESC: u8 = 0x1B;
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;
/// Length in bytes that is assumed for an escape sequence.
const SEQUENCE: usize = 4;

impl ShiftEncoding {
    /// Returns the encoding with this label.
    pub(crate) fn of_label(label: &str) -> Option<ShiftEncoding> {
        let found = LABELS.iter().find(|(known, _)| known.eq_ignore_ascii_case(label.trim()));
        found.map(|(_, shifted)| *shifted)
    }

    /// Returns the ranges of a text whose ASCII bytes represent other characters.
    pub(crate) fn stretches(self, text: &[u8]) -> ShiftedRanges {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(start) = self.next_sign(&text[at..]).map(|len| at + len) {
            at = start + self.len(&text[start..]);
            if at > start + 1 {
                found.push(start..at);
            }
        }
        ShiftedRanges(found)
    }

    fn next_sign(self, text: &[u8]) -> Option<usize> {
        match self {
            ShiftEncoding::Utf7 => memchr::memchr(b'+', text),
            ShiftEncoding::Hz => memchr::memchr(b'~', text),
            ShiftEncoding::Iso2022 => memchr::memchr2(ESC, SO, text),
        }
    }

    /// Returns the length in bytes of the shifted range that begins with a sign; 1 if the sign does not shift.
    fn len(self, text: &[u8]) -> usize {
        match self {
            ShiftEncoding::Utf7 => {
                let is_digit = |b: &u8| b.is_ascii_alphanumeric() || b"+/".contains(b);
                let len = 1 + text[1..].iter().take_while(|b| is_digit(b)).count();
                len + usize::from(text.get(len) == Some(&b'-'))
            }
            ShiftEncoding::Hz => match text.get(1) {
                Some(b'{') => {
                    let line = memchr::memchr(b'\n', text).unwrap_or(text.len());
                    memchr::memmem::find(&text[..line], b"~}").map_or(line, |len| len + 2)
                }
                Some(b'~' | b'\n') => 2,
                _ => 1,
            },
            ShiftEncoding::Iso2022 if text[0] == SO => {
                memchr::memchr2(SI, b'\n', text).map_or(text.len(), |len| len + 1)
            }
            ShiftEncoding::Iso2022 => text.len().min(SEQUENCE),
        }
    }
}

/// Ranges of a text, in order.
#[derive(Debug, Default)]
pub(crate) struct ShiftedRanges(Vec<Range<usize>>);

impl ShiftedRanges {
    /// Returns `true` if one of the ranges overlaps or touches `range`.
    pub(crate) fn touch(&self, range: &Range<usize>) -> bool {
        let first = self.0.partition_point(|stretch| stretch.end < range.start);
        self.0.get(first).is_some_and(|stretch| stretch.start <= range.end)
    }
}

/// Returns `true` if a label does not declare a non-ASCII charset.
pub(super) fn is_silent(label: &str) -> bool {
    ["", "us-ascii", "ascii", "unknown-8bit", "x-unknown", "binary", "default"]
        .iter()
        .any(|silent| label.eq_ignore_ascii_case(silent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(label: &str, text: &str, link: &str) -> bool {
        let start = text.find(link).unwrap();
        let shifted = ShiftEncoding::of_label(label).unwrap();
        shifted.stretches(text.as_bytes()).touch(&(start..start + link.len()))
    }

    #[test]
    fn links_that_touch_a_shift() {
        for (label, text, link, wanted) in [
            ("UTF-7", "see http://e.com/ +AOk-", "http://e.com/", false),
            ("utf-7", "http://e.com/+AOk-", "http://e.com/", true),
            ("utf-7", "+AOk-www.e.com", "www.e.com", true),
            ("utf-7", "+AOkAww", "AOkAww", true),
            ("utf-7", "a +- http://e.com/", "http://e.com/", false),
            ("hz-gb-2312", "~{VPND~} http://e.com/", "http://e.com/", false),
            ("hz-gb-2312", "http://e.com/~{VPND~}", "http://e.com/", true),
            ("hz-gb-2312", "http://e.com/~~me", "http://e.com/~~me", true),
            ("hz-gb-2312", "~{VPhttp://e.com/", "http://e.com/", true),
            ("hz-gb-2312", "~{VP\nhttp://e.com/", "http://e.com/", false),
            ("iso-2022-kr", "\x1B$)C\nhttp://e.com/ \x0EGQ1[\x0F", "http://e.com/", false),
            ("iso-2022-kr", "http://e.com/\x0EGQ1[\x0F", "http://e.com/", true),
        ] {
            assert_eq!(touched(label, text, link), wanted, "{label} {text:?}");
        }
    }

    /// Every label that the Encoding Standard knows but does not decode.
    #[test]
    fn what_is_not_decoded_is_known() {
        for label in [
            "csiso2022kr",
            "hz-gb-2312",
            "iso-2022-cn",
            "iso-2022-cn-ext",
            "iso-2022-kr",
            "replacement",
        ] {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
            assert_eq!(encoding, Some(encoding_rs::REPLACEMENT), "{label}");
            assert!(ShiftEncoding::of_label(label).is_some(), "{label}");
        }
        for (label, _) in LABELS {
            assert!(label.parse::<crate::charset::Charset>().is_err(), "{label}");
        }
    }
}
