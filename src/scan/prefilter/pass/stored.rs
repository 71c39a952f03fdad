//! Computes the masks of stored bytes of legacy encodings with vectors.
//!
//! It works as in `running`, except for which bytes may be halves of characters, and how the ideographic full stops are
//! stored.

use super::super::marks::{
    AFTER_W, Batch, FIRST_BEHIND_AT, FIRST_HOST, FIRST_LETTER, LegacyKinds, Stops,
};
use super::{BEFORE, BLOCK, GROUP, Group, OfBlock, OfGroup, Window, blocks, groups};
use crate::simd::vectors::{LANES, VectorKernel, Vectors};

/// Which of the rules a pass applies; rules that it does not apply cost nothing.
const DOTS: u8 = 1;
const WIDE: u8 = 2;
const SINGLE: u8 = 4;

/// The bytes of the triggers and the full stops: a single-byte full stop, and tables for the other bytes. The index is the
/// low half of the last byte; no two of these bytes have the same low half unless they are equal. An unused entry has a
/// byte with another low half, so that no byte equals it.
struct Forms {
    single: u8,
    /// The last byte, and the least byte after it.
    lasts: [u8; 16],
    least: [u8; 16],
    /// The byte before the last one; if that does not matter, all bits are set, also in `any`.
    firsts: [u8; 16],
    any: [u8; 16],
}

const MARKS: [u8; 16] = by_low_half([(b':', b':'), (b'&', b'&'), (b'@', b'@')]);
const LEAST: [u8; 16] = by_low_half([(b':', b'!'), (b'&', b'#'), (b'@', FIRST_BEHIND_AT)]);
const ANY: [u8; 16] = by_low_half([(b':', 0xFF), (b'&', 0xFF), (b'@', 0xFF)]);

const fn by_low_half(pairs: [(u8, u8); 3]) -> [u8; 16] {
    let mut table = [0; 16];
    let mut n = 0;
    while n < pairs.len() {
        table[(pairs[n].0 & 0x0F) as usize] = pairs[n].1;
        n += 1;
    }
    table
}

/// Returns the rules that `kinds` needs, and the bytes. Only wide encodings have pairs.
#[inline]
fn rules(kinds: LegacyKinds) -> (u8, Forms) {
    let (pairs, single) = match kinds.stops {
        Stops::None => (None, None),
        Stops::Pairs(pairs) => (Some(pairs), None),
        Stops::PairsAndSingle(pairs, single) => (Some(pairs), Some(single)),
        Stops::Single(single) => (None, Some(single)),
    };
    let mut forms =
        Forms { single: single.unwrap_or(0), lasts: MARKS, least: LEAST, firsts: ANY, any: ANY };
    for [first, last] in pairs.into_iter().flatten().filter(|_| kinds.dots) {
        let place = usize::from(last & 0x0F);
        debug_assert_eq!(MARKS[place], 0, "a mark has the same low half");
        forms.lasts[place] = last;
        forms.least[place] = FIRST_LETTER;
        forms.firsts[place] = first;
    }
    let rule = |is_asked: bool, rule: u8| if is_asked { rule } else { 0 };
    let stops = rule(kinds.dots, DOTS) | rule(kinds.dots && single.is_some(), SINGLE);
    (stops | rule(kinds.is_wide, WIDE), forms)
}

/// Computes the masks of the blocks from `from` on.
pub(super) struct FillStored<'t> {
    pub(super) bytes: &'t [u8],
    pub(super) from: usize,
    pub(super) kinds: LegacyKinds,
    pub(super) batch: &'t mut Batch,
}

impl VectorKernel for FillStored<'_> {
    type Output = ();

    /// There is one pass for each combination of rules that some encoding needs.
    #[inline(always)]
    fn run(self, vectors: impl Vectors) {
        const SINGLE_DOTS: u8 = DOTS | SINGLE;
        let FillStored { bytes, from, kinds, batch } = self;
        let (rules, forms) = rules(kinds);
        let forms = &forms;
        match rules {
            0 => blocks(bytes, from, batch, &Narrow::<_, 0>(vectors, forms)),
            DOTS => blocks(bytes, from, batch, &Narrow::<_, DOTS>(vectors, forms)),
            SINGLE_DOTS => blocks(bytes, from, batch, &Narrow::<_, SINGLE_DOTS>(vectors, forms)),
            WIDE => groups(bytes, from, batch, &Wide::<_, 0>(vectors, forms)),
            _ if rules & SINGLE == 0 => {
                groups(bytes, from, batch, &Wide::<_, DOTS>(vectors, forms));
            }
            _ => groups(bytes, from, batch, &Wide::<_, SINGLE_DOTS>(vectors, forms)),
        }
    }
}

/// Finds the triggers if each byte is a character.
struct Narrow<'f, V, const RULES: u8>(V, &'f Forms);

impl<V: Vectors, const RULES: u8> OfBlock for Narrow<'_, V, RULES> {
    #[inline(always)]
    fn mask(&self, window: &Window) -> u64 {
        let Narrow(v, forms) = *self;
        let mut triggers = 0;
        let mut n = 0;
        while n < BLOCK {
            let at = BEFORE + n;
            let (byte, last) = (v.load(window, at), v.load(window, at - 1));
            let (before, third) = (v.load(window, at - 2), v.load(window, at - 3));
            let colon = v.and(v.is(last, b':'), v.at_least(byte, b'!'));
            let colon = v.and(colon, v.at_least(before, FIRST_HOST));
            let reference = v.and(v.is(last, b'&'), v.is(byte, b'#'));
            let behind_at = v.and(v.is(last, b'@'), v.at_least(byte, FIRST_BEHIND_AT));
            let mut found = v.or(v.or(colon, reference), behind_at);
            if RULES & DOTS != 0 {
                let host = v.and(v.is(before, b'.'), v.at_least(third, FIRST_HOST));
                let is_after_w = v.is(v.or(third, v.splat(0x20)), b'w');
                let second = v.or(byte, v.and(is_after_w, v.splat(AFTER_W)));
                let letters = v.at_least(v.min(second, last), FIRST_LETTER);
                found = v.or(found, v.and(host, letters));
            }
            if RULES & SINGLE != 0 {
                let stop = v.is(last, forms.single);
                found = v.or(found, v.and(stop, v.at_least(byte, FIRST_LETTER)));
            }
            triggers |= u64::from(v.bits_apart(v.whole(found))) << n;
            n += LANES;
        }
        triggers
    }
}

/// Finds the triggers if two bytes may be one character.
struct Wide<'f, V, const RULES: u8>(V, &'f Forms);

impl<V: Vectors, const RULES: u8> OfGroup for Wide<'_, V, RULES> {
    #[inline(always)]
    fn masks(&self, group: &Group, masks: &mut [u64; GROUP]) -> u32 {
        let v = self.0;
        *masks = [0; GROUP];
        let mut n = 0;
        while n < GROUP * BLOCK {
            let at = BEFORE + n;
            let bytes = [v.load(group, at), v.load(group, at - 1), v.load(group, at - 2)];
            let found = match V::HAS_TABLES {
                true => self.by_tables(bytes),
                false => self.by_comparing(bytes),
            };
            masks[n / BLOCK] |= u64::from(v.bits_apart(v.whole(found))) << (n % BLOCK);
            n += LANES;
        }
        let mut present = 0;
        let mut n = 0;
        while n < GROUP {
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

impl<V: Vectors, const RULES: u8> Wide<'_, V, RULES> {
    /// Compares all trigger bytes at once: a byte is one of them if it equals the entry of the table at the index that is
    /// its low half.
    #[inline(always)]
    fn by_tables(&self, [byte, last, before]: [V::Bytes; 3]) -> V::Bytes {
        let Wide(v, forms) = *self;
        // A lookup of a byte with its top bit set returns zero.
        let low = match RULES & DOTS {
            0 => last,
            _ => v.and(last, v.splat(0x0F)),
        };
        let mark = v.eq(v.lookup(v.table(&forms.lasts), low), last);
        let least = v.lookup(v.table(&forms.least), low);
        let mut found = v.and(mark, v.not_below(byte, least));
        if RULES & DOTS != 0 {
            // The byte before a trigger byte does not matter.
            let either = v.or(before, v.lookup(v.table(&forms.any), low));
            let first = v.lookup(v.table(&forms.firsts), low);
            found = v.and(found, v.eq(either, first));
            found = v.or(found, self.after_dot([byte, last, before]));
            if RULES & SINGLE != 0 {
                let stop = v.and(v.is(last, forms.single), v.at_least(byte, FIRST_LETTER));
                found = v.or(found, stop);
            }
        }
        found
    }

    /// Compares each trigger byte by itself, without tables.
    #[inline(always)]
    fn by_comparing(&self, [byte, last, before]: [V::Bytes; 3]) -> V::Bytes {
        let Wide(v, forms) = *self;
        let mut found = v.splat(0);
        let mut n = 0;
        while n < MARKS.len() {
            if MARKS[n] != 0 {
                found = v.or(found, v.and(v.is(last, MARKS[n]), v.at_least(byte, LEAST[n])));
            }
            n += 1;
        }
        if RULES & DOTS != 0 {
            found = v.or(found, self.after_dot([byte, last, before]));
            let mut stop = v.splat(0);
            let mut n = 0;
            while n < MARKS.len() {
                if MARKS[n] == 0 && forms.lasts[n] != 0 {
                    let first = v.is(before, forms.firsts[n]);
                    stop = v.or(stop, v.and(first, v.is(last, forms.lasts[n])));
                }
                n += 1;
            }
            if RULES & SINGLE != 0 {
                stop = v.or(stop, v.is(last, forms.single));
            }
            found = v.or(found, v.and(stop, v.at_least(byte, FIRST_LETTER)));
        }
        found
    }

    /// Returns where the label after a dot has begun.
    #[inline(always)]
    fn after_dot(&self, [byte, last, before]: [V::Bytes; 3]) -> V::Bytes {
        let v = self.0;
        let label = v.and(v.at_least(last, FIRST_LETTER), v.at_least(byte, FIRST_HOST));
        v.and(v.is(before, b'.'), label)
    }
}
