//! Computes the masks of running text in UTF-8 with vectors.
//!
//! Whether a byte follows a trigger byte is computed for a complete vector of bytes at once: the vector, and the vectors
//! that begin one, two and three bytes before it, are compared with the bytes of triggers, and only the result becomes a
//! mask. Where one instruction looks up a table, the table selects the trigger byte that a byte may be; elsewhere each
//! trigger byte is compared by itself.

use super::super::marks::{
    Batch, ESCAPE, FIRST_BEHIND_AT, FIRST_BEHIND_ESCAPE, FIRST_LEAD, FIRST_LETTER, FULL_STOPS,
    Kinds,
};
use super::first;
use super::{BEFORE, BLOCK, GROUP, Group, Half, OfBlock, OfGroup, OfHalf, Window, blocks, groups};
use crate::simd::vectors::{LANES, VectorKernel, Vectors};

/// Computes the masks of the blocks from `from` on.
pub(super) struct Fill<'t> {
    pub(super) text: &'t [u8],
    pub(super) from: usize,
    pub(super) kinds: Kinds,
    pub(super) batch: &'t mut Batch,
}

impl VectorKernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, vectors: impl Vectors) {
        let Fill { text, from, kinds, batch } = self;
        match (has_tables(vectors), kinds.dots) {
            (true, false) => groups(text, from, batch, &ByTables::<_, false>(vectors)),
            (true, true) => groups(text, from, batch, &ByTables::<_, true>(vectors)),
            (false, false) => blocks(text, from, batch, &ByComparing::<_, false>(vectors)),
            (false, true) => blocks(text, from, batch, &ByComparing::<_, true>(vectors)),
        }
    }
}

/// Computes the mask of the first bytes of a text, at most one block.
pub(super) struct First<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) kinds: Kinds,
}

impl VectorKernel for First<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self, vectors: impl Vectors) -> u64 {
        let First { bytes, kinds } = self;
        match (has_tables(vectors), kinds.dots) {
            (true, false) => first::mask(bytes, kinds, vectors, &ByTables::<_, false>(vectors)),
            (true, true) => first::mask(bytes, kinds, vectors, &ByTables::<_, true>(vectors)),
            (false, false) => first::mask(bytes, kinds, vectors, &ByComparing::<_, false>(vectors)),
            (false, true) => first::mask(bytes, kinds, vectors, &ByComparing::<_, true>(vectors)),
        }
    }
}

/// Computes the mask of one block.
pub(super) struct Block<'t> {
    pub(super) window: &'t Window,
    pub(super) kinds: Kinds,
}

impl VectorKernel for Block<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self, vectors: impl Vectors) -> u64 {
        let Block { window, kinds } = self;
        match (has_tables(vectors), kinds.dots) {
            (true, false) => ByTables::<_, false>(vectors).mask(window),
            (true, true) => ByTables::<_, true>(vectors).mask(window),
            (false, false) => ByComparing::<_, false>(vectors).mask(window),
            (false, true) => ByComparing::<_, true>(vectors).mask(window),
        }
    }
}

#[inline(always)]
fn has_tables<V: Vectors>(_: V) -> bool {
    V::HAS_TABLES
}

/// Number of vectors in a group.
const VECTORS: usize = GROUP * BLOCK / LANES;

/// Computes the masks of a group and which of them are not zero, a bit for each; if all are zero, the masks are not
/// written.
///
/// A table maps the low half of a byte to the one trigger byte that it may be (for non-ASCII bytes to zero, which they are
/// not), another one to the least byte that may follow that trigger byte. A lane is zero if the byte is its trigger byte
/// and the next byte is not too small.
struct ByTables<V, const DOTS: bool>(V);

/// Returns the tables of trigger bytes, and of the least bytes after them.
const fn tables(dots: bool) -> ([u8; 16], [u8; 16]) {
    let of = [
        (b':', b'!'),
        (b'&', b'#'),
        (b'@', FIRST_BEHIND_AT),
        (ESCAPE, FIRST_BEHIND_ESCAPE),
        (b'.', FIRST_LETTER),
    ];
    let (mut marks, mut least) = ([0x80; 16], [0; 16]);
    let mut n = 0;
    while n < of.len() {
        let (mark, first) = of[n];
        if dots || mark != b'.' {
            marks[(mark & 0x0F) as usize] = mark;
            least[(mark & 0x0F) as usize] = first;
        }
        n += 1;
    }
    (marks, least)
}

/// Maps the low half of the last byte of an ideographic full stop to the byte before it.
const BEFORE_LAST: [u8; 16] = {
    let (mut before, mut n) = ([0xFF; 16], 0);
    while n < FULL_STOPS.len() {
        let [b2, b1] = FULL_STOPS[n];
        before[(b1 & 0x0F) as usize] = b2;
        n += 1;
    }
    before
};

impl<V: Vectors, const DOTS: bool> ByTables<V, DOTS> {
    const TABLES: ([u8; 16], [u8; 16]) = tables(DOTS);

    /// Returns zero in each lane of vector `n` of the group, or block, that follows a trigger byte.
    #[inline(always)]
    fn after_mark<const N: usize>(&self, group: &[u8; N], n: usize) -> V::Bytes {
        let v = self.0;
        let (marks, least) = (v.table(&Self::TABLES.0), v.table(&Self::TABLES.1));
        let at = BEFORE + LANES * n;
        let (byte, last) = (v.load(group, at), v.load(group, at - 1));
        let other = v.xor(last, v.lookup(marks, last));
        let least = match DOTS {
            true => v.lookup(least, last),
            // The same limit for all trigger bytes, which takes one operation less and accepts no byte that matters.
            false => v.splat(b'!'),
        };
        v.or(other, v.saturating_sub(least, byte))
    }

    /// Returns zero after an ideographic full stop, whose last byte nearly determines the byte before it.
    #[inline(always)]
    fn after_stop<const N: usize>(&self, group: &[u8; N], n: usize) -> V::Bytes {
        let v = self.0;
        let at = BEFORE + LANES * n;
        // Remove the top bit, for which the lookup would return zero.
        let last = v.wrapping_sub(v.load(group, at - 1), v.splat(0x80));
        let before = v.lookup(v.table(&BEFORE_LAST), last);
        let other = v.xor(v.load(group, at - 2), before);
        v.or(other, v.saturating_sub(v.splat(FIRST_LETTER), v.load(group, at)))
    }

    /// Returns `true` if any byte of the group, or block, may be the first of an ideographic full stop. Within a text,
    /// either all groups have such bytes, or few have.
    #[inline(always)]
    fn has_leads<const N: usize>(&self, group: &[u8; N]) -> bool {
        let v = self.0;
        let mut top = v.load(group, 0);
        let mut n = 1;
        while n < N / LANES {
            top = v.max(top, v.load(group, LANES * n));
            n += 1;
        }
        v.has_from(top, FIRST_LEAD)
    }
}

impl<V: Vectors, const DOTS: bool> OfGroup for ByTables<V, DOTS> {
    #[inline(always)]
    fn masks(&self, group: &Group, masks: &mut [u64; GROUP]) -> u32 {
        let v = self.0;
        let mut rest = [v.splat(0); VECTORS];
        let mut n = 0;
        if DOTS && self.has_leads(group) {
            while n < VECTORS {
                rest[n] = v.min(self.after_mark(group, n), self.after_stop(group, n));
                n += 1;
            }
        } else {
            while n < VECTORS {
                rest[n] = self.after_mark(group, n);
                n += 1;
            }
        }
        let low = v.min(v.min(rest[0], rest[1]), v.min(rest[2], rest[3]));
        let high = v.min(v.min(rest[4], rest[5]), v.min(rest[6], rest[7]));
        if !v.has_zero(v.min(low, high)) {
            return 0;
        }
        let mut present = 0;
        let mut n = 0;
        while n < GROUP {
            let (low, high) = (v.is(rest[2 * n], 0), v.is(rest[2 * n + 1], 0));
            masks[n] = u64::from(v.bits_apart(low)) | u64::from(v.bits_apart(high)) << LANES;
            present |= u32::from(masks[n] != 0) << n;
            n += 1;
        }
        present
    }

    #[inline(always)]
    fn fetch_ahead(&self, group: &Group) {
        self.0.fetch_ahead(group);
    }
}

impl<V: Vectors, const DOTS: bool> OfHalf for ByTables<V, DOTS> {
    #[inline(always)]
    fn half(&self, window: &Half) -> u32 {
        let v = self.0;
        let mut rest = self.after_mark(window, 0);
        if DOTS && self.has_leads(window) {
            rest = v.min(rest, self.after_stop(window, 0));
        }
        v.bits_apart(v.is(rest, 0))
    }
}

/// Computes the mask of one block without tables: each trigger byte is compared by itself.
struct ByComparing<V, const DOTS: bool>(V);

impl<V: Vectors, const DOTS: bool> ByComparing<V, DOTS> {
    /// Returns where the two bytes before are the last two of an ideographic full stop, by the rule of `marks`.
    #[inline(always)]
    fn full_stop(&self, before: V::Bytes, last: V::Bytes) -> V::Bytes {
        let v = self.0;
        let mut found = v.splat(0);
        let mut n = 0;
        while n < FULL_STOPS.len() {
            let [b2, b1] = FULL_STOPS[n];
            found = v.or(found, v.and(v.is(before, b2), v.is(last, b1)));
            n += 1;
        }
        found
    }
}

impl<V: Vectors, const DOTS: bool> OfHalf for ByComparing<V, DOTS> {
    #[inline(always)]
    fn half(&self, window: &Half) -> u32 {
        let v = self.0;
        let (byte, last) = (v.load(window, BEFORE), v.load(window, BEFORE - 1));
        let (before, third) = (v.load(window, BEFORE - 2), v.load(window, BEFORE - 3));
        let colon = v.and(v.is(last, b':'), v.at_least(byte, b'!'));
        let reference = v.and(v.is(last, b'&'), v.is(byte, b'#'));
        let behind_at = v.and(v.is(last, b'@'), v.at_least(byte, FIRST_BEHIND_AT));
        let escape = v.and(v.is(last, ESCAPE), v.is(byte, FIRST_BEHIND_ESCAPE));
        let mut found = v.or(v.or(colon, reference), v.or(behind_at, escape));
        if DOTS {
            let led = v.not_below(third, v.splat(FIRST_LEAD));
            let stop = v.and(self.full_stop(before, last), led);
            let dot = v.or(v.is(last, b'.'), stop);
            found = v.or(found, v.and(dot, v.at_least(byte, FIRST_LETTER)));
        }
        v.bits_apart(v.whole(found))
    }
}
