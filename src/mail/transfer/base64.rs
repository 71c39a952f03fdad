//! Decodes Base64 in mail (RFC 2045 §6.8): detects which lines are Base64, and where it ends.
//!
//! Bytes outside the alphabet are skipped. A line that has some is Base64 if its decoded bytes match the content that
//! the part declares ([`ExpectedContent`]), or if it is [long and has few of them](is_marred); otherwise it is plain
//! text, and Base64 ends before it. Base64 also ends after padding, unless a line follows that is certainly Base64: text that list software appends to a part is not
//! encoded, and most readers lose it. Where Base64 continues after padding, a new group begins.

use crate::charset::Charset;
use crate::simd::base64::{digits, value};
use crate::source_map::transfer::{AppendTo, Base64, DecodedSink};

/// Number of bytes of a line from which Base64 and text are distinguished.
const LINE_HEAD: usize = 1024;
/// Minimum length in bytes of an unpadded line of digits that counts as Base64 although it follows padding.
const LONG_LINE: usize = 32;

/// Decoder of a part in Base64, line by line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base64Lines {
    line_end: u8,
    /// Whether the decoder is inside a line that was classified.
    is_in_line: bool,
    /// Whether the decoder is inside a line without digits.
    is_in_foreign: bool,
    /// Whether there were digits.
    has_begun: bool,
    /// Whether the last line had no digits, after lines that did: it may separate them from text.
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

    /// Loses a byte whose digits are too far from each other.
    pub(super) fn lose(&mut self) {
        self.digits.lose();
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

    /// Classifies a line by its first bytes.
    #[inline]
    fn look(&self, head: &[u8]) -> Base64Line {
        let text = head.trim_ascii_end();
        // Nearly all lines consist of digits.
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
            // A word of a footer may consist of digits.
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
            // The line is padding of the line before it, or a rule.
            let is_padding = body.is_empty() && self.digits.is_in_group();
            let is_open = head.len() == LINE_HEAD;
            return if is_padding || is_open { Base64Line::Base64(0) } else { Base64Line::Foreign };
        }
        if is_clean(body) {
            return Base64Line::Base64(0);
        }
        // Decode the line as a continuation of the lines before it.
        let (mut trial, mut decoded) = (self.digits, Vec::with_capacity(LINE_HEAD));
        trial.step(head, 0, 0, &mut AppendTo(&mut decoded));
        let is_it = self.expected.is_met_by(&decoded, text, self.has_begun);
        match is_it || is_marred(text, &decoded) {
            true => Base64Line::Base64(0),
            false => Base64Line::Text,
        }
    }
}

/// Returns `true` if a long line of digits is only marred by foreign bytes, whatever some of its bytes decode to: mail
/// programs skip them. Then either the line as text has no link, or most of what it decodes to is ASCII.
fn is_marred(line: &[u8], decoded: &[u8]) -> bool {
    let digits = line.iter().filter(|b| value(**b).is_some()).count();
    if digits < LONG_LINE || digits * 8 < line.len() * 7 || is_words(line) {
        return false;
    }
    memchr::memchr3(b'.', b':', b'@', line).is_none() || is_mostly_ascii(decoded)
}

fn is_mostly_ascii(bytes: &[u8]) -> bool {
    let is_plain = |b: &&u8| matches!(b, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    bytes.iter().filter(is_plain).count() * 4 >= bytes.len() * 3
}

/// Returns the offset in a text of the first digit of Base64 text: of a long line of digits that decodes to text. The
/// first of them may belong to a group that begins in a line before, as mail programs read it.
pub(crate) fn base64_in(text: &[u8], line_end: u8) -> Option<usize> {
    let mut start = 0;
    for line in text.split(|byte| *byte == line_end) {
        let count = digits(line);
        let is_long = count >= LONG_LINE && is_clean(line[count..].trim_ascii_end());
        if is_long && !is_words(line) {
            let head = &line[..count.min(LINE_HEAD)];
            let is_text = |skipped: &usize| {
                let groups = &head[*skipped..];
                let mut decoded = Vec::with_capacity(LINE_HEAD);
                crate::simd::base64::decode(&groups[..groups.len() & !3], &mut decoded);
                is_mostly_ascii(&decoded) || is_utf8(&decoded, LONGEST_CHARACTER)
            };
            if let Some(skipped) = (0..4).find(is_text) {
                return Some(start + skipped);
            }
        }
        start += line.len() + 1;
    }
    None
}

/// Returns `true` if a line consists of digits and padding, which may also be between concatenated texts.
fn is_clean(body: &[u8]) -> bool {
    body.iter().all(|b| value(*b).is_some() || *b == b'=')
}

enum Base64Line {
    /// Line of Base64, with the number of leading digits that are known to be digits.
    Base64(usize),
    /// Line without a digit, which decodes to nothing.
    Foreign,
    Blank,
    Text,
}

/// Content that a part's header declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ExpectedContent {
    /// Any bytes.
    #[default]
    Bytes,
    /// Text in this charset, or in an undeclared one.
    Text(Option<Charset>),
}

/// Minimum number of lower-case letters per eight digits in a line of words: words are mostly lower case, Base64 is
/// not.
const LOWER: usize = 6;
/// Minimum number of digits in a line of words.
const FEWEST: usize = 8;
/// Number of times that ASCII letters and other characters may be adjacent without counting against text, plus one.
const MIXED: usize = 6;
/// Maximum length in bytes of a character in any charset.
const LONGEST_CHARACTER: usize = 4;

impl ExpectedContent {
    /// Returns `true` if a decoded line of Base64 is the expected content. It may end inside a character and, except
    /// for the first line, also begin inside one.
    fn is_met_by(self, decoded: &[u8], line: &[u8], has_begun: bool) -> bool {
        let most = if has_begun { LONGEST_CHARACTER } else { 1 };
        match self {
            ExpectedContent::Bytes => !is_words(line),
            ExpectedContent::Text(Some(charset)) if charset == Charset::UTF_8 => {
                is_utf8(decoded, most)
            }
            ExpectedContent::Text(None) if is_utf8(decoded, most) => true,
            ExpectedContent::Text(charset) => {
                // An undeclared charset is mostly a single-byte one.
                let charset = charset.unwrap_or(Charset::WINDOWS_1252);
                let is_text =
                    |start: usize| is_text_in(charset, decoded.get(start..).unwrap_or(b""));
                !is_words(line) && (0..most).any(is_text)
            }
        }
    }
}

/// Returns `true` if a line looks like words.
fn is_words(line: &[u8]) -> bool {
    let letters = line.iter().filter(|b| value(**b).is_some()).count();
    let lower = line.iter().filter(|b| b.is_ascii_lowercase()).count();
    letters >= FEWEST && lower * 8 >= letters * LOWER
}

fn is_utf8(bytes: &[u8], most: usize) -> bool {
    // The rest of a character that begins in the line before.
    let rest = bytes.iter().take(most - 1).take_while(|b| **b & 0xC0 == 0x80).count();
    let bytes = &bytes[rest..];
    let valid = match std::str::from_utf8(bytes) {
        Ok(valid) => valid,
        Err(error) if error.error_len().is_some() => return false,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    !valid.chars().any(is_control)
}

fn is_text_in(charset: Charset, bytes: &[u8]) -> bool {
    let text = charset.decode(bytes);
    // The last character may be cut.
    let text = text.trim_end_matches('\u{FFFD}');
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let (mut mixed, mut before) = (0, None);
    for c in text.chars() {
        if is_control(c) || c == '\u{FFFD}' {
            return false;
        }
        // ASCII letters and others rarely occur in one word.
        let is_mixed =
            |before: char| is_letter(before) && !c.is_ascii() || is_letter(c) && !before.is_ascii();
        mixed += usize::from(before.is_some_and(is_mixed));
        before = Some(c);
    }
    mixed < MIXED || 3 * mixed <= text.chars().count()
}

/// Returns `true` for a control character that does not occur in text: all but white space and those that shift between
/// character sets.
fn is_control(c: char) -> bool {
    let is_shift = matches!(c, '\x0E' | '\x0F' | '\x1B');
    c.is_control() && !is_shift && !matches!(c, '\t' | '\n' | '\r' | '\x0C')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charset(label: &str) -> ExpectedContent {
        ExpectedContent::Text(Some(label.parse().unwrap()))
    }

    /// Returns the bytes that a line of words would decode to.
    fn decoded(line: &str) -> Vec<u8> {
        let digits: Vec<u8> = line.bytes().filter(|b| value(*b).is_some()).collect();
        let mut out = Vec::new();
        crate::simd::base64::decode(&digits[..digits.len() & !3], &mut out);
        out
    }

    #[test]
    fn words_are_not_what_is_expected() {
        for line in [
            "plain words here",
            "see http://e.example/a now",
            "To leave the list, write to leave@list.example",
            "list http://list.example/info",
            "Kauft bei www.example.de ein, dort ist es am besten!",
        ] {
            for expected in [
                ExpectedContent::Bytes,
                ExpectedContent::Text(None),
                charset("utf-8"),
                charset("iso-8859-1"),
                charset("koi8-r"),
                charset("utf-16le"),
                charset("shift_jis"),
            ] {
                assert!(
                    !expected.is_met_by(&decoded(line), line.as_bytes(), false),
                    "{line} {expected:?}"
                );
            }
        }
    }

    /// Texts cut anywhere, each in its charset.
    #[test]
    fn texts_are_what_is_expected() {
        for (label, text) in [
            ("utf-8", "see http://e.com/ä表𝒳 – and so on"),
            ("iso-8859-1", "déjà vu à Orléans, http://e.com/é"),
            ("koi8-r", "смотри http://e.com/ф здесь"),
            ("windows-1251", "смотри http://e.com/ф здесь"),
            ("shift_jis", "表を見る http://e.com/ 表を見る"),
            ("gb18030", "参见 http://e.com/ 表能"),
            ("euc-kr", "한글 http://e.com/ 한글"),
            ("utf-16le", "see http://e.com/é now"),
        ] {
            let bytes = match label {
                "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                label => {
                    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
                    encoding.encode(text).0.into_owned()
                }
            };
            // The line does not look like words, so that only the bytes decide.
            let line = b"A0B1 C2D3";
            for start in 0..bytes.len() - 8 {
                for end in start + 8..=bytes.len() {
                    let expected = charset(label);
                    let is_met = expected.is_met_by(&bytes[start..end], line, start > 0);
                    assert!(is_met, "{label} {start}..{end}");
                }
            }
        }
    }
}
