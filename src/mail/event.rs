//! Events of a scan, of which those other than candidates are of mail alone.

use std::cell::Cell;
use std::sync::Arc;

use super::part::MimeHeaders;
use crate::link::{Judged, Origin};

/// Event of a scan.
pub(crate) enum ScanEvent<'a> {
    /// A leaf part begins.
    Part(PartFound<'a>),
    Judged(Judged<'a>),
    /// A part that is an archive, or compressed.
    Attachment(Attachment<'a>),
    /// A part that is counted and not scanned.
    Unread,
}

/// A decoded part that is an archive, for callers that open archives.
pub(crate) struct Attachment<'a> {
    /// Gives all of them, unless they are more than are held.
    pub(crate) whole: Option<&'a dyn Fn() -> Vec<u8>>,
    /// The name of the file that it was; empty if it has none.
    pub(crate) name: &'a [u8],
    /// Where it is in the message.
    pub(crate) origin: Arc<Origin>,
    /// Set by the receiver once it has opened or reported the attachment.
    pub(crate) is_done: &'a Cell<bool>,
}

/// A leaf part as its header describes it.
pub(crate) struct PartFound<'a> {
    pub(crate) head: &'a MimeHeaders,
    pub(crate) part: Option<&'a str>,
    pub(crate) message_id: Option<&'a str>,
    /// Where its bytes begin, if they are those of the input.
    pub(crate) start: Option<usize>,
}
