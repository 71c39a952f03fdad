//! Files in addition to the links: failures, inputs that failed, counts; all in the order of the inputs.

use std::fs::File;
use std::io;

use linksift::Notice;

use super::checkpoint::{State, listed};
use super::in_place::OutputFile;
use super::kept::KeptPart;
use crate::facts::{About, Counts, Fact, Facts};

/// Outcomes of the inputs so far.
#[derive(Default)]
pub(crate) struct Sides {
    errors: Option<SideFile>,
    failed: Option<SideFile>,
    /// Terminator of a name in the list of failed inputs.
    terminator: u8,
    pub(crate) counts: Counts,
    /// Number of processed inputs.
    pub(crate) inputs: u64,
    /// Name of the last of them.
    pub(crate) last: String,
    /// Hash of the names of all of them, from [`listed`].
    pub(crate) list: u64,
    /// Metadata hash of each of them, if the run can be resumed; see [`look_of`](crate::look::look_of).
    pub(crate) looks: Vec<u32>,
    keeps_looks: bool,
    /// Whether a part of the current input has failed.
    pub(crate) has_failed: bool,
    /// Failed inputs that the list cannot hold, and nobody has reported yet.
    unlisted: Vec<Vec<u8>>,
}

/// A file to which lines are appended.
pub(crate) struct SideFile {
    file: OutputFile,
    /// Lines that have not been written yet.
    lines: Vec<u8>,
}

impl SideFile {
    pub(crate) fn new(file: OutputFile) -> SideFile {
        SideFile { file, lines: Vec::new() }
    }

    fn flush(&mut self) -> Result<(), (String, io::Error)> {
        self.file.write(&self.lines).map_err(|error| (self.file.name(), error))?;
        self.lines.clear();
        Ok(())
    }
}

impl Sides {
    pub(crate) fn new(errors: Option<SideFile>, failed: Option<SideFile>, terminator: u8) -> Sides {
        Sides { errors, failed, terminator, ..Sides::default() }
    }

    /// Restores the state of an interrupted run.
    pub(crate) fn carry(&mut self, state: &State, keeps_looks: bool) {
        self.keeps_looks = keeps_looks;
        self.looks.clone_from(&state.looks);
        self.counts = Counts::from_named(&state.counts);
        // The walk begins again, and reports again which of its files it does not read.
        for notice in [Notice::Output, Notice::DanglingLink] {
            self.counts.forget(About::Notice, notice.as_str());
        }
        (self.inputs, self.list) = (state.inputs, state.list);
        self.has_failed = state.has_failed;
        self.last.clone_from(&state.last);
    }

    /// Processes recorded facts.
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
                Fact::Closed(path, look) => self.close(path, look),
            }
        }
    }

    fn close(&mut self, path: &[u8], look: u64) {
        self.inputs += 1;
        if self.keeps_looks {
            self.looks.push(look as u32);
        }
        self.list = listed(self.list, path);
        self.last = String::from_utf8_lossy(path).into_owned();
        self.counts.add(About::Input, "all", 1);
        if !std::mem::take(&mut self.has_failed) {
            return;
        }
        self.counts.add(About::Input, "failed", 1);
        let Some(failed) = &mut self.failed else { return };
        match is_record(path, self.terminator) {
            true => {
                failed.lines.extend_from_slice(path);
                failed.lines.push(self.terminator);
            }
            false => self.unlisted.push(path.to_vec()),
        }
    }

    /// Takes the names of failed inputs that the list cannot hold.
    pub(crate) fn take_unlisted(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.unlisted)
    }

    /// Returns the number of inputs with a failure.
    pub(crate) fn failures(&self) -> u64 {
        self.counts.one(About::Input, "failed")
    }

    /// Writes the buffered lines.
    ///
    /// # Errors
    ///
    /// Returns the error of the system, and the file.
    pub(crate) fn flush(&mut self) -> Result<(), (String, io::Error)> {
        for file in [&mut self.errors, &mut self.failed].into_iter().flatten() {
            file.flush()?;
        }
        Ok(())
    }

    /// Waits until the output is on the disk, and returns the parts of the files.
    pub(crate) fn settle(&mut self) -> Result<[Option<KeptPart>; 2], (String, io::Error)> {
        self.flush()?;
        for side in [&mut self.errors, &mut self.failed].into_iter().flatten() {
            side.file.settle().map_err(|error| (side.file.name(), error))?;
        }
        Ok([&self.errors, &self.failed].map(|side| side.as_ref().map(|side| side.file.part())))
    }

    /// Writes the remaining lines, and removes the previous content.
    ///
    /// # Errors
    ///
    /// Returns the error of the system, and the file.
    pub(crate) fn finish(&mut self) -> Result<(), (String, io::Error)> {
        self.flush()?;
        for side in [&mut self.errors, &mut self.failed].into_iter().flatten() {
            side.file.cut().map_err(|error| (side.file.name(), error))?;
        }
        Ok(())
    }

    /// Makes new files replace old ones, if their content had to stay until the end of the run.
    ///
    /// # Errors
    ///
    /// Returns the error of the system, and the file.
    pub(crate) fn take_place(&mut self) -> Result<(), (String, io::Error)> {
        for side in [&mut self.errors, &mut self.failed].into_iter().flatten() {
            side.file.take_place().map_err(|error| (side.file.name(), error))?;
        }
        Ok(())
    }

    /// Returns the regular files that are written.
    pub(crate) fn files(&self) -> impl Iterator<Item = &File> {
        [&self.errors, &self.failed].into_iter().flatten().filter_map(|side| side.file.file())
    }
}

/// Returns `true` if `--files-from` reads a name back from a record with this terminator. It removes a CR at the end of a
/// line.
fn is_record(name: &[u8], terminator: u8) -> bool {
    !name.contains(&terminator) && (terminator != b'\n' || name.last() != Some(&b'\r'))
}
