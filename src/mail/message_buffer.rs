//! Stored bytes of a message: all of them in memory, or a window over the bytes of a reader.
//!
//! Offsets count from the start of the input. The caller determines which bytes the window keeps.

use std::io::{self, Read};

use crate::input::chunk::Chunk;
use crate::input::sliding_buffer::SlidingBuffer;
use crate::link::lines::LineCounter;

/// Number of bytes per read of a long message.
const BLOCK: usize = 256 << 10;
/// Number of bytes of the first read. Most messages are shorter, and the buffer is zeroed before it is read into.
const FIRST: usize = 16 << 10;
/// Number of bytes for which a read is worth while.
const LEAST: usize = 4 << 10;

pub(crate) struct MessageBuffer<'r> {
    bytes: MessageBytes<'r>,
    /// Offset at which the bytes end, if it is limited.
    limit: Option<usize>,
}

enum MessageBytes<'r> {
    Whole(&'r [u8]),
    Stream(MessageStream<'r>),
    /// Bytes to which the caller adds between two steps.
    Fed(FedMessage<'r>),
}

struct MessageStream<'r> {
    reader: &'r mut dyn Read,
    held: SlidingBuffer,
    failure: Option<io::Error>,
}

struct FedMessage<'r> {
    held: &'r SlidingBuffer,
    need: MailNeed,
}

/// What a step over a fed message lacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MailNeed {
    Nothing,
    /// The next step needs more bytes.
    More,
    /// The step needed more bytes, and did not get them: its result is that of a message that ends there.
    Starved,
}

impl<'r> MessageBuffer<'r> {
    pub(crate) fn whole(bytes: &'r [u8]) -> MessageBuffer<'r> {
        MessageBuffer { bytes: MessageBytes::Whole(bytes), limit: None }
    }

    /// Creates a buffer for `start`, which was read already, and the remaining bytes of `reader`, in the memory of another
    /// one.
    pub(crate) fn stream(
        start: Vec<u8>,
        reader: &'r mut dyn Read,
        memory: Vec<u8>,
    ) -> MessageBuffer<'r> {
        let held = SlidingBuffer::holding(start, memory);
        let stream = MessageStream { reader, held, failure: None };
        MessageBuffer { bytes: MessageBytes::Stream(stream), limit: None }
    }

    /// Creates a buffer for one step over bytes to which the caller adds.
    pub(crate) fn fed(held: &'r SlidingBuffer) -> MessageBuffer<'r> {
        let fed = FedMessage { held, need: MailNeed::Nothing };
        MessageBuffer { bytes: MessageBytes::Fed(fed), limit: None }
    }

    /// Returns what the step lacked.
    pub(crate) fn need(&self) -> MailNeed {
        match &self.bytes {
            MessageBytes::Fed(fed) => fed.need,
            MessageBytes::Whole(_) | MessageBytes::Stream(_) => MailNeed::Nothing,
        }
    }

    /// Returns the bytes in memory as a chunk.
    #[inline]
    pub(crate) fn chunk(&self) -> Chunk<'_> {
        let held = match &self.bytes {
            MessageBytes::Whole(bytes) => Chunk::whole(bytes),
            MessageBytes::Stream(stream) => stream.held.chunk(),
            MessageBytes::Fed(fed) => fed.chunk(),
        };
        match self.limit {
            None => held,
            Some(limit) => Chunk::new(held.within(held.base()..limit), held.base(), true),
        }
    }

    /// Returns the bytes in memory.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.chunk().bytes()
    }

    /// Sets the offset at which the bytes end, which must be in memory; `None` removes the limit.
    pub(crate) fn set_limit(&mut self, limit: Option<usize>) {
        self.limit = limit;
    }

    pub(crate) fn end(&self) -> usize {
        self.chunk().end()
    }

    /// Returns `true` if the bytes in memory are the last.
    pub(crate) fn is_last(&self) -> bool {
        self.chunk().is_last()
    }

    /// Returns the bytes in memory from an offset on.
    pub(crate) fn from(&self, offset: usize) -> &[u8] {
        self.chunk().from(offset)
    }

    /// Requests more bytes for the next step, and drops those before `keep`.
    pub(crate) fn next(&mut self, keep: usize, lines: &mut Option<LineCounter>) {
        match &mut self.bytes {
            MessageBytes::Fed(fed) => fed.need = MailNeed::More,
            MessageBytes::Whole(_) | MessageBytes::Stream(_) => self.more(keep, lines),
        }
    }

    /// Reads another block, and drops the bytes before `keep`.
    pub(crate) fn more(&mut self, keep: usize, lines: &mut Option<LineCounter>) {
        if self.is_last() {
            return;
        }
        let stream = match &mut self.bytes {
            MessageBytes::Whole(_) => return,
            MessageBytes::Stream(stream) => stream,
            MessageBytes::Fed(fed) => {
                fed.need = MailNeed::Starved;
                return;
            }
        };
        let held = stream.held.chunk();
        if held.index(keep) >= BLOCK {
            if let Some(lines) = lines {
                lines.advance(held, keep.min(held.end()));
            }
            stream.held.drop_before(keep as u64);
        }
        let most = stream.held.bytes().len().clamp(FIRST, BLOCK);
        // The read that finds the end needs no more room.
        if stream.held.room() < LEAST {
            stream.held.make_room(most);
        }
        loop {
            match stream.held.read(stream.reader, most) {
                // The reader paused. Read again, since a message is not scanned between pauses.
                Ok(None) => {}
                Ok(Some(_)) => break,
                Err(error) => {
                    // The input ends here; the error is reported afterwards.
                    stream.failure = Some(error);
                    break;
                }
            }
        }
    }

    /// Reads until the bytes up to an offset are in memory, or the input ends.
    pub(crate) fn ensure(&mut self, end: usize, keep: usize, lines: &mut Option<LineCounter>) {
        while self.end() < end && !self.is_last() {
            self.more(keep, lines);
        }
    }

    /// Takes the memory, for another buffer; that of long messages is not kept.
    pub(crate) fn take_memory(&mut self) -> Vec<u8> {
        match &mut self.bytes {
            MessageBytes::Stream(stream) if stream.held.size() <= 2 * BLOCK => {
                stream.held.take_memory()
            }
            _ => Vec::new(),
        }
    }

    /// Takes the error with which the reader failed.
    pub(crate) fn take_failure(&mut self) -> Option<io::Error> {
        match &mut self.bytes {
            MessageBytes::Stream(stream) => stream.failure.take(),
            MessageBytes::Whole(_) | MessageBytes::Fed(_) => None,
        }
    }
}

impl FedMessage<'_> {
    fn chunk(&self) -> Chunk<'_> {
        let chunk = self.held.chunk();
        let is_last = chunk.is_last() || self.need == MailNeed::Starved;
        Chunk::new(chunk.bytes(), chunk.base(), is_last)
    }
}
