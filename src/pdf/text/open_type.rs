//! Texts that an embedded font itself gives its glyphs, for composite fonts without `ToUnicode`: the table `cmap` of
//! TrueType and OpenType read backwards, else the names of the glyphs.

use super::super::file::{PdfFile, PdfWork};
use super::super::syntax::{PdfDictionary, PdfObject};
use super::names::{push, text_of};
use super::program::{self, GlyphLabels};

/// Codes of a `cmap` that are read. A table of a few bytes can state more than there are characters.
const MOST_MAPPED: usize = 1 << 17;
/// Names of the glyphs of Macintosh's standard order, of which those from 3 on are ASCII from the space to `~`.
const STANDARD_NAMES: u16 = 258;

/// Texts of a font's glyphs.
#[derive(Clone, Debug, Default)]
pub(super) struct GlyphTexts {
    /// Character of each glyph, 0 for none.
    characters: Vec<u32>,
    /// Texts of glyphs by their names.
    names: Vec<String>,
    /// Glyph of each number that a string has, as pairs of bytes, if the font has such a table (`CIDToGIDMap`).
    glyphs: Option<Vec<u8>>,
}

impl GlyphTexts {
    /// Reads the font that a descendant font embeds (§9.7.4, §9.9).
    pub(super) fn of(file: &mut PdfFile<'_>, font: &PdfDictionary) -> GlyphTexts {
        let mut texts = GlyphTexts::default();
        let descriptor = file.get(font, "FontDescriptor");
        let Some(descriptor) = descriptor.dictionary() else { return texts };
        let embedded = match file.get(descriptor, "FontFile2") {
            PdfObject::Stream(embedded) => embedded,
            _ => match file.get(descriptor, "FontFile3") {
                PdfObject::Stream(embedded) => embedded,
                _ => return texts,
            },
        };
        let Some(program) = file.data(&embedded) else { return texts };
        let tables = Tables::read(&program);
        texts.characters = match &tables {
            Some(tables) => tables.characters(&mut file.work),
            None => Vec::new(),
        };
        let outlines = tables.as_ref().map_or(Some(&*program), |tables| tables.get(b"CFF "));
        match outlines.map(program::glyph_labels) {
            Some(Some(GlyphLabels::Texts(names))) => texts.names = names,
            Some(Some(GlyphLabels::Numbers(numbers))) => texts.number(&numbers),
            Some(None) => {}
            None => texts.names = tables.and_then(|tables| tables.names()).unwrap_or_default(),
        }
        if let PdfObject::Stream(map) = file.get(font, "CIDToGIDMap") {
            texts.glyphs = file.data(&map);
        }
        texts
    }

    /// Puts the character of each glyph under the number by which strings name it.
    fn number(&mut self, numbers: &[u16]) {
        // A font without a `cmap` has none.
        let numbered = || numbers.iter().zip(&self.characters);
        let last = numbered().map(|(number, _)| usize::from(*number)).max();
        let mut characters = vec![0; last.map_or(0, |last| last + 1)];
        for (number, character) in numbered() {
            characters[usize::from(*number)] = *character;
        }
        self.characters = characters;
    }

    /// Returns the number of entries in its tables.
    pub(super) fn entries(&self) -> usize {
        self.characters.len() + self.names.len() + self.glyphs.as_ref().map_or(0, Vec::len)
    }

    /// Appends the text of a number of a string, if there is one.
    pub(super) fn push_text(&self, number: u32, text: &mut String) {
        let mut glyph = number as usize;
        if let Some(glyphs) = &self.glyphs {
            let pair = glyphs.get(glyph.saturating_mul(2)..).and_then(<[u8]>::first_chunk);
            glyph = pair.map_or(0, |pair| usize::from(u16::from_be_bytes(*pair)));
        }
        match self.characters.get(glyph).and_then(|c| char::from_u32(*c)) {
            Some(c) if c != '\0' => push(c, text),
            _ => text.push_str(self.names.get(glyph).map_or("", String::as_str)),
        }
    }
}

/// Tables of an OpenType font (ISO/IEC 14496-22 §4.5.1).
struct Tables<'f> {
    font: &'f [u8],
    records: &'f [u8],
}

impl<'f> Tables<'f> {
    /// Reads the directory; `None` if the font is of another kind.
    fn read(font: &'f [u8]) -> Option<Tables<'f>> {
        let at = match font.first_chunk::<4>()? {
            [0, 1, 0, 0] | b"true" | b"OTTO" => 0,
            // A collection: its first font.
            b"ttcf" => wide(font, 12)? as usize,
            _ => return None,
        };
        let count = usize::from(short(font, at.checked_add(4)?)?);
        let records = font.get(at.checked_add(12)?..)?;
        Some(Tables { font, records: &records[..records.len().min(count * 16)] })
    }

    fn get(&self, tag: &[u8; 4]) -> Option<&'f [u8]> {
        let record = self.records.chunks_exact(16).find(|record| record.starts_with(tag))?;
        let (start, length) = (wide(record, 8)? as usize, wide(record, 12)? as usize);
        let table = self.font.get(start..)?;
        Some(&table[..table.len().min(length)])
    }

    /// Returns the character of each glyph by the table `cmap` (§5.2), 0 for none.
    fn characters(&self, work: &mut PdfWork) -> Vec<u32> {
        let mut characters = Vec::new();
        let Some(table) = self.get(b"cmap") else { return characters };
        let count = usize::from(short(table, 2).unwrap_or(0));
        // Tables of Unicode, those of all planes first.
        let order = |record: &[u8]| match (short(record, 0)?, short(record, 2)?) {
            (3, 10) | (0, 4 | 6) => Some(0),
            (3, 1) | (0, _) => Some(1),
            _ => None,
        };
        let records = table.get(4..).unwrap_or_default().chunks_exact(8).take(count);
        let best = records
            .filter_map(|record| Some((order(record)?, wide(record, 4)? as usize)))
            .min_by_key(|(order, _)| *order);
        let Some(own) = best.and_then(|(_, at)| table.get(at..)) else { return characters };
        let mut left = MOST_MAPPED;
        // Of the characters of a glyph the first is the plain one: the space and the hyphen come before their variants.
        let _ = each_mapped(own, &mut |code, glyph| {
            left = left.checked_sub(1)?;
            let glyph = usize::from(glyph);
            if glyph >= characters.len() {
                characters.resize(glyph + 1, 0);
            }
            // The glyph 0 stands for characters that the font lacks.
            if glyph > 0 && characters[glyph] == 0 {
                characters[glyph] = code;
            }
            Some(())
        });
        // Many fonts can have the same table.
        let _ = work.spend(MOST_MAPPED - left);
        characters
    }

    /// Returns the text of each glyph by its name in the table `post` (§5.2.7), format 2.
    fn names(&self) -> Option<Vec<String>> {
        let table = self.get(b"post").filter(|table| wide(table, 0) == Some(0x0002_0000))?;
        let count = usize::from(short(table, 32)?);
        let (numbers, mut rest) = table.get(34..)?.split_at_checked(count * 2)?;
        let mut own = Vec::new();
        while let [length, tail @ ..] = rest {
            let (name, tail) = tail.split_at_checked(usize::from(*length))?;
            own.push(name);
            rest = tail;
        }
        let text = |number: &[u8]| {
            let number = short(number, 0)?;
            match number.checked_sub(STANDARD_NAMES) {
                Some(number) => text_of(own.get(usize::from(number))?),
                None => {
                    let ascii = number.checked_sub(3).filter(|ascii| *ascii < 95)?;
                    Some(char::from(b' ' + ascii as u8).to_string())
                }
            }
        };
        Some(numbers.chunks_exact(2).map(|number| text(number).unwrap_or_default()).collect())
    }
}

/// Calls a function with each code of a subtable of `cmap` and its glyph, in the order of the codes. `None` ends it.
fn each_mapped(table: &[u8], mapped: &mut impl FnMut(u32, u16) -> Option<()>) -> Option<()> {
    match short(table, 0)? {
        0 => {
            for (code, glyph) in (0..256).zip(table.get(6..)?) {
                mapped(code, u16::from(*glyph))?;
            }
        }
        4 => {
            let size = usize::from(short(table, 6)?);
            for at in (14..14 + size).step_by(2) {
                let [last, first, delta, offset] = [0, size + 2, 2 * size + 2, 3 * size + 2]
                    .map(|column| short(table, at + column));
                let (first, last, delta, offset) = (first?, last?, delta?, offset?);
                for code in first..=last {
                    let glyph = match usize::from(offset) {
                        0 => code.wrapping_add(delta),
                        // It counts from the place where it stands.
                        offset => {
                            let place = at + 3 * size + 2 + offset + 2 * usize::from(code - first);
                            match short(table, place) {
                                Some(glyph @ 1..) => glyph.wrapping_add(delta),
                                _ => 0,
                            }
                        }
                    };
                    mapped(u32::from(code), glyph)?;
                }
            }
        }
        6 => {
            let (first, count) = (short(table, 6)?, short(table, 8)?);
            let glyphs = table.get(10..)?.chunks_exact(2).take(usize::from(count));
            for (code, glyph) in (u32::from(first)..).zip(glyphs) {
                mapped(code, short(glyph, 0)?)?;
            }
        }
        12 => {
            let count = wide(table, 12)? as usize;
            for group in table.get(16..)?.chunks_exact(12).take(count) {
                let (first, last, glyph) = (wide(group, 0)?, wide(group, 4)?, wide(group, 8)?);
                for (code, glyph) in (first..=last).zip(glyph..=u32::from(u16::MAX)) {
                    mapped(code, glyph as u16)?;
                }
            }
        }
        _ => {}
    }
    Some(())
}

/// Returns the number of two bytes at an offset.
fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))
}

/// Returns the number of four bytes at an offset.
fn wide(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_be_bytes(*bytes))
}
