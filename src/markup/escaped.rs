//! Text formats with escapes: properties, messages of gettext, TeX, troff and others.
//!
//! The input is bytes (ASCII-compatible, without trail bytes below 0x80), the result is texts, whose escapes the window resolves by the
//! format's [`EscapeGrammar`]. Most formats are one running text. Two consist of records, which are one line or several: a property,
//! whose lines are joined by backslashes, and the string of a message, which is continued on the next line. In TeX, a text between two
//! equal characters, as in `\verb+x+`, is a text of its own, without escapes.

use std::collections::VecDeque;
use std::ops::Range;

use super::fragment::{FragmentFormat, TextSplitter, fragment, reading};
use super::{Content, Grammar, Rules, TextToken, Token, Tokenizer, TokenizerStep, UrlValue};
use crate::context::{ContextKind, KnownContext};
use crate::input::chunk::Chunk;
use crate::limits;
use crate::notice::Notice;
use crate::scan::reference::EscapeGrammar;

/// Commands of TeX whose argument may be between two equal characters.
const VERBATIM: [&[u8]; 6] = [b"verb", b"Verb", b"lstinline", b"url", b"path", b"nolinkurl"];

/// Characters that delimit such an argument. A slash or an apostrophe more often comes after a command of the author: `\path/a.png`.
const DELIMITERS: &[u8] = b"+|!=\"@~$^?&";

/// Maximum number of bytes from such a command to the end of its argument, which is on the same line.
const MOST_VERBATIM: usize = 4096;

/// Tokenizer for a text format with escapes.
#[derive(Clone, Debug)]
pub(crate) struct Escaped {
    grammar: EscapeGrammar,
    parts: TextSplitter,
    /// Start of the last line of a record whose end was searched.
    line: usize,
    waiting: VecDeque<Token>,
    /// Argument of the command of TeX at which the last text has ended.
    verbatim: Option<Range<usize>>,
}

/// What a backslash of TeX begins.
enum CommandOfTex {
    Other,
    /// A command with an argument in this range.
    Verbatim(Range<usize>),
    /// More bytes are needed.
    Undecided,
}

/// Decides on the next line by the record, its last line, the bytes of the next line, and whether they are all.
type GoesOn = fn(&[u8], &[u8], &[u8], bool) -> Option<bool>;

/// A format of records.
struct RecordFormat {
    /// Returns `true` if the next line continues a record; `None` if more bytes of the next line are needed.
    goes_on: GoesOn,
    /// Appends the tokens of a record that begins at an offset.
    tokens: fn(record: &[u8], start: usize, tokens: &mut VecDeque<Token>),
}

/// Keywords of the strings of a message, and their contexts.
static PO_STRINGS: [(&[u8], KnownContext); 4] = [
    (b"msgid", KnownContext::new("po:msgid", ContextKind::DocumentText)),
    (b"msgid_plural", KnownContext::new("po:msgid_plural", ContextKind::DocumentText)),
    (b"msgstr", KnownContext::new("po:msgstr", ContextKind::DocumentText)),
    (b"msgctxt", KnownContext::new("po:msgctxt", ContextKind::DocumentText)),
];

impl Escaped {
    pub(crate) fn new(grammar: EscapeGrammar) -> Escaped {
        let (parts, waiting) = Default::default();
        Escaped { grammar, parts, line: 0, waiting, verbatim: None }
    }

    /// Returns the format of the records; `None` for a running text.
    fn records(&self) -> Option<RecordFormat> {
        match self.grammar {
            EscapeGrammar::Properties => {
                Some(RecordFormat { goes_on: property_goes_on, tokens: of_property })
            }
            EscapeGrammar::Po => Some(RecordFormat { goes_on: string_goes_on, tokens: of_string }),
            _ => None,
        }
    }

    /// Returns a piece of a running text.
    fn running(&mut self, chunk: Chunk<'_>) -> Option<Token> {
        let rules = Rules::Escapes(self.grammar);
        if self.grammar == EscapeGrammar::Tex {
            return TextSplitter::next(|| self.of_tex(chunk, rules));
        }
        let mut token = self.parts.take(chunk.end(), chunk.is_last(), rules)?;
        if let Token::Text(text) = &mut token
            && self.grammar == EscapeGrammar::Perl
        {
            text.content = Content::Code;
        }
        Some(token)
    }

    /// Returns the token of the next text of TeX, and whether another text may begin after it.
    fn of_tex(&mut self, chunk: Chunk<'_>, rules: Rules) -> (Option<Token>, bool) {
        if let Some(inside) = self.verbatim.take() {
            self.parts.at = inside.end + 1;
            return (Some(text(inside, Rules::None, Content::Running)), true);
        }
        let start = self.parts.at;
        let bytes = chunk.from(start);
        let mut done = 0;
        for at in memchr::memchr_iter(b'\\', bytes) {
            // The second of two backslashes.
            if at < done {
                continue;
            }
            done = at + 2;
            match command_of_tex(&bytes[at..], chunk.is_last()) {
                CommandOfTex::Other => {}
                CommandOfTex::Undecided => {
                    // The backslash may be inside an escape: `{\_}`, `{$\sim$}`.
                    let whole = self.grammar.whole_escapes(&bytes[..at]);
                    return (self.parts.take(start + whole, false, rules), false);
                }
                CommandOfTex::Verbatim(inside) => {
                    let at = start + at;
                    self.verbatim = Some(at + inside.start..at + inside.end);
                    return (self.parts.take(at, true, rules), true);
                }
            }
        }
        (self.parts.take(chunk.end(), chunk.is_last(), rules), false)
    }

    /// Returns where the record that begins here ends; `None` if more bytes are needed.
    fn record_end(&mut self, chunk: Chunk<'_>, format: &RecordFormat) -> Option<usize> {
        let start = self.parts.at;
        self.line = self.line.max(start);
        loop {
            let from = self.parts.seen.max(self.line);
            let Some(len) = memchr::memchr(b'\n', &chunk[from..]) else {
                self.parts.seen = chunk.end();
                let is_long = chunk.end() - start > limits::VALUE;
                if is_long {
                    self.waiting.push_back(Token::Notice(Notice::ReadAsText));
                }
                return (is_long || chunk.is_last()).then_some(chunk.end());
            };
            let end = from + len;
            let (record, line) = (chunk.slice(start..end), chunk.slice(self.line..end));
            let goes_on = (format.goes_on)(record, line, chunk.from(end + 1), chunk.is_last());
            match goes_on {
                Some(false) => return Some(end + 1),
                Some(true) if end - start > limits::VALUE => return Some(end + 1),
                Some(true) => (self.line, self.parts.seen) = (end + 1, end + 1),
                None => {
                    self.parts.seen = end;
                    return None;
                }
            }
        }
    }
}

impl Tokenizer for Escaped {
    fn next(&mut self, chunk: Chunk<'_>) -> TokenizerStep {
        let Some(format) = self.records() else {
            let token = self.running(chunk);
            return TokenizerStep::of(token, chunk, self.parts.at);
        };
        loop {
            if let Some(token) = self.waiting.pop_front() {
                return TokenizerStep::Token(token);
            }
            let start = self.parts.at;
            if start >= chunk.end() {
                return TokenizerStep::of(None, chunk, start);
            }
            let Some(end) = self.record_end(chunk, &format) else {
                return TokenizerStep::of(None, chunk, start);
            };
            (format.tokens)(chunk.slice(start..end), start, &mut self.waiting);
            self.parts.at = end;
        }
    }
}

/// Returns the token of a text that is complete.
fn text(range: Range<usize>, rules: Rules, content: Content) -> Token {
    Token::Text(TextToken { range, rules, content, joined: false, open: false, in_link: false })
}

/// Reads the command at the beginning of the bytes, a backslash.
fn command_of_tex(bytes: &[u8], is_last: bool) -> CommandOfTex {
    let window = &bytes[..bytes.len().min(MOST_VERBATIM)];
    let needs_more = || match is_last || bytes.len() >= MOST_VERBATIM {
        true => CommandOfTex::Other,
        false => CommandOfTex::Undecided,
    };
    let most = VERBATIM.iter().map(|name| name.len()).max().unwrap_or_default() + 1;
    let letters = window.iter().skip(1).take(most).take_while(|byte| byte.is_ascii_alphabetic());
    let mut at = 1 + letters.count();
    let name = &window[1..at];
    match at == window.len() {
        true if VERBATIM.iter().any(|known| known.starts_with(name)) => return needs_more(),
        false if VERBATIM.contains(&name) => {}
        _ => return CommandOfTex::Other,
    }
    if window[at] == b'*' {
        at += 1;
    }
    if window.get(at) == Some(&b'[') {
        match memchr::memchr2(b']', b'\n', &window[at..]) {
            Some(len) if window[at + len] == b']' => at += len + 1,
            Some(_) => return CommandOfTex::Other,
            None => return needs_more(),
        }
    }
    let Some(delimiter) = window.get(at) else { return needs_more() };
    if !DELIMITERS.contains(delimiter) {
        return CommandOfTex::Other;
    }
    let start = at + 1;
    match memchr::memchr2(*delimiter, b'\n', &window[start..]) {
        Some(len) if window[start + len] == *delimiter => {
            CommandOfTex::Verbatim(start..start + len)
        }
        Some(_) => CommandOfTex::Other,
        None => needs_more(),
    }
}

/// Returns `true` if a property is a comment.
fn is_comment(record: &[u8]) -> bool {
    matches!(record.trim_ascii_start().first(), Some(b'#' | b'!'))
}

/// The next line continues a property whose line ends with an escaped line end.
fn property_goes_on(record: &[u8], line: &[u8], _: &[u8], _: bool) -> Option<bool> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let backslashes = line.iter().rev().take_while(|byte| **byte == b'\\').count();
    Some(backslashes % 2 == 1 && !is_comment(record))
}

/// Returns where the value begins in what follows the name of a property.
fn value_start(rest: &[u8]) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | 0x0C);
    let blanks = |from: usize| from + rest[from..].iter().take_while(is_blank).count();
    let at = blanks(0);
    match rest.get(at) {
        Some(b'=' | b':') => blanks(at + 1),
        _ => at,
    }
}

/// A property is a text, or two if its name has escapes: a separator ends a link in a name, but not in a value. A value may be a fragment of
/// HTML.
fn of_property(record: &[u8], start: usize, tokens: &mut VecDeque<Token>) {
    let rules = Rules::Escapes(EscapeGrammar::Properties);
    let (content, end) = (Content::Code, start + record.len());
    if is_comment(record) {
        return tokens.push_back(text(start..end, Rules::None, content));
    }
    let indent = record.len() - record.trim_ascii_start().len();
    let (mut at, mut has_escapes) = (indent, false);
    while let Some(byte) = record.get(at) {
        match byte {
            b'\\' => (at, has_escapes) = (at + 2, true),
            b'=' | b':' | b' ' | b'\t' | 0x0C | b'\n' | b'\r' => break,
            _ => at += 1,
        }
    }
    let at = at.min(record.len());
    let value = at + value_start(&record[at..]);
    let is_html = reading(&record[value..], true, rules) == FragmentFormat::Html;
    let (at, value) = (start + at, start + value);
    match has_escapes {
        _ if is_html => {
            tokens.push_back(text(start..value, rules, content));
            tokens.push_back(fragment(value..end, Grammar::Fragment, rules));
        }
        true => tokens.extend([start..at, at..end].map(|range| text(range, rules, content))),
        false => tokens.push_back(text(start..end, rules, content)),
    }
}

/// Returns a line without the mark of an obsolete message or of one before, and blanks.
fn without_mark(line: &[u8]) -> &[u8] {
    let line = line.trim_ascii_start();
    let rest = line.strip_prefix(b"#~").or(line.strip_prefix(b"#|")).unwrap_or(line);
    rest.strip_prefix(b"|").unwrap_or(rest).trim_ascii_start()
}

/// The next line continues a string if it begins with another one.
fn string_goes_on(record: &[u8], _: &[u8], next: &[u8], is_last: bool) -> Option<bool> {
    if without_mark(record).starts_with(b"#") || memchr::memchr(b'"', record).is_none() {
        return Some(false);
    }
    let line = next.split(|byte| *byte == b'\n').next().unwrap_or_default();
    match without_mark(line).first() {
        // The second character of a mark may follow.
        Some(b'#') if line.trim_ascii_start().len() == 1 && line.len() == next.len() => {
            is_last.then_some(false)
        }
        Some(byte) => Some(*byte == b'"'),
        None if line.len() < next.len() || is_last => Some(false),
        None => None,
    }
}

/// A string of a message is a value, with the keyword before it as its context; other lines are texts.
fn of_string(record: &[u8], start: usize, tokens: &mut VecDeque<Token>) {
    let (rules, content) = (Rules::Escapes(EscapeGrammar::Po), Content::Running);
    let line = without_mark(record);
    let word = line.iter().take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_').count();
    let word = &line[..word];
    let known = PO_STRINGS.iter().find(|(keyword, _)| *keyword == word);
    let marks = (memchr::memchr(b'"', record), memchr::memrchr(b'"', record));
    let (Some((_, context)), (Some(first), Some(last))) = (known, marks) else {
        return tokens.push_back(text(start..start + record.len(), Rules::None, content));
    };
    let string = first + 1..last.max(first + 1);
    let range = start + string.start..start + string.end;
    match reading(&record[string], true, rules) {
        FragmentFormat::Html => tokens.push_back(fragment(range, Grammar::Fragment, rules)),
        _ => tokens.push_back(Token::Value(UrlValue {
            range,
            context: context.into(),
            grammar: Grammar::Property,
            rules,
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ValueLimits;
    use super::*;

    /// The texts and values of a document that arrives in pieces of `size` bytes.
    fn parts(grammar: EscapeGrammar, document: &str, size: usize) -> Vec<(String, String)> {
        let mut reader = Escaped::new(grammar);
        let (mut found, mut base, mut end) = (Vec::new(), 0, size.min(document.len()));
        loop {
            let bytes = document.as_bytes();
            match reader.next(Chunk::new(&bytes[base..end], base, end == bytes.len())) {
                TokenizerStep::Token(Token::Text(text)) => {
                    found.push((String::new(), document[text.range].to_owned()));
                }
                TokenizerStep::Token(Token::Value(value)) => {
                    found.push((value.context.name().to_owned(), document[value.range].to_owned()));
                }
                TokenizerStep::Token(token) => panic!("{token:?}"),
                TokenizerStep::Incomplete { needed } => {
                    (base, end) = (needed, (end + size).min(document.len()));
                }
                TokenizerStep::Done => return found,
            }
        }
    }

    #[test]
    fn records_in_pieces() {
        assert!(limits::VALUE >= ValueLimits::default().whole);
        let properties = "# c\\\na=b\\\n  c\nhttp\\://x=y\\\\\n\n d\\";
        let wanted = ["# c\\\n", "a=b\\\n  c\n", "http\\://x", "=y\\\\\n", "\n", " d\\", ""];
        for size in 1..=properties.len() {
            let found = parts(EscapeGrammar::Properties, properties, size);
            assert_eq!(found.iter().map(|part| &*part.1).collect::<Vec<_>>(), wanted, "{size}");
        }
        let po =
            "# c\nmsgid \"a\"\n\"b\"\n  \"c\"\nmsgstr[1] \"\"\n#~ msgid \"x\"\n#~ \"y\"\n\nmsgctxt";
        let wanted = [
            ("", "# c\n"),
            ("po:msgid", "a\"\n\"b\"\n  \"c"),
            ("po:msgstr", ""),
            ("po:msgid", "x\"\n#~ \"y"),
            ("", "\n"),
            ("", "msgctxt"),
        ];
        for size in 1..=po.len() {
            let found = parts(EscapeGrammar::Po, po, size);
            let found: Vec<(&str, &str)> =
                found.iter().map(|(context, text)| (&**context, &**text)).collect();
            assert_eq!(found, wanted, "{size}");
        }
    }
}
