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
    is_last: bool,
    is_paused: bool,
}

/// Bytes that are requested by one read.
const STEP: usize = 4096;

impl Beginning {
    /// Reads only the bytes that the detection needs: for most hints none.
    pub(super) fn read(reader: &mut impl Read, hints: &Hints) -> Beginning {
        let mut read = Beginning {
            bytes: Vec::new(),
            failure: None,
            detection: hints.detection.unwrap_or(Detection::known(Disposition::Text)),
            is_last: false,
            is_paused: false,
        };
        read.look(reader, hints);
        if read.is_paused {
            read.failure = Some(pause());
        }
        read
    }

    fn look(&mut self, reader: &mut impl Read, hints: &Hints) {
        #[cfg(feature = "mail")]
        if self.detection.disposition == Disposition::Text && self.is_mail(reader, hints) {
            return;
        }
        if hints.detection.is_none() {
            // If the charset is known, links are reported without waiting.
            let is_live = hints.eager || hints.charset.is_some() || hints.detected.is_some();
            while !self.is_last && wants_more(&self.bytes, is_live, self.is_paused) {
                self.more(reader);
            }
            let is_early = !self.is_last && self.bytes.len() < HEAD;
            let disposition = hints.disposition(&self.bytes);
            self.detection = Detection { disposition, is_early, ..self.detection };
            #[cfg(feature = "archives")]
            if disposition == Disposition::Text {
                self.look_for_answer(reader, hints);
            }
        }
    }

    #[cfg(feature = "mail")]
    fn is_mail(&mut self, reader: &mut impl Read, hints: &Hints) -> bool {
        if self.detection.format.is_some() {
            return self.detection.is_mail();
        }
        loop {
            // At a pause the available lines decide.
            let is_line = self.is_paused && !mail::is_cut_field(&self.bytes);
            match mail::of(&DocumentFacts::of(hints), &self.bytes, self.is_last || is_line) {
                Ok(kind) => self.detection.format = kind.map(DocumentFormat::from),
                // No more bytes can come.
                Err(()) if self.is_last || is_line => {}
                Err(()) => {
                    self.more(reader);
                    continue;
                }
            }
            return self.detection.is_mail();
        }
    }

    /// Reads on until it is known whether this is an answer of HTTP.
    #[cfg(feature = "archives")]
    fn look_for_answer(&mut self, reader: &mut impl Read, hints: &Hints) {
        while detect::begins_answer(&self.bytes).is_none()
            && !self.bytes.is_empty()
            && !self.is_last
        {
            self.more(reader);
        }
        let is_answer = hints.document_format(&self.bytes) == DocumentFormat::Http;
        if is_answer {
            self.detection.format = Some(DocumentFormat::Http);
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
