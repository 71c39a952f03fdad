//! URLs in running text of Markdown that emphasis seems to divide.
//!
//! The input is the texts of the parser and the delimiters between them, the result is whether two texts are parts of one URL.

/// URL in text that the last run ends with, which GitHub's Markdown reads as a link (GFM §6.9): what the parser takes for emphasis is a
/// part of it, as in `http://e.com/__init__.py`.
#[derive(Default)]
pub(super) struct OpenAutolink {
    pub(super) start: Option<usize>,
    /// Where each open emphasis begins.
    pub(super) emphases: Vec<usize>,
    /// Where the first of the emphases begins that have ended since the last text.
    pub(super) ended: Option<usize>,
}

impl OpenAutolink {
    /// Reads the next text of a run, which begins at `at`.
    pub(super) fn follow(&mut self, text: &str, at: usize) {
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
                self.start = Some(at + text.len() - word.len() + colon - len);
            }
        }
    }

    /// Returns `true` if the URL continues with the delimiters in `gap` and the text after them. An emphasis around the URL ends it.
    pub(super) fn goes_on(&self, gap: &str, after: &str) -> bool {
        let Some(start) = self.start else { return false };
        let is_delimiter = |byte: u8| matches!(byte, b'*' | b'_' | b'~');
        let is_around = self.ended.is_some_and(|ended| ended < start);
        // Such characters at the end of a word do not belong to a link.
        let next = after.trim_start_matches(['?', '!', '.', ',', ':', ';', '\'', '"', ')']);
        let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-%#&=+@_~*".contains(byte);
        !is_around
            && !gap.is_empty()
            && gap.bytes().all(is_delimiter)
            && next.as_bytes().first().is_some_and(is_inside)
    }
}
