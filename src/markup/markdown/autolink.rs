//! URLs in running text of Markdown that emphasis seems to divide.
//!
//! The input is the texts of the parser and the delimiters between them, the result is whether two texts are parts of one URL.

use std::ops::Range;

/// URL in text that the last run ends with, which GitHub's Markdown reads as a link (GFM §6.9): what the parser takes for emphasis is a
/// part of it, as in `http://e.com/__init__.py`.
#[derive(Default)]
pub(super) struct OpenAutolink {
    start: Option<usize>,
    /// Offset up to which the run was searched for it.
    looked: usize,
    /// Where each open emphasis begins.
    emphases: Vec<usize>,
    /// Where the first of the emphases begins that have ended since the last text.
    ended: Option<usize>,
}

impl OpenAutolink {
    /// Begins another run, at `at`.
    pub(super) fn restart(&mut self, at: usize) {
        (self.start, self.ended, self.looked) = (None, None, at);
    }

    /// Notes an emphasis that begins at `at`.
    pub(super) fn opened(&mut self, at: usize) {
        self.emphases.push(at);
    }

    /// Notes the end of the innermost emphasis.
    pub(super) fn closed(&mut self) {
        let start = self.emphases.pop();
        self.ended = self.ended.into_iter().chain(start).min();
    }

    /// Reads what has come of a run since the last call: few texts end at delimiters, so this is left until one does.
    fn follow(&mut self, document: &str, end: usize) {
        let at = std::mem::replace(&mut self.looked, end);
        let text = document.get(at..end).unwrap_or_default();
        let mut ends = text.rmatch_indices(|c: char| c.is_whitespace() || c == '<');
        let word = ends.next().map_or(0, |(at, end)| at + end.len());
        if word > 0 {
            self.start = None;
        }
        if self.start.is_none()
            && let Some(word) = text.get(word..)
            && let Some(colon) = word.find("://")
        {
            let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
            let len = word.as_bytes()[..colon].iter().rev().take_while(is_letter).count();
            let schemes = ["http", "https", "ftp"];
            let scheme = &word[colon - len..colon];
            if schemes.iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
                self.start = Some(end - word.len() + colon - len);
            }
        }
    }

    /// Returns `true` if the URL at the end of a run continues with the delimiters between them and `text`. An emphasis around the URL
    /// ends it.
    pub(super) fn goes_on(&mut self, document: &str, run_end: usize, text: &Range<usize>) -> bool {
        let is_delimiter = |byte: u8| matches!(byte, b'*' | b'_' | b'~');
        let gap = document.get(run_end..text.start).unwrap_or_default();
        if gap.is_empty() || !gap.bytes().all(is_delimiter) {
            return false;
        }
        self.follow(document, run_end);
        let ended = self.ended.take();
        let Some(start) = self.start else { return false };
        // Such characters at the end of a word do not belong to a link.
        let after = document.get(text.clone()).unwrap_or_default();
        let next = after.trim_start_matches(['?', '!', '.', ',', ':', ';', '\'', '"', ')']);
        let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-%#&=+@_~*".contains(byte);
        ended.is_none_or(|ended| ended >= start) && next.as_bytes().first().is_some_and(is_inside)
    }
}
