//! The masks of `signs` by the vectors of x86-64: SSE2, which is always there, and AVX2.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{BLOCK, Beyond, ByMasks, Class, Masks};
use crate::simd::x86::{load_128, load_256};

/// The masks by AVX2. There is none but where the processor is known to have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide(());

impl Wide {
    pub(super) fn if_there() -> Option<Wide> {
        let is_there = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        is_there.then_some(Wide(()))
    }

    #[inline(always)]
    pub(super) fn by<T: ByMasks>(self, task: T) -> T::Output {
        // SAFETY: the processor has all three, or there were no `Wide`.
        unsafe { by_wide(self, task) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn by_wide<T: ByMasks>(wide: Wide, task: T) -> T::Output {
    task.by(wide)
}

impl Masks for Wide {
    #[inline(always)]
    fn name_ends(self, bytes: &[u8; BLOCK]) -> u32 {
        // SAFETY: the processor has AVX2, or there were no `Wide`.
        unsafe { wide_name_ends(bytes) }
    }

    #[inline(always)]
    fn same(self, bytes: &[u8; BLOCK], byte: u8) -> u32 {
        // SAFETY: as above.
        unsafe { wide_same(bytes, byte) }
    }

    #[inline(always)]
    fn text(self, bytes: &[u8; BLOCK + 1], beyond: Beyond) -> (u32, u32) {
        // SAFETY: as above.
        unsafe { wide_text(bytes, beyond) }
    }

    #[inline(always)]
    fn equal(self, one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32 {
        // SAFETY: as above.
        unsafe { wide_equal(one, other) }
    }

    #[inline(always)]
    fn from(self, bytes: &[u8; BLOCK], least: u8) -> u32 {
        // SAFETY: as above.
        unsafe { wide_from(bytes, least) }
    }

    #[inline(always)]
    fn of_class(self, bytes: &[u8; BLOCK], class: &Class) -> Option<u32> {
        // SAFETY: as above.
        Some(unsafe { wide_of_class(bytes, class) })
    }
}

/// The masks by vectors of one width: what they are made of are the operations on them.
macro_rules! masks {
    ($feature:literal, $vector:ident, $set:ident, $eq:ident, $or:ident, $and:ident,
     $andnot:ident, $max:ident, $bits:ident, $is:ident, $from:ident, $name_ends:ident, $possible:ident) => {
        #[inline]
        #[target_feature(enable = $feature)]
        fn $is(vector: $vector, byte: u8) -> u32 {
            $bits($eq(vector, $set(byte as i8))) as u32
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn $from(vector: $vector, least: u8) -> u32 {
            $bits($eq($max(vector, $set(least as i8)), vector)) as u32
        }

        #[inline]
        #[target_feature(enable = $feature)]
        fn $name_ends(vector: $vector) -> u32 {
            let is = |byte: u8| $eq(vector, $set(byte as i8));
            let controls = $eq($max(vector, $set(b' ' as i8)), $set(b' ' as i8));
            $bits($or($or(controls, is(b'/')), $or(is(b'='), is(b'>')))) as u32
        }

        /// What may be in a link; `next` holds what stands one further.
        #[inline]
        #[target_feature(enable = $feature)]
        fn $possible(vector: $vector, next: $vector, beyond: Beyond) -> u32 {
            let is = |vector, byte: u8| $eq(vector, $set(byte as i8));
            // `&` and `.` differ in one bit.
            let stops = is($or(vector, $set((b'&' ^ b'.') as i8)), b'.');
            let stops = $or(stops, is(vector, b':'));
            let visible = $eq($max(next, $set(b'!' as i8)), next);
            let followed = $andnot(is(next, b'<'), visible);
            let leads = is($or(vector, $set(Beyond::LEAD_BITS as i8)), Beyond::LEAD);
            let possible = $bits($or($and(stops, followed), leads)) as u32;
            possible | beyond.of($bits(vector) as u32)
        }
    };
}

masks!(
    "sse2",
    __m128i,
    _mm_set1_epi8,
    _mm_cmpeq_epi8,
    _mm_or_si128,
    _mm_and_si128,
    _mm_andnot_si128,
    _mm_max_epu8,
    _mm_movemask_epi8,
    is_128,
    from_128,
    name_ends_128,
    possible_128
);
masks!(
    "avx2",
    __m256i,
    _mm256_set1_epi8,
    _mm256_cmpeq_epi8,
    _mm256_or_si256,
    _mm256_and_si256,
    _mm256_andnot_si256,
    _mm256_max_epu8,
    _mm256_movemask_epi8,
    is_256,
    from_256,
    name_ends_256,
    possible_256
);

#[inline]
#[target_feature(enable = "avx2")]
fn wide_name_ends(bytes: &[u8; BLOCK]) -> u32 {
    name_ends_256(load_256(bytes, 0))
}

#[inline]
#[target_feature(enable = "avx2")]
fn wide_same(bytes: &[u8; BLOCK], byte: u8) -> u32 {
    is_256(load_256(bytes, 0), byte)
}

#[inline]
#[target_feature(enable = "avx2")]
fn wide_text(bytes: &[u8; BLOCK + 1], beyond: Beyond) -> (u32, u32) {
    let vector = load_256(bytes, 0);
    (is_256(vector, b'<'), possible_256(vector, load_256(bytes, 1), beyond))
}

#[inline]
#[target_feature(enable = "avx2")]
fn wide_equal(one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(load_256(one, 0), load_256(other, 0))) as u32
}

#[inline]
#[target_feature(enable = "avx2")]
fn wide_from(bytes: &[u8; BLOCK], least: u8) -> u32 {
    from_256(load_256(bytes, 0), least)
}

/// The row of a byte by its low four bits, in it the bit of the other three; what is not ASCII has no row.
#[inline]
#[target_feature(enable = "avx2")]
fn wide_of_class(bytes: &[u8; BLOCK], class: &Class) -> u32 {
    const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
    let vector = load_256(bytes, 0);
    let rows = _mm256_broadcastsi128_si256(load_128(&class.rows, 0));
    let bits = _mm256_broadcastsi128_si256(load_128(&BITS, 0));
    let high = _mm256_and_si256(_mm256_srli_epi16(vector, 4), _mm256_set1_epi8(0x0F));
    let row = _mm256_shuffle_epi8(rows, vector);
    let hit = _mm256_and_si256(row, _mm256_shuffle_epi8(bits, high));
    !(_mm256_movemask_epi8(_mm256_cmpeq_epi8(hit, _mm256_setzero_si256())) as u32)
}

#[inline(always)]
pub(super) fn from(bytes: &[u8; BLOCK], least: u8) -> u32 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { from_128(load_128(bytes, 0), least) | from_128(load_128(bytes, 16), least) << 16 }
}

#[inline(always)]
pub(super) fn name_ends(bytes: &[u8; BLOCK]) -> u32 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { name_ends_128(load_128(bytes, 0)) | name_ends_128(load_128(bytes, 16)) << 16 }
}

#[inline(always)]
pub(super) fn same(bytes: &[u8; BLOCK], byte: u8) -> u32 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { is_128(load_128(bytes, 0), byte) | is_128(load_128(bytes, 16), byte) << 16 }
}

#[inline(always)]
pub(super) fn text(bytes: &[u8; BLOCK + 1], beyond: Beyond) -> (u32, u32) {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let low = possible_128(load_128(bytes, 0), load_128(bytes, 1), beyond);
        let high = possible_128(load_128(bytes, 16), load_128(bytes, 17), beyond);
        let signs = is_128(load_128(bytes, 0), b'<') | is_128(load_128(bytes, 16), b'<') << 16;
        (signs, low | high << 16)
    }
}

#[inline(always)]
pub(super) fn equal(one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let low = _mm_cmpeq_epi8(load_128(one, 0), load_128(other, 0));
        let high = _mm_cmpeq_epi8(load_128(one, 16), load_128(other, 16));
        (_mm_movemask_epi8(low) | _mm_movemask_epi8(high) << 16) as u32
    }
}
