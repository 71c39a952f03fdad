//! Dispositions: whether a document is text, and how much of another one is scanned.

use crate::codes::coded;

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
