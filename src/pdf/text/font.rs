//! Fonts: from the bytes of a string to characters and widths (ISO 32000-2 §9.5 to §9.10).

use super::super::file::PdfFile;
use super::super::syntax::{PdfDictionary, PdfObject};
use super::cmap::{CodeMap, code};
use super::names::{NumberedNames, push, standard, standard_width, text_of};
use super::open_type::GlyphTexts;
use super::program;
use crate::charset::Charset;

/// Numbers of glyphs whose widths a font lists.
const MOST_WIDTHS: usize = 1 << 17;

/// Font as far as text depends on it.
#[derive(Clone, Debug)]
pub(super) struct PdfFont {
    to_unicode: Option<CodeMap>,
    codes: FontCodes,
    pub(super) is_vertical: bool,
    /// Width of the font's unit in text space, by glyph width: a thousandth, unless its glyphs are drawn by the file.
    unit: f64,
}

/// Codes of a font.
#[derive(Clone, Debug)]
enum FontCodes {
    /// One byte each.
    Simple { texts: Vec<String>, widths: Vec<f64> },
    Composite {
        coding: CompositeCoding,
        widths: GlyphWidths,
        usual: f64,
        collection: Collection,
        /// Texts that the embedded font itself gives its glyphs.
        texts: GlyphTexts,
    },
}

/// Encoding of a composite font's strings.
#[derive(Clone, Debug)]
enum CompositeCoding {
    /// Two bytes, the number of the glyph.
    Identity,
    /// UTF-16.
    Utf16,
    Charset(Charset),
    Map(CodeMap),
}

/// Character collection of a composite font, of whose glyphs ASCII is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Collection {
    Japan,
    China,
    Taiwan,
    Korea,
    Other,
}

/// Shown character: its text is appended to the caller's.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownCode {
    /// Advance in units of the font size.
    pub(super) width: f64,
    /// Whether word spacing applies.
    pub(super) is_space: bool,
    /// Whether it has no text.
    pub(super) is_unknown: bool,
}

impl PdfFont {
    pub(super) fn of(file: &mut PdfFile<'_>, font: &PdfDictionary) -> PdfFont {
        let to_unicode = match file.get(font, "ToUnicode") {
            PdfObject::Stream(stream) => file.data(&stream).map(|data| CodeMap::parse(&data)),
            _ => None,
        };
        let to_unicode = to_unicode.filter(CodeMap::has_texts);
        file.faults.is_limited |= to_unicode.as_ref().is_some_and(|map| map.is_cut);
        if file.get(font, "Subtype").is_name("Type0") {
            return composite(file, font, to_unicode);
        }
        let is_drawn = file.get(font, "Subtype").is_name("Type3");
        let matrix = file.get(font, "FontMatrix");
        let unit = matrix.elements().first().and_then(PdfObject::number).filter(|_| is_drawn);
        let codes = FontCodes::Simple { texts: texts(file, font), widths: widths(file, font) };
        PdfFont { to_unicode, codes, is_vertical: false, unit: unit.unwrap_or(0.001).abs() }
    }

    /// Returns the number of entries in its tables.
    pub(super) fn entries(&self) -> usize {
        let own = match &self.codes {
            FontCodes::Simple { texts, widths } => texts.len() + widths.len(),
            FontCodes::Composite { coding, widths, texts, .. } => {
                let map = match coding {
                    CompositeCoding::Map(map) => map.entries(),
                    _ => 0,
                };
                map + widths.ranges.len() + texts.entries()
            }
        };
        own + self.to_unicode.as_ref().map_or(0, CodeMap::entries)
    }

    /// Reads the code that a string begins with, appends its text, and returns it with its length in bytes.
    pub(super) fn show(&self, string: &[u8], text: &mut String) -> (ShownCode, usize) {
        let before = text.len();
        let (number, length, width) = match &self.codes {
            FontCodes::Simple { widths, .. } => {
                let number = code(&string[..1]);
                (number, 1, widths[number as usize & 0xFF])
            }
            FontCodes::Composite { coding, widths, usual, .. } => {
                let length =
                    coding.length(string, self.to_unicode.as_ref()).min(string.len()).max(1);
                let number = code(&string[..length]);
                let width = match coding {
                    CompositeCoding::Charset(_) if length == 1 => 500.0,
                    CompositeCoding::Charset(_) => *usual,
                    _ => widths.get(coding.glyph(number)).unwrap_or(*usual),
                };
                (number, length, width)
            }
        };
        let is_mapped = self.to_unicode.as_ref().is_some_and(|map| map.push_text(number, text));
        if !is_mapped {
            self.push_own(number, &string[..length], text);
        }
        let shown = ShownCode {
            width: width * self.unit,
            is_space: length == 1 && string[0] == b' ',
            is_unknown: text.len() == before && !is_mapped,
        };
        (shown, length)
    }

    /// Appends the text of a code that the font itself says.
    fn push_own(&self, number: u32, bytes: &[u8], text: &mut String) {
        match &self.codes {
            FontCodes::Simple { texts, .. } => text.push_str(&texts[number as usize & 0xFF]),
            FontCodes::Composite { coding, collection, texts: own, .. } => match coding {
                CompositeCoding::Utf16 => {
                    let units =
                        bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
                    char::decode_utf16(units).filter_map(Result::ok).for_each(|c| push(c, text));
                }
                CompositeCoding::Charset(charset) => {
                    charset
                        .decode(bytes)
                        .chars()
                        .filter(|c| *c != '\u{FFFD}')
                        .for_each(|c| push(c, text));
                }
                _ => {
                    let glyph = coding.glyph(number);
                    match collection.ascii(glyph) {
                        Some(c) => text.push(c),
                        None => own.push_text(glyph, text),
                    }
                }
            },
        }
    }
}

impl CompositeCoding {
    fn of(name: &[u8]) -> CompositeCoding {
        let Ok(name) = std::str::from_utf8(name) else { return CompositeCoding::Identity };
        let labels = [
            ("RKSJ", "shift_jis"),
            ("GBK", "gbk"),
            ("GB-", "gbk"),
            ("GBpc", "gbk"),
            ("GBT", "gbk"),
            ("B5", "big5"),
            ("HKscs", "big5"),
            ("CNS", "big5"),
            ("KSC", "euc-kr"),
            ("EUC", "euc-jp"),
        ];
        if name.contains("UCS2") || name.contains("UTF16") {
            return CompositeCoding::Utf16;
        }
        let label = labels.iter().find(|(word, _)| name.contains(word)).map(|(_, label)| *label);
        match label.and_then(|label| label.parse().ok()) {
            Some(charset) => CompositeCoding::Charset(charset),
            None => CompositeCoding::Identity,
        }
    }

    fn length(&self, string: &[u8], to_unicode: Option<&CodeMap>) -> usize {
        match self {
            CompositeCoding::Identity => 2,
            CompositeCoding::Utf16 if matches!(string[0], 0xD8..=0xDB) => 4,
            CompositeCoding::Utf16 => 2,
            CompositeCoding::Charset(charset) => match (charset.as_str(), string[0]) {
                ("shift_jis", 0x81..=0x9F | 0xE0..=0xFC) => 2,
                ("euc-jp", 0x8F) => 3,
                ("euc-jp", 0x8E | 0xA1..) => 2,
                ("gbk" | "big5" | "euc-kr", 0x81..) => 2,
                _ => 1,
            },
            CompositeCoding::Map(map) => {
                let usual = to_unicode.and_then(CodeMap::usual_length);
                map.length(string, usual.unwrap_or(2))
            }
        }
    }

    /// Returns the number of a code's glyph.
    fn glyph(&self, number: u32) -> u32 {
        match self {
            CompositeCoding::Map(map) => map.glyph(number),
            _ => number,
        }
    }
}

impl Collection {
    /// Returns the ASCII character of a glyph of the collection.
    fn ascii(self, glyph: u32) -> Option<char> {
        // Proportional and half-width forms.
        let starts: &[u32] = match self {
            Collection::Japan => &[1, 231],
            Collection::China => &[1, 814],
            Collection::Taiwan => &[1, 13648],
            Collection::Korea => &[1, 8094],
            Collection::Other => &[],
        };
        let of = |start: &u32| glyph.checked_sub(*start).filter(|offset| *offset < 95);
        char::from_u32(starts.iter().find_map(of)? + 0x20)
    }
}

fn composite(file: &mut PdfFile<'_>, font: &PdfDictionary, to_unicode: Option<CodeMap>) -> PdfFont {
    let descendants = file.get(font, "DescendantFonts");
    let descendant = descendants.elements().first().cloned().unwrap_or_default();
    let descendant = file.resolve(&descendant).dictionary().cloned().unwrap_or_default();
    let (coding, is_vertical) = match file.get(font, "Encoding") {
        PdfObject::Name(name) => (CompositeCoding::of(&name), name.ends_with(b"V")),
        PdfObject::Stream(stream) => {
            let map = CodeMap::parse(&file.data(&stream).unwrap_or_default());
            file.faults.is_limited |= map.is_cut;
            let is_vertical = map.is_vertical;
            (CompositeCoding::Map(map), is_vertical)
        }
        _ => (CompositeCoding::Identity, false),
    };
    let system = file.get(&descendant, "CIDSystemInfo");
    let ordering = system.dictionary().map(|system| file.get(system, "Ordering"));
    let collection = match ordering.as_ref().and_then(PdfObject::string) {
        Some(b"Japan1") => Collection::Japan,
        Some(b"GB1") => Collection::China,
        Some(b"CNS1") => Collection::Taiwan,
        Some(b"Korea1") => Collection::Korea,
        _ => Collection::Other,
    };
    let usual = file.get(&descendant, "DW").number().unwrap_or(1000.0);
    let widths = GlyphWidths::of(file, &descendant);
    let needs_texts = to_unicode.is_none()
        && matches!(coding, CompositeCoding::Identity | CompositeCoding::Map(_));
    let texts = if needs_texts { GlyphTexts::of(file, &descendant) } else { GlyphTexts::default() };
    let codes = FontCodes::Composite { coding, widths, usual, collection, texts };
    PdfFont { to_unicode, codes, is_vertical, unit: 0.001 }
}

/// Widths of a composite font's glyphs, by ranges of their numbers.
#[derive(Clone, Debug, Default)]
struct GlyphWidths {
    ranges: Vec<(u32, u32, f64)>,
}

impl GlyphWidths {
    /// Reads the widths of a font (§9.7.4.3): `c [w …]` or `first last w`.
    fn of(file: &mut PdfFile<'_>, font: &PdfDictionary) -> GlyphWidths {
        let mut ranges = Vec::new();
        let list = file.get(font, "W");
        let mut rest = list.elements();
        while let [first, second, tail @ ..] = rest
            && ranges.len() < MOST_WIDTHS
        {
            let first = file.resolve(first).count().unwrap_or(0) as u32;
            let second = file.resolve(second);
            if let PdfObject::Array(each) = &second {
                for (glyph, width) in (first..).zip(each).take(MOST_WIDTHS) {
                    if let Some(width) = file.resolve(width).number() {
                        ranges.push((glyph, glyph, width));
                    }
                }
                rest = tail;
            } else {
                let [width, tail @ ..] = tail else { break };
                let last = second.count().unwrap_or(0) as u32;
                ranges.push((first, last, file.resolve(width).number().unwrap_or(0.0)));
                rest = tail;
            }
        }
        // Of widths of the same glyph the last one counts.
        ranges.sort_by_key(|range| range.0);
        GlyphWidths { ranges }
    }

    /// Returns the width of a glyph, in thousandths of the font size.
    fn get(&self, glyph: u32) -> Option<f64> {
        let before = self.ranges.partition_point(|range| range.0 <= glyph);
        let (_, last, width) = *self.ranges.get(before.checked_sub(1)?)?;
        (glyph <= last).then_some(width)
    }
}

/// Returns the widths of a simple font's codes.
fn widths(file: &mut PdfFile<'_>, font: &PdfDictionary) -> Vec<f64> {
    let list = file.get(font, "Widths");
    let first = file.get(font, "FirstChar").count().unwrap_or(0);
    let name = file.get(font, "BaseFont");
    let name = name.name().unwrap_or_default();
    let descriptor = file.get(font, "FontDescriptor");
    let missing = descriptor
        .dictionary()
        .and_then(|descriptor| file.get(descriptor, "MissingWidth").number());
    let mut widths = Vec::with_capacity(256);
    for code in 0..=255_u8 {
        let own = usize::from(code).checked_sub(first).and_then(|at| list.elements().get(at));
        let own = own.map(|own| file.resolve(own).number());
        widths.push(match own {
            Some(width) => width.unwrap_or(0.0),
            None if list.elements().is_empty() => standard_width(name, code),
            None => missing.unwrap_or(0.0),
        });
    }
    widths
}

/// Returns the texts of a simple font's codes.
fn texts(file: &mut PdfFile<'_>, font: &PdfDictionary) -> Vec<String> {
    let encoding = file.get(font, "Encoding");
    let descriptor = file.get(font, "FontDescriptor");
    let descriptor = descriptor.dictionary().cloned().unwrap_or_default();
    let base = match encoding.dictionary() {
        Some(encoding) => file.get(encoding, "BaseEncoding"),
        None => encoding.clone(),
    };
    let is_symbolic = file.get(&descriptor, "Flags").integer().is_some_and(|flags| flags & 4 != 0);
    let is_true_type = file.get(font, "Subtype").is_name("TrueType");
    let is_drawn = file.get(font, "Subtype").is_name("Type3");
    let charset = |label: &str| label.parse::<Charset>().ok();
    let by_charset = match base.name() {
        Some(b"WinAnsiEncoding") => charset("windows-1252"),
        Some(b"MacRomanEncoding") => charset("macintosh"),
        Some(_) => None,
        // Subsets of fonts keep the codes of their characters more often than not.
        None if is_true_type && is_symbolic => charset("macintosh"),
        None if is_true_type => charset("windows-1252"),
        None => None,
    };
    let own = match base.name() {
        None if !is_true_type && !is_drawn => program::encoding(file, &descriptor),
        _ => None,
    };
    let mut texts: Vec<String> = (0..=255_u8)
        .map(|code| {
            let mut text = String::new();
            match (&own, by_charset) {
                (Some(own), _) => text.push_str(&own[usize::from(code)]),
                (None, Some(charset)) => {
                    charset.decode(&[code]).chars().for_each(|c| push(c, &mut text))
                }
                (None, None) if is_drawn => {}
                (None, None) => standard(code).into_iter().for_each(|c| push(c, &mut text)),
            }
            text
        })
        .collect();
    if let Some(encoding) = encoding.dictionary() {
        let name = file.get(font, "BaseFont");
        let is_pictures = memchr::memmem::find(name.name().unwrap_or_default(), b"Dingbats");
        differences(file, encoding, is_drawn, &mut texts, is_pictures.is_some());
    }
    texts
}

/// Changes the texts of codes whose glyphs an encoding names.
fn differences(
    file: &mut PdfFile<'_>,
    encoding: &PdfDictionary,
    is_drawn: bool,
    texts: &mut [String],
    is_pictures: bool,
) {
    let differences = file.get(encoding, "Differences");
    let mut code = 0;
    let mut unknown: Vec<(u8, Vec<u8>)> = Vec::new();
    for one in differences.elements() {
        match file.resolve(one) {
            PdfObject::Name(name) => {
                if let Some(text) = texts.get_mut(code) {
                    *text = text_of(&name).unwrap_or_else(|| {
                        unknown.push((code as u8, name));
                        String::new()
                    });
                }
                code += 1;
            }
            number => code = number.count().unwrap_or(code),
        }
    }
    // The pictures of Dingbats are named by numbers that say nothing.
    unknown.retain(|(_, name)| name != b".notdef" && !is_pictures);
    let numbered = NumberedNames::of(&unknown, is_drawn);
    for (code, name) in unknown {
        texts[usize::from(code)] = numbered.text_of(&name).unwrap_or_default();
    }
}
