//! Texts in a legacy charset in which nothing has to be resolved: scanned as stored, like a text file.
//!
//! The input is running texts as stored, complete ones and those that continue in the next block, the result is their
//! links. A text that continues after a comment or with a reference in it is scanned in the text window, from the first
//! undecided offset.

use std::ops::ControlFlow;

use super::{Emit, Page, Source};
use crate::charset::Charset;
use crate::document::legacy::LegacyScanner;
use crate::input::chunk::Chunk;
use crate::link::start_of;
use crate::markup::{Content, Rules, TextToken};
use crate::notation::Notation;
use crate::scan::{ScanStep, Settings};

/// Scan of the open text, or of the last one.
#[derive(Clone)]
pub(super) struct StoredText {
    scanner: LegacyScanner,
    /// Start of the text, and end of its available part.
    first: usize,
    end: usize,
    rules: Rules,
    is_open: bool,
}

impl StoredText {
    /// Creates a scan of texts in this charset; `None` for UTF-8.
    fn new(charset: Charset, settings: &Settings) -> Option<StoredText> {
        let scanner = LegacyScanner::in_charset(charset, settings, 0)?;
        let rules = Rules::default();
        Some(StoredText { scanner, first: 0, end: 0, rules, is_open: false })
    }

    /// Returns `true` if the text continues.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns the offset from which the text is needed.
    pub(super) fn needed(&mut self) -> usize {
        self.scanner.needed().max(self.first)
    }

    /// Returns the start of a candidate that is too long to be kept.
    pub(super) fn long_start(&self) -> Option<usize> {
        self.scanner.long_start()
    }

    /// Prepares for the loss of the bytes before an offset: keeps the facts about them that are still needed.
    pub(super) fn release(&mut self, chunk: Chunk<'_>, offset: usize) {
        if self.first < offset {
            let chunk = self.chunk(chunk, false);
            self.scanner.release(chunk, offset);
        }
    }

    /// Returns the part of the text that is available.
    fn chunk<'b>(&self, chunk: Chunk<'b>, is_last: bool) -> Chunk<'b> {
        let start = self.first.max(chunk.base());
        let bytes = chunk.get(start..self.end.max(start)).unwrap_or_default();
        Chunk::new(bytes, start, is_last)
    }
}

impl Page<'_> {
    /// Returns `true` if a text is scanned as stored: one that begins, or the rest of one that is scanned so. A text
    /// that continues in the same block follows something that is left out.
    pub(super) fn is_scanned_as_stored(&self, source: &Source<'_>, text: &TextToken) -> bool {
        if !source.is_plain()
            || self.charset.is_utf8()
            || text.content == Content::Code
            || super::text::has_opener(source.chunk, text)
        {
            return false;
        }
        let is_cut = !source.chunk.is_last() && text.range.end == source.chunk.end();
        match self.running.open_stored() {
            Some(stored) => {
                text.joined && stored.end == text.range.start && stored.rules == text.rules
            }
            None => !text.joined && (!text.open || is_cut),
        }
    }

    /// Scans a text as stored, as far as it is available.
    pub(super) fn text_as_stored<'s>(
        &mut self,
        source: &Source<'s>,
        text: &TextToken,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let settings = &self.finder.scan;
        if self.running.stored.is_none() {
            self.running.stored = StoredText::new(self.charset, settings).map(Box::new);
        }
        let Some(stored) = &mut self.running.stored else { return ControlFlow::Continue(()) };
        if !stored.is_open {
            stored.first = text.range.start;
            stored.rules = text.rules;
            stored.scanner.begin(stored.first);
        }
        stored.end = text.range.end;
        stored.is_open = true;
        (self.running.is_open, self.running.is_in_link) = (text.open, text.in_link);
        self.scan_stored_text(source, !text.open, text.in_link, emit)
    }

    /// Continues the open text; `is_last`: it is complete.
    pub(super) fn scan_stored_text<'s>(
        &mut self,
        source: &Source<'s>,
        is_last: bool,
        in_link: bool,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let Some(mut stored) = self.running.stored.take() else { return ControlFlow::Continue(()) };
        let chunk = stored.chunk(source.chunk, is_last);
        while let ScanStep::Found(candidate) = stored.scanner.next(chunk) {
            let (scanner, notation) = (&mut stored.scanner, Notation::of(stored.rules));
            let judged = self.finder.judge_in_legacy(scanner, chunk, candidate, notation);
            if !self.is_repeated(&judged, in_link) {
                // The links that wait are after it, or inside.
                self.order.give(start_of(&judged), emit)?;
                emit(judged)?;
            }
        }
        stored.is_open = !is_last;
        self.running.stored = Some(stored);
        ControlFlow::Continue(())
    }

    /// Resumes the scan of the open text in the text window: decoded from the first offset that may still be needed,
    /// and scanned from the first undecided one.
    pub(super) fn resume_in_window<'s>(
        &mut self,
        source: &Source<'s>,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let in_link = self.running.is_in_link;
        if self.running.open_stored().is_some_and(|stored| stored.long_start().is_some()) {
            // The beginning of such a candidate is no longer available: it ends here.
            return self.scan_stored_text(source, true, in_link, emit);
        }
        let Some(stored) = &mut self.running.stored else { return ControlFlow::Continue(()) };
        stored.is_open = false;
        let chunk = stored.chunk(source.chunk, false);
        let [kept, min_start, resume] = stored.scanner.undecided(chunk);
        let (charset, rules, end) = (self.charset, stored.rules, stored.end);
        (self.running.notation, self.running.is_json) = (Notation::of(rules), rules == Rules::Json);
        self.running.window.clear();
        self.running.window.resume([kept, min_start, resume, end], |window, range| {
            let may_go_on = range.end == end;
            window.add(source.chunk, charset, range, rules, may_go_on);
        });
        ControlFlow::Continue(())
    }
}
