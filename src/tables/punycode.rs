//! Encodes and decodes A-labels by Punycode (RFC 3492).
//!
//! It does not check whether a label is valid: the label has been mapped before, or its validity does not matter. `idna`
//! decodes; its encoder allocates, which the search for links does not.

use std::borrow::Cow;

/// Maximum length of a label in the DNS; longer ones are never valid.
pub(crate) const LONGEST: usize = 63;

/// The code points of a label in the order in which Punycode inserts them: by number, equal ones by place.
///
/// The insertion of a code point gives its place among the smaller ones before it, from which its delta follows; the
/// procedure of RFC 3492 §6.3 counts it in a pass over the label for each number.
pub(crate) struct Points {
    /// Non-basic code points, sorted: the number, and the place in the lowest six bits.
    sorted: [u32; LONGEST + 1],
    len: usize,
    basic: usize,
}

impl Points {
    pub(crate) fn new() -> Points {
        Points { sorted: [0; LONGEST + 1], len: 0, basic: 0 }
    }

    /// Makes it the points of an empty label.
    #[inline]
    pub(crate) fn clear(&mut self) {
        (self.len, self.basic) = (0, 0);
    }

    /// Returns `true` if the label has only basic code points.
    #[inline]
    pub(crate) fn is_basic(&self) -> bool {
        self.len == 0
    }

    /// Adds a basic code point; returns `None` if the label is too long.
    #[inline]
    pub(crate) fn basic(&mut self) -> Option<()> {
        self.basic += 1;
        (self.basic + self.len <= LONGEST).then_some(())
    }

    /// Adds another code point; returns `None` if the label is too long.
    #[inline]
    pub(crate) fn insert(&mut self, c: char) -> Option<()> {
        let point = u32::from(c);
        let mut at = self.len;
        self.len += 1;
        if self.basic + self.len > LONGEST {
            return None;
        }
        while at > 0 && self.sorted[at - 1] >> PLACE_BITS > point {
            self.sorted[at] = self.sorted[at - 1];
            at -= 1;
        }
        self.sorted[at] = point << PLACE_BITS | (self.basic + at) as u32;
        Some(())
    }

    /// Passes the encoding of the label after its basic code points to `write` (RFC 3492 §6.3).
    #[inline(always)]
    pub(crate) fn encode(&self, mut write: impl FnMut(u8)) {
        const BASE: u32 = 36;
        if self.basic > 0 {
            write(b'-');
        }
        let (mut n, mut from, mut bias) = (0x80, 0, 72);
        let mut handled = self.basic as u32;
        for (index, point) in self.sorted.iter().take(self.len).enumerate() {
            let (point, place) = (point >> PLACE_BITS, point & PLACES);
            // No overflow: at most 0x110000 times 64.
            let delta = (point - n) * (handled + 1) + place - from;
            let mut q = delta;
            let mut k = BASE;
            loop {
                let t = k.saturating_sub(bias).clamp(1, 26);
                if q < t {
                    break;
                }
                write(digit(t + (q - t) % (BASE - t)));
                q = (q - t) / (BASE - t);
                k += BASE;
            }
            write(digit(q));
            handled += 1;
            bias = adapt(delta, handled, index == 0);
            (n, from) = (point, place + 1);
        }
    }
}

/// Number of bits of a place in a label.
const PLACE_BITS: u32 = 6;
const PLACES: u32 = (1 << PLACE_BITS) - 1;

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
