//! Vectors of 32 bytes: the operations that all processors with vectors have.
//!
//! Vector code is written once, in safe code, for any [`Vectors`]: AVX2 has 32 bytes in one register, SSE2, NEON and the
//! 128-bit vectors of WebAssembly use two. SSE2 is always available on x86-64, and NEON on AArch64; AVX2 is detected at run
//! time; WebAssembly has vectors if the module is compiled for them. Other targets have none, and the caller gets its task
//! back to perform it byte by byte.
//!
//! A value of such a type exists only if the processor has the instructions, which makes it safe to call them. Tests
//! compare each operation with scalar code.

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

/// Number of bytes of a vector.
pub(crate) const LANES: usize = 32;

/// Operations on vectors. Each must be inlined into the code that is compiled for the processor.
pub(crate) trait Vectors: Copy {
    type Bytes: Copy;
    /// Whether [`Vectors::lookup`] is one instruction.
    const HAS_TABLES: bool;

    /// Returns the [`LANES`] bytes from `start` on.
    fn load(self, bytes: &[u8], start: usize) -> Self::Bytes;
    /// Returns 16 bytes, followed by 16 others.
    #[inline(always)]
    fn load_halves(self, low: &[u8; LANES / 2], high: &[u8; LANES / 2]) -> Self::Bytes {
        let mut both = [0; LANES];
        both[..LANES / 2].copy_from_slice(low);
        both[LANES / 2..].copy_from_slice(high);
        self.load(&both, 0)
    }
    fn splat(self, byte: u8) -> Self::Bytes;
    /// Returns the table for [`Vectors::lookup`].
    fn table(self, table: &[u8; 16]) -> Self::Bytes;
    /// Looks up the lower half of each index in the table; returns zero for an index with its top bit set.
    fn lookup(self, table: Self::Bytes, index: Self::Bytes) -> Self::Bytes;
    /// Returns the upper half of each byte as a number.
    fn upper_half(self, bytes: Self::Bytes) -> Self::Bytes;

    /// Sets all bits of a byte if the two are equal, otherwise none.
    fn eq(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn and(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn or(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn xor(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    /// Returns the bits of `one` that are not set in `other`.
    fn without(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn wrapping_sub(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn saturating_sub(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn min(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    fn max(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;
    /// Sets all bits of a byte if `one` is not less than `other`, otherwise none.
    fn not_below(self, one: Self::Bytes, other: Self::Bytes) -> Self::Bytes;

    /// Sets the top bit of a byte if it is not less than `least`, which is at most 0x80; the other bits are unspecified.
    fn at_least(self, bytes: Self::Bytes, least: u8) -> Self::Bytes;
    /// Returns the top bits, that of the first byte lowest.
    fn bits(self, bytes: Self::Bytes) -> u32;
    /// Returns `true` if any byte is zero.
    fn has_zero(self, bytes: Self::Bytes) -> bool;
    /// Returns `true` if any byte is not less than `least`, which is not zero.
    fn has_from(self, bytes: Self::Bytes, least: u8) -> bool;

    /// Returns where a byte is this one.
    #[inline(always)]
    fn is(self, bytes: Self::Bytes, byte: u8) -> Self::Bytes {
        self.eq(bytes, self.splat(byte))
    }

    /// Like [`Vectors::bits`], but opaque to the compiler; used if several masks are computed from several vectors.
    #[inline(always)]
    fn bits_apart(self, bytes: Self::Bytes) -> u32 {
        self.bits(bytes)
    }

    /// Returns the same vector, for which the compiler assumes that all its bits are used.
    #[inline(always)]
    fn whole(self, bytes: Self::Bytes) -> Self::Bytes {
        bytes
    }

    /// Prefetches the bytes that a pass will read after these, where that is useful.
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
