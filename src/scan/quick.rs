//! Links in plain surroundings, as most are: decided in one step, without a state.
//!
//! The input is a trigger, the result is a link. The contract: what is returned is what the general scan returns, with any
//! settings, in any kind of text; where another character could change the result, it is `None`, and the general scan
//! reads the candidate. The tests compare the two.

mod bare;
#[cfg(test)]
mod tests;
mod web;

use super::candidate::PlainLink;
use super::head::Recognized;
use super::prefilter::surroundings;
use super::view::{Incomplete, View};
use super::{Settings, email, scheme};

/// Reads the link around the trigger whose trigger byte is before `trigger`.
#[inline(always)]
pub(super) fn read(
    view: &View<'_>,
    trigger: usize,
    min_start: usize,
    settings: &Settings,
) -> Option<PlainLink> {
    let (text, at) = (view.text, trigger - 1);
    // Most triggers are dots and colons of something else.
    let is_one = match text[at] {
        b'.' => bare::is_believed(text, trigger),
        sign => surroundings::is_plain(sign, text.get(trigger)),
    };
    if !is_one || at < min_start || settings.is_binary {
        return None;
    }
    match text[at] {
        b':' => web::web(view, at, min_start, settings),
        b'@' if settings.emails => email::read_plain(view, at, min_start, settings.max_link),
        b'.' if settings.schemeless => bare::bare(view, at, min_start, settings),
        _ => None,
    }
}

/// Reads the candidate around the `://` whose colon is at `colon` and whose authority begins at `at`: its head in one step if it is
/// plain.
pub(super) fn with_scheme(
    view: &View<'_>,
    colon: usize,
    at: usize,
    min_start: usize,
    settings: &Settings,
) -> Result<Recognized, Incomplete> {
    if at - colon == 3
        && let Some(found) = web::head(view, colon, min_start, settings)
    {
        return Ok(found);
    }
    scheme::read(view, colon, at, min_start, settings)
}
