//! Results of scans of some bytes.

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
