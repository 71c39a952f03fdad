//! Reads the host of an address, after an `@`, without the prose that follows it.

use super::host::{self, FullStops, HostSet, Run};
use super::view::{Incomplete, View};
use super::{joined, sentence};

/// Reads the host at `first`, after an `@`; returns `None` if no host can be there.
#[inline]
pub(super) fn read(view: &View<'_>, first: usize, prose: bool) -> Result<Option<Run>, Incomplete> {
    let full_stops = FullStops::of(prose);
    let mut run = host::read(view, first, usize::MAX, HostSet::Bare, full_stops)?;
    if run.is_too_long || run.labels == 0 {
        return Ok(None);
    }
    if prose {
        let joined = joined::prose_end(view, &run)?;
        if let Some(end) =
            joined.map_or_else(|| joined::without_hyphens(view, &run), |end| Ok(Some(end)))?
        {
            run = host::read(view, first, end, HostSet::Bare, full_stops)?;
        }
        if let Some(end) = sentence::end_of_host(view, &run)? {
            run = host::read(view, first, end, HostSet::Bare, full_stops)?;
        }
    }
    Ok((!run.has_bad_label).then_some(run))
}

/// Returns `true` if a host with a known top-level domain is at `first`, after an `@` in prose.
pub(super) fn is_known(view: &View<'_>, first: usize) -> Result<bool, Incomplete> {
    let run = read(view, first, true)?;
    Ok(run.is_some_and(|run| run.labels > 1 && run.has_known_tld(view)))
}
