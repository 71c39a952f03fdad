//! The destination of links: standard output, or a file that may be compressed and resumed.
//!
//! A compressed file is a sequence of gzip members or zstd frames, each with some MiB of output. Where one ends depends
//! only on the output, so that a run that was interrupted and resumed writes the same bytes as one that was not. Output
//! that does not fill a frame yet is kept in memory, so that the file is complete at any time.

use std::fs::File;
use std::io;

use super::in_place::OutputFile;
use super::kept::KeptPart;
#[cfg(feature = "parquet")]
use super::table::Table;
use crate::codec::Codec;

/// Approximate number of bytes of output per frame.
const FRAME: usize = 4 << 20;

/// Output that takes bytes in order.
pub(crate) struct OutputSink {
    target: SinkTarget,
    codec: Codec,
    /// The last byte of a record: frames end there too.
    terminator: u8,
    /// Header before the first record, until it is written.
    head: Vec<u8>,
    /// Bytes that do not fill a frame yet.
    pending: Vec<u8>,
}

pub(super) enum SinkTarget {
    Bytes(OutputFile),
    #[cfg(feature = "parquet")]
    Table(Box<Table>),
}

impl OutputSink {
    /// Creates the sink of an open target, with the bytes that do not fill a frame yet.
    pub(super) fn new(
        target: SinkTarget,
        codec: Codec,
        terminator: u8,
        pending: Vec<u8>,
    ) -> OutputSink {
        OutputSink { target, codec, terminator, head: Vec::new(), pending }
    }

    /// Returns the name for messages.
    pub(crate) fn name(&self) -> String {
        match &self.target {
            SinkTarget::Bytes(file) => file.name(),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => table.name.display().to_string(),
        }
    }

    /// Returns the regular file that is written, which must not be read.
    pub(crate) fn file(&self) -> Option<&File> {
        match &self.target {
            SinkTarget::Bytes(file) => file.file(),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => Some(table.file()),
        }
    }

    /// Returns the length of the file.
    pub(crate) fn len(&self) -> u64 {
        match &self.target {
            SinkTarget::Bytes(file) => file.len(),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => table.len(),
        }
    }

    /// Writes the header: on standard output at once, in a file together with the first record, since the previous content
    /// stays until then.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`write`](OutputSink::write).
    pub(crate) fn begin(&mut self, head: &[u8]) -> io::Result<()> {
        match &mut self.target {
            SinkTarget::Bytes(out) if out.is_stdout() => out.write(head),
            _ => {
                self.head = head.to_vec();
                Ok(())
            }
        }
    }

    /// Writes complete records.
    ///
    /// # Errors
    ///
    /// Returns the error of the system. A file then ends as it did before the records, or the frame, that failed; a Parquet
    /// file is as it was before the run, or can be resumed.
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

    /// Writes a frame with the first `end` bytes of the pending output.
    fn put_frame(&mut self, end: usize) -> io::Result<()> {
        let frame = self.codec.frame(&self.pending[..end])?;
        match &mut self.target {
            SinkTarget::Bytes(file) => file.write(&frame),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(_) => Ok(()),
        }
    }

    /// Waits until the output is on the disk, and returns the part of the file and the bytes that are not in it yet.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(crate) fn settle(&mut self) -> io::Result<(KeptPart, Vec<u8>)> {
        match &mut self.target {
            SinkTarget::Bytes(file) => {
                file.settle()?;
                Ok((file.part(), self.pending.clone()))
            }
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => table.settle(),
        }
    }

    /// Writes the rest, and the frame that makes an empty file valid in its format. The previous content of a file is
    /// removed.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
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

    /// Makes the new file replace the old one, if it is written under another name until it is complete.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(crate) fn take_place(&mut self) -> io::Result<()> {
        match &mut self.target {
            SinkTarget::Bytes(file) => file.take_place(),
            #[cfg(feature = "parquet")]
            SinkTarget::Table(table) => table.take_place(),
        }
    }
}
