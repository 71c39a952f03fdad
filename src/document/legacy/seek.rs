//! From a trigger in the stored bytes to a candidate or a window around it.
//!
//! Control sequences ahead of the scan that a link continues across: triggers near one need a window.

use super::direct::{self, Looked, Start, Stretch};
use super::{BACK, LINE, LegacyScanner, boundary};
use crate::charset::{Layout, TldOpenings, may_stand};
use crate::document::window::StoredUnits;
use crate::input::chunk::Chunk;
use crate::scan::prefilter::Trigger;
use crate::scan::{Boundaries, Match};

/// A window that begins at most so many bytes before needs no search for a nearer beginning.
const NEAR: usize = 32;
/// Bytes of a window that are decoded after a trigger at first.
const AHEAD: usize = 256;

/// Maximum length in bytes of a control sequence and of the bytes that decide whether it is removed.
const SEQUENCE: usize = 96;
/// Factor by which more of a line is read backwards where control sequences are near.
const MANY: usize = 6;

/// Result of the search for the next trigger.
pub(super) enum Opened {
    Window,
    /// A candidate that needs no window.
    Found(Match),
    /// There is a trigger, and the block ends in its last character.
    Cut,
    None,
}

impl LegacyScanner {
    /// Searches for the next trigger from `done` on, and opens a window around it.
    pub(super) fn open_next(&mut self, chunk: Chunk<'_>) -> Opened {
        let from = self.done.max(self.resume);
        let decided = from.max(self.window.end());
        let sequence = self.sequences.next(self.encoding.layout, chunk, decided);
        // Bytes after a sequence wait until the sequence is decided.
        let seen = match sequence {
            Some(at) => chunk.up_to(at),
            None => chunk,
        };
        if self.encoding.layout.is_utf16() {
            self.utf16.seek(from);
            while let Some((at, trigger)) = self.utf16.next(seen, self.encoding.kinds) {
                match self.open_at(chunk, at, trigger) {
                    Opened::None => {}
                    opened => return opened,
                }
            }
            return self.open_sequence(chunk, sequence);
        }
        self.triggers.seek(chunk.index(from));
        let openings = self.encoding.openings;
        let may_open = |label: &[u8]| openings.is_none_or(|openings| openings.may_open(label));
        while let Some((at, trigger)) =
            self.triggers.next(seen.bytes(), self.encoding.kinds, may_open)
        {
            let trigger = match trigger {
                Trigger::Label(label) => Trigger::Label(chunk.offset(label)),
                other => other,
            };
            match self.open_at(chunk, chunk.offset(at), trigger) {
                Opened::None => {}
                opened => return opened,
            }
        }
        self.open_sequence(chunk, sequence)
    }

    /// Opens a window around a control sequence.
    fn open_sequence(&mut self, chunk: Chunk<'_>, sequence: Option<usize>) -> Opened {
        match sequence {
            Some(at) => self.open(chunk, at, Trigger::Look, SEQUENCE * self.utf16.unit_len()),
            None => Opened::None,
        }
    }

    /// Checks a trigger, and opens a window around it if the bytes alone do not decide.
    fn open_at(&mut self, chunk: Chunk<'_>, at: usize, trigger: Trigger) -> Opened {
        if !self.is_promising(chunk, at, trigger) {
            return Opened::None;
        }
        match self.look(chunk, at, trigger) {
            Looked::Nothing => Opened::None,
            Looked::Found(candidate) => Opened::Found(candidate),
            Looked::Undecided => self.open(chunk, at, trigger, 0),
        }
    }

    /// Judges a trigger by the stored bytes around it, without a window.
    fn look(&mut self, chunk: Chunk<'_>, at: usize, trigger: Trigger) -> Looked {
        if self.sequences.is_near(self.encoding.layout, at) {
            return Looked::Undecided;
        }
        let sequence = self.sequences.next(self.encoding.layout, chunk, at);
        if matches!(trigger, Trigger::Label(_)) {
            return Looked::Undecided;
        }
        let decided = self.window.end();
        let is_utf16 = self.encoding.layout.is_utf16();
        let mut stretch = match is_utf16 {
            true => self.utf16.stretch(chunk, decided, self.min_start),
            false => Stretch {
                bytes: chunk.bytes(),
                is_first: chunk.base() <= self.utf16.first,
                is_last: chunk.is_last(),
                decided: chunk.index(decided),
                min_start: chunk.index(self.min_start),
            },
        };
        let event = match is_utf16 {
            true => self.utf16.unit(at),
            false => chunk.index(at),
        };
        if let Some(sequence) = sequence {
            let end = if is_utf16 { self.utf16.unit(sequence) } else { chunk.index(sequence) };
            stretch.end_at(end);
        }
        let mut start = direct::start(stretch, event);
        if start.is_none()
            && let Some(begin) = direct::scheme_start(stretch, event)
        {
            let before = [stretch.bytes[begin - 2], stretch.bytes[begin - 1]];
            let boundaries = &mut self.at_signs;
            let has_no_say = direct::has_no_say(self.encoding.layout, before, || {
                boundaries.is_boundary(chunk, chunk.offset(begin) - 2)
            });
            start = has_no_say.then_some(Start::Scheme);
        }
        let Some(start) = start else { return Looked::Undecided };
        self.direct.look(stretch, event, start, &self.settings, self.window.text_kind)
    }

    /// Returns `true` if a trigger that the bytes show may be one.
    #[inline]
    fn is_promising(&mut self, chunk: Chunk<'_>, at: usize, trigger: Trigger) -> bool {
        match trigger {
            Trigger::Look => true,
            Trigger::At => {
                let is_half = |openings: &TldOpenings, before: &[u8]| {
                    before.first().is_some_and(|lead| openings.is_at_lead(*lead))
                };
                match self.encoding.openings {
                    Some(openings) if is_half(openings, chunk.within(at.max(1) - 1..at)) => {
                        self.at_signs.is_boundary(chunk, at)
                    }
                    _ => true,
                }
            }
            Trigger::Label(label) if self.encoding.layout.is_utf16() => {
                let units = chunk.from(label).as_chunks().0.iter();
                may_stand(units.map(|unit| char::from_u32(self.encoding.layout.unit(*unit).into())))
            }
            // The pass has checked it.
            Trigger::Label(_) => true,
        }
    }

    /// Returns `true` if the trigger is U+3002 in the middle of prose, where it begins no link.
    fn needs_gap(&self, chunk: Chunk<'_>, at: usize, trigger: Trigger) -> bool {
        let is_after_stop = |label: usize| {
            let stored = chunk.within(label.saturating_sub(2)..label);
            label == at && self.encoding.layout.stops().is_some_and(|(pairs, _)| stored == pairs[0])
        };
        self.settings.boundaries == Boundaries::Prose
            && matches!(trigger, Trigger::Label(label) if is_after_stop(label))
    }

    /// Decodes a window around the trigger at `at`, of at least `least` bytes where the chunk has them, or extends the last
    /// window.
    fn open(&mut self, chunk: Chunk<'_>, at: usize, trigger: Trigger, least: usize) -> Opened {
        let are_there = self.sequences.are_there(self.encoding.layout, chunk, self.window.end());
        self.window.leave_out(are_there);
        // The last window's end is after the last candidate's, unless that needed none.
        let decided = self.window.end().max(self.min_start);
        let low = decided.max(at.saturating_sub(BACK * self.utf16.unit_len()));
        let known = self
            .hard_boundary
            .filter(|hard_boundary| hard_boundary.at >= low && hard_boundary.bare_to <= at);
        let from = known.map_or(low, |hard_boundary| hard_boundary.bare_to);
        let (start, known) = match self.utf16.white_space(chunk, from..at) {
            Some(white) => (Some(white), None),
            None if known.is_some() || low == self.window.end() => (None, known),
            None if low == self.min_start => (Some(low), None),
            None => (Some(self.starts.next(chunk, low)), None),
        };
        // Prose without spaces has other characters that no search backwards crosses.
        let from = start.unwrap_or(from);
        let is_far = self.encoding.kinds.is_wide && at - from.min(at) > NEAR;
        let hard_boundary = match is_far || known.is_some() {
            true => boundary::last_wall(self.encoding.layout, chunk, from..at, known),
            false => None,
        };
        self.hard_boundary = hard_boundary.filter(|hard_boundary| hard_boundary.bare_to == at);
        if self.hard_boundary.is_some() && self.needs_gap(chunk, at, trigger) {
            return Opened::None;
        }
        if let Some(start) = hard_boundary.map(|hard_boundary| hard_boundary.at).or(start) {
            self.restart(chunk, start);
        }
        let ahead =
            if self.encoding.kinds.is_wide { AHEAD / 4 } else { AHEAD * self.utf16.unit_len() };
        let ahead = chunk.within(at..at + ahead);
        let end = self.utf16.white_space_in(ahead).unwrap_or(ahead.len());
        let max_link = self.settings.max_link;
        self.window.make_room(max_link, max_link / 3);
        self.window.take_to(chunk, at + end.max(least));
        // The block may end in the middle of the trigger's last character; that of an `@` is the one
        // after it.
        let last = match trigger {
            Trigger::At => at + self.utf16.unit_len(),
            Trigger::Look | Trigger::Label(_) => at,
        };
        self.window.is_open = self.window.end() > last || chunk.is_last();
        match self.window.is_open {
            true => Opened::Window,
            false => {
                self.resume = at;
                Opened::Cut
            }
        }
    }

    /// Begins a window for hosts that do not begin before `start`, or continues the last one if that is near: the text
    /// before a host, on its line and the one before, affects whether it is one.
    fn restart(&mut self, chunk: Chunk<'_>, start: usize) {
        let mut line = LINE * self.utf16.unit_len();
        if self.sequences.is_near(self.encoding.layout, start) {
            line *= MANY;
        }
        let low = start.saturating_sub(line).max(self.utf16.first);
        if low <= self.window.end() && self.min_start <= self.window.end() {
            return;
        }
        // A text that begins like a line needs nothing of the one before.
        let before = chunk.within(low..start + 1);
        let feed = match self.encoding.layout.is_utf16() {
            true => None,
            false => before.iter().rposition(|b| *b == b'\n'),
        };
        let feed = feed.filter(|feed| direct::begins_anew(&before[..*feed]));
        let context = match feed {
            Some(feed) => low + feed,
            None if low == self.utf16.first => low,
            None if self.encoding.kinds.is_wide => self.starts.next(chunk, low).min(start),
            None => self.starts.align(low),
        };
        self.window.restart(context);
        // Triggers in the context are decided, and its beginning is no edge.
        self.window.take_to(chunk, start);
        self.window.skip_text();
    }
}

/// Bytes, or units of UTF-16, after a sequence that it may affect.
const BEHIND: usize = 256;

/// Offset of the next sequence in the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequences {
    /// The end of the document if the block has no sequence.
    next: usize,
    /// Offset before which the last sequences end; 0 without sequences.
    last: usize,
    /// Offset before which there is no other sequence; the end of the block that was searched.
    looked: usize,
    end: usize,
}

impl Sequences {
    /// Creates the state for a text from `first` on; nothing is searched for if `are` is false.
    pub(super) fn new(first: usize, are: bool) -> Sequences {
        Sequences {
            next: usize::MAX,
            last: 0,
            looked: first,
            end: if are { 0 } else { usize::MAX },
        }
    }

    /// Returns the start of the first sequence in the block from `from` on, even if the end of the block cuts it.
    #[inline]
    pub(super) fn next(&mut self, layout: Layout, chunk: Chunk<'_>, from: usize) -> Option<usize> {
        if self.next < from || self.end < chunk.end() {
            self.seek(layout, chunk, from);
        }
        Some(self.next).filter(|next| *next != usize::MAX)
    }

    #[inline(never)]
    fn seek(&mut self, layout: Layout, chunk: Chunk<'_>, from: usize) {
        if self.next < from {
            self.last = from;
        }
        let units = StoredUnits::of(layout);
        // Units begin where the text does.
        let unit = units.len_of(1);
        let looked = self.looked;
        let from = from.max(looked).max(chunk.base());
        let from = from + (from - looked) % unit;
        let has_strings = layout != Layout::Iso2022Jp;
        let next = units.next_sequence(chunk.from(from), chunk.is_last(), has_strings);
        self.end = chunk.end();
        self.next = next.map_or(usize::MAX, |next| from + next);
        let end = chunk.end().max(from);
        self.looked = next.map_or(end - (end - from) % unit, |next| from + next);
    }

    /// Prepares for a change of the block: a sequence that its end cuts is searched for again.
    pub(super) fn again(&mut self) {
        if self.end != usize::MAX {
            self.end = 0;
        }
    }

    /// Returns `true` if there was a sequence, or is one in the block from `from` on.
    pub(super) fn are_there(&mut self, layout: Layout, chunk: Chunk<'_>, from: usize) -> bool {
        self.next(layout, chunk, from).is_some() || self.last > 0
    }

    /// Returns `true` if a sequence is near before an offset.
    fn is_near(&self, layout: Layout, offset: usize) -> bool {
        self.last > 0 && self.last + StoredUnits::of(layout).len_of(BEHIND) > offset
    }
}
