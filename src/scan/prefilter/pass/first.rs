//! Computes the mask of the first block of a text with vectors.
//!
//! There are no bytes before it, and it may be short. Vectors, or halves of one, cover it from its two ends, so that
//! nothing is copied and no byte beyond the text is read.

use super::super::marks::{
    ESCAPE, FIRST_BEHIND_AT, FIRST_BEHIND_ESCAPE, FIRST_LEAD, FIRST_LETTER, FULL_STOPS, Kinds,
    is_after_mark,
};
use super::{BEFORE, OfHalf};
use crate::simd::vectors::{LANES, Vectors};

const HALF: usize = LANES / 2;

/// Returns the mask of the bytes, which are at most one block.
#[inline(always)]
pub(super) fn mask(bytes: &[u8], kinds: Kinds, v: impl Vectors, of: &impl OfHalf) -> u64 {
    let len = bytes.len();
    let Some((low, high)) = bytes.first_chunk().zip(bytes.last_chunk()) else {
        let mask = Few::of(v, &bytes[..len.min(LANES)]).mask(kinds);
        return match len.checked_sub(LANES) {
            Some(end @ 1..) => mask | Few::of(v, &bytes[end..]).mask(kinds) << end,
            _ => mask,
        };
    };
    let mask = u64::from(of.half(low)) << BEFORE | u64::from(of.half(high)) << (len - LANES);
    let is_mark = |byte: u8| matches!(byte, b':' | b'&' | b'@' | b'.' | ESCAPE);
    match is_mark(bytes[0]) || is_mark(bytes[1]) {
        true => mask | at_edge(bytes, kinds),
        false => mask,
    }
}

/// Returns the bits of the first bytes, which no window covers because there are not enough bytes before them.
#[cold]
fn at_edge(bytes: &[u8], kinds: Kinds) -> u64 {
    (1..BEFORE).fold(0, |mask, at| mask | u64::from(is_after_mark(bytes, at, kinds)) << at)
}

/// At most [`LANES`] bytes: the first and the last of them, as many as two numbers of the same size hold, and the offset of
/// the second number. Unused bytes are zero. Each byte is compared by itself; conditions on adjacent bytes are computed
/// from the masks.
struct Few<V: Vectors> {
    v: V,
    both: V::Bytes,
    second: usize,
}

impl<V: Vectors> Few<V> {
    #[inline(always)]
    fn of(v: V, bytes: &[u8]) -> Few<V> {
        if let Some((low, high)) = bytes.first_chunk().zip(bytes.last_chunk()) {
            return Few { v, both: v.load_halves(low, high), second: bytes.len() - HALF };
        }
        let (low, high, size) =
            if let Some((low, high)) = bytes.first_chunk().zip(bytes.last_chunk()) {
                (u64::from_le_bytes(*low), u64::from_le_bytes(*high), 8)
            } else if let Some((low, high)) = bytes.first_chunk().zip(bytes.last_chunk()) {
                (u32::from_le_bytes(*low).into(), u32::from_le_bytes(*high).into(), 4)
            } else if let Some((low, high)) = bytes.first_chunk().zip(bytes.last_chunk()) {
                (u16::from_le_bytes(*low).into(), u16::from_le_bytes(*high).into(), 2)
            } else {
                (bytes.first().copied().unwrap_or_default().into(), 0, bytes.len())
            };
        let [low, high] = [u128::from(low).to_le_bytes(), u128::from(high).to_le_bytes()];
        Few { v, both: v.load_halves(&low, &high), second: bytes.len() - size }
    }

    #[inline(always)]
    fn mask(&self, kinds: Kinds) -> u64 {
        let (v, both) = (self.v, self.both);
        let mut marks = v
            .or(v.is(both, b':'), v.or(v.is(both, b'@'), v.or(v.is(both, b'&'), v.is(both, b'.'))));
        marks = v.or(marks, v.is(both, ESCAPE));
        if kinds.dots {
            marks = v.or(marks, v.not_below(both, v.splat(FIRST_LEAD)));
        }
        if v.bits(marks) == 0 {
            return 0;
        }
        let found = self.is(b':') << 1 & self.from(b'!')
            | self.is(b'&') << 1 & self.is(b'#')
            | self.is(b'@') << 1 & self.from(FIRST_BEHIND_AT)
            | self.is(ESCAPE) << 1 & self.is(FIRST_BEHIND_ESCAPE);
        if !kinds.dots {
            return found;
        }
        let mut stops = self.is(b'.');
        let leads = self.from(FIRST_LEAD);
        if leads != 0 {
            for [before, last] in FULL_STOPS {
                stops |= self.is(last) & self.is(before) << 1 & leads << 2;
            }
        }
        found | stops << 1 & self.from(FIRST_LETTER)
    }

    /// Returns where this byte is, which must not be zero.
    #[inline(always)]
    fn is(&self, byte: u8) -> u64 {
        self.places(self.v.is(self.both, byte))
    }

    /// Returns where a byte is not less than this one, which must not be zero.
    #[inline(always)]
    fn from(&self, least: u8) -> u64 {
        self.places(self.v.not_below(self.both, self.v.splat(least)))
    }

    #[inline(always)]
    fn places(&self, found: V::Bytes) -> u64 {
        let bits = u64::from(self.v.bits_apart(found));
        bits & ((1 << HALF) - 1) | bits >> HALF << self.second
    }
}
