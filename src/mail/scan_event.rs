//! Events of a scan, and parts as their events describe them.

use super::part::MimeHeaders;
use crate::document::attachment::Attachment;
use crate::link::Judged;

/// Event of a scan.
pub(crate) enum ScanEvent<'a> {
    /// Start of a leaf part.
    Part(PartFound<'a>),
    Judged(Judged<'a>),
    /// Part that is an archive or compressed, or a file in a part that is a document.
    Attachment(Attachment<'a>),
    /// Part that is counted but not scanned.
    Unread,
}

/// Leaf part as its header describes it.
pub(crate) struct PartFound<'a> {
    pub(crate) head: &'a MimeHeaders,
    pub(crate) part: Option<&'a str>,
    pub(crate) message_id: Option<&'a str>,
    /// Message of a store that the part is in.
    pub(crate) member: Option<&'a str>,
    /// Offset of its bytes in the input; `None` inside encoded parts.
    pub(crate) start: Option<usize>,
}

/// Leaf part that outlives its header.
pub(crate) struct OwnedPart {
    head: MimeHeaders,
    part: Option<Box<str>>,
    message_id: Option<Box<str>>,
    member: Option<Box<str>>,
    start: Option<usize>,
}

impl From<PartFound<'_>> for OwnedPart {
    fn from(found: PartFound<'_>) -> OwnedPart {
        let PartFound { head, part, message_id, member, start } = found;
        let texts = [part, message_id, member].map(|text| text.map(Into::into));
        let [part, message_id, member] = texts;
        OwnedPart { head: head.clone(), part, message_id, member, start }
    }
}

impl OwnedPart {
    pub(crate) fn as_found(&self) -> PartFound<'_> {
        let OwnedPart { head, part, message_id, member, start } = self;
        let [part, message_id, member] = [part, message_id, member].map(Option::as_deref);
        PartFound { head, part, message_id, member, start: *start }
    }
}
