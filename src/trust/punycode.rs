//! A-labels read: Punycode decoded (RFC 3492 §6.2).
//!
//! In goes what follows `xn--`, out come its characters. Whether the label is a valid one is not asked:
//! the host has been mapped before, or nothing hangs on it.

use std::borrow::Cow;

/// The longest label of the DNS.
const LONGEST: usize = 63;

/// The characters that an A-label stands for, `xn--` in any case; `None` if it is no A-label, or not
/// well-formed.
pub(super) fn decode(label: &str) -> Option<String> {
    let (prefix, rest) = label.split_at_checked(4)?;
    if !prefix.eq_ignore_ascii_case("xn--")
        || rest.is_empty()
        || rest.len() > LONGEST
        || !rest.is_ascii()
    {
        return None;
    }
    let (basic, extended) = rest.rsplit_once('-').unwrap_or(("", rest));
    let mut points: Vec<char> = Vec::with_capacity(LONGEST);
    points.extend(basic.chars().map(|c| c.to_ascii_lowercase()));
    let (mut n, mut i, mut bias) = (0x80u32, 0u32, 72u32);
    let mut digits = extended.bytes();
    let mut next = digits.next();
    while next.is_some() {
        let before = i;
        let (mut weight, mut k) = (1u32, 36u32);
        loop {
            let digit = match next? {
                b @ b'a'..=b'z' => b - b'a',
                b @ b'A'..=b'Z' => b - b'A',
                b @ b'0'..=b'9' => b - b'0' + 26,
                _ => return None,
            };
            next = digits.next();
            let digit = u32::from(digit);
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let threshold = k.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(36 - threshold)?;
            k += 36;
        }
        let len = points.len() as u32 + 1;
        bias = adapt(i - before, len, before == 0);
        n = n.checked_add(i / len)?;
        i %= len;
        points.insert(i as usize, char::from_u32(n)?);
        i += 1;
    }
    Some(points.into_iter().collect())
}

/// RFC 3492 §6.1.
fn adapt(delta: u32, points: u32, first: bool) -> u32 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / points;
    let mut k = 0;
    while delta > 455 {
        delta /= 35;
        k += 36;
    }
    k + 36 * delta / (delta + 38)
}

/// A label in characters: an A-label decoded, any other one as it is.
pub(super) fn to_unicode(label: &str) -> Cow<'_, str> {
    match decode(label) {
        Some(decoded) => Cow::Owned(decoded),
        None => Cow::Borrowed(label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iri::host_to_ascii;

    #[test]
    fn what_was_encoded_comes_back() {
        for label in ["bücher", "例え", "пример", "ab-é-9", "한국어", "𠮷野家", "ไทย", "ßß", "é"]
        {
            let ascii = host_to_ascii(label).unwrap();
            assert_eq!(decode(&ascii).as_deref(), Some(label), "{ascii}");
            assert_eq!(decode(&ascii.to_uppercase()).as_deref(), Some(label), "{ascii}");
        }
    }

    #[test]
    fn what_is_none() {
        for label in ["", "xn--", "abc", "xn--é", "xn--99999999999", "xn--a_", "xn-a"] {
            assert_eq!(decode(label), None, "{label}");
        }
        assert_eq!(decode(&format!("xn--{}", "9".repeat(70))), None);
    }
}
