//! The list of inputs of `--files-from`, read on demand: it may be long, or still growing.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use linksift::files::{Blocking, Input};

use crate::reason::reason;
use crate::streams::stdin_file;
use crate::writing::Claims;

/// Maximum length in bytes of a name; no system opens a longer one.
const MAX_NAME: u64 = 64 << 10;
/// Number of bytes of a too long record that are shown.
const SHOWN: usize = 256;
/// Maximum length of a record that is skipped; after a longer one nothing is read.
const ENDLESS: u64 = 64 << 20;
/// Maximum number of bytes of a list from a pipe that are kept to check it before the run begins.
const MOST_HELD: u64 = 64 << 20;

/// Opens a list or a table of inputs. If the run writes files, `look` checks all its inputs before anything else is opened:
/// no input may be one of these files.
///
/// A file is read twice. A list from a pipe is first read to its end, up to [`MOST_HELD`], if a file would be overwritten;
/// otherwise, and beyond that, an input that the run writes is rejected when it is read.
///
/// # Errors
///
/// Returns errors of the system, and those that `look` returns.
pub(crate) fn open_ahead(
    name: &Path,
    claims: &Claims,
    look: impl FnOnce(&mut dyn BufRead) -> io::Result<Result<(), String>>,
) -> Result<Box<dyn BufRead + Send>, String> {
    let failed = |error: io::Error| format!("{}: {}", name.display(), reason(&error));
    let is_stdin = name.as_os_str() == "-";
    let file = match is_stdin {
        true => stdin_file(),
        false => Some(File::open(name).map_err(failed)?),
    };
    let is_file = |file: &File| file.metadata().is_ok_and(|metadata| metadata.is_file());
    let mut reader: Box<dyn Read + Send> = match file {
        Some(mut file) if !claims.is_empty() && is_file(&file) => {
            let begin = file.stream_position().map_err(failed)?;
            look(&mut BufReader::new(&file)).map_err(failed)??;
            file.seek(SeekFrom::Start(begin)).map_err(failed)?;
            return Ok(Box::new(BufReader::new(file)));
        }
        Some(file) => Box::new(Blocking(file)),
        None => Box::new(Blocking(io::stdin())),
    };
    if claims.has_content() {
        let mut held = Vec::new();
        reader.by_ref().take(MOST_HELD).read_to_end(&mut held).map_err(failed)?;
        look(&mut &held[..]).map_err(failed)??;
        reader = Box::new(Cursor::new(held).chain(reader));
    }
    Ok(Box::new(BufReader::new(reader)))
}

/// Records of a list, with their numbers.
pub(crate) struct ListRecords<R> {
    reader: R,
    terminator: u8,
    /// Maximum length in bytes of a record without its terminator.
    longest: u64,
    /// Number of the last record, from 1.
    pub(crate) number: u64,
}

/// A record of a list.
pub(crate) enum Record {
    /// The record without its terminator.
    Whole(Vec<u8>),
    /// The record is too long: its first bytes. The next one can be read.
    TooLong(Vec<u8>),
    /// The record is too long, and nothing after it is read.
    Endless,
}

impl<R: BufRead> ListRecords<R> {
    pub(crate) fn new(reader: R, terminator: u8, longest: u64) -> ListRecords<R> {
        ListRecords { reader, terminator, longest, number: 0 }
    }

    /// Returns the next record; `None` at the end. A byte order mark before the first line and a CR at the end of a line
    /// are removed.
    ///
    /// # Errors
    ///
    /// Returns errors of the reader, and an error for a list in UTF-16.
    pub(crate) fn next(&mut self) -> io::Result<Option<Record>> {
        self.number += 1;
        let mut record = Vec::new();
        let most = self.longest + 1;
        if (&mut self.reader).take(most).read_until(self.terminator, &mut record)? == 0 {
            return Ok(None);
        }
        let is_lines = self.terminator == b'\n';
        if is_lines && self.number == 1 {
            if record.starts_with(b"\xFF\xFE") || record.starts_with(b"\xFE\xFF") {
                let what = "the list is in UTF-16; expected UTF-8";
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
            if record.starts_with(b"\xEF\xBB\xBF") {
                record.drain(..3);
            }
        }
        if record.pop_if(|last| *last == self.terminator).is_some() {
            if is_lines {
                record.pop_if(|last| *last == b'\r');
            }
        } else if record.len() as u64 > self.longest {
            record.truncate(SHOWN);
            let skipped = (&mut self.reader).take(ENDLESS).skip_until(self.terminator)?;
            let is_endless = skipped as u64 == ENDLESS;
            return Ok(Some(if is_endless { Record::Endless } else { Record::TooLong(record) }));
        }
        Ok(Some(Record::Whole(record)))
    }
}

/// Returns the path of a record that is too long, from its first bytes.
pub(crate) fn path_of_start(mut start: Vec<u8>) -> PathBuf {
    // Do not cut a character.
    let invalid = start.utf8_chunks().last().map_or(0, |chunk| chunk.invalid().len());
    start.truncate(start.len() - invalid);
    start.extend_from_slice("…".as_bytes());
    path(start)
}

/// Iterator over inputs, one per record; empty records are skipped.
pub(crate) struct List {
    records: ListRecords<Box<dyn BufRead + Send>>,
    name: PathBuf,
    failure: ListFailures,
}

/// Errors in the lists, to be reported after the run. A list ends at its error.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListFailures(Arc<Mutex<Vec<String>>>);

impl ListFailures {
    pub(crate) fn into_messages(self) -> Vec<String> {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn note(&self, message: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }
}

impl List {
    /// Opens a list. Its inputs must not be files that the run writes.
    ///
    /// # Errors
    ///
    /// Returns errors of the system, and an error for such an input.
    pub(crate) fn open(
        name: &Path,
        terminator: u8,
        failure: ListFailures,
        claims: &Claims,
    ) -> Result<List, String> {
        let reader = open_ahead(name, claims, |reader| {
            let mut records = ListRecords::new(reader, terminator, MAX_NAME);
            while let Some(record) = records.next()? {
                if let Record::Whole(record) = record
                    && !record.is_empty()
                    && let Err(message) = claims.input(&path(record))
                {
                    return Ok(Err(message));
                }
            }
            Ok(Ok(()))
        })?;
        let records = ListRecords::new(reader, terminator, MAX_NAME);
        Ok(List { records, name: name.to_owned(), failure })
    }
}

impl Iterator for List {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        loop {
            let name = self.name.display();
            match self.records.next() {
                Ok(None) => return None,
                Ok(Some(Record::Whole(record))) if record.is_empty() => {}
                Ok(Some(Record::Whole(record))) => return Some(Input::from(path(record))),
                Ok(Some(Record::TooLong(start))) => {
                    let record = if self.records.terminator == 0 { "name" } else { "line" };
                    let number = self.records.number;
                    let reason = format!(
                        "{name}: {record} {number}: the name is longer than {MAX_NAME} bytes"
                    );
                    return Some(Input::Refused { path: path_of_start(start), reason });
                }
                Ok(Some(Record::Endless)) => {
                    self.failure.note(format!("{name}: a name is longer than {MAX_NAME} bytes"));
                    return None;
                }
                Err(error) => {
                    self.failure.note(format!("{name}: {}", reason(&error)));
                    return None;
                }
            }
        }
    }
}

#[cfg(unix)]
pub(crate) fn path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

/// Returns the path of a name. On this system no file has a name that is not UTF-8.
#[cfg(not(unix))]
pub(crate) fn path(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}
