//! Items of a walk: the next input to read, and whether it may block.

use std::io;
use std::path::PathBuf;

use super::ResumePoint;
use super::describe::Described;
use crate::notice::Notice;

/// The next input of a run.
#[derive(Debug)]
pub(super) struct Item {
    /// Number of the inputs before it.
    pub(super) number: u64,
    /// Its path; `-` is standard input.
    pub(super) path: PathBuf,
    pub(super) kind: ItemKind,
    pub(super) described: Option<Box<Described>>,
    pub(super) resume: Option<Box<ResumePoint>>,
}

#[derive(Debug)]
pub(super) enum ItemKind {
    File(Pace),
    Stdin,
    /// Found in a walk, and not read: the notice says why.
    Noticed(Notice),
    Failed(io::Error),
}

impl Item {
    pub(super) fn new(path: PathBuf, kind: ItemKind) -> Item {
        Item { number: 0, path, kind, described: None, resume: None }
    }

    /// Returns `true` if reading it may block.
    pub(super) fn is_live(&self) -> bool {
        matches!(self.kind, ItemKind::Stdin | ItemKind::File(Pace::Live))
    }
}

/// Whether reading an input may block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// A file.
    Steady,
    /// Standard input, a FIFO, a device: results are handed over before each read.
    Live,
}
