//! Cuts: where a reader fails, and which links that touches.
//!
//! What came before a failure is scanned as if it were all that there is. A link may be cut there if
//! nothing follows it that ends it whatever came next.

use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind, Read};

use crate::event::Event;

/// So much of what was read last is kept. What follows a link for as long has ended it.
const TAIL: usize = 256;

/// What a reader came to so far.
#[derive(Debug, Default)]
pub(super) struct Watch {
    read: Cell<usize>,
    has_failed: Cell<bool>,
    /// The last bytes that it gave.
    tail: RefCell<Vec<u8>>,
}

impl Watch {
    /// Whether a candidate may be only a part of what was to be there.
    pub(super) fn is_cut(&self, event: &Event<'_>) -> bool {
        if !self.has_failed.get() {
            return false;
        }
        let (end, context, charset) = match event {
            Event::Link { link, .. } => (link.range().end, link.context(), link.charset()),
            Event::Rejected { rejected, .. } => {
                (rejected.range().end, rejected.context(), rejected.charset())
            }
            #[allow(unreachable_patterns, reason = "what is built in")]
            _ => return false,
        };
        let tail = self.tail.borrow();
        let after = self.read.get().saturating_sub(end);
        let Some(start) = tail.len().checked_sub(after) else { return false };
        let after = &tail[start..];
        let ends: &[u8] = match context {
            "text" => b"<>\"",
            _ => b"<>\"')",
        };
        let is_end = |byte: u8| byte <= b' ' || ends.contains(&byte);
        match charset {
            // Halves of other characters look the same.
            "utf-16le" | "utf-16be" => !after.chunks_exact(2).any(|unit| match unit {
                [0, byte] | [byte, 0] => is_end(*byte),
                _ => false,
            }),
            _ => !after.iter().any(|byte| is_end(*byte)),
        }
    }
}

/// A reader that is watched.
pub(super) struct Watched<'w, R> {
    reader: R,
    watch: &'w Watch,
}

impl<'w, R> Watched<'w, R> {
    pub(super) fn new(reader: R, watch: &'w Watch) -> Watched<'w, R> {
        Watched { reader, watch }
    }
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(to).inspect_err(|error| {
            if error.kind() != ErrorKind::Interrupted {
                self.watch.has_failed.set(true);
            }
        })?;
        self.watch.read.set(self.watch.read.get() + read);
        let mut tail = self.watch.tail.borrow_mut();
        if read < TAIL {
            let over = (tail.len() + read).saturating_sub(TAIL);
            tail.drain(..over);
            tail.extend_from_slice(&to[..read]);
        } else {
            tail.clear();
            tail.extend_from_slice(&to[read - TAIL..read]);
        }
        Ok(read)
    }
}

/// A failure that was met before, in the place where it was.
#[cfg(feature = "mail")]
pub(super) struct Failing(pub(super) Option<io::Error>);

#[cfg(feature = "mail")]
impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
