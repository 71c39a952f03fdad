//! Source maps: map the characters of a text to the stored bytes from which it was created.
//!
//! A text is created in steps: stored bytes are decoded, character references are resolved, comments are removed, a nested
//! document is extracted from a value. Each step has a [`SourceMap`] from the new text to its source, and maps are
//! composed: however many steps there were, one map leads back to the stored bytes. A step that copies all of a text needs
//! no map. Decoding a transfer encoding is a step too: its segments are decoded again when a byte is looked up.

mod map;
mod mapped_text;
mod replay;
#[cfg(all(test, feature = "documents"))]
mod tests;
pub(crate) mod transfer;
mod unit;

pub(crate) use map::{Edges, STRETCH, SourceCursor, SourceMap};
pub(crate) use mapped_text::{MappedText, Rewriting};
pub(crate) use replay::{ByteCursor, PlacedBytes, ReplayCoding, ReplayedBytes};
pub(crate) use unit::{StoredUnit, malformed};
