//! Pieces: what a parser of a binary document finds in it, one after the other, each with its place.
//!
//! A parser turns the bytes of a document into pieces; [`whole`](crate::whole) turns pieces into links.

use std::ops::Range;
use std::sync::Arc;

use crate::charset::Charset;
use crate::context::StoredContext;
use crate::detect::document::Format;

/// DocumentPiece of a document.
#[derive(Clone, Debug)]
pub(crate) struct DocumentPiece {
    /// Object that contains it: `31 0` in PDF, the name of a stream in a compound file.
    pub(crate) object: Arc<str>,
    /// Page that shows it, from 1.
    pub(crate) page: Option<u64>,
    /// Context of its links; those of [`PieceContent::Markup`] have the contexts of their format.
    pub(crate) context: StoredContext,
    pub(crate) content: PieceContent,
}

/// Content of a piece. Ranges of its links count in the bytes that it holds.
#[derive(Clone, Debug)]
pub(crate) enum PieceContent {
    /// An IRI reference.
    Value {
        text: String,
        /// IRI that it is resolved against, if the document declares one.
        base: Option<Arc<str>>,
        /// Text that readers see in place of it.
        shown: Option<String>,
    },
    /// Running text.
    Text(String),
    /// Running text of a page. Links that begin in `cut` are parts of values that are pieces themselves.
    #[cfg(feature = "pdf")]
    PageText { text: String, cut: Vec<Range<usize>> },
    /// Text in a format, in this charset if the document declares one.
    Markup { bytes: Vec<u8>, format: Format, charset: Option<Charset> },
    /// A part of the document as it is stored, whose links have their places in the document: in a format, or an IRI reference (`None`).
    Stored {
        range: Range<usize>,
        format: Option<Format>,
        charset: Option<Charset>,
        /// IRI of this part.
        base: Option<Arc<str>>,
    },
    /// A message that the parser composed; `member` is its name in a store of messages.
    #[cfg(feature = "office")]
    Message { bytes: Vec<u8>, places: Vec<MessagePlace>, member: Option<String> },
    /// A file of its own.
    File { name: String, bytes: Vec<u8> },
}

/// Place of a composed message: a range of it is the text of an object.
#[derive(Clone, Debug)]
#[cfg(feature = "office")]
pub(crate) struct MessagePlace {
    pub(crate) range: Range<usize>,
    pub(crate) object: Arc<str>,
    /// Offset in the object's text at which the range begins.
    pub(crate) from: usize,
}
