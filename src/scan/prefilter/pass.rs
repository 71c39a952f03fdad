//! The pass over the bytes that finds the bytes after the trigger bytes of `marks`, 64 bytes per step.
//!
//! The input is a text and an offset, the result is masks with a bit for each byte. Vectors compute the masks (`running`,
//! `stored`); without vectors they are computed byte by byte. The tests compare each code path with `marks::is_after_mark`.

mod first;
mod running;
#[cfg(feature = "documents")]
mod stored;

use super::marks::{BATCH, BLOCK, Batch, Kinds, is_after_mark};
#[cfg(feature = "documents")]
use super::marks::{LegacyKinds, is_stored_trigger};
use crate::simd::vectors::{self, LANES};

/// Number of bytes before a block that its triggers depend on.
const BEFORE: usize = 3;
/// A block and the bytes before it.
type Window = [u8; BEFORE + BLOCK];
/// Half a block and the bytes before it.
type Half = [u8; BEFORE + LANES];
/// Number of blocks that are checked at once for any triggers.
const GROUP: usize = 4;
/// A group of blocks and the bytes before them.
type Group = [u8; BEFORE + GROUP * BLOCK];

/// Computes the mask of a block.
trait OfBlock {
    fn mask(&self, window: &Window) -> u64;
}

/// Computes the mask of half a block.
trait OfHalf {
    fn half(&self, window: &Half) -> u32;
}

impl<T: OfHalf> OfBlock for T {
    #[inline(always)]
    fn mask(&self, window: &Window) -> u64 {
        let (Some(low), Some(high)) = (window.first_chunk(), window.last_chunk()) else { return 0 };
        u64::from(self.half(low)) | u64::from(self.half(high)) << LANES
    }
}

/// Computes the masks of a group.
trait OfGroup {
    /// Returns a bit for each mask that is not zero; if there is none, the masks need not be written.
    fn masks(&self, group: &Group, masks: &mut [u64; GROUP]) -> u32;

    /// Prefetches the bytes after the group.
    fn fetch_ahead(&self, group: &Group);
}

/// Computes the masks of the blocks from `from` on, as many as fit in the batch and the text has.
#[inline]
pub(crate) fn fill(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    if let Err(left) = vectors::dispatch(running::Fill { text, from, kinds, batch }) {
        blocks(text, from, left.batch, &Portable(kinds));
    }
}

/// Returns the mask of the block at `base`, for texts that are too short for a batch. The edges of a text are loaded in
/// place: a load from a copy would have to wait for the several stores that wrote it.
#[inline]
pub(crate) fn block(text: &[u8], base: usize, kinds: Kinds) -> u64 {
    if base == 0 {
        let first = &text[..text.len().min(BLOCK)];
        return vectors::dispatch(running::First { bytes: first, kinds })
            .unwrap_or_else(|_| Portable(kinds).mask(&padded(text, 0)));
    }
    let mask = |window: &Window| {
        let by_vectors = vectors::dispatch(running::Block { window, kinds });
        by_vectors.unwrap_or_else(|_| Portable(kinds).mask(window))
    };
    let rest = text.get(base.wrapping_sub(BEFORE)..);
    if let Some(window) = rest.and_then(|rest| rest.first_chunk()) {
        return mask(window);
    }
    match text.last_chunk() {
        // The last block is part of the last full block of bytes.
        Some(window) if rest.is_some() => mask(window) >> (base + BLOCK - text.len()),
        _ => mask(&padded(text, base)),
    }
}

/// Like [`fill`], for stored bytes of a legacy encoding.
#[cfg(feature = "documents")]
#[inline]
pub(crate) fn fill_stored(bytes: &[u8], from: usize, kinds: LegacyKinds, batch: &mut Batch) {
    if let Err(left) = vectors::dispatch(stored::FillStored { bytes, from, kinds, batch }) {
        blocks(bytes, from, left.batch, &PortableStored(kinds));
    }
}

/// Processes the blocks from `from` on.
#[inline(always)]
fn blocks(text: &[u8], from: usize, batch: &mut Batch, of: &impl OfBlock) {
    let len = begin(text, from, batch);
    for (n, made) in batch.masks[..len].iter_mut().enumerate() {
        let base = from + n * BLOCK;
        let edge;
        let window = match text.get(base.wrapping_sub(BEFORE)..).and_then(|rest| rest.first_chunk())
        {
            Some(window) => window,
            None => {
                edge = padded(text, base);
                &edge
            }
        };
        *made = of.mask(window);
        batch.present |= u64::from(*made != 0) << n;
    }
}

/// Processes the blocks from `from` on in groups.
#[inline(always)]
fn groups(text: &[u8], from: usize, batch: &mut Batch, of: &impl OfGroup) {
    let len = begin(text, from, batch);
    let at = |n: usize| text.get((from + n * BLOCK).wrapping_sub(BEFORE)..).unwrap_or_default();
    let mut rest = at(0);
    for (n, made) in batch.masks.as_chunks_mut().0.iter_mut().enumerate() {
        let n = n * GROUP;
        if n >= len {
            break;
        }
        let edge;
        let group = match rest.first_chunk() {
            Some(group) => {
                rest = &rest[GROUP * BLOCK..];
                of.fetch_ahead(group);
                group
            }
            // The edges of the text are processed as single blocks.
            None => {
                rest = at(n + GROUP);
                edge = padded(text, from + n * BLOCK);
                &edge
            }
        };
        batch.present |= u64::from(of.masks(group, made)) << n;
    }
}

/// Begins a batch at `from`, and returns the number of its blocks.
#[inline(always)]
fn begin(text: &[u8], from: usize, batch: &mut Batch) -> usize {
    batch.base = from;
    batch.present = 0;
    batch.len = text.len().saturating_sub(from).div_ceil(BLOCK).min(BATCH);
    batch.len
}

/// Returns the bytes from [`BEFORE`] bytes before `base` on, with zeros outside the text; a zero is not part of any
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

/// Computes the mask of a block byte by byte.
struct Portable(Kinds);

impl OfBlock for Portable {
    fn mask(&self, window: &Window) -> u64 {
        let is_event = |n| is_after_mark(window, BEFORE + n, self.0);
        (0..BLOCK).fold(0, |mask, n| mask | u64::from(is_event(n)) << n)
    }
}

/// Computes the mask of a block of stored bytes byte by byte.
#[cfg(feature = "documents")]
struct PortableStored(LegacyKinds);

#[cfg(feature = "documents")]
impl OfBlock for PortableStored {
    fn mask(&self, window: &Window) -> u64 {
        let trigger = |n| is_stored_trigger(window, BEFORE + n, self.0);
        (0..BLOCK).fold(0, |mask, n| mask | u64::from(trigger(n)) << n)
    }
}

#[cfg(test)]
mod tests;
