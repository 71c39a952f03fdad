//! Files that take their place when they are whole: until then what was there before is there.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;

use linksift::files::FileIdentity;

use super::in_place::{InPlace, is_dash};
use crate::reason::reason;

/// As many names are tried for a file beside the one that it will replace.
const MOST_NAMES: u32 = 1000;

/// A file that is written at the end of a run, at once; that it can be written was tried at the start.
pub(crate) struct Whole {
    name: PathBuf,
    way: Way,
}

enum Way {
    /// What is no regular file, or one in a folder in which nothing can be made.
    InPlace(InPlace),
    Replaced(Replaced),
}

/// A regular file, or a name without one, that another file is renamed to.
#[derive(Clone, Debug)]
pub(crate) struct Replaced {
    target: PathBuf,
    permissions: Option<Permissions>,
}

/// A new file beside the one that it will replace; dropped before, it is removed.
#[derive(Debug)]
pub(crate) struct Beside {
    pub(crate) file: File,
    path: PathBuf,
    is_kept: bool,
}

impl Replaced {
    /// What a name leads to, with symbolic links followed; `None` if nothing can be renamed to it, since it is no regular file.
    ///
    /// # Errors
    ///
    /// What asking the system fails with, and that a file that is there may not be written.
    pub(crate) fn of(name: &Path) -> io::Result<Option<Replaced>> {
        let identity = FileIdentity::of(name)?;
        let Some(target) = identity.as_ref().and_then(FileIdentity::path) else { return Ok(None) };
        let permissions = match fs::metadata(name) {
            Ok(metadata) => {
                // Who may not write a file may still be allowed to rename another one to it: that is not what is meant.
                File::options().append(true).open(name)?;
                Some(metadata.permissions())
            }
            Err(_) => None,
        };
        // What `/proc/self/fd/1` says of a file that has been removed leads nowhere.
        if permissions.is_some() && fs::metadata(target).is_err() {
            return Ok(None);
        }
        Ok(Some(Replaced { target: target.to_owned(), permissions }))
    }

    #[cfg(feature = "parquet")]
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// A new file beside it, of a name that no file has, with its permissions.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub(crate) fn create(&self) -> io::Result<Beside> {
        let mut number = 0;
        loop {
            let path =
                self.target.with_file_name(format!(".linksift-{}-{number}.part", process::id()));
            match self.create_at(path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < MOST_NAMES => {
                    number += 1;
                }
                created => return created,
            }
        }
    }

    /// A new file of a name that no file may have, with the permissions of the one that it will replace.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub(crate) fn create_at(&self, path: PathBuf) -> io::Result<Beside> {
        let file = File::options().read(true).append(true).create_new(true).open(&path)?;
        let beside = Beside { file, path, is_kept: false };
        if let Some(permissions) = &self.permissions {
            beside.file.set_permissions(permissions.clone())?;
        }
        Ok(beside)
    }

    /// Has a new file take the place, when it is on the disk.
    ///
    /// # Errors
    ///
    /// The error of the system.
    pub(crate) fn replace(&self, mut beside: Beside) -> io::Result<()> {
        beside.file.sync_all()?;
        fs::rename(&beside.path, &self.target)?;
        beside.is_kept = true;
        Ok(())
    }
}

#[cfg(feature = "parquet")]
impl Beside {
    /// A file that is there already.
    pub(super) fn known(file: File, path: PathBuf) -> Beside {
        Beside { file, path, is_kept: true }
    }

    /// Has it stay where it is if it takes no other place.
    pub(super) fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.is_kept {
            // What cannot be removed is in nobody's way.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Whole {
    /// Tries whether a file can be written.
    ///
    /// # Errors
    ///
    /// Why it cannot.
    pub(crate) fn open(name: &Path) -> Result<Whole, String> {
        let failed = |error: io::Error| format!("{}: {}", name.display(), reason(&error));
        let replaced = if is_dash(name) { None } else { Replaced::of(name).map_err(failed)? };
        let way = match replaced {
            None => Way::InPlace(InPlace::open(name, None)?),
            Some(replaced) => match replaced.create() {
                Ok(_) => Way::Replaced(replaced),
                Err(_) if replaced.permissions.is_some() => {
                    Way::InPlace(InPlace::open(name, None)?)
                }
                Err(error) => return Err(failed(error)),
            },
        };
        Ok(Whole { name: name.to_owned(), way })
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// What the system fails with, with the name; a regular file is then as it was before.
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
            // Who closed the pipe has seen enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(|error| format!("{name}: {}", reason(&error))),
        }
    }
}
