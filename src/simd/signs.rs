//! Masks of the bytes that end a text, a name or a value of markup, in a short range.
//!
//! The input is an array, the result is a mask with a bit for each byte, the first one lowest. Such ranges nearly always
//! end in their first block, so the call of a search function would cost more than this check. On x86-64, [`Isa`] compiles
//! the callers twice, the second time for AVX2, which is detected at run time. Where there are no vectors the masks are
//! computed byte by byte, and the tests compare all versions.

mod looks;

#[cfg(target_arch = "x86_64")]
use super::vectors::{Avx2, WideTask};

with_vectors! {
    /// Masks that every processor of the target has.
    pub(crate) use super::vectors::Always as Plain;
}
without_vectors! {
    pub(crate) use ByteByByte as Plain;
}

/// Number of bytes of a block.
pub(crate) const BLOCK: usize = 32;
/// Number of bytes of two blocks.
pub(crate) const PAIR: usize = 2 * BLOCK;

/// Instructions that compute masks.
pub(crate) trait Masks: Copy {
    /// Returns where white space and other controls, `/`, `=` and `>` are, the only bytes that end a name in a tag.
    fn name_ends(self, bytes: &[u8; BLOCK]) -> u32;
    /// Returns where this byte is.
    fn same(self, bytes: &[u8; BLOCK], byte: u8) -> u32;
    /// Returns where each `<` is, and the bytes that may be in a link: dots, colons and ampersands before a visible
    /// character other than `<`, and possible ideographic full stops.
    fn text(self, bytes: &[u8; BLOCK + 1], beyond: NonAscii) -> (u32, u32);

    /// Returns where two blocks are equal.
    fn equal(self, one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32;

    /// Returns where a byte is not less than this one.
    fn from(self, bytes: &[u8; BLOCK], least: u8) -> u32;

    /// Returns where octets of the class are; `None` if checking them one by one is as good.
    #[inline(always)]
    fn of_class(self, _: &[u8; BLOCK], _: &AsciiSet) -> Option<u32> {
        None
    }

    /// Returns where each `<` of two blocks is, and the bytes that may be in a link.
    #[inline(always)]
    fn texts(self, bytes: &[u8; PAIR + 1], beyond: NonAscii) -> TextMasks {
        let (mut signs, mut from) = (TextMasks::default(), 0);
        while from < PAIR {
            if let Some(block) = bytes.get(from..).unwrap_or_default().first_chunk() {
                let (opens, possible) = self.text(block, beyond);
                signs.opens |= u64::from(opens) << from;
                signs.possible |= u64::from(possible) << from;
            }
            from += BLOCK;
        }
        signs
    }

    /// Returns the masks of the ends of names and of each `"` in two blocks.
    #[inline(always)]
    fn insides(self, bytes: &[u8; PAIR]) -> TagMasks {
        let (mut signs, mut from) = (TagMasks::default(), 0);
        while from < PAIR {
            if let Some(block) = bytes.get(from..).unwrap_or_default().first_chunk() {
                signs.ends |= u64::from(self.name_ends(block)) << from;
                signs.quotes |= u64::from(self.same(block, b'"')) << from;
            }
            from += BLOCK;
        }
        signs
    }
}

/// Treatment of non-ASCII bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NonAscii {
    /// They may be parts of full stops, in an unknown encoding.
    Anything,
    /// They may be parts of full stops in UTF-8.
    Utf8,
    /// They are letters: each byte is a character.
    Letters,
}

impl NonAscii {
    /// With these bits set, a lead byte of a full stop in UTF-8 equals [`LEAD`], as do two other bytes: checking some
    /// letters in more detail takes less time than excluding them here.
    const LEAD_BITS: u8 = 0x0C;
    const LEAD: u8 = 0xEF;

    /// Returns all non-ASCII bytes, if any of them may be part of a full stop.
    #[inline(always)]
    const fn of(self, high: u32) -> u32 {
        match self {
            NonAscii::Anything => high,
            NonAscii::Utf8 | NonAscii::Letters => 0,
        }
    }
}

/// Masks of two blocks of text: each `<`, and the bytes that may be in a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextMasks {
    pub(crate) opens: u64,
    pub(crate) possible: u64,
}

/// Masks of two blocks in a tag: the bytes that end a name, and each `"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TagMasks {
    pub(crate) ends: u64,
    pub(crate) quotes: u64,
}

/// Set of ASCII octets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AsciiSet {
    /// For the low four bits of an octet, a bit for each value of the other three.
    rows: [u8; 16],
}

impl AsciiSet {
    /// Returns the octets whose entries have this bit.
    pub(crate) const fn of(table: &[u8; 256], bit: u8) -> AsciiSet {
        let (mut rows, mut octet) = ([0; 16], 0);
        while octet < 0x80 {
            if table[octet] & bit != 0 {
                rows[octet & 0x0F] |= 1 << (octet >> 4);
            }
            octet += 1;
        }
        AsciiSet { rows }
    }
}

/// Task that uses masks. `run` must be inlined, so that it is compiled for each instruction set.
pub(crate) trait MaskKernel {
    type Output;
    fn run(self, masks: impl Masks) -> Self::Output;
}

/// Instruction set of this processor, detected once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Isa {
    Plain(Plain),
    #[cfg(target_arch = "x86_64")]
    Wide(Avx2),
}

impl Isa {
    pub(crate) fn detect() -> Isa {
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = Avx2::detect() {
            return Isa::Wide(wide);
        }
        Isa::Plain(Plain)
    }

    /// Runs a kernel with this instruction set.
    #[inline(always)]
    pub(crate) fn run<T: MaskKernel>(self, task: T) -> T::Output {
        match self {
            Isa::Plain(plain) => run_baseline(task, plain),
            #[cfg(target_arch = "x86_64")]
            Isa::Wide(wide) => wide.run(WideMasks(task)),
        }
    }
}

/// A kernel that uses the masks of AVX2.
#[cfg(target_arch = "x86_64")]
struct WideMasks<T>(T);

#[cfg(target_arch = "x86_64")]
impl<T: MaskKernel> WideTask for WideMasks<T> {
    type Output = T::Output;

    #[inline(always)]
    fn run_wide(self, wide: Avx2) -> T::Output {
        self.0.run(wide)
    }
}

#[inline(never)]
fn run_baseline<T: MaskKernel>(task: T, plain: Plain) -> T::Output {
    task.run(plain)
}

/// Scalar masks, for targets without vectors.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "where there are vectors, the tests alone ask it")]
pub(crate) struct ByteByByte;

#[inline(always)]
fn mask(is: impl Fn(usize) -> bool) -> u32 {
    (0..BLOCK).fold(0, |mask, n| mask | u32::from(is(n)) << n)
}

impl Masks for ByteByByte {
    #[inline]
    fn name_ends(self, bytes: &[u8; BLOCK]) -> u32 {
        mask(|n| bytes[n] <= b' ' || matches!(bytes[n], b'/' | b'=' | b'>'))
    }

    #[inline]
    fn same(self, bytes: &[u8; BLOCK], byte: u8) -> u32 {
        mask(|n| bytes[n] == byte)
    }

    #[inline]
    fn text(self, bytes: &[u8; BLOCK + 1], beyond: NonAscii) -> (u32, u32) {
        let is_stop = |n: usize| matches!(bytes[n], b'.' | b':' | b'&');
        let is_followed = |n: usize| bytes[n + 1] >= b'!' && bytes[n + 1] != b'<';
        let is_lead = |n: usize| bytes[n] | NonAscii::LEAD_BITS == NonAscii::LEAD;
        let may_link = |n: usize| is_lead(n) || (is_stop(n) && is_followed(n));
        let high = mask(|n| !bytes[n].is_ascii());
        (mask(|n| bytes[n] == b'<'), mask(may_link) | beyond.of(high))
    }

    #[inline]
    fn equal(self, one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32 {
        mask(|n| one[n] == other[n])
    }

    #[inline]
    fn from(self, bytes: &[u8; BLOCK], least: u8) -> u32 {
        mask(|n| bytes[n] >= least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte at every position of a block, among significant and insignificant bytes.
    struct EveryByte;

    impl MaskKernel for EveryByte {
        type Output = ();

        fn run(self, masks: impl Masks) {
            let bytes: [u8; PAIR + 1] = std::array::from_fn(|n| b"a<.b: \"=/"[n * n % 9]);
            let (texts, insides) = portable_signs(&bytes);
            assert_eq!(masks.texts(&bytes, NonAscii::Anything), texts);
            assert_eq!(masks.insides(bytes.first_chunk().unwrap()), insides);
            // Miri takes about a thousand times as long.
            let (bytes, places) = if cfg!(miri) { (51, 11) } else { (1, 1) };
            let all = (0..=255).step_by(bytes);
            let all = all.flat_map(|b| (0..=BLOCK).step_by(places).map(move |at| (b, at)));
            for filler in *b"a<.:&\xE9 \"" {
                for (byte, at) in all.clone() {
                    let mut bytes = [filler; BLOCK + 1];
                    bytes[at] = byte;
                    for beyond in [NonAscii::Anything, NonAscii::Utf8, NonAscii::Letters] {
                        let wanted = ByteByByte.text(&bytes, beyond);
                        assert_eq!(masks.text(&bytes, beyond), wanted, "{bytes:?}");
                    }
                    let block = bytes.first_chunk().unwrap();
                    assert_eq!(masks.same(block, byte), ByteByByte.same(block, byte), "{bytes:?}");
                    assert_eq!(masks.from(block, byte), ByteByByte.from(block, byte), "{bytes:?}");
                    let least = byte.saturating_add(1);
                    assert_eq!(
                        masks.from(block, least),
                        ByteByByte.from(block, least),
                        "{bytes:?}"
                    );
                    assert_eq!(masks.name_ends(block), ByteByByte.name_ends(block), "{bytes:?}");
                    let same = masks.equal(block, &[filler; BLOCK]);
                    assert_eq!(same, ByteByByte.equal(block, &[filler; BLOCK]), "{bytes:?}");
                }
            }
        }
    }

    struct OfClass<'c>([u8; BLOCK], &'c AsciiSet);

    impl MaskKernel for OfClass<'_> {
        type Output = Option<u32>;

        fn run(self, masks: impl Masks) -> Option<u32> {
            masks.of_class(&self.0, self.1)
        }
    }

    #[test]
    fn octets_of_a_class() {
        let table: [u8; 256] = std::array::from_fn(|n| (n * 37 % 11 < 4) as u8 * 2);
        let class = AsciiSet::of(&table, 2);
        for first in (0..=u8::MAX).step_by(BLOCK) {
            let bytes: [u8; BLOCK] = std::array::from_fn(|n| first + n as u8);
            let is_one = |byte: u8| byte.is_ascii() && table[usize::from(byte)] != 0;
            let wanted =
                bytes.iter().rev().fold(0, |mask, byte| mask << 1 | u32::from(is_one(*byte)));
            let found = Isa::detect().run(OfClass(bytes, &class));
            assert!(found.is_none_or(|found| found == wanted), "{bytes:?}");
            assert!(
                Plain.of_class(&bytes, &class).is_none_or(|found| found == wanted),
                "{bytes:?}"
            );
        }
    }

    fn portable_signs(bytes: &[u8; PAIR + 1]) -> (TextMasks, TagMasks) {
        let (mut texts, mut insides) = (TextMasks::default(), TagMasks::default());
        for (n, pair) in bytes.windows(2).enumerate() {
            let mut block = [b'a'; BLOCK + 1];
            block[..2].copy_from_slice(pair);
            let name = block.first_chunk().unwrap();
            let (opens, possible) = ByteByByte.text(&block, NonAscii::Anything);
            texts.opens |= u64::from(opens & 1) << n;
            texts.possible |= u64::from(possible & 1) << n;
            insides.quotes |= u64::from(ByteByByte.same(name, b'"') & 1) << n;
            insides.ends |= u64::from(ByteByByte.name_ends(name) & 1) << n;
        }
        (texts, insides)
    }

    #[test]
    fn sign_masks_of_every_byte() {
        EveryByte.run(Plain);
        Isa::detect().run(EveryByte);
    }
}
