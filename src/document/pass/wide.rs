//! The pass over binary data: bytes, and among them strings in UTF-16LE, as `strings -el` finds them.
//!
//! Merges the links of the pass over bytes with the links of strings that contain a scheme with `//`, or `mailto:`, in
//! units of two bytes. A string ends at the first unit that is not a letter, digit or sign of a script below U+0600:
//! the bytes after a string in a binary file are hardly ever such units. The bytes of a stream are needed as far as a
//! string may begin in them.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};

use super::legacy::Legacy;
use super::positions::Positions;
use super::{Pass, Utf8};
use crate::charset::Charset;
use crate::document::finder::{FinderHandle, StoredSpan};
use crate::document::step::{Emit, Stepped};
use crate::input::chunk::Chunk;
use crate::link::lines::LineEnds;
use crate::link::{Judged, LinkKind, body_of, owned, start_of};
use crate::offsets::Unit;
use crate::scan::{ScanStep, Scanner, View};

/// A colon in UTF-16LE, and what follows it in a link with an authority.
const COLON: &[u8] = b":\0";
const SLASHES: &[u8] = b"/\0/\0";
const MAILTO: &[u8] = b"m\0a\0i\0l\0t\0o\0";
/// Bytes before a colon in which the start of a string is searched.
const BACK: usize = 128;
/// Bytes after a colon that are read of a string.
const LONGEST: usize = 8 << 10;
/// Bytes before its decided offset at which the pass over bytes may still report the start of a candidate.
const UNSURE: usize = 256;

/// The pass over bytes. It is not an [`AnyPass`](super::AnyPass), which would then refer to itself; and two more variants
/// of that, one for each of these, take 0.9 % of the instructions of a short text.
#[allow(clippy::large_enum_variant, reason = "it is in a box already")]
#[derive(Clone, Debug)]
pub(super) enum Bytes<'f> {
    Utf8(Utf8<'f>),
    Legacy(Legacy<'f>),
}

impl Bytes<'_> {
    fn step<'b>(
        &mut self,
        chunk: Chunk<'b>,
        emit: &mut Emit<'_, 'b>,
    ) -> ControlFlow<(), Stepped<'b>> {
        match self {
            Bytes::Utf8(pass) => pass.step(chunk, emit),
            Bytes::Legacy(pass) => pass.step(chunk, emit),
        }
    }

    fn release(&mut self, chunk: Chunk<'_>) -> usize {
        match self {
            Bytes::Utf8(pass) => pass.release(chunk),
            Bytes::Legacy(pass) => pass.release(chunk),
        }
    }

    fn charset(&self) -> Charset {
        match self {
            Bytes::Utf8(_) => Charset::UTF_8,
            Bytes::Legacy(pass) => pass.charset(),
        }
    }

    /// Returns the offset of the document before which no candidate is open.
    fn decided(&mut self) -> usize {
        match self {
            Bytes::Utf8(pass) => pass.decided(),
            Bytes::Legacy(pass) => pass.decided(),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Wide<'f> {
    bytes: Bytes<'f>,
    finder: FinderHandle<'f>,
    charset: Charset,
    /// Offset of the document before which everything is searched.
    at: usize,
    /// Links in strings, in order, and the link after them in the bytes.
    found: VecDeque<Judged<'static>>,
    later: Option<Judged<'static>>,
    positions: Positions,
}

/// Result of the search around a colon.
enum Around {
    Nothing,
    /// More bytes are needed.
    Cut,
    /// A string, and whether it is longer than those that are read.
    String(Range<usize>, bool),
}

impl<'f> Wide<'f> {
    /// Creates the pass over the bytes of `bytes`, which has read none yet.
    pub(super) fn around(
        bytes: Bytes<'f>,
        finder: &FinderHandle<'f>,
        charset: Charset,
        columns: Option<Unit>,
    ) -> Wide<'f> {
        // The strings are searched in bytes of the other charset, whose lines are counted.
        let counted = bytes.charset();
        Wide {
            bytes,
            finder: finder.clone(),
            charset,
            at: 0,
            found: VecDeque::new(),
            later: None,
            positions: Positions::new(columns, LineEnds::Bytes, counted),
        }
    }

    /// Searches for the next string with links.
    fn seek(&mut self, view: Chunk<'_>) {
        while self.found.is_empty() {
            let Some(colon) = memchr::memmem::find(view.from(self.at), COLON) else {
                let is_cut = view.bytes().ends_with(&COLON[..1]) && !view.is_last();
                self.at = self.at.max(view.end() - usize::from(is_cut));
                break;
            };
            let colon = self.at + colon;
            match around(view, self.at, colon) {
                Around::Cut => {
                    self.at = colon;
                    break;
                }
                Around::Nothing => self.at = colon + COLON.len(),
                Around::String(range, is_long) => {
                    self.at = range.end;
                    self.judge(view, range, is_long);
                }
            }
        }
    }

    /// Adds the links of a string.
    fn judge(&mut self, view: Chunk<'_>, range: Range<usize>, is_long: bool) {
        let (units, _) = view.within(range.clone()).as_chunks::<2>();
        let text: String = units
            .iter()
            .filter_map(|unit| char::from_u32(u16::from_le_bytes(*unit).into()))
            .collect();
        let mut scanner = Scanner::new();
        let settings = &self.finder.scan;
        let scanned = View::new(text.as_bytes(), true, settings.references);
        // Each character is a unit; they are counted from one offset to the next.
        let mut counted = (0, 0);
        let mut unit = |offset: usize| {
            if offset < counted.0 {
                counted = (0, 0);
            }
            let between = text.get(counted.0..offset).unwrap_or_default();
            counted = (offset, counted.1 + between.chars().count());
            range.start + 2 * counted.1
        };
        while let ScanStep::Found(candidate) = scanner.next(settings, scanned) {
            let place = unit(candidate.range.start)..unit(candidate.range.end);
            let mut judged = match is_long && candidate.range.end == text.len() {
                true => {
                    let raw = text[candidate.range.clone()].into();
                    let range = place.clone();
                    let span = StoredSpan::new(range, self.charset);
                    Err(self.finder.refuse_long(raw, LinkKind::Absolute, span))
                }
                false => self.finder.judge_str(&text, candidate),
            };
            let body = body_of(&mut judged);
            (body.range, body.charset) = (place, self.charset);
            self.positions.put(&mut judged, view);
            self.found.push_back(owned(judged));
        }
    }

    /// Returns the offset before which all strings have been found.
    fn searched(&self, chunk: Chunk<'_>) -> usize {
        match chunk.is_last() && self.at >= chunk.end() {
            true => usize::MAX,
            false => self.at.saturating_sub(BACK),
        }
    }
}

/// Searches for a string around a colon in UTF-16LE; no string begins before `floor`.
fn around(view: Chunk<'_>, floor: usize, colon: usize) -> Around {
    let after = view.from(colon + COLON.len());
    let is_mail = || {
        let before = view.within(colon.saturating_sub(MAILTO.len())..colon);
        before.eq_ignore_ascii_case(MAILTO)
    };
    if !is_mail() {
        let is_cut = after.len() < SLASHES.len() && !view.is_last();
        match after.starts_with(SLASHES) {
            true => {}
            false if is_cut && SLASHES.starts_with(after) => return Around::Cut,
            false => return Around::Nothing,
        }
    }
    let (mut start, lowest) = (colon, floor.max(colon.saturating_sub(BACK)).max(view.base()));
    while start >= lowest + 2 && is_of_string(view.within(start - 2..start)) {
        start -= 2;
    }
    let (units, _) = after[..after.len().min(LONGEST)].as_chunks::<2>();
    let len = 2 * units.iter().take_while(|unit| is_of_string(&unit[..])).count();
    if len == 2 * units.len() && after.len() < LONGEST && !view.is_last() {
        return Around::Cut;
    }
    Around::String(start..colon + COLON.len() + len, len == LONGEST)
}

/// Returns `true` if a unit may be in a string.
fn is_of_string(unit: &[u8]) -> bool {
    matches!(unit, [b' '..=b'~', 0] | [0xA1..=0xFF, 0] | [_, 1..=5])
}

impl Pass for Wide<'_> {
    fn step<'b>(
        &mut self,
        chunk: Chunk<'b>,
        emit: &mut Emit<'_, 'b>,
    ) -> ControlFlow<(), Stepped<'b>> {
        if self.found.is_empty() {
            self.seek(chunk);
        }
        let string = self.found.front().map(start_of);
        let before = string.unwrap_or_else(|| self.searched(chunk));
        let next = match self.later.take() {
            Some(judged) => Stepped::Found(judged),
            None => self.bytes.step(chunk, emit)?,
        };
        ControlFlow::Continue(match next {
            Stepped::Found(judged) if start_of(&judged) < before => Stepped::Found(judged),
            Stepped::Found(judged) => {
                self.later = Some(owned(judged));
                self.found.pop_front().map_or(Stepped::NeedInput, Stepped::Found)
            }
            Stepped::More => Stepped::More,
            Stepped::NeedInput => {
                let decided = match chunk.is_last() {
                    true => usize::MAX,
                    false => self.bytes.decided().saturating_sub(UNSURE),
                };
                match string.filter(|start| *start < decided) {
                    Some(_) => self.found.pop_front().map_or(Stepped::NeedInput, Stepped::Found),
                    None => Stepped::NeedInput,
                }
            }
        })
    }

    fn release(&mut self, chunk: Chunk<'_>) -> usize {
        let keep = self.bytes.release(chunk).min(self.at.saturating_sub(BACK)).max(chunk.base());
        self.positions.advance([None; 2], keep, chunk);
        keep
    }
}
