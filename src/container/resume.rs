//! Resume points: where a run that was interrupted continues in an archive.

#[cfg(feature = "files")]
use std::fmt;
use std::io;
#[cfg(feature = "files")]
use std::str::FromStr;

use super::lookahead::{Lookahead, LookaheadReader};
use super::stream_context::StreamContext;
use super::walk::{ContainerWalk, StartPosition};
use super::work_unit::{SIZE, WorkUnit};
#[cfg(feature = "files")]
use crate::notice::ParsePointError;

/// A place between two members of an archive, and what came of the archive before it.
///
/// [`Event::Checkpoint`](crate::Event::Checkpoint) gives one for about each MiB that is read of an archive, in order with the
/// other events; [`Options::resume`](crate::files::Options::resume) goes on there. It can be kept as a text, which means nothing
/// for any other input, and whose form may change in any version.
///
/// ```
/// use linksift::files::ResumePoint;
///
/// let kept = "archive1 4096 4294967296 0 17 0 0 0 0";
/// assert_eq!(kept.parse::<ResumePoint>()?.to_string(), kept);
/// # Ok::<(), linksift::ParsePointError>(())
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

/// Mark of the form of the text; another form has another mark.
#[cfg(feature = "files")]
const FORM: &str = "archive1";
/// No run reaches such a number; sums of greater numbers could overflow.
#[cfg(feature = "files")]
const TOO_MUCH: u64 = 1 << 62;

#[cfg(feature = "files")]
impl fmt::Display for ResumePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StartPosition { at, left } = self.begin;
        write!(f, "{FORM} {at} {}", left.unwrap_or(0))?;
        self.counted.iter().try_for_each(|number| write!(f, " {number}"))
    }
}

#[cfg(feature = "files")]
impl FromStr for ResumePoint {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<ResumePoint, ParsePointError> {
        let numbers = || {
            let numbers = text.strip_prefix(FORM)?.strip_prefix(' ')?.split(' ');
            let numbers: Vec<u64> = numbers.map(|word| word.parse().ok()).collect::<Option<_>>()?;
            <[u64; 8]>::try_from(numbers).ok().filter(|all| all.iter().all(|one| *one < TOO_MUCH))
        };
        let [at, left, counted @ ..] = numbers().ok_or(ParsePointError(()))?;
        Ok(ResumePoint { begin: StartPosition { at, left: Some(left) }, counted })
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

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;

    #[test]
    fn texts_that_nobody_wrote_are_refused() {
        let whole = "archive1 1 2 3 4 5 6 7 4611686018427387903";
        assert_eq!(whole.parse::<ResumePoint>().unwrap().to_string(), whole);
        for text in [
            "",
            "archive1",
            "archive2 1 2 3 4 5 6 7 8",
            "archive11 2 3 4 5 6 7 8 9",
            "archive1 1 2 3 4 5 6 7",
            "archive1 1 2 3 4 5 6 7 8 9",
            "archive1 1 2 3 4 5 6 7 -8",
            "archive1  1 2 3 4 5 6 7 8",
            "archive1 1 2 3 4 5 6 7 8\n",
            "archive1 1 2 3 4 5 6 7 4611686018427387904",
            "point1 0 - -",
        ] {
            assert_eq!(text.parse::<ResumePoint>(), Err(ParsePointError(())), "{text:?}");
        }
    }
}
