//! The pass over the bytes that finds the events of `trigger`, 64 bytes a step.
//!
//! For each block a handful of comparisons make one bit a byte; shifted against each other these
//! masks say where a trigger stands, without a branch a byte. SSE2 is always there on x86-64, AVX2
//! is asked for at run time; elsewhere the same masks are made byte by byte, in a form that
//! compilers turn into vectors. This is the one file that may hold `unsafe`: for the loads, and for
//! the call of code that needs AVX2. The tests compare each road with `trigger::is_event`.

#[cfg(any(test, not(target_arch = "x86_64")))]
use super::trigger::is_full_stop;
use super::trigger::{BATCH, BLOCK, Batch, Kinds};

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
    blocks(text, from, kinds, batch, portable);
}

/// Goes through the blocks from `from` on; `masks` makes the masks of one.
#[inline(always)]
fn blocks(
    text: &[u8],
    from: usize,
    kinds: Kinds,
    batch: &mut Batch,
    masks: impl Fn(&Window, Kinds) -> Masks,
) {
    let mut base = from;
    let mut carry = Carry::before(text, from);
    batch.base = from;
    batch.len = 0;
    while base < text.len() && batch.len < BATCH {
        let whole = base
            .checked_sub(BEFORE)
            .and_then(|start| text.get(start..base + BLOCK))
            .and_then(|window| <&Window>::try_from(window).ok());
        batch.events[batch.len] = match whole {
            Some(window) => masks(window, kinds).events(&mut carry, kinds),
            None => masks(&padded(text, base), kinds).events(&mut carry, kinds),
        };
        batch.len += 1;
        base += BLOCK;
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

/// One bit a byte of the block for each thing that a trigger is made of.
#[derive(Clone, Copy)]
struct Masks {
    /// Letters and all beyond ASCII (and five bytes between).
    letter: u64,
    /// What may stand before a dot or a colon: letters, digits, `-`, `;` (and what lies between).
    host: u64,
    dot: u64,
    colon: u64,
    at: u64,
    ampersand: u64,
    number_sign: u64,
    /// Greater than a space.
    visible: u64,
    /// The last byte of an ideographic full stop.
    full_stop: u64,
}

/// What of the bytes before a block its events depend on.
#[derive(Clone, Copy, Default)]
struct Carry {
    letter: u64,
    host: u64,
    dot: u64,
    colon: u64,
    ampersand: u64,
}

fn is_letter(byte: u8) -> bool {
    byte | 0x20 > 0x60
}

fn is_host(byte: u8) -> bool {
    is_letter(byte) || (0x2D..=0x3B).contains(&byte)
}

impl Carry {
    /// Of the bytes before `from`.
    fn before(text: &[u8], from: usize) -> Carry {
        let mut carry = Carry::default();
        for (n, &byte) in text[..from].iter().rev().take(BEFORE).enumerate() {
            let bit = |yes: bool| u64::from(yes) << (BLOCK - 1 - n);
            carry.letter |= bit(is_letter(byte));
            carry.host |= bit(is_host(byte));
            carry.dot |= bit(byte == b'.');
            carry.colon |= bit(byte == b':');
            carry.ampersand |= bit(byte == b'&');
        }
        carry
    }
}

/// The mask moved `by` bytes on, the last bits of the block before coming in.
#[inline(always)]
fn moved(mask: u64, before: u64, by: u32) -> u64 {
    mask << by | before >> (BLOCK as u32 - by)
}

impl Masks {
    /// The events of the block; `carry` goes on to the next.
    #[inline(always)]
    fn events(&self, carry: &mut Carry, kinds: Kinds) -> u64 {
        let mut events = self.at
            | moved(self.colon, carry.colon, 1) & self.visible & moved(self.host, carry.host, 2)
            | moved(self.ampersand, carry.ampersand, 1) & self.number_sign;
        if kinds.dots {
            events |= self.full_stop
                | self.letter
                    & moved(self.letter, carry.letter, 1)
                    & moved(self.dot, carry.dot, 2)
                    & moved(self.host, carry.host, 3);
        }
        *carry = Carry {
            letter: self.letter,
            host: self.host,
            dot: self.dot,
            colon: self.colon,
            ampersand: self.ampersand,
        };
        events
    }
}

/// The masks, byte by byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn portable(window: &Window, kinds: Kinds) -> Masks {
    #[inline(always)]
    fn mask(window: &Window, is: impl Fn(u8) -> bool) -> u64 {
        let bits = window[BEFORE..].iter().enumerate();
        bits.fold(0, |mask, (n, &byte)| mask | u64::from(is(byte)) << n)
    }
    let mut full_stop = 0;
    if kinds.dots && !window.is_ascii() {
        for (n, three) in window[BEFORE - 2..].windows(3).enumerate() {
            full_stop |= u64::from(is_full_stop(three)) << n;
        }
    }
    Masks {
        letter: mask(window, is_letter),
        host: mask(window, is_host),
        dot: mask(window, |b| b == b'.'),
        colon: mask(window, |b| b == b':'),
        at: mask(window, |b| b == b'@'),
        ampersand: mask(window, |b| b == b'&'),
        number_sign: mask(window, |b| b == b'#'),
        visible: mask(window, |b| b > b' '),
        full_stop,
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::*;

    use super::{BEFORE, BLOCK, Batch, Kinds, Masks, Window, blocks};

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
        blocks(text, from, kinds, batch, |window, kinds| avx2_masks(window, kinds));
    }

    pub(super) fn sse2(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
        // SAFETY: SSE2 is part of x86-64.
        blocks(text, from, kinds, batch, |window, kinds| unsafe { sse2_masks(window, kinds) });
    }

    /// The masks of one block by vectors of one width: `$load` reads a vector `$back` bytes before
    /// the vector's place, the rest are the operations on it.
    macro_rules! masks {
        ($window:expr, $kinds:expr, $lanes:expr, $load:ident, $set:ident, $eq:ident, $or:ident, $and:ident,
         $max:ident, $min:ident, $sub:ident, $bits:ident) => {{
            let mut masks = Masks {
                letter: 0,
                host: 0,
                dot: 0,
                colon: 0,
                at: 0,
                ampersand: 0,
                number_sign: 0,
                visible: 0,
                full_stop: 0,
            };
            let mut beyond = 0;
            let mut n = 0;
            while n < BLOCK {
                let v = $load($window, n, 0);
                let is = |byte: u8| $eq(v, $set(byte as i8));
                let bits = |v| u64::from($bits(v) as u32) << n;
                let lower = $or(v, $set(0x20));
                let letter = $eq($max(lower, $set(0x61)), lower);
                let from_hyphen = $sub(v, $set(0x2D));
                let range = $eq($min(from_hyphen, $set(0x3B - 0x2D)), from_hyphen);
                masks.letter |= bits(letter);
                masks.host |= bits($or(letter, range));
                masks.dot |= bits(is(b'.'));
                masks.colon |= bits(is(b':'));
                masks.at |= bits(is(b'@'));
                masks.ampersand |= bits(is(b'&'));
                masks.visible |= bits($eq($max(v, $set(0x21)), v));
                beyond |= bits(v);
                n += $lanes;
            }
            if masks.ampersand != 0 || $window[BEFORE - 1] == b'&' {
                let mut n = 0;
                while n < BLOCK {
                    let v = $load($window, n, 0);
                    masks.number_sign |= u64::from($bits($eq(v, $set(b'#' as i8))) as u32) << n;
                    n += $lanes;
                }
            }
            // The last byte of a full stop is beyond ASCII, so it is in the block's own bytes.
            if beyond != 0 && $kinds.dots {
                let mut n = 0;
                while n < BLOCK {
                    let [third, second, first] = [0, 1, 2].map(|back| $load($window, n, back));
                    let is = |v, byte: u8| $eq(v, $set(byte as i8));
                    let ideographic = $and(is(second, 0x80), is(third, 0x82));
                    let fullwidth = $and(is(second, 0xBC), is(third, 0x8E));
                    let halfwidth = $and(is(second, 0xBD), is(third, 0xA1));
                    let stop = $or(
                        $and(is(first, 0xE3), ideographic),
                        $and(is(first, 0xEF), $or(fullwidth, halfwidth)),
                    );
                    masks.full_stop |= u64::from($bits(stop) as u32) << n;
                    n += $lanes;
                }
            }
            masks
        }};
    }

    /// The 16 bytes of the block from `n` on, `back` bytes before.
    #[inline(always)]
    fn load_128(window: &Window, n: usize, back: usize) -> __m128i {
        let start = BEFORE + n - back;
        let bytes = &window[start..start + 16];
        // SAFETY: `bytes` are 16 readable bytes; the load asks for no alignment. SSE2 is always there.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load_256(window: &Window, n: usize, back: usize) -> __m256i {
        let start = BEFORE + n - back;
        let bytes = &window[start..start + 32];
        // SAFETY: `bytes` are 32 readable bytes; the load asks for no alignment.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn sse2_masks(window: &Window, kinds: Kinds) -> Masks {
        masks!(
            window,
            kinds,
            16,
            load_128,
            _mm_set1_epi8,
            _mm_cmpeq_epi8,
            _mm_or_si128,
            _mm_and_si128,
            _mm_max_epu8,
            _mm_min_epu8,
            _mm_sub_epi8,
            _mm_movemask_epi8
        )
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn avx2_masks(window: &Window, kinds: Kinds) -> Masks {
        masks!(
            window,
            kinds,
            32,
            load_256,
            _mm256_set1_epi8,
            _mm256_cmpeq_epi8,
            _mm256_or_si256,
            _mm256_and_si256,
            _mm256_max_epu8,
            _mm256_min_epu8,
            _mm256_sub_epi8,
            _mm256_movemask_epi8
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::trigger::is_event;
    use super::*;

    /// All events, by a road that fills batches.
    fn events(
        text: &[u8],
        kinds: Kinds,
        fill: impl Fn(&[u8], usize, Kinds, &mut Batch),
    ) -> Vec<usize> {
        let mut batch = Batch { base: 0, events: [0; BATCH], len: 0 };
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
            let by_masks = events(text, kinds, |t, from, k, b| blocks(t, from, k, b, portable));
            assert_eq!(by_masks, want, "portable: {:?}", String::from_utf8_lossy(text));
            assert_eq!(events(text, kinds, fill), want, "{:?}", String::from_utf8_lossy(text));
            #[cfg(target_arch = "x86_64")]
            assert_eq!(events(text, kinds, x86::sse2), want, "{:?}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn all_roads_find_the_events_of_the_rule() {
        // Every trigger at every place of a block, across its edges too.
        for trigger in
            ["a.bc", "http://x", "tel:+1", "a@b", "&#46;", "あ。い", "．", "｡", "é.рф", "..ab"]
        {
            for before in 0..140 {
                let text = [&"x".repeat(before)[..], trigger, " tail"].concat();
                check(text.as_bytes());
                check(&text.as_bytes()[..before + trigger.len()]);
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
