//! Items of a walk: the next input to read, and whether it may block.

use std::io;
use std::path::{Path, PathBuf};

use super::ResumePoint;
use super::describe::Described;

/// The next thing to do.
#[derive(Debug)]
pub(super) enum Item {
    File {
        path: PathBuf,
        pace: Pace,
        described: Option<Box<Described>>,
        resume: Option<Box<ResumePoint>>,
    },
    Stdin {
        described: Option<Box<Described>>,
    },
    /// A file that results are written to, met in a walk: it is told and not read.
    Written {
        path: PathBuf,
    },
    Failed {
        path: PathBuf,
        error: io::Error,
    },
}

impl Item {
    pub(super) fn file(path: PathBuf, pace: Pace) -> Item {
        Item::File { path, pace, described: None, resume: None }
    }

    /// Returns whether reading it may block.
    pub(super) fn is_live(&self) -> bool {
        matches!(self, Item::Stdin { .. } | Item::File { pace: Pace::Live, .. })
    }

    /// Returns its path; `-` is standard input.
    pub(super) fn path(&self) -> &Path {
        match self {
            Item::File { path, .. } | Item::Written { path } | Item::Failed { path, .. } => path,
            Item::Stdin { .. } => Path::new("-"),
        }
    }
}

/// Whether reading an input may block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// A file.
    Steady,
    /// Standard input, a FIFO, a device: what was found is handed over before each read.
    Live,
}
