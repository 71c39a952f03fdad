//! What is found in mail: links, parts, attachments.

use std::cell::Cell;
use std::sync::Arc;

use super::part::Head;
use crate::link::{Judged, Origin};

/// What is found in mail.
pub(crate) enum Found<'a> {
    /// A part that holds no parts begins.
    Part(PartFound<'a>),
    Judged(Judged<'a>),
    /// A part that is an archive, or compressed.
    Attachment(Attachment<'a>),
    /// A part that is counted and not scanned.
    Unread,
}

/// A part that is an archive, decoded, for who opens such.
pub(crate) struct Attachment<'a> {
    /// Gives all of them, unless they are more than are held.
    pub(crate) whole: Option<&'a dyn Fn() -> Vec<u8>>,
    /// The name of the file that it was; empty if it has none.
    pub(crate) name: &'a [u8],
    /// Where it is in the message.
    pub(crate) origin: Arc<Origin>,
    /// For who opens it, or tells of it, to say so.
    pub(crate) is_done: &'a Cell<bool>,
}

/// A part that holds no parts, as its header tells of it.
pub(crate) struct PartFound<'a> {
    pub(crate) head: &'a Head,
    pub(crate) part: Option<&'a str>,
    pub(crate) message_id: Option<&'a str>,
    /// Where its bytes begin, if they are those of the input.
    pub(crate) start: Option<usize>,
}
