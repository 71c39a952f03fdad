//! What is written beside the links: failures, the inputs that failed, numbers. All of it in the order of the
//! inputs.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::State;
use crate::facts::{About, Counts, Fact, Facts};

/// What became of the inputs so far.
#[derive(Debug, Default)]
pub(crate) struct Sides {
    errors: Option<SideFile>,
    failed: Option<SideFile>,
    /// What ends a name in the list of inputs that failed.
    terminator: u8,
    pub(crate) counts: Counts,
    /// Inputs that are done with.
    pub(crate) inputs: u64,
    /// The last of them.
    pub(crate) last: String,
    /// All of them, as [`listed`] makes it.
    pub(crate) list: u64,
    /// Something of the input that is not done with has failed.
    pub(crate) has_failed: bool,
}

/// The hash of a list with one more name.
pub(crate) fn listed(list: u64, path: &[u8]) -> u64 {
    // Its keys are fixed: the same list gives the same hash in each run of a program.
    let mut hasher = DefaultHasher::new();
    (list, path).hash(&mut hasher);
    hasher.finish()
}

/// A file that lines are added to.
#[derive(Debug)]
pub(crate) struct SideFile {
    file: File,
    name: PathBuf,
    len: u64,
    /// What is to be written.
    lines: Vec<u8>,
}

impl SideFile {
    /// A file that is open, and as long as is said.
    pub(crate) fn new(file: File, name: PathBuf, len: u64) -> SideFile {
        SideFile { file, name, len, lines: Vec::new() }
    }

    fn flush(&mut self) -> Result<(), (PathBuf, io::Error)> {
        if self.lines.is_empty() {
            return Ok(());
        }
        if let Err(error) = self.file.write_all(&self.lines) {
            // Half a line looks like a whole one. What cannot be shortened is no file.
            let _ = self.file.set_len(self.len);
            return Err((self.name.clone(), error));
        }
        self.len += self.lines.len() as u64;
        self.lines.clear();
        Ok(())
    }
}

impl Sides {
    pub(crate) fn new(errors: Option<SideFile>, failed: Option<SideFile>, terminator: u8) -> Sides {
        Sides { errors, failed, terminator, ..Sides::default() }
    }

    /// What a run that is gone on with begins with.
    pub(crate) fn carry(&mut self, state: &State) {
        self.counts = Counts::from_named(&state.counts);
        (self.inputs, self.list) = (state.inputs, state.list);
        self.has_failed = state.has_failed;
        self.last.clone_from(&state.last);
    }

    /// Takes what was noted.
    pub(crate) fn take(&mut self, facts: Facts<'_>) {
        for fact in facts {
            match fact {
                Fact::Count(about, value, amount) => self.counts.add(about, value, amount),
                Fact::Error(line) => {
                    self.has_failed = true;
                    if let Some(errors) = &mut self.errors {
                        errors.lines.extend_from_slice(line);
                    }
                }
                Fact::Closed(path) => self.close(path),
            }
        }
    }

    fn close(&mut self, path: &[u8]) {
        self.inputs += 1;
        self.list = listed(self.list, path);
        self.last = String::from_utf8_lossy(path).into_owned();
        self.counts.add(About::Input, "all", 1);
        if !std::mem::take(&mut self.has_failed) {
            return;
        }
        self.counts.add(About::Input, "failed", 1);
        if let Some(failed) = &mut self.failed {
            failed.lines.extend_from_slice(path);
            failed.lines.push(self.terminator);
        }
    }

    /// Inputs of which something failed.
    pub(crate) fn failures(&self) -> u64 {
        self.counts.one(About::Input, "failed")
    }

    /// Writes the lines that came.
    ///
    /// # Errors
    ///
    /// What the system fails with, and on which file.
    pub(crate) fn flush(&mut self) -> Result<(), (PathBuf, io::Error)> {
        for file in [&mut self.errors, &mut self.failed].into_iter().flatten() {
            file.flush()?;
        }
        Ok(())
    }

    /// Waits until what was written is on the disk, and says how long the files are.
    pub(crate) fn settle(&mut self) -> Result<[Option<u64>; 2], (PathBuf, io::Error)> {
        self.flush()?;
        for file in [&self.errors, &self.failed].into_iter().flatten() {
            file.file.sync_data().map_err(|error| (file.name.clone(), error))?;
        }
        Ok([&self.errors, &self.failed].map(|file| file.as_ref().map(|file| file.len)))
    }

    /// The files that are written.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&File, &Path)> {
        [&self.errors, &self.failed].into_iter().flatten().map(|file| (&file.file, &*file.name))
    }
}
