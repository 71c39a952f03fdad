//! How much a text tells if it is in an encoding: by the frequencies of letters in languages.
//!
//! What comes in is a sample; what goes out is, for a single-byte encoding of Latin or Cyrillic
//! letters, the information of the sample read by it, in the language that fits best. The encoding by
//! which a text tells least is the likeliest (the maximum of the likelihood). Counted are
//!
//! - the letters of words that have one which is not ASCII, each by its frequency in the language:
//!   those of ASCII do not depend on the encoding, but they make out the language; for the Latin
//!   letters of a text there is one, for the Cyrillic ones another;
//! - capitals by where they stand: `donÕt` is likely read wrong;
//! - other characters by what stands beside them (see `marks`), quotation marks by their pairs;
//! - control characters and what an encoding does not have, which text hardly ever holds.

use std::sync::OnceLock;

use encoding_rs::{self as all, Encoding};

use super::letters::{ALPHABET, CYRILLIC, LATIN};
use super::marks::{self, Beside, Part};

/// How much of a sample is looked at.
const MOST: usize = 16 << 10;

/// Eighths of a bit, as in the tables.
const BIT: u32 = 8;
/// A letter that no language of the table has.
const FOREIGN: u32 = 14 * BIT;
/// A control character, or none at all.
const NO_TEXT: u32 = 18 * BIT;
/// Letters of two scripts side by side.
const MIXED: u32 = 5 * BIT;
/// A Cyrillic letter alone: a dash in another encoding more often than a word.
const ALONE: u32 = 4 * BIT;
/// A quotation mark without its partner.
const UNPAIRED: u32 = 4 * BIT;

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
enum Class {
    Lower(Letter),
    Upper(Letter),
    Mark(char),
    None,
}

/// The index of a letter in the table, or one of the two behind its end: other letters, Latin and
/// Cyrillic ones.
type Letter = u8;

const LETTERS: usize = ALPHABET.len() + 2;
const OTHER_LATIN: usize = ALPHABET.len();
const OTHER_CYRILLIC: usize = ALPHABET.len() + 1;

/// Where Cyrillic begins in Unicode. What is neither Cyrillic nor Latin (two Greek letters) counts as
/// Latin.
const FIRST_CYRILLIC: char = '\u{400}';

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
struct Half {
    encoding: &'static Encoding,
    script: Script,
    classes: [Class; 128],
}

/// The halves of all encodings, made when the first guess is.
fn halves() -> &'static [Half] {
    static HALVES: OnceLock<Vec<Half>> = OnceLock::new();
    HALVES.get_or_init(|| ENCODINGS.iter().map(|encoding| Half::of(encoding)).collect())
}

impl Half {
    fn of(encoding: &'static Encoding) -> Half {
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
        Half { encoding, script, classes }
    }

    fn class(&self, byte: u8) -> Class {
        self.classes[usize::from(byte & 0x7F)]
    }

    fn script(&self, byte: u8) -> Option<Script> {
        if byte.is_ascii_alphabetic() {
            return Some(Script::Latin);
        }
        match self.class(byte) {
            Class::Lower(letter) | Class::Upper(letter) if byte >= 0x80 => Some(script(letter)),
            _ => None,
        }
    }

    fn beside(&self, byte: Option<&u8>) -> Beside {
        match byte {
            None => Beside::Edge,
            Some(byte) if byte.is_ascii_digit() => Beside::Digit,
            Some(byte) if byte.is_ascii_lowercase() => Beside::Lower,
            Some(byte) if byte.is_ascii_uppercase() => Beside::Upper,
            Some(byte) if byte.is_ascii() => Beside::Other,
            Some(byte) => match self.class(*byte) {
                Class::Lower(_) => Beside::Lower,
                Class::Upper(_) => Beside::Upper,
                Class::Mark('\u{A0}') => Beside::Edge,
                Class::Mark(_) | Class::None => Beside::Other,
            },
        }
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

/// What a sample tells in an encoding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) encoding: &'static Encoding,
    /// Of the letters that the encoding has beside those of ASCII.
    pub(super) script: Script,
    /// In eighths of a bit.
    pub(super) information: u32,
    /// The part of it that is not letters of ASCII.
    beyond_ascii: u32,
}

/// A sample, ready to be read.
#[derive(Debug)]
pub(super) struct Sample<'t> {
    text: &'t [u8],
    /// The letters of ASCII beside others.
    ascii: [u32; 26],
    non_ascii: u32,
}

impl<'t> Sample<'t> {
    pub(super) fn new(text: &'t [u8]) -> Sample<'t> {
        let text = &text[..text.len().min(MOST)];
        let mut ascii = [0; 26];
        let mut non_ascii = 0;
        let is_part = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80;
        for run in text.split(|byte| !is_part(byte)).filter(|run| !run.is_ascii()) {
            for byte in run {
                match byte.to_ascii_lowercase() {
                    letter @ b'a'..=b'z' => ascii[usize::from(letter - b'a')] += 1,
                    _ => non_ascii += 1,
                }
            }
        }
        Sample { text, ascii, non_ascii }
    }

    /// How many bytes of it are above 0x7F.
    pub(super) fn non_ascii(&self) -> u32 {
        self.non_ascii
    }

    /// The reading by one encoding, and those by all in their order; `None` if it is none of those that
    /// can be compared.
    pub(super) fn readings_beside(&self, one: &Encoding) -> Option<(Reading, Vec<Reading>)> {
        let at = ENCODINGS.iter().position(|encoding| *encoding == one)?;
        let all: Vec<_> = self.readings().collect();
        Some((*all.get(at)?, all))
    }

    /// The readings by all encodings, in their order.
    fn readings(&self) -> impl Iterator<Item = Reading> {
        halves().iter().map(|half| self.read(half))
    }

    fn read(&self, half: &Half) -> Reading {
        let (marks, letters) = self.count(half);
        let (latin_letters, others) = letters.split_at(LATIN[0].1.len());
        let total = |costs: &[u8], letters: &[u32]| -> u32 {
            costs.iter().zip(letters).map(|(cost, count)| u32::from(*cost) * count).sum()
        };
        let latin =
            LATIN.iter().map(|(_, costs)| (total(costs, &self.ascii), total(costs, latin_letters)));
        let (ascii, latin) = latin.min_by_key(|(ascii, latin)| ascii + latin).unwrap_or_default();
        let cyrillic = CYRILLIC.iter().map(|(_, costs)| total(costs, others));
        let cyrillic = cyrillic.min().unwrap_or_default();
        let foreign = FOREIGN * (letters[OTHER_LATIN] + letters[OTHER_CYRILLIC]);
        let beyond_ascii = latin + cyrillic + foreign + marks;
        Reading {
            encoding: half.encoding,
            script: half.script,
            information: ascii + beyond_ascii,
            beyond_ascii,
        }
    }

    /// The information of all that does not depend on the language, and the letters that do.
    fn count(&self, half: &Half) -> (u32, [u32; LETTERS]) {
        let mut letters = [0; LETTERS];
        let mut information = 0;
        let (mut opened, mut closed) = (0_u32, 0_u32);
        for word in self.text.split(|byte| byte.is_ascii_whitespace()) {
            for (at, byte) in word.iter().enumerate().filter(|(_, byte)| **byte >= 0x80) {
                let before = half.beside(at.checked_sub(1).and_then(|at| word.get(at)));
                let after = half.beside(word.get(at + 1));
                let script = half.script(*byte);
                let others = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
                let others = others.filter_map(|at| word.get(at)).filter_map(|b| half.script(*b));
                let is_other = |other: &Script| script.is_some_and(|script| script != *other);
                information += MIXED * others.filter(is_other).count() as u32;
                if script == Some(Script::Cyrillic) && !before.is_letter() && !after.is_letter() {
                    information += ALONE;
                }
                match half.class(*byte) {
                    Class::Lower(letter) => {
                        letters[usize::from(letter)] += 1;
                        if (before, after) == (Beside::Upper, Beside::Upper) {
                            information += 6 * BIT;
                        }
                    }
                    Class::Upper(letter) => {
                        letters[usize::from(letter)] += 1;
                        information += match before {
                            Beside::Upper => 2 * BIT,
                            Beside::Lower => 10 * BIT,
                            _ => 3 * BIT,
                        };
                    }
                    Class::Mark(mark) => {
                        information += marks::information(mark, before, after);
                        match marks::part(mark, before, after) {
                            Some(Part::Opens) => opened += 1,
                            Some(Part::Closes) => closed += 1,
                            None => {}
                        }
                    }
                    Class::None => information += NO_TEXT,
                }
            }
        }
        (information + UNPAIRED * opened.abs_diff(closed), letters)
    }

    /// Whether a reading looks like text: bytes drawn by lot tell more than ten bits each.
    pub(super) fn is_text(&self, reading: &Reading) -> bool {
        reading.beyond_ascii <= self.non_ascii * 10 * BIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(text: &[u8]) -> Reading {
        let sample = Sample::new(text);
        sample.readings().min_by_key(|reading| reading.information).unwrap()
    }

    #[test]
    fn words_are_read_by_the_encoding_that_makes_most_of_them() {
        for (encoding, text) in [
            (
                all::ISO_8859_3,
                "Ĉu vi jam vidis la ŝipon, kiu ĵus ankriĝis ĉe la haveno? Ĝi ŝajnas laŭa.",
            ),
            (
                all::ISO_8859_3,
                "Illejla ħija ġie d-dar u qalli li ċ-ċavetta kienet għadha fuq il-mejda.",
            ),
            (
                all::ISO_8859_16,
                "Wczoraj zgubiłem się w mieście, więc zapytałem o najbliższą stację.",
            ),
            (
                all::MACINTOSH,
                "Où êtes-vous allés après l’été dernier ? À la fenêtre du château fermé.",
            ),
            (all::MACINTOSH, "Über die Straße gehen die Mädchen nicht: es ist kälter geworden."),
            (all::X_MAC_CYRILLIC, "Вчера я видел на берегу старую лодку; её хозяин давно уехал."),
        ] {
            let (bytes, _, unmappable) = encoding.encode(text);
            assert!(!unmappable, "{text}");
            assert_eq!(best(&bytes).encoding, encoding, "{text}");
        }
    }

    #[test]
    fn noise_is_no_text() {
        let mut seed = 7_u32;
        let mut dice = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        let noise: Vec<u8> = (0..4096).map(|_| dice()).collect();
        assert!(!Sample::new(&noise).is_text(&best(&noise)));
        assert!(Sample::new(b"caf\xE9").is_text(&best(b"caf\xE9")));
    }

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
