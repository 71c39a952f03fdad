//! Mail: messages and mailboxes to documents, their links with places in the stored bytes.
//!
//! A message is gone through from part to part in stored order (`structure`, `header`, `part`). Each leaf is
//! decoded (`transfer`), edited (`edit`) and scanned as a document of its own; its links come back with their
//! ranges in what was scanned, and get those in the stored bytes (`leaf`). Fields are read by a table
//! (`fields`, `fieldlinks`, `word`). Nothing needs a message whole: `long` tells of parts that are.
//!
//! MIME: RFC 2045 to 2049, RFC 2231; messages: RFC 5322; mailboxes: RFC 4155.

mod alternatives;
mod edit;
mod feed;
mod fieldlinks;
mod fields;
mod found;
pub(crate) mod header;
pub(crate) mod known;
mod leaf;
mod long;
mod mbox;
mod parameters;
mod part;
mod placing;
mod structure;
mod transfer;
mod word;
mod wrapped;

use std::ops::ControlFlow;
use std::sync::Arc;

pub(crate) use feed::Feed;
pub(crate) use found::{Attachment, Found, PartFound, Remark};
pub(crate) use part::Head;
pub(crate) use transfer::{Decoding, Encoding};
pub(crate) use wrapped::each_joined;

use crate::document::{Alternatives, Headers, Hints};
use crate::finder::Base;
use crate::finder::Finder;
use crate::iri::{Error, ErrorKind, IriBuf};
use crate::lines::{LineCounter, LineEnds};
use crate::link::Origin;
use alternatives::Held;
use edit::Edited;
use header::{Fields, Next};
use leaf::Leaf;
use mbox::Separators;
use part::{Content, Reading};
use structure::{End, Ends, Level, Line, Parts, Window};

/// How far it is looked for a line feed, to know how lines end.
const LINE_ENDS: usize = 64 << 10;
/// A `Content-Length` that says more is not believed.
const LONGEST_LENGTH: usize = 16 << 20;
/// The number of a message in a mailbox, and of its part: most have no more characters.
const USUAL_PART: usize = 12;
/// Most headers have no more.
const USUAL_FIELDS: usize = 32;
/// More than is looked at to know what a line is.
const LINE: usize = 16 << 10;
/// What is before a line decides what it is.
const BEFORE: usize = 4;

/// What becomes of what is found.
pub(crate) type Emit<'e> = dyn FnMut(Found<'_>) -> ControlFlow<()> + 'e;

/// What is the same for all that is on one level of a message.
#[derive(Clone, Debug, Default)]
struct Scope {
    message_id: Option<Box<str>>,
    /// What references are resolved against, unless a part says something else.
    base: Option<IriBuf>,
}

#[derive(Clone, Debug)]
enum State {
    Start,
    /// A message of a mailbox, its `From ` line first.
    Message,
    Header {
        is_message: bool,
        is_in_digest: bool,
    },
    Leaf(Box<Leaf>),
    Done,
}

/// Goes through a message or a mailbox.
#[derive(Clone, Debug)]
pub(crate) struct Mail<'f> {
    finder: &'f Finder,
    hints: Hints,
    state: State,
    /// Where it is in all bytes.
    at: usize,
    ends: Ends,
    levels: Vec<Level>,
    /// Of the message, and of each level.
    scopes: Vec<Scope>,
    section: Vec<u32>,
    /// The number of the message in its mailbox.
    ordinal: u64,
    parts: u32,
    /// Of a message in a message that is encoded: where it is in the outer one, how deep, and through
    /// how many encodings.
    outer: String,
    outer_number: Option<u64>,
    depth: usize,
    chain: usize,
    lines: Option<LineCounter>,
    fields: Vec<(header::Field, bool)>,
    /// Alternatives that are open, the best of which is read.
    held: Vec<Held>,
    decoded: Vec<u8>,
    marks: Vec<transfer::Mark>,
    edited: Edited,
    remarks: Vec<Remark>,
}

impl<'f> Mail<'f> {
    pub(crate) fn new(finder: &'f Finder, hints: &Hints, kind: known::Kind) -> Mail<'f> {
        let mailbox = (kind == known::Kind::Mailbox).then(Separators::default);
        Mail {
            finder,
            hints: hints.clone(),
            state: State::Start,
            at: 0,
            ends: Ends::new(b'\n', mailbox),
            levels: Vec::new(),
            scopes: vec![Scope::default()],
            section: Vec::new(),
            ordinal: 0,
            parts: 0,
            outer: String::new(),
            outer_number: None,
            depth: 0,
            chain: 0,
            lines: hints.positions.then(|| LineCounter::new(LineEnds::Bytes)),
            fields: Vec::with_capacity(USUAL_FIELDS),
            held: Vec::new(),
            decoded: Vec::new(),
            marks: Vec::new(),
            edited: Edited::default(),
            remarks: Vec::new(),
        }
    }

    /// What a reader of the links should know, each thing once.
    pub(crate) fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    fn remark(&mut self, remark: Remark) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// Goes on by a header or a leaf; whether there is more.
    pub(crate) fn step(
        &mut self,
        feed: &mut Feed<'_>,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<(), bool> {
        match std::mem::replace(&mut self.state, State::Done) {
            State::Start => self.start(feed),
            State::Message => self.message(feed),
            State::Header { is_message, is_in_digest } => {
                self.header(feed, is_message, is_in_digest, emit)?;
            }
            State::Leaf(leaf) => self.leaf(feed, *leaf, emit)?,
            State::Done => return ControlFlow::Continue(false),
        }
        ControlFlow::Continue(true)
    }

    /// All of it.
    pub(crate) fn run(&mut self, feed: &mut Feed<'_>, emit: &mut Emit<'_>) -> ControlFlow<()> {
        while self.step(feed, emit)? {}
        ControlFlow::Continue(())
    }

    fn start(&mut self, feed: &mut Feed<'_>) {
        feed.ensure(LINE_ENDS, 0, &mut self.lines);
        let bytes = feed.bytes();
        let head = &bytes[..bytes.len().min(LINE_ENDS)];
        let has_lf = memchr::memchr(b'\n', head).is_some();
        if !has_lf && memchr::memchr(b'\r', head).is_some() {
            self.ends.line_end = b'\r';
        }
        if let Some(separators) = &mut self.ends.mailbox {
            *separators = Separators::of(head);
        }
        self.state = match self.ends.mailbox {
            Some(_) => State::Message,
            None => State::Header { is_message: true, is_in_digest: false },
        };
    }

    /// A message of a mailbox begins.
    fn message(&mut self, feed: &mut Feed<'_>) {
        self.levels.clear();
        self.scopes.clear();
        self.scopes.push(Scope::default());
        self.section.clear();
        self.parts = 0;
        self.ordinal += 1;
        self.ensure(feed, self.at + LINE);
        let window = window(feed);
        if self.ends.line(window, self.at, &[]) == Line::End(End::Message) {
            let line = memchr::memchr(self.ends.line_end, feed.from(self.at));
            self.at += line.map_or(0, |line| line + 1);
        }
        self.state = State::Header { is_message: true, is_in_digest: false };
    }

    fn ensure(&mut self, feed: &mut Feed<'_>, end: usize) {
        feed.ensure(end, self.at.saturating_sub(BEFORE), &mut self.lines);
    }

    /// Reads a header: notes what it says, gives its links, and decides what follows.
    fn header(
        &mut self,
        feed: &mut Feed<'_>,
        is_message: bool,
        is_in_digest: bool,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let (head, body) = self.read_header(feed);
        if head.has_duplicates {
            self.remark(Remark::DuplicateHeader);
        }
        let message_id = match is_message {
            true => head.message_id.clone(),
            false => self.scope().and_then(|outer| outer.message_id.clone()),
        };
        let own = self.location(&head);
        if head.base.as_deref().is_some_and(|base| is_unusable(&iri(None, base))) {
            self.remark(Remark::BaseUnusable);
        }
        let base = own.clone().or_else(|| own_base(&head)).or_else(|| self.scope_base());
        let scope = Scope { message_id, base };
        let part = self.part(&self.section);
        let message_id = scope.message_id.clone();
        let message_number = self.message_number();
        let origin = Arc::new(Origin { part, message_number, message_id, ..Origin::default() });
        if self.hints.headers != Headers::None {
            self.field_links(feed, &head, &origin, emit)?;
        }
        if is_message && self.ends.mailbox.is_some() && self.levels.is_empty() {
            self.believe_length(feed, &head, body);
        }
        self.at = body;
        let mut content = head.content(is_in_digest);
        let depth = self.depth + self.levels.len() + 1;
        self.parts += 1;
        if !matches!(content, Content::Leaf(_)) {
            if depth > structure::DEEPEST {
                self.remark(Remark::TooDeep);
                content = Content::Leaf(Reading::Text { delsp: false });
            } else if self.parts > structure::MOST_PARTS {
                self.remark(Remark::TooManyParts);
                content = Content::Leaf(Reading::Text { delsp: false });
            }
        }
        let encoding = head.encoding.unwrap_or_default();
        let mut section = self.section.clone();
        match content {
            Content::Multipart { boundary, is_digest, is_alternative } => {
                let depth = self.section.len();
                let parts = Parts { boundary, depth, number: 0, is_digest, is_closed: false };
                self.levels.push(Level::Parts(parts));
                if is_alternative && self.hints.alternatives == Alternatives::Best {
                    self.held.push(Held::new(self.levels.len()));
                }
                self.set_scope(is_message, scope, true);
                self.state = State::Leaf(Box::new(Leaf::between("preamble")));
            }
            Content::Message if encoding == transfer::Encoding::Identity => {
                if is_message {
                    self.section.push(1);
                }
                self.levels.push(Level::Message);
                self.set_scope(is_message, scope, true);
                self.state = State::Header { is_message: true, is_in_digest: false };
            }
            content => {
                if is_message {
                    section.push(1);
                }
                self.set_scope(is_message, scope, false);
                let mut leaf = Leaf::new(content, &head, encoding);
                leaf.section = section;
                leaf.base = self.base_of_leaf(own.as_ref(), &head);
                leaf.source = own.map(|own| own.as_str().into());
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

    /// What a leaf's references are resolved against.
    fn base_of_leaf(&self, own: Option<&IriBuf>, head: &Head) -> Option<IriBuf> {
        let own = own.cloned().or_else(|| own_base(head));
        own.or_else(|| self.scope_base()).or_else(|| self.hints.base.clone())
    }

    fn scope(&self) -> Option<&Scope> {
        self.scopes.last()
    }

    /// What references are resolved against there.
    fn scope_base(&self) -> Option<IriBuf> {
        self.scope()?.base.clone()
    }

    /// Notes what holds on the level that begins; of a message without one, for all of it.
    fn set_scope(&mut self, is_message: bool, scope: Scope, is_level: bool) {
        if is_message && let Some(last) = self.scopes.last_mut() {
            last.message_id = scope.message_id.clone();
        }
        if is_level {
            self.scopes.push(scope);
        }
    }

    /// The number of the message in its mailbox; of one in a message, that of the outer one.
    fn message_number(&self) -> Option<u64> {
        self.outer_number.or((self.ordinal > 0).then_some(self.ordinal))
    }

    /// The place in the mailbox or message: `12!1.2`.
    fn part(&self, section: &[u32]) -> Option<Box<str>> {
        if self.outer.is_empty() && self.ordinal == 0 && section.is_empty() {
            return None;
        }
        let mut part = String::with_capacity(self.outer.len() + USUAL_PART);
        part.push_str(&self.outer);
        if self.ordinal > 0 {
            if !part.is_empty() {
                part.push('!');
            }
            structure::push_number(self.ordinal, &mut part);
        }
        if !section.is_empty() {
            if !part.is_empty() {
                part.push(if self.ordinal > 0 { '!' } else { '.' });
            }
            structure::push_section(section, &mut part);
        }
        Some(part.into())
    }

    /// The part's `Content-Location`, resolved against what it is in (RFC 2557 §5).
    fn location(&mut self, head: &Head) -> Option<IriBuf> {
        let location = head.location.as_deref()?;
        let outer =
            own_base(head).or_else(|| self.scope_base()).or_else(|| self.hints.base.clone());
        let base = iri(outer.as_ref(), location);
        if is_unusable(&base) {
            self.remark(Remark::BaseUnusable);
        }
        let base = base.ok()?;
        let is_opaque = base.as_str().get(..4).is_some_and(|s| s.eq_ignore_ascii_case("cid:"));
        (!is_opaque).then_some(base)
    }

    /// A `Content-Length` is believed if a message begins, or all ends, exactly there.
    fn believe_length(&mut self, feed: &mut Feed<'_>, head: &Head, body: usize) {
        let Some(length) = head.length.filter(|length| *length <= LONGEST_LENGTH) else { return };
        let end = body + length;
        self.ensure(feed, end + LINE);
        let window = window(feed);
        for at in [end, end + 1, end + 2, end.saturating_sub(1), end.saturating_sub(2)] {
            let before = at.checked_sub(window.base + 1).and_then(|at| window.bytes.get(at));
            let is_line = at > body && before == Some(&self.ends.line_end) || at == body;
            let line = || self.ends.line(window, at, &[]);
            if is_line && at <= feed.end() && matches!(line(), Line::End(_)) {
                return self.ends.skip_messages(at);
            }
        }
    }

    /// The fields of the header at hand, and where its body begins.
    fn read_header(&mut self, feed: &mut Feed<'_>) -> (Head, usize) {
        let mut ahead = LINE;
        loop {
            self.ensure(feed, self.at + ahead);
            let window = window(feed);
            let bytes = feed.from(self.at);
            let mut fields = Fields::new(0, self.ends.line_end);
            let mut head = Head::default();
            self.fields.clear();
            loop {
                let mut is_cut = false;
                let next = fields.next(bytes, window.is_last, |at| {
                    match self.ends.line(window, self.at + at, &self.levels) {
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
                        self.fields.push((field, true));
                    }
                    Next::Junk(line) => {
                        self.fields
                            .push((header::Field { name: line.clone(), value: line }, false));
                    }
                    Next::End(body) => return (head, self.at + body),
                    Next::Incomplete => break,
                }
            }
            ahead *= 2;
        }
    }

    /// Goes on after the end of what was gone through.
    fn end(&mut self, at: usize, end: End, emit: &mut Emit<'_>) -> ControlFlow<()> {
        self.at = at;
        self.settle(end, emit)?;
        match end {
            End::Input => self.state = State::Done,
            End::Message => self.state = State::Message,
            End::Delimiter { level, is_close, next } => {
                self.at = next;
                self.levels.truncate(level + 1);
                self.scopes.truncate(level + 2);
                let Some(Level::Parts(parts)) = self.levels.last_mut() else {
                    return ControlFlow::Continue(());
                };
                self.section.truncate(parts.depth);
                if is_close {
                    parts.is_closed = true;
                    self.state = State::Leaf(Box::new(Leaf::between("epilogue")));
                } else {
                    parts.number += 1;
                    self.section.push(parts.number);
                    let is_in_digest = parts.is_digest;
                    self.state = State::Header { is_message: false, is_in_digest };
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// A header's own `Content-Base`.
fn own_base(head: &Head) -> Option<IriBuf> {
    iri(None, head.base.as_deref()?).ok()
}

/// What a reference comes to.
fn iri(base: Option<&IriBuf>, reference: &str) -> Result<IriBuf, Error> {
    Base::inner(base.map(Base::from).as_ref(), reference)
}

/// Whether what declares a base is none; a relative reference without one is what it is.
fn is_unusable(base: &Result<IriBuf, Error>) -> bool {
    base.as_ref().is_err_and(|error| error.kind() != ErrorKind::NoScheme)
}

fn window<'w>(feed: &'w Feed<'_>) -> Window<'w> {
    Window { bytes: feed.bytes(), base: feed.base(), is_last: feed.is_last() }
}
