//! Base64 in mail (RFC 2045 §6.8): which lines are Base64, and where it ends.
//!
//! Bytes outside of the alphabet are passed over. A line that has some is base64 if what it stands for is what
//! is expected ([`ExpectedContent`]), and text if it is not: base64 ends before it. It ends after padding too, unless a
//! line follows that is base64 beyond doubt: what list software appends to a part stands for itself, and most
//! readers lose it. Where text in base64 goes on after padding, groups count again.

use super::expected::ExpectedContent;
use crate::simd::base64::{digits, value};
use crate::source_map::transfer::{AppendTo, Base64, DecodedSink};

/// How much of a line is looked at to tell base64 from text.
const LINE_HEAD: usize = 1024;
/// A line after padding that is so long and all alphabet is base64, though it ends without padding.
const LONG_LINE: usize = 32;

/// Decoder of a part in Base64, line by line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base64Lines {
    line_end: u8,
    /// Inside of a line that was looked at, and one that holds no digits.
    is_in_line: bool,
    is_in_foreign: bool,
    /// There were digits.
    has_begun: bool,
    /// The last line after digits had none: it may part them from text.
    is_parted: bool,
    expected: ExpectedContent,
    digits: Base64,
    pub(super) has_ended: bool,
}

impl Base64Lines {
    pub(super) fn new(line_end: u8, expected: ExpectedContent) -> Base64Lines {
        Base64Lines {
            line_end,
            is_in_line: false,
            is_in_foreign: false,
            has_begun: false,
            is_parted: false,
            expected,
            digits: Base64::default(),
            has_ended: false,
        }
    }

    pub(super) fn step(
        &mut self,
        bytes: &[u8],
        stored: usize,
        is_last: bool,
        sink: &mut impl DecodedSink,
    ) -> usize {
        let mut at = 0;
        while at < bytes.len() && !self.has_ended {
            let rest = &bytes[at..];
            let found = memchr::memchr(self.line_end, rest);
            let line = &rest[..found.unwrap_or(rest.len())];
            let mut known = 0;
            if !self.is_in_line {
                if found.is_none() && !is_last && line.len() < LINE_HEAD {
                    return at;
                }
                match self.look(&line[..line.len().min(LINE_HEAD)]) {
                    Base64Line::Base64(digits) => {
                        known = digits;
                        (self.has_begun, self.is_parted) = (true, false);
                    }
                    Base64Line::Foreign => {
                        (self.is_in_foreign, self.is_parted) = (true, self.has_begun);
                        self.digits.split();
                    }
                    Base64Line::Blank => {
                        at += line.len() + 1;
                        continue;
                    }
                    Base64Line::Text => {
                        self.has_ended = true;
                        return at;
                    }
                }
                self.is_in_line = true;
            }
            if !self.is_in_foreign {
                self.digits.step(line, known, stored + at, sink);
            }
            at += line.len();
            if found.is_some() {
                (self.is_in_line, self.is_in_foreign) = (false, false);
                at += 1;
            }
        }
        at.min(bytes.len())
    }

    /// What a line is, by its beginning.
    #[inline]
    fn look(&self, head: &[u8]) -> Base64Line {
        let text = head.trim_ascii_end();
        // Nearly all are digits from end to end.
        if !(self.digits.is_padded | self.is_parted | text.is_empty()) && digits(text) == text.len()
        {
            return Base64Line::Base64(text.len());
        }
        self.look_closely(head)
    }

    #[cold]
    #[inline(never)]
    fn look_closely(&self, head: &[u8]) -> Base64Line {
        let text = head.trim_ascii();
        if text.is_empty() {
            return Base64Line::Blank;
        }
        let is_doubtful = self.digits.is_padded | self.is_parted;
        if !is_doubtful && digits(text) == text.len() {
            return Base64Line::Base64(0);
        }
        let padding = text.iter().rev().take_while(|b| **b == b'=').count();
        let body = &text[..text.len() - padding];
        if is_doubtful {
            // A word of a footer may be all alphabet.
            let is_whole = text.len().is_multiple_of(4) && padding < 3 || head.len() == LINE_HEAD;
            let is_long = padding > 0 || text.len() >= LONG_LINE;
            if is_clean(body) && is_whole && is_long {
                return Base64Line::Base64(0);
            }
            if self.digits.is_padded || is_clean(body) {
                return Base64Line::Text;
            }
        }
        if !body.iter().any(|b| value(*b).is_some()) {
            // Padding of the line before, or a rule.
            let is_padding = body.is_empty() && self.digits.is_in_group();
            let is_open = head.len() == LINE_HEAD;
            return if is_padding || is_open { Base64Line::Base64(0) } else { Base64Line::Foreign };
        }
        if is_clean(body) {
            return Base64Line::Base64(0);
        }
        // The line decoded after the lines before it.
        let (mut trial, mut decoded) = (self.digits, Vec::with_capacity(LINE_HEAD));
        trial.step(head, 0, 0, &mut AppendTo(&mut decoded));
        match self.expected.is_met_by(&decoded, text, self.has_begun) {
            true => Base64Line::Base64(0),
            false => Base64Line::Text,
        }
    }
}

/// Whether a line is digits alone, padded perhaps, be it several texts one after the other.
fn is_clean(body: &[u8]) -> bool {
    body.iter().all(|b| value(*b).is_some() || *b == b'=')
}

enum Base64Line {
    /// Number of digits at its beginning, as far as known.
    Base64(usize),
    /// A line without a digit, which decodes to nothing.
    Foreign,
    Blank,
    Text,
}
