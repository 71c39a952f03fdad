//! The beginning of a stream: so much of it as says what it is.

use std::io::{self, ErrorKind, Read};

use crate::document::{Disposition, Hints};
use crate::pause::{is_pause, pause};
#[cfg(feature = "mail")]
use crate::sniff::mail::{self, MailKind};
use crate::sniff::{HEAD, wants_more};

/// What was read of a stream, and what that says.
pub(super) struct Beginning {
    pub(super) bytes: Vec<u8>,
    /// What the next read fails with: what reading failed with, or a pause that was reported after the last bytes.
    pub(super) failure: Option<io::Error>,
    #[cfg(feature = "mail")]
    pub(super) mail: Option<MailKind>,
    pub(super) disposition: Disposition,
    /// It was judged before all of its head had come.
    pub(super) is_early: bool,
    is_last: bool,
    is_paused: bool,
}

/// So much is asked for at once.
const STEP: usize = 4096;

impl Beginning {
    /// Reads no more than says what the stream is: of most nothing.
    pub(super) fn read(reader: &mut impl Read, hints: &Hints) -> Beginning {
        let mut read = Beginning {
            bytes: Vec::new(),
            failure: None,
            #[cfg(feature = "mail")]
            mail: None,
            disposition: hints.disposition.unwrap_or(Disposition::Text),
            is_early: hints.is_early,
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
        if self.disposition == Disposition::Text && self.is_mail(reader, hints) {
            return;
        }
        if hints.disposition.is_none() {
            // Where the charset is known, links are not waited for.
            let is_live = hints.eager || hints.charset.is_some() || hints.detected.is_some();
            while !self.is_last && wants_more(&self.bytes, is_live, self.is_paused) {
                self.more(reader);
            }
            self.disposition = hints.disposition(&self.bytes);
            self.is_early = !self.is_last && self.bytes.len() < HEAD;
        }
    }

    #[cfg(feature = "mail")]
    fn is_mail(&mut self, reader: &mut impl Read, hints: &Hints) -> bool {
        loop {
            // At a pause the lines that are there decide.
            let is_line = self.is_paused && !mail::is_cut_field(&self.bytes);
            match mail::of(hints, &self.bytes, self.is_last || is_line) {
                Ok(kind) => self.mail = kind,
                // What has ended is known.
                Err(()) if self.is_last || is_line => {}
                Err(()) => {
                    self.more(reader);
                    continue;
                }
            }
            return self.mail.is_some();
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
