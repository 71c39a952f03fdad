//! How far a run has come, kept in a file from which it can be gone on with.
//!
//! What is kept is true of the end of an input: what was written of the inputs before is on the disk, and what
//! was written of the next one is cut off when the run is gone on with. That one is read again from its start;
//! since links depend on the input alone, the same comes of it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::choose::Carried;
use crate::facts::Named;
use crate::output::reason;

/// Output after which a checkpoint is due, whatever the time.
const DUE: u64 = 64 << 20;
/// A checkpoint may take one part of so many of the time.
const SHARE: u32 = 20;
const VERSION: u32 = 1;

/// What is kept. In the file a line of JSON is followed by the output that is in no frame yet.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) version: u32,
    /// A hash of the options that decide what is written.
    pub(crate) options: u64,
    /// Inputs that are done with, and a hash of their names.
    pub(crate) inputs: u64,
    pub(crate) list: u64,
    /// The last of them.
    pub(crate) last: String,
    /// All of them are done with.
    pub(crate) finished: bool,
    /// How long the files are.
    pub(crate) output: u64,
    pub(crate) errors: Option<u64>,
    pub(crate) failed: Option<u64>,
    pub(crate) carried: Carried,
    pub(crate) told_binary: bool,
    pub(crate) seconds: f64,
    pub(crate) counts: Named,
    /// The output that is in no frame yet.
    #[serde(skip)]
    pub(crate) pending: Vec<u8>,
}

/// The file, and when it is written next.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    pub(crate) file: PathBuf,
    pub(crate) options: u64,
    every: Duration,
    last: Instant,
    /// How long the output was then.
    len: u64,
    /// How long it took.
    took: Duration,
}

impl Checkpoint {
    pub(crate) fn new(file: PathBuf, options: u64, every: Duration) -> Checkpoint {
        let last = Instant::now();
        Checkpoint { file, options, every, last, len: 0, took: Duration::ZERO }
    }

    /// Whether it is time, the output being so long.
    pub(crate) fn is_due(&self, len: u64) -> bool {
        let since = self.last.elapsed();
        let is_time = since >= self.every || len.saturating_sub(self.len) >= DUE;
        is_time && since >= self.took * SHARE
    }

    /// Writes what is kept, so that at any moment the file is the old one or the new one.
    ///
    /// # Errors
    ///
    /// What the system fails with.
    pub(crate) fn write(&mut self, state: &State) -> io::Result<()> {
        let begun = Instant::now();
        let new = temporary(&self.file);
        let mut file = File::create(&new)?;
        let mut bytes = serde_json::to_vec(state)?;
        bytes.push(b'\n');
        bytes.extend_from_slice(&state.pending);
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&new, &self.file)?;
        #[cfg(unix)]
        {
            // The name is on the disk when its directory is.
            let directory = self.file.parent().filter(|parent| !parent.as_os_str().is_empty());
            File::open(directory.unwrap_or(Path::new(".")))?.sync_all()?;
        }
        (self.last, self.took, self.len) = (Instant::now(), begun.elapsed(), state.output);
        Ok(())
    }
}

/// The name of the new file before it has taken the place of the old one.
pub(crate) fn temporary(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

impl State {
    pub(crate) fn new(options: u64) -> State {
        State { version: VERSION, options, ..State::default() }
    }

    /// What a file keeps; `None` if there is no file.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, that is none of these, or of a run with other options.
    pub(crate) fn read(file: &Path, options: u64) -> Result<Option<State>, String> {
        let name = file.display();
        let bytes = match fs::read(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{name}: {}", reason(&error))),
            Ok(bytes) => bytes,
        };
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let state = serde_json::from_slice::<State>(&bytes[..end]).ok();
        let Some(mut state) = state.filter(|state| state.version == VERSION) else {
            return Err(format!("{name}: not the state of a run of this version of linksift"));
        };
        if state.options != options {
            return Err(format!(
                "{name}: the state of a run with other options or inputs; only -j, --progress, --color and --checkpoint may differ"
            ));
        }
        state.pending = bytes.get(end + 1..).unwrap_or_default().to_vec();
        Ok(Some(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_take_no_more_than_their_share_of_the_time() {
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        let checkpoint = |every, last, took| {
            let mut checkpoint = Checkpoint::new("s".into(), 0, Duration::from_secs(every));
            (checkpoint.last, checkpoint.took) = (ago(last), Duration::from_secs(took));
            checkpoint
        };
        // A slow disk: one that took 2 seconds is followed by 40 without, whatever is asked for and written.
        assert!(!checkpoint(0, 39, 2).is_due(2 * DUE) && checkpoint(0, 41, 2).is_due(0));
        assert!(!checkpoint(30, 39, 2).is_due(2 * DUE) && checkpoint(30, 41, 2).is_due(0));
        assert!(!checkpoint(30, 29, 0).is_due(DUE - 1) && checkpoint(30, 31, 0).is_due(0));
        assert!(checkpoint(30, 1, 0).is_due(DUE), "after so much output it is due earlier");
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let file = std::env::temp_dir().join(format!("linksift-state-{}", std::process::id()));
        assert!(State::read(&file, 7).unwrap().is_none());
        let mut state = State::new(7);
        (state.inputs, state.last, state.pending) =
            (u64::MAX, "a\n\u{FFFD}".into(), b"x\ny\0".to_vec());
        let mut checkpoint = Checkpoint::new(file.clone(), 7, Duration::ZERO);
        checkpoint.write(&state).unwrap();
        let again = State::read(&file, 7).unwrap().unwrap();
        assert_eq!(
            (again.inputs, again.last, again.pending),
            (state.inputs, state.last, state.pending)
        );
        assert!(State::read(&file, 8).unwrap_err().contains("other options"));
        fs::write(&file, "{}").unwrap();
        assert!(State::read(&file, 7).unwrap_err().contains("not the state"));
        fs::remove_file(file).unwrap();
    }
}
