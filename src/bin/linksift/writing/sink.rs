//! Where links are written: standard output, or a file that may be compressed and gone on with.
//!
//! A compressed file is a row of gzip members or zstd frames, each of some MiB of output. Where one ends
//! depends on the output alone, so that a run that was interrupted and gone on with writes the bytes that it would
//! have written in one go; and what is not a whole frame yet is held here, so that the file is whole at any time.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

#[cfg(feature = "parquet")]
use super::table::Table;
use crate::settings::Look;
#[cfg(feature = "parquet")]
use crate::settings::{Form, Records};
use crate::stdout::Stdout;

/// About so much output makes a frame.
const FRAME: usize = 4 << 20;

/// Takes bytes in order.
pub(crate) struct Sink {
    target: Target,
    codec: Codec,
    /// Where a record ends: frames end there too.
    terminator: u8,
    /// The file's length, with nothing in it but what was written whole.
    len: u64,
    /// What is no whole frame yet.
    pending: Vec<u8>,
}

enum Target {
    Stdout(Stdout),
    File {
        file: File,
        name: PathBuf,
    },
    #[cfg(feature = "parquet")]
    Table(Box<Table>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Stored,
    Gzip,
    Zstd,
}

impl Codec {
    /// What the end of a name says, and the name without it.
    ///
    /// # Errors
    ///
    /// The end of a compression that is not written.
    pub(crate) fn of(name: &Path) -> Result<(Codec, PathBuf), String> {
        let end = name.extension().and_then(|end| end.to_str()).unwrap_or_default();
        let codec = match end.to_ascii_lowercase().as_str() {
            "gz" => Codec::Gzip,
            "zst" => Codec::Zstd,
            "bz2" | "xz" | "br" | "lz4" | "lzma" | "zip" => {
                return Err(format!("-o {}: only .gz and .zst are written", name.display()));
            }
            _ => return Ok((Codec::Stored, name.to_owned())),
        };
        Ok((codec, name.with_extension("")))
    }

    fn frame(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Codec::Stored => Ok(bytes.to_vec()),
            Codec::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(bytes)?;
                encoder.finish()
            }
            Codec::Zstd => zstd::bulk::compress(bytes, zstd::DEFAULT_COMPRESSION_LEVEL),
        }
    }
}

impl Sink {
    pub(crate) fn stdout(terminator: u8) -> Sink {
        let target = Target::Stdout(Stdout::lock());
        Sink { target, codec: Codec::Stored, terminator, len: 0, pending: Vec::new() }
    }

    /// A file that is open, and as long as is said; of what comes next some is there already.
    ///
    /// # Errors
    ///
    /// What the system fails with.
    pub(crate) fn file(
        (file, name): (File, PathBuf),
        codec: Codec,
        look: &Look,
        (len, pending): (u64, Vec<u8>),
    ) -> io::Result<Sink> {
        let target = match &look.form {
            #[cfg(feature = "parquet")]
            Form::Records(Records::Parquet, fields) => {
                let table = match len {
                    0 => Table::new(file, name, fields, look.is_kept)?,
                    len => Table::resume(file, name, fields, (len, &pending))?,
                };
                Target::Table(table.into())
            }
            _ => Target::File { file, name },
        };
        Ok(Sink { target, codec, terminator: look.record_end(), len, pending })
    }

    /// What it is called in messages.
    pub(crate) fn name(&self) -> String {
        match &self.target {
            Target::Stdout(_) => "standard output".to_owned(),
            Target::File { name, .. } => name.display().to_string(),
            #[cfg(feature = "parquet")]
            Target::Table(table) => table.name.display().to_string(),
        }
    }

    /// The file that is written, which must not be read.
    pub(crate) fn file_to_leave_out(&self) -> Option<(&File, &Path)> {
        match &self.target {
            Target::Stdout(_) => None,
            Target::File { file, name } => Some((file, name)),
            #[cfg(feature = "parquet")]
            Target::Table(table) => Some((&table.file, &table.name)),
        }
    }

    /// How long the file is.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Writes whole records.
    ///
    /// # Errors
    ///
    /// What the system fails with. A file then ends as it did before the records, or the frame, that failed;
    /// one of Parquet is empty, or can be gone on with.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.codec == Codec::Stored {
            return self.put(bytes);
        }
        self.pending.extend_from_slice(bytes);
        loop {
            let rest = self.pending.iter().skip(FRAME - 1);
            let Some(after) = rest.clone().position(|byte| *byte == self.terminator) else {
                return Ok(());
            };
            let end = FRAME + after;
            let frame = self.codec.frame(&self.pending[..end])?;
            self.put(&frame)?;
            self.pending.drain(..end);
        }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        match &mut self.target {
            Target::Stdout(out) => out.write_all(bytes).and_then(|()| out.flush())?,
            Target::File { file, .. } => {
                if let Err(error) = file.write_all(bytes) {
                    // Half a record looks like a whole one. What cannot be shortened is no file.
                    let _ = file.set_len(self.len);
                    return Err(error);
                }
            }
            #[cfg(feature = "parquet")]
            Target::Table(table) => {
                self.len = table.write(bytes)?;
                return Ok(());
            }
        }
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Waits until what was written is on the disk, and says how long the file is and what is not in it yet.
    pub(crate) fn settle(&mut self) -> io::Result<(u64, Vec<u8>)> {
        match &mut self.target {
            Target::File { file, .. } => file.sync_data()?,
            Target::Stdout(_) => {}
            #[cfg(feature = "parquet")]
            Target::Table(table) => return table.settle(),
        }
        Ok((self.len, self.pending.clone()))
    }

    /// Writes what is left, and the frame that makes an empty file one of its format.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if self.codec != Codec::Stored && (!self.pending.is_empty() || self.len == 0) {
            let frame = self.codec.frame(&self.pending)?;
            self.put(&frame)?;
            self.pending.clear();
        }
        #[cfg(feature = "parquet")]
        if let Target::Table(table) = &mut self.target {
            table.finish()?;
        }
        Ok(())
    }
}
