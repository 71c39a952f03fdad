//! Headings: the header of a message or a part, what it says of what follows it, and the links of its fields.
//!
//! A header may have any number of fields. A stretch of them is read at once, and nothing is kept of those of which
//! no links are read. What a header says counts for the links of its fields as far as it is known when they are
//! given: for all of them, if it has no more than one stretch.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::alternatives::Held;
use super::boundary::Opening;
use super::content::{Holds, Leaf, LeafEnd};
use super::fieldlinks::Listed;
use super::fields::{self, Reading as FieldReading};
use super::header::{Field, Fields, Next, field_end};
use super::part::{Content, Head, Reading};
use super::structure::{self, End, Level, Line, Parts, Start};
use super::transfer::Encoding;
use super::{Emit, Feed, Found, LINE, Mail, PartFound, Scope, State, iri, is_unusable, own_base};
use crate::document::{Alternatives, Headers};
use crate::iri::IriBuf;
use crate::limits;
use crate::link::Origin;
use crate::notice::Notice;

/// Fields of so many bytes are read at once.
const STRETCH: usize = 1 << 20;
/// A `Content-Length` that says more is not believed.
pub(super) const LONGEST_LENGTH: usize = 16 << 20;

/// A header that is read: whose it is, and what it has said so far.
#[derive(Clone, Debug)]
pub(super) struct Heading {
    is_message: bool,
    is_in_digest: bool,
    /// Of its first stretches, if it has more than one.
    begun: Option<Box<Begun>>,
}

#[derive(Clone, Debug, Default)]
struct Begun {
    head: Head,
    /// Links of its fields were looked for, by what it had said so far.
    has_links: bool,
}

impl Heading {
    pub(super) fn of_message() -> Heading {
        Heading { is_message: true, is_in_digest: false, begun: None }
    }

    /// Of a part of a multipart, or of a digest.
    pub(super) fn of_part(is_in_digest: bool) -> Heading {
        Heading { is_message: false, is_in_digest, begun: None }
    }
}

/// What a stretch of fields ends before; offsets of all bytes.
enum Reached {
    Body(usize),
    /// More fields.
    Fields(usize),
    /// The value of a field that is too long.
    Long(usize),
}

impl Mail<'_> {
    /// Reads a header, or a stretch of it: notes what it says, gives its links, and decides what follows.
    pub(super) fn header(
        &mut self,
        feed: &mut Feed<'_>,
        heading: Heading,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let Heading { is_message, is_in_digest, begun } = heading;
        if is_message && begun.is_none() {
            self.skip_empty_lines(feed);
        }
        let Begun { mut head, has_links } = begun.map_or_else(Begun::default, |begun| *begun);
        let told = head.tells_of_links();
        let reached = self.read_fields(feed, &mut head);
        if head.has_duplicates {
            self.notice(Notice::DuplicateHeader);
        }
        if has_links && told != head.tells_of_links() {
            self.notice(Notice::LateField);
        }
        let has_links = has_links || !self.fields.is_empty();
        let own = self.location(&head);
        let scope = self.scope_of(&head, is_message, own.as_ref());
        let part = self.part(&self.section);
        let message_id = scope.message_id.clone();
        let message_number = self.message_number();
        let origin = Arc::new(Origin { part, message_number, message_id, ..Origin::default() });
        self.field_links(feed, &head, &origin, emit)?;
        let body = match reached {
            Reached::Body(body) => body,
            Reached::Fields(at) => {
                self.at = at;
                let begun = Some(Box::new(Begun { head, has_links }));
                self.state = State::Header(Heading { is_message, is_in_digest, begun });
                return ControlFlow::Continue(());
            }
            Reached::Long(value) => {
                self.at = value;
                self.set_scope(is_message, scope, false);
                let begun = Some(Box::new(Begun { head, has_links }));
                self.enter_long_field(Heading { is_message, is_in_digest, begun });
                return ControlFlow::Continue(());
            }
        };
        if is_message && self.ends.mailbox.is_some() && self.levels.is_empty() {
            self.believe_length(feed, &head, body);
        }
        self.choose_type(feed, &mut head, body);
        self.at = body;
        let mut content = head.content(is_in_digest);
        let depth = self.depth + self.levels.len() + 1;
        if !matches!(content, Content::Leaf(_)) && depth > structure::DEEPEST {
            self.notice(Notice::TooDeep);
            content = Content::Leaf(Reading::Text { delsp: false });
        }
        let encoding = head.encoding.unwrap_or_default();
        let mut section = self.section.clone();
        match content {
            Content::Multipart { boundary, is_digest, is_alternative } => {
                self.enter_multipart(boundary, is_digest, is_alternative);
                self.set_scope(is_message, scope, true);
                let mut preamble = Leaf::between("preamble");
                if encoding != Encoding::Identity {
                    preamble.holds = Holds::Parts(encoding);
                }
                self.state = State::Leaf(Box::new(preamble));
            }
            Content::Message if encoding == Encoding::Identity => {
                if is_message {
                    self.section.push(1);
                }
                self.levels.push(Level::Message);
                self.set_scope(is_message, scope, true);
                self.state = State::Header(Heading::of_message());
            }
            content => {
                if is_message {
                    section.push(1);
                }
                self.set_scope(is_message, scope, false);
                let mut leaf = Leaf::new(content, &head, encoding);
                leaf.section = section;
                leaf.base = self.base_of_leaf(own.as_ref(), &head);
                let is_told = |own: &IriBuf| own.as_str().len() <= limits::TOLD_WITH_EACH;
                if own.as_ref().is_some_and(|own| !is_told(own)) {
                    self.notice(Notice::SourceTooLong);
                }
                leaf.source = own.filter(is_told).map(|own| own.as_str().into());
                let part = self.part(&leaf.section);
                let message_id = self.scopes.last().and_then(|scope| scope.message_id.as_deref());
                emit(Found::Part(PartFound {
                    head: &head,
                    part: part.as_deref(),
                    message_id,
                    start: (self.chain == 0).then_some(body),
                }))?;
                self.state = State::Leaf(Box::new(leaf));
            }
        }
        ControlFlow::Continue(())
    }

    /// What a header says for all that is below it; `own` is its own IRI.
    fn scope_of(&mut self, head: &Head, is_message: bool, own: Option<&IriBuf>) -> Scope {
        let message_id = match is_message {
            true => head.message_id.clone(),
            false => self.scope().and_then(|outer| outer.message_id.clone()),
        };
        if head.base.as_deref().is_some_and(|base| is_unusable(&iri(None, base))) {
            self.notice(Notice::BaseUnusable);
        }
        let base = own.cloned().or_else(|| own_base(head)).or_else(|| self.scope_base());
        Scope { message_id, base }
    }

    /// The value of a field that is too long comes next, and then the rest of its header.
    fn enter_long_field(&mut self, heading: Heading) {
        self.notice(Notice::FieldTooLong);
        let mut leaf = Leaf::between("text");
        leaf.section.clone_from(&self.section);
        if self.hints.headers == Headers::None {
            leaf.reading = Reading::Skip;
        }
        self.state = State::Field(Box::new(leaf), heading);
    }

    /// The parts of a multipart come next.
    fn enter_multipart(&mut self, boundary: Box<[u8]>, is_digest: bool, is_alternative: bool) {
        let depth = self.section.len();
        let parts = Parts { depth, is_digest, ..Parts::of(boundary) };
        self.levels.push(Level::Parts(parts));
        if is_alternative && self.hints.alternatives == Alternatives::Best {
            self.held.push(Held::new(self.levels.len()));
        }
    }

    /// Reads a stretch of fields: notes what they say, and lists those of which links are read.
    fn read_fields(&mut self, feed: &mut Feed<'_>, head: &mut Head) -> Reached {
        let is_all = self.hints.headers == Headers::All;
        let is_read = self.hints.headers != Headers::None;
        let mut ahead = LINE;
        let mut fields = Fields::new(self.ends.line_end);
        let mut opening = Opening::default();
        self.fields.clear();
        loop {
            self.ensure(feed, self.at + ahead);
            let chunk = feed.chunk();
            let bytes = feed.from(self.at);
            loop {
                let mut is_cut = false;
                let next = fields.next(bytes, chunk.is_last(), |at| {
                    let line = match self.ends.line(chunk, self.at + at, &self.levels) {
                        // The first part of its body may follow without an empty line.
                        Line::Inside => opening.line(head, &self.ends, chunk, self.at + at),
                        line => line,
                    };
                    match line {
                        Line::End(_) => true,
                        Line::Inside => false,
                        Line::Cut => {
                            is_cut = true;
                            true
                        }
                    }
                });
                match next {
                    _ if is_cut => break,
                    Next::Field(field) => {
                        head.note(bytes, &field);
                        let name = &bytes[field.name.clone()];
                        if is_read && let Some((reading, context)) = fields::reading(name, is_all) {
                            self.fields.push(Listed { field, reading, context });
                        }
                    }
                    Next::Junk(line) if is_read => {
                        let field = Field { name: line.clone(), value: line };
                        let (reading, context) = (FieldReading::Text, Some("text"));
                        self.fields.push(Listed { field, reading, context });
                    }
                    Next::Junk(_) => {}
                    Next::Long(value) => return Reached::Long(self.at + value),
                    Next::End(body) => return Reached::Body(self.at + body),
                    Next::Incomplete => break,
                }
                if fields.at() >= STRETCH {
                    return Reached::Fields(self.at + fields.at());
                }
            }
            ahead *= 2;
        }
    }

    /// Goes through the value of a field that is too long, and back to its header.
    pub(super) fn long_field(
        &mut self,
        feed: &mut Feed<'_>,
        leaf: Leaf,
        heading: Heading,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let from = Start { at: self.at, is_line: false };
        let line_end = self.ends.line_end;
        let end = LeafEnd { from, found: None };
        let (at, _) = self.stretches(feed, leaf, end, emit, |_, chunk, from| {
            let found = field_end(chunk, from.at, line_end);
            match found {
                Ok(end) => Ok((end, End::Input)),
                Err(again) => Err(Start { at: again, is_line: false }),
            }
        })?;
        self.at = at;
        self.state = State::Header(heading);
        ControlFlow::Continue(())
    }

    /// A `Content-Length` is believed if a message begins, or all ends, exactly there.
    fn believe_length(&mut self, feed: &mut Feed<'_>, head: &Head, body: usize) {
        let Some(length) = head.length.filter(|length| *length <= LONGEST_LENGTH) else { return };
        let end = body + length;
        self.ensure(feed, end + LINE);
        let chunk = feed.chunk();
        for at in [end, end + 1, end + 2, end.saturating_sub(1), end.saturating_sub(2)] {
            let before = at.checked_sub(1).and_then(|at| chunk.get(at));
            let is_line = at > body && before == Some(&self.ends.line_end) || at == body;
            let line = || self.ends.line(chunk, at, &[]);
            if is_line && at <= feed.end() && matches!(line(), Line::End(_)) {
                return self.ends.skip_messages(at);
            }
        }
    }
}
