//! Texts in a legacy charset in which nothing has to be resolved: scanned by windows, as a text file is.
//!
//! Takes running texts as they are stored, one that is there as a whole or one that goes on in
//! the next block; gives their links. A text that goes on otherwise than it began, after a
//! comment or with a reference in it, is handed over to the region, from where on it is not decided.

use std::ops::ControlFlow;

use super::{Emit, Page, Source};
use crate::charset::Charset;
use crate::chunk::Chunk;
use crate::legacy::LegacyScanner;
use crate::link::start_of;
use crate::markup::{Content, Rules, TextToken};
use crate::scan::{Settings, Step};

/// The scan of the text that is open, or of the last one.
#[derive(Clone)]
pub(super) struct Windows {
    scanner: LegacyScanner,
    /// Where the text begins, and up to where it is there.
    first: usize,
    end: usize,
    rules: Rules,
    is_open: bool,
    /// Where a candidate begins that is too long to be kept.
    long: Option<usize>,
}

impl Windows {
    /// A scan of text in this charset; `None` if it is UTF-8.
    fn new(charset: Charset, settings: &Settings) -> Option<Windows> {
        let scanner = LegacyScanner::in_charset(charset, settings, 0)?;
        let rules = Rules::default();
        Some(Windows { scanner, first: 0, end: 0, rules, is_open: false, long: None })
    }

    /// What is there of the text.
    fn chunk<'b>(&self, chunk: Chunk<'b>, is_last: bool) -> Chunk<'b> {
        let start = self.first.max(chunk.base());
        let bytes = chunk.get(start..self.end.max(start)).unwrap_or_default();
        Chunk::new(bytes, start, is_last)
    }

    /// From which offset on the bytes are needed.
    fn needed(&mut self) -> usize {
        let (needed, long) = self.scanner.needed();
        self.long = long;
        needed.max(self.first)
    }
}

impl Page<'_> {
    /// Whether a text is scanned as it is stored: one that begins, or the rest of one that is scanned so. One
    /// that goes on in the same block does so after something that is left out.
    pub(super) fn goes_by_windows(&self, source: &Source<'_>, text: &TextToken) -> bool {
        if !source.is_plain()
            || self.charset.is_utf8()
            || text.content == Content::Code
            || super::text::has_opener(source.chunk, text)
        {
            return false;
        }
        let is_cut = !source.chunk.is_last() && text.range.end == source.chunk.end();
        match self.open_windows() {
            Some(open) => text.joined && open.end == text.range.start && open.rules == text.rules,
            None => !text.joined && (!text.open || is_cut),
        }
    }

    fn open_windows(&self) -> Option<&Windows> {
        self.windows.as_deref().filter(|windows| windows.is_open)
    }

    pub(super) fn is_in_windows(&self) -> bool {
        self.open_windows().is_some()
    }

    /// From which offset on the text that is open is needed, if it goes by windows.
    pub(super) fn needed_by_windows(&mut self) -> Option<usize> {
        self.windows.as_mut().filter(|windows| windows.is_open).map(|windows| windows.needed())
    }

    /// Where a candidate of it begins that is too long to be kept.
    pub(super) fn long_in_windows(&self) -> Option<usize> {
        self.open_windows()?.long
    }

    /// Takes of the chunk what is still asked of its bytes before an offset, which go.
    pub(crate) fn release(&mut self, chunk: Chunk<'_>, offset: usize) {
        if let Some(windows) = self.windows.as_mut().filter(|windows| windows.is_open)
            && windows.first < offset
        {
            let chunk = windows.chunk(chunk, false);
            windows.scanner.release(chunk, offset);
        }
    }

    /// Scans a text that goes by windows, as far as it is there.
    pub(super) fn text_by_windows<'s>(
        &mut self,
        source: &Source<'s>,
        text: &TextToken,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let settings = &self.finder.scan;
        if self.windows.is_none() {
            self.windows = Windows::new(self.charset, settings).map(Box::new);
        }
        let Some(windows) = &mut self.windows else { return ControlFlow::Continue(()) };
        if !windows.is_open {
            windows.first = text.range.start;
            windows.rules = text.rules;
            windows.scanner.begin(windows.first);
        }
        windows.end = text.range.end;
        windows.is_open = true;
        (self.is_text_open, self.is_text_in_link) = (text.open, text.in_link);
        self.scan_windows(source, !text.open, text.in_link, emit)
    }

    /// Goes on with the text that is open; `is_last`: nothing more of it comes.
    pub(super) fn scan_windows<'s>(
        &mut self,
        source: &Source<'s>,
        is_last: bool,
        in_link: bool,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let Some(mut windows) = self.windows.take() else { return ControlFlow::Continue(()) };
        let chunk = windows.chunk(source.chunk, is_last);
        while let Step::Found(candidate) = windows.scanner.next(chunk) {
            let judged = self.finder.judge_in_legacy(&mut windows.scanner, chunk, candidate);
            if !self.is_repeated(&judged, in_link) {
                // What waits is after it, or inside.
                self.order.give(start_of(&judged), emit)?;
                emit(judged)?;
            }
        }
        windows.is_open = !is_last;
        self.windows = Some(windows);
        ControlFlow::Continue(())
    }

    /// Hands the text that is open over to the region: decoded from where something of it may still be
    /// needed, and scanned from where it is not decided.
    pub(super) fn hand_over<'s>(
        &mut self,
        source: &Source<'s>,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let in_link = self.is_text_in_link;
        if self
            .windows
            .as_mut()
            .is_some_and(|windows| windows.needed() > 0 && windows.long.is_some())
        {
            // The beginning of such a candidate is gone: it ends here.
            return self.scan_windows(source, true, in_link, emit);
        }
        let Some(windows) = &mut self.windows else { return ControlFlow::Continue(()) };
        windows.is_open = false;
        let chunk = windows.chunk(source.chunk, false);
        let [kept, min_start, resume] = windows.scanner.undecided(chunk);
        let (charset, rules, end) = (self.charset, windows.rules, windows.end);
        self.region.clear();
        self.region.resume([kept, min_start, resume, end], |region, range| {
            let may_go_on = range.end == end;
            region.add(source.chunk, charset, range, rules, may_go_on);
        });
        ControlFlow::Continue(())
    }
}
