//! The lock of a state file: only one run at a time can use a state. The lock is held on a file next to the state file,
//! which is never renamed or removed.

use std::fs::File;
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};

use crate::reason::reason;

/// The exclusive right to use a state, held until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
    /// Reason why the lock does not exclude other runs.
    pub(crate) unlocked: Option<String>,
}

/// Returns the name of the file that is locked.
pub(crate) fn name(state: &Path) -> PathBuf {
    let mut name = state.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

impl Lock {
    /// Takes the lock of a state file, given its path without symbolic links at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if another run holds the lock, or if the file cannot be created.
    pub(crate) fn take(state: &Path) -> Result<Lock, String> {
        let name = name(state);
        let options =
            File::options().read(true).write(true).create(true).truncate(false).open(&name);
        let file = options.map_err(|error| format!("{}: {}", name.display(), reason(&error)))?;
        // Call the method of the trait, since newer versions of the standard library have methods with the same names.
        let unlocked = match FileExt::try_lock(&file) {
            Ok(()) => None,
            Err(TryLockError::WouldBlock) => {
                return Err(format!(
                    "{}: cannot resume: another run uses this state (it has locked {})",
                    state.display(),
                    name.display()
                ));
            }
            Err(TryLockError::Error(error)) => Some(format!(
                "{}: cannot lock the state ({}); do not start a second run with it",
                name.display(),
                reason(&error)
            )),
        };
        Ok(Lock { _file: file, unlocked })
    }
}
