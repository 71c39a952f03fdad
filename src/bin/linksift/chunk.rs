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
    /// Links that no mark counts: of the input that is not at its end yet.
    pub(crate) links: u64,
    /// References that no base resolves and that were left out.
    pub(crate) unresolved: u64,
    /// Whole lines for standard error.
    pub(crate) complaints: Vec<u8>,
}

/// What only the one who sees all results in order can decide. Ranges are of [`Chunk::out`].
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// A link: these bytes are to be written only if this value was not there before.
    Record { bytes: Range<usize>, value: u128 },
    /// An input ends: with so many links that no record stands for, and with a line about it, in which
    /// the number of its links belongs at `number`.
    End { line: Range<usize>, number: usize, links: u64 },
}

impl Mark {
    fn shift(&mut self, by: usize) {
        let shift = |range: &mut Range<usize>| *range = range.start + by..range.end + by;
        match self {
            Mark::Record { bytes, .. } => shift(bytes),
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
        self.complaints.clear();
        (self.links, self.unresolved) = (0, 0);
    }
}

impl Batch for Chunk {
    fn size(&self) -> usize {
        // What has been counted has to be handed over too, however little there is to be written.
        let counted = usize::from(self.links + self.unresolved > 0);
        self.out.len() + self.complaints.len() + mem::size_of_val(&self.marks[..]) + counted
    }

    fn append(&mut self, later: &mut Self) {
        let by = self.out.len();
        self.out.append(&mut later.out);
        for mut mark in later.marks.drain(..) {
            mark.shift(by);
            if let Mark::End { links, .. } = &mut mark {
                *links += mem::take(&mut self.links);
            }
            self.marks.push(mark);
        }
        self.links += mem::take(&mut later.links);
        self.unresolved += mem::take(&mut later.unresolved);
        self.complaints.append(&mut later.complaints);
    }
}
