//! Streams: input of any size through a bounded buffer.
//!
//! What comes in is a reader, what goes out are the same links as of the whole text. The buffer
//! slides: bytes before the scan's position stay as far as a walk back may reach, an undecided link
//! stays whole up to the limit for links; of a longer one only the state of its end is kept.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;

use crate::document::{Document, Hints};
use crate::finder::{Candidates, Finder};
use crate::lines::LineCounter;
use crate::link::{Link, Position, Refused, set_position};
use crate::scan::{Candidate, Scanner, Step, View};

/// Bytes kept before the position of the scan: more than a walk back over a local part, a scheme
/// and a host can reach, each character written as a reference.
const CONTEXT: usize = 16 << 10;
/// The buffer's size to begin with: most files are smaller.
const FIRST_SIZE: usize = 64 << 10;
/// The size it grows to when a stream fills it.
const FULL_SIZE: usize = 512 << 10;

/// What a scan comes across.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A link.
    Link(Link<'a>),
    /// A candidate that is no link.
    Refused(Refused<'a>),
}

/// What a scan went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    bytes: u64,
    links: u64,
    stopped: bool,
}

impl Scanned {
    /// The bytes read.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The links found.
    pub fn links(&self) -> u64 {
        self.links
    }

    /// Whether the callback stopped the scan before the end of the input.
    pub fn stopped(&self) -> bool {
        self.stopped
    }
}

/// A buffer that scans of readers can share, one after the other.
///
/// ```
/// use std::ops::ControlFlow;
///
/// let finder = linksift::Finder::new();
/// let mut buffer = linksift::Buffer::new();
/// for mail in ["a@example.com", "b@example.org"] {
///     let hints = linksift::Hints::new();
///     let scanned =
///         finder.scan_reader_in(&mut buffer, mail.as_bytes(), &hints, |_| ControlFlow::Continue(()))?;
///     assert_eq!(scanned.links(), 1);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
}

impl Buffer {
    /// An empty buffer; it grows when it is used.
    pub fn new() -> Buffer {
        Buffer::default()
    }
}

impl Finder {
    /// The candidates of a document that is in memory.
    ///
    /// ```
    /// use linksift::{Document, Finder};
    ///
    /// let finder = Finder::new();
    /// let found = finder.document(&Document::new(b"\xFFexample.com")).next().unwrap().unwrap();
    /// assert_eq!(found.range(), 1..12);
    /// ```
    pub fn document<'t>(&'t self, document: &Document<'t>) -> Candidates<'t> {
        self.candidates_in(document.bytes).counting(document.hints.positions)
    }

    /// Scans all that `reader` gives, in bounded memory, and hands each link and each refused
    /// candidate to `emit`, in order, as soon as it is decided. Offsets count from the reader's first byte.
    ///
    /// # Errors
    ///
    /// What the reader fails with, after what it gave before was scanned.
    ///
    /// ```
    /// use linksift::{Event, Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let mut found = Vec::new();
    /// let reader = "see http://example.com/ or example.org".as_bytes();
    /// Finder::new().scan_reader(reader, &Hints::new(), |event| {
    ///     if let Event::Link(link) = event {
    ///         found.push(link.range());
    ///     }
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(found, [4..23, 27..38]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn scan_reader<R, F>(&self, reader: R, hints: &Hints, emit: F) -> io::Result<Scanned>
    where
        R: Read,
        F: FnMut(Event<'_>) -> ControlFlow<()>,
    {
        self.scan_reader_in(&mut Buffer::new(), reader, hints, emit)
    }

    /// As [`scan_reader`](Finder::scan_reader), in a buffer that outlives the scan.
    ///
    /// # Errors
    ///
    /// What the reader fails with, after what it gave before was scanned.
    pub fn scan_reader_in<R, F>(
        &self,
        buffer: &mut Buffer,
        reader: R,
        hints: &Hints,
        emit: F,
    ) -> io::Result<Scanned>
    where
        R: Read,
        F: FnMut(Event<'_>) -> ControlFlow<()>,
    {
        let lines = hints.positions.then(LineCounter::new);
        Stream {
            finder: self,
            bytes: &mut buffer.bytes,
            filled: 0,
            base: 0,
            scanner: Scanner::new(),
            lines,
            head: None,
            scanned: Scanned::default(),
        }
        .run(reader, emit)
    }
}

struct Stream<'f> {
    finder: &'f Finder,
    bytes: &'f mut Vec<u8>,
    /// Bytes of the buffer that hold input.
    filled: usize,
    /// Where the buffer's first byte stands in the whole input.
    base: usize,
    scanner: Scanner,
    lines: Option<LineCounter>,
    /// Of a candidate that is too long to be kept: its first bytes and its position.
    head: Option<(String, Option<Position>)>,
    scanned: Scanned,
}

impl Stream<'_> {
    fn run<R, F>(mut self, mut reader: R, mut emit: F) -> io::Result<Scanned>
    where
        R: Read,
        F: FnMut(Event<'_>) -> ControlFlow<()>,
    {
        loop {
            self.make_room();
            let (read, failure) = match reader.read(&mut self.bytes[self.filled..]) {
                Ok(read) => (read, None),
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => (0, Some(e)),
            };
            self.filled += read;
            self.scanned.bytes += read as u64;
            let is_last = read == 0;
            if self.scan(is_last, &mut emit).is_break() {
                self.scanned.stopped = true;
                return Ok(self.scanned);
            }
            match failure {
                Some(error) => return Err(error),
                None if is_last => return Ok(self.scanned),
                None => {}
            }
        }
    }

    /// Scans what the buffer holds, as far as it can be decided.
    fn scan<F>(&mut self, is_last: bool, emit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(Event<'_>) -> ControlFlow<()>,
    {
        let settings = &self.finder.scan;
        loop {
            let bytes = &self.bytes[..self.filled];
            let view = View::new(bytes, is_last, settings.references);
            let Step::Found(candidate) = self.scanner.next(settings, view) else {
                return ControlFlow::Continue(());
            };
            let judged = match self.head.take() {
                Some((head, position)) => {
                    let mut judged = self.judge_long(head, candidate);
                    set_position(&mut judged, position);
                    judged
                }
                None => {
                    let start = self.base + candidate.range.start;
                    let mut judged = self.finder.judge(bytes, self.base, candidate);
                    if let Some(lines) = &mut self.lines {
                        set_position(&mut judged, Some(lines.position(bytes, self.base, start)));
                    }
                    judged
                }
            };
            emit(match judged {
                Ok(link) => {
                    self.scanned.links += 1;
                    Event::Link(link)
                }
                Err(refused) => Event::Refused(refused),
            })?;
        }
    }

    /// A candidate whose first bytes have left the buffer.
    fn judge_long(
        &self,
        head: String,
        candidate: Candidate,
    ) -> Result<Link<'static>, Refused<'static>> {
        let start = self.base + candidate.range.start - candidate.lead;
        let range = start..self.base + candidate.range.end;
        Err(self.finder.refuse_long(Cow::Owned(head), range, candidate.kind))
    }

    /// Makes room for a read: grows the buffer, or drops what no one needs any more.
    fn make_room(&mut self) {
        if self.filled < self.bytes.len() {
            return;
        }
        if self.bytes.is_empty() {
            self.bytes.resize(FIRST_SIZE, 0);
            return;
        }
        let max_link = self.finder.scan.max_link;
        let (needed, long) = self.scanner.needed(max_link);
        if let (Some(start), None) = (long, &self.head) {
            let end = self.filled.min(start + max_link);
            let head = String::from_utf8_lossy(&self.bytes[start..end]).into_owned();
            let lines = self.lines.as_mut();
            let bytes = &self.bytes[..self.filled];
            let position = lines.map(|l| l.position(bytes, self.base, self.base + start));
            self.head = Some((head, position));
        }
        let dropped = needed.saturating_sub(CONTEXT).min(self.filled);
        if let Some(lines) = &mut self.lines {
            lines.advance(&self.bytes[..self.filled], self.base, self.base + dropped);
        }
        self.bytes.copy_within(dropped..self.filled, 0);
        self.scanner.shift(dropped);
        self.filled -= dropped;
        self.base += dropped;
        if self.bytes.len() < FULL_SIZE || self.filled > self.bytes.len() / 2 {
            let size = (self.bytes.len() * 2).max(FULL_SIZE);
            self.bytes.resize(size, 0);
        }
    }
}
