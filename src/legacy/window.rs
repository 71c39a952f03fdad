//! A stretch of a document, decoded, and the scan of its text.

use std::ops::Range;

use crate::block::Block;
use crate::charset::{Charset, Layout, LegacyDecoder};
use crate::scan::{Candidate, Scanner};
use crate::span::{Edges, SourceCursor, Trace};

/// Text kept before the position of the scan: as much as a walk back may reach.
const CONTEXT: usize = 16 << 10;
/// Text beyond which what is not needed is dropped.
const FULL: usize = 192 << 10;
/// The least and the most that a window grows at once, in stored bytes.
const LEAST: usize = 64;
const MOST: usize = 64 << 10;

/// The window that is open, or the last one.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) text: Vec<u8>,
    trace: Trace,
    cursor: SourceCursor,
    decoding: LegacyDecoder,
    pub(super) scanner: Scanner,
    /// The stored bytes before this are taken.
    end: usize,
    /// How much it grows next.
    step: usize,
    pub(super) is_open: bool,
    /// It reaches to the end of the document.
    pub(super) is_complete: bool,
    /// Of a candidate that is too long to be kept: its first bytes, and where it begins.
    head: Option<(String, usize)>,
}

impl Window {
    pub(super) fn new(charset: Charset, layout: Layout, first: usize) -> Window {
        Window {
            text: Vec::new(),
            trace: Trace::default(),
            cursor: SourceCursor::default(),
            decoding: LegacyDecoder::new(charset.encoding(), layout),
            scanner: Scanner::new(),
            end: first,
            step: LEAST,
            is_open: false,
            is_complete: false,
            head: None,
        }
    }

    /// Begins anew with another text, which begins at `first`.
    pub(super) fn begin(&mut self, first: usize) {
        self.restart(first);
        (self.is_open, self.is_complete, self.head) = (false, false, None);
    }

    /// The stored offset at which the last candidate ends, if there is one.
    pub(super) fn min_start(&mut self) -> usize {
        match self.scanner.min_start() {
            0 => 0,
            _ if self.trace.is_empty() => 0,
            min_start => self.edges(min_start).end,
        }
    }

    /// Begins another window at a character boundary.
    pub(super) fn restart(&mut self, start: usize) {
        self.text.clear();
        self.trace.clear();
        self.cursor = SourceCursor::default();
        self.decoding.restart();
        self.scanner = Scanner::new();
        self.end = start;
        self.step = LEAST;
    }

    /// The text up to here is there to be looked back at, no more.
    pub(super) fn skip_text(&mut self) {
        self.scanner.skip_to(self.text.len());
    }

    /// Whether something in the text cannot be decided yet.
    pub(super) fn is_waiting(&self) -> bool {
        self.scanner.needed(usize::MAX).0 < self.text.len()
    }

    /// Decodes more; false when there is no more to decode now.
    pub(super) fn grow(&mut self, block: Block<'_>, max_link: usize) -> bool {
        let end = self.end + self.step;
        self.step = (self.step * 2).min(MOST);
        self.grow_to(block, end, max_link)
    }

    /// Decodes up to a stored offset.
    pub(super) fn grow_to(&mut self, block: Block<'_>, end: usize, max_link: usize) -> bool {
        if self.is_complete {
            return false;
        }
        if self.text.len() > FULL {
            self.drop_front(max_link);
        }
        let stored = block.range(self.end..end);
        let is_last = block.is_last && self.end + stored.len() == block.end();
        let text = &mut self.text;
        let taken = self.decoding.decode(stored, self.end, is_last, text, &mut self.trace);
        self.end += taken;
        self.is_complete = is_last;
        // A character that the end of the stretch cuts is there when the stretch is longer.
        taken > 0 || is_last || self.end + stored.len() < block.end()
    }

    /// The end of the stored bytes that were taken.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Where the characters are stored that meet at an offset of the text.
    fn edges(&mut self, offset: usize) -> Edges {
        self.trace.edges_near(&mut self.cursor, &self.text, offset)
    }

    /// The stored offset after the text.
    pub(super) fn stored_end(&mut self) -> usize {
        match self.trace.is_empty() {
            true => self.end,
            false => self.edges(self.text.len()).end,
        }
    }

    /// Where a candidate is in the document.
    pub(super) fn stored(&mut self, candidate: &Candidate) -> Range<usize> {
        let Range { start, end } = candidate.range;
        let start = match &self.head {
            Some((_, start)) => *start,
            None => self.edges(start).start,
        };
        start..self.edges(end).end
    }

    pub(super) fn take_head(&mut self) -> Option<String> {
        Some(self.head.take()?.0)
    }

    /// The stored offset from which on bytes are needed, and where a candidate begins that is too long.
    pub(super) fn needed(&mut self, max_link: usize) -> (usize, Option<usize>) {
        let (start, _) = self.scanner.needed(max_link);
        match &self.head {
            Some((_, start)) => (self.end, Some(*start)),
            None if start < self.text.len() => (self.end.min(self.edges(start).start), None),
            None => (self.end, None),
        }
    }

    /// Drops the text that no one needs any more.
    fn drop_front(&mut self, max_link: usize) {
        let (needed, long) = self.scanner.needed(max_link);
        if let (Some(start), None) = (long, &self.head) {
            let end = self.text.len().min(start + max_link / 3);
            let head = String::from_utf8_lossy(&self.text[start..end]).into_owned();
            let stored = self.edges(start).start;
            self.head = Some((head, stored));
        }
        let mut dropped = needed.saturating_sub(CONTEXT).min(self.text.len());
        while self.text.get(dropped).is_some_and(|b| b & 0xC0 == 0x80) {
            dropped -= 1;
        }
        // What means nothing has no place in the stored bytes.
        if dropped < LEAST {
            return;
        }
        self.trace.drop_front(&self.text, dropped);
        self.cursor = SourceCursor::default();
        self.text.drain(..dropped);
        self.scanner.shift(dropped);
    }
}
