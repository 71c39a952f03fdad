//! Parts: MIME headers, the content that they declare, leaves with their format, encoding and stored bytes.

use std::borrow::Cow;
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
use crate::detect::mail::is_opened_by_name;
use crate::detect::media_type::{after_comments, first_word, is_of, lossy, parameter};
use crate::input::chunk::Chunk;
use crate::iri::IriBuf;
use crate::iri::repair::octets_encoded;
use crate::source_map::transfer::ByteOrigin;
use crate::source_map::{ByteCursor, SourceMap};

/// Maximum number of `Content-Type` fields of a header that are kept.
const MOST_TYPES: usize = 4;

/// Content that a header declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PartContent {
    Multipart {
        boundary: Box<[u8]>,
        is_digest: bool,
        is_alternative: bool,
    },
    Message,
    /// Header of a message without its body (RFC 6522 §3).
    MessageHeader,
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
    /// Running text; with `delsp`, flowed lines are joined without the space between them (RFC 3676).
    Text { delsp: bool },
    /// Document of this format; if it is `Auto`, the name and the content decide.
    As(Format, Option<Box<[u8]>>),
    /// `text/enriched` (RFC 1896) or `text/richtext`.
    Enriched,
    /// Binary according to its type; the name and the content decide whether it is text nevertheless.
    Kind(Disposition, Option<Box<[u8]>>),
    /// Skipped.
    Skip,
}

/// MIME header fields of a part.
#[derive(Clone, Debug, Default)]
pub(crate) struct MimeHeaders {
    /// Value of the `Content-Type` field that counts.
    content_type: Option<Box<[u8]>>,
    other_types: Vec<Box<[u8]>>,
    disposition: Option<Box<[u8]>>,
    pub(crate) encoding: Option<TransferEncoding>,
    /// Whether `Content-Transfer-Encoding` has a value that is not known.
    pub(crate) is_encoding_unknown: bool,
    /// Boundary of a multipart: the declared one, or that which its body shows.
    pub(super) boundary: Option<Box<[u8]>>,
    pub(crate) location: Option<Box<str>>,
    pub(crate) base: Option<Box<str>>,
    pub(crate) message_id: Option<Arc<str>>,
    pub(crate) length: Option<usize>,
    pub(crate) is_one_click: bool,
    /// Whether `Content-Type` or `Content-Transfer-Encoding` occurs more than once.
    pub(crate) has_duplicates: bool,
}

impl MimeHeaders {
    /// Records the value of a field, if a part's properties depend on it.
    pub(crate) fn note(&mut self, bytes: &[u8], field: &HeaderField) {
        let name = &bytes[field.name.clone()];
        let value = &bytes[field.value.clone()];
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted.as_bytes());
        // Compare the length first: most fields have another name.
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
                None => {
                    let encoding = TransferEncoding::of(after_comments(value));
                    self.is_encoding_unknown = encoding.is_none();
                    self.encoding = Some(encoding.unwrap_or_default());
                }
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

    /// Returns which of the properties that records of its fields' links contain are known.
    pub(super) fn tells_of_links(&self) -> [bool; 4] {
        let MimeHeaders { message_id, location, base, is_one_click, .. } = self;
        [message_id.is_some(), location.is_some(), base.is_some(), *is_one_click]
    }

    /// Returns the media type in lower case.
    pub(crate) fn mime_type(&self) -> Option<Cow<'_, str>> {
        let word = first_word(self.content_type()?);
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        match () {
            // Programs omit the type.
            () if is("html") => Some(Cow::Borrowed("text/html")),
            () if is("plain") || is("text") => Some(Cow::Borrowed("text/plain")),
            () => word.contains('/').then(|| lowered(word)),
        }
    }

    fn content_type(&self) -> Option<&[u8]> {
        self.content_type.as_deref()
    }

    fn parameter(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        parameter(self.content_type()?, name)
    }

    /// Returns the number of `Content-Type` fields that are kept.
    pub(super) fn count_types(&self) -> usize {
        usize::from(self.content_type.is_some()) + self.other_types.len()
    }

    /// Returns the boundaries of its types, each with the number of its type.
    pub(super) fn boundaries(&self) -> Vec<(usize, Box<[u8]>)> {
        let types = self.content_type.iter().chain(&self.other_types).enumerate();
        types.filter_map(|(at, value)| Some((at, boundary(value)?))).collect()
    }

    /// Returns `true` if the type is a multipart, and records the boundary that it declares.
    pub(super) fn is_multipart(&mut self) -> bool {
        let multipart = self.content_type().filter(|value| is_multipart(value));
        let (declared, is_multipart) = (multipart.and_then(boundary), multipart.is_some());
        self.boundary = declared;
        is_multipart
    }

    /// Selects the type with this number as the one that counts.
    pub(super) fn choose_type(&mut self, number: usize) {
        let other = number.checked_sub(1).and_then(|number| self.other_types.get_mut(number));
        if let (Some(first), Some(other)) = (&mut self.content_type, other) {
            std::mem::swap(first, other);
        }
    }

    /// Returns the file name of the part.
    pub(crate) fn name(&self) -> Option<Box<[u8]>> {
        let disposition = self.disposition.as_deref();
        let name = disposition.and_then(|value| parameter(value, "filename"));
        name.or_else(|| self.parameter("name")).map(|name| with_words_decoded(&name).into())
    }

    /// Returns `true` unless no field can have the name of a file: it has a dot, which may be encoded.
    fn may_name_a_file(&self) -> bool {
        let may = |value: &[u8]| memchr::memchr3(b'.', b'%', b'?', value).is_some();
        self.disposition.as_deref().is_some_and(may) || self.content_type().is_some_and(may)
    }

    /// Returns the label of the charset as it is written.
    pub(crate) fn charset_label(&self) -> Option<Cow<'_, [u8]>> {
        self.parameter("charset")
    }

    /// Returns the charset that the part declares; `None` if it declares none.
    pub(crate) fn charset(&self) -> Result<Option<Charset>, UndecodableCharset> {
        let Some(label) = self.parameter("charset") else { return Ok(None) };
        let label = lossy(label.trim_ascii());
        if is_silent(&label) {
            return Ok(None);
        }
        Charset::for_mail_label(&label).map(Some).ok_or_else(|| {
            ShiftEncoding::of_label(&label)
                .map_or(UndecodableCharset::Unknown, UndecodableCharset::Shifted)
        })
    }

    /// Returns the content that the part declares. Without a type it is text, or a message if the part is in a digest.
    pub(crate) fn content(&self, is_in_digest: bool) -> PartContent {
        let mime_type = self.mime_type();
        let mime_type = match (mime_type.as_deref(), is_in_digest) {
            (None, true) => "message/rfc822",
            (None, false) => "text/plain",
            (Some(mime_type), _) => mime_type,
        };
        if let Some(subtype) = mime_type.strip_prefix("multipart/") {
            return match self.boundary.clone() {
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
        if ["text/rfc822-headers", "message/global-headers"].contains(&mime_type) {
            return PartContent::MessageHeader;
        }
        PartContent::Leaf(self.reading(mime_type))
    }

    fn reading(&self, mime_type: &str) -> LeafFormat {
        let text = LeafFormat::Text { delsp: false };
        let name = if self.may_name_a_file() { self.name() } else { None };
        let is_markup = |declared| matches!(declared, Declared::Format(Format::Html | Format::Xml));
        if name.as_deref().is_some_and(is_opened_by_name) && !is_markup(Declared::of(mime_type)) {
            return LeafFormat::As(Format::Auto, name);
        }
        match mime_type {
            "text/plain" => {
                let is = |name: &str, wanted: &str| {
                    let value = self.parameter(name);
                    value.is_some_and(|value| value.eq_ignore_ascii_case(wanted.as_bytes()))
                };
                return LeafFormat::Text { delsp: is("format", "flowed") && is("delsp", "yes") };
            }
            "text/enriched" | "text/richtext" => return LeafFormat::Enriched,
            _ => {}
        }
        let name = name.or_else(|| self.name());
        match Declared::of(mime_type) {
            Declared::Format(Format::Text) | Declared::Text => text,
            Declared::Format(format) => LeafFormat::As(format, None),
            Declared::Manifest => LeafFormat::As(Format::Json, None),
            Declared::Nothing => LeafFormat::As(Format::Auto, name),
            Declared::Kind(disposition) => LeafFormat::Kind(disposition, name),
        }
    }
}

fn is_multipart(content_type: &[u8]) -> bool {
    is_of(content_type, "multipart/")
}

/// Returns the boundary that a multipart declares.
fn boundary(content_type: &[u8]) -> Option<Box<[u8]>> {
    let boundary = is_multipart(content_type).then(|| parameter(content_type, "boundary"))??;
    // Trailing blanks do not belong to it (RFC 2046 §5.1.1).
    (!boundary.is_empty()).then(|| boundary.trim_ascii_end().into())
}

/// Returns a name with its encoded words decoded. RFC 2047 §5 forbids them in parameters, but programs write them.
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

/// Returns the IRI of a field: in `<>`, in quotes or neither, without folds, and decoded if it consists of encoded
/// words.
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

/// Returns the identifier of a message without `<>`, if it is not longer than a line may be (RFC 5322 §2.1.1).
fn identifier(value: &[u8]) -> Option<Arc<str>> {
    let value = value.trim_ascii();
    let inner = match memchr::memchr(b'<', value) {
        Some(start) => value[start + 1..].split(|b| *b == b'>').next()?,
        None => value.split(u8::is_ascii_whitespace).next()?,
    };
    let kept = without(inner, WhiteSpace::All);
    (!kept.is_empty() && kept.len() <= 998).then(|| lossy(&kept).into())
}

/// Context of text before the first part of a multipart.
pub(super) static PREAMBLE: KnownContext = KnownContext::new("preamble", ContextKind::Preamble);
/// Context of text after the last part of a multipart.
pub(super) static EPILOGUE: KnownContext = KnownContext::new("epilogue", ContextKind::Epilogue);

/// Entity that a leaf part contains, if it is not a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NestedContent {
    Nothing,
    /// An encoded message.
    Message,
    /// The encoded header of a message.
    MessageHeader,
    /// A signed MIME entity.
    Entity,
    /// The parts of the multipart that begins here, in this encoding, if its stored bytes contain no delimiter.
    Parts(TransferEncoding),
}

/// Part that contains no parts, or the text between parts.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(super) reading: LeafFormat,
    /// Text, or binary data in which only `scheme://` and `mailto:` links are detected.
    pub(super) disposition: Disposition,
    pub(super) holds: NestedContent,
    pub(super) encoding: TransferEncoding,
    /// Charset that its header declares, if any.
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
            PartContent::MessageHeader => (LeafFormat::Skip, NestedContent::MessageHeader),
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

    /// Returns the expected content of its decoded bytes.
    pub(super) fn expected(&self) -> ExpectedContent {
        match self.reading {
            _ if !matches!(self.holds, NestedContent::Nothing | NestedContent::Entity) => {
                ExpectedContent::Text(None)
            }
            LeafFormat::As(Format::Auto, _) | LeafFormat::Skip | LeafFormat::Kind(..) => {
                ExpectedContent::Bytes
            }
            _ => ExpectedContent::Text(self.charset.ok().flatten()),
        }
    }

    /// Creates a leaf for text outside parts: before the first delimiter of a level, after its last, or in a header.
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

/// End of a leaf, as far as it is known; offsets are those of the input.
pub(super) struct LeafEnd {
    /// Offset from which the end is searched.
    pub(super) from: SearchStart,
    /// Offset and kind of the end.
    pub(super) found: Option<(usize, PartEnd)>,
}

/// Stored bytes of a leaf.
#[derive(Clone, Copy)]
pub(super) struct StoredLeaf<'s> {
    pub(super) bytes: &'s [u8],
    /// Offset of the bytes in the input.
    pub(super) start: usize,
    /// Chunk in which lines are counted.
    pub(super) chunk: Chunk<'s>,
    /// Map from the decoded bytes to the input; `None` if the bytes are not encoded.
    pub(super) map: Option<&'s SourceMap>,
    /// Detection of their head, if it was made before they were decoded.
    pub(super) detection: Option<Detection>,
}

impl StoredLeaf<'_> {
    /// Returns the range in the input that stores a decoded byte.
    pub(super) fn origin(&self, cursor: &mut ByteCursor, decoded: usize) -> ByteOrigin {
        match self.map {
            None => ByteOrigin::literal(self.start + decoded),
            Some(map) => map.byte_near(cursor, Chunk::new(self.bytes, self.start, true), decoded),
        }
    }
}
