//! Excel ([MS-XLS], BIFF 5 and 8): the texts of cells, notes and shapes, hyperlinks, and `HYPERLINK` in formulas.

use std::collections::HashMap;

use super::compound::{len_at, u16_at, utf16};
use super::{Unread, formula, hyperlink, text};
use crate::charset::Charset;
use crate::markup::header_text;
use crate::piece::DocumentPiece;

/// Types of records.
const FORMULA: u16 = 0x0006;
const BEGIN: u16 = 0x0809;
const ENCRYPTED: u16 = 0x002F;
const CONTINUE: u16 = 0x003C;
const CODE_PAGE: u16 = 0x0042;
const RICH_LABEL: u16 = 0x00D6;
const STRINGS: u16 = 0x00FC;
const STRING_CELL: u16 = 0x00FD;
const SHAPE_TEXT: u16 = 0x01B6;
const LINK: u16 = 0x01B8;
const OTHER_BOOK: u16 = 0x01AE;
const LABEL: u16 = 0x0204;
const STRING: u16 = 0x0207;
const HEADER: u16 = 0x0014;
const FOOTER: u16 = 0x0015;

/// Version of the format with UTF-16.
const VERSION_8: u16 = 0x0600;
/// Bits of a string.
const IS_WIDE: u8 = 1;
const HAS_PHONETIC: u8 = 1 << 2;
const HAS_RUNS: u8 = 1 << 3;
/// Maximum number of cells whose texts are compared with their links.
const MAX_CELLS: usize = 1 << 20;

/// Text of a workbook that is being read.
struct Workbook {
    is_wide: bool,
    charset: Charset,
    lines: String,
    strings: Vec<(usize, usize)>,
    /// Ranges of cells' texts in the lines, by row and column of the sheet.
    cells: HashMap<(u16, u16), (usize, usize)>,
    links: Vec<(String, Option<String>)>,
}

/// Returns the pieces of a stream.
///
/// # Errors
///
/// Returns an error if it is encrypted.
pub(super) fn read(stream: &[u8], object: &str) -> Result<Vec<DocumentPiece>, Unread> {
    let mut book = Workbook {
        is_wide: false,
        charset: Charset::WINDOWS_1252,
        lines: String::new(),
        strings: Vec::new(),
        cells: HashMap::new(),
        links: Vec::new(),
    };
    let mut at = 0;
    while let (Some(kind), Some(len)) = (u16_at(stream, at), u16_at(stream, at + 2)) {
        let end = |at: usize, len: u16| (at + 4 + usize::from(len)).min(stream.len());
        let mut segments = vec![&stream[at + 4..end(at, len)]];
        at = end(at, len);
        if matches!(kind, STRINGS | SHAPE_TEXT) {
            while u16_at(stream, at) == Some(CONTINUE)
                && let Some(len) = u16_at(stream, at + 2)
            {
                segments.push(&stream[at + 4..end(at, len)]);
                at = end(at, len);
            }
        }
        if kind == ENCRYPTED {
            return Err(Unread::Encrypted);
        }
        book.record(kind, &segments);
    }
    let links = book.links.into_iter().map(|(url, shown)| text::link(object, url, shown));
    Ok(links.chain([text::text(object, book.lines)]).collect())
}

impl Workbook {
    fn record(&mut self, kind: u16, segments: &[&[u8]]) {
        let body = segments[0];
        let cell = u16_at(body, 0).zip(u16_at(body, 2));
        match kind {
            BEGIN => {
                self.is_wide = u16_at(body, 0) == Some(VERSION_8);
                self.cells.clear();
            }
            CODE_PAGE => {
                let page = u16_at(body, 0).and_then(|page| Charset::of_code_page(page.into()));
                self.charset = page.unwrap_or(self.charset);
            }
            STRINGS => self.shared_strings(segments),
            STRING_CELL => {
                let number = len_at(body, 6);
                let range = number.and_then(|number| self.strings.get(number)).copied();
                self.set_cell(cell, range);
            }
            LABEL | RICH_LABEL => {
                let range = self.string(body.get(6..).unwrap_or_default());
                self.set_cell(cell, Some(range));
            }
            STRING => {
                self.string(body);
            }
            HEADER | FOOTER => {
                let text = self.text(body);
                self.push_line(&header_text(&text));
            }
            SHAPE_TEXT => self.shape_text(&segments[1..]),
            LINK => self.link(body),
            OTHER_BOOK => self.other_book(body.get(2..).unwrap_or_default()),
            FORMULA => self.formula(body.get(22..).unwrap_or_default()),
            _ => {}
        }
    }

    fn set_cell(&mut self, cell: Option<(u16, u16)>, range: Option<(usize, usize)>) {
        if let Some((cell, range)) = cell.zip(range)
            && self.cells.len() < MAX_CELLS
        {
            self.cells.insert(cell, range);
        }
    }

    fn push_line(&mut self, text: &str) -> (usize, usize) {
        let start = self.lines.len();
        self.lines.push_str(text);
        self.lines.push('\n');
        (start, self.lines.len() - 1)
    }

    /// Reads a string with its length before it.
    fn string(&mut self, body: &[u8]) -> (usize, usize) {
        let text = self.text(body);
        self.push_line(&text)
    }

    /// Returns a string with its length before it.
    fn text(&self, body: &[u8]) -> String {
        match (self.is_wide, u16_at(body, 0)) {
            (true, _) => BiffReader::new(&[body]).string().unwrap_or_default(),
            (false, Some(len)) => {
                let bytes = body.get(2..).unwrap_or_default();
                self.charset.decode(&bytes[..bytes.len().min(len.into())]).into_owned()
            }
            (false, None) => String::new(),
        }
    }

    fn shared_strings(&mut self, segments: &[&[u8]]) {
        let mut reader = BiffReader::new(segments);
        reader.skip(8);
        while let Some(text) = reader.string() {
            let range = self.push_line(&text);
            self.strings.push(range);
        }
    }

    /// Reads the text of a shape: an option byte and characters in each continuation, then formatting.
    fn shape_text(&mut self, segments: &[&[u8]]) {
        let mut text = String::new();
        for segment in segments {
            match segment {
                [0, rest @ ..] => text.extend(rest.iter().map(|byte| char::from(*byte))),
                [1, rest @ ..] => text.push_str(&utf16(rest)),
                _ => break,
            }
        }
        self.push_line(&text);
    }

    fn link(&mut self, body: &[u8]) {
        let Some(link) = body.get(24..).and_then(hyperlink::read) else { return };
        let cell = u16_at(body, 0).zip(u16_at(body, 4));
        let range = cell.and_then(|cell| self.cells.get(&cell));
        let shown = range.and_then(|(start, end)| self.lines.get(*start..*end));
        let shown = shown.map(|shown| text::shown(shown.chars()));
        self.links.push((link.url, shown.or(link.name)));
    }

    /// Reads the URL of a workbook that formulas refer to ([MS-XLS] §2.5.277).
    fn other_book(&mut self, name: &[u8]) {
        let Some(name) = BiffReader::new(&[name]).string().filter(|_| self.is_wide) else { return };
        // A character with the length of the URL precedes it.
        let url = name.strip_prefix("\u{1}\u{5}").and_then(|rest| {
            let mut characters = rest.chars();
            characters.next().map(|_| characters.as_str())
        });
        self.links.extend(url.filter(|url| url.contains("://")).map(|url| (url.to_owned(), None)));
    }

    /// Reads the addresses that a formula gives to `HYPERLINK`.
    fn formula(&mut self, tokens: &[u8]) {
        let addresses = formula::addresses(tokens, self.is_wide, self.charset).into_iter();
        let links = addresses.filter(|url| !url.starts_with(['#', '[']));
        self.links.extend(links.map(|url| (url, None)));
    }
}

/// Reads strings that continue in other records, where an option byte precedes the rest of the characters.
struct BiffReader<'b> {
    segments: &'b [&'b [u8]],
    number: usize,
    at: usize,
}

impl<'b> BiffReader<'b> {
    fn new(segments: &'b [&'b [u8]]) -> BiffReader<'b> {
        BiffReader { segments, number: 0, at: 0 }
    }

    /// Returns the rest of the record, or the next one if nothing is left.
    fn rest(&mut self) -> Option<&'b [u8]> {
        while self.at >= self.segments.get(self.number)?.len() {
            self.number += 1;
            self.at = 0;
        }
        self.segments[self.number].get(self.at..)
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = *self.rest()?.first()?;
        self.at += 1;
        Some(byte)
    }

    fn number_of<const BYTES: usize>(&mut self) -> Option<usize> {
        let mut number = 0;
        for place in 0..BYTES {
            number |= usize::from(self.byte()?) << (8 * place);
        }
        Some(number)
    }

    fn skip(&mut self, mut len: usize) -> Option<()> {
        while len > 0 {
            let step = self.rest()?.len().min(len);
            self.at += step;
            len -= step;
        }
        Some(())
    }

    /// Reads a string with its length and options; `None` at the end.
    fn string(&mut self) -> Option<String> {
        let mut left = self.number_of::<2>()?;
        let mut bits = self.byte()?;
        let runs = if bits & HAS_RUNS != 0 { self.number_of::<2>()? } else { 0 };
        let phonetic = if bits & HAS_PHONETIC != 0 { self.number_of::<4>()? } else { 0 };
        let mut text = String::new();
        loop {
            let rest = self.segments.get(self.number)?.get(self.at..)?;
            let width = if bits & IS_WIDE != 0 { 2 } else { 1 };
            let count = (rest.len() / width).min(left);
            let bytes = &rest[..count * width];
            match width {
                2 => text.push_str(&utf16(bytes)),
                _ => text.extend(bytes.iter().map(|byte| char::from(*byte))),
            }
            self.at += bytes.len();
            left -= count;
            if left == 0 {
                break;
            }
            self.number += 1;
            self.at = 0;
            match self.segments.get(self.number).and_then(|next| next.first()) {
                Some(next) => bits = *next,
                None => return Some(text),
            }
            self.at = 1;
        }
        self.skip(runs * 4 + phonetic);
        Some(text)
    }
}
