//! Walks through inputs and directories, and yields the files to read in order.
//!
//! Takes a lazy list of inputs; gives files to open and what failed on the
//! way. Of a tree only the names of the directories that are open are held, as sorting needs them:
//! boxed names, not paths, which in a directory of a million files is a third of the memory.
//! Whether an entry is a file is known from its directory, so that the walk asks the system nothing
//! about single files.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::vec;

use super::describe::{Choose, Describe};
use super::identity::{FileIdentity, is_dangling};
use super::item::{Item, ItemKind, Pace};
use super::rules::{RuledWalk, Rules};
use super::{Input, ResumePoint};
use crate::notice::{Notice, ScanError};

/// Options of a walk.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkOptions {
    /// Files to which results are written.
    pub(super) outputs: Vec<FileIdentity>,
    pub(super) choose: Option<Choose>,
    pub(super) describe: Option<Describe>,
    /// Resume point of the first item.
    pub(super) resume: Option<ResumePoint>,
    pub(super) rules: Option<Rules>,
}

/// Iterator over the items of a list of inputs.
#[derive(Debug)]
pub(super) struct PathWalk<I> {
    inputs: I,
    options: WalkOptions,
    /// The current walk by rules.
    ruled: Option<RuledWalk>,
    /// Open directories, outermost first.
    levels: Vec<OpenDirectory>,
    failed: VecDeque<Item>,
    /// Number of items so far.
    count: u64,
}

#[derive(Debug)]
struct OpenDirectory {
    path: PathBuf,
    entries: vec::IntoIter<WalkEntry>,
}

#[derive(Debug)]
struct WalkEntry {
    name: Box<OsStr>,
    kind: EntryKind,
}

#[derive(Debug)]
enum EntryKind {
    File,
    /// Not read: a file to which results are written, or a symbolic link that leads to nothing.
    Noticed(Notice),
    Directory,
}

impl<I: Iterator<Item = Input>> PathWalk<I> {
    pub(super) fn new(inputs: I, options: WalkOptions) -> PathWalk<I> {
        let (levels, failed) = (Vec::new(), VecDeque::new());
        PathWalk { inputs, options, ruled: None, levels, failed, count: 0 }
    }

    /// Returns whether the next item is known without blocking: the list of inputs may be a pipe.
    pub(super) fn is_at_hand(&self) -> bool {
        if self.ruled.is_some() {
            return true;
        }
        self.levels.iter().any(|level| !level.entries.as_slice().is_empty())
    }

    /// Reads a directory. Errors come before its entries.
    fn enter(&mut self, path: PathBuf) {
        let mut listing = match fs::read_dir(&path) {
            Ok(listing) => listing,
            Err(error) => {
                return self.failed.push_back(Item::new(path, ItemKind::Failed(error)));
            }
        };
        let mut entries = Vec::new();
        for entry in listing.by_ref() {
            let kind = entry.and_then(|entry| Ok((entry.file_type()?, entry)));
            match kind {
                Ok((kind, entry)) if kind.is_dir() => {
                    let name = entry.file_name().into_boxed_os_str();
                    entries.push(WalkEntry { name, kind: EntryKind::Directory });
                }
                Ok((kind, entry)) if kind.is_file() => {
                    let kind = match self.is_written(&path, &entry) {
                        true => EntryKind::Noticed(Notice::Output),
                        false => EntryKind::File,
                    };
                    entries.push(WalkEntry { name: entry.file_name().into_boxed_os_str(), kind });
                }
                Ok((kind, entry)) => {
                    if kind.is_symlink() && is_dangling(&entry.path(), &self.options.outputs) {
                        let kind = EntryKind::Noticed(Notice::DanglingLink);
                        let name = entry.file_name().into_boxed_os_str();
                        entries.push(WalkEntry { name, kind });
                    }
                }
                Err(error) => {
                    self.failed.push_back(Item::new(path.clone(), ItemKind::Failed(error)));
                }
            }
        }
        // The standard library panics where a directory cannot be closed, which loses nothing: it has been read.
        let _ = panic::catch_unwind(AssertUnwindSafe(|| drop(listing)));
        // No two entries of a directory have the same name.
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        self.levels.push(OpenDirectory { path, entries: entries.into_iter() });
    }

    fn is_written(&self, folder: &Path, entry: &DirEntry) -> bool {
        let outputs = &self.options.outputs;
        !outputs.is_empty() && {
            let name = entry.file_name();
            outputs.iter().any(|output| output.is_entry(folder, &name, inode(entry)))
        }
    }

    /// Why an input cannot be read, if it is a file that results are written to.
    fn refused(&self, identity: Option<FileIdentity>) -> Option<io::Error> {
        let identity = identity?;
        let is_written = self.options.outputs.iter().any(|output| output.is_same(&identity));
        is_written.then(|| io::Error::other("input file is also the output"))
    }

    /// Returns the item of a named input: symbolic links are followed, and anything but a directory is opened.
    fn named(&mut self, path: PathBuf) -> Option<Item> {
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) => return Some(Item::new(path, ItemKind::Failed(error))),
        };
        if metadata.is_dir() {
            if let Some(rules) = &self.options.rules {
                self.ruled = Some(rules.walk(&path, &self.options.outputs));
                return None;
            }
            self.enter(path);
            return None;
        }
        if metadata.is_file()
            && !self.options.outputs.is_empty()
            && let Some(error) = self.refused(FileIdentity::of(&path).ok().flatten())
        {
            return Some(Item::new(path, ItemKind::Failed(error)));
        }
        let pace = if metadata.is_file() { Pace::Steady } else { Pace::Live };
        Some(Item::new(path, ItemKind::File(pace)))
    }
}

/// Returns the number of an entry's file, if the directory has it.
#[cfg(unix)]
fn inode(entry: &DirEntry) -> Option<u64> {
    use std::os::unix::fs::DirEntryExt;
    Some(entry.ino())
}

#[cfg(not(unix))]
fn inode(_: &DirEntry) -> Option<u64> {
    None
}

impl<I: Iterator<Item = Input>> PathWalk<I> {
    fn step(&mut self) -> Option<Item> {
        loop {
            if let Some(ruled) = &mut self.ruled {
                match ruled.next() {
                    Some(item) => return Some(item),
                    None => self.ruled = None,
                }
            }
            if let Some(failed) = self.failed.pop_front() {
                return Some(failed);
            }
            if let Some(level) = self.levels.last_mut() {
                let Some(entry) = level.entries.next() else {
                    self.levels.pop();
                    continue;
                };
                let path = level.path.join(&*entry.name);
                let kind = match entry.kind {
                    EntryKind::File => ItemKind::File(Pace::Steady),
                    EntryKind::Noticed(notice) => ItemKind::Noticed(notice),
                    EntryKind::Directory => {
                        self.enter(path);
                        continue;
                    }
                };
                return Some(Item::new(path, kind));
            }
            match self.inputs.next()? {
                Input::Stdin => {
                    let is_refusable = !self.options.outputs.is_empty();
                    let refused = is_refusable.then(FileIdentity::of_stdin).flatten();
                    let kind = self.refused(refused).map_or(ItemKind::Stdin, ItemKind::Failed);
                    return Some(Item::new("-".into(), kind));
                }
                Input::Refused { path, reason } => {
                    let error = ScanError::Refused(reason).into();
                    return Some(Item::new(path, ItemKind::Failed(error)));
                }
                Input::Path(path) => {
                    if let Some(item) = self.named(path) {
                        return Some(item);
                    }
                }
            }
        }
    }
}

impl<I: Iterator<Item = Input>> Iterator for PathWalk<I> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        // Here items still come one after the other.
        let mut item = loop {
            let item = self.step()?;
            let choose = self.options.choose.as_ref();
            let is_told = matches!(item.kind, ItemKind::Noticed(_));
            if is_told || choose.is_none_or(|choose| choose.call(&item.path)) {
                break item;
            }
        };
        item.number = self.count;
        self.count += 1;
        if let ItemKind::File(_) = item.kind
            && let Some(point) = self.options.resume.take()
        {
            item.resume = Some(Box::new(point));
        }
        if let Some(describe) = &self.options.describe
            && let ItemKind::File(_) | ItemKind::Stdin = item.kind
        {
            item.described = Some(describe.call(&item.path));
        }
        Some(item)
    }
}
