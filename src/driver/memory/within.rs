//! Results of scans of some bytes.

use super::Candidates;
use crate::input::guard::{Cancel, is_cancelled};
use crate::link::{Candidate, Link};

/// Number of bytes that are scanned between two checks for cancellation.
pub(crate) const STEP: usize = 1 << 20;

/// Result of a scan of about so many bytes; see [`Candidates::next_within`](crate::Candidates::next_within).
///
/// The enum is exhaustive, so that a loop over it handles each case.
///
/// ```
/// use linksift::{Finder, Step};
///
/// let finder = Finder::new();
/// let mut links = finder.links("see example.com");
/// assert!(matches!(links.next_within(100), Step::Found(link) if link.raw() == "example.com"));
/// assert_eq!(links.next_within(100), Step::Done);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub enum Step<T> {
    /// The next result.
    Found(T),
    /// The bytes have no further result; the input has more of them.
    Budget,
    /// The input has ended.
    Done,
}

impl<T> Step<T> {
    /// Scans by `within`, which gets a number of bytes, up to the next result; returns [`Step::Budget`] if the token is cancelled
    /// before it.
    pub(crate) fn until(
        cancel: Option<&Cancel>,
        mut within: impl FnMut(usize) -> Step<T>,
    ) -> Step<T> {
        while !is_cancelled(cancel) {
            match within(STEP) {
                Step::Budget => {}
                step => return step,
            }
        }
        Step::Budget
    }
}

impl<'t> Candidates<'_, 't> {
    /// Returns the remaining links; `None` if the token is cancelled before all are found.
    pub(crate) fn links_until(&mut self, cancel: Option<&Cancel>) -> Option<Vec<Link<'t>>> {
        if cancel.is_none() {
            return Some(self.filter_map(Candidate::into_link).collect());
        }
        let mut links = Vec::new();
        loop {
            match Step::until(cancel, |bytes| self.next_within(bytes)) {
                Step::Found(candidate) => links.extend(candidate.into_link()),
                Step::Budget => return None,
                Step::Done => return Some(links),
            }
        }
    }
}
