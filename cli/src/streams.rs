//! The standard streams. Each of them may be non-blocking, since it can be shared with a program that has made it so: reads
//! and writes wait.
//!
//! The start of the process detects whether standard output is open. If a program is started with a closed standard output
//! (`>&-`), Rust opens `/dev/null` in its place before `main`: all writes succeed, and every link is lost. Only before that
//! can a closed standard output be detected, since it then looks like a `/dev/null` that the user chose.

use std::fs::File;
use std::io::{self, Stderr, StdinLock, StdoutLock, Write};

use linksift::files::Blocking;

/// Locked until the end of the process, so that nothing else writes there.
pub(crate) struct Stdout(Blocking<StdoutLock<'static>>);

impl Stdout {
    pub(crate) fn lock() -> Stdout {
        Stdout(Blocking(io::stdout().lock()))
    }
}

/// Returns standard input.
pub(crate) fn stdin() -> Blocking<StdinLock<'static>> {
    Blocking(io::stdin().lock())
}

/// Returns standard error.
pub(crate) fn stderr() -> Blocking<Stderr> {
    Blocking(io::stderr())
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns `true` if another program reads standard output through a pipe.
pub(crate) fn stdout_is_pipe() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = stdout_file().and_then(|file| Some(file.metadata().ok()?.file_type()));
        kind.is_some_and(|kind| kind.is_fifo() || kind.is_socket())
    }
    #[cfg(not(unix))]
    false
}

/// Returns standard input as a file, if the system can.
pub(crate) fn stdin_file() -> Option<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        io::stdin().as_fd().try_clone_to_owned().ok().map(File::from)
    }
    #[cfg(not(unix))]
    None
}

/// Returns standard output as a file, if the system can.
pub(crate) fn stdout_file() -> Option<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        io::stdout().as_fd().try_clone_to_owned().ok().map(File::from)
    }
    #[cfg(not(unix))]
    None
}

/// Fails if standard output was closed when the process began.
///
/// # Errors
///
/// Returns the error of a write to a closed file.
pub(crate) fn check() -> io::Result<()> {
    #[cfg(unix)]
    if start::WAS_CLOSED.load(std::sync::atomic::Ordering::Relaxed) {
        return Err(io::Error::from_raw_os_error(start::EBADF));
    }
    Ok(())
}

#[cfg(unix)]
mod start {
    use std::os::fd::AsFd;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// "Bad file descriptor", with the same number on every Unix.
    pub(super) const EBADF: i32 = 9;

    pub(super) static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

    /// Runs before Rust's own start. It duplicates the descriptor, which fails if that is closed; this needs no part of the
    /// standard library that is not initialised yet.
    #[ctor::ctor(unsafe)]
    fn look() {
        let copy = std::io::stdout().as_fd().try_clone_to_owned();
        let is_closed = copy.is_err_and(|error| error.raw_os_error() == Some(EBADF));
        WAS_CLOSED.store(is_closed, Ordering::Relaxed);
    }
}
