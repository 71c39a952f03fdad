//! The list of inputs of `--files-from`, read as it is needed: it may be long, or still growing.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use linksift::files::{Blocking, Input};

use crate::reason::reason;
use crate::writing::{Claims, stdin_file};

/// The longest name with its terminator; no system opens one nearly so long. A list with a longer
/// one is none, and may have no end at all.
const MAX_NAME: u64 = 64 << 10;
/// So much of a list that comes through a pipe is held to look at it before the run begins.
const MOST_HELD: u64 = 64 << 20;

/// Opens a list or a table of inputs, and has `look` go through it before anything else is opened, where the run writes
/// files: no input may be one of them.
///
/// A file is gone through twice. What comes through a pipe is read to its end first where a file would be overwritten, up to
/// [`MOST_HELD`]; elsewhere, and beyond that, an input that is written is refused when its turn comes.
///
/// # Errors
///
/// What the system fails with, and what `look` finds.
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

/// Inputs, one a record; empty records are none.
pub(crate) struct List {
    reader: Box<dyn BufRead + Send>,
    terminator: u8,
    name: PathBuf,
    failure: Failure,
}

/// What went wrong with the list, for after the run: it cannot go on, and is not an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<String>>>);

impl Failure {
    pub(crate) fn into_message(self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn note(&self, message: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(message);
    }
}

impl List {
    /// Opens a list, none of whose inputs may be a file that is written.
    ///
    /// # Errors
    ///
    /// What the system fails with, and such an input.
    pub(crate) fn open(
        name: &Path,
        terminator: u8,
        failure: Failure,
        claims: &Claims,
    ) -> Result<List, String> {
        let reader = open_ahead(name, claims, |reader| {
            while let Some(Ok(record)) = next_record(reader, terminator)? {
                if let Err(message) = claims.input(&path(record)) {
                    return Ok(Err(message));
                }
            }
            Ok(Ok(()))
        })?;
        Ok(List { reader, terminator, name: name.to_owned(), failure })
    }
}

/// A name that is longer than any.
struct TooLong;

/// The next record that is not empty, without its terminator.
fn next_record(
    reader: &mut dyn BufRead,
    terminator: u8,
) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
    loop {
        let mut record = Vec::new();
        let read = reader.take(MAX_NAME + 1).read_until(terminator, &mut record)?;
        if read == 0 {
            return Ok(None);
        }
        if read as u64 > MAX_NAME {
            return Ok(Some(Err(TooLong)));
        }
        if record.last() == Some(&terminator) {
            record.pop();
        }
        if !record.is_empty() {
            return Ok(Some(Ok(record)));
        }
    }
}

impl Iterator for List {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        let message = match next_record(&mut *self.reader, self.terminator) {
            Ok(None) => return None,
            Ok(Some(Ok(record))) => return Some(Input::from(path(record))),
            Ok(Some(Err(TooLong))) => format!("a name longer than {MAX_NAME} bytes"),
            Err(error) => reason(&error),
        };
        self.failure.note(format!("{}: {message}", self.name.display()));
        None
    }
}

#[cfg(unix)]
pub(crate) fn path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

/// A name that is not UTF-8 is none that there could be a file of.
#[cfg(not(unix))]
pub(crate) fn path(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}
