//! The walk alone: inputs in, files out, in the order in which [`scan`](super::scan) reads them.

use std::io;
use std::path::{Path, PathBuf};

use super::item::{Item, ItemKind};
use super::walk::{PathWalk, WalkOptions};
use super::{Input, Options};

/// An input, or something met in a walk, that cannot be found or listed.
///
/// ```
/// use linksift::files::{self, Options};
///
/// let unreachable = files::list(["no such file"], &Options::new()).next().unwrap().unwrap_err();
/// assert_eq!(unreachable.path(), "no such file");
/// ```
#[derive(Debug)]
pub struct Unreachable {
    path: PathBuf,
    error: io::Error,
}

impl Unreachable {
    /// The path that cannot be reached.
    ///
    /// ```
    /// use linksift::files::{self, Options};
    ///
    /// let unreachable = files::list(["no such file"], &Options::new()).next().unwrap().unwrap_err();
    /// assert_eq!(unreachable.path(), "no such file");
    /// ```
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why it cannot be reached.
    ///
    /// ```
    /// use linksift::files::{self, Options};
    ///
    /// let unreachable = files::list(["no such file"], &Options::new()).next().unwrap().unwrap_err();
    /// assert_eq!(unreachable.error().kind(), std::io::ErrorKind::NotFound);
    /// ```
    pub fn error(&self) -> &io::Error {
        &self.error
    }
}

/// The files of inputs, one at a time: directories walked, each named input as it is, in order.
///
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
) -> impl Iterator<Item = Result<Input, Unreachable>> + use<I>
where
    I: IntoIterator<Item: Into<Input>>,
{
    let options = WalkOptions { choose: None, describe: None, ..options.walk.clone() };
    PathWalk::new(inputs.into_iter().map(Into::into), options).filter_map(
        |Item { path, kind, .. }| match kind {
            ItemKind::File(_) => Some(Ok(Input::Path(path))),
            ItemKind::Stdin => Some(Ok(Input::Stdin)),
            ItemKind::Noticed(_) => None,
            ItemKind::Failed(error) => Some(Err(Unreachable { path, error })),
        },
    )
}
