//! Notices about a document, with their codes and sentences, and lists of them.

use std::fmt;

use crate::codes::coded;

coded! {
    display none
    /// Notice about a document: input that was skipped or read differently than expected. `Display` gives a sentence for
    /// people, [`as_str`](Notice::as_str) the stable word.
    ///
    /// ```
    /// use linksift::Notice;
    ///
    /// assert_eq!(Notice::ReadAsText.as_str(), "read-as-text");
    /// assert_eq!("read-as-text".parse(), Ok(Notice::ReadAsText));
    /// ```
    pub enum Notice in "linksift" {
        /// The document, or HTML in one of its values, was scanned as plain text instead of its format: it is larger or
        /// more complex than the parser of the format allows.
        ReadAsText = "read-as-text",
        /// Binary data: only `scheme://` and `mailto:` links are found.
        Binary = "binary",
        /// The document starts as text but continues as binary data. Links of a pipe are not delayed, so the first
        /// part was scanned as text; from the first control character on, only `scheme://` and `mailto:` links are
        /// found ([when](crate::Feed#the-same-links-in-any-pieces)).
        LateBinary = "late-binary",
        /// An archive or document format that is not supported: only `scheme://` and `mailto:` links are found.
        NotOpened = "not-opened",
        /// Compressed data or an archive that was not opened: it was passed to a function that opens none
        /// ([`Finder::document`](crate::Finder::document), [`Finder::scan_reader`](crate::Finder::scan_reader)), or
        /// opening is disabled. Only `scheme://` and `mailto:` links are found. `linksift::files` scans the documents
        /// in it, `linksift::container` reads them.
        ArchiveUnopened = "archive-unopened",
        /// An image, audio, a video or a font, by its first bytes, its declared type or its name: skipped.
        MediaUnread = "media-unread",
        /// A database or table file (Parquet, Arrow, Feather, ORC, Avro, SQLite, Access), whose values are adjacent
        /// without separators: skipped.
        TableUnread = "table-unread",
        /// A field of a message header that may occur only once is repeated. The first one is used, or the
        /// `Content-Type` whose boundary occurs in the body.
        DuplicateHeader = "duplicate-header",
        /// Messages are nested deeper than 64 levels, or within more than three encodings; deeper ones are scanned as
        /// plain text. Or files are embedded in each other deeper than 8 levels: skipped.
        TooDeep = "too-deep",
        /// A header field is longer than 1 MiB: in a message it is scanned as plain text, in HTTP its first 1 MiB is
        /// read. Later fields are read as usual.
        FieldTooLong = "field-too-long",
        /// A header of a message has more than 1 MiB before a field that applies to links in it (`Message-ID`,
        /// `List-Unsubscribe-Post`, `Content-Location`, `Content-Base`): it does not apply to them.
        LateField = "late-field",
        /// A `multipart/alternative` has more than 100,000 links, or links of more than 32 MiB, which are not buffered until its best
        /// part is known: the links of all parts are reported.
        AlternativesUnheld = "alternatives-unheld",
        /// A multipart has the transfer encoding base64 or quoted-printable, which RFC 2045 does not allow (§6.4); it
        /// was decoded.
        EncodedMultipart = "encoded-multipart",
        /// Armour or yEnc in the text of a message was skipped, or uuencoded files were not decoded: more than 1,024 in a part,
        /// in a part of more than 16 MiB, in a text that is not mail, or escaped in HTML. Or the encoding of a part has 8 MiB of
        /// line ends or blanks between two characters: the text ends there, and a character may be lost.
        Skipped = "skipped",
        /// An unknown encoding is declared by the document, its transport or a part of a message: the encoding was
        /// detected. [`Detected::unknown_label`](crate::Detected::unknown_label) returns the label of a document.
        UnknownCharset = "unknown-charset",
        /// A part of a message declares an unknown transfer encoding: it was read as stored.
        UnknownTransfer = "unknown-transfer",
        /// A part of a message, or a word of its header, has an unsupported encoding: UTF-7, HZ, ISO-2022-KR,
        /// ISO-2022-CN. Only ASCII links next to ASCII characters are found; in a page that declares such an encoding
        /// itself, no links. Or a document is in UTF-32, in which no links are found.
        Undecodable = "undecodable",
        /// An archive of more than 16 MiB is attached to a message: not opened.
        AttachmentTooLong = "attachment-too-long",
        /// An attachment of a message is encrypted, in an envelope that is not read (TNEF), or an archive that was not opened.
        AttachmentUnread = "attachment-unread",
        /// An Office document needs a password: skipped.
        OfficeEncrypted = "office-encrypted",
        /// An Office document is damaged or cut: what can be found of its streams was read.
        OfficeDamaged = "office-damaged",
        /// An Office document has more or deeper entries than its reader allows: the rest was skipped.
        OfficeLimit = "office-limit",
        /// A store of messages has a form that is not read: skipped.
        StoreUnread = "store-unread",
        /// PDF is not read ([`Hints::pdf`](crate::Hints::pdf)): skipped.
        PdfUnread = "pdf-unread",
        /// A PDF needs a password, or has a security handler that is not known: skipped.
        PdfEncrypted = "pdf-encrypted",
        /// A PDF is damaged or cut: what its objects hold was read.
        PdfDamaged = "pdf-damaged",
        /// A PDF is larger, deeper or more complex than its reader allows: the rest was skipped.
        PdfLimit = "pdf-limit",
        /// A stream of a PDF that holds text or objects has an unknown filter: skipped.
        PdfFilter = "pdf-filter",
        /// A font of a PDF does not say which characters it shows: text in it was skipped.
        PdfGlyphs = "pdf-glyphs",
        /// A document that can only be read whole is longer than 256 MiB: skipped.
        DocumentTooLong = "document-too-long",
        /// A member of a zip has the name of an earlier one, or is listed twice and scanned once.
        Duplicate = "duplicate",
        /// The document was not stored completely, or a message ends in its header.
        SourceTruncated = "source-truncated",
        /// A record of a crawl with a part of a document that begins in another record: skipped.
        ContinuationUnread = "continuation-unread",
        /// The declared base, or the IRI that the record declares, is not an IRI that a browser could open
        /// ([`iri::repair`](crate::iri::repair)): references are not resolved against it.
        BaseUnusable = "base-unusable",
        /// A file in a directory is written by the run itself: skipped.
        Output = "output",
        /// A symbolic link in a directory leads to nothing, or in a circle: skipped.
        DanglingLink = "dangling-link",
        /// A base of the document is longer than 8 KiB: nothing is resolved against it.
        BaseTooLong = "base-too-long",
        /// The document's own IRI, from its record or header, is longer than 8 KiB: omitted from links.
        SourceTooLong = "source-too-long",
        /// A long base, source or member name is repeated with so many links that the output would be many times the
        /// size of the document: further references to the base are rejected, the source is omitted and the name is
        /// cut.
        Repeated = "repeated",
        /// The name of a member is longer than 8 KiB: cut, with a hash of the complete name at its end.
        NameTooLong = "name-too-long",
        /// A value with several links, a style sheet or a document is longer than 1 MiB and cannot be read in parts,
        /// or the `content` of a `meta` is longer than a link may be: links in it are skipped.
        ValueTooLong = "value-too-long",
        /// XML elements are nested deeper than 16,384 levels; bases and prefixes that deeper ones declare are
        /// ignored.
        ElementsTooDeep = "elements-too-deep",
        /// More than 256 prefixes of XML namespaces apply at one place, or one is longer than 64 bytes; the excess is
        /// ignored.
        PrefixesTooMany = "prefixes-too-many",
        /// A document type declaration uses a parameter entity (`%name;`), which is not read, or declares entities
        /// beyond 4 MiB: entities declared there are not resolved.
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
            Notice::OfficeEncrypted => "the document needs a password; skipped",
            Notice::OfficeDamaged => "the document is damaged or cut; read as far as its streams are there",
            Notice::OfficeLimit => "the document has too many entries; some of it is skipped",
            Notice::StoreUnread => "the store of messages has a form that is not read; skipped",
            Notice::PdfUnread => "a PDF, which is not read as requested; skipped",
            Notice::PdfEncrypted => "the PDF needs a password; skipped",
            Notice::PdfDamaged => "the PDF is damaged or cut; read as far as its objects are there",
            Notice::PdfLimit => "the PDF is too large or complex; some of it is skipped",
            Notice::PdfFilter => "a stream of the PDF has an unknown filter; skipped",
            Notice::PdfGlyphs => "a font of the PDF does not say which characters it shows; text in it is skipped",
            Notice::DocumentTooLong => "the document is larger than 256 MiB; skipped",
            Notice::Duplicate => "an earlier member has this name or this offset",
            Notice::SourceTruncated => "the document was not stored completely",
            Notice::ContinuationUnread => "a part of a document that begins in another record; skipped",
            Notice::BaseTooLong => "a base is longer than 8 KiB; nothing is resolved against it",
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
            Notice::DanglingLink => "a symbolic link that leads to no file; skipped",
            Notice::NotOpened => {
                "unsupported format; only scheme:// and mailto: links are found"
            }
            Notice::ArchiveUnopened => {
                "an archive or compressed data; only scheme:// and mailto: links are found; use linksift::files to open it"
            }
            Notice::DuplicateHeader => "a header field is repeated; the first one is used, or the Content-Type whose boundary occurs",
            Notice::TooDeep => "messages or embedded files are nested too deeply; scanned as plain text, or skipped",
            Notice::FieldTooLong => {
                "a header field is longer than 1 MiB; scanned as plain text, or in part"
            }
            Notice::LateField => {
                "a header field is more than 1 MiB after links that it applies to"
            }
            Notice::AlternativesUnheld => {
                "an alternative has more than 100,000 links, or 32 MiB of them; all alternatives are read"
            }
            Notice::EncodedMultipart => {
                "a multipart has a transfer encoding, which is not allowed; decoded"
            }
            Notice::Skipped => "encoded data in the text is not decoded",
            Notice::UnknownTransfer => "an unknown transfer encoding is declared; read as stored",
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
                "an attachment is encrypted, in an envelope that is not read (TNEF), or an archive that cannot be opened; skipped"
            }
        })
    }
}

/// Notices of one document, each once, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notices {
    list: Vec<Notice>,
    parts: NoticedParts,
}

/// Parts of a message that notices are about: for each notice the first part that had it.
pub(crate) type NoticedParts = Vec<(Notice, Box<str>)>;

impl Notices {
    pub(crate) fn add(&mut self, notice: Notice) {
        self.add_in(notice, || None);
    }

    /// Adds a notice about a part of a message.
    pub(crate) fn add_in(&mut self, notice: Notice, part: impl FnOnce() -> Option<Box<str>>) {
        if !self.list.contains(&notice) {
            self.list.push(notice);
            self.parts.extend(part().map(|part| (notice, part)));
        }
    }

    pub(crate) fn add_all(&mut self, notices: &[Notice]) {
        notices.iter().for_each(|notice| self.add(*notice));
    }

    /// Adds the notices of a message, with the parts that they are about.
    pub(crate) fn add_with_parts(&mut self, inner: &Notices) {
        for notice in &inner.list {
            self.add_in(*notice, || part_of(&inner.parts, *notice).map(Into::into));
        }
    }

    pub(crate) fn as_slice(&self) -> &[Notice] {
        &self.list
    }

    pub(crate) fn parts(&self) -> &NoticedParts {
        &self.parts
    }
}

/// Returns the part that a notice is about.
pub(crate) fn part_of(parts: &NoticedParts, notice: Notice) -> Option<&str> {
    parts.iter().find(|(of, _)| *of == notice).map(|(_, part)| &**part)
}
