//! Links in the header of a response of HTTP.

use std::ops::Range;

use crate::context::KnownContext;
use crate::link::Position;

/// A link in a header of HTTP.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeaderLink {
    pub(crate) context: &'static KnownContext,
    pub(crate) text: String,
    /// In the block of the record.
    pub(crate) range: Range<usize>,
    /// Line and column there.
    pub(crate) position: Position,
}
