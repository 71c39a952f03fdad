//! Names and escapes of CSS (CSS Syntax Level 3, §4.3.7 and §4.3.11).

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

/// Maximum length in bytes of a known name: each of its characters may be an escape of eight bytes.
const LONGEST: usize = 160;

/// The names that an IRI follows.
const KNOWN: [&str; 7] =
    ["url", "src", "image-set", "-webkit-image-set", "image", "import", "namespace"];

/// Name at an offset, if there is one.
pub(super) enum CssName {
    /// A name; `known` is its lower-case form if it is a known one.
    Read {
        known: Option<&'static str>,
        end: usize,
    },
    /// The beginning of a name that is too long to be a known one.
    Long {
        end: usize,
    },
    None,
    /// The bytes end before this can be decided.
    Cut,
}

/// Returns `true` if `byte` belongs to a name, apart from escapes: a letter, a digit, `-`, `_`, a non-ASCII byte, or
/// U+0000, which is read as U+FFFD.
pub(super) fn is_name_byte(byte: u8) -> bool {
    IS_NAME[usize::from(byte)]
}

const IS_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let ascii = byte as u8;
        table[byte] =
            byte >= 0x80 || ascii.is_ascii_alphanumeric() || matches!(ascii, b'-' | b'_' | b'\0');
        byte += 1;
    }
    table
};

/// Reads the name that begins at `at`.
pub(super) fn name_at(bytes: Chunk<'_>, at: usize) -> CssName {
    let limit = at + LONGEST;
    let mut end = at;
    let mut escaped = false;
    loop {
        match bytes.get(end) {
            _ if end >= limit => return CssName::Long { end },
            Some(b'\\') => match escape_at(bytes, end) {
                Escape::Cut => return CssName::Cut,
                Escape::Char { len, .. } => {
                    end += len;
                    escaped = true;
                }
                Escape::End => end += 1,
                Escape::Line { .. } => break,
            },
            Some(&byte) if is_name_byte(byte) => end += 1,
            None if !bytes.is_last() => return CssName::Cut,
            _ => break,
        }
    }
    if end == at {
        return CssName::None;
    }
    let name = &bytes[at..end];
    let known = match escaped {
        false => KNOWN.iter().find(|known| known.as_bytes().eq_ignore_ascii_case(name)),
        true => KNOWN.iter().find(|known| is_spelled(name, known)),
    };
    CssName::Read { known: known.copied(), end }
}

/// Returns `true` if `name` is `known` with some of its letters written as escapes.
fn is_spelled(name: &[u8], known: &str) -> bool {
    let mut at = 0;
    for wanted in known.bytes() {
        let (code, len) = match name.get(at) {
            None => return false,
            Some(b'\\') => match escape_at(Chunk::whole(name), at) {
                Escape::Char { code, len } => (code, len),
                _ => return false,
            },
            Some(&byte) => (u32::from(byte), 1),
        };
        let is_same = u8::try_from(code).is_ok_and(|byte| byte.eq_ignore_ascii_case(&wanted));
        if !is_same {
            return false;
        }
        at += len;
    }
    at == name.len()
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
