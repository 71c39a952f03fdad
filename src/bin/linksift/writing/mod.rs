//! Files that a run writes: opened, cut to where the run goes on, kept out of what is read.

mod checkpoint;
mod side;
mod sink;
#[cfg(feature = "parquet")]
mod table;

use std::fs::{self, File, Metadata};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use linksift::files::Options;

use crate::args::{Shard, Sift, When, Writing};
use crate::manifest::Rows;
use crate::output::reason;
use crate::settings::Look;

pub(crate) use checkpoint::{Checkpoint, Inside, State};
pub(crate) use side::{SideFile, Sides};
pub(crate) use sink::{Codec, Sink};

/// All that a run writes, and where it begins.
pub(crate) struct Written {
    pub(crate) sink: Sink,
    pub(crate) sides: Sides,
    pub(crate) checkpoint: Option<Checkpoint>,
    /// Where the run goes on; at its start, if it has not begun yet.
    pub(crate) state: State,
    /// The run that is gone on with has begun before.
    pub(crate) is_resumed: bool,
    /// The archive that the run was inside of, if it has changed since.
    pub(crate) changed: Option<String>,
    own: Vec<PathBuf>,
}

/// A hash of all arguments that decide what is written. Of the others only the number of threads and how
/// the run is watched may differ when it is gone on with.
pub(crate) fn options_hash(args: &mut Sift) -> u64 {
    let reading = std::mem::take(&mut args.reading.threads);
    let progress = std::mem::replace(&mut args.printing.progress, When::Auto);
    let color = std::mem::replace(&mut args.printing.color, When::Auto);
    let every = std::mem::take(&mut args.writing.checkpoint);
    let mut hasher = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), format!("{args:?}")).hash(&mut hasher);
    (args.reading.threads, args.writing.checkpoint) = (reading, every);
    (args.printing.progress, args.printing.color) = (progress, color);
    hasher.finish()
}

/// Opens what is written.
pub(crate) fn open(args: &Sift, options: u64, look: &Look) -> Result<Written, String> {
    let writing = &args.writing;
    let (mut found, mut changed) = (None, None);
    if let Some(file) = &writing.resume {
        found = State::read(file, options)?;
        changed = State::leave_changed(&mut found, file)
            .map_err(|error| format!("{}: {}", file.display(), reason(&error)))?;
    }
    let is_resumed = found.is_some();
    let state = found.unwrap_or_else(|| State::new(options));
    let output = writing.output.as_ref().filter(|name| name.as_os_str() != "-");
    let sink = match output {
        None => Sink::stdout(look.terminator),
        Some(name) => {
            let (codec, _) = Codec::of(name)?;
            let file = opened(name, &args.paths, is_resumed.then_some(state.output))?;
            let begun = (state.output, state.pending.clone());
            Sink::file((file, name.clone()), codec, look, begun)
                .map_err(|error| format!("{}: {}", name.display(), reason(&error)))?
        }
    };
    let side = |name: &Option<PathBuf>, len: Option<u64>| {
        let Some(name) = name else { return Ok(None) };
        let file = opened(name, &args.paths, len.filter(|_| is_resumed))?;
        Ok::<_, String>(Some(SideFile::new(file, name.clone(), len.unwrap_or(0))))
    };
    let errors = side(&writing.errors, state.errors)?;
    let failed = side(&writing.failed, state.failed)?;
    let is_zero = args.reading.from0 || args.reading.null;
    let mut sides = Sides::new(errors, failed, if is_zero { 0 } else { b'\n' });
    sides.carry(&state);
    let every = Duration::from_secs(writing.checkpoint);
    let checkpoint = writing.resume.clone().map(|file| Checkpoint::new(file, options, every));
    Ok(Written { sink, sides, checkpoint, state, is_resumed, changed, own: own(writing) })
}

/// Opens a file to write, as long as is said or empty. What is there before stays until it is sure that it
/// is none of the inputs.
fn opened(name: &Path, inputs: &[PathBuf], len: Option<u64>) -> Result<File, String> {
    let failed = |error: io::Error| format!("{}: {}", name.display(), reason(&error));
    let is_file = fs::metadata(name).map_or(true, |metadata| metadata.is_file());
    if !is_file {
        if len.is_some() {
            return Err(format!("{}: not a file, it cannot be gone on with", name.display()));
        }
        return File::options().write(true).open(name).map_err(failed);
    }
    let file = File::options().append(true).create(len.is_none()).open(name).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let is_input = |path: &PathBuf| fs::metadata(path).is_ok_and(|input| same(&input, &metadata));
    if inputs.iter().any(is_input) {
        return Err(format!("{}: input file is also the output", name.display()));
    }
    if len.is_some_and(|len| len > metadata.len()) {
        return Err(format!(
            "{}: shorter than the run has written, it cannot be gone on with",
            name.display()
        ));
    }
    file.set_len(len.unwrap_or(0)).map_err(failed)?;
    Ok(file)
}

#[cfg(unix)]
fn same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn same(_: &Metadata, _: &Metadata) -> bool {
    false
}

/// The names of all files that are written, also of those that are not there yet.
fn own(writing: &Writing) -> Vec<PathBuf> {
    let Writing { output, resume, errors, failed, summary, histogram, report, .. } = writing;
    let state = resume.iter().flat_map(|file| [file.clone(), checkpoint::temporary(file)]);
    let named = [output, errors, failed, summary, report].into_iter().flatten().cloned();
    let histograms = histogram.iter().map(|one| one.file.clone());
    named.chain(state).chain(histograms).collect()
}

/// What is wrong with the inputs of a run that is gone on with, for after it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mismatch(Arc<Mutex<bool>>);

impl Mismatch {
    fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = false;
    }

    pub(crate) fn is_noted(&self) -> bool {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which inputs are read: of all the share of this machine, of that what was not done with before; and
/// nothing of what is written.
pub(crate) fn chosen(
    args: &Sift,
    written: &Written,
    rows: Option<Rows>,
    options: Options,
) -> Result<(Options, Mismatch), String> {
    let mut options = options;
    let mismatch = Mismatch::default();
    for (file, name) in written.sink.file_to_leave_out().into_iter().chain(written.sides.files()) {
        options = options
            .output(file)
            .map_err(|error| format!("{}: {}", name.display(), reason(&error)))?;
    }
    if written.own.is_empty() && args.writing.shard.is_none() {
        return Ok((options, mismatch));
    }
    let own = written.own.clone();
    let canonical: Vec<_> = own.iter().filter_map(|name| place(name)).collect();
    let is_own = move |path: &Path| {
        let name = path.file_name();
        own.iter().any(|own| own.file_name() == name)
            && place(path).is_some_and(|place| canonical.contains(&place))
    };
    let shard = args.writing.shard.unwrap_or(Shard { number: 1, of: 1 });
    let (done, inside) = (written.state.inputs, &written.state.inside);
    // Up to where the names must be the same.
    let (known, list) = match inside {
        Some(inside) => (done + 1, inside.list),
        None => (done, written.state.list),
    };
    if let Some(inside) = inside {
        options = options.resume(inside.point.into());
    }
    // How many came, how many of them are of the share, and the hash of their names.
    let (all, mine, hash) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let noted = mismatch.clone();
    if known > 0 {
        // Until they have come.
        noted.note();
    }
    let choose = move |path: &Path| {
        // They come one after the other.
        if is_own(path) || all.fetch_add(1, Ordering::Relaxed) % shard.of != shard.number - 1 {
            // What a manifest says of it is of no other input.
            drop(rows.as_ref().and_then(|rows| rows.take(path)));
            return false;
        }
        if known == 0 {
            return true;
        }
        let number = mine.fetch_add(1, Ordering::Relaxed);
        if number < known {
            let name = path.as_os_str().as_encoded_bytes();
            let listed = side::listed(hash.load(Ordering::Relaxed), name);
            hash.store(listed, Ordering::Relaxed);
            if number + 1 == known && listed == list {
                noted.clear();
            }
        }
        number >= done && !noted.is_noted()
    };
    Ok((options.choose(choose), mismatch))
}

/// Where a file is, be it there or not.
fn place(name: &Path) -> Option<PathBuf> {
    let directory = name.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = fs::canonicalize(directory.unwrap_or(Path::new("."))).ok()?;
    Some(directory.join(name.file_name()?))
}
