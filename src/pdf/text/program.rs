//! Font programs: the encoding that is built into an embedded Type 1 or CFF font, and the names of a CFF font's glyphs.

use super::super::file::PdfFile;
use super::super::syntax::{PdfDictionary, PdfLexer, PdfObject, PdfToken};
use super::names::{push, standard, text_of};

/// Characters of a CFF font from the string number 150 on, in the order of the standard strings.
#[rustfmt::skip]
const AFTER_STANDARD: [&str; 79] = [
    "¹", "¬", "µ", "™", "Ð", "½", "±", "Þ", "¼", "÷", "¦", "°", "þ", "¾", "²", "®", "−", "ð", "×", "³", "©", "Á", "Â", "Ä", "À", "Å", "Ã", "Ç", "É", "Ê", "Ë", "È", "Í", "Î", "Ï", "Ì", "Ñ", "Ó", "Ô", "Ö", "Ò", "Õ", "Š", "Ú", "Û", "Ü", "Ù", "Ý", "Ÿ", "Ž", "á", "â", "ä", "à", "å", "ã", "ç", "é", "ê", "ë", "è", "í", "î", "ï", "ì", "ñ", "ó", "ô", "ö", "ò", "õ", "š", "ú", "û", "ü", "ù", "ý", "ÿ", "ž",
];
/// Number of the standard strings of CFF.
const STANDARD_STRINGS: usize = 391;

/// Returns the texts of the codes of an embedded font; `None` if the font is not embedded, or has the standard encoding.
pub(super) fn encoding(file: &mut PdfFile<'_>, descriptor: &PdfDictionary) -> Option<Vec<String>> {
    if let PdfObject::Stream(stream) = file.get(descriptor, "FontFile") {
        return type1(&file.data(&stream)?);
    }
    match file.get(descriptor, "FontFile3") {
        PdfObject::Stream(stream) => cff(&file.data(&stream)?),
        _ => None,
    }
}

/// Reads `dup CODE /NAME put` after `/Encoding`, in the part of the font that is not encrypted.
fn type1(program: &[u8]) -> Option<Vec<String>> {
    let start = memchr::memmem::find(program, b"/Encoding")?;
    let mut lexer = PdfLexer::content(&program[start + b"/Encoding".len()..]);
    let mut texts = vec![String::new(); 256];
    let mut code = None;
    while let Some(token) = lexer.next() {
        match token {
            PdfToken::Operator(b"StandardEncoding") => return None,
            PdfToken::Operator(b"def" | b"readonly" | b"eexec") => return Some(texts),
            PdfToken::Object(PdfObject::Name(name)) => {
                if let Some(text) = code.and_then(|code: usize| texts.get_mut(code)) {
                    *text = text_of(&name).unwrap_or_default();
                }
                code = None;
            }
            PdfToken::Object(object) => code = object.count(),
            _ => {}
        }
    }
    None
}

/// CFF font as far as the texts of its glyphs depend on it (Adobe Technical Note 5176).
struct CffFont<'f> {
    strings: Vec<&'f [u8]>,
    /// Number of the string that names each glyph, or of the character.
    names: Vec<u16>,
    /// Offset of its encoding.
    encoding: usize,
    /// The glyphs have numbers of a character collection, and no names.
    has_numbers: bool,
}

impl<'f> CffFont<'f> {
    fn read(bytes: &'f [u8]) -> Option<CffFont<'f>> {
        let header = usize::from(*bytes.get(2)?);
        let (_, names_end) = index(bytes, header)?;
        let (tops, tops_end) = index(bytes, names_end)?;
        let (strings, _) = index(bytes, tops_end)?;
        let top = TopDictionary::read(tops.first()?);
        let (glyphs, _) = index(bytes, top.glyphs)?;
        let names = charset_of(bytes, top.charset, glyphs.len())?;
        let (encoding, has_numbers) = (top.encoding, top.has_numbers);
        Some(CffFont { strings, names, encoding, has_numbers })
    }

    fn text(&self, glyph: usize) -> Option<String> {
        let name = usize::from(*self.names.get(glyph)?);
        match name.checked_sub(STANDARD_STRINGS) {
            Some(own) => text_of(self.strings.get(own)?),
            None => standard_string(name),
        }
    }
}

/// Strings that the glyphs of a CFF font have, in their order.
#[derive(Clone, Debug)]
pub(super) enum GlyphLabels {
    /// Texts of their names.
    Texts(Vec<String>),
    /// Numbers of a character collection, by which strings name them.
    Numbers(Vec<u16>),
}

/// Returns the labels of the glyphs of a CFF font.
pub(super) fn glyph_labels(font: &[u8]) -> Option<GlyphLabels> {
    let font = CffFont::read(font)?;
    Some(match font.has_numbers {
        true => GlyphLabels::Numbers(font.names),
        false => {
            let text = |glyph| font.text(glyph).unwrap_or_default();
            GlyphLabels::Texts((0..font.names.len()).map(text).collect())
        }
    })
}

/// Reads the encoding of a CFF font (§12, §13).
fn cff(bytes: &[u8]) -> Option<Vec<String>> {
    let font = CffFont::read(bytes).filter(|font| font.encoding > 1)?;
    let encoding = font.encoding;
    let mut texts = vec![String::new(); 256];
    let mut set =
        |code: u8, glyph: usize| texts[usize::from(code)] = font.text(glyph).unwrap_or_default();
    let (kind, count) = (*bytes.get(encoding)? & 0x7F, usize::from(*bytes.get(encoding + 1)?));
    let entries = bytes.get(encoding + 2..)?;
    match kind {
        0 => {
            for (glyph, code) in entries.iter().take(count).enumerate() {
                set(*code, glyph + 1);
            }
        }
        _ => {
            let mut glyph = 1;
            for range in entries.chunks_exact(2).take(count) {
                for offset in 0..=range[1] {
                    set(range[0].wrapping_add(offset), glyph);
                    glyph += 1;
                }
            }
        }
    }
    Some(texts)
}

/// Returns the elements of an index, and the offset of its end.
fn index(font: &[u8], at: usize) -> Option<(Vec<&[u8]>, usize)> {
    let number = |at: usize, size: usize| {
        let bytes = font.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte)))
    };
    let count = number(at, 2)?;
    if count == 0 {
        return Some((Vec::new(), at + 2));
    }
    let size = number(at + 2, 1).filter(|size| (1..=4).contains(size))?;
    let data = at + 2 + (count + 1) * size;
    let offset = |one: usize| Some(data + number(at + 3 + one * size, size)?);
    let mut elements = Vec::new();
    for one in 0..count {
        elements.push(font.get(offset(one)?..offset(one + 1)?)?);
    }
    Some((elements, offset(count)?))
}

/// Top dictionary of a CFF font (§9): offsets of what the texts of glyphs depend on.
#[derive(Default)]
struct TopDictionary {
    encoding: usize,
    charset: usize,
    glyphs: usize,
    /// It has the operator `ROS` (§18): the glyphs have numbers of a character collection.
    has_numbers: bool,
}

impl TopDictionary {
    fn read(dictionary: &[u8]) -> TopDictionary {
        let (mut found, mut operand) = (TopDictionary::default(), 0_i32);
        let mut bytes = dictionary.iter().copied();
        let mut next = || bytes.next();
        while let Some(byte) = next() {
            let mut wide = |count: usize| {
                (0..count).fold(0, |sum, _| sum << 8 | i32::from(next().unwrap_or(0)))
            };
            match byte {
                15 => found.charset = operand.max(0) as usize,
                16 => found.encoding = operand.max(0) as usize,
                17 => found.glyphs = operand.max(0) as usize,
                12 => found.has_numbers |= wide(1) == 30,
                28 => operand = i32::from(wide(2) as i16),
                29 => operand = wide(4),
                // A real number, up to its last half byte.
                30 => loop {
                    let pair = wide(1);
                    if pair & 0x0F == 0x0F || pair >> 4 == 0x0F || pair == 0 {
                        break;
                    }
                },
                32..=246 => operand = i32::from(byte) - 139,
                247..=250 => operand = (i32::from(byte) - 247) * 256 + wide(1) + 108,
                251..=254 => operand = -(i32::from(byte) - 251) * 256 - wide(1) - 108,
                _ => {}
            }
        }
        found
    }
}

/// Returns the numbers of the strings that name the glyphs.
fn charset_of(font: &[u8], at: usize, count: usize) -> Option<Vec<u16>> {
    if at <= 2 {
        return Some((0..229).collect());
    }
    let mut names = vec![0];
    let kind = *font.get(at)?;
    let mut rest = font.get(at + 1..)?;
    while names.len() < count {
        let [high, low, tail @ ..] = rest else { break };
        let first = u16::from_be_bytes([*high, *low]);
        let (more, tail) = match (kind, tail) {
            (0, tail) => (0, tail),
            (1, [more, tail @ ..]) => (u16::from(*more), tail),
            (_, [high, low, tail @ ..]) => (u16::from_be_bytes([*high, *low]), tail),
            _ => break,
        };
        names.extend((0..=more).map(|offset| first.wrapping_add(offset)));
        rest = tail;
    }
    Some(names)
}

/// Returns the text of a standard string: the glyphs of the standard encoding, in its order, then those of Latin.
fn standard_string(number: usize) -> Option<String> {
    let mut text = String::new();
    let in_order = || (0x20..=0xFF_u8).filter(|code| is_in_standard(*code));
    match number {
        0 => return None,
        1..=149 => push(standard(in_order().nth(number - 1)?)?, &mut text),
        _ => text.push_str(AFTER_STANDARD.get(number - 150)?),
    }
    Some(text)
}

/// Returns `true` for the codes of the standard encoding, also of accents that have no text here.
fn is_in_standard(code: u8) -> bool {
    matches!(code, 0x20..=0x7E | 0xA1..=0xAF | 0xB1..=0xB4 | 0xB6..=0xBD | 0xBF | 0xC1..=0xC8 | 0xCA | 0xCB | 0xCD..=0xD0
        | 0xE1 | 0xE3 | 0xE8..=0xEB | 0xF1 | 0xF5 | 0xF8..=0xFB)
}
