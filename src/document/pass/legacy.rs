//! The pass over running text in a legacy charset.

use std::ops::ControlFlow;

use super::positions::Positions;
use super::{Pass, Utf8};
use crate::charset::Charset;
use crate::document::finder::Finder;
use crate::document::legacy::LegacyScanner;
use crate::document::step::{Emit, Stepped};
use crate::input::chunk::Chunk;
use crate::link::set_code;
use crate::offsets::Unit;
use crate::scan::ScanStep;

#[derive(Clone, Debug)]
pub(crate) struct Legacy {
    finder: Finder,
    scanner: LegacyScanner,
    positions: Positions,
    is_code: bool,
}

impl Legacy {
    /// Creates the pass over text of the kind that `begun` reads.
    pub(super) fn new(begun: &Utf8, scanner: LegacyScanner, columns: Option<Unit>) -> Legacy {
        let positions = Positions::new(columns, scanner.line_ends(), scanner.charset());
        let scanner = scanner.of_kind(begun.text_kind);
        let is_code = begun.text_kind.is_code();
        Legacy { finder: begun.finder.clone(), scanner, positions, is_code }
    }

    pub(super) fn charset(&self) -> Charset {
        self.scanner.charset()
    }

    /// Returns the offset of the document before which no candidate is open.
    pub(super) fn decided(&mut self) -> usize {
        self.scanner.needed()
    }
}

impl Pass for Legacy {
    #[inline(always)]
    fn step<'b>(&mut self, chunk: Chunk<'b>, _: &mut Emit<'_, 'b>) -> ControlFlow<(), Stepped<'b>> {
        let ScanStep::Found(candidate) = self.scanner.next(chunk) else {
            return ControlFlow::Continue(Stepped::NeedInput);
        };
        let mut judged = self.finder.judge_in_legacy(&mut self.scanner, chunk, candidate);
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
