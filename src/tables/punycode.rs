//! Encodes and decodes A-labels by Punycode (RFC 3492).
//!
//! It does not check whether a label is valid: the label has been mapped before, or its validity does not matter. `idna`
//! decodes; its encoder allocates, which the search for links does not.

use std::borrow::Cow;

/// Maximum length of a label in the DNS; longer ones are never valid.
pub(crate) const LONGEST: usize = 63;

/// Appends the encoding of a label to its `basic` code points, which are written already (RFC 3492 §6.3); returns `None` if
/// it is too long for the arithmetic, or for the output.
pub(crate) fn encode(
    points: &[u32],
    basic: u32,
    mut write: impl FnMut(u8) -> Option<()>,
) -> Option<()> {
    const BASE: u32 = 36;
    if basic > 0 {
        write(b'-')?;
    }
    let (mut n, mut delta, mut bias, mut handled) = (0x80u32, 0u32, 72u32, basic);
    while (handled as usize) < points.len() {
        let mut next = u32::MAX;
        for &c in points {
            next = if c >= n { next.min(c) } else { next };
        }
        delta = delta.checked_add((next - n).checked_mul(handled + 1)?)?;
        n = next;
        for &c in points {
            if c < n {
                delta = delta.checked_add(1)?;
            }
            if c != n {
                continue;
            }
            let mut q = delta;
            let mut k = BASE;
            loop {
                let t = k.saturating_sub(bias).clamp(1, 26);
                if q < t {
                    break;
                }
                write(digit(t + (q - t) % (BASE - t)))?;
                q = (q - t) / (BASE - t);
                k += BASE;
            }
            write(digit(q))?;
            bias = adapt(delta, handled + 1, handled == basic);
            delta = 0;
            handled += 1;
        }
        delta += 1;
        n += 1;
    }
    Some(())
}

fn digit(value: u32) -> u8 {
    let value = value as u8;
    if value < 26 { b'a' + value } else { b'0' + (value - 26) }
}

/// Returns the characters of an A-label, with `xn--` in upper or lower case; `None` if it is not an A-label, or malformed.
pub(crate) fn decode(label: &str) -> Option<String> {
    let (prefix, rest) = label.split_at_checked(4)?;
    if !prefix.eq_ignore_ascii_case("xn--")
        || rest.is_empty()
        || rest.len() > LONGEST
        || !rest.is_ascii()
    {
        return None;
    }
    idna::punycode::decode_to_string(&rest.to_ascii_lowercase())
}

/// Adapts the bias (RFC 3492 §6.1).
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

/// Returns a label in characters: an A-label decoded, any other label unchanged.
pub(crate) fn to_unicode(label: &str) -> Cow<'_, str> {
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
        for label in ["", "xn--", "abc", "xn--é", "xn--99999999999", "xn--a_", "xn-a", "xn---a"] {
            assert_eq!(decode(label), None, "{label}");
        }
        assert_eq!(decode(&format!("xn--{}", "9".repeat(70))), None);
    }
}
