//! Base64 (RFC 2045 §6.8), as it is read.
//!
//! Bytes outside of the alphabet are passed over in a line. It ends after padding, or at a line that is not
//! base64: what list software appends to a part stands for itself, and most readers lose it. Where text
//! in base64 goes on after padding, groups count anew.

use super::{Sink, Unit};
use crate::simd::base64::{digits, value};

/// How much of a line is looked at to tell base64 from text.
const LINE_HEAD: usize = 1024;
/// A line may have one byte outside of the alphabet for so many of it.
const RARE: usize = 32;
/// A line after padding that is so long and all alphabet is base64, though it ends without padding.
const LONG_LINE: usize = 32;

#[derive(Clone, Copy, Debug)]
pub(super) struct Base64 {
    line_end: u8,
    /// Inside of a line that was looked at.
    is_in_line: bool,
    /// The last digits ended with padding.
    is_padded: bool,
    group: Group,
    pub(super) has_ended: bool,
}

/// Digits of a group that is not whole, and where they are stored.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    len: u8,
    values: [u8; 4],
    at: [usize; 4],
}

impl Base64 {
    pub(super) fn new(line_end: u8) -> Base64 {
        Base64 {
            line_end,
            is_in_line: false,
            is_padded: false,
            group: Group::default(),
            has_ended: false,
        }
    }

    pub(super) fn step(
        &mut self,
        bytes: &[u8],
        stored: usize,
        is_last: bool,
        sink: &mut impl Sink,
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
                    Line::Base64(digits) => known = digits,
                    Line::Blank => {
                        at += line.len() + 1;
                        continue;
                    }
                    Line::Text => {
                        self.has_ended = true;
                        return at;
                    }
                }
                self.is_in_line = true;
            }
            let (done, is_enough) = self.line(line, known, stored + at, sink);
            at += done;
            if is_enough {
                return at;
            }
            if found.is_some() {
                self.is_in_line = false;
                at += 1;
            }
        }
        at.min(bytes.len())
    }

    /// Goes over what is there of a line, which begins with so many digits at least; how much of it is done with,
    /// and whether that is enough.
    fn line(
        &mut self,
        line: &[u8],
        known: usize,
        stored: usize,
        sink: &mut impl Sink,
    ) -> (usize, bool) {
        let mut at = 0;
        while at < line.len() {
            if self.group.len == 0 {
                // Most lines are digits alone, and it was looked whether this is one.
                let is_known = at < known & !3;
                let len = if is_known { known - at } else { digits(&line[at..]) } & !3;
                if len > 0 {
                    self.is_padded = false;
                    if let Some(done) = sink.groups(&line[at..at + len], stored + at) {
                        return (at + done, true);
                    }
                    at += len;
                    continue;
                }
            }
            let byte = line[at];
            let place = stored + at;
            at += 1;
            match value(byte) {
                None if byte == b'=' => {
                    self.group = Group::default();
                    self.is_padded = true;
                }
                None => {}
                Some(value) => {
                    self.is_padded = false;
                    if self.digit(value, place, sink) {
                        return (at, true);
                    }
                }
            }
        }
        (at, false)
    }

    /// Takes one digit; whether what it completes is enough.
    fn digit(&mut self, value: u8, place: usize, sink: &mut impl Sink) -> bool {
        let Group { len, values, at } = &mut self.group;
        let now = usize::from(*len);
        (values[now], at[now]) = (value, place);
        *len = (*len + 1) % 4;
        if now == 0 {
            return false;
        }
        // Two bits more of each digit before belong to the byte before.
        let (high, low) = (values[now - 1] << (2 * now), value >> (6 - 2 * now));
        sink.unit(high | low, Unit { range: at[now - 1]..place + 1, phase: now as u8 - 1 })
    }

    /// What a line is, by its beginning.
    fn look(&self, head: &[u8]) -> Line {
        let text = head.trim_ascii_end();
        let blanks = text.len() - text.trim_ascii_start().len();
        let text = &text[blanks..];
        if text.is_empty() {
            return Line::Blank;
        }
        if !self.is_padded && digits(text) == text.len() {
            return Line::Base64(if blanks == 0 { text.len() } else { 0 });
        }
        let padding = text.iter().rev().take_while(|b| **b == b'=').count();
        let body = &text[..text.len() - padding];
        if self.is_padded {
            // A word of a footer may be all alphabet.
            let is_whole = text.len().is_multiple_of(4) && padding < 3 || head.len() == LINE_HEAD;
            let is_long = padding > 0 || text.len() >= LONG_LINE;
            let is_clean = digits(body) == body.len() || is_concatenated(body);
            return if is_whole && is_long && is_clean { Line::Base64(0) } else { Line::Text };
        }
        let others = body.iter().filter(|b| value(**b).is_none() && **b != b'=').count();
        let is_rare = others * RARE <= body.len() - others && body.len() > others;
        let is_address = memchr::memmem::find(body, b"://").is_some() || body.contains(&b'@');
        match is_rare && !is_address {
            true => Line::Base64(0),
            false => Line::Text,
        }
    }
}

/// Padded texts one after the other on a line.
fn is_concatenated(body: &[u8]) -> bool {
    body.iter().all(|b| value(*b).is_some() || *b == b'=')
}

enum Line {
    /// So many digits are at its beginning, as far as that is known.
    Base64(usize),
    Blank,
    Text,
}
