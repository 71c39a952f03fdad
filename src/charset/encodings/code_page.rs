//! The upper code pages of the encodings that are compared by the frequencies of letters, and what their characters score.
//!
//! Each byte of a single-byte encoding is classified: as a letter, by its number in the tables and with its case, as
//! punctuation, or as unused, and by how it counts as a neighbour.
//!
//! A character that is neither ASCII nor a letter scores by its position between two others, in eighths of a bit. The figures
//! are estimates, not counts: it matters that an opening quotation mark precedes a word and a currency sign is next to a
//! number, and hardly how often.

use std::sync::OnceLock;

use encoding_rs as all;
use encoding_rs::Encoding;

use super::letters::ALPHABET;

/// The encodings that can be compared, the most frequent first.
static ENCODINGS: [&Encoding; 18] = [
    all::WINDOWS_1252,
    all::WINDOWS_1250,
    all::WINDOWS_1251,
    all::ISO_8859_2,
    all::WINDOWS_1254,
    all::WINDOWS_1257,
    all::KOI8_U,
    all::IBM866,
    all::ISO_8859_5,
    all::ISO_8859_4,
    all::ISO_8859_13,
    all::ISO_8859_15,
    all::MACINTOSH,
    all::X_MAC_CYRILLIC,
    all::ISO_8859_3,
    all::ISO_8859_10,
    all::ISO_8859_14,
    all::ISO_8859_16,
];

/// Meaning of a byte above 0x7F in an encoding.
#[derive(Clone, Copy, Debug)]
pub(super) enum CodePageByte {
    Lower(Letter),
    Upper(Letter),
    Mark(char),
    None,
}

/// Index of a letter in the table, or one of the two indices after its end: for other Latin and other Cyrillic letters.
pub(super) type Letter = u8;

pub(super) const OTHER_LATIN: usize = ALPHABET.len();
pub(super) const OTHER_CYRILLIC: usize = ALPHABET.len() + 1;

/// First Cyrillic character of Unicode. Letters that are neither Cyrillic nor Latin (two Greek letters) count as Latin.
pub(super) const FIRST_CYRILLIC: char = '\u{400}';

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterScript {
    Latin,
    Cyrillic,
}

fn script(letter: Letter) -> LetterScript {
    match usize::from(letter) {
        OTHER_LATIN => LetterScript::Latin,
        OTHER_CYRILLIC => LetterScript::Cyrillic,
        index if ALPHABET[index] < FIRST_CYRILLIC => LetterScript::Latin,
        _ => LetterScript::Cyrillic,
    }
}

/// The upper half of an encoding.
pub(super) struct CodePage {
    pub(super) encoding: &'static Encoding,
    pub(super) script: LetterScript,
    pub(super) classes: [CodePageByte; 128],
    /// Kind of each byte as a neighbour of others, including ASCII.
    pub(super) sides: [AdjacentByte; 256],
}

/// A byte next to another one: its kind, and its script if it is a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AdjacentByte {
    pub(super) beside: AdjacentKind,
    pub(super) script: Option<LetterScript>,
}

impl AdjacentByte {
    /// White space, or the end of the sample.
    pub(super) const EDGE: AdjacentByte = AdjacentByte { beside: AdjacentKind::Edge, script: None };
}

/// Returns the code pages of all encodings that can be compared, created at the first guess.
pub(super) fn code_pages() -> &'static [CodePage] {
    static CODE_PAGES: OnceLock<Vec<CodePage>> = OnceLock::new();
    CODE_PAGES.get_or_init(|| ENCODINGS.iter().map(|encoding| CodePage::of(encoding)).collect())
}

/// Returns the code page of an encoding, if it can be compared.
pub(super) fn code_page_of(encoding: &Encoding) -> Option<&'static CodePage> {
    code_pages().iter().find(|page| page.encoding == encoding)
}

impl CodePage {
    fn of(encoding: &'static Encoding) -> CodePage {
        let mut classes = [CodePageByte::None; 128];
        for (byte, class) in (0x80..=0xFF).zip(&mut classes) {
            let (text, _) = encoding.decode_without_bom_handling(std::slice::from_ref(&byte));
            *class = text.chars().next().map_or(CodePageByte::None, classify);
        }
        let is_cyrillic = |class: &CodePageByte| match class {
            CodePageByte::Lower(letter) | CodePageByte::Upper(letter) => {
                script(*letter) == LetterScript::Cyrillic
            }
            _ => false,
        };
        let script = match classes.iter().any(is_cyrillic) {
            true => LetterScript::Cyrillic,
            false => LetterScript::Latin,
        };
        let mut sides = [AdjacentByte::EDGE; 256];
        for (byte, side) in (0..=0xFF).zip(&mut sides) {
            *side = CodePage::side(&classes, byte);
        }
        CodePage { encoding, script, classes, sides }
    }

    pub(super) fn class(&self, byte: u8) -> CodePageByte {
        self.classes[usize::from(byte & 0x7F)]
    }

    /// Returns the kind of `byte` as a neighbour of others.
    fn side(classes: &[CodePageByte; 128], byte: u8) -> AdjacentByte {
        let (beside, script) = match byte {
            byte if byte.is_ascii_whitespace() => (AdjacentKind::Edge, None),
            byte if byte.is_ascii_digit() => (AdjacentKind::Digit, None),
            byte if byte.is_ascii_lowercase() => (AdjacentKind::Lower, Some(LetterScript::Latin)),
            byte if byte.is_ascii_uppercase() => (AdjacentKind::Upper, Some(LetterScript::Latin)),
            byte if byte.is_ascii() => (AdjacentKind::Other, None),
            byte => match classes[usize::from(byte & 0x7F)] {
                CodePageByte::Lower(letter) => (AdjacentKind::Lower, Some(script(letter))),
                CodePageByte::Upper(letter) => (AdjacentKind::Upper, Some(script(letter))),
                CodePageByte::Mark('\u{A0}') => (AdjacentKind::Edge, None),
                CodePageByte::Mark(_) | CodePageByte::None => (AdjacentKind::Other, None),
            },
        };
        AdjacentByte { beside, script }
    }
}

fn classify(c: char) -> CodePageByte {
    let is_cyrillic = (FIRST_CYRILLIC..='\u{52F}').contains(&c);
    let other = if is_cyrillic { OTHER_CYRILLIC } else { OTHER_LATIN };
    let index = |c: char| ALPHABET.binary_search(&c).unwrap_or(other) as Letter;
    match c {
        '\u{FFFD}' => CodePageByte::None,
        c if c.is_control() => CodePageByte::None,
        'º' | 'ª' => CodePageByte::Mark(c),
        c if c.is_alphabetic() => match c.to_lowercase().next() {
            Some(lower) if lower != c => CodePageByte::Upper(index(lower)),
            _ => CodePageByte::Lower(index(c)),
        },
        c => CodePageByte::Mark(c),
    }
}

/// Kind of a character next to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdjacentKind {
    /// White space, or the end of the word.
    Edge,
    Lower,
    Upper,
    Digit,
    Other,
}

impl AdjacentKind {
    pub(super) fn is_letter(self) -> bool {
        matches!(self, AdjacentKind::Lower | AdjacentKind::Upper)
    }
}

/// Role of a quotation mark in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuoteRole {
    Opens,
    Closes,
}

/// Cost of a character whose frequency is unknown.
const RARE: u32 = 14;
const BIT: u32 = 8;

/// Returns the information of a punctuation mark or symbol.
pub(super) fn information_of_mark(mark: char, before: AdjacentKind, after: AdjacentKind) -> u32 {
    use AdjacentKind::{Digit, Edge};
    let bits = match mark {
        // Most often an apostrophe.
        '’' => match (before.is_letter(), after.is_letter()) {
            (true, true) => 4,
            (true, false) => 6,
            (false, true) => 7,
            _ => 10,
        },
        '´' if before.is_letter() && after.is_letter() => 7,
        '‘' if !before.is_letter() && after.is_letter() => 7,
        // In French, spaces separate them from the words.
        '«' | '»' if (before, after) == (Edge, Edge) => 6,
        '“' | '„' | '«' | '‹' | '‚' => match (before, after) {
            (before, Edge) if before != Edge => 9,
            (before, after) if !before.is_letter() && after != Edge => 6,
            _ => 13,
        },
        '”' | '»' | '›' => match (before, after) {
            (Edge, after) if after.is_letter() => 9,
            (before, after) if before != Edge && !after.is_letter() => 6,
            (before, after) if !before.is_letter() && after.is_letter() => 9,
            _ => 13,
        },
        '–' | '—' => match (before, after) {
            (Edge, Edge) => 5,
            _ => 7,
        },
        '…' if !after.is_letter() => 6,
        '…' => 10,
        '\u{A0}' => 5,
        '\u{AD}' => 8,
        '•' => 7,
        '°' | 'º' | 'ª' if before != Edge => 7,
        '€' | '£' if before == Digit || after == Digit => 6,
        '€' => 8,
        '£' => 11,
        '©' if before == Edge => 7,
        '©' | '®' | '™' | '§' | '·' | '×' | '½' => 9,
        '¿' | '¡' if after.is_letter() && !before.is_letter() => 6,
        '№' => 8,
        '°' | 'º' | 'ª' | '²' | '³' | '¹' | '¼' | '¾' | '±' | 'µ' | '‰' | '†' => 11,
        // A sign for any currency, which hardly occurs in text.
        '¤' => 17,
        _ => RARE,
    };
    bits * BIT
}

/// Returns whether a quotation mark opens or closes a quotation here.
pub(super) fn part_of_mark(
    mark: char,
    before: AdjacentKind,
    after: AdjacentKind,
) -> Option<QuoteRole> {
    let is_quote = matches!(mark, '“' | '”' | '„' | '«' | '»' | '‹' | '›');
    is_quote.then_some(match (before, after) {
        (AdjacentKind::Edge | AdjacentKind::Other, after) if after != AdjacentKind::Edge => {
            QuoteRole::Opens
        }
        _ => QuoteRole::Closes,
    })
}

#[cfg(test)]
mod tests {
    use super::super::letters::{CYRILLIC, LATIN};
    use super::*;

    #[test]
    fn the_alphabet_is_sorted_and_begins_with_ascii() {
        assert!(ALPHABET.is_sorted());
        assert_eq!(ALPHABET[..26], *('a'..='z').collect::<Vec<_>>());
        assert!(OTHER_CYRILLIC <= usize::from(Letter::MAX));
        let cyrillic = ALPHABET.partition_point(|c| *c < FIRST_CYRILLIC);
        assert_eq!(cyrillic, LATIN[0].1.len());
        assert_eq!(ALPHABET.len() - cyrillic, CYRILLIC[0].1.len());
    }
}
