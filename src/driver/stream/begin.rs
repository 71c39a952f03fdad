//! The beginning of a stream: the bytes that its detection needs.

use std::io::{self, ErrorKind, Read};

use crate::detect::document::{Detection, Hints};
use crate::detect::{AvailableHead, DocumentDetector, DocumentFacts, HEAD};
use crate::input::pause::{is_pause, pause};

/// Beginning of a stream that is being detected.
pub(super) struct Beginning {
    pub(super) bytes: Vec<u8>,
    /// Error of the next read: that of a failed read, or a pause that was reported after the last bytes.
    pub(super) failure: Option<io::Error>,
    detector: DocumentDetector,
    is_last: bool,
    is_paused: bool,
}

/// Bytes that one read requests: all that the detection of a document in memory uses, so that a reader that fills what it is given is
/// detected as in memory.
const STEP: usize = HEAD;

impl Beginning {
    /// Reads only the bytes that the detection needs: for most hints none.
    pub(super) fn read(reader: &mut impl Read, hints: &Hints) -> (Beginning, Detection) {
        // If the charset is known, links are reported without waiting.
        let is_live = hints.eager || hints.charset.is_some() || hints.detected.is_some();
        let mut begun = Beginning::new(hints, is_live);
        let found = loop {
            match begun.detect(hints) {
                Some(found) => break found,
                None => begun.more(reader),
            }
        };
        if begun.is_paused {
            begun.failure = Some(pause());
        }
        (begun, found)
    }

    /// Creates the beginning of a stream that waits for all bytes that a detection in memory uses, unless it is flushed.
    pub(super) fn patient(hints: &Hints) -> Beginning {
        Beginning::new(hints, false)
    }

    /// Creates the beginning of a stream of which nothing is available yet.
    fn new(hints: &Hints, is_live: bool) -> Beginning {
        Beginning {
            bytes: Vec::new(),
            failure: None,
            detector: DocumentDetector::new(hints, is_live),
            is_last: false,
            is_paused: false,
        }
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

    /// Returns the detection; `None` if it needs more bytes.
    pub(super) fn detect(&mut self, hints: &Hints) -> Option<Detection> {
        let Beginning { ref bytes, is_paused, is_last, .. } = *self;
        let head = AvailableHead { bytes, is_paused, is_last };
        self.detector.look(&DocumentFacts::of(hints), head)
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
