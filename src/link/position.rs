//! Positions: lines and columns of links.

use std::fmt;

/// Line and column of a byte of the input, both counted from 1.
///
/// A line ends at LF, CR LF or CR; the column counts bytes of the stored line, or what [`Hints::columns`](crate::Hints::columns) says,
/// without a byte order mark. `Display` writes `line:column`.
///
/// ```
/// use linksift::{Finder, Hints, Position};
///
/// let finder = Finder::new();
/// let hints = Hints::new().positions(true);
/// let link = finder.document("é\r\né example.com".as_bytes(), &hints).unwrap().links().next().unwrap();
/// assert!(matches!(link.position(), Some(Position { line: 2, column: 4, .. })));
/// assert_eq!(link.position().unwrap().to_string(), "2:4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The byte in its line, or the character or unit of UTF-16, from 1.
    pub column: u64,
}

/// The line and the column, with a colon between them.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
