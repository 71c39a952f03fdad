//! The pass over the bytes that finds the events of `trigger`, 64 bytes a step.
//!
//! What comes in is a text and an offset, what goes out are masks, a bit for each byte. The masks are
//! made by `x86`, elsewhere byte by byte; `window` makes those of a short stretch. The files of this
//! folder are the only ones that may hold `unsafe`. The tests compare each road with
//! `trigger::is_event`.

pub(crate) mod window;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::Range;

#[cfg(any(test, not(target_arch = "x86_64")))]
use super::trigger::is_event;
use super::trigger::{BATCH, BLOCK, Batch, Kinds};

/// Bytes before a block that its events depend on.
const BEFORE: usize = 3;
/// A block and the bytes before it.
type Window = [u8; BEFORE + BLOCK];
/// Two blocks and the bytes before them.
type Pair = [u8; BEFORE + 2 * BLOCK];

/// With so many masks of a batch that are not zero, or fewer, the next batch asks first whether a block
/// has any byte to look at; with more, the processor guesses the answer wrong too often.
const FEW: u32 = 4;
/// The same where dots are asked for, which is the longer way.
const FEW_WITH_DOTS: u32 = 10;

/// Makes the masks of the blocks from `from` on, as many as the batch takes and the text has.
#[inline]
pub(crate) fn fill(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    #[cfg(target_arch = "x86_64")]
    x86::fill(text, from, kinds, batch);
    #[cfg(not(target_arch = "x86_64"))]
    blocks(text, from, kinds, batch, |window| portable(window, kinds));
}

/// Goes through the blocks from `from` on; `events` makes the mask of one.
#[inline(always)]
fn blocks(
    text: &[u8],
    from: usize,
    kinds: Kinds,
    batch: &mut Batch,
    events: impl Fn(&Window) -> u64,
) {
    let len = text.len().saturating_sub(from).div_ceil(BLOCK).min(BATCH);
    let mut present = 0;
    for (n, mask) in batch.events[..len].iter_mut().enumerate() {
        *mask = mask_at(text, from + n * BLOCK, &events);
        present |= u32::from(*mask != 0) << n;
    }
    note(batch, kinds, from..from + len * BLOCK, present);
}

/// The same by two blocks, of which `is_quiet` may know that their masks are zero.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn pairs(
    text: &[u8],
    from: usize,
    kinds: Kinds,
    batch: &mut Batch,
    is_quiet: impl Fn(&Pair) -> bool,
    events: impl Fn(&Window) -> u64,
) {
    let len = text.len().saturating_sub(from).div_ceil(BLOCK).min(BATCH);
    let mut present = 0;
    let mut n = 0;
    while n < len {
        let base = from + n * BLOCK;
        let rest = text.get(base.wrapping_sub(BEFORE)..).unwrap_or_default();
        if n + 1 < len && rest.first_chunk().is_some_and(&is_quiet) {
            (batch.events[n], batch.events[n + 1]) = (0, 0);
            n += 2;
            continue;
        }
        let mask = mask_at(text, base, &events);
        batch.events[n] = mask;
        present |= u32::from(mask != 0) << n;
        n += 1;
    }
    note(batch, kinds, from..from + len * BLOCK, present);
}

/// The mask of the block at `base`.
#[inline(always)]
fn mask_at(text: &[u8], base: usize, events: impl Fn(&Window) -> u64) -> u64 {
    match text.get(base.wrapping_sub(BEFORE)..).and_then(|rest| rest.first_chunk()) {
        Some(window) => events(window),
        None => events(&padded(text, base)),
    }
}

/// Notes what the masks cover.
#[inline(always)]
fn note(batch: &mut Batch, kinds: Kinds, covered: Range<usize>, present: u32) {
    batch.base = covered.start;
    batch.len = covered.len() / BLOCK;
    batch.present = present;
    let few = if kinds.dots { FEW_WITH_DOTS } else { FEW };
    batch.is_sparse = present.count_ones() <= few;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// All events, by a road that fills batches.
    fn events(
        text: &[u8],
        kinds: Kinds,
        is_sparse: bool,
        fill: impl Fn(&[u8], usize, Kinds, &mut Batch),
    ) -> Vec<usize> {
        let mut batch = Batch::new();
        let mut events = Vec::new();
        let mut from = 0;
        while from < text.len() {
            batch.is_sparse = is_sparse;
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
            let by_masks = events(text, kinds, false, |t, from, k, b| {
                blocks(t, from, k, b, |window| portable(window, k));
            });
            assert_eq!(by_masks, want, "portable: {:?}", String::from_utf8_lossy(text));
            for sparse in [false, true] {
                let found = events(text, kinds, sparse, fill);
                assert_eq!(found, want, "{:?}", String::from_utf8_lossy(text));
                #[cfg(target_arch = "x86_64")]
                {
                    let found = events(text, kinds, sparse, x86::sse2);
                    assert_eq!(found, want, "SSE2: {:?}", String::from_utf8_lossy(text));
                }
            }
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
