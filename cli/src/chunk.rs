//! Rendered results on their way from the threads to standard output.

use std::mem;
use std::ops::{AddAssign, Range};

use linksift::files::{Batch, ResumePoint};
use serde::{Deserialize, Serialize};

use crate::facts::Log;

/// Bytes to be written, what has to be decided about them in order, and complaints.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub(crate) out: Vec<u8>,
    /// In the order of what they mark.
    pub(crate) marks: Vec<Mark>,
    /// What marks say beside what is written.
    pub(crate) values: Vec<u8>,
    /// What no mark counts: of the input that is not at its end yet.
    pub(crate) total: Total,
    /// What is counted, and what is written beside the links.
    pub(crate) log: Log,
    /// Whole lines for standard error.
    pub(crate) complaints: Vec<u8>,
    /// Lines that are reported once a run: about the first document that is not text, and the first that is a picture or
    /// the like.
    pub(crate) once: [Vec<u8>; 2],
    /// The last heading, in what is written; empty if there is none.
    pub(crate) heading: Range<usize>,
    /// Links of the input that is not at its end yet, also of chunks before, where each of them is shown; and
    /// whether no more are wanted.
    pub(crate) of_input: u64,
    pub(crate) has_enough: bool,
    /// What it weighs beside its bytes: what was counted has to be handed over too.
    pub(crate) weight: usize,
}

/// What only the one who sees all results in order can decide. Ranges are of [`Chunk::out`], or of
/// [`Chunk::values`] where that is said.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// What follows is of the document that this line names; it is for whoever wants it, and not to be
    /// written by itself.
    Heading { line: Range<usize> },
    /// A link, or a rejected candidate.
    Record(Line),
    /// An input ends: with so many links that no record stands for, and with a line about it, in which
    /// the number of its links belongs at `number`. What is in the log up to `log` is of this input and those
    /// before it. Of an input that has `failed` nobody knows that there are no links in it.
    End { line: Range<usize>, number: usize, total: Total, log: usize, failed: bool },
    /// Inside an input the run can be resumed; what is written before is up to `at`, the other fields are as those
    /// of an end, and the input's path is in the values.
    Reached { at: usize, path: Range<usize>, point: ResumePoint, total: Total, log: usize },
}

/// What was shown, and what was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Total {
    pub(crate) links: u64,
    /// References that no base resolves.
    pub(crate) unresolved: u64,
    /// Links whose lines cannot be shown.
    pub(crate) unread: u64,
}

impl AddAssign for Total {
    fn add_assign(&mut self, more: Total) {
        self.links += more.links;
        self.unresolved += more.unresolved;
        self.unread += more.unread;
    }
}

/// A line of output that may or may not be written.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) bytes: Range<usize>,
    /// A hash of what it must not have in common with a line before it.
    pub(crate) once: Option<u128>,
    /// That itself, or what it is sorted by; in the values.
    pub(crate) value: Range<usize>,
    /// Whether it counts as a link.
    pub(crate) what: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Link,
    Rejected,
}

impl Mark {
    fn shift(&mut self, by: usize, values: usize, logged: usize) {
        let shift = |range: &mut Range<usize>| *range = range.start + by..range.end + by;
        match self {
            Mark::Heading { line } => shift(line),
            Mark::Record(line) => {
                shift(&mut line.bytes);
                line.value = line.value.start + values..line.value.end + values;
            }
            Mark::End { line, number, log, .. } => {
                shift(line);
                *number += by;
                *log += logged;
            }
            Mark::Reached { at, path, log, .. } => {
                *at += by;
                *path = path.start + values..path.end + values;
                *log += logged;
            }
        }
    }
}

impl Chunk {
    pub(crate) fn clear(&mut self) {
        self.out.clear();
        self.marks.clear();
        self.values.clear();
        self.complaints.clear();
        self.once.iter_mut().for_each(Vec::clear);
        self.log.clear();
        self.heading = 0..0;
        (self.total, self.weight) = (Total::default(), 0);
    }
}

impl Batch for Chunk {
    fn size(&self) -> usize {
        let marks = mem::size_of_val(&self.marks[..]);
        self.out.len()
            + self.complaints.len()
            + self.values.len()
            + marks
            + self.once.iter().map(Vec::len).sum::<usize>()
            + self.log.len()
            + self.weight
    }

    fn has_enough(&self) -> bool {
        self.has_enough
    }

    fn append(&mut self, later: &mut Self) {
        let (by, values, logged) = (self.out.len(), self.values.len(), self.log.len());
        self.out.append(&mut later.out);
        for mut mark in later.marks.drain(..) {
            mark.shift(by, values, logged);
            if let Mark::End { total, .. } | Mark::Reached { total, .. } = &mut mark {
                *total += mem::take(&mut self.total);
            }
            self.marks.push(mark);
        }
        self.total += mem::take(&mut later.total);
        self.log.append(&mut later.log);
        // Whoever goes on here names the document again.
        (self.heading, later.heading) = (0..0, 0..0);
        self.weight += mem::take(&mut later.weight);
        self.values.append(&mut later.values);
        self.complaints.append(&mut later.complaints);
        for (own, later) in self.once.iter_mut().zip(&mut later.once) {
            match own.is_empty() {
                true => mem::swap(own, later),
                false => later.clear(),
            }
        }
    }
}
