//! Readers with lookahead that count their offset.

use std::io::{self, Read};

use super::fault::{Fault, FaultCode, told};
use crate::input::pause::pause;
use crate::input::sliding_buffer::SlidingBuffer;

/// Bytes per read.
const BLOCK: usize = 64 << 10;
/// Most consumed bytes that are kept for going back.
const MOST_KEPT: usize = 16 << 20;
/// Capacity beyond which a buffer is dropped, not reused.
const MOST_SPARE: usize = 1 << 20;

/// Stream whose next bytes can be inspected before they are consumed.
pub(crate) trait Lookahead {
    /// Returns the buffered bytes; reads if the buffer is empty. Empty at the end.
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

    /// Returns to this offset, or to the first kept byte.
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

/// Reader whose bytes can be inspected before they are consumed, and afterwards as long as they are kept.
pub(crate) struct LookaheadReader<'r> {
    reader: Box<dyn Read + 'r>,
    /// The bytes that are kept and those that are not consumed.
    held: SlidingBuffer,
    /// Offset of the next byte.
    at: u64,
    /// Bytes that are consumed are kept.
    keeps: bool,
    /// Error of the reader, to be returned after the bytes before it.
    failure: Option<io::Error>,
    /// The error has been returned.
    has_failed: bool,
    /// A scan reads the reader; pauses are reported to it after all bytes before them.
    reports_pauses: bool,
}

impl<'r> LookaheadReader<'r> {
    /// A reader of a stream from the offset `at` on, in memory that was used before.
    pub(crate) fn reusing(memory: Vec<u8>, reader: Box<dyn Read + 'r>, at: u64) -> Self {
        let mut held = SlidingBuffer::reusing(memory, at);
        if held.size() < BLOCK {
            held.resize(BLOCK);
        }
        LookaheadReader {
            reader,
            held,
            at,
            keeps: false,
            failure: None,
            has_failed: false,
            reports_pauses: false,
        }
    }

    /// Returns the memory for reuse.
    pub(crate) fn into_memory(mut self) -> Vec<u8> {
        let mut memory = self.held.take_memory();
        if memory.len() > MOST_SPARE {
            memory.truncate(BLOCK);
            memory.shrink_to_fit();
        }
        memory
    }

    /// Puts bytes back before the next one.
    pub(crate) fn give_back(&mut self, bytes: &[u8]) {
        self.keep(None);
        self.held.give_back(bytes);
        self.at = self.held.base();
    }

    /// Makes room for `len` more bytes; not for more kept ones than are allowed.
    fn make_room(&mut self, len: usize) {
        if self.held.room() >= len {
            return;
        }
        if self.held.bytes().len() > MOST_KEPT {
            // Only the second half of a longer buffer stays, so that reads do not move bytes each time.
            let kept = self.held.read_to() - (MOST_KEPT / 2) as u64;
            self.held.drop_before(kept.min(self.at));
        }
        self.held.make_room(len);
    }

    /// Returns at least `len` bytes if the stream has them, without a limit; `None` if the stream fails before; the next read reports
    /// the failure.
    pub(crate) fn look_far(&mut self, len: usize) -> Option<&[u8]> {
        while self.held().len() < len && !self.held.is_last() {
            self.make_room(BLOCK);
            if let Err(error) = self.read_more() {
                (self.failure, self.has_failed) = (Some(error), false);
            }
        }
        let has_failed = self.failure.is_some() || self.has_failed;
        (!has_failed).then_some(self.held())
    }

    /// Returns the bytes that were read and not consumed.
    pub(crate) fn held(&self) -> &[u8] {
        self.held.from(self.at)
    }

    /// Returns whether the reader has no more bytes for now.
    pub(crate) fn is_paused(&self) -> bool {
        self.held.is_paused()
    }

    /// Reports pauses of the reader to whoever reads from this one, or asks whether it is ready. By default it reads on.
    pub(crate) fn report_pauses(&mut self) {
        self.reports_pauses = true;
    }

    /// One read; 0 at the end, and at a failure that there are still bytes before.
    fn read_more(&mut self) -> io::Result<usize> {
        loop {
            if let Some(read) = self.read_or_pause()? {
                return Ok(read);
            }
        }
    }

    /// One read, or a pause: `None`, and the next call waits for more bytes.
    pub(crate) fn read_or_pause(&mut self) -> io::Result<Option<usize>> {
        if self.held.is_last() {
            return match self.failure.take_if(|_| self.at == self.held.read_to()) {
                Some(error) => {
                    self.has_failed = true;
                    Err(error)
                }
                None if self.has_failed => Err(told()),
                None => Ok(Some(0)),
            };
        }
        // Beside bytes that are kept as much is read as into an empty buffer.
        self.make_room(if self.keeps { BLOCK } else { 1 });
        match self.held.read(&mut self.reader, BLOCK) {
            Err(error) if self.held().is_empty() => {
                self.has_failed = true;
                Err(error)
            }
            Err(error) => {
                self.failure = Some(error);
                Ok(Some(0))
            }
            read => read,
        }
    }

    /// A read of at least a block while nothing is available or kept.
    fn read_past_buffer(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.reports_pauses && self.held.take_pause() {
                return Err(pause());
            }
            match self.held.read_past(&mut self.reader, to) {
                Ok(None) => {}
                Ok(Some(read)) => {
                    self.at = self.held.read_to();
                    return Ok(read);
                }
                Err(error) => {
                    self.has_failed = true;
                    return Err(error);
                }
            }
        }
    }
}

impl Lookahead for LookaheadReader<'_> {
    fn ready(&mut self) -> io::Result<()> {
        if !self.held().is_empty() || !self.reports_pauses {
            return Ok(());
        }
        if !self.held.is_paused()
            && !self.held.is_last()
            && let Err(error) = self.read_or_pause()
        {
            // The error is returned where it is read.
            (self.failure, self.has_failed) = (Some(error), false);
        }
        match self.held.take_pause() {
            true => Err(pause()),
            false => Ok(()),
        }
    }

    fn fill(&mut self) -> io::Result<&[u8]> {
        if self.held().is_empty() {
            self.read_more()?;
        }
        Ok(self.held())
    }

    fn look(&mut self, len: usize) -> io::Result<&[u8]> {
        let len = len.min(BLOCK);
        let lacking = len.saturating_sub(self.held().len());
        if lacking > 0 {
            self.make_room(lacking);
            while self.held().len() < len && self.read_more()? > 0 {}
        }
        Ok(self.held())
    }

    fn consume(&mut self, len: usize) {
        self.at += len.min(self.held().len()) as u64;
        if !self.keeps {
            self.held.drop_before(self.at);
        }
    }

    fn at(&self) -> u64 {
        self.at
    }

    fn keep(&mut self, from: Option<u64>) {
        self.keeps = from.is_some();
        self.held.drop_before(from.map_or(self.at, |from| from.min(self.at)));
    }

    fn go_back(&mut self, to: u64) {
        self.at = to.clamp(self.held.base(), self.at);
    }
}

impl Read for LookaheadReader<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let is_empty = self.held.bytes().is_empty();
        if is_empty && to.len() >= BLOCK && !self.held.is_last() && !self.keeps {
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
    pub(super) feed: &'l mut LookaheadReader<'r>,
    pub(super) left: u64,
    /// Text of the error.
    pub(super) short: &'static str,
    /// The error has been returned.
    pub(super) is_short: bool,
}

impl<'l, 'r> Left<'l, 'r> {
    pub(super) fn of(
        feed: &'l mut LookaheadReader<'r>,
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
