//! Bytes looked at by vectors: masks with a bit for each byte, narrowed units, text that is ASCII.
//!
//! Takes arrays of bytes, what goes out says nothing of links or markup: which bytes are
//! asked for, and what they mean, the modules above know. `vectors` has the operations, safe to call, for AVX2, SSE2,
//! NEON and WebAssembly; each look is written once for all of them, and has a portable twin that the tests
//! compare it with. This folder is the only one that may hold `unsafe`.

/// Compiles items for targets that always have vectors, and so `vectors::Always`.
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

pub(crate) mod ascii;
pub(crate) mod base64;
pub(crate) mod signs;
pub(crate) mod utf16_as_bytes;
pub(crate) mod vectors;
pub(crate) mod window;
