//! Detections: the format and disposition of a document, detected once and passed to its readers. A disposition
//! determines whether a document is text, and how much of any other document is scanned.

use super::{Format, PageRange};
use crate::charset::Detected;
use crate::codes::coded;
use crate::scan::reference::EscapeGrammar;

coded! {
    /// A compression or archive format, which [`files`](crate::files) and [`container`](crate::container) open.
    ///
    /// ```
    /// use linksift::{ArchiveFormat, Hints, detect};
    ///
    /// let found = detect(b"PK\x03\x04", &Hints::new());
    /// assert_eq!(found.archive().map(ArchiveFormat::as_str), Some("zip"));
    /// ```
    pub enum ArchiveFormat in "linksift" {
        /// gzip (RFC 1952).
        Gzip = "gzip",
        /// bzip2.
        Bzip2 = "bzip2",
        /// xz.
        Xz = "xz",
        /// LZMA in its own format, the predecessor of xz.
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
    /// Evidence on which a [`Detection`] is based.
    ///
    /// ```
    /// use linksift::{Evidence, Hints, detect};
    ///
    /// assert_eq!(detect(b"\x89PNG\r\n\x1A\n", &Hints::new()).evidence(), Evidence::Magic);
    /// assert_eq!(detect(b"see example.com", &Hints::new()).evidence(), Evidence::Content);
    /// ```
    pub enum Evidence in "linksift" {
        /// The [requested format](crate::Hints::format).
        Asked = "asked",
        /// The magic number.
        Magic = "magic",
        /// Declared by the [hints](crate::Hints::declared).
        Declared = "declared",
        /// The extension of the [name](crate::Hints::name).
        Name = "name",
        /// The first bytes: markup, fields of a message, control characters.
        Content = "content",
    }
}

/// Format of a text, which also determines how its running text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentFormat {
    Text,
    /// Text that is source code or settings.
    Code,
    /// Code in YAML, in which names of Kubernetes are not hosts.
    Yaml,
    /// reStructuredText.
    Rst,
    Asciidoc,
    /// Text that is RTF.
    Rtf,
    Html,
    Xml,
    Markdown,
    Css,
    Json,
    /// A notebook of Jupyter.
    Notebook,
    /// JSON that is the manifest of a web application.
    Manifest,
    Csv,
    /// Text with escapes of this grammar.
    Escaped(EscapeGrammar),
    Calendar,
    Vcard,
    Email,
    Mbox,
    /// An answer of HTTP with its header.
    Http,
}

impl DocumentFormat {
    /// Returns the format of this name; `None` for [`Format::Auto`].
    pub(crate) fn of(format: Format) -> Option<DocumentFormat> {
        Some(match format {
            Format::Auto => return None,
            Format::Text => DocumentFormat::Text,
            Format::Code => DocumentFormat::Code,
            Format::Yaml => DocumentFormat::Yaml,
            Format::Html => DocumentFormat::Html,
            Format::Xml => DocumentFormat::Xml,
            Format::Css => DocumentFormat::Css,
            Format::Json => DocumentFormat::Json,
            Format::Notebook => DocumentFormat::Notebook,
            Format::Csv => DocumentFormat::Csv,
            Format::Markdown => DocumentFormat::Markdown,
            Format::Rst => DocumentFormat::Rst,
            Format::Asciidoc => DocumentFormat::Asciidoc,
            Format::Calendar => DocumentFormat::Calendar,
            Format::Vcard => DocumentFormat::Vcard,
            Format::Properties => DocumentFormat::Escaped(EscapeGrammar::Properties),
            Format::Po => DocumentFormat::Escaped(EscapeGrammar::Po),
            Format::Strings => DocumentFormat::Escaped(EscapeGrammar::Strings),
            Format::Tex => DocumentFormat::Escaped(EscapeGrammar::Tex),
            Format::Texinfo => DocumentFormat::Escaped(EscapeGrammar::Texinfo),
            Format::Pod => DocumentFormat::Escaped(EscapeGrammar::Pod),
            Format::Roff => DocumentFormat::Escaped(EscapeGrammar::Roff),
            Format::Email => DocumentFormat::Email,
            Format::Mbox => DocumentFormat::Mbox,
            Format::Http => DocumentFormat::Http,
        })
    }

    fn public(self) -> Format {
        match self {
            DocumentFormat::Text | DocumentFormat::Rtf => Format::Text,
            DocumentFormat::Code => Format::Code,
            DocumentFormat::Yaml => Format::Yaml,
            DocumentFormat::Html => Format::Html,
            DocumentFormat::Xml => Format::Xml,
            DocumentFormat::Markdown => Format::Markdown,
            DocumentFormat::Rst => Format::Rst,
            DocumentFormat::Asciidoc => Format::Asciidoc,
            DocumentFormat::Css => Format::Css,
            DocumentFormat::Json | DocumentFormat::Manifest => Format::Json,
            DocumentFormat::Notebook => Format::Notebook,
            DocumentFormat::Csv => Format::Csv,
            DocumentFormat::Calendar => Format::Calendar,
            DocumentFormat::Vcard => Format::Vcard,
            DocumentFormat::Escaped(grammar) => match grammar {
                EscapeGrammar::Properties => Format::Properties,
                EscapeGrammar::Po => Format::Po,
                EscapeGrammar::Strings => Format::Strings,
                EscapeGrammar::Tex => Format::Tex,
                EscapeGrammar::Texinfo => Format::Texinfo,
                EscapeGrammar::Pod => Format::Pod,
                EscapeGrammar::Roff => Format::Roff,
                EscapeGrammar::Perl => Format::Code,
                EscapeGrammar::Notebook => Format::Notebook,
                EscapeGrammar::Cell | EscapeGrammar::Header => Format::Xml,
            },
            DocumentFormat::Email => Format::Email,
            DocumentFormat::Mbox => Format::Mbox,
            DocumentFormat::Http => Format::Http,
        }
    }
}

/// Disposition and format of a document, detected from its first 8 KiB and its hints by [`detect`](crate::detect).
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
    /// Format; `None` if it was not detected yet.
    pub(crate) format: Option<DocumentFormat>,
    /// Whether part of the head was not available: a control character in the rest of it would make text binary.
    pub(crate) is_early: bool,
}

impl Detection {
    /// Creates a detection with a disposition that is known before the bytes are read; its format is unknown.
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
    /// assert_eq!(detect(b"Rar!\x1A\x07", &Hints::new()).disposition(), Disposition::Opaque);
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

    /// Returns `true` if the document is a message or a mailbox.
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

    /// Returns the evidence that decided the disposition and the archive format, or the format of a text.
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

/// All that the beginning of a text, or of binary data, decides about the rest of it.
#[derive(Clone, Debug)]
pub(crate) struct TextOpening {
    pub(crate) format: DocumentFormat,
    pub(crate) encoding: Detected,
    /// Whether it is binary data, in which only some links are reported.
    pub(crate) is_binary: bool,
}

/// Declaration of a document by HTTP, WARC, mail or a table of inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Declared {
    /// No declaration, or one that does not decide: `application/octet-stream`.
    #[default]
    Nothing,
    /// Text without a format of its own: `text/x-patch`.
    Text,
    /// A document of this format.
    Format(Format),
    /// The manifest of a web application, whose format is JSON.
    Manifest,
    /// A document of this disposition, which is not text.
    Kind(Disposition),
}

coded! {
    /// Way in which a document is scanned, independent of its format.
    ///
    /// ```
    /// use linksift::{Disposition, Hints, detect};
    ///
    /// assert_eq!(detect(b"SQLite format 3\0", &Hints::new()).disposition(), Disposition::Table);
    /// assert_eq!("media".parse(), Ok(Disposition::Media));
    /// ```
    pub enum Disposition in "linksift" {
        /// Scanned according to its format.
        Text = "text",
        /// Scanned only for `scheme://` and `mailto:`, which hardly occur by chance.
        Binary = "binary",
        /// Read whole by the parser of PDF. `Opaque` without the feature `pdf`.
        Pdf = "pdf",
        /// Read whole: a compound file, such as a document of Word before 2007. `Binary` without the feature `office`.
        Office = "office",
        /// Read whole: a binary property list of macOS or iOS, such as a saved page (`.webarchive`). `Binary` without the feature
        /// `documents`.
        PropertyList = "property-list",
        /// Scanned as `Binary`: a container that is not opened, such as 7z, and contains more than its bytes show.
        Opaque = "opaque",
        /// A compressed file or an archive. It is scanned as `Binary` if it is not opened.
        Archive = "archive",
        /// Skipped: a picture, sound, video or font.
        Media = "media",
        /// Skipped: rows and columns, whose values are stored without separators.
        Table = "table",
        /// Skipped: text in an encoding that is not decoded.
        Undecodable = "undecodable",
        /// Skipped: encrypted, or in an envelope that is not opened.
        Encrypted = "encrypted",
        /// Skipped: a signature or a key, which contains no links.
        Signature = "signature",
    }
}

impl Disposition {
    /// Returns `true` if the document is scanned.
    pub(crate) fn is_scanned(self, wanted: NonText) -> bool {
        match self {
            Disposition::Text
            | Disposition::Pdf
            | Disposition::Office
            | Disposition::PropertyList => true,
            Disposition::Binary | Disposition::Opaque | Disposition::Archive => {
                !matches!(wanted, NonText::Refused | NonText::Skipped)
            }
            _ => wanted == NonText::AsText,
        }
    }

    /// Returns `true` if a parser reads the document whole.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Disposition::Pdf | Disposition::Office | Disposition::PropertyList)
    }

    /// Returns `true` if only `scheme://` and `mailto:` links are detected.
    pub(crate) fn is_binary(self) -> bool {
        matches!(self, Disposition::Binary | Disposition::Opaque | Disposition::Archive)
    }
}

/// Treatment of documents that are not text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NonText {
    /// The scan of a document that is not read is an error; binary data are not read.
    #[default]
    Refused,
    /// The scan of a document that is not read is an error; binary data are searched.
    Searched,
    /// Scanned or skipped according to their disposition, with a notice: parts of a document, and files.
    ByDisposition,
    /// Every document is scanned as text.
    AsText,
    /// Every document is skipped.
    Skipped,
}

impl NonText {
    /// Returns `true` if the scan of a document that is not read is an error.
    pub(crate) fn is_strict(self) -> bool {
        matches!(self, NonText::Refused | NonText::Searched)
    }

    /// Returns how a document of this disposition is scanned.
    pub(crate) fn applied_to(self, disposition: Disposition) -> Disposition {
        match self {
            NonText::AsText => Disposition::Text,
            _ => disposition,
        }
    }

    /// Returns the treatment of the parts of a document with this treatment.
    pub(crate) fn of_parts(self) -> NonText {
        match self {
            NonText::Refused | NonText::Searched => NonText::ByDisposition,
            other => other,
        }
    }
}

/// Parts of a document that are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScanScope {
    pub(crate) non_text: NonText,
    /// Whether the running text of markup is scanned.
    pub(crate) text: bool,
    /// Whether links have their visible text and relation.
    pub(crate) details: bool,
    pub(crate) pages: PageRange,
    /// Whether PDF is read.
    pub(crate) pdf: bool,
    /// Whether the document is a part of a message, whose sender chooses the base of its references.
    pub(crate) is_of_message: bool,
}

impl Default for ScanScope {
    fn default() -> ScanScope {
        let (non_text, pages) = (NonText::default(), PageRange::default());
        ScanScope { non_text, text: true, details: false, pages, pdf: true, is_of_message: false }
    }
}

impl ScanScope {
    /// Returns the scope of parts of a document.
    pub(crate) fn of_parts(self) -> ScanScope {
        ScanScope { non_text: self.non_text.of_parts(), ..self }
    }
}
