//! UTF-8 in memory: the shortest path from a text to its links.
//!
//! Most calls of the library are for one short text. The state is therefore small, is written once into the caller's
//! memory, and contains only what a short text uses.

use std::ops::Range;

use crate::charset::Charset;
use crate::document::finder::{Finder, Settled};
use crate::input::chunk::Chunk;
use crate::link::{Judged, Link, set_code};
use crate::scan::{Match, PlainLink, ScanStep, Scanner, TextKind, View};
use crate::simd::narrow::ascii;

/// UTF-8, known to be well-formed or not.
#[derive(Clone, Copy, Debug)]
pub(super) enum Input<'t> {
    Utf8(&'t str),
    Bytes(&'t [u8]),
}

impl<'t> Input<'t> {
    #[inline(always)]
    pub(super) fn bytes(self) -> &'t [u8] {
        match self {
            Input::Utf8(text) => text.as_bytes(),
            Input::Bytes(bytes) => bytes,
        }
    }

    pub(super) fn text(self) -> Option<&'t str> {
        match self {
            Input::Utf8(text) => Some(text),
            Input::Bytes(_) => None,
        }
    }

    fn judge(self, finder: &Finder, candidate: Match) -> Judged<'t> {
        match self {
            Input::Utf8(text) => finder.judge_str(text, candidate),
            Input::Bytes(bytes) => finder.judge(Chunk::whole(bytes), candidate),
        }
    }
}

/// State of a text between two of its candidates.
#[derive(Clone, Debug)]
pub(super) struct Text<'f, 't> {
    pub(super) finder: &'f Finder,
    pub(super) input: Input<'t>,
    pub(super) kind: TextKind,
    pub(super) scanner: Scanner,
}

/// Function that resumes the scan of a text at a terminal sequence, before which the scanner stopped.
pub(super) type AtSequence<'a, 'f, 't, T> = &'a mut dyn FnMut(Text<'f, 't>) -> Option<T>;

impl<'f, 't> Text<'f, 't> {
    /// Returns the next link.
    #[inline]
    pub(super) fn next_link(
        &mut self,
        at_sequence: AtSequence<'_, 'f, 't, Link<'t>>,
    ) -> Option<Link<'t>> {
        match self.scanner.is_done(&self.finder.scan, self.input.bytes()) {
            true => None,
            false => next_link(self, at_sequence),
        }
    }

    /// Returns the next link or rejected candidate.
    pub(super) fn next(
        &mut self,
        at_sequence: AtSequence<'_, 'f, 't, Judged<'t>>,
    ) -> Option<Judged<'t>> {
        let Text { finder, input, kind, scanner } = self;
        let candidate = match scanner.next(&finder.scan, view(finder, *input, *kind)) {
            ScanStep::Found(candidate) => candidate,
            ScanStep::Sequence => return at_sequence(self.clone()),
            ScanStep::Incomplete | ScanStep::Done => return None,
        };
        let mut judged = input.judge(finder, candidate);
        set_code(&mut judged, kind.is_code());
        Some(judged)
    }
}

/// Returns the next link of a text; rejected candidates are not judged.
#[inline(never)]
fn next_link<'f, 't>(
    state: &mut Text<'f, 't>,
    at_sequence: AtSequence<'_, 'f, 't, Link<'t>>,
) -> Option<Link<'t>> {
    // The input stays in place: a copy of it would wait until the parts that were written are in memory.
    let Text { finder, ref input, kind, ref mut scanner } = *state;
    let view = view(finder, *input, kind);
    let text = |range: Range<usize>| match *input {
        Input::Utf8(text) => text.get(range),
        Input::Bytes(bytes) => ascii(&bytes[range]),
    };
    let take = |candidate: &Match| {
        if candidate.refused.is_some() {
            return None;
        }
        if let Some(raw) = text(candidate.range.clone())
            && !finder.has_known()
            && let Some(settled) = finder.settled(raw, candidate, Charset::UTF_8)
        {
            return Some(Decided::Settled(settled, raw, candidate.range.clone()));
        }
        let judged = input.judge(finder, candidate.clone());
        judged.ok().map(|link| Decided::Judged(Box::new(link)))
    };
    let plain = |link: PlainLink| {
        // Nearly all links.
        if let Some(raw) = text(link.range.clone())
            && let Some(settled) = finder.settled_plain(raw, &link)
        {
            return Some(Decided::Settled(settled, raw, link.range));
        }
        take(&link.candidate())
    };
    let found = scanner.find(&finder.scan, view, plain, take);
    match found {
        Ok(decided) if kind.is_code() => {
            let mut link = match decided {
                Decided::Settled(settled, raw, range) => finder.link(settled, raw.into(), range),
                Decided::Judged(link) => *link,
            };
            link.body.is_code = true;
            Some(link)
        }
        Ok(Decided::Settled(settled, raw, range)) => Some(finder.link(settled, raw.into(), range)),
        Ok(Decided::Judged(link)) => Some(*link),
        Err(ScanStep::Sequence) => at_sequence(state.clone()),
        Err(_) => None,
    }
}

#[inline(always)]
fn view<'t>(finder: &Finder, input: Input<'t>, kind: TextKind) -> View<'t> {
    let settings = &finder.scan;
    View::new(input.bytes(), true, settings.references).of_kind(kind).with_sequences(settings)
}

/// The parts of a link that was found. They are small to move, while a link is not.
enum Decided<'t> {
    Settled(Settled, &'t str, Range<usize>),
    Judged(Box<Link<'t>>),
}
