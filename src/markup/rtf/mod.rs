//! RTF: the text of its paragraphs and the codes of its fields, decoded, each with its place in the stored bytes.
//!
//! The input is a whole document, the result is one text with a source map, in which each paragraph, code and URL is a
//! line. Groups, formatting and the line ends of the file do not interrupt a paragraph: `{\f1 exa}{\f2 mple.com}` is one
//! host. A character may be stored as itself, as a byte of the code page of its font (`\'e9`), or as a number (`\u233?`) with
//! a fallback for old readers.
//!
//! Outlook stores HTML in RTF, its tags as groups that a word processor skips ([MS-OXRTFEX]): the text is that HTML then.

mod fonts;
mod words;

use std::ops::Range;

use super::field::INNER_FIELD;
use crate::charset::Charset;
use crate::source_map::SourceMap;
use fonts::{FontTable, code_page_of};
use words::{ControlWord, Destination, control_word};

/// Maximum depth of groups whose formatting is restored at their end.
const MAX_GROUPS: usize = 1 << 12;
/// Maximum length in bytes of a control word, and number of digits after it.
const LONGEST_WORD: usize = 32;
const MOST_DIGITS: usize = 10;

/// Text of a document.
#[derive(Debug, Default)]
pub(crate) struct RtfText {
    pub(crate) text: Vec<u8>,
    pub(crate) map: SourceMap,
    pub(crate) lines: Vec<RtfLine>,
}

/// Line of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RtfLine {
    /// Range in the text, without the line end.
    pub(crate) range: Range<usize>,
    pub(crate) kind: RtfLineKind,
    /// Range of the visible text of a field; empty without one.
    pub(crate) shown: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RtfLineKind {
    Text,
    /// Code of a field.
    Field,
    /// One reference.
    Url,
    /// One reference, unless it is a path.
    Template,
    /// The whole document, as HTML.
    Html,
}

/// Reads a document.
pub(crate) fn read(bytes: &[u8]) -> RtfText {
    // [MS-OXRTFEX] §2.1.3.1.
    let head = &bytes[..bytes.len().min(HEAD)];
    let form = match memchr::memmem::find(head, b"\\fromhtml1") {
        Some(_) => RtfForm::Html,
        None => RtfForm::Rtf,
    };
    let mut reader = RtfReader::new(bytes, form);
    reader.run();
    reader.out
}

/// Number of first bytes in which a document says that it was made of HTML.
const HEAD: usize = 1 << 10;

/// RtfForm of the text that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RtfForm {
    Rtf,
    Html,
}

/// State that the end of a group restores.
#[derive(Clone, Copy, Debug, Default)]
struct RtfGroup {
    destination: Destination,
    /// Code page of the font.
    charset: Option<Charset>,
    /// Number of characters after a `\u` that represent it for old readers.
    fallback: usize,
    /// Whether the text is not in the HTML that the document was made of.
    is_rtf_only: bool,
    /// Line of the field that the group is the visible text of, and where that begins in the text.
    shown: Option<(usize, usize)>,
}

/// Text that waits for its rest.
#[derive(Default)]
struct PendingText {
    /// Bytes of a code page that are not decoded yet, and their places.
    encoded: Vec<u8>,
    places: Vec<Range<usize>>,
    /// Whether they end inside a character: its second byte may be stored as itself.
    is_cut: bool,
    /// First half of a surrogate pair, and where it is stored.
    high: Option<(u16, Range<usize>)>,
}

struct RtfReader<'b> {
    bytes: &'b [u8],
    at: usize,
    form: RtfForm,
    fonts: FontTable,
    groups: Vec<RtfGroup>,
    group: RtfGroup,
    /// Number of open groups beyond those that are restored.
    deeper: usize,
    is_starred: bool,
    pending: PendingText,
    /// Start of the line in the text.
    start: usize,
    /// Line of the last field, up to its visible text.
    field: Option<usize>,
    out: RtfText,
}

impl<'b> RtfReader<'b> {
    fn new(bytes: &'b [u8], form: RtfForm) -> RtfReader<'b> {
        let destination = Destination::Text;
        RtfReader {
            bytes,
            at: 0,
            form,
            fonts: FontTable::new(),
            groups: Vec::new(),
            group: RtfGroup { destination, fallback: 1, ..RtfGroup::default() },
            deeper: 0,
            is_starred: false,
            pending: PendingText::default(),
            start: 0,
            field: None,
            out: RtfText::default(),
        }
    }

    fn run(&mut self) {
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'{' => self.open(),
                b'}' => self.close(),
                b'\\' => self.control(),
                b'\r' | b'\n' | 0 => self.at += 1,
                b'\t' => {
                    self.at += 1;
                    self.end_line();
                }
                _ => self.literal(),
            }
        }
        match self.form {
            RtfForm::Rtf => self.end_line(),
            RtfForm::Html => {
                self.settle();
                let range = 0..self.out.text.len();
                self.out.lines.push(RtfLine { range, kind: RtfLineKind::Html, shown: 0..0 });
            }
        }
    }

    fn open(&mut self) {
        self.settle();
        self.at += 1;
        self.is_starred = false;
        match self.groups.len() < MAX_GROUPS {
            true => self.groups.push(self.group),
            false => self.deeper += 1,
        }
    }

    fn close(&mut self) {
        self.settle();
        self.at += 1;
        self.is_starred = false;
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if let Some(outer) = self.groups.pop() {
            if self.group.destination != outer.destination {
                self.end_apart(outer.destination);
            }
            let shown = self.group.shown.filter(|_| self.group.shown != outer.shown);
            if let Some((field, start)) = shown {
                self.out.lines[field].shown = start..self.out.text.len();
            }
            self.group = outer;
        }
    }

    /// Ends the line where a destination that is not part of the text around it begins or ends.
    fn end_apart(&mut self, other: Destination) {
        if self.group.destination.is_apart() || other.is_apart() {
            self.end_line();
        }
    }

    /// Returns `true` if the bytes here are text.
    fn is_text(&self) -> bool {
        match (self.form, self.group.destination) {
            (RtfForm::Html, Destination::Text) => !self.group.is_rtf_only,
            (RtfForm::Html, Destination::Tag) => true,
            (RtfForm::Html, _) => false,
            (RtfForm::Rtf, destination) => {
                destination == Destination::Text || destination.is_apart()
            }
        }
    }

    fn control(&mut self) {
        let start = self.at;
        match self.bytes.get(start + 1) {
            None => self.at += 1,
            Some(b'\'') => self.byte(),
            Some(byte) if byte.is_ascii_alphabetic() => self.word(),
            Some(&byte) => {
                self.at += 2;
                self.symbol(byte, start..start + 2);
            }
        }
    }

    /// Reads `\'e9`.
    fn byte(&mut self) {
        let start = self.at;
        let digits = self.bytes.get(start + 2..start + 4);
        let byte =
            digits.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        self.at += if byte.is_some() { 4 } else { 2 };
        if let Some(byte) = byte {
            self.push_encoded(byte, start..self.at);
        }
    }

    fn push_encoded(&mut self, byte: u8, place: Range<usize>) {
        self.settle_high();
        if self.is_text() {
            let layout = self.code_page().layout();
            let is_lead = layout.is_some_and(|layout| layout.step(&[byte, b'A']) == 2);
            self.pending.is_cut = is_lead && !self.pending.is_cut;
            self.pending.encoded.push(byte);
            self.pending.places.push(place);
        }
    }

    fn code_page(&self) -> Charset {
        self.group.charset.unwrap_or(self.fonts.document)
    }

    fn symbol(&mut self, byte: u8, place: Range<usize>) {
        match byte {
            b'\\' | b'{' | b'}' if self.pending.is_cut => self.push_encoded(byte, place),
            b'\\' | b'{' | b'}' => self.push(char::from(byte), place),
            b'~' => self.push('\u{A0}', place),
            // A hyphen at which no line ends: readers see and copy a hyphen.
            b'_' => self.push('-', place),
            b'\r' | b'\n' | b'\t' => self.end_line(),
            b'*' => {
                self.settle();
                self.is_starred = true;
            }
            // A hyphen that only shows at the end of a line, and marks of an index.
            _ => self.settle(),
        }
    }

    /// Reads the control word here: its letters, its number, and the space that ends it.
    fn word_at(&self, at: usize) -> (&'b [u8], Option<i32>, usize) {
        let rest = self.bytes.get(at + 1..).unwrap_or_default();
        let letters =
            rest.iter().take(LONGEST_WORD).take_while(|b| b.is_ascii_alphabetic()).count();
        let (word, rest) = rest.split_at(letters);
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits =
            rest[sign..].iter().take(MOST_DIGITS).take_while(|b| b.is_ascii_digit()).count();
        let len = if digits > 0 { sign + digits } else { 0 };
        let number = str::from_utf8(&rest[..len]).ok().and_then(|digits| digits.parse().ok());
        let space = usize::from(rest.get(len) == Some(&b' '));
        (word, number, at + 1 + letters + len + space)
    }

    fn word(&mut self) {
        let start = self.at;
        let (word, number, end) = self.word_at(start);
        self.at = end;
        let is_starred = std::mem::take(&mut self.is_starred);
        let effect = control_word(word, is_starred);
        if effect != ControlWord::Unicode {
            self.settle();
        }
        let count = number.and_then(|number| usize::try_from(number).ok());
        let is_font = self.group.destination == Destination::Fonts;
        match effect {
            ControlWord::Begins(destination) => self.begin(destination),
            ControlWord::Ends => self.end_line(),
            ControlWord::Character(c) => self.push(c, start..end),
            ControlWord::Unicode => self.unicode(number.unwrap_or_default(), start),
            ControlWord::Fallback => self.group.fallback = count.unwrap_or(1),
            ControlWord::Binary => self.at = end.saturating_add(count.unwrap_or_default()),
            ControlWord::FieldResult => {
                self.group.shown = self.field.take().map(|field| (field, self.out.text.len()));
            }
            ControlWord::HtmlInRtf => self.group.is_rtf_only = number != Some(0),
            ControlWord::CodePage(page) => self.fonts.set_document(page),
            ControlWord::AnsiCodePage => {
                self.fonts.set_document(number.map_or(0, i32::cast_unsigned));
            }
            ControlWord::Plain => self.group.charset = None,
            ControlWord::Font if is_font => self.fonts.defined = number.unwrap_or_default(),
            ControlWord::Font => {
                self.group.charset = self.fonts.charset(number.unwrap_or_default());
            }
            ControlWord::FontCharset if is_font => {
                self.fonts.define(code_page_of(number.unwrap_or_default()));
            }
            ControlWord::FontCodePage if is_font => {
                self.fonts.define(number.map(i32::cast_unsigned));
            }
            ControlWord::FontCharset | ControlWord::FontCodePage => {}
            ControlWord::Other => {}
        }
    }

    fn begin(&mut self, destination: Destination) {
        if self.group.destination == Destination::Skipped {
            return;
        }
        let is_inner = destination == Destination::Field && self.group.destination.is_code();
        if is_inner {
            self.push(INNER_FIELD, self.at..self.at);
        }
        self.end_apart(destination);
        self.group.destination = match self.group.destination {
            Destination::Field if is_inner => Destination::InnerField,
            _ => destination,
        };
    }

    /// Reads the rest of `\u233?`: the fallback, which ends at the end of the group at the latest.
    fn unicode(&mut self, number: i32, start: usize) {
        self.decode();
        for _ in 0..self.group.fallback {
            while let Some(b'\r' | b'\n') = self.bytes.get(self.at) {
                self.at += 1;
            }
            match self.bytes.get(self.at..).unwrap_or_default() {
                [] | [b'{' | b'}', ..] => break,
                [b'\\', b'\'', ..] => self.at = self.bytes.len().min(self.at + 4),
                [b'\\', byte, ..] if byte.is_ascii_alphabetic() => {
                    self.at = self.word_at(self.at).2
                }
                [b'\\', _, ..] => self.at += 2,
                _ => self.at += 1,
            }
        }
        // The numbers are those of 16-bit units, signed.
        let unit = number as u16;
        let place = start..self.at;
        match (self.pending.high.take(), unit) {
            (None, 0xD800..=0xDBFF) => self.pending.high = Some((unit, place)),
            (Some((high, first)), 0xDC00..=0xDFFF) => {
                let pair = char::decode_utf16([high, unit]).next();
                let c = pair.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER);
                self.push_settled(c, first.start..place.end);
            }
            (high, unit) => {
                self.pending.high = high;
                self.settle_high();
                let c = char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER);
                self.push_settled(c, place);
            }
        }
    }

    /// Reads text that is stored as itself.
    fn literal(&mut self) {
        let start = self.at;
        if self.pending.is_cut {
            self.at += 1;
            return self.push_encoded(self.bytes[start], start..start + 1);
        }
        self.settle();
        let rest = &self.bytes[start..];
        let is_text =
            |byte: &u8| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | b'\t' | 0 | 0x80..);
        let len = rest.iter().take_while(|byte| is_text(byte)).count();
        if len == 0 {
            self.at += 1;
            return self.push_encoded(rest[0], start..start + 1);
        }
        self.at += len;
        if self.is_text() {
            self.out.map.copied(self.out.text.len(), start);
            self.out.text.extend_from_slice(&rest[..len]);
        }
    }

    fn push(&mut self, c: char, place: Range<usize>) {
        self.settle();
        self.push_settled(c, place);
    }

    fn push_settled(&mut self, c: char, place: Range<usize>) {
        if self.is_text() {
            self.out.map.replaced(self.out.text.len(), place);
            self.out.text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    /// Writes what waits for its rest.
    fn settle(&mut self) {
        self.settle_high();
        self.decode();
    }

    fn settle_high(&mut self) {
        if let Some((_, place)) = self.pending.high.take() {
            self.push_settled(char::REPLACEMENT_CHARACTER, place);
        }
    }

    /// Decodes the bytes of a code page.
    fn decode(&mut self) {
        if self.pending.encoded.is_empty() {
            return;
        }
        let decoded = self.code_page().mapped(&self.pending.encoded);
        for (at, c) in decoded.text.char_indices() {
            let bytes = decoded.range(at..at + c.len_utf8());
            let places = self.pending.places.get(bytes).unwrap_or_default();
            if let [first, ..] = places {
                let end = places.last().map_or(first.end, |last| last.end);
                self.out.map.replaced(self.out.text.len(), first.start..end);
                self.out.text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        self.pending.is_cut = false;
        self.pending.encoded.clear();
        self.pending.places.clear();
    }

    /// Ends the line, if it has any text.
    fn end_line(&mut self) {
        self.settle();
        let is_html_text = self.form == RtfForm::Html && self.is_text();
        let RtfText { text, map, lines } = &mut self.out;
        if is_html_text {
            map.replaced(text.len(), self.at..self.at);
            text.push(b'\n');
        }
        if self.form == RtfForm::Html {
            return;
        }
        if text.len() == self.start {
            return;
        }
        let kind = match self.group.destination {
            Destination::Field | Destination::InnerField => RtfLineKind::Field,
            Destination::Url => RtfLineKind::Url,
            Destination::Template => RtfLineKind::Template,
            _ => RtfLineKind::Text,
        };
        let range = self.start..text.len();
        let end = map.range(text, range.clone()).end;
        self.field = (kind == RtfLineKind::Field).then_some(lines.len()).or(self.field);
        lines.push(RtfLine { range, kind, shown: 0..0 });
        map.replaced(text.len(), end..end);
        text.push(b'\n');
        self.start = text.len();
    }
}
