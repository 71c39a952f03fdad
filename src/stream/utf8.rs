//! The scan of UTF-8, block by block.
//!
//! Bytes before the scan's position stay as far as a walk back may reach, an undecided link stays
//! whole up to the limit for links; of a longer one only the state of its end is kept.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::blocks::{Held, Scan};
use crate::charset::Charset;
use crate::finder::{Finder, Stand};
use crate::lines::{LineCounter, LineEnds};
use crate::link::{Judged, Position, set_position};
use crate::scan::{Candidate, Manner, Scanner, Step, View};

/// Bytes kept before the position of the scan: more than a walk back over a local part, a scheme
/// and a host can reach, each character written as a reference.
const CONTEXT: usize = 16 << 10;

pub(super) struct Utf8<'f> {
    finder: &'f Finder,
    scanner: Scanner,
    manner: Manner,
    lines: Option<LineCounter>,
    /// Of a candidate that is too long to be kept: its first bytes and its position.
    head: Option<(String, Option<Position>)>,
}

impl<'f> Utf8<'f> {
    pub(super) fn new(finder: &'f Finder, manner: Manner, positions: bool) -> Utf8<'f> {
        let lines = positions.then(|| LineCounter::new(LineEnds::Bytes));
        Utf8 { finder, scanner: Scanner::new(), manner, lines, head: None }
    }

    /// Up to where, of the input's beginning, candidates are decided, and from where on triggers are not.
    #[cfg(feature = "charset")]
    pub(super) fn decided(&self) -> (usize, usize) {
        (self.scanner.min_start(), self.scanner.needed(usize::MAX).0)
    }

    /// A candidate whose first bytes have left the buffer.
    fn judge_long(&self, head: String, base: usize, candidate: Candidate) -> Judged<'static> {
        let start = base + candidate.range.start - candidate.lead;
        let range = start..base + candidate.range.end;
        let stand = Stand { range, charset: Charset::UTF_8, raw: None };
        Err(self.finder.refuse_long(Cow::Owned(head), candidate.kind, stand))
    }
}

impl Scan for Utf8<'_> {
    fn scan<F>(&mut self, block: Held<'_>, emit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        let settings = &self.finder.scan;
        let Held { bytes, base, is_last } = block;
        loop {
            let view = View::new(bytes, is_last, settings.references).in_manner(self.manner);
            let Step::Found(candidate) = self.scanner.next(settings, view) else {
                return ControlFlow::Continue(());
            };
            let judged = match self.head.take() {
                Some((head, position)) => {
                    let mut judged = self.judge_long(head, base, candidate);
                    set_position(&mut judged, position);
                    judged
                }
                None => {
                    let start = base + candidate.range.start;
                    let mut judged = self.finder.judge(bytes, base, candidate);
                    if let Some(lines) = &mut self.lines {
                        set_position(&mut judged, Some(lines.position(bytes, base, start)));
                    }
                    judged
                }
            };
            emit(judged)?;
        }
    }

    fn cut(&mut self, block: Held<'_>) -> usize {
        let Held { bytes, base, .. } = block;
        let max_link = self.finder.scan.max_link;
        let (needed, long) = self.scanner.needed(max_link);
        if let (Some(start), None) = (long, &self.head) {
            let end = bytes.len().min(start + max_link);
            let head = String::from_utf8_lossy(&bytes[start..end]).into_owned();
            let position = self.lines.as_mut().map(|l| l.position(bytes, base, base + start));
            self.head = Some((head, position));
        }
        let dropped = needed.saturating_sub(CONTEXT).min(bytes.len());
        if let Some(lines) = &mut self.lines {
            lines.advance(bytes, base, base + dropped);
        }
        self.scanner.shift(dropped);
        dropped
    }
}
