//! Escapes in running text. Those of strings in source code, YAML and JSON, as in logs: `\u0026`, `\x26`, `\xE9`, and a slash that
//! is escaped twice; and those of an at sign, in troff and Perl too.

use super::json::{hexadecimal, of_surrogates};

/// Length in bytes of the longest escape: four bytes of UTF-8, each with two backslashes.
pub(crate) const MAX_STRING_ESCAPE: usize = 20;

/// The first character that a byte alone represents; those before it are controls.
const FIRST_LATIN: u8 = 0xA0;

/// Length in bytes of an escape of a code unit without its backslashes: `uD83D`.
const UNIT: usize = 5;
/// Maximum number of digits in braces.
const MAX_DIGITS: usize = 6;

/// Returns the character of the escape that the bytes begin with, and its length. The string may be in another string, where each
/// backslash is escaped again. A slash after one backslash is left to the rule of escaped punctuation. Bytes above
/// `\x7F` that are a character of UTF-8 together are that character, as in C and PHP; another one is a character of Latin-1, as in
/// Python, JavaScript and YAML.
pub(crate) fn string_escape(bytes: &[u8]) -> Option<(char, usize)> {
    let backslashes = bytes.iter().take(4).take_while(|byte| **byte == b'\\').count();
    let rest = &bytes[backslashes..];
    let (digits, len) = match (backslashes, rest) {
        (2 | 3, [b'/', ..]) => return Some(('/', backslashes + 1)),
        (1 | 2, [b'u' | b'x', b'{', digits @ ..]) => {
            let len = digits.iter().take(MAX_DIGITS + 1).position(|byte| *byte == b'}')?;
            (&digits[..len], len + 3)
        }
        (1 | 2, [b'u', digits @ ..]) => (digits.get(..4)?, UNIT),
        (1 | 2, [b'x', digits @ ..]) => (digits.get(..2)?, 3),
        _ => return None,
    };
    let code = hexadecimal(digits)?;
    if len == 3 && code > 0x7F {
        let bytes = bytes.chunks(backslashes + 3).map_while(|escape| byte_of(escape, backslashes));
        return beyond_ascii(bytes).map(|(c, count)| (c, count * (backslashes + 3)));
    }
    let (is_unit, len) = (len == UNIT, backslashes + len);
    if let Some(c) = char::from_u32(code) {
        return Some((c, len));
    }
    // The other surrogate is written alike; one in braces is no character.
    let (front, low) = bytes.get(len..2 * len)?.split_at(backslashes + 1);
    let is_pair = is_unit && bytes.starts_with(front);
    let c = hexadecimal(low).and_then(|low| of_surrogates(code, low)).filter(|_| is_pair)?;
    Some((c, 2 * len))
}

/// Returns the byte of an escape that has this number of backslashes and two digits.
fn byte_of(escape: &[u8], backslashes: usize) -> Option<u8> {
    let (front, digits) = escape.split_at_checked(backslashes + 1)?;
    let (b'x', front) = front.split_last()? else { return None };
    let is_escape = digits.len() == 2 && front.iter().all(|byte| *byte == b'\\');
    hexadecimal(digits).filter(|_| is_escape).and_then(|code| code.try_into().ok())
}

/// Returns the character that bytes above `\x7F` begin with, and how many of them it has.
fn beyond_ascii(bytes: impl Iterator<Item = u8>) -> Option<(char, usize)> {
    let mut start = [0; 4];
    let count = start.iter_mut().zip(bytes).map(|(kept, byte)| *kept = byte).count();
    let valid = start[..count].utf8_chunks().next()?.valid().chars().next();
    match valid {
        Some(c) => Some((c, c.len_utf8())),
        None => (start[0] >= FIRST_LATIN).then_some((char::from(start[0]), 1)),
    }
}

/// Returns `true` if an escape that begins the bytes may have more bytes behind these.
pub(crate) fn may_be_longer(bytes: &[u8]) -> bool {
    let rest = bytes.iter().position(|byte| *byte != b'\\').map_or(&[][..], |at| &bytes[at..]);
    matches!(rest, [b'x', b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', ..])
}

/// Returns the length of the at sign at the end of a text, which troff, Perl and JavaScript escape: `\(at`, `\[at]`, `\@`, `\x40`,
/// `\u0040`, `@`; 0 without one.
pub(crate) fn at_sign_before(text: &[u8]) -> usize {
    match text {
        [.., b'\\', b'(', b'a', b't'] => 4,
        [.., b'\\', b'[', b'a', b't', b']'] => 5,
        [.., b'\\', b'x', b'4', b'0'] => 4,
        [.., b'\\', b'u', b'0', b'0', b'4', b'0'] => 6,
        [.., b'\\', b'@'] => 2,
        [.., b'@'] => 1,
        _ => 0,
    }
}

/// Returns `true` if a link may have the character; every other one ends it.
pub(crate) fn is_of_url(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii() || "-._~:/?#@!$&()*+,;=%".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_one_and_two_strings() {
        for (text, c, len) in [
            (r"\u0026a", '&', 6),
            (r"\u003D", '=', 6),
            (r"\x26a", '&', 4),
            (r"\\u002fa", '/', 7),
            (r"\\/a", '/', 3),
            (r"\\\/a", '/', 4),
            (r"\u0022", '"', 6),
            (r"\u{26}a", '&', 6),
            (r"\\x{00003d}", '=', 11),
            (r"\u00e9", 'é', 6),
            (r"\\u4e2dx", '中', 7),
            (r"\u{e9}", 'é', 6),
            (r"\ud83d\ude00", '😀', 12),
            (r"\\uD83D\\uDE00x", '😀', 14),
            (r"\xe9", 'é', 4),
            (r"\xE9\x41", 'é', 4),
            (r"\\xe9", 'é', 5),
            (r"\xc3\xa9x", 'é', 8),
            (r"\xc3\\xa9x", 'Ã', 4),
            (r"\xe8\xa1\xa8", '表', 12),
            (r"\\xF0\\x9F\\x98\\x80x", '😀', 20),
        ] {
            assert_eq!(string_escape(text.as_bytes()), Some((c, len)), "{text}");
        }
        for text in [
            r"\/",
            r"\x85",
            r"\xA",
            r"\x9",
            r"\xg0",
            r"\u{}",
            r"\u{0000026}",
            r"\ud83d",
            r"\ud83d\u0041",
            r"\ud83d\xde00",
            r"\u{D83D}\uDE00",
            r"\x{00D83D}\xDE00",
            r"\ude00",
            r"\n",
            r"\\\\/",
            "u0026",
            "",
        ] {
            assert_eq!(string_escape(text.as_bytes()), None, "{text}");
        }
    }
}
