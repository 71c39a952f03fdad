//! HTML's character references (WHATWG HTML §13.2.5.72–80), XML's five names, and numeric references in running text.
//!
//! The input is bytes at an ampersand, the result is the text that the reference represents. The longest name of the list
//! that matches is used. Each name that may be without its semicolon is also on the list with one, so the name is the
//! complete run of letters and digits if a semicolon follows, and otherwise the longest bare name that the run begins with.
//!
//! Numbers are mapped as the HTML standard does (§13.2.5.80, "numeric character reference end state"): U+0080–U+009F by
//! windows-1252, zero, surrogates and values beyond Unicode to U+FFFD. In running text there are only numeric references
//! (`&#8868;`, `&#x8868;`), and the semicolon is required: `?a=1&#38` is a query and a fragment.

use super::{Rules, json};
use crate::tables::entities::{self, entity};

/// Value of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResolvedReference {
    Character(char),
    /// One character or two.
    Named(&'static str),
}

/// Reads the reference that begins at `bytes[at]` with an ampersand, a backslash in JSON, or a quotation mark in CSV: its
/// value, which is empty if the reference is removed, and its length in bytes.
pub(crate) fn reference_at(
    bytes: &[u8],
    at: usize,
    rules: Rules,
) -> Option<(ResolvedReference, usize)> {
    if let Rules::Escapes(grammar) = rules {
        return grammar.escape_at(bytes.get(at..)?);
    }
    let rest = bytes.get(at + 1..)?;
    match (rest.first()?, rules) {
        (_, Rules::None) => None,
        (_, Rules::Hyphen) => Some((ResolvedReference::Character('-'), bytes.len() - at)),
        (_, Rules::Json) => {
            json::escape_at(bytes, at).map(|(c, len)| (ResolvedReference::Character(c), len))
        }
        (b'"', Rules::Csv) => Some((ResolvedReference::Character('"'), 2)),
        (_, Rules::Csv) => None,
        (_, Rules::Plain) => match numeric_at(bytes, at) {
            Numeric::Reference { code, len } => Some((character(code), len)),
            Numeric::None | Numeric::Cut => None,
        },
        (b'#', _) => number(rest, rules),
        (_, Rules::Xml) => xml_name(rest),
        (b, _) if b.is_ascii_alphanumeric() => name(rest, rules),
        _ => None,
    }
}

/// Returns the ASCII character at an offset, which may be a reference, and the offset of the next character; `None` at the
/// end, and for a non-ASCII character.
pub(crate) fn ascii_at(bytes: &[u8], at: usize, rules: Rules) -> Option<(u8, usize)> {
    let byte = *bytes.get(at)?;
    let found = match rules.is_opener(byte) {
        true => reference_at(bytes, at, rules),
        false => None,
    };
    let (byte, len) = match found {
        None => (byte, 1),
        Some((ResolvedReference::Character(c), len)) => (u8::try_from(c).ok()?, len),
        Some((ResolvedReference::Named(text), len)) => match text.as_bytes() {
            [byte] => (*byte, len),
            _ => return None,
        },
    };
    byte.is_ascii().then_some((byte, at + len))
}

fn character(code: u32) -> ResolvedReference {
    ResolvedReference::Character(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Reads a numeric reference; `rest` begins with the number sign. In HTML the semicolon may be missing and there may be any
/// number of digits; XML requires the semicolon, and does not map 0x80–0x9F.
fn number(rest: &[u8], rules: Rules) -> Option<(ResolvedReference, usize)> {
    let is_xml = rules == Rules::Xml;
    let is_strict = is_xml || rules == Rules::Markdown;
    let (radix, digits) = match rest.get(1)? {
        b'x' => (16, 2),
        b'X' if !is_xml => (16, 2),
        _ => (10, 1),
    };
    let mut value = 0u32;
    for (n, &byte) in rest[digits..].iter().enumerate() {
        match char::from(byte).to_digit(radix) {
            Some(digit) => value = value.saturating_mul(radix).saturating_add(digit).min(0x11_0000),
            None if n == 0 || (is_strict && byte != b';') => return None,
            None => {
                let len = 1 + digits + n + usize::from(byte == b';');
                let code = match value {
                    0 if !is_xml => 0xFFFD,
                    _ if is_strict => value,
                    _ => mapped(value),
                };
                return Some((character(code), len));
            }
        }
    }
    let is_reference = rest.len() > digits && !is_strict;
    is_reference.then(|| (character(mapped(value)), 1 + rest.len()))
}

/// Reads a named reference; `rest` begins with a letter or digit.
fn name(rest: &[u8], rules: Rules) -> Option<(ResolvedReference, usize)> {
    // Nearly all references are one of these.
    for (written, meaning) in [(&b"amp;"[..], "&"), (b"lt;", "<"), (b"quot;", "\"")] {
        if rest.starts_with(written) {
            return Some((ResolvedReference::Named(meaning), 1 + written.len()));
        }
    }
    let window = &rest[..rest.len().min(entities::LONGEST + 1)];
    let run = window.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    if window.get(run) == Some(&b';')
        && let Some(known) = entity(&window[..run])
    {
        return Some((ResolvedReference::Named(known.characters), 1 + run + 1));
    }
    if rules == Rules::Markdown {
        return None;
    }
    let (len, known) = (2..=run.min(entities::LONGEST_BARE)).rev().find_map(|len| {
        let known = entity(&window[..len]).filter(|known| known.is_bare)?;
        Some((len, known))
    })?;
    // §13.2.5.73: for historical reasons `&copy=` in an attribute is not a reference.
    let is_barred = rules == Rules::HtmlAttribute && rest.get(len).copied().is_some_and(is_barred);
    (!is_barred).then_some((ResolvedReference::Named(known.characters), 1 + len))
}

/// Returns `true` if this byte after a bare name in an attribute makes it not a reference.
fn is_barred(next: u8) -> bool {
    next == b'=' || next.is_ascii_alphanumeric()
}

/// Reads one of XML's five names; names that a document declares are not known here.
fn xml_name(rest: &[u8]) -> Option<(ResolvedReference, usize)> {
    const NAMES: [(&str, &str); 5] =
        [("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'")];
    let known = NAMES.iter().find(|(written, _)| rest.starts_with(written.as_bytes()));
    known.map(|(written, meaning)| (ResolvedReference::Named(meaning), 1 + written.len()))
}

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

    fn read(text: &str, rules: Rules) -> Option<(ResolvedReference, usize)> {
        reference_at(text.as_bytes(), 0, rules)
    }

    #[test]
    fn the_longest_name_wins() {
        let named = |s, len| Some((ResolvedReference::Named(s), len));
        for (text, found) in [
            ("&notit;", named("¬", 4)),
            ("&notin;", named("∉", 7)),
            ("&notin ", named("¬", 4)),
            ("&amp;amp;", named("&", 5)),
            ("&ampamp;", named("&", 4)),
            ("&acE;", named("∾\u{333}", 5)),
            ("&acE ", None),
            ("&commat ", None),
            ("&CounterClockwiseContourIntegral;", named("∳", 33)),
            ("&CounterClockwiseContourIntegralx;", None),
            ("&;", None),
            ("& ", None),
            ("&#46x", Some((ResolvedReference::Character('.'), 4))),
            ("&#x;", None),
        ] {
            assert_eq!(read(text, Rules::HtmlText), found, "{text}");
        }
    }

    #[test]
    fn attributes_bar_bare_names() {
        for text in ["&copy=", "&copyx", "&copy2"] {
            assert_eq!(read(text, Rules::HtmlAttribute), None, "{text}");
            assert!(read(text, Rules::HtmlText).is_some());
        }
        for text in ["&copy;=", "&copy&", "&#38=", "&copy-"] {
            assert!(read(text, Rules::HtmlAttribute).is_some(), "{text}");
        }
    }

    #[test]
    fn a_reference_may_end_the_bytes() {
        for rules in [Rules::HtmlText, Rules::HtmlAttribute] {
            assert_eq!(read("&amp", rules), Some((ResolvedReference::Named("&"), 4)));
            assert_eq!(read("&#46", rules), Some((ResolvedReference::Character('.'), 4)));
        }
        for text in ["&", "&a", "&noti", "&#", "&#x"] {
            assert_eq!(read(text, Rules::HtmlText).is_some(), text == "&noti", "{text}");
        }
        for text in ["&apos", "&#x2"] {
            assert_eq!(read(text, Rules::Xml), None, "{text}");
        }
    }

    #[test]
    fn characters_of_ascii() {
        for (text, rules, found) in [
            ("<p", Rules::None, Some((b'<', 1))),
            ("&lt;p", Rules::Xml, Some((b'<', 4))),
            ("&lt;p", Rules::None, Some((b'&', 1))),
            ("&x", Rules::Xml, Some((b'&', 1))),
            ("&#xe9;", Rules::Xml, None),
            (r"\u003cp", Rules::Json, Some((b'<', 6))),
            (r"\\x", Rules::Json, Some((b'\\', 2))),
            ("\"\"x", Rules::Csv, Some((b'"', 2))),
            ("\"x", Rules::Csv, Some((b'"', 1))),
            ("é", Rules::Xml, None),
            ("", Rules::Xml, None),
        ] {
            assert_eq!(ascii_at(text.as_bytes(), 0, rules), found, "{text}");
        }
    }

    #[test]
    fn xml_has_five_names_and_its_own_numbers() {
        for (text, found) in [
            ("&apos;", Some((ResolvedReference::Named("'"), 6))),
            ("&nbsp;", None),
            ("&amp ", None),
            ("&#38 ", None),
            ("&#X26;", None),
            ("&#x80;", Some((ResolvedReference::Character('\u{80}'), 6))),
            ("&#0;", Some((ResolvedReference::Character('\0'), 4))),
            ("&#xD800;", Some((ResolvedReference::Character('\u{FFFD}'), 8))),
        ] {
            assert_eq!(read(text, Rules::Xml), found, "{text}");
        }
    }

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
