//! The masks of stored bytes of legacy charsets, by vectors of SSE2 and AVX2.
//!
//! As in `x86`, whose loads these are; what differs is which bytes may be halves of characters and how
//! the ideographic full stops are stored.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::stored::{Stops, StoredKinds};
use super::super::trigger::{FIRST_BEHIND_AT, FIRST_HOST, FIRST_LETTER};
use super::x86::{load_128, load_256, opaque, whole_128, whole_256};
use super::{BEFORE, BLOCK, Batch, Window, blocks};

/// Which of the rules a pass has; what it does not have costs nothing.
const DOTS: u8 = 1;
const WIDE: u8 = 2;
const SINGLE: u8 = 4;

/// The bytes of the stops. The pairs by the low half of the second byte, which no two have in common
/// unless they are the same: the second byte, and the first.
struct Forms {
    single: u8,
    seconds: [u8; 16],
    firsts: [u8; 16],
}

/// By the low half of a byte: which of `:` `&` `@` it may be, and the least byte behind it.
const MARKS: [u8; 16] = by_low_half([(b':', b':'), (b'&', b'&'), (b'@', b'@')], 0xFF);
const LEAST: [u8; 16] = by_low_half([(b':', b'!'), (b'&', b'#'), (b'@', FIRST_BEHIND_AT)], 0);

const fn by_low_half(pairs: [(u8, u8); 3], other: u8) -> [u8; 16] {
    let mut table = [other; 16];
    let mut n = 0;
    while n < pairs.len() {
        table[(pairs[n].0 & 0x0F) as usize] = pairs[n].1;
        n += 1;
    }
    table
}

/// The pass that `kinds` asks for, and its bytes. Pairs belong to wide ones alone.
#[inline]
fn rules(kinds: StoredKinds) -> (u8, Forms) {
    let (pairs, single) = match kinds.stops {
        Stops::None => (None, None),
        Stops::Pairs(pairs) => (Some(pairs), None),
        Stops::PairsAndSingle(pairs, single) => (Some(pairs), Some(single)),
        Stops::Single(single) => (None, Some(single)),
    };
    let mut forms = Forms { single: single.unwrap_or(0), seconds: [0; 16], firsts: [0; 16] };
    // Where there is none stands a byte with another low half, which equals none.
    forms.seconds[0] = 1;
    for [first, second] in pairs.into_iter().flatten() {
        forms.seconds[usize::from(second & 0x0F)] = second;
        forms.firsts[usize::from(second & 0x0F)] = first;
    }
    let rule = |is_asked: bool, rule: u8| if is_asked { rule } else { 0 };
    let stops = rule(kinds.dots, DOTS) | rule(kinds.dots && single.is_some(), SINGLE);
    (stops | rule(kinds.is_wide, WIDE), forms)
}

#[inline]
pub(super) fn fill(bytes: &[u8], from: usize, kinds: StoredKinds, batch: &mut Batch) {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was just asked.
        unsafe { avx2(bytes, from, kinds, batch) }
    } else {
        sse2(bytes, from, kinds, batch);
    }
}

pub(super) fn sse2(bytes: &[u8], from: usize, kinds: StoredKinds, batch: &mut Batch) {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { sse2_inner(bytes, from, kinds, batch) }
}

/// One pass for each combination of rules that some encoding has.
macro_rules! passes {
    ($name:ident, $feature:literal, $events:ident, $wide:ident) => {
        #[target_feature(enable = $feature)]
        fn $name(bytes: &[u8], from: usize, kinds: StoredKinds, batch: &mut Batch) {
            const SINGLE_DOTS: u8 = DOTS | SINGLE;
            let (rules, forms) = rules(kinds);
            let forms = &forms;
            match rules {
                0 => blocks(bytes, from, batch, |w| $events::<0>(w, forms)),
                DOTS => blocks(bytes, from, batch, |w| $events::<DOTS>(w, forms)),
                SINGLE_DOTS => {
                    blocks(bytes, from, batch, |w| $events::<SINGLE_DOTS>(w, forms));
                }
                WIDE => blocks(bytes, from, batch, |w| $wide::<0>(w, forms)),
                _ if rules & SINGLE == 0 => {
                    blocks(bytes, from, batch, |w| $wide::<DOTS>(w, forms));
                }
                _ => blocks(bytes, from, batch, |w| $wide::<SINGLE_DOTS>(w, forms)),
            }
        }
    };
}
passes!(avx2, "avx2", avx2_events, avx2_wide);
passes!(sse2_inner, "sse2", sse2_events, sse2_wide);

macro_rules! events {
    ($window:expr, $forms:expr, $lanes:expr, $load:ident, $set:ident, $eq:ident, $or:ident,
     $and:ident, $adds:ident, $min:ident, $bits:ident, $whole:ident) => {{
        let mut events = 0;
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
                let letters = at_least($min(v, v1), FIRST_LETTER);
                found = $or(found, $and(host, letters));
            }
            if RULES & SINGLE != 0 {
                let stop = is(v1, $forms.single);
                found = $or(found, $and(stop, at_least(v, FIRST_LETTER)));
            }
            events |= u64::from(opaque($bits($whole(found)))) << n;
            n += $lanes;
        }
        events
    }};
}

#[inline]
#[target_feature(enable = "sse2")]
fn sse2_events<const RULES: u8>(window: &Window, forms: &Forms) -> u64 {
    events!(
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
fn avx2_events<const RULES: u8>(window: &Window, forms: &Forms) -> u64 {
    events!(
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

/// The events where two bytes may make one character. All marks are asked for at once: a byte is one
/// of them if it is what stands in a table in the place that its low half says.
#[inline]
#[target_feature(enable = "avx2")]
fn avx2_wide<const RULES: u8>(window: &Window, forms: &Forms) -> u64 {
    let table = |table: &[u8; 16]| _mm256_broadcastsi128_si256(load_128(table, 0));
    let set = |byte: u8| _mm256_set1_epi8(byte as i8);
    let at_least = |v, byte: u8| _mm256_adds_epu8(v, set(0x80 - byte));
    let mut events = 0;
    let mut n = 0;
    while n < BLOCK {
        let byte = |back: usize| load_256(window, BEFORE + n - back);
        let (v, v1, v2) = (byte(0), byte(1), byte(2));
        // A byte with its top bit set gets a zero out of them.
        let mark = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table(&MARKS), v1), v1);
        let least = _mm256_shuffle_epi8(table(&LEAST), v1);
        let goes_on = _mm256_cmpeq_epi8(_mm256_max_epu8(v, least), v);
        let mut found = _mm256_and_si256(mark, goes_on);
        if RULES & DOTS != 0 {
            let dot = _mm256_cmpeq_epi8(v2, set(b'.'));
            let label = _mm256_and_si256(at_least(v1, FIRST_LETTER), at_least(v, FIRST_HOST));
            found = _mm256_or_si256(found, _mm256_and_si256(dot, label));
            let low = _mm256_and_si256(v1, set(0x0F));
            let second = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table(&forms.seconds), low), v1);
            let first = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table(&forms.firsts), low), v2);
            let mut stop = _mm256_and_si256(first, second);
            if RULES & SINGLE != 0 {
                stop = _mm256_or_si256(stop, _mm256_cmpeq_epi8(v1, set(forms.single)));
            }
            let stop = _mm256_and_si256(stop, at_least(v, FIRST_LETTER));
            found = _mm256_or_si256(found, stop);
        }
        events |= u64::from(opaque(_mm256_movemask_epi8(whole_256(found)))) << n;
        n += 32;
    }
    events
}

/// The same without shuffles, which SSE2 does not have: each byte compared by itself.
#[inline]
#[target_feature(enable = "sse2")]
fn sse2_wide<const RULES: u8>(window: &Window, forms: &Forms) -> u64 {
    let set = |byte: u8| _mm_set1_epi8(byte as i8);
    let is = |v, byte: u8| _mm_cmpeq_epi8(v, set(byte));
    let at_least = |v, byte: u8| _mm_adds_epu8(v, set(0x80 - byte));
    let mut events = 0;
    let mut n = 0;
    while n < BLOCK {
        let byte = |back: usize| load_128(window, BEFORE + n - back);
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
            for (second, first) in forms.seconds.iter().zip(forms.firsts) {
                if first != 0 {
                    stop = _mm_or_si128(stop, _mm_and_si128(is(v2, first), is(v1, *second)));
                }
            }
            if RULES & SINGLE != 0 {
                stop = _mm_or_si128(stop, is(v1, forms.single));
            }
            found = _mm_or_si128(found, _mm_and_si128(stop, at_least(v, FIRST_LETTER)));
        }
        events |= u64::from(opaque(_mm_movemask_epi8(whole_128(found)))) << n;
        n += 16;
    }
    events
}
