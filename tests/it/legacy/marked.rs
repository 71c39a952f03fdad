//! Reads `fixtures/charset/*.marked`, from which the documents beside them are made: UTF-8, with
//! the links that a reader expects between `⸠` and `⸡`.
//!
//! `\n \r \\ \xHH \u{HEX}` stand for what they stand for in Rust, `\xHH` for any byte. The first
//! lines say, after `! `:
//!
//! - `charset LABEL`: what the document is encoded in;
//! - `bom`: it begins with a byte order mark; `crlf`: its lines end so;
//! - `undeclared NAME SOURCE`: what is detected without a word about it; each document has this line;
//! - `mode-line NAME`: what becomes of a declaration, if not what it says; `none`: it cannot be read.

use std::ops::Range;

use encoding_rs::{EncoderResult, Encoding};

#[derive(Debug)]
pub(crate) struct Marked {
    pub(crate) encoding: &'static Encoding,
    pub(crate) undeclared: (String, String),
    pub(crate) mode_line: Option<String>,
    pub(crate) stored: Vec<u8>,
    /// After the byte order mark.
    pub(crate) first: usize,
    pub(crate) links: Vec<Range<usize>>,
}

/// Makes the document that `source` describes.
pub(crate) fn read(name: &str, source: &str) -> Marked {
    let mut encoding = encoding_rs::UTF_8;
    let (mut bom, mut crlf) = (false, false);
    let (mut undeclared, mut mode_line) = (None, None);
    let mut text = source;
    while let Some(rest) = text.strip_prefix("! ") {
        let (line, rest) = rest.split_once('\n').unwrap();
        text = rest;
        match *line.split(' ').collect::<Vec<_>>() {
            ["charset", label] => encoding = Encoding::for_label(label.as_bytes()).unwrap(),
            ["undeclared", name, source] => undeclared = Some((name.into(), source.into())),
            ["mode-line", name] => mode_line = Some(name.to_owned()),
            ["bom"] => bom = true,
            ["crlf"] => crlf = true,
            _ => panic!("{name}.marked: no such line: ! {line}"),
        }
    }
    let mut writer = Writer::new(encoding);
    if bom {
        writer.write('\u{FEFF}');
    }
    let first = writer.stored.len();
    let mut open = false;
    let mut starts = Vec::new();
    let mut ends = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let own = match c {
            '⸠' => {
                assert!(!std::mem::replace(&mut open, true), "{name}: {:?}", chars.as_str());
                continue;
            }
            '⸡' => {
                ends.push(writer.stored.len());
                continue;
            }
            '\n' if crlf => {
                writer.write('\r');
                writer.write('\n')
            }
            '\\' => match chars.next().unwrap() {
                'n' => writer.write('\n'),
                'r' => writer.write('\r'),
                '\\' => writer.write('\\'),
                'x' => {
                    let digits: String = chars.by_ref().take(2).collect();
                    writer.stored.push(u8::from_str_radix(&digits, 16).unwrap());
                    1
                }
                'u' => {
                    let (digits, rest) =
                        chars.as_str().strip_prefix('{').unwrap().split_once('}').unwrap();
                    chars = rest.chars();
                    writer.write(char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap())
                }
                other => panic!("{name}: \\{other}"),
            },
            _ => writer.write(c),
        };
        if std::mem::take(&mut open) {
            starts.push(writer.stored.len() - own);
        }
    }
    assert_eq!(starts.len(), ends.len(), "{name}.marked: as many ⸠ as ⸡");
    let links = starts.into_iter().zip(ends).map(|(start, end)| start..end).collect();
    // Who makes the document says what is missing.
    let undeclared = undeclared.unwrap_or_default();
    Marked { encoding, undeclared, mode_line, stored: writer.stored, first, links }
}

/// Encodes character by character.
pub(crate) struct Writer {
    encoding: &'static Encoding,
    encoder: encoding_rs::Encoder,
    pub(crate) stored: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(encoding: &'static Encoding) -> Writer {
        Writer { encoding, encoder: encoding.new_encoder(), stored: Vec::new() }
    }

    /// Writes a character and gives the length of its own bytes, without escape sequences.
    pub(crate) fn write(&mut self, c: char) -> usize {
        self.try_write(c).unwrap_or_else(|| panic!("{} has no {c:?}", self.encoding.name()))
    }

    /// The same; `None`, and nothing written, if the encoding does not have it.
    pub(crate) fn try_write(&mut self, c: char) -> Option<usize> {
        let before = self.stored.len();
        let units = c.encode_utf16(&mut [0; 2]).to_owned();
        match self.encoding.name() {
            "UTF-16LE" => self.stored.extend(units.iter().flat_map(|unit| unit.to_le_bytes())),
            "UTF-16BE" => self.stored.extend(units.iter().flat_map(|unit| unit.to_be_bytes())),
            _ => {
                let mut room = [0; 16];
                let text = c.encode_utf8(&mut [0; 4]).to_owned();
                let (result, _, written) =
                    self.encoder.encode_from_utf8_without_replacement(&text, &mut room, false);
                self.stored.extend_from_slice(&room[..written]);
                if matches!(result, EncoderResult::Unmappable(_)) {
                    return None;
                }
            }
        }
        let escape = match self.stored[before] {
            0x1B if self.encoding == encoding_rs::ISO_2022_JP => 3,
            _ => 0,
        };
        Some(self.stored.len() - before - escape)
    }
}
