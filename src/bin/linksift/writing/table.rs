//! A file of Parquet, which is one only when its end is written: a run that fails leaves it empty, or as it can be gone
//! on with.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use linksift::report::{Field, ParquetWriter};

/// Takes rows in order.
pub(super) struct Table {
    pub(super) file: File,
    pub(super) name: PathBuf,
    /// Until its end is written, or a write has failed.
    writer: Option<ParquetWriter<File>>,
    /// How long the file was when that was kept last, if it is.
    kept: Option<u64>,
    /// What is kept of a file whose end is written: how it was before.
    ended: Option<(u64, Vec<u8>)>,
}

impl Table {
    /// A file that is open and empty.
    pub(super) fn new(
        file: File,
        name: PathBuf,
        fields: &[Field],
        is_kept: bool,
    ) -> io::Result<Table> {
        let writer = Some(ParquetWriter::new(file.try_clone()?, fields)?);
        Ok(Table { file, name, writer, kept: is_kept.then_some(0), ended: None })
    }

    /// A file that is open and ends where another run was, with what that has kept.
    pub(super) fn resume(
        file: File,
        name: PathBuf,
        fields: &[Field],
        (len, kept): (u64, &[u8]),
    ) -> io::Result<Table> {
        let writer = Some(ParquetWriter::resume(file.try_clone()?, fields, len, kept)?);
        Ok(Table { file, name, writer, kept: Some(len), ended: None })
    }

    /// Writes whole rows; how long the file is.
    ///
    /// # Errors
    ///
    /// What the system fails with.
    pub(super) fn write(&mut self, rows: &[u8]) -> io::Result<u64> {
        self.tried(|writer| {
            writer.write_rows(rows)?;
            Ok(writer.written())
        })
    }

    /// Waits until all whole groups are on the disk, and says how long the file is and what else has to be kept.
    ///
    /// # Errors
    ///
    /// What the system fails with.
    pub(super) fn settle(&mut self) -> io::Result<(u64, Vec<u8>)> {
        let (len, kept) = match self.ended.take() {
            Some(ended) => ended,
            None => self.tried(ParquetWriter::suspend)?,
        };
        self.file.sync_data()?;
        self.kept = Some(len);
        Ok((len, kept))
    }

    /// Writes the end.
    ///
    /// # Errors
    ///
    /// What the system fails with.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if self.kept.is_some() {
            self.ended = Some(self.tried(ParquetWriter::suspend)?);
        }
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let result = writer.finish();
        self.cut_if_failed(result)
    }

    fn tried<T>(
        &mut self,
        step: impl FnOnce(&mut ParquetWriter<File>) -> io::Result<T>,
    ) -> io::Result<T> {
        let writer = self.writer.as_mut().ok_or_else(|| io::Error::other("closed"))?;
        let result = step(writer);
        self.cut_if_failed(result)
    }

    fn cut_if_failed<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if result.is_err() {
            // First the writer, which writes what it holds when it goes. What cannot be cut is no file.
            self.writer = None;
            let _ = self.file.set_len(self.kept.unwrap_or(0));
        }
        result
    }
}
