//! Vectors of WebAssembly, for modules that are compiled with them.

#![allow(unsafe_code)]

use std::arch::wasm32::*;

use super::{LANES, Vectors};

/// The 128-bit vectors of WebAssembly 2.0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

/// The two halves of 32 bytes.
type Simd128Halves = (v128, v128);

/// Operations on two vectors that one instruction does for each half.
macro_rules! halves {
    ($($name:ident: $instruction:ident),*) => {
        $(
            #[inline(always)]
            fn $name(self, one: Simd128Halves, other: Simd128Halves) -> Simd128Halves {
                ($instruction(one.0, other.0), $instruction(one.1, other.1))
            }
        )*
    };
}

impl Vectors for Simd128 {
    type Bytes = Simd128Halves;
    const HAS_TABLES: bool = true;

    halves!(
        eq: u8x16_eq,
        and: v128_and,
        or: v128_or,
        xor: v128_xor,
        without: v128_andnot,
        wrapping_sub: u8x16_sub,
        saturating_sub: u8x16_sub_sat,
        min: u8x16_min,
        max: u8x16_max,
        not_below: u8x16_ge
    );

    #[inline(always)]
    fn load(self, bytes: &[u8], start: usize) -> Simd128Halves {
        let bytes = &bytes[start..start + LANES];
        let half = bytes.as_ptr().cast::<v128>();
        // SAFETY: `bytes` are two times 16 readable bytes; the loads require no alignment.
        unsafe { (v128_load(half), v128_load(half.add(1))) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> Simd128Halves {
        (u8x16_splat(byte), u8x16_splat(byte))
    }

    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> Simd128Halves {
        // SAFETY: the table is 16 readable bytes; the load requires no alignment.
        let half = unsafe { v128_load(table.as_ptr().cast()) };
        (half, half)
    }

    #[inline(always)]
    fn lookup(self, table: Simd128Halves, index: Simd128Halves) -> Simd128Halves {
        // An index beyond the table results in zero.
        let index = self.and(index, self.splat(0x8F));
        (u8x16_swizzle(table.0, index.0), u8x16_swizzle(table.1, index.1))
    }

    #[inline(always)]
    fn upper_half(self, bytes: Simd128Halves) -> Simd128Halves {
        (u8x16_shr(bytes.0, 4), u8x16_shr(bytes.1, 4))
    }

    #[inline(always)]
    fn at_least(self, bytes: Simd128Halves, least: u8) -> Simd128Halves {
        self.not_below(bytes, self.splat(least))
    }

    #[inline(always)]
    fn bits(self, bytes: Simd128Halves) -> u32 {
        u32::from(u8x16_bitmask(bytes.0)) | u32::from(u8x16_bitmask(bytes.1)) << 16
    }

    #[inline(always)]
    fn has_zero(self, bytes: Simd128Halves) -> bool {
        !u8x16_all_true(u8x16_min(bytes.0, bytes.1))
    }

    #[inline(always)]
    fn has_from(self, bytes: Simd128Halves, least: u8) -> bool {
        let above = u8x16_sub_sat(u8x16_max(bytes.0, bytes.1), u8x16_splat(least - 1));
        v128_any_true(above)
    }
}
