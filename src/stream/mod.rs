//! Streams: input of any size through a bounded buffer.
//!
//! What comes in is a reader, what goes out are the same links as of the whole text. The buffer
//! slides: bytes before the scan's position stay as far as a walk back may reach, an undecided link
//! stays whole up to the limit for links; of a longer one only the state of its end is kept.

mod blocks;
#[cfg(feature = "charset")]
mod legacy;
mod utf8;

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::document::{Document, Hints};
use crate::finder::{Candidates, Finder};
use crate::link::{Link, Refused};
#[cfg(feature = "charset")]
use crate::stored::StoredScanner;
use blocks::Blocks;
#[cfg(feature = "charset")]
use legacy::Legacy;
use utf8::Utf8;

/// What a scan comes across.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A link.
    Link(Link<'a>),
    /// A candidate that is no link.
    Refused(Refused<'a>),
}

impl<'a> From<Result<Link<'a>, Refused<'a>>> for Event<'a> {
    fn from(judged: Result<Link<'a>, Refused<'a>>) -> Event<'a> {
        match judged {
            Ok(link) => Event::Link(link),
            Err(refused) => Event::Refused(refused),
        }
    }
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
        let Document { bytes, hints } = document;
        let candidates = self.candidates_in(bytes);
        #[cfg(feature = "charset")]
        if let Some(layout) = hints.charset.unwrap_or_default().layout() {
            let charset = hints.charset.unwrap_or_default();
            let scanner = StoredScanner::new(charset, layout, &self.scan, 0);
            return candidates.stored(scanner).counting(hints.positions);
        }
        candidates.counting(hints.positions)
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
        let mut reader = reader;
        let blocks = Blocks::new(&mut buffer.bytes);
        #[cfg(feature = "charset")]
        if let Some(layout) = hints.charset.unwrap_or_default().layout() {
            let charset = hints.charset.unwrap_or_default();
            let legacy = Legacy::new(self, charset, layout, 0, hints.positions);
            return blocks.run(&mut reader, legacy, emit);
        }
        blocks.run(&mut reader, Utf8::new(self, hints.positions), emit)
    }
}
