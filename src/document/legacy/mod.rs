//! The scan of stored bytes in legacy charsets: from bytes to candidates, decoding windows alone.
//!
//! The input is chunks of stored bytes, the result is the candidates of the decoded document, each with its range in
//! the stored bytes. A pass over the bytes finds possible triggers. Around each a window is decoded, from the last
//! white space or the last candidate on, and the scan of text reads it and requests more while it cannot decide. If all
//! bytes around a trigger are ASCII, nothing is decoded. UTF-16 is read in the same way, with its units narrowed to
//! bytes for the pass. ISO-2022-JP is one window from beginning to end, because the meaning of its bytes depends on
//! those before them.

mod boundary;
mod direct;
mod seek;
mod utf16_as_bytes;

use std::ops::Range;

use boundary::{Boundary, HardBoundary};
use direct::Direct;
use seek::{Opened, Sequences};
use utf16_as_bytes::Utf16AsBytes;

use crate::charset::{Charset, Detected, Layout, TldOpenings};
use crate::document::window::TextWindow;
use crate::input::chunk::Chunk;
use crate::link::lines::LineEnds;
use crate::scan::prefilter::{LegacyKinds, LegacyTriggers, Stops};
use crate::scan::{Match, ScanStep, Settings, TextKind, View};
use crate::simd::narrow::NARROW_STOP;

/// Bytes before a trigger that are searched for white space: more than a local part, a scheme and a host have together,
/// with each character written as a reference.
const BACK: usize = 16 << 10;
/// Bytes before a trigger that the check of it may read.
const BEFORE: usize = 64;
/// Length in bytes of the longest character.
const LONGEST: usize = 4;
/// Stored bytes of UTF-16 that contain the context before a host: 33 bytes of text, 62 of ASCII.
const LINE: usize = 66;

/// How line ends are stored in a layout.
pub(crate) fn line_ends(layout: Layout) -> LineEnds {
    match layout {
        Layout::Utf16Le => LineEnds::Utf16(u16::from_le_bytes),
        Layout::Utf16Be => LineEnds::Utf16(u16::from_be_bytes),
        Layout::Iso2022Jp => LineEnds::Iso2022Jp,
        _ => LineEnds::Bytes,
    }
}

/// Encoding of the bytes that are scanned, and what is searched for in it.
#[derive(Clone, Copy, Debug)]
struct ScannedEncoding {
    charset: Charset,
    layout: Layout,
    /// Characters that begin top-level domains, where one byte is one character of ASCII.
    openings: Option<&'static TldOpenings>,
    kinds: LegacyKinds,
}

impl ScannedEncoding {
    fn new(charset: Charset, layout: Layout, settings: &Settings) -> ScannedEncoding {
        ScannedEncoding {
            charset,
            layout,
            openings: is_by_bytes(layout).then(|| TldOpenings::of(charset, layout)),
            kinds: kinds(layout, settings),
        }
    }
}

/// Scans a document in a legacy charset; its own offsets are those of the whole document.
#[derive(Clone, Debug)]
pub(crate) struct LegacyScanner {
    encoding: ScannedEncoding,
    settings: Settings,
    triggers: LegacyTriggers,
    utf16: Utf16AsBytes,
    window: TextWindow,
    /// Control sequences that a link continues across; a text of a page is not searched for them.
    sequences: Sequences,
    direct: Direct,
    /// Whether the last candidate needed no window: its offsets are those of the bytes, or of the narrow units.
    is_direct: bool,
    /// Decides whether an `@` is half a character, and where windows begin.
    at_signs: Boundary,
    starts: Boundary,
    /// The last hard boundary, if there is no white space after it up to the last trigger.
    hard_boundary: Option<HardBoundary>,
    /// The end of the last candidate that needed no window.
    min_start: usize,
    /// Offset before which all triggers are decided.
    done: usize,
    /// Offset before which those that the end of a chunk cut are decided too.
    resume: usize,
}

/// Returns the marks that are searched for in a layout.
pub(crate) fn kinds(layout: Layout, settings: &Settings) -> LegacyKinds {
    let stops = match layout.stops() {
        _ if layout.is_utf16() => Stops::Single(NARROW_STOP),
        None => Stops::None,
        Some((pairs, None)) => Stops::Pairs(pairs),
        Some((pairs, Some(single))) => Stops::PairsAndSingle(pairs, single),
    };
    let is_wide = is_by_bytes(layout) && layout != Layout::Single;
    LegacyKinds { dots: settings.schemeless, is_wide, stops }
}

/// Returns `true` if each byte of ASCII is a character of ASCII in the layout.
fn is_by_bytes(layout: Layout) -> bool {
    !layout.is_utf16() && layout != Layout::Iso2022Jp
}

/// Layouts of the encodings that are guessed from the content.
const GUESSED: [Layout; 6] =
    [Layout::Single, Layout::ShiftJis, Layout::EucJp, Layout::EucKr, Layout::Gb, Layout::Big5];

/// Returns `true` if a text may have a candidate in an encoding that is guessed from the content. A "no" is certain: no layout
/// has a trigger, and no control sequence hides one.
pub(crate) fn may_hold_link(text: &[u8], settings: &Settings) -> bool {
    let mut triggers = LegacyTriggers::new();
    let has_sequences = settings.links_go_over_sequences();
    GUESSED.iter().any(|layout| {
        triggers.restart(0);
        triggers.next(text, kinds(*layout, settings), |_| true).is_some()
            || Sequences::new(0, has_sequences).next(*layout, Chunk::whole(text), 0).is_some()
    })
}

impl LegacyScanner {
    /// Creates the scan of a document in `charset`; `None` for UTF-8, which has a scan of its own.
    pub(crate) fn of(detected: &Detected, settings: &Settings) -> Option<LegacyScanner> {
        let (charset, first) = (detected.charset(), detected.text_start());
        let sequences = Sequences::new(first, settings.links_go_over_sequences());
        Some(LegacyScanner::new(charset, charset.layout()?, settings, first, sequences))
    }

    /// Creates the scan of a text in this charset that begins at `first`; the bytes before it do not count.
    pub(crate) fn in_charset(
        charset: Charset,
        settings: &Settings,
        first: usize,
    ) -> Option<LegacyScanner> {
        let sequences = Sequences::new(first, false);
        Some(LegacyScanner::new(charset, charset.layout()?, settings, first, sequences))
    }

    /// Restarts with another text, which begins at `first`.
    pub(crate) fn begin(&mut self, first: usize) {
        self.triggers.restart(0);
        self.utf16 = Utf16AsBytes::new(self.encoding.layout, first);
        self.window.begin(first);
        self.is_direct = false;
        self.at_signs = Boundary::new(self.encoding.layout, first);
        self.starts = Boundary::new(self.encoding.layout, first);
        self.hard_boundary = None;
        (self.min_start, self.done, self.resume) = (first, first, first);
    }

    /// Creates the scan of a text that begins at `first`, after the byte order mark.
    fn new(
        charset: Charset,
        layout: Layout,
        settings: &Settings,
        first: usize,
        sequences: Sequences,
    ) -> Self {
        // One byte may become three; whether the link is too long in stored bytes is decided afterwards.
        let max_link = settings.max_link.saturating_mul(3);
        LegacyScanner {
            encoding: ScannedEncoding::new(charset, layout, settings),
            settings: Settings { max_link, ..settings.clone() },
            triggers: LegacyTriggers::new(),
            utf16: Utf16AsBytes::new(layout, first),
            window: TextWindow::decoding(charset, layout, first),
            sequences,
            direct: Direct::new(),
            is_direct: false,
            at_signs: Boundary::new(layout, first),
            starts: Boundary::new(layout, first),
            hard_boundary: None,
            min_start: first,
            done: first,
            resume: first,
        }
    }

    /// Returns the next candidate; its offsets are those of [`text`](LegacyScanner::text).
    pub(crate) fn next(&mut self, chunk: Chunk<'_>) -> ScanStep {
        self.is_direct = false;
        loop {
            if !self.window.is_open {
                if self.encoding.layout == Layout::Iso2022Jp {
                    if self.window.is_complete {
                        return ScanStep::Done;
                    }
                    self.window.is_open = true;
                } else {
                    match self.open_next(chunk) {
                        Opened::Window => {}
                        Opened::Found(candidate) => {
                            self.found(chunk, &candidate);
                            return ScanStep::Found(candidate);
                        }
                        Opened::Cut => return ScanStep::Incomplete,
                        Opened::None => {
                            self.done = self.done.max(self.starts.align(chunk.end()));
                            return if chunk.is_last() {
                                ScanStep::Done
                            } else {
                                ScanStep::Incomplete
                            };
                        }
                    }
                }
            }
            let window = &mut self.window;
            let text = window.text.chunk(window.is_complete);
            let view = View::of(text, self.settings.references).of_kind(window.text_kind);
            match window.scanner.next(&self.settings, view) {
                ScanStep::Found(candidate) => return ScanStep::Found(candidate),
                ScanStep::Done | ScanStep::Sequence => {
                    window.is_open = false;
                    self.done = self.starts.align(chunk.end());
                }
                ScanStep::Incomplete
                    if window.is_waiting() || self.encoding.layout == Layout::Iso2022Jp =>
                {
                    let max_link = self.settings.max_link;
                    let are_there =
                        self.sequences.are_there(self.encoding.layout, chunk, window.end());
                    window.leave_out(are_there);
                    // One byte may have become three.
                    if !window.grow(chunk, max_link, max_link / 3) {
                        return ScanStep::Incomplete;
                    }
                }
                ScanStep::Incomplete => {
                    window.is_open = false;
                    self.done = window.stored_end().max(self.done);
                    if window.leaves_out() {
                        // The last trigger may be a sequence.
                        self.done = self.done.max(window.end());
                    }
                }
            }
        }
    }

    /// Notes a candidate that needed no window.
    fn found(&mut self, chunk: Chunk<'_>, candidate: &Match) {
        let end = candidate.range.end;
        self.is_direct = true;
        self.min_start = match self.encoding.layout.is_utf16() {
            true => self.utf16.stored(end),
            false => chunk.offset(end),
        };
        self.done = self.min_start;
    }

    /// The same for a text that is written so.
    pub(crate) fn of_kind(mut self, text_kind: TextKind) -> LegacyScanner {
        self.window.text_kind = text_kind;
        self
    }

    pub(crate) fn line_ends(&self) -> LineEnds {
        line_ends(self.encoding.layout)
    }

    pub(crate) fn charset(&self) -> Charset {
        self.encoding.charset
    }

    /// Returns the text to which the last candidate's offsets refer.
    pub(crate) fn text<'t>(&'t self, chunk: Chunk<'t>) -> &'t [u8] {
        match (self.is_direct, self.encoding.layout.is_utf16()) {
            (false, _) => self.window.text.bytes(),
            (true, true) => self.utf16.units(),
            (true, false) => chunk.bytes(),
        }
    }

    /// Returns the range of a candidate in the document.
    pub(crate) fn stored(&mut self, chunk: Chunk<'_>, candidate: &Match) -> Range<usize> {
        let Range { start, end } = candidate.range;
        match (self.is_direct, self.encoding.layout.is_utf16()) {
            (false, _) => self.window.stored(candidate),
            (true, true) => self.utf16.stored(start)..self.utf16.stored(end),
            (true, false) => chunk.range(start..end),
        }
    }

    /// Returns `true` if the stored bytes of a candidate equal its text, so that it may be borrowed from them.
    pub(crate) fn is_as_stored(&self, candidate: &Match, stored: &Range<usize>) -> bool {
        let Range { start, end } = candidate.range;
        let is_ascii = || self.window.text.bytes().get(start..end).is_some_and(<[u8]>::is_ascii);
        !self.encoding.layout.is_utf16()
            && (self.is_direct || stored.len() == end - start && candidate.lead == 0 && is_ascii())
    }

    /// Returns the first characters of a candidate that was too long to be kept.
    pub(crate) fn long_head(&mut self) -> Option<Box<str>> {
        self.window.take_head()
    }

    /// Returns the offset of the document from which stored bytes are still needed.
    pub(crate) fn needed(&mut self) -> usize {
        match self.window.is_open {
            true => self.window.first_start(self.settings.max_link).saturating_sub(BEFORE),
            false => self.done.saturating_sub(BACK * self.utf16.unit_len()),
        }
    }

    /// Returns the start of a candidate that has become too long, whose bytes are not needed.
    pub(crate) fn long_start(&self) -> Option<usize> {
        self.window.long_start().filter(|_| self.window.is_open)
    }

    /// Returns, for another scan that continues with the text of a chunk, the first character that it needs, the end of
    /// the last candidate, and the start of the character before which all triggers are decided.
    pub(crate) fn undecided(&mut self, chunk: Chunk<'_>) -> [usize; 3] {
        let kept = self.needed().max(chunk.base());
        let kept = self.starts.next(chunk, kept.max(self.utf16.first));
        let min_start = self.min_start.max(self.window.min_start());
        let decided = match self.window.is_open {
            true => self.window.needed(self.settings.max_link),
            false => self.done,
        };
        // A chunk may end inside a character.
        let resume = decided.saturating_sub(LONGEST).max(kept);
        let resume = kept + self.encoding.layout.boundary(chunk.from(kept), resume - kept);
        [kept, min_start, resume]
    }

    /// Keeps what is still needed of the chunk's bytes before `offset`, which are removed; returns the start of the
    /// unit there.
    pub(crate) fn release(&mut self, chunk: Chunk<'_>, offset: usize) -> usize {
        let offset = self.starts.align(offset);
        self.at_signs.advance(chunk, offset);
        self.starts.advance(chunk, offset);
        self.triggers.restart(0);
        self.sequences.again();
        offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;

    /// The contract: a text that may hold no link has no candidate in any encoding, and "no" is frequent enough to be useful.
    #[test]
    fn a_text_without_links_has_none_in_any_encoding() {
        #[rustfmt::skip]
        const PIECES: [&[u8]; 30] = [
            b"a", b"word ", b". ", b".", b"com", b".de", b" www.", b"x", b"http", b"://", b":", b": ", b"@", b"e.org",
            b"mailto:", b"\n", b"\x1B[1m", b"&#", b"\xE9", b"\xCF\xF0\xE8", b"\x81\x42", b"\x81\x44", b"\xA1", b"\xA1\xA3",
            b"\xA3\xAE", b"\x8E\xA1", b"\xA1\x43", b"\x95\x37", b"\x84\x31", b"\xB1\xE2\x8C",
        ];
        let labels = ["windows-1252", "koi8-r", "shift_jis", "euc-jp", "euc-kr", "gb18030", "big5"];
        let charsets = labels.map(|label| label.parse::<Charset>().unwrap());
        let strict = Settings { schemeless: false, ..Settings::default() };
        let mut dice = Dice::new(11);
        let (mut noes, mut found) = (0, 0);
        for _ in 0..40_000 {
            let text: Vec<u8> =
                (0..dice.below(9)).flat_map(|_| dice.pick(&PIECES).iter().copied()).collect();
            for settings in [&Settings::default(), &strict] {
                let may = may_hold_link(&text, settings);
                noes += u32::from(!may);
                for charset in charsets {
                    let layout = charset.layout().unwrap();
                    let sequences = Sequences::new(0, settings.links_go_over_sequences());
                    let mut scanner = LegacyScanner::new(charset, layout, settings, 0, sequences);
                    let step = scanner.next(Chunk::whole(&text));
                    let is_found = matches!(step, ScanStep::Found(_));
                    assert!(may || !is_found, "{} {}", charset.as_str(), text.escape_ascii());
                    found += u32::from(is_found);
                }
            }
        }
        assert!(noes > 5_000 && found > 5_000, "{noes} {found}");
    }
}
