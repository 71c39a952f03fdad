//! The two drivers of a pass over a document: [`memory`] gives it all bytes as one chunk, [`stream`] gives it the
//! chunks of a reader, from a buffer of bounded size.

pub(crate) mod memory;
mod plan;
pub(crate) mod stream;
