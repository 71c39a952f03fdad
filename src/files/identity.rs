//! Identities: which file of the system a path leads to, be it there or not.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// Number of symbolic links that a system follows in one path.
const MOST_LINKS: usize = 40;

/// Identity of the regular file that a path leads to, whether it exists or not.
///
/// An existing file is identified by its device and its number there, so that symbolic links, hard links and other
/// spellings of its path lead to the same identity; a file that does not exist yet by its directory and its name. On
/// systems without file numbers files are identified by their canonical paths, and hard links count as different files.
///
/// ```
/// use linksift::files::FileIdentity;
/// use std::path::Path;
///
/// # let folder = std::env::temp_dir().join(format!("linksift-identity-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// std::fs::write(folder.join("a"), "")?;
/// let of = |name: &str| FileIdentity::of(&folder.join(name)).map(|identity| identity.expect("a file"));
///
/// assert!(of("a")?.is_same(&of("./a")?));
/// assert!(!of("a")?.is_same(&of("b")?));
/// // Neither is there yet.
/// assert!(of("b")?.is_same(&of("./b")?));
/// assert!(!of("b")?.is_same(&of("c")?));
/// // A folder is no regular file, and no more are terminals, pipes, sockets and devices.
/// assert!(FileIdentity::of(&folder)?.is_none());
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileIdentity {
    /// The file, if it exists.
    file: Option<Node>,
    /// Its folder, if that is there, and its name in it.
    place: Option<(Node, OsString)>,
    /// Path of the file, without a symbolic link at the end.
    path: Option<PathBuf>,
}

/// Identifier of a file or directory in the system.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    #[cfg(unix)]
    device: u64,
    #[cfg(unix)]
    inode: u64,
    #[cfg(not(unix))]
    canonical: PathBuf,
}

impl Node {
    #[cfg(unix)]
    fn of(_: &Path, metadata: &Metadata) -> Option<Node> {
        use std::os::unix::fs::MetadataExt;
        Some(Node { device: metadata.dev(), inode: metadata.ino() })
    }

    #[cfg(not(unix))]
    fn of(path: &Path, _: &Metadata) -> Option<Node> {
        fs::canonicalize(path).ok().map(|canonical| Node { canonical })
    }

    /// Returns the directory at a path.
    fn of_folder(path: &Path) -> Option<Node> {
        Node::of(path, &fs::metadata(path).ok()?)
    }
}

impl FileIdentity {
    /// Returns the identity of the file at a path, or of the one that would be created there; symbolic links are followed. `None` for
    /// anything but a regular file: terminals, pipes, sockets, devices and directories.
    ///
    /// # Errors
    ///
    /// Returns the error of the system; a file that does not exist is not an error.
    ///
    /// ```
    /// use linksift::files::FileIdentity;
    /// use std::path::Path;
    ///
    /// assert!(FileIdentity::of(Path::new("."))?.is_none());
    /// assert!(FileIdentity::of(Path::new("not there yet"))?.is_some());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn of(path: &Path) -> io::Result<Option<FileIdentity>> {
        let file = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => return Ok(None),
            Ok(metadata) => Node::of(path, &metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let end = followed(path);
        let place = end.file_name().and_then(|name| {
            let folder = Node::of_folder(folder_of(&end))?;
            Some((folder, name.to_owned()))
        });
        Ok(Some(FileIdentity { file, place, path: Some(end) }))
    }

    /// Returns the identity of an open file. `None` for anything but a regular file, and on systems without file numbers.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    ///
    /// ```
    /// use linksift::files::FileIdentity;
    /// use std::fs::File;
    ///
    /// # let path = std::env::temp_dir().join(format!("linksift-open-{}", std::process::id()));
    /// let file = File::create(&path)?;
    /// # #[cfg(unix)]
    /// assert!(FileIdentity::of(&path)?.zip(FileIdentity::of_open(&file)?).is_some_and(|(a, b)| a.is_same(&b)));
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn of_open(file: &File) -> io::Result<Option<FileIdentity>> {
        let metadata = file.metadata()?;
        let node = metadata.is_file().then(|| Node::of(Path::new(""), &metadata)).flatten();
        Ok(node.map(|node| FileIdentity { file: Some(node), place: None, path: None }))
    }

    /// Returns the path at which the file is, or would be created: the path of the call with symbolic links at its end followed. A file
    /// that is renamed to it replaces the file, not a link. `None` for an [open file](FileIdentity::of_open).
    ///
    /// ```
    /// use linksift::files::FileIdentity;
    /// use std::path::Path;
    ///
    /// let identity = FileIdentity::of(Path::new("not there yet"))?.expect("no folder, no device");
    /// assert_eq!(identity.path(), Some(Path::new("not there yet")));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Standard input, where it is a regular file and the system says which.
    pub(super) fn of_stdin() -> Option<FileIdentity> {
        #[cfg(unix)]
        {
            use std::os::fd::AsFd;
            let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
            FileIdentity::of_open(&file).ok()?
        }
        #[cfg(not(unix))]
        None
    }

    /// Returns `true` if both are the same existing file, or the same path of a file that does not exist.
    ///
    /// ```
    /// use linksift::files::FileIdentity;
    /// use std::path::Path;
    ///
    /// let [a, b] = ["not there", "./not there"].map(|path| FileIdentity::of(Path::new(path)));
    /// assert!(a?.zip(b?).is_some_and(|(a, b)| a.is_same(&b)));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn is_same(&self, other: &FileIdentity) -> bool {
        let same = |a: Option<&_>, b: Option<&_>| a.is_some() && a == b;
        let is_same_place = match (&self.place, &other.place) {
            (Some(one), Some(other)) => one == other,
            _ => false,
        };
        same(self.file.as_ref(), other.file.as_ref()) || is_same_place
    }

    /// Returns `true` if an entry of a directory is this file: `name` in the directory at `folder`, with the number
    /// `inode`, if that is known. The system is called only if the number or the name matches.
    pub(super) fn is_entry(&self, folder: &Path, name: &OsStr, inode: Option<u64>) -> bool {
        let may_be_file = self.file.as_ref().is_some_and(|node| node.may_have(inode));
        let may_be_place = self.place.as_ref().is_some_and(|(_, own)| own == name);
        (may_be_file || may_be_place)
            && FileIdentity::of(&folder.join(name))
                .is_ok_and(|entry| entry.is_some_and(|entry| self.is_same(&entry)))
    }
}

impl Node {
    #[cfg(unix)]
    fn may_have(&self, inode: Option<u64>) -> bool {
        inode.is_none_or(|inode| inode == self.inode)
    }

    /// To ask for the canonical path of each entry would cost more than to read it.
    #[cfg(not(unix))]
    fn may_have(&self, _: Option<u64>) -> bool {
        false
    }
}

/// Returns `true` if a symbolic link leads to nothing, or in a circle. A link to a file that the run is going to write does
/// not.
pub(super) fn is_dangling(link: &Path, outputs: &[FileIdentity]) -> bool {
    let is_lost = |error: io::Error| error.kind() != io::ErrorKind::PermissionDenied;
    fs::metadata(link).is_err_and(is_lost) && {
        let target = FileIdentity::of(link).ok().flatten();
        !target.is_some_and(|target| outputs.iter().any(|output| output.is_same(&target)))
    }
}

/// Returns the path after following the symbolic links at its end, whether it exists or not.
fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(target);
    }
    path
}

/// Returns the directory of a path.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_file_that_is_there_or_will_be() {
        let folder = std::env::temp_dir().join(format!("linksift-links-{}", std::process::id()));
        fs::create_dir_all(folder.join("d")).unwrap();
        fs::write(folder.join("a"), "").unwrap();
        fs::hard_link(folder.join("a"), folder.join("hard")).unwrap();
        for (target, name) in
            [("a", "soft"), ("d/../new", "dangling"), ("dangling", "twice"), ("loop", "loop")]
        {
            std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
        }
        let same = |a: &str, b: &str| {
            let of = |name: &str| FileIdentity::of(&folder.join(name)).unwrap().unwrap();
            of(a).is_same(&of(b))
        };
        for name in ["hard", "soft", "d/../a"] {
            assert!(same("a", name), "{name}");
        }
        for name in ["dangling", "twice", "./new"] {
            assert!(same("new", name), "{name}");
        }
        assert!(!same("a", "new") && !same("d/a", "a") && !same("no/new", "new"));
        // A file that has come since is still the one that was not there.
        let before = FileIdentity::of(&folder.join("new")).unwrap().unwrap();
        fs::write(folder.join("new"), "").unwrap();
        assert!(before.is_same(&FileIdentity::of(&folder.join("twice")).unwrap().unwrap()));
        assert!(FileIdentity::of(&folder.join("loop")).is_err());
        assert!(FileIdentity::of(Path::new("/dev/null")).unwrap().is_none());
        fs::remove_dir_all(folder).unwrap();
    }
}
