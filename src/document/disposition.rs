//! Dispositions: whether a document is text, and what is scanned of one that is none.

/// How a document is scanned, whatever its format is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disposition {
    /// By its format.
    Text,
    /// For `scheme://` and `mailto:` alone, which no bytes spell by chance.
    Binary,
    /// As `Binary`; there is more in it than can be seen in its bytes.
    Opaque,
    /// As `Binary`: compressed, or an archive, that nobody opened.
    Archive,
    /// Not at all: a picture, sound, video or font.
    Media,
    /// Not at all: rows and columns, whose values lie side by side without anything between.
    Table,
    /// Not at all: text in an encoding that nothing is decoded from.
    Undecodable,
    /// Not at all: encrypted, or in an envelope that is not opened.
    Encrypted,
    /// Not at all: a signature or a key, in which no link is lost.
    Signature,
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

/// What is wanted of documents that are no text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NonText {
    /// What their disposition says.
    #[default]
    ByDisposition,
    /// All are read as text.
    AsText,
    /// None is scanned.
    Skipped,
}
