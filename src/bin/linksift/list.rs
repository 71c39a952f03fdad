//! The list of inputs of `--files-from`, read as it is needed: it may be long, or still growing.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use linksift::files::Input;

use crate::output::reason;

/// The longest name with its terminator; no system opens one nearly so long. A list with a longer
/// one is none, and may have no end at all.
const MAX_NAME: u64 = 64 << 10;

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
    pub(crate) fn open(name: &Path, terminator: u8, failure: Failure) -> Result<List, String> {
        let reader: Box<dyn Read + Send> = match name.as_os_str() == "-" {
            true => Box::new(io::stdin()),
            false => Box::new(
                File::open(name)
                    .map_err(|error| format!("{}: {}", name.display(), reason(&error)))?,
            ),
        };
        let reader = Box::new(BufReader::new(reader));
        Ok(List { reader, terminator, name: name.to_owned(), failure })
    }
}

impl Iterator for List {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        loop {
            let mut record = Vec::new();
            let mut reader = self.reader.by_ref().take(MAX_NAME + 1);
            match reader.read_until(self.terminator, &mut record) {
                Ok(0) => return None,
                Ok(read) if read as u64 > MAX_NAME => {
                    let name = self.name.display();
                    self.failure.note(format!("{name}: a name longer than {MAX_NAME} bytes"));
                    return None;
                }
                Ok(_) => {}
                Err(error) => {
                    let name = self.name.display();
                    self.failure.note(format!("{name}: {}", reason(&error)));
                    return None;
                }
            }
            if record.last() == Some(&self.terminator) {
                record.pop();
            }
            if !record.is_empty() {
                return Some(Input::from(path(record)));
            }
        }
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
