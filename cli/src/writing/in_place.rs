//! Files that are written where they are, as what is to be written comes: standard output, pipes, and regular files, which are cut
//! to what was kept of them when the first of it is written.

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
    /// How long a regular file is, when it has been cut; of another one, how much was written.
    len: u64,
    /// The previous content is still there.
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

    /// What a name stands for. Of a regular file `len` bytes will be kept, and it must have them; without a length it may be
    /// missing, and will be empty. Nothing of it is changed yet.
    ///
    /// # Errors
    ///
    /// Why it cannot be written.
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

    /// Name in messages.
    pub(crate) fn name(&self) -> String {
        match self.out {
            Out::Stdout(_) => "standard output".to_owned(),
            _ => self.name.display().to_string(),
        }
    }

    /// How long the file is, with nothing in it but what was written whole.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The regular file.
    pub(crate) fn file(&self) -> Option<&File> {
        match &self.out {
            Out::Regular(file) => Some(file),
            _ => None,
        }
    }

    /// Whether what is written can be seen at once by somebody who waits for it, and nothing is lost by it.
    pub(crate) fn is_stdout(&self) -> bool {
        matches!(self.out, Out::Stdout(_))
    }

    /// Writes whole records.
    ///
    /// # Errors
    ///
    /// What the system fails with. A regular file then ends as it did before them.
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
                    // Half a record looks like a whole one. What cannot be shortened stays as it is.
                    let _ = file.set_len(self.len);
                    return Err(error);
                }
            }
        }
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Takes away what was there before, if it is still there.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub(crate) fn cut(&mut self) -> io::Result<()> {
        if let (true, Out::Regular(file)) = (self.is_uncut, &self.out) {
            file.set_len(self.len)?;
        }
        self.is_uncut = false;
        Ok(())
    }

    /// Waits until what was written is on the disk.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub(crate) fn settle(&mut self) -> io::Result<()> {
        match &self.out {
            Out::Regular(file) => file.sync_data(),
            _ => Ok(()),
        }
    }
}

/// Whether a name stands for standard input or output.
pub(crate) fn is_dash(name: &Path) -> bool {
    name.as_os_str() == "-"
}
