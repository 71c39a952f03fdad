//! The characters of RFC 3986 and RFC 3987, as one table of 256 bytes.
//!
//! Each rule of the grammar is a bit. The table is indexed by *octets* of well-formed UTF-8. Octets from 0x80 up are
//! allowed in every component, except for the lead octets of some forbidden characters (`C2 D8 E2 EE EF F0–F4`); those stop
//! a scan, and [`judge`] decides. So the same loop scans ASCII and text in nearly every script, without decoding it.

use std::borrow::Cow;

use super::error::ErrorKind;
use crate::simd::narrow::ascii;

/// `ipchar` and `/`: the characters of a path (RFC 3987 §2.2).
pub(crate) const PATH: u8 = 1;
/// `ipchar`, `/` and `?`: the characters of a query or a fragment.
pub(crate) const QUERY: u8 = 2;
/// `iuserinfo` and `ireg-name` without the colon.
pub(crate) const AUTHORITY: u8 = 4;
/// `ALPHA / DIGIT / "+" / "-" / "."`.
pub(crate) const SCHEME: u8 = 8;
/// `HEXDIG` in upper or lower case.
pub(crate) const HEX: u8 = 16;
/// `unreserved` (RFC 3986 §2.3), ASCII only.
pub(crate) const UNRESERVED: u8 = 32;
/// `DIGIT`.
pub(crate) const DIGIT: u8 = 64;
/// Characters that stay unencoded in a URI wherever a delimiter may be: `unreserved`, `sub-delims` and
/// `: / ? @`; not `%`, `#`, `[`, `]`, and no non-ASCII character.
pub(crate) const PLAIN: u8 = 128;

/// Class bits of every octet.
pub(crate) static CLASS: [u8; 256] = class_table();

const fn class_table() -> [u8; 256] {
    let mut table = [0u8; 256];
    let mut b = 0usize;
    while b < 256 {
        let c = b as u8;
        let mut bits = 0;
        let unreserved = c.is_ascii_alphanumeric() || matches!(c, b'-' | b'.' | b'_' | b'~');
        let sub_delim = is_sub_delim(c);
        if unreserved {
            bits |= UNRESERVED;
        }
        if unreserved || sub_delim {
            bits |= AUTHORITY;
        }
        if unreserved || sub_delim || matches!(c, b':' | b'@' | b'/') {
            bits |= PATH;
        }
        if unreserved || sub_delim || matches!(c, b':' | b'@' | b'/' | b'?') {
            bits |= QUERY | PLAIN;
        }
        if c.is_ascii_alphanumeric() || matches!(c, b'+' | b'-' | b'.') {
            bits |= SCHEME;
        }
        if c.is_ascii_hexdigit() {
            bits |= HEX;
        }
        if c.is_ascii_digit() {
            bits |= DIGIT;
        }
        if c >= 0x80 && !matches!(c, 0xC2 | 0xD8 | 0xE2 | 0xEE | 0xEF | 0xF0..=0xF4) {
            bits |= PATH | QUERY | AUTHORITY;
        }
        table[b] = bits;
        b += 1;
    }
    table
}

/// Returns `true` for `sub-delims` (RFC 3986 §2.2).
pub(crate) const fn is_sub_delim(c: u8) -> bool {
    matches!(c, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
}

/// Returns `true` for `unreserved` (RFC 3986 §2.3).
#[inline]
pub(crate) const fn is_unreserved(c: u8) -> bool {
    CLASS[c as usize] & UNRESERVED != 0
}

/// Returns `true` for characters that may occur in a URI: `reserved`, `unreserved` and `%`.
#[inline]
pub(crate) const fn is_uri_byte(c: u8) -> bool {
    CLASS[c as usize] & PLAIN != 0 || matches!(c, b'#' | b'%' | b'[' | b']')
}

/// Returns `true` for printable ASCII that URIs forbid and that may be encoded by RFC 3987 §3.1.
#[inline]
pub(crate) const fn is_forbidden_ascii(c: u8) -> bool {
    matches!(c, b' ' | b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'\\' | b'^' | b'`')
}

/// Returns `true` for a `ucschar` (RFC 3987 §2.2). By its ABNF, bidirectional formatting characters are included.
///
/// ```
/// assert!(linksift::iri::is_ucschar('é'));
/// assert!(!linksift::iri::is_ucschar('\u{FFFD}'));
/// ```
#[must_use]
pub const fn is_ucschar(c: char) -> bool {
    let c = c as u32;
    match c {
        0..=0x9F => false,
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        0xD800..=0xF8FF | 0xFDD0..=0xFDEF | 0xFFF0..=0xFFFF => false,
        // Plane 14 begins at E1000; the last two code points of each plane are excluded; planes 15 and 16 are private use.
        0xE0000..=0xE0FFF => false,
        _ => c < 0xF0000 && c & 0xFFFE != 0xFFFE,
    }
}

/// Returns `true` for an `iprivate` character (RFC 3987 §2.2), which is allowed only in queries.
///
/// ```
/// assert!(linksift::iri::is_iprivate('\u{E000}'));
/// ```
#[must_use]
pub const fn is_iprivate(c: char) -> bool {
    matches!(c as u32, 0xE000..=0xF8FF | 0xF0000..=0xFFFFD | 0x100000..=0x10FFFD)
}

/// Returns `true` for a bidirectional formatting character, which an IRI must not contain (RFC 3987 §4.1): LRM,
/// RLM, LRE, RLE, PDF, LRO, RLO, and those that Unicode 6.3 added: ALM, LRI, RLI, FSI, PDI.
///
/// ```
/// assert!(linksift::iri::is_bidi_formatting('\u{202E}'));
/// ```
#[must_use]
pub const fn is_bidi_formatting(c: char) -> bool {
    matches!(c as u32, 0x200E | 0x200F | 0x202A..=0x202E | 0x2066..=0x2069 | 0x061C)
}

/// Set of non-ASCII characters that a component may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Private {
    /// No private-use characters.
    No,
    /// `iprivate` of RFC 3987: in a query.
    Query,
    /// `iprivate` of 3987bis, with U+E0000–E0FFF: in a query.
    BisQuery,
}

/// Returns an error with the reason if a non-ASCII character must not be in a component.
pub(crate) const fn judge(c: char, private: Private) -> Result<(), ErrorKind> {
    if is_bidi_formatting(c) {
        return Err(ErrorKind::BidiControl);
    }
    if is_ucschar(c) {
        return Ok(());
    }
    if is_iprivate(c) {
        return match private {
            Private::No => Err(ErrorKind::PrivateUse),
            _ => Ok(()),
        };
    }
    match c as u32 {
        0x80..=0x9F => Err(ErrorKind::ControlCharacter),
        0xE0000..=0xE0FFF if matches!(private, Private::BisQuery) => Ok(()),
        _ => Err(ErrorKind::NotIriCharacter),
    }
}

/// Returns the kind of error for an ASCII octet that is not allowed.
pub(crate) const fn ascii_kind(c: u8) -> ErrorKind {
    match c {
        0..=0x1F | 0x7F => ErrorKind::ControlCharacter,
        b'%' => ErrorKind::StrayPercent,
        _ => ErrorKind::ForbiddenCharacter,
    }
}

/// Returns the value of a hexadecimal digit.
#[inline]
pub(crate) const fn hex_value(c: u8) -> Option<u8> {
    match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        b'A'..=b'F' => Some(c - b'A' + 10),
        _ => None,
    }
}

/// Returns the octet that is percent-encoded at `i`, if there is one.
#[inline]
pub(crate) fn triplet(bytes: &[u8], i: usize) -> Option<u8> {
    match bytes.get(i..i + 3) {
        Some(&[b'%', high, low]) => Some(hex_value(high)? << 4 | hex_value(low)?),
        _ => None,
    }
}

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// Appends an octet percent-encoded, in upper case (RFC 3987 §3.1, step 2.2).
#[inline]
pub(crate) fn push_triplet(out: &mut String, octet: u8) {
    out.push('%');
    out.push(char::from(DIGITS[usize::from(octet >> 4)]));
    out.push(char::from(DIGITS[usize::from(octet & 15)]));
}

/// Form of each octet in a URI, and its length: ASCII is unchanged, the others are percent-encoded.
static EXPANSION: [[u8; 4]; 256] = {
    let mut table = [[0; 4]; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b < 0x80 {
            true => [b as u8, 0, 0, 1],
            false => [b'%', DIGITS[b >> 4], DIGITS[b & 15], 3],
        };
        b += 1;
    }
    table
};

/// Appends a text with its non-ASCII characters percent-encoded. Complete chunks are assembled on the stack, without a
/// branch for each octet, since ASCII is too frequent in all scripts for the branch to be predicted.
pub(crate) fn push_expanded(out: &mut String, text: &str) {
    if text.is_ascii() {
        return out.push_str(text);
    }
    out.reserve(text.len() * 2);
    let mut buffer = [0; 64 * 3 + 4];
    for chunk in text.as_bytes().chunks(64) {
        let mut end = 0;
        for &b in chunk {
            let expansion = EXPANSION[usize::from(b)];
            if let Some(slot) = buffer.get_mut(end..end + 4) {
                slot.copy_from_slice(&expansion);
            }
            end += usize::from(expansion[3]);
        }
        out.push_str(buffer.get(..end).and_then(ascii).unwrap_or_default());
    }
}

/// Appends a character's UTF-8 octets percent-encoded.
#[inline]
pub(crate) fn push_encoded(out: &mut String, c: char) {
    for &octet in c.encode_utf8(&mut [0; 4]).as_bytes() {
        push_triplet(out, octet);
    }
}

/// Percent-encodes the printable ASCII that URIs forbid: ``< > " { } | \ ^ ` `` and space, and nothing else (RFC 3987 §3.1,
/// "MAY also deal with"). For preprocessing text that is not an IRI yet.
///
/// ```
/// use linksift::iri::encode_forbidden;
///
/// assert_eq!(encode_forbidden("http://e.example/a b|c#d[1]%"), "http://e.example/a%20b%7Cc#d[1]%");
/// ```
#[must_use]
pub fn encode_forbidden(text: &str) -> Cow<'_, str> {
    let Some(first) = text.bytes().position(is_forbidden_ascii) else {
        return Cow::Borrowed(text);
    };
    let (plain, rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(plain);
    for c in rest.chars() {
        if c.is_ascii() && is_forbidden_ascii(c as u8) {
            push_encoded(&mut out, c);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every character, the table has the same result for its octets as the functions.
    #[test]
    fn table_agrees_with_the_rules() {
        for c in (0x80u32..=0x10FFFF).filter_map(char::from_u32) {
            let mut buffer = [0; 4];
            let octets = c.encode_utf8(&mut buffer).as_bytes();
            let passes = octets.iter().all(|&b| CLASS[usize::from(b)] & PATH != 0);
            if passes {
                assert_eq!(judge(c, Private::No), Ok(()), "{:X}", c as u32);
            }
            let stops = CLASS[usize::from(octets[0])] & PATH == 0;
            assert!(stops || passes, "a stop inside U+{:04X}", c as u32);
        }
    }

    #[test]
    fn ucschar_and_iprivate_are_the_abnf() {
        let ucschar = |c: u32| {
            (0xA0..=0xD7FF).contains(&c)
                || (0xF900..=0xFDCF).contains(&c)
                || (0xFDF0..=0xFFEF).contains(&c)
                || (1..=13).any(|p| (p << 16..=(p << 16 | 0xFFFD)).contains(&c))
                || (0xE1000..=0xEFFFD).contains(&c)
        };
        for c in (0..=0x10FFFF).filter_map(char::from_u32) {
            assert_eq!(is_ucschar(c), ucschar(c as u32), "{:X}", c as u32);
            assert!(!(is_ucschar(c) && is_iprivate(c)));
        }
    }
}
