//! A feed: a stream that can be looked ahead in, and that knows where it is.

use std::io::{self, ErrorKind, Read};

use super::fault::{Fault, FaultCode, told};

/// How much is read at once.
const BLOCK: usize = 64 << 10;

/// A stream whose next bytes can be looked at before they are taken.
pub(crate) trait Ahead {
    /// The bytes that are at hand, after a read if there are none; none at the end.
    fn fill(&mut self) -> io::Result<&[u8]>;

    /// At least so many bytes if the stream has them; `len` is at most 64 KiB.
    fn look(&mut self, len: usize) -> io::Result<&[u8]>;

    /// Takes bytes that were looked at.
    fn consume(&mut self, len: usize);

    /// Where the next byte is in the stream.
    fn at(&self) -> u64;

    /// Takes so many bytes; false if the stream ends before.
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

/// A reader with a buffer.
pub(crate) struct Feed<'r> {
    reader: Box<dyn Read + 'r>,
    held: Vec<u8>,
    start: usize,
    end: usize,
    at: u64,
    /// The reader has said that it ends, or failed.
    ended: bool,
    /// What it failed with; told after all that it gave before.
    failure: Option<io::Error>,
    /// That has been told.
    has_failed: bool,
}

impl<'r> Feed<'r> {
    /// A stream whose first bytes have been read already, in memory that was used before; `at` is
    /// where they are.
    pub(crate) fn reusing(
        mut held: Vec<u8>,
        reader: Box<dyn Read + 'r>,
        at: u64,
        begun: &[u8],
    ) -> Feed<'r> {
        if held.len() < BLOCK.max(begun.len()) {
            held.resize(BLOCK.max(begun.len()), 0);
        }
        held[..begun.len()].copy_from_slice(begun);
        Feed {
            reader,
            held,
            start: 0,
            end: begun.len(),
            at,
            ended: false,
            failure: None,
            has_failed: false,
        }
    }

    /// The memory, for another one.
    pub(crate) fn into_held(self) -> Vec<u8> {
        self.held
    }

    /// Puts bytes back in front of those that are next.
    pub(crate) fn give_back(&mut self, bytes: &[u8]) {
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

    /// The bytes that are at hand, without a read.
    pub(crate) fn held(&self) -> &[u8] {
        &self.held[self.start..self.end]
    }

    /// One read; 0 at the end, and at a failure that there are still bytes before.
    pub(crate) fn read_more(&mut self) -> io::Result<usize> {
        if self.ended {
            return match self.failure.take_if(|_| self.start == self.end) {
                Some(error) => {
                    self.has_failed = true;
                    Err(error)
                }
                None if self.has_failed => Err(told()),
                None => Ok(0),
            };
        }
        if self.start > 0 && self.end == self.held.len() {
            self.held.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        loop {
            match self.reader.read(&mut self.held[self.end..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    if self.start == self.end {
                        self.has_failed = true;
                        return Err(error);
                    }
                    self.failure = Some(error);
                    return Ok(0);
                }
                Ok(read) => {
                    self.end += read;
                    self.ended = read == 0;
                    return Ok(read);
                }
            }
        }
    }
}

impl Ahead for Feed<'_> {
    fn fill(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            self.read_more()?;
        }
        Ok(&self.held[self.start..self.end])
    }

    fn look(&mut self, len: usize) -> io::Result<&[u8]> {
        let len = len.min(BLOCK);
        if self.end - self.start < len {
            self.held.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            while self.end < len && self.read_more()? > 0 {}
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
}

impl Read for Feed<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end && to.len() >= BLOCK && !self.ended {
            // What is as long as the buffer need not go through it.
            let read = self.reader.read(to).inspect_err(|error| {
                let is_over = error.kind() != ErrorKind::Interrupted;
                (self.ended, self.has_failed) = (is_over, is_over);
            })?;
            self.ended = read == 0;
            self.at += read as u64;
            return Ok(read);
        }
        let held = self.fill()?;
        let len = held.len().min(to.len());
        to[..len].copy_from_slice(&held[..len]);
        self.consume(len);
        Ok(len)
    }
}

/// So many bytes of a feed, for a reader; an error where the feed ends before.
pub(super) struct Left<'l, 'r> {
    pub(super) feed: &'l mut Feed<'r>,
    pub(super) left: u64,
    /// What the error says.
    pub(super) short: &'static str,
    /// It was given.
    pub(super) is_short: bool,
}

impl<'l, 'r> Left<'l, 'r> {
    pub(super) fn of(feed: &'l mut Feed<'r>, left: u64, short: &'static str) -> Left<'l, 'r> {
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
