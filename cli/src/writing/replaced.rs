//! A new file next to the one that it replaces when it is complete: until then the old content stays.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;

use linksift::files::FileIdentity;

/// Maximum number of names that are tried for the new file.
const MOST_NAMES: u32 = 1000;

/// A regular file, or a name without a file, that another file is renamed to.
#[derive(Clone, Debug)]
pub(crate) struct Replaced {
    target: PathBuf,
    permissions: Option<Permissions>,
}

/// A new file next to the one that it will replace; it is removed if it is dropped before.
#[derive(Debug)]
pub(crate) struct Beside {
    pub(crate) file: File,
    path: PathBuf,
    is_kept: bool,
}

impl Replaced {
    /// Returns the file that a name leads to, after symbolic links; `None` if nothing can be renamed to it, because it is
    /// not a regular file.
    ///
    /// # Errors
    ///
    /// Returns errors of the system, also if an existing file may not be written.
    pub(crate) fn of(name: &Path) -> io::Result<Option<Replaced>> {
        let identity = FileIdentity::of(name)?;
        let Some(target) = identity.as_ref().and_then(FileIdentity::path) else { return Ok(None) };
        let permissions = match fs::metadata(name) {
            Ok(metadata) => {
                // A user who may not write a file may still be allowed to rename another one to it, which is not intended.
                File::options().append(true).open(name)?;
                Some(metadata.permissions())
            }
            Err(_) => None,
        };
        // The link `/proc/self/fd/1` to a file that has been removed leads nowhere.
        if permissions.is_some() && fs::metadata(target).is_err() {
            return Ok(None);
        }
        Ok(Some(Replaced { target: target.to_owned(), permissions }))
    }

    /// Returns `true` if there is a file to be replaced.
    pub(super) fn exists(&self) -> bool {
        self.permissions.is_some()
    }

    #[cfg(feature = "parquet")]
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// Creates a new file next to it, with an unused name and the same permissions.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
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

    /// Creates a new file with a name that must be unused, and the permissions of the one that it will replace.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(crate) fn create_at(&self, path: PathBuf) -> io::Result<Beside> {
        let file = File::options().read(true).append(true).create_new(true).open(&path)?;
        let beside = Beside { file, path, is_kept: false };
        if let Some(permissions) = &self.permissions {
            beside.file.set_permissions(permissions.clone())?;
        }
        Ok(beside)
    }

    /// Makes a new file replace this one, when the new file is on the disk.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(crate) fn replace(&self, mut beside: Beside) -> io::Result<()> {
        beside.file.sync_all()?;
        fs::rename(&beside.path, &self.target)?;
        beside.is_kept = true;
        Ok(())
    }
}

#[cfg(feature = "parquet")]
impl Beside {
    /// Returns a file that exists already.
    pub(super) fn known(file: File, path: PathBuf) -> Beside {
        Beside { file, path, is_kept: true }
    }

    /// Keeps the file under its own name if it does not replace another one.
    pub(super) fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.is_kept {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(&self.path);
        }
    }
}
