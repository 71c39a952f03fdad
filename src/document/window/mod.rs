//! Windows: a part of a document as text, and the scan of it.
//!
//! The input is chunks of stored bytes, the result is the candidates of their text, each with its stored range. Text in
//! a legacy charset is decoded, UTF-8 is copied, and in both the control sequences that a link continues across are
//! removed ([`sequences`]).

#[cfg(feature = "documents")]
mod resolved;
mod sequences;
mod text;

use std::ops::Range;

#[cfg(feature = "documents")]
use crate::charset::{Charset, Layout, LegacyDecoder};
use crate::input::chunk::Chunk;
use crate::scan::{ESC, Match, ScanStep, Scanner, Settings, TextKind, View};
use crate::source_map::Edges;
pub(crate) use sequences::StoredUnits;
use sequences::{Piece, StringAt};
use text::WindowText;

/// Bytes of text kept before the position of the scan: as many as a search backwards may reach.
const CONTEXT: usize = 16 << 10;
/// Bytes of text before a control sequence whose triggers it may affect.
const UNDECIDED: usize = 4 << 10;
/// Length of text in bytes beyond which text that is not needed is dropped.
pub(crate) const FULL: usize = 192 << 10;
/// Minimum and maximum number of stored bytes by which a window grows at once.
const LEAST: usize = 64;
const MOST: usize = 64 << 10;

/// The open window, or the last one.
#[derive(Clone, Debug)]
pub(crate) struct TextWindow {
    pub(crate) text: WindowText,
    written: Written,
    /// Whether control sequences are removed.
    leaves_out: bool,
    string: StringAt,
    pub(crate) scanner: Scanner,
    /// End of the stored bytes that the window has read.
    end: usize,
    /// Number of stored bytes by which it grows next.
    step: usize,
    /// Number of bytes of sequences that were removed since the last white space, and the number above which the next one ends a
    /// link: until then their stored bytes are held.
    left_out: usize,
    most_left_out: usize,
    pub(crate) is_open: bool,
    /// Whether it reaches to the end of the document.
    pub(crate) is_complete: bool,
    /// Start in the document of the candidate of which the scanner keeps only the first characters, if there is one.
    long: usize,
    pub(crate) text_kind: TextKind,
    #[cfg(feature = "documents")]
    cut: Option<resolved::Cut>,
}

/// Encoding of the stored bytes.
#[allow(clippy::large_enum_variant, reason = "a window of UTF-8 is in a box")]
#[derive(Clone, Debug)]
enum Written {
    Utf8,
    #[cfg(feature = "documents")]
    Legacy(LegacyDecoder),
}

/// Creates a window for texts of pages, which are assembled from pieces.
impl Default for TextWindow {
    fn default() -> TextWindow {
        TextWindow::new(Written::Utf8, 0)
    }
}

impl TextWindow {
    #[cfg(feature = "documents")]
    pub(crate) fn decoding(charset: Charset, layout: Layout, first: usize) -> TextWindow {
        let decoding = LegacyDecoder::new(charset.encoding(), layout);
        TextWindow::new(Written::Legacy(decoding), first)
    }

    fn new(written: Written, first: usize) -> TextWindow {
        TextWindow {
            text: WindowText::default(),
            written,
            leaves_out: false,
            string: StringAt::default(),
            scanner: Scanner::new(),
            end: first,
            step: LEAST,
            left_out: 0,
            most_left_out: usize::MAX,
            is_open: false,
            is_complete: false,
            long: 0,
            text_kind: TextKind::Prose,
            #[cfg(feature = "documents")]
            cut: None,
        }
    }

    /// Sets whether the next bytes may have control sequences that a link continues across.
    #[cfg(feature = "documents")]
    pub(crate) fn leave_out(&mut self, has_sequences: bool) {
        self.leaves_out = has_sequences;
    }

    #[cfg(feature = "documents")]
    pub(crate) fn leaves_out(&self) -> bool {
        self.leaves_out
    }

    /// Continues a scan of UTF-8 that a control sequence in a chunk has ended ([`ScanStep::Sequence`]).
    pub(crate) fn after(scanner: &Scanner, chunk: Chunk<'_>, text_kind: TextKind) -> TextWindow {
        let (undecided, _) = scanner.needed(usize::MAX);
        let kept = undecided.saturating_sub(CONTEXT).max(chunk.base());
        let mut window = TextWindow::new(Written::Utf8, kept);
        window.leaves_out = true;
        window.is_open = true;
        window.text_kind = text_kind;
        if let Some(start) = scanner.pending() {
            // Up to the sequence the text equals the chunk.
            window.text.begin_at(kept);
            window.long = start;
            window.scanner = scanner.in_another_text();
            return window;
        }
        let min_start = scanner.min_start();
        let resume = min_start.max(undecided.saturating_sub(UNDECIDED));
        window.resume([kept, min_start, resume, resume], |window, range| {
            window.take_to(chunk, range.end);
        });
        window
    }

    /// Continues a scan that has decided all triggers before `resume` and all candidates before `min_start`, with its
    /// text from `kept` on.
    pub(crate) fn resume(
        &mut self,
        [kept, min_start, resume, end]: [usize; 4],
        mut add: impl FnMut(&mut TextWindow, Range<usize>),
    ) {
        let parts = [kept, min_start.max(kept), resume.max(min_start).max(kept), end];
        let mut starts = [0; 3];
        for (part, start) in parts.windows(2).zip(&mut starts) {
            *start = self.text.end();
            add(self, part[0]..part[1].max(part[0]));
        }
        self.scanner = Scanner::new().resumed(starts[1], starts[2]);
    }

    /// Returns the next candidate of UTF-8.
    pub(crate) fn next(&mut self, chunk: Chunk<'_>, settings: &Settings) -> ScanStep {
        loop {
            let text = self.text.chunk(self.is_complete);
            let view = View::of(text, settings.references).of_kind(self.text_kind);
            match self.scanner.next(settings, view) {
                ScanStep::Incomplete if self.grow(chunk, settings.max_link, settings.max_link) => {}
                step => return step,
            }
        }
    }

    /// Restarts with another text, which begins at `first`.
    #[cfg(feature = "documents")]
    pub(crate) fn begin(&mut self, first: usize) {
        self.restart(first);
        (self.is_open, self.is_complete) = (false, false);
    }

    /// Returns the stored offset at which the last candidate ends, if there is one.
    #[cfg(feature = "documents")]
    pub(crate) fn min_start(&mut self) -> usize {
        match self.scanner.min_start() {
            0 => 0,
            min_start if self.text.has_map() => self.edges(min_start).end,
            _ => 0,
        }
    }

    /// Begins another window at a character boundary.
    #[cfg(feature = "documents")]
    pub(crate) fn restart(&mut self, start: usize) {
        self.text.clear();
        self.string = StringAt::default();
        self.written.restart();
        self.scanner = Scanner::new();
        self.end = start;
        (self.step, self.left_out) = (LEAST, 0);
    }

    /// Marks the text before an offset as context for searches backwards.
    #[cfg(feature = "documents")]
    pub(crate) fn skip_text(&mut self) {
        self.scanner.decide_to(self.text.end());
    }

    /// Returns `true` if something in the text is undecided.
    #[cfg(feature = "documents")]
    pub(crate) fn is_waiting(&self) -> bool {
        self.scanner.needed(usize::MAX).0 < self.text.end()
    }

    /// Reads more; returns `false` if nothing more is available now. Of a candidate that is longer than `max_link` in
    /// the text `head` bytes are kept.
    pub(crate) fn grow(&mut self, chunk: Chunk<'_>, max_link: usize, head: usize) -> bool {
        let end = self.end + self.step;
        self.step = (self.step * 2).min(MOST);
        self.most_left_out = max_link.saturating_add(FULL);
        self.make_room(max_link, head);
        self.take_to(chunk, end)
    }

    /// Drops text that is no longer needed, if there is much of it.
    pub(crate) fn make_room(&mut self, max_link: usize, head: usize) {
        if self.text.len() > FULL && !self.is_complete {
            self.drop_front(max_link, head, LEAST);
        }
    }

    /// Reads the stored bytes up to an offset; returns `false` if the chunk has no more.
    pub(crate) fn take_to(&mut self, chunk: Chunk<'_>, end: usize) -> bool {
        if self.is_complete {
            return false;
        }
        let stored = chunk.within(self.end..end);
        let is_last = chunk.is_last() && self.end + stored.len() == chunk.end();
        let taken = self.take(stored, is_last);
        self.end += taken;
        self.is_complete = is_last;
        // A character that the end of the part cuts is read when the part is longer.
        taken > 0 || is_last || self.end + stored.len() < chunk.end()
    }

    /// Reads stored bytes; returns their number: all except a character or a sequence that is cut.
    fn take(&mut self, stored: &[u8], is_last: bool) -> usize {
        let base = self.end;
        let append = |window: &mut TextWindow, range: Range<usize>| {
            window.append_all(&stored[range.clone()], base + range.start);
        };
        match self.take_pieces(stored, is_last, append) {
            Ok(at) => at + self.append(&stored[at..], base + at, is_last),
            Err(at) => at,
        }
    }

    /// Appends the text before the last control sequence that is removed, without the others; returns the offset of the
    /// rest, as an error if the rest begins with a sequence that needs more bytes to be decided.
    fn take_pieces(
        &mut self,
        stored: &[u8],
        is_last: bool,
        append: impl Fn(&mut TextWindow, Range<usize>),
    ) -> Result<usize, usize> {
        let units = self.written.units();
        let mut at = 0;
        while self.leaves_out && at < stored.len() {
            let (start, piece) = units.piece(&stored[at..], is_last, self.written.has_strings());
            let start = at + start;
            if let Piece::All = piece {
                break;
            }
            append(self, at..start);
            at = start;
            match piece {
                Piece::String => {
                    let end = at + units.len_of(2);
                    append(self, at..end);
                    self.string.open(self.text.end());
                    at = end;
                }
                Piece::Sequence(len) => {
                    let after = stored.get(at + len..).unwrap_or_default();
                    if self.left_out > self.most_left_out {
                        // Its ESC ends a link, once.
                        match self.text.bytes().last() {
                            Some(&ESC) => self.written.leave_out(),
                            _ => append(self, at..at + units.len_of(1)),
                        }
                        self.string.close();
                        at += len;
                        continue;
                    }
                    let separates = match self.string.is_open(self.text.chunk(false)) {
                        true => Some(true),
                        false => units.separates(self.text.bytes(), after, is_last),
                    };
                    match separates {
                        Some(true) => append(self, at..at + len),
                        Some(false) => {
                            self.written.leave_out();
                            self.left_out += len;
                        }
                        None => return Err(at),
                    }
                    self.string.close();
                    at += len;
                }
                Piece::All | Piece::Cut => return Err(at),
            }
        }
        Ok(at)
    }

    /// Appends the text of bytes stored from `base` on; an incomplete character at their end is malformed.
    fn append_all(&mut self, stored: &[u8], base: usize) {
        let taken = self.append(stored, base, false);
        if taken < stored.len() {
            self.append(&stored[taken..], base + taken, true);
            self.written.restart();
        }
    }

    /// Appends text that is stored unchanged from `base` on; returns the number of bytes read.
    fn append(&mut self, stored: &[u8], base: usize, is_last: bool) -> usize {
        self.note_white_space(stored);
        let TextWindow { text, written, .. } = self;
        let (text, map) = text.parts();
        match written {
            Written::Utf8 => {
                map.copied(text.len(), base);
                text.extend_from_slice(stored);
                stored.len()
            }
            #[cfg(feature = "documents")]
            Written::Legacy(decoding) => decoding.decode(stored, base, is_last, text, map),
        }
    }

    /// Notes text that is appended: no link continues across white space.
    fn note_white_space(&mut self, text: &[u8]) {
        if self.left_out > 0 && memchr::memchr2(b' ', b'\n', text).is_some() {
            self.left_out = 0;
        }
    }

    /// Returns the end of the stored bytes that were read.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// Returns the stored offsets of the characters on both sides of an offset of the text.
    fn edges(&mut self, offset: usize) -> Edges {
        self.text.edges(offset)
    }

    /// Returns the stored offset after the text.
    #[cfg(feature = "documents")]
    pub(crate) fn stored_end(&mut self) -> usize {
        match self.text.has_map() {
            true => self.edges(self.text.end()).end,
            false => self.end,
        }
    }

    /// Returns the range of a candidate in the document.
    pub(crate) fn stored(&mut self, candidate: &Match) -> Range<usize> {
        let Range { start, end } = candidate.range_in(self.text.chunk(false));
        let start = self.long_start().unwrap_or_else(|| self.edges(start).start);
        start..self.edges(end).end
    }

    /// Returns the first characters of the last candidate, if it was too long to be kept.
    pub(crate) fn take_head(&mut self) -> Option<Box<str>> {
        self.scanner.take_head()
    }

    /// Returns the start of a candidate that is too long to be kept.
    pub(crate) fn long_start(&self) -> Option<usize> {
        self.scanner.has_head().then_some(self.long)
    }

    /// Returns the stored offset from which bytes are undecided.
    pub(crate) fn needed(&mut self, max_link: usize) -> usize {
        let (start, _) = self.scanner.needed(max_link);
        match self.long_start().is_none() && start < self.text.end() {
            true => self.end.min(self.edges(start).start),
            false => self.end,
        }
    }

    /// Returns the stored offset before which no later candidate begins that is not too long: a search backwards goes from
    /// what is undecided to the start of a candidate.
    pub(crate) fn first_start(&mut self, max_link: usize) -> usize {
        let (undecided, _) = self.scanner.needed(max_link);
        if self.text.is_empty() {
            return self.end;
        }
        let longest = self.end.saturating_sub(self.most_left_out);
        self.start_before(undecided).clamp(longest, self.end)
    }

    /// Returns the stored offset of the context before an offset of the text, which is not empty.
    fn start_before(&mut self, undecided: usize) -> usize {
        let first = undecided.min(self.text.end()).saturating_sub(CONTEXT);
        self.edges(first.max(self.text.base())).start
    }

    /// Returns the offset from which the text is needed, without the context for searches backwards; of a candidate
    /// that is too long `head` bytes are kept.
    fn needed_text(&mut self, max_link: usize, head: usize) -> usize {
        let (needed, long) = self.scanner.release(self.text.chunk(false), max_link, head);
        if let Some(start) = long {
            self.long = self.edges(start).start;
        }
        needed
    }

    /// Drops the text that is no longer needed, if it has at least `least` bytes; of a candidate that is too long
    /// `head` bytes are kept.
    fn drop_front(&mut self, max_link: usize, head: usize, least: usize) {
        let needed = self.needed_text(max_link, head);
        self.text.drop_before(needed.saturating_sub(CONTEXT), least);
    }
}

impl Written {
    fn units(&self) -> StoredUnits {
        match self {
            Written::Utf8 => StoredUnits::Bytes,
            #[cfg(feature = "documents")]
            Written::Legacy(decoding) => StoredUnits::of(decoding.layout()),
        }
    }

    /// Returns `true` if an ESC is a character of the text: in ISO-2022-JP it switches between character sets.
    fn has_strings(&self) -> bool {
        match self {
            Written::Utf8 => true,
            #[cfg(feature = "documents")]
            Written::Legacy(decoding) => decoding.layout() != Layout::Iso2022Jp,
        }
    }

    /// Notes that stored bytes are left out.
    fn leave_out(&mut self) {
        match self {
            Written::Utf8 => {}
            #[cfg(feature = "documents")]
            Written::Legacy(decoding) => decoding.leave_out(),
        }
    }

    /// Notes that the next bytes are stored elsewhere.
    fn restart(&mut self) {
        match self {
            Written::Utf8 => {}
            #[cfg(feature = "documents")]
            Written::Legacy(decoding) => decoding.restart(),
        }
    }
}
