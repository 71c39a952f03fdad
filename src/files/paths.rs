//! The walk alone: inputs in, files out, in the order in which [`scan`](super::scan) reads them.

use std::error::Error;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use super::item::{Item, ItemKind};
use super::walk::{PathWalk, WalkOptions};
use super::{Input, Options};
use crate::notice::{Notice, ScanError};

/// The error of an input, or of something met in a walk, that cannot be found or listed: [`list`] alone gives no other place to its path.
///
/// ```
/// use linksift::files::{self, Options};
///
/// let missing = files::list(["no such file"], &Options::new()).next().unwrap().unwrap_err();
/// assert_eq!((missing.path(), missing.error().as_str()), ("no such file".as_ref(), "not-found"));
/// assert!(missing.to_string().starts_with("no such file: "));
/// ```
#[derive(Debug)]
pub struct PathError {
    path: PathBuf,
    error: ScanError,
    notice: Option<Notice>,
}

impl PathError {
    /// Returns the path that cannot be reached.
    ///
    /// ```
    /// use linksift::files::{self, Options};
    ///
    /// let missing = files::list(["no such file"], &Options::new()).next().unwrap().unwrap_err();
    /// assert_eq!(missing.path(), "no such file");
    /// ```
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the reason why it cannot be reached.
    ///
    /// ```
    /// use linksift::files::{self, Options};
    ///
    /// let missing = files::list(["no such file"], &Options::new()).next().unwrap().unwrap_err();
    /// assert_eq!(missing.error().as_str(), "not-found");
    /// ```
    pub fn error(&self) -> &ScanError {
        &self.error
    }

    /// Returns the notice that [`scan`](super::scan) gives on the path, if it is not an error there:
    /// [`DanglingLink`](Notice::DanglingLink) for a symbolic link in a directory that leads to no file.
    ///
    /// ```
    /// use linksift::files::{self, Options};
    ///
    /// let missing = files::list(["no such file"], &Options::new()).next().unwrap().unwrap_err();
    /// assert_eq!(missing.notice(), None);
    /// ```
    pub fn notice(&self) -> Option<Notice> {
        self.notice
    }
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl Error for PathError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

/// The files of inputs, one at a time: directories walked, each named input as it is, in order.
///
/// A symbolic link in a directory that leads to no file is an error with a [notice](PathError::notice), as [`scan`](super::scan) reports it.
/// The [rules](Options::rules) and the [excluded](Options::exclude) files of the options apply; the function that [selects](Options::filter) files
/// is not called. An [`Input::Path`] that comes out is no directory.
///
/// ```
/// use linksift::files::{self, Input, Options};
///
/// let folder = std::env::temp_dir().join(format!("linksift-paths-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// std::fs::write(folder.join("b"), "")?;
/// std::fs::write(folder.join("a"), "")?;
///
/// let mut found = files::list([Input::from(&folder), Input::from("no such file")], &Options::new());
/// assert_eq!(found.next().unwrap().unwrap(), Input::Path(folder.join("a")));
/// assert_eq!(found.next().unwrap().unwrap(), Input::Path(folder.join("b")));
/// assert_eq!(found.next().unwrap().unwrap_err().path(), "no such file");
/// assert!(found.next().is_none());
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn list<I>(
    inputs: I,
    options: &Options,
) -> impl Iterator<Item = Result<Input, PathError>> + use<I>
where
    I: IntoIterator<Item: Into<Input>>,
{
    let options = WalkOptions { choose: None, describe: None, ..options.walk.clone() };
    PathWalk::new(inputs.into_iter().map(Into::into), options).filter_map(
        |Item { path, kind, .. }| match kind {
            ItemKind::File(_) => Some(Ok(Input::Path(path))),
            ItemKind::Stdin => Some(Ok(Input::Stdin)),
            // The caller excluded it.
            ItemKind::Noticed(Notice::Output) => None,
            ItemKind::Noticed(notice) => {
                let error = fs::metadata(&path).err().unwrap_or_else(|| ErrorKind::NotFound.into());
                Some(Err(PathError { path, error: error.into(), notice: Some(notice) }))
            }
            ItemKind::Failed(error) => {
                Some(Err(PathError { path, error: error.into(), notice: None }))
            }
        },
    )
}
