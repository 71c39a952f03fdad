//! CMaps: from the codes of a string to characters or to numbers of glyphs (ISO 32000-2 §9.7.5, §9.10.3).

use std::collections::HashMap;

use super::super::syntax::{PdfLexer, PdfObject, PdfToken};
use super::names::push;

/// Codes of a map, and ranges of them.
const MOST_CODES: usize = 1 << 17;
/// Characters of the text of a code: as many as 512 bytes of UTF-16 have (ISO 32000-2 §9.10.3).
const LONGEST_TEXT: usize = 256;
/// Ranges of a code space. Each code is compared with all.
const MOST_SPACES: usize = 64;

/// CMap that a file contains.
#[derive(Clone, Debug, Default)]
pub(super) struct CodeMap {
    /// Lengths in bytes of codes, with their ranges.
    spaces: Vec<(usize, u32, u32)>,
    texts: HashMap<u32, Box<str>>,
    /// Ranges of codes whose texts end with consecutive characters.
    ranges: Vec<CodeRange>,
    /// Ranges of codes with consecutive numbers of glyphs.
    glyphs: Vec<(u32, u32, u32)>,
    pub(super) is_vertical: bool,
    /// It has more codes than are read.
    pub(super) is_cut: bool,
}

/// Range of codes with consecutive texts.
#[derive(Clone, Debug)]
struct CodeRange {
    first: u32,
    last: u32,
    /// Text of the first code without its last character.
    front: Box<str>,
    end: u32,
}

impl CodeMap {
    pub(super) fn parse(bytes: &[u8]) -> CodeMap {
        let mut map = CodeMap::default();
        let mut lexer = PdfLexer::content(bytes);
        let mut operands: Vec<PdfObject> = Vec::new();
        while let Some(token) = lexer.next() {
            match token {
                PdfToken::Object(object) if operands.len() < MOST_CODES => operands.push(object),
                PdfToken::Object(_) => map.is_cut = true,
                PdfToken::Operator(operator) => {
                    map.operator(operator, &operands);
                    operands.clear();
                }
                PdfToken::Stray(_) => {}
            }
        }
        map.ranges.sort_by_key(|range| range.first);
        map.glyphs.sort_unstable();
        map
    }

    fn operator(&mut self, operator: &[u8], operands: &[PdfObject]) {
        match operator {
            b"endcodespacerange" => {
                for pair in operands.chunks_exact(2) {
                    if self.spaces.len() >= MOST_SPACES {
                        self.is_cut = true;
                    } else if let (Some(low), Some(high)) = (pair[0].string(), pair[1].string()) {
                        self.spaces.push((low.len().clamp(1, 4), code(low), code(high)));
                    }
                }
            }
            b"endbfchar" => {
                for pair in operands.chunks_exact(2) {
                    if let (Some(from), Some(to)) = (pair[0].string(), text(&pair[1])) {
                        self.insert(code(from), to);
                    }
                }
            }
            b"endbfrange" => operands.chunks_exact(3).for_each(|triple| self.range(triple)),
            b"endcidchar" => {
                for pair in operands.chunks_exact(2) {
                    if let (Some(from), Some(to)) = (pair[0].string(), pair[1].integer())
                        && self.has_room()
                    {
                        self.glyphs.push((code(from), code(from), to as u32));
                    }
                }
            }
            b"endcidrange" => {
                for triple in operands.chunks_exact(3) {
                    if let (Some(low), Some(high), Some(to)) =
                        (triple[0].string(), triple[1].string(), triple[2].integer())
                        && self.has_room()
                    {
                        self.glyphs.push((code(low), code(high), to as u32));
                    }
                }
            }
            b"def" => {
                if let [.., PdfObject::Name(name), value] = operands
                    && name == b"WMode"
                {
                    self.is_vertical = value.integer() == Some(1);
                }
            }
            _ => {}
        }
    }

    /// Returns the number of its codes and ranges.
    pub(super) fn entries(&self) -> usize {
        self.texts.len() + self.ranges.len() + self.glyphs.len()
    }

    /// Returns `true` if it can have another code; `false`, and that it is cut, if it cannot.
    fn has_room(&mut self) -> bool {
        let has_room = self.entries() < MOST_CODES;
        self.is_cut |= !has_room;
        has_room
    }

    fn insert(&mut self, code: u32, text: String) {
        if self.has_room() {
            self.texts.insert(code, text.into());
        }
    }

    fn range(&mut self, triple: &[PdfObject]) {
        let (Some(low), Some(high)) = (triple[0].string(), triple[1].string()) else { return };
        let (first, last) = (code(low), code(high));
        if let PdfObject::Array(texts) = &triple[2] {
            for (code, one) in (first..=last).zip(texts) {
                if let Some(one) = text(one) {
                    self.insert(code, one);
                }
            }
            return;
        }
        let Some(mut front) = text(&triple[2]) else { return };
        let Some(end) = front.pop().filter(|_| self.has_room()) else { return };
        self.ranges.push(CodeRange { first, last, front: front.into(), end: end.into() });
    }

    /// Returns `true` if it maps codes to characters.
    pub(super) fn has_texts(&self) -> bool {
        !self.texts.is_empty() || !self.ranges.is_empty()
    }

    /// Appends the text of a code; returns `false` if it has none.
    pub(super) fn push_text(&self, code: u32, to: &mut String) -> bool {
        if let Some(text) = self.texts.get(&code) {
            text.chars().for_each(|c| push(c, to));
            return true;
        }
        let before = self.ranges.partition_point(|range| range.first <= code);
        let Some(range) = before.checked_sub(1).map(|at| &self.ranges[at]) else { return false };
        let end = range.end.checked_add(code - range.first);
        let Some(c) = end.and_then(char::from_u32) else { return false };
        if code > range.last {
            return false;
        }
        range.front.chars().chain([c]).for_each(|c| push(c, to));
        true
    }

    /// Returns the number of a code's glyph.
    pub(super) fn glyph(&self, code: u32) -> u32 {
        let before = self.glyphs.partition_point(|range| range.0 <= code);
        let range = before.checked_sub(1).map(|at| self.glyphs[at]);
        range
            .filter(|range| code <= range.1)
            .map_or(0, |range| range.2.wrapping_add(code - range.0))
    }

    /// Returns the length in bytes of the code that a string begins with.
    pub(super) fn length(&self, string: &[u8], usual: usize) -> usize {
        let is_in = |(length, low, high): &&(usize, u32, u32)| {
            let Some(bytes) = string.get(..*length) else { return false };
            let (low, high) = (low.to_be_bytes(), high.to_be_bytes());
            let skipped = 4 - length;
            bytes
                .iter()
                .enumerate()
                .all(|(at, b)| (low[skipped + at]..=high[skipped + at]).contains(b))
        };
        self.spaces.iter().find(is_in).map_or(usual, |space| space.0)
    }

    /// Returns the length of its codes, if all have the same.
    pub(super) fn usual_length(&self) -> Option<usize> {
        let (length, ..) = self.spaces.first()?;
        self.spaces.iter().all(|space| space.0 == *length).then_some(*length)
    }
}

/// Returns the number of a code.
pub(super) fn code(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |sum, byte| sum << 8 | u32::from(*byte))
}

/// Returns the text of a target: UTF-16, or the name of a glyph.
fn text(target: &PdfObject) -> Option<String> {
    match target {
        PdfObject::String(bytes) if bytes.len() == 1 => Some(char::from(bytes[0]).into()),
        PdfObject::String(bytes) => {
            let units = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            Some(char::decode_utf16(units.take(LONGEST_TEXT)).filter_map(Result::ok).collect())
        }
        PdfObject::Name(name) if name.len() <= LONGEST_TEXT => super::names::text_of(name),
        _ => None,
    }
}
