//! What comes out beside what a fixture says: differences are shown as lines of its file, and written there
//! when they are right.
//!
//! A suite tells a [`Blessing`] how the lines of each case would be written, right or wrong. In the end it fails with
//! a diff of all that differ, `-` what the file says, `+` what comes out; with `LINKSIFT_BLESS=1` it writes them
//! instead. What a case cannot say (its routes disagree) is a fault, which nobody can bless.

mod tests;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs};

use similar::{Algorithm, DiffTag, capture_diff_slices, group_diff_ops};

/// How many equal lines are shown around those that differ.
const CONTEXT: usize = 1;

/// The expectations of a suite, as they would be written.
pub(crate) struct Blessing {
    /// The test that writes them.
    test: String,
    files: BTreeMap<PathBuf, File>,
    faults: Vec<String>,
}

struct File {
    /// As they are stored, without line feeds.
    lines: Vec<Vec<u8>>,
    edits: Vec<Edit>,
}

/// "These lines should be those."
struct Edit {
    lines: Range<usize>,
    written: Vec<Vec<u8>>,
    case: String,
}

/// The lines of a file, without line feeds; joined by them they are the file.
fn split(content: &[u8]) -> Vec<Vec<u8>> {
    content.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

impl Blessing {
    /// For the test of this name.
    pub(crate) fn new(test: impl Into<String>) -> Blessing {
        Blessing { test: test.into(), files: BTreeMap::new(), faults: Vec::new() }
    }

    fn file(&mut self, path: &Path) -> &mut File {
        // A file that is not there yet has no lines.
        let read = || File { lines: split(&fs::read(path).unwrap_or_default()), edits: Vec::new() };
        self.files.entry(path.to_owned()).or_insert_with(read)
    }

    /// `lines`, counted from zero, of the file should be `written`; `case` is what they are about.
    pub(crate) fn lines(
        &mut self,
        path: &Path,
        lines: Range<usize>,
        written: Vec<String>,
        case: &str,
    ) {
        let written = written.into_iter().map(String::into_bytes).collect();
        let case = case.to_owned();
        self.file(path).edits.push(Edit { lines, written, case });
    }

    /// The whole file should be `content`.
    pub(crate) fn whole(&mut self, path: &Path, content: &[u8]) {
        let file = self.file(path);
        let lines = 0..file.lines.len();
        file.edits.push(Edit { lines, written: split(content), case: String::new() });
    }

    /// What no line of a file can say.
    pub(crate) fn fault(&mut self, path: &Path, line: usize, fault: &str) {
        self.faults.push(format!("{}:{}: {fault}", shown(path), line + 1));
    }

    /// Fails with all that differ, or writes them if `LINKSIFT_BLESS` is 1; fails with faults either way.
    pub(crate) fn finish(self) {
        let mut message = String::new();
        if env::var_os("LINKSIFT_BLESS").is_some_and(|value| value == "1") {
            self.write();
        } else {
            message += &self.differences();
        }
        if !self.faults.is_empty() {
            let count = self.faults.len();
            message += &format!("{}\n{count} of these nobody can bless.\n", self.faults.join("\n"));
        }
        assert!(message.is_empty(), "\n{message}");
    }

    /// What differs, and what to do about it.
    fn differences(&self) -> String {
        let (count, diff) = self.diff();
        if count == 0 {
            return String::new();
        }
        let all: usize = self.files.values().map(|file| file.edits.len()).sum();
        format!(
            "{diff}\n{count} of {all} expectations differ: - is what the file says, + what comes out. If that is \
             right,\n    LINKSIFT_BLESS=1 cargo test --test {} -- {}\nwrites it.\n",
            env!("CARGO_CRATE_NAME"),
            self.test
        )
    }

    /// How many expectations differ, and how.
    fn diff(&self) -> (usize, String) {
        let (mut count, mut out) = (0, String::new());
        for (path, file) in &self.files {
            for Edit { lines, written, case } in &file.edits {
                let old = &file.lines[lines.clone()];
                if old != written {
                    count += 1;
                    out += &diff(&shown(path), lines.start, case, old, written);
                }
            }
        }
        (count, out)
    }

    fn write(&self) {
        for (path, file) in &self.files {
            let content = file.edited();
            if fs::read(path).ok().as_ref() != Some(&content) {
                fs::write(path, content).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            }
        }
    }

    /// What the files' own expectations are written as must be what is there, byte by byte.
    pub(crate) fn assert_nothing_changes(&self, least: usize) {
        let (count, diff) = self.diff();
        assert!(count == 0 && self.faults.is_empty(), "{diff}{}", self.faults.join("\n"));
        for (path, file) in &self.files {
            let stored = fs::read(path);
            let stored =
                stored.unwrap_or_else(|error| panic!("{}, to be blessed: {error}", shown(path)));
            assert!(
                file.edited() == stored,
                "{} differs from what was read; if this run has blessed it, run again without LINKSIFT_BLESS",
                shown(path)
            );
        }
        let edits: usize = self.files.values().map(|file| file.edits.len()).sum();
        assert!(edits >= least, "{edits} expectations");
    }
}

impl File {
    fn edited(&self) -> Vec<u8> {
        let mut edits: Vec<_> = self.edits.iter().collect();
        edits.sort_by_key(|edit| (edit.lines.start, edit.lines.end));
        let (mut lines, mut at) = (Vec::new(), 0);
        for edit in edits {
            lines.extend_from_slice(&self.lines[at..edit.lines.start]);
            lines.extend_from_slice(&edit.written);
            at = edit.lines.end;
        }
        lines.extend_from_slice(&self.lines[at..]);
        lines.join(&b'\n')
    }
}

/// A path as it is named from the root of the repository.
fn shown(path: &Path) -> String {
    let path = path.strip_prefix(crate::root()).unwrap_or(path);
    path.display().to_string()
}

/// What differs, each place with its file and line (from one), and a line around.
fn diff(path: &str, first: usize, case: &str, old: &[Vec<u8>], new: &[Vec<u8>]) -> String {
    let mut out = String::new();
    for group in group_diff_ops(capture_diff_slices(Algorithm::Myers, old, new), CONTEXT) {
        let mut lines = String::new();
        let mut line = None;
        let mut add = |sign: char, added: &[Vec<u8>]| {
            for added in added {
                lines += &format!("{sign}{}\n", String::from_utf8_lossy(added));
            }
        };
        for op in group {
            let (tag, olds, news) = op.as_tag_tuple();
            if tag == DiffTag::Equal {
                add(' ', &old[olds]);
                continue;
            }
            line.get_or_insert(first + olds.start + 1);
            add('-', &old[olds]);
            add('+', &new[news]);
        }
        let line = line.unwrap_or(first + 1);
        let case = if case.is_empty() { String::new() } else { format!(": {case}") };
        out += &format!("{path}:{line}{case}\n{lines}");
    }
    out
}

/// `old` with `new` in the place of those lines that are compared; the others stay where they are. Where none is
/// compared, `new` comes before the line `otherwise`.
pub(crate) fn merged(
    old: &[String],
    is_compared: impl Fn(&str) -> bool,
    new: &[String],
    otherwise: usize,
) -> Vec<String> {
    let places: Vec<usize> = (0..old.len()).filter(|at| is_compared(&old[*at])).collect();
    let compared: Vec<&String> = places.iter().map(|at| &old[*at]).collect();
    let new: Vec<&String> = new.iter().collect();
    let end = places.last().map_or(otherwise, |last| last + 1);
    let mut before = vec![Vec::new(); old.len() + 1];
    let mut is_left = vec![false; old.len()];
    for op in capture_diff_slices(Algorithm::Myers, &compared, &new) {
        let (tag, olds, news) = op.as_tag_tuple();
        if tag != DiffTag::Equal {
            let place = places.get(olds.start).copied().unwrap_or(end);
            before[place].extend(new[news].iter().copied().cloned());
            places[olds].iter().for_each(|at| is_left[*at] = true);
        }
    }
    let mut out = Vec::new();
    for (at, line) in old.iter().enumerate() {
        out.append(&mut before[at]);
        if !is_left[at] {
            out.push(line.clone());
        }
    }
    out.append(&mut before[old.len()]);
    out
}

/// A text with marks around ranges of what it is written for: its pieces come as they are written, each with the
/// number of bytes that it stands for; ranges are in order and apart.
pub(crate) fn marked<'p>(
    pieces: impl IntoIterator<Item = (&'p str, usize)>,
    ranges: &[Range<usize>],
    marks: [char; 2],
) -> String {
    let (mut out, mut at, mut open) = (String::new(), 0, None);
    let mut ranges = ranges.iter().peekable();
    let mut mark = |out: &mut String, at: usize| {
        loop {
            match open {
                Some(end) if end <= at => {
                    out.push(marks[1]);
                    open = None;
                }
                Some(_) => return,
                None => match ranges.next_if(|range| range.start <= at) {
                    Some(range) => {
                        out.push(marks[0]);
                        open = Some(range.end);
                    }
                    None => return,
                },
            }
        }
    };
    for (piece, bytes) in pieces {
        mark(&mut out, at);
        out += piece;
        at += bytes;
    }
    mark(&mut out, at);
    out
}

/// Whether a character can be read in a file as it is: no control, no mark without a letter, nothing unassigned.
pub(crate) fn is_readable(c: char) -> bool {
    matches!(c, '\'' | '"' | '\\')
        || c != char::REPLACEMENT_CHARACTER && c.escape_debug().len() == 1
}
