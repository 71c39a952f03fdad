//! Leaf parts: their format, encoding, and stored bytes.

use super::part::{LeafFormat, MimeHeaders, PartContent, UndecodableCharset};
use super::structure::{PartEnd, SearchStart};
use super::transfer::{ExpectedContent, TransferEncoding};
use crate::charset::Charset;
use crate::context::{ContextKind, KnownContext};
use crate::detect::document::{Detection, Disposition, Format};
use crate::input::chunk::Chunk;
use crate::iri::IriBuf;
use crate::source_map::transfer::ByteOrigin;
use crate::source_map::{ByteCursor, SourceMap};

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
