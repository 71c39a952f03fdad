//! The error for a text that is not a resume point.

use std::fmt;

/// Error for a text that is not a [`FeedPoint`](crate::FeedPoint) or a resume point of an archive, or one of another version.
///
/// ```
/// let error = "12".parse::<linksift::FeedPoint>().unwrap_err();
/// assert_eq!(error.to_string(), "not a resume point, or one of another version");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePointError(pub(crate) ());

impl fmt::Display for ParsePointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a resume point, or one of another version")
    }
}

impl std::error::Error for ParsePointError {}
