//! Streams: input of any size through a bounded buffer.
//!
//! What comes in is a reader, what goes out are the same links as of the whole text. The buffer
//! slides: bytes before the scan's position stay as far as a walk back may reach, an undecided link
//! stays whole up to the limit for links; of a longer one only the state of its end is kept.

mod blocks;
#[cfg(feature = "charset")]
mod legacy;
#[cfg(feature = "mail")]
mod mail;
#[cfg(feature = "markup")]
pub(crate) mod page;
mod utf8;

use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;

#[cfg(feature = "markup")]
use crate::charset::Layout;
use crate::charset::{Detected, Enough, Extent};
use crate::codes::coded;
#[cfg(feature = "mail")]
use crate::document::Format;
use crate::document::Hints;
#[cfg(feature = "markup")]
use crate::finder::Base;
use crate::finder::Finder;
#[cfg(feature = "markup")]
use crate::lines::LineEnds;
use crate::link::{Link, Rejected};
use crate::markup::{Kind, Markdown};
#[cfg(feature = "markup")]
use crate::page::Tokens;
#[cfg(feature = "charset")]
use crate::stored::StoredScanner;
use blocks::{Blocks, Reading, Scan};
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
    Rejected(Rejected<'a>),
}

impl<'a> From<Result<Link<'a>, Rejected<'a>>> for Event<'a> {
    fn from(judged: Result<Link<'a>, Rejected<'a>>) -> Event<'a> {
        match judged {
            Ok(link) => Event::Link(link),
            Err(rejected) => Event::Rejected(rejected),
        }
    }
}

coded! {
    display none
    /// What a reader of a document's links should know of the document. `Display` gives a sentence for
    /// people, [`code`](Notice::code) the stable word.
    ///
    /// ```
    /// use linksift::Notice;
    ///
    /// assert_eq!(Notice::ReadAsText.code(), "read-as-text");
    /// assert_eq!("read-as-text".parse(), Ok(Notice::ReadAsText));
    /// ```
    pub enum Notice via code {
        /// It was scanned as running text, though it is markup: the reader of its format needs all of it in
        /// memory at once, and it is too long for that (Markdown and pages in UTF-16 or ISO-2022-JP of
        /// more than 16 MiB), or so full of marks that it would take too much (Markdown).
        ReadAsText = "read-as-text",
        /// It is not text: only what begins with `scheme://` or `mailto:` is a link in it.
        Binary = "binary",
        /// It is of a format that holds more than its bytes show, and that is not opened.
        NotOpened = "not-opened",
        /// A header of a message has a field twice that may be there but once; the first counts.
        #[cfg(feature = "mail")]
        DuplicateHeader = "duplicate-header",
        /// A message is in itself deeper than 64 levels, or through more than three encodings; what is
        /// deeper was read as text.
        #[cfg(feature = "mail")]
        TooDeep = "too-deep",
        /// A message has more than 100,000 parts; the rest was read as text.
        #[cfg(feature = "mail")]
        TooManyParts = "too-many-parts",
        /// In the text of a message armour, uuencode or yEnc was left out.
        #[cfg(feature = "mail")]
        Skipped = "skipped",
        /// A part of a message names a charset that is none; it was found out.
        #[cfg(feature = "mail")]
        UnknownCharset = "unknown-charset",
        /// A part of a message is in an encoding that nothing can be decoded from.
        #[cfg(feature = "mail")]
        Undecodable = "undecodable",
    }
}

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

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Notice::ReadAsText => "too much for the reader of its format, read as text",
            Notice::Binary => "binary, only scheme:// and mailto: are links in it",
            Notice::NotOpened => "of a format that is not opened, read as what is not text",
            #[cfg(feature = "mail")]
            Notice::DuplicateHeader => "a header has a field twice, the first counts",
            #[cfg(feature = "mail")]
            Notice::TooDeep => "messages in messages too deep, read as text",
            #[cfg(feature = "mail")]
            Notice::TooManyParts => "too many parts, the rest read as text",
            #[cfg(feature = "mail")]
            Notice::Skipped => "encoded data in a text left out",
            #[cfg(feature = "mail")]
            Notice::UnknownCharset => "a part names a charset that is none",
            #[cfg(feature = "mail")]
            Notice::Undecodable => "a part is in an encoding that nothing can be decoded from",
        })
    }
}

/// What a scan went through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    bytes: u64,
    links: u64,
    stopped: bool,
    detected: Option<Detected>,
    notices: Vec<Notice>,
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

    /// What the input is encoded in, and where that is known from.
    pub fn detected(&self) -> Option<&Detected> {
        self.detected.as_ref()
    }

    /// What a reader of its links should know of the input; [`Candidates`](crate::Candidates) say it of what
    /// is in memory.
    pub fn notice(&self) -> Option<Notice> {
        self.notices.first().copied()
    }

    /// All that a reader of its links should know: of a message there may be several things.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
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
    /// Scans all that `reader` gives, in bounded memory, and hands each link and each rejected
    /// candidate to `emit`, in order, as soon as it is decided. Offsets count from the reader's first byte.
    ///
    /// # Errors
    ///
    /// What the reader fails with, after what it gave before was scanned; or an error of the kind
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
    /// What the reader fails with, after what it gave before was scanned; or an error of the kind
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
        let mut links = 0;
        let mut emit = emit;
        let mut emit = |event: Event<'_>| {
            links += u64::from(matches!(event, Event::Link(_)));
            emit(event)
        };
        #[cfg(feature = "mail")]
        let mut reader = reader;
        #[cfg(feature = "mail")]
        let (start, kind) = match hints.format {
            Format::Auto | Format::Email | Format::Mbox => self.peek_mail(&mut reader, hints)?,
            _ => (Vec::new(), None),
        };
        #[cfg(feature = "mail")]
        if let Some(kind) = kind {
            let mut scanned = self.scan_mail(start, &mut reader, hints, kind, &mut emit)?;
            scanned.links = links;
            return Ok(scanned);
        }
        #[cfg(feature = "mail")]
        let reader = start.as_slice().chain(reader);
        let mut scanned =
            self.scan_blocks(Blocks::new(&mut buffer.bytes), reader, hints, &mut emit)?;
        scanned.links = links;
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
            Kind::Text => return None,
        };
        let base = hints.base.as_ref().map(Base::from);
        let settings = crate::page::Settings { base, text: hints.text };
        let inner = crate::page::Page::new(self, charset, tokens, settings);
        let ends = layout.map_or(LineEnds::Bytes, crate::stored::line_ends);
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
        F: FnMut(Event<'_>) -> ControlFlow<()>,
    {
        let mut utf8 = Utf8::new(self, hints.positions);
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
                None => Reading::More,
                Some(looked) => {
                    *looked = held.bytes.len();
                    match utf8.scan(held, emit) {
                        ControlFlow::Break(()) => Reading::Stopped,
                        ControlFlow::Continue(()) => Reading::More,
                    }
                }
            }
        });
        if stopped {
            return Ok(blocks.stopped());
        }
        let held = blocks.held();
        let extent = if held.is_last { Extent::Whole } else { Extent::Beginning };
        let detected = enough
            .decide(held.bytes, extent, &known)
            .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
        blocks.set_detected(detected.clone());
        #[cfg(feature = "markup")]
        if hints.is_page(blocks.held().bytes) {
            blocks.read_until(&mut reader, crate::page::WHOLE + 1, |_| Reading::More);
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
        if let Some(scanner) = StoredScanner::of(&detected, &self.scan) {
            let scanner = scanner.starting_at(utf8.decided());
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
