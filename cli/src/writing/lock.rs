//! One run at a time goes on with a state: it holds a lock on a file beside the state, which is never renamed or removed.

use std::fs::File;
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};

use crate::reason::reason;

/// The right to go on with a state, until it is dropped or the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
    /// Why nobody is kept from taking it too.
    pub(crate) unlocked: Option<String>,
}

/// The name of the file that is locked.
pub(crate) fn name(state: &Path) -> PathBuf {
    let mut name = state.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

impl Lock {
    /// Takes the right to go on with a state, at its path without symbolic links at the end.
    ///
    /// # Errors
    ///
    /// Another run has it; or there is no place for the file.
    pub(crate) fn take(state: &Path) -> Result<Lock, String> {
        let name = name(state);
        let options =
            File::options().read(true).write(true).create(true).truncate(false).open(&name);
        let file = options.map_err(|error| format!("{}: {}", name.display(), reason(&error)))?;
        // By its trait: newer versions of the standard library have methods of these names.
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
