//! Open inputs: a file, a device, standard input; whether reading them blocks, and when they pause.
//!
//! On Unix `poll` says whether there is something to read. Elsewhere nothing does, and no input pauses.

use std::fs::File;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::container::{FileSource, Source};
use crate::input::pause::pause;

/// An open input.
pub(super) enum InputHandle {
    /// A file, its length when it was opened, the offset of the next read, and whether the last read reached the end.
    File {
        stored: Arc<FileSource>,
        len: u64,
        at: u64,
        is_at_end: bool,
    },
    Live(PausingReader<File>),
    Stdin(PausingReader<Stdin>),
}

impl InputHandle {
    /// Returns the file, if it can be read at any offset.
    pub(super) fn file(file: File) -> io::Result<InputHandle> {
        let stored = Arc::new(FileSource::new(file));
        let len = stored.len_now()?;
        Ok(InputHandle::File { stored, len, at: 0, is_at_end: false })
    }

    /// Returns the bytes and the length, if they can be read at any offset.
    pub(super) fn source(&self) -> (Option<Arc<dyn Source>>, Option<u64>) {
        match self {
            InputHandle::File { stored, len, .. } => {
                (Some(Arc::clone(stored) as Arc<dyn Source>), Some(*len))
            }
            _ => (None, None),
        }
    }

    /// Creates the handle of a file whose bytes arrive over time, such as a pipe.
    pub(super) fn live(file: File) -> InputHandle {
        InputHandle::Live(PausingReader::new(file))
    }

    pub(super) fn stdin() -> InputHandle {
        InputHandle::Stdin(PausingReader::new(Stdin::lock()))
    }
}

impl Read for InputHandle {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self {
            InputHandle::File { is_at_end: true, .. } => Ok(0),
            InputHandle::File { stored, len, at, is_at_end } => {
                let read = Source::read_at(&**stored, *at, to)?;
                *at += read as u64;
                // Fewer bytes than requested, up to the length: another read would take as long as reading a small
                // file.
                *is_at_end = read > 0 && read < to.len() && at == len;
                // Some that the system makes up say that they are longer than they are, and go on to.
                if read == 0 && !to.is_empty() && at < len && stored.len_now()? < *len {
                    let why = "the file was truncated while it was read";
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, why));
                }
                Ok(read)
            }
            InputHandle::Live(file) => file.read(to),
            InputHandle::Stdin(stdin) => stdin.read(to),
        }
    }
}

/// The first pause, and the longest one.
const PAUSE: Duration = Duration::from_micros(100);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// A reader or writer that waits if the inner one would block.
///
/// A process inherits its standard streams with their flags. If another program has set `O_NONBLOCK` on the same pipe or
/// terminal, a read without input fails with [`ErrorKind::WouldBlock`]; this wrapper tries again until there is some, at
/// least every 20 milliseconds. The flag itself is left alone, since it belongs to that program too.
/// [`scan`](crate::files::scan) reads standard input this way.
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

/// Time without bytes after which an input pauses.
const SILENCE: Duration = Duration::from_millis(200);
/// Size of a read that bypasses the buffer of standard input.
const PAST_BUFFER: usize = 16 << 10;

/// Input that reports whether a read would block for longer than a time.
pub(super) trait MayWait: Read {
    fn is_silent_for(&self, time: Duration) -> bool;
}

/// Reader that reports a pause before a read blocks for long, except before the first bytes.
pub(super) struct PausingReader<R> {
    reader: Blocking<R>,
    has_given: bool,
}

impl<R> PausingReader<R> {
    pub(super) fn new(reader: R) -> PausingReader<R> {
        PausingReader { reader: Blocking(reader), has_given: false }
    }
}

impl<R: MayWait> Read for PausingReader<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.has_given) && self.reader.0.is_silent_for(SILENCE) {
            return Err(pause());
        }
        let read = self.reader.read(to)?;
        self.has_given = read > 0;
        Ok(read)
    }
}

/// Standard input; the bytes that the process has buffered come first.
pub(super) struct Stdin {
    lock: io::StdinLock<'static>,
    is_ahead: bool,
}

impl Stdin {
    pub(super) fn lock() -> Stdin {
        Stdin { lock: io::stdin().lock(), is_ahead: false }
    }
}

impl Read for Stdin {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if to.len() >= PAST_BUFFER {
            self.is_ahead = false;
            return self.lock.read(to);
        }
        let held = self.lock.fill_buf()?;
        let read = held.len().min(to.len());
        to[..read].copy_from_slice(&held[..read]);
        self.is_ahead = read < held.len();
        self.lock.consume(read);
        Ok(read)
    }
}

impl MayWait for Stdin {
    fn is_silent_for(&self, time: Duration) -> bool {
        !self.is_ahead && is_silent_for(&self.lock, time)
    }
}

impl MayWait for File {
    fn is_silent_for(&self, time: Duration) -> bool {
        is_silent_for(self, time)
    }
}

/// Returns `true` if for this time there is nothing to read, no end and no error.
#[cfg(unix)]
fn is_silent_for(input: &impl std::os::fd::AsFd, time: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    let begin = std::time::Instant::now();
    loop {
        let Some(left) = time.checked_sub(begin.elapsed()) else { return true };
        let Ok(left) = Timespec::try_from(left) else { return false };
        match poll(&mut [PollFd::new(input, PollFlags::IN)], Some(&left)) {
            Ok(ready) => return ready == 0,
            Err(Errno::INTR) => {}
            // A handle that cannot be polled is read.
            Err(_) => return false,
        }
    }
}

#[cfg(not(unix))]
fn is_silent_for<R>(_: &R, _: Duration) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_shrinks_fails() {
        let path = std::env::temp_dir().join(format!("linksift-shrinks-{}", std::process::id()));
        std::fs::write(&path, "see http://example.com/ and").unwrap();
        let mut opened = InputHandle::file(File::open(&path).unwrap()).unwrap();
        let mut bytes = [0; 10];
        assert_eq!(opened.read(&mut bytes).unwrap(), 10);
        File::options().write(true).open(&path).unwrap().set_len(10).unwrap();
        let error = opened.read(&mut bytes).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        std::fs::remove_file(&path).unwrap();
    }
}
