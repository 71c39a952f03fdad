//! Where links are written: standard output, or a file that may be compressed and resumed.
//!
//! A compressed file is a row of gzip members or zstd frames, each of some MiB of output. Where one ends
//! depends on the output alone, so that a run that was interrupted and resumed writes the bytes that it would
//! have written in one go; and what is not a whole frame yet is held here, so that the file is whole at any time.

use std::fs::File;
use std::io;

use super::in_place::InPlace;
#[cfg(feature = "parquet")]
use super::table::Table;
use crate::codec::Codec;

/// About so much output makes a frame.
const FRAME: usize = 4 << 20;

/// Output that takes bytes in order.
pub(crate) struct OutputSink {
    target: SinkTarget,
    codec: Codec,
    /// Where a record ends: frames end there too.
    terminator: u8,
    /// Header before the first record, until there is one.
    head: Vec<u8>,
    /// Bytes that are not a whole frame yet.
    pending: Vec<u8>,
}

pub(super) enum SinkTarget {
    Bytes(InPlace),
    #[cfg(feature = "parquet")]
    Table(Box<Table>),
}

impl OutputSink {
    /// What is open, in a form that frames are made of, with what is there of the next one.
    pub(super) fn new(
        target: SinkTarget,
        codec: Codec,
        terminator: u8,
        pending: Vec<u8>,
    ) -> OutputSink {
        OutputSink { target, codec, terminator, head: Vec::new(), pending }
    }

    /// Name in messages.
    pub(crate) fn name(&self) -> String {
        match &self.target {
            SinkTarget::Bytes(file) => file.name(),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => table.name.display().to_string(),
        }
    }

    /// The regular file that is written, which must not be read.
    pub(crate) fn file(&self) -> Option<&File> {
        match &self.target {
            SinkTarget::Bytes(file) => file.file(),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => Some(table.file()),
        }
    }

    /// How long the file is.
    pub(crate) fn len(&self) -> u64 {
        match &self.target {
            SinkTarget::Bytes(file) => file.len(),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => table.len(),
        }
    }

    /// Writes what comes before the first record: on standard output at once, in a file with that record, since until then
    /// what is there stays.
    ///
    /// # Errors
    ///
    /// As of [`write`](Sink::write).
    pub(crate) fn begin(&mut self, head: &[u8]) -> io::Result<()> {
        match &mut self.target {
            SinkTarget::Bytes(out) if out.is_stdout() => out.write(head),
            _ => {
                self.head = head.to_vec();
                Ok(())
            }
        }
    }

    /// Writes whole records.
    ///
    /// # Errors
    ///
    /// What the system fails with. A file then ends as it did before the records, or the frame, that failed;
    /// one of Parquet is as it was before the run, or can be resumed.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let head = std::mem::take(&mut self.head);
        if !head.is_empty() {
            return self.put(&[&head, bytes].concat());
        }
        self.put(bytes)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.target {
            SinkTarget::Bytes(file) if self.codec == Codec::Stored => return file.write(bytes),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => return table.write(bytes),
            SinkTarget::Bytes(_) => self.pending.extend_from_slice(bytes),
        }
        loop {
            let rest = self.pending.iter().skip(FRAME - 1);
            let Some(after) = rest.clone().position(|byte| *byte == self.terminator) else {
                return Ok(());
            };
            let end = FRAME + after;
            self.put_frame(end)?;
            self.pending.drain(..end);
        }
    }

    /// Writes a frame of so much of what is no frame yet.
    fn put_frame(&mut self, end: usize) -> io::Result<()> {
        let frame = self.codec.frame(&self.pending[..end])?;
        match &mut self.target {
            SinkTarget::Bytes(file) => file.write(&frame),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(_) => Ok(()),
        }
    }

    /// Waits until what was written is on the disk, and says how long the file is and what is not in it yet.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub(crate) fn settle(&mut self) -> io::Result<(u64, Vec<u8>)> {
        match &mut self.target {
            SinkTarget::Bytes(file) => {
                file.settle()?;
                Ok((file.len(), self.pending.clone()))
            }
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => table.settle(),
        }
    }

    /// Writes what is left, and the frame that makes an empty file one of its format. Of a file nothing is left that was
    /// there before.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        let head = std::mem::take(&mut self.head);
        if !head.is_empty() {
            self.put(&head)?;
        }
        if self.codec != Codec::Stored && (!self.pending.is_empty() || self.len() == 0) {
            self.put_frame(self.pending.len())?;
            self.pending.clear();
        }
        match &mut self.target {
            SinkTarget::Bytes(file) => file.cut(),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => table.finish(),
        }
    }

    /// Has the file take its place, if it has another one until it is whole.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub(crate) fn take_place(&mut self) -> io::Result<()> {
        match &mut self.target {
            SinkTarget::Bytes(_) => Ok(()),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => table.take_place(),
        }
    }
}
