//! Answers of HTTP that a reader gives: their headers are read whole, then the document after them is scanned.

use std::io::{self, Read};
use std::ops::ControlFlow;

use super::cut::Failing;
use super::{Buffer, ScanEvent, amended};
use crate::container::{AnswerHeads, MOST_HEADERS};
use crate::detect::document::Hints;
use crate::detect::{begins_answer, header_len};
use crate::document::finder::Finder;
use crate::driver::answer::links_of;
use crate::input::guard::says_cancelled;
use crate::limits::FIELD;
use crate::link::place_after;
use crate::notice::{FailedScan, Scanned};

/// Bytes that are requested by one read.
const STEP: usize = 4096;

impl Finder {
    /// Scans an answer of which `start` was read already.
    pub(super) fn scan_answer(
        &self,
        buffer: &mut Buffer,
        start: Vec<u8>,
        reader: &mut dyn Read,
        hints: &Hints,
        emit: &mut dyn FnMut(ScanEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Scanned, FailedScan> {
        let mut bytes = start;
        let failure = read_headers(&mut bytes, reader);
        let mut heads = AnswerHeads::of(&bytes, hints.base.as_ref());
        let mut notices = Vec::new();
        for judged in links_of(self, &mut heads, hints, &mut notices) {
            if emit(ScanEvent::Judged(judged)).is_break() {
                return Ok(Scanned { stopped: true, notices, ..Scanned::default() });
            }
        }
        let stopped = failure.as_ref().is_some_and(says_cancelled);
        let mut rest = (&bytes[heads.len..]).chain(Failing(failure)).chain(reader);
        let body: &mut dyn Read = &mut rest;
        let give: &mut dyn FnMut(ScanEvent<'_>) -> ControlFlow<()> = &mut |mut event| {
            if let ScanEvent::Judged(judged) = &mut event {
                place_after(judged, heads.len, heads.lines);
            }
            emit(event)
        };
        let done = self.scan_events(buffer, body, &heads.hints(hints), give);
        amended(done, |scanned| {
            scanned.bytes += heads.len as u64;
            scanned.stopped |= stopped;
            scanned.notices.splice(0..0, notices);
        })
    }
}

/// Reads up to the end of the last header, and as much after it as shows that no other one follows; returns the error that ended it.
fn read_headers(bytes: &mut Vec<u8>, reader: &mut dyn Read) -> Option<io::Error> {
    let mut len = 0;
    while needs_header(bytes, &mut len) {
        let filled = bytes.len();
        bytes.resize(filled + STEP, 0);
        let read = reader.read(&mut bytes[filled..]);
        bytes.truncate(filled + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => return None,
            Ok(_) => {}
            // A pause does not end a header.
            Err(error) if error.kind() == io::ErrorKind::Interrupted && !says_cancelled(&error) => {
            }
            Err(error) => return Some(error),
        }
    }
    None
}

/// Returns `true` if the headers that begin an answer may go on behind `bytes`; `len` is the length of those that were
/// found to be complete.
pub(super) fn needs_header(bytes: &[u8], len: &mut usize) -> bool {
    while *len < MOST_HEADERS {
        match begins_answer(&bytes[*len..]) {
            Some(false) => return false,
            Some(true) => match header_len(&bytes[*len..]) {
                Some(header) => *len += header,
                None => return bytes.len() - *len <= FIELD,
            },
            None => return true,
        }
    }
    false
}
