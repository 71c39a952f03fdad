//! The masks computed by vectors. A block is one vector.

use super::{AsciiSet, BLOCK, Masks, NonAscii};
#[cfg(target_arch = "x86_64")]
use crate::simd::vectors::Avx2;
use crate::simd::vectors::Vectors;

#[inline(always)]
fn name_ends(v: impl Vectors, bytes: &[u8; BLOCK]) -> u32 {
    let bytes = v.load(bytes, 0);
    let controls = v.not_below(v.splat(b' '), bytes);
    let ends = v.or(v.is(bytes, b'='), v.is(bytes, b'>'));
    v.bits(v.or(v.or(controls, v.is(bytes, b'/')), ends))
}

#[inline(always)]
fn same(v: impl Vectors, bytes: &[u8; BLOCK], byte: u8) -> u32 {
    v.bits(v.is(v.load(bytes, 0), byte))
}

#[inline(always)]
fn text(v: impl Vectors, bytes: &[u8; BLOCK + 1], beyond: NonAscii) -> (u32, u32) {
    let (vector, next) = (v.load(bytes, 0), v.load(bytes, 1));
    // `&` and `.` differ in one bit.
    let stops = v.is(v.or(vector, v.splat(b'&' ^ b'.')), b'.');
    let stops = v.or(stops, v.is(vector, b':'));
    let visible = v.not_below(next, v.splat(b'!'));
    let followed = v.without(visible, v.is(next, b'<'));
    let leads = v.is(v.or(vector, v.splat(NonAscii::LEAD_BITS)), NonAscii::LEAD);
    let possible = v.bits(v.or(v.and(stops, followed), leads));
    (v.bits(v.is(vector, b'<')), possible | beyond.of(v.bits(vector)))
}

#[inline(always)]
fn equal(v: impl Vectors, one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32 {
    v.bits(v.eq(v.load(one, 0), v.load(other, 0)))
}

#[inline(always)]
fn from(v: impl Vectors, bytes: &[u8; BLOCK], least: u8) -> u32 {
    v.bits(v.not_below(v.load(bytes, 0), v.splat(least)))
}

/// The row of a byte is selected by its low four bits, and the bit in it by the other three; non-ASCII bytes have no row.
#[inline(always)]
fn of_class<V: Vectors>(v: V, bytes: &[u8; BLOCK], class: &AsciiSet) -> Option<u32> {
    const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
    if !V::HAS_TABLES {
        return None;
    }
    let bytes = v.load(bytes, 0);
    let row = v.lookup(v.table(&class.rows), bytes);
    let bit = v.lookup(v.table(&BITS), v.upper_half(bytes));
    Some(!v.bits(v.is(v.and(row, bit), 0)))
}

/// Implements each mask with vectors that are always available.
#[allow(unused_macros, reason = "not where there are no vectors")]
macro_rules! always {
    ($($name:ident($($given:ident: $type:ty),*) -> $mask:ty;)*) => {
        impl Masks for crate::simd::vectors::Always {
            $(
                #[inline(always)]
                fn $name(self, $($given: $type),*) -> $mask {
                    $name(self, $($given),*)
                }
            )*
        }
    };
}

/// Implements each mask with AVX2, each in a function that is compiled for it: the caller may be a closure, which is not.
#[cfg(target_arch = "x86_64")]
macro_rules! wide {
    ($($name:ident($($given:ident: $type:ty),*) -> $mask:ty;)*) => {
        impl Masks for Avx2 {
            $(
                #[inline(always)]
                fn $name(self, $($given: $type),*) -> $mask {
                    #[inline]
                    #[target_feature(enable = "avx2,bmi1,bmi2")]
                    fn wide(vectors: Avx2, $($given: $type),*) -> $mask {
                        $name(vectors, $($given),*)
                    }
                    #[allow(unsafe_code)]
                    // SAFETY: an `Avx2` value is created only after all three features were detected.
                    unsafe { wide(self, $($given),*) }
                }
            )*
        }
    };
}

#[allow(unused_macros, reason = "not where there are no vectors")]
macro_rules! looks {
    ($by:ident) => {
        $by! {
            name_ends(bytes: &[u8; BLOCK]) -> u32;
            same(bytes: &[u8; BLOCK], byte: u8) -> u32;
            text(bytes: &[u8; BLOCK + 1], beyond: NonAscii) -> (u32, u32);
            equal(one: &[u8; BLOCK], other: &[u8; BLOCK]) -> u32;
            from(bytes: &[u8; BLOCK], least: u8) -> u32;
            of_class(bytes: &[u8; BLOCK], class: &AsciiSet) -> Option<u32>;
        }
    };
}
with_vectors! {
    looks!(always);
}
#[cfg(target_arch = "x86_64")]
looks!(wide);
