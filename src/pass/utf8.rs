//! The pass over running text in UTF-8.
//!
//! Bytes before the scan's position stay as far as a walk back may reach, an undecided link stays
//! whole up to the limit for links; of a longer one only the state of its end is kept.

use std::ops::ControlFlow;

use super::Pass;
use super::positions::Positions;
use crate::charset::Charset;
use crate::chunk::Chunk;
use crate::finder::{Finder, StoredSpan};
use crate::lines::LineEnds;
use crate::scan::{Scanner, Step, TextKind, View};
use crate::step::{Emit, Stepped};
use crate::window::TextWindow;

/// Bytes kept before the position of the scan: more than a walk back over a local part, a scheme
/// and a host can reach, each character written as a reference.
const CONTEXT: usize = 16 << 10;

#[derive(Clone, Debug)]
pub(crate) struct Utf8<'f> {
    pub(super) finder: &'f Finder,
    scanner: Scanner,
    pub(super) text_kind: TextKind,
    positions: Positions,
    /// The first characters of a candidate that is too long to be kept.
    head: Option<String>,
    /// The text from the first control sequence on that a link goes on over.
    window: Option<Box<TextWindow>>,
}

impl<'f> Utf8<'f> {
    pub(crate) fn new(finder: &'f Finder, text_kind: TextKind, positions: bool) -> Utf8<'f> {
        let positions = Positions::new(positions.then_some(LineEnds::Bytes));
        Utf8 { finder, scanner: Scanner::new(), text_kind, positions, head: None, window: None }
    }

    /// The pass that goes on where a scanner is, without positions.
    pub(crate) fn resumed(finder: &'f Finder, text_kind: TextKind, scanner: Scanner) -> Utf8<'f> {
        Utf8 { scanner, ..Utf8::new(finder, text_kind, false) }
    }

    pub(crate) fn text_kind(&self) -> TextKind {
        self.text_kind
    }

    /// From which offset of the document on triggers are not decided, of a block that begins at `base`.
    #[cfg(feature = "documents")]
    pub(super) fn decided(&mut self, base: usize) -> usize {
        match &mut self.window {
            Some(window) => window.needed(usize::MAX).0,
            None => base + self.scanner.needed(usize::MAX).0,
        }
    }

    /// Goes on with the text without its control sequences.
    #[inline(never)]
    fn step_in_window<'b>(&mut self, chunk: Chunk<'b>) -> Stepped<'b> {
        let window = self.window.get_or_insert_with(|| {
            let head = self.head.take();
            Box::new(TextWindow::after(&self.scanner, chunk, head, self.text_kind))
        });
        let Step::Found(candidate) = window.next(chunk, &self.finder.scan) else {
            return Stepped::NeedInput;
        };
        let mut judged = self.finder.judge_in_window(window, chunk, candidate);
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
        let base = chunk.base();
        let view = View::new(chunk.bytes(), chunk.is_last(), settings.references)
            .of_kind(self.text_kind)
            .with_sequences(settings);
        let candidate = match self.scanner.next(settings, view) {
            Step::Found(candidate) => candidate,
            Step::Sequence => return ControlFlow::Continue(self.step_in_window(chunk)),
            Step::Incomplete | Step::Done => return ControlFlow::Continue(Stepped::NeedInput),
        };
        let mut judged = match self.head.take() {
            Some(head) => {
                let start = base + candidate.range.start - candidate.lead;
                let range = start..base + candidate.range.end;
                let span = StoredSpan { range, charset: Charset::UTF_8, raw: None };
                self.finder.judge_kept(Some(head), chunk.bytes(), candidate, span)
            }
            None => self.finder.judge(chunk.bytes(), base, candidate),
        };
        self.positions.put(&mut judged, chunk);
        ControlFlow::Continue(Stepped::Found(judged))
    }

    fn release(&mut self, chunk: Chunk<'_>) -> usize {
        let (bytes, base) = (chunk.bytes(), chunk.base());
        let max_link = self.finder.scan.max_link;
        if let Some(window) = &mut self.window {
            let (needed, long) = window.needed(max_link);
            let needed = needed.clamp(base, chunk.end());
            self.positions.advance([long, None], needed, chunk);
            return needed;
        }
        let (needed, long) = self.scanner.needed(max_link);
        let long = long.filter(|_| self.head.is_none());
        if let Some(start) = long {
            let end = bytes.len().min(start + max_link);
            self.head = Some(String::from_utf8_lossy(&bytes[start..end]).into_owned());
        }
        let dropped = needed.saturating_sub(CONTEXT).min(bytes.len());
        self.positions.advance([long.map(|start| base + start), None], base + dropped, chunk);
        self.scanner.shift(dropped);
        base + dropped
    }
}
