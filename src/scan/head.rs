//! A candidate whose beginning is known and whose end is still searched.

use super::candidate::{CandidateFlags, Match, Reason};
use super::ending::{Component, Ending, Limits, Opening, PrecedingContext};
use super::filename;
use super::host_char;
use super::markup_context::{is_escaped_slash, string_escape};
use super::view::{Char, EDGE, Incomplete, MALFORMED, View, is_gap};
use super::{Boundaries, Settings, beside};
use crate::tables::imitation::is_unseen;

/// Result of examining the text around a trigger.
#[derive(Clone, Debug)]
pub(crate) enum Recognized {
    Nothing,
    /// A candidate that is rejected and ends here; it is not returned because rejected candidates were not requested.
    Refused(usize),
    /// A control sequence over which a link continues; the trigger of the sequence.
    Sequence(usize),
    /// A complete candidate: nothing remains to be decided.
    Whole(Match),
    Head(Head),
}

/// Which results the caller needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Links, for callers that drop rejected candidates: most of those need not be built, some are still returned.
    Links,
    /// Rejected candidates too.
    Candidates,
    /// No more results: the rest of the text is scanned in a window without control sequences.
    Window,
}

/// A candidate up to its authority.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) candidate: Match,
    /// How it may continue; `None` if nothing can follow, so that the candidate ends here.
    pub(crate) opening: Option<Opening>,
    /// Checks of a host without a scheme that need its end.
    pub(crate) check: Option<BareCheck>,
    /// Minimum end: a candidate that ends before it is not one.
    pub(crate) min_end: usize,
    /// Offset after the host without its root dot; no character before it is trimmed.
    pub(crate) host_end: usize,
}

/// A candidate whose end could not be decided yet, with the state of the search for it.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) head: Head,
    pub(crate) ending: Option<Ending>,
}

/// Checks of a host without a scheme that need its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BareCheck {
    /// Its dot is an ideographic full stop: white space must follow the candidate and precede it.
    pub(crate) stands_alone: bool,
    /// The host is the name of a file, unless a path follows.
    pub(crate) is_file_name: bool,
    /// The host has two labels and no `www`: directly before `(` it is a call in code.
    pub(crate) may_be_code: bool,
    /// The host is written as a function of a module, which its arity may follow: `Set.top/2`.
    pub(crate) may_be_function: bool,
    /// A `/` precedes it: what follows is the rest of a path, and is not evidence for a host.
    pub(crate) is_in_path: bool,
    /// Where a path or query would begin.
    pub(crate) tail: usize,
    /// Whether text behind a slash may be no path: see [`is_beside`](super::beside::is_beside).
    pub(crate) in_prose: bool,
}

impl Pending {
    /// Adjusts the offsets to a view that begins `by` bytes later.
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

    /// Returns the offset up to which the text surely belongs to the candidate, as far as it has been read.
    pub(crate) fn safe(&self) -> usize {
        self.ending.as_ref().map_or(self.head.candidate.range.end, Ending::safe)
    }
}

impl Head {
    /// Searches for the end; returns `false` if the text turns out not to be a candidate.
    ///
    /// # Errors
    ///
    /// Returns the state of the search if the end cannot be decided in this view.
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

    /// Continues or begins the search for the end.
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
        if safe < self.min_end {
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
            end = ending.trimmed(view, self.host_end)?;
            candidate.marks |= ending.marks();
            is_malformed = ending.is_malformed();
        }
        if end < self.min_end {
            return Ok(false);
        }
        if let Some(BareCheck { tail, in_prose: true, .. }) = self.check
            && let Some(behind @ [b'/', ..]) = view.text.get(tail..end)
        {
            // A port ends in a digit, a root dot does not belong to the link without its path.
            let is_port =
                view.prev(tail, self.host_end).code != EDGE && view.text[tail - 1].is_ascii_digit();
            let before = view.text[..candidate.range.start].last();
            let is_marked = is_port || matches!(before, Some(b'[' | b'/'));
            if beside::is_beside(behind, is_marked) {
                end = if is_port { tail } else { self.host_end };
            }
        }
        candidate.range.end = end;
        let Char { code: after, len } = view.next(end)?;
        if after >= 0x80 && end == self.host_end && goes_on(view, after, end + len)? {
            candidate.marks |= CandidateFlags::GOES_ON;
        }
        if let Some(check) = self.check {
            if check.stands_alone && !is_gap(after) {
                return Ok(false);
            }
            let has_more = end > check.tail
                && !check.is_in_path
                && view.next(check.tail)?.code == u32::from('/')
                && !(check.is_file_name
                    && filename::is_other_name(
                        &view.text[candidate.host.clone()],
                        &view.text[check.tail..end],
                    ));
            // The end may be before a root dot.
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

/// Maximum number of invisible characters behind a host that are skipped in search of a letter.
const MOST_UNSEEN: usize = 16;

/// Returns `true` if a reader takes the text from `at` on, behind the character `after` that ends a host, for a part of the
/// link.
#[inline(never)]
fn goes_on(view: &View<'_>, after: u32, mut at: usize) -> Result<bool, Incomplete> {
    // The next character is not asked for where it decides nothing: it may not be there yet.
    let Some(after) = char::from_u32(after).filter(|&c| host_char::is_mistaken(c)) else {
        return Ok(false);
    };
    for _ in 0..MOST_UNSEEN {
        let Char { code, len } = view.next(at)?;
        let Some(next) = char::from_u32(code) else { return Ok(false) };
        if !is_unseen(after) || !is_unseen(next) {
            return Ok(host_char::goes_on(after, next));
        }
        at += len;
    }
    Ok(false)
}

/// Returns `true` if the opening bracket of a call is at `at`. In prose the bracket may contain text in another script:
/// `Example.tv(로그인)`.
fn is_bracket_of_code(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let bracket = view.next(at)?;
    if bracket.code != u32::from('(') {
        return Ok(false);
    }
    let inside = view.next(at + bracket.len)?.code;
    Ok(inside < 0x80 || inside == EDGE)
}

/// Returns `true` if a call of a function whose name ends in `!` or `?` is at `at`: `Server.run!(x)`.
fn is_question_or_bang(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let mark = view.next(at)?;
    let is_mark = matches!(char::from_u32(mark.code), Some('!' | '?'));
    Ok(is_mark && view.next(at + mark.len)?.code == u32::from('('))
}

/// Returns how a link whose authority ends at `at` continues; `None` if no component begins there.
pub(crate) fn tail(
    view: &View<'_>,
    at: usize,
    prose: bool,
    lead: impl FnOnce() -> PrecedingContext,
) -> Result<Option<Opening>, Incomplete> {
    let is_opener = |code: u32| matches!(char::from_u32(code), Some('/' | '?' | '#'));
    let opens = match view.next(at)?.code {
        0x5C if prose => {
            is_escaped_slash(view, at)?
                || string_escape(view, at)?.is_some_and(|escaped| is_opener(escaped.code))
        }
        code => is_opener(code),
    };
    Ok(opens.then(|| Opening { component: Component::None, at, lead: lead() }))
}
