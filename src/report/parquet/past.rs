//! A file whose first part exists already.

use std::io::{self, Write};

/// Writer that skips the bytes that exist already.
pub(super) struct ResumedFile<W> {
    pub(super) out: W,
    /// Number of bytes that it still skips.
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
