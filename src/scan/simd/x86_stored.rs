//! The masks of stored bytes of legacy charsets, by vectors of SSE2 and AVX2.
//!
//! As in `x86`, whose loads these are; what differs is which bytes may be halves of characters and how
//! the ideographic full stops are stored.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::stored::{Stops, StoredKinds};
use super::super::trigger::{FIRST_HOST, FIRST_LETTER};
use super::x86::{load_128, load_256, opaque, whole_128, whole_256};
use super::{BEFORE, BLOCK, Batch, Kinds, Window, blocks};

/// Which of the rules a pass has; what it does not have costs nothing.
const DOTS: u8 = 1;
const WIDE: u8 = 2;
const PAIRS: u8 = 4;
const SINGLE: u8 = 8;

/// The bytes of the stops: three pairs, and one by itself.
type Forms = [u8; 7];

/// The pass that `kinds` asks for, and its bytes.
fn rules(kinds: StoredKinds) -> (u8, Forms) {
    let flat = |[a, b, c]: [[u8; 2]; 3], single| [a[0], a[1], b[0], b[1], c[0], c[1], single];
    let (stops, forms) = match kinds.stops {
        Stops::None => (0, [0; 7]),
        Stops::Pairs(pairs) => (PAIRS, flat(pairs, 0)),
        Stops::PairsAndSingle(pairs, single) => (PAIRS | SINGLE, flat(pairs, single)),
        Stops::Single(single) => (SINGLE, flat([[0; 2]; 3], single)),
    };
    match kinds.dots {
        false => (0, forms),
        true => (DOTS | stops | if kinds.is_wide { WIDE } else { 0 }, forms),
    }
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
    ($name:ident, $feature:literal, $events:ident) => {
        #[target_feature(enable = $feature)]
        fn $name(bytes: &[u8], from: usize, kinds: StoredKinds, batch: &mut Batch) {
            const NARROW: u8 = DOTS | SINGLE;
            const WIDE_PAIRS: u8 = DOTS | WIDE | PAIRS;
            const ALL: u8 = DOTS | WIDE | PAIRS | SINGLE;
            let common = Kinds { dots: kinds.dots };
            let (rules, forms) = rules(kinds);
            let forms = &forms;
            match rules {
                0 => blocks(bytes, from, common, batch, |w| $events::<0>(w, forms)),
                DOTS => blocks(bytes, from, common, batch, |w| $events::<DOTS>(w, forms)),
                NARROW => blocks(bytes, from, common, batch, |w| $events::<NARROW>(w, forms)),
                WIDE_PAIRS => {
                    blocks(bytes, from, common, batch, |w| $events::<WIDE_PAIRS>(w, forms));
                }
                // Forms that are not asked for are zeros; other events are the same.
                _ => blocks(bytes, from, common, batch, |w| $events::<ALL>(w, forms)),
            }
        }
    };
}
passes!(avx2, "avx2", avx2_events);
passes!(sse2_inner, "sse2", sse2_events);

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
            let mut found = $or($or(colon, reference), is(v, b'@'));
            if RULES & DOTS != 0 {
                let host = $and(is(v2, b'.'), at_least(v3, FIRST_HOST));
                let letters = match RULES & WIDE != 0 {
                    // The top bit of a byte is that of one half of a character.
                    true => $and(
                        at_least(v1, FIRST_LETTER),
                        $or(at_least(v, FIRST_LETTER), $and(v1, at_least(v, FIRST_HOST))),
                    ),
                    false => at_least($min(v, v1), FIRST_LETTER),
                };
                found = $or(found, $and(host, letters));
            }
            if RULES & (PAIRS | SINGLE) != 0 {
                let mut stop = $set(0);
                if RULES & PAIRS != 0 {
                    let pair = |a: u8, b: u8| $and(is(v2, a), is(v1, b));
                    let [a0, a1, b0, b1, c0, c1, _] = *$forms;
                    stop = $or($or(pair(a0, a1), pair(b0, b1)), pair(c0, c1));
                }
                if RULES & SINGLE != 0 {
                    stop = $or(stop, is(v1, $forms[6]));
                }
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
