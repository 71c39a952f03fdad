//! Scores how likely a text is in an encoding, from the frequencies of letters in languages.
//!
//! The input is a sample. The result is, for a single-byte encoding of Latin or Cyrillic letters, the information content
//! of the sample decoded by it, in the language that fits best. The encoding with the least information is the likeliest
//! (maximum likelihood). The score consists of
//!
//! - the letters of words that have a non-ASCII letter, each by its frequency in the language:
//!   ASCII letters do not depend on the encoding, but they determine the language. The Latin
//!   letters of a text have one language, the Cyrillic ones another;
//! - capitals by their position: `donÕt` is probably decoded wrong;
//! - other characters by their neighbours (see `code_page`), quotation marks by their pairs;
//! - control characters and bytes that an encoding does not have, which hardly ever occur in text.

use encoding_rs::Encoding;

use super::code_page::{
    self, AdjacentByte, AdjacentKind, CodePage, CodePageByte, Letter, LetterScript, OTHER_CYRILLIC,
    OTHER_LATIN, QuoteRole, code_page_of, code_pages,
};
use super::letters::{CYRILLIC, LATIN};

/// Maximum number of bytes of a sample that are scored.
const MOST: usize = 16 << 10;

/// One bit, in the tables' unit of an eighth of a bit.
const BIT: u32 = 8;
/// Cost of a letter that no language of the table has.
const FOREIGN: u32 = 14 * BIT;
/// Cost of a control character, or of an unused byte.
const NO_TEXT: u32 = 18 * BIT;
/// Cost of adjacent letters of two scripts.
const MIXED: u32 = 5 * BIT;
/// Cost of a single Cyrillic letter: more often a dash in another encoding than a word.
const ALONE: u32 = 4 * BIT;
/// Cost of a quotation mark without its counterpart.
const UNPAIRED: u32 = 4 * BIT;

/// Score of a sample in an encoding: the less information it needs, the likelier.
#[derive(Clone, Copy, Debug)]
pub(super) struct EncodingScore {
    pub(super) encoding: &'static Encoding,
    /// Script of the encoding's non-ASCII letters.
    pub(super) script: LetterScript,
    /// Information in eighths of a bit.
    pub(super) information: u32,
    /// The part of it that is not due to ASCII letters.
    beyond_ascii: u32,
}

impl EncodingScore {
    /// Adds information outside ASCII.
    fn with(self, more: u32) -> EncodingScore {
        EncodingScore {
            information: self.information + more,
            beyond_ascii: self.beyond_ascii + more,
            ..self
        }
    }
}

/// Letters of a script that occur, and how often: at most 128, one for each non-ASCII byte.
struct LetterCounts {
    letters: [(Letter, u32); 128],
    len: usize,
}

impl LetterCounts {
    fn new() -> LetterCounts {
        LetterCounts { letters: [(0, 0); 128], len: 0 }
    }

    /// Adds a letter, which may have been added before: as a capital.
    fn add(&mut self, letter: Letter, count: u32) {
        if let Some(slot) = self.letters.get_mut(self.len) {
            *slot = (letter, count);
            self.len += 1;
        }
    }

    /// Returns the cost of the letters in a language with these costs.
    fn total(&self, costs: &[u8]) -> u32 {
        let letters = self.letters[..self.len].iter();
        total(costs, letters.map(|(letter, count)| (usize::from(*letter), *count)))
    }
}

/// Returns the cost of letters with these counts in a language with these costs.
fn total(costs: &[u8], letters: impl Iterator<Item = (usize, u32)>) -> u32 {
    letters
        .map(|(letter, count)| costs.get(letter).map_or(0, |cost| u32::from(*cost) * count))
        .sum()
}

/// A sample of a text with the counts of its bytes.
#[derive(Debug)]
pub(super) struct TextSample<'t> {
    text: &'t [u8],
    /// Costs, by language, of the ASCII letters in words with non-ASCII letters.
    ascii: [u32; LATIN.len()],
    /// Count of each byte above 0x7F.
    upper: [u32; 128],
}

impl<'t> TextSample<'t> {
    pub(super) fn new(text: &'t [u8]) -> TextSample<'t> {
        let text = &text[..text.len().min(MOST)];
        let mut ascii = [0; 26];
        let mut upper = [0; 128];
        let is_part = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80;
        for run in text.split(|byte| !is_part(byte)).filter(|run| !run.is_ascii()) {
            for byte in run {
                match byte.to_ascii_lowercase() {
                    letter @ b'a'..=b'z' => ascii[usize::from(letter - b'a')] += 1,
                    _ => upper[usize::from(byte & 0x7F)] += 1,
                }
            }
        }
        let ascii =
            LATIN.each_ref().map(|(_, costs)| total(costs, ascii.iter().copied().enumerate()));
        TextSample { text, ascii, upper }
    }

    /// Returns the number of bytes above 0x7F.
    pub(super) fn non_ascii(&self) -> u32 {
        self.upper.iter().sum()
    }

    /// Returns the score of one encoding, and the best score of all, after `handicap` is added to the information of each.
    /// Among equal scores the first one is returned. Returns `None` if the one encoding cannot be compared.
    pub(super) fn likeliest_beside(
        &self,
        one: &Encoding,
        handicap: impl Fn(&EncodingScore, &EncodingScore) -> u32,
    ) -> Option<(EncodingScore, EncodingScore)> {
        let one = self.read(code_page_of(one)?);
        let mut likeliest = None;
        let mut least = one.information + handicap(&one, &one);
        for page in code_pages() {
            // The score of the characters alone is computed faster, and nearly always excludes the encoding.
            let part = self.by_characters(page);
            let handicap = handicap(&part, &one);
            let Some(left) = least.checked_sub(part.information + handicap) else { continue };
            let reading = match part.encoding == one.encoding {
                true => one,
                false => match self.by_places(page, left) {
                    Some(more) => part.with(more),
                    None => continue,
                },
            };
            let information = reading.information + handicap;
            if information < least || likeliest.is_none() && information == least {
                (least, likeliest) = (information, Some(reading));
            }
        }
        Some((one, likeliest.unwrap_or(one)))
    }

    fn read(&self, page: &CodePage) -> EncodingScore {
        let more = self.by_places(page, u32::MAX).unwrap_or(u32::MAX);
        self.by_characters(page).with(more)
    }

    /// Scores the characters of the sample, independent of their position.
    fn by_characters(&self, page: &CodePage) -> EncodingScore {
        const FIRST_CYRILLIC: usize = LATIN[0].1.len();
        let (mut latin, mut cyrillic) = (LetterCounts::new(), LetterCounts::new());
        let mut beyond_ascii = 0;
        let present = page.classes.iter().zip(self.upper).filter(|(_, count)| *count > 0);
        for (class, count) in present {
            match class {
                CodePageByte::Lower(letter) | CodePageByte::Upper(letter) => {
                    match usize::from(*letter) {
                        OTHER_LATIN | OTHER_CYRILLIC => beyond_ascii += FOREIGN * count,
                        index if index < FIRST_CYRILLIC => latin.add(*letter, count),
                        index => cyrillic.add((index - FIRST_CYRILLIC) as Letter, count),
                    }
                }
                CodePageByte::Mark(_) => {}
                CodePageByte::None => beyond_ascii += NO_TEXT * count,
            }
        }
        let in_latin =
            LATIN.iter().zip(self.ascii).map(|((_, costs), ascii)| (ascii, latin.total(costs)));
        let (ascii, latin) =
            in_latin.min_by_key(|(ascii, latin)| ascii + latin).unwrap_or_default();
        let in_cyrillic = CYRILLIC.iter().map(|(_, costs)| cyrillic.total(costs));
        beyond_ascii += latin + in_cyrillic.min().unwrap_or_default();
        EncodingScore {
            encoding: page.encoding,
            script: page.script,
            information: ascii + beyond_ascii,
            beyond_ascii,
        }
    }

    /// Scores its characters by their neighbours; `None` if that costs more than `most`.
    fn by_places(&self, page: &CodePage, most: u32) -> Option<u32> {
        let side = |byte: Option<&u8>| {
            byte.map_or(AdjacentByte::EDGE, |byte| page.sides[usize::from(*byte)])
        };
        let mut information = 0;
        let (mut opened, mut closed) = (0_u32, 0_u32);
        let (mut before, mut here) = (AdjacentByte::EDGE, side(self.text.first()));
        for (at, byte) in self.text.iter().enumerate() {
            let after = side(self.text.get(at + 1));
            let sides = (before, here, after);
            (before, here) = (here, after);
            // A lower-case letter among others of its kind adds no information, and most letters are of this kind.
            if byte.is_ascii()
                || sides.1.beside == AdjacentKind::Lower && sides == (sides.1, sides.1, sides.1)
            {
                continue;
            }
            let (AdjacentByte { beside: before, .. }, AdjacentByte { beside: after, .. }) =
                (sides.0, sides.2);
            let script = sides.1.script;
            let is_other = |other: Option<LetterScript>| {
                u32::from(script.is_some() && other.is_some() && other != script)
            };
            information += MIXED * (is_other(sides.0.script) + is_other(sides.2.script));
            if script == Some(LetterScript::Cyrillic) && !before.is_letter() && !after.is_letter() {
                information += ALONE;
            }
            match page.class(*byte) {
                CodePageByte::Lower(_) => {
                    if (before, after) == (AdjacentKind::Upper, AdjacentKind::Upper) {
                        information += 6 * BIT;
                    }
                }
                CodePageByte::Upper(_) => {
                    information += match before {
                        AdjacentKind::Upper => 2 * BIT,
                        AdjacentKind::Lower => 10 * BIT,
                        _ => 3 * BIT,
                    };
                }
                CodePageByte::Mark(mark) => {
                    information += code_page::information_of_mark(mark, before, after);
                    match code_page::part_of_mark(mark, before, after) {
                        Some(QuoteRole::Opens) => opened += 1,
                        Some(QuoteRole::Closes) => closed += 1,
                        None => {}
                    }
                }
                CodePageByte::None => {}
            }
            if information > most {
                return None;
            }
        }
        Some(information + UNPAIRED * opened.abs_diff(closed))
            .filter(|information| *information <= most)
    }

    /// Returns `true` if a decoded sample looks like text: random bytes have more than ten bits each.
    pub(super) fn is_text(&self, reading: &EncodingScore) -> bool {
        reading.beyond_ascii <= self.non_ascii() * 10 * BIT
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs as all;

    use super::*;

    fn best(text: &[u8]) -> EncodingScore {
        let sample = TextSample::new(text);
        let readings = code_pages().iter().map(|page| sample.read(page));
        readings.min_by_key(|reading| reading.information).unwrap()
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
        assert!(!TextSample::new(&noise).is_text(&best(&noise)));
        assert!(TextSample::new(b"caf\xE9").is_text(&best(b"caf\xE9")));
    }

    #[test]
    fn what_is_passed_over_is_less_likely() {
        let russian = "Вчера я видел у БЕРЕГА «старую» лодку; её хозяин – наш сосед – давно уехал.";
        let french =
            "Où êtes-vous allés l\u{2019}été ? À LA FENÊTRE «\u{A0}du\u{A0}» château : 5 €…";
        let mut samples =
            vec![b"\xFF".to_vec(), b"a\x81\x8F b\xA4".to_vec(), (0x80..=0xFF).collect()];
        for page in code_pages() {
            samples.extend([russian, french].map(|text| page.encoding.encode(text).0.into_owned()));
        }
        for bytes in samples {
            let sample = TextSample::new(&bytes);
            for one in code_pages() {
                for handicap in [0, 6 * BIT, 500 * BIT] {
                    let handicap =
                        |rival: &EncodingScore, first: &EncodingScore| match rival.encoding {
                            encoding if encoding == first.encoding => 0,
                            _ => handicap,
                        };
                    let (first, found) = sample.likeliest_beside(one.encoding, handicap).unwrap();
                    let all = code_pages().iter().map(|page| sample.read(page));
                    let least = all.min_by_key(|rival| rival.information + handicap(rival, &first));
                    assert_eq!(Some(found.encoding), least.map(|least| least.encoding));
                    assert_eq!(Some(found.information), least.map(|least| least.information));
                }
            }
        }
    }
}
