//! Evidence of a document's encoding: byte order marks (Encoding Standard §6, "BOM sniff"), the declarations and hints that
//! are the input of detection, and its result.

use std::fmt;

use super::Charset;
use crate::codes::coded;

coded! {
    /// How the encoding of a document is known.
    ///
    /// ```
    /// use linksift::CharsetSource;
    ///
    /// assert_eq!(CharsetSource::Declared.as_str(), "declared");
    /// assert_eq!("utf-8".parse(), Ok(CharsetSource::Utf8));
    /// ```
    pub enum CharsetSource in "linksift" {
        /// A byte order mark.
        Bom = "bom",
        /// Declared outside the document: by an option, or a header of HTTP or MIME.
        Transport = "transport",
        /// Declared by the document, in a `<meta>`, an XML declaration, a `@charset` or a mode line.
        Declared = "declared",
        /// No declaration, but the document is valid UTF-8 or ASCII.
        Utf8 = "utf-8",
        /// No declaration: detected from the content.
        Detected = "detected",
        /// No declaration, and no evidence in the content: windows-1252.
        Default = "default",
    }
}

/// The encoding of a document, and how it is known.
///
/// ```
/// # #[cfg(feature = "documents")] {
/// use linksift::{CharsetSource, Detected};
///
/// let found = Detected::of(b"<meta charset=Latin1><p>caf\xE9").unwrap();
/// assert_eq!(found.charset().as_str(), "windows-1252");
/// assert_eq!(found.source(), CharsetSource::Declared);
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    pub(super) charset: Charset,
    pub(super) source: CharsetSource,
    pub(super) unknown_label: Option<Box<str>>,
}

impl Detected {
    /// Returns the encoding of the document.
    ///
    /// ```
    /// let found = linksift::Detected::of("naïve".as_bytes())?;
    /// assert_eq!(found.charset().as_str(), "utf-8");
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Returns how the encoding is known.
    ///
    /// ```
    /// use linksift::{CharsetSource, Detected};
    ///
    /// let found = Detected::of("naïve".as_bytes())?;
    /// assert_eq!(found.source(), CharsetSource::Utf8);
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn source(&self) -> CharsetSource {
        self.source
    }

    /// Returns the first unknown label that the document declares, if any. The label was ignored; callers may want to show
    /// a warning.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// let found = linksift::Detected::of(b"<?xml version='1.0' encoding='latin-one'?>").unwrap();
    /// assert_eq!(found.unknown_label(), Some("latin-one"));
    /// # }
    /// ```
    pub fn unknown_label(&self) -> Option<&str> {
        self.unknown_label.as_deref()
    }

    /// Returns where the text of a document in a legacy encoding begins: after the byte order mark, if it has one.
    #[cfg(feature = "documents")]
    pub(crate) fn text_start(&self) -> usize {
        match self.source {
            CharsetSource::Bom if self.charset.layout().is_some() => 2,
            _ => 0,
        }
    }

    /// Returns the encoding of a document that is only ASCII.
    pub(crate) fn ascii() -> Detected {
        Detected::new(Charset::UTF_8, CharsetSource::Utf8)
    }

    pub(crate) fn with_label(
        charset: Charset,
        source: CharsetSource,
        unknown_label: Option<String>,
    ) -> Detected {
        Detected { charset, source, unknown_label: unknown_label.map(Into::into) }
    }

    pub(super) fn new(charset: Charset, source: CharsetSource) -> Detected {
        Detected::with_label(charset, source, None)
    }
}

/// Encoding that a document declares, or that is declared for it.
pub(super) enum DeclaredEncoding {
    As(Detected),
    Nothing { unknown_label: Option<Box<str>> },
}

impl DeclaredEncoding {
    /// Adds an unknown label that was declared for the document before its own declaration was read.
    pub(super) fn after(self, label: Option<&str>) -> DeclaredEncoding {
        let Some(label) = label else { return self };
        let unknown_label = Some(label.into());
        match self {
            DeclaredEncoding::As(detected) => {
                DeclaredEncoding::As(Detected { unknown_label, ..detected })
            }
            DeclaredEncoding::Nothing { .. } => DeclaredEncoding::Nothing { unknown_label },
        }
    }
}

/// Error for a document that declares an encoding which the Encoding Standard maps to `replacement` (`hz-gb-2312`,
/// `iso-2022-cn`, `iso-2022-kr`). By the standard nothing is decoded from it, since text in it can hide markup.
///
/// ```
/// # #[cfg(feature = "documents")] {
/// use linksift::{Finder, Hints};
///
/// assert!(Finder::new().document(b"<meta charset=hz-gb-2312> http://example.com/", &Hints::new()).is_err());
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UndecodableError {
    label: Box<str>,
}

impl UndecodableError {
    pub(super) fn new(label: String) -> UndecodableError {
        UndecodableError { label: label.into() }
    }

    /// Returns the label as written.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }
}

impl fmt::Display for UndecodableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the declared encoding {:?} is not supported", self.label)
    }
}

impl std::error::Error for UndecodableError {}

/// Evidence of the encoding in addition to a document's bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EncodingHints<'k> {
    /// Result of an earlier detection.
    pub(crate) detected: Option<&'k Detected>,
    /// Encoding that HTTP, MIME or an option declares.
    pub(crate) transport: Option<Charset>,
    /// The declared label, if it is unknown.
    pub(crate) unknown_label: Option<&'k str>,
    /// Whether the document is known to be HTML, so that a `<meta>` after text is a declaration too.
    pub(crate) is_html: bool,
}

/// Encoding that a document's first bytes declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bom {
    Utf8,
    Utf16Be,
    Utf16Le,
}

/// Returns the encoding of the byte order mark with which `start` begins.
pub(super) fn sniff_bom(start: &[u8]) -> Option<Bom> {
    match start {
        [0xEF, 0xBB, 0xBF, ..] => Some(Bom::Utf8),
        [0xFE, 0xFF, ..] => Some(Bom::Utf16Be),
        [0xFF, 0xFE, ..] => Some(Bom::Utf16Le),
        _ => None,
    }
}

/// Returns the length in bytes of the byte order mark with which `start` begins.
pub(crate) fn mark_len(start: &[u8]) -> Option<usize> {
    sniff_bom(start).map(|bom| if bom == Bom::Utf8 { 3 } else { 2 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_marks_and_nothing_shorter() {
        assert_eq!(sniff_bom(b"\xEF\xBB\xBFa"), Some(Bom::Utf8));
        assert_eq!(sniff_bom(b"\xFE\xFF"), Some(Bom::Utf16Be));
        assert_eq!(
            sniff_bom(b"\xFF\xFE\0\0"),
            Some(Bom::Utf16Le),
            "UTF-32 is none of the standard's"
        );
        for none in [&b""[..], b"\xEF\xBB", b"\xFE", b"\xFF", b"a\xEF\xBB\xBF"] {
            assert_eq!(sniff_bom(none), None);
        }
    }
}
