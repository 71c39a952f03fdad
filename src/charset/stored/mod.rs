//! Stored bytes as text: how the encodings lay their characters out, a stretch decoded with a trace
//! back to the bytes, and what in the bytes can be told without decoding.

mod decode;
mod iso_2022_jp;
mod layout;
mod openings;
mod trace;

pub(crate) use decode::Decoding;
pub(crate) use layout::Layout;
pub(crate) use openings::{Openings, may_stand};
#[cfg(feature = "markup")]
pub(crate) use trace::Edges;
pub(crate) use trace::{DecodedTrace, MALFORMED};

#[cfg(test)]
mod tests;
