//! Lexer and parser of objects: of files, object streams, content streams and CMaps (ISO 32000-2 §7.2, §7.3).
//!
//! It accepts what programs write beyond the grammar, consumes at least one byte for each token, and never fails: what is
//! not an object is an operator, or ends the text.

use super::object::{ObjectId, PdfDictionary, PdfObject};

/// Deepest nesting of arrays and dictionaries.
const DEEPEST: usize = 64;

/// Elements and entries of an object, with those of the objects in it.
const MOST_ELEMENTS: usize = 1 << 20;

/// Lexer over bytes.
#[derive(Clone, Debug)]
pub(in crate::pdf) struct PdfLexer<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Whether `12 0 R` is a reference: it is not in content streams.
    has_references: bool,
    /// Nesting was too deep, so that something was not read.
    is_too_deep: bool,
    /// Elements and entries of the object that is read.
    elements: usize,
    /// An object had too many of them.
    is_cut: bool,
}

/// Token of a sequence of objects and operators.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pdf) enum PdfToken<'b> {
    Object(PdfObject),
    /// Keyword or operator: `obj`, `Tj`.
    Operator(&'b [u8]),
    /// `]`, `>>`, `}` or another delimiter that closes nothing.
    Stray(u8),
}

pub(in crate::pdf) fn is_white(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

fn is_regular(byte: u8) -> bool {
    !is_white(byte) && !is_delimiter(byte)
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

impl<'b> PdfLexer<'b> {
    /// Creates a lexer of a file, from an offset on.
    pub(in crate::pdf) fn file(bytes: &'b [u8], at: usize) -> PdfLexer<'b> {
        PdfLexer {
            bytes,
            at: at.min(bytes.len()),
            has_references: true,
            is_too_deep: false,
            elements: 0,
            is_cut: false,
        }
    }

    /// Creates a lexer of a content stream or a CMap, which have no references.
    pub(in crate::pdf) fn content(bytes: &'b [u8]) -> PdfLexer<'b> {
        PdfLexer { has_references: false, ..PdfLexer::file(bytes, 0) }
    }

    pub(in crate::pdf) fn at(&self) -> usize {
        self.at
    }

    pub(in crate::pdf) fn seek(&mut self, at: usize) {
        self.at = at.min(self.bytes.len());
    }

    pub(in crate::pdf) fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at..]
    }

    /// Returns `true` if something was not read: it was too deep, or had too many elements.
    pub(in crate::pdf) fn is_limited(&self) -> bool {
        self.is_too_deep || self.is_cut
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips white space and comments.
    pub(in crate::pdf) fn skip_white(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                let end = memchr::memchr2(b'\n', b'\r', self.rest());
                self.at = end.map_or(self.bytes.len(), |end| self.at + end);
            } else if is_white(byte) {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// Consumes a keyword, if it is next.
    pub(in crate::pdf) fn keyword(&mut self, word: &str) -> bool {
        self.skip_white();
        let is_it = self.rest().starts_with(word.as_bytes())
            && self.bytes.get(self.at + word.len()).is_none_or(|byte| !is_regular(*byte));
        if is_it {
            self.at += word.len();
        }
        is_it
    }

    /// Consumes a number without a sign, if it is next.
    pub(in crate::pdf) fn unsigned(&mut self) -> Option<u64> {
        self.skip_white();
        let rest = self.rest();
        let digits = &rest[..rest.iter().take_while(|byte| byte.is_ascii_digit()).count()];
        let number = whole(digits)?;
        self.at += digits.len();
        Some(number)
    }

    /// Consumes `12 0 obj` and returns its identifier, if it is next.
    pub(in crate::pdf) fn object_head(&mut self) -> Option<ObjectId> {
        let start = self.at;
        let id = self.id();
        self.skip_white();
        // Programs leave out the white space after the keyword.
        if id.is_some() && self.rest().starts_with(b"obj") {
            self.at += 3;
            return id;
        }
        self.at = start;
        None
    }

    fn id(&mut self) -> Option<ObjectId> {
        let number = self.unsigned()?;
        if !self.peek().is_some_and(is_white) {
            return None;
        }
        let generation = self.unsigned()?;
        Some(ObjectId {
            number: u32::try_from(number).ok()?,
            generation: u16::try_from(generation).ok()?,
        })
    }

    /// Returns the next object; `None` at the end, or if an operator is next, which is not consumed.
    pub(in crate::pdf) fn object(&mut self) -> Option<PdfObject> {
        let start = self.at;
        match self.next()? {
            PdfToken::Object(object) => Some(object),
            _ => {
                self.at = start;
                None
            }
        }
    }

    /// Returns the next token; `None` at the end.
    pub(in crate::pdf) fn next(&mut self) -> Option<PdfToken<'b>> {
        self.elements = 0;
        self.token(0)
    }

    fn token(&mut self, depth: usize) -> Option<PdfToken<'b>> {
        self.skip_white();
        let first = self.peek()?;
        let object = match first {
            b'/' => PdfObject::Name(self.name()),
            b'(' => PdfObject::String(self.literal()),
            b'<' if self.rest().starts_with(b"<<") => {
                self.at += 2;
                PdfObject::Dictionary(self.dictionary(depth + 1)?)
            }
            b'<' => PdfObject::String(self.hexadecimal()),
            b'[' => {
                self.at += 1;
                PdfObject::Array(self.array(depth + 1)?)
            }
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.numeric(),
            b'>' if self.rest().starts_with(b">>") => {
                self.at += 2;
                return Some(PdfToken::Stray(b'>'));
            }
            _ if is_delimiter(first) => {
                self.at += 1;
                return Some(PdfToken::Stray(first));
            }
            _ => {
                let word = self.word();
                match word {
                    b"true" => PdfObject::Boolean(true),
                    b"false" => PdfObject::Boolean(false),
                    b"null" => PdfObject::Null,
                    _ => return Some(PdfToken::Operator(word)),
                }
            }
        };
        Some(PdfToken::Object(object))
    }

    fn word(&mut self) -> &'b [u8] {
        let rest = self.rest();
        let end = rest.iter().position(|byte| !is_regular(*byte)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Returns an array, as far as it is one.
    fn array(&mut self, depth: usize) -> Option<Vec<PdfObject>> {
        if self.is_deep(depth) {
            return None;
        }
        let (mut elements, counted) = (Vec::new(), self.elements);
        loop {
            let start = self.at;
            match self.token(depth) {
                Some(PdfToken::Object(object)) if self.has_room() => elements.push(object),
                Some(PdfToken::Object(_)) => {}
                Some(PdfToken::Stray(b']')) | None => break,
                Some(PdfToken::Stray(_)) => {}
                Some(PdfToken::Operator(word)) if is_structure(word) => {
                    self.at = start;
                    break;
                }
                Some(PdfToken::Operator(_)) => {}
            }
            if self.is_too_deep {
                return None;
            }
        }
        // An array that is too long is left out, so that the rest of its object is read.
        if self.elements > MOST_ELEMENTS {
            (elements, self.elements) = (Vec::new(), counted);
        }
        Some(elements)
    }

    /// Returns a dictionary, as far as it is one.
    fn dictionary(&mut self, depth: usize) -> Option<PdfDictionary> {
        if self.is_deep(depth) {
            return None;
        }
        let (mut dictionary, counted) = (PdfDictionary::default(), self.elements);
        loop {
            let start = self.at;
            match self.token(depth) {
                Some(PdfToken::Object(PdfObject::Name(key))) => {
                    let start = self.at;
                    match self.token(depth) {
                        Some(PdfToken::Object(value)) if self.has_room() => {
                            dictionary.push(key, value);
                        }
                        // A key without a value.
                        Some(PdfToken::Stray(b'>')) | None => break,
                        Some(PdfToken::Operator(word)) if is_structure(word) => {
                            self.at = start;
                            break;
                        }
                        Some(_) => {}
                    }
                }
                Some(PdfToken::Stray(b'>')) | None => break,
                Some(PdfToken::Operator(word)) if is_structure(word) => {
                    self.at = start;
                    break;
                }
                Some(_) => {}
            }
            if self.is_too_deep {
                return None;
            }
        }
        if self.elements > MOST_ELEMENTS {
            (dictionary, self.elements) = (PdfDictionary::default(), counted);
        }
        Some(dictionary)
    }

    /// Counts an element; returns `false` if the object has too many.
    fn has_room(&mut self) -> bool {
        self.elements += 1;
        self.is_cut |= self.elements > MOST_ELEMENTS;
        self.elements <= MOST_ELEMENTS
    }

    fn is_deep(&mut self, depth: usize) -> bool {
        self.is_too_deep |= depth > DEEPEST;
        self.is_too_deep
    }

    fn name(&mut self) -> Vec<u8> {
        self.at += 1;
        let word = self.word();
        if !word.contains(&b'#') {
            return word.to_vec();
        }
        let mut name = Vec::with_capacity(word.len());
        let mut rest = word;
        while let [first, tail @ ..] = rest {
            let escaped = match rest {
                [b'#', high, low, ..] => hex(*high).zip(hex(*low)),
                _ => None,
            };
            match escaped {
                Some((high, low)) => {
                    name.push(high << 4 | low);
                    rest = &rest[3..];
                }
                None => {
                    name.push(*first);
                    rest = tail;
                }
            }
        }
        name
    }

    fn numeric(&mut self) -> PdfObject {
        let rest = self.rest();
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.');
        let end = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        self.at += end;
        let text = &rest[..end];
        if text.len() > 10 || !text.iter().all(u8::is_ascii_digit) {
            return number(text);
        }
        let value = whole(text).unwrap_or_default();
        let after = self.at;
        if self.has_references
            && self.peek().is_some_and(is_white)
            && let Some(generation) = self.unsigned()
            && self.keyword("R")
            && let (Ok(number), Ok(generation)) = (value.try_into(), generation.try_into())
        {
            return PdfObject::Reference(ObjectId { number, generation });
        }
        self.at = after;
        PdfObject::Integer(value as i64)
    }

    fn literal(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut string = Vec::new();
        let mut depth = 1;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'\\' => self.escape(&mut string),
                b'(' => {
                    depth += 1;
                    string.push(byte);
                }
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                    string.push(byte);
                }
                b'\r' => {
                    self.at += usize::from(self.peek() == Some(b'\n'));
                    string.push(b'\n');
                }
                _ => string.push(byte),
            }
        }
        if depth > 0 {
            // The bytes end in it: what it would be is not known, and a link in it may be cut.
            string.clear();
        }
        string
    }

    fn escape(&mut self, string: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        string.push(match byte {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'b' => 8,
            b'f' => 0x0C,
            b'0'..=b'7' => {
                let mut value = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else { break };
                    value = value * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                value as u8
            }
            // The line end is not part of the string.
            b'\r' => {
                self.at += usize::from(self.peek() == Some(b'\n'));
                return;
            }
            b'\n' => return,
            _ => byte,
        });
    }

    fn hexadecimal(&mut self) -> Vec<u8> {
        self.at += 1;
        let rest = self.rest();
        let Some(end) = memchr::memchr(b'>', rest) else {
            // The bytes end in it.
            self.at = self.bytes.len();
            return Vec::new();
        };
        self.at += end + 1;
        from_hex(&rest[..end])
    }
}

/// Decodes hexadecimal digits; other bytes are skipped, and a missing last digit is 0.
pub(in crate::pdf) fn from_hex(digits: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = digits.iter().filter_map(|byte| hex(*byte)).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).unwrap_or(&0)).collect()
}

/// Returns `true` for keywords that end an object that is not closed.
fn is_structure(word: &[u8]) -> bool {
    matches!(
        word,
        b"obj" | b"endobj" | b"stream" | b"endstream" | b"xref" | b"trailer" | b"startxref"
    )
}

/// Returns the number of decimal digits; `None` if there are none, or it is too large.
fn whole(digits: &[u8]) -> Option<u64> {
    let append = |sum: u64, byte: &u8| sum.checked_mul(10)?.checked_add(u64::from(byte - b'0'));
    digits.iter().try_fold(0, append).filter(|_| !digits.is_empty())
}

/// Returns a number as programs write it: `--5` is -5, `1.2.3` is 1.2.
fn number(text: &[u8]) -> PdfObject {
    let is_sign = |byte: &u8| matches!(byte, b'+' | b'-');
    let signs = text.iter().take_while(|byte| is_sign(byte)).count();
    let is_negative = text[..signs].contains(&b'-');
    let digits = &text[signs..];
    // A sign inside ends the number.
    let digits = digits.split(is_sign).next().unwrap_or_default();
    let mut parts = digits.splitn(3, |byte| *byte == b'.');
    let whole = parts.next().unwrap_or_default();
    let as_number =
        |digits: &[u8]| digits.iter().fold(0.0, |sum, b| sum * 10.0 + f64::from(b - b'0'));
    match parts.next() {
        None if whole.len() <= 18 => {
            let value = whole.iter().fold(0, |sum, byte| sum * 10 + i64::from(byte - b'0'));
            PdfObject::Integer(if is_negative { -value } else { value })
        }
        fraction => {
            let fraction = fraction.unwrap_or_default();
            let fraction = &fraction[..fraction.len().min(18)];
            let scale = 10_f64.powi(fraction.len() as i32);
            let value = as_number(&whole[..whole.len().min(300)]) + as_number(fraction) / scale;
            PdfObject::Real(if is_negative { -value } else { value })
        }
    }
}
