//! A candidate whose beginning is known and whose end is still looked for.

use super::candidate::{Candidate, CandidateFlags, Reason};
use super::ending::{Component, Ending, Limits, Opening, PrecedingContext};
use super::filename;
use super::host_char;
use super::markup_context::is_escaped_slash;
use super::view::{Char, EDGE, Incomplete, MALFORMED, View, is_gap};
use super::{Boundaries, Settings};

/// Result of a look around a trigger.
#[derive(Clone, Debug)]
pub(crate) enum Recognized {
    Nothing,
    /// A candidate that is refused and ends here; what is refused was not asked for.
    Refused(usize),
    /// A control sequence that a link goes on over; its trigger.
    Sequence(usize),
    /// All of a candidate: nothing is left to be decided.
    Whole(Candidate),
    Head(Head),
}

/// Whether what is refused is wanted too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Links,
    /// Refused ones too.
    Candidates,
    /// Nothing any more: what is left is in a window without control sequences.
    Window,
}

/// A candidate up to its authority.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) candidate: Candidate,
    /// How it may go on; none where nothing can follow, the candidate then ends where it does.
    pub(crate) opening: Option<Opening>,
    /// Checks of a host without a scheme that wait for its end.
    pub(crate) check: Option<BareCheck>,
    /// A candidate that ends before it is none.
    pub(crate) min_end: usize,
    /// After the host, without its root dot: nothing is trimmed off in front of it.
    pub(crate) host_end: usize,
}

/// A candidate whose end could not be decided yet, and how far the search for it is.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) head: Head,
    pub(crate) ending: Option<Ending>,
}

/// Checks of a host without a scheme that wait for its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BareCheck {
    /// Its dot is an ideographic full stop: white space must be after the whole, as it does in
    /// front.
    pub(crate) stands_alone: bool,
    /// The host is the name of a file, unless a path or a query follows.
    pub(crate) is_file_name: bool,
    /// The host has two labels and no `www`: directly before `(` it is a call in code.
    pub(crate) may_be_code: bool,
    /// The host is written as a function of a module, which its arity may follow: `Set.top/2`.
    pub(crate) may_be_function: bool,
    /// A `/` is before it: what follows is the rest of a path, and speaks for no host.
    pub(crate) is_in_path: bool,
    /// Where path or query would begin.
    pub(crate) tail: usize,
}

impl Pending {
    /// Takes offsets of a view that begins `by` bytes later.
    pub(super) fn rebase(&mut self, by: usize) {
        let Head { candidate, check, host_end, min_end, .. } = &mut self.head;
        candidate.lead += by.saturating_sub(candidate.range.start);
        candidate.moved(by, 0);
        let tail = check.as_mut().map(|check| &mut check.tail);
        for offset in [host_end, min_end].into_iter().chain(tail) {
            *offset = offset.saturating_sub(by);
        }
        if let Some(ending) = &mut self.ending {
            ending.rebase(by);
        }
    }

    /// Where the candidate surely reaches, as far as it has been read.
    pub(crate) fn safe(&self) -> usize {
        self.ending.as_ref().map_or(self.head.candidate.range.end, Ending::safe)
    }
}

impl Head {
    /// Looks for the end; false when there turns out to be no candidate.
    ///
    /// # Errors
    ///
    /// The end cannot be decided in this view; how far the search for it is.
    #[inline(always)]
    pub(crate) fn end(
        &mut self,
        settings: &Settings,
        view: &View<'_>,
    ) -> Result<bool, Option<Ending>> {
        let max_link = settings.max_link;
        let Some(opening) = self.opening else {
            return self.finish(view, None, max_link).map_err(|Incomplete| None);
        };
        let prose = settings.boundaries == Boundaries::Prose;
        let start = self.candidate.range.start;
        let mut ending = Ending::new(start, opening, Limits { prose, max_link });
        self.finish(view, Some(&mut ending), max_link).map_err(|Incomplete| Some(ending))
    }

    /// Looks for the end by a search that has begun or is about to.
    pub(crate) fn finish(
        &mut self,
        view: &View<'_>,
        mut ending: Option<&mut Ending>,
        max_link: usize,
    ) -> Result<bool, Incomplete> {
        let safe = match &mut ending {
            Some(ending) => ending.run(view)?,
            None => self.candidate.range.end,
        };
        let must_stand_alone = self.check.is_some_and(|check| check.stands_alone);
        if must_stand_alone && !is_gap(view.next(safe)?.code) {
            return Ok(false);
        }
        let candidate = &mut self.candidate;
        if safe - candidate.range.start + candidate.lead > max_link {
            candidate.range.end = safe;
            candidate.refused = Some(Reason::TooLong);
            return Ok(true);
        }
        let mut end = safe;
        let mut is_malformed = false;
        if let Some(ending) = ending {
            end = ending.trimmed(view, self.host_end);
            candidate.marks |= ending.marks();
            is_malformed = ending.is_malformed();
        }
        if end < self.min_end {
            return Ok(false);
        }
        candidate.range.end = end;
        let Char { code: after, len } = view.next(end)?;
        if end == self.host_end && char::from_u32(after).is_some_and(host_char::continues_host) {
            let next = char::from_u32(view.next(end + len)?.code);
            if next.is_some_and(char::is_alphanumeric) {
                candidate.marks |= CandidateFlags::GOES_ON;
            }
        }
        if let Some(check) = self.check {
            if check.stands_alone && !is_gap(after) {
                return Ok(false);
            }
            let has_more = end > check.tail
                && !check.is_in_path
                && matches!(char::from_u32(view.next(check.tail)?.code), Some('/' | '?'))
                && !(check.is_file_name
                    && filename::is_other_name(
                        &view.text[candidate.host.clone()],
                        &view.text[check.tail..end],
                    ));
            // Its end may be in front of a root dot.
            let rest = view.text.get(check.tail..end).unwrap_or_default();
            let has_more = has_more && !(check.is_file_name && filename::is_no_path(view, rest));
            let is_call = check.may_be_code
                && (end == self.host_end && is_bracket_of_code(view, end)?
                    || is_question_or_bang(view, self.host_end)?)
                || check.may_be_function && matches!(rest, [b'/', b'0'..=b'9']);
            if candidate.refused.is_none() && is_call {
                candidate.refused = Some(Reason::Code);
            } else if candidate.refused.is_none() && check.is_file_name && !has_more {
                candidate.refused = Some(Reason::FileName);
            }
        }
        if is_malformed || after == MALFORMED {
            candidate.marks |= CandidateFlags::MALFORMED;
        }
        Ok(true)
    }
}

/// Whether a call's bracket is at `at`; of prose the text in it may be of another script:
/// `Example.tv(로그인)`.
fn is_bracket_of_code(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let bracket = view.next(at)?;
    if bracket.code != u32::from('(') {
        return Ok(false);
    }
    let inside = view.next(at + bracket.len)?.code;
    Ok(inside < 0x80 || inside == EDGE)
}

/// Whether a call goes on at `at` of what ends in `!` or `?`: `Server.run!(x)`.
fn is_question_or_bang(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let mark = view.next(at)?;
    let is_mark = matches!(char::from_u32(mark.code), Some('!' | '?'));
    Ok(is_mark && view.next(at + mark.len)?.code == u32::from('('))
}

/// How what has its authority end at `at` goes on there: not at all where no component opens.
pub(crate) fn tail(
    view: &View<'_>,
    at: usize,
    prose: bool,
    lead: impl FnOnce() -> PrecedingContext,
) -> Result<Option<Opening>, Incomplete> {
    let opens = match char::from_u32(view.next(at)?.code) {
        Some('/' | '?' | '#') => true,
        Some('\\') => prose && is_escaped_slash(view, at)?,
        _ => false,
    };
    Ok(opens.then(|| Opening { component: Component::None, at, lead: lead() }))
}
