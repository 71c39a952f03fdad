//! JSON (RFC 8259): each string is a separate text, whose escapes are resolved, or a fragment of HTML.
//!
//! The input is bytes (ASCII-compatible, without trail bytes below 0x80), the result is texts. The bytes between strings
//! are text too, without escapes: for example the comments of JSON5. A string has no line breaks, so an unclosed string
//! ends with its line, and the rest of the document is read as if it had been closed. JSON Lines, with one value per line,
//! need nothing more.
//!
//! A string of any length needs only the memory of the block that it is in and of the longest value, since a complete value
//! must be available to decide whether it is HTML. Formats in which objects name the base of the references in them are
//! read by `objects`.

mod formats;
mod look;
mod notebook;
mod objects;

pub(crate) use formats::DeclaredJson;
use formats::{NOTEBOOK, ObjectFormat};
use objects::Objects;

use super::fragment::{StartedText, TextSplitter};
use super::{Rules, Token, Tokenizer, TokenizerStep, ValueLimits};
use crate::input::chunk::Chunk;
use crate::simd::signs::{BLOCK, Isa, MaskKernel, Masks, NonAscii, PAIR};

/// Tokenizer for JSON.
#[derive(Clone, Debug)]
pub(crate) struct Json {
    limits: ValueLimits,
    masks: Isa,
    parts: TextSplitter,
    is_in_string: bool,
    escapes: Escapes,
    /// Whether the document is not of a format in which objects name bases.
    is_plain: bool,
    /// State of a document of such a format.
    objects: Option<Box<Objects>>,
}

/// State of the tokenizer where a string, or what is between two strings, begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JsonPoint {
    pub(crate) at: usize,
    pub(crate) is_in_string: bool,
}

/// What servers write before JSON; a longer one precedes those that it begins with.
const GUARDS: [&str; 9] = [
    ")]}',",
    ")]}'",
    "while(1);",
    "while (1);",
    "while(true);",
    "for(;;);",
    "for (;;);",
    "{}&&",
    "throw 1;",
];
/// Length in bytes of the name of a function that is compared.
const LONGEST_CALL: usize = 128;

/// The escapes of a string, as far as it was searched for its end.
#[derive(Clone, Copy, Debug, Default)]
struct Escapes {
    /// Whether the bytes end with the backslash of an escape.
    is_cut: bool,
    /// Whether there is an escape of a code unit, `\u003c`, or may be one.
    has_units: bool,
}

/// Returns where a string ends, searched from `at` on, or where its available bytes end, and whether the string ends there.
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
    pub(crate) fn new(limits: ValueLimits) -> Json {
        Json {
            limits,
            masks: Isa::detect(),
            parts: TextSplitter::default(),
            is_in_string: false,
            escapes: Escapes::default(),
            is_plain: false,
            objects: None,
        }
    }

    /// Creates the tokenizer of JSON of this format that begins at this offset of a document.
    pub(crate) fn declared(format: DeclaredJson, limits: ValueLimits, at: usize) -> Json {
        let parts = TextSplitter { at, ..TextSplitter::default() };
        let objects = format.objects().map(|format| Box::new(Objects::new(format, &limits, at)));
        Json { parts, is_plain: objects.is_none(), objects, ..Json::new(limits) }
    }

    /// Returns the state where a part begins; `None` elsewhere, and in a format in which objects name bases.
    pub(crate) fn point(&self) -> Option<JsonPoint> {
        let Json { is_in_string, is_plain, .. } = *self;
        let Escapes { is_cut, has_units } = self.escapes;
        let is_begun = self.parts.is_inside() || is_cut || has_units;
        (is_plain && !is_begun).then_some(JsonPoint { at: self.parts.at, is_in_string })
    }

    /// Continues where another tokenizer of the same document was.
    pub(crate) fn resume(&mut self, point: &JsonPoint) {
        self.parts.at = point.at;
        (self.is_plain, self.is_in_string) = (true, point.is_in_string);
    }

    /// Returns the offset from which the bytes are needed.
    pub(crate) fn needed(&self) -> usize {
        self.objects.as_ref().map_or(self.parts.at, |objects| objects.parts.at)
    }

    /// Creates the tokenizer of a notebook, whatever its first member is.
    pub(crate) fn notebook(limits: ValueLimits) -> Json {
        let objects = Some(Box::new(Objects::new(&NOTEBOOK, &limits, 0)));
        Json { objects, ..Json::new(limits) }
    }

    /// Returns `true` if a document that begins with these bytes is JSON; `None` if the following bytes decide. An object
    /// or a list is recognised by its first string; other values are not recognised.
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

    /// Returns the bytes after what servers write before JSON so that no browser runs it as a script (`)]}'`, `while(1);`), or after the
    /// opening bracket of a call (`callback(`); `None` if the following bytes decide.
    pub(crate) fn unguarded(bytes: &[u8]) -> Option<&[u8]> {
        let rest = bytes.trim_ascii_start();
        for guard in GUARDS {
            if let Some(rest) = rest.strip_prefix(guard.as_bytes()) {
                return Some(rest.trim_ascii_start());
            }
        }
        let call = rest.strip_prefix(b"/**/").unwrap_or(rest).trim_ascii_start();
        let is_of_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.');
        let len = call.iter().take(LONGEST_CALL).take_while(is_of_name).count();
        let is_name = call.first().is_some_and(|b| !b.is_ascii_digit() && *b != b'.');
        match call.get(len) {
            Some(b'(') if len > 0 && is_name => Some(call[len + 1..].trim_ascii_start()),
            _ if GUARDS.iter().chain(&["/**/"]).any(|guard| guard.as_bytes().starts_with(rest)) => {
                None
            }
            None if call.is_empty() || is_name && len < LONGEST_CALL => None,
            _ => Some(bytes),
        }
    }

    /// Reads a string, or the bytes between two: returns its token, and whether another part follows.
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
    /// Moves past the byte that ends a part.
    #[inline]
    fn leave(&mut self, byte: u8) {
        // Neither a line break nor the quotation mark belongs to the string.
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

    /// Returns `true` if a part is a string that begins here and may be HTML: it may contain a `<`, or it is incomplete.
    /// Most strings are neither.
    #[inline]
    fn is_value(&self, part: &[u8], is_end: bool) -> bool {
        let is_begun = self.is_in_string && !self.parts.is_open;
        is_begun && (!is_end || self.escapes.has_units || memchr::memchr(b'<', part).is_some())
    }
}

/// Kernel that skips strings, and the bytes between them, that cannot contain a link: they have no escape, no string has a
/// `<`, and no dot, colon or ampersand has a visible character after it, as in `markup::html`. Most are of this kind.
struct JsonSkipKernel<'b> {
    bytes: Chunk<'b>,
    at: usize,
    is_in_string: bool,
}

impl MaskKernel for JsonSkipKernel<'_> {
    /// Where the first other part begins, and whether it is a string; near the end of the bytes it may be any part.
    type Output = (usize, bool);

    #[inline(always)]
    fn run(self, masks: impl Masks) -> (usize, bool) {
        let JsonSkipKernel { bytes, mut at, mut is_in_string } = self;
        let (mut from, mut after_quote) = (at, 1);
        while let Some(window) = bytes.get(from..).and_then(<[u8]>::first_chunk::<{ PAIR + 1 }>) {
            let signs = JsonMasks::of(window, masks);
            let quotes = signs.quotes;
            // A colon follows a name; the end of a string is not followed by a visible character.
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
    /// Backslashes, line breaks and every `<`.
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
    /// Returns the next token of a document in a format in which objects may name bases.
    #[cold]
    fn next_of_objects(&mut self, bytes: Chunk<'_>) -> TokenizerStep {
        if let Some(objects) = &mut self.objects {
            return objects.next(bytes);
        }
        match ObjectFormat::of(bytes) {
            None => return TokenizerStep::Incomplete { needed: self.parts.at },
            Some(None) => self.is_plain = true,
            Some(Some(format)) => {
                self.objects = Some(Box::new(Objects::new(format, &self.limits, 0)))
            }
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
        let mut reader = Json::new(ValueLimits::default());
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
                // Whether a string is open decides how the rest of the line and the next string are read.
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
        for (text, rest) in [
            (")]}'\n{\"a\"", Some("{\"a\"")),
            (")]}',\n[", Some("[")),
            ("for (;;);{\"a\"", Some("{\"a\"")),
            ("/**/jQuery1_2.x$(\n{\"a\"", Some("{\"a\"")),
            ("cb([", Some("[")),
            ("{\"a\"", Some("{\"a\"")),
            ("two words(", Some("two words(")),
            ("2(x", Some("2(x")),
            ("(x", Some("(x")),
            ("while", None),
            (")]", None),
            ("call", None),
            ("/*", None),
            ("", None),
        ] {
            assert_eq!(Json::unguarded(text.as_bytes()), rest.map(str::as_bytes), "{text}");
        }
    }
}
