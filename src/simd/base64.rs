//! Base64: finds digits, and decodes groups of four digits.
//!
//! The input is bytes, the result is counts and decoded bytes; the calling modules handle lines with other characters.
//! AVX2, if available, decodes 32 digits at once, by the method of Wojciech Muła and Daniel Lemire, "Faster Base64 Encoding
//! and Decoding Using AVX2 Instructions"; the scalar fallback uses a table.

use super::vectors::{self, VectorKernel, Vectors};

/// Returns the value of a digit of the alphabet of RFC 4648 §4.
#[inline]
pub(crate) fn value(byte: u8) -> Option<u8> {
    Some(VALUES[usize::from(byte)]).filter(|value| *value != NONE)
}

/// Returns the number of digits at the beginning of the bytes.
#[inline]
pub(crate) fn digits(bytes: &[u8]) -> usize {
    vectors::dispatch(Digits(bytes)).unwrap_or_else(|Digits(bytes)| portable_digits(bytes))
}

struct Digits<'b>(&'b [u8]);

impl VectorKernel for Digits<'_> {
    type Output = usize;

    /// The same code, for which the compiler uses wider vectors.
    #[inline(always)]
    fn run(self, _: impl Vectors) -> usize {
        portable_digits(self.0)
    }
}

/// Appends the decoded groups of four digits, three bytes for each; all of `groups` must be digits.
#[inline]
pub(crate) fn decode(groups: &[u8], out: &mut Vec<u8>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(wide) = vectors::Avx2::detect() {
        #[allow(unsafe_code)]
        // SAFETY: an `Avx2` value is created only if the processor has AVX2.
        unsafe {
            x86::decode(wide, groups, out);
        }
        return;
    }
    portable_decode(groups, out);
}

/// Not a digit.
const NONE: u8 = 0xFF;

/// Values of the digits.
const VALUES: [u8; 256] = {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < 64 {
        values[alphabet[value] as usize] = value as u8;
        value += 1;
    }
    values
};

#[inline(always)]
fn portable_digits(bytes: &[u8]) -> usize {
    // There is no branch for each byte, so that the compiler can use vectors.
    let is_digit = |b: u8| {
        let letter = (b | 0x20).wrapping_sub(b'a') < 26;
        letter | (b.wrapping_sub(b'/') < 11) | (b == b'+')
    };
    let (blocks, rest) = bytes.as_chunks::<32>();
    let others = |block: &[u8; 32]| block.iter().fold(0, |all, b| all | u8::from(!is_digit(*b)));
    let whole = blocks.iter().take_while(|block| others(block) == 0).count();
    let last = bytes.last_chunk().filter(|_| whole == blocks.len());
    if last.is_some_and(|last| others(last) == 0) {
        return bytes.len();
    }
    let rest = blocks.get(whole).map_or(rest, |block| &block[..]);
    32 * whole + rest.iter().take_while(|b| value(**b).is_some()).count()
}

fn portable_decode(groups: &[u8], out: &mut Vec<u8>) {
    let group = |group: &[u8]| {
        let digit = |place: usize| u64::from(VALUES[usize::from(group[place])]) << (18 - 6 * place);
        digit(0) | digit(1) | digit(2) | digit(3)
    };
    let start = out.len();
    out.resize(start + groups.len() / 4 * 3, 0);
    let mut pairs = groups.chunks_exact(8);
    let mut sixes = out[start..].chunks_exact_mut(6);
    for (pair, six) in pairs.by_ref().zip(sixes.by_ref()) {
        let value = group(&pair[..4]) << 24 | group(&pair[4..]);
        six.copy_from_slice(&value.to_be_bytes()[2..]);
    }
    if let [_, ..] = pairs.remainder() {
        sixes.into_remainder().copy_from_slice(&group(pairs.remainder()).to_be_bytes()[5..]);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use crate::simd::vectors::{Avx2, Vectors};

    /// Number of digits in a vector.
    const BLOCK: usize = 32;
    /// Number of bytes that they encode.
    const DECODED: usize = 24;

    #[target_feature(enable = "avx2")]
    pub(super) fn decode(wide: Avx2, groups: &[u8], out: &mut Vec<u8>) {
        let (blocks, rest) = groups.as_chunks::<BLOCK>();
        out.reserve(groups.len());
        for block in blocks {
            append(wide, block, out);
        }
        match groups.last_chunk::<BLOCK>() {
            Some(last) if !rest.is_empty() => {
                // The digits before them are decoded a second time.
                out.truncate(out.len() - (BLOCK - rest.len()) / 4 * 3);
                append(wide, last, out);
            }
            _ => super::portable_decode(rest, out),
        }
    }

    /// Appends a decoded block.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn append(wide: Avx2, block: &[u8; BLOCK], out: &mut Vec<u8>) {
        let end = out.len() + DECODED;
        out.extend_from_slice(&decoded(wide, block));
        out.truncate(end);
    }

    /// Decodes a block to 24 bytes, and eight bytes without meaning.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn decoded(wide: Avx2, block: &[u8; BLOCK]) -> [u8; BLOCK] {
        /// Addends of the digits, by their upper four bits. `+` and `/` have the same upper bits, so `/` uses the previous
        /// entry.
        const ADDED: [u8; 16] = {
            let (upper, lower) = (0u8.wrapping_sub(b'A'), 26u8.wrapping_sub(b'a'));
            let (digit, plus, slash) = (52 - b'0', 62 - b'+', 63 - b'/');
            [0, slash, plus, digit, upper, upper, lower, lower, 0, 0, 0, 0, 0, 0, 0, 0]
        };
        /// The bytes of each group of three, the highest first.
        const ORDER: [u8; 16] = [2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 0x80, 0x80, 0x80, 0x80];
        let digits = wide.load(block, 0);
        let upper = _mm256_and_si256(_mm256_srli_epi32::<4>(digits), _mm256_set1_epi8(0x0F));
        let is_slash = _mm256_cmpeq_epi8(digits, _mm256_set1_epi8(b'/' as i8));
        let added = _mm256_shuffle_epi8(wide.table(&ADDED), _mm256_add_epi8(upper, is_slash));
        let values = _mm256_add_epi8(digits, added);
        // Joins two values of six bits to one of twelve, and two of those to one of twenty-four.
        let pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi32(0x0140_0140));
        let groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x0001_1000));
        let halves = _mm256_shuffle_epi8(groups, wide.table(&ORDER));
        let whole = _mm256_permutevar8x32_epi32(halves, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
        let mut bytes = [0; BLOCK];
        #[allow(unsafe_code)]
        // SAFETY: `bytes` are 32 writable bytes; the store requires no alignment.
        unsafe {
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), whole);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    /// Every digit at every position of a group, in each number of groups up to four vectors.
    #[test]
    fn groups_become_bytes() {
        for first in 0..64 {
            let digits: Vec<u8> =
                (0..128).map(|n| ALPHABET[(first + n * 7 + n / 4) % 64]).collect();
            for len in (0..=128).step_by(4) {
                let (mut found, mut wanted) = (b"before".to_vec(), b"before".to_vec());
                decode(&digits[..len], &mut found);
                portable_decode(&digits[..len], &mut wanted);
                assert_eq!(found, wanted, "{first} {len}");
                let bit = |at: usize| {
                    let value = ALPHABET.iter().position(|d| *d == digits[at / 6]).unwrap();
                    value >> (5 - at % 6) & 1
                };
                let byte = |at: usize| (0..8).fold(0, |byte, n| byte << 1 | bit(8 * at + n)) as u8;
                let by_bits: Vec<u8> = (0..len / 4 * 3).map(byte).collect();
                assert_eq!(wanted[6..], by_bits, "{first} {len}");
            }
        }
    }

    /// Every byte, at each position of two vectors.
    #[test]
    fn digits_end_at_the_first_byte_that_is_none() {
        for byte in 0..=u8::MAX {
            let is_digit = ALPHABET.contains(&byte);
            assert_eq!(value(byte).is_some(), is_digit);
            for at in 0..66 {
                let mut bytes = [b'x'; 66];
                bytes[at] = byte;
                let wanted = if is_digit { 66 } else { at };
                assert_eq!((digits(&bytes), portable_digits(&bytes)), (wanted, wanted), "{byte}");
            }
        }
    }
}
