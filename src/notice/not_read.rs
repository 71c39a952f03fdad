//! Reasons why nothing of a document is read.

use std::{fmt, io};

use super::code::Notice;
use crate::charset::UndecodableError;

/// Reason why a document is not read: the error of a scan that finds no links because it does not look for them.
///
/// The scan of a document that is read, wholly or in part, succeeds, and its [notices](Notice) state what was skipped. `Display`
/// gives a sentence for people, [`as_str`](NotRead::as_str) the stable word.
///
/// ```
/// use linksift::{Finder, Hints, NotRead};
///
/// let finder = Finder::new();
/// let hints = Hints::new();
/// assert_eq!(finder.document(b"\x89PNG\r\n\x1a\n http://example.com/", &hints).unwrap_err(), NotRead::Media);
/// let binary = b"\0 http://example.com/ \0";
/// assert_eq!(finder.document(binary, &hints).unwrap_err(), NotRead::Binary);
/// // Binary data are searched on request.
/// assert_eq!(finder.document(binary, &hints.salvage(true))?.links().count(), 1);
/// # Ok::<(), NotRead>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotRead {
    /// An image, audio, a video or a font.
    Media,
    /// A database or table file.
    Table,
    /// Compressed data or an archive: `linksift::files` scans the documents in it, `linksift::container` reads them.
    Archive,
    /// An archive or document format that is not supported.
    Unsupported,
    /// Other binary data.
    Binary,
    /// PDF, which is not read as [requested](crate::Hints::pdf).
    Pdf,
    /// The document is encrypted.
    Encrypted,
    /// The document is damaged so much that nothing of it can be read.
    Damaged,
    /// The document can only be read whole, and is longer than 256 MiB.
    TooLong,
    /// Text in an encoding that cannot be decoded.
    Undecodable {
        /// The label of the encoding, if one is declared.
        label: Option<Box<str>>,
    },
}

impl NotRead {
    /// Returns the stable name of the reason.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let reason = Finder::new().document(b"Rar!\x1A\x07", &Hints::new()).unwrap_err();
    /// assert_eq!(reason.as_str(), "unsupported");
    /// ```
    pub fn as_str(&self) -> &'static str {
        match self {
            NotRead::Media => "media",
            NotRead::Table => "table",
            NotRead::Archive => "archive",
            NotRead::Unsupported => "unsupported",
            NotRead::Binary => "binary",
            NotRead::Pdf => "pdf",
            NotRead::Encrypted => "encrypted",
            NotRead::Damaged => "damaged",
            NotRead::TooLong => "too-long",
            NotRead::Undecodable { .. } => "undecodable",
        }
    }

    /// Returns the reason that a notice on a complete document states; `None` if the document is read.
    pub(crate) fn of(notice: Notice) -> Option<NotRead> {
        Some(match notice {
            Notice::MediaUnread => NotRead::Media,
            Notice::TableUnread => NotRead::Table,
            Notice::ArchiveUnopened => NotRead::Archive,
            Notice::NotOpened | Notice::StoreUnread => NotRead::Unsupported,
            Notice::Binary => NotRead::Binary,
            Notice::PdfUnread => NotRead::Pdf,
            Notice::PdfEncrypted | Notice::OfficeEncrypted | Notice::AttachmentUnread => {
                NotRead::Encrypted
            }
            Notice::PdfDamaged | Notice::OfficeDamaged => NotRead::Damaged,
            Notice::DocumentTooLong => NotRead::TooLong,
            Notice::Undecodable => NotRead::Undecodable { label: None },
            _ => return None,
        })
    }
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotRead::Media => "an image, audio, video or font is not read",
            NotRead::Table => "a database or table file is not read",
            NotRead::Archive => "compressed data or an archive is not opened",
            NotRead::Unsupported => "the format is not supported",
            NotRead::Binary => "binary data are not read",
            NotRead::Pdf => "PDF is not read, as requested",
            NotRead::Encrypted => "the document is encrypted",
            NotRead::Damaged => "the document is damaged",
            NotRead::TooLong => "the document is larger than 256 MiB",
            NotRead::Undecodable { label: Some(label) } => {
                return write!(f, "the declared encoding {label:?} is not supported");
            }
            NotRead::Undecodable { label: None } => "the encoding is not supported",
        })
    }
}

impl std::error::Error for NotRead {}

impl From<UndecodableError> for NotRead {
    fn from(error: UndecodableError) -> NotRead {
        NotRead::Undecodable { label: Some(error.label().into()) }
    }
}

impl From<NotRead> for io::Error {
    fn from(reason: NotRead) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, reason)
    }
}
