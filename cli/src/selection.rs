//! Selection of the inputs of a run: the share of one machine, without those that an earlier run has read and those that
//! this run writes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use linksift::files::{FileIdentity, Options};

use crate::args::{Shard, Sift};
use crate::look::look_of;
use crate::manifest::Rows;
use crate::reason::reason;
use crate::writing::{Written, listed};

/// Differences between the inputs of a resumed run and the earlier ones, reported after the run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mismatch(Arc<Mutex<Compared>>);

/// Result of comparing the inputs with those that were read before.
#[derive(Debug, Default)]
struct Compared {
    /// Whether they are different inputs.
    are_others: bool,
    /// Inputs that have changed since they were read.
    changed: Vec<PathBuf>,
}

impl Mismatch {
    fn compared(&self) -> MutexGuard<'_, Compared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self) {
        self.compared().are_others = true;
    }

    fn clear(&self) {
        self.compared().are_others = false;
    }

    pub(crate) fn is_noted(&self) -> bool {
        self.compared().are_others
    }

    /// Takes the processed inputs that have changed since.
    pub(crate) fn changed(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.compared().changed)
    }
}

/// Selects the inputs to read: those in the share of this machine that have not been processed before, and no file that the
/// run writes.
///
/// # Errors
///
/// Returns an error for an open file whose identity cannot be determined, so that it cannot be distinguished from inputs.
pub(crate) fn selected(
    args: &Sift,
    written: &Written,
    rows: Option<Rows>,
    options: Options,
) -> Result<(Options, Mismatch), String> {
    let mut options = options;
    let mismatch = Mismatch::default();
    for file in written.sink.file().into_iter().chain(written.sides.files()) {
        let identity = FileIdentity::of_open(file).map_err(|error| reason(&error))?;
        options = identity.into_iter().fold(options, Options::exclude);
    }
    if args.writing.shard.is_none() && args.writing.resume.is_none() {
        return Ok((options, mismatch));
    }
    let shard = args.writing.shard.unwrap_or(Shard { number: 1, of: 1 });
    let (done, inside) = (written.state.inputs, &written.state.inside);
    // The names of this many inputs must be the same.
    let (known, list) = match inside {
        Some(inside) => (done + 1, inside.list),
        None => (done, written.state.list),
    };
    if let Some(inside) = inside {
        options = options.resume(inside.point);
    }
    // Number of inputs so far, number of those in the share, and hash of their names.
    let (all, mine, hash) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let noted = mismatch.clone();
    let looks = written.state.looks.clone();
    if known > 0 {
        // Cleared when the same inputs have been selected.
        noted.note();
    }
    let choose = move |path: &Path| {
        // The inputs are passed in sequence.
        if all.fetch_add(1, Ordering::Relaxed) % shard.of != shard.number - 1 {
            // Drop the row of the manifest, so that no other input gets it.
            drop(rows.as_ref().and_then(|rows| rows.take(path)));
            return false;
        }
        if known == 0 {
            return true;
        }
        let number = mine.fetch_add(1, Ordering::Relaxed);
        if number < known {
            let name = path.as_os_str().as_encoded_bytes();
            let listed = listed(hash.load(Ordering::Relaxed), name);
            hash.store(listed, Ordering::Relaxed);
            if number + 1 == known && listed == list {
                noted.clear();
            }
            let look = usize::try_from(number).ok().and_then(|number| looks.get(number));
            if look.is_some_and(|look| *look != look_of(path)) {
                noted.compared().changed.push(path.to_owned());
            }
        }
        number >= done && !noted.is_noted()
    };
    Ok((options.filter(choose), mismatch))
}
