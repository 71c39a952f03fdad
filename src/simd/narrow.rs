//! Conversion of ASCII: bytes to text, and units of UTF-16 to the bytes of the pass.
//!
//! The input is the few bytes of a value, the result is a string, if the bytes are ASCII. The standard library checks bytes
//! one by one up to an aligned address, and is called; for a short value that takes longer than everything else.
//!
//! The input is stored units, the result is one byte for each: ASCII is unchanged, the ideographic full stops become one
//! byte, and all other units another. Both of these are non-ASCII bytes.

use super::vectors::{self, VectorKernel, Vectors};

/// Number of bytes that are checked together.
const WORD: usize = 8;

/// Returns the bytes as text, if all of them are ASCII.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn ascii(bytes: &[u8]) -> Option<&str> {
    if !is_ascii(bytes) {
        return None;
    }
    // SAFETY: each byte is ASCII, as checked above, and ASCII is UTF-8.
    Some(unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// Returns `true` if all of them are ASCII; the last word overlaps the one before.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<WORD>() else {
        return bytes.iter().fold(0, |all, byte| all | byte) < 0x80;
    };
    let (words, _) = bytes.as_chunks::<WORD>();
    let all =
        words.iter().fold(u64::from_ne_bytes(*last), |all, word| all | u64::from_ne_bytes(*word));
    all & 0x8080_8080_8080_8080 == 0
}

/// Byte that represents U+3002, U+FF0E and U+FF61.
pub(crate) const NARROW_STOP: u8 = 0xFE;
/// Byte that represents all other non-ASCII units.
const OTHER: u8 = 0x80;

/// Narrows the units stored in `bytes`, big-endian or little-endian, as many as fit in `units`.
#[inline]
pub(crate) fn narrow_units(bytes: &[u8], is_big: bool, units: &mut [u8]) {
    if let Err(NarrowKernel { bytes, is_big, units }) =
        vectors::dispatch(NarrowKernel { bytes, is_big, units })
    {
        portable(bytes, is_big, units);
    }
}

struct NarrowKernel<'b> {
    bytes: &'b [u8],
    is_big: bool,
    units: &'b mut [u8],
}

impl VectorKernel for NarrowKernel<'_> {
    type Output = ();

    /// The same code, for which the compiler needs a third of the instructions with wider vectors.
    #[inline(always)]
    fn run(self, _: impl Vectors) {
        portable(self.bytes, self.is_big, self.units);
    }
}

#[inline(always)]
fn portable(bytes: &[u8], is_big: bool, units: &mut [u8]) {
    match is_big {
        true => narrow(bytes, units, u16::from_be_bytes),
        false => narrow(bytes, units, u16::from_le_bytes),
    }
}

/// There is no branch, and units of 16 bits, so that many are processed at a time.
#[inline(always)]
fn narrow(bytes: &[u8], units: &mut [u8], unit: impl Fn([u8; 2]) -> u16) {
    const TO_STOP: u16 = (NARROW_STOP ^ OTHER) as u16;
    for (to, from) in units.iter_mut().zip(bytes.as_chunks().0) {
        let unit = unit(*from);
        // At most `OTHER`.
        let byte = unit - unit.saturating_sub(OTHER.into());
        let is_stop = (unit == 0x3002) | (unit == 0xFF0E) | (unit == 0xFF61);
        *to = (byte | if is_stop { TO_STOP } else { 0 }) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_what_the_library_says() {
        for len in 0..40 {
            for at in 0..len {
                for byte in [0, b'a', 0x7F, 0x80, 0xC3, 0xFF] {
                    let mut bytes = vec![b'x'; len];
                    bytes[at] = byte;
                    let wanted = std::str::from_utf8(&bytes).ok().filter(|text| text.is_ascii());
                    assert_eq!(ascii(&bytes), wanted, "{bytes:?}");
                }
            }
        }
        assert_eq!(ascii(b""), Some(""));
    }

    /// All units, in both byte orders, on both code paths, at each length of the last vector.
    #[test]
    #[cfg_attr(miri, ignore = "takes hours")]
    fn units_become_bytes() {
        let want: Vec<u8> = (0..=u16::MAX)
            .map(|unit| match unit {
                0..0x80 => unit as u8,
                0x3002 | 0xFF0E | 0xFF61 => NARROW_STOP,
                _ => OTHER,
            })
            .collect();
        let orders = [(false, u16::to_le_bytes as fn(u16) -> [u8; 2]), (true, u16::to_be_bytes)];
        for (is_big, stored) in orders {
            let bytes: Vec<u8> = (0..=u16::MAX).flat_map(stored).collect();
            for first in (0..70).chain([0x2FF0, 0xFF00, 0xFFFF]) {
                for len in [want.len() - first, (want.len() - first).min(45)] {
                    let want = &want[first..first + len];
                    for route in [narrow_units, portable] {
                        let mut units = vec![1; len];
                        route(&bytes[2 * first..2 * (first + len)], is_big, &mut units);
                        assert!(units == want, "{is_big} {first} {len}");
                    }
                }
            }
        }
    }
}
