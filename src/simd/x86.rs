//! Vectors of SSE2, which is part of x86-64, and of AVX2, which is asked for at run time: loads, and
//! what keeps the compiler from making worse of the code than is written.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

/// Bytes that are fetched ahead of the pass.
const AHEAD: usize = 2048;
/// Bytes that come at once.
const LINE: usize = 64;

/// Asks for the bytes that a pass will come to after these.
#[inline(always)]
pub(crate) fn fetch_ahead(bytes: &[u8]) {
    for line in 0..bytes.len() / LINE {
        let ahead = bytes.as_ptr().wrapping_add(AHEAD + line * LINE);
        // SAFETY: nothing is read; an address outside of the text is as good as any.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(ahead.cast()) };
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn table_256(table: [u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(load(&table))
}

/// The mask as it is. The compiler would else see through it, join the vectors that two masks
/// come from to a wider one than the processor has, and take that apart byte by byte: a tenth of
/// the speed.
#[inline(always)]
pub(crate) fn opaque(mask: i32) -> u32 {
    let mut mask = mask as u32;
    // Miri runs no assembly.
    if cfg!(miri) {
        return mask;
    }
    // SAFETY: no instruction is emitted; the register keeps its value.
    unsafe {
        std::arch::asm!("/* {0:e} */", inout(reg) mask, options(pure, nomem, nostack, preserves_flags));
    }
    mask
}

/// The vector as it is. The compiler would else see that its top bits alone are asked for, and
/// make selections of the conjunctions, which take twice as long.
#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn whole_128(mut v: __m128i) -> __m128i {
    // Miri runs no assembly.
    if cfg!(miri) {
        return v;
    }
    // SAFETY: no instruction is emitted; the register keeps its value.
    unsafe {
        std::arch::asm!("/* {0} */", inout(xmm_reg) v, options(pure, nomem, nostack, preserves_flags));
    }
    v
}

/// The same for AVX2.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn whole_256(mut v: __m256i) -> __m256i {
    // Miri runs no assembly.
    if cfg!(miri) {
        return v;
    }
    // SAFETY: no instruction is emitted; the register keeps its value.
    unsafe {
        std::arch::asm!("/* {0} */", inout(ymm_reg) v, options(pure, nomem, nostack, preserves_flags));
    }
    v
}

#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn load_128(window: &[u8], start: usize) -> __m128i {
    load(&window[start..start + 16])
}

#[inline]
#[target_feature(enable = "sse2")]
pub(crate) fn load(bytes: &[u8]) -> __m128i {
    let bytes = &bytes[..16];
    // SAFETY: `bytes` are 16 readable bytes; the load asks for no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn load_256(window: &[u8], start: usize) -> __m256i {
    let bytes = &window[start..start + 32];
    // SAFETY: `bytes` are 32 readable bytes; the load asks for no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}
