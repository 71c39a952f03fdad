//! Vectors of SSE2, which is part of x86-64, and of AVX2, which is detected at run time.

#![allow(unsafe_code)]

use std::arch::asm;
use std::arch::x86_64::*;
use std::sync::atomic::{AtomicU8, Ordering};

use super::{LANES, VectorKernel, Vectors};

/// Distance in bytes of the prefetched bytes from the current ones.
const AHEAD: usize = 2048;
/// Number of bytes of a cache line.
const LINE: usize = 64;

/// AVX2, with other features that every processor with it has. A value exists only if the processor is known to have them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    #[inline(always)]
    pub(crate) fn detect() -> Option<Avx2> {
        // Cached here, since the standard library checks each of the three features separately, which is slow for short texts.
        let is_there = match KNOWN.load(Ordering::Relaxed) {
            NOT_ASKED => ask(),
            known => known == THERE,
        };
        is_there.then_some(Avx2(()))
    }

    /// Runs a task in code that is compiled for AVX2. This is the only way to run such code.
    #[inline(always)]
    pub(crate) fn run<T: WideTask>(self, task: T) -> T::Output {
        // SAFETY: an `Avx2` value is created only after all three features were detected.
        unsafe { run_wide(self, task) }
    }
}

/// Features of this processor.
static KNOWN: AtomicU8 = AtomicU8::new(NOT_ASKED);
const NOT_ASKED: u8 = 0;
const NOT_THERE: u8 = 1;
const THERE: u8 = 2;

#[cold]
#[inline(never)]
fn ask() -> bool {
    let is_there = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2");
    KNOWN.store(if is_there { THERE } else { NOT_THERE }, Ordering::Relaxed);
    is_there
}

/// Task for AVX2. `run_wide` must be inlined.
pub(crate) trait WideTask {
    type Output;
    fn run_wide(self, wide: Avx2) -> Self::Output;
}

impl<T: VectorKernel> WideTask for T {
    type Output = T::Output;

    #[inline(always)]
    fn run_wide(self, wide: Avx2) -> T::Output {
        self.run(wide)
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2")]
fn run_wide<T: WideTask>(wide: Avx2, task: T) -> T::Output {
    task.run_wide(wide)
}

/// Operations on two vectors that one instruction does.
macro_rules! wide {
    ($($name:ident: $instruction:ident),*) => {
        $(
            #[inline(always)]
            fn $name(self, one: __m256i, other: __m256i) -> __m256i {
                // SAFETY: an `Avx2` value is created only if the processor has AVX2.
                unsafe { $instruction(one, other) }
            }
        )*
    };
}

impl Vectors for Avx2 {
    type Bytes = __m256i;
    const HAS_TABLES: bool = true;

    wide!(
        eq: _mm256_cmpeq_epi8,
        and: _mm256_and_si256,
        or: _mm256_or_si256,
        xor: _mm256_xor_si256,
        wrapping_sub: _mm256_sub_epi8,
        saturating_sub: _mm256_subs_epu8,
        min: _mm256_min_epu8,
        max: _mm256_max_epu8,
        lookup: _mm256_shuffle_epi8
    );

    #[inline(always)]
    fn load(self, bytes: &[u8], start: usize) -> __m256i {
        let bytes = &bytes[start..start + LANES];
        // SAFETY: `bytes` are 32 readable bytes; the load requires no alignment. The processor has AVX2.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_halves(self, low: &[u8; LANES / 2], high: &[u8; LANES / 2]) -> __m256i {
        // SAFETY: both are 16 readable bytes; the loads require no alignment. The processor has AVX2.
        unsafe {
            let low = _mm_loadu_si128(low.as_ptr().cast());
            _mm256_set_m128i(_mm_loadu_si128(high.as_ptr().cast()), low)
        }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> __m256i {
        // SAFETY: an `Avx2` value is created only if the processor has AVX2.
        unsafe { _mm256_set1_epi8(byte as i8) }
    }

    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> __m256i {
        // SAFETY: the table is 16 readable bytes; the load requires no alignment. The processor has AVX2.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())) }
    }

    #[inline(always)]
    fn upper_half(self, bytes: __m256i) -> __m256i {
        // SAFETY: an `Avx2` value is created only if the processor has AVX2.
        unsafe { _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(0x0F)) }
    }

    #[inline(always)]
    fn without(self, one: __m256i, other: __m256i) -> __m256i {
        // SAFETY: an `Avx2` value is created only if the processor has AVX2.
        unsafe { _mm256_andnot_si256(other, one) }
    }

    #[inline(always)]
    fn not_below(self, one: __m256i, other: __m256i) -> __m256i {
        self.eq(self.max(one, other), one)
    }

    #[inline(always)]
    fn at_least(self, bytes: __m256i, least: u8) -> __m256i {
        // SAFETY: an `Avx2` value is created only if the processor has AVX2.
        unsafe { _mm256_adds_epu8(bytes, _mm256_set1_epi8((0x80 - least) as i8)) }
    }

    #[inline(always)]
    fn bits(self, bytes: __m256i) -> u32 {
        // SAFETY: an `Avx2` value is created only if the processor has AVX2.
        unsafe { _mm256_movemask_epi8(bytes) as u32 }
    }

    #[inline(always)]
    fn has_zero(self, bytes: __m256i) -> bool {
        self.bits_apart(self.eq(bytes, self.splat(0))) != 0
    }

    #[inline(always)]
    fn has_from(self, bytes: __m256i, least: u8) -> bool {
        let above = self.saturating_sub(bytes, self.splat(least - 1));
        // SAFETY: an `Avx2` value is created only if the processor has AVX2.
        unsafe { _mm256_testz_si256(above, above) == 0 }
    }

    #[inline(always)]
    fn bits_apart(self, bytes: __m256i) -> u32 {
        opaque(self.bits(bytes))
    }

    #[inline(always)]
    fn whole(self, bytes: __m256i) -> __m256i {
        // SAFETY: an `Avx2` value is created only if the processor has AVX2.
        unsafe { whole_256(bytes) }
    }

    #[inline(always)]
    fn fetch_ahead(self, bytes: &[u8]) {
        for line in 0..bytes.len() / LINE {
            let ahead = bytes.as_ptr().wrapping_add(AHEAD + line * LINE);
            // SAFETY: a prefetch reads nothing, so any address is allowed, also one outside the text.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(ahead.cast()) };
        }
    }
}

/// SSE2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse2;

/// The two halves of 32 bytes.
type Sse2Halves = (__m128i, __m128i);

/// Operations on two vectors that one instruction does for each half.
macro_rules! halves {
    ($($name:ident: $instruction:ident),*) => {
        $(
            #[inline(always)]
            fn $name(self, one: Sse2Halves, other: Sse2Halves) -> Sse2Halves {
                // SAFETY: SSE2 is part of x86-64.
                unsafe { ($instruction(one.0, other.0), $instruction(one.1, other.1)) }
            }
        )*
    };
}

impl Vectors for Sse2 {
    type Bytes = Sse2Halves;
    const HAS_TABLES: bool = false;

    halves!(
        eq: _mm_cmpeq_epi8,
        and: _mm_and_si128,
        or: _mm_or_si128,
        xor: _mm_xor_si128,
        wrapping_sub: _mm_sub_epi8,
        saturating_sub: _mm_subs_epu8,
        min: _mm_min_epu8,
        max: _mm_max_epu8
    );

    #[inline(always)]
    fn load(self, bytes: &[u8], start: usize) -> Sse2Halves {
        let bytes = &bytes[start..start + LANES];
        let half = bytes.as_ptr().cast::<__m128i>();
        // SAFETY: `bytes` are two times 16 readable bytes; the loads require no alignment. SSE2 is part of x86-64.
        unsafe { (_mm_loadu_si128(half), _mm_loadu_si128(half.add(1))) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> Sse2Halves {
        // SAFETY: SSE2 is part of x86-64.
        let half = unsafe { _mm_set1_epi8(byte as i8) };
        (half, half)
    }

    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> Sse2Halves {
        // SAFETY: the table is 16 readable bytes; the load requires no alignment. SSE2 is part of x86-64.
        let half = unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
        (half, half)
    }

    /// Looks up entry by entry, since no code that must be fast uses this.
    #[inline(always)]
    fn lookup(self, table: Sse2Halves, index: Sse2Halves) -> Sse2Halves {
        let mut entries = [0; 16];
        // SAFETY: `entries` are 16 writable bytes; the store requires no alignment.
        unsafe { _mm_storeu_si128(entries.as_mut_ptr().cast(), table.0) };
        let place = self.and(index, self.splat(0x8F));
        let mut found = self.splat(0);
        for (n, entry) in entries.iter().enumerate() {
            found = self.or(found, self.and(self.is(place, n as u8), self.splat(*entry)));
        }
        found
    }

    #[inline(always)]
    fn upper_half(self, bytes: Sse2Halves) -> Sse2Halves {
        // SAFETY: SSE2 is part of x86-64.
        let shifted = unsafe { (_mm_srli_epi16::<4>(bytes.0), _mm_srli_epi16::<4>(bytes.1)) };
        self.and(shifted, self.splat(0x0F))
    }

    #[inline(always)]
    fn without(self, one: Sse2Halves, other: Sse2Halves) -> Sse2Halves {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { (_mm_andnot_si128(other.0, one.0), _mm_andnot_si128(other.1, one.1)) }
    }

    #[inline(always)]
    fn not_below(self, one: Sse2Halves, other: Sse2Halves) -> Sse2Halves {
        self.eq(self.max(one, other), one)
    }

    #[inline(always)]
    fn at_least(self, bytes: Sse2Halves, least: u8) -> Sse2Halves {
        let short = self.splat(0x80 - least);
        // SAFETY: SSE2 is part of x86-64.
        unsafe { (_mm_adds_epu8(bytes.0, short.0), _mm_adds_epu8(bytes.1, short.1)) }
    }

    #[inline(always)]
    fn bits(self, bytes: Sse2Halves) -> u32 {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { (_mm_movemask_epi8(bytes.0) | _mm_movemask_epi8(bytes.1) << 16) as u32 }
    }

    #[inline(always)]
    fn has_zero(self, bytes: Sse2Halves) -> bool {
        self.bits_apart(self.is(bytes, 0)) != 0
    }

    #[inline(always)]
    fn has_from(self, bytes: Sse2Halves, least: u8) -> bool {
        self.bits_apart(self.not_below(bytes, self.splat(least))) != 0
    }

    #[inline(always)]
    fn bits_apart(self, bytes: Sse2Halves) -> u32 {
        // SAFETY: SSE2 is part of x86-64.
        let (low, high) = unsafe { (_mm_movemask_epi8(bytes.0), _mm_movemask_epi8(bytes.1)) };
        opaque(low as u32) | opaque(high as u32) << 16
    }

    #[inline(always)]
    fn whole(self, bytes: Sse2Halves) -> Sse2Halves {
        (whole_128(bytes.0), whole_128(bytes.1))
    }
}

/// Returns the mask unchanged. The compiler would otherwise join the vectors of two masks into a wider one than the
/// processor has, and split that byte by byte: a tenth of the speed.
#[inline(always)]
fn opaque(mut mask: u32) -> u32 {
    // Miri does not execute assembly.
    if cfg!(miri) {
        return mask;
    }
    // SAFETY: no instruction is emitted; the register keeps its value.
    unsafe {
        asm!("/* {0:e} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags));
    }
    mask
}

/// Returns the vector unchanged. The compiler would otherwise recognise that only its top bits are used, and replace the
/// conjunctions with selections, which take twice as long.
#[inline(always)]
fn whole_128(mut v: __m128i) -> __m128i {
    // Miri does not execute assembly.
    if cfg!(miri) {
        return v;
    }
    // SAFETY: no instruction is emitted; the register keeps its value.
    unsafe {
        asm!("/* {0} */", inout(xmm_reg) v, options(pure, nomem, nostack, preserves_flags));
    }
    v
}

/// Like [`whole_128`], for AVX2.
#[inline]
#[target_feature(enable = "avx2")]
fn whole_256(mut v: __m256i) -> __m256i {
    // Miri does not execute assembly.
    if cfg!(miri) {
        return v;
    }
    // SAFETY: no instruction is emitted; the register keeps its value.
    unsafe {
        asm!("/* {0} */", inout(ymm_reg) v, options(pure, nomem, nostack, preserves_flags));
    }
    v
}
