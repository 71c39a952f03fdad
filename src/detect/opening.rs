//! Detection of documents whose beginning comes in pieces: the one place that decides how much of it is enough.
//!
//! Readers, callers that feed, and the units of archives pass what they have to [`DocumentDetector::look`], until it
//! returns the detection. For a document in memory the first call does.

use super::about::DocumentFacts;
use super::decide::{document_format, format_of_text, settled_format};
use super::disposition::{HEAD, detect_disposition, wants_more};
#[cfg(feature = "archives")]
use super::http::begins_answer;
#[cfg(feature = "mail")]
use super::mail;
use crate::charset::{Detected, DetectionProgress, Extent, UndecodableError};
use crate::detect::document::{
    Detection, Disposition, DocumentFormat, Hints, NonText, TextOpening,
};

/// Beginning of a document, as far as it is available.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AvailableHead<'b> {
    pub(crate) bytes: &'b [u8],
    /// Whether more bytes will come, but not for now: the available lines decide.
    pub(crate) is_paused: bool,
    /// Whether these are all bytes of the document.
    pub(crate) is_last: bool,
}

/// Returns the detection of a document of which all bytes are available.
pub(crate) fn of_whole(hints: &Hints, bytes: &[u8]) -> Detection {
    let head = AvailableHead { bytes, is_paused: false, is_last: true };
    let mut detector = DocumentDetector::new(hints, false);
    // The last bytes are always enough.
    detector.look(&DocumentFacts::of(hints), head).unwrap_or(Detection::known(Disposition::Binary))
}

/// Detection of a document, as its beginning comes.
#[derive(Debug)]
pub(crate) struct DocumentDetector {
    open: OpenQuestion,
    /// Detection that was made earlier, of which only mail may be open.
    known: Option<Detection>,
    /// Whether the document is known not to be mail.
    is_no_mail: bool,
    is_live: bool,
    non_text: NonText,
}

/// Questions of the detection, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenQuestion {
    Mail,
    Head,
    /// Whether it is an answer of HTTP.
    Answer,
    Nothing,
}

impl DocumentDetector {
    /// Creates the detection of a document with these hints. Links of a `is_live` document are not to wait for more
    /// bytes than show that it is text.
    pub(crate) fn new(hints: &Hints, is_live: bool) -> DocumentDetector {
        let (known, non_text) = (hints.detection, hints.scope.non_text);
        let may_be_mail =
            |found: Detection| found.disposition == Disposition::Text && found.format.is_none();
        let open = match known.is_none_or(may_be_mail) {
            true => OpenQuestion::Mail,
            false => OpenQuestion::Nothing,
        };
        DocumentDetector { open, known, is_no_mail: false, is_live, non_text }
    }

    /// Creates the detection of an input or a member of an archive, which may be opened. Mail that is not complete is
    /// left to whoever reads it.
    #[cfg(feature = "archives")]
    pub(crate) fn of_unit(is_live: bool) -> DocumentDetector {
        let (open, non_text) = (OpenQuestion::Head, NonText::ByDisposition);
        DocumentDetector { open, known: None, is_no_mail: false, is_live, non_text }
    }

    /// Returns the detection, or `None` if it needs more bytes. Each `head` begins with the one before it.
    ///
    /// The format is that of mail, of an answer, or of a text whose head is complete.
    pub(crate) fn look(
        &mut self,
        about: &DocumentFacts<'_>,
        head: AvailableHead<'_>,
    ) -> Option<Detection> {
        let AvailableHead { bytes, is_paused, is_last } = head;
        if self.open == OpenQuestion::Mail {
            #[cfg(feature = "mail")]
            {
                // At a pause the available lines decide.
                let is_enough = is_last || is_paused && !mail::is_cut_field(bytes);
                match mail::of(about, bytes, is_enough) {
                    Ok(Some(kind)) => {
                        let text = self.known.unwrap_or(Detection::known(Disposition::Text));
                        return Some(Detection { format: Some(kind.into()), ..text });
                    }
                    Err(()) if !is_enough => return None,
                    Ok(None) | Err(()) => {}
                }
            }
            self.is_no_mail = true;
            self.open = match self.known {
                None => OpenQuestion::Head,
                Some(_) => OpenQuestion::Nothing,
            };
        }
        if self.open == OpenQuestion::Head {
            if !is_last && wants_more(bytes, self.is_live, is_paused) {
                return None;
            }
            self.open = OpenQuestion::Answer;
        }
        // The header of an answer of HTTP may come line by line.
        #[cfg(feature = "archives")]
        if self.open == OpenQuestion::Answer
            && !bytes.is_empty()
            && !is_last
            && begins_answer(bytes).is_none()
        {
            return None;
        }
        self.open = OpenQuestion::Nothing;
        Some(self.known.unwrap_or_else(|| self.decide(about, head)))
    }

    /// Detects a document of which enough is available.
    fn decide(&self, about: &DocumentFacts<'_>, head: AvailableHead<'_>) -> Detection {
        let AvailableHead { bytes, is_last, .. } = head;
        let found = detect_disposition(about, bytes);
        let disposition = match found.archive {
            Some(_) if bytes.is_empty() => Disposition::Text,
            _ => self.non_text.applied_to(found.disposition),
        };
        let is_early = !is_last && bytes.len() < HEAD;
        let is_text = disposition == Disposition::Text;
        let format = match (is_early, self.is_no_mail) {
            (true, _) => Some(format_of_text(about, bytes))
                .filter(|format| is_text && *format == DocumentFormat::Http),
            (false, true) => is_text.then(|| format_of_text(about, bytes)),
            (false, false) => Some(document_format(about, bytes)),
        };
        Detection { disposition, format, is_early, ..found }
    }
}

/// Detection of the format and the encoding of a text, or of the encoding of binary data, as its beginning comes.
#[derive(Clone, Debug)]
pub(crate) struct TextDetector {
    /// Format, when no later byte changes it.
    format: Option<DocumentFormat>,
    is_binary: bool,
    progress: DetectionProgress,
}

impl TextDetector {
    /// Creates the detection of a document of which this is known.
    pub(crate) fn new(found: &Detection) -> TextDetector {
        let is_binary = found.disposition.is_binary();
        let format = found.format.filter(|_| !is_binary);
        TextDetector { format, is_binary, progress: DetectionProgress::default() }
    }

    /// Returns the format when it is known.
    pub(crate) fn known_format(&self) -> Option<DocumentFormat> {
        self.format
    }

    /// Returns the format, or `None` if it needs more bytes. These are all that are available from the beginning on, or
    /// the whole document (`is_last`).
    pub(crate) fn format(
        &mut self,
        bytes: &[u8],
        is_last: bool,
        hints: &Hints,
    ) -> Option<DocumentFormat> {
        if self.format.is_none() {
            let about = &DocumentFacts::of(hints);
            self.format = match is_last {
                true => Some(format_of_text(about, bytes)),
                false => settled_format(about, bytes),
            };
        }
        self.format
    }

    /// Returns `true` if no byte after these changes the encoding.
    pub(crate) fn has_encoding(&mut self, bytes: &[u8], hints: &Hints) -> bool {
        self.progress.is_reached(bytes, &hints.known())
    }

    /// Returns the encoding of a document that begins with these bytes, which are enough.
    ///
    /// # Errors
    ///
    /// Returns an error if the document declares an encoding that cannot be decoded.
    pub(crate) fn encoding(
        &mut self,
        bytes: &[u8],
        extent: Extent,
        hints: &Hints,
    ) -> Result<Detected, UndecodableError> {
        std::mem::take(&mut self.progress).decide(bytes, extent, &hints.known())
    }

    /// Returns all that was detected.
    pub(crate) fn opening(&self, format: DocumentFormat, encoding: Detected) -> TextOpening {
        TextOpening { format, encoding, is_binary: self.is_binary }
    }
}
