//! Text that proves to be binary after its first bytes were detected, and its links reported.
//!
//! Links of a pipe are not held until 8 KiB are available, so some may have been reported before a NUL shows that the
//! stream is binary. They stay reported, the text ends there, the bytes after it are read as binary, and a notice says so.

use super::about::DocumentFacts;
use super::disposition::{HEAD, detect_disposition};
use crate::detect::document::{Detection, Disposition, Hints};

/// Check of the head of a document of which the first bytes were detected as text.
#[derive(Debug)]
pub(crate) struct LateBinary {
    /// Whether more bytes may change the detection.
    is_open: bool,
    head: Vec<u8>,
    /// Offset from which the document is binary; the head has all bytes that were checked then.
    binary_from: Option<usize>,
}

impl LateBinary {
    /// Creates the check of a document with this detection.
    pub(crate) fn new(found: &Detection) -> LateBinary {
        let is_open = found.is_early && found.disposition == Disposition::Text;
        LateBinary { is_open, head: Vec::new(), binary_from: None }
    }

    /// Returns `true` if the document has proved to be binary.
    pub(crate) fn is_binary(&self) -> bool {
        self.binary_from.is_some()
    }

    /// Returns `true` if nothing can change any more.
    pub(crate) fn is_done(&self) -> bool {
        !self.is_open && self.binary_from.is_none()
    }

    /// Takes the offset from which the document is binary, and all of its bytes up to the last that were checked, if it is.
    pub(crate) fn take_binary(&mut self) -> Option<(usize, Vec<u8>)> {
        self.binary_from.take().map(|from| (from, std::mem::take(&mut self.head)))
    }

    /// Checks the next bytes; returns how many of them are text.
    #[inline]
    pub(crate) fn text_len(&mut self, bytes: &[u8], hints: &Hints) -> usize {
        if self.is_open { self.look(bytes, hints) } else { bytes.len() }
    }

    /// Only the first bytes of a text are looked at, so the many calls after them need no room for this one.
    #[cold]
    fn look(&mut self, bytes: &[u8], hints: &Hints) -> usize {
        let before = self.head.len();
        let (more, rest) = bytes.split_at(bytes.len().min(HEAD - before));
        self.head.extend_from_slice(more);
        // Nothing else makes text binary.
        if more.iter().any(is_control) && !self.is_text(hints) {
            self.binary_from = self.head.iter().position(is_control);
            self.head.extend_from_slice(rest);
            self.is_open = false;
            return self.binary_from.map_or(bytes.len(), |from| from.saturating_sub(before));
        }
        if self.head.len() == HEAD {
            (self.is_open, self.head) = (false, Vec::new());
        }
        bytes.len()
    }

    fn is_text(&self, hints: &Hints) -> bool {
        let found = detect_disposition(&DocumentFacts::of(hints), &self.head);
        hints.scope.non_text.applied_to(found.disposition) == Disposition::Text
    }
}

/// Returns `true` for a control character that text does not contain.
fn is_control(byte: &u8) -> bool {
    matches!(byte, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F)
}
