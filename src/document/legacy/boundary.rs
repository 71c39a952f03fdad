//! Boundaries of characters in stored bytes.

use std::ops::Range;

use crate::charset::Layout;
use crate::input::chunk::Chunk;

/// Finds character boundaries at increasing offsets, in time linear in the bytes between them: each from the last known
/// one.
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

    /// Returns the first boundary at `offset` or after it.
    pub(super) fn next(&mut self, chunk: Chunk<'_>, offset: usize) -> usize {
        if self.layout.is_utf16() {
            return self.align(offset + 1);
        }
        let known = self.known.max(chunk.base());
        self.known = known + self.layout.boundary(chunk.from(known), offset.saturating_sub(known));
        self.known
    }

    pub(super) fn is_boundary(&mut self, chunk: Chunk<'_>, offset: usize) -> bool {
        self.next(chunk, offset) == offset
    }

    /// Prepares for the removal of the bytes before `offset`.
    pub(super) fn advance(&mut self, chunk: Chunk<'_>, offset: usize) {
        if self.known < offset && !self.layout.is_utf16() {
            self.next(chunk, offset);
        }
    }

    /// Returns the last offset not after this one at which a unit of UTF-16 begins; in other encodings, this offset.
    pub(super) fn align(&self, offset: usize) -> usize {
        match self.layout.is_utf16() {
            true => offset - (offset - self.known.min(offset)) % 2,
            false => offset,
        }
    }
}

/// A hard boundary, and the text after it that contains no white space.
#[derive(Clone, Copy, Debug)]
pub(super) struct HardBoundary {
    pub(super) at: usize,
    /// End of the characters after it that are neither white space nor references; its own offset if the searched bytes
    /// contain some.
    pub(super) bare_to: usize,
}

/// Returns the last hard boundary that is a character between a boundary and an offset after it; `known` is a boundary
/// before them.
pub(super) fn last_wall(
    layout: Layout,
    chunk: Chunk<'_>,
    range: Range<usize>,
    known: Option<HardBoundary>,
) -> Option<HardBoundary> {
    let bytes = chunk.within(range.clone());
    let hard_boundaries = layout.hard_boundaries();
    let (mut at, mut last) = (0, known.map(|hard_boundary| hard_boundary.at));
    let mut is_bare = known.is_some_and(|hard_boundary| hard_boundary.bare_to == range.start);
    while let Some(&byte) = bytes.get(at) {
        if byte < 0x80 {
            is_bare &= byte > b' ' && byte != b'&';
            at += 1;
            continue;
        }
        let step = layout.step(&bytes[at..]).max(1);
        if step == 2
            && let Some(&[lead, trail]) = bytes[at..].first_chunk::<2>()
        {
            let is_hard_boundary = hard_boundaries.contains(&[lead, trail]);
            // U+3000 is the only white space of two bytes.
            is_bare = is_hard_boundary || is_bare && !layout.is_ideographic_space([lead, trail]);
            if is_hard_boundary {
                last = Some(range.start + at);
            }
        } else {
            is_bare = false;
        }
        at += step;
    }
    let is_bare = is_bare && at == bytes.len();
    last.map(|hard_boundary| HardBoundary {
        at: hard_boundary,
        bare_to: if is_bare { range.end } else { hard_boundary },
    })
}
