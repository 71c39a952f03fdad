//! The two drivers of a pass over a document: [`memory`] passes all bytes as one chunk, [`stream`] the chunks of a
//! reader, from a buffer of bounded size.

#[cfg(feature = "archives")]
pub(crate) mod answer;
pub(crate) mod memory;
mod plan;
pub(crate) mod stream;
