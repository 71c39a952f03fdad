//! A Parquet file, which is valid only after its end is written: until then it has another name next to its target, and a
//! run that fails leaves the target as it was. A file that can be resumed is called `FILE.part` until then.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use linksift::report::{Field, ParquetWriter};

use super::State;
use super::kept::{Checksum, KeptPart};
use super::replaced::{Beside, Replaced};
use crate::reason::reason;

/// Writer of rows, in order.
pub(super) struct Table {
    pub(super) name: PathBuf,
    target: TableTarget,
    /// `None` after the end is written, or after a write has failed.
    writer: Option<ParquetWriter<File>>,
    /// Length of the file at the last checkpoint, if it can be resumed.
    kept: Option<u64>,
    /// Previous state of a file whose end is being written.
    ended: Option<(u64, Vec<u8>)>,
    /// Number of bytes in complete groups.
    len: u64,
    /// Checksum of the file at the last checkpoint.
    sum: Checksum,
}

enum TableTarget {
    /// A file that is not a regular one.
    InPlace(File),
    /// `None` once the new file has replaced the old one.
    Beside(Replaced, Option<Beside>, File),
}

/// Returns the name of a resumable file until it is complete.
pub(super) fn part(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

impl Table {
    /// Opens a table in a file of this name. With a state it can be resumed, and is resumed if the state says that it has
    /// begun.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be written, or resumed.
    pub(super) fn open(
        name: &Path,
        fields: &[Field],
        state: Option<(&State, bool)>,
    ) -> Result<Table, String> {
        let failed = |error: io::Error| format!("{}: {}", name.display(), reason(&error));
        let not_on = |why: &str| format!("{}: cannot resume: {why}", name.display());
        let mut sum = Checksum::default();
        let (beside, replaced) = match (Replaced::of(name).map_err(failed)?, state) {
            (None, Some(_)) => return Err(not_on("not a file")),
            (None, None) => {
                let file = File::options().write(true).open(name).map_err(failed)?;
                let writer = file.try_clone().and_then(|file| ParquetWriter::new(file, fields));
                let writer = Some(writer.map_err(failed)?);
                let target = TableTarget::InPlace(file);
                return Ok(Table {
                    name: name.to_owned(),
                    target,
                    writer,
                    kept: None,
                    ended: None,
                    len: 0,
                    sum,
                });
            }
            (Some(replaced), None) => (replaced.create().map_err(failed)?, replaced),
            (Some(replaced), Some((_, false))) => {
                let part = part(replaced.target());
                // Remove the file of an earlier run that was not resumed.
                let _ = fs::remove_file(&part);
                let mut beside = replaced.create_at(part).map_err(failed)?;
                beside.keep();
                (beside, replaced)
            }
            (Some(replaced), Some((state, true))) => {
                let part = part(replaced.target());
                if fs::metadata(&part).is_err() {
                    // The run had finished, and its file has replaced the target.
                    if !state.finished || fs::metadata(replaced.target()).is_err() {
                        return Err(not_on(&format!("{} is missing", part.display())));
                    }
                    fs::copy(replaced.target(), &part).map_err(failed)?;
                }
                let file = File::options().read(true).append(true).open(&part).map_err(failed)?;
                sum = state.output.check(&part, &file)?;
                file.set_len(state.output.len).map_err(failed)?;
                (Beside::known(file, part), replaced)
            }
        };
        let file = beside.file.try_clone().map_err(failed)?;
        let of_writer = file.try_clone().map_err(failed)?;
        let (writer, kept, len) = match state {
            Some((state, true)) if state.output.len > 0 => {
                let len = state.output.len;
                let writer = ParquetWriter::resume(of_writer, fields, len, &state.pending);
                (writer, Some(len), len)
            }
            _ => (ParquetWriter::new(of_writer, fields), state.map(|_| 0), 0),
        };
        let writer = Some(writer.map_err(failed)?);
        let target = TableTarget::Beside(replaced, Some(beside), file);
        Ok(Table { name: name.to_owned(), target, writer, kept, ended: None, len, sum })
    }

    /// Returns the file that is written.
    pub(super) fn file(&self) -> &File {
        match &self.target {
            TableTarget::InPlace(file) | TableTarget::Beside(_, _, file) => file,
        }
    }

    /// Returns the number of bytes in complete groups.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Writes complete rows.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(super) fn write(&mut self, rows: &[u8]) -> io::Result<()> {
        self.len = self.tried(|writer| {
            writer.write_rows(rows)?;
            Ok(writer.written())
        })?;
        Ok(())
    }

    /// Waits until all complete groups are on the disk, and returns the part of the file and the data that must be saved.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(super) fn settle(&mut self) -> io::Result<(KeptPart, Vec<u8>)> {
        let (len, pending) = match self.ended.take() {
            Some(ended) => ended,
            None => self.tried(ParquetWriter::suspend)?,
        };
        self.file().sync_data()?;
        let mut sum = std::mem::take(&mut self.sum);
        let added = sum.add(self.file(), self.kept.unwrap_or(0)..len);
        self.sum = sum;
        added?;
        self.kept = Some(len);
        Ok((KeptPart { len, sum: self.sum.sum() }, pending))
    }

    /// Writes the end of the file.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        if self.kept.is_some() {
            self.ended = Some(self.tried(ParquetWriter::suspend)?);
        }
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let result = writer.finish();
        self.cut_if_failed(result)
    }

    /// Makes the file replace the target, after its end is written.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(super) fn take_place(&mut self) -> io::Result<()> {
        match &mut self.target {
            TableTarget::Beside(replaced, beside, _) => match beside.take() {
                Some(beside) => replaced.replace(beside),
                None => Ok(()),
            },
            TableTarget::InPlace(_) => Ok(()),
        }
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
            // Drop the writer first, since it writes its buffer when it is dropped. A file that cannot be truncated is not
            // a regular one.
            self.writer = None;
            let _ = self.file().set_len(self.kept.unwrap_or(0));
        }
        result
    }
}
