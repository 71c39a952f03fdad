//! Which encoding a document is in, and why.
//!
//! What comes in is a document's beginning and what others say of it; what goes out is a
//! [`Detected`]. The order: byte order mark, transport, what the document declares in its first
//! 1,024 bytes, UTF-8 if it is valid, what the content looks like, windows-1252. The document is
//! judged by its first 64 KiB of non-ASCII in its first 1 MiB, and later bytes never change it.

use std::fmt;

use super::utf8::{Extent, START};
use super::{Charset, bom};
use crate::codes::coded;

coded! {
    /// Where it is known from how a document is encoded.
    ///
    /// ```
    /// use linksift::CharsetSource;
    ///
    /// assert_eq!(CharsetSource::Declared.as_str(), "declared");
    /// assert_eq!("utf-8".parse(), Ok(CharsetSource::Utf8));
    /// ```
    pub enum CharsetSource via as_str {
        /// A byte order mark.
        Bom = "bom",
        /// What brought the document says so: an option, a header of HTTP or MIME.
        Transport = "transport",
        /// The document says so itself, in a `<meta>`, an XML declaration, a `@charset`, a mode line.
        Declared = "declared",
        /// Nothing is said, and it is valid UTF-8; ASCII too.
        Utf8 = "utf-8",
        /// Nothing is said: found out by the content.
        Detected = "detected",
        /// Nothing is said, and nothing could be found out: windows-1252.
        Default = "default",
    }
}

/// What a document is encoded in, and where that is known from.
///
/// ```
/// # #[cfg(feature = "charset")] {
/// use linksift::{CharsetSource, Detected};
///
/// let found = Detected::of(b"<meta charset=Latin1><p>caf\xE9").unwrap();
/// assert_eq!(found.charset().name(), "windows-1252");
/// assert_eq!(found.source(), CharsetSource::Declared);
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    charset: Charset,
    source: CharsetSource,
    unknown_label: Option<Box<str>>,
}

impl Detected {
    /// How many bytes of a document [`Detected::of`] looks at.
    pub const START: usize = START;

    /// What a document is encoded in by its own word or its content; it is looked at as whichever of
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
    /// # #[cfg(feature = "charset")] {
    /// let found = Detected::of(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!").unwrap();
    /// assert_eq!((found.charset().name(), found.source()), ("windows-1251", CharsetSource::Detected));
    /// assert!(Detected::of(b"<meta charset=iso-2022-kr>").is_err());
    /// # }
    /// ```
    pub fn of(bytes: &[u8]) -> Result<Detected, ReplacementDeclared> {
        let (start, extent) = match bytes.get(..START) {
            Some(start) if bytes.len() > START => (start, Extent::Beginning),
            _ => (bytes, Extent::Whole),
        };
        decide(start, extent, &Known::default())
    }

    /// What it is encoded in.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Where that is known from.
    pub fn source(&self) -> CharsetSource {
        self.source
    }

    /// The first label in the document's declarations that is none, if there was one. It has been
    /// passed over; a reader may want to be warned.
    ///
    /// ```
    /// # #[cfg(feature = "charset")] {
    /// let found = linksift::Detected::of(b"<?xml version='1.0' encoding='latin-one'?>").unwrap();
    /// assert_eq!(found.unknown_label(), Some("latin-one"));
    /// # }
    /// ```
    pub fn unknown_label(&self) -> Option<&str> {
        self.unknown_label.as_deref()
    }

    /// Where the text begins, if it is in a legacy charset: behind the byte order mark, if one stands
    /// there.
    #[cfg(feature = "charset")]
    pub(crate) fn text_start(&self) -> usize {
        match self.source {
            CharsetSource::Bom if self.charset.layout().is_some() => 2,
            _ => 0,
        }
    }

    fn new(charset: Charset, source: CharsetSource) -> Detected {
        Detected { charset, source, unknown_label: None }
    }
}

/// The refusal of a document that declares an encoding which the Encoding Standard maps to
/// `replacement` (`hz-gb-2312`, `iso-2022-cn`, `iso-2022-kr`): nothing can be decoded from it, by
/// the standard, since text in it can hide markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacementDeclared {
    label: Box<str>,
}

impl ReplacementDeclared {
    #[cfg(feature = "charset")]
    pub(super) fn new(label: String) -> ReplacementDeclared {
        ReplacementDeclared { label: label.into() }
    }

    /// The label, as it is written.
    ///
    /// ```
    /// # #[cfg(feature = "charset")] {
    /// let refused = linksift::Detected::of(b"<meta charset=iso-2022-cn>").unwrap_err();
    /// assert_eq!(refused.label(), "iso-2022-cn");
    /// # }
    /// ```
    pub fn label(&self) -> &str {
        &self.label
    }
}

impl fmt::Display for ReplacementDeclared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "declared as {:?}, which is not decoded", self.label)
    }
}

impl std::error::Error for ReplacementDeclared {}

/// Which declarations a document can have.
#[allow(dead_code, reason = "`Detected::of` asks for `Unknown` alone")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DeclarationKind {
    /// `<meta>`, and the XML declaration.
    Html,
    /// The XML declaration.
    Xml,
    /// `@charset`.
    Css,
    /// Mode lines of editors.
    Text,
    /// Whichever the content suggests.
    #[default]
    Unknown,
}

/// What is known of a document beside its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known<'k> {
    /// What somebody found out before.
    pub(crate) detected: Option<&'k Detected>,
    /// What HTTP, MIME or an option says.
    pub(crate) transport: Option<Charset>,
    #[cfg_attr(
        not(feature = "charset"),
        allow(dead_code, reason = "without it nothing is declared")
    )]
    pub(crate) kind: DeclarationKind,
    /// The top-level domain that it comes from, without a dot.
    #[cfg_attr(not(feature = "charset"), allow(dead_code, reason = "a hint for guesses alone"))]
    pub(crate) tld: Option<&'k [u8]>,
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
    known: &Known<'_>,
) -> Result<Detected, ReplacementDeclared> {
    let (start, extent) = match start.get(..START) {
        Some(head) if start.len() > START => (head, Extent::Beginning),
        _ => (start, extent),
    };
    match said(start, extent, known)? {
        Said::As(detected) => Ok(detected),
        Said::Nothing { unknown_label } => {
            Ok(Detected { unknown_label, ..by_content(start, extent, known)? })
        }
    }
}

/// What a document says of its encoding, or others for it.
pub(super) enum Said {
    As(Detected),
    Nothing { unknown_label: Option<Box<str>> },
}

/// By a byte order mark, by what brought the document, by a declaration in it.
///
/// # Errors
///
/// A document that declares `replacement`.
pub(super) fn said(
    start: &[u8],
    extent: Extent,
    known: &Known<'_>,
) -> Result<Said, ReplacementDeclared> {
    if let Some(detected) = known.detected {
        return Ok(Said::As(detected.clone()));
    }
    if let Some(bom) = bom::sniff(start) {
        return Ok(Said::As(Detected::new(Charset::of_bom(bom), CharsetSource::Bom)));
    }
    if let Some(charset) = known.transport {
        return Ok(Said::As(Detected::new(charset, CharsetSource::Transport)));
    }
    declared(start, extent, known)
}

#[cfg(feature = "charset")]
fn declared(start: &[u8], extent: Extent, known: &Known<'_>) -> Result<Said, ReplacementDeclared> {
    let (declared, unknown) = super::declared::find(start, extent, known.kind).settle()?;
    let unknown_label = unknown.map(Into::into);
    Ok(match declared.map(Charset::of) {
        Some(charset) => {
            let source = CharsetSource::Declared;
            Said::As(Detected { charset, source, unknown_label })
        }
        None => Said::Nothing { unknown_label },
    })
}

#[cfg(feature = "charset")]
fn by_content(
    start: &[u8],
    extent: Extent,
    known: &Known<'_>,
) -> Result<Detected, ReplacementDeclared> {
    let (encoding, source) = super::content::find(start, extent, known)?;
    Ok(Detected::new(Charset::of(encoding), source))
}

#[cfg(not(feature = "charset"))]
fn declared(_: &[u8], _: Extent, _: &Known<'_>) -> Result<Said, ReplacementDeclared> {
    Ok(Said::Nothing { unknown_label: None })
}

/// Without encodings, all is UTF-8.
#[cfg(not(feature = "charset"))]
fn by_content(
    start: &[u8],
    extent: Extent,
    _: &Known<'_>,
) -> Result<Detected, ReplacementDeclared> {
    use super::utf8::{Verdict, judged, verdict};
    let (judged, extent) = judged(start, extent);
    let source = match verdict(judged, extent) {
        Verdict::Other => CharsetSource::Default,
        _ => CharsetSource::Utf8,
    };
    Ok(Detected::new(Charset::UTF_8, source))
}
