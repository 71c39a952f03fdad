//! Ends of a scan from outside: it is cancelled, or its reader gives more bytes than offsets can count.
//!
//! The reader that wraps the source of every scan checks both before each read.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Token that cancels scans: a scan has one clone, the thread that may cancel it another.
///
/// Given to [`Hints::cancel`](crate::Hints::cancel) it holds for
/// [`Finder::scan_reader`](crate::Finder::scan_reader), for mail out of a reader, for `linksift::files`, and without reads for a
/// [`Feed`](crate::Feed) and for [`Finder::rewrite`](crate::Finder::rewrite), which fails.
/// Scans check it before each read, which gives 512 KiB at most, and before each event: milliseconds
/// after [`cancel`](Cancel::cancel) events end, and the scan returns without an error, with
/// [`stopped`](crate::Scanned::stopped) set. A read that waits is not woken. A token stays cancelled:
/// each scan that is cancelled alone needs a token of its own.
///
/// ```
/// use linksift::{Cancel, Finder, Hints};
/// use std::ops::ControlFlow;
/// use std::{io, thread, time::Duration};
///
/// let cancel = Cancel::new();
/// let hints = Hints::new().cancel(cancel.clone());
/// // This one never ends.
/// let scan = thread::spawn(move || {
///     Finder::new().scan_reader(io::repeat(b'x'), &hints, |_| ControlFlow::Continue(()))
/// });
/// thread::sleep(Duration::from_millis(1));
/// cancel.cancel();
/// assert!(scan.join().unwrap()?.stopped());
/// # Ok::<(), io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    is_cancelled: Arc<AtomicBool>,
    /// Time from which it is cancelled.
    deadline: Option<Instant>,
}

impl Cancel {
    /// A token that is not cancelled.
    ///
    /// ```
    /// assert!(!linksift::Cancel::new().is_cancelled());
    /// ```
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A token that is cancelled when this time has passed from now on, or before by [`cancel`](Cancel::cancel). A time that the
    /// clock of the system cannot count has no effect.
    ///
    /// ```
    /// use linksift::{Cancel, Finder, Hints};
    /// use std::ops::ControlFlow;
    /// use std::{io, time::Duration};
    ///
    /// let hints = Hints::new().cancel(Cancel::after(Duration::from_millis(5)));
    /// // This one never ends.
    /// let scanned = Finder::new().scan_reader(io::repeat(b'x'), &hints, |_| ControlFlow::Continue(()))?;
    /// assert!(scanned.stopped());
    /// # Ok::<(), io::Error>(())
    /// ```
    pub fn after(time: Duration) -> Cancel {
        Cancel { deadline: Instant::now().checked_add(time), ..Cancel::default() }
    }

    /// Ends the scans that were given this token or a clone of it, now and later; from any thread, any
    /// number of times.
    ///
    /// ```
    /// let cancel = linksift::Cancel::new();
    /// let other = cancel.clone();
    /// other.cancel();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Cancel::cancel) was called, here or on a clone, or its time has passed.
    ///
    /// ```
    /// let cancel = linksift::Cancel::new();
    /// cancel.clone().cancel();
    /// assert!(cancel.is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }
}

/// Whether there is a token, and it is cancelled.
pub(crate) fn is_cancelled(cancel: Option<&Cancel>) -> bool {
    cancel.is_some_and(Cancel::is_cancelled)
}

/// The greatest length of an input in memory. The rest up to the largest number is for sums with the
/// length of an input.
const MOST: u64 = (usize::MAX - (1 << 20)) as u64;

/// Returns whether offsets can count the bytes of an input of this length.
pub(crate) fn can_be_counted(len: u64) -> bool {
    len <= MOST
}

/// Returns the error of an input that offsets cannot count.
pub(crate) fn too_long() -> io::Error {
    io::Error::new(
        ErrorKind::FileTooLarge,
        "the stream is too long for the offsets of this platform",
    )
}

/// A reader that fails when its scan is cancelled, or when it gives more than offsets can count.
pub(crate) struct Guarded<'c, R> {
    reader: R,
    cancel: Option<&'c Cancel>,
    /// Number of bytes that the reader may still give.
    left: u64,
}

impl<'c, R> Guarded<'c, R> {
    pub(crate) fn new(reader: R, cancel: Option<&'c Cancel>) -> Guarded<'c, R> {
        Guarded { reader, cancel, left: MOST }
    }
}

impl<R: Read> Read for Guarded<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if is_cancelled(self.cancel) {
            return Err(io::Error::other(CancelledRead));
        }
        let room = usize::try_from(self.left).unwrap_or(usize::MAX).min(to.len());
        if room == 0 && !to.is_empty() {
            // That it ends here is known when it is asked.
            return match self.reader.read(&mut to[..1])? {
                0 => Ok(0),
                _ => Err(too_long()),
            };
        }
        let read = self.reader.read(&mut to[..room])?;
        self.left -= read as u64;
        Ok(read)
    }
}

/// Error of a reader whose scan was cancelled. It never leaves the crate.
#[derive(Debug)]
struct CancelledRead;

impl fmt::Display for CancelledRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cancelled")
    }
}

impl Error for CancelledRead {}

/// Whether it failed for no other reason than that.
pub(crate) fn says_cancelled(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<CancelledRead>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], left: u64) -> (Vec<u8>, io::Result<usize>) {
        let mut all = Vec::new();
        let result = Guarded { reader: bytes, cancel: None, left }.read_to_end(&mut all);
        (all, result)
    }

    #[test]
    fn what_offsets_cannot_count_is_an_error_that_says_so() {
        for left in [0, 1, 2] {
            let (all, result) = read(b"abc", left);
            assert_eq!(all, &b"abc"[..left as usize]);
            assert_eq!(result.unwrap_err().kind(), ErrorKind::FileTooLarge);
        }
        for left in [3, 4, u64::MAX] {
            let (all, result) = read(b"abc", left);
            assert_eq!((all.as_slice(), result.unwrap()), (&b"abc"[..], 3));
        }
    }

    #[test]
    fn a_cancelled_reader_is_not_read() {
        let cancel = Cancel::new();
        let mut reader = Guarded::new(&b"abc"[..], Some(&cancel));
        let mut one = [0];
        assert_eq!(reader.read(&mut one).unwrap(), 1);
        cancel.cancel();
        assert!(says_cancelled(&reader.read(&mut one).unwrap_err()));
        assert_eq!(reader.reader, b"bc");
        assert!(!says_cancelled(&io::Error::other("cancelled")));
    }
}
