//! Frames that begin with a record of a crawl, wherever they are.

use std::io;

use super::super::lookahead::Lookahead;
use super::{FrameFormat, FrameStart};
use crate::detect::is_warc;

/// Bytes that show whether a record of a crawl begins.
pub(super) const MAGIC: usize = 7;
/// Bytes of a possible frame that are examined.
pub(super) const PROBED: usize = 4 << 10;

/// Advances to the next frame before an offset that begins with a record; returns `false` without one.
pub(super) fn next_record<F: FrameFormat>(
    format: &mut F,
    feed: &mut dyn Lookahead,
    until: u64,
) -> io::Result<bool> {
    loop {
        let at = feed.at();
        if at >= until {
            return Ok(false);
        }
        let held = feed.look(64 << 10)?;
        let len = held.len();
        let found = memchr::memmem::find_iter(held, F::MAGIC).find(|at| probed(held, *at, format));
        if let Some(found) = found {
            feed.consume(found);
            return Ok(at + (found as u64) < until);
        }
        // The examined bytes of a frame may cross the end of the block.
        let step = if len < 64 << 10 { len } else { len - PROBED };
        feed.consume(step);
        if len < 64 << 10 {
            return Ok(false);
        }
    }
}

/// Whether a frame with a record begins at index `at`. At most [`PROBED`] bytes are examined, so that the answer does not depend on
/// how many are available.
pub(super) fn probed<F: FrameFormat>(held: &[u8], at: usize, format: &mut F) -> bool {
    let mut input = CountedBytes(&held[at..held.len().min(at + PROBED)], 0);
    if !matches!(format.begin(&mut input, 1), Ok(FrameStart::Frame)) {
        return false;
    }
    let (mut start, mut given) = ([0; MAGIC], 0);
    while given < MAGIC {
        let stepped = format.step(input.0, false, &mut start[given..]);
        given += stepped.given;
        input.consume(stepped.taken);
        if stepped.refusal.is_some() || stepped.is_end {
            break;
        }
        if stepped.given == 0 && stepped.taken == 0 {
            // The first block is longer.
            return given == 0 && F::IS_SURE;
        }
    }
    is_warc(&start[..given])
}

/// Bytes in memory, and the number of bytes before them.
struct CountedBytes<'b>(&'b [u8], u64);

impl Lookahead for CountedBytes<'_> {
    fn fill(&mut self) -> io::Result<&[u8]> {
        Ok(self.0)
    }

    fn look(&mut self, _: usize) -> io::Result<&[u8]> {
        Ok(self.0)
    }

    fn consume(&mut self, len: usize) {
        let len = len.min(self.0.len());
        (self.0, self.1) = (&self.0[len..], self.1 + len as u64);
    }

    fn at(&self) -> u64 {
        self.1
    }

    fn keep(&mut self, _: Option<u64>) {}

    fn go_back(&mut self, _: u64) {}
}

/// Whether a stream of members of gzip begins with a record of WARC.
pub(in super::super) fn begins_with_record(head: &[u8]) -> bool {
    probed(head, 0, &mut super::gzip::Gzip::new())
}

/// Advances to the first gzip member before an offset that begins with a record; returns `false` without one.
pub(in super::super) fn seek_record(feed: &mut dyn Lookahead, until: u64) -> io::Result<bool> {
    next_record(&mut super::gzip::Gzip::new(), feed, until)
}
