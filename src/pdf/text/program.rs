//! Font programs: the encoding that is built into an embedded Type 1 or CFF font.

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

/// Reads the encoding of a CFF font (Adobe Technical Note 5176 §12, §13).
fn cff(font: &[u8]) -> Option<Vec<String>> {
    let header = usize::from(*font.get(2)?);
    let (_, names_end) = index(font, header)?;
    let (tops, tops_end) = index(font, names_end)?;
    let (strings, _) = index(font, tops_end)?;
    let top = top(tops.first()?);
    let (encoding, charset, glyphs) = (top[0], top[1], top[2]);
    if encoding <= 1 {
        return None;
    }
    let (glyphs, _) = index(font, glyphs)?;
    let names = charset_of(font, charset, glyphs.len())?;
    let text = |glyph: usize| {
        let name = usize::from(*names.get(glyph)?);
        match name.checked_sub(STANDARD_STRINGS) {
            Some(own) => text_of(strings.get(own)?),
            None => standard_string(name),
        }
    };
    let mut texts = vec![String::new(); 256];
    let mut set =
        |code: u8, glyph: usize| texts[usize::from(code)] = text(glyph).unwrap_or_default();
    let (kind, count) = (*font.get(encoding)? & 0x7F, usize::from(*font.get(encoding + 1)?));
    let entries = font.get(encoding + 2..)?;
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

/// Returns the offsets of encoding, charset and glyphs in a dictionary.
fn top(dictionary: &[u8]) -> [usize; 3] {
    let (mut found, mut operand) = ([0; 3], 0_i32);
    let mut bytes = dictionary.iter().copied();
    let mut next = || bytes.next();
    while let Some(byte) = next() {
        let mut wide =
            |count: usize| (0..count).fold(0, |sum, _| sum << 8 | i32::from(next().unwrap_or(0)));
        match byte {
            15 => found[1] = operand.max(0) as usize,
            16 => found[0] = operand.max(0) as usize,
            17 => found[2] = operand.max(0) as usize,
            12 => {
                wide(1);
            }
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
