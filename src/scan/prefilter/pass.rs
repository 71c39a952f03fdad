//! The pass over the bytes that finds what is after the marks of `marks`, 64 bytes a step.
//!
//! Takes a text and an offset; gives masks, a bit for each byte. The masks are
//! made by vectors (`running`, `stored`), where there are none byte by byte. The tests compare each route with
//! `marks::is_after_mark`.

mod first;
mod running;
#[cfg(feature = "documents")]
mod stored;

use super::marks::{BATCH, BLOCK, Batch, Kinds, is_after_mark};
#[cfg(feature = "documents")]
use super::marks::{LegacyKinds, is_stored_trigger};
use crate::simd::vectors::{self, LANES};

/// Bytes before a block that its triggers depend on.
const BEFORE: usize = 3;
/// A block and the bytes before it.
type Window = [u8; BEFORE + BLOCK];
/// Half a block and the bytes before it.
type Half = [u8; BEFORE + LANES];
/// Blocks that are asked at once whether anything is in them.
const GROUP: usize = 4;
/// So many blocks and the bytes before them.
type Group = [u8; BEFORE + GROUP * BLOCK];

/// How the mask of a block is made.
trait OfBlock {
    fn mask(&self, window: &Window) -> u64;
}

/// How the mask of half a block is made.
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

/// How the masks of a group are made.
trait OfGroup {
    /// Tells bit by bit which are not zero: of a group without any it need make none.
    fn masks(&self, group: &Group, masks: &mut [u64; GROUP]) -> u32;

    /// Asks for what comes after the group.
    fn fetch_ahead(&self, group: &Group);
}

/// Makes the masks of the blocks from `from` on, as many as the batch takes and the text has.
#[inline]
pub(crate) fn fill(text: &[u8], from: usize, kinds: Kinds, batch: &mut Batch) {
    if let Err(left) = vectors::dispatch(running::Fill { text, from, kinds, batch }) {
        blocks(text, from, left.batch, &Portable(kinds));
    }
}

/// The mask of the block at `base`, for texts that are too short for a batch. The edges of a text are loaded from
/// where they lie: a load that spans several stores of a copy waits for all of them.
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
        // The last block lies in the last bytes that fill one.
        Some(window) if rest.is_some() => mask(window) >> (base + BLOCK - text.len()),
        _ => mask(&padded(text, base)),
    }
}

/// As [`fill`], for stored bytes of a legacy charset.
#[cfg(feature = "documents")]
#[inline]
pub(crate) fn fill_stored(bytes: &[u8], from: usize, kinds: LegacyKinds, batch: &mut Batch) {
    if let Err(left) = vectors::dispatch(stored::FillStored { bytes, from, kinds, batch }) {
        blocks(bytes, from, left.batch, &PortableStored(kinds));
    }
}

/// Goes through the blocks from `from` on.
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

/// The same by groups of blocks.
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
            // At the text's edges.
            None => {
                rest = at(n + GROUP);
                edge = padded(text, from + n * BLOCK);
                &edge
            }
        };
        batch.present |= u64::from(of.masks(group, made)) << n;
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
struct Portable(Kinds);

impl OfBlock for Portable {
    fn mask(&self, window: &Window) -> u64 {
        let is_event = |n| is_after_mark(window, BEFORE + n, self.0);
        (0..BLOCK).fold(0, |mask, n| mask | u64::from(is_event(n)) << n)
    }
}

/// The mask of a block of stored bytes, byte by byte.
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
