//! Bytes around links: keeps the last bytes of a document, and holds links back until enough bytes follow each.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::path::Path;

use crate::event::{Event, Surroundings};
use crate::link::{Judged, body, owned};

/// Bytes that a scan may have read past a link when it reports it; a part of a message is decoded as a whole.
const LAG: usize = 8 << 20;

/// The bytes of a document that were read last.
pub(super) struct RecentBytes {
    bytes: Vec<u8>,
    /// Where in the document they begin.
    start: usize,
    /// Number of bytes wanted on either side of a link.
    reach: usize,
}

impl RecentBytes {
    pub(super) fn new(reach: usize) -> RecentBytes {
        RecentBytes { bytes: Vec::new(), start: 0, reach }
    }

    fn push(&mut self, read: &[u8]) {
        let most = LAG.max(2 * self.reach);
        if self.bytes.len() + read.len() > 2 * most {
            let gone = self.bytes.len().saturating_sub(most);
            self.bytes.drain(..gone);
            self.start += gone;
        }
        self.bytes.extend_from_slice(read);
    }

    fn around(&self, link: Range<usize>) -> Option<Surroundings<'_>> {
        let (from, end) = (link.start.checked_sub(self.start)?, link.end.checked_sub(self.start)?);
        let start = from.saturating_sub(self.reach);
        let before = self.bytes.get(start..from)?;
        let after = self.bytes.get(end..)?;
        let after = &after[..after.len().min(self.reach)];
        Some(Surroundings { before, after, is_cut: self.start + start > 0 })
    }
}

/// Reader that keeps the bytes it passes on.
pub(super) struct RecordingReader<'k> {
    pub(super) reader: &'k mut dyn Read,
    pub(super) recent: &'k RefCell<RecentBytes>,
}

impl Read for RecordingReader<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(to)?;
        self.recent.borrow_mut().push(&to[..len]);
        Ok(len)
    }
}

/// Links and rejected candidates that wait for the bytes after them, in order.
pub(super) struct LinksAwaitingContext<'k> {
    recent: &'k RefCell<RecentBytes>,
    list: VecDeque<Judged<'static>>,
}

impl<'k> LinksAwaitingContext<'k> {
    pub(super) fn new(recent: &'k RefCell<RecentBytes>) -> LinksAwaitingContext<'k> {
        LinksAwaitingContext { recent, list: VecDeque::new() }
    }

    pub(super) fn push(&mut self, judged: Judged<'_>) {
        self.list.push_back(owned(judged));
    }

    /// Passes on those that have enough bytes after them.
    pub(super) fn hand_out_whole(
        &mut self,
        path: &Path,
        emit: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let recent = self.recent.borrow();
        let read = recent.start + recent.bytes.len();
        let is_whole = |judged: &Judged<'_>| body(judged).range.end + recent.reach <= read;
        while self.list.front().is_some_and(is_whole) {
            let Some(judged) = self.list.pop_front() else { break };
            emit(told(&recent, path, judged))?;
        }
        ControlFlow::Continue(())
    }

    /// Passes on all of them, at the end of the document and before other events.
    pub(super) fn hand_out(
        &mut self,
        path: &Path,
        emit: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let recent = self.recent.borrow();
        self.list.drain(..).try_for_each(|judged| emit(told(&recent, path, judged)))
    }
}

fn told<'e>(recent: &'e RecentBytes, path: &'e Path, judged: Judged<'static>) -> Event<'e> {
    let around = recent.around(body(&judged).range.clone());
    match judged {
        Ok(link) => Event::Link { path, link, around },
        Err(rejected) => Event::Rejected { path, rejected },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_around_is_cut_where_the_document_or_the_reach_ends() {
        let mut recent = RecentBytes::new(4);
        recent.push(b"0123456");
        recent.push(b"789");
        let around = |range| {
            let found = recent.around(range)?;
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Some((text(found.before), text(found.after), found.is_cut))
        };
        assert_eq!(around(5..6), Some(("1234".to_owned(), "6789".to_owned(), true)));
        assert_eq!(around(2..8), Some(("01".to_owned(), "89".to_owned(), false)));
        assert_eq!(around(4..10), Some(("0123".to_owned(), String::new(), false)));
        assert_eq!(around(9..11), None);
    }

    #[test]
    fn memory_is_bounded_and_what_is_gone_is_nowhere() {
        let mut recent = RecentBytes::new(4);
        for _ in 0..40 {
            recent.push(&[b'a'; 1 << 20]);
            assert!(recent.bytes.len() <= 2 * LAG);
        }
        assert!(recent.around(100..110).is_none());
        assert!(recent.around((40 << 20) - 100..(40 << 20) - 90).is_some());
    }
}
