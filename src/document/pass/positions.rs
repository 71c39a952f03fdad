//! Lines and columns of the links of a pass.

use crate::charset::Charset;
use crate::input::chunk::Chunk;
use crate::link::lines::{LineCounter, LineEnds, LineState};
use crate::link::{Judged, Position, set_position, start_of};
use crate::offsets::Unit;

/// Counts lines, if positions are requested. It is boxed, because they rarely are, and a pass is moved often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Positions(Option<Box<Counted>>);

#[derive(Clone, Debug)]
struct Counted {
    lines: LineCounter,
    /// Starts of the candidates that are too long to be kept, in a text and in a value, with their positions.
    long: [Option<(usize, Position)>; 2],
}

impl Positions {
    /// Creates the counter of a document in an encoding, whose columns count this unit; without one, nothing is counted.
    pub(super) fn new(unit: Option<Unit>, ends: LineEnds, charset: Charset) -> Positions {
        let counted = |unit| {
            let lines = LineCounter::new(ends).in_units(unit, charset);
            Box::new(Counted { lines, long: [None; 2] })
        };
        Positions(unit.map(counted))
    }

    /// Returns what is known at an offset before which all candidates were given.
    pub(super) fn state_at(&self, chunk: Chunk<'_>, offset: usize) -> Option<LineState> {
        self.0.as_ref().map(|counted| counted.lines.state_at(chunk, offset))
    }

    /// Continues at an offset from what was known there in the same document; if that is nothing, as if its first line
    /// began there.
    pub(super) fn resume(&mut self, offset: usize, state: Option<LineState>) {
        if let Some(counted) = &mut self.0 {
            counted.lines.resume(state.unwrap_or(LineState::at(offset)));
        }
    }

    pub(super) fn are_asked_for(&self) -> bool {
        self.0.is_some()
    }

    /// Sets the position of a link or a rejected candidate. They must come in order.
    #[inline]
    pub(super) fn put(&mut self, judged: &mut Judged<'_>, chunk: Chunk<'_>) {
        if self.0.is_some() {
            set_position(judged, self.of(start_of(judged), chunk));
        }
    }

    /// Returns the position of an offset of the document.
    pub(super) fn of(&mut self, start: usize, chunk: Chunk<'_>) -> Option<Position> {
        let Counted { lines, long } = &mut **self.0.as_mut()?;
        let known = long.iter().flatten().find(|(long, _)| *long == start);
        Some(match known {
            Some((_, position)) => *position,
            // The bytes that the block has lost are counted already.
            None => lines.position(chunk, start.max(chunk.base())),
        })
    }

    /// Counts the lines before `end`, and keeps the positions of candidates that are too long to be held.
    pub(super) fn advance(&mut self, long: [Option<usize>; 2], end: usize, chunk: Chunk<'_>) {
        let Some(Counted { lines, long: kept }) = self.0.as_deref_mut() else { return };
        for (known, start) in kept.iter_mut().zip(long) {
            let start = start.filter(|at| known.is_none_or(|(known, _)| known != *at));
            if let Some(start) = start.filter(|start| *start >= chunk.base()) {
                *known = Some((start, lines.position(chunk, start)));
            }
        }
        lines.advance(chunk, end);
    }
}
