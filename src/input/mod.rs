//! Input: the bytes that are available, where they begin in their source, and what ends them.
//!
//! A scan sees bytes as a [`Chunk`](chunk::Chunk), selected by offsets of the source. A reader's bytes are in a
//! [`SlidingBuffer`](sliding_buffer::SlidingBuffer), which alone knows that its first byte changes.

#[cfg(feature = "documents")]
pub(crate) mod caseless;
pub(crate) mod chunk;
pub(crate) mod guard;
pub(crate) mod memory;
pub(crate) mod pause;
pub(crate) mod sliding_buffer;
