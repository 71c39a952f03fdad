//! The parsers of documents, behind one interface.

use std::marker::PhantomData;

use crate::detect::document::{Disposition, Hints};
use crate::limits;
use crate::notice::{NotRead, Notice};
#[cfg(feature = "office")]
use crate::office::OfficeReader;
#[cfg(all(feature = "office", feature = "files"))]
use crate::office::StoredMessage;
#[cfg(feature = "pdf")]
use crate::pdf::PdfReader;
use crate::piece::DocumentPiece;
#[cfg(feature = "documents")]
use crate::plist::PlistReader;

/// Parser of a document.
#[derive(Clone, Debug)]
pub(super) enum DocumentParser<'b> {
    #[cfg(feature = "office")]
    Office(Box<OfficeReader<'b>>),
    /// A file without a document that a parser reads: searched like binary data.
    #[cfg(feature = "documents")]
    Binary { bytes: &'b [u8], notices: &'static [Notice] },
    /// The document is longer than any that is read.
    TooLong,
    /// The parser is in another feature.
    Missing(PhantomData<&'b [u8]>),
    #[cfg(feature = "pdf")]
    Pdf(Box<PdfReader<'b>>),
    #[cfg(feature = "documents")]
    PropertyList(PlistReader<'b>),
    /// Pieces that a test made.
    #[cfg(test)]
    Made(std::collections::VecDeque<DocumentPiece>),
}

impl<'b> DocumentParser<'b> {
    pub(super) fn of(
        disposition: Disposition,
        hints: &Hints,
        bytes: &'b [u8],
    ) -> DocumentParser<'b> {
        if bytes.len() > limits::WHOLE_DOCUMENT {
            return DocumentParser::TooLong;
        }
        match disposition {
            #[cfg(feature = "office")]
            Disposition::Office => match OfficeReader::new(bytes) {
                Some(reader) => DocumentParser::Office(Box::new(reader)),
                None => DocumentParser::Binary { bytes, notices: &[] },
            },
            #[cfg(feature = "pdf")]
            Disposition::Pdf => match PdfReader::new(bytes, hints) {
                reader if hints.scope.pdf && reader.is_empty() => {
                    DocumentParser::Binary { bytes, notices: &[Notice::PdfDamaged] }
                }
                reader => DocumentParser::Pdf(Box::new(reader)),
            },
            #[cfg(feature = "documents")]
            Disposition::PropertyList => match PlistReader::new(bytes) {
                Some(reader) => DocumentParser::PropertyList(reader),
                None => DocumentParser::Binary { bytes, notices: &[] },
            },
            other => {
                debug_assert!(!other.is_whole(), "the parser is in another feature");
                DocumentParser::Missing(PhantomData)
            }
        }
    }

    /// The parser of a message that was read of a store.
    #[cfg(all(feature = "office", feature = "files"))]
    pub(super) fn of_message(message: StoredMessage) -> DocumentParser<'static> {
        DocumentParser::Office(Box::new(OfficeReader::of_message(message)))
    }

    /// Returns the next piece.
    pub(super) fn next(&mut self) -> Option<DocumentPiece> {
        match self {
            DocumentParser::Missing(_) | DocumentParser::TooLong => None,
            #[cfg(feature = "office")]
            DocumentParser::Office(office) => office.next(),
            #[cfg(feature = "documents")]
            DocumentParser::Binary { .. } => None,
            #[cfg(feature = "pdf")]
            DocumentParser::Pdf(pdf) => pdf.next(),
            #[cfg(feature = "documents")]
            DocumentParser::PropertyList(list) => list.next(),
            #[cfg(test)]
            DocumentParser::Made(pieces) => pieces.pop_front(),
        }
    }

    /// Returns the bytes of a document that is stored as it is read.
    pub(super) fn stored(&self) -> &'b [u8] {
        match self {
            #[cfg(feature = "documents")]
            DocumentParser::PropertyList(list) => list.bytes(),
            _ => &[],
        }
    }

    /// Returns the first piece; an error if nothing in the document can be read.
    pub(super) fn first(&mut self, hints: &Hints) -> Result<Option<DocumentPiece>, NotRead> {
        #[cfg(feature = "documents")]
        if let DocumentParser::Binary { notices, .. } = self {
            return match Disposition::Binary.is_scanned(hints.scope.non_text) {
                true => Ok(None),
                false => Err(notices
                    .iter()
                    .find_map(|notice| NotRead::of(*notice))
                    .unwrap_or(NotRead::Binary)),
            };
        }
        let first = self.next();
        let reason = || self.notices().iter().find_map(|notice| NotRead::of(*notice));
        match first.is_none() && self.is_unread() {
            true => reason().map_or(Ok(None), Err),
            false => Ok(first),
        }
    }

    /// Returns the notices so far.
    pub(super) fn notices(&self) -> &[Notice] {
        match self {
            #[cfg(feature = "office")]
            DocumentParser::Office(office) => office.notices(),
            #[cfg(feature = "pdf")]
            DocumentParser::Pdf(pdf) => pdf.notices(),
            #[cfg(feature = "documents")]
            DocumentParser::Binary { notices, .. } => notices,
            DocumentParser::TooLong => &[Notice::DocumentTooLong],
            _ => &[],
        }
    }

    /// Returns `true` if nothing in the document can be read.
    pub(super) fn is_unread(&self) -> bool {
        match self {
            #[cfg(feature = "office")]
            DocumentParser::Office(office) => office.is_unread(),
            #[cfg(feature = "pdf")]
            DocumentParser::Pdf(pdf) => pdf.is_unread(),
            DocumentParser::TooLong => true,
            _ => false,
        }
    }
}
