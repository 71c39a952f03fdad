//! Charsets of shifts: ASCII up to a sign after which bytes of ASCII stand for other characters (UTF-7, HZ,
//! ISO-2022-KR and -CN). No standard of the web decodes them, and nothing here does: what is ASCII between the
//! shifts is read, and a link that touches a shift is left out, since its other characters are not known.

use std::ops::Range;

/// How a charset shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shifted {
    /// RFC 2152: `+`, base64, `-`.
    Utf7,
    /// RFC 1843: `~{` … `~}`.
    Hz,
    /// RFC 1557, RFC 1922: SO … SI, and sequences that ESC begins.
    Iso2022,
}

#[rustfmt::skip]
const LABELS: [(&str, Shifted); 13] = [
    ("utf-7", Shifted::Utf7), ("utf7", Shifted::Utf7), ("unicode-1-1-utf-7", Shifted::Utf7),
    ("x-unicode-2-0-utf-7", Shifted::Utf7), ("csunicode11utf7", Shifted::Utf7),
    ("hz-gb-2312", Shifted::Hz), ("hz", Shifted::Hz), ("chinese-hz", Shifted::Hz),
    ("iso-2022-kr", Shifted::Iso2022), ("csiso2022kr", Shifted::Iso2022),
    ("iso-2022-cn", Shifted::Iso2022), ("iso-2022-cn-ext", Shifted::Iso2022),
    ("replacement", Shifted::Iso2022),
];

const ESC: u8 = 0x1B;
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;
/// An escape sequence has so many bytes, or so many go with it.
const SEQUENCE: usize = 4;

impl Shifted {
    /// The one with this label.
    pub(crate) fn of_label(label: &str) -> Option<Shifted> {
        let found = LABELS.iter().find(|(known, _)| known.eq_ignore_ascii_case(label.trim()));
        found.map(|(_, shifted)| *shifted)
    }

    /// The stretches of a text that are not the ASCII that they look like.
    pub(crate) fn stretches(self, text: &[u8]) -> Stretches {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(start) = self.next_sign(&text[at..]).map(|len| at + len) {
            at = start + self.len(&text[start..]);
            if at > start + 1 {
                found.push(start..at);
            }
        }
        Stretches(found)
    }

    fn next_sign(self, text: &[u8]) -> Option<usize> {
        match self {
            Shifted::Utf7 => memchr::memchr(b'+', text),
            Shifted::Hz => memchr::memchr(b'~', text),
            Shifted::Iso2022 => memchr::memchr2(ESC, SO, text),
        }
    }

    /// How long a stretch is that begins with a sign; one byte that is no shift has the length one.
    fn len(self, text: &[u8]) -> usize {
        match self {
            Shifted::Utf7 => {
                let is_digit = |b: &u8| b.is_ascii_alphanumeric() || b"+/".contains(b);
                let len = 1 + text[1..].iter().take_while(|b| is_digit(b)).count();
                len + usize::from(text.get(len) == Some(&b'-'))
            }
            Shifted::Hz => match text.get(1) {
                Some(b'{') => {
                    let line = memchr::memchr(b'\n', text).unwrap_or(text.len());
                    memchr::memmem::find(&text[..line], b"~}").map_or(line, |len| len + 2)
                }
                Some(b'~' | b'\n') => 2,
                _ => 1,
            },
            Shifted::Iso2022 if text[0] == SO => {
                memchr::memchr2(SI, b'\n', text).map_or(text.len(), |len| len + 1)
            }
            Shifted::Iso2022 => text.len().min(SEQUENCE),
        }
    }
}

/// Stretches of a text, in order.
#[derive(Debug, Default)]
pub(crate) struct Stretches(Vec<Range<usize>>);

impl Stretches {
    /// Whether one lies in a range or at its edge.
    pub(crate) fn touch(&self, range: &Range<usize>) -> bool {
        let first = self.0.partition_point(|stretch| stretch.end < range.start);
        self.0.get(first).is_some_and(|stretch| stretch.start <= range.end)
    }
}

/// Whether a label says that nothing is known of the charset.
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
        let shifted = Shifted::of_label(label).unwrap();
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

    /// Every label that the web's standard knows and does not decode.
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
            assert!(Shifted::of_label(label).is_some(), "{label}");
        }
        for (label, _) in LABELS {
            assert!(label.parse::<crate::charset::Charset>().is_err(), "{label}");
        }
    }
}
