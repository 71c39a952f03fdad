//! Streams: input of any size through a bounded buffer.
//!
//! What comes in is a reader, what goes out are the same links as of the whole text. The buffer
//! slides: bytes before the scan's position stay as far as a walk back may reach, an undecided link
//! stays whole up to the limit for links; of a longer one only the state of its end is kept.

mod blocks;
pub(crate) mod cut;
#[cfg(feature = "charset")]
mod legacy;
#[cfg(feature = "mail")]
mod mail;
#[cfg(feature = "markup")]
pub(crate) mod page;
mod utf8;

use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;

#[cfg(feature = "markup")]
use crate::charset::Extent;
#[cfg(feature = "markup")]
use crate::charset::Layout;
use crate::charset::{Detected, Enough};
#[cfg(feature = "mail")]
use crate::document::Format;
use crate::document::Hints;
use crate::event::Event;
#[cfg(feature = "markup")]
use crate::finder::Base;
use crate::finder::Finder;
use crate::guard::{Guarded, is_cancelled};
#[cfg(feature = "charset")]
use crate::legacy::LegacyScanner;
#[cfg(feature = "markup")]
use crate::lines::LineEnds;
use crate::link::Judged;
#[cfg(feature = "markup")]
use crate::markup::{Kind, Markdown};
#[cfg(feature = "markup")]
use crate::notice::Notice;
use crate::notice::Scanned;
#[cfg(feature = "markup")]
use crate::page::Tokens;
use blocks::{Blocks, Reading, Scan};
#[cfg(feature = "mail")]
use cut::Failing;
use cut::{Watch, Watched};
#[cfg(feature = "charset")]
use legacy::Legacy;
use utf8::Utf8;

#[cfg(feature = "markup")]
impl Notice {
    /// What is to be known of a document that begins so and is read as text: something, if it is markup
    /// that could have been read as such.
    pub(crate) fn of_text(hints: &Hints, start: &[u8]) -> Option<Notice> {
        let kind = hints.kind(start)?;
        let is_known = kind != Kind::Markdown || cfg!(feature = "markdown");
        is_known.then_some(Notice::ReadAsText)
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

/// What a scan of a stream offers to who opens more than it does.
pub(crate) enum Offered<'a> {
    /// What a candidate came to.
    Judged(Judged<'a>),
    /// A part of a message that is no text.
    #[cfg(feature = "mail")]
    #[cfg_attr(not(feature = "files"), allow(dead_code, reason = "`files` alone opens it"))]
    Attachment(crate::message::Attachment<'a>),
}

impl Finder {
    /// Scans all that `reader` gives, in bounded memory, and hands each link and each rejected
    /// candidate to `emit`, in order, as soon as it is decided. Offsets count from the reader's first byte.
    ///
    /// # Errors
    ///
    /// What the reader fails with, after all that it gave before was scanned; a link at the very end of that
    /// may be cut and is left out; an error of the kind [`FileTooLarge`](ErrorKind::FileTooLarge), after all
    /// before it, where offsets have 32 bits and the reader gives more than they count; or one of the kind
    /// [`InvalidData`](ErrorKind::InvalidData) if the document declares an encoding that nothing can be
    /// decoded from ([`ReplacementDeclared`](crate::ReplacementDeclared)).
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
    /// What the reader fails with, after all that it gave before was scanned; a link at the very end of that
    /// may be cut and is left out; an error of the kind [`FileTooLarge`](ErrorKind::FileTooLarge), after all
    /// before it, where offsets have 32 bits and the reader gives more than they count; or one of the kind
    /// [`InvalidData`](ErrorKind::InvalidData) if the document declares an encoding that nothing can be
    /// decoded from.
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
        let mut emit = emit;
        self.scan_offered(buffer, reader, hints, |offered| match offered {
            Offered::Judged(judged) => emit(Event::from(judged)),
            #[cfg(feature = "mail")]
            Offered::Attachment(_) => ControlFlow::Continue(()),
        })
    }

    /// The same for who opens attachments of mail too.
    ///
    /// # Errors
    ///
    /// As [`scan_reader_in`](Finder::scan_reader_in).
    pub(crate) fn scan_offered<R, F>(
        &self,
        buffer: &mut Buffer,
        reader: R,
        hints: &Hints,
        mut emit: F,
    ) -> io::Result<Scanned>
    where
        R: Read,
        F: FnMut(Offered<'_>) -> ControlFlow<()>,
    {
        let mut links = 0;
        let watch = Watch::default();
        let mut emit = |offered: Offered<'_>| {
            if is_cancelled(hints.cancel.as_ref()) {
                return ControlFlow::Break(());
            }
            match &offered {
                Offered::Judged(judged) if watch.is_cut(judged) => return ControlFlow::Continue(()),
                Offered::Judged(Ok(_)) => links += 1,
                _ => {}
            }
            emit(offered)
        };
        #[allow(unused_mut, reason = "mail looks at what it begins with")]
        let mut reader = Watched::new(Guarded::new(reader, hints.cancel.as_ref()), &watch);
        #[cfg(feature = "mail")]
        let (start, kind, failure) = match hints.format {
            Format::Auto | Format::Email | Format::Mbox => self.peek_mail(&mut reader, hints),
            _ => (Vec::new(), None, None),
        };
        #[cfg(feature = "mail")]
        let mut reader = Failing(failure).chain(reader);
        #[cfg(feature = "mail")]
        if let Some(kind) = kind {
            let mut scanned = self.scan_mail(start, &mut reader, hints, kind, &mut emit)?;
            scanned.links = links;
            scanned.stopped |= is_cancelled(hints.cancel.as_ref());
            return Ok(scanned);
        }
        #[cfg(feature = "mail")]
        let reader = start.as_slice().chain(reader);
        let blocks = Blocks::new(&mut buffer.bytes);
        let mut each = |judged: Judged<'_>| emit(Offered::Judged(judged));
        let mut scanned = self.scan_blocks(blocks, reader, hints, &mut each)?;
        scanned.links = links;
        scanned.stopped |= is_cancelled(hints.cancel.as_ref());
        Ok(scanned)
    }

    /// The scan of a document that is a page; `None` if it is text, or is to be read as such because it
    /// is too long to be transcoded whole, or too much for the reader of Markdown.
    #[cfg(feature = "markup")]
    pub(crate) fn page(
        &self,
        detected: &Detected,
        hints: &Hints,
        start: &[u8],
        extent: Extent,
    ) -> Option<page::Page<'_>> {
        let kind = hints.kind(start)?;
        let charset = detected.charset();
        let layout = charset.layout();
        let has_trails =
            matches!(layout, Some(Layout::ShiftJis | Layout::Big5 | Layout::Gb | Layout::EucKr));
        let transcode = layout.filter(|layout| match kind {
            Kind::Html | Kind::Xml => layout.is_utf16() || *layout == Layout::Iso2022Jp,
            _ => {
                layout.is_utf16()
                    || *layout == Layout::Iso2022Jp
                    || has_trails
                    || kind == Kind::Markdown
            }
        });
        let is_tangled = kind == Kind::Markdown && !Markdown::fits(start);
        if extent != Extent::Whole && (transcode.is_some() || kind == Kind::Markdown) || is_tangled
        {
            return None;
        }
        let first = detected.text_start();
        let limits = crate::page::Page::limits(self);
        let read_as = layout.filter(|_| transcode.is_none());
        let tokens = match kind {
            Kind::Html => Tokens::html(limits, read_as),
            Kind::Xml => Tokens::xml(limits, read_as),
            Kind::Css => Tokens::css(limits),
            Kind::Json => Tokens::json(),
            Kind::Csv => Tokens::csv(),
            Kind::Markdown => Tokens::markdown(limits),
            Kind::Text | Kind::Code | Kind::Asciidoc => return None,
        };
        let base = hints.base.as_ref().map(Base::from);
        let settings = crate::page::Settings { base, text: hints.text };
        let inner = crate::page::Page::new(self, charset, tokens, settings);
        let ends = layout.map_or(LineEnds::Bytes, crate::legacy::line_ends);
        let lines = hints.positions.then_some(ends);
        Some(page::Page::new(inner, transcode.map(|layout| (charset, layout, first)), lines))
    }

    fn scan_blocks<R, F>(
        &self,
        mut blocks: Blocks<'_>,
        mut reader: R,
        hints: &Hints,
        emit: &mut F,
    ) -> io::Result<Scanned>
    where
        R: Read,
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        let manner = hints.manner(self.scan.boundaries);
        let mut utf8 = Utf8::new(self, manner, hints.positions);
        let mut eager = hints.eager.then_some(0);
        let (mut enough, known) = (Enough::default(), hints.known());
        // One byte more than is looked at, to know that there are more.
        let most = Detected::START + 1;
        let stopped = blocks.read_until(&mut reader, most, |held| {
            if enough.is_reached(held.bytes, &known) {
                return Reading::Enough;
            }
            // The links of an ASCII beginning are the same in any charset.
            eager = eager.filter(|&looked| {
                is_ascii_text(&held.bytes[looked..]) && hints.is_surely_text(held.bytes)
            });
            match &mut eager {
                None => Reading::Incomplete,
                Some(looked) => {
                    *looked = held.bytes.len();
                    match utf8.scan(held, emit) {
                        ControlFlow::Break(()) => Reading::Stopped,
                        ControlFlow::Continue(()) => Reading::Incomplete,
                    }
                }
            }
        });
        if stopped {
            return Ok(blocks.stopped());
        }
        let held = blocks.held();
        let extent = blocks.extent();
        let decided = enough.decide(held.bytes, extent, &known);
        if decided.is_err() && is_cancelled(hints.cancel.as_ref()) {
            return Ok(blocks.stopped());
        }
        let detected = decided.map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
        blocks.set_detected(detected.clone());
        // What it is encoded in may be known before what it is.
        #[cfg(feature = "markup")]
        if !hints.is_settled(blocks.held().bytes) {
            blocks.read_until(&mut reader, Hints::HEAD, |held| {
                match hints.is_settled(held.bytes) {
                    true => Reading::Enough,
                    false => Reading::Incomplete,
                }
            });
        }
        #[cfg(feature = "markup")]
        if hints.is_page(blocks.held().bytes) {
            blocks.read_until(&mut reader, crate::page::WHOLE + 1, |_| Reading::Incomplete);
            let held = blocks.held();
            let extent = if held.is_last { Extent::Whole } else { Extent::Beginning };
            if let Some(page) = self.page(&detected, hints, held.bytes, extent) {
                return blocks.run(&mut reader, page, emit);
            }
            if let Some(notice) = Notice::of_text(hints, held.bytes) {
                blocks.set_notice(notice);
            }
        }
        #[cfg(feature = "charset")]
        if let Some(scanner) = LegacyScanner::of(&detected, &self.scan) {
            let scanner = scanner.in_manner(manner).starting_at(utf8.decided());
            return blocks.run(&mut reader, Legacy::new(self, scanner, hints.positions), emit);
        }
        blocks.run(&mut reader, utf8, emit)
    }
}

/// Whether the bytes are the same characters in every charset that a text may turn out to be in: an
/// escape sequence begins another, zeros are halves of UTF-16.
fn is_ascii_text(bytes: &[u8]) -> bool {
    // All of a piece without a branch: the compiler makes vectors of it.
    let is_other = |byte: u8| (byte >= 0x80) | (byte == 0) | (byte == 0x1B);
    bytes.chunks(1 << 10).all(|piece| !piece.iter().fold(false, |any, byte| any | is_other(*byte)))
}
