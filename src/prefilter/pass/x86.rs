//! The masks by vectors of SSE2 and AVX2.
//!
//! Whether a byte is after a mark is asked of a whole vector of bytes at once: the vector, and
//! those that begin one, two and three bytes before it, are compared with what marks are made of, and
//! only the answer becomes a mask. SSE2 is always there on x86-64, AVX2 is asked for at run time.
//! `unsafe` is here for the loads, and for the call of code that needs AVX2.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::marks::{Batch, FIRST_BEHIND_AT, FIRST_LEAD, FIRST_LETTER, FULL_STOPS, Kinds};
use super::{BEFORE, BLOCK, GROUP, Group, Window, blocks, groups};
use crate::simd::x86::{load_128, load_256, opaque, table_256, whole_128};

#[inline]
pub(super) fn fill(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was just asked.
        unsafe { avx2(text, from, kinds, batch) }
    } else {
        sse2(text, from, kinds, batch);
    }
}

#[target_feature(enable = "avx2")]
fn avx2(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    match kinds.dots {
        false => groups(text, from, batch, |group, masks| avx2_masks::<false>(group, masks)),
        true => groups(text, from, batch, |group, masks| avx2_masks::<true>(group, masks)),
    }
}

pub(super) fn sse2(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    match kinds.dots {
        // SAFETY: SSE2 is part of x86-64.
        false => blocks(text, from, batch, |window| unsafe { sse2_mask::<false>(window) }),
        // SAFETY: the same.
        true => blocks(text, from, batch, |window| unsafe { sse2_mask::<true>(window) }),
    }
}

/// The mask of one block.
#[inline]
pub(super) fn block(window: &Window, kinds: Kinds) -> u64 {
    match kinds.dots {
        // SAFETY: SSE2 is part of x86-64.
        false => unsafe { sse2_mask::<false>(window) },
        // SAFETY: the same.
        true => unsafe { sse2_mask::<true>(window) },
    }
}

/// Vectors of a group.
const VECTORS: usize = GROUP * BLOCK / 32;

/// The masks of a group, if any is not zero, and which are not, bit by bit.
///
/// A table gives for the low half of a byte the one mark that it may be (for bytes beyond ASCII it
/// gives zero, which they are not), another the least byte that may be after that mark. A lane is
/// zero where the byte is its mark and what it falls short by is nothing.
#[inline]
#[target_feature(enable = "avx2")]
fn avx2_masks<const DOTS: bool>(group: &Group, masks: &mut [u64; GROUP]) -> u32 {
    let (mut marks, mut least) = ([0x80; 16], [0; 16]);
    for (mark, first) in [(b':', b'!'), (b'&', b'#'), (b'@', FIRST_BEHIND_AT), (b'.', FIRST_LETTER)]
    {
        if DOTS || mark != b'.' {
            marks[usize::from(mark & 0x0F)] = mark;
            least[usize::from(mark & 0x0F)] = first;
        }
    }
    let (marks, least) = (table_256(marks), table_256(least));
    let after_mark = |n: usize| {
        let byte = |back: usize| load_256(group, BEFORE + 32 * n - back);
        let (v, v1) = (byte(0), byte(1));
        let other = _mm256_xor_si256(v1, _mm256_shuffle_epi8(marks, v1));
        let least = match DOTS {
            true => _mm256_shuffle_epi8(least, v1),
            // The same for all, one operation less; nothing is let through that matters.
            false => _mm256_set1_epi8(b'!' as i8),
        };
        _mm256_or_si256(other, _mm256_subs_epu8(least, v))
    };
    let mut rest = [_mm256_setzero_si256(); VECTORS];
    if DOTS && avx2_has_leads(group) {
        let mut before = [0xFF; 16];
        for [b2, b1] in FULL_STOPS {
            before[usize::from(b1 & 0x0F)] = b2;
        }
        let before = table_256(before);
        // An ideographic full stop, whose last byte makes nearly sure what the one before is.
        let after_stop = |n: usize| {
            let byte = |back: usize| load_256(group, BEFORE + 32 * n - back);
            // Without its top bit, which would make zero of what the table gives.
            let last = _mm256_sub_epi8(byte(1), _mm256_set1_epi8(-0x80));
            let other = _mm256_xor_si256(byte(2), _mm256_shuffle_epi8(before, last));
            let short = _mm256_subs_epu8(_mm256_set1_epi8(FIRST_LETTER as i8), byte(0));
            _mm256_or_si256(other, short)
        };
        let mut n = 0;
        while n < VECTORS {
            rest[n] = _mm256_min_epu8(after_mark(n), after_stop(n));
            n += 1;
        }
    } else {
        let mut n = 0;
        while n < VECTORS {
            rest[n] = after_mark(n);
            n += 1;
        }
    }
    let zero = _mm256_setzero_si256();
    let bits = |v| opaque(_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, zero)));
    let min = _mm256_min_epu8;
    let low = min(min(rest[0], rest[1]), min(rest[2], rest[3]));
    let high = min(min(rest[4], rest[5]), min(rest[6], rest[7]));
    if bits(min(low, high)) == 0 {
        return 0;
    }
    let mut present = 0;
    let mut n = 0;
    while n < GROUP {
        masks[n] = u64::from(bits(rest[2 * n])) | u64::from(bits(rest[2 * n + 1])) << 32;
        present |= u32::from(masks[n] != 0) << n;
        n += 1;
    }
    present
}

/// Whether any byte of the group may be the first of an ideographic full stop. In a text all groups have
/// such bytes, or few.
#[inline]
#[target_feature(enable = "avx2")]
fn avx2_has_leads(group: &Group) -> bool {
    let mut top = load_256(group, 0);
    let mut n = 1;
    while n < VECTORS {
        top = _mm256_max_epu8(top, load_256(group, 32 * n));
        n += 1;
    }
    let below = _mm256_subs_epu8(top, _mm256_set1_epi8((FIRST_LEAD - 1) as i8));
    _mm256_testz_si256(below, below) == 0
}

/// The mask of one block without shuffles, which SSE2 does not have: each mark compared by itself.
#[inline]
#[target_feature(enable = "sse2")]
fn sse2_mask<const DOTS: bool>(window: &Window) -> u64 {
    let mut mask = 0;
    let mut n = 0;
    while n < BLOCK {
        let byte = |back: usize| load_128(window, BEFORE + n - back);
        let (v, v1, v2, v3) = (byte(0), byte(1), byte(2), byte(3));
        let is = |v, byte: u8| _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8));
        // The sum has its top bit set from this byte on; no other bit counts in the end.
        let at_least =
            |v, byte: u8| _mm_adds_epu8(v, _mm_set1_epi8(0x80u8.wrapping_sub(byte) as i8));
        let colon = _mm_and_si128(is(v1, b':'), at_least(v, b'!'));
        let reference = _mm_and_si128(is(v1, b'&'), is(v, b'#'));
        let at = _mm_and_si128(is(v1, b'@'), at_least(v, FIRST_BEHIND_AT));
        let mut found = _mm_or_si128(_mm_or_si128(colon, reference), at);
        if DOTS {
            let first_lead = _mm_set1_epi8(FIRST_LEAD as i8);
            let led = _mm_cmpeq_epi8(_mm_min_epu8(v3, first_lead), first_lead);
            let stop = _mm_and_si128(full_stop_128(v2, v1), led);
            let dot = _mm_or_si128(is(v1, b'.'), stop);
            found = _mm_or_si128(found, _mm_and_si128(dot, at_least(v, FIRST_LETTER)));
        }
        mask |= u64::from(opaque(_mm_movemask_epi8(whole_128(found)))) << n;
        n += 16;
    }
    mask
}

/// The last two bytes of an ideographic full stop, by the rule of `trigger`.
#[inline]
#[target_feature(enable = "sse2")]
fn full_stop_128(v2: __m128i, v1: __m128i) -> __m128i {
    let is = |v, byte: u8| _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8));
    let [a, b, c] = FULL_STOPS;
    let is_it = |[b2, b1]: [u8; 2]| _mm_and_si128(is(v2, b2), is(v1, b1));
    _mm_or_si128(_mm_or_si128(is_it(a), is_it(b)), is_it(c))
}
