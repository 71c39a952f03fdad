//! The pass over running text in UTF-8.
//!
//! Bytes before the scan's position are kept as far as a search backwards may reach. An undecided link is kept up to
//! the limit for links; of a longer one only the state of its end is kept.

use std::ops::ControlFlow;

use super::positions::Positions;
use super::{Pass, PassPoint, PassState};
use crate::charset::Charset;
use crate::document::finder::{FinderHandle, StoredSpan};
use crate::document::step::{Emit, Stepped};
use crate::document::window::TextWindow;
use crate::input::chunk::Chunk;
use crate::link::lines::LineEnds;
use crate::link::set_code;
use crate::offsets::Unit;
use crate::scan::{ScanPoint, ScanStep, Scanner, TextKind, View};

/// Bytes kept before the position of the scan: more than a local part, a scheme and a host have together, with each
/// character written as a reference.
const CONTEXT: usize = 16 << 10;

#[derive(Clone, Debug)]
pub(crate) struct Utf8<'f> {
    pub(super) finder: FinderHandle<'f>,
    scanner: Scanner,
    pub(super) text_kind: TextKind,
    positions: Positions,
    /// The text from the first control sequence on that a link continues across.
    window: Option<Box<TextWindow>>,
}

impl<'f> Utf8<'f> {
    pub(crate) fn new(
        finder: &FinderHandle<'f>,
        text_kind: TextKind,
        columns: Option<Unit>,
    ) -> Utf8<'f> {
        let positions = Positions::new(columns, LineEnds::Bytes, Charset::UTF_8);
        Utf8 { finder: finder.clone(), scanner: Scanner::new(), text_kind, positions, window: None }
    }

    /// Creates the pass that continues a scanner, without positions.
    pub(crate) fn resumed(
        finder: &FinderHandle<'f>,
        text_kind: TextKind,
        scanner: Scanner,
    ) -> Utf8<'f> {
        Utf8 { scanner, ..Utf8::new(finder, text_kind, None) }
    }

    pub(crate) fn text_kind(&self) -> TextKind {
        self.text_kind
    }

    /// Returns the offset of the document from which triggers are undecided.
    #[cfg(feature = "documents")]
    pub(super) fn decided(&mut self) -> usize {
        match &mut self.window {
            Some(window) => window.needed(usize::MAX),
            None => self.scanner.needed(usize::MAX).0,
        }
    }

    /// Continues with the text without its control sequences.
    #[inline(never)]
    fn step_in_window<'b>(&mut self, chunk: Chunk<'b>) -> Stepped<'b> {
        let window = self.window.get_or_insert_with(|| {
            Box::new(TextWindow::after(&self.scanner, chunk, self.text_kind))
        });
        let ScanStep::Found(candidate) = window.next(chunk, &self.finder.scan) else {
            return Stepped::NeedInput;
        };
        let mut judged = self.finder.judge_in_window(window, chunk, candidate);
        set_code(&mut judged, self.text_kind.is_code());
        self.positions.put(&mut judged, chunk);
        Stepped::Found(judged)
    }
}

impl Pass for Utf8<'_> {
    #[inline(always)]
    fn step<'b>(&mut self, chunk: Chunk<'b>, _: &mut Emit<'_, 'b>) -> ControlFlow<(), Stepped<'b>> {
        if self.window.is_some() {
            return ControlFlow::Continue(self.step_in_window(chunk));
        }
        let settings = &self.finder.scan;
        let view =
            View::of(chunk, settings.references).of_kind(self.text_kind).with_sequences(settings);
        let candidate = match self.scanner.next(settings, view) {
            ScanStep::Found(candidate) => candidate,
            ScanStep::Sequence => return ControlFlow::Continue(self.step_in_window(chunk)),
            ScanStep::Incomplete | ScanStep::Done => {
                return ControlFlow::Continue(Stepped::NeedInput);
            }
        };
        let range = candidate.range_in(chunk);
        let span = StoredSpan::new(range, Charset::UTF_8);
        let head = self.scanner.take_head();
        let mut judged = self.finder.judge_kept(head, chunk.bytes(), candidate, span);
        set_code(&mut judged, self.text_kind.is_code());
        self.positions.put(&mut judged, chunk);
        ControlFlow::Continue(Stepped::Found(judged))
    }

    fn at(&self) -> Option<usize> {
        self.window.is_none().then(|| self.scanner.point()).flatten().map(|point| point.at)
    }

    fn point(&self, chunk: Chunk<'_>) -> Option<PassPoint> {
        let text = self.window.is_none().then(|| self.scanner.point()).flatten()?;
        let offset = chunk.clamp(text.at.min(text.min_start).saturating_sub(CONTEXT));
        let lines = self.positions.state_at(chunk, offset);
        Some(PassPoint { offset, lines, state: PassState::Text(text) })
    }

    fn resume(&mut self, point: &PassPoint) {
        match point.state {
            PassState::Text(ScanPoint { min_start, at }) => {
                self.scanner = Scanner::new().resumed(min_start, at);
            }
            #[cfg(feature = "documents")]
            PassState::Page(_) => {}
        }
        self.positions.resume(point.offset, point.lines);
    }

    fn release(&mut self, chunk: Chunk<'_>) -> usize {
        let max_link = self.finder.scan.max_link;
        let (needed, long) = match &mut self.window {
            Some(window) => (window.first_start(max_link), window.long_start()),
            None => {
                let (needed, long) = self.scanner.release(chunk, max_link, max_link);
                (needed.saturating_sub(CONTEXT), long)
            }
        };
        let needed = chunk.clamp(needed);
        self.positions.advance([long, None], needed, chunk);
        needed
    }
}
