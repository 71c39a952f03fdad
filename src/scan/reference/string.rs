//! Escapes in running text. Those of strings of JSON and JavaScript, as in logs: `\u0026`, `\x26`, and a slash that is escaped
//! twice; and those of an at sign, in troff and Perl too.

/// Length in bytes of the longest escape.
pub(crate) const MAX_STRING_ESCAPE: usize = 11;

/// Maximum number of digits in braces.
const MAX_DIGITS: usize = 6;

/// Returns the ASCII character of the escape that the bytes begin with, and its length. The string may be in another
/// string, where each backslash is escaped again. A slash after one backslash is left to the rule of escaped punctuation.
pub(crate) fn string_escape(bytes: &[u8]) -> Option<(u8, usize)> {
    let backslashes = bytes.iter().take(4).take_while(|byte| **byte == b'\\').count();
    let rest = &bytes[backslashes..];
    let (digits, len) = match (backslashes, rest) {
        (2 | 3, [b'/', ..]) => return Some((b'/', backslashes + 1)),
        (1 | 2, [b'u' | b'x', b'{', digits @ ..]) => {
            let len = digits.iter().take(MAX_DIGITS + 1).position(|byte| *byte == b'}')?;
            (&digits[..len], len + 3)
        }
        (1 | 2, [b'u', b'0', b'0', digits @ ..]) => (digits.get(..2)?, 5),
        (1 | 2, [b'x', digits @ ..]) => (digits.get(..2)?, 3),
        _ => return None,
    };
    let mut value = 0;
    for digit in digits {
        value = value * 16 + char::from(*digit).to_digit(16)?;
    }
    let byte = u8::try_from(value).ok().filter(|byte| byte.is_ascii() && !digits.is_empty())?;
    Some((byte, backslashes + len))
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
pub(crate) fn is_of_url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&()*+,;=%".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_one_and_two_strings() {
        for (text, byte, len) in [
            (r"\u0026a", b'&', 6),
            (r"\u003D", b'=', 6),
            (r"\x26a", b'&', 4),
            (r"\\u002fa", b'/', 7),
            (r"\\/a", b'/', 3),
            (r"\\\/a", b'/', 4),
            (r"\u0022", b'"', 6),
            (r"\u{26}a", b'&', 6),
            (r"\\x{00003d}", b'=', 11),
        ] {
            assert_eq!(string_escape(text.as_bytes()), Some((byte, len)), "{text}");
        }
        for text in [
            r"\/",
            r"\u00e9",
            r"\u4e2d",
            r"\x9",
            r"\xg0",
            r"\u{}",
            r"\u{0000026}",
            r"\u{e9}",
            r"\n",
            r"\\\\/",
            "u0026",
            "",
        ] {
            assert_eq!(string_escape(text.as_bytes()), None, "{text}");
        }
    }
}
