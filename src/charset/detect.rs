//! Detects the encoding of a document, and the source of that information.
//!
//! The input is the beginning of a document and external evidence, the result is a [`Detected`]. The order is: byte order
//! mark, transport, a declaration in the document's first 1,024 bytes, UTF-8 if it is valid, the content, windows-1252.
//! Only the first 64 KiB of non-ASCII bytes in the first 1 MiB count; later bytes never change the result.

use super::evidence::{
    self, CharsetSource, DeclaredEncoding, Detected, EncodingHints, UndecodableError,
};
use super::utf8::{Extent, START};
use super::{Charset, encodings};

impl Detected {
    /// Maximum number of bytes of a document that [`Detected::of`] examines.
    pub const START: usize = START;

    /// Detects the encoding of a document from its declarations or its content. The document is read as whichever of HTML,
    /// XML, CSS and text it looks like.
    ///
    /// The first [`START`](Detected::START) bytes, and one more if the document is longer, are enough.
    ///
    /// # Errors
    ///
    /// Returns an error if the document declares an encoding that the standard maps to `replacement`.
    ///
    /// ```
    /// use linksift::{CharsetSource, Detected};
    ///
    /// let found = Detected::of("naïve".as_bytes()).unwrap();
    /// assert_eq!((found.charset().name(), found.source()), ("utf-8", CharsetSource::Utf8));
    /// # #[cfg(feature = "documents")] {
    /// let found = Detected::of(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!").unwrap();
    /// assert_eq!((found.charset().name(), found.source()), ("windows-1251", CharsetSource::Detected));
    /// assert!(Detected::of(b"<meta charset=iso-2022-kr>").is_err());
    /// # }
    /// ```
    pub fn of(bytes: &[u8]) -> Result<Detected, UndecodableError> {
        let (start, extent) = match bytes.get(..START) {
            Some(start) if bytes.len() > START => (start, Extent::Beginning),
            _ => (bytes, Extent::Whole),
        };
        decide(start, extent, &EncodingHints::default())
    }
}

/// Detects the encoding of a document that begins with `start`, of which only the first [`START`] bytes are examined.
///
/// # Errors
///
/// Returns an error if the document declares `replacement`.
pub(crate) fn decide(
    start: &[u8],
    extent: Extent,
    known: &EncodingHints<'_>,
) -> Result<Detected, UndecodableError> {
    let (start, extent) = match start.get(..START) {
        Some(head) if start.len() > START => (head, Extent::Beginning),
        _ => (start, extent),
    };
    match said(start, extent, known)? {
        DeclaredEncoding::As(detected) => Ok(detected),
        DeclaredEncoding::Nothing { unknown_label } => {
            let detected = encodings::by_content(start, extent, known)?;
            let unknown_label = unknown_label.or(detected.unknown_label);
            Ok(Detected { unknown_label, ..detected })
        }
    }
}

/// Detects the encoding by a byte order mark, by the transport's declaration, or by one in the document.
///
/// # Errors
///
/// Returns an error if the document declares `replacement`.
pub(super) fn said(
    start: &[u8],
    extent: Extent,
    known: &EncodingHints<'_>,
) -> Result<DeclaredEncoding, UndecodableError> {
    if let Some(detected) = known.detected {
        return Ok(DeclaredEncoding::As(detected.clone()));
    }
    if let Some(charset) = evidence::sniff_bom(start).and_then(Charset::of_bom) {
        return Ok(DeclaredEncoding::As(Detected::new(charset, CharsetSource::Bom)));
    }
    if let Some(charset) = known.transport {
        return Ok(DeclaredEncoding::As(Detected::new(charset, CharsetSource::Transport)));
    }
    Ok(encodings::declared(start, extent, known)?.after(known.unknown_label))
}
