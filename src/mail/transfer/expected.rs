//! Expected content of decoded bytes, by which Base64 is distinguished from plain text of the same
//! characters.

use crate::charset::Charset;
use crate::simd::base64::value;

/// Content that a part's header declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ExpectedContent {
    /// Any bytes.
    #[default]
    Bytes,
    /// Text in this charset; in one that is not named.
    Text(Option<Charset>),
}

/// Number of lower-case letters in eight letters of a word: words are mostly lower case, Base64 is not.
const LOWER: usize = 6;
/// Least number of letters that are counted.
const FEWEST: usize = 8;
/// So often at least letters of ASCII and others stand side by side in bytes that are no text.
const MIXED: usize = 6;
/// No charset has characters of more bytes.
const LONGEST_CHARACTER: usize = 4;

impl ExpectedContent {
    /// Whether a decoded line of Base64 is the expected content; except for the first line, it may begin and end inside a
    /// character.
    pub(super) fn is_met_by(self, decoded: &[u8], line: &[u8], has_begun: bool) -> bool {
        let most = if has_begun { LONGEST_CHARACTER } else { 1 };
        match self {
            ExpectedContent::Bytes => !is_words(line),
            ExpectedContent::Text(Some(charset)) if charset == Charset::UTF_8 => {
                is_utf8(decoded, most)
            }
            ExpectedContent::Text(None) if is_utf8(decoded, most) => true,
            ExpectedContent::Text(charset) => {
                // One that is not named is mostly one that has a character for each byte.
                let charset = charset.unwrap_or(Charset::WINDOWS_1252);
                let is_text =
                    |start: usize| is_text_in(charset, decoded.get(start..).unwrap_or(b""));
                !is_words(line) && (0..most).any(is_text)
            }
        }
    }
}

/// Whether a line reads as words.
fn is_words(line: &[u8]) -> bool {
    let letters = line.iter().filter(|b| value(**b).is_some()).count();
    let lower = line.iter().filter(|b| b.is_ascii_lowercase()).count();
    letters >= FEWEST && lower * 8 >= letters * LOWER
}

fn is_utf8(bytes: &[u8], most: usize) -> bool {
    // The rest of a character that begins in the line before.
    let rest = bytes.iter().take(most - 1).take_while(|b| **b & 0xC0 == 0x80).count();
    let bytes = &bytes[rest..];
    let valid = match std::str::from_utf8(bytes) {
        Ok(valid) => valid,
        Err(error) if error.error_len().is_some() => return false,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    !valid.chars().any(is_control)
}

fn is_text_in(charset: Charset, bytes: &[u8]) -> bool {
    let text = charset.decode(bytes);
    // The last character may be cut.
    let text = text.trim_end_matches('\u{FFFD}');
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let (mut mixed, mut before) = (0, None);
    for c in text.chars() {
        if is_control(c) || c == '\u{FFFD}' {
            return false;
        }
        // Letters of ASCII and others are hardly ever in one word.
        let is_mixed =
            |before: char| is_letter(before) && !c.is_ascii() || is_letter(c) && !before.is_ascii();
        mixed += usize::from(before.is_some_and(is_mixed));
        before = Some(c);
    }
    mixed < MIXED || 3 * mixed <= text.chars().count()
}

/// A character that no text has: a control, but for white space and those that shift between sets.
fn is_control(c: char) -> bool {
    let is_shift = matches!(c, '\x0E' | '\x0F' | '\x1B');
    c.is_control() && !is_shift && !matches!(c, '\t' | '\n' | '\r' | '\x0C')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charset(label: &str) -> ExpectedContent {
        ExpectedContent::Text(Some(label.parse().unwrap()))
    }

    /// What a line of words would stand for.
    fn decoded(line: &str) -> Vec<u8> {
        let digits: Vec<u8> = line.bytes().filter(|b| value(*b).is_some()).collect();
        let mut out = Vec::new();
        crate::simd::base64::decode(&digits[..digits.len() & !3], &mut out);
        out
    }

    #[test]
    fn words_are_not_what_is_expected() {
        for line in [
            "plain words here",
            "see http://e.example/a now",
            "To leave the list, write to leave@list.example",
            "list http://list.example/info",
            "Kauft bei www.example.de ein, dort ist es am besten!",
        ] {
            for expected in [
                ExpectedContent::Bytes,
                ExpectedContent::Text(None),
                charset("utf-8"),
                charset("iso-8859-1"),
                charset("koi8-r"),
                charset("utf-16le"),
                charset("shift_jis"),
            ] {
                assert!(
                    !expected.is_met_by(&decoded(line), line.as_bytes(), false),
                    "{line} {expected:?}"
                );
            }
        }
    }

    /// Texts cut anywhere, each in its charset.
    #[test]
    fn texts_are_what_is_expected() {
        for (label, text) in [
            ("utf-8", "see http://e.com/ä表𝒳 – and so on"),
            ("iso-8859-1", "déjà vu à Orléans, http://e.com/é"),
            ("koi8-r", "смотри http://e.com/ф здесь"),
            ("windows-1251", "смотри http://e.com/ф здесь"),
            ("shift_jis", "表を見る http://e.com/ 表を見る"),
            ("gb18030", "参见 http://e.com/ 表能"),
            ("euc-kr", "한글 http://e.com/ 한글"),
            ("utf-16le", "see http://e.com/é now"),
        ] {
            let bytes = match label {
                "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                label => {
                    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
                    encoding.encode(text).0.into_owned()
                }
            };
            // Digits say nothing, so that the bytes alone do.
            let line = b"A0B1 C2D3";
            for start in 0..bytes.len() - 8 {
                for end in start + 8..=bytes.len() {
                    let expected = charset(label);
                    let is_met = expected.is_met_by(&bytes[start..end], line, start > 0);
                    assert!(is_met, "{label} {start}..{end}");
                }
            }
        }
    }
}
