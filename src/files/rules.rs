//! Rules that choose the files of a walk: files that git ignores, globs, types, hidden files.
//!
//! The rules and the walk are those of the crate `ignore` of ripgrep, so `-g` and `-t` mean the same as there.
//! A walk without rules does not use this module. Inputs that are named are read whatever the rules say.

use std::env;
use std::fmt;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use ignore::{DirEntry, WalkBuilder};

use super::identity::{FileIdentity, is_dangling};
use super::item::{Item, ItemKind, Pace};
use crate::notice::Notice;

/// Which files of a walk are read; without rules, all.
///
/// ```
/// use linksift::files::{Options, Rules};
///
/// let rules = Rules::new().gitignore(true).glob("*.md")?.glob("!drafts/")?;
/// let options = Options::new().rules(rules);
/// # Ok::<(), linksift::files::ParseRuleError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Rules {
    gitignore: bool,
    hidden: bool,
    follow: bool,
    globs: Vec<String>,
    types: Vec<TypeRule>,
    overrides: Override,
    matcher: Types,
}

#[derive(Clone, Debug)]
enum TypeRule {
    Only(String),
    Not(String),
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            gitignore: false,
            hidden: true,
            follow: false,
            globs: Vec::new(),
            types: Vec::new(),
            overrides: Override::empty(),
            matcher: Types::empty(),
        }
    }
}

/// An invalid glob or an unknown type.
///
/// ```
/// let error = linksift::files::Rules::new().only_type("hypertext").unwrap_err();
/// assert!(error.to_string().contains("hypertext"));
/// ```
#[derive(Clone, Debug)]
pub struct ParseRuleError(ignore::Error);

impl fmt::Display for ParseRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for ParseRuleError {}

/// Types of formats that linksift knows and ripgrep does not, or not by this extension.
const MORE_TYPES: [(&str, &str); 11] = [
    ("xml", "*.drawio"),
    ("xml", "*.jnlp"),
    ("notebook", "*.ipynb"),
    ("properties", "*.properties"),
    ("po", "*.pot"),
    ("strings", "*.strings"),
    ("texinfo", "*.texinfo"),
    ("texinfo", "*.txi"),
    ("roff", "*.[0-9lnpx]"),
    ("roff", "*.{man,roff,mdoc}"),
    ("roff", "*.[0-9][cEFMmpSx]"),
];

impl Rules {
    /// Creates rules for all files, hidden ones too; symbolic links are not followed.
    ///
    /// ```
    /// use linksift::files::{self, Options, Rules};
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = std::env::temp_dir().join(format!("linksift-all-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// std::fs::write(folder.join("a.txt"), "see example.com")?;
    /// std::fs::write(folder.join(".b.txt"), "see example.org")?;
    /// let options = Options::new().rules(Rules::new());
    /// let summary = files::scan([&folder], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.links(), 2);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new() -> Rules {
        Rules::default()
    }

    /// Sets whether files that git ignores are skipped: by `.gitignore` (in directories above too, and outside of
    /// repositories), `.git/info/exclude` and the user's own file, and `.git` itself. Default: `false`.
    ///
    /// ```
    /// use linksift::files::{self, Options, Rules};
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = std::env::temp_dir().join(format!("linksift-git-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// std::fs::write(folder.join(".gitignore"), "b.*")?;
    /// std::fs::write(folder.join("a.txt"), "see example.com")?;
    /// std::fs::write(folder.join("b.txt"), "see example.org and example.net")?;
    /// let options = Options::new().rules(Rules::new().gitignore(true));
    /// let summary = files::scan([&folder], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.links(), 1);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn gitignore(mut self, obeyed: bool) -> Self {
        self.gitignore = obeyed;
        self
    }

    /// Sets whether files and directories whose names begin with a dot are read. Default: `true`.
    ///
    /// ```
    /// use linksift::files::{self, Options, Rules};
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = std::env::temp_dir().join(format!("linksift-hidden-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// std::fs::write(folder.join("a.txt"), "see example.com")?;
    /// std::fs::write(folder.join(".b.txt"), "see example.org")?;
    /// let options = Options::new().rules(Rules::new().hidden(false));
    /// let summary = files::scan([&folder], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.links(), 1);
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn hidden(mut self, read: bool) -> Self {
        self.hidden = read;
        self
    }

    /// Sets whether symbolic links are followed; one that leads to a directory above it fails. Default: `false`.
    ///
    /// ```
    /// use linksift::files::{self, Options, Rules};
    /// use std::ops::ControlFlow;
    ///
    /// # let folder = std::env::temp_dir().join(format!("linksift-follow-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// std::fs::write(folder.join("a.txt"), "see example.com")?;
    /// # #[cfg(unix)] {
    /// std::os::unix::fs::symlink("a.txt", folder.join("b.txt"))?;
    ///
    /// let links = |followed| {
    ///     let options = Options::new().rules(Rules::new().follow(followed));
    ///     files::scan([&folder], &options, |_| ControlFlow::Continue(())).links()
    /// };
    /// assert_eq!((links(false), links(true)), (1, 2));
    /// # }
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn follow(mut self, followed: bool) -> Self {
        self.follow = followed;
        self
    }

    /// Adds a glob in the form of a line of `.gitignore`: only files that match it are read, or with a leading `!` all
    /// others. If several match a file, the last counts. Globs precede the rules of git.
    ///
    /// # Errors
    ///
    /// Returns an error if the glob is invalid.
    ///
    /// ```
    /// assert!(linksift::files::Rules::new().glob("[").is_err());
    /// ```
    pub fn glob(mut self, glob: &str) -> Result<Self, ParseRuleError> {
        self.globs.push(glob.to_owned());
        // A slash in a glob is below the directory that the program was started in.
        let mut builder = OverrideBuilder::new(env::current_dir().unwrap_or_default());
        for glob in &self.globs {
            builder.add(glob).map_err(ParseRuleError)?;
        }
        self.overrides = builder.build().map_err(ParseRuleError)?;
        Ok(self)
    }

    /// Selects files of this type, by the names of ripgrep (`html`, `md`, `rust`); several types add up.
    ///
    /// # Errors
    ///
    /// Returns an error if the type is unknown.
    ///
    /// ```
    /// use linksift::files::Rules;
    ///
    /// assert!(Rules::new().only_type("html").is_ok());
    /// assert!(Rules::new().only_type("hypertext").is_err());
    /// ```
    pub fn only_type(self, name: &str) -> Result<Self, ParseRuleError> {
        self.with_type(TypeRule::Only(name.to_owned()))
    }

    /// Excludes files of this type.
    ///
    /// # Errors
    ///
    /// A type that there is not.
    ///
    /// ```
    /// use linksift::files::Rules;
    ///
    /// assert!(Rules::new().not_type("html").is_ok());
    /// assert!(Rules::new().not_type("hypertext").is_err());
    /// ```
    pub fn not_type(self, name: &str) -> Result<Self, ParseRuleError> {
        self.with_type(TypeRule::Not(name.to_owned()))
    }

    fn with_type(mut self, rule: TypeRule) -> Result<Self, ParseRuleError> {
        self.types.push(rule);
        let mut builder = TypesBuilder::new();
        builder.add_defaults();
        for (name, glob) in MORE_TYPES {
            builder.add(name, glob).map_err(ParseRuleError)?;
        }
        for rule in &self.types {
            match rule {
                TypeRule::Only(name) => builder.select(name),
                TypeRule::Not(name) => builder.negate(name),
            };
        }
        self.matcher = builder.build().map_err(ParseRuleError)?;
        Ok(self)
    }

    /// Walks a directory by these rules, sorted by file name; the output file is skipped.
    pub(super) fn walk(&self, directory: &Path, outputs: &[FileIdentity]) -> RuledWalk {
        let mut builder = WalkBuilder::new(directory);
        builder
            .standard_filters(false)
            .hidden(!self.hidden)
            .parents(self.gitignore)
            .git_ignore(self.gitignore)
            .git_exclude(self.gitignore)
            .git_global(self.gitignore)
            .require_git(false)
            .follow_links(self.follow)
            .overrides(self.overrides.clone())
            .types(self.matcher.clone())
            .sort_by_file_name(|a, b| a.cmp(b));
        if self.gitignore {
            builder.filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
        }
        RuledWalk { walk: builder.build(), root: directory.to_owned(), outputs: outputs.to_vec() }
    }
}

/// A walk by rules.
pub(super) struct RuledWalk {
    walk: ignore::Walk,
    root: PathBuf,
    outputs: Vec<FileIdentity>,
}

impl fmt::Debug for RuledWalk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ruled").finish_non_exhaustive()
    }
}

impl Iterator for RuledWalk {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            // The standard library panics where a directory cannot be closed. The crate then leaves that directory out, and
            // goes on after it.
            let Ok(next) = panic::catch_unwind(AssertUnwindSafe(|| self.walk.next())) else {
                let error =
                    io::Error::other("a directory in it could not be closed and is skipped");
                return Some(Item::new(self.root.clone(), ItemKind::Failed(error)));
            };
            match next? {
                Ok(entry) => {
                    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                    let kind = match is_file {
                        true if self.is_written(&entry) => ItemKind::Noticed(Notice::Output),
                        true => ItemKind::File(Pace::Steady),
                        false
                            if entry.path_is_symlink()
                                && is_dangling(entry.path(), &self.outputs) =>
                        {
                            ItemKind::Noticed(Notice::DanglingLink)
                        }
                        false => continue,
                    };
                    return Some(Item::new(entry.into_path(), kind));
                }
                Err(error) => {
                    let (path, error) = parts(error, PathBuf::new());
                    return Some(Item::new(path, ItemKind::Failed(error)));
                }
            }
        }
    }
}

impl RuledWalk {
    fn is_written(&self, entry: &DirEntry) -> bool {
        let folder = entry.path().parent().unwrap_or(Path::new("."));
        let (name, inode) = (entry.file_name(), inode(entry));
        self.outputs.iter().any(|output| output.is_entry(folder, name, inode))
    }
}

/// The number of the file itself; for a link that is followed the directory has another.
#[cfg(unix)]
fn inode(entry: &DirEntry) -> Option<u64> {
    entry.ino().filter(|_| !entry.path_is_symlink())
}

#[cfg(not(unix))]
fn inode(_: &DirEntry) -> Option<u64> {
    None
}

/// Path that failed in a walk, and the error.
fn parts(error: ignore::Error, path: PathBuf) -> (PathBuf, io::Error) {
    match error {
        ignore::Error::WithPath { path, err } => parts(*err, path),
        ignore::Error::WithDepth { err, .. } => parts(*err, path),
        ignore::Error::Loop { ancestor, child } => {
            let message = format!("the symbolic link leads back to {}", ancestor.display());
            (child, io::Error::other(message))
        }
        ignore::Error::Io(error) => (path, of_system(error)),
        other => (path, io::Error::other(other.to_string())),
    }
}

/// Returns the system's error for one that also names its path, as those of links that are followed do.
fn of_system(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|named| named.source()?.downcast_ref::<io::Error>());
    match inner.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}
