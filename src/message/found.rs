//! What is found in mail: links, parts, attachments, and remarks on what they were found in.

use std::cell::Cell;
use std::sync::Arc;

use super::part::Head;
use crate::link::{Judged, Origin};

/// What a reader of a message's links should know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remark {
    /// A field was there twice that may be but once.
    DuplicateHeader,
    TooDeep,
    /// A field was longer than any, and read as text.
    FieldTooLong,
    /// A field stood far behind links that it says something of.
    LateField,
    /// Alternatives have more links than are held.
    AlternativesUnheld,
    /// A multipart was in a transfer encoding, and is decoded.
    EncodedMultipart,
    /// Armour, uuencode or yEnc in a text.
    Skipped,
    /// A part names a charset that is none.
    UnknownCharset,
    /// A part is in an encoding that nothing can be decoded from.
    Undecodable,
    /// A part was too much for the reader of its format.
    ReadAsText,
    /// A part is encrypted, or an archive that nobody opened.
    AttachmentUnread,
    /// A base that a header or a part declares is no IRI.
    BaseUnusable,
    /// A base is too long to be told with each reference.
    BaseTooLong,
    /// What a part says is its own IRI is too long to be told with each link.
    SourceTooLong,
    /// A part is no text: it was scanned for `scheme://` and `mailto:` alone.
    Binary,
    /// The same, and it is of a format that is not opened.
    NotOpened,
    /// A part is a picture, sound, video or font.
    MediaUnread,
    /// A part is rows and columns.
    TableUnread,
}

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
