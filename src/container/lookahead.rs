//! Buffered stream with lookahead that counts its offset.

use std::io::{self, ErrorKind, Read};

use super::fault::{Fault, FaultCode, told};
use crate::pause::{is_pause, pause};

/// Bytes per read.
const BLOCK: usize = 64 << 10;
/// Most consumed bytes that are kept for going back.
const MOST_KEPT: usize = 16 << 20;
/// Capacity beyond which a buffer is dropped, not reused.
const MOST_SPARE: usize = 1 << 20;

/// Stream whose next bytes can be inspected before they are consumed.
pub(crate) trait Lookahead {
    /// Returns the buffered bytes; reads if there are none. Empty at the end.
    fn fill(&mut self) -> io::Result<&[u8]>;

    /// Reads if no bytes are buffered.
    ///
    /// # Errors
    ///
    /// A pause, where they are reported.
    fn ready(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Returns at least `len` bytes, fewer if the stream ends; `len` is at most 64 KiB.
    fn look(&mut self, len: usize) -> io::Result<&[u8]>;

    /// Consumes bytes that were inspected.
    fn consume(&mut self, len: usize);

    /// Offset of the next byte in the stream.
    fn at(&self) -> u64;

    /// Keeps the bytes from this offset on when they are consumed. It is that of the next byte or of a kept one;
    /// `None` keeps none.
    fn keep(&mut self, from: Option<u64>);

    /// Goes back to this offset, or as far as bytes are kept.
    fn go_back(&mut self, to: u64);

    /// Skips that many bytes; returns `false` if the stream ends before.
    fn skip(&mut self, len: u64) -> io::Result<bool> {
        let mut left = len;
        while left > 0 {
            let held = self.fill()?.len();
            if held == 0 {
                return Ok(false);
            }
            let step = usize::try_from(left).unwrap_or(usize::MAX).min(held);
            self.consume(step);
            left -= step as u64;
        }
        Ok(true)
    }
}

/// Buffer over a reader that slides forward, with lookahead and with kept bytes behind it.
pub(crate) struct SlidingBuffer<'r> {
    reader: Box<dyn Read + 'r>,
    held: Vec<u8>,
    start: usize,
    end: usize,
    at: u64,
    /// Index of the first kept byte, if consumed bytes are kept.
    kept: Option<usize>,
    /// The reader has ended or failed.
    ended: bool,
    /// Error of the reader, to be returned after the bytes before it.
    failure: Option<io::Error>,
    /// The error has been returned.
    has_failed: bool,
    /// The reader has reported a pause since its last bytes.
    is_paused: bool,
    /// The feed is read by a scan, which is told of a pause after all bytes before it.
    reports_pauses: bool,
}

impl<'r> SlidingBuffer<'r> {
    /// A stream whose first bytes have been read already, in memory that was used before; `at` is
    /// where they are.
    pub(crate) fn reusing(
        mut held: Vec<u8>,
        reader: Box<dyn Read + 'r>,
        at: u64,
        begun: &[u8],
    ) -> SlidingBuffer<'r> {
        if held.len() < BLOCK.max(begun.len()) {
            held.resize(BLOCK.max(begun.len()), 0);
        }
        held[..begun.len()].copy_from_slice(begun);
        SlidingBuffer {
            reader,
            held,
            start: 0,
            end: begun.len(),
            at,
            kept: None,
            ended: false,
            failure: None,
            has_failed: false,
            is_paused: false,
            reports_pauses: false,
        }
    }

    /// Returns the memory for reuse.
    pub(crate) fn into_held(mut self) -> Vec<u8> {
        if self.held.len() > MOST_SPARE {
            self.held.truncate(BLOCK);
            self.held.shrink_to_fit();
        }
        self.held
    }

    /// Puts bytes back before the next one.
    pub(crate) fn give_back(&mut self, bytes: &[u8]) {
        self.kept = None;
        if bytes.len() <= self.start {
            self.held[self.start - bytes.len()..self.start].copy_from_slice(bytes);
            self.start -= bytes.len();
            self.at -= bytes.len() as u64;
            return;
        }
        let rest = self.held[self.start..self.end].to_vec();
        let len = bytes.len() + rest.len();
        if self.held.len() < len {
            self.held.resize(len, 0);
        }
        self.held[..bytes.len()].copy_from_slice(bytes);
        self.held[bytes.len()..len].copy_from_slice(&rest);
        (self.start, self.end) = (0, len);
        self.at -= bytes.len() as u64;
    }

    /// Makes room for so many bytes behind those that are at hand: what is not kept goes, and what is kept too if there
    /// is too much of it.
    fn make_room(&mut self, len: usize) {
        if self.held.len() - self.end >= len {
            return;
        }
        if self.kept.is_some_and(|kept| self.end - kept > MOST_KEPT) {
            // Of what is longer the second half stays, so that it is not moved for each read.
            self.kept = Some(self.end.saturating_sub(MOST_KEPT / 2).min(self.start));
        }
        let first = self.kept.unwrap_or(self.start);
        self.held.copy_within(first..self.end, 0);
        (self.start, self.end) = (self.start - first, self.end - first);
        self.kept = self.kept.map(|_| 0);
        if self.held.len() - self.end < len {
            let twice = (2 * self.held.len()).min(2 * MOST_KEPT + 2 * BLOCK);
            self.held.resize(twice.max(self.end + len), 0);
        }
    }

    /// At least so many bytes if the stream has them, however many; nothing if it fails before, which is told when it
    /// is read.
    pub(crate) fn look_far(&mut self, len: usize) -> Option<&[u8]> {
        while self.end - self.start < len && !self.ended {
            self.make_room(BLOCK);
            if let Err(error) = self.read_more() {
                (self.failure, self.has_failed) = (Some(error), false);
            }
        }
        let is_told = self.failure.is_some() || self.has_failed;
        (!is_told).then_some(&self.held[self.start..self.end])
    }

    /// Nothing is at hand: what comes next is at the front, unless bytes that were taken are kept.
    fn empty(&mut self) {
        if self.kept.is_none() {
            (self.start, self.end) = (0, 0);
        }
    }

    /// Where a byte that was taken is in the buffer, or the first one that is kept.
    fn place_of(&self, at: u64) -> usize {
        let back = usize::try_from(self.at - at.min(self.at)).unwrap_or(usize::MAX);
        self.start.saturating_sub(back).max(self.kept.unwrap_or(self.start))
    }

    /// Returns the buffered bytes without reading.
    pub(crate) fn held(&self) -> &[u8] {
        &self.held[self.start..self.end]
    }

    /// Returns whether the reader has no more bytes for now.
    pub(crate) fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Reports pauses of the reader to whoever reads the feed as a reader, or asks whether it is ready. By default it
    /// reads
    /// on.
    pub(crate) fn report_pauses(&mut self) {
        self.reports_pauses = true;
    }

    /// One read; 0 at the end, and at a failure that there are still bytes before.
    pub(crate) fn read_more(&mut self) -> io::Result<usize> {
        loop {
            if let Some(read) = self.read_or_pause()? {
                return Ok(read);
            }
        }
    }

    /// The same; `None` at a pause.
    pub(crate) fn read_or_pause(&mut self) -> io::Result<Option<usize>> {
        if self.ended {
            return match self.failure.take_if(|_| self.start == self.end) {
                Some(error) => {
                    self.has_failed = true;
                    Err(error)
                }
                None if self.has_failed => Err(told()),
                None => Ok(Some(0)),
            };
        }
        match self.kept {
            // Read as much as into an empty buffer.
            Some(_) => self.make_room(BLOCK),
            None if self.start > 0 => self.make_room(1),
            None => {}
        }
        let most = self.held.len().min(self.end + BLOCK);
        loop {
            match self.reader.read(&mut self.held[self.end..most]) {
                Err(error) if is_pause(&error) => {
                    self.is_paused = true;
                    return Ok(None);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    (self.ended, self.is_paused) = (true, false);
                    if self.start == self.end {
                        self.has_failed = true;
                        return Err(error);
                    }
                    self.failure = Some(error);
                    return Ok(Some(0));
                }
                Ok(read) => {
                    self.end += read;
                    (self.ended, self.is_paused) = (read == 0, false);
                    return Ok(Some(read));
                }
            }
        }
    }
}

impl Lookahead for SlidingBuffer<'_> {
    fn ready(&mut self) -> io::Result<()> {
        if self.start < self.end || !self.reports_pauses {
            return Ok(());
        }
        self.empty();
        if !self.is_paused
            && !self.ended
            && let Err(error) = self.read_or_pause()
        {
            // The error is returned where it is read.
            (self.failure, self.has_failed) = (Some(error), false);
        }
        match std::mem::take(&mut self.is_paused) {
            true => Err(pause()),
            false => Ok(()),
        }
    }

    fn fill(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            self.empty();
            self.read_more()?;
        }
        Ok(&self.held[self.start..self.end])
    }

    fn look(&mut self, len: usize) -> io::Result<&[u8]> {
        let len = len.min(BLOCK);
        if self.end - self.start < len {
            self.make_room(len - (self.end - self.start));
            while self.end - self.start < len && self.read_more()? > 0 {}
        }
        Ok(&self.held[self.start..self.end])
    }

    fn consume(&mut self, len: usize) {
        let len = len.min(self.end - self.start);
        self.start += len;
        self.at += len as u64;
    }

    fn at(&self) -> u64 {
        self.at
    }

    fn keep(&mut self, from: Option<u64>) {
        self.kept = from.map(|from| self.place_of(from));
    }

    fn go_back(&mut self, to: u64) {
        let place = self.place_of(to);
        self.at -= (self.start - place) as u64;
        self.start = place;
    }
}

impl SlidingBuffer<'_> {
    /// Reads into `to` directly: a read as long as the buffer need not be copied through it.
    fn read_past_buffer(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.reports_pauses && std::mem::take(&mut self.is_paused) {
                return Err(pause());
            }
            match self.reader.read(to) {
                Err(error) if is_pause(&error) => self.is_paused = true,
                Err(error) => {
                    let is_over = error.kind() != ErrorKind::Interrupted;
                    (self.ended, self.has_failed) = (is_over, is_over);
                    return Err(error);
                }
                Ok(read) => {
                    (self.ended, self.is_paused) = (read == 0, false);
                    self.at += read as u64;
                    return Ok(read);
                }
            }
        }
    }
}

impl Read for SlidingBuffer<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end && to.len() >= BLOCK && !self.ended && self.kept.is_none() {
            return self.read_past_buffer(to);
        }
        self.ready()?;
        let held = self.fill()?;
        let len = held.len().min(to.len());
        to[..len].copy_from_slice(&held[..len]);
        self.consume(len);
        Ok(len)
    }
}

/// Reader of the next bytes of a buffer, up to a number; fails if the buffer ends before.
pub(super) struct Left<'l, 'r> {
    pub(super) feed: &'l mut SlidingBuffer<'r>,
    pub(super) left: u64,
    /// Text of the error.
    pub(super) short: &'static str,
    /// The error has been returned.
    pub(super) is_short: bool,
}

impl<'l, 'r> Left<'l, 'r> {
    pub(super) fn of(
        feed: &'l mut SlidingBuffer<'r>,
        left: u64,
        short: &'static str,
    ) -> Left<'l, 'r> {
        Left { feed, left, short, is_short: false }
    }
}

impl Read for Left<'_, '_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = usize::try_from(self.left).unwrap_or(usize::MAX).min(to.len());
        if len == 0 {
            return Ok(0);
        }
        let read = self.feed.read(&mut to[..len])?;
        self.left -= read as u64;
        if read == 0 {
            self.is_short = true;
            return Err(Fault::new(FaultCode::Truncated, self.feed.at(), self.short).into());
        }
        Ok(read)
    }
}
