//! The scan of stored bytes in legacy charsets: from bytes to candidates, decoding windows alone.
//!
//! What comes in are blocks of stored bytes, what goes out are the same candidates as of the whole
//! document decoded, each with where it stands in the stored bytes. A pass over the bytes finds what
//! may be a trigger; around it a window is decoded, from the last white space or the last candidate
//! on, and the scan of text runs over that, asking for more as long as it cannot decide. Where all is
//! ASCII around a trigger, there is nothing to decode: the bytes are looked at as they are. UTF-16 goes
//! the same way, its units narrowed to bytes for the pass; ISO-2022-JP is one window from beginning
//! to end, because its bytes mean nothing without what stands before them.

mod boundary;
mod direct;
mod narrow;
mod window;

use std::ops::Range;

use crate::charset::{Charset, CharsetSource, Detected, Layout, Openings};
use crate::lines::LineEnds;
use crate::scan::{
    Boundaries, Candidate, Settings, Step, Stops, StoredKinds, StoredTriggers, Trigger, View,
};
use crate::tables::tld;

use boundary::{Boundary, Wall};
use direct::{Direct, Looked, Stretch};
use narrow::Narrow;
use window::Window;

/// Bytes before a trigger that are looked through for white space: more than a walk back over a local
/// part, a scheme and a host can reach, each character written as a reference.
const BACK: usize = 16 << 10;
/// Bytes before the position that a look at a trigger may take.
const BEFORE: usize = 64;
/// Stored bytes of one byte a character, or of more, that hold what is looked at in front of a host.
const LINE: usize = 33;
/// A window that begins so near needs no look for a nearer beginning.
const NEAR: usize = 32;
/// How much of a window is decoded behind a trigger at first.
const AHEAD: usize = 256;

/// A block of a document's stored bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    pub(crate) bytes: &'a [u8],
    /// Where its first byte stands in the document.
    pub(crate) base: usize,
    /// The document ends with it.
    pub(crate) is_last: bool,
}

impl<'a> Block<'a> {
    fn end(&self) -> usize {
        self.base + self.bytes.len()
    }

    /// The bytes from an offset of the document on.
    fn from(&self, offset: usize) -> &'a [u8] {
        self.bytes.get(offset.saturating_sub(self.base)..).unwrap_or_default()
    }

    fn range(&self, range: Range<usize>) -> &'a [u8] {
        let low = range.start.saturating_sub(self.base).min(self.bytes.len());
        let high = range.end.saturating_sub(self.base).clamp(low, self.bytes.len());
        &self.bytes[low..high]
    }
}

/// What a look for the next trigger comes to.
enum Opened {
    Window,
    /// A candidate that needs none.
    Found(Candidate),
    /// There is one, and the block ends in its last character.
    Cut,
    None,
}

/// Goes through a document in a legacy charset; its own offsets are those of the whole document.
#[derive(Clone, Debug)]
pub(crate) struct StoredScanner {
    charset: Charset,
    layout: Layout,
    openings: Option<&'static Openings>,
    settings: Settings,
    kinds: StoredKinds,
    triggers: StoredTriggers,
    narrow: Narrow,
    window: Window,
    direct: Direct,
    /// The last candidate needed no window: its offsets are those of the bytes, or of the narrow units.
    is_direct: bool,
    /// For an `@` that may be half a character, and for where windows begin.
    at_signs: Boundary,
    starts: Boundary,
    /// The last wall, if there is no white space behind it up to the last trigger.
    wall: Option<Wall>,
    /// The end of the last candidate that needed no window.
    floor: usize,
    /// All triggers before it are decided.
    done: usize,
    /// And those before this, which an end of a block cut.
    resume: usize,
}

impl StoredScanner {
    /// A scan of a document that is encoded so; `None` for UTF-8, which has a scan of its own.
    pub(crate) fn of(detected: &Detected, settings: &Settings) -> Option<StoredScanner> {
        let layout = detected.charset().layout()?;
        let first = match detected.source() {
            CharsetSource::Bom => 2,
            _ => 0,
        };
        Some(StoredScanner::new(detected.charset(), layout, settings, first))
    }

    /// The same scan, where candidates before the first offset and triggers before the second one are
    /// decided; the text before them is ASCII.
    pub(crate) fn starting_at(self, (done, resume): (usize, usize)) -> StoredScanner {
        let done = done.max(self.done);
        let resume = resume.max(done);
        StoredScanner { done, resume, window: self.window.starting_at(done), ..self }
    }

    /// A scan of text that begins at `first`, behind the byte order mark.
    fn new(charset: Charset, layout: Layout, settings: &Settings, first: usize) -> Self {
        let stops = match layout.stops() {
            _ if layout.is_utf16() => Stops::Single(narrow::STOP),
            None => Stops::None,
            Some((pairs, None)) => Stops::Pairs(pairs),
            Some((pairs, Some(single))) => Stops::PairsAndSingle(pairs, single),
        };
        let is_by_bytes = !layout.is_utf16() && layout != Layout::Iso2022Jp;
        let is_wide = is_by_bytes && layout != Layout::Single;
        let kinds = StoredKinds { dots: settings.schemeless, is_wide, stops };
        // One byte may become three; what is too long in stored bytes is known afterwards.
        let max_link = settings.max_link.saturating_mul(3);
        StoredScanner {
            charset,
            layout,
            openings: is_by_bytes.then(|| Openings::of(charset, layout)),
            settings: Settings { max_link, ..settings.clone() },
            kinds,
            triggers: StoredTriggers::new(),
            narrow: Narrow::new(layout, first),
            window: Window::new(charset, layout, first),
            direct: Direct::new(is_wide),
            is_direct: false,
            at_signs: Boundary::new(layout, first),
            starts: Boundary::new(layout, first),
            wall: None,
            floor: first,
            done: first,
            resume: first,
        }
    }

    /// The next candidate; its offsets are those of [`text`](StoredScanner::text).
    pub(crate) fn next(&mut self, block: Block<'_>) -> Step {
        self.is_direct = false;
        loop {
            if !self.window.is_open {
                if self.layout == Layout::Iso2022Jp {
                    if self.window.is_complete {
                        return Step::Done;
                    }
                    self.window.is_open = true;
                } else {
                    match self.open_next(block) {
                        Opened::Window => {}
                        Opened::Found(candidate) => {
                            self.is_direct = true;
                            return Step::Found(candidate);
                        }
                        Opened::Cut => return Step::More,
                        Opened::None => {
                            self.done = self.done.max(self.starts.align(block.end()));
                            return if block.is_last { Step::Done } else { Step::More };
                        }
                    }
                }
            }
            let window = &mut self.window;
            let view = View::new(&window.text, window.is_complete, self.settings.references);
            match window.scanner.next(&self.settings, view) {
                Step::Found(candidate) => return Step::Found(candidate),
                Step::Done => {
                    window.is_open = false;
                    self.done = self.starts.align(block.end());
                }
                Step::More if window.is_waiting() || self.layout == Layout::Iso2022Jp => {
                    if !window.grow(block, self.settings.max_link) {
                        return Step::More;
                    }
                }
                Step::More => {
                    window.is_open = false;
                    self.done = window.stored_end().max(self.done);
                }
            }
        }
    }

    /// How its line ends are stored.
    pub(crate) fn line_ends(&self) -> LineEnds {
        match self.layout {
            Layout::Utf16Le => LineEnds::Utf16(u16::from_le_bytes),
            Layout::Utf16Be => LineEnds::Utf16(u16::from_be_bytes),
            Layout::Iso2022Jp => LineEnds::Iso2022Jp,
            _ => LineEnds::Bytes,
        }
    }

    pub(crate) fn charset(&self) -> Charset {
        self.charset
    }

    /// The text that the last candidate's offsets are of.
    pub(crate) fn text<'t>(&'t self, block: Block<'t>) -> &'t [u8] {
        match (self.is_direct, self.layout.is_utf16()) {
            (false, _) => &self.window.text,
            (true, true) => self.narrow.units(),
            (true, false) => block.bytes,
        }
    }

    /// Where a candidate stands in the document.
    pub(crate) fn stored(&mut self, block: Block<'_>, candidate: &Candidate) -> Range<usize> {
        let Range { start, end } = candidate.range;
        match (self.is_direct, self.layout.is_utf16()) {
            (false, _) => self.window.stored(candidate),
            (true, true) => self.narrow.stored(start)..self.narrow.stored(end),
            (true, false) => block.base + start..block.base + end,
        }
    }

    /// Whether a candidate at this place is in the stored bytes what it is in the text: then it may be
    /// borrowed from them.
    pub(crate) fn is_as_stored(&self, candidate: &Candidate, stored: &Range<usize>) -> bool {
        let Range { start, end } = candidate.range;
        let is_ascii = || self.window.text.get(start..end).is_some_and(<[u8]>::is_ascii);
        !self.layout.is_utf16()
            && (self.is_direct || stored.len() == end - start && candidate.lead == 0 && is_ascii())
    }

    /// Of a candidate that was too long to be kept: its first characters.
    pub(crate) fn long_head(&mut self) -> Option<String> {
        self.window.take_head()
    }

    /// From which offset of the document on stored bytes are still needed; and where the candidate
    /// begins that has become too long, whose bytes are not.
    pub(crate) fn needed(&mut self) -> (usize, Option<usize>) {
        match self.window.is_open {
            true => {
                let (needed, long) = self.window.needed(self.settings.max_link);
                (needed.saturating_sub(BEFORE), long)
            }
            false => (self.done.saturating_sub(BACK * self.narrow.unit_len()), None),
        }
    }

    /// The block is about to lose what stands before `offset`; gives where it may be cut.
    pub(crate) fn cut(&mut self, block: Block<'_>, offset: usize) -> usize {
        let offset = self.starts.align(offset);
        self.at_signs.advance(block, offset);
        self.starts.advance(block, offset);
        self.triggers.shift(0);
        offset
    }

    /// Looks for the next trigger from `done` on and opens a window around it.
    fn open_next(&mut self, block: Block<'_>) -> Opened {
        if self.layout.is_utf16() {
            self.narrow.seek(self.done.max(self.resume));
            while let Some((at, trigger)) = self.narrow.next(block, self.kinds) {
                if !self.is_promising(block, at, trigger) {
                    continue;
                }
                match self.look(block, at, trigger) {
                    Looked::Nothing => {}
                    Looked::Found(candidate) => return Opened::Found(candidate),
                    Looked::Undecided => return self.open(block, at, trigger),
                }
            }
            return Opened::None;
        }
        self.triggers.seek(self.done.max(self.resume).saturating_sub(block.base));
        while let Some((at, trigger)) = self.triggers.next(block.bytes, self.kinds) {
            let trigger = match trigger {
                Trigger::Label(label) => Trigger::Label(block.base + label),
                other => other,
            };
            let at = block.base + at;
            if !self.is_promising(block, at, trigger) {
                continue;
            }
            match self.look(block, at, trigger) {
                Looked::Nothing => {}
                Looked::Found(candidate) => return Opened::Found(candidate),
                Looked::Undecided => match self.open(block, at, trigger) {
                    Opened::None => {}
                    opened => return opened,
                },
            }
        }
        Opened::None
    }

    /// Looks at what stands around a trigger without a window.
    fn look(&mut self, block: Block<'_>, at: usize, trigger: Trigger) -> Looked {
        if matches!(trigger, Trigger::Label(_)) {
            return Looked::Undecided;
        }
        let decided = self.window.end();
        let is_utf16 = self.layout.is_utf16();
        let stretch = match is_utf16 {
            true => self.narrow.stretch(block, decided, self.floor),
            false => Stretch {
                bytes: block.bytes,
                is_first: block.base == 0,
                is_last: block.is_last,
                decided: decided.saturating_sub(block.base),
                floor: self.floor.saturating_sub(block.base),
            },
        };
        let event = match is_utf16 {
            true => self.narrow.unit(at),
            false => at - block.base,
        };
        let looked = self.direct.look(stretch, event, &self.settings);
        if let Looked::Found(candidate) = &looked {
            let end = candidate.range.end;
            self.floor = if is_utf16 { self.narrow.stored(end) } else { block.base + end };
            self.done = self.floor;
        }
        looked
    }

    /// Whether a trigger that bytes show may be one.
    #[inline]
    fn is_promising(&mut self, block: Block<'_>, at: usize, trigger: Trigger) -> bool {
        match trigger {
            Trigger::Look => true,
            Trigger::At => {
                let is_half = |openings: &Openings, before: &[u8]| {
                    before.first().is_some_and(|lead| openings.is_at_lead(*lead))
                };
                match self.openings {
                    Some(openings) if is_half(openings, block.range(at.max(1) - 1..at)) => {
                        self.at_signs.is_boundary(block, at)
                    }
                    _ => true,
                }
            }
            Trigger::Label(label) => match self.openings {
                Some(openings) => openings.may_open(block.from(label)),
                None => match block.from(label) {
                    [a, b, ..] => tld::may_open_unicode(self.layout.unit([*a, *b]).into()),
                    _ => true,
                },
            },
        }
    }

    /// Whether what the trigger shows is U+3002 and that makes no link in the middle of prose.
    fn needs_gap(&self, block: Block<'_>, at: usize, trigger: Trigger) -> bool {
        let is_behind_stop = |label: usize| {
            let stored = block.range(label.saturating_sub(2)..label);
            label == at && self.layout.stops().is_some_and(|(pairs, _)| stored == pairs[0])
        };
        self.settings.boundaries == Boundaries::Prose
            && matches!(trigger, Trigger::Label(label) if is_behind_stop(label))
    }

    /// Decodes a window around the trigger at `at`, or goes on with the last one.
    fn open(&mut self, block: Block<'_>, at: usize, trigger: Trigger) -> Opened {
        // The last window's end is behind the last candidate's, unless that needed none.
        let decided = self.window.end().max(self.floor);
        let low = decided.max(at.saturating_sub(BACK * self.narrow.unit_len()));
        let known = self.wall.filter(|wall| wall.at >= low && wall.bare_to <= at);
        let from = known.map_or(low, |wall| wall.bare_to);
        let (start, known) = match self.narrow.white_space(block, from..at) {
            Some(white) => (Some(white), None),
            None if known.is_some() || low == self.window.end() => (None, known),
            None if low == self.floor => (Some(low), None),
            None => (Some(self.starts.next(block, low)), None),
        };
        // Prose without spaces has other places that no walk back goes over.
        let from = start.unwrap_or(from);
        let is_far = self.kinds.is_wide && at - from.min(at) > NEAR;
        let wall = match is_far || known.is_some() {
            true => boundary::last_wall(self.layout, block, from..at, known),
            false => None,
        };
        self.wall = wall.filter(|wall| wall.bare_to == at);
        if self.wall.is_some() && self.needs_gap(block, at, trigger) {
            return Opened::None;
        }
        if let Some(start) = wall.map(|wall| wall.at).or(start) {
            self.restart(block, start);
        }
        let ahead = if self.kinds.is_wide { AHEAD / 4 } else { AHEAD * self.narrow.unit_len() };
        let ahead = block.range(at..at + ahead);
        let end = self.narrow.white_space_in(ahead).unwrap_or(ahead.len());
        self.window.grow_to(block, at + end, self.settings.max_link);
        // The block may end in the middle of the trigger's last character.
        self.window.is_open = self.window.end() > at || block.is_last;
        match self.window.is_open {
            true => Opened::Window,
            false => {
                self.resume = at;
                Opened::Cut
            }
        }
    }

    /// Begins a window for hosts that do not begin before `start`, or goes on with the last one if that
    /// is near: what stands on the line in front of a host has a say in whether it is one.
    fn restart(&mut self, block: Block<'_>, start: usize) {
        let line = match self.kinds.is_wide || self.layout.is_utf16() {
            true => 2 * LINE,
            false => LINE,
        };
        let low = start.saturating_sub(line);
        if low <= self.window.end() && self.floor <= self.window.end() {
            return;
        }
        if block.from(start).first() == Some(&b'\n') && !self.layout.is_utf16() {
            self.window.restart(start);
            return;
        }
        let before = block.range(low..start);
        let feed = match self.layout.is_utf16() {
            true => None,
            false => before.iter().rposition(|b| *b == b'\n'),
        };
        // Behind a candidate there is no white space, and its last character stands in front.
        if start != self.floor && !matters(before, feed) {
            self.window.restart_in_line(start, LINE);
            return;
        }
        let context = match feed {
            Some(feed) => low + feed,
            _ if self.kinds.is_wide => self.starts.next(block, low).min(start),
            _ => self.starts.align(low),
        };
        self.window.restart(context);
        // What the context itself has is decided, and where it begins is no edge.
        self.window.grow_to(block, start, self.settings.max_link);
        self.window.skip_text();
    }
}

/// Whether what stands before a window may have a say in what its hosts are, beside being there: the
/// name of a file, an operator, or the beginning of a line, behind a line feed, if it is but a bullet.
fn matters(before: &[u8], feed: Option<usize>) -> bool {
    let line = &before[feed.map_or(0, |feed| feed + 1)..];
    let ends_in_operator = line.iter().rev().take(2).any(|b| matches!(b, b'>' | b':'));
    let (mut has_mark, mut is_ascii) = (false, true);
    // Without an early end, so that it goes many bytes at a time. In UTF-16 it finds more than is there.
    for byte in line {
        has_mark |= (*byte == b'.') | (*byte == b'\n');
        is_ascii &= byte.is_ascii();
    }
    ends_in_operator || has_mark || feed.is_some() && (is_ascii || line.starts_with(b"\t"))
}
