//! Detections: what a document is, by its bytes and by what others declare, detected once and carried to its readers; and
//! dispositions, which decide whether a document is text, and how much of another one is scanned.

use super::Format;
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

/// Declaration of a document by HTTP, WARC, mail or a table of inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Declared {
    /// Nothing, or nothing that decides: `application/octet-stream`.
    #[default]
    Nothing,
    /// Text of a kind that has no format of its own: `text/x-patch`.
    Text,
    /// A format.
    Format(Format),
    /// No text.
    Kind(Disposition),
}

coded! {
    /// How a document is scanned, whatever its format is.
    ///
    /// ```
    /// use linksift::{Disposition, Hints, detect};
    ///
    /// assert_eq!(detect(b"SQLite format 3\0", &Hints::new()).disposition(), Disposition::Table);
    /// assert_eq!("media".parse(), Ok(Disposition::Media));
    /// ```
    pub enum Disposition in "linksift" via as_str {
        /// By its format.
        Text = "text",
        /// For `scheme://` and `mailto:` alone, which no bytes spell by chance.
        Binary = "binary",
        /// As `Binary`: a container that is not opened holds more than its bytes show, such as PDF or 7z.
        Opaque = "opaque",
        /// A compression or an archive. Who opens none scans it as `Binary`.
        Archive = "archive",
        /// Not at all: a picture, sound, video or font.
        Media = "media",
        /// Not at all: rows and columns, whose values lie side by side without anything between.
        Table = "table",
        /// Not at all: text in an encoding that nothing is decoded from.
        Undecodable = "undecodable",
        /// Not at all: encrypted, or in an envelope that is not opened.
        Encrypted = "encrypted",
        /// Not at all: a signature or a key, in which no link is lost.
        Signature = "signature",
    }
}

impl Disposition {
    /// Whether anything is looked for.
    pub(crate) fn is_scanned(self, wanted: NonText) -> bool {
        match self {
            Disposition::Text => true,
            Disposition::Binary | Disposition::Opaque | Disposition::Archive => {
                wanted != NonText::Skipped
            }
            _ => wanted == NonText::AsText,
        }
    }

    /// Whether links are `scheme://` and `mailto:` alone.
    pub(crate) fn is_binary(self) -> bool {
        matches!(self, Disposition::Binary | Disposition::Opaque | Disposition::Archive)
    }
}

/// Treatment of documents that are no text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NonText {
    /// By their disposition.
    #[default]
    ByDisposition,
    /// All are read as text.
    AsText,
    /// None is scanned.
    Skipped,
}
