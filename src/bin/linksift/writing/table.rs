//! A file of Parquet, which is one only when its end is written: a run that fails leaves it empty.

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
}

impl Table {
    /// A file that is open and empty.
    pub(super) fn new(file: File, name: PathBuf, fields: &[Field]) -> io::Result<Table> {
        let writer = Some(ParquetWriter::new(file.try_clone()?, fields)?);
        Ok(Table { file, name, writer })
    }

    /// Writes whole rows.
    ///
    /// # Errors
    ///
    /// What the system fails with. The file is empty then.
    pub(super) fn write(&mut self, rows: &[u8]) -> io::Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let result = writer.write_rows(rows);
        self.emptied_if_failed(result)
    }

    /// Writes the end.
    ///
    /// # Errors
    ///
    /// What the system fails with. The file is empty then.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let result = writer.finish();
        self.emptied_if_failed(result)
    }

    fn emptied_if_failed(&mut self, result: io::Result<()>) -> io::Result<()> {
        if result.is_err() {
            // First the writer, which writes what it holds when it goes. What cannot be emptied is no file.
            self.writer = None;
            let _ = self.file.set_len(0);
        }
        result
    }
}
