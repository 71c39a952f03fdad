//! Pauses: a reader has no more bytes for now, and its scan reports all links that are decided.
//!
//! A reader reports a pause once, by an error of the kind [`Interrupted`](ErrorKind::Interrupted), before it waits for
//! more. Every consumer reads again after such an error; only those that decide something at a pause ask which one it is.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, Read};

/// The error by which a reader reports a pause. Callers outside never see it.
#[derive(Debug)]
struct Pause;

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no more bytes for now")
    }
}

impl Error for Pause {}

/// Returns the error that reports a pause.
pub(crate) fn pause() -> io::Error {
    io::Error::new(ErrorKind::Interrupted, Pause)
}

/// Returns `true` if an error reports a pause.
pub(crate) fn is_pause(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Pause>())
}

/// Reader that pauses after each read that returns less than was asked for.
pub(crate) struct ShortReads<R> {
    reader: R,
    is_on: bool,
    /// The last read was short, and its pause is not reported yet.
    is_short: bool,
}

impl<R> ShortReads<R> {
    /// Wraps a reader; without `is_on` no read counts as a pause.
    pub(crate) fn new(reader: R, is_on: bool) -> ShortReads<R> {
        ShortReads { reader, is_on, is_short: false }
    }
}

impl<R: Read> Read for ShortReads<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.is_short) {
            return Err(pause());
        }
        let read = self.reader.read(to)?;
        self.is_short = self.is_on && read > 0 && read < to.len();
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_read_is_a_pause_and_a_full_one_is_not() {
        let mut reader = ShortReads::new(&b"abcde"[..], true);
        let mut two = [0; 2];
        assert_eq!(reader.read(&mut two).unwrap(), 2);
        assert_eq!(reader.read(&mut two).unwrap(), 2);
        assert_eq!(reader.read(&mut two).unwrap(), 1);
        let error = reader.read(&mut two).unwrap_err();
        assert!(is_pause(&error) && error.kind() == ErrorKind::Interrupted);
        // It is reported once, and the end is no pause.
        assert_eq!(reader.read(&mut two).unwrap(), 0);
        assert_eq!(reader.read(&mut two).unwrap(), 0);
        let mut whole = String::new();
        ShortReads::new(&b"abcde"[..], true).read_to_string(&mut whole).unwrap();
        assert_eq!(whole, "abcde");
        let mut reader = ShortReads::new(&b"abcde"[..], false);
        assert_eq!([5, 0].map(|_| reader.read(&mut [0; 9]).unwrap()), [5, 0]);
        assert!(!is_pause(&io::Error::from(ErrorKind::Interrupted)));
    }
}
