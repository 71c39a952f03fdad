//! Colons: whether a scheme may end before one, by the bytes around it.

use super::marks::FIRST_HOST;

/// What the words of scheme-only forms end with, in lower case, or a reference to their last letter.
pub(crate) const WORD_ENDS: [u8; 11] = *b"lspndtoaix;";

/// Whether the last letters before a colon show that no word of a scheme-only form ends there: most
/// colons end here.
#[inline]
pub(crate) fn is_plainly_no_word(before: &[u8]) -> bool {
    match *before {
        [.., b';'] | [.., b';', _] | [.., b';', _, _] => false,
        [.., a, b, c] => !matches!(
            &[a | 0x20, b | 0x20, c | 0x20],
            b"tel"
                | b"sms"
                | b"sip"
                | b"ips"
                | b"mpp"
                | b"urn"
                | b"ews"
                | b"mid"
                | b"cid"
                | b"net"
                | b"geo"
                | b"ata"
                | b"doi"
                | b"oin"
                | b"rix"
        ),
        _ => true,
    }
}

/// Whether the colon before `at` may be that of a link.
pub(crate) fn may_be_colon(bytes: &[u8], at: usize) -> bool {
    let back = |n: usize| at.checked_sub(n).map_or(0, |i| bytes[i]);
    let before = [back(4), back(3), back(2)];
    match before[2] {
        ..FIRST_HOST => false,
        _ if matches!(bytes[at], b'/' | b'&') || before.contains(&b';') => true,
        c => c.is_ascii_alphabetic() && !is_plainly_no_word(&before),
    }
}
