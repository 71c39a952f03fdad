//! The pass over the bytes that finds what is after the marks of `marks`, 64 bytes a step.
//!
//! Takes a text and an offset; gives masks, a bit for each byte. The masks are
//! made by `x86`, elsewhere byte by byte. The tests compare each road with `marks::is_after_mark`.

#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(all(feature = "documents", target_arch = "x86_64"))]
mod x86_legacy;

use super::marks::LegacyKinds;
#[cfg(any(test, not(target_arch = "x86_64")))]
use super::marks::is_after_mark;
#[cfg(all(feature = "documents", any(test, not(target_arch = "x86_64"))))]
use super::marks::is_stored_trigger;
use super::marks::{BATCH, BLOCK, Batch, Kinds};

/// Bytes before a block that its triggers depend on.
const BEFORE: usize = 3;
/// A block and the bytes before it.
type Window = [u8; BEFORE + BLOCK];
/// Blocks that are asked at once whether anything is in them.
#[cfg(target_arch = "x86_64")]
const GROUP: usize = 4;
/// So many blocks and the bytes before them.
#[cfg(target_arch = "x86_64")]
type Group = [u8; BEFORE + GROUP * BLOCK];

/// Makes the masks of the blocks from `from` on, as many as the batch takes and the text has.
#[inline]
pub(crate) fn fill(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    #[cfg(target_arch = "x86_64")]
    x86::fill(text, from, kinds, batch);
    #[cfg(not(target_arch = "x86_64"))]
    blocks(text, from, batch, |window| portable(window, kinds));
}

/// The mask of the block at `base`, for texts that are too short for a batch.
#[inline]
pub(crate) fn block(text: &[u8], base: usize, kinds: Kinds) -> u64 {
    #[cfg(target_arch = "x86_64")]
    let mask = |window: &Window| x86::block(window, kinds);
    #[cfg(not(target_arch = "x86_64"))]
    let mask = |window: &Window| portable(window, kinds);
    match text.get(base.wrapping_sub(BEFORE)..).and_then(|rest| rest.first_chunk()) {
        Some(window) => mask(window),
        None => mask(&padded(text, base)),
    }
}

/// As [`fill`], for stored bytes of a legacy charset.
#[cfg(feature = "documents")]
#[inline]
pub(crate) fn fill_stored(bytes: &[u8], from: usize, kinds: LegacyKinds, batch: &mut Batch) {
    #[cfg(target_arch = "x86_64")]
    x86_legacy::fill(bytes, from, kinds, batch);
    #[cfg(not(target_arch = "x86_64"))]
    blocks(bytes, from, batch, |window| portable_stored(window, kinds));
}

/// Goes through the blocks from `from` on; `mask` makes the mask of one.
#[inline(always)]
fn blocks(text: &[u8], from: usize, batch: &mut Batch, mask: impl Fn(&Window) -> u64) {
    let len = begin(text, from, batch);
    for (n, made) in batch.masks[..len].iter_mut().enumerate() {
        let base = from + n * BLOCK;
        *made = match text.get(base.wrapping_sub(BEFORE)..).and_then(|rest| rest.first_chunk()) {
            Some(window) => mask(window),
            None => mask(&padded(text, base)),
        };
        batch.present |= u64::from(*made != 0) << n;
    }
}

/// The same by groups of blocks; `masks` makes those of one, and tells bit by bit which are not zero:
/// of a group without any it need make none.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn groups(
    text: &[u8],
    from: usize,
    batch: &mut Batch,
    masks: impl Fn(&Group, &mut [u64; GROUP]) -> u32,
) {
    let len = begin(text, from, batch);
    let at = |n: usize| text.get((from + n * BLOCK).wrapping_sub(BEFORE)..).unwrap_or_default();
    let mut rest = at(0);
    for (n, made) in batch.masks.as_chunks_mut().0.iter_mut().enumerate() {
        let n = n * GROUP;
        if n >= len {
            break;
        }
        let present = match rest.first_chunk() {
            Some(group) => {
                rest = &rest[GROUP * BLOCK..];
                crate::simd::x86::fetch_ahead(group);
                masks(group, made)
            }
            // At the text's edges.
            None => {
                rest = at(n + GROUP);
                masks(&padded(text, from + n * BLOCK), made)
            }
        };
        batch.present |= u64::from(present) << n;
    }
}

/// Begins a batch at `from`, and tells how many blocks it has.
#[inline(always)]
fn begin(text: &[u8], from: usize, batch: &mut Batch) -> usize {
    batch.base = from;
    batch.present = 0;
    batch.len = text.len().saturating_sub(from).div_ceil(BLOCK).min(BATCH);
    batch.len
}

/// The bytes from [`BEFORE`] before `base` on, with zeros for what is not there; a zero takes part in no
/// trigger.
#[cold]
fn padded<const N: usize>(text: &[u8], base: usize) -> [u8; N] {
    let mut window = [0; N];
    let start = base.saturating_sub(BEFORE);
    let end = text.len().min(base + N - BEFORE);
    let at = BEFORE - (base - start);
    window[at..at + end - start].copy_from_slice(&text[start..end]);
    window
}

/// The mask of a block, byte by byte.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable(window: &Window, kinds: Kinds) -> u64 {
    let is_event = |n| is_after_mark(window, BEFORE + n, kinds);
    (0..BLOCK).fold(0, |mask, n| mask | u64::from(is_event(n)) << n)
}

/// The mask of a block of stored bytes, byte by byte.
#[cfg(all(feature = "documents", any(test, not(target_arch = "x86_64"))))]
fn portable_stored(window: &Window, kinds: LegacyKinds) -> u64 {
    let trigger = |n| is_stored_trigger(window, BEFORE + n, kinds);
    (0..BLOCK).fold(0, |mask, n| mask | u64::from(trigger(n)) << n)
}

#[cfg(test)]
mod tests;
