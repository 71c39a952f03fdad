//! Stored bytes of a message: all of them in memory, or a window over those of a reader.
//!
//! Offsets are those of all bytes that there are. The window keeps what its user says is needed.

use std::io::{self, ErrorKind, Read};

use crate::chunk::Chunk;
use crate::lines::LineCounter;

/// Bytes per read of a long message.
const BLOCK: usize = 256 << 10;
/// Bytes of the first read. Most messages are shorter, and the buffer is zeroed before it is read into.
const FIRST: usize = 16 << 10;

pub(crate) struct MessageBuffer<'r> {
    whole: &'r [u8],
    stream: Option<MessageStream<'r>>,
    /// Offset at which it ends for now.
    limit: Option<usize>,
}

struct MessageStream<'r> {
    reader: &'r mut dyn Read,
    bytes: Vec<u8>,
    base: usize,
    is_last: bool,
    failure: Option<io::Error>,
}

impl<'r> MessageBuffer<'r> {
    pub(crate) fn whole(bytes: &'r [u8]) -> MessageBuffer<'r> {
        MessageBuffer { whole: bytes, stream: None, limit: None }
    }

    /// What `reader` gives after the bytes that were read of it already.
    pub(crate) fn stream(start: Vec<u8>, reader: &'r mut dyn Read) -> MessageBuffer<'r> {
        let stream = MessageStream { reader, bytes: start, base: 0, is_last: false, failure: None };
        MessageBuffer { whole: &[], stream: Some(stream), limit: None }
    }

    /// Returns the bytes in memory as a chunk.
    pub(crate) fn chunk(&self) -> Chunk<'_> {
        Chunk::new(self.bytes(), self.base(), self.is_last())
    }

    /// Returns the bytes in memory.
    pub(crate) fn bytes(&self) -> &[u8] {
        let bytes = self.stream.as_ref().map_or(self.whole, |stream| &stream.bytes);
        match self.limit {
            None => bytes,
            Some(limit) => &bytes[..bytes.len().min(limit.saturating_sub(self.base()))],
        }
    }

    /// Makes it end at an offset that is at hand, or where its bytes do.
    pub(crate) fn set_limit(&mut self, limit: Option<usize>) {
        self.limit = limit;
    }

    /// Returns the offset of the first byte in memory.
    pub(crate) fn base(&self) -> usize {
        self.stream.as_ref().map_or(0, |stream| stream.base)
    }

    pub(crate) fn end(&self) -> usize {
        self.base() + self.bytes().len()
    }

    /// Returns whether the bytes in memory are the last.
    pub(crate) fn is_last(&self) -> bool {
        self.limit.is_some() || self.stream.as_ref().is_none_or(|stream| stream.is_last)
    }

    /// Returns the bytes in memory from an offset on.
    pub(crate) fn from(&self, offset: usize) -> &[u8] {
        &self.bytes()[(offset - self.base()).min(self.bytes().len())..]
    }

    /// Reads another block, and drops the bytes before `keep`.
    pub(crate) fn more(&mut self, keep: usize, lines: &mut Option<LineCounter>) {
        let is_last = self.is_last();
        let Some(stream) = self.stream.as_mut().filter(|_| !is_last) else { return };
        let dropped = keep.saturating_sub(stream.base).min(stream.bytes.len());
        // To move what is kept must not take longer than to read.
        if dropped >= BLOCK && dropped >= stream.bytes.len() / 2 {
            if let Some(lines) = lines {
                lines.advance(&stream.bytes, stream.base, stream.base + dropped);
            }
            stream.bytes.drain(..dropped);
            stream.base += dropped;
        }
        let filled = stream.bytes.len();
        stream.bytes.resize(filled + filled.clamp(FIRST, BLOCK), 0);
        let read = loop {
            match stream.reader.read(&mut stream.bytes[filled..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    // The input's end, to be told afterwards.
                    stream.failure = Some(error);
                    break 0;
                }
                Ok(read) => break read,
            }
        };
        stream.bytes.truncate(filled + read);
        stream.is_last = read == 0;
    }

    /// Reads until the bytes up to an offset are in memory, or the input ends.
    pub(crate) fn ensure(&mut self, end: usize, keep: usize, lines: &mut Option<LineCounter>) {
        while self.end() < end && !self.is_last() {
            self.more(keep, lines);
        }
    }

    /// Takes the error with which the reader failed.
    pub(crate) fn take_failure(&mut self) -> Option<io::Error> {
        self.stream.as_mut()?.failure.take()
    }
}
