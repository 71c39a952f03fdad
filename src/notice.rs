//! What a scan says of a document: notices for who reads its links, and what was gone through.

use std::error::Error;
use std::fmt;
use std::io;

use crate::charset::Detected;
use crate::codes::coded;

coded! {
    display none
    /// A notice: something that a reader of a document's links should know of the document. `Display` gives a sentence for
    /// people, [`code`](Notice::code) the stable word.
    ///
    /// ```
    /// use linksift::Notice;
    ///
    /// assert_eq!(Notice::ReadAsText.code(), "read-as-text");
    /// assert_eq!("read-as-text".parse(), Ok(Notice::ReadAsText));
    /// ```
    pub enum Notice in "linksift" via code {
        /// It was scanned as running text, though it is markup: the reader of its format needs all of it in
        /// memory at once, and it is too long for that (Markdown and pages in UTF-16 or ISO-2022-JP of
        /// more than 16 MiB), or so full of marks that it would take too much (Markdown).
        ReadAsText = "read-as-text",
        /// It is not text: only what begins with `scheme://` or `mailto:` is a link in it.
        Binary = "binary",
        /// It turned out to be binary after the first of it had been read as text, since links of a pipe are not held back: from
        /// the first control character on only what begins with `scheme://` or `mailto:` is a link in it.
        LateBinary = "late-binary",
        /// It is of a format that holds more than its bytes show, and that is not opened.
        NotOpened = "not-opened",
        /// It is compressed, or an archive, and was given to a call that opens none
        /// ([`Finder::document`](crate::Finder::document), [`Finder::scan_reader`](crate::Finder::scan_reader)), or archives are
        /// not to be opened: only what begins with `scheme://` or `mailto:` is a link in it. `linksift::files` scans
        /// the documents in it, `linksift::container` reads them.
        ArchiveUnopened = "archive-unopened",
        /// It is a picture, sound, a video or a font, by how it begins, by its declared type or its name: it was not
        /// scanned.
        MediaUnread = "media-unread",
        /// It holds rows and columns (Parquet, Arrow, Feather, ORC, Avro, SQLite, Access), whose values lie side by side
        /// without anything between: it was not scanned.
        TableUnread = "table-unread",
        /// A header of a message has a field twice that may be there only once. The first counts; of two `Content-Type`
        /// fields the one whose boundary occurs in the body.
        DuplicateHeader = "duplicate-header",
        /// A message is in itself deeper than 64 levels, or through more than three encodings; what is
        /// deeper was read as text.
        TooDeep = "too-deep",
        /// A header has a field of more than 1 MiB: of a message it was read as text, of HTTP the first 1 MiB were read. The
        /// fields after it were read as usual.
        FieldTooLong = "field-too-long",
        /// A header of a message has more than 1 MiB before a field that says something of links in it (`Message-ID`,
        /// `List-Unsubscribe-Post`, `Content-Location`, `Content-Base`): it does not count for those.
        LateField = "late-field",
        /// A `multipart/alternative` has more than 100,000 links, which are not held until the best of its parts is
        /// known: those of all are given.
        AlternativesUnheld = "alternatives-unheld",
        /// A multipart is in base64 or quoted-printable, which RFC 2045 forbids (§6.4); it was decoded.
        EncodedMultipart = "encoded-multipart",
        /// In the text of a message armour, uuencode or yEnc was left out.
        Skipped = "skipped",
        /// The document, who sent it or a part of a message names a charset that is unknown: the encoding was detected.
        /// [`Detected::unknown_label`](crate::Detected::unknown_label) has the label of a document.
        UnknownCharset = "unknown-charset",
        /// A part of a message, or a word of its header, is in an encoding that is not decoded: UTF-7, HZ, ISO-2022-KR,
        /// ISO-2022-CN. Links of ASCII alone are found in it, if their neighbours are ASCII too; in a page that declares
        /// one itself, none. Or a document is in UTF-32, in which no links are found.
        Undecodable = "undecodable",
        /// An archive of more than 16 MiB is attached to a message: it is not opened.
        AttachmentTooLong = "attachment-too-long",
        /// What is attached to a message is encrypted, in an envelope that is not opened, or an archive that nobody
        /// opened.
        AttachmentUnread = "attachment-unread",
        /// It is a member of a zip with the name of one before, or the same member a second time, which
        /// is not scanned again.
        Duplicate = "duplicate",
        /// Whoever stored it did not store all of it.
        SourceTruncated = "source-truncated",
        /// It is a record of a crawl with a piece of a document that begins in another one: it is not read.
        ContinuationUnread = "continuation-unread",
        /// Its declared base, or the IRI that its record declares, is not an IRI that a browser could open
        /// ([`iri::repair`](crate::iri::repair)): nothing was resolved against it.
        BaseUnusable = "base-unusable",
        /// A file met in a walk is written by the run itself: it was not read.
        Output = "output",
        /// A base of it is longer than 8 KiB: references against it are rejected.
        BaseTooLong = "base-too-long",
        /// The IRI that its record, or its header, says is its own is longer than 8 KiB: no link tells it.
        SourceTooLong = "source-too-long",
        /// A long base, an IRI of its own or the name of a member would be told with so many links that the output would be many
        /// times its size: further references against the base are rejected, the IRI is left out and the name is cut.
        Repeated = "repeated",
        /// The name of a member is longer than 8 KiB: it is cut, and ends in a number made of all of it.
        NameTooLong = "name-too-long",
        /// A value that holds several links, a style sheet or a document is longer than 1 MiB and is no list that could
        /// be read part by part, or the `content` of a `meta` is longer than a link may be: links in it are not given.
        ValueTooLong = "value-too-long",
        /// Elements of XML stand in each other deeper than 16,384 levels; bases and prefixes that deeper ones declare do
        /// not count.
        ElementsTooDeep = "elements-too-deep",
        /// More than 256 prefixes of XML namespaces are in force at one place, or one has more than 64 bytes; it does not
        /// count.
        PrefixesTooMany = "prefixes-too-many",
        /// A document type declaration takes declarations from a parameter entity (`%name;`), which is not read, or declares
        /// entities beyond 4 MiB: entities declared there are not resolved.
        EntitiesUnread = "entities-unread",
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Notice::ReadAsText => "too large or complex to parse; scanned as plain text",
            Notice::Binary => "binary data; only scheme:// and mailto: links are found",
            Notice::LateBinary => {
                "starts as text but continues as binary data; only scheme:// and mailto: links are found there"
            }
            Notice::Duplicate => "an earlier member has this name or this offset",
            Notice::SourceTruncated => "the document was not stored completely",
            Notice::ContinuationUnread => "a part of a document that begins in another record; skipped",
            Notice::BaseTooLong => "a base is longer than 8 KiB; references to it are rejected",
            Notice::SourceTooLong => "the document's own IRI is longer than 8 KiB; omitted",
            Notice::Repeated => {
                "a long base, IRI or name is repeated with too many links; references are rejected, the IRI is omitted, the name is cut"
            }
            Notice::NameTooLong => "a member's name is longer than 8 KiB; cut",
            Notice::ValueTooLong => "a value is too long; links in it are skipped",
            Notice::ElementsTooDeep => {
                "elements are nested deeper than 16,384 levels; bases and prefixes of deeper ones are ignored"
            }
            Notice::PrefixesTooMany => {
                "more than 256 namespace prefixes, or one longer than 64 bytes; the excess is ignored"
            }
            Notice::EntitiesUnread => {
                "the document type declares entities that are not read"
            }
            Notice::BaseUnusable => "the base is not a valid IRI; references are not resolved against it",
            Notice::Output => "written by this run; skipped",
            Notice::NotOpened => {
                "unsupported format; only scheme:// and mailto: links are found"
            }
            Notice::ArchiveUnopened => {
                "an archive or compressed data; only scheme:// and mailto: links are found; use linksift::files to open it"
            }
            Notice::DuplicateHeader => "a header field is repeated; the first one is used, or the Content-Type whose boundary occurs",
            Notice::TooDeep => "messages are nested too deeply; scanned as plain text",
            Notice::FieldTooLong => {
                "a header field is longer than 1 MiB; scanned as plain text, or in part"
            }
            Notice::LateField => {
                "a header field is more than 1 MiB after links that it applies to"
            }
            Notice::AlternativesUnheld => {
                "an alternative has more than 100,000 links; all alternatives are read"
            }
            Notice::EncodedMultipart => {
                "a multipart has a transfer encoding, which is not allowed; decoded"
            }
            Notice::Skipped => "encoded data in the text is skipped",
            Notice::UnknownCharset => "an unknown encoding is declared; detected it instead",
            Notice::Undecodable => {
                "the encoding is not supported; only ASCII links are found, if any"
            }
            Notice::MediaUnread => "an image, audio, video or font; skipped",
            Notice::TableUnread => "a database or table file; skipped",
            Notice::AttachmentTooLong => {
                "an attached archive is larger than 16 MiB; skipped"
            }
            Notice::AttachmentUnread => {
                "an attachment is encrypted, or an archive that cannot be opened; skipped"
            }
        })
    }
}

/// Notices of one document, each once, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notices(Vec<Notice>);

impl Notices {
    pub(crate) fn add(&mut self, notice: Notice) {
        if !self.0.contains(&notice) {
            self.0.push(notice);
        }
    }

    pub(crate) fn add_all(&mut self, notices: &[Notice]) {
        notices.iter().for_each(|notice| self.add(*notice));
    }

    pub(crate) fn as_slice(&self) -> &[Notice] {
        &self.0
    }
}

/// The totals of a scan: bytes, links, encoding, notices.
///
/// ```
/// use linksift::{Finder, Hints};
/// use std::ops::ControlFlow;
///
/// let text = &b"see example.com or example.org"[..];
/// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Continue(()))?;
/// assert_eq!((scanned.bytes(), scanned.links(), scanned.stopped()), (30, 2, false));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    pub(crate) bytes: u64,
    pub(crate) links: u64,
    pub(crate) stopped: bool,
    pub(crate) detected: Option<Detected>,
    pub(crate) notices: Vec<Notice>,
}

impl Scanned {
    /// The bytes read.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let text = &b"see example.com or example.org"[..];
    /// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Continue(()))?;
    /// assert_eq!(scanned.bytes(), 30);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The links found.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let text = &b"see example.com or example.org"[..];
    /// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Continue(()))?;
    /// assert_eq!(scanned.links(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn links(&self) -> u64 {
        self.links
    }

    /// The encoding of the input, and how it is known.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let text = &b"see example.com or example.org"[..];
    /// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Continue(()))?;
    /// assert_eq!(scanned.detected().unwrap().charset().name(), "utf-8");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn detected(&self) -> Option<&Detected> {
        self.detected.as_ref()
    }

    /// The first notice on the input; [`Candidates`](crate::Candidates) say it of what
    /// is in memory.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let text = &b"see example.com or example.org"[..];
    /// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Continue(()))?;
    /// assert_eq!(scanned.notice(), None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn notice(&self) -> Option<Notice> {
        self.notices.first().copied()
    }

    /// All that a reader of its links should know: of a message there may be several things.
    ///
    /// ```
    /// # #[cfg(feature = "mail")] {
    /// use linksift::Notice;
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Content-Type: text/plain\nContent-Type: text/html\n\nsee example.com";
    /// let scanned = Finder::new().scan_message(bytes, &Hints::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(scanned.notices(), [Notice::DuplicateHeader]);
    /// # }
    /// ```
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Whether the callback or a [`Cancel`](crate::Cancel) stopped the scan before the end of the input.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let text = &b"see example.com or example.org"[..];
    /// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Break(()))?;
    /// assert_eq!((scanned.links(), scanned.stopped()), (1, true));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn stopped(&self) -> bool {
        self.stopped
    }
}

impl Scanned {
    /// The error of a scan that came so far.
    pub(crate) fn failed(self, error: io::Error) -> ScanError {
        ScanError { error, scanned: self }
    }
}

/// The error of a scan: what its reader failed with, with the totals and notices so far.
///
/// It is turned into an [`io::Error`] by `?` where a function returns one.
///
/// ```
/// use linksift::{Finder, Hints};
/// use std::io::{self, Read};
/// use std::ops::ControlFlow;
///
/// struct Cut;
///
/// impl Read for Cut {
///     fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
///         Err(io::ErrorKind::ConnectionReset.into())
///     }
/// }
///
/// let reader = b"see example.com or".chain(Cut);
/// let failed = Finder::new().scan_reader(reader, &Hints::new(), |_| ControlFlow::Continue(()));
/// let error = failed.unwrap_err();
/// assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
/// assert_eq!((error.scanned().links(), error.scanned().bytes()), (1, 18));
/// ```
#[derive(Debug)]
pub struct ScanError {
    error: io::Error,
    pub(crate) scanned: Scanned,
}

impl ScanError {
    /// Returns the kind of the error.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let page = &b"<meta charset=iso-2022-kr>"[..];
    /// let failed = Finder::new().scan_reader(page, &Hints::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(failed.unwrap_err().kind(), std::io::ErrorKind::InvalidData);
    /// # }
    /// ```
    pub fn kind(&self) -> io::ErrorKind {
        self.error.kind()
    }

    /// Returns the error of the reader, or of the kind [`InvalidData`](io::ErrorKind::InvalidData) with an
    /// [`UndecodableError`](crate::UndecodableError) in it.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let page = &b"<meta charset=iso-2022-kr>"[..];
    /// let failed = Finder::new().scan_reader(page, &Hints::new(), |_| ControlFlow::Continue(()));
    /// let inner = failed.unwrap_err();
    /// assert!(inner.error().get_ref().unwrap().is::<linksift::UndecodableError>());
    /// # }
    /// ```
    pub fn error(&self) -> &io::Error {
        &self.error
    }

    /// Returns the totals and notices of what was scanned before the error.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let page = &b"<meta charset=iso-2022-kr>"[..];
    /// let failed = Finder::new().scan_reader(page, &Hints::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(failed.unwrap_err().scanned().bytes(), 26);
    /// # }
    /// ```
    pub fn scanned(&self) -> &Scanned {
        &self.scanned
    }

    /// Returns the error and the totals.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let page = &b"<meta charset=iso-2022-kr>"[..];
    /// let failed = Finder::new().scan_reader(page, &Hints::new(), |_| ControlFlow::Continue(()));
    /// let (error, scanned) = failed.unwrap_err().into_parts();
    /// assert_eq!((error.kind(), scanned.links()), (std::io::ErrorKind::InvalidData, 0));
    /// # }
    /// ```
    pub fn into_parts(self) -> (io::Error, Scanned) {
        (self.error, self.scanned)
    }
}

impl fmt::Display for ScanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for ScanError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

impl From<ScanError> for io::Error {
    fn from(failed: ScanError) -> io::Error {
        failed.error
    }
}
