//! Numeric character references in running text: `&#8868;`, `&#x8868;`.
//!
//! The input is stored bytes at an ampersand, the result is the character and the length of the reference. Values are
//! mapped as the HTML standard does (§13.2.5.80, "numeric character reference end state"): U+0080–U+009F by windows-1252,
//! zero, surrogates and values beyond Unicode to U+FFFD. In running text the semicolon is required: `?a=1&#38` is a query
//! and a fragment.

/// Length in bytes of the longest reference. Nine digits already overflow, and texts do not have more leading zeros; the
/// bound keeps a backwards search over the text linear.
pub(crate) const LONGEST: usize = 32;

/// Result of parsing the bytes at an ampersand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numeric {
    /// A reference of `len` bytes that stands for `code`.
    Reference { code: u32, len: usize },
    /// Not a numeric reference.
    None,
    /// The bytes end before this can be decided.
    Cut,
}

/// Reads the numeric reference that begins at `bytes[at]`, an ampersand.
pub(crate) fn numeric_at(bytes: &[u8], at: usize) -> Numeric {
    let window = &bytes[at..bytes.len().min(at + LONGEST)];
    let cut = |n: Numeric| if window.len() < LONGEST { Numeric::Cut } else { n };
    match window.get(1) {
        None => return Numeric::Cut,
        Some(b'#') => {}
        Some(_) => return Numeric::None,
    }
    let (radix, digits) = match window.get(2) {
        None => return Numeric::Cut,
        Some(b'x' | b'X') => (16, 3),
        Some(_) => (10, 2),
    };
    let mut value = 0u32;
    for (n, &byte) in window[digits..].iter().enumerate() {
        match char::from(byte).to_digit(radix) {
            Some(digit) => value = value.saturating_mul(radix).saturating_add(digit).min(0x11_0000),
            None if byte == b';' && n > 0 => {
                return Numeric::Reference { code: mapped(value), len: digits + n + 1 };
            }
            None => return Numeric::None,
        }
    }
    cut(Numeric::None)
}

/// Reads the numeric reference that ends at `bytes[end]`, `bytes[end - 1]` being a semicolon, and that does not begin
/// before `min_start`. Returns the character and the length.
pub(crate) fn numeric_before(bytes: &[u8], end: usize, min_start: usize) -> Option<(u32, usize)> {
    let low = min_start.max(end.saturating_sub(LONGEST));
    let at = low + memchr::memrchr(b'&', bytes.get(low..end)?)?;
    match numeric_at(bytes, at) {
        Numeric::Reference { code, len } if at + len == end => Some((code, len)),
        _ => None,
    }
}

/// Returns the code point that the value of a numeric reference represents (HTML §13.2.5.80).
pub(super) fn mapped(value: u32) -> u32 {
    match value {
        0 | 0xD800..=0xDFFF | 0x11_0000.. => 0xFFFD,
        0x80..=0x9F => WINDOWS_1252[(value - 0x80) as usize],
        _ => value,
    }
}

/// Characters of 0x80–0x9F; the five that windows-1252 leaves undefined stay controls.
#[rustfmt::skip]
const WINDOWS_1252: [u32; 32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_map_as_html_maps_them() {
        for (text, code) in [
            ("&#46;", 0x2E),
            ("&#x2e;", 0x2E),
            ("&#X2E;", 0x2E),
            ("&#x8868;", 0x8868),
            ("&#150;", 0x2013),
            ("&#0;", 0xFFFD),
            ("&#xD800;", 0xFFFD),
            ("&#x110000;", 0xFFFD),
            ("&#99999999;", 0xFFFD),
            ("&#129;", 0x81),
        ] {
            let len = text.len();
            assert_eq!(numeric_at(text.as_bytes(), 0), Numeric::Reference { code, len }, "{text}");
            assert_eq!(numeric_before(text.as_bytes(), len, 0), Some((code, len)), "{text}");
        }
    }

    #[test]
    fn what_is_no_reference() {
        for text in ["&#; ", "&#x;", "&#4 6;", "&amp;", "&#00000000000000000000000000000000046;"] {
            assert_eq!(numeric_at(text.as_bytes(), 0), Numeric::None, "{text}");
        }
        assert_eq!(numeric_at(b"&#4", 0), Numeric::Cut);
        assert_eq!(numeric_at(b"&#0000000000000000", 0), Numeric::Cut);
        assert_eq!(numeric_before(b"#46;", 4, 0), None);
        assert_eq!(numeric_before(b"&#46;", 5, 1), None);
    }
}
