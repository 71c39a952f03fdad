//! Files that are replaced when the new file is complete: until then the old content stays.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::in_place::{Content, OutputFile, is_dash};
use super::replaced::Replaced;
use crate::reason::reason;

/// A file that is written in one step at the end of a run; the start of the run checks that it can be written.
pub(crate) struct Whole {
    name: PathBuf,
    way: Way,
}

enum Way {
    /// A file that is not a regular one, or whose directory does not allow new files.
    InPlace(OutputFile),
    Replaced(Replaced),
}

impl Whole {
    /// Checks whether a file can be written.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be written.
    pub(crate) fn open(name: &Path) -> Result<Whole, String> {
        let failed = |error: io::Error| format!("{}: {}", name.display(), reason(&error));
        let replaced = if is_dash(name) { None } else { Replaced::of(name).map_err(failed)? };
        let way = match replaced {
            None => Way::InPlace(OutputFile::open(name, Content::Removed)?),
            Some(replaced) => match replaced.create() {
                Ok(_) => Way::Replaced(replaced),
                Err(_) if replaced.exists() => {
                    Way::InPlace(OutputFile::open(name, Content::Removed)?)
                }
                Err(error) => return Err(failed(error)),
            },
        };
        Ok(Whole { name: name.to_owned(), way })
    }

    /// Writes the file.
    ///
    /// # Errors
    ///
    /// Returns the error of the system, with the name; a regular file is then as it was before.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), String> {
        let (name, written) = match self.way {
            Way::InPlace(mut file) => (file.name(), file.cut().and_then(|()| file.write(bytes))),
            Way::Replaced(replaced) => {
                let written = replaced.create().and_then(|mut beside| {
                    beside.file.write_all(bytes)?;
                    replaced.replace(beside)
                });
                (self.name.display().to_string(), written)
            }
        };
        match written {
            // The reader that closed the pipe needs no more output.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(|error| format!("{name}: {}", reason(&error))),
        }
    }
}
