//! Resume points: where a run that was interrupted continues in an archive.

use std::io;

use super::lookahead::{Lookahead, LookaheadReader};
use super::stream_context::StreamContext;
use super::walk::{ContainerWalk, StartPosition};
use super::work_unit::{SIZE, WorkUnit};

/// A place between two members of an archive, and what came of the archive before it.
///
/// [`Event::Checkpoint`](crate::Event::Checkpoint) gives one for about each MiB that is read of an archive, in order with the
/// other events; [`Options::resume`](crate::files::Options::resume) goes on there. To be kept it is turned into
/// numbers, which mean nothing for any other input.
///
/// ```
/// use linksift::files::ResumePoint;
///
/// let kept = [4096, 1 << 32, 0, 17, 0, 0, 0, 0];
/// assert_eq!(<[u64; 8]>::from(ResumePoint::from(kept)), kept);
/// ```
#[cfg(feature = "files")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResumePoint {
    begin: StartPosition,
    /// Counts before that position.
    counted: [u64; 6],
}

#[cfg(feature = "files")]
impl ResumePoint {
    /// After a part in its turn, if the archive can be resumed there.
    pub(crate) fn after(unit: &WorkUnit, left: u64, counted: [u64; 6]) -> Option<ResumePoint> {
        // An exhausted budget was reported, and a resumed run would report it again.
        let at = unit.next().filter(|_| left > 0)?;
        Some(ResumePoint { begin: StartPosition { at, left: Some(left) }, counted })
    }

    pub(crate) fn begin(self) -> StartPosition {
        self.begin
    }

    pub(crate) fn counted(self) -> [u64; 6] {
        self.counted
    }
}

#[cfg(feature = "files")]
impl From<ResumePoint> for [u64; 8] {
    fn from(point: ResumePoint) -> [u64; 8] {
        let StartPosition { at, left } = point.begin;
        let [a, b, c, d, e, f] = point.counted;
        [at, left.unwrap_or(0), a, b, c, d, e, f]
    }
}

#[cfg(feature = "files")]
impl From<[u64; 8]> for ResumePoint {
    fn from([at, left, counted @ ..]: [u64; 8]) -> ResumePoint {
        ResumePoint { begin: StartPosition { at, left: Some(left) }, counted }
    }
}

impl ContainerWalk<'_> {
    /// Returns the start position in an archive, if it is the outermost one.
    pub(super) fn take_begin(&mut self) -> Option<StartPosition> {
        self.begin.take()
    }

    /// Restores the rest of the budget at the start position of an archive.
    pub(super) fn restore_budget(&self, begin: Option<StartPosition>) {
        if let Some(left) = begin.and_then(|begin| begin.left) {
            self.budget.set(left);
        }
    }

    /// Skips the bytes before the beginning; returns another feed where that needs no reading.
    pub(super) fn pass_to(
        &mut self,
        begin: Option<StartPosition>,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
    ) -> io::Result<Option<LookaheadReader<'static>>> {
        let at = begin.map_or(0, |begin| begin.at);
        if at == 0 {
            return Ok(None);
        }
        let seeked = context.from.window().map(|window| {
            let held = self.spare.pop().unwrap_or_default();
            LookaheadReader::reusing(held, Box::new(window.part(at, window.len())), at)
        });
        while seeked.is_none() && feed.at() < at && feed.skip((at - feed.at()).min(SIZE))? {
            if let Some(offsets) = &context.offsets {
                offsets.forget_before(feed.at());
            }
        }
        self.restore_budget(begin);
        Ok(seeked)
    }
}
