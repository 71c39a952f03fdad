//! Rendered results on their way from the threads to standard output.

use std::mem;

use linksift::files::Batch;

/// Bytes to be written, what has to be decided about them in order, and complaints.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    pub(crate) out: Vec<u8>,
    /// In the order of what they mark.
    pub(crate) marks: Vec<Mark>,
    /// Whole lines for standard error.
    pub(crate) complaints: Vec<u8>,
}

/// What only the one who sees all results in order can decide.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    /// These bytes are to be written only if this URI was not there before.
    Record { start: usize, end: usize, uri: u128 },
    /// Here stands the number of URIs of this input that were not there before.
    Count { at: usize },
}

impl Mark {
    fn shifted(self, by: usize) -> Mark {
        match self {
            Mark::Record { start, end, uri } => {
                Mark::Record { start: start + by, end: end + by, uri }
            }
            Mark::Count { at } => Mark::Count { at: at + by },
        }
    }
}

impl Chunk {
    pub(crate) fn clear(&mut self) {
        self.out.clear();
        self.marks.clear();
        self.complaints.clear();
    }
}

impl Batch for Chunk {
    fn size(&self) -> usize {
        self.out.len() + self.complaints.len() + mem::size_of_val(&self.marks[..])
    }

    fn append(&mut self, later: &mut Self) {
        let by = self.out.len();
        self.out.append(&mut later.out);
        self.marks.extend(later.marks.drain(..).map(|mark| mark.shifted(by)));
        self.complaints.append(&mut later.complaints);
    }
}
