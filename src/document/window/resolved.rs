//! Texts that are assembled: decoded, with references resolved and comments between their pieces removed.

use std::borrow::Cow;
use std::ops::Range;

use super::{FULL, TextWindow};
use crate::charset::{Charset, LegacyDecoder};
use crate::input::chunk::Chunk;
use crate::markup::Rules;
use crate::scan::reference;
use crate::scan::{ESC, Match, References, ScanStep, Settings, TextKind, View};
use crate::source_map::{MappedText, SourceMap};

/// Bytes of a reference that is waited for at the end of a chunk. A longer one is text.
const LONGEST_REFERENCE: usize = 64;
/// More bytes than decide on a control sequence in a string of JSON: an ESC, `[`, 64 parameters, `m` and a scheme, each character
/// an escape of six bytes.
const LONGEST_SEQUENCE: usize = 512;

/// The beginning of a character or a reference that the end of a chunk cuts.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    start: usize,
    bytes: Vec<u8>,
    charset: Charset,
    rules: Rules,
}

impl TextWindow {
    /// Ends the text that was put together.
    pub(crate) fn clear(&mut self) {
        if !self.text.is_empty() {
            self.restart(0);
        }
        (self.cut, self.text_kind) = (None, TextKind::Prose);
    }

    /// Appends a range of a source with its references resolved; `may_go_on`: its next character may be the rest of its
    /// last one.
    pub(crate) fn add(
        &mut self,
        chunk: Chunk<'_>,
        charset: Charset,
        range: Range<usize>,
        rules: Rules,
        may_go_on: bool,
    ) {
        let mut bytes = Cow::Borrowed(chunk.slice(range.clone()));
        let mut origin = range.start;
        if let Some(Cut { start, bytes: mut front, rules: own, .. }) = self.cut.take() {
            // A text that other rules hold for, or an empty one after the element, has nothing of a reference before it.
            if start + front.len() == origin && own == rules {
                front.extend_from_slice(&bytes);
                (origin, bytes) = (start, Cow::Owned(front));
            } else {
                self.push_stored(start, &front, charset, own);
            }
        }
        let whole = match may_go_on {
            true if rules == Rules::Json => {
                let whole = whole_characters(charset, &bytes);
                let bytes = &bytes[..whole];
                let begins =
                    |at| charset.layout().is_none_or(|layout| layout.boundary(bytes, at) == at);
                let sequences = reference::before_escape_of(ESC, bytes, LONGEST_SEQUENCE, begins);
                reference::whole_escapes(bytes, begins).min(sequences)
            }
            true => {
                let whole = whole_characters(charset, &bytes);
                match rules {
                    Rules::Escapes(grammar) => grammar.whole_escapes(&bytes[..whole]),
                    _ => whole.min(whole_references(&bytes)),
                }
            }
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
        let Some(layout) = layout else { return self.push(bytes, None, origin, rules) };
        let (mut text, mut map) = (Vec::new(), SourceMap::default());
        let mut decoding = LegacyDecoder::new(charset.encoding(), layout);
        decoding.decode(bytes, 0, true, &mut text, &mut map);
        self.push(&text, Some(&map), origin, rules);
    }

    /// Appends a text with its references resolved; `map` is that of the text, if it is no copy of the
    /// source, in which it begins at `origin`.
    fn push(&mut self, text: &[u8], map: Option<&SourceMap>, origin: usize, rules: Rules) {
        if !rules.may_be_in(text) {
            return self.copy(text, map, 0..text.len(), origin);
        }
        let mut at = 0;
        for (part, ill_formed) in well_formed(text) {
            let valid = at..at + part.len();
            at = valid.end + ill_formed;
            match reference::resolved_by(part, rules, valid.start) {
                None => self.copy(text, map, valid.start..at, origin),
                Some((resolved, steps)) => {
                    let composed = match map {
                        Some(map) => &steps.through(resolved.len(), map, text),
                        None => &steps,
                    };
                    self.push_resolved(resolved.as_bytes(), composed, origin);
                    self.copy(text, map, valid.end..at, origin);
                }
            }
        }
    }

    /// Appends a resolved text without the control sequences that a link continues across; `map` maps it to the source
    /// from `origin` on.
    fn push_resolved(&mut self, text: &[u8], map: &SourceMap, origin: usize) {
        let append = |window: &mut TextWindow, stretch: Range<usize>| {
            window.copy(text, Some(map), stretch, origin);
        };
        // The bytes that decide on a sequence are available.
        let (Ok(at) | Err(at)) = self.take_pieces(text, true, append);
        append(self, at..text.len());
    }

    /// Appends a range of a text unchanged.
    fn copy(&mut self, text: &[u8], map: Option<&SourceMap>, stretch: Range<usize>, origin: usize) {
        if stretch.is_empty() {
            return;
        }
        self.note_white_space(&text[stretch.clone()]);
        let (text_so_far, map_so_far) = self.text.parts();
        let start = text_so_far.len();
        match map {
            Some(map) => map_so_far.append(start, map, text, stretch.clone(), origin),
            None => map_so_far.copied(start, origin + stretch.start),
        }
        text_so_far.extend_from_slice(&text[stretch]);
    }

    /// Sets the text to that of a value whose references are resolved.
    pub(crate) fn hold(&mut self, mapped: &MappedText<'_>) {
        self.clear();
        let text = mapped.text.as_bytes();
        self.copy(text, mapped.map.as_ref(), 0..text.len(), mapped.start);
    }

    /// Ends the text: a character or reference that was cut stays incomplete.
    pub(crate) fn finish(&mut self) {
        if let Some(Cut { start, bytes, charset, rules }) = self.cut.take() {
            self.push_stored(start, &bytes, charset, rules);
        }
    }

    /// Returns the next candidate of the text so far; `is_last`: the text is complete.
    pub(crate) fn next_resolved(
        &mut self,
        settings: &Settings,
        is_last: bool,
        references: References,
    ) -> Option<Match> {
        // Dropping moves the rest of the text. This is called for each candidate, so a large part is dropped at once.
        if !is_last && self.text.len() > FULL {
            self.drop_front(settings.max_link, settings.max_link, FULL / 2);
        }
        let view = View::of(self.text.chunk(is_last), references).of_kind(self.text_kind);
        match self.scanner.next(settings, view) {
            ScanStep::Found(candidate) => Some(candidate),
            ScanStep::Incomplete | ScanStep::Sequence | ScanStep::Done => None,
        }
    }

    /// Returns the source offset from which text is undecided, minus the context for searches backwards.
    pub(crate) fn undecided(&mut self, max_link: usize) -> Option<usize> {
        if self.text.is_empty() {
            return self.cut.as_ref().map(|cut| cut.start);
        }
        let undecided = self.needed_text(max_link, max_link);
        Some(self.start_before(undecided))
    }
}

/// Returns the well-formed parts of a text, each with the number of ill-formed bytes after it. Nearly all texts are well-formed, and
/// to validate takes less time than to split.
fn well_formed(text: &[u8]) -> impl Iterator<Item = (&str, usize)> {
    let whole = str::from_utf8(text).ok();
    let parts = whole.is_none().then(|| text.utf8_chunks());
    let parts = parts.into_iter().flatten().map(|part| (part.valid(), part.invalid().len()));
    whole.map(|text| (text, 0)).into_iter().chain(parts)
}

/// Returns how many of the bytes, which begin with a character, are certainly complete characters.
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

/// Returns how many of the bytes precede a reference that may continue after them.
fn whole_references(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(LONGEST_REFERENCE)..];
    let cut = memchr::memrchr(b'&', tail)
        .filter(|at| tail[at + 1..].iter().all(|b| b.is_ascii_alphanumeric() || *b == b'#'));
    cut.map_or(bytes.len(), |at| bytes.len() - tail.len() + at)
}
