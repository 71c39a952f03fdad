//! Where characters begin among stored bytes.

use std::ops::Range;

use super::Block;
use crate::charset::Layout;

/// Finds character boundaries at offsets that only grow, in time linear in the bytes between them:
/// back to the nearest sure byte, or to the last boundary known, and on from there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boundary {
    layout: Layout,
    /// A boundary.
    known: usize,
}

impl Boundary {
    pub(super) fn new(layout: Layout, first: usize) -> Boundary {
        Boundary { layout, known: first }
    }

    /// The first boundary at `offset` or behind it.
    pub(super) fn next(&mut self, block: Block<'_>, offset: usize) -> usize {
        if self.layout.is_utf16() {
            return self.align(offset + 1);
        }
        let known = self.known.max(block.base);
        let before = block.range(known..offset);
        let sure = before.iter().rposition(|b| self.layout.is_sure(*b)).map_or(0, |n| n + 1);
        let mut at = known + sure;
        while at < offset {
            at += self.layout.step(block.from(at)).max(1);
        }
        self.known = at;
        at
    }

    pub(super) fn is_boundary(&mut self, block: Block<'_>, offset: usize) -> bool {
        self.next(block, offset) == offset
    }

    /// The bytes before `offset` are about to go.
    pub(super) fn advance(&mut self, block: Block<'_>, offset: usize) {
        if self.known < offset && !self.layout.is_utf16() {
            self.next(block, offset);
        }
    }

    /// The last offset not behind this one at which a unit of UTF-16 begins; in others, this one.
    pub(super) fn align(&self, offset: usize) -> usize {
        match self.layout.is_utf16() {
            true => offset - (offset - self.known.min(offset)) % 2,
            false => offset,
        }
    }
}

/// The last wall that is a character between a boundary and an offset behind it.
pub(super) fn last_wall(layout: Layout, block: Block<'_>, range: Range<usize>) -> Option<usize> {
    let bytes = block.range(range.clone());
    let walls = layout.walls();
    let (mut at, mut last) = (0, None);
    while let Some(&byte) = bytes.get(at) {
        if byte < 0x80 {
            at += 1;
            continue;
        }
        let pair = bytes.get(at..at + 2);
        if pair.is_some_and(|pair| walls.iter().any(|wall| wall == pair)) {
            last = Some(range.start + at);
        }
        at += layout.step(&bytes[at..]).max(1);
    }
    last
}
