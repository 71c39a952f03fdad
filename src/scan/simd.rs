//! The pass over the bytes that finds the events of `trigger`, 64 bytes a step.
//!
//! What comes in is a text and an offset, what goes out are masks, a bit for each byte. The masks are
//! made by `x86`, elsewhere byte by byte; `window` makes those of a short stretch. The files of this
//! folder are the only ones that may hold `unsafe`. The tests compare each road with
//! `trigger::is_event`.

#[cfg(feature = "markup")]
pub(crate) mod ascii;
#[cfg_attr(not(feature = "markup"), allow(dead_code, reason = "all but one is for markup alone"))]
pub(crate) mod signs;
pub(crate) mod window;
#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(all(feature = "charset", target_arch = "x86_64"))]
mod x86_stored;

use std::ops::Range;

#[cfg(feature = "charset")]
use super::stored::StoredKinds;
#[cfg(all(feature = "charset", any(test, not(target_arch = "x86_64"))))]
use super::stored::is_stored_event;
#[cfg(any(test, not(target_arch = "x86_64")))]
use super::trigger::is_event;
use super::trigger::{BATCH, BLOCK, Batch, Kinds};

/// Bytes before a block that its events depend on.
const BEFORE: usize = 3;
/// A block and the bytes before it.
type Window = [u8; BEFORE + BLOCK];
/// Blocks that are asked at once whether anything is in them.
#[cfg(target_arch = "x86_64")]
const GROUP: usize = 4;
/// So many blocks and the bytes before them.
#[cfg(target_arch = "x86_64")]
type Group = [u8; BEFORE + GROUP * BLOCK];

/// With so many masks of a batch that are not zero, or fewer, the next batch asks first whether a block
/// has any byte to look at; with more, the processor guesses the answer wrong too often.
const FEW: u32 = 8;
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

/// As [`fill`], for stored bytes of a legacy charset.
#[cfg(feature = "charset")]
#[inline]
pub(crate) fn fill_stored(bytes: &[u8], from: usize, kinds: StoredKinds, batch: &mut Batch) {
    #[cfg(target_arch = "x86_64")]
    x86_stored::fill(bytes, from, kinds, batch);
    #[cfg(not(target_arch = "x86_64"))]
    {
        let common = Kinds { dots: kinds.dots };
        blocks(bytes, from, common, batch, |window| portable_stored(window, kinds));
    }
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

/// The same by groups of blocks, of which `stirring` says which may have events, bit by bit.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn groups(
    text: &[u8],
    from: usize,
    kinds: Kinds,
    batch: &mut Batch,
    stirring: impl Fn(&Group) -> u32,
    events: impl Fn(&Window) -> u64,
) {
    let len = text.len().saturating_sub(from).div_ceil(BLOCK).min(BATCH);
    let mut present = 0;
    let at = |n: usize| text.get((from + n * BLOCK).wrapping_sub(BEFORE)..).unwrap_or_default();
    let mut rest = at(0);
    for n in (0..len).step_by(GROUP) {
        let mut left = match rest.first_chunk() {
            Some(group) => {
                rest = &rest[GROUP * BLOCK..];
                x86::fetch_ahead(group);
                stirring(group)
            }
            // At the text's edges.
            None => {
                rest = at(n + GROUP);
                (1 << GROUP) - 1
            }
        };
        while left != 0 {
            let n = n + left.trailing_zeros() as usize;
            left &= left - 1;
            if n < len {
                let mask = mask_at(text, from + n * BLOCK, &events);
                batch.events[n] = mask;
                present |= u32::from(mask != 0) << n;
            }
        }
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

/// The mask of a block of stored bytes, byte by byte.
#[cfg(all(feature = "charset", any(test, not(target_arch = "x86_64"))))]
fn portable_stored(window: &Window, kinds: StoredKinds) -> u64 {
    let event = |n| is_stored_event(window, BEFORE + n, kinds);
    (0..BLOCK).fold(0, |mask, n| mask | u64::from(event(n)) << n)
}

#[cfg(test)]
mod tests;
