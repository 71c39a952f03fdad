//! Which bytes of a short stretch end a text, a name or a value of markup.
//!
//! What comes in is an array, what goes out is a mask, a bit for each byte, the first lowest. Such stretches
//! end in their first block nearly always, so that calling for a search costs more than looking. [`Best`]
//! compiles what looks at them twice, for AVX2 as well, which is asked for at run time; SSE2 is always there
//! on x86-64. Elsewhere the masks are made byte by byte, and the tests compare all of them.

/// Bytes of a block.
pub(crate) const BLOCK: usize = 32;
/// Bytes of two.
pub(crate) const PAIR: usize = 2 * BLOCK;

/// How masks are made.
pub(crate) trait Masks: Copy {
    /// White space and other controls, `/`, `=`, `>`: nothing else ends a name in a tag.
    fn name_ends(self, bytes: &[u8; BLOCK]) -> u32;
    /// Where this byte is.
    fn same(self, bytes: &[u8; BLOCK], byte: u8) -> u32;
    /// Each `<`; and what may be in a link: what is not ASCII (where other dots are), and dots, colons,
    /// ampersands with something visible behind them which is no `<`.
    fn text(self, bytes: &[u8; BLOCK + 1]) -> (u32, u32);

    /// Where two blocks are the same.
    fn equal(self, one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32;

    /// Where a byte is not less than this one.
    fn from(self, bytes: &[u8; BLOCK], least: u8) -> u32;

    /// Each `<` of two blocks, and what may be in a link.
    #[inline(always)]
    fn texts(self, bytes: &[u8; PAIR + 1]) -> Texts {
        let (mut signs, mut from) = (Texts::default(), 0);
        while from < PAIR {
            if let Some(block) = bytes.get(from..).unwrap_or_default().first_chunk() {
                let (opens, warm) = self.text(block);
                signs.opens |= u64::from(opens) << from;
                signs.warm |= u64::from(warm) << from;
            }
            from += BLOCK;
        }
        signs
    }

    /// What ends names of two blocks, and each `"`.
    #[inline(always)]
    fn insides(self, bytes: &[u8; PAIR]) -> Insides {
        let (mut signs, mut from) = (Insides::default(), 0);
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

/// The masks of two blocks that may be text: each `<`, and what may be in a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    pub(crate) opens: u64,
    pub(crate) warm: u64,
}

/// The masks of two blocks in a tag: what ends a name, each `"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Insides {
    pub(crate) ends: u64,
    pub(crate) quotes: u64,
}

/// Something to be done with masks; `by` is to be inlined.
pub(crate) trait ByMasks {
    type Output;
    fn by(self, masks: impl Masks) -> Self::Output;
}

/// The best masks that there are, which is asked once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Best {
    Plain(Plain),
    #[cfg(target_arch = "x86_64")]
    Wide(x86::Wide),
}

impl Best {
    pub(crate) fn of_here() -> Best {
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = x86::Wide::if_there() {
            return Best::Wide(wide);
        }
        Best::Plain(Plain)
    }

    /// Does it with these.
    #[inline(always)]
    pub(crate) fn by<T: ByMasks>(self, task: T) -> T::Output {
        match self {
            Best::Plain(plain) => by_plain(task, plain),
            #[cfg(target_arch = "x86_64")]
            Best::Wide(wide) => wide.by(task),
        }
    }
}

#[inline(never)]
fn by_plain<T: ByMasks>(task: T, plain: Plain) -> T::Output {
    task.by(plain)
}

/// The masks that there always are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain;

impl Masks for Plain {
    #[inline(always)]
    fn name_ends(self, bytes: &[u8; BLOCK]) -> u32 {
        #[cfg(target_arch = "x86_64")]
        return x86::name_ends(bytes);
        #[cfg(not(target_arch = "x86_64"))]
        portable::name_ends(bytes)
    }

    #[inline(always)]
    fn same(self, bytes: &[u8; BLOCK], byte: u8) -> u32 {
        #[cfg(target_arch = "x86_64")]
        return x86::same(bytes, byte);
        #[cfg(not(target_arch = "x86_64"))]
        portable::same(bytes, byte)
    }

    #[inline(always)]
    fn text(self, bytes: &[u8; BLOCK + 1]) -> (u32, u32) {
        #[cfg(target_arch = "x86_64")]
        return x86::text(bytes);
        #[cfg(not(target_arch = "x86_64"))]
        portable::text(bytes)
    }

    #[inline(always)]
    fn equal(self, one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32 {
        #[cfg(target_arch = "x86_64")]
        return x86::equal(one, other);
        #[cfg(not(target_arch = "x86_64"))]
        portable::equal(one, other)
    }

    #[inline(always)]
    fn from(self, bytes: &[u8; BLOCK], least: u8) -> u32 {
        #[cfg(target_arch = "x86_64")]
        return x86::from(bytes, least);
        #[cfg(not(target_arch = "x86_64"))]
        portable::from(bytes, least)
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable {
    use super::BLOCK;

    #[inline(always)]
    fn mask(is: impl Fn(usize) -> bool) -> u32 {
        (0..BLOCK).fold(0, |mask, n| mask | u32::from(is(n)) << n)
    }

    pub(super) fn name_ends(bytes: &[u8; BLOCK]) -> u32 {
        mask(|n| bytes[n] <= b' ' || matches!(bytes[n], b'/' | b'=' | b'>'))
    }

    pub(super) fn same(bytes: &[u8; BLOCK], byte: u8) -> u32 {
        mask(|n| bytes[n] == byte)
    }

    pub(super) fn text(bytes: &[u8; BLOCK + 1]) -> (u32, u32) {
        let is_stop = |n: usize| matches!(bytes[n], b'.' | b':' | b'&');
        let is_followed = |n: usize| matches!(bytes[n + 1], b'!'..=0x7F) && bytes[n + 1] != b'<';
        let is_warm = |n: usize| !bytes[n].is_ascii() || (is_stop(n) && is_followed(n));
        (mask(|n| bytes[n] == b'<'), mask(is_warm))
    }

    pub(super) fn equal(one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32 {
        mask(|n| one[n] == other[n])
    }

    pub(super) fn from(bytes: &[u8; BLOCK], least: u8) -> u32 {
        mask(|n| bytes[n] >= least)
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use std::arch::x86_64::*;

    use super::super::x86::{load_128, load_256};
    use super::{BLOCK, ByMasks, Masks};

    /// The masks by AVX2. There is none but where the processor is known to have it.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Wide(());

    impl Wide {
        pub(super) fn if_there() -> Option<Wide> {
            let is_there = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2");
            is_there.then_some(Wide(()))
        }

        #[inline(always)]
        pub(super) fn by<T: ByMasks>(self, task: T) -> T::Output {
            // SAFETY: the processor has all three, or there were no `Wide`.
            unsafe { by_wide(self, task) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn by_wide<T: ByMasks>(wide: Wide, task: T) -> T::Output {
        task.by(wide)
    }

    impl Masks for Wide {
        #[inline(always)]
        fn name_ends(self, bytes: &[u8; BLOCK]) -> u32 {
            // SAFETY: the processor has AVX2, or there were no `Wide`.
            unsafe { wide_name_ends(bytes) }
        }

        #[inline(always)]
        fn same(self, bytes: &[u8; BLOCK], byte: u8) -> u32 {
            // SAFETY: as above.
            unsafe { wide_same(bytes, byte) }
        }

        #[inline(always)]
        fn text(self, bytes: &[u8; BLOCK + 1]) -> (u32, u32) {
            // SAFETY: as above.
            unsafe { wide_text(bytes) }
        }

        #[inline(always)]
        fn equal(self, one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32 {
            // SAFETY: as above.
            unsafe { wide_equal(one, other) }
        }

        #[inline(always)]
        fn from(self, bytes: &[u8; BLOCK], least: u8) -> u32 {
            // SAFETY: as above.
            unsafe { wide_from(bytes, least) }
        }
    }

    /// The masks by vectors of one width: what they are made of are the operations on them.
    macro_rules! masks {
        ($feature:literal, $vector:ident, $set:ident, $eq:ident, $gt:ident, $or:ident, $and:ident,
         $andnot:ident, $max:ident, $bits:ident, $is:ident, $from:ident, $name_ends:ident, $warm:ident) => {
            #[inline]
            #[target_feature(enable = $feature)]
            fn $is(vector: $vector, byte: u8) -> u32 {
                $bits($eq(vector, $set(byte as i8))) as u32
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn $from(vector: $vector, least: u8) -> u32 {
                $bits($eq($max(vector, $set(least as i8)), vector)) as u32
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn $name_ends(vector: $vector) -> u32 {
                let is = |byte: u8| $eq(vector, $set(byte as i8));
                let controls = $eq($max(vector, $set(b' ' as i8)), $set(b' ' as i8));
                $bits($or($or(controls, is(b'/')), $or(is(b'='), is(b'>')))) as u32
            }

            /// What may be in a link; `next` holds what stands one further.
            #[inline]
            #[target_feature(enable = $feature)]
            fn $warm(vector: $vector, next: $vector) -> u32 {
                let is = |vector, byte: u8| $eq(vector, $set(byte as i8));
                // `&` and `.` differ in one bit.
                let stops = is($or(vector, $set((b'&' ^ b'.') as i8)), b'.');
                let stops = $or(stops, is(vector, b':'));
                // As signed numbers, so that what is not ASCII is not visible: it is warm by itself.
                let visible = $gt(next, $set(b' ' as i8));
                let followed = $andnot(is(next, b'<'), visible);
                $bits($or($and(stops, followed), vector)) as u32
            }
        };
    }

    masks!(
        "sse2",
        __m128i,
        _mm_set1_epi8,
        _mm_cmpeq_epi8,
        _mm_cmpgt_epi8,
        _mm_or_si128,
        _mm_and_si128,
        _mm_andnot_si128,
        _mm_max_epu8,
        _mm_movemask_epi8,
        is_128,
        from_128,
        name_ends_128,
        warm_128
    );
    masks!(
        "avx2",
        __m256i,
        _mm256_set1_epi8,
        _mm256_cmpeq_epi8,
        _mm256_cmpgt_epi8,
        _mm256_or_si256,
        _mm256_and_si256,
        _mm256_andnot_si256,
        _mm256_max_epu8,
        _mm256_movemask_epi8,
        is_256,
        from_256,
        name_ends_256,
        warm_256
    );

    #[inline]
    #[target_feature(enable = "avx2")]
    fn wide_name_ends(bytes: &[u8; BLOCK]) -> u32 {
        name_ends_256(load_256(bytes, 0))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn wide_same(bytes: &[u8; BLOCK], byte: u8) -> u32 {
        is_256(load_256(bytes, 0), byte)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn wide_text(bytes: &[u8; BLOCK + 1]) -> (u32, u32) {
        let vector = load_256(bytes, 0);
        (is_256(vector, b'<'), warm_256(vector, load_256(bytes, 1)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn wide_equal(one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32 {
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(load_256(one, 0), load_256(other, 0))) as u32
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn wide_from(bytes: &[u8; BLOCK], least: u8) -> u32 {
        from_256(load_256(bytes, 0), least)
    }

    #[inline(always)]
    pub(super) fn from(bytes: &[u8; BLOCK], least: u8) -> u32 {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { from_128(load_128(bytes, 0), least) | from_128(load_128(bytes, 16), least) << 16 }
    }

    #[inline(always)]
    pub(super) fn name_ends(bytes: &[u8; BLOCK]) -> u32 {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { name_ends_128(load_128(bytes, 0)) | name_ends_128(load_128(bytes, 16)) << 16 }
    }

    #[inline(always)]
    pub(super) fn same(bytes: &[u8; BLOCK], byte: u8) -> u32 {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { is_128(load_128(bytes, 0), byte) | is_128(load_128(bytes, 16), byte) << 16 }
    }

    #[inline(always)]
    pub(super) fn text(bytes: &[u8; BLOCK + 1]) -> (u32, u32) {
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let low = warm_128(load_128(bytes, 0), load_128(bytes, 1));
            let high = warm_128(load_128(bytes, 16), load_128(bytes, 17));
            let signs = is_128(load_128(bytes, 0), b'<') | is_128(load_128(bytes, 16), b'<') << 16;
            (signs, low | high << 16)
        }
    }

    #[inline(always)]
    pub(super) fn equal(one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32 {
        // SAFETY: SSE2 is part of x86-64.
        unsafe {
            let low = _mm_cmpeq_epi8(load_128(one, 0), load_128(other, 0));
            let high = _mm_cmpeq_epi8(load_128(one, 16), load_128(other, 16));
            (_mm_movemask_epi8(low) | _mm_movemask_epi8(high) << 16) as u32
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte at every place of a block, among others that mean something and that do not.
    struct EveryByte;

    impl ByMasks for EveryByte {
        type Output = ();

        fn by(self, masks: impl Masks) {
            let bytes: [u8; PAIR + 1] = std::array::from_fn(|n| b"a<.b: \"=/"[n * n % 9]);
            let (texts, insides) = portable_signs(&bytes);
            assert_eq!(masks.texts(&bytes), texts);
            assert_eq!(masks.insides(bytes.first_chunk().unwrap()), insides);
            for filler in *b"a<.:&\xE9 \"" {
                for (byte, at) in (0..=255).flat_map(|b| (0..=BLOCK).map(move |at| (b, at))) {
                    let mut bytes = [filler; BLOCK + 1];
                    bytes[at] = byte;
                    assert_eq!(masks.text(&bytes), portable::text(&bytes), "{bytes:?}");
                    let block = bytes.first_chunk().unwrap();
                    assert_eq!(masks.same(block, byte), portable::same(block, byte), "{bytes:?}");
                    assert_eq!(masks.from(block, byte), portable::from(block, byte), "{bytes:?}");
                    let least = byte.saturating_add(1);
                    assert_eq!(masks.from(block, least), portable::from(block, least), "{bytes:?}");
                    assert_eq!(masks.name_ends(block), portable::name_ends(block), "{bytes:?}");
                    let same = masks.equal(block, &[filler; BLOCK]);
                    assert_eq!(same, portable::equal(block, &[filler; BLOCK]), "{bytes:?}");
                }
            }
        }
    }

    fn portable_signs(bytes: &[u8; PAIR + 1]) -> (Texts, Insides) {
        let (mut texts, mut insides) = (Texts::default(), Insides::default());
        for (n, pair) in bytes.windows(2).enumerate() {
            let mut block = [b'a'; BLOCK + 1];
            block[..2].copy_from_slice(pair);
            let name = block.first_chunk().unwrap();
            let (opens, warm) = portable::text(&block);
            texts.opens |= u64::from(opens & 1) << n;
            texts.warm |= u64::from(warm & 1) << n;
            insides.quotes |= u64::from(portable::same(name, b'"') & 1) << n;
            insides.ends |= u64::from(portable::name_ends(name) & 1) << n;
        }
        (texts, insides)
    }

    #[test]
    fn sign_masks_of_every_byte() {
        EveryByte.by(Plain);
        Best::of_here().by(EveryByte);
    }
}
