//! The escapes of JSON's strings (RFC 8259 §7).
//!
//! The input is bytes at a backslash, the result is the character and the length of the escape. Two escapes of surrogates
//! are one character, a lone one is U+FFFD. Outside strings JSON has no backslashes.

/// Length in bytes of the longest escape: two surrogates.
const LONGEST: usize = 12;
/// Length in bytes of the escape of one code unit, `\u002f`.
const UNIT: usize = 6;

/// Reads the escape that begins at `bytes[at]`, a backslash: its character, and its length in bytes.
pub(super) fn escape_at(bytes: &[u8], at: usize) -> Option<(char, usize)> {
    let rest = bytes.get(at..)?;
    let c = match rest.get(1)? {
        b'u' => return unicode(rest),
        b'b' => '\u{8}',
        b'f' => '\u{C}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b @ (b'"' | b'\\' | b'/') => char::from(*b),
        _ => return None,
    };
    Some((c, 2))
}

fn unicode(rest: &[u8]) -> Option<(char, usize)> {
    let unit = unit(rest)?;
    if let Some(c) = char::from_u32(unit) {
        return Some((c, UNIT));
    }
    let low = rest.get(UNIT..).and_then(self::unit);
    match low.and_then(|low| of_surrogates(unit, low)) {
        Some(c) => Some((c, LONGEST)),
        None => Some((char::REPLACEMENT_CHARACTER, UNIT)),
    }
}

/// Returns the character of two surrogates.
pub(super) fn of_surrogates(high: u32, low: u32) -> Option<char> {
    let units = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
    is_high(high).then(|| char::decode_utf16(units).next()?.ok())?
}

/// Returns the number that hexadecimal digits are; `None` without one.
pub(super) fn hexadecimal(digits: &[u8]) -> Option<u32> {
    let digit = |value: u32, byte: &u8| Some(value << 4 | char::from(*byte).to_digit(16)?);
    digits.iter().try_fold(0, digit).filter(|_| !digits.is_empty())
}

/// Returns the code unit of the `\uXXXX` that the bytes begin with.
fn unit(bytes: &[u8]) -> Option<u32> {
    hexadecimal(bytes.strip_prefix(b"\\u")?.get(..4)?)
}

fn is_high(unit: u32) -> bool {
    (0xD800..0xDC00).contains(&unit)
}

/// Returns the number of bytes before an escape that may continue after the bytes. `begins` returns whether a character
/// begins at an offset: a backslash may be the second byte of one.
pub(crate) fn whole_escapes(bytes: &[u8], begins: impl Fn(usize) -> bool) -> usize {
    let from = bytes.len().saturating_sub(LONGEST);
    let Some(last) = memchr::memrchr(b'\\', &bytes[from..]).map(|at| from + at) else {
        return bytes.len();
    };
    if !begins_escape(bytes, last, &begins) {
        return bytes.len();
    }
    let (here, is_u) = (bytes.len() - last, bytes.get(last + 1) == Some(&b'u'));
    let is_open = match unit(&bytes[last..]) {
        Some(unit) => is_high(unit) && here < LONGEST,
        None => here < 2 || is_u && here < UNIT,
    };
    let front =
        last.checked_sub(UNIT).filter(|at| unit(&bytes[*at..]).is_some_and(is_high) && begins(*at));
    match is_open {
        true => front.unwrap_or(last),
        false => bytes.len(),
    }
}

/// Returns the number of bytes before the first escape of a code unit in the last `reach` bytes; all bytes without one. `begins` as
/// for [`whole_escapes`].
pub(crate) fn before_escape_of(
    code_unit: u8,
    bytes: &[u8],
    reach: usize,
    begins: impl Fn(usize) -> bool,
) -> usize {
    let from = bytes.len().saturating_sub(reach);
    let is_escape = |at: &usize| {
        unit(&bytes[*at..]) == Some(code_unit.into()) && begins_escape(bytes, *at, &begins)
    };
    let mut backslashes = memchr::memchr_iter(b'\\', &bytes[from..]).map(|at| from + at);
    backslashes.find(is_escape).unwrap_or(bytes.len())
}

/// Whether the backslash at an offset begins an escape: it is neither the second of two, which are one escape, nor the second
/// byte of a character.
fn begins_escape(bytes: &[u8], at: usize, begins: &impl Fn(usize) -> bool) -> bool {
    let before = bytes[..at].iter().rev().take_while(|b| **b == b'\\').count();
    let first = at - before;
    let first = first + usize::from(!begins(first));
    first <= at && (at - first).is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_rfc_8259() {
        for (text, found) in [
            (r"\/x", Some(('/', 2))),
            (r"\\/", Some(('\\', 2))),
            (r"\u002f", Some(('/', 6))),
            (r"\u00E9x", Some(('é', 6))),
            (r"\ud83d\uDE00", Some(('😀', 12))),
            (r"\ud83d\u0041", Some(('\u{FFFD}', 6))),
            (r"\ude00", Some(('\u{FFFD}', 6))),
            (r"\n", Some(('\n', 2))),
            (r"\x41", None),
            (r"\u00g9", None),
            (r"\u00", None),
            (r"\", None),
        ] {
            assert_eq!(escape_at(text.as_bytes(), 0), found, "{text}");
        }
    }

    #[test]
    fn an_escape_that_is_cut_waits() {
        for (text, whole) in [
            (r"abc", 3),
            (r"a\", 1),
            (r"a\\", 3),
            (r"a\\\", 3),
            (r"a\/", 3),
            (r"a\u", 1),
            (r"a\u002", 1),
            (r"a\u002f", 7),
            (r"a\uxy", 1),
            (r"a\ud83d", 1),
            (r"a\ud83d\", 1),
            (r"a\ud83d\uDE0", 1),
            (r"a\ud83d\uDE00", 13),
            (r"a\ud83dbcdef", 1),
            (r"a\ud83dbcdefg", 13),
        ] {
            assert_eq!(whole_escapes(text.as_bytes(), |_| true), whole, "{text}");
        }
    }

    #[test]
    fn a_text_in_parts_is_read_as_in_one() {
        let text = r#"a\\\u0041\ud83d\ude00\"\ud83d\u002f\/b\u00e9\\"#.as_bytes();
        let read = |bytes: &[u8]| {
            let (mut out, mut at) = (String::new(), 0);
            while at < bytes.len() {
                let (c, len) = escape_at(bytes, at)
                    .filter(|_| bytes[at] == b'\\')
                    .unwrap_or((char::from(bytes[at]), 1));
                (out, at) = (out + c.encode_utf8(&mut [0; 4]), at + len);
            }
            out
        };
        for cut in 0..text.len() {
            let whole = whole_escapes(&text[..cut], |_| true);
            assert_eq!(read(&text[..whole]) + &read(&text[whole..]), read(text), "{cut}");
        }
    }
}
