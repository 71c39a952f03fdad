//! The masks by vectors of SSE2 and AVX2.
//!
//! Whether there is an event at a byte is asked of a whole vector of bytes at once: the vector, and
//! the three that begin one, two and three bytes before it, are compared with what each trigger is
//! made of, and only the answer becomes a mask. SSE2 is always there on x86-64, AVX2 is asked for at
//! run time. `unsafe` stands here for the loads, and for the call of code that needs AVX2.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::trigger::{
    FIRST_BEHIND_AT, FIRST_HOST, FIRST_LEAD, FIRST_LETTER, FIRST_WORD, FULL_STOPS, SLASH,
    SLASH_BITS,
};
use super::{BEFORE, BLOCK, Batch, GROUP, Group, Kinds, Window, blocks, groups};

#[inline]
pub(super) fn fill(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was just asked.
        unsafe { avx2(text, from, kinds, batch) }
    } else {
        sse2(text, from, kinds, batch);
    }
}

/// One pass for what is asked, and how often there is something.
macro_rules! passes {
    ($name:ident, $feature:literal, $events:ident, $stirring:ident) => {
        #[target_feature(enable = $feature)]
        fn $name(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
            match (kinds.dots, batch.is_sparse) {
                (false, false) => blocks(text, from, kinds, batch, |w| $events::<false>(w)),
                (true, false) => blocks(text, from, kinds, batch, |w| $events::<true>(w)),
                (false, true) => {
                    let stirring = |group: &Group| $stirring::<false>(group);
                    groups(text, from, kinds, batch, stirring, |w| $events::<false>(w));
                }
                (true, true) => {
                    let stirring = |group: &Group| $stirring::<true>(group);
                    groups(text, from, kinds, batch, stirring, |w| $events::<true>(w));
                }
            }
        }
    };
}
passes!(avx2, "avx2", avx2_events, avx2_stirring);
passes!(sse2_inner, "sse2", sse2_events, sse2_stirring);

pub(super) fn sse2(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { sse2_inner(text, from, kinds, batch) }
}

/// The mask of one block by vectors of one width: `$load` reads the vector at an offset of the
/// window, the rest are the operations on it.
macro_rules! events {
    ($window:expr, $lanes:expr, $load:ident, $set:ident, $eq:ident, $or:ident, $and:ident,
     $adds:ident, $min:ident, $bits:ident, $whole:ident, $full_stop:ident) => {{
        let mut events = 0;
        let mut all = $set(0);
        // The sum has its top bit set from this byte on; no other bit counts in the end.
        let at_least = |v, byte: u8| $adds(v, $set(0x80u8.wrapping_sub(byte) as i8));
        let mut n = 0;
        while n < BLOCK {
            let byte = |back: usize| $load($window, BEFORE + n - back);
            let (v, v1, v2, v3) = (byte(0), byte(1), byte(2), byte(3));
            let is = |v, byte: u8| $eq(v, $set(byte as i8));
            let word = $and(at_least(v, b'!'), at_least(v2, FIRST_WORD));
            let slash = is($or(v, $set(SLASH_BITS as i8)), SLASH);
            let colon = $and(is(v1, b':'), $or(word, slash));
            let reference = $and(is(v1, b'&'), is(v, b'#'));
            let at = $and(is(v1, b'@'), at_least(v, FIRST_BEHIND_AT));
            let mut found = $or($or(colon, reference), at);
            if DOTS {
                let host = $and(is(v2, b'.'), at_least(v3, FIRST_HOST));
                found = $or(found, $and(host, at_least($min(v, v1), FIRST_LETTER)));
                all = $or(all, v3);
            }
            events |= u64::from(opaque($bits($whole(found)))) << n;
            n += $lanes;
        }
        // Beyond ASCII there may be ideographic full stops: in a text all blocks are so, or few.
        if DOTS && $bits(all) != 0 {
            let mut n = 0;
            while n < BLOCK {
                let byte = |back: usize| $load($window, BEFORE + n - back);
                let led = $eq($min(byte(3), $set(FIRST_LEAD as i8)), $set(FIRST_LEAD as i8));
                let letter = $and(led, at_least(byte(0), FIRST_LETTER));
                let found = $and($full_stop(byte(2), byte(1)), letter);
                events |= u64::from(opaque($bits($whole(found)))) << n;
                n += $lanes;
            }
        }
        events
    }};
}

/// The bits of the blocks of which some lane of the rest is zero, and of those that a dot stands two
/// bytes before: its event is that of the second letter behind it.
macro_rules! stirring {
    ($group:expr, $rest:expr, $zero:ident, $min:ident, $eq:ident, $bits:ident) => {{
        let has_zero = |v| $bits($eq(v, $zero())) != 0;
        let has_dot = |n: usize| DOTS && $group[BEFORE + n * BLOCK - 2] == b'.';
        let least = $min($min($rest[0], $rest[1]), $min($rest[2], $rest[3]));
        let mut blocks = 0;
        if has_zero(least) || has_dot(0) {
            let mut n = 0;
            while n < GROUP {
                blocks |= u32::from(has_zero($rest[n]) || has_dot(n)) << n;
                n += 1;
            }
        }
        blocks
    }};
}

/// Bytes that are fetched ahead of the pass.
const AHEAD: usize = 2048;
/// Bytes that come at once.
const LINE: usize = 64;

/// Asks for the bytes that the pass will come to.
#[inline(always)]
pub(super) fn fetch_ahead(group: &Group) {
    for line in 0..GROUP * BLOCK / LINE {
        let ahead = group.as_ptr().wrapping_add(AHEAD + line * LINE);
        // SAFETY: nothing is read; an address outside of the text is as good as any.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(ahead.cast()) };
    }
}

/// Which blocks of a group may have an event, bit by bit: of some that have none it says so too. It asks
/// for less than what makes an event, and for nothing but yes or no: most blocks of most texts are
/// done with here.
///
/// A table gives for the low half of a byte the one mark that it may be (for bytes beyond ASCII it
/// gives zero, which they are not), another the least byte that may stand behind that mark. A lane is
/// zero where the byte is its mark and what it falls short by is nothing.
#[inline]
#[target_feature(enable = "avx2")]
fn avx2_stirring<const DOTS: bool>(group: &Group) -> u32 {
    let (mut marks, mut least) = ([0x80; 16], [0; 16]);
    for (mark, first) in [(b':', b'!'), (b'&', b'#'), (b'@', FIRST_BEHIND_AT), (b'.', FIRST_LETTER)]
    {
        if DOTS || mark != b'.' {
            marks[usize::from(mark & 0x0F)] = mark;
            least[usize::from(mark & 0x0F)] = first;
        }
    }
    let (marks, least) = (table_256(marks), table_256(least));
    let mut rest = [_mm256_set1_epi8(-1); GROUP];
    let mut top = _mm256_setzero_si256();
    let mut n = 0;
    while n < GROUP * BLOCK {
        let byte = |back: usize| load_256(group, BEFORE + n - back);
        let (v, v1) = (byte(0), byte(1));
        let other = _mm256_xor_si256(v1, _mm256_shuffle_epi8(marks, v1));
        let least = match DOTS {
            true => _mm256_shuffle_epi8(least, v1),
            // The same for all, one operation less; nothing is let through that matters.
            false => _mm256_set1_epi8(b'!' as i8),
        };
        let short = _mm256_subs_epu8(least, v);
        rest[n / BLOCK] = _mm256_min_epu8(rest[n / BLOCK], _mm256_or_si256(other, short));
        if DOTS {
            top = _mm256_max_epu8(top, byte(3));
        }
        n += 32;
    }
    let below = _mm256_subs_epu8(top, _mm256_set1_epi8((FIRST_LEAD - 1) as i8));
    if DOTS && _mm256_testz_si256(below, below) == 0 {
        avx2_full_stops(group, &mut rest);
    }
    stirring!(
        group,
        rest,
        _mm256_setzero_si256,
        _mm256_min_epu8,
        _mm256_cmpeq_epi8,
        _mm256_movemask_epi8
    )
}

/// The same for ideographic full stops, whose last byte makes nearly sure what the one before is.
#[inline]
#[target_feature(enable = "avx2")]
fn avx2_full_stops(group: &Group, rest: &mut [__m256i; GROUP]) {
    let mut before = [0xFF; 16];
    for [b2, b1] in FULL_STOPS {
        before[usize::from(b1 & 0x0F)] = b2;
    }
    let before = table_256(before);
    let mut n = 0;
    while n < GROUP * BLOCK {
        let byte = |back: usize| load_256(group, BEFORE + n - back);
        // Without its top bit, which would make zero of what the table gives.
        let last = _mm256_sub_epi8(byte(1), _mm256_set1_epi8(-0x80));
        let other = _mm256_xor_si256(byte(2), _mm256_shuffle_epi8(before, last));
        let short = _mm256_subs_epu8(_mm256_set1_epi8(FIRST_LETTER as i8), byte(0));
        rest[n / BLOCK] = _mm256_min_epu8(rest[n / BLOCK], _mm256_or_si256(other, short));
        n += 32;
    }
}

/// As [`avx2_stirring`], without shuffles, which SSE2 does not have.
#[inline]
#[target_feature(enable = "sse2")]
fn sse2_stirring<const DOTS: bool>(group: &Group) -> u32 {
    let mut rest = [_mm_set1_epi8(-1); GROUP];
    let mut n = 0;
    while n < GROUP * BLOCK {
        let byte = |back: usize| load_128(group, BEFORE + n - back);
        let (v, v1, v2, v3) = (byte(0), byte(1), byte(2), byte(3));
        let is = |v, byte: u8| _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8));
        let short = |least: u8| _mm_subs_epu8(_mm_set1_epi8(least as i8), v);
        let mark = _mm_or_si128(_mm_or_si128(is(v1, b':'), is(v1, b'@')), is(v1, b'&'));
        let mut found = _mm_andnot_si128(short(b'!'), mark);
        found = is(found, 0xFF);
        if DOTS {
            let led = _mm_subs_epu8(_mm_set1_epi8(FIRST_LEAD as i8), v3);
            let stop = _mm_andnot_si128(led, full_stop_128(v2, v1));
            let mark = _mm_or_si128(is(v1, b'.'), stop);
            found = _mm_or_si128(found, is(_mm_andnot_si128(short(FIRST_LETTER), mark), 0xFF));
        }
        let quiet = is(found, 0);
        rest[n / BLOCK] = _mm_min_epu8(rest[n / BLOCK], quiet);
        n += 16;
    }
    stirring!(group, rest, _mm_setzero_si128, _mm_min_epu8, _mm_cmpeq_epi8, _mm_movemask_epi8)
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

/// The same: the low half of the last byte says which of the three it may be.
#[inline]
#[target_feature(enable = "avx2")]
fn full_stop_256(v2: __m256i, v1: __m256i) -> __m256i {
    let (mut last, mut before) = ([0xFF; 16], [0xFF; 16]);
    for [b2, b1] in FULL_STOPS {
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
fn sse2_events<const DOTS: bool>(window: &Window) -> u64 {
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
        full_stop_128
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn avx2_events<const DOTS: bool>(window: &Window) -> u64 {
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
        full_stop_256
    )
}
