//! Messages and mailboxes that are fed.

use std::ops::ControlFlow;

use super::found::FoundEvents;
use crate::detect::document::{Alternatives, Hints};
use crate::detect::mail::MailKind;
use crate::document::finder::FinderHandle;
use crate::input::sliding_buffer::SlidingBuffer;
use crate::mail::{MailNeed, MailScanner, MessageBuffer};
use crate::notice::Scanned;

/// Number of bytes with which the next step never lacks any: a leaf that is scanned as a whole, its header, and what is
/// read ahead.
const SURE: u64 = 3 * crate::limits::WHOLE as u64;
/// Number of further bytes for which a step is tried again at least.
const AGAIN: u64 = 4 << 10;
/// Number of bytes that are no longer needed and still kept, so that the others are moved rarely.
const KEPT: u64 = 256 << 10;

/// A message or a mailbox, scanned part by part.
///
/// A step of the scanner that lacks bytes is taken back, and tried again when twice as many have come.
pub(super) struct FedMail {
    scanner: MailScanner<'static>,
    held: SlidingBuffer,
    /// Offset up to which bytes have to come before the next step is tried.
    next: u64,
    /// Whether a step that lacks bytes can be taken back; not while a copy of the scanner has all links of alternatives.
    takes_back: bool,
    is_done: bool,
}

impl FedMail {
    pub(super) fn new(finder: &FinderHandle<'static>, hints: &Hints, kind: MailKind) -> FedMail {
        FedMail {
            scanner: MailScanner::new(finder, hints, kind),
            held: SlidingBuffer::default(),
            next: 0,
            takes_back: hints.mail.alternatives != Alternatives::Best,
            is_done: false,
        }
    }

    /// Adds bytes, and scans the parts that are complete.
    pub(super) fn add(&mut self, mut bytes: &[u8], found: &mut FoundEvents) {
        while !bytes.is_empty() {
            self.held.make_room(bytes.len());
            // Bytes in memory are read without an error.
            let _ = self.held.read(&mut bytes, usize::MAX);
        }
        self.scan(found);
    }

    /// Scans the rest; returns the totals.
    pub(super) fn end(&mut self, found: &mut FoundEvents) -> Scanned {
        self.held.make_room(1);
        let _ = self.held.read(&mut std::io::empty(), 1);
        self.next = 0;
        self.scan(found);
        self.scanner.totals(self.held.read_to(), found.is_cancelled())
    }

    fn scan(&mut self, found: &mut FoundEvents) {
        while !self.is_done && self.held.read_to() >= self.next && self.step(found) {}
    }

    /// Advances by one step; returns `false` if the next one needs more bytes.
    fn step(&mut self, found: &mut FoundEvents) -> bool {
        let (from, to) = (self.scanner.needed() as u64, self.held.read_to());
        let is_sure = self.held.is_last() || to.saturating_sub(from) >= SURE;
        if !self.takes_back && !is_sure {
            self.next = from + SURE;
            return false;
        }
        let may_lack = !is_sure && !self.scanner.is_in_long_leaf();
        let saved = may_lack.then(|| self.scanner.saved());
        let mark = found.mark();
        let mut feed = MessageBuffer::fed(&self.held);
        let flow = self.scanner.step(&mut feed, &mut |event| found.add_event(event));
        let need = feed.need();
        if let (MailNeed::Starved, Some(saved)) = (need, saved) {
            found.remove_after(mark);
            self.scanner = saved;
            self.next = to + to.saturating_sub(from).max(AGAIN);
            return false;
        }
        self.is_done = flow != ControlFlow::Continue(true);
        let (needed, chunk) = (self.scanner.needed(), self.held.chunk());
        if chunk.index(needed) as u64 >= KEPT {
            self.scanner.count_lines(chunk);
            self.held.drop_before(needed as u64);
        }
        if need == MailNeed::More {
            self.next = to + KEPT;
        }
        need != MailNeed::More
    }
}
