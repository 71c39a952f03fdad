//! Percent-encoded bytes and their values: the basis of URI → IRI, normalization and display.
//!
//! The input is a component, the result is its pieces: text without percent-encoding, percent-encoded ASCII,
//! percent-encoded bytes that together are one character in UTF-8, and other percent-encoded bytes. Only strict UTF-8 is
//! recognised: no overlong forms, no surrogates, nothing beyond U+10FFFF. After an invalid octet decoding begins again with
//! the next one (RFC 3987 §3.2, steps 2 and 3).

use super::chars::{self, Private, is_unreserved, push_encoded, push_triplet, triplet};

/// Part of a component: plain text, or an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComponentPiece<'a> {
    /// Text without percent-encoded bytes.
    Raw(&'a str),
    /// A percent-encoded ASCII octet, and its text as written.
    Ascii(u8, &'a str),
    /// Percent-encoded bytes that are the UTF-8 of one non-ASCII character.
    Char(char),
    /// A percent-encoded byte that is not part of well-formed UTF-8.
    Malformed(u8),
}

/// Iterator over the pieces of a component.
pub(crate) struct ComponentPieces<'a> {
    rest: &'a str,
}

/// Returns an iterator over the pieces of a component.
pub(crate) fn pieces(component: &str) -> ComponentPieces<'_> {
    ComponentPieces { rest: component }
}

impl<'a> ComponentPieces<'a> {
    fn take(&mut self, n: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(n).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }
}

impl<'a> Iterator for ComponentPieces<'a> {
    type Item = ComponentPiece<'a>;

    fn next(&mut self) -> Option<ComponentPiece<'a>> {
        let bytes = self.rest.as_bytes();
        if bytes.is_empty() {
            return None;
        }
        let Some(octet) = triplet(bytes, 0) else {
            // A stray `%` cannot be in a valid IRI; if there is one, it represents itself.
            let end = memchr::memchr(b'%', &bytes[1..]).map_or(bytes.len(), |at| at + 1);
            return Some(ComponentPiece::Raw(self.take(end)));
        };
        if octet < 0x80 {
            return Some(ComponentPiece::Ascii(octet, self.take(3)));
        }
        let length = match octet {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        let mut octets = [octet, 0, 0, 0];
        let mut got = 1;
        while got < length {
            match triplet(bytes, got * 3) {
                Some(next) => octets[got] = next,
                None => break,
            }
            got += 1;
        }
        let decoded = std::str::from_utf8(&octets[..got]).ok().and_then(|s| s.chars().next());
        match decoded {
            Some(c) if got == length && length > 1 => {
                self.take(got * 3);
                Some(ComponentPiece::Char(c))
            }
            _ => {
                self.take(3);
                Some(ComponentPiece::Malformed(octet))
            }
        }
    }
}

/// Returns `true` if a percent-encoded non-ASCII character is written unencoded after decoding (RFC 3987 §2.2, §4.1, §6.1):
/// it is allowed there, and it is neither white space nor a formatting character, which would be invisible.
pub(crate) fn may_stand_raw(c: char, in_query: bool) -> bool {
    let private = if in_query { Private::Query } else { Private::No };
    chars::judge(c, private).is_ok() && !c.is_whitespace() && !is_format(c)
}

/// Returns `true` for General_Category Cf (Unicode 18), outside ASCII.
pub(crate) fn is_format(c: char) -> bool {
    matches!(c as u32,
        0xAD | 0x600..=0x605 | 0x61C | 0x6DD | 0x70F | 0x890..=0x891 | 0x8E2 | 0x180E
        | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x2064 | 0x2066..=0x206F | 0xFEFF
        | 0xFFF9..=0xFFFB | 0x110BD | 0x110CD | 0x13430..=0x1343F | 0x1BCA0..=0x1BCA3
        | 0x1D173..=0x1D17A | 0xE0001 | 0xE0020..=0xE007F)
}

/// Appends a component as in URI → IRI (RFC 3987 §3.2). Bytes that are decoded and encoded again are in upper case, those
/// that are never decoded (reserved, `%`, forbidden ASCII, controls) are unchanged.
pub(crate) fn push_decoded(out: &mut String, component: &str, in_query: bool) {
    for piece in pieces(component) {
        match piece {
            ComponentPiece::Raw(text) => out.push_str(text),
            ComponentPiece::Ascii(octet, _) if is_unreserved(octet) => out.push(char::from(octet)),
            ComponentPiece::Ascii(_, written) => out.push_str(written),
            ComponentPiece::Char(c) if may_stand_raw(c, in_query) => out.push(c),
            ComponentPiece::Char(c) => push_encoded(out, c),
            ComponentPiece::Malformed(octet) => push_triplet(out, octet),
        }
    }
}

/// Appends a component in its syntactic normal form (RFC 3987 §5.3.2.1, §5.3.2.3): unreserved characters decoded, all other
/// percent-encoded bytes in upper case. An unencoded character that would stay encoded after decoding is encoded; otherwise
/// an IRI and its URI would have different normal forms.
pub(crate) fn push_normal(out: &mut String, component: &str, in_query: bool) {
    for piece in pieces(component) {
        match piece {
            ComponentPiece::Raw(text) if text.is_ascii() => out.push_str(text),
            ComponentPiece::Raw(text) => {
                for c in text.chars() {
                    if c.is_ascii() || may_stand_raw(c, in_query) {
                        out.push(c);
                    } else {
                        push_encoded(out, c);
                    }
                }
            }
            ComponentPiece::Ascii(octet, _) if is_unreserved(octet) => out.push(char::from(octet)),
            ComponentPiece::Ascii(octet, _) | ComponentPiece::Malformed(octet) => {
                push_triplet(out, octet)
            }
            ComponentPiece::Char(c) if may_stand_raw(c, in_query) => out.push(c),
            ComponentPiece::Char(c) => push_encoded(out, c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(component: &str) -> String {
        let mut out = String::new();
        push_decoded(&mut out, component, false);
        out
    }

    #[test]
    fn only_strict_utf8_is_decoded() {
        for (triplets, expected) in [
            ("%C3%BC", "ü"),
            ("%c3%bc", "ü"),
            ("%C0%AF", "%C0%AF"),
            ("%c0%af", "%C0%AF"),
            ("%ED%A0%80", "%ED%A0%80"),
            ("%ED%A0%80%ED%B0%80", "%ED%A0%80%ED%B0%80"),
            ("%F4%90%80%80", "%F4%90%80%80"),
            ("%F0%9F%98%80", "😀"),
            ("%F0%9F%98", "%F0%9F%98"),
            ("%E2%C3%A9", "%E2é"),
            ("%C3%C3%A9", "%C3é"),
            ("%C3x%A9", "%C3x%A9"),
            ("%80%C3%A9", "%80é"),
            ("%FF%fe", "%FF%FE"),
            ("%25C3%25A9", "%25C3%25A9"),
            ("%2541", "%2541"),
        ] {
            assert_eq!(decoded(triplets), expected, "{triplets}");
        }
    }

    #[test]
    fn white_space_and_formatting_stay() {
        for triplets in [
            "%C2%A0",
            "%E3%80%80",
            "%E2%80%AE",
            "%E2%80%8B",
            "%C2%AD",
            "%EF%BF%BD",
            "%EE%80%80",
            "%C2%85",
        ] {
            assert_eq!(decoded(triplets), triplets);
        }
    }
}
