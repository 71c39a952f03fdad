//! Stored bytes as text: the layouts of the encodings, decoding of a range with a source map to the bytes, and properties
//! of the bytes that need no decoding.

mod decode;
mod iso_2022_jp;
mod layout;
mod openings;

pub(crate) use decode::LegacyDecoder;
pub(crate) use layout::Layout;
pub(crate) use openings::{TldOpenings, may_stand};

#[cfg(test)]
mod tests;
