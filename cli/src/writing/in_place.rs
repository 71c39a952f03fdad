//! Files that are written in place, as output comes: standard output, pipes, and regular files. A regular file is truncated
//! to the part that is kept when the first output is written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use linksift::files::Blocking;

use crate::reason::reason;
use crate::streams::Stdout;

/// File that is written in place.
pub(crate) struct InPlace {
    out: Out,
    name: PathBuf,
    /// Length of a regular file after it has been truncated; otherwise the number of bytes written.
    len: u64,
    /// Whether the previous content is still there.
    is_uncut: bool,
}

enum Out {
    Stdout(Stdout),
    Regular(File),
    Other(Blocking<File>),
}

impl InPlace {
    pub(crate) fn stdout() -> InPlace {
        InPlace { out: Out::Stdout(Stdout::lock()), name: "-".into(), len: 0, is_uncut: false }
    }

    /// Opens the file that a name refers to. The first `len` bytes of a regular file will be kept, and must exist; without
    /// a length the file may be missing, and will be empty. Its content is not changed yet.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be written.
    pub(crate) fn open(name: &Path, len: Option<u64>) -> Result<InPlace, String> {
        if is_dash(name) {
            return Ok(InPlace::stdout());
        }
        let failed = |error: io::Error| format!("{}: {}", name.display(), reason(&error));
        let is_other = fs::metadata(name).is_ok_and(|metadata| !metadata.is_file());
        let file = match is_other {
            true => File::options().write(true).open(name),
            false => File::options().append(true).create(len.is_none()).open(name),
        };
        let file = file.map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let name = name.to_owned();
        if !metadata.is_file() {
            return match len {
                Some(_) => Err(format!("{}: cannot resume: not a regular file", name.display())),
                None => {
                    Ok(InPlace { out: Out::Other(Blocking(file)), name, len: 0, is_uncut: false })
                }
            };
        }
        if len.is_some_and(|len| len > metadata.len()) {
            return Err(format!(
                "{}: cannot resume: the file is shorter than what the run wrote",
                name.display()
            ));
        }
        let len = len.unwrap_or(0);
        Ok(InPlace { out: Out::Regular(file), name, len, is_uncut: len < metadata.len() })
    }

    /// Returns the name for messages.
    pub(crate) fn name(&self) -> String {
        match self.out {
            Out::Stdout(_) => "standard output".to_owned(),
            _ => self.name.display().to_string(),
        }
    }

    /// Returns the length of the file, which contains only completely written records.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the regular file.
    pub(crate) fn file(&self) -> Option<&File> {
        match &self.out {
            Out::Regular(file) => Some(file),
            _ => None,
        }
    }

    /// Returns `true` for standard output, whose reader may wait for each record.
    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self.out, Out::Stdout(_))
    }

    /// Writes complete records.
    ///
    /// # Errors
    ///
    /// Returns the error of the system. A regular file then ends as it did before the records.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.cut()?;
        match &mut self.out {
            Out::Stdout(out) => out.write_all(bytes).and_then(|()| out.flush())?,
            Out::Other(file) => file.write_all(bytes)?,
            Out::Regular(file) => {
                if let Err(error) = file.write_all(bytes) {
                    // Part of a record could look like a complete one. A file that cannot be truncated stays as it is.
                    let _ = file.set_len(self.len);
                    return Err(error);
                }
            }
        }
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Removes the previous content, if it is still there.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(crate) fn cut(&mut self) -> io::Result<()> {
        if let (true, Out::Regular(file)) = (self.is_uncut, &self.out) {
            file.set_len(self.len)?;
        }
        self.is_uncut = false;
        Ok(())
    }

    /// Waits until the output is on the disk.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(crate) fn settle(&mut self) -> io::Result<()> {
        match &self.out {
            Out::Regular(file) => file.sync_data(),
            _ => Ok(()),
        }
    }
}

/// Returns `true` if a name refers to standard input or output.
pub(crate) fn is_dash(name: &Path) -> bool {
    name.as_os_str() == "-"
}
