//! Declarations: what others say that a document is.

use super::{Disposition, Format};

/// Declaration of a document by HTTP, WARC, mail or a table of inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Declared {
    /// Nothing, or nothing that decides: `application/octet-stream`.
    #[default]
    Nothing,
    /// Text of a kind that has no format of its own: `text/x-patch`.
    Text,
    /// A format.
    Format(Format),
    /// No text.
    Kind(Disposition),
}
