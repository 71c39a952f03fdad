//! Control sequences ahead of the scan that a link continues across: triggers near one need a window.

use crate::charset::Layout;
use crate::document::window::StoredUnits;
use crate::input::chunk::Chunk;

/// Bytes, or units of UTF-16, after a sequence in which it may have a say.
const BEHIND: usize = 256;

/// Where the next one is; offsets are those of the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequences {
    /// The end of the document if there is none in the block.
    next: usize,
    /// The last ones are before this; 0 if there was none.
    last: usize,
    /// Before it there is no other; the end of the block that was looked through.
    looked: usize,
    end: usize,
}

impl Sequences {
    /// Those of a text from `first` on; of which none is looked for, if there `are` none.
    pub(super) fn new(first: usize, are: bool) -> Sequences {
        Sequences {
            next: usize::MAX,
            last: 0,
            looked: first,
            end: if are { 0 } else { usize::MAX },
        }
    }

    /// Where the first one begins in the block from `from` on, also one that the end of the block cuts.
    #[inline]
    pub(super) fn next(&mut self, layout: Layout, chunk: Chunk<'_>, from: usize) -> Option<usize> {
        if self.next < from || self.end < chunk.end() {
            self.seek(layout, chunk, from);
        }
        Some(self.next).filter(|next| *next != usize::MAX)
    }

    #[inline(never)]
    fn seek(&mut self, layout: Layout, chunk: Chunk<'_>, from: usize) {
        if self.next < from {
            self.last = from;
        }
        let units = StoredUnits::of(layout);
        // StoredUnits begin where the text does.
        let unit = units.len_of(1);
        let looked = self.looked;
        let from = from.max(looked).max(chunk.base());
        let from = from + (from - looked) % unit;
        let has_strings = layout != Layout::Iso2022Jp;
        let next = units.next_sequence(chunk.from(from), chunk.is_last(), has_strings);
        self.end = chunk.end();
        self.next = next.map_or(usize::MAX, |next| from + next);
        let end = chunk.end().max(from);
        self.looked = next.map_or(end - (end - from) % unit, |next| from + next);
    }

    /// The block is about to change: what its end cuts is looked at again.
    pub(super) fn again(&mut self) {
        if self.end != usize::MAX {
            self.end = 0;
        }
    }

    /// Whether there was one, or is one in the block from `from` on.
    pub(super) fn are_there(&mut self, layout: Layout, chunk: Chunk<'_>, from: usize) -> bool {
        self.next(layout, chunk, from).is_some() || self.last > 0
    }

    /// Whether one is near in front of an offset.
    pub(super) fn is_near(&self, layout: Layout, offset: usize) -> bool {
        self.last > 0 && self.last + StoredUnits::of(layout).len_of(BEHIND) > offset
    }
}
