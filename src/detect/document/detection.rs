//! Detections: what a document is, detected once and carried to whoever reads it.

use super::{Disposition, Format};
use crate::codes::coded;

coded! {
    /// A compression or an archive, which [`files`](crate::files) and [`container`](crate::container) open.
    ///
    /// ```
    /// use linksift::{ArchiveFormat, Hints, detect};
    ///
    /// let found = detect(b"PK\x03\x04", &Hints::new());
    /// assert_eq!(found.archive().map(ArchiveFormat::as_str), Some("zip"));
    /// ```
    pub enum ArchiveFormat in "linksift" via as_str {
        /// gzip (RFC 1952).
        Gzip = "gzip",
        /// bzip2.
        Bzip2 = "bzip2",
        /// xz.
        Xz = "xz",
        /// LZMA alone, the predecessor of xz.
        Lzma = "lzma",
        /// Zstandard (RFC 8878).
        Zstd = "zstd",
        /// LZ4 frames.
        Lz4 = "lz4",
        /// Brotli (RFC 7932).
        Brotli = "brotli",
        /// ZIP, and formats based on it: Office documents, EPUB, Java archives.
        Zip = "zip",
        /// tar.
        Tar = "tar",
        /// The archive of `ar`: a Debian package.
        Ar = "ar",
        /// A crawl: WARC (ISO 28500), or ARC before it.
        Warc = "warc",
    }
}

coded! {
    /// Evidence that a [`Detection`] rests on.
    ///
    /// ```
    /// use linksift::{Evidence, Hints, detect};
    ///
    /// assert_eq!(detect(b"\x89PNG\r\n\x1A\n", &Hints::new()).evidence(), Evidence::Magic);
    /// assert_eq!(detect(b"see example.com", &Hints::new()).evidence(), Evidence::Content);
    /// ```
    pub enum Evidence in "linksift" via as_str {
        /// The format that is [asked for](crate::Hints::format).
        Asked = "asked",
        /// The magic number.
        Magic = "magic",
        /// Declared by the [hints](crate::Hints::declared).
        Declared = "declared",
        /// The ending of the [name](crate::Hints::name).
        Name = "name",
        /// The first bytes: markup, fields of a message, control characters.
        Content = "content",
    }
}

/// The format of a text, and what running text in it is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentFormat {
    Text,
    /// Text that is source code or settings.
    Code,
    /// Text that is AsciiDoc.
    Asciidoc,
    /// Text that is RTF.
    Rtf,
    Html,
    Xml,
    Markdown,
    Css,
    Json,
    Csv,
    Calendar,
    Vcard,
    Email,
    Mbox,
}

impl DocumentFormat {
    /// The format of this name; `None` of [`Format::Auto`].
    pub(crate) fn of(format: Format) -> Option<DocumentFormat> {
        Some(match format {
            Format::Auto => return None,
            Format::Text => DocumentFormat::Text,
            Format::Code => DocumentFormat::Code,
            Format::Html => DocumentFormat::Html,
            Format::Xml => DocumentFormat::Xml,
            Format::Css => DocumentFormat::Css,
            Format::Json => DocumentFormat::Json,
            Format::Csv => DocumentFormat::Csv,
            Format::Markdown => DocumentFormat::Markdown,
            Format::Calendar => DocumentFormat::Calendar,
            Format::Vcard => DocumentFormat::Vcard,
            Format::Email => DocumentFormat::Email,
            Format::Mbox => DocumentFormat::Mbox,
        })
    }

    fn public(self) -> Format {
        match self {
            DocumentFormat::Text | DocumentFormat::Asciidoc | DocumentFormat::Rtf => Format::Text,
            DocumentFormat::Code => Format::Code,
            DocumentFormat::Html => Format::Html,
            DocumentFormat::Xml => Format::Xml,
            DocumentFormat::Markdown => Format::Markdown,
            DocumentFormat::Css => Format::Css,
            DocumentFormat::Json => Format::Json,
            DocumentFormat::Csv => Format::Csv,
            DocumentFormat::Calendar => Format::Calendar,
            DocumentFormat::Vcard => Format::Vcard,
            DocumentFormat::Email => Format::Email,
            DocumentFormat::Mbox => Format::Mbox,
        }
    }
}

/// Disposition and format of a document, detected by its first 8 KiB and its hints; [`detect`](crate::detect) makes it.
///
/// ```
/// use linksift::{Disposition, Format, Hints, detect};
///
/// let page = detect(b"<!doctype html><a href=b>c</a>", &Hints::new());
/// assert_eq!((page.disposition(), page.format()), (Disposition::Text, Format::Html));
/// let picture = detect(b"\x89PNG\r\n\x1A\n", &Hints::new());
/// assert_eq!(picture.disposition(), Disposition::Media);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    pub(crate) disposition: Disposition,
    pub(crate) archive: Option<ArchiveFormat>,
    pub(crate) evidence: Evidence,
    /// `None` where nobody has asked, or bytes that are not there yet decide.
    pub(crate) format: Option<DocumentFormat>,
    /// Not all of the head was there: a control character in the rest of it would make text binary.
    pub(crate) is_early: bool,
}

impl Detection {
    /// A disposition that is known before the bytes are looked at; the format is not.
    pub(crate) fn known(disposition: Disposition) -> Detection {
        Detection::of(disposition, Evidence::Declared)
    }

    pub(crate) fn of(disposition: Disposition, evidence: Evidence) -> Detection {
        Detection { disposition, archive: None, evidence, format: None, is_early: false }
    }

    pub(crate) fn of_archive(archive: ArchiveFormat, evidence: Evidence) -> Detection {
        let archive = Some(archive);
        Detection { archive, ..Detection::of(Disposition::Archive, evidence) }
    }

    /// Returns how the document is scanned.
    ///
    /// ```
    /// use linksift::{Disposition, Hints, detect};
    ///
    /// assert_eq!(detect(b"%PDF-1.7", &Hints::new()).disposition(), Disposition::Opaque);
    /// ```
    pub fn disposition(&self) -> Disposition {
        self.disposition
    }

    /// Returns the compression or archive that the document is, if it is one.
    ///
    /// ```
    /// use linksift::{ArchiveFormat, Hints, detect};
    ///
    /// let found = detect(b"\x1F\x8B\x08\0", &Hints::new());
    /// assert_eq!(found.archive(), Some(ArchiveFormat::Gzip));
    /// ```
    pub fn archive(&self) -> Option<ArchiveFormat> {
        self.archive
    }

    /// Returns the format of its text, or [`Format::Text`] if the document is not text.
    ///
    /// ```
    /// use linksift::{Format, Hints, detect};
    ///
    /// let named = Hints::new().name("notes.md");
    /// # #[cfg(feature = "documents")]
    /// assert_eq!(detect(b"see example.com", &named).format(), Format::Markdown);
    /// ```
    pub fn format(&self) -> Format {
        self.format.map_or(Format::Text, DocumentFormat::public)
    }

    /// Whether the document is a message or a mailbox.
    ///
    /// ```
    /// use linksift::{Hints, detect};
    ///
    /// # #[cfg(feature = "mail")]
    /// assert!(detect(b"Subject: a\nFrom: b@e.com\n\nc", &Hints::new()).is_mail());
    /// ```
    pub fn is_mail(&self) -> bool {
        matches!(self.format, Some(DocumentFormat::Email | DocumentFormat::Mbox))
    }

    /// Returns the step that decided: it settles the disposition and the archive, and the format of a text.
    ///
    /// ```
    /// use linksift::{Evidence, Hints, detect};
    ///
    /// # #[cfg(feature = "documents")]
    /// assert_eq!(detect(b"a", &Hints::new().name("a.md")).evidence(), Evidence::Name);
    /// ```
    pub fn evidence(&self) -> Evidence {
        self.evidence
    }
}
