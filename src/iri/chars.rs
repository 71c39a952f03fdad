//! The character classes of RFC 3986 and RFC 3987.

/// Whether an ASCII byte may stand in a URI as it is: unreserved, reserved, or `%`.
pub(crate) const fn is_uri_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~')
        || matches!(byte, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@')
        || matches!(
            byte,
            b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'='
        )
        || byte == b'%'
}

/// `ucschar` of RFC 3987 §2.2, and `iprivate` where it is allowed: in a query.
pub(crate) fn is_iri_char(c: char, in_query: bool) -> bool {
    match u32::from(c) {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        c @ 0x1_0000..=0xE_FFFF => c & 0xFFFF < 0xFFFE && !(0xE_0000..0xE_1000).contains(&c),
        0xE000..=0xF8FF => in_query,
        c @ 0xF_0000.. => in_query && c & 0xFFFF < 0xFFFE,
        _ => false,
    }
}
