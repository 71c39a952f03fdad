//! The masks by vectors of SSE2 and AVX2.
//!
//! Whether there is an event at a byte is asked of a whole vector of bytes at once: the vector, and
//! the three that begin one, two and three bytes before it, are compared with what each trigger is
//! made of, and only the answer becomes a mask. SSE2 is always there on x86-64, AVX2 is asked for at
//! run time. `unsafe` stands here for the loads, and for the call of code that needs AVX2.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::trigger::{FIRST_HOST, FIRST_LETTER, FIRST_WORD, SLASH, SLASH_BITS};
use super::{BEFORE, BLOCK, Batch, Kinds, Pair, Window, blocks, pairs};

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
    match (kinds.dots, batch.is_sparse) {
        (false, false) => {
            blocks(text, from, kinds, batch, |w| avx2_events::<false, false>(w));
        }
        (false, true) => {
            let is_quiet = |pair: &Pair| avx2_is_quiet(pair);
            pairs(text, from, kinds, batch, is_quiet, |w| avx2_events::<false, false>(w));
        }
        (true, false) => {
            blocks(text, from, kinds, batch, |w| avx2_events::<true, false>(w));
        }
        (true, true) => {
            blocks(text, from, kinds, batch, |w| avx2_events::<true, true>(w));
        }
    }
}

#[target_feature(enable = "sse2")]
fn sse2_inner(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    match (kinds.dots, batch.is_sparse) {
        (false, false) => {
            blocks(text, from, kinds, batch, |w| sse2_events::<false, false>(w));
        }
        (false, true) => {
            let is_quiet = |pair: &Pair| sse2_is_quiet(pair);
            pairs(text, from, kinds, batch, is_quiet, |w| sse2_events::<false, false>(w));
        }
        (true, false) => {
            blocks(text, from, kinds, batch, |w| sse2_events::<true, false>(w));
        }
        (true, true) => {
            blocks(text, from, kinds, batch, |w| sse2_events::<true, true>(w));
        }
    }
}

pub(super) fn sse2(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { sse2_inner(text, from, kinds, batch) }
}

/// The mask of one block by vectors of one width: `$load` reads the vector at an offset of the
/// window, the rest are the operations on it.
macro_rules! events {
    ($window:expr, $lanes:expr, $load:ident, $set:ident, $eq:ident, $or:ident, $and:ident,
     $adds:ident, $min:ident, $bits:ident, $whole:ident, $special:ident, $full_stop:ident) => {{
        let mut events = 0;
        // Every byte of the window goes into both.
        let mut all = $load($window, 0);
        let mut special = $special::<DOTS>(all);
        let mut n = BEFORE;
        while n < BEFORE + BLOCK {
            let v = $load($window, n);
            all = $or(all, v);
            if SPARSE {
                special = $or(special, $special::<DOTS>(v));
            }
            n += $lanes;
        }
        // The sum has its top bit set from this byte on; no other bit counts in the end.
        let at_least = |v, byte: u8| $adds(v, $set((0x80 - byte) as i8));
        if !SPARSE || $bits(special) != 0 {
            let mut n = 0;
            while n < BLOCK {
                let byte = |back: usize| $load($window, BEFORE + n - back);
                let (v, v1, v2, v3) = (byte(0), byte(1), byte(2), byte(3));
                let is = |v, byte: u8| $eq(v, $set(byte as i8));
                let word = $and(at_least(v, b'!'), at_least(v2, FIRST_WORD));
                let slash = is($or(v, $set(SLASH_BITS as i8)), SLASH);
                let colon = $and(is(v1, b':'), $or(word, slash));
                let reference = $and(is(v1, b'&'), is(v, b'#'));
                let mut found = $or($or(colon, reference), is(v, b'@'));
                if DOTS {
                    let host = $and(is(v2, b'.'), at_least(v3, FIRST_HOST));
                    found = $or(found, $and(host, at_least($min(v, v1), FIRST_LETTER)));
                }
                events |= u64::from(opaque($bits($whole(found)))) << n;
                n += $lanes;
            }
        }
        // Beyond ASCII there may be ideographic full stops: in a text all blocks are so, or few.
        if DOTS && $bits(all) != 0 {
            let mut n = 0;
            while n < BLOCK {
                let byte = |back: usize| $load($window, BEFORE + n - back);
                let found = $and($full_stop(byte(2), byte(1)), at_least(byte(0), FIRST_LETTER));
                events |= u64::from(opaque($bits($whole(found)))) << n;
                n += $lanes;
            }
        }
        events
    }};
}

/// Whether no trigger but a dot can be in two blocks.
macro_rules! is_quiet {
    ($pair:expr, $lanes:expr, $load:ident, $or:ident, $bits:ident, $special:ident) => {{
        let mut special = $special::<false>($load($pair, 0));
        let mut n = BEFORE;
        while n < BEFORE + 2 * BLOCK {
            special = $or(special, $special::<false>($load($pair, n)));
            n += $lanes;
        }
        $bits(special) == 0
    }};
}

#[inline]
#[target_feature(enable = "sse2")]
fn sse2_is_quiet(pair: &Pair) -> bool {
    is_quiet!(pair, 16, load_128, _mm_or_si128, _mm_movemask_epi8, special_128)
}

#[inline]
#[target_feature(enable = "avx2")]
fn avx2_is_quiet(pair: &Pair) -> bool {
    is_quiet!(pair, 32, load_256, _mm256_or_si256, _mm256_movemask_epi8, special_256)
}

/// The bytes that triggers are made around.
#[inline]
#[target_feature(enable = "sse2")]
fn special_128<const DOTS: bool>(v: __m128i) -> __m128i {
    let is = |byte: u8| _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8));
    let special = _mm_or_si128(_mm_or_si128(is(b'@'), is(b':')), is(b'&'));
    if DOTS { _mm_or_si128(special, is(b'.')) } else { special }
}

/// The same: a table gives for the low half of a byte the one byte that it may be; for bytes
/// beyond ASCII it gives zero.
#[inline]
#[target_feature(enable = "avx2")]
fn special_256<const DOTS: bool>(v: __m256i) -> __m256i {
    let mut table = [0x80; 16];
    table[0x0] = b'@';
    table[0x6] = b'&';
    table[0xA] = b':';
    if DOTS {
        table[0xE] = b'.';
    }
    _mm256_cmpeq_epi8(v, _mm256_shuffle_epi8(table_256(table), v))
}

/// The last two bytes of an ideographic full stop, by the rule of `trigger`.
#[inline]
#[target_feature(enable = "sse2")]
fn full_stop_128(v2: __m128i, v1: __m128i) -> __m128i {
    let is = |v, byte: u8| _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8));
    let ideographic = _mm_and_si128(is(v2, 0x80), is(v1, 0x82));
    let full = _mm_and_si128(is(v2, 0xBC), is(v1, 0x8E));
    let half = _mm_and_si128(is(v2, 0xBD), is(v1, 0xA1));
    _mm_or_si128(_mm_or_si128(ideographic, full), half)
}

/// The same: the low half of the last byte says which of the three it may be.
#[inline]
#[target_feature(enable = "avx2")]
fn full_stop_256(v2: __m256i, v1: __m256i) -> __m256i {
    let (mut last, mut before) = ([0xFF; 16], [0xFF; 16]);
    for [b2, b1] in [[0x80, 0x82], [0xBC, 0x8E], [0xBD, 0xA1u8]] {
        last[usize::from(b1 & 0x0F)] = b1;
        before[usize::from(b1 & 0x0F)] = b2;
    }
    // 0xFF would stand for itself.
    last[0x0F] = 0;
    let low = _mm256_and_si256(v1, _mm256_set1_epi8(0x0F));
    _mm256_and_si256(
        _mm256_cmpeq_epi8(v1, _mm256_shuffle_epi8(table_256(last), low)),
        _mm256_cmpeq_epi8(v2, _mm256_shuffle_epi8(table_256(before), low)),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn table_256(table: [u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load(&table))
}

/// The mask as it is. The compiler would else see through it, join the vectors that two masks
/// come from to a wider one than the processor has, and take that apart byte by byte: a tenth of
/// the speed.
#[inline(always)]
pub(super) fn opaque(mask: i32) -> u32 {
    let mut mask = mask as u32;
    // SAFETY: no instruction is emitted; the register keeps its value.
    unsafe {
        std::arch::asm!("/* {0:e} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags));
    }
    mask
}

/// The vector as it is. The compiler would else see that its top bits alone are asked for, and
/// make selections of the conjunctions, which take twice as long.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn whole_128(mut v: __m128i) -> __m128i {
    // SAFETY: no instruction is emitted; the register keeps its value.
    unsafe {
        std::arch::asm!("/* {0} */", inout(xmm_reg) v, options(pure, nomem, nostack, preserves_flags));
    }
    v
}

/// The same for AVX2.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn whole_256(mut v: __m256i) -> __m256i {
    // SAFETY: no instruction is emitted; the register keeps its value.
    unsafe {
        std::arch::asm!("/* {0} */", inout(ymm_reg) v, options(pure, nomem, nostack, preserves_flags));
    }
    v
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn load_128(window: &[u8], start: usize) -> __m128i {
    load(&window[start..start + 16])
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn load(bytes: &[u8]) -> __m128i {
    let bytes = &bytes[..16];
    // SAFETY: `bytes` are 16 readable bytes; the load asks for no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_256(window: &[u8], start: usize) -> __m256i {
    let bytes = &window[start..start + 32];
    // SAFETY: `bytes` are 32 readable bytes; the load asks for no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn sse2_events<const DOTS: bool, const SPARSE: bool>(window: &Window) -> u64 {
    events!(
        window,
        16,
        load_128,
        _mm_set1_epi8,
        _mm_cmpeq_epi8,
        _mm_or_si128,
        _mm_and_si128,
        _mm_adds_epu8,
        _mm_min_epu8,
        _mm_movemask_epi8,
        whole_128,
        special_128,
        full_stop_128
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn avx2_events<const DOTS: bool, const SPARSE: bool>(window: &Window) -> u64 {
    events!(
        window,
        32,
        load_256,
        _mm256_set1_epi8,
        _mm256_cmpeq_epi8,
        _mm256_or_si256,
        _mm256_and_si256,
        _mm256_adds_epu8,
        _mm256_min_epu8,
        _mm256_movemask_epi8,
        whole_256,
        special_256,
        full_stop_256
    )
}
