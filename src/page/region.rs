//! A text made of pieces: decoded, with its references resolved, comments between the pieces left out.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use super::source::{Decoded, Source};
use crate::charset::{Charset, DecodedTrace, Decoding, Edges};
use crate::markup::Rules;
use crate::reference;
use crate::scan::{Candidate, References, Scanner, Settings, Step, View};
use crate::span::Trace;

/// Text beyond which what is not needed any more is dropped.
const FULL: usize = 256 << 10;
/// Text kept before the position of the scan.
const CONTEXT: usize = 16 << 10;
/// A reference that is longer and cut by the end of a block is none.
const LONGEST_REFERENCE: usize = 64;
/// What a malformed sequence becomes.
const MALFORMED: u8 = 0xFF;

/// The text, and the scan of it.
#[derive(Clone)]
pub(super) struct Region {
    text: Vec<u8>,
    pieces: Vec<Piece>,
    /// What pieces were decoded from, by number; those that no piece needs any more are gone.
    decodes: VecDeque<Decode>,
    first_decode: usize,
    scanner: Scanner,
    /// Of a candidate that is too long to be kept: where it begins, and its first characters.
    head: Option<(usize, String)>,
    /// What the end of a block cuts, a character or a reference, as far as it is there.
    cut: Option<Cut>,
}

#[derive(Clone)]
struct Cut {
    start: usize,
    bytes: Vec<u8>,
    charset: Charset,
    rules: Rules,
}

/// A stretch of the text, and what it was made of.
#[derive(Clone)]
struct Piece {
    start: usize,
    /// From the piece to what was decoded, where references were resolved.
    resolved: Option<Trace>,
    made: Made,
}

/// Offsets in a source, counted from the beginning of all of its blocks.
#[derive(Clone)]
enum Made {
    /// It is a copy of what stands there.
    Copied(usize),
    /// It was decoded: where the piece begins in what was.
    Decoded { number: usize, start: usize },
    /// All of it stands there, without inner offsets.
    Whole(Range<usize>),
}

/// What was decoded at once; several pieces may be parts of it.
#[derive(Clone)]
struct Decode {
    text: Vec<u8>,
    trace: DecodedTrace,
}

impl Decode {
    /// Where in the source the characters end and begin that do so there in the text.
    fn edges(&mut self, at: usize) -> Edges {
        self.trace.edges(&self.text, at)
    }
}

impl Default for Region {
    fn default() -> Region {
        Region {
            text: Vec::new(),
            pieces: Vec::new(),
            decodes: VecDeque::new(),
            first_decode: 0,
            scanner: Scanner::new(),
            head: None,
            cut: None,
        }
    }
}

impl Region {
    pub(super) fn clear(&mut self) {
        if !self.text.is_empty() {
            self.text.clear();
            self.pieces.clear();
            self.decodes.clear();
            self.scanner = Scanner::new();
        }
        self.head = None;
        self.cut = None;
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Appends a stretch of a source; `may_go_on`: its next character may be the rest of its last one.
    pub(super) fn add(
        &mut self,
        source: &Source<'_>,
        charset: Charset,
        range: Range<usize>,
        rules: Rules,
        may_go_on: bool,
    ) {
        let mut bytes = Cow::Borrowed(&source.bytes[range.clone()]);
        let mut origin = source.base + range.start;
        if let Some(Cut { start, bytes: mut front, .. }) = self.cut.take() {
            if start + front.len() == origin {
                front.extend_from_slice(&bytes);
                (origin, bytes) = (start, Cow::Owned(front));
            } else {
                self.push_stored(start, &front, charset, rules);
            }
        }
        let whole = match may_go_on {
            true if rules == Rules::Json => {
                let whole = whole_characters(charset, &bytes);
                reference::whole_escapes(&bytes[..whole], |at| {
                    charset.layout().is_none_or(|layout| layout.boundary(&bytes, at) == at)
                })
            }
            true => whole_characters(charset, &bytes).min(whole_references(&bytes)),
            false => bytes.len(),
        };
        if whole < bytes.len() {
            let (start, bytes) = (origin + whole, bytes[whole..].to_vec());
            self.cut = Some(Cut { start, bytes, charset, rules });
        }
        self.push_stored(origin, &bytes[..whole], charset, rules);
    }

    fn push_stored(&mut self, origin: usize, bytes: &[u8], charset: Charset, rules: Rules) {
        let layout = charset.layout().filter(|_| !bytes.is_ascii());
        let Some(layout) = layout else {
            let mut at = 0;
            for chunk in bytes.utf8_chunks() {
                self.push(chunk.valid(), rules, Made::Copied(origin + at));
                at += chunk.valid().len();
                let len = chunk.invalid().len();
                if len > 0 {
                    self.push_malformed(origin + at..origin + at + len);
                    at += len;
                }
            }
            return;
        };
        let (mut text, mut trace) = (Vec::new(), DecodedTrace::default());
        let mut decoding = Decoding::new(charset.encoding(), layout);
        decoding.decode(bytes, origin, true, &mut text, &mut trace);
        let number = self.first_decode + self.decodes.len();
        let mut at = 0;
        for chunk in text.utf8_chunks() {
            self.push(chunk.valid(), rules, Made::Decoded { number, start: at });
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                let start = trace.edges(&text, at).start;
                at += chunk.invalid().len();
                self.push_malformed(start..trace.edges(&text, at).end);
            }
        }
        self.decodes.push_back(Decode { text, trace });
    }

    /// Appends the text of a value that was resolved already, of a block that begins at `base`.
    pub(super) fn add_resolved(
        &mut self,
        text: String,
        trace: Option<Trace>,
        decoded: Decoded<'_>,
        base: usize,
    ) {
        self.clear();
        let start = self.text.len();
        let range = base + decoded.range.start..base + decoded.range.end;
        let made = match decoded.text.len() == range.len() {
            true => Made::Copied(range.start),
            false => Made::Whole(range),
        };
        self.pieces.push(Piece { start, resolved: trace, made });
        self.text.extend_from_slice(text.as_bytes());
    }

    fn push(&mut self, text: &str, rules: Rules, made: Made) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        match reference::resolved_by(text, rules, 0) {
            Some((text, trace)) => {
                self.pieces.push(Piece { start, resolved: Some(trace), made });
                self.text.extend_from_slice(text.as_bytes());
            }
            None => {
                self.pieces.push(Piece { start, resolved: None, made });
                self.text.extend_from_slice(text.as_bytes());
            }
        }
    }

    fn push_malformed(&mut self, range: Range<usize>) {
        let made = Made::Whole(range);
        self.pieces.push(Piece { start: self.text.len(), resolved: None, made });
        self.text.push(MALFORMED);
    }

    /// Nothing more comes: what was cut stays so.
    pub(super) fn end(&mut self) {
        if let Some(Cut { start, bytes, charset, rules }) = self.cut.take() {
            self.push_stored(start, &bytes, charset, rules);
        }
    }

    /// The next candidate of the text so far; `is_last`: it is all of it.
    pub(super) fn next(
        &mut self,
        settings: &Settings,
        is_last: bool,
        references: References,
    ) -> Option<Candidate> {
        if self.text.len() > FULL && !is_last {
            self.drop_front(settings.max_link);
        }
        let view = View::new(&self.text, is_last, references);
        match self.scanner.next(settings, view) {
            Step::Found(candidate) => Some(candidate),
            Step::More | Step::Done => None,
        }
    }

    /// Where a candidate stands in the source, counted from the beginning of all blocks.
    pub(super) fn source(&mut self, candidate: &Candidate) -> Range<usize> {
        let start = self.start_of(candidate.range.start);
        let end = self.end_of(candidate.range.end);
        start.min(end)..end
    }

    pub(super) fn take_head(&mut self) -> Option<(usize, String)> {
        self.head.take()
    }

    fn start_of(&mut self, at: usize) -> usize {
        let number = self.pieces.partition_point(|piece| piece.start <= at).saturating_sub(1);
        let Some(piece) = self.pieces.get_mut(number) else { return at };
        let inside = at - piece.start;
        let inside = piece.resolved.as_ref().map_or(inside, |trace| trace.source_offset(inside));
        match &mut piece.made {
            Made::Copied(origin) => *origin + inside,
            Made::Decoded { number, start } => {
                let decode = self.decodes.get_mut(*number - self.first_decode);
                decode.map_or(0, |decode| decode.edges(*start + inside).start)
            }
            Made::Whole(range) => range.start,
        }
    }

    fn end_of(&mut self, at: usize) -> usize {
        let number = self.pieces.partition_point(|piece| piece.start < at).saturating_sub(1);
        let Some(piece) = self.pieces.get_mut(number) else { return at };
        let inside = at - piece.start;
        let inside = piece.resolved.as_ref().map_or(inside, |trace| trace.source_end(inside));
        match &mut piece.made {
            Made::Copied(origin) => *origin + inside,
            Made::Decoded { number, start } => {
                let decode = self.decodes.get_mut(*number - self.first_decode);
                decode.map_or(0, |decode| decode.edges(*start + inside).end)
            }
            Made::Whole(range) => range.end,
        }
    }

    /// Where the first characters stand of a candidate that is too long to be kept.
    pub(super) fn head_start(&self) -> Option<usize> {
        self.head.as_ref().map(|(start, _)| *start)
    }

    /// Where in the source what is not decided begins, with what a walk back may reach.
    pub(super) fn undecided(&mut self, max_link: usize) -> Option<usize> {
        if self.text.is_empty() {
            return self.cut.as_ref().map(|cut| cut.start);
        }
        let needed = self.needed(max_link);
        Some(self.start_of(needed))
    }

    /// The same in the text; of a candidate that is too long its first characters are kept.
    fn needed(&mut self, max_link: usize) -> usize {
        let (needed, long) = self.scanner.needed(max_link);
        if let (Some(start), None) = (long, &self.head) {
            let end = self.text.len().min(start + max_link);
            let head = String::from_utf8_lossy(&self.text[start..end]).into_owned();
            self.head = Some((self.start_of(start), head));
        }
        needed.saturating_sub(CONTEXT)
    }

    /// Drops the pieces that no one needs any more.
    fn drop_front(&mut self, max_link: usize) {
        let low = self.needed(max_link);
        let first = self.pieces.partition_point(|piece| piece.start <= low).saturating_sub(1);
        let Some(dropped) = self.pieces.get(first).map(|piece| piece.start) else { return };
        self.pieces.drain(..first);
        let needed = self.pieces.iter().find_map(|piece| match piece.made {
            Made::Decoded { number, .. } => Some(number),
            _ => None,
        });
        let gone = needed.map_or(self.decodes.len(), |number| number - self.first_decode);
        self.decodes.drain(..gone);
        self.first_decode += gone;
        self.pieces.iter_mut().for_each(|piece| piece.start -= dropped);
        self.text.drain(..dropped);
        self.scanner.shift(dropped);
    }
}

/// How many of the bytes, which begin with a character, are surely whole ones.
fn whole_characters(charset: Charset, bytes: &[u8]) -> usize {
    let Some(layout) = charset.layout() else {
        let tail = bytes.len().saturating_sub(3)..bytes.len();
        let lead = tail.rev().find(|at| bytes[*at] >= 0xC0);
        return lead.unwrap_or(bytes.len());
    };
    let sure = bytes.iter().rposition(|b| layout.is_sure(*b)).map_or(0, |at| at + 1);
    let mut at = sure;
    // No character is longer than four bytes.
    while at + 4 <= bytes.len() {
        at += layout.step(&bytes[at..]).max(1);
    }
    at.min(bytes.len())
}

/// How many of the bytes stand before a reference that may go on behind them.
fn whole_references(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(LONGEST_REFERENCE)..];
    let cut = memchr::memrchr(b'&', tail)
        .filter(|at| tail[at + 1..].iter().all(|b| b.is_ascii_alphanumeric() || *b == b'#'));
    cut.map_or(bytes.len(), |at| bytes.len() - tail.len() + at)
}
