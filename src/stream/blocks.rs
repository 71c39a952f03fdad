//! Blocks: a reader's bytes through a buffer that slides.

use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;

use crate::charset::{Detected, Extent};
use crate::chunk::Chunk;
use crate::guard::says_cancelled;
use crate::link::Judged;
use crate::notice::{ScanError, Scanned};
use crate::pass::{Pass, Told};
use crate::pause::is_pause;

/// The buffer's size to begin with: most files are smaller.
const FIRST_SIZE: usize = 64 << 10;
/// The size it grows to when a stream fills it.
const FULL_SIZE: usize = 512 << 10;

/// Whether to read more of an input's beginning.
pub(super) enum Reading {
    Incomplete,
    Enough,
    Stopped,
}

/// A buffer, and how much of it holds input.
pub(super) struct Blocks<'b> {
    bytes: &'b mut Vec<u8>,
    filled: usize,
    base: usize,
    is_last: bool,
    /// The reader has reported a pause since its last bytes.
    is_paused: bool,
    failure: Option<io::Error>,
    scanned: Scanned,
}

impl<'b> Blocks<'b> {
    pub(super) fn new(bytes: &'b mut Vec<u8>) -> Blocks<'b> {
        Blocks {
            bytes,
            filled: 0,
            base: 0,
            is_last: false,
            is_paused: false,
            failure: None,
            scanned: Scanned::default(),
        }
    }

    pub(super) fn set_detected(&mut self, detected: Detected) {
        self.scanned.detected = Some(detected);
    }

    pub(super) fn set_told(&mut self, told: Told) {
        self.scanned.notices = told.into_iter().flatten().collect();
    }

    pub(super) fn chunk(&self) -> Chunk<'_> {
        Chunk::new(&self.bytes[..self.filled], self.base, self.is_last)
    }

    /// How much of the input is there to find out its encoding from: where the reader failed, its last
    /// character may be cut.
    pub(super) fn extent(&self) -> Extent {
        let is_whole = self.is_last && self.failure.is_none();
        if is_whole { Extent::Whole } else { Extent::Beginning }
    }

    /// Scans all of the input.
    pub(super) fn run<R, P, F>(
        mut self,
        mut reader: R,
        mut pass: P,
        emit: &mut F,
    ) -> Result<Scanned, ScanError>
    where
        R: Read,
        P: Pass,
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        // What was read to find out what the input is has not been scanned yet.
        let mut is_fresh = self.filled > 0 || self.is_last;
        loop {
            if !is_fresh {
                self.make_room(&mut pass);
                self.read(&mut reader);
                // All that is decided was given after the last bytes.
                if self.is_paused {
                    continue;
                }
            }
            is_fresh = false;
            self.scanned.stopped = pass.run(self.chunk(), emit).is_break();
            if self.scanned.stopped || self.is_last {
                break;
            }
        }
        self.scanned.notices.extend(pass.notices());
        match self.failure {
            Some(error) if says_cancelled(&error) => Ok(Scanned { stopped: true, ..self.scanned }),
            Some(error) if !self.scanned.stopped => Err(self.scanned.failed(error)),
            _ => Ok(self.scanned),
        }
    }

    /// Whether the reader has no more bytes for now.
    pub(super) fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Reads the input's beginning, at most so many bytes of it, and asks after each read and each pause whether to
    /// read on; true if the scan is to stop, or is cancelled.
    pub(super) fn read_until<R: Read>(
        &mut self,
        reader: &mut R,
        most: usize,
        mut ask: impl FnMut(Chunk<'_>, bool) -> Reading,
    ) -> bool {
        while self.filled < most && !self.is_last {
            if self.filled == self.bytes.len() {
                self.bytes.resize((self.filled * 2).max(FIRST_SIZE), 0);
            }
            self.read(reader);
            match ask(self.chunk().not_last(), self.is_paused) {
                Reading::Incomplete => {}
                Reading::Enough => break,
                Reading::Stopped => return true,
            }
        }
        self.failure.as_ref().is_some_and(says_cancelled)
    }

    /// Returns the result of a scan that was stopped.
    pub(super) fn stopped(self) -> Scanned {
        Scanned { stopped: true, ..self.scanned }
    }

    /// Returns the error of a scan that cannot decode the input.
    pub(super) fn failed(self, error: io::Error) -> ScanError {
        self.scanned.failed(error)
    }

    /// One read into the buffer's free end, or a pause. After a failure nothing more is read; it is told when what was
    /// read before is scanned.
    fn read<R: Read>(&mut self, reader: &mut R) {
        let read = loop {
            match reader.read(&mut self.bytes[self.filled..]) {
                Err(error) if is_pause(&error) => {
                    self.is_paused = true;
                    return;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    break 0;
                }
                Ok(read) => break read,
            }
        };
        self.is_paused = false;
        self.filled += read;
        self.scanned.bytes += read as u64;
        self.is_last = read == 0;
    }

    /// Makes room for a read: grows the buffer, or drops what no one needs any more.
    fn make_room(&mut self, pass: &mut impl Pass) {
        if self.filled < self.bytes.len() {
            return;
        }
        if self.bytes.is_empty() {
            self.bytes.resize(FIRST_SIZE, 0);
            return;
        }
        let dropped = (pass.release(self.chunk()) - self.base).min(self.filled);
        self.bytes.copy_within(dropped..self.filled, 0);
        self.filled -= dropped;
        self.base += dropped;
        // What the beginning took, to find out what the input is, is more than the caches like.
        if self.bytes.len() > FULL_SIZE && self.filled < FULL_SIZE / 2 {
            self.bytes.truncate(FULL_SIZE);
        }
        if self.bytes.len() < FULL_SIZE || self.filled > self.bytes.len() / 2 {
            let size = (self.bytes.len() * 2).max(FULL_SIZE);
            self.bytes.resize(size, 0);
        }
    }
}
