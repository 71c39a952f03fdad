//! Silence: pipes, sockets and terminals that give nothing for a while pause.
//!
//! On Unix `poll` says whether there is something to read. Elsewhere nothing does, and no input pauses.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::time::Duration;

use super::Blocking;
use crate::input::pause::pause;

/// How long an input gives nothing until it pauses.
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

/// Standard input; what the process has read ahead of it comes first.
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

/// Whether there is nothing to read, nor an end or an error to be met, for so long.
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
            // Who cannot be asked is read.
            Err(_) => return false,
        }
    }
}

#[cfg(not(unix))]
fn is_silent_for<R>(_: &R, _: Duration) -> bool {
    false
}
