//! A candidate whose beginning is known and whose end is still looked for.

use super::candidate::{Candidate, Marks, Reason};
use super::ending::Ending;
use super::view::{EDGE, MALFORMED, More, View};
use crate::tables;

/// A candidate up to its authority, and the search for its end.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) candidate: Candidate,
    pub(crate) ending: Ending,
    /// What of a host without a scheme can only be judged when its end is known.
    pub(crate) check: Option<BareCheck>,
    /// A candidate that ends before it is none.
    pub(crate) min_end: usize,
    /// Behind the host, without its root dot: nothing is trimmed off in front of it.
    pub(crate) host_end: usize,
}

/// What is left to be judged of a host without a scheme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BareCheck {
    /// Its dot is an ideographic full stop: white space must stand behind the whole, as it does in
    /// front.
    pub(crate) stands_alone: bool,
    /// It is the name of a file, unless a path or a query follows.
    pub(crate) is_file_name: bool,
    /// It has two labels and no `www`: directly before `(` it is a call in code.
    pub(crate) may_be_code: bool,
    /// Where path or query would begin.
    pub(crate) tail: usize,
}

impl Head {
    /// The text has lost `by` bytes at its front.
    pub(crate) fn shift(&mut self, by: usize) {
        let candidate = &mut self.candidate;
        candidate.lead += by.saturating_sub(candidate.range.start);
        for offset in [
            &mut candidate.range.start,
            &mut candidate.range.end,
            &mut candidate.scheme_end,
            &mut candidate.host.start,
            &mut candidate.host.end,
            &mut self.host_end,
            &mut self.min_end,
        ] {
            *offset = offset.saturating_sub(by);
        }
        if let Some(check) = &mut self.check {
            check.tail = check.tail.saturating_sub(by);
        }
        self.ending.shift(by);
    }

    /// Looks for the end; `None` when there turns out to be no candidate.
    pub(crate) fn finish(&mut self, view: &View<'_>, max_link: usize) -> Result<Option<()>, More> {
        let safe = self.ending.run(view)?;
        let must_stand_alone = self.check.is_some_and(|check| check.stands_alone);
        if must_stand_alone && !is_gap(view.next(safe)?.code) {
            return Ok(None);
        }
        let candidate = &mut self.candidate;
        if safe - candidate.range.start + candidate.lead > max_link {
            candidate.range.end = safe;
            candidate.refused = Some(Reason::TooLong);
            return Ok(Some(()));
        }
        let end = self.ending.trimmed(view, self.host_end);
        if end < self.min_end {
            return Ok(None);
        }
        candidate.range.end = end;
        if self.ending.has_attention() {
            candidate.marks |= Marks::ATTENTION;
        }
        if self.ending.has_reference() {
            candidate.marks |= Marks::REFERENCE;
        }
        if let Some(check) = self.check {
            if check.stands_alone && !is_gap(view.next(end)?.code) {
                return Ok(None);
            }
            let has_more = end > check.tail
                && matches!(char::from_u32(view.next(check.tail)?.code), Some('/' | '?'));
            if candidate.refused.is_none() && check.is_file_name && !has_more {
                candidate.refused = Some(Reason::FileName);
            } else if candidate.refused.is_none() && check.may_be_code && end == self.host_end {
                let is_call = view.next(end)?.code == u32::from('(');
                candidate.refused = is_call.then_some(Reason::Code);
            }
        }
        if self.ending.is_malformed() || view.next(end)?.code == MALFORMED {
            candidate.marks |= Marks::MALFORMED;
        }
        Ok(Some(()))
    }
}

/// Whether the character is white space or the text's edge.
pub(crate) fn is_gap(code: u32) -> bool {
    code == EDGE || tables::class(code).is_white_space()
}
