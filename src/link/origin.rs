//! Origins: what links of mail and of containers have beside their place in the bytes.
//!
//! The modules that open containers and mail make one [`Origin`] for each document and share it among
//! the document's links; all of it is absent from a link of an ordinary file.

use std::sync::Arc;

use crate::codes::coded;

coded! {
    /// The transfer encoding of mail that the stored bytes of a link are written in.
    ///
    /// `base64+1` and `base64+2`, `b+1` and `b+2` say that the link begins inside the first four
    /// characters of its slice: decode the slice without its first 2·n bits.
    ///
    /// ```
    /// use linksift::Transfer;
    ///
    /// assert_eq!("quoted-printable".parse(), Ok(Transfer::QuotedPrintable));
    /// assert_eq!(Transfer::Base64Plus1.to_string(), "base64+1");
    /// ```
    pub enum Transfer in "linksift" via as_str {
        /// Quoted-printable (RFC 2045 §6.7).
        QuotedPrintable = "quoted-printable",
        /// Base64 (RFC 2045 §6.8), from a boundary of six bits that is one of bytes too.
        Base64 = "base64",
        /// Base64, from two bits after such a boundary.
        Base64Plus1 = "base64+1",
        /// Base64, from four bits after such a boundary.
        Base64Plus2 = "base64+2",
        /// The `Q` encoding of a header's words (RFC 2047 §4.2).
        Q = "q",
        /// The `B` encoding of a header's words (RFC 2047 §4.1).
        B = "b",
        /// The `B` encoding, from two bits after a boundary.
        BPlus1 = "b+1",
        /// The `B` encoding, from four bits after a boundary.
        BPlus2 = "b+2",
        /// Uuencode.
        Uuencode = "uuencode",
        /// Uuencode, from two bits after a boundary.
        UuencodePlus1 = "uuencode+1",
        /// Uuencode, from four bits after a boundary.
        UuencodePlus2 = "uuencode+2",
        /// Several encodings: a message that is encoded holds parts that are. The slice is of the
        /// outermost one; the message must be decoded whole first.
        Nested = "nested",
    }
}

/// Where the document came from that a link is in: shared by all links of that document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    /// The member of an archive, outermost first, steps joined by `!`.
    pub(crate) member: Option<Box<str>>,
    /// The bytes of that name, if they are not UTF-8.
    pub(crate) member_bytes: Option<Box<[u8]>>,
    /// The place inside a mailbox or message: `[N!]SECTION`.
    pub(crate) part: Option<Box<str>>,
    /// The number of the message in its mailbox, from 1: of the outermost one.
    pub(crate) message_number: Option<u64>,
    /// The document's own IRI.
    pub(crate) source: Option<Box<str>>,
    /// The message's identifier, without `<>`.
    pub(crate) message_id: Option<Arc<str>>,
}

impl Origin {
    /// Returns the number of bytes that each link repeats of the origin.
    pub(crate) fn told(&self) -> usize {
        let texts = [&self.member, &self.part, &self.source].map(Option::as_deref);
        let texts = texts.into_iter().chain([self.message_id.as_deref()]).flatten();
        let bytes = self.member_bytes.as_ref().map_or(0, |bytes| 2 * bytes.len());
        texts.map(str::len).sum::<usize>() + bytes
    }

    /// The part, of something that is in another one: a message in an archive that is attached to another message
    /// has `OUTER/INNER`.
    pub(crate) fn part_within(&self, outer: &Origin) -> Option<Box<str>> {
        match (&outer.part, &self.part) {
            (Some(outer), Some(inner)) => Some([outer, "/", inner].concat().into()),
            (outer, inner) => inner.clone().or_else(|| outer.clone()),
        }
    }

    /// Where something comes from that `inner` says of itself, in a document that comes from here. What it says of
    /// itself, a message of its part, stays.
    pub(crate) fn around(self: &Arc<Origin>, inner: Option<&Origin>) -> Arc<Origin> {
        let Some(inner) = inner else { return Arc::clone(self) };
        Arc::new(Origin {
            member: self.member.clone(),
            member_bytes: self.member_bytes.clone(),
            part: inner.part_within(self),
            message_number: self.message_number.or(inner.message_number),
            source: inner.source.clone().or_else(|| self.source.clone()),
            message_id: inner.message_id.clone().or_else(|| self.message_id.clone()),
        })
    }
}
