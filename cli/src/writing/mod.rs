//! Files that a run writes: compared with all that is read, opened, cut to where the run goes on, kept out of what is read.

mod checkpoint;
mod claims;
mod codec;
mod in_place;
mod lock;
mod side;
mod sink;
#[cfg(feature = "parquet")]
mod table;
mod whole;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use linksift::files::Options;

use crate::args::{Shard, Sift, When, Writing};
use crate::look::look_of;
use crate::manifest::Rows;
use crate::reason::reason;
use crate::settings::Presentation;
#[cfg(feature = "parquet")]
use crate::settings::{OutputForm, RecordFormat};
use in_place::InPlace;
use in_place::is_dash;
use lock::Lock;
use side::SideFile;
use sink::SinkTarget;

pub(crate) use checkpoint::{Checkpoint, Inside, State};
pub(crate) use claims::{Claims, stdin_file};
pub(crate) use codec::Codec;
pub(crate) use side::Sides;
pub(crate) use sink::OutputSink;
pub(crate) use whole::Whole;

/// All that a run writes, and where it begins.
pub(crate) struct Written {
    pub(crate) sink: OutputSink,
    pub(crate) sides: Sides,
    pub(crate) checkpoint: Option<Checkpoint>,
    /// Where the run goes on; at its start, if it has not begun yet.
    pub(crate) state: State,
    /// The run that is gone on with has begun before.
    pub(crate) is_resumed: bool,
    /// The archive that the run was inside of, if it has changed since.
    pub(crate) changed: Option<String>,
    /// Held until the run is over.
    pub(crate) lock: Option<Lock>,
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

/// Opens what is written, when all has been [compared](Claims); what is there stays until something is written.
///
/// # Errors
///
/// What cannot be written, a state that cannot be gone on with, and another run that goes on with it.
pub(crate) fn open(args: &Sift, options: u64, look: &Presentation) -> Result<Written, String> {
    let writing = &args.writing;
    let (mut found, mut changed, mut lock) = (None, None, None);
    let state_file = writing.resume.as_ref().map(|name| claims::end_of(name));
    if let (Some(file), Some(name)) = (&state_file, &writing.resume) {
        lock = Some(Lock::take(file)?);
        found = State::read(name, options)?;
        changed = State::leave_changed(&mut found, file)
            .map_err(|error| format!("{}: {}", name.display(), reason(&error)))?;
    }
    let is_resumed = found.is_some();
    let state = found.unwrap_or_else(|| State::new(options));
    let sink = sink(writing, look, &state, is_resumed)?;
    let side = |name: &Option<PathBuf>, len: Option<u64>| {
        let Some(name) = name else { return Ok(None) };
        InPlace::open(name, len.filter(|_| is_resumed)).map(|file| Some(SideFile::new(file)))
    };
    let errors = side(&writing.errors, state.errors)?;
    let failed = side(&writing.failed, state.failed)?;
    let is_zero = args.reading.from0 || args.reading.null;
    let mut sides = Sides::new(errors, failed, if is_zero { 0 } else { b'\n' });
    sides.carry(&state, writing.resume.is_some());
    let every = Duration::from_secs(writing.checkpoint);
    let checkpoint = state_file.map(|file| Checkpoint::new(file, options, every));
    Ok(Written { sink, sides, checkpoint, state, is_resumed, changed, lock })
}

/// Where the links go.
fn sink(
    writing: &Writing,
    look: &Presentation,
    state: &State,
    is_resumed: bool,
) -> Result<OutputSink, String> {
    let Some(name) = writing.output.as_ref().filter(|name| !is_dash(name)) else {
        let target = SinkTarget::Bytes(InPlace::stdout());
        return Ok(OutputSink::new(target, Codec::Stored, look.terminator, Vec::new()));
    };
    let (codec, _) = Codec::of(name)?;
    let target = match &look.form {
        #[cfg(feature = "parquet")]
        OutputForm::Records(RecordFormat::Parquet, fields) => {
            let state = writing.resume.is_some().then_some((state, is_resumed));
            SinkTarget::Table(table::Table::open(name, fields, state)?.into())
        }
        _ => SinkTarget::Bytes(InPlace::open(name, is_resumed.then_some(state.output))?),
    };
    Ok(OutputSink::new(target, codec, look.record_end(), state.pending.clone()))
}

/// What is wrong with the inputs of a run that is gone on with, for after it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mismatch(Arc<Mutex<Compared>>);

/// How the inputs compare with those that were read.
#[derive(Debug, Default)]
struct Compared {
    /// They are others.
    are_others: bool,
    /// Those that have changed since they were read.
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

    /// The inputs that are done with and have changed since.
    pub(crate) fn changed(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.compared().changed)
    }
}

/// Which inputs are read: of all the share of this machine, of that what was not done with before; and
/// nothing of what is written.
///
/// # Errors
///
/// A file that is open and cannot be asked who it is: it cannot be told apart from inputs.
pub(crate) fn chosen(
    args: &Sift,
    written: &Written,
    rows: Option<Rows>,
    options: Options,
) -> Result<(Options, Mismatch), String> {
    let mut options = options;
    let mismatch = Mismatch::default();
    for file in written.sink.file().into_iter().chain(written.sides.files()) {
        options = options.output(file).map_err(|error| reason(&error))?;
    }
    if args.writing.shard.is_none() && args.writing.resume.is_none() {
        return Ok((options, mismatch));
    }
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
    let looks = written.state.looks.clone();
    if known > 0 {
        // Until they have come.
        noted.note();
    }
    let choose = move |path: &Path| {
        // They come one after the other.
        if all.fetch_add(1, Ordering::Relaxed) % shard.of != shard.number - 1 {
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
            let listed = checkpoint::listed(hash.load(Ordering::Relaxed), name);
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
    Ok((options.choose(choose), mismatch))
}
