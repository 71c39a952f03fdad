//! Vectors of NEON, which is part of AArch64.

#![allow(unsafe_code)]

use std::arch::aarch64::*;

use super::{LANES, Vectors};

/// NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon;

/// The two halves of 32 bytes.
type NeonHalves = (uint8x16_t, uint8x16_t);

/// Operations on two vectors that one instruction does for each half.
macro_rules! halves {
    ($($name:ident: $instruction:ident),*) => {
        $(
            #[inline(always)]
            fn $name(self, one: NeonHalves, other: NeonHalves) -> NeonHalves {
                // SAFETY: this is compiled only for targets that always have NEON.
                unsafe { ($instruction(one.0, other.0), $instruction(one.1, other.1)) }
            }
        )*
    };
}

impl Vectors for Neon {
    type Bytes = NeonHalves;
    const HAS_TABLES: bool = true;

    halves!(
        eq: vceqq_u8,
        and: vandq_u8,
        or: vorrq_u8,
        xor: veorq_u8,
        without: vbicq_u8,
        wrapping_sub: vsubq_u8,
        saturating_sub: vqsubq_u8,
        min: vminq_u8,
        max: vmaxq_u8,
        not_below: vcgeq_u8
    );

    #[inline(always)]
    fn load(self, bytes: &[u8], start: usize) -> NeonHalves {
        let bytes = &bytes[start..start + LANES];
        // SAFETY: `bytes` are two times 16 readable bytes; the loads require no alignment. NEON is always available.
        unsafe { (vld1q_u8(bytes.as_ptr()), vld1q_u8(bytes.as_ptr().add(LANES / 2))) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> NeonHalves {
        // SAFETY: this is compiled only for targets that always have NEON.
        let half = unsafe { vdupq_n_u8(byte) };
        (half, half)
    }

    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> NeonHalves {
        // SAFETY: the table is 16 readable bytes; the load requires no alignment. NEON is always available.
        let half = unsafe { vld1q_u8(table.as_ptr()) };
        (half, half)
    }

    #[inline(always)]
    fn lookup(self, table: NeonHalves, index: NeonHalves) -> NeonHalves {
        // An index beyond the table results in zero.
        let index = self.and(index, self.splat(0x8F));
        // SAFETY: this is compiled only for targets that always have NEON.
        unsafe { (vqtbl1q_u8(table.0, index.0), vqtbl1q_u8(table.1, index.1)) }
    }

    #[inline(always)]
    fn upper_half(self, bytes: NeonHalves) -> NeonHalves {
        // SAFETY: this is compiled only for targets that always have NEON.
        unsafe { (vshrq_n_u8::<4>(bytes.0), vshrq_n_u8::<4>(bytes.1)) }
    }

    #[inline(always)]
    fn at_least(self, bytes: NeonHalves, least: u8) -> NeonHalves {
        self.not_below(bytes, self.splat(least))
    }

    /// Keeps a different bit of each byte, and adds neighbours until four bytes are left.
    #[inline(always)]
    fn bits(self, bytes: NeonHalves) -> u32 {
        const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        let top = self.not_below(bytes, self.splat(0x80));
        let (low, high) = self.and(top, self.table(&BITS));
        // SAFETY: this is compiled only for targets that always have NEON.
        unsafe {
            let pairs = vpaddq_u8(low, high);
            let fours = vpaddq_u8(pairs, pairs);
            let eights = vpaddq_u8(fours, fours);
            vgetq_lane_u32::<0>(vreinterpretq_u32_u8(eights))
        }
    }

    #[inline(always)]
    fn has_zero(self, bytes: NeonHalves) -> bool {
        // SAFETY: this is compiled only for targets that always have NEON.
        unsafe { vminvq_u8(vminq_u8(bytes.0, bytes.1)) == 0 }
    }

    #[inline(always)]
    fn has_from(self, bytes: NeonHalves, least: u8) -> bool {
        // SAFETY: this is compiled only for targets that always have NEON.
        unsafe { vmaxvq_u8(vmaxq_u8(bytes.0, bytes.1)) >= least }
    }
}
