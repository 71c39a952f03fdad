//! The pass over the bytes that finds the events of `trigger`, 64 bytes a step.
//!
//! Whether there is an event at a byte is asked of a whole vector of bytes at once: the vector, and
//! the three that begin one, two and three bytes before it, are compared with what each trigger is
//! made of, and only the answer becomes a mask. SSE2 is always there on x86-64, AVX2 is asked for at
//! run time; elsewhere the masks are made byte by byte. This is the one file that may hold `unsafe`:
//! for the loads, and for the call of code that needs AVX2. The tests compare each road with
//! `trigger::is_event`.

#[cfg(feature = "charset")]
use super::stored::StoredKinds;
#[cfg(all(feature = "charset", any(test, not(target_arch = "x86_64"))))]
use super::stored::is_stored_event;
#[cfg(any(test, not(target_arch = "x86_64")))]
use super::trigger::is_event;
use super::trigger::{BATCH, BLOCK, Batch, Kinds};
#[cfg(target_arch = "x86_64")]
use super::trigger::{FIRST_HOST, FIRST_LETTER};

/// Bytes before a block that its events depend on.
const BEFORE: usize = 3;
/// A block and the bytes before it.
type Window = [u8; BEFORE + BLOCK];

/// Makes the masks of the blocks from `from` on, as many as the batch takes and the text has.
#[inline]
pub(crate) fn fill(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    #[cfg(target_arch = "x86_64")]
    x86::fill(text, from, kinds, batch);
    #[cfg(not(target_arch = "x86_64"))]
    blocks(text, from, batch, |window| portable(window, kinds));
}

/// As [`fill`], for stored bytes of a legacy charset.
#[cfg(feature = "charset")]
#[inline]
pub(crate) fn fill_stored(bytes: &[u8], from: usize, kinds: StoredKinds, batch: &mut Batch) {
    #[cfg(target_arch = "x86_64")]
    x86::stored::fill(bytes, from, kinds, batch);
    #[cfg(not(target_arch = "x86_64"))]
    blocks(bytes, from, batch, |window| portable_stored(window, kinds));
}

/// Goes through the blocks from `from` on; `events` makes the mask of one.
#[inline(always)]
fn blocks(text: &[u8], from: usize, batch: &mut Batch, events: impl Fn(&Window) -> u64) {
    let left = text.len().saturating_sub(from);
    let len = left.div_ceil(BLOCK).min(BATCH);
    let mut present = 0;
    for (n, mask) in batch.events[..len].iter_mut().enumerate() {
        let base = from + n * BLOCK;
        let start = base.wrapping_sub(BEFORE);
        *mask = match text.get(start..).and_then(|rest| rest.first_chunk()) {
            Some(window) => events(window),
            None => events(&padded(text, base)),
        };
        present |= u32::from(*mask != 0) << n;
    }
    batch.base = from;
    batch.len = len;
    batch.present = present;
}

/// The window at the text's edge, with zeros for what is not there; a zero takes part in no event.
#[cold]
fn padded(text: &[u8], base: usize) -> Window {
    let mut window = [0; BEFORE + BLOCK];
    let start = base.saturating_sub(BEFORE);
    let end = text.len().min(base + BLOCK);
    let at = BEFORE - (base - start);
    window[at..at + end - start].copy_from_slice(&text[start..end]);
    window
}

/// The mask of a block, byte by byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable(window: &Window, kinds: Kinds) -> u64 {
    (0..BLOCK).fold(0, |mask, n| mask | u64::from(is_event(window, BEFORE + n, kinds)) << n)
}

/// The mask of a block of stored bytes, byte by byte.
#[cfg(all(feature = "charset", any(test, not(target_arch = "x86_64"))))]
fn portable_stored(window: &Window, kinds: StoredKinds) -> u64 {
    let event = |n| is_stored_event(window, BEFORE + n, kinds);
    (0..BLOCK).fold(0, |mask, n| mask | u64::from(event(n)) << n)
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::*;

    use super::{BEFORE, BLOCK, Batch, FIRST_HOST, FIRST_LETTER, Kinds, Window, blocks};

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
            false => blocks(text, from, batch, |window| avx2_events::<false>(window)),
            true => blocks(text, from, batch, |window| avx2_events::<true>(window)),
        }
    }

    #[target_feature(enable = "sse2")]
    fn sse2_inner(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
        match kinds.dots {
            false => blocks(text, from, batch, |window| sse2_events::<false>(window)),
            true => blocks(text, from, batch, |window| sse2_events::<true>(window)),
        }
    }

    pub(super) fn sse2(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { sse2_inner(text, from, kinds, batch) }
    }

    /// The mask of one block by vectors of one width: `$load` reads the vector at an offset of the
    /// window, the rest are the operations on it.
    macro_rules! events {
        ($window:expr, $lanes:expr, $load:ident, $set:ident, $eq:ident, $or:ident,
         $and:ident, $adds:ident, $min:ident, $bits:ident, $whole:ident) => {{
            let mut events = 0;
            // Every byte of the window goes into it.
            let mut all = $load($window, 0);
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
                if DOTS {
                    let host = $and(is(v2, b'.'), at_least(v3, FIRST_HOST));
                    found = $or(found, $and(host, at_least($min(v, v1), FIRST_LETTER)));
                }
                events |= u64::from(opaque($bits($whole(found)))) << n;
                all = $or(all, v);
                n += $lanes;
            }
            // Beyond ASCII there may be ideographic full stops: in a text all blocks are so, or few.
            if DOTS && $bits(all) != 0 {
                let mut n = 0;
                while n < BLOCK {
                    let byte = |back: usize| $load($window, BEFORE + n - back);
                    let (v, v1, v2, v3) = (byte(0), byte(1), byte(2), byte(3));
                    let is = |v, byte: u8| $eq(v, $set(byte as i8));
                    let ideographic = $and($and(is(v3, 0xE3), is(v2, 0x80)), is(v1, 0x82));
                    let wide = $and(is(v3, 0xEF), $or(is(v1, 0x8E), is(v1, 0xA1)));
                    let letter = $adds(v, $set((0x80 - FIRST_LETTER) as i8));
                    let found = $and($or(ideographic, wide), letter);
                    events |= u64::from(opaque($bits($whole(found)))) << n;
                    n += $lanes;
                }
            }
            events
        }};
    }

    /// The mask as it is. The compiler would else see through it, join the vectors that two masks
    /// come from to a wider one than the processor has, and take that apart byte by byte: a tenth of
    /// the speed.
    #[inline(always)]
    fn opaque(mask: i32) -> u32 {
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
    fn whole_128(mut v: __m128i) -> __m128i {
        // SAFETY: no instruction is emitted; the register keeps its value.
        unsafe {
            std::arch::asm!("/* {0} */", inout(xmm_reg) v, options(pure, nomem, nostack, preserves_flags));
        }
        v
    }

    /// The same for AVX2.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn whole_256(mut v: __m256i) -> __m256i {
        // SAFETY: no instruction is emitted; the register keeps its value.
        unsafe {
            std::arch::asm!("/* {0} */", inout(ymm_reg) v, options(pure, nomem, nostack, preserves_flags));
        }
        v
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn load_128(window: &Window, start: usize) -> __m128i {
        let bytes = &window[start..start + 16];
        // SAFETY: `bytes` are 16 readable bytes; the load asks for no alignment.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load_256(window: &Window, start: usize) -> __m256i {
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
            whole_128
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
            whole_256
        )
    }
    /// The passes over stored bytes of legacy charsets.
    #[cfg(feature = "charset")]
    pub(super) mod stored {
        use super::super::StoredKinds;
        use super::*;
        use crate::scan::stored::Stops;

        /// Which of the rules a pass has; what it does not have costs nothing.
        const DOTS: u8 = 1;
        const WIDE: u8 = 2;
        const PAIRS: u8 = 4;
        const SINGLE: u8 = 8;

        /// The bytes of the stops: three pairs, and one by itself.
        type Forms = [u8; 7];

        /// The pass that `kinds` asks for, and its bytes.
        fn rules(kinds: StoredKinds) -> (u8, Forms) {
            let flat =
                |[a, b, c]: [[u8; 2]; 3], single| [a[0], a[1], b[0], b[1], c[0], c[1], single];
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
        pub(in super::super) fn fill(
            bytes: &[u8],
            from: usize,
            kinds: StoredKinds,
            batch: &mut Batch,
        ) {
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2, as was just asked.
                unsafe { avx2(bytes, from, kinds, batch) }
            } else {
                sse2(bytes, from, kinds, batch);
            }
        }

        pub(in super::super) fn sse2(
            bytes: &[u8],
            from: usize,
            kinds: StoredKinds,
            batch: &mut Batch,
        ) {
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
                    let (rules, forms) = rules(kinds);
                    let forms = &forms;
                    match rules {
                        0 => blocks(bytes, from, batch, |w| $events::<0>(w, forms)),
                        DOTS => blocks(bytes, from, batch, |w| $events::<DOTS>(w, forms)),
                        NARROW => blocks(bytes, from, batch, |w| $events::<NARROW>(w, forms)),
                        WIDE_PAIRS => {
                            blocks(bytes, from, batch, |w| $events::<WIDE_PAIRS>(w, forms));
                        }
                        // Forms that are not asked for are zeros; other events are the same.
                        _ => blocks(bytes, from, batch, |w| $events::<ALL>(w, forms)),
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
    }
}

#[cfg(test)]
mod tests;
