//! Candidates that were judged: links, and what looked like one.

use std::ops::Range;

use super::{Judged, Link, Rejected};

/// A link, or a candidate that was rejected: what [`Candidates`](crate::Candidates) and [`Event::into_candidate`](crate::Event::into_candidate) give.
///
/// A rejected candidate is not an error: the scan continues after it. The enum is exhaustive, since what looks like a link is one or is not.
///
/// ```
/// use linksift::{Candidate, Finder};
///
/// let mut lines = Vec::new();
/// for candidate in Finder::new().candidates("http://256.1.1.1/ http://10.1.1.1/") {
///     lines.push(match candidate {
///         Candidate::Link(link) => link.uri().into_owned(),
///         Candidate::Rejected(rejected) => format!("rejected: {}", rejected.reason().as_str()),
///     });
/// }
/// assert_eq!(lines, ["rejected: host-ipv4", "http://10.1.1.1/"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::large_enum_variant, reason = "nearly all candidates are links, the larger one")]
pub enum Candidate<'t> {
    /// A link.
    Link(Link<'t>),
    /// Text that looks like a link, with the reason why it is not one.
    Rejected(Rejected<'t>),
}

impl<'t> Candidate<'t> {
    #[inline]
    pub(crate) fn of(judged: Judged<'t>) -> Candidate<'t> {
        match judged {
            Ok(link) => Candidate::Link(link),
            Err(rejected) => Candidate::Rejected(rejected),
        }
    }

    /// Returns `true` if it is a link.
    ///
    /// ```
    /// use linksift::{Candidate, Finder};
    ///
    /// let finder = Finder::new();
    /// assert_eq!(finder.candidates("main.rs example.com").filter(Candidate::is_link).count(), 1);
    /// ```
    #[must_use]
    pub fn is_link(&self) -> bool {
        matches!(self, Candidate::Link(_))
    }

    /// Returns the link, if it is one.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let candidate = finder.candidates("example.com").next().unwrap();
    /// assert_eq!(candidate.link().map(|link| link.raw()), Some("example.com"));
    /// ```
    #[must_use]
    pub fn link(&self) -> Option<&Link<'t>> {
        match self {
            Candidate::Link(link) => Some(link),
            Candidate::Rejected(_) => None,
        }
    }

    /// Converts the candidate to its link, if it is one.
    ///
    /// ```
    /// use linksift::{Candidate, Finder};
    ///
    /// let finder = Finder::new();
    /// let links = finder.candidates("main.rs example.com").filter_map(Candidate::into_link);
    /// assert_eq!(links.count(), 1);
    /// ```
    #[must_use]
    pub fn into_link(self) -> Option<Link<'t>> {
        self.into_result().ok()
    }

    /// Returns the rejected candidate, if it is one.
    ///
    /// ```
    /// use linksift::{Finder, Reason};
    ///
    /// let candidate = Finder::new().candidates("main.rs").next().unwrap();
    /// assert_eq!(candidate.rejected().map(|one| one.reason()), Some(Reason::FileName));
    /// ```
    #[must_use]
    pub fn rejected(&self) -> Option<&Rejected<'t>> {
        match self {
            Candidate::Link(_) => None,
            Candidate::Rejected(rejected) => Some(rejected),
        }
    }

    /// Converts the candidate to a result, for callers to whom a rejected candidate is an error.
    ///
    /// ```
    /// use linksift::{Candidate, Finder};
    ///
    /// let finder = Finder::new();
    /// let all = finder.candidates("main.rs").map(Candidate::into_result);
    /// assert!(all.collect::<Result<Vec<_>, _>>().is_err());
    /// ```
    pub fn into_result(self) -> Result<Link<'t>, Rejected<'t>> {
        match self {
            Candidate::Link(link) => Ok(link),
            Candidate::Rejected(rejected) => Err(rejected),
        }
    }

    /// Returns the range of the candidate in bytes, as [`Link::range`] does.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let ranges = finder.candidates("main.rs example.com").map(|one| one.range());
    /// assert_eq!(ranges.collect::<Vec<_>>(), [0..7, 8..19]);
    /// ```
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        match self {
            Candidate::Link(link) => link.range(),
            Candidate::Rejected(rejected) => rejected.range(),
        }
    }

    /// Returns the candidate with its text copied, so that it outlives the text.
    ///
    /// ```
    /// use linksift::{Candidate, Finder};
    ///
    /// fn first(text: String) -> Option<Candidate<'static>> {
    ///     Finder::new().candidates(&text).next().map(Candidate::into_owned)
    /// }
    /// assert!(first("main.rs".to_owned()).is_some_and(|one| !one.is_link()));
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Candidate<'static> {
        match self {
            Candidate::Link(link) => Candidate::Link(link.into_owned()),
            Candidate::Rejected(rejected) => Candidate::Rejected(rejected.into_owned()),
        }
    }
}
