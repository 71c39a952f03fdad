//! Rendered results on their way from the threads to standard output.

use std::mem;
use std::ops::Range;

use linksift::files::Batch;

/// Bytes to be written, what has to be decided about them in order, and complaints.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub(crate) out: Vec<u8>,
    /// In the order of what they mark.
    pub(crate) marks: Vec<Mark>,
    /// What marks say beside what is written.
    pub(crate) values: Vec<u8>,
    /// Links that no mark counts: of the input that is not at its end yet.
    pub(crate) links: u64,
    /// References that no base resolves and that were left out.
    pub(crate) unresolved: u64,
    /// Links whose lines cannot be shown.
    pub(crate) unread: u64,
    /// Whole lines for standard error.
    pub(crate) complaints: Vec<u8>,
    /// A line about the first document that is not text, which is told once a run.
    pub(crate) binary: Vec<u8>,
    /// The last heading, in what is written; empty if there is none.
    pub(crate) heading: Range<usize>,
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
    /// the number of its links belongs at `number`.
    End { line: Range<usize>, number: usize, links: u64 },
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
    pub(crate) what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Link,
    Rejected,
}

impl Mark {
    fn shift(&mut self, by: usize, values: usize) {
        let shift = |range: &mut Range<usize>| *range = range.start + by..range.end + by;
        match self {
            Mark::Heading { line } => shift(line),
            Mark::Record(line) => {
                shift(&mut line.bytes);
                line.value = line.value.start + values..line.value.end + values;
            }
            Mark::End { line, number, .. } => {
                shift(line);
                *number += by;
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
        self.binary.clear();
        self.heading = 0..0;
        (self.links, self.unresolved, self.unread, self.weight) = (0, 0, 0, 0);
    }
}

impl Batch for Chunk {
    fn size(&self) -> usize {
        let marks = mem::size_of_val(&self.marks[..]);
        self.out.len()
            + self.complaints.len()
            + self.values.len()
            + marks
            + self.binary.len()
            + self.weight
    }

    fn append(&mut self, later: &mut Self) {
        let (by, values) = (self.out.len(), self.values.len());
        self.out.append(&mut later.out);
        for mut mark in later.marks.drain(..) {
            mark.shift(by, values);
            if let Mark::End { links, .. } = &mut mark {
                *links += mem::take(&mut self.links);
            }
            self.marks.push(mark);
        }
        self.links += mem::take(&mut later.links);
        self.unresolved += mem::take(&mut later.unresolved);
        self.unread += mem::take(&mut later.unread);
        // Whoever goes on here names the document again.
        (self.heading, later.heading) = (0..0, 0..0);
        self.weight += mem::take(&mut later.weight);
        self.values.append(&mut later.values);
        self.complaints.append(&mut later.complaints);
        match self.binary.is_empty() {
            true => mem::swap(&mut self.binary, &mut later.binary),
            false => later.binary.clear(),
        }
    }
}
