//! Hosts that begin with `www.` and do not end in a top-level domain: the author meant a link, so they are reported as
//! rejected, with a reason (`docs/rules.md`, "Where a link begins").

use super::{Dot, LookedAhead, is_local_ahead, top_level};
use crate::scan::candidate::{CandidateFlags, LinkKind, Match, Reason};
use crate::scan::head::{self, Head, Recognized};
use crate::scan::host::{self, FullStops, HostSet};
use crate::scan::host_char::{is_bare_host_char, is_dot};
use crate::scan::prefilter::surroundings::{Quick, is_after_www, is_simple, quick_look};
use crate::scan::sentence::is_sentence;
use crate::scan::view::{Char, Incomplete, View};
use crate::scan::{Boundaries, Settings, authority, chance, defanged, preceding_context};

/// Number of bytes of a host in which a known top-level domain is searched: a longer host is invalid.
const LOOK: usize = 255;

/// Returns the rejection of the host whose first dot is `dot`, if it is such a host. There is no top-level domain after the
/// dot.
#[cold]
pub(super) fn read(
    view: &View<'_>,
    dot: Dot,
    min_start: usize,
    settings: &Settings,
    looked: &mut LookedAhead,
) -> Result<Recognized, Incomplete> {
    let label = dot.at + dot.c.len;
    let is_first_label = dot.c.len == 1 && is_after_www(view.text, label);
    let Some(start) = dot.at.checked_sub(3).filter(|&at| is_first_label && at >= min_start) else {
        return Ok(Recognized::Nothing);
    };
    // This applies to nearly all hosts, which are found at their last dot.
    if has_known_end(view.text, label) || !stands_free(view.prev(start, 0)) {
        return Ok(Recognized::Nothing);
    }
    let prose = settings.boundaries == Boundaries::Prose;
    let full_stops = FullStops::of(prose);
    let run = host::read(view, start, usize::MAX, HostSet::Bare, full_stops)?;
    if run.is_too_long || run.has_bad_label || run.labels < 2 {
        return Ok(Recognized::Nothing);
    }
    // A name of two labels is the name of a site only if a path follows: `www.conf` is a file.
    let opens = view.next(run.end)?.code == u32::from('/');
    let last = &view.text[run.last_label..run.end];
    if run.labels < 3 && !opens
        || run.ends_in_number(view)
        || is_other(view, &run, prose, full_stops)?
    {
        return Ok(Recognized::Nothing);
    }
    let last_dot = run.last_label - view.prev(run.last_label, start).len;
    let before_last = &view.text[start..last_dot];
    if is_sentence(before_last, last)
        || prose && chance::is_in_uuencoded(view, start, run.end)?
        || defanged::is_dot_ahead(view, run.end)?
        || is_local_ahead(view, run.end, looked)?
        || authority::is_scheme_ahead(view, run.end)?
    {
        return Ok(Recognized::Nothing);
    }
    let marks = CandidateFlags::REFERENCE.when(run.has_reference);
    let (port_end, _) = authority::port(view, authority::root_dot(view, &run, prose)?)?;
    let lead = || preceding_context::directly_before(view, start, false);
    let opening = head::tail(view, port_end, prose, lead)?;
    Ok(Recognized::Head(Head {
        candidate: Match {
            refused: Some(Reason::UnknownDomain),
            ..Match::new(LinkKind::Schemeless, start..port_end, start..run.end, marks)
        },
        opening,
        check: None,
        min_end: run.end,
        host_end: run.end,
    }))
}

/// Returns `true` if an ASCII host continues here that ends in a known top-level domain.
fn has_known_end(text: &[u8], mut label: usize) -> bool {
    let rest = text.get(label..).unwrap_or_default();
    for part in rest[..rest.len().min(LOOK)].split(|byte| *byte == b'.') {
        let is_whole = !part.is_empty() && part.iter().all(|byte| is_simple(*byte));
        let end = label + part.len();
        if !is_whole || text.get(end) != Some(&b'.') {
            return false;
        }
        label = end + 1;
        if matches!(quick_look(text, label), Quick::Known(_)) {
            return true;
        }
    }
    false
}

/// Returns `true` if a host may begin after the character, which then does not continue a host, a path, an address, a
/// variable or a defanged dot.
fn stands_free(before: Char) -> bool {
    !is_bare_host_char(before)
        && !matches!(
            char::from_u32(before.code),
            Some('.' | '_' | '-' | '@' | '/' | '\\' | '%' | '$' | '~' | ']')
        )
}

/// Returns `true` if a top-level domain follows another of its dots: then the host is read from there.
fn is_other(
    view: &View<'_>,
    run: &host::Run,
    prose: bool,
    full_stops: FullStops,
) -> Result<bool, Incomplete> {
    let mut at = run.start;
    while at < run.end {
        let c = view.next(at)?;
        at += c.len.max(1);
        if is_dot(c) && top_level(view, at, prose, full_stops)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
