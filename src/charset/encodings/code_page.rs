//! The upper code pages of the encodings whose texts are compared by their letters: what each byte is.
//!
//! Takes an encoding with a byte a character; gives its bytes as letters by their
//! number in the tables, capitals or not, as marks, as nothing, and what each is for those beside it.

use std::sync::OnceLock;

use encoding_rs::{self as all, Encoding};

use super::letters::ALPHABET;
use super::marks::Beside;

/// The encodings that can be compared, the usual ones first.
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

/// What a byte above 0x7F is in an encoding.
#[derive(Clone, Copy, Debug)]
pub(super) enum Class {
    Lower(Letter),
    Upper(Letter),
    Mark(char),
    None,
}

/// The index of a letter in the table, or one of the two after its end: other letters, Latin and
/// Cyrillic ones.
pub(super) type Letter = u8;

pub(super) const LETTERS: usize = ALPHABET.len() + 2;
pub(super) const OTHER_LATIN: usize = ALPHABET.len();
pub(super) const OTHER_CYRILLIC: usize = ALPHABET.len() + 1;

/// Where Cyrillic begins in Unicode. What is neither Cyrillic nor Latin (two Greek letters) counts as
/// Latin.
pub(super) const FIRST_CYRILLIC: char = '\u{400}';

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Cyrillic,
}

fn script(letter: Letter) -> Script {
    match usize::from(letter) {
        OTHER_LATIN => Script::Latin,
        OTHER_CYRILLIC => Script::Cyrillic,
        index if ALPHABET[index] < FIRST_CYRILLIC => Script::Latin,
        _ => Script::Cyrillic,
    }
}

/// The upper half of an encoding.
pub(super) struct CodePage {
    pub(super) encoding: &'static Encoding,
    pub(super) script: Script,
    pub(super) classes: [Class; 128],
    /// What each byte is for those beside it, those of ASCII too.
    pub(super) sides: [Side; 256],
}

/// What is beside a byte, and the script of it if it is a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) beside: Beside,
    pub(super) script: Option<Script>,
}

impl Side {
    /// White space, or where the sample ends.
    pub(super) const EDGE: Side = Side { beside: Beside::Edge, script: None };
}

/// The code pages of all encodings that can be compared, made when the first guess is.
pub(super) fn code_pages() -> &'static [CodePage] {
    static CODE_PAGES: OnceLock<Vec<CodePage>> = OnceLock::new();
    CODE_PAGES.get_or_init(|| ENCODINGS.iter().map(|encoding| CodePage::of(encoding)).collect())
}

/// That of an encoding, if it can be compared.
pub(super) fn code_page_of(encoding: &Encoding) -> Option<&'static CodePage> {
    code_pages().iter().find(|page| page.encoding == encoding)
}

impl CodePage {
    fn of(encoding: &'static Encoding) -> CodePage {
        let mut classes = [Class::None; 128];
        for (byte, class) in (0x80..=0xFF).zip(&mut classes) {
            let (text, _) = encoding.decode_without_bom_handling(std::slice::from_ref(&byte));
            *class = text.chars().next().map_or(Class::None, classify);
        }
        let is_cyrillic = |class: &Class| match class {
            Class::Lower(letter) | Class::Upper(letter) => script(*letter) == Script::Cyrillic,
            _ => false,
        };
        let script = match classes.iter().any(is_cyrillic) {
            true => Script::Cyrillic,
            false => Script::Latin,
        };
        let mut sides = [Side::EDGE; 256];
        for (byte, side) in (0..=0xFF).zip(&mut sides) {
            *side = CodePage::side(&classes, byte);
        }
        CodePage { encoding, script, classes, sides }
    }

    pub(super) fn class(&self, byte: u8) -> Class {
        self.classes[usize::from(byte & 0x7F)]
    }

    /// What `byte` is for those beside it.
    fn side(classes: &[Class; 128], byte: u8) -> Side {
        let (beside, script) = match byte {
            byte if byte.is_ascii_whitespace() => (Beside::Edge, None),
            byte if byte.is_ascii_digit() => (Beside::Digit, None),
            byte if byte.is_ascii_lowercase() => (Beside::Lower, Some(Script::Latin)),
            byte if byte.is_ascii_uppercase() => (Beside::Upper, Some(Script::Latin)),
            byte if byte.is_ascii() => (Beside::Other, None),
            byte => match classes[usize::from(byte & 0x7F)] {
                Class::Lower(letter) => (Beside::Lower, Some(script(letter))),
                Class::Upper(letter) => (Beside::Upper, Some(script(letter))),
                Class::Mark('\u{A0}') => (Beside::Edge, None),
                Class::Mark(_) | Class::None => (Beside::Other, None),
            },
        };
        Side { beside, script }
    }
}

fn classify(c: char) -> Class {
    let is_cyrillic = (FIRST_CYRILLIC..='\u{52F}').contains(&c);
    let other = if is_cyrillic { OTHER_CYRILLIC } else { OTHER_LATIN };
    let index = |c: char| ALPHABET.binary_search(&c).unwrap_or(other) as Letter;
    match c {
        '\u{FFFD}' => Class::None,
        c if c.is_control() => Class::None,
        'º' | 'ª' => Class::Mark(c),
        c if c.is_alphabetic() => match c.to_lowercase().next() {
            Some(lower) if lower != c => Class::Upper(index(lower)),
            _ => Class::Lower(index(c)),
        },
        c => Class::Mark(c),
    }
}

#[cfg(test)]
mod tests {
    use super::super::letters::{CYRILLIC, LATIN};
    use super::*;

    #[test]
    fn the_alphabet_is_sorted_and_begins_with_ascii() {
        assert!(ALPHABET.is_sorted());
        assert_eq!(ALPHABET[..26], *('a'..='z').collect::<Vec<_>>());
        assert!(LETTERS <= usize::from(Letter::MAX));
        let cyrillic = ALPHABET.partition_point(|c| *c < FIRST_CYRILLIC);
        assert_eq!(cyrillic, LATIN[0].1.len());
        assert_eq!(ALPHABET.len() - cyrillic, CYRILLIC[0].1.len());
    }
}
