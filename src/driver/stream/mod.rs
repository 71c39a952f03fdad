//! Streams: input of any size through a bounded buffer.
//!
//! The input is a reader, the result is the links of the whole text. The buffer slides: bytes that the pass over the
//! document (`pass`) no longer needs are removed from its front.

#[cfg(feature = "archives")]
mod answer;
mod begin;
mod blocks;
pub(crate) mod cut;
mod early;
mod feed;
#[cfg(feature = "mail")]
mod mail;
mod whole;

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

#[cfg(not(feature = "mail"))]
pub(crate) use TextEvent as ScanEvent;
use begin::Beginning;
use blocks::{Advanced, Blocks, Pages};
use cut::{Failing, Watch, Watched};
use early::{Reconsidered, is_reported, searched_from};
use feed::late_after;
pub use feed::{Events, Feed, FeedPoint};

use super::plan::Plan;
use crate::detect::LateBinary;
use crate::detect::document::{Detection, Disposition, Hints};
#[cfg(not(feature = "mail"))]
use crate::document::attachment::Attachment;
use crate::document::finder::Finder;
use crate::event::Event;
#[cfg(feature = "mail")]
use crate::event::Part;
use crate::input::guard::{Guarded, is_cancelled};
use crate::input::pause::ShortReads;
use crate::input::sliding_buffer::SlidingBuffer;
use crate::link::Judged;
#[cfg(feature = "mail")]
use crate::mail::MessageBuffer;
#[cfg(feature = "mail")]
pub(crate) use crate::mail::ScanEvent;
use crate::notice::{FailedScan, Notice, ScanError, Scanned};

/// Number of bytes of memory that a thread keeps at most between two scans.
const KEPT: usize = 256 << 10;

thread_local! {
    /// Memory of the last scan of a reader. A program that scans the records of a crawl one by one would spend a tenth of its
    /// instructions on new memory.
    static MEMORY: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Buffer that the scans of a run share, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    held: SlidingBuffer,
}

impl Buffer {
    /// Creates an empty buffer; it grows when it is used.
    pub(crate) fn new() -> Buffer {
        Buffer::default()
    }

    /// Creates a buffer in the memory that the last scan of this thread left.
    fn of_thread() -> Buffer {
        let memory = MEMORY.try_with(Cell::take).unwrap_or_default();
        Buffer { held: SlidingBuffer::reusing(memory, 0) }
    }

    /// Leaves the memory to the next scan of this thread, unless it is large.
    fn give_back(mut self) {
        let memory = self.held.take_memory();
        if memory.len() <= KEPT {
            // A thread that ends keeps nothing.
            let _ = MEMORY.try_with(|kept| kept.set(memory));
        }
    }
}

/// Event of a scan without the feature `mail`.
#[cfg(not(feature = "mail"))]
pub(crate) enum TextEvent<'a> {
    Judged(Judged<'a>),
    Attachment(Attachment<'a>),
    Unread,
}

/// Converts the events of a scan to those for the caller. Attachments go only to callers that open them.
fn for_caller(
    mut each: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> impl FnMut(ScanEvent<'_>) -> ControlFlow<()> {
    move |event| match event {
        ScanEvent::Judged(judged) => each(Event::judged(Path::new(""), judged)),
        #[cfg(feature = "mail")]
        ScanEvent::Part(part) => each(Event::Part { part: Part(part) }),
        ScanEvent::Attachment(_) | ScanEvent::Unread => ControlFlow::Continue(()),
    }
}

/// Delivers the events of a scan to the receiver: no event after it is cancelled, and no candidate that a failure of
/// the reader may have cut.
struct Delivery<'h, F> {
    hints: &'h Hints,
    watch: &'h Watch,
    links: u64,
    emit: F,
}

impl<'h, F: FnMut(ScanEvent<'_>) -> ControlFlow<()>> Delivery<'h, F> {
    fn new(hints: &'h Hints, watch: &'h Watch, emit: F) -> Delivery<'h, F> {
        Delivery { hints, watch, links: 0, emit }
    }

    #[inline]
    fn give(&mut self, event: ScanEvent<'_>) -> ControlFlow<()> {
        if self.is_cancelled() {
            return ControlFlow::Break(());
        }
        match &event {
            ScanEvent::Judged(judged) if self.watch.is_cut(judged) => {
                return ControlFlow::Continue(());
            }
            ScanEvent::Judged(Ok(_)) => self.links += 1,
            _ => {}
        }
        (self.emit)(event)
    }

    fn is_cancelled(&self) -> bool {
        is_cancelled(self.hints.cancel.as_ref())
    }

    /// Adds to the totals of the scan.
    fn finish(self, done: Result<Scanned, FailedScan>) -> Result<Scanned, FailedScan> {
        amended(done, |scanned| {
            scanned.links = self.links;
            scanned.stopped |= self.is_cancelled();
        })
    }
}

impl Finder {
    /// Scans all bytes of `reader`, in bounded memory, and calls `emit` with each link and each rejected candidate, in
    /// order: those of running text as soon as they are decided, those of markup and data of up to 16 MiB when all of it is read. A
    /// program whose reader is slow sets [`Hints::eager`], or passes the bytes to a [`Feed`](crate::Feed). Offsets count from
    /// the reader's first byte. A thread keeps up to 256 KiB of memory for its next scan. The links are those of
    /// [`Finder::document`], with [few exceptions](crate::Feed#the-same-links-in-any-pieces).
    ///
    /// # Errors
    ///
    /// Returns the reader's error, after the bytes before it were scanned; a link at their very end may be cut and is
    /// omitted. Returns an error of the kind [`FileTooLarge`](io::ErrorKind::FileTooLarge), after the bytes before it,
    /// where offsets have 32 bits and the reader has more bytes than they can count; or [`ScanError::NotRead`] if the
    /// document is not read; then nothing was reported before. A caller that needs totals and notices also where its
    /// reader fails passes the bytes to a [`Feed`](crate::Feed), and calls [`finish`](crate::Feed::finish) then.
    ///
    /// ```
    /// use linksift::{Event, Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let mut found = Vec::new();
    /// let reader = "see http://example.com/ or example.org".as_bytes();
    /// Finder::new().scan_reader(reader, &Hints::new(), |event| {
    ///     if let Event::Link { link, .. } = event {
    ///         found.push(link.range());
    ///     }
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(found, [4..23, 27..38]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn scan_reader<R, F>(&self, reader: R, hints: &Hints, emit: F) -> Result<Scanned, ScanError>
    where
        R: Read,
        F: FnMut(Event<'_>) -> ControlFlow<()>,
    {
        let reader = ShortReads::new(reader, hints.eager);
        let mut buffer = Buffer::of_thread();
        let done = self.scan_events(&mut buffer, reader, hints, for_caller(emit));
        buffer.give_back();
        Ok(done?)
    }

    /// Scans like [`scan_reader`](Finder::scan_reader), in a buffer that outlives the scan, for callers that open attachments too.
    ///
    /// # Errors
    ///
    /// The errors are those of [`scan_reader`](Finder::scan_reader).
    pub(crate) fn scan_events<R, F>(
        &self,
        buffer: &mut Buffer,
        reader: R,
        hints: &Hints,
        emit: F,
    ) -> Result<Scanned, FailedScan>
    where
        R: Read,
        F: FnMut(ScanEvent<'_>) -> ControlFlow<()>,
    {
        let watch = Watch::default();
        let mut delivery = Delivery::new(hints, &watch, emit);
        let mut reader = Watched::new(Guarded::new(reader, hints.cancel.as_ref()), &watch);
        let (begun, found) = Beginning::read(&mut reader, hints);
        let mut reader = Failing(begun.failure).chain(reader);
        let (plan, told) = match Plan::of(&found, hints) {
            Ok(plan) => plan,
            Err(reason) => return delivery.finish(Err(Scanned::default().failed(reason.into()))),
        };
        let of_binary = match plan {
            #[cfg(feature = "mail")]
            Plan::Mail(kind) => {
                let memory = buffer.held.take_memory();
                let mut feed = MessageBuffer::stream(begun.bytes, &mut reader, memory);
                let give = &mut |event: ScanEvent<'_>| delivery.give(event);
                let done = self.scan_mail(&mut feed, hints, kind, give);
                buffer.held = SlidingBuffer::reusing(feed.take_memory(), 0);
                return delivery.finish(done);
            }
            Plan::Skipped => {
                let notices = told.into_iter().collect();
                return delivery.finish(Ok(Scanned { notices, ..Scanned::default() }));
            }
            Plan::Whole(disposition) => {
                let done =
                    self.scan_whole(begun.bytes, &mut reader, hints, disposition, &mut |event| {
                        delivery.give(event)
                    });
                return delivery.finish(done);
            }
            #[cfg(feature = "archives")]
            Plan::Answer => {
                let give = &mut |event: ScanEvent<'_>| delivery.give(event);
                let done = self.scan_answer(buffer, begun.bytes, &mut reader, hints, give);
                return delivery.finish(done);
            }
            Plan::Text => None,
            Plan::Binary(of_binary) => Some(of_binary),
        };
        let reader = begun.bytes.as_slice().chain(reader);
        let mut check = LateBinary::new(&found);
        let mut reader = Reconsidered::new(reader, &mut check, hints);
        let binary_from = of_binary.is_some().then_some(0);
        let mut each = |mut judged: Judged<'_>| match is_reported(&mut judged, binary_from) {
            true => delivery.give(ScanEvent::Judged(judged)),
            false => ControlFlow::Continue(()),
        };
        let mut done = self.scan_blocks(
            buffer,
            &mut reader,
            (of_binary.as_deref().unwrap_or(hints), &found),
            &mut each,
        );
        let mut turned = None;
        let reader = reader.into_inner();
        if let Some((from, head)) = check.take_binary() {
            let reader = io::Cursor::new(head).chain(reader);
            turned = Some(Notice::LateBinary);
            done = match done {
                Ok(text) if !text.stopped => {
                    let late = self.scan_late(buffer, (from, reader), hints, &mut each);
                    late_after(text, late)
                }
                other => other,
            };
        }
        delivery.finish(amended(done, |scanned| {
            scanned.notices.splice(0..0, told.or(turned));
        }))
    }

    /// Scans the bytes of a stream that is binary from an offset on.
    fn scan_late<F>(
        &self,
        buffer: &mut Buffer,
        (from, reader): (usize, impl Read),
        hints: &Hints,
        emit: &mut F,
    ) -> Result<Scanned, FailedScan>
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        let from = Some(searched_from(from, hints));
        let hints = &hints.of_binary();
        let found = &Detection::known(Disposition::Binary);
        self.scan_blocks(buffer, reader, (hints, found), &mut |mut judged| match is_reported(
            &mut judged,
            from,
        ) {
            true => emit(judged),
            false => ControlFlow::Continue(()),
        })
    }

    fn scan_blocks<R, F>(
        &self,
        buffer: &mut Buffer,
        mut reader: R,
        (hints, found): (&Hints, &Detection),
        emit: &mut F,
    ) -> Result<Scanned, FailedScan>
    where
        R: Read,
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        let held = &mut buffer.held;
        let mut blocks = Blocks::new(&self.into(), (hints, found), Pages::Together, held);
        loop {
            blocks.read(held, &mut reader);
            if blocks.advance(held, hints, emit, None) == Advanced::Done {
                return blocks.finish();
            }
        }
    }
}

/// Adds to the totals of a scan, whether it failed or not.
pub(crate) fn amended(
    done: Result<Scanned, FailedScan>,
    amend: impl FnOnce(&mut Scanned),
) -> Result<Scanned, FailedScan> {
    match done {
        Ok(mut scanned) => {
            amend(&mut scanned);
            Ok(scanned)
        }
        Err(mut failed) => {
            amend(&mut failed.scanned);
            Err(failed)
        }
    }
}
