//! Escapes of CSS (CSS Syntax Level 3, §4.3.7): `\26 `, `\)`, and line continuations in strings.

use std::borrow::Cow;

use crate::input::chunk::Chunk;
use crate::source_map::{Rewriting, SourceMap};

/// Escape that a backslash begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// A character written in `len` bytes. Without hexadecimal digits it is the byte after the backslash, for a non-ASCII
    /// character its first byte.
    Char { code: u32, len: usize },
    /// A line break: in a string it is removed, elsewhere it is not an escape.
    Line { len: usize },
    /// The input ends after the backslash.
    End,
    /// The bytes end before this can be decided.
    Cut,
}

/// Reads the escape at `bytes[at]`, a backslash.
pub(super) fn escape_at(bytes: Chunk<'_>, at: usize) -> Escape {
    let cut = |escape: Escape| if bytes.is_last() { escape } else { Escape::Cut };
    let Some(&first) = bytes.get(at + 1) else { return cut(Escape::End) };
    match first {
        b'\n' | b'\x0C' => return Escape::Line { len: 2 },
        b'\r' => {
            return match bytes.get(at + 2) {
                None => cut(Escape::Line { len: 2 }),
                Some(b'\n') => Escape::Line { len: 3 },
                Some(_) => Escape::Line { len: 2 },
            };
        }
        _ if !first.is_ascii_hexdigit() => {
            return Escape::Char { code: u32::from(first), len: 2 };
        }
        _ => {}
    }
    let mut code = 0;
    let mut len = 1;
    // Up to six digits: the value cannot overflow.
    while len < 7 {
        match bytes.get(at + len) {
            None => return cut(Escape::Char { code: valid(code), len }),
            Some(&byte) => match char::from(byte).to_digit(16) {
                Some(digit) => code = code * 16 + digit,
                None => break,
            },
        }
        len += 1;
    }
    let code = valid(code);
    // One white-space character after the digits belongs to them.
    match bytes.get(at + len) {
        None => cut(Escape::Char { code, len }),
        Some(b' ' | b'\t' | b'\n' | b'\x0C') => Escape::Char { code, len: len + 1 },
        Some(b'\r') => match bytes.get(at + len + 1) {
            None => cut(Escape::Char { code, len: len + 1 }),
            Some(b'\n') => Escape::Char { code, len: len + 2 },
            Some(_) => Escape::Char { code, len: len + 1 },
        },
        Some(_) => Escape::Char { code, len },
    }
}

/// Zero, surrogates and values beyond Unicode become U+FFFD.
fn valid(code: u32) -> u32 {
    match code {
        0 | 0xD800..=0xDFFF | 0x11_0000.. => 0xFFFD,
        _ => code,
    }
}

/// Returns a CSS string or `url()`, given without its quotes and brackets, with its escapes resolved, and the source map to
/// `text`; the text itself if there is nothing to resolve.
///
/// Line continuations are removed, U+0000 becomes U+FFFD (§3.3).
pub(crate) fn resolved(text: &str) -> (Cow<'_, str>, Option<SourceMap>) {
    let bytes = Chunk::whole(text.as_bytes());
    let mut resolved = Rewriting::new(text, 0);
    for at in memchr::memchr2_iter(b'\\', 0, text.as_bytes()) {
        if at < resolved.done() {
            continue;
        }
        let (code, len) = match bytes[at] {
            0 => (Some(0xFFFD), 1),
            _ => match escape_at(bytes, at) {
                Escape::Char { len: 2, code } if !char_at(text, at + 1).is_ascii_hexdigit() => {
                    let char = char_at(text, at + 1);
                    (Some(if code == 0 { 0xFFFD } else { u32::from(char) }), 1 + char.len_utf8())
                }
                Escape::Char { code, len } => (Some(code), len),
                Escape::Line { len } => (None, len),
                Escape::End | Escape::Cut => (Some(0xFFFD), 1),
            },
        };
        match code {
            Some(code) => {
                let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                resolved.replace(at..at + len).push(c);
            }
            None => resolved.leave_out(at..at + len),
        }
    }
    match resolved.finish() {
        Some((text, map)) => (Cow::Owned(text), Some(map)),
        None => (Cow::Borrowed(text), None),
    }
}

fn char_at(text: &str, at: usize) -> char {
    text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_resolved() {
        for (text, wanted) in [
            ("a.png", "a.png"),
            (r"a\.png", "a.png"),
            (r"a\)b\(c", "a)b(c"),
            (r"a\26 b", "a&b"),
            (r"a\26b", "a\u{26b}"),
            (r"a\000026b", "a&b"),
            (r"a\0000262", "a&2"),
            ("a\\26\r\nb", "a&b"),
            ("a\\26\tb", "a&b"),
            ("a\\26  b", "a& b"),
            ("a\\\nb\\\r\nc\\\rd\\\x0Ce", "abcde"),
            (r"\0 x\D800 y\110000 z", "\u{FFFD}x\u{FFFD}y\u{FFFD}z"),
            (r"\8868\表", "表表"),
            ("a\0b\\\0c", "a\u{FFFD}b\u{FFFD}c"),
            ("a\\", "a\u{FFFD}"),
            (r"\\\\", r"\\"),
        ] {
            assert_eq!(resolved(text).0, wanted, "{text:?}");
        }
    }

    #[test]
    fn the_map_leads_back() {
        let (text, map) = resolved("a\\26 b\\\nc\\)");
        let map = map.unwrap();
        assert_eq!(text, "a&bc)");
        assert_eq!([0, 1, 2, 3, 4].map(|t| map.edges(text.as_bytes(), t).start), [0, 1, 5, 8, 9]);
        assert_eq!([1, 2, 3, 4, 5].map(|t| map.edges(text.as_bytes(), t).end), [1, 5, 6, 9, 11]);
    }
}
