//! Stored bytes as text: how the encodings lay their characters out, a stretch decoded with a map
//! back to the bytes, and what in the bytes can be told without decoding.

mod decode;
mod iso_2022_jp;
mod layout;
mod openings;

pub(crate) use decode::LegacyDecoder;
pub(crate) use layout::Layout;
pub(crate) use openings::{TldOpenings, may_stand};

#[cfg(test)]
mod tests;
