//! The pass over running text in a legacy charset.

use std::ops::ControlFlow;

use super::Pass;
use super::positions::Positions;
use crate::charset::Charset;
use crate::document::finder::FinderHandle;
use crate::document::legacy::LegacyScanner;
use crate::document::step::{Emit, Stepped};
use crate::input::chunk::Chunk;
use crate::link::set_code;
use crate::notation::Notation;
use crate::offsets::Unit;
use crate::scan::{ScanStep, TextKind};

#[derive(Clone, Debug)]
pub(crate) struct Legacy<'f> {
    finder: FinderHandle<'f>,
    scanner: LegacyScanner,
    positions: Positions,
    is_code: bool,
}

impl<'f> Legacy<'f> {
    /// Creates the pass over text of this kind.
    #[inline]
    pub(super) fn new(
        finder: FinderHandle<'f>,
        scanner: LegacyScanner,
        text_kind: TextKind,
        columns: Option<Unit>,
    ) -> Legacy<'f> {
        let positions = Positions::new(columns, scanner.line_ends(), scanner.charset());
        let scanner = scanner.of_kind(text_kind);
        Legacy { finder, scanner, positions, is_code: text_kind.is_code() }
    }

    pub(super) fn charset(&self) -> Charset {
        self.scanner.charset()
    }

    /// Returns the offset of the document before which no candidate is open.
    pub(super) fn decided(&mut self) -> usize {
        self.scanner.needed()
    }
}

impl Pass for Legacy<'_> {
    #[inline(always)]
    fn step<'b>(&mut self, chunk: Chunk<'b>, _: &mut Emit<'_, 'b>) -> ControlFlow<(), Stepped<'b>> {
        let ScanStep::Found(candidate) = self.scanner.next(chunk) else {
            return ControlFlow::Continue(Stepped::NeedInput);
        };
        let (scanner, notation) = (&mut self.scanner, Notation::default());
        let mut judged = self.finder.judge_in_legacy(scanner, chunk, candidate, notation);
        set_code(&mut judged, self.is_code);
        self.positions.put(&mut judged, chunk);
        ControlFlow::Continue(Stepped::Found(judged))
    }

    fn release(&mut self, chunk: Chunk<'_>) -> usize {
        let needed = chunk.clamp(self.scanner.needed());
        let offset = self.scanner.release(chunk, needed);
        self.positions.advance([self.scanner.long_start(), None], offset, chunk);
        offset
    }
}
