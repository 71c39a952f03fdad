//! A reader that fails after what it has given.

use std::io::{self, Read};

/// Gives bytes, then fails.
pub(crate) struct Failing<'b>(pub(crate) &'b [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self.0.read(to)? {
            0 => Err(io::Error::other("the disk is broken")),
            read => Ok(read),
        }
    }
}
