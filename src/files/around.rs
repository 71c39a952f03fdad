//! Bytes around links: keeps the last bytes of a document, and holds links back until enough bytes follow each. They are
//! held as owned events, which also go from the scanning threads to the caller's.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::mem;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use super::{Batch, ResumePoint};
use crate::container::Member;
use crate::event::{Event, Surroundings};
use crate::link::{Judged, Link, Rejected, body, has_object, owned};
use crate::notice::{Notice, ScanError, Scanned};

/// Bytes that a scan may have read past a link when it reports it; a part of a message is decoded as a whole.
const LAG: usize = 8 << 20;

/// Last bytes of a document that were read.
pub(super) struct RecentBytes {
    bytes: Vec<u8>,
    /// Offset of their start in the document.
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
        let stored = (self.start + start, &self.bytes[start..end + after.len()]);
        Some(Surroundings { before, after, is_cut: self.start + start > 0, stored })
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
    // The range of a link with an object does not count in the bytes that were read.
    let range = (!has_object(&judged)).then(|| body(&judged).range.clone());
    let around = range.and_then(|range| recent.around(range));
    match judged {
        Ok(link) => Event::Link { path, link, surroundings: around },
        Err(rejected) => Event::Rejected { path, rejected },
    }
}

/// Owned events of one or several inputs.
#[derive(Debug, Default)]
pub(super) struct OwnedEvents {
    events: Vec<OwnedEvent>,
    size: usize,
    /// Input of the last event.
    path: PathBuf,
    /// Index of the bytes around the last links, if no other document has begun since.
    stored: Option<usize>,
}

/// Bytes of a document, from an offset on, around links that follow each other.
#[derive(Debug, Default)]
struct StoredBytes {
    start: usize,
    bytes: Vec<u8>,
}

impl StoredBytes {
    /// Adds the bytes that are missing, if these begin among those that are there or right after them; returns how many.
    fn extend(&mut self, start: usize, bytes: &[u8]) -> Option<usize> {
        let at = start.checked_sub(self.start).filter(|at| *at <= self.bytes.len())?;
        let missing = bytes.get(self.bytes.len() - at..).unwrap_or_default();
        self.bytes.extend_from_slice(missing);
        Some(missing.len())
    }

    fn around(&self, place: &SharedPlace) -> Option<Surroundings<'_>> {
        let SharedPlace { all, link, is_cut } = place;
        let offset = |at: usize| at.checked_sub(self.start);
        let (start, end) = (offset(all.start)?, offset(all.end)?);
        let before = self.bytes.get(start..offset(link.start)?)?;
        let after = self.bytes.get(offset(link.end)?..end)?;
        let stored = (all.start, self.bytes.get(start..end)?);
        Some(Surroundings { before, after, is_cut: *is_cut, stored })
    }
}

/// Where the bytes around a link are in its document, and in those that it shares with other links.
#[derive(Debug)]
struct SharedPlace {
    all: Range<usize>,
    link: Range<usize>,
    is_cut: bool,
}

#[derive(Debug)]
enum OwnedEvent {
    /// The events that follow are of this input.
    Path(PathBuf),
    /// The links that follow lie among these bytes.
    Stored(StoredBytes),
    Link(Link<'static>, Option<Box<SharedPlace>>),
    Rejected(Rejected<'static>),
    Failed(Member, ScanError),
    Noticed(Member, Option<Box<str>>, Notice),
    DocumentEnd(Member, Scanned),
    Checkpoint(ResumePoint),
    InputEnd {
        links: u64,
        failed: bool,
        stored: u64,
    },
}

impl OwnedEvents {
    pub(super) fn keep(event: Event<'_>, batch: &mut OwnedEvents) {
        let mut found = None;
        let (path, mut kept, text) = match event {
            Event::Link { path, link, surroundings: around } => {
                let text = link.raw().len();
                found = around;
                (path, OwnedEvent::Link(link.into_owned(), None), text)
            }
            Event::Rejected { path, rejected } => {
                let text = rejected.raw().len();
                (path, OwnedEvent::Rejected(rejected.into_owned()), text)
            }
            Event::Failed { path, member, error } => {
                (path, OwnedEvent::Failed(member.clone(), error), member.as_str().len())
            }
            Event::Noticed { path, member, part, notice } => {
                let text = member.as_str().len() + part.map_or(0, str::len);
                (path, OwnedEvent::Noticed(member.clone(), part.map(Into::into), notice), text)
            }
            Event::DocumentEnd { path, member, scanned } => {
                (path, OwnedEvent::DocumentEnd(member.clone(), scanned), member.as_str().len())
            }
            Event::Checkpoint { path, point } => (path, OwnedEvent::Checkpoint(point), 0),
            // Parts of mail are events only for callers that scan a message.
            #[cfg(feature = "mail")]
            Event::Part { .. } => return,
            Event::InputEnd { path, links, failed, stored } => {
                (path, OwnedEvent::InputEnd { links, failed, stored }, 0)
            }
        };
        if !matches!(kept, OwnedEvent::Link(..) | OwnedEvent::Rejected(_)) {
            // Another document may follow.
            batch.stored = None;
        }
        if batch.events.is_empty() || batch.path != path {
            batch.path = path.to_owned();
            batch.size += path.as_os_str().len();
            batch.events.push(OwnedEvent::Path(path.to_owned()));
        }
        if let (OwnedEvent::Link(_, place), Some(around)) = (&mut kept, found) {
            *place = Some(Box::new(batch.share(&around)));
        }
        // What a link allocates beside its text is about as much again.
        batch.size += mem::size_of::<OwnedEvent>() + 2 * text;
        batch.events.push(kept);
    }

    /// Keeps the bytes around a link, together with those of the links before it.
    fn share(&mut self, around: &Surroundings<'_>) -> SharedPlace {
        let (start, bytes) = around.stored;
        let before = start + around.before.len();
        let (all, end) = (start..start + bytes.len(), start + bytes.len() - around.after.len());
        let last = self.stored.and_then(|at| self.events.get_mut(at));
        let added = match last {
            Some(OwnedEvent::Stored(stored)) => stored.extend(start, bytes),
            _ => None,
        };
        self.size += added.unwrap_or_else(|| {
            self.stored = Some(self.events.len());
            self.events.push(OwnedEvent::Stored(StoredBytes { start, bytes: bytes.to_vec() }));
            bytes.len()
        });
        SharedPlace { all, link: before..end, is_cut: around.is_cut }
    }

    pub(super) fn hand_out(
        &mut self,
        current: &mut PathBuf,
        each: &mut impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        (self.size, self.stored) = (0, None);
        let mut stored = StoredBytes::default();
        for kept in self.events.drain(..) {
            let path = &*current;
            // What the event borrows.
            let (of, of_part);
            let event = match kept {
                OwnedEvent::Path(path) => {
                    *current = path;
                    continue;
                }
                OwnedEvent::Stored(bytes) => {
                    stored = bytes;
                    continue;
                }
                OwnedEvent::Link(link, place) => {
                    let around = place.and_then(|place| stored.around(&place));
                    Event::Link { path, link, surroundings: around }
                }
                OwnedEvent::Rejected(rejected) => Event::Rejected { path, rejected },
                OwnedEvent::Failed(member, error) => {
                    of = member;
                    Event::Failed { path, member: &of, error }
                }
                OwnedEvent::Noticed(member, part, notice) => {
                    (of, of_part) = (member, part);
                    let part = of_part.as_deref();
                    Event::Noticed { path, member: &of, part, notice }
                }
                OwnedEvent::DocumentEnd(member, scanned) => {
                    of = member;
                    Event::DocumentEnd { path, member: &of, scanned }
                }
                OwnedEvent::Checkpoint(point) => Event::Checkpoint { path, point },
                OwnedEvent::InputEnd { links, failed, stored } => {
                    Event::InputEnd { path, links, failed, stored }
                }
            };
            each(event)?;
        }
        ControlFlow::Continue(())
    }
}

impl Batch for OwnedEvents {
    fn size(&self) -> usize {
        self.size
    }

    fn append(&mut self, later: &mut Self) {
        self.size += mem::take(&mut later.size);
        self.stored = later.stored.take().map(|at| self.events.len() + at);
        self.events.append(&mut later.events);
        self.path = mem::take(&mut later.path);
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
    fn links_near_each_other_share_the_bytes_around_them() {
        const REACH: usize = 1000;
        let text = "http://a.example/ ".repeat(500);
        let mut recent = RecentBytes::new(REACH);
        recent.push(text.as_bytes());
        let finder = crate::document::finder::Finder::new();
        let path = Path::new("a");
        let mut batch = OwnedEvents::default();
        let tell = |event: Event<'_>, out: &mut Vec<String>| out.push(format!("{event:?}"));
        let (mut given, mut kept) = (Vec::new(), Vec::new());
        for document in 0..2 {
            for link in finder.links(&text) {
                tell(told(&recent, path, Ok(link.clone().into_owned())), &mut given);
                OwnedEvents::keep(told(&recent, path, Ok(link.into_owned())), &mut batch);
            }
            let scanned = Scanned::default();
            let member = Member::default();
            let event = Event::DocumentEnd { path, member: &member, scanned };
            given.push(format!("end {document}"));
            OwnedEvents::keep(event, &mut batch);
        }
        let held = |event: &OwnedEvent| match event {
            OwnedEvent::Stored(stored) => stored.bytes.len(),
            _ => 0,
        };
        assert_eq!(batch.events.iter().map(held).sum::<usize>(), 2 * text.len());
        let mut documents = 0;
        let _ = batch.hand_out(&mut PathBuf::new(), &mut |event| {
            match event {
                Event::DocumentEnd { .. } => {
                    kept.push(format!("end {documents}"));
                    documents += 1;
                }
                event => tell(event, &mut kept),
            }
            ControlFlow::Continue(())
        });
        assert_eq!(given, kept);
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
