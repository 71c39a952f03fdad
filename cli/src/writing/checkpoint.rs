//! The state of a run, saved in a file from which the run can be resumed.
//!
//! The state describes the end of an input, or a position inside an archive: all output before it is on the disk, and
//! output after it is removed when the run is resumed. The following inputs are read again; since links depend only on the
//! inputs, the output is the same. If an archive has changed since, a position inside it is invalid, and the last state at
//! the end of an input is used.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use linksift::files::ResumePoint;
use serde::{Deserialize, Serialize};

use super::kept::{Checksum, KeptPart};
use crate::choose::Carried;
use crate::chunk::Total;
use crate::facts::Named;
use crate::reason::reason;

/// Number of bytes of output after which a checkpoint is due, whatever the time.
const DUE: u64 = 64 << 20;
/// Checkpoints take at most one part in this many of the time.
const SHARE: u32 = 20;
const VERSION: u32 = 6;
/// First bytes of the file. The version, a checksum of everything after the first line and its length follow.
const MAGIC: &str = "linksift-state";
/// Upper limit for the length of the first line.
const FIRST_LINE: u64 = 64;
/// No run reaches such a number; sums of greater numbers could overflow.
const TOO_MUCH: u64 = 1 << 62;

/// The saved state. In the file, the first line is followed by a line of JSON, then by the output that is not in a frame
/// yet, and by the metadata hashes of the inputs. For a position inside an archive, the state at the end of the input
/// before it follows in the same form, except for the metadata hashes, which are the first ones of those.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// Hash of the options that affect the output.
    pub(crate) options: u64,
    /// Number of processed inputs, and a hash of their names.
    pub(crate) inputs: u64,
    pub(crate) list: u64,
    /// Name of the last of them.
    pub(crate) last: String,
    /// Metadata hash of each of them, and the number of hashes.
    #[serde(skip)]
    pub(crate) looks: Vec<u32>,
    pub(crate) looked: usize,
    /// Whether all of them have been processed.
    pub(crate) finished: bool,
    /// Parts of the files that were written.
    pub(crate) output: KeptPart,
    pub(crate) errors: Option<KeptPart>,
    pub(crate) failed: Option<KeptPart>,
    pub(crate) carried: Carried,
    pub(crate) told_binary: bool,
    #[serde(default)]
    pub(crate) told_media: bool,
    pub(crate) seconds: f64,
    pub(crate) counts: Named,
    /// Whether a part of the next input has failed.
    pub(crate) has_failed: bool,
    /// Position in the next input, if not at its start.
    pub(crate) inside: Option<Inside>,
    /// Number of bytes of output that are not in a frame yet.
    pub(crate) held: usize,
    /// These bytes.
    #[serde(skip)]
    pub(crate) pending: Vec<u8>,
    /// State kept at the end of the last input; empty if none has ended.
    #[serde(skip)]
    pub(crate) before: Option<Box<State>>,
}

/// A position inside an input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Inside {
    pub(crate) path: String,
    len: u64,
    /// Modification time since 1970.
    modified: Option<Duration>,
    /// Hash of the names of all inputs up to this one.
    pub(crate) list: u64,
    pub(crate) point: ResumePoint,
}

impl Inside {
    /// Creates a position in an input that follows such a list; `None` if it cannot be saved.
    pub(crate) fn new(path: &[u8], point: ResumePoint, list: u64) -> Option<Inside> {
        let name = std::str::from_utf8(path).ok()?.to_owned();
        let (len, modified) = seen_at(&name)?;
        Some(Inside { path: name, len, modified, list: listed(list, path), point })
    }

    /// Returns `true` if the input has changed.
    fn has_changed(&self) -> bool {
        seen_at(&self.path) != Some((self.len, self.modified))
    }
}

/// Returns the length and the modification time of a file.
fn seen_at(path: &str) -> Option<(u64, Option<Duration>)> {
    let metadata = fs::metadata(path).ok()?;
    let modified = metadata.modified().ok();
    Some((metadata.len(), modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok())))
}

/// The file, and when it is written next.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    pub(crate) file: PathBuf,
    pub(crate) options: u64,
    every: Duration,
    last: Instant,
    /// Length of the output at the last checkpoint.
    len: u64,
    /// Duration of the last checkpoint.
    took: Duration,
}

impl Checkpoint {
    pub(crate) fn new(file: PathBuf, options: u64, every: Duration) -> Checkpoint {
        let last = Instant::now();
        Checkpoint { file, options, every, last, len: 0, took: Duration::ZERO }
    }

    /// Returns `true` if a checkpoint is due when the output has `len` bytes.
    ///
    /// With an interval of zero it always is, as the user has requested, however long the disk takes.
    pub(crate) fn is_due(&self, len: u64) -> bool {
        let since = self.last.elapsed();
        let is_time = since >= self.every || len.saturating_sub(self.len) >= DUE;
        self.every.is_zero() || is_time && since >= self.took * SHARE
    }

    /// Writes the state atomically: at any moment the file is the old one or the new one.
    ///
    /// # Errors
    ///
    /// Returns the error of the system.
    pub(crate) fn write(&mut self, state: &State) -> io::Result<()> {
        let begun = Instant::now();
        state.write(&self.file)?;
        (self.last, self.took, self.len) = (Instant::now(), begun.elapsed(), state.output.len);
        Ok(())
    }
}

/// Returns the name of the new file before it replaces the old one.
pub(crate) fn temporary(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

/// Checks that a file with content may be replaced: it is a state, or the new state of a run that was killed.
///
/// # Errors
///
/// Returns an error for a file with other content.
pub(super) fn check_is_ours(file: &Path) -> Result<(), String> {
    let name = file.display();
    let mut begin = Vec::new();
    let read =
        File::open(file).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut begin));
    match read {
        Err(error) => Err(format!("{name}: {}", reason(&error))),
        Ok(_) if begin == MAGIC.as_bytes() => Ok(()),
        Ok(_) => {
            Err(format!("{name}: cannot resume: not a state file of this version of linksift"))
        }
    }
}

impl State {
    pub(crate) fn new(options: u64) -> State {
        State { options, ..State::default() }
    }

    /// Sets the metadata hashes of the inputs.
    pub(crate) fn looks(self, looks: Vec<u32>) -> State {
        State { looked: looks.len(), looks, ..self }
    }

    /// Sets the output that is not in a frame yet.
    pub(crate) fn pending(self, pending: Vec<u8>) -> State {
        State { held: pending.len(), pending, ..self }
    }

    /// Reads the state from a file; returns `None` if there is no file.
    ///
    /// # Errors
    ///
    /// Returns an error for a file that cannot be read, that is not a state file or is damaged, or that is of a run with
    /// other options.
    pub(crate) fn read(file: &Path, options: u64) -> Result<Option<State>, String> {
        let name = file.display();
        let failed = |error: io::Error| format!("{name}: {}", reason(&error));
        // Opening a pipe would block.
        match fs::metadata(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
            Ok(metadata) if !metadata.is_file() => {
                return Err(format!("{name}: cannot resume: not a regular file"));
            }
            Ok(_) => {}
        }
        let mut open = File::open(file).map_err(failed)?;
        let len = open.metadata().map_err(failed)?.len();
        let mut bytes = Vec::new();
        (&mut open).take(FIRST_LINE).read_to_end(&mut bytes).map_err(failed)?;
        let Some((end, checksum, left)) = first_line(&bytes) else {
            return Err(format!(
                "{name}: cannot resume: not a state file of this version of linksift"
            ));
        };
        let damaged = || format!("{name}: cannot resume: the state file is damaged");
        // Check the length before reading the file, which may be any file.
        if len != end as u64 + left {
            return Err(damaged());
        }
        open.take(left).read_to_end(&mut bytes).map_err(failed)?;
        let body = &bytes[end..];
        let state = (checksum == sum(body)).then(|| State::decoded(body)).flatten();
        let Some(state) = state else { return Err(damaged()) };
        if state.options != options {
            return Err(format!(
                "{name}: cannot resume: the run had other options or inputs; only -j, --progress, --color and --checkpoint may differ"
            ));
        }
        Ok(Some(state))
    }

    /// Returns the input that the position is in, if the input has changed. The earlier state then replaces the one in the
    /// file, and `found`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub(crate) fn leave_changed(
        found: &mut Option<State>,
        file: &Path,
        options: u64,
    ) -> io::Result<Option<String>> {
        let inside = found.as_ref().and_then(|state| state.inside.as_ref());
        let Some(changed) = inside.filter(|inside| inside.has_changed()) else { return Ok(None) };
        let path = changed.path.clone();
        *found = found.take().and_then(|state| state.before).map(|before| *before);
        // Write the file before the output is truncated: another run must not find less output than the file states.
        match found {
            Some(before) => before.write(file)?,
            None => State::new(options).write(file)?,
        }
        Ok(Some(path))
    }

    /// Writes the state to a path that is not a symbolic link.
    fn write(&self, to: &Path) -> io::Result<()> {
        let new = temporary(to);
        let mut body = Vec::new();
        self.encode(&mut body)?;
        for look in &self.looks {
            write!(body, "{look:08x}")?;
        }
        if let Some(before) = &self.before {
            before.encode(&mut body)?;
        }
        let mut bytes = header(sum(&body), body.len() as u64).into_bytes();
        bytes.append(&mut body);
        // Remove the file of a run that was killed while writing it.
        let _ = fs::remove_file(&new);
        let mut file = File::options().write(true).create_new(true).open(&new)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&new, to)?;
        #[cfg(unix)]
        {
            // The new name is on the disk when the directory is.
            let directory = to.parent().filter(|parent| !parent.as_os_str().is_empty());
            File::open(directory.unwrap_or(Path::new(".")))?.sync_all()?;
        }
        Ok(())
    }

    fn encode(&self, bytes: &mut Vec<u8>) -> io::Result<()> {
        serde_json::to_writer(&mut *bytes, self)?;
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.pending);
        Ok(())
    }

    /// There are at most two states: for a position inside an archive, and for the end of the input before it.
    fn decoded(bytes: &[u8]) -> Option<State> {
        let (mut state, rest) = State::decoded_one(bytes)?;
        let (looks, rest) = rest.split_at_checked(state.looked.checked_mul(8)?)?;
        let look = |digits| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        state.looks = looks.chunks(8).map(look).collect::<Option<_>>()?;
        if rest.is_empty() {
            return Some(state);
        }
        let (mut before, rest) = State::decoded_one(rest)?;
        before.looks = state.looks.get(..before.looked)?.to_vec();
        if state.inside.is_none() || before.inside.is_some() || !rest.is_empty() {
            return None;
        }
        state.before = Some(Box::new(before));
        Some(state)
    }

    /// Returns the first state, and the bytes after it.
    fn decoded_one(bytes: &[u8]) -> Option<(State, &[u8])> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let state = serde_json::from_slice::<State>(&bytes[..end]).ok()?;
        let (pending, rest) = bytes[end + 1..].split_at_checked(state.held)?;
        let state = State { pending: pending.to_vec(), ..state };
        state.is_plausible().then_some((state, rest))
    }

    /// Returns `true` if its numbers can be those of a run.
    fn is_plausible(&self) -> bool {
        let Total { links, unresolved, unread } = self.carried.total;
        let numbers = [self.inputs, self.output.len, links, unresolved, unread];
        let lens = [self.errors, self.failed].into_iter().flatten().map(|part| part.len);
        let counts = self.counts.values().flat_map(|values| values.values().copied());
        let all = numbers.into_iter().chain(lens).chain(counts);
        all.chain(self.inside.iter().map(|inside| inside.len)).all(|number| number < TOO_MUCH)
            && (0.0..1e12).contains(&self.seconds)
    }
}

/// Returns the first line; a line in any other form is rejected when it is read.
fn header(checksum: u32, len: u64) -> String {
    format!("{MAGIC} {VERSION} {checksum:08x} {len}\n")
}

/// Returns the end of the first line, and its checksum and length.
fn first_line(bytes: &[u8]) -> Option<(usize, u32, u64)> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut words = line.split(' ').skip(2);
    let checksum = u32::from_str_radix(words.next()?, 16).ok()?;
    let len = words.next()?.parse::<u64>().ok()?;
    (header(checksum, len).as_bytes() == &bytes[..=end]).then_some((end + 1, checksum, len))
}

fn sum(bytes: &[u8]) -> u32 {
    let mut sum = Checksum::default();
    sum.update(bytes);
    sum.sum()
}

/// Returns the hash of a list with one more name.
pub(crate) fn listed(list: u64, path: &[u8]) -> u64 {
    // The keys are fixed: the same list has the same hash in each run of a program.
    let mut hasher = DefaultHasher::new();
    (list, path).hash(&mut hasher);
    hasher.finish()
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
        // After a checkpoint of 2 seconds on a slow disk there is none for 40 seconds, whatever is written.
        assert!(!checkpoint(1, 39, 2).is_due(2 * DUE) && checkpoint(1, 41, 2).is_due(0));
        assert!(!checkpoint(30, 39, 2).is_due(2 * DUE) && checkpoint(30, 41, 2).is_due(0));
        assert!(!checkpoint(30, 29, 0).is_due(DUE - 1) && checkpoint(30, 31, 0).is_due(0));
        assert!(checkpoint(30, 1, 0).is_due(DUE), "after so much output it is due earlier");
        assert!(checkpoint(0, 0, 2).is_due(0), "after each input, whatever it takes");
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let file = std::env::temp_dir().join(format!("linksift-state-{}", std::process::id()));
        assert!(State::read(&file, 7).unwrap().is_none());
        let mut state = State::new(7).pending(b"x\ny\0".to_vec()).looks(vec![1, u32::MAX]);
        (state.inputs, state.last) = (TOO_MUCH - 1, "a\n\u{FFFD}".into());
        let mut checkpoint = Checkpoint::new(file.clone(), 7, Duration::ZERO);
        checkpoint.write(&state).unwrap();
        let again = State::read(&file, 7).unwrap().unwrap();
        let same = |a: &State, b: &State| {
            assert_eq!((a.inputs, &a.last, &a.pending), (b.inputs, &b.last, &b.pending));
            assert_eq!(a.looks, b.looks);
        };
        same(&again, &state);
        assert!(again.before.is_none());
        let point = "archive1 1 1 1 1 1 1 1 1".parse().unwrap();
        let inside = Inside { path: "a".into(), len: 1, modified: None, list: 0, point };
        let inner = State {
            inside: Some(inside),
            ..State::new(7).pending(b"\n{}".to_vec()).looks(vec![1, u32::MAX, 5])
        };
        checkpoint.write(&State { before: Some(state.clone().into()), ..inner.clone() }).unwrap();
        let again = State::read(&file, 7).unwrap().unwrap();
        same(&again, &inner);
        same(&again.before.unwrap(), &state);
        assert!(State::read(&file, 8).unwrap_err().contains("other options"));
        fs::remove_file(file).unwrap();
    }

    /// Any invalid data is rejected with a clear message, and needs neither stack nor memory.
    #[test]
    fn what_is_no_state_is_refused() {
        let file = std::env::temp_dir().join(format!("linksift-nonsense-{}", std::process::id()));
        let refused = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            State::read(&file, 7).unwrap_err()
        };
        let mut state = State::new(7).pending(b"x\n".to_vec());
        state.inputs = 3;
        state.write(&file).unwrap();
        let whole = fs::read(&file).unwrap();
        assert_eq!(State::read(&file, 7).unwrap().unwrap().inputs, 3);
        for none in
            [&b""[..], b"{}", b"linksift-state 2 0 0\n", b"linksift-state", &[0; 5000], b"\xFF\n"]
        {
            assert!(refused(none).ends_with("not a state file of this version of linksift"));
        }
        for cut in whole.len() / 2..whole.len() {
            assert!(refused(&whole[..cut]).ends_with("cannot resume: the state file is damaged"));
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut flipped = whole.clone();
                flipped[at] ^= 1 << bit;
                refused(&flipped);
            }
        }
        // A valid checksum, but not a state.
        let made = |body: &[u8]| {
            refused(&[header(sum(body), body.len() as u64).as_bytes(), body].concat())
        };
        let mut line = Vec::new();
        State { inside: None, ..State::new(7) }.encode(&mut line).unwrap();
        let point = "archive1 1 1 1 1 1 1 1 1".parse().unwrap();
        let inside = Inside { path: "a".into(), len: 1, modified: None, list: 0, point };
        let mut within = Vec::new();
        State { inside: Some(inside), ..State::new(7) }.encode(&mut within).unwrap();
        for none in [
            line.repeat(2),
            line.repeat(100_000),
            within.repeat(2),
            within.repeat(10_000),
            [&within[..], &line, &line].concat(),
            [&line[..], b"x"].concat(),
            b"[".repeat(1 << 20),
            [b"[".repeat(1 << 20), b"\n".to_vec()].concat(),
            String::from_utf8(line.clone())
                .unwrap()
                .replace("\"held\":0", "\"held\":9")
                .into_bytes(),
            String::from_utf8(line.clone())
                .unwrap()
                .replace("\"len\":0", "\"len\":18446744073709551615")
                .into_bytes(),
            String::from_utf8(line.clone())
                .unwrap()
                .replace("\"counts\":{}", &format!("\"counts\":{}", "{\"a\":".repeat(10_000)))
                .into_bytes(),
        ] {
            assert!(made(&none).ends_with("cannot resume: the state file is damaged"));
        }
        fs::remove_file(file).unwrap();
    }
}
