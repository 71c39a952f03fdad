//! Vector operations on bytes: masks with a bit for each byte, narrowed units, ASCII text.
//!
//! The input is arrays of bytes, and the result does not depend on links or markup: the calling modules decide which bytes
//! are searched, and what they mean. `vectors` has safe operations for AVX2, SSE2, NEON and WebAssembly. Each kernel is
//! written once for all of them, and has a portable scalar fallback that the tests compare it with. This is the only
//! directory that may contain `unsafe`.

/// Compiles items for targets that always have vectors, and therefore `vectors::Always`.
macro_rules! with_vectors {
    ($($item:item)*) => {$(
        #[cfg(any(
            target_arch = "x86_64",
            all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
            all(target_arch = "wasm32", target_feature = "simd128")
        ))]
        $item
    )*};
}

/// Compiles items for the other targets.
macro_rules! without_vectors {
    ($($item:item)*) => {$(
        #[cfg(not(any(
            target_arch = "x86_64",
            all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
            all(target_arch = "wasm32", target_feature = "simd128")
        )))]
        $item
    )*};
}

pub(crate) mod base64;
pub(crate) mod narrow;
pub(crate) mod signs;
pub(crate) mod vectors;
pub(crate) mod window;
