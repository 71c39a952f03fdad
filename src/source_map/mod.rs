//! Source maps: where the characters of a text are in the stored bytes that it was made of.
//!
//! A text is made by steps: stored bytes are decoded, character references are resolved, comments are
//! left out, a document inside a value is taken out of it. Each step gives a [`SourceMap`] from the new text
//! to what it was made of, and one map may go through another: however many steps there were, one
//! map leads back to the stored bytes. A step that copies all of a text needs none. Bytes that a transfer encoding
//! stands for are a step too: its segments are decoded again when a byte is looked up.

mod lookup;
mod map;
mod mapped_text;
mod replay;
mod rewriting;
pub(crate) mod transfer;
mod unit;

pub(crate) use lookup::{Edges, SourceCursor};
pub(crate) use map::STRETCH;
pub(crate) use map::SourceMap;
pub(crate) use mapped_text::MappedText;
pub(crate) use replay::{ByteCursor, PlacedBytes, ReplayCoding, ReplayedBytes};
pub(crate) use rewriting::Rewriting;
pub(crate) use unit::StoredUnit;
pub(crate) use unit::malformed;

#[cfg(all(test, feature = "documents"))]
mod tests;
