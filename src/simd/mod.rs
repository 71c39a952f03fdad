//! Bytes looked at by vectors: masks with a bit for each byte, narrowed units, text that is ASCII.
//!
//! Takes arrays of bytes, what goes out says nothing of links or markup: which bytes are
//! asked for, and what they mean, the rooms above know. Each look has a portable twin that the tests
//! compare it with. This folder and `prefilter/pass` are the only ones that may hold `unsafe`.

pub(crate) mod ascii;
#[cfg(feature = "documents")]
pub(crate) mod base64;
pub(crate) mod signs;
pub(crate) mod utf16_as_bytes;
pub(crate) mod window;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;
