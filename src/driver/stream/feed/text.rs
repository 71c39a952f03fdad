//! Running text and markup that are fed, and binary data that are searched.

use std::io;
use std::ops::ControlFlow;

use super::super::amended;
use super::super::blocks::{Advanced, Blocks, Pages};
use super::super::early::{is_reported, searched_from};
use super::arrival::Arrival;
use super::found::FoundEvents;
use super::point::{NotedPoints, PointState};
use crate::charset::Detected;
use crate::detect::LateBinary;
use crate::detect::document::{Detection, Disposition, Hints};
use crate::document::finder::FinderHandle;
use crate::input::pause::pause;
use crate::input::sliding_buffer::SlidingBuffer;
use crate::link::Judged;
use crate::notice::{FailedScan, Notice, Scanned};

/// Number of bytes that wait to be scanned together: a scan of each single byte would look at the bytes before it again.
const TOGETHER: usize = 1 << 10;

/// A document of running text or markup, or binary data that is searched.
pub(super) struct FedText {
    blocks: Blocks<'static>,
    hints: Box<Hints>,
    held: SlidingBuffer,
    /// Number of bytes that were added and not scanned.
    waiting: usize,
    check: LateBinary,
    /// Offset from which it is binary data, of which only some links are reported.
    binary_from: Option<usize>,
    /// Result of the text before the binary data that follow it.
    text: Option<Result<Scanned, FailedScan>>,
    told: Option<Notice>,
}

impl FedText {
    pub(super) fn new(
        finder: &FinderHandle<'static>,
        (hints, binary_from): (Box<Hints>, Option<usize>),
        found: &Detection,
        told: Option<Notice>,
    ) -> FedText {
        let check = LateBinary::new(found);
        let mut held = SlidingBuffer::default();
        let blocks = Blocks::new(finder, (&hints, found), Pages::AsTheyCome, &mut held);
        FedText { blocks, hints, held, waiting: 0, check, binary_from, text: None, told }
    }

    /// Continues where another scan was.
    pub(super) fn resumed(
        finder: &FinderHandle<'static>,
        hints: Box<Hints>,
        at: (&Detected, &PointState),
    ) -> FedText {
        let check = LateBinary::new(&Detection::known(Disposition::Text));
        let mut held = SlidingBuffer::default();
        let blocks = Blocks::resumed(finder, &hints, at, &mut held);
        FedText {
            blocks,
            hints,
            held,
            waiting: 0,
            check,
            binary_from: None,
            text: None,
            told: None,
        }
    }

    /// Returns how the encoding of the document is known, when it is.
    pub(super) fn detected(&self) -> Option<&Detected> {
        self.blocks.detected().filter(|_| self.text.is_none())
    }

    /// Returns `true` once it is sure that the text is none of binary data.
    fn is_sure(&self) -> bool {
        self.binary_from.is_none() && self.told.is_none() && self.check.is_done()
    }

    pub(super) fn take(
        &mut self,
        finder: &FinderHandle<'static>,
        arrival: Arrival<'_>,
        found: &mut FoundEvents,
        noted: &mut NotedPoints,
    ) -> Advanced {
        match arrival {
            Arrival::Bytes(bytes) => {
                let text = self.check.text_len(bytes, &self.hints);
                if self.add(&bytes[..text], found, noted) == Advanced::Done {
                    return Advanced::Done;
                }
                match self.check.take_binary() {
                    None => Advanced::NeedMore,
                    Some((from, all)) => self.turn_binary(finder, from, &all, found, noted),
                }
            }
            Arrival::Pause => {
                self.blocks.read(&mut self.held, &mut Paused);
                self.scan(found, noted)
            }
            Arrival::End => {
                self.blocks.read(&mut self.held, &mut io::empty());
                self.scan(found, noted)
            }
        }
    }

    /// Adds bytes, and scans them when there are enough.
    fn add(
        &mut self,
        mut bytes: &[u8],
        found: &mut FoundEvents,
        noted: &mut NotedPoints,
    ) -> Advanced {
        while !bytes.is_empty() {
            let before = bytes.len();
            self.blocks.read(&mut self.held, &mut bytes);
            self.waiting += before - bytes.len();
            let is_full = self.held.room() == 0;
            if (is_full || self.waiting >= TOGETHER) && self.scan(found, noted) == Advanced::Done {
                return Advanced::Done;
            }
        }
        Advanced::NeedMore
    }

    fn scan(&mut self, found: &mut FoundEvents, noted: &mut NotedPoints) -> Advanced {
        self.waiting = 0;
        let binary_from = self.binary_from;
        let noted = self.is_sure().then_some((noted, found.count));
        self.blocks.advance(
            &self.held,
            &self.hints,
            &mut |mut judged: Judged<'_>| match is_reported(&mut judged, binary_from) {
                true => found.add(judged),
                false => ControlFlow::Continue(()),
            },
            noted,
        )
    }

    /// Ends the text, and scans the bytes again from the beginning, as binary data.
    fn turn_binary(
        &mut self,
        finder: &FinderHandle<'static>,
        from: usize,
        all: &[u8],
        found: &mut FoundEvents,
        noted: &mut NotedPoints,
    ) -> Advanced {
        noted.end();
        self.blocks.read(&mut self.held, &mut io::empty());
        self.scan(found, noted);
        self.binary_from = Some(searched_from(from, &self.hints));
        *self.hints = self.hints.of_binary();
        let about = (&*self.hints, &Detection::known(Disposition::Binary));
        let blocks = Blocks::new(finder, about, Pages::AsTheyCome, &mut self.held);
        self.text = Some(std::mem::replace(&mut self.blocks, blocks).finish());
        self.add(all, found, noted)
    }

    pub(super) fn finish(self) -> Result<Scanned, FailedScan> {
        let FedText { blocks, text, told, .. } = self;
        let turned = text.is_some().then_some(Notice::LateBinary);
        let done = match text {
            None => blocks.finish(),
            Some(Err(error)) => Err(error),
            Some(Ok(text)) => late_after(text, blocks.finish()),
        };
        amended(done, |scanned| scanned.notices.splice(0..0, told.or(turned)).for_each(drop))
    }
}

/// Returns the totals of a stream that is text first and binary data from some offset on.
pub(in super::super) fn late_after(
    text: Scanned,
    late: Result<Scanned, FailedScan>,
) -> Result<Scanned, FailedScan> {
    amended(late, |scanned| {
        scanned.detected = text.detected;
        scanned.notices.retain(|notice| !text.notices.contains(notice));
        scanned.notices.splice(0..0, text.notices);
    })
}

/// Reader that has nothing for now.
struct Paused;

impl io::Read for Paused {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(pause())
    }
}
