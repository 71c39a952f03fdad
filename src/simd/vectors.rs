//! Vectors of 32 bytes: what every processor that has some can do with them.
//!
//! What is done by vectors is written once, in safe code, for any [`Vectors`]: AVX2 has 32 bytes in one
//! register, SSE2, NEON and the 128 bits of WebAssembly in two. SSE2 is always there on x86-64, as NEON is
//! on AArch64; AVX2 is asked for at run time; WebAssembly has vectors if the module is compiled for them.
//! Elsewhere there are none, and who asks for them gets the task back, to do it byte by byte.
//!
//! A value of such a type is there only where the processor has the instructions: that makes it safe to
//! call them. Each operation is compared with the same byte by byte.

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
pub(crate) use neon::Neon as Always;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use simd128::Simd128 as Always;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Sse2 as Always, WideTask};

/// Bytes of a vector.
pub(crate) const LANES: usize = 32;

/// The operations on vectors. Each is to be inlined into the code that is compiled for the processor.
pub(crate) trait Vectors: Copy {
    type Bytes: Copy;
    /// Whether [`Vectors::lookup`] is one instruction.
    const HAS_TABLES: bool;

    /// The [`LANES`] bytes from `start` on.
    fn load(self, bytes: &[u8], start: usize) -> Self::Bytes;
    /// 16 bytes, and 16 others behind them.
    #[inline(always)]
    fn load_halves(self, low: &[u8; LANES / 2], high: &[u8; LANES / 2]) -> Self::Bytes {
        let mut both = [0; LANES];
        both[..LANES / 2].copy_from_slice(low);
        both[LANES / 2..].copy_from_slice(high);
        self.load(&both, 0)
    }
    fn splat(self, byte: u8) -> Self::Bytes;
    /// The table for [`Vectors::lookup`].
    fn table(self, table: &[u8; 16]) -> Self::Bytes;
    /// Looks up the lower half of each index in the table; zero for one with its top bit set.
    fn lookup(self, table: Self::Bytes, index: Self::Bytes) -> Self::Bytes;
    /// The upper half of each byte as a number.
    fn upper_half(self, bytes: Self::Bytes) -> Self::Bytes;

    /// All bits of a byte where the two are the same, else none.
    fn eq(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn and(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn or(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn xor(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    /// The bits of `one` that `other` does not have.
    fn without(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn wrapping_sub(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn saturating_sub(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn min(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn max(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    /// All bits of a byte where `one` is not less than `other`, else none.
    fn not_below(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;

    /// The top bit of a byte where it is not less than `least`, which is at most 0x80; of the other bits
    /// nothing is reported.
    fn at_least(self, bytes: Self::Bytes, least: u8) -> Self::Bytes;
    /// The top bits, that of the first byte lowest.
    fn bits(self, bytes: Self::Bytes) -> u32;
    /// Whether any byte is zero.
    fn has_zero(self, bytes: Self::Bytes) -> bool;
    /// Whether any byte is not less than `least`, which is not zero.
    fn has_from(self, bytes: Self::Bytes, least: u8) -> bool;

    /// Where a byte is this one.
    #[inline(always)]
    fn is(self, bytes: Self::Bytes, byte: u8) -> Self::Bytes {
        self.eq(bytes, self.splat(byte))
    }

    /// [`Vectors::bits`], of which the compiler knows no more than that it is a number: where several masks are
    /// made of several vectors.
    #[inline(always)]
    fn bits_apart(self, bytes: Self::Bytes) -> u32 {
        self.bits(bytes)
    }

    /// The same vector, of which the compiler thinks that all its bits are asked for.
    #[inline(always)]
    fn whole(self, bytes: Self::Bytes) -> Self::Bytes {
        bytes
    }

    /// Asks for the bytes that a pass will come to after these, where that is of use.
    #[inline(always)]
    fn fetch_ahead(self, _: &[u8]) {}
}

/// Task that uses vectors. `run`, and all functions that it calls, must be inlined: a closure may stay a function,
/// which is not compiled for AVX2.
pub(crate) trait VectorKernel: Sized {
    type Output;
    fn run(self, vectors: impl Vectors) -> Self::Output;
}

/// Runs a kernel with the widest vectors of this processor; returns the task if there are none.
#[inline(always)]
pub(crate) fn dispatch<T: VectorKernel>(task: T) -> Result<T::Output, T> {
    #[cfg(target_arch = "x86_64")]
    if let Some(wide) = Avx2::detect() {
        return Ok(wide.run(task));
    }
    dispatch_baseline(task)
}

with_vectors! {
    /// Runs a kernel with the vectors that every processor of the target has, without detection.
    #[inline(always)]
    pub(crate) fn dispatch_baseline<T: VectorKernel>(task: T) -> Result<T::Output, T> {
        Ok(task.run(Always))
    }
}

without_vectors! {
    /// Returns the task, because the target has no vectors.
    #[inline(always)]
    pub(crate) fn dispatch_baseline<T: VectorKernel>(task: T) -> Result<T::Output, T> {
        Err(task)
    }
}

#[cfg(test)]
mod tests;
