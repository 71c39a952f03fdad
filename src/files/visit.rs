//! A visit: the documents of one input scanned, what comes of them made events.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::{Binary, Event, Options};
use crate::charset::Charset;
use crate::container::{Given, HeaderLink, Member, Nature, Visitor};
use crate::document::{Format, Hints};
use crate::finder::{Finder, Reference};
use crate::link::{LinkKind, body_of, set_origin, set_position};
use crate::markup::Base;
use crate::stream::{self, Buffer, Notice};

/// What an input came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) bytes: u64,
    pub(super) links: u64,
    /// The input itself failed.
    pub(super) failed: bool,
    pub(super) members_failed: bool,
    pub(super) stopped: bool,
}

/// One input being visited.
pub(super) struct Visit<'v, E> {
    options: &'v Options,
    hints: &'v Hints,
    binary: &'v Finder,
    path: &'v Path,
    buffer: &'v mut Buffer,
    emit: E,
    tally: Tally,
}

/// The finder for what is not text: what has no scheme is no link there, and is not looked for.
pub(super) fn binary(finder: &Finder) -> Finder {
    finder.for_binary()
}

impl<'v, E: FnMut(Event<'_>) -> ControlFlow<()>> Visit<'v, E> {
    pub(super) fn new(
        options: &'v Options,
        hints: &'v Hints,
        binary: &'v Finder,
        path: &'v Path,
        buffer: &'v mut Buffer,
        emit: E,
    ) -> Visit<'v, E> {
        Visit { options, hints, binary, path, buffer, emit, tally: Tally::default() }
    }

    pub(super) fn into_tally(self) -> Tally {
        self.tally
    }

    fn emit(&mut self, event: Event<'_>) {
        self.tally.stopped |= (self.emit)(event).is_break();
    }

    fn hints(&self, given: &Given<'_>) -> Hints {
        let hints = self.hints;
        let mut hints = match hints.format {
            _ if given.nature != Nature::Text => return hints.clone().format(Format::Text),
            Format::Auto if given.said.format.is_some() => hints.clone(),
            Format::Auto if !given.name.is_empty() => hints.named(given.name),
            _ => hints.clone(),
        };
        if let (Format::Auto, Some(format)) = (hints.format, given.said.format) {
            hints.format = format;
        }
        hints.charset = given.said.charset.or(hints.charset);
        if let Some(source) = &given.said.source {
            hints.base = Some(source.clone());
        }
        hints
    }
}

impl<E: FnMut(Event<'_>) -> ControlFlow<()>> Visitor for Visit<'_, E> {
    fn document(&mut self, given: &Given<'_>, reader: &mut dyn Read) -> io::Result<()> {
        let is_binary = given.nature != Nature::Text && self.options.binary != Binary::Text;
        let hints = match self.options.binary {
            Binary::Text => self.hints(&Given { nature: Nature::Text, ..*given }),
            _ => self.hints(given),
        };
        let (path, member) = (self.path, given.member);
        if is_binary && given.nature == Nature::Binary {
            self.emit(Event::Noticed { path, member, notice: Notice::Binary });
        }
        if is_binary && self.options.binary == Binary::Skip {
            return Ok(());
        }
        let Visit { options, binary, buffer, emit, .. } = self;
        let finder = if is_binary { binary } else { &options.finder };
        let origin = given.origin().map(Arc::new);
        let mut links = 0;
        let scanned = finder.scan_reader_in(buffer, reader, &hints, |event| {
            let mut judged = match event {
                stream::Event::Link(link) => Ok(link),
                stream::Event::Rejected(rejected) => Err(rejected),
            };
            if is_binary && !is_sure(body_of(&mut judged).kind, body_of(&mut judged).text()) {
                return ControlFlow::Continue(());
            }
            if let Some(origin) = &origin {
                set_origin(&mut judged, origin);
            }
            links += u64::from(judged.is_ok());
            emit(match judged {
                Ok(link) => Event::Link { path, link },
                Err(rejected) => Event::Rejected { path, rejected },
            })
        });
        self.tally.links += links;
        let scanned = scanned?;
        self.tally.stopped |= scanned.stopped();
        if !scanned.stopped() {
            self.tally.bytes += scanned.bytes();
            for notice in scanned.notices().to_vec() {
                self.emit(Event::Noticed { path, member, notice });
            }
            self.emit(Event::Document { path, member, scanned });
        }
        Ok(())
    }

    fn failed(&mut self, member: &Member, error: io::Error) {
        match member.is_empty() {
            true => self.tally.failed = true,
            false => self.tally.members_failed = true,
        }
        self.emit(Event::Failed { path: self.path, member, error });
    }

    fn noticed(&mut self, member: &Member, notice: Notice) {
        self.emit(Event::Noticed { path: self.path, member, notice });
    }

    fn value(&mut self, given: &Given<'_>, link: HeaderLink) {
        let said = self.hints.base.as_ref();
        let base = given.said.source.as_ref().or(said).map(Base::from);
        let HeaderLink { context, text, range, position } = link;
        let reference = Reference { text: text.into(), raw: None, range, context: context.into() };
        let finder = &self.options.finder;
        let mut judged = finder.judge_value(reference, base.as_ref(), Charset::UTF_8);
        set_position(&mut judged, self.hints.positions.then_some(position));
        if let Some(origin) = given.origin() {
            set_origin(&mut judged, &Arc::new(origin));
        }
        self.tally.links += u64::from(judged.is_ok());
        let path = self.path;
        self.emit(match judged {
            Ok(link) => Event::Link { path, link },
            Err(rejected) => Event::Rejected { path, rejected },
        });
    }

    fn counted(&mut self, _: &Member) {}

    fn is_stopped(&self) -> bool {
        self.tally.stopped
    }
}

/// Whether a candidate in what is not text is one: bytes without meaning spell schemeless hosts and
/// addresses soon enough, and `scheme://` never.
fn is_sure(kind: LinkKind, text: &str) -> bool {
    let after_scheme = text.split_once(':').map(|(_, rest)| rest);
    match kind {
        LinkKind::Email => text.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("mailto:")),
        LinkKind::Iri => after_scheme.is_some_and(|rest| rest.starts_with("//")),
        _ => false,
    }
}
