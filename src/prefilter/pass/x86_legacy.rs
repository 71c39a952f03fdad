//! The masks of stored bytes of legacy charsets, by vectors of SSE2 and AVX2.
//!
//! As in `x86`, whose loads these are; what differs is which bytes may be halves of characters and how
//! the ideographic full stops are stored.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::marks::{
    AFTER_W, Batch, FIRST_BEHIND_AT, FIRST_HOST, FIRST_LETTER, LegacyKinds, Stops,
};
use super::{BEFORE, BLOCK, GROUP, Group, Window, blocks, groups};
use crate::simd::x86::{load_128, load_256, opaque, whole_128, whole_256};

/// Which of the rules a pass has; what it does not have costs nothing.
const DOTS: u8 = 1;
const WIDE: u8 = 2;
const SINGLE: u8 = 4;

/// The bytes of the marks and the stops: the one of a stop that is one by itself, of the others tables.
/// The place there is the low half of the last byte, which no two have in common unless they are the
/// same; where there is none is a byte with another low half, which equals none.
struct Forms {
    single: u8,
    /// The last byte, and the least one after it.
    lasts: [u8; 16],
    least: [u8; 16],
    /// The byte before the last; or all bits, and `any` is all bits, where it does not matter.
    firsts: [u8; 16],
    any: [u8; 16],
}

const MARKS: [u8; 16] = by_low_half([(b':', b':'), (b'&', b'&'), (b'@', b'@')]);
const LEAST: [u8; 16] = by_low_half([(b':', b'!'), (b'&', b'#'), (b'@', FIRST_BEHIND_AT)]);
const ANY: [u8; 16] = by_low_half([(b':', 0xFF), (b'&', 0xFF), (b'@', 0xFF)]);

const fn by_low_half(pairs: [(u8, u8); 3]) -> [u8; 16] {
    let mut table = [0; 16];
    let mut n = 0;
    while n < pairs.len() {
        table[(pairs[n].0 & 0x0F) as usize] = pairs[n].1;
        n += 1;
    }
    table
}

/// The pass that `kinds` asks for, and its bytes. Pairs belong to wide ones alone.
#[inline]
fn rules(kinds: LegacyKinds) -> (u8, Forms) {
    let (pairs, single) = match kinds.stops {
        Stops::None => (None, None),
        Stops::Pairs(pairs) => (Some(pairs), None),
        Stops::PairsAndSingle(pairs, single) => (Some(pairs), Some(single)),
        Stops::Single(single) => (None, Some(single)),
    };
    let mut forms =
        Forms { single: single.unwrap_or(0), lasts: MARKS, least: LEAST, firsts: ANY, any: ANY };
    for [first, last] in pairs.into_iter().flatten().filter(|_| kinds.dots) {
        let place = usize::from(last & 0x0F);
        debug_assert_eq!(MARKS[place], 0, "a mark has the same low half");
        forms.lasts[place] = last;
        forms.least[place] = FIRST_LETTER;
        forms.firsts[place] = first;
    }
    let rule = |is_asked: bool, rule: u8| if is_asked { rule } else { 0 };
    let stops = rule(kinds.dots, DOTS) | rule(kinds.dots && single.is_some(), SINGLE);
    (stops | rule(kinds.is_wide, WIDE), forms)
}

#[inline]
pub(super) fn fill(bytes: &[u8], from: usize, kinds: LegacyKinds, batch: &mut Batch) {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was just asked.
        unsafe { avx2(bytes, from, kinds, batch) }
    } else {
        sse2(bytes, from, kinds, batch);
    }
}

pub(super) fn sse2(bytes: &[u8], from: usize, kinds: LegacyKinds, batch: &mut Batch) {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { sse2_inner(bytes, from, kinds, batch) }
}

/// One pass for each combination of rules that some encoding has.
macro_rules! passes {
    ($name:ident, $feature:literal, $triggers:ident, $wide:ident) => {
        #[target_feature(enable = $feature)]
        fn $name(bytes: &[u8], from: usize, kinds: LegacyKinds, batch: &mut Batch) {
            const SINGLE_DOTS: u8 = DOTS | SINGLE;
            let (rules, forms) = rules(kinds);
            let forms = &forms;
            match rules {
                0 => blocks(bytes, from, batch, |w| $triggers::<0>(w, forms)),
                DOTS => blocks(bytes, from, batch, |w| $triggers::<DOTS>(w, forms)),
                SINGLE_DOTS => {
                    blocks(bytes, from, batch, |w| $triggers::<SINGLE_DOTS>(w, forms));
                }
                WIDE => groups(bytes, from, batch, |g, m| $wide::<0>(g, m, forms)),
                _ if rules & SINGLE == 0 => {
                    groups(bytes, from, batch, |g, m| $wide::<DOTS>(g, m, forms));
                }
                _ => groups(bytes, from, batch, |g, m| $wide::<SINGLE_DOTS>(g, m, forms)),
            }
        }
    };
}
passes!(avx2, "avx2", avx2_triggers, avx2_wide);
passes!(sse2_inner, "sse2", sse2_triggers, sse2_wide);

macro_rules! triggers {
    ($window:expr, $forms:expr, $lanes:expr, $load:ident, $set:ident, $eq:ident, $or:ident,
     $and:ident, $adds:ident, $min:ident, $bits:ident, $whole:ident) => {{
        let mut triggers = 0;
        let mut n = 0;
        while n < BLOCK {
            let byte = |back: usize| $load($window, BEFORE + n - back);
            let (v, v1, v2, v3) = (byte(0), byte(1), byte(2), byte(3));
            let is = |v, byte: u8| $eq(v, $set(byte as i8));
            // The sum has its top bit set from this byte on; no other bit counts in the end.
            let at_least = |v, byte: u8| $adds(v, $set((0x80 - byte) as i8));
            let colon = $and($and(is(v1, b':'), at_least(v, b'!')), at_least(v2, FIRST_HOST));
            let reference = $and(is(v1, b'&'), is(v, b'#'));
            let at = $and(is(v1, b'@'), at_least(v, FIRST_BEHIND_AT));
            let mut found = $or($or(colon, reference), at);
            if RULES & DOTS != 0 {
                let host = $and(is(v2, b'.'), at_least(v3, FIRST_HOST));
                let is_after_w = is($or(v3, $set(0x20)), b'w');
                let second = $or(v, $and(is_after_w, $set(AFTER_W as i8)));
                let letters = at_least($min(second, v1), FIRST_LETTER);
                found = $or(found, $and(host, letters));
            }
            if RULES & SINGLE != 0 {
                let stop = is(v1, $forms.single);
                found = $or(found, $and(stop, at_least(v, FIRST_LETTER)));
            }
            triggers |= u64::from(opaque($bits($whole(found)))) << n;
            n += $lanes;
        }
        triggers
    }};
}

#[inline]
#[target_feature(enable = "sse2")]
fn sse2_triggers<const RULES: u8>(window: &Window, forms: &Forms) -> u64 {
    triggers!(
        window,
        forms,
        16,
        load_128,
        _mm_set1_epi8,
        _mm_cmpeq_epi8,
        _mm_or_si128,
        _mm_and_si128,
        _mm_adds_epu8,
        _mm_min_epu8,
        _mm_movemask_epi8,
        whole_128
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn avx2_triggers<const RULES: u8>(window: &Window, forms: &Forms) -> u64 {
    triggers!(
        window,
        forms,
        32,
        load_256,
        _mm256_set1_epi8,
        _mm256_cmpeq_epi8,
        _mm256_or_si256,
        _mm256_and_si256,
        _mm256_adds_epu8,
        _mm256_min_epu8,
        _mm256_movemask_epi8,
        whole_256
    )
}

/// The triggers where two bytes may make one character. All marks are asked for at once: a byte is one
/// of them if it is what is in a table in the place that its low half says.
#[inline]
#[target_feature(enable = "avx2")]
fn avx2_wide<const RULES: u8>(group: &Group, masks: &mut [u64; GROUP], forms: &Forms) -> u32 {
    let table = |table: &[u8; 16]| _mm256_broadcastsi128_si256(load_128(table, 0));
    let set = |byte: u8| _mm256_set1_epi8(byte as i8);
    let at_least = |v, byte: u8| _mm256_adds_epu8(v, set(0x80 - byte));
    *masks = [0; GROUP];
    let mut n = 0;
    while n < GROUP * BLOCK {
        let byte = |back: usize| load_256(group, BEFORE + n - back);
        let (v, v1, v2) = (byte(0), byte(1), byte(2));
        // Of a byte with its top bit set a shuffle makes a zero.
        let low = match RULES & DOTS {
            0 => v1,
            _ => _mm256_and_si256(v1, set(0x0F)),
        };
        let mark = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table(&forms.lasts), low), v1);
        let least = _mm256_shuffle_epi8(table(&forms.least), low);
        let goes_on = _mm256_cmpeq_epi8(_mm256_max_epu8(v, least), v);
        let mut found = _mm256_and_si256(mark, goes_on);
        if RULES & DOTS != 0 {
            // What is before a mark does not matter.
            let before = _mm256_or_si256(v2, _mm256_shuffle_epi8(table(&forms.any), low));
            let first = _mm256_shuffle_epi8(table(&forms.firsts), low);
            found = _mm256_and_si256(found, _mm256_cmpeq_epi8(before, first));
            let dot = _mm256_cmpeq_epi8(v2, set(b'.'));
            let label = _mm256_and_si256(at_least(v1, FIRST_LETTER), at_least(v, FIRST_HOST));
            found = _mm256_or_si256(found, _mm256_and_si256(dot, label));
            if RULES & SINGLE != 0 {
                let stop = _mm256_cmpeq_epi8(v1, set(forms.single));
                let stop = _mm256_and_si256(stop, at_least(v, FIRST_LETTER));
                found = _mm256_or_si256(found, stop);
            }
        }
        let bits = opaque(_mm256_movemask_epi8(whole_256(found)));
        masks[n / BLOCK] |= u64::from(bits) << (n % BLOCK);
        n += 32;
    }
    present(masks)
}

/// The same without shuffles, which SSE2 does not have: each byte compared by itself.
#[inline]
#[target_feature(enable = "sse2")]
fn sse2_wide<const RULES: u8>(group: &Group, masks: &mut [u64; GROUP], forms: &Forms) -> u32 {
    let set = |byte: u8| _mm_set1_epi8(byte as i8);
    let is = |v, byte: u8| _mm_cmpeq_epi8(v, set(byte));
    let at_least = |v, byte: u8| _mm_adds_epu8(v, set(0x80 - byte));
    *masks = [0; GROUP];
    let mut n = 0;
    while n < GROUP * BLOCK {
        let byte = |back: usize| load_128(group, BEFORE + n - back);
        let (v, v1, v2) = (byte(0), byte(1), byte(2));
        let goes_on = |mark| {
            let least = LEAST[usize::from(mark & 0x0F)];
            _mm_and_si128(is(v1, mark), at_least(v, least))
        };
        let mut found = _mm_or_si128(_mm_or_si128(goes_on(b':'), goes_on(b'&')), goes_on(b'@'));
        if RULES & DOTS != 0 {
            let label = _mm_and_si128(at_least(v1, FIRST_LETTER), at_least(v, FIRST_HOST));
            found = _mm_or_si128(found, _mm_and_si128(is(v2, b'.'), label));
            let mut stop = _mm_setzero_si128();
            for (place, last) in forms.lasts.iter().enumerate() {
                if MARKS[place] == 0 && *last != 0 {
                    let first = is(v2, forms.firsts[place]);
                    stop = _mm_or_si128(stop, _mm_and_si128(first, is(v1, *last)));
                }
            }
            if RULES & SINGLE != 0 {
                stop = _mm_or_si128(stop, is(v1, forms.single));
            }
            found = _mm_or_si128(found, _mm_and_si128(stop, at_least(v, FIRST_LETTER)));
        }
        let bits = opaque(_mm_movemask_epi8(whole_128(found)));
        masks[n / BLOCK] |= u64::from(bits) << (n % BLOCK);
        n += 16;
    }
    present(masks)
}

/// Which of the masks are not zero, bit by bit.
#[inline(always)]
fn present(masks: &[u64; GROUP]) -> u32 {
    let bit = |n: usize| u32::from(masks[n] != 0) << n;
    (0..GROUP).fold(0, |present, n| present | bit(n))
}
