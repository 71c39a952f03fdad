//! Comma-separated values (RFC 4180): each field is a separate text, or a fragment of HTML.
//!
//! The input is bytes (ASCII-compatible, without trail bytes below 0x80), the result is texts. The separator is the comma,
//! the semicolon, the tab or the vertical bar, whichever is the most frequent on the first line. A field in quotation marks
//! contains separators and line breaks; a doubled mark in it separates two texts, since no link contains one. A quotation
//! mark elsewhere is data.
//!
//! A field of any length needs only the memory of the block that it is in and of the longest value, since a complete value
//! must be available to decide whether it is HTML.

use super::fragment::{StartedText, TextSplitter};
use super::{Content, Rules, Token, Tokenizer, TokenizerStep};
use crate::input::chunk::Chunk;
use crate::simd::signs::{BLOCK, Isa, MaskKernel, Masks, NonAscii, PAIR};

/// Number of bytes of the first line that determine the separator.
const FIRST_LINE: usize = 1024;
/// Separators of fields; of two that are equally frequent the first one counts.
const SEPARATORS: [u8; 4] = *b",;\t|";

/// Tokenizer for comma-separated values.
#[derive(Clone, Debug)]
pub(crate) struct Csv {
    masks: Isa,
    /// Separator of fields, after it has been determined.
    separator: Option<u8>,
    parts: TextSplitter,
    is_quoted: bool,
    /// Whether the part is in a field that was checked as a value.
    is_inside: bool,
    /// Whether a doubled mark is before or after the part.
    is_beside_mark: bool,
}

/// State of the tokenizer where a field, or a part of one, begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CsvPoint {
    pub(crate) at: usize,
    pub(crate) separator: u8,
    pub(crate) is_quoted: bool,
    pub(crate) is_inside: bool,
}

impl CsvPoint {
    /// Returns the state; `None` if no tokenizer has it.
    pub(crate) fn checked(self) -> Option<CsvPoint> {
        SEPARATORS.contains(&self.separator).then_some(self)
    }
}

/// Returns where the field ends whose closing quotation mark is searched from `at` on, or where the search ended, and
/// whether the field ends there.
fn quoted_end(bytes: Chunk<'_>, mut at: usize) -> (usize, bool) {
    while let Some(found) = memchr::memchr(b'"', &bytes[at..]) {
        at += found;
        match bytes.get(at + 1) {
            Some(b'"') => at += 2,
            None if !bytes.is_last() => return (at, false),
            _ => return (at, true),
        }
    }
    (bytes.end(), bytes.is_last())
}

impl Csv {
    pub(crate) fn new() -> Csv {
        let masks = Isa::detect();
        let parts = TextSplitter::default();
        Csv {
            masks,
            separator: None,
            parts,
            is_quoted: false,
            is_inside: false,
            is_beside_mark: false,
        }
    }

    /// Returns the state where a field or a part begins; `None` elsewhere.
    pub(crate) fn point(&self) -> Option<CsvPoint> {
        let Csv { separator, is_quoted, is_inside, .. } = *self;
        let is_begun = self.parts.is_inside();
        let separator = separator.filter(|_| !is_begun)?;
        Some(CsvPoint { at: self.parts.at, separator, is_quoted, is_inside })
    }

    /// Continues where another tokenizer of the same document was.
    pub(crate) fn resume(&mut self, point: &CsvPoint) {
        let CsvPoint { at, separator, is_quoted, is_inside } = *point;
        self.parts.at = at;
        (self.separator, self.is_quoted, self.is_inside) = (Some(separator), is_quoted, is_inside);
    }

    /// Returns the offset from which the bytes are needed.
    pub(crate) fn needed(&self) -> usize {
        self.parts.at
    }

    /// Returns the offset after the last record that ends in `bytes`, which begin with a record, and whether they end in
    /// quotation marks. `first` is the first line of the document.
    pub(crate) fn records_end(bytes: &[u8], first: &[u8]) -> (usize, bool) {
        let separator = Csv::separator(first, true).unwrap_or(b',');
        let (mut at, mut end) = (0, 0);
        while let Some(byte) = bytes.get(at) {
            let is_quoted = *byte == b'"';
            let from = at + usize::from(is_quoted);
            let found = match is_quoted {
                true => memchr::memchr(b'"', &bytes[from..]),
                false => memchr::memchr2(separator, b'\n', &bytes[from..]),
            };
            let Some(len) = found else { return (end, is_quoted) };
            at = from + len + 1;
            if bytes[at - 1] == b'\n' && !is_quoted {
                end = at;
            }
        }
        (end, false)
    }

    /// Returns the beginning of a document's first line that determines the separator, as a complete record.
    pub(crate) fn first_line(bytes: &[u8]) -> Vec<u8> {
        let head = &bytes[..bytes.len().min(FIRST_LINE)];
        let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let (_, is_quoted) = Csv::records_end(line, line);
        let mut first = line.to_vec();
        first.extend_from_slice(if is_quoted { b"\"\n" } else { b"\n" });
        first
    }

    /// Detects the separator of a document from its beginning; `None` if more bytes are needed.
    fn separator(bytes: &[u8], is_last: bool) -> Option<u8> {
        let head = &bytes[..bytes.len().min(FIRST_LINE)];
        let line = match memchr::memchr(b'\n', head) {
            Some(len) => &head[..len],
            None if is_last || head.len() == FIRST_LINE => head,
            None => return None,
        };
        let (mut best, mut most) = (b',', 0);
        for separator in SEPARATORS {
            // Do not count separators in a field with quotation marks.
            let unquoted = line.split(|&b| b == b'"').step_by(2);
            let count = unquoted.flatten().filter(|&&b| b == separator).count();
            if count > most {
                (best, most) = (separator, count);
            }
        }
        Some(best)
    }

    /// Reads a field, or the part of one between two doubled marks; returns its token, and whether another part follows.
    fn part(&mut self, bytes: Chunk<'_>, separator: u8) -> (Option<Token>, bool) {
        if !self.parts.is_open {
            if self.parts.seen <= self.parts.at {
                let (at, is_quoted, is_inside) = (self.parts.at, self.is_quoted, self.is_inside);
                let skip = CsvSkipKernel { bytes, at, is_quoted, is_inside, separator };
                (self.parts.at, self.is_quoted, self.is_inside) = self.masks.run(skip);
            }
            // A field whose end was searched for may have several parts.
            if !self.is_quoted && bytes.get(self.parts.at) == Some(&b'"') {
                self.is_quoted = true;
                self.parts.at += 1;
            }
            self.is_beside_mark = self.is_inside;
        }
        let mut run = None;
        if !self.is_inside {
            match self.field(bytes, separator) {
                StartedText::Undecided => return (None, false),
                StartedText::Token(token @ Token::Notice(_)) => return (Some(token), true),
                StartedText::Token(token) => run = Some(token),
                StartedText::Text => {}
            }
            self.is_inside = true;
            if run.is_some() {
                return (run, true);
            }
        }
        let rest = &bytes[self.parts.at..];
        let found = match self.is_quoted {
            true => memchr::memchr(b'"', rest),
            false => memchr::memchr2(separator, b'\n', rest),
        };
        let end = found.map_or(bytes.end(), |len| self.parts.at + len);
        let is_mark = self.is_quoted && found.is_some();
        if is_mark && end + 1 == bytes.end() && !bytes.is_last() {
            return (None, false);
        }
        // A mark may follow that is not in these bytes.
        self.is_beside_mark |= self.parts.is_text;
        let mut run = self.parts.take(end, found.is_some() || bytes.is_last(), Rules::None);
        // The text beside a doubled mark is a part of its field.
        self.is_beside_mark |= is_mark && bytes.get(end + 1) == Some(&b'"');
        if let Some(Token::Text(text)) = &mut run
            && self.is_beside_mark
        {
            text.content = Content::Running;
        }
        if found.is_some() {
            self.parts.at += 1;
            // A quotation mark ends the field, or is doubled.
            self.is_inside = self.is_quoted;
            self.is_quoted = false;
        }
        (run, found.is_some())
    }

    /// Returns the kind of the field that begins here.
    fn field(&mut self, bytes: Chunk<'_>, separator: u8) -> StartedText {
        let from = self.parts.unseen();
        let (end, is_end) = match self.is_quoted {
            true => quoted_end(bytes, from),
            false => match memchr::memchr2(separator, b'\n', &bytes[from..]) {
                Some(len) => (from + len, true),
                None => (bytes.end(), bytes.is_last()),
            },
        };
        let rules = if self.is_quoted { Rules::Csv } else { Rules::None };
        let begun = self.parts.begun(&bytes[self.parts.at..end], is_end, rules);
        match &begun {
            StartedText::Undecided => self.parts.seen = end,
            StartedText::Token(Token::Value(_)) => {
                self.parts.at = end + usize::from(self.is_quoted && end < bytes.end());
                self.is_quoted = false;
            }
            _ => {}
        }
        begun
    }
}

/// Kernel that skips fields, and the parts of a field that was checked as a value, that cannot contain a link: there is no
/// `<`, and no dot, colon or ampersand has a visible character after it.
struct CsvSkipKernel<'b> {
    bytes: Chunk<'b>,
    at: usize,
    is_quoted: bool,
    is_inside: bool,
    separator: u8,
}

impl MaskKernel for CsvSkipKernel<'_> {
    /// Where the first other part begins, whether it is in quotation marks, and whether it is a part; near the end of the
    /// bytes it may be any part.
    type Output = (usize, bool, bool);

    #[inline(always)]
    fn run(self, masks: impl Masks) -> (usize, bool, bool) {
        let CsvSkipKernel { bytes, mut at, mut is_quoted, mut is_inside, separator } = self;
        let mut from = at;
        // The field that contains the part.
        let mut field = (at, is_quoted);
        while let Some(window) = bytes.get(from..).and_then(<[u8]>::first_chunk::<{ PAIR + 1 }>) {
            let (mut ends, mut quotes, mut n) = (0, 0, 0);
            while let Some(block) = window[n..].first_chunk::<BLOCK>() {
                let breaks = masks.same(block, separator) | masks.same(block, b'\n');
                ends |= u64::from(breaks) << n;
                quotes |= u64::from(masks.same(block, b'"')) << n;
                n += BLOCK;
            }
            let texts = masks.texts(window, NonAscii::Anything);
            let possible = texts.possible | texts.opens;
            let (mut seen, mut left) = (0, ends | quotes);
            while left != 0 {
                let sign = left & left.wrapping_neg();
                left ^= sign;
                let place = from + sign.trailing_zeros() as usize;
                if quotes & sign != 0 && !is_quoted {
                    if place == at {
                        (at, is_quoted) = (place + 1, true);
                        seen = sign | (sign - 1);
                    }
                    continue;
                }
                if is_quoted && quotes & sign == 0 {
                    continue;
                }
                if possible & (sign - 1) & !seen != 0 {
                    return begin(field, (at, is_quoted), is_inside);
                }
                (at, is_quoted) = (place + 1, false);
                if quotes & sign == 0 {
                    (field, is_inside) = ((at, false), false);
                }
                seen = sign | (sign - 1);
            }
            if possible & !seen != 0 {
                break;
            }
            from += PAIR;
        }
        begin(field, (at, is_quoted), is_inside)
    }
}

/// Returns where to continue: with a part, if its field was checked, and otherwise with the field.
#[inline(always)]
fn begin(field: (usize, bool), part: (usize, bool), is_inside: bool) -> (usize, bool, bool) {
    let (at, is_quoted) = if is_inside { part } else { field };
    (at, is_quoted, is_inside)
}

impl Tokenizer for Csv {
    fn next(&mut self, bytes: Chunk<'_>) -> TokenizerStep {
        let Some(separator) =
            self.separator.or_else(|| Csv::separator(bytes.bytes(), bytes.is_last()))
        else {
            return TokenizerStep::Incomplete { needed: self.parts.at };
        };
        self.separator = Some(separator);
        let token = TextSplitter::next(|| self.part(bytes, separator));
        TokenizerStep::of(token, bytes, self.parts.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(csv: &str) -> Vec<&str> {
        let mut reader = Csv::new();
        let mut texts = Vec::new();
        while let TokenizerStep::Token(run) = reader.next(Chunk::whole(csv.as_bytes())) {
            let Token::Text(text) = run else { panic!("{run:?}") };
            assert!(!text.joined && !text.open, "{text:?}");
            texts.push(&csv[text.range]);
        }
        texts
    }

    #[test]
    fn fields() {
        for (csv, fields) in [
            ("abcd,efgh\nijkl,,mnop\r\n", &["abcd", "efgh", "ijkl", "mnop\r"][..]),
            ("abcd,\"ef,gh\nij\",\"kl\"\"mnop\"\"qrst\"", &["abcd", "ef,gh\nij", "mnop", "qrst"]),
            ("abcd,12\" disk,\"\",\"\"\"\",efgh", &["abcd", "12\" disk", "efgh"]),
            ("abcd;ef,gh;ij,kl;\nmn,o;pqrs", &["abcd", "ef,gh", "ij,kl", "mn,o", "pqrs"]),
            ("\"a;b;c;d\",efgh", &["a;b;c;d", "efgh"]),
            ("abcd|efgh", &["abcd", "efgh"]),
            ("\"never closed, efgh", &["never closed, efgh"]),
        ] {
            assert_eq!(texts(csv), fields, "{csv}");
        }
    }

    #[test]
    fn separators() {
        for (line, is_last, separator) in [
            ("a,b;c;d\n,,,,", false, Some(b';')),
            ("a,b", false, None),
            ("a,b", true, Some(b',')),
            ("a\tb\n", false, Some(b'\t')),
            ("none\n;", false, Some(b',')),
        ] {
            assert_eq!(Csv::separator(line.as_bytes(), is_last), separator, "{line}");
        }
        assert_eq!(Csv::separator(&[b';'; FIRST_LINE], false), Some(b';'));
    }

    #[test]
    fn what_is_skipped_holds_no_sign() {
        // Each field by itself, after enough others that masks are computed, and in the middle of them.
        let fill = "ab,\"c\"\"d\",,\"e\nf\",12\" x,ghijkl\n".repeat(4);
        for field in ["x.yz", "a<b", "\"x.yz\"", "\"a\"\"x.yz\"", "é", "a:b", "12\" a.b"] {
            for before in 0..fill.len() {
                if !fill.is_char_boundary(before) || !fill[..before].ends_with(['\n', ',']) {
                    continue;
                }
                if fill[..before].matches("\"e").count() > fill[..before].matches("f\"").count() {
                    continue;
                }
                let csv = format!("{}{field},{fill}{fill}", &fill[..before]);
                let at = csv.find(field.trim_matches('"')).unwrap_or(0);
                for is_inside in [false, true] {
                    let bytes = Chunk::whole(csv.as_bytes());
                    let skip = CsvSkipKernel {
                        bytes,
                        at: 0,
                        is_quoted: false,
                        is_inside,
                        separator: b',',
                    };
                    let (to, ..) = Isa::detect().run(CsvSkipKernel { ..skip });
                    let (plain, ..) = Isa::Plain(crate::simd::signs::Plain).run(skip);
                    assert_eq!(to, plain, "{csv}");
                    assert!(to <= at + field.len(), "{to} {at} {csv}");
                }
            }
        }
    }
}
