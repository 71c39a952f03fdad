//! JSON (RFC 8259): each string is a text of its own, in which the escapes are resolved, or a fragment of HTML.
//!
//! Bytes in (ASCII-compatible, without trail bytes below 0x80), texts out. What is between strings
//! is text as well, without escapes: the comments of JSON5 and the like. A string holds no line break,
//! so that one that is never closed ends with its line, and the rest of the document is read as it
//! would have been. Lines of JSON, one value a line, need nothing more.
//!
//! A string of any length needs no memory beyond the block that it lies in, and the longest value: so much of it must be there
//! to tell whether it is HTML. Formats in which objects name the base of what is in
//! them are read by `objects`.

mod look;
mod objects;

use super::parts::{StartedText, TextSplitter};
use super::{Rules, Token, Tokenizer, TokenizerStep};
use crate::input::chunk::Chunk;
use crate::simd::signs::{BLOCK, Isa, MaskKernel, Masks, NonAscii, PAIR};
use objects::{ObjectFormat, Objects};

/// Goes through JSON.
#[derive(Clone, Debug)]
pub(crate) struct Json {
    masks: Isa,
    parts: TextSplitter,
    is_in_string: bool,
    escapes: Escapes,
    /// Whether the document is of no format in which objects name bases.
    is_plain: bool,
    /// State of a document of such a format.
    objects: Option<Box<Objects>>,
}

/// The escapes of a string, as far as it was looked through for its end.
#[derive(Clone, Copy, Debug, Default)]
struct Escapes {
    /// Whether the bytes end with the backslash of an escape.
    is_cut: bool,
    /// One is of a code unit, `\u003c`, or may be.
    has_units: bool,
}

/// Where a string ends, or what is there of it, looked for from `at` on; and whether it does.
fn string_end(bytes: Chunk<'_>, mut at: usize, escapes: &mut Escapes) -> (usize, bool) {
    if at < bytes.end() && std::mem::take(&mut escapes.is_cut) {
        at += 1;
    }
    while let Some(len) = memchr::memchr3(b'"', b'\\', b'\n', &bytes[at..]) {
        at += len;
        match bytes[at] {
            b'\\' if at + 1 < bytes.end() => {
                escapes.has_units |= bytes[at + 1] == b'u';
                at += 2;
            }
            b'\\' => {
                *escapes = Escapes { is_cut: true, has_units: true };
                at += 1;
            }
            _ => return (at, true),
        }
    }
    (bytes.end(), bytes.is_last())
}

impl Json {
    pub(crate) fn new() -> Json {
        Json {
            masks: Isa::detect(),
            parts: TextSplitter::default(),
            is_in_string: false,
            escapes: Escapes::default(),
            is_plain: false,
            objects: None,
        }
    }

    /// Whether the document is one of JSON that begins so; `None` if what follows decides. Objects and
    /// lists are reported by their first string, other values are not told at all.
    pub(crate) fn begins(bytes: &[u8]) -> Option<bool> {
        let mut rest = bytes.trim_ascii_start();
        for open in [b'[', b'{'] {
            rest = rest.strip_prefix(&[open]).unwrap_or(rest).trim_ascii_start();
        }
        let is_open = bytes.trim_ascii_start().len() > rest.len();
        match rest.first() {
            None => None,
            Some(b'"') => Some(is_open),
            Some(_) => Some(false),
        }
    }

    /// Reads a string, or what is between two: what of it is to be given, and whether another one follows.
    fn part(&mut self, bytes: Chunk<'_>) -> (Option<Token>, bool) {
        if !self.parts.is_open && self.parts.seen <= self.parts.at {
            let (at, is_in_string) = (self.parts.at, self.is_in_string);
            (self.parts.at, self.is_in_string) =
                self.masks.run(JsonSkipKernel { bytes, at, is_in_string });
        }
        let (end, is_end) = match self.is_in_string {
            true => string_end(bytes, self.parts.unseen(), &mut self.escapes),
            false => match memchr::memchr(b'"', &bytes[self.parts.at..]) {
                Some(len) => (self.parts.at + len, true),
                None => (bytes.end(), bytes.is_last()),
            },
        };
        let rules = if self.is_in_string { Rules::Json } else { Rules::None };
        if self.is_value(&bytes[self.parts.at..end], is_end)
            && let Some(given) = self.value(bytes, end, is_end)
        {
            return given;
        }
        let run = self.parts.take(end, is_end, rules);
        let has_next = is_end && end < bytes.end();
        if has_next {
            self.leave(bytes[end]);
        }
        (run, has_next)
    }
}

impl Json {
    /// Leaves a part at the byte that ends it.
    #[inline]
    fn leave(&mut self, byte: u8) {
        // A line break is no part of the string, nor is the quotation mark.
        self.parts.at += usize::from(byte == b'"');
        self.is_in_string = !self.is_in_string;
        self.escapes = Escapes::default();
    }

    /// Returns the token of a string that may be HTML; `None` if it is text.
    #[inline(never)]
    fn value(
        &mut self,
        bytes: Chunk<'_>,
        end: usize,
        is_end: bool,
    ) -> Option<(Option<Token>, bool)> {
        match self.parts.begun(&bytes[self.parts.at..end], is_end, Rules::Json) {
            StartedText::Text => None,
            StartedText::Undecided => {
                self.parts.seen = end;
                Some((None, false))
            }
            StartedText::Token(token @ Token::Notice(_)) => {
                self.parts.seen = end;
                Some((Some(token), true))
            }
            StartedText::Token(token) => {
                self.parts.at = end;
                if let Some(byte) = bytes.get(end) {
                    self.leave(*byte);
                }
                Some((Some(token), true))
            }
        }
    }

    /// Whether a part is a string that begins here and may be HTML: what may be a `<` is in it, or it is not there as a
    /// whole. Most have neither.
    #[inline]
    fn is_value(&self, part: &[u8], is_end: bool) -> bool {
        let is_begun = self.is_in_string && !self.parts.is_open;
        is_begun && (!is_end || self.escapes.has_units || memchr::memchr(b'<', part).is_some())
    }
}

/// Goes over the strings, and what is between them, in which no link can be: nothing is escaped, no string has a `<`, and no
/// dot, colon or ampersand has something visible after it, as `markup::html` has it. Most are so.
struct JsonSkipKernel<'b> {
    bytes: Chunk<'b>,
    at: usize,
    is_in_string: bool,
}

impl MaskKernel for JsonSkipKernel<'_> {
    /// Where the first other one begins, and whether it is a string; where the bytes are about to end it
    /// may be any.
    type Output = (usize, bool);

    #[inline(always)]
    fn run(self, masks: impl Masks) -> (usize, bool) {
        let JsonSkipKernel { bytes, mut at, mut is_in_string } = self;
        let (mut from, mut after_quote) = (at, 1);
        while let Some(window) = bytes.get(from..).and_then(<[u8]>::first_chunk::<{ PAIR + 1 }>) {
            let signs = JsonMasks::of(window, masks);
            let quotes = signs.quotes;
            // After a name there is a colon; what ends a string has nothing after it.
            let next = quotes >> 1 | u64::from(window[PAIR] == b'"') << (PAIR - 1);
            let possible = signs.possible & !next & !(signs.colons & (quotes << 1 | after_quote));
            let mut seen = 0;
            let mut left = quotes;
            loop {
                let len = left.trailing_zeros();
                let part = u64::MAX.checked_shr(64 - len).unwrap_or(0) & !seen;
                let stops = if is_in_string { possible | signs.ends } else { possible };
                if stops & part != 0 {
                    return (at, is_in_string);
                }
                if left == 0 {
                    break;
                }
                at = from + len as usize + 1;
                is_in_string = !is_in_string;
                seen |= part | left & left.wrapping_neg();
                left &= left - 1;
            }
            after_quote = quotes >> (PAIR - 1);
            from += PAIR;
        }
        (at, is_in_string)
    }
}

/// Masks of two blocks.
#[derive(Default)]
struct JsonMasks {
    quotes: u64,
    colons: u64,
    /// Backslashes, line breaks and each `<`.
    ends: u64,
    /// Bytes that may be in a link.
    possible: u64,
}

impl JsonMasks {
    #[inline(always)]
    fn of(window: &[u8; PAIR + 1], masks: impl Masks) -> JsonMasks {
        let texts = masks.texts(window, NonAscii::Anything);
        let (possible, ends) = (texts.possible, texts.opens);
        let (mut signs, mut from) = (JsonMasks { possible, ends, ..JsonMasks::default() }, 0);
        while let Some(block) = window[from..].first_chunk::<BLOCK>() {
            let same = |byte| u64::from(masks.same(block, byte)) << from;
            signs.quotes |= same(b'"');
            signs.colons |= same(b':');
            signs.ends |= same(b'\\') | same(b'\n');
            from += BLOCK;
        }
        signs
    }
}

impl Json {
    /// Returns the next token of a document of a format in which objects may name bases.
    #[cold]
    fn next_of_objects(&mut self, bytes: Chunk<'_>) -> TokenizerStep {
        if let Some(objects) = &mut self.objects {
            return objects.next(bytes);
        }
        match ObjectFormat::of(bytes) {
            None => return TokenizerStep::Incomplete { needed: self.parts.at },
            Some(None) => self.is_plain = true,
            Some(Some(format)) => self.objects = Some(Box::new(Objects::new(format))),
        }
        self.next(bytes)
    }
}

impl Tokenizer for Json {
    fn next(&mut self, bytes: Chunk<'_>) -> TokenizerStep {
        if !self.is_plain {
            return self.next_of_objects(bytes);
        }
        let token = TextSplitter::next(|| self.part(bytes));
        TokenizerStep::of(token, bytes, self.parts.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(json: &str) -> Vec<(&str, Rules)> {
        let mut reader = Json::new();
        let mut texts = Vec::new();
        while let TokenizerStep::Token(run) = reader.next(Chunk::whole(json.as_bytes())) {
            let Token::Text(text) = run else { panic!("{run:?}") };
            assert!(!text.joined && !text.open, "{text:?}");
            texts.push((&json[text.range], text.rules));
        }
        texts
    }

    #[test]
    fn strings_and_what_is_between() {
        for (json, strings) in [
            (r#"{"abcd": "efgh"}"#, &["abcd", "efgh"][..]),
            (r#"["a\"bc", "\\", "\\\\", "d\\"]"#, &[r#"a\"bc"#, r"\\\\"]),
            (r#"["", "abc", "\u0022"]"#, &[r"\u0022"]),
            ("[\"open\nagain\", \"shut\"]", &["open", ", ", "]"][..1]),
            (r#""cut"#, &[]),
            (r#""cut off"#, &["cut off"]),
            (r#""cut off\"#, &[r"cut off\"]),
        ] {
            let found: Vec<&str> = texts(json)
                .iter()
                .filter(|(_, rules)| *rules == Rules::Json)
                .map(|t| t.0)
                .collect();
            match json.contains('\n') {
                // The rest of the line, and the next string, are distinguished by what is open.
                true => assert_eq!(found[..1], strings[..1], "{json}"),
                false => assert_eq!(found, strings, "{json}"),
            }
        }
        let comment = "{ // http://a.example/\n \"a\": 1 }";
        assert_eq!(texts(comment)[0], ("{ // http://a.example/\n ", Rules::None));
    }

    #[test]
    fn beginnings() {
        for (text, is_json) in [
            (r#"{"a": 1}"#, Some(true)),
            ("[\n  {\n    \"a\"", Some(true)),
            (r#"["a""#, Some(true)),
            ("", None),
            (" {", None),
            ("[ ", None),
            ("[{", None),
            (r#""a""#, Some(false)),
            ("[2026-11-21] x", Some(false)),
            ("{{\"", Some(false)),
            ("[[a]]", Some(false)),
            ("{}", Some(false)),
            ("12", Some(false)),
            ("x {\"", Some(false)),
        ] {
            assert_eq!(Json::begins(text.as_bytes()), is_json, "{text}");
        }
    }
}
