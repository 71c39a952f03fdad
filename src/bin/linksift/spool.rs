//! Standard input as a file, where what was read is read once more.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process;

/// A copy of standard input, up to its end; gone with this value.
#[derive(Debug)]
pub(crate) struct Spool {
    path: PathBuf,
    /// What the results call it.
    shown: PathBuf,
}

impl Spool {
    /// Reads standard input to its end; the results call it by its label.
    ///
    /// # Errors
    ///
    /// What reading fails with, and what making and writing the copy fails with.
    pub(crate) fn stdin(label: Option<&Path>) -> io::Result<Spool> {
        let (path, mut file) = create()?;
        let shown = label.unwrap_or(Path::new("-")).to_owned();
        let spool = Spool { path, shown };
        io::copy(&mut io::stdin().lock(), &mut file)?;
        Ok(spool)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn shown(&self) -> &Path {
        &self.shown
    }
}

/// A new file. What a run that was killed has left may have the name that comes first.
fn create() -> io::Result<(PathBuf, File)> {
    let mut tries = 0;
    loop {
        let path = std::env::temp_dir().join(format!("linksift-stdin-{}-{tries}", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < 100 => tries += 1,
            Err(error) => return Err(error),
        }
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // What is left in the folder for temporary files, the system clears away.
        let _ = fs::remove_file(&self.path);
    }
}
