//! The walk alone: inputs in, files out, in the order in which [`sift`](super::sift) reads them.

use std::io;
use std::path::{Path, PathBuf};

use super::item::{Item, ItemKind};
use super::walk::{PathWalk, WalkOptions};
use super::{Input, Options};

/// An input, or something met in a walk, that cannot be found or listed.
///
/// ```
/// use linksift::files;
///
/// let unreachable = files::paths(["no such file"]).next().unwrap().unwrap_err();
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
    /// use linksift::files;
    ///
    /// let unreachable = files::paths(["no such file"]).next().unwrap().unwrap_err();
    /// assert_eq!(unreachable.path(), "no such file");
    /// ```
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why it cannot be reached.
    ///
    /// ```
    /// use linksift::files;
    ///
    /// let unreachable = files::paths(["no such file"]).next().unwrap().unwrap_err();
    /// assert_eq!(unreachable.error().kind(), std::io::ErrorKind::NotFound);
    /// ```
    pub fn error(&self) -> &io::Error {
        &self.error
    }
}

/// The files of inputs, one at a time: directories walked, each named input as it is, in order.
///
/// An [`Input::Path`] that comes out is no directory.
///
/// ```
/// use linksift::files::{self, Input};
///
/// let folder = std::env::temp_dir().join(format!("linksift-paths-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// std::fs::write(folder.join("b"), "")?;
/// std::fs::write(folder.join("a"), "")?;
///
/// let mut found = files::paths([Input::from(&folder), Input::from("no such file")]);
/// assert_eq!(found.next().unwrap().unwrap(), Input::Path(folder.join("a")));
/// assert_eq!(found.next().unwrap().unwrap(), Input::Path(folder.join("b")));
/// assert_eq!(found.next().unwrap().unwrap_err().path(), "no such file");
/// assert!(found.next().is_none());
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn paths<I>(inputs: I) -> impl Iterator<Item = Result<Input, Unreachable>>
where
    I: IntoIterator<Item: Into<Input>>,
{
    paths_by(inputs, WalkOptions::default())
}

/// Returns the files of inputs as [`paths`] does, by the [rules](Options::rules) of these options and without the
/// [output](Options::output). The function that [chooses](Options::choose) files is not called.
///
/// ```
/// use linksift::files::{self, Options};
///
/// let folder = std::env::temp_dir().join(format!("linksift-paths-with-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// std::fs::write(folder.join("a"), "")?;
/// let output = std::fs::File::create(folder.join("b"))?;
///
/// let options = Options::new().output(&output)?;
/// assert_eq!(files::paths_with([&folder], &options).count(), 1);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn paths_with<I>(
    inputs: I,
    options: &Options,
) -> impl Iterator<Item = Result<Input, Unreachable>> + use<I>
where
    I: IntoIterator<Item: Into<Input>>,
{
    paths_by(inputs, WalkOptions { choose: None, describe: None, ..options.walk.clone() })
}

fn paths_by<I>(
    inputs: I,
    options: WalkOptions,
) -> impl Iterator<Item = Result<Input, Unreachable>> + use<I>
where
    I: IntoIterator<Item: Into<Input>>,
{
    PathWalk::new(inputs.into_iter().map(Into::into), options).filter_map(
        |Item { path, kind, .. }| match kind {
            ItemKind::File(_) => Some(Ok(Input::Path(path))),
            ItemKind::Stdin => Some(Ok(Input::Stdin)),
            ItemKind::Noticed(_) => None,
            ItemKind::Failed(error) => Some(Err(Unreachable { path, error })),
        },
    )
}
