//! Decodes encoded words in headers (RFC 2047), with a map from the decoded bytes to the field's value.
//!
//! White space between two encoded words is not part of the text (§6.2). A character that is split over two words,
//! which §5 forbids, is decoded nevertheless, because the bytes of adjacent words are joined.

use std::ops::Range;

use super::shift_encoding::{ShiftEncoding, is_silent};
use crate::charset::{Charset, Layout};
use crate::input::chunk::Chunk;
use crate::link::Transfer;
use crate::source_map::transfer::{Base64, ByteCoding, ByteOrigin, QuotedPrintable, QuotedRules};
use crate::source_map::{ReplayCoding, ReplayedBytes, SourceMap};

/// Segment of a field's value.
#[derive(Clone, Debug)]
pub(crate) enum ValueSegment {
    /// Plain text.
    Plain(Range<usize>),
    Words(EncodedWords),
}

/// Adjacent encoded words in one charset.
#[derive(Clone, Debug, Default)]
pub(crate) struct EncodedWords {
    pub(crate) bytes: Vec<u8>,
    /// Map from the bytes to the value.
    map: SourceMap,
    /// Charset that the words name, if it is supported.
    pub(crate) charset: Option<Charset>,
    /// Shift encoding that the words name, if they name one.
    pub(crate) shifted: Option<ShiftEncoding>,
    /// Whether a word names an unknown charset.
    pub(crate) is_unknown: bool,
}

impl EncodedWords {
    /// Returns the range of the value that stores a range of the bytes, and the transfer encoding of its first byte.
    pub(crate) fn place(&self, value: &[u8], bytes: Range<usize>) -> (Range<usize>, Transfer) {
        let origin = |at: usize| self.map.byte(Chunk::whole(value), at);
        let ByteOrigin { range: first, coding } = origin(bytes.start);
        let end = if bytes.is_empty() { first.start } else { origin(bytes.end - 1).range.end };
        let transfer = match coding {
            ByteCoding::Literal | ByteCoding::Escape => Transfer::Q,
            ByteCoding::Digits(1) => Transfer::BPlus1,
            ByteCoding::Digits(2) => Transfer::BPlus2,
            ByteCoding::Digits(_) => Transfer::B,
        };
        (first.start..end, transfer)
    }
}

/// Returns `true` if a value may contain encoded words.
pub(crate) fn may_hold_words(value: &[u8]) -> bool {
    memchr::memchr_iter(b'=', value).any(|at| value.get(at + 1) == Some(&b'?'))
}

/// Splits a value into segments.
pub(crate) fn pieces(value: &[u8]) -> Vec<ValueSegment> {
    let mut pieces: Vec<ValueSegment> = Vec::new();
    let (mut done, mut at) = (0, 0);
    let mut ahead = WordSearchMemo::default();
    while let Some(found) = memchr::memmem::find(&value[at..], b"=?") {
        at += found;
        let Some(word) = EncodedWord::at(value, at, &mut ahead) else {
            at += 2;
            continue;
        };
        let between = &value[done..at];
        let is_gap = between.iter().all(u8::is_ascii_whitespace);
        let decoded = word.decoded(value);
        match pieces.last_mut() {
            Some(ValueSegment::Words(words)) if is_gap && words.takes(&decoded) => {
                words.add(decoded)
            }
            _ => {
                if !is_gap {
                    pieces.push(ValueSegment::Plain(done..at));
                }
                pieces.push(ValueSegment::Words(decoded));
            }
        }
        at = word.end;
        done = at;
    }
    if done < value.len() {
        pieces.push(ValueSegment::Plain(done..value.len()));
    }
    pieces
}

impl EncodedWords {
    /// Returns `true` if `next` can be joined: both name one charset, or the bytes of one are ASCII in its charset.
    fn takes(&self, next: &EncodedWords) -> bool {
        let is_free = |words: &EncodedWords| {
            let layout = words.charset.and_then(Charset::layout);
            let has_ascii = layout.is_none_or(|l| !l.is_utf16() && l != Layout::Iso2022Jp);
            has_ascii && words.bytes.is_ascii()
        };
        let is_one = self.charset == next.charset || is_free(self) || is_free(next);
        is_one && self.shifted == next.shifted
    }

    fn add(&mut self, next: EncodedWords) {
        if self.charset != next.charset && self.bytes.is_ascii() {
            self.charset = next.charset;
        }
        self.is_unknown |= next.is_unknown;
        let (at, len) = (self.bytes.len(), next.bytes.len());
        self.map.append(at, &next.map, &next.bytes, 0..len, 0);
        self.bytes.extend(next.bytes);
    }
}

/// Results of earlier searches for the end of a word. Many words may share one end, so each byte is searched only once.
#[derive(Default)]
struct WordSearchMemo {
    end: usize,
    line_end: usize,
}

impl WordSearchMemo {
    /// Returns the end of a word's text that begins at `text`: the next `?=` on its line.
    fn end(&mut self, value: &[u8], text: usize) -> Option<usize> {
        if self.end < text {
            let found = memchr::memmem::find(&value[text..], b"?=");
            self.end = found.map_or(usize::MAX, |found| text + found);
        }
        if self.line_end < text {
            let found = memchr::memchr2(b'\n', b'\r', &value[text..]);
            self.line_end = found.map_or(usize::MAX, |found| text + found);
        }
        (self.end < self.line_end).then_some(self.end)
    }
}

/// Encoded word, as ranges of the value.
struct EncodedWord {
    label: Range<usize>,
    is_base64: bool,
    text: Range<usize>,
    end: usize,
}

/// Number of bytes in which the end of a charset's label, with its language, is searched.
const LONGEST_LABEL: usize = 128;

impl EncodedWord {
    fn at(value: &[u8], start: usize, ahead: &mut WordSearchMemo) -> Option<EncodedWord> {
        let rest = &value[start + 2..];
        let label_end = rest.iter().take(LONGEST_LABEL).position(|b| *b == b'?')?;
        let is_token = rest[..label_end].iter().all(|b| (33..127).contains(b));
        let is_base64 = match rest.get(label_end + 1)? {
            b'b' | b'B' => true,
            b'q' | b'Q' => false,
            _ => return None,
        };
        if label_end == 0 || !is_token || rest.get(label_end + 2) != Some(&b'?') {
            return None;
        }
        let text = start + 2 + label_end + 3;
        // §2 forbids blanks in the text, but programs write them; line ends are rejected.
        let at = ahead.end(value, text)?;
        let label = start + 2..start + 2 + label_end;
        Some(EncodedWord { label, is_base64, text: text..at, end: at + 2 })
    }

    fn decoded(&self, value: &[u8]) -> EncodedWords {
        // A language may follow the label (RFC 2231 §5).
        let label = value[self.label.clone()].split(|b| *b == b'*').next().unwrap_or_default();
        let label = std::str::from_utf8(label).unwrap_or_default();
        let (charset, shifted) = (Charset::for_mail_label(label), ShiftEncoding::of_label(label));
        let is_unknown = charset.is_none() && shifted.is_none() && !is_silent(label);
        let mut words = EncodedWords { charset, shifted, is_unknown, ..EncodedWords::default() };
        let EncodedWords { bytes, map, .. } = &mut words;
        let (text, stored) = (&value[self.text.clone()], self.text.start);
        match self.is_base64 {
            true => {
                let mut sink = ReplayedBytes::new(bytes, map, ReplayCoding::Base64(0));
                Base64::default().step(text, 0, stored, &mut sink);
            }
            false => {
                let coding = ReplayCoding::Quoted(QuotedRules::Word);
                let mut sink = ReplayedBytes::new(bytes, map, coding);
                QuotedPrintable::new(QuotedRules::Word).step(text, stored, true, &mut sink);
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> Vec<String> {
        let piece = |piece: ValueSegment| match piece {
            ValueSegment::Plain(range) => value[range].to_owned(),
            ValueSegment::Words(words) => {
                let charset = words.charset.unwrap_or_default();
                format!("{}:{}", charset.as_str(), charset.decode(&words.bytes))
            }
        };
        pieces(value.as_bytes()).into_iter().map(piece).collect()
    }

    #[test]
    fn words_are_joined_and_placed() {
        assert_eq!(text("a =?utf-8?q?b_=C3=A4?= c"), ["a ", "utf-8:b ä", " c"]);
        assert_eq!(text("=?utf-8?b?w6Q=?=\r\n =?UTF-8?Q?x?="), ["utf-8:äx"]);
        assert_eq!(text("=?utf-8?q?=C3?= =?utf-8?q?=A4?="), ["utf-8:ä"]);
        assert_eq!(text("=?us-ascii*en?q?a?= =?koi8-r?q?=C1?="), ["koi8-r:aа"]);
        assert_eq!(text("=?utf-8?x?a?= =?utf-8?q?a\n?="), ["=?utf-8?x?a?= =?utf-8?q?a\n?="]);
        let value = b"=?utf-8?b?c2VlIGh0dHA6Ly9lLmV4YQ==?=\n =?utf-8?b?bXBsZS9xIG5vdw==?=";
        let found = pieces(value);
        let [ValueSegment::Words(words)] = &found[..] else { panic!("{found:?}") };
        let start = memchr::memmem::find(&words.bytes, b"http").unwrap();
        let end = memchr::memmem::find(&words.bytes, b" now").unwrap();
        // The offsets are those in a message, less the nine bytes of `Subject: `.
        assert_eq!(words.place(value, start..end), (24 - 9..65 - 9, Transfer::BPlus1));
    }

    #[test]
    fn words_that_never_end_take_linear_time() {
        assert!(!pieces("=?a?q?".repeat(200_000).as_bytes()).is_empty());
        assert_eq!(pieces("=?".repeat(200_000).as_bytes()).len(), 1);
        assert_eq!(pieces("=?a?q?x".repeat(140_000).as_bytes()).len(), 1);
    }
}
