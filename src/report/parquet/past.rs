//! A file of which a part is there already.

use std::io::{self, Write};

/// Writes what comes after the bytes that are there already.
pub(super) struct ResumedFile<W> {
    pub(super) out: W,
    /// How many of them are still to come.
    pub(super) left: u64,
}

impl<W: Write> Write for ResumedFile<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return self.out.write(bytes);
        }
        let len = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
        self.left -= len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
