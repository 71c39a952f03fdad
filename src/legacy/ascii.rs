//! Long stretches of ASCII in a document, scanned as the text that they are.
//!
//! Takes a trigger around which all is ASCII; gives the candidates from there on
//! to the end of the ASCII, as of any text. It spares a look at what surrounds each trigger: English
//! with a foreign name here and there is scanned as fast as in UTF-8.

use super::direct::Stretch;
use crate::chunk::Chunk;
use crate::scan::{Scanner, Settings, Step, TextKind, View};

/// How many bytes are looked at, at once, for whether they are ASCII.
const PIECE: usize = 256;
/// The fewest pieces that are worth it, and the most that are looked at before they are scanned.
const LEAST: usize = 8;
const MOST: usize = 256;

/// The stretch that is being scanned, or the last one.
#[derive(Clone, Debug)]
pub(super) struct Ascii {
    scanner: Scanner,
    pub(super) text_kind: TextKind,
    /// Where it ends in the block.
    end: usize,
    /// And in the document: what is in front of that and undecided is not for another one. Also where
    /// one that is too short ends.
    after: usize,
    pub(super) is_open: bool,
}

impl Ascii {
    pub(super) fn new() -> Ascii {
        Ascii {
            scanner: Scanner::new(),
            text_kind: TextKind::Prose,
            end: 0,
            after: 0,
            is_open: false,
        }
    }

    /// Opens the stretch that begins with the trigger at `trigger` in the block, if it is long enough;
    /// before the trigger all is ASCII as far back as it matters.
    pub(super) fn open(&mut self, chunk: Chunk<'_>, stretch: Stretch<'_>, trigger: usize) -> bool {
        if chunk.base() + trigger < self.after {
            return false;
        }
        let pieces = stretch.bytes[trigger..].chunks(PIECE).take(MOST);
        let len: usize = pieces.take_while(|piece| piece.is_ascii()).map(<[u8]>::len).sum();
        self.is_open = len >= LEAST * PIECE;
        self.after = chunk.base() + trigger + len;
        if self.is_open {
            self.end = trigger + len;
            self.scanner.restart(stretch.bytes, trigger, stretch.min_start);
        }
        self.is_open
    }

    /// The next candidate, its offsets those of the block.
    pub(super) fn next(&mut self, chunk: Chunk<'_>, settings: &Settings) -> Step {
        let is_last = chunk.is_last() && self.end == chunk.bytes().len();
        let view = View::of_stored(&chunk.bytes()[..self.end], is_last, settings.references)
            .of_kind(self.text_kind);
        self.scanner.next(settings, view)
    }

    /// Leaves the stretch; gives the offset of the block from which on it has decided nothing.
    pub(super) fn close(&mut self) -> usize {
        self.is_open = false;
        self.scanner.needed(usize::MAX).0
    }
}
