//! Blocks: a reader's bytes, scanned buffer by buffer.

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::charset::{Detected, Extent};
use crate::document::pass::{AnyPass, Pass, Told};
use crate::input::chunk::Chunk;
use crate::input::guard::says_cancelled;
use crate::input::sliding_buffer::SlidingBuffer;
use crate::link::Judged;
use crate::notice::{Notice, ScanError, Scanned};
use crate::source_map::transfer::uuencode::UuencodeSearch;

/// Initial size of the buffer in bytes: most files are smaller.
const FIRST_SIZE: usize = 64 << 10;
/// Size in bytes to which it grows when a stream fills it.
const FULL_SIZE: usize = 512 << 10;

/// Whether to read more of an input's beginning.
pub(super) enum Reading {
    Incomplete,
    Enough,
    Stopped,
}

/// A scan of a reader through a buffer.
pub(super) struct Blocks<'b> {
    held: &'b mut SlidingBuffer,
    failure: Option<io::Error>,
    scanned: Scanned,
    /// Search for encoded data, in running text.
    encoded: Option<UuencodeSearch>,
}

impl<'b> Blocks<'b> {
    pub(super) fn new(buffer: &'b mut SlidingBuffer) -> Blocks<'b> {
        buffer.restart();
        Blocks { held: buffer, failure: None, scanned: Scanned::default(), encoded: None }
    }

    pub(super) fn set_detected(&mut self, detected: Detected) {
        self.scanned.detected = Some(detected);
    }

    /// Sets the notices on the document, and begins the search for encoded data in running text.
    pub(super) fn set_told(&mut self, told: Told, pass: &AnyPass<'_>) {
        self.encoded = pass.is_of_text().then(UuencodeSearch::default);
        self.scanned.notices = told.into_iter().flatten().collect();
    }

    pub(super) fn chunk(&self) -> Chunk<'_> {
        self.held.chunk()
    }

    /// Number of bytes from which the encoding is detected: if the reader failed, its last character may be cut.
    pub(super) fn extent(&self) -> Extent {
        let is_whole = self.held.is_last() && self.failure.is_none();
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
        // The bytes that were read for detection have not been scanned yet.
        let mut is_fresh = !self.held.bytes().is_empty() || self.held.is_last();
        loop {
            if !is_fresh {
                self.make_room(&mut pass);
                self.read(&mut reader);
                // All decided links were reported after the last bytes.
                if self.held.is_paused() {
                    continue;
                }
            }
            is_fresh = false;
            if let Some(search) = &mut self.encoded {
                let chunk = self.held.chunk();
                search.look(chunk.bytes(), chunk.base(), chunk.is_last());
            }
            self.scanned.stopped = pass.run(self.chunk(), emit).is_break();
            if self.scanned.stopped || self.held.is_last() {
                break;
            }
        }
        self.scanned.notices.extend(pass.notices());
        let has_encoded = self.encoded.is_some_and(|search| search.has_found);
        self.scanned.notices.extend(has_encoded.then_some(Notice::Skipped));
        match self.failure {
            Some(error) if says_cancelled(&error) => Ok(Scanned { stopped: true, ..self.scanned }),
            Some(error) if !self.scanned.stopped => Err(self.scanned.failed(error)),
            _ => Ok(self.scanned),
        }
    }

    /// Whether the reader has no more bytes for now.
    pub(super) fn is_paused(&self) -> bool {
        self.held.is_paused()
    }

    /// Reads at most `most` bytes of the input's beginning, and calls `ask` after each read and each pause to learn whether to
    /// read on; returns `true` if the scan must stop, or is cancelled.
    pub(super) fn read_until<R: Read>(
        &mut self,
        reader: &mut R,
        most: usize,
        mut ask: impl FnMut(Chunk<'_>, bool) -> Reading,
    ) -> bool {
        while self.held.bytes().len() < most && !self.held.is_last() {
            if self.held.room() == 0 {
                self.held.resize((self.held.size() * 2).max(FIRST_SIZE));
            }
            self.read(reader);
            match ask(self.chunk().not_last(), self.held.is_paused()) {
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

    /// Reads once, or notes a pause. After a failure nothing more is read; it is reported after the scan of the bytes before it.
    fn read<R: Read>(&mut self, reader: &mut R) {
        match self.held.read(reader, usize::MAX) {
            Ok(read) => self.scanned.bytes += read.unwrap_or(0) as u64,
            Err(error) => self.failure = Some(error),
        }
    }

    /// Makes room for a read: grows the buffer, or drops bytes that are no longer needed.
    fn make_room(&mut self, pass: &mut impl Pass) {
        if self.held.room() > 0 {
            return;
        }
        if self.held.size() == 0 {
            self.held.resize(FIRST_SIZE);
            return;
        }
        let needed = pass.release(self.chunk());
        self.held.drop_before(needed as u64);
        self.held.compact();
        let (filled, size) = (self.held.bytes().len(), self.held.size());
        // The beginning that detection needed is larger than the caches.
        let size = if size > FULL_SIZE && filled < FULL_SIZE / 2 { FULL_SIZE } else { size };
        let is_small = size < FULL_SIZE || filled > size / 2;
        self.held.resize(if is_small { (size * 2).max(FULL_SIZE) } else { size });
    }
}
