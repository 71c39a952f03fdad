//! Ends of hosts without a known top-level domain, which must be plain.

use super::super::ending::PrecedingContext;
use super::super::markup_context::{is_escaped_slash, is_markup};
use super::super::view::{EDGE, Incomplete, View};
use crate::tables::{self, Term};

/// Returns `true` if a host without a known top-level domain may end at `at`, before a delimiter, an escape or what closes the text
/// around it.
pub(super) fn is_delimited(
    view: &View<'_>,
    at: usize,
    prose: bool,
    lead: PrecedingContext,
) -> Result<bool, Incomplete> {
    let c = view.next(at)?;
    // A bar separates the cells of a table, and the parameters of a template.
    let is_bar = prose && c.code == u32::from('|');
    if delimits(c.code) || is_bar || lead.delimits(c.code, true) {
        return Ok(true);
    }
    let is_escape = matches!(char::from_u32(c.code), Some('\\' | '&'));
    Ok(is_escape && (is_markup(view, c, at + c.len)? || prose && is_escaped_slash(view, at)?))
}

/// Returns `true` if a host without a known top-level domain may end before this character. A control character (of a
/// terminal colour, or a NUL between records) ends it as white space does.
fn delimits(code: u32) -> bool {
    if code == EDGE || code < 0x20 || matches!(char::from_u32(code), Some('/' | '?' | '#')) {
        return true;
    }
    let class = tables::class(code);
    class.is_white_space()
        || matches!(class.term(), Term::Soft | Term::Open | Term::Close | Term::ProseStop)
}
