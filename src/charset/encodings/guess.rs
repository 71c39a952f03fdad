//! A guess at the encoding of what is neither UTF-8 nor UTF-16 nor ISO-2022-JP.
//!
//! Takes a sample and, if one is known, the top-level domain that it comes from. The first
//! look is chardetng's. It never answers iso-8859-3, -10, -14, -15, -16, macintosh or
//! x-mac-cyrillic, and now and then takes one encoding of Latin letters for another (Hungarian for
//! windows-1252, Welsh for windows-1257). Where its answer is of Latin or Cyrillic letters, the
//! sample is therefore looked at again, by the frequencies of letters.

use std::str::{self, Utf8Error};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{self as all, Encoding};

use super::frequency::{EncodingScore, TextSample};
use crate::charset::evidence::CharsetSource;

/// Returns the likeliest encoding of the sample, and whether there is evidence for it.
pub(super) fn of(sample: &[u8], tld: Option<&[u8]>) -> (&'static Encoding, CharsetSource) {
    let first = first_look(sample, tld);
    let sample = TextSample::new(sample);
    let Some((reading, likeliest)) = sample.likeliest_beside(comparable(first), handicap) else {
        return (first, CharsetSource::Detected);
    };
    let chosen = if sample.non_ascii() > 1 { likeliest } else { reading };
    match sample.is_text(&chosen) {
        // Not every difference can be compared: the first look knows koi8-r from koi8-u.
        true if chosen.encoding == reading.encoding => (first, CharsetSource::Detected),
        true => (chosen.encoding, CharsetSource::Detected),
        false => (all::WINDOWS_1252, CharsetSource::Default),
    }
}

fn first_look(sample: &[u8], tld: Option<&[u8]>) -> &'static Encoding {
    let tld = tld.map(<[u8]>::to_ascii_lowercase);
    // It panics on a dot or on what is not ASCII.
    let tld = tld.filter(|tld| tld.is_ascii() && !tld.contains(&b'.'));
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut before = None;
    let mut at = 0;
    // It looks at each byte in some thirty ways.
    for size in GLANCES {
        let end = sample.len().min(at + size);
        detector.feed(&sample[at..end], false);
        at = end;
        let guess = detector.guess(tld.as_deref(), Utf8Detection::Deny);
        let is_stable = before == Some(guess);
        if at == sample.len() || is_stable && is_telling(&sample[..at], guess) {
            return guess;
        }
        if is_stable && !DOUBLE.contains(&guess) {
            for word in rare_words(&sample[..at], &sample[at..]) {
                detector.feed(word, false);
            }
            return detector.guess(tld.as_deref(), Utf8Detection::Deny);
        }
        before = Some(guess);
    }
    detector.feed(&sample[at..], false);
    detector.guess(tld.as_deref(), Utf8Detection::Deny)
}

/// So much of a sample is looked at at a time, until two answers in a row are the same: then that is enough, but for what
/// [is rare](rare_words). Of 3,860 documents that were not looked at before the sizes were chosen, in 29 encodings and 36
/// languages, nine got another answer than by a look at all: seven are right now (Greek, Hungarian), two are wrong
/// (Vietnamese in windows-1258).
const GLANCES: [usize; 5] = [256, 256, 512, 1024, 4096];

/// The encodings of two bytes a character.
static DOUBLE: [&Encoding; 6] =
    [all::SHIFT_JIS, all::EUC_JP, all::EUC_KR, all::BIG5, all::GBK, all::GB18030];

/// A byte that was there so often has told what it can.
const OFTEN: u8 = 4;

/// The words of `rest` that have a non-ASCII byte which was rare so far: what tells one encoding of single bytes from its
/// twin are few letters, which may come late. The others only say again what is known.
fn rare_words<'s>(seen: &[u8], rest: &'s [u8]) -> impl Iterator<Item = &'s [u8]> {
    let mut counts = [0_u8; 256];
    let mut count = move |word: &[u8]| {
        let mut is_rare = false;
        for &byte in word.iter().filter(|byte| **byte >= 0x80) {
            let count = &mut counts[usize::from(byte)];
            is_rare |= *count < OFTEN;
            *count = count.saturating_add(1);
        }
        is_rare
    };
    count(seen);
    rest.split_inclusive(|byte| byte.is_ascii_whitespace()).filter(move |word| count(word))
}

/// Whether a guess at so much of a text is as good as one at all of it. That it is in an encoding of two
/// bytes a character is plain soon, and no two of these are alike; of single bytes the rare ones must be looked at too,
/// which tell windows-1253 from iso-8859-7. What may still be UTF-8 is not guessed at all, and of what is no text
/// in any of the encodings, as in EBCDIC, each part is taken for something else: it has controls, or no white
/// space.
fn is_telling(text: &[u8], guess: &'static Encoding) -> bool {
    let is_utf8 = |error: Utf8Error| error.error_len().is_none();
    let may_be_utf8 = str::from_utf8(text).map_or_else(is_utf8, |_| true);
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    DOUBLE.contains(&guess)
        && !may_be_utf8
        && text.iter().any(u8::is_ascii_whitespace)
        && !text.iter().any(is_control)
}

/// The encoding by which one is compared that is nearly the same.
fn comparable(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == all::KOI8_R { all::KOI8_U } else { encoding }
}

/// Handicap of a rival of the first answer, in eighths of a bit: how much rarer its
/// encoding is among documents that say nothing.
fn handicap(rival: &EncodingScore, first: &EncodingScore) -> u32 {
    const BIT: u32 = 8;
    if rival.encoding == first.encoding {
        return 0;
    }
    let is_one_of = |encodings: &[&Encoding]| encodings.contains(&rival.encoding);
    let bits = match () {
        () if is_one_of(&[all::WINDOWS_1250, all::WINDOWS_1251, all::ISO_8859_15]) => 5,
        () if is_one_of(&[all::WINDOWS_1252]) => 6,
        () if is_one_of(&RARE) => 20,
        () => 10,
    };
    // The first look hardly ever takes one script for another.
    let script = if rival.script == first.script { 0 } else { 10 };
    (bits + script) * BIT
}

static RARE: [&Encoding; 4] =
    [all::ISO_8859_3, all::ISO_8859_10, all::ISO_8859_14, all::ISO_8859_16];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_top_level_domain_is_a_hint_and_no_danger() {
        for tld in [&b"ru"[..], b"RU", b"xn--p1ai", b"a.b", b"\xFF", b""] {
            let (encoding, _) = of(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!", Some(tld));
            assert_eq!(encoding, all::WINDOWS_1251);
        }
    }

    /// The two differ in three letters, which may come late.
    #[test]
    fn greek_is_told_from_its_twin_by_letters_that_come_late() {
        let early = "και το έργο της μουσικής που γράφτηκε στην Ελλάδα ".repeat(60);
        let late = "Άλλοι λένε ότι η Άννα και ο Άρης ήταν εκεί ".repeat(60);
        let text = [early, late].concat();
        let (bytes, _, is_lossy) = all::ISO_8859_7.encode(&text);
        assert!(!is_lossy && bytes.len() > 5_000);
        assert_eq!(of(&bytes, None), (all::ISO_8859_7, CharsetSource::Detected));
    }

    #[test]
    fn what_has_two_bytes_a_character_is_known_soon() {
        for (encoding, text) in [
            (all::SHIFT_JIS, "これは日本語の文章です。 "),
            (all::EUC_JP, "これは日本語の文章です。 "),
            (all::EUC_KR, "이것은 한국어로 쓴 문장입니다. "),
            (all::BIG5, "這是一個中文的句子，用來測試。 "),
            (all::GBK, "这是一个中文的句子，用来测试。 "),
        ] {
            let text = text.repeat(200);
            let (bytes, ..) = encoding.encode(&text);
            for len in [100, 1_000, 1_001, bytes.len()] {
                assert_eq!(of(&bytes[..len], None).0, encoding, "{len} bytes");
            }
        }
    }

    #[test]
    fn windows_1252_is_found_or_supposed() {
        let of = |sample: &[u8]| of(sample, None);
        assert_eq!(of(b"d\xE9j\xE0 vu"), (all::WINDOWS_1252, CharsetSource::Detected));
        assert_eq!(of(b"\xFF"), (all::WINDOWS_1252, CharsetSource::Default));
    }
}
