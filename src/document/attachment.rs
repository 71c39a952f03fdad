//! Attachments: files inside a document, for callers that open them.

use std::cell::Cell;
use std::sync::Arc;

use crate::link::Origin;

/// A file inside a document: a part of a message that is an archive, or a file that is embedded in a PDF.
pub(crate) struct Attachment<'a> {
    /// Function that returns all of its decoded bytes; `None` if it is too long for memory.
    pub(crate) whole: Option<&'a dyn Fn() -> Vec<u8>>,
    /// Name of the file; empty if it has none.
    pub(crate) name: &'a [u8],
    /// Origin of the file in the document.
    pub(crate) origin: Arc<Origin>,
    /// Whether it is embedded in a document that its origin is that of: its name distinguishes it from other files there.
    pub(crate) is_embedded: bool,
    /// Whether it is an answer of HTTP: the receiver opens it only if its body is coded, since any other one is scanned in its place.
    pub(crate) is_answer: bool,
    /// Set by the receiver once it has opened or reported the attachment.
    pub(crate) is_done: &'a Cell<bool>,
}
