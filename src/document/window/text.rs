//! Text of a window, with its map to the stored bytes.

use crate::input::chunk::Chunk;
use crate::source_map::{Edges, SourceCursor, SourceMap};

/// A part of a text; its offsets remain valid when the beginning of the part is dropped.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindowText {
    bytes: Vec<u8>,
    /// Offset of the first byte.
    base: usize,
    /// Stored offsets of the bytes, by their offsets in `bytes`.
    map: SourceMap,
    cursor: SourceCursor,
}

impl WindowText {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the kept bytes; `is_last`: the text ends with them.
    pub(crate) fn chunk(&self, is_last: bool) -> Chunk<'_> {
        Chunk::new(&self.bytes, self.base, is_last)
    }

    /// Returns the offset of the first kept byte.
    pub(super) fn base(&self) -> usize {
        self.base
    }

    /// Returns the offset after the last byte.
    pub(crate) fn end(&self) -> usize {
        self.base + self.bytes.len()
    }

    /// Returns the number of kept bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Begins a text at an offset.
    pub(super) fn begin_at(&mut self, base: usize) {
        debug_assert!(self.is_empty(), "a text that has no bytes yet");
        self.base = base;
    }

    /// Begins another text.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.map.clear();
        (self.base, self.cursor) = (0, SourceCursor::default());
    }

    /// Returns the bytes and their map, to append to both.
    pub(super) fn parts(&mut self) -> (&mut Vec<u8>, &mut SourceMap) {
        (&mut self.bytes, &mut self.map)
    }

    /// Returns `true` if the stored offsets of the bytes are known.
    #[cfg(feature = "documents")]
    pub(super) fn has_map(&self) -> bool {
        !self.map.is_empty()
    }

    /// Returns the stored offsets of the characters on both sides of an offset.
    pub(super) fn edges(&mut self, offset: usize) -> Edges {
        self.map.edges_near(&mut self.cursor, &self.bytes, offset - self.base)
    }

    /// Drops the bytes before an offset, or before the character that it is in, if they are `least` or more.
    pub(super) fn drop_before(&mut self, offset: usize, least: usize) {
        let mut dropped = offset.saturating_sub(self.base).min(self.bytes.len());
        while self.bytes.get(dropped).is_some_and(|b| b & 0xC0 == 0x80) {
            dropped -= 1;
        }
        // An empty beginning has no stored offset.
        if dropped < least {
            return;
        }
        self.map.drop_front(&self.bytes, dropped);
        self.cursor = SourceCursor::default();
        self.bytes.drain(..dropped);
        self.base += dropped;
    }
}
