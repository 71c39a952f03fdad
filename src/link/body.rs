//! Bodies: the common part of links and rejected candidates, as small as possible, and their origins in mail and
//! containers.
//!
//! The modules that open containers and mail make one [`Origin`] for each document and share it among
//! the document's links; all of it is absent from a link of an ordinary file.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::Position;
use crate::charset::Charset;
use crate::codes::coded;
use crate::context::StoredContext;
use crate::iri::HostMapping;
use crate::notation::Notation;
use crate::scan::LinkKind;
use crate::warning::{Severity, Warning, Warnings};

/// Common part of links and rejected candidates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Body<'t> {
    /// Range in the stored bytes of the whole input.
    pub(crate) range: Range<usize>,
    /// Text as written, decoded, with its references unresolved.
    pub(crate) raw: Cow<'t, str>,
    /// Text with its references resolved, if it has any.
    pub(crate) resolved: Option<Box<str>>,
    /// Prefix that makes the text an IRI.
    pub(crate) prefix: Prefix,
    pub(crate) derivation: Derivation,
    pub(crate) kind: LinkKind,
    /// Range of the host in the URI, if that is kept, otherwise in the resolved text. The length of a link fits in 32
    /// bits.
    pub(crate) host: Range<u32>,
    /// All warnings, or those that do not depend on the text alone: see [`Derivation`].
    pub(crate) warnings: Warnings,
    pub(crate) position: Place,
    /// Charset of the input.
    pub(crate) charset: Charset,
    /// How it is written in its document.
    pub(crate) notation: Notation,
    /// Whether it is in code, not in prose.
    pub(crate) is_code: bool,
    /// Context in its document.
    pub(crate) context: StoredContext,
    /// Properties that few links have.
    pub(crate) rare: Option<Box<Rare>>,
}

/// Prefix that makes a text without a scheme an IRI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Prefix {
    /// Nothing: it has its scheme, or is a relative reference.
    #[default]
    None,
    /// `mailto:`, in front of an address.
    Mailto,
    /// `https://`, in front of a host.
    Https,
    /// `http://`, in front of a host.
    Http,
    /// The default scheme of the finder with `://`, before a host: [`Rare`] has it.
    Own,
}

impl Prefix {
    /// Returns the text of the prefix; `own` is the finder's.
    #[inline]
    pub(crate) fn text(self, own: Option<&str>) -> &str {
        match self {
            Prefix::None => "",
            Prefix::Mailto => "mailto:",
            Prefix::Https => "https://",
            Prefix::Http => "http://",
            Prefix::Own => own.unwrap_or_default(),
        }
    }
}

/// Whether a link keeps its URI and warnings, or derives them on each call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Derivation {
    /// The body has the URI, if that differs from the text, and all warnings.
    #[default]
    Kept,
    /// The URI and the warnings about the text are derived by [`derived`](super::derived): the text is an IRI with
    /// non-ASCII characters, whose host can be mapped, in this form if it is not ASCII.
    Due(HostMapping),
}

/// Properties that few links have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Rare {
    /// The URI, if it differs from the text.
    pub(crate) uri: Option<Box<str>>,
    /// The default scheme of the finder with `://`.
    pub(crate) prefix: Option<Arc<str>>,
    /// Origin of its document.
    pub(crate) origin: Option<Arc<Origin>>,
    /// Transfer encoding of its bytes.
    pub(crate) transfer: Option<Transfer>,
    /// The host that the visible text names.
    pub(crate) shown: Option<Shown>,
    /// The known host that its host imitates.
    pub(crate) resembled: Option<Resembled>,
    /// The object of its document whose text the range counts in.
    pub(crate) object: Option<Arc<str>>,
    /// The page of its document, from 1.
    pub(crate) page: Option<u64>,
    /// The visible text, and the relation: only if the caller wants them.
    pub(crate) text: Option<Box<str>>,
    pub(crate) rel: Option<Box<str>>,
}

/// Known host that the host of a link imitates, and the warning that says how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Resembled {
    pub(crate) warning: Warning,
    pub(crate) host: Box<str>,
}

/// Host that the visible text of a link names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shown {
    pub(crate) host: Box<str>,
    /// Severity: greater if the text is a URL than if it is a name.
    pub(crate) severity: Severity,
}

impl<'t> Body<'t> {
    /// Creates a body whose text is set later.
    #[inline]
    pub(crate) fn new(range: Range<usize>, kind: LinkKind, charset: Charset) -> Body<'t> {
        Body {
            range,
            raw: Cow::Borrowed(""),
            resolved: None,
            prefix: Prefix::None,
            derivation: Derivation::Kept,
            kind,
            host: 0..0,
            warnings: Warnings::default(),
            position: Place::default(),
            charset,
            notation: Notation::default(),
            is_code: false,
            context: StoredContext::TEXT,
            rare: None,
        }
    }

    /// Returns the rare properties for writing.
    pub(crate) fn rare_mut(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// Says where the host lies: in the URI if that is kept, else in the resolved text.
    #[inline]
    pub(crate) fn set_host(&mut self, host: Range<usize>) {
        self.host = Body::narrow(host);
    }

    /// Returns a range in a link. The limit for links is below 4 GiB, also with a base and a triplet for each octet.
    #[inline(always)]
    pub(crate) fn narrow(range: Range<usize>) -> Range<u32> {
        let narrow = |at: usize| u32::try_from(at).unwrap_or_default();
        narrow(range.start)..narrow(range.end)
    }

    /// Returns the range of the host in the resolved text, if no URI is kept.
    pub(crate) fn host(&self) -> Range<usize> {
        self.host.start as usize..self.host.end as usize
    }

    /// Keeps a URI that is not the text.
    pub(crate) fn set_uri(&mut self, uri: Option<String>) {
        if let Some(uri) = uri {
            self.rare_mut().uri = Some(uri.into_boxed_str());
        }
    }

    /// Returns the URI, if it is kept and differs from the text.
    pub(crate) fn mapped(&self) -> Option<&str> {
        self.rare.as_ref()?.uri.as_deref()
    }

    pub(crate) fn origin(&self) -> Option<&Origin> {
        self.rare.as_ref()?.origin.as_deref()
    }

    pub(crate) fn text(&self) -> &str {
        self.resolved.as_deref().unwrap_or(&self.raw)
    }

    /// Returns the prefix of the text.
    #[inline]
    pub(crate) fn prefix(&self) -> &str {
        self.prefix.text(self.rare.as_ref().and_then(|rare| rare.prefix.as_deref()))
    }

    pub(crate) fn iri(&self) -> Cow<'_, str> {
        match self.prefix() {
            "" => Cow::Borrowed(self.text()),
            prefix => Cow::Owned([prefix, self.text()].concat()),
        }
    }

    pub(super) fn into_owned(self) -> Body<'static> {
        Body { raw: Cow::Owned(self.raw.into_owned()), ..self }
    }
}

/// A position, or none, which is line 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    line: u64,
    column: u64,
}

impl Place {
    pub(super) fn get(self) -> Option<Position> {
        let Place { line, column } = self;
        (line > 0).then_some(Position { line, column })
    }
}

impl From<Option<Position>> for Place {
    fn from(position: Option<Position>) -> Place {
        position.map_or(Place::default(), |Position { line, column }| Place { line, column })
    }
}

coded! {
    /// Transfer encoding of mail of a link's stored bytes.
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
    pub enum Transfer in "linksift" {
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

/// Origin of a link's document, shared by all links of that document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    /// The member of an archive, outermost first, steps joined by `!`.
    pub(crate) member: Option<Box<str>>,
    /// The bytes of that name, if they are not UTF-8.
    pub(crate) member_bytes: Option<Box<[u8]>>,
    /// Part inside a mailbox or message: `[N!]SECTION`.
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

    /// Returns the member of something that is in another document: of a file in a member, `OUTER!INNER`.
    fn member_within(&self, outer: &Origin) -> Option<Box<str>> {
        match (&outer.member, &self.member) {
            (Some(outer), Some(inner)) => Some([outer, "!", inner].concat().into()),
            (outer, inner) => inner.clone().or_else(|| outer.clone()),
        }
    }

    /// Where something comes from that `inner` says of itself, in a document that comes from here. What it says of
    /// itself, a message of its part, stays.
    pub(crate) fn around(self: &Arc<Origin>, inner: Option<&Origin>) -> Arc<Origin> {
        let Some(inner) = inner else { return Arc::clone(self) };
        Arc::new(Origin {
            member: inner.member_within(self),
            member_bytes: self.member_bytes.clone(),
            part: inner.part_within(self),
            message_number: self.message_number.or(inner.message_number),
            source: inner.source.clone().or_else(|| self.source.clone()),
            message_id: inner.message_id.clone().or_else(|| self.message_id.clone()),
        })
    }
}
