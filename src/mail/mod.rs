//! Scans mail: messages and mailboxes, whose links are reported with ranges of the stored bytes.
//!
//! A message is scanned part by part, in stored order (`structure`, `heading`, `header`, `part`). Each leaf is decoded
//! (`transfer`), edited (`edit`) and scanned as a separate document; the ranges of its links are then mapped to the
//! stored bytes (`leaf`). Header fields are scanned according to a table (`fields`, `fieldlinks`, `iri_values`,
//! `encoded_word`). No message has to be in memory as a whole: `long` scans long parts in blocks.
//!
//! MIME: RFC 2045 to 2049, RFC 2231; messages: RFC 5322; mailboxes: RFC 4155.

mod address_list;
mod alternatives;
mod boundary;
#[cfg(feature = "office")]
mod composed;
mod counted;
mod edit;
mod encoded_word;
mod field_bytes;
mod fieldlinks;
mod fields;
pub(crate) mod header;
mod heading;
mod iri_values;
mod leaf;
mod link_placement;
mod long;
mod message_buffer;
mod nested;
mod open_entities;
mod part;
mod part_place;
mod scan_event;
mod shift_encoding;
mod signed;
mod sniffed;
mod structure;
mod transfer;
mod wrapped;

use std::ops::ControlFlow;

use alternatives::AlternativeBuffer;
#[cfg(feature = "office")]
pub(crate) use composed::scan_composed;
use edit::EditedText;
use fieldlinks::LinkField;
use heading::HeaderReader;
use long::LongLeaf;
pub(crate) use message_buffer::{MailNeed, MessageBuffer};
use open_entities::OpenEntities;
pub(crate) use part::MimeHeaders;
use part::{EPILOGUE, Leaf};
use part_place::PartPlace;
pub(crate) use scan_event::{OwnedPart, PartFound, ScanEvent};
use structure::{LineKind, PartEnd, PartEndFinder};
pub(crate) use transfer::{ExpectedContent, TransferDecoder, TransferEncoding};
pub(crate) use wrapped::joined;

use crate::charset::Charset;
use crate::detect::document::Hints;
use crate::detect::field::MARK;
use crate::detect::mail::{MailKind, before_fields, before_header, before_mailbox, counted};
use crate::detect::mbox::Separators;
use crate::document::finder::{Base, FinderHandle};
use crate::input::chunk::Chunk;
use crate::iri::{Error, ErrorKind, IriBuf};
use crate::link::Repeated;
use crate::link::lines::{LineCounter, LineEnds};
use crate::notice::{Notice, NoticedParts, Notices, Scanned};
use crate::source_map::SourceMap;

/// Number of bytes in which a line feed is searched, to detect how lines end.
const LINE_ENDS: usize = 64 << 10;
/// Usual number of fields that are searched for links.
const USUAL_FIELDS: usize = 8;
/// Number of bytes that are read ahead to determine the role of a line; fewer are enough.
const LINE: usize = 16 << 10;
/// Number of bytes before a line that decide its role, and are kept in memory.
const BEFORE: usize = 4;

/// Callback that receives the events of a scan.
pub(crate) type EmitMail<'e> = dyn FnMut(ScanEvent<'_>) -> ControlFlow<()> + 'e;

#[derive(Clone, Debug)]
enum MessageState {
    Start,
    /// A message of a mailbox, beginning with its `From ` line.
    Message,
    Header(HeaderReader),
    Leaf(Box<Leaf>),
    /// A leaf, or the value of a field, that exceeds the length up to which it is scanned as a whole.
    Long(Box<LongLeaf>),
    Done,
}

/// Buffers that a step fills anew.
#[derive(Clone, Debug, Default)]
struct StepBuffers {
    decoded: Vec<u8>,
    map: SourceMap,
    edited: EditedText,
    /// Place of a part, for the event that the part begins.
    part: String,
}

/// Scanner of a message or a mailbox.
#[derive(Clone, Debug)]
pub(crate) struct MailScanner<'f> {
    finder: FinderHandle<'f>,
    hints: Hints,
    state: MessageState,
    /// Current offset in the input.
    at: usize,
    /// Offset of the message's end, if more data follows it.
    limit: Option<usize>,
    ends: PartEndFinder,
    entities: OpenEntities,
    place: PartPlace,
    lines: Option<LineCounter>,
    /// Fields of the current block of a header that are searched for links.
    fields: Vec<LinkField>,
    /// Buffers of the open alternatives from which only the best is reported.
    held: Vec<AlternativeBuffer>,
    buffers: StepBuffers,
    notices: Notices,
    repeated: Repeated,
}

impl<'f> MailScanner<'f> {
    pub(crate) fn new(finder: &FinderHandle<'f>, hints: &Hints, kind: MailKind) -> MailScanner<'f> {
        let mailbox = (kind == MailKind::Mailbox).then(Separators::default);
        MailScanner {
            finder: finder.clone(),
            hints: Hints { scope: hints.scope.of_parts(), ..hints.clone() },
            state: MessageState::Start,
            at: 0,
            limit: None,
            ends: PartEndFinder::new(b'\n', mailbox),
            entities: OpenEntities::default(),
            place: PartPlace::default(),
            lines: hints
                .positions
                .map(|unit| LineCounter::new(LineEnds::Bytes).in_units(unit, Charset::UTF_8)),
            fields: Vec::with_capacity(USUAL_FIELDS),
            held: Vec::new(),
            buffers: StepBuffers::default(),
            notices: Notices::default(),
            repeated: Repeated::default(),
        }
    }

    /// Returns the notices, each once.
    pub(crate) fn notices(&self) -> &[Notice] {
        self.notices.as_slice()
    }

    /// Returns the parts that notices are about.
    pub(crate) fn noticed_parts(&self) -> &NoticedParts {
        self.notices.parts()
    }

    /// Adds a notice about the current part.
    fn notice(&mut self, notice: Notice) {
        let mut notices = std::mem::take(&mut self.notices);
        notices.add_in(notice, || self.place.of(&self.place.section));
        self.notices = notices;
    }

    /// Scans the next header or leaf; returns `true` if there is more.
    pub(crate) fn step(
        &mut self,
        feed: &mut MessageBuffer<'_>,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<(), bool> {
        feed.set_limit(self.limit);
        match std::mem::replace(&mut self.state, MessageState::Done) {
            MessageState::Start => self.start(feed),
            MessageState::Message => self.message(feed),
            MessageState::Header(heading) => self.header(feed, heading, emit)?,
            MessageState::Leaf(leaf) => self.leaf(feed, *leaf, emit)?,
            MessageState::Long(long) => self.long_step(feed, long, emit)?,
            MessageState::Done => return ControlFlow::Continue(self.after_counted(feed)),
        }
        ControlFlow::Continue(true)
    }

    /// Returns the offset of the first byte that is still needed.
    pub(crate) fn needed(&self) -> usize {
        match &self.state {
            MessageState::Long(long) => long.needed(),
            _ => self.at.saturating_sub(BEFORE),
        }
    }

    /// Returns a copy to which a scan returns if the next step needs more bytes than have come, without the buffers that a
    /// step fills anew.
    pub(crate) fn saved(&mut self) -> MailScanner<'f> {
        let buffers = std::mem::take(&mut self.buffers);
        let saved = self.clone();
        self.buffers = buffers;
        saved
    }

    /// Returns whether the next step scans a block of a long leaf, and lacks no bytes.
    pub(crate) fn is_in_long_leaf(&self) -> bool {
        matches!(self.state, MessageState::Long(_))
    }

    /// Counts the lines of the bytes that are dropped, which are those before the needed ones.
    pub(crate) fn count_lines(&mut self, chunk: Chunk<'_>) {
        let keep = self.needed();
        if let Some(lines) = &mut self.lines {
            lines.advance(chunk, keep.min(chunk.end()));
        }
    }

    /// Returns the totals of the scan of this many bytes.
    pub(crate) fn totals(&self, bytes: u64, stopped: bool) -> Scanned {
        let (notices, parts) = (self.notices().to_vec(), self.noticed_parts().clone());
        Scanned { bytes, stopped, notices, parts, ..Scanned::default() }
    }

    /// Scans the entire input.
    pub(crate) fn run(
        &mut self,
        feed: &mut MessageBuffer<'_>,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        while self.step(feed, emit)? {}
        ControlFlow::Continue(())
    }

    fn start(&mut self, feed: &mut MessageBuffer<'_>) {
        feed.ensure(LINE_ENDS, 0, &mut self.lines);
        let head = self.find_line_end(feed.bytes());
        if head.starts_with(MARK) {
            self.at = MARK.len();
        }
        let head = &head[self.at..];
        let counted = counted(head, self.ends.line_end).filter(|_| self.ends.mailbox.is_none());
        if let Some(separators) = &mut self.ends.mailbox {
            let empty = before_mailbox(head);
            self.at += empty;
            *separators = Separators::of(&head[empty..]);
        }
        self.state = match self.ends.mailbox {
            Some(_) => MessageState::Message,
            None => MessageState::Header(HeaderReader::of_message()),
        };
        if let Some(message) = counted {
            self.enter_counted(feed, message);
        }
    }

    /// Detects how lines end from the first bytes of the input, and returns these bytes.
    fn find_line_end<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let head = &bytes[..bytes.len().min(LINE_ENDS)];
        let has_lf = memchr::memchr(b'\n', head).is_some();
        if !has_lf && memchr::memchr(b'\r', head).is_some() {
            self.ends.line_end = b'\r';
        }
        head
    }

    /// Begins a message of a mailbox.
    fn message(&mut self, feed: &mut MessageBuffer<'_>) {
        self.entities.restart();
        self.place.next_message();
        self.ensure(feed, self.at + LINE);
        if self.ends.line(feed.chunk(), self.at, &[]) == LineKind::End(PartEnd::Message) {
            let line = memchr::memchr(self.ends.line_end, feed.from(self.at));
            self.at += line.map_or(0, |line| line + 1);
        }
        self.state = MessageState::Header(HeaderReader::of_message());
    }

    /// Skips empty lines and `From ` lines before the header of a message.
    fn skip_to_header(&mut self, feed: &mut MessageBuffer<'_>) {
        self.ensure(feed, self.at + LINE);
        self.at += before_header(feed.from(self.at), self.ends.line_end);
        self.at += before_fields(feed.from(self.at), self.ends.line_end);
    }

    fn ensure(&mut self, feed: &mut MessageBuffer<'_>, end: usize) {
        feed.ensure(end, self.at.saturating_sub(BEFORE), &mut self.lines);
    }

    /// Returns the base of a leaf's references.
    fn base_of_leaf(&self, own: Option<&IriBuf>, head: &MimeHeaders) -> Option<IriBuf> {
        let own = own.cloned().or_else(|| own_base(head));
        own.or_else(|| self.entities.base()).or_else(|| self.hints.base.clone())
    }

    /// Returns the part's `Content-Location`, resolved against its `Content-Base` or the outer base (RFC 2557 §5);
    /// `None` for a `cid:` IRI.
    fn location(&mut self, head: &MimeHeaders) -> Option<IriBuf> {
        let location = head.location.as_deref()?;
        let outer =
            own_base(head).or_else(|| self.entities.base()).or_else(|| self.hints.base.clone());
        let base = iri(outer.as_ref(), location);
        if is_unusable(&base) {
            self.notice(Notice::BaseUnusable);
        }
        let base = base.ok()?;
        let is_opaque = base.as_str().get(..4).is_some_and(|s| s.eq_ignore_ascii_case("cid:"));
        (!is_opaque).then_some(base)
    }

    /// Resumes after the end of a part.
    fn end(&mut self, at: usize, end: PartEnd, emit: &mut EmitMail<'_>) -> ControlFlow<()> {
        self.at = at;
        self.settle(end, emit)?;
        match end {
            PartEnd::Input => self.state = MessageState::Done,
            PartEnd::Message => self.state = MessageState::Message,
            PartEnd::Delimiter { level, is_close, next } => {
                self.at = next;
                let Some(parts) = self.entities.close_to(level) else {
                    return ControlFlow::Continue(());
                };
                self.place.section.truncate(parts.depth);
                if is_close {
                    parts.is_closed = true;
                    self.state = MessageState::Leaf(Box::new(Leaf::between(&EPILOGUE)));
                } else {
                    parts.is_closed = false;
                    parts.number += 1;
                    self.place.section.push(parts.number);
                    self.state = MessageState::Header(HeaderReader::of_part(parts.is_digest));
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns a header's own `Content-Base`, if it is valid.
fn own_base(head: &MimeHeaders) -> Option<IriBuf> {
    iri(None, head.base.as_deref()?).ok()
}

/// Resolves a reference against a base.
fn iri(base: Option<&IriBuf>, reference: &str) -> Result<IriBuf, Error> {
    Base::inner(base.map(Base::from).as_ref(), reference).map(Base::into_iri)
}

/// Returns `true` if a declared base is invalid; a relative reference does not count as invalid.
fn is_unusable(base: &Result<IriBuf, Error>) -> bool {
    base.as_ref().is_err_and(|error| error.kind() != ErrorKind::NoScheme)
}
