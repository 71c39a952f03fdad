//! Files that are written as output comes: standard output, pipes, and regular files. A regular file is truncated to the
//! part that is kept when the first output is written; one whose content must stay until the run ends is replaced then.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use linksift::files::Blocking;

use super::kept::{Checksum, KeptPart};
use super::replaced::{Beside, Replaced};
use crate::reason::reason;
use crate::streams::Stdout;

/// File that is written as output comes.
pub(crate) struct OutputFile {
    out: Out,
    name: PathBuf,
    /// Length of a regular file after it has been truncated; otherwise the number of bytes written.
    len: u64,
    /// Whether the previous content is still there.
    is_uncut: bool,
    /// Checksum of what was written, of a regular file whose run can be resumed.
    sum: Option<Checksum>,
}

enum Out {
    Stdout(Stdout),
    Regular(File),
    /// A new file, which replaces another one at the end of the run; `None` once it has.
    Replacing(Replaced, Option<Beside>),
    Other(Blocking<File>),
}

/// Treatment of a regular file that has content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// This part is kept, and the rest is removed before the first output.
    Kept(KeptPart),
    /// It is removed before the first output.
    Removed,
    /// It stays until the end of the run.
    Replaced,
}

impl OutputFile {
    fn of(out: Out, name: &Path) -> OutputFile {
        OutputFile { out, name: name.to_owned(), len: 0, is_uncut: false, sum: None }
    }

    pub(crate) fn stdout() -> OutputFile {
        OutputFile::of(Out::Stdout(Stdout::lock()), Path::new("-"))
    }

    /// Opens the file that a name refers to. Content to be kept must exist; otherwise the file may be missing. Its content
    /// is not changed yet.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be written.
    pub(super) fn open(name: &Path, content: Content) -> Result<OutputFile, String> {
        if is_dash(name) {
            return Ok(OutputFile::stdout());
        }
        let part = match content {
            Content::Kept(part) => Some(part),
            Content::Removed | Content::Replaced => None,
        };
        let failed = |error: io::Error| format!("{}: {}", name.display(), reason(&error));
        let there = fs::metadata(name).ok();
        let has_content =
            there.as_ref().is_some_and(|metadata| metadata.is_file() && metadata.len() > 0);
        if content == Content::Replaced
            && has_content
            && let Some(replaced) = Replaced::of(name).map_err(failed)?
        {
            let beside = Some(replaced.create().map_err(failed)?);
            let out = Out::Replacing(replaced, beside);
            return Ok(OutputFile::of(out, name));
        }
        let file = match there.is_some_and(|metadata| !metadata.is_file()) {
            true => File::options().write(true).open(name),
            // Checksums need no reading unless a part is kept: a file may be writable only.
            false => {
                let is_kept = part.is_some();
                File::options().read(is_kept).append(true).create(!is_kept).open(name)
            }
        };
        let file = file.map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return match part {
                Some(_) => Err(format!("{}: cannot resume: not a regular file", name.display())),
                None => Ok(OutputFile::of(Out::Other(Blocking(file)), name)),
            };
        }
        let sum = match part {
            Some(part) => Some(part.check(name, &file)?),
            None => (content == Content::Removed).then(Checksum::default),
        };
        let len = part.map_or(0, |part| part.len);
        let is_uncut = len < metadata.len();
        Ok(OutputFile { len, is_uncut, sum, ..OutputFile::of(Out::Regular(file), name) })
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

    /// Returns the part that was written.
    pub(super) fn part(&self) -> KeptPart {
        KeptPart { len: self.len, sum: self.sum.as_ref().map_or(0, Checksum::sum) }
    }

    /// Returns the regular file.
    pub(crate) fn file(&self) -> Option<&File> {
        match &self.out {
            Out::Regular(file) => Some(file),
            Out::Replacing(_, beside) => beside.as_ref().map(|beside| &beside.file),
            Out::Stdout(_) | Out::Other(_) => None,
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
            Out::Regular(file) | Out::Replacing(_, Some(Beside { file, .. })) => {
                if let Err(error) = file.write_all(bytes) {
                    // Part of a record could look like a complete one. A file that cannot be truncated stays as it is.
                    let _ = file.set_len(self.len);
                    return Err(error);
                }
            }
            Out::Replacing(_, None) => return Err(io::Error::other("closed")),
        }
        self.len += bytes.len() as u64;
        if let Some(sum) = &mut self.sum {
            sum.update(bytes);
        }
        Ok(())
    }

    /// Makes a new file replace the old one, if the old content had to stay until the end of the run.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(crate) fn take_place(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::Replacing(replaced, beside) => match beside.take() {
                Some(beside) => replaced.replace(beside),
                None => Ok(()),
            },
            _ => Ok(()),
        }
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
