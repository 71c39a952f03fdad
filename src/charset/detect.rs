//! Which encoding a document is in, and why.
//!
//! Takes a document's beginning and what others say of it; gives a
//! [`Detected`]. The order: byte order mark, transport, what the document declares in its first
//! 1,024 bytes, UTF-8 if it is valid, what the content looks like, windows-1252. The document is
//! judged by its first 64 KiB of non-ASCII in its first 1 MiB, and later bytes never change it.

use super::evidence::{CharsetSource, DeclaredEncoding, Detected, EncodingHints, UndecodableError};
use super::utf8::{Extent, START};
use super::{Charset, bom, encodings};

impl Detected {
    /// How many bytes of a document [`Detected::of`] looks at.
    pub const START: usize = START;

    /// The encoding of a document by its own word or its content; it is looked at as whichever of
    /// HTML, XML, CSS and text it looks like.
    ///
    /// It is enough to give the first [`START`](Detected::START) bytes and one more, if there are.
    ///
    /// # Errors
    ///
    /// A document that declares an encoding which the standard replaces by nothing.
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

/// Decides how a document is encoded that begins with `start`; of more than [`START`] bytes the
/// rest is not looked at.
///
/// # Errors
///
/// A document that declares `replacement`.
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
/// A document that declares `replacement`.
pub(super) fn said(
    start: &[u8],
    extent: Extent,
    known: &EncodingHints<'_>,
) -> Result<DeclaredEncoding, UndecodableError> {
    if let Some(detected) = known.detected {
        return Ok(DeclaredEncoding::As(detected.clone()));
    }
    if let Some(charset) = bom::sniff(start).and_then(Charset::of_bom) {
        return Ok(DeclaredEncoding::As(Detected::new(charset, CharsetSource::Bom)));
    }
    if let Some(charset) = known.transport {
        return Ok(DeclaredEncoding::As(Detected::new(charset, CharsetSource::Transport)));
    }
    Ok(encodings::declared(start, extent, known)?.after(known.unknown_label))
}
