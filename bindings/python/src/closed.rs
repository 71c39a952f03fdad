//! Bytes that are no document as they are: what is compressed, an archive, or no text at all.

use linksift::{Disposition, Hints, detect};

/// Why bytes are not read as a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// Compressed, or an archive: documents are in it.
    Packed,
    /// A picture, a program and their like, or mostly NULs.
    Binary,
}

impl Closed {
    /// Returns what closes bytes of this name, which may be empty.
    pub(crate) fn of(bytes: &[u8], name: &str) -> Option<Closed> {
        // Values of a fixed width are filled with NULs, which say nothing.
        let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let found = detect(&bytes[..end], &Hints::new().name(name));
        match (found.archive(), found.disposition()) {
            (Some(_), _) if end == 0 => None,
            (Some(_), _) => Some(Closed::Packed),
            (None, Disposition::Text | Disposition::Pdf) => None,
            (None, _) => Some(Closed::Binary),
        }
    }

    /// What is wrong, and what to do instead.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Closed::Packed => {
                "compressed data or an archive: use document(value, archives=True) to open it"
            }
            Closed::Binary => {
                "neither text nor a document: an image, a program or other binary data"
            }
        }
    }
}
