//! Streams that prove to be binary after their beginning was read as text.
//!
//! Links of a pipe are not held until 8 KiB have come, so some may have been reported before a NUL shows that
//! the stream is binary. They stay reported, the bytes after them are read as binary, and a notice says so.

use std::cell::Cell;
use std::io::{self, Read};

use crate::detect::HEAD;
use crate::detect::document::{Detection, Disposition, Hints};
use crate::link::{Judged, is_sure, start_of};

/// Offset from which a stream is binary, if it is.
#[derive(Debug, Default)]
pub(super) struct Late(Cell<Option<usize>>);

impl Late {
    pub(super) fn is_found(&self) -> bool {
        self.0.get().is_some()
    }

    /// Whether a candidate is dropped because the stream is binary there.
    #[inline]
    pub(super) fn leaves(&self, judged: &mut Judged<'_>, is_scanned: bool) -> bool {
        let Some(start) = self.0.get() else { return false };
        start_of(judged) >= start && !(is_scanned && is_sure(judged))
    }
}

/// Looks at the head of a stream that was judged by the first of it.
pub(super) struct Reconsidered<'l, R> {
    reader: R,
    /// Hints without its disposition; `None` when nothing can change any more.
    hints: Option<Hints>,
    head: Vec<u8>,
    late: &'l Late,
}

impl<'l, R> Reconsidered<'l, R> {
    /// A reader of all of a stream, which was detected as this.
    pub(super) fn new(reader: R, found: &Detection, hints: &Hints, late: &'l Late) -> Self {
        let is_open = found.is_early && found.disposition == Disposition::Text;
        let hints = is_open.then(|| Hints { detection: None, ..hints.clone() });
        Reconsidered { reader, hints, head: Vec::new(), late }
    }

    #[cold]
    fn look(&mut self, bytes: &[u8]) {
        let Some(hints) = &self.hints else { return };
        let more = &bytes[..bytes.len().min(HEAD - self.head.len())];
        self.head.extend_from_slice(more);
        // Nothing else makes text binary.
        if more.iter().any(is_control) && hints.disposition(&self.head) != Disposition::Text {
            self.late.0.set(self.head.iter().position(is_control));
        }
        if self.head.len() == HEAD || self.late.is_found() {
            (self.hints, self.head) = (None, Vec::new());
        }
    }
}

/// Whether a byte is a control that text does not have.
fn is_control(byte: &u8) -> bool {
    matches!(byte, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F)
}

impl<R: Read> Read for Reconsidered<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(to)?;
        if self.hints.is_some() {
            self.look(&to[..read]);
        }
        Ok(read)
    }
}
