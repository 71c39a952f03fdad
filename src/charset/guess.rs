//! A guess at the encoding of what is neither UTF-8 nor UTF-16 nor ISO-2022-JP.
//!
//! What comes in is a sample and, if one is known, the top-level domain that it comes from. The first
//! look is chardetng's. It never answers iso-8859-3, -10, -14, -15, -16, macintosh or
//! x-mac-cyrillic, and now and then takes one encoding of Latin letters for another (Hungarian for
//! windows-1252, Welsh for windows-1257). Where its answer is of Latin or Cyrillic letters, the
//! sample is therefore looked at again, by the frequencies of letters.

use std::str::{self, Utf8Error};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{self as all, Encoding};

use super::detect::CharsetSource;
use super::frequency::{Reading, Sample};

/// What the sample is encoded in, and whether anything spoke for it.
pub(super) fn of(sample: &[u8], tld: Option<&[u8]>) -> (&'static Encoding, CharsetSource) {
    let first = first_look(sample, tld);
    let sample = Sample::new(sample);
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
    // It looks at each byte in some thirty ways, and more of a text hardly ever changes what two parts of
    // it have shown.
    for size in GLANCES {
        let end = sample.len().min(at + size);
        detector.feed(&sample[at..end], false);
        at = end;
        let guess = detector.guess(tld.as_deref(), Utf8Detection::Deny);
        // What may still be UTF-8 it does not guess at all.
        let is_utf8 = |error: Utf8Error| error.error_len().is_none();
        let may_be_utf8 = str::from_utf8(&sample[..at]).map_or_else(is_utf8, |_| true);
        if at == sample.len() || before == Some(guess) && !may_be_utf8 {
            return guess;
        }
        before = Some(guess);
    }
    detector.feed(&sample[at..], false);
    detector.guess(tld.as_deref(), Utf8Detection::Deny)
}

/// So much of a sample is looked at at a time, until two answers in a row are the same. Less would now and
/// then change the answer for what is in none of the encodings that are known, as EBCDIC.
const GLANCES: [usize; 3] = [1536, 1024, 4096];

/// The encoding by which one is compared that is nearly the same.
fn comparable(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == all::KOI8_R { all::KOI8_U } else { encoding }
}

/// What a rival of the first look's answer has to make good, in eighths of a bit: how much rarer its
/// encoding is among documents that say nothing.
fn handicap(rival: &Reading, first: &Reading) -> u32 {
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

    #[test]
    fn windows_1252_is_found_or_supposed() {
        let of = |sample: &[u8]| of(sample, None);
        assert_eq!(of(b"d\xE9j\xE0 vu"), (all::WINDOWS_1252, CharsetSource::Detected));
        assert_eq!(of(b"\xFF"), (all::WINDOWS_1252, CharsetSource::Default));
    }
}
