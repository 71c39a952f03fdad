//! Rendered results, which the threads pass to the writer.

use std::mem;
use std::ops::{AddAssign, Range};

use linksift::files::{Batch, ResumePoint};
use serde::{Deserialize, Serialize};

use crate::facts::Log;

/// Bytes to be written, marks for decisions that depend on their order, and error messages.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub(crate) out: Vec<u8>,
    /// Marks in the order of the bytes that they refer to.
    pub(crate) marks: Vec<Mark>,
    /// Values of marks, in addition to the bytes.
    pub(crate) values: Vec<u8>,
    /// Counts that no mark has, of the current input.
    pub(crate) total: Total,
    /// Facts for the counts, and for the files in addition to the links.
    pub(crate) log: Log,
    /// Complete lines for standard error.
    pub(crate) complaints: Vec<u8>,
    /// Lines that are printed once per run: about the first binary document, and about the first picture or similar file.
    pub(crate) once: [Vec<u8>; 2],
    /// Range of the last heading in the output; empty if there is none.
    pub(crate) heading: Range<usize>,
    /// Number of links of the current input, including those of earlier chunks if every link is shown; and whether no more
    /// links are wanted.
    pub(crate) of_input: u64,
    pub(crate) has_enough: bool,
    /// Weight in addition to the bytes, since chunks with only counts must be passed on too.
    pub(crate) weight: usize,
}

/// A decision that depends on all results in order. Ranges are those of [`Chunk::out`], or of [`Chunk::values`] where this
/// is stated.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// The following output is of the document that this line names; the line is written only with a record, and only if
    /// headings are shown.
    Heading { line: Range<usize> },
    /// A link, or a rejected candidate.
    Record(Line),
    /// End of an input: the number of links without a record, and a line about the input in which the number of its links
    /// is inserted at `number`. The log up to `log` is of this input and those before it. If the input has `failed`, it is
    /// not known that it has no links.
    End { line: Range<usize>, number: usize, total: Total, log: usize, failed: bool },
    /// Position in an input at which the run can be resumed. The output before it ends at `at`, the other fields are as at
    /// an end, and the input's path is in the values.
    Reached { at: usize, path: Range<usize>, point: ResumePoint, total: Total, log: usize },
}

/// Numbers of results that were shown, and that were skipped.
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

/// A line of output that is written depending on the results before it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) bytes: Range<usize>,
    /// Hash of the value that it must not have in common with an earlier line.
    pub(crate) once: Option<u128>,
    /// That value, or the sort key; a range of the values.
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
        // The output that follows names its document again.
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
