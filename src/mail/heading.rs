//! Reads the header of a message or a part: the content that it declares, and the links of its fields.
//!
//! A header may have any number of fields. They are read in blocks, and only fields that are searched for links are
//! listed. The links of a block are reported with the declarations read by then. If a header has only one block, these
//! are all its declarations.

use std::ops::ControlFlow;

use super::alternatives::AlternativeBuffer;
use super::boundary::OpenedLevels;
use super::fieldlinks::{HeaderOrigin, LinkField};
use super::fields::{self, FieldSyntax as FieldReading};
use super::header::{HeaderField, HeaderFields, HeaderItem, without_end};
use super::open_entities::MessageScope;
use super::part::{Leaf, LeafEnd, LeafFormat, MimeHeaders, NestedContent, PREAMBLE, PartContent};
use super::structure::{self, EntityLevel, LineKind, Multipart, SearchStart};
use super::transfer::TransferEncoding;
use super::{
    EmitMail, LINE, MailScanner, MessageBuffer, MessageState, PartFound, ScanEvent, iri,
    is_unusable, own_base,
};
use crate::context::KnownContext;
use crate::detect::document::{Alternatives, Headers};
use crate::iri::IriBuf;
use crate::limits;
use crate::notice::Notice;

/// Number of bytes of fields that are read as one block.
const STRETCH: usize = 1 << 20;
/// Maximum length in bytes that a `Content-Length`, or the first line of an `.emlx` file, may declare; a larger value
/// is ignored.
pub(super) const LONGEST_LENGTH: usize = 16 << 20;

/// State of a header that is being read.
#[derive(Clone, Debug)]
pub(super) struct HeaderReader {
    is_message: bool,
    is_in_digest: bool,
    /// Whether it is the content of a part: its declarations are those of another message.
    is_attached: bool,
    /// Declarations of earlier blocks, if there are any.
    begun: Option<Box<StartedHeader>>,
}

#[derive(Clone, Debug, Default)]
struct StartedHeader {
    head: MimeHeaders,
    /// Whether fields were searched for links, with the base and identifier known by then.
    has_links: bool,
}

impl HeaderReader {
    pub(super) fn of_message() -> HeaderReader {
        HeaderReader { is_message: true, ..HeaderReader::of_part(false) }
    }

    /// Creates a reader for the header of a part, of a digest if `is_in_digest`.
    pub(super) fn of_part(is_in_digest: bool) -> HeaderReader {
        HeaderReader { is_message: false, is_in_digest, is_attached: false, begun: None }
    }

    /// Creates a reader for the header of a message that is the content of a part, without the message's body.
    pub(super) fn of_attached() -> HeaderReader {
        HeaderReader { is_attached: true, ..HeaderReader::of_part(false) }
    }
}

/// Item after a block of fields, with its offset in the input.
enum FieldsEnd {
    Body(usize),
    /// More fields.
    Fields(usize),
    /// The value of a field that exceeds the maximum length.
    Long(usize),
}

impl MailScanner<'_> {
    /// Reads a header or a block of it: records its declarations, reports its links, and sets the state that follows.
    pub(super) fn header(
        &mut self,
        feed: &mut MessageBuffer<'_>,
        heading: HeaderReader,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let HeaderReader { is_message, is_in_digest, is_attached, begun } = heading;
        let resumed = |begun| HeaderReader { is_message, is_in_digest, is_attached, begun };
        if (is_message || is_attached) && begun.is_none() {
            self.skip_to_header(feed);
        }
        let StartedHeader { mut head, has_links } = begun.map(|begun| *begun).unwrap_or_default();
        let told = head.tells_of_links();
        let reached = self.read_fields(feed, &mut head);
        if !is_attached {
            self.notice_faults(&head);
        }
        if has_links && told != head.tells_of_links() {
            self.notice(Notice::LateField);
        }
        let has_links = has_links || !self.fields.is_empty();
        let own = self.location(&head);
        let scope = self.scope_of(&head, is_message, own.as_ref());
        let origin = HeaderOrigin::of(scope.message_id.as_ref());
        self.field_links(feed, &head, &origin, emit)?;
        let body = match reached {
            FieldsEnd::Body(body) => body,
            FieldsEnd::Fields(at) => {
                self.at = at;
                let begun = Some(Box::new(StartedHeader { head, has_links }));
                self.state = MessageState::Header(resumed(begun));
                return ControlFlow::Continue(());
            }
            FieldsEnd::Long(value) => {
                self.at = value;
                self.entities.set_scope(is_message, scope, false);
                let begun = Some(Box::new(StartedHeader { head, has_links }));
                self.enter_long_field(resumed(begun));
                return ControlFlow::Continue(());
            }
        };
        match is_attached {
            true => head = MimeHeaders::default(),
            false => self.note_cut(feed, body),
        }
        if is_message && self.ends.mailbox.is_some() && self.entities.levels.is_empty() {
            self.believe_length(feed, &head, body);
        }
        self.choose_type(feed, &mut head, body);
        self.find_boundary(feed, &mut head, body);
        self.at = body;
        let mut content = head.content(is_in_digest);
        let depth = self.entities.next_depth();
        if !matches!(content, PartContent::Leaf(_)) && depth > structure::DEEPEST {
            self.notice(Notice::TooDeep);
            content = PartContent::Leaf(LeafFormat::Text { delsp: false });
        }
        let encoding = head.encoding.unwrap_or_default();
        match content {
            PartContent::Multipart { boundary, is_digest, is_alternative } => {
                self.enter_multipart(boundary, is_digest, is_alternative);
                self.entities.set_scope(is_message, scope, true);
                let mut preamble = Leaf::between(&PREAMBLE);
                if encoding != TransferEncoding::Identity {
                    preamble.holds = NestedContent::Parts(encoding);
                }
                self.state = MessageState::Leaf(Box::new(preamble));
            }
            PartContent::Message if encoding == TransferEncoding::Identity => {
                if is_message {
                    self.place.section.push(1);
                }
                self.entities.levels.push(EntityLevel::Message);
                self.entities.set_scope(is_message, scope, true);
                self.state = MessageState::Header(HeaderReader::of_message());
            }
            PartContent::MessageHeader if encoding == TransferEncoding::Identity => {
                self.place.section.extend(is_message.then_some(1));
                self.state = MessageState::Header(HeaderReader::of_attached());
            }
            content => {
                self.entities.set_scope(is_message, scope, false);
                let mut leaf = Leaf::new(content, &head, encoding);
                leaf.section.reserve(self.place.section.len() + 1);
                leaf.section.extend_from_slice(&self.place.section);
                leaf.section.extend(is_message.then_some(1));
                return self.enter_leaf(leaf, &head, own, body, emit);
            }
        }
        ControlFlow::Continue(())
    }

    /// Sets the state to scan a leaf whose body begins at an offset; `own` is the resolved `Content-Location` of its header.
    fn enter_leaf(
        &mut self,
        mut leaf: Leaf,
        head: &MimeHeaders,
        own: Option<IriBuf>,
        body: usize,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        leaf.base = self.base_of_leaf(own.as_ref(), head);
        let is_told = |own: &IriBuf| own.as_str().len() <= limits::TOLD_WITH_EACH;
        if own.as_ref().is_some_and(|own| !is_told(own)) {
            self.notice(Notice::SourceTooLong);
        }
        leaf.source = own.filter(is_told).map(|own| own.as_str().into());
        let mut part = std::mem::take(&mut self.buffers.part);
        part.clear();
        self.place.push(&leaf.section, &mut part);
        let message_id = self.entities.message_id().map(|id| &**id);
        let flow = emit(ScanEvent::Part(PartFound {
            head,
            part: Some(&*part).filter(|part| !part.is_empty()),
            message_id,
            member: None,
            start: self.entities.is_stored().then_some(body),
        }));
        self.buffers.part = part;
        flow?;
        self.state = MessageState::Leaf(Box::new(leaf));
        ControlFlow::Continue(())
    }

    /// Notes an input that ends within a line of a header, or of what follows it directly. After a whole line, the message
    /// may have no body (RFC 5322 §3.5).
    fn note_cut(&mut self, feed: &MessageBuffer<'_>, body: usize) {
        let (fields, rest) = (&feed.from(self.at)[..body - self.at], feed.from(body));
        let last = without_end(fields);
        // The line before ends with either.
        let has_empty_line =
            last.len() < fields.len() && matches!(last.last(), None | Some(b'\n' | b'\r'));
        let is_whole = rest.is_empty() && fields.ends_with(&[self.ends.line_end]);
        if !fields.is_empty()
            && !has_empty_line
            && !is_whole
            && feed.is_last()
            && memchr::memchr(self.ends.line_end, rest).is_none()
        {
            self.notice(Notice::SourceTruncated);
        }
    }

    /// Notes what is wrong with the declarations of a header.
    fn notice_faults(&mut self, head: &MimeHeaders) {
        if head.has_duplicates {
            self.notice(Notice::DuplicateHeader);
        }
        if head.is_encoding_unknown {
            self.notice(Notice::UnknownTransfer);
        }
    }

    /// Returns the scope that a header declares for everything below it; `own` is its resolved `Content-Location`.
    fn scope_of(
        &mut self,
        head: &MimeHeaders,
        is_message: bool,
        own: Option<&IriBuf>,
    ) -> MessageScope {
        let message_id = match is_message {
            true => head.message_id.clone(),
            false => self.entities.message_id().cloned(),
        };
        if head.base.as_deref().is_some_and(|base| is_unusable(&iri(None, base))) {
            self.notice(Notice::BaseUnusable);
        }
        let base = own.cloned().or_else(|| own_base(head)).or_else(|| self.entities.base());
        MessageScope { message_id, base }
    }

    /// Sets the state to scan the value of a field that is too long, and then the rest of its header.
    fn enter_long_field(&mut self, heading: HeaderReader) {
        self.notice(Notice::FieldTooLong);
        let mut leaf = Leaf::between(KnownContext::TEXT);
        leaf.section.clone_from(&self.place.section);
        if self.hints.mail.headers == Headers::None {
            leaf.reading = LeafFormat::Skip;
        }
        let from = SearchStart { at: self.at, is_line: false };
        let long = self.long(leaf, LeafEnd { from, found: None }, Some(heading));
        self.state = MessageState::Long(Box::new(long));
    }

    /// Opens the level of a multipart, whose parts follow.
    fn enter_multipart(&mut self, boundary: Box<[u8]>, is_digest: bool, is_alternative: bool) {
        let depth = self.place.section.len();
        let parts = Multipart { depth, is_digest, ..Multipart::of(boundary) };
        self.entities.levels.push(EntityLevel::Parts(parts));
        if is_alternative && self.hints.mail.alternatives == Alternatives::Best {
            self.held.push(AlternativeBuffer::new(self.entities.levels.len()));
        }
    }

    /// Reads a block of fields: records their declarations, and lists the fields that are searched for links.
    fn read_fields(&mut self, feed: &mut MessageBuffer<'_>, head: &mut MimeHeaders) -> FieldsEnd {
        let is_all = self.hints.mail.headers == Headers::All;
        let is_read = self.hints.mail.headers != Headers::None;
        let mut ahead = LINE;
        let mut fields = HeaderFields::new(self.ends.line_end);
        let mut opening = OpenedLevels::default();
        self.fields.clear();
        loop {
            self.ensure(feed, self.at + ahead);
            let chunk = feed.chunk();
            let bytes = feed.from(self.at);
            loop {
                let mut is_cut = false;
                let next = fields.next(bytes, chunk.is_last(), |at| {
                    let line = match self.ends.line(chunk, self.at + at, &self.entities.levels) {
                        // The first part of its body may follow without an empty line.
                        LineKind::Inside => opening.line(head, &self.ends, chunk, self.at + at),
                        line => line,
                    };
                    match line {
                        LineKind::End(_) => true,
                        LineKind::Inside => false,
                        LineKind::Cut => {
                            is_cut = true;
                            true
                        }
                    }
                });
                match next {
                    _ if is_cut => break,
                    HeaderItem::Field(field) => {
                        head.note(bytes, &field);
                        let name = &bytes[field.name.clone()];
                        if is_read
                            && let Some((reading, context)) = fields::reading(name, is_all)
                            && reading.reads(&bytes[field.value.clone()])
                        {
                            self.fields.push(LinkField { field, reading, context });
                        }
                    }
                    HeaderItem::Junk(line) if is_read => {
                        let field = HeaderField { name: line.clone(), value: line };
                        let (reading, context) = (FieldReading::Text, Some(KnownContext::TEXT));
                        self.fields.push(LinkField { field, reading, context });
                    }
                    HeaderItem::Junk(_) => {}
                    HeaderItem::Long(value) => return FieldsEnd::Long(self.at + value),
                    HeaderItem::End(body) => return FieldsEnd::Body(self.at + body),
                    HeaderItem::Incomplete => break,
                }
                if fields.at() >= STRETCH {
                    return FieldsEnd::Fields(self.at + fields.at());
                }
            }
            ahead *= 2;
        }
    }

    /// Uses the `Content-Length` of a message if the next message begins, or the input ends, within two bytes of the
    /// declared end.
    fn believe_length(&mut self, feed: &mut MessageBuffer<'_>, head: &MimeHeaders, body: usize) {
        let Some(length) = head.length.filter(|length| *length <= LONGEST_LENGTH) else { return };
        let end = body + length;
        self.ensure(feed, end + LINE);
        let chunk = feed.chunk();
        for at in [end, end + 1, end + 2, end.saturating_sub(1), end.saturating_sub(2)] {
            let before = at.checked_sub(1).and_then(|at| chunk.get(at));
            let is_line = at > body && before == Some(&self.ends.line_end) || at == body;
            let line = || self.ends.line(chunk, at, &[]);
            if is_line && at <= feed.end() && matches!(line(), LineKind::End(_)) {
                return self.ends.skip_messages(at);
            }
        }
    }
}
