//! The beginning of a stream: the bytes that its detection needs.

use std::io::{self, ErrorKind, Read};

#[cfg(feature = "archives")]
use crate::detect;
use crate::detect::document::{Detection, Disposition, DocumentFormat, Hints};
#[cfg(feature = "mail")]
use crate::detect::mail;
use crate::detect::{DocumentFacts, HEAD, wants_more};
use crate::input::pause::{is_pause, pause};

/// Beginning of a stream, and its detection.
pub(super) struct Beginning {
    pub(super) bytes: Vec<u8>,
    /// Error of the next read: that of a failed read, or a pause that was reported after the last bytes.
    pub(super) failure: Option<io::Error>,
    /// The format, only if it is mail.
    pub(super) detection: Detection,
    /// The question that is open.
    asked: Question,
    is_live: bool,
    is_last: bool,
    is_paused: bool,
}

/// Questions of the detection, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Mail,
    Disposition,
    /// Whether it is an answer of HTTP.
    Answer,
    Nothing,
}

/// Bytes that are requested by one read.
const STEP: usize = 4096;

impl Beginning {
    /// Reads only the bytes that the detection needs: for most hints none.
    pub(super) fn read(reader: &mut impl Read, hints: &Hints) -> Beginning {
        let mut begun = Beginning::new(hints);
        while begun.needs_more(hints) {
            begun.more(reader);
        }
        if begun.is_paused {
            begun.failure = Some(pause());
        }
        begun
    }

    /// Creates the beginning of a stream of which nothing is available yet.
    pub(super) fn new(hints: &Hints) -> Beginning {
        // If the charset is known, links are reported without waiting.
        let is_live = hints.eager || hints.charset.is_some() || hints.detected.is_some();
        Beginning {
            bytes: Vec::new(),
            failure: None,
            detection: hints.detection.unwrap_or(Detection::known(Disposition::Text)),
            asked: Question::Mail,
            is_live,
            is_last: false,
            is_paused: false,
        }
    }

    /// Creates the beginning of a stream that waits for all bytes that a detection in memory uses, unless it is flushed.
    pub(super) fn patient(hints: &Hints) -> Beginning {
        Beginning { is_live: false, ..Beginning::new(hints) }
    }

    /// Adds bytes that have come.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.is_paused = false;
    }

    /// Notes a pause.
    pub(super) fn pause(&mut self) {
        self.is_paused = true;
    }

    /// Notes the end of the stream.
    pub(super) fn end(&mut self) {
        (self.is_last, self.is_paused) = (true, false);
    }

    /// Detects as much as the available bytes allow; returns `true` if more are needed.
    pub(super) fn needs_more(&mut self, hints: &Hints) -> bool {
        #[cfg(feature = "mail")]
        if self.asked == Question::Mail && self.detection.disposition == Disposition::Text {
            if self.detection.format.is_none() && self.needs_more_for_mail(hints) {
                return true;
            }
            if self.detection.is_mail() {
                self.asked = Question::Nothing;
            }
        }
        if self.asked == Question::Mail {
            self.asked = match hints.detection {
                None => Question::Disposition,
                Some(_) => Question::Nothing,
            };
        }
        if self.asked == Question::Disposition {
            if !self.is_last && wants_more(&self.bytes, self.is_live, self.is_paused) {
                return true;
            }
            let is_early = !self.is_last && self.bytes.len() < HEAD;
            let disposition = hints.disposition(&self.bytes);
            self.detection = Detection { disposition, is_early, ..self.detection };
            self.asked = match disposition {
                Disposition::Text => Question::Answer,
                _ => Question::Nothing,
            };
        }
        #[cfg(feature = "archives")]
        if self.asked == Question::Answer {
            let is_open = !self.bytes.is_empty() && !self.is_last;
            if is_open && detect::begins_answer(&self.bytes).is_none() {
                return true;
            }
            if hints.document_format(&self.bytes) == DocumentFormat::Http {
                self.detection.format = Some(DocumentFormat::Http);
            }
        }
        self.asked = Question::Nothing;
        false
    }

    /// Detects mail; returns `true` if that needs more bytes.
    #[cfg(feature = "mail")]
    fn needs_more_for_mail(&mut self, hints: &Hints) -> bool {
        // At a pause the available lines decide.
        let is_line = self.is_paused && !mail::is_cut_field(&self.bytes);
        let is_enough = self.is_last || is_line;
        match mail::of(&DocumentFacts::of(hints), &self.bytes, is_enough) {
            Ok(kind) => {
                self.detection.format = kind.map(DocumentFormat::from);
                false
            }
            Err(()) => !is_enough,
        }
    }

    fn more(&mut self, reader: &mut impl Read) {
        let filled = self.bytes.len();
        self.bytes.resize(filled + STEP, 0);
        let read = match reader.read(&mut self.bytes[filled..]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                self.is_paused |= is_pause(&error);
                0
            }
            Err(error) => {
                (self.is_last, self.failure) = (true, Some(error));
                0
            }
            Ok(read) => {
                (self.is_last, self.is_paused) = (read == 0, false);
                read
            }
        };
        self.bytes.truncate(filled + read);
    }
}
