//! Files that a run writes: compared with all files that are read, opened, and truncated to where the run resumes.

mod checkpoint;
mod claims;
mod in_place;
mod kept;
mod lock;
mod replaced;
mod side;
mod sink;
#[cfg(feature = "parquet")]
mod table;
mod whole;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::time::Duration;

use crate::args::{Sift, When, Writing};
use crate::codec::Codec;
use crate::presentation::Presentation;
#[cfg(feature = "parquet")]
use crate::presentation::{OutputForm, RecordFormat};
use crate::reason::reason;
use in_place::{Content, OutputFile, is_dash};
use kept::KeptPart;
use lock::Lock;
use side::SideFile;
use sink::SinkTarget;

pub(crate) use checkpoint::{Checkpoint, Inside, State, listed};
pub(crate) use claims::Claims;
pub(crate) use replaced::Replaced;
pub(crate) use side::Sides;
pub(crate) use sink::OutputSink;
pub(crate) use whole::Whole;

/// All files that a run writes, and where the output begins.
pub(crate) struct Written {
    pub(crate) sink: OutputSink,
    pub(crate) sides: Sides,
    pub(crate) checkpoint: Option<Checkpoint>,
    /// State at which the run resumes; the initial state if it has not begun yet.
    pub(crate) state: State,
    /// Whether an earlier run has begun the output.
    pub(crate) is_resumed: bool,
    /// The archive in which the run stopped, if it has changed since.
    pub(crate) changed: Option<String>,
    /// Held until the run ends.
    pub(crate) lock: Option<Lock>,
}

/// Returns a hash of all arguments that affect the output. Only the number of threads and the progress display may differ
/// when the run is resumed.
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

/// Opens all files that are written, after their paths have been [compared](Claims); existing content stays until the first
/// write, or until the end of the run.
///
/// # Errors
///
/// Returns an error if a file cannot be written, if the state cannot be resumed, or if another run uses it.
pub(crate) fn open(args: &Sift, options: u64, look: &Presentation) -> Result<Written, String> {
    let writing = &args.writing;
    let (mut found, mut changed, mut lock) = (None, None, None);
    let state_file = writing.resume.as_ref().map(|name| claims::end_of(name));
    if let (Some(file), Some(name)) = (&state_file, &writing.resume) {
        lock = Some(Lock::take(file)?);
        found = State::read(name, options)?;
        changed = State::leave_changed(&mut found, file, options)
            .map_err(|error| format!("{}: {}", name.display(), reason(&error)))?;
    }
    let is_resumed = found.is_some();
    let state = found.unwrap_or_else(|| State::new(options));
    let sink = sink(writing, look, &state, is_resumed)?;
    let side = |name: &Option<PathBuf>, part: Option<KeptPart>| {
        let Some(name) = name else { return Ok(None) };
        OutputFile::open(name, content(writing, part.filter(|_| is_resumed)))
            .map(|file| Some(SideFile::new(file)))
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

/// Returns the treatment of a file's content, given the part of it that is kept at the state from which the run resumes. A run that can be
/// resumed writes in place, since what it has written must be in the file after a crash.
fn content(writing: &Writing, part: Option<KeptPart>) -> Content {
    match part {
        Some(part) => Content::Kept(part),
        None if writing.resume.is_some() => Content::Removed,
        None => Content::Replaced,
    }
}

/// Returns the destination of the links.
fn sink(
    writing: &Writing,
    look: &Presentation,
    state: &State,
    is_resumed: bool,
) -> Result<OutputSink, String> {
    let Some(name) = writing.output.as_ref().filter(|name| !is_dash(name)) else {
        let target = SinkTarget::Bytes(OutputFile::stdout());
        return Ok(OutputSink::new(target, Codec::Stored, look.terminator, Vec::new()));
    };
    let (codec, _) = Codec::of(name)?;
    let target = match &look.form {
        #[cfg(feature = "parquet")]
        OutputForm::Records(RecordFormat::Parquet, fields) => {
            let state = writing.resume.is_some().then_some((state, is_resumed));
            SinkTarget::Table(table::Table::open(name, fields, state)?.into())
        }
        _ => {
            let kept = content(writing, is_resumed.then_some(state.output));
            SinkTarget::Bytes(OutputFile::open(name, kept)?)
        }
    };
    Ok(OutputSink::new(target, codec, look.record_end(), state.pending.clone()))
}
