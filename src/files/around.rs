//! What is around links: the last bytes that were read of a document are kept, and links wait until there are enough of
//! them after each.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::path::Path;

use crate::event::{Event, Surroundings};
use crate::link::Judged;

/// So far a scan may have read past a link when it tells of it; a part of a message is decoded whole.
const LAG: usize = 8 << 20;

/// The last bytes of a document that were read.
pub(super) struct Recent {
    bytes: Vec<u8>,
    /// Where in the document they begin.
    start: usize,
    /// So many are wanted on either side of a link.
    reach: usize,
}

impl Recent {
    pub(super) fn new(reach: usize) -> Recent {
        Recent { bytes: Vec::new(), start: 0, reach }
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

/// A reader whose bytes are kept.
pub(super) struct Kept<'k> {
    pub(super) reader: &'k mut dyn Read,
    pub(super) recent: &'k RefCell<Recent>,
}

impl Read for Kept<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(to)?;
        self.recent.borrow_mut().push(&to[..len]);
        Ok(len)
    }
}

/// Links and rejected candidates that wait for what is after them, in order.
pub(super) struct Waiting<'k> {
    recent: &'k RefCell<Recent>,
    list: VecDeque<Judged<'static>>,
}

impl<'k> Waiting<'k> {
    pub(super) fn new(recent: &'k RefCell<Recent>) -> Waiting<'k> {
        Waiting { recent, list: VecDeque::new() }
    }

    pub(super) fn push(&mut self, judged: Judged<'_>) {
        self.list.push_back(match judged {
            Ok(link) => Ok(link.into_owned()),
            Err(rejected) => Err(rejected.into_owned()),
        });
    }

    /// Hands out those that have enough after them.
    pub(super) fn hand_out_whole(
        &mut self,
        path: &Path,
        emit: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let recent = self.recent.borrow();
        let read = recent.start + recent.bytes.len();
        let is_whole = |judged: &Judged<'_>| range(judged).end + recent.reach <= read;
        while self.list.front().is_some_and(is_whole) {
            let Some(judged) = self.list.pop_front() else { break };
            emit(told(&recent, path, judged))?;
        }
        ControlFlow::Continue(())
    }

    /// Hands out all of them: the document ends, or something else comes.
    pub(super) fn hand_out(
        &mut self,
        path: &Path,
        emit: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let recent = self.recent.borrow();
        self.list.drain(..).try_for_each(|judged| emit(told(&recent, path, judged)))
    }
}

fn range(judged: &Judged<'_>) -> Range<usize> {
    match judged {
        Ok(link) => link.range(),
        Err(rejected) => rejected.range(),
    }
}

fn told<'e>(recent: &'e Recent, path: &'e Path, judged: Judged<'static>) -> Event<'e> {
    let around = recent.around(range(&judged));
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
        let mut recent = Recent::new(4);
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
        let mut recent = Recent::new(4);
        for _ in 0..40 {
            recent.push(&[b'a'; 1 << 20]);
            assert!(recent.bytes.len() <= 2 * LAG);
        }
        assert!(recent.around(100..110).is_none());
        assert!(recent.around((40 << 20) - 100..(40 << 20) - 90).is_some());
    }
}
