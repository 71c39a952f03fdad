//! Parts: MIME headers, the content that they declare, leaves with their format, encoding and stored bytes, and the events of
//! a scan, of which those other than candidates are of mail alone.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

use super::encoded_word::{ValueSegment, pieces};
use super::header::HeaderField;
use super::iri_values::{WhiteSpace, unenclosed, without};
use super::shift_encoding::{ShiftEncoding, is_silent};
use super::structure::{PartEnd, SearchStart};
use super::transfer::{ExpectedContent, TransferEncoding};
use crate::charset::Charset;
use crate::context::{ContextKind, KnownContext};
use crate::detect::document::{Declared, Detection, Disposition, Format};
use crate::detect::lowered;
use crate::detect::media_type::{first_word, parameter};
use crate::input::chunk::Chunk;
use crate::iri::IriBuf;
use crate::iri::repair::octets_encoded;
use crate::link::{Judged, Origin};
use crate::source_map::transfer::ByteOrigin;
use crate::source_map::{ByteCursor, SourceMap};

/// Most `Content-Type` fields of a header that are compared.
const MOST_TYPES: usize = 4;

/// Content that a header declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PartContent {
    Multipart { boundary: Box<[u8]>, is_digest: bool, is_alternative: bool },
    Message,
    Leaf(LeafFormat),
}

/// Reason why a declared charset is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UndecodableCharset {
    Unknown,
    Shifted(ShiftEncoding),
}

/// Format in which a leaf part is scanned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LeafFormat {
    /// Running text, and how its lines are flowed (RFC 3676).
    Text { delsp: bool },
    /// As a document of this format; by its name and content, if that is `Auto`.
    As(Format, Option<Box<[u8]>>),
    /// RFC 1896.
    Enriched,
    /// Binary according to its type; the name and the content decide whether it is text nevertheless.
    Kind(Disposition, Option<Box<[u8]>>),
    /// Skipped.
    Skip,
}

/// MIME header fields of a part.
#[derive(Clone, Debug, Default)]
pub(crate) struct MimeHeaders {
    /// The one that counts.
    content_type: Option<Box<[u8]>>,
    other_types: Vec<Box<[u8]>>,
    disposition: Option<Box<[u8]>>,
    pub(crate) encoding: Option<TransferEncoding>,
    pub(crate) location: Option<Box<str>>,
    pub(crate) base: Option<Box<str>>,
    pub(crate) message_id: Option<Arc<str>>,
    pub(crate) length: Option<usize>,
    pub(crate) is_one_click: bool,
    /// A field that must occur only once occurs again; the second one is ignored.
    pub(crate) has_duplicates: bool,
}

impl MimeHeaders {
    /// Notes what a field says.
    pub(crate) fn note(&mut self, bytes: &[u8], field: &HeaderField) {
        let name = &bytes[field.name.clone()];
        let value = &bytes[field.value.clone()];
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted.as_bytes());
        // By length first: most fields have another name.
        match name.len() {
            12 if is("Content-Type") => {
                self.has_duplicates |= self.content_type.is_some();
                match self.content_type {
                    None => self.content_type = Some(value.trim_ascii().into()),
                    Some(_) if self.count_types() < MOST_TYPES => {
                        self.other_types.push(value.trim_ascii().into());
                    }
                    Some(_) => {}
                }
            }
            25 if is("Content-Transfer-Encoding") => match self.encoding {
                None => self.encoding = Some(TransferEncoding::of(first_word(value))),
                Some(_) => self.has_duplicates = true,
            },
            19 if is("Content-Disposition") && self.disposition.is_none() => {
                self.disposition = Some(value.trim_ascii().into());
            }
            16 if is("Content-Location") && self.location.is_none() => self.location = iri(value),
            12 if is("Content-Base") && self.base.is_none() => self.base = iri(value),
            10 if is("Message-ID") && self.message_id.is_none() => {
                self.message_id = identifier(value);
            }
            14 if is("Content-Length") && self.length.is_none() => {
                let digits = std::str::from_utf8(value.trim_ascii()).ok();
                self.length = digits.and_then(|digits| digits.parse().ok());
            }
            21 if is("List-Unsubscribe-Post") => {
                let value: Vec<u8> =
                    value.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
                self.is_one_click = value.eq_ignore_ascii_case(b"List-Unsubscribe=One-Click");
            }
            _ => {}
        }
    }

    /// What records of links of its fields say of it, as far as it is there.
    pub(super) fn tells_of_links(&self) -> [bool; 4] {
        let MimeHeaders { message_id, location, base, is_one_click, .. } = self;
        [message_id.is_some(), location.is_some(), base.is_some(), *is_one_click]
    }

    /// The type, in lower case.
    pub(crate) fn mime_type(&self) -> Option<Cow<'_, str>> {
        let word = first_word(self.content_type()?);
        word.contains(&b'/').then(|| lowered(String::from_utf8_lossy(word)))
    }

    fn content_type(&self) -> Option<&[u8]> {
        self.content_type.as_deref()
    }

    fn parameter(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        parameter(self.content_type()?, name)
    }

    /// How many fields `Content-Type` it has, as far as they are kept.
    pub(super) fn count_types(&self) -> usize {
        usize::from(self.content_type.is_some()) + self.other_types.len()
    }

    /// The boundaries of its types, each with the number of its type.
    pub(super) fn boundaries(&self) -> Vec<(usize, Box<[u8]>)> {
        let types = self.content_type.iter().chain(&self.other_types).enumerate();
        types.filter_map(|(at, value)| Some((at, boundary(value)?))).collect()
    }

    /// Makes the type of this number the one that counts.
    pub(super) fn choose_type(&mut self, number: usize) {
        let other = number.checked_sub(1).and_then(|number| self.other_types.get_mut(number));
        if let (Some(first), Some(other)) = (&mut self.content_type, other) {
            std::mem::swap(first, other);
        }
    }

    /// The name of the file that the part was.
    pub(crate) fn name(&self) -> Option<Box<[u8]>> {
        let disposition = self.disposition.as_deref();
        let name = disposition.and_then(|value| parameter(value, "filename"));
        name.or_else(|| self.parameter("name")).map(|name| with_words_decoded(&name).into())
    }

    /// The label of the charset, as it is written.
    pub(crate) fn charset_label(&self) -> Option<Cow<'_, [u8]>> {
        self.parameter("charset")
    }

    /// The charset that the part names.
    pub(crate) fn charset(&self) -> Result<Option<Charset>, UndecodableCharset> {
        let Some(label) = self.parameter("charset") else { return Ok(None) };
        let label = String::from_utf8_lossy(label.trim_ascii());
        if is_silent(&label) {
            return Ok(None);
        }
        label.parse().map(Some).map_err(|_| {
            ShiftEncoding::of_label(&label)
                .map_or(UndecodableCharset::Unknown, UndecodableCharset::Shifted)
        })
    }

    /// What the part is, in a multipart whose parts are messages if they say nothing.
    pub(crate) fn content(&self, is_in_digest: bool) -> PartContent {
        let mime_type = self.mime_type();
        let mime_type = match (mime_type.as_deref(), is_in_digest) {
            (None, true) => "message/rfc822",
            (None, false) => "text/plain",
            (Some(mime_type), _) => mime_type,
        };
        if let Some(subtype) = mime_type.strip_prefix("multipart/") {
            return match self.content_type().and_then(boundary) {
                Some(boundary) => PartContent::Multipart {
                    boundary,
                    is_digest: subtype == "digest",
                    is_alternative: subtype == "alternative",
                },
                None => PartContent::Leaf(LeafFormat::Text { delsp: false }),
            };
        }
        if ["message/rfc822", "message/global", "message/news"].contains(&mime_type) {
            return PartContent::Message;
        }
        PartContent::Leaf(self.reading(mime_type))
    }

    fn reading(&self, mime_type: &str) -> LeafFormat {
        let text = LeafFormat::Text { delsp: false };
        let subtype = mime_type.split_once('/').map_or("", |(_, subtype)| subtype);
        match (mime_type, subtype) {
            ("text/plain", _) => {
                let is = |name: &str, wanted: &str| {
                    let value = self.parameter(name);
                    value.is_some_and(|value| value.eq_ignore_ascii_case(wanted.as_bytes()))
                };
                return LeafFormat::Text { delsp: is("format", "flowed") && is("delsp", "yes") };
            }
            ("text/enriched" | "text/richtext", _) => return LeafFormat::Enriched,
            _ => {}
        }
        match Declared::of(mime_type) {
            Declared::Format(Format::Text) | Declared::Text => text,
            Declared::Format(format) => LeafFormat::As(format, None),
            Declared::Nothing => LeafFormat::As(Format::Auto, self.name()),
            Declared::Kind(disposition) => LeafFormat::Kind(disposition, self.name()),
        }
    }
}

/// The boundary of a multipart.
fn boundary(content_type: &[u8]) -> Option<Box<[u8]>> {
    const MULTIPART: &[u8] = b"multipart/";
    let word = first_word(content_type);
    let is_multipart =
        word.get(..MULTIPART.len()).is_some_and(|word| word.eq_ignore_ascii_case(MULTIPART));
    let boundary = is_multipart.then(|| parameter(content_type, "boundary"))??;
    // Blanks at its end do not belong to it (RFC 2046 §5.1.1).
    (!boundary.is_empty()).then(|| boundary.trim_ascii_end().into())
}

/// A name in which encoded words are decoded, though no parameter should have them (RFC 2047 §5).
fn with_words_decoded(name: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(name.len());
    for piece in pieces(name) {
        match piece {
            ValueSegment::Plain(range) => decoded.extend_from_slice(&name[range]),
            ValueSegment::Words(words) => {
                let text = words.charset.unwrap_or_default().decode(&words.bytes);
                decoded.extend_from_slice(text.as_bytes());
            }
        }
    }
    decoded
}

/// An IRI in a field: in `<>`, in quotes or neither, without folds, encoded words decoded.
fn iri(value: &[u8]) -> Option<Box<str>> {
    let pieces = pieces(value);
    let text = match &pieces[..] {
        [ValueSegment::Words(words)] => words.charset.unwrap_or_default().decode(&words.bytes),
        _ => octets_encoded(value),
    };
    let inner = &text.as_bytes()[unenclosed(text.as_bytes())];
    let text = String::from_utf8_lossy(&without(inner, WhiteSpace::Folds)).into_owned();
    (!text.is_empty()).then(|| text.into())
}

/// The identifier of a message, without `<>`.
fn identifier(value: &[u8]) -> Option<Arc<str>> {
    let value = value.trim_ascii();
    let inner = match memchr::memchr(b'<', value) {
        Some(start) => value[start + 1..].split(|b| *b == b'>').next()?,
        None => value.split(u8::is_ascii_whitespace).next()?,
    };
    let kept = without(inner, WhiteSpace::All);
    (!kept.is_empty() && kept.len() <= 998).then(|| String::from_utf8_lossy(&kept).into())
}

/// The context of text before the first part of a multipart.
pub(super) static PREAMBLE: KnownContext = KnownContext::new("preamble", ContextKind::Preamble);
/// The context of text after the last.
pub(super) static EPILOGUE: KnownContext = KnownContext::new("epilogue", ContextKind::Epilogue);

/// What a leaf has at most that is read whole, in stored bytes.
pub(super) const LONG: usize = crate::limits::WHOLE;

/// Entity that a leaf part contains, if it is not a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NestedContent {
    Nothing,
    /// A message that is encoded.
    Message,
    /// An entity of MIME that is signed.
    Entity,
    /// Perhaps the parts of the multipart that begins here, encoded so: if it has no delimiter as it is stored.
    Parts(TransferEncoding),
}

/// A part that holds no parts, or the text between parts.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(super) reading: LeafFormat,
    /// Text, or binary data, of which only sure links are reported.
    pub(super) disposition: Disposition,
    pub(super) holds: NestedContent,
    pub(super) encoding: TransferEncoding,
    /// What its header names, if that is one.
    pub(super) charset: Result<Option<Charset>, UndecodableCharset>,
    pub(super) section: Vec<u64>,
    pub(super) source: Option<Box<str>>,
    pub(super) base: Option<IriBuf>,
    pub(super) context: Option<&'static KnownContext>,
}

impl Leaf {
    pub(super) fn new(
        content: PartContent,
        head: &MimeHeaders,
        encoding: TransferEncoding,
    ) -> Leaf {
        let (reading, holds) = match content {
            PartContent::Leaf(reading) => (reading, NestedContent::Nothing),
            _ => (LeafFormat::Skip, NestedContent::Message),
        };
        Leaf {
            reading,
            holds,
            disposition: Disposition::Text,
            encoding,
            charset: head.charset(),
            section: Vec::new(),
            source: None,
            base: None,
            context: None,
        }
    }

    /// What its bytes are to be.
    pub(super) fn expected(&self) -> ExpectedContent {
        match self.reading {
            _ if matches!(self.holds, NestedContent::Message | NestedContent::Parts(_)) => {
                ExpectedContent::Text(None)
            }
            LeafFormat::As(Format::Auto, _) | LeafFormat::Skip | LeafFormat::Kind(..) => {
                ExpectedContent::Bytes
            }
            _ => ExpectedContent::Text(self.charset.ok().flatten()),
        }
    }

    /// Returns the leaf of the text before the first delimiter of a level, after its last, or of a line of a header.
    pub(super) fn between(context: &'static KnownContext) -> Leaf {
        Leaf {
            reading: LeafFormat::Text { delsp: false },
            holds: NestedContent::Nothing,
            disposition: Disposition::Text,
            encoding: TransferEncoding::Identity,
            charset: Ok(None),
            section: Vec::new(),
            source: None,
            base: None,
            context: Some(context),
        }
    }
}

/// Where a leaf ends, as far as that is known; offsets of all bytes.
pub(super) struct LeafEnd {
    /// Its end is looked for from here on.
    pub(super) from: SearchStart,
    /// Where that is, and with what it ends.
    pub(super) found: Option<(usize, PartEnd)>,
}

/// The stored bytes of a leaf.
#[derive(Clone, Copy)]
pub(super) struct StoredLeaf<'s> {
    pub(super) bytes: &'s [u8],
    /// Where they begin in all bytes.
    pub(super) start: usize,
    /// What lines are counted in.
    pub(super) chunk: Chunk<'s>,
    /// Where what they stand for is stored, in all bytes; `None`: they stand for themselves.
    pub(super) map: Option<&'s SourceMap>,
    /// The detection of their head, if it was made before they were decoded.
    pub(super) detection: Option<Detection>,
}

impl StoredLeaf<'_> {
    /// The place in all bytes of a byte that they stand for.
    pub(super) fn origin(&self, cursor: &mut ByteCursor, decoded: usize) -> ByteOrigin {
        match self.map {
            None => ByteOrigin::literal(self.start + decoded),
            Some(map) => map.byte_near(cursor, Chunk::new(self.bytes, self.start, true), decoded),
        }
    }
}

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
