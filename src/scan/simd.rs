//! The pass over the bytes that finds the events of `trigger`, 64 bytes a step.
//!
//! Whether there is an event at a byte is asked of a whole vector of bytes at once: the vector, and
//! the three that begin one, two and three bytes before it, are compared with what each trigger is
//! made of, and only the answer becomes a mask. SSE2 is always there on x86-64, AVX2 is asked for at
//! run time; elsewhere the masks are made byte by byte. This is the one file that may hold `unsafe`:
//! for the loads, and for the call of code that needs AVX2. The tests compare each road with
//! `trigger::is_event`.

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

/// The bytes that [`host_masks`] looks at.
pub(crate) const HOST_WINDOW: usize = 32;

/// What of a window is plain ASCII of a host: bit n is byte n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HostMasks {
    /// Letters, digits and hyphens.
    pub(crate) simple: u32,
    pub(crate) hyphens: u32,
    pub(crate) dots: u32,
    /// What a local part often has besides: `_` and `+`.
    pub(crate) local: u32,
}

/// Which bytes of the window are letters and digits, hyphens, dots and so on: the ends of labels are found by
/// counting bits, where a loop over the bytes is left at another place each time.
#[inline]
pub(crate) fn host_masks(window: &[u8; HOST_WINDOW]) -> HostMasks {
    #[cfg(target_arch = "x86_64")]
    return x86::host_masks(window);
    #[cfg(not(target_arch = "x86_64"))]
    portable_host_masks(window)
}

/// The same, byte by byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_host_masks(window: &[u8; HOST_WINDOW]) -> HostMasks {
    let mask = |is: fn(u8) -> bool| {
        window.iter().enumerate().fold(0, |mask, (n, &byte)| mask | u32::from(is(byte)) << n)
    };
    HostMasks {
        simple: mask(|b| b.is_ascii_alphanumeric() || b == b'-'),
        hyphens: mask(|b| b == b'-'),
        dots: mask(|b| b == b'.'),
        local: mask(|b| matches!(b, b'_' | b'+')),
    }
}

/// What of a window the tail of a link takes as it is: bit n is byte n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TailMasks {
    /// Letters, digits and `* + - / _ ~`.
    pub(crate) include: u32,
    /// The dot and the comma.
    pub(crate) soft: u32,
    pub(crate) slashes: u32,
}

/// Which bytes of the window a path, a query and a fragment take as they are: of those that are
/// Include or Soft by UTS #58 and nothing else, the usual ones.
#[inline]
pub(crate) fn tail_masks(window: &[u8; HOST_WINDOW]) -> TailMasks {
    #[cfg(target_arch = "x86_64")]
    return x86::tail_masks(window);
    #[cfg(not(target_arch = "x86_64"))]
    portable_tail_masks(window)
}

/// The same, byte by byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_tail_masks(window: &[u8; HOST_WINDOW]) -> TailMasks {
    let mask = |is: fn(u8) -> bool| {
        window.iter().enumerate().fold(0, |mask, (n, &byte)| mask | u32::from(is(byte)) << n)
    };
    TailMasks {
        include: mask(|b| {
            b.is_ascii_alphanumeric() || matches!(b, b'*' | b'+' | b'-' | b'/' | b'_' | b'~')
        }),
        soft: mask(|b| matches!(b, b'.' | b',')),
        slashes: mask(|b| b == b'/'),
    }
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

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::*;

    use super::{
        BEFORE, BLOCK, Batch, FIRST_HOST, FIRST_LETTER, HOST_WINDOW, HostMasks, TailMasks,
    };
    use super::{Kinds, Window, blocks};

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

    #[inline]
    pub(super) fn host_masks(window: &[u8; HOST_WINDOW]) -> HostMasks {
        let (low, high) = window.split_at(16);
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let (low, high) = (host_masks_128(load(low)), host_masks_128(load(high)));
            HostMasks {
                simple: low.simple | high.simple << 16,
                hyphens: low.hyphens | high.hyphens << 16,
                dots: low.dots | high.dots << 16,
                local: low.local | high.local << 16,
            }
        }
    }

    #[inline]
    pub(super) fn tail_masks(window: &[u8; HOST_WINDOW]) -> TailMasks {
        let (low, high) = window.split_at(16);
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let (low, high) = (tail_masks_128(load(low)), tail_masks_128(load(high)));
            TailMasks {
                include: low.include | high.include << 16,
                soft: low.soft | high.soft << 16,
                slashes: low.slashes | high.slashes << 16,
            }
        }
    }

    /// Which bytes are in the range: those that are no more than its length from the least of it.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn within(v: __m128i, first: u8, last: u8) -> __m128i {
        let v = _mm_sub_epi8(v, _mm_set1_epi8(first as i8));
        _mm_cmpeq_epi8(v, _mm_min_epu8(v, _mm_set1_epi8((last - first) as i8)))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn tail_masks_128(v: __m128i) -> TailMasks {
        let is = |byte: u8| _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8));
        let letter = within(_mm_or_si128(v, _mm_set1_epi8(0x20)), b'a', b'z');
        let soft = _mm_or_si128(is(b'.'), is(b','));
        // `* + , - . /` and the digits; the soft ones come off again.
        let range = _mm_andnot_si128(soft, within(v, b'*', b'9'));
        let include = _mm_or_si128(_mm_or_si128(letter, range), _mm_or_si128(is(b'_'), is(b'~')));
        let bits = |v| opaque(_mm_movemask_epi8(v));
        TailMasks { include: bits(include), soft: bits(soft), slashes: bits(is(b'/')) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn host_masks_128(v: __m128i) -> HostMasks {
        let is = |byte: u8| _mm_cmpeq_epi8(v, _mm_set1_epi8(byte as i8));
        let letter = within(_mm_or_si128(v, _mm_set1_epi8(0x20)), b'a', b'z');
        let (hyphen, dot) = (is(b'-'), is(b'.'));
        let simple = _mm_or_si128(_mm_or_si128(letter, within(v, b'0', b'9')), hyphen);
        let bits = |v| opaque(_mm_movemask_epi8(v));
        let local = _mm_or_si128(is(b'_'), is(b'+'));
        HostMasks {
            simple: bits(simple),
            hyphens: bits(hyphen),
            dots: bits(dot),
            local: bits(local),
        }
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
        load(&window[start..start + 16])
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn load(bytes: &[u8]) -> __m128i {
        let bytes = &bytes[..16];
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All events, by a road that fills batches.
    fn events(
        text: &[u8],
        kinds: Kinds,
        fill: impl Fn(&[u8], usize, Kinds, &mut Batch),
    ) -> Vec<usize> {
        let mut batch = Batch::new();
        let mut events = Vec::new();
        let mut from = 0;
        while from < text.len() {
            fill(text, from, kinds, &mut batch);
            for (block, mask) in batch.events[..batch.len].iter().enumerate() {
                let bits = (0..BLOCK).filter(|n| mask >> n & 1 != 0);
                events.extend(bits.map(|n| from + block * BLOCK + n));
            }
            from += batch.len * BLOCK;
        }
        events
    }

    fn check(text: &[u8]) {
        for kinds in [Kinds { dots: true }, Kinds { dots: false }] {
            let want: Vec<_> = (0..text.len()).filter(|&at| is_event(text, at, kinds)).collect();
            let by_masks = events(text, kinds, |t, from, k, b| {
                blocks(t, from, b, |window| portable(window, k));
            });
            assert_eq!(by_masks, want, "portable: {:?}", String::from_utf8_lossy(text));
            assert_eq!(events(text, kinds, fill), want, "{:?}", String::from_utf8_lossy(text));
            #[cfg(target_arch = "x86_64")]
            assert_eq!(events(text, kinds, x86::sse2), want, "{:?}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn all_roads_find_the_events_of_the_rule() {
        // Every trigger at every place of a block, across its edges too.
        for trigger in [
            "a.bc",
            "http://x",
            "tel:+1",
            "a@b",
            "&#46;",
            "あ。い",
            "．ab",
            "｡.",
            "。\n",
            "é.рф",
            "..ab",
        ] {
            // The second batch too.
            for before in (0..140).chain(1900..2120) {
                let text = [&"x".repeat(before)[..], trigger, " tail"].concat();
                check(text.as_bytes());
                check(&text.as_bytes()[..before + trigger.len()]);
            }
        }
    }

    #[test]
    fn window_masks_of_every_byte() {
        for byte in 0..=255 {
            for at in 0..HOST_WINDOW {
                let mut window = [b' '; HOST_WINDOW];
                window[at] = byte;
                assert_eq!(host_masks(&window), portable_host_masks(&window), "{byte} at {at}");
                assert_eq!(tail_masks(&window), portable_tail_masks(&window), "{byte} at {at}");
            }
        }
    }

    #[test]
    fn all_roads_agree_on_noise() {
        let alphabet = b".:/@&#a0-; \xE3\x80\x82\xEF\xBC\x8E\xBD\xA1{Z~";
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..4000 {
            let len = random() as usize % 200;
            let text: Vec<u8> = (0..len)
                .map(|_| match random() % 8 {
                    0 => random() as u8,
                    _ => alphabet[random() as usize % alphabet.len()],
                })
                .collect();
            check(&text);
        }
    }
}
