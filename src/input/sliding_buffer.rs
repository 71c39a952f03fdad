//! Sliding buffers: the bytes of a reader that are available.
//!
//! Users keep offsets of the source. Only the buffer knows where its first byte is in the source.

use std::io::{self, ErrorKind, Read};

use crate::input::chunk::Chunk;
use crate::input::pause::is_pause;

/// Bytes of a source that were read and not dropped.
#[derive(Debug, Default)]
pub(crate) struct SlidingBuffer {
    bytes: Vec<u8>,
    /// The part of `bytes` that is held.
    start: usize,
    end: usize,
    /// The offset in the source of the first byte that is held.
    base: u64,
    is_last: bool,
    is_paused: bool,
}

impl SlidingBuffer {
    /// A buffer in memory that is there already, for a source from the offset `base` on.
    pub(crate) fn reusing(bytes: Vec<u8>, base: u64) -> SlidingBuffer {
        SlidingBuffer { bytes, base, ..SlidingBuffer::default() }
    }

    /// A buffer that holds the first bytes of a source, in memory that is there already if they fit into it.
    pub(crate) fn holding(bytes: Vec<u8>, mut memory: Vec<u8>) -> SlidingBuffer {
        let end = bytes.len();
        match memory.get_mut(..end) {
            Some(front) => front.copy_from_slice(&bytes),
            None => memory = bytes,
        }
        SlidingBuffer { bytes: memory, end, ..SlidingBuffer::default() }
    }

    /// Begins another source.
    pub(crate) fn restart(&mut self) {
        *self = SlidingBuffer::reusing(self.take_memory(), 0);
    }

    /// Takes the memory, for another buffer.
    pub(crate) fn take_memory(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// The bytes that are held. Offsets beyond what memory can have do not come here: readers are counted.
    pub(crate) fn chunk(&self) -> Chunk<'_> {
        Chunk::new(self.bytes(), self.base as usize, self.is_last)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// The bytes from an offset on.
    pub(crate) fn from(&self, offset: u64) -> &[u8] {
        let dropped = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        &self.bytes[self.start.saturating_add(dropped).min(self.end)..self.end]
    }

    /// The offset of the first byte that is held.
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    /// The offset after the last byte that was read.
    pub(crate) fn read_to(&self) -> u64 {
        self.base + (self.end - self.start) as u64
    }

    /// Whether the source ends with the bytes that are held.
    pub(crate) fn is_last(&self) -> bool {
        self.is_last
    }

    /// Whether the reader has reported a pause since its last bytes.
    pub(crate) fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Takes the report of a pause.
    pub(crate) fn take_pause(&mut self) -> bool {
        std::mem::take(&mut self.is_paused)
    }

    /// The number of bytes that can be read without another move or allocation.
    pub(crate) fn room(&self) -> usize {
        self.bytes.len() - self.end
    }

    /// Makes room for a read of `len` bytes.
    pub(crate) fn make_room(&mut self, len: usize) {
        if self.room() < len {
            self.compact();
            // Room for half of the bytes held at least, so that moves take linear time in all.
            let room = len.max(self.end / 2);
            if self.room() < room {
                self.bytes.resize(self.end + room, 0);
            }
        }
    }

    /// The number of bytes that memory is there for.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Drops the bytes before an offset.
    pub(crate) fn drop_before(&mut self, offset: u64) {
        let dropped = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        let dropped = dropped.min(self.end - self.start);
        self.start += dropped;
        self.base += dropped as u64;
    }

    /// Moves the bytes that are held to the front of the memory.
    pub(crate) fn compact(&mut self) {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
    }

    /// Makes the memory have a size, if it does not hold more already.
    pub(crate) fn resize(&mut self, size: usize) {
        let size = size.max(self.end);
        self.bytes.reserve_exact(size.saturating_sub(self.bytes.len()));
        self.bytes.resize(size, 0);
    }

    /// Puts bytes in front of those that are held, which are the source's bytes there.
    pub(crate) fn give_back(&mut self, bytes: &[u8]) {
        match self.start.checked_sub(bytes.len()) {
            Some(start) => {
                self.bytes[start..self.start].copy_from_slice(bytes);
                self.start = start;
            }
            None => {
                self.bytes.splice(..self.start, bytes.iter().copied());
                self.end = self.end - self.start + bytes.len();
                self.start = 0;
            }
        }
        self.base -= bytes.len() as u64;
    }

    /// Reads once, as many bytes as there is room for and at most `most`; `None` at a pause.
    ///
    /// # Errors
    ///
    /// What the reader fails with: the source ends there.
    pub(crate) fn read<R: Read + ?Sized>(
        &mut self,
        reader: &mut R,
        most: usize,
    ) -> io::Result<Option<usize>> {
        let end = self.bytes.len().min(self.end.saturating_add(most));
        debug_assert!(self.end < end, "there is room");
        let read = read_or_pause(reader, &mut self.bytes[self.end..end]);
        self.end += self.note(&read);
        read
    }

    /// Reads once, past the buffer, which is empty; `None` at a pause.
    ///
    /// # Errors
    ///
    /// As [`read`](SlidingBuffer::read).
    pub(crate) fn read_past<R: Read + ?Sized>(
        &mut self,
        reader: &mut R,
        to: &mut [u8],
    ) -> io::Result<Option<usize>> {
        debug_assert!(self.start == self.end, "the bytes that are held come first");
        let read = read_or_pause(reader, to);
        self.base += self.note(&read) as u64;
        read
    }

    /// Notes the result of a read; returns the number of bytes.
    fn note(&mut self, read: &io::Result<Option<usize>>) -> usize {
        if let Ok(None) = read {
            self.is_paused = true;
            return 0;
        }
        let count = read.as_ref().ok().copied().flatten().unwrap_or(0);
        (self.is_last, self.is_paused) = (count == 0, false);
        count
    }
}

/// Reads once; `None` at a pause.
fn read_or_pause<R: Read + ?Sized>(reader: &mut R, to: &mut [u8]) -> io::Result<Option<usize>> {
    loop {
        match reader.read(to) {
            Err(error) if is_pause(&error) => return Ok(None),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read.map(Some),
        }
    }
}
