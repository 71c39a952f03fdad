//! Readers and writers that may be non-blocking, such as a standard stream that another program shares.

use std::io::{self, ErrorKind, Read, Write};
use std::thread;
use std::time::Duration;

/// The first pause, and the longest one.
const PAUSE: Duration = Duration::from_micros(100);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// A reader or writer that waits where the inner one would block.
///
/// A process inherits its standard streams with their flags. If another program has set `O_NONBLOCK` on the same pipe or
/// terminal, a read without input fails with [`ErrorKind::WouldBlock`]; this wrapper tries again until there is some, at
/// least every 20 milliseconds. The flag itself is left alone, since it belongs to that program too.
/// [`sift`](crate::files::sift) reads standard input this way.
///
/// ```
/// use linksift::files::Blocking;
/// use std::io::{self, Read};
///
/// struct Slow(bool);
///
/// impl Read for Slow {
///     fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
///         match std::mem::replace(&mut self.0, true) {
///             true => b"x".as_slice().read(to),
///             false => Err(io::ErrorKind::WouldBlock.into()),
///         }
///     }
/// }
///
/// let mut byte = [0];
/// Blocking(Slow(false)).read_exact(&mut byte)?;
/// assert_eq!(&byte, b"x");
/// # Ok::<(), io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Blocking<T>(pub T);

impl<T> Blocking<T> {
    /// Does something until it no longer would block.
    fn wait<R>(&mut self, mut work: impl FnMut(&mut T) -> io::Result<R>) -> io::Result<R> {
        let mut pause = PAUSE;
        loop {
            match work(&mut self.0) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    thread::sleep(pause);
                    pause = LONGEST_PAUSE.min(pause * 2);
                }
                done => return done,
            }
        }
    }
}

impl<R: Read> Read for Blocking<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.wait(|inner| inner.read(to))
    }
}

impl<W: Write> Write for Blocking<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.wait(|inner| inner.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.wait(Write::flush)
    }
}
