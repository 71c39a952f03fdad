//! Decides whether a scheme may end before a colon, by the bytes around it.

use super::marks::FIRST_HOST;
use crate::tables::schemes::ENDINGS;

/// Returns `true` if a colon after this byte may be that of a scheme without `//`: the byte is the last letter of such a
/// scheme in any letter case, or may end a reference to it.
pub(crate) const fn may_follow(byte: u8) -> bool {
    byte == b';' || byte.is_ascii_digit() || ENDINGS.have_last(byte)
}

/// Returns `true` if the last letters before a colon show that no scheme without `//` ends there, as before most colons.
#[inline]
pub(crate) fn is_plainly_no_word(before: &[u8]) -> bool {
    match *before {
        [.., b';'] | [.., b';', _] | [.., b';', _, _] => false,
        [.., a, b, c] => !ENDINGS.have([a, b, c]),
        _ => true,
    }
}

/// Returns `true` if the colon before `at` may be that of a port after the last number of an IPv4 address.
#[inline]
pub(crate) fn may_be_port(bytes: &[u8], at: usize) -> bool {
    // There is more than one byte before the last number of an address.
    let [.., a, b, c, last, _] = bytes[..at] else { return false };
    (a == b'.' || b == b'.' || c == b'.') && last.is_ascii_digit() && bytes[at].is_ascii_digit()
}

/// Returns `true` if the colon before `at` may be that of a link.
#[inline]
pub(crate) fn may_be_colon(bytes: &[u8], at: usize) -> bool {
    // Most colons precede white space, with which no part of a link begins, and others follow a word, for which a table
    // lookup decides.
    if bytes[at].is_ascii_whitespace() {
        return false;
    }
    if let [.., a, b, c, _] = bytes[..at]
        && a != b';'
        && b != b';'
        && c != b';'
        && !matches!(bytes[at], b'/' | b'&' | b'\\')
    {
        return match c.is_ascii_alphabetic() {
            true => ENDINGS.have([a, b, c]) || is_of_mailto([a, b, c]),
            false => may_be_port(bytes, at),
        };
    }
    may_be_colon_general(bytes, at)
}

fn may_be_colon_general(bytes: &[u8], at: usize) -> bool {
    let back = |n: usize| at.checked_sub(n).map_or(0, |i| bytes[i]);
    let before = [back(4), back(3), back(2)];
    match before[2] {
        _ if bytes[at].is_ascii_whitespace() => false,
        ..FIRST_HOST => false,
        _ if matches!(bytes[at], b'/' | b'&' | b'\\') || before.contains(&b';') => true,
        _ if may_be_port(bytes, at) => true,
        c => c.is_ascii_alphabetic() && (!is_plainly_no_word(&before) || is_of_mailto(before)),
    }
}

/// Returns `true` if `mailto` may end so: an address after it needs no dot.
fn is_of_mailto(letters: [u8; 3]) -> bool {
    letters.eq_ignore_ascii_case(b"lto")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table lookup gives the same result as the general rule.
    #[test]
    fn a_word_before_a_colon_both_ways() {
        const BYTES: &[u8] = b"aEglmnoPrstuwx;&./09 \xE9";
        let all = BYTES.len();
        let mut known = 0;
        for number in 0..all * all * all {
            let before = [number / all / all, number / all % all, number % all].map(|n| BYTES[n]);
            for after in [b' ', b'/', b'&', b'\\', b'1', b'x'] {
                let bytes = [before[0], before[1], before[2], b':', after];
                let may_be = may_be_colon(&bytes, 4);
                assert_eq!(may_be, may_be_colon_general(&bytes, 4), "{:?}", bytes.escape_ascii());
                known += usize::from(may_be);
            }
        }
        assert!(known > 1_000, "{known}");
    }
}
