//! The scan of a legacy charset, block by block.

use std::ops::ControlFlow;

use super::blocks::{Held, Scan};
use crate::finder::Finder;
use crate::legacy::{Block, LegacyScanner};
use crate::lines::LineCounter;
use crate::link::{Judged, Position, set_position, start_of};
use crate::scan::Step;

pub(super) struct Legacy<'f> {
    finder: &'f Finder,
    scanner: LegacyScanner,
    lines: Option<LineCounter>,
    /// The position of a candidate whose first bytes have left the buffer.
    position: Option<Position>,
}

impl<'f> Legacy<'f> {
    pub(super) fn new(finder: &'f Finder, scanner: LegacyScanner, positions: bool) -> Legacy<'f> {
        let lines = positions.then(|| LineCounter::new(scanner.line_ends()));
        Legacy { finder, scanner, lines, position: None }
    }
}

impl Scan for Legacy<'_> {
    fn scan<F>(&mut self, block: Held<'_>, emit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        let Held { bytes, base, is_last } = block;
        loop {
            let block = Block { bytes, base, is_last };
            let Step::Found(candidate) = self.scanner.next(block) else {
                return ControlFlow::Continue(());
            };
            let mut judged = self.finder.judge_in(&mut self.scanner, block, candidate);
            if let Some(lines) = &mut self.lines {
                let start = start_of(&judged);
                let kept = self.position.take();
                let position = kept.unwrap_or_else(|| lines.position(bytes, base, start));
                set_position(&mut judged, Some(position));
            }
            emit(judged)?;
        }
    }

    fn cut(&mut self, block: Held<'_>) -> usize {
        let Held { bytes, base, is_last } = block;
        let (needed, long) = self.scanner.needed();
        if let (Some(start), Some(lines), None) = (long, &mut self.lines, self.position) {
            self.position = Some(lines.position(bytes, base, start));
        }
        let offset = needed.clamp(base, base + bytes.len());
        let offset = self.scanner.cut(Block { bytes, base, is_last }, offset);
        if let Some(lines) = &mut self.lines {
            lines.advance(bytes, base, offset);
        }
        offset - base
    }
}
