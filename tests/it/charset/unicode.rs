//! Random prose of what a charset has, with links in it: the links of the stored bytes are those of
//! the same text in UTF-8, and stand where the same characters stand.
//!
//! What may differ is said here: the query of an http link has the charset's octets, and what comes
//! out of a legacy charset is in Form C. `LINKSIFT_INPUTS` says how many texts each charset gets.

use std::ops::Range;

use crate::legacy::marked::Writer;
use crate::legacy::names::NAMES;
use crate::legacy::routes::{field, piped, range, whole};
use crate::support::dice::Dice;
use encoding_rs::Encoding;
use linksift::{Charset, Finder};
use unicode_normalization::UnicodeNormalization;

/// Characters outside ASCII that the charset has and gives back as they were.
fn alphabet(encoding: &'static Encoding) -> Vec<char> {
    let all = (0x80..0x3_0000).filter_map(char::from_u32);
    all.filter(|c| *c != '\u{FEFF}' && is_held(encoding, *c)).collect()
}

fn is_held(encoding: &'static Encoding, c: char) -> bool {
    let mut writer = Writer::new(encoding);
    writer.try_write(c).is_some()
        && encoding.decode_without_bom_handling(&writer.stored).0.chars().eq([c])
}

/// What links are made of, beside the alphabet; what a charset lacks is left out of it.
const PIECES: [&str; 47] = [
    "http://",
    "https://",
    "ftp://",
    "www.",
    "a.",
    "e4.",
    ".lan ",
    "example",
    ".com",
    ".org/",
    ".jp/",
    ".рф",
    ".みんな",
    "。みんな",
    "．com",
    "｡jp",
    ".中国",
    ".한국",
    ".ไทย",
    "user@example.org",
    "mailto:",
    "tel:+1-2",
    " ",
    " ",
    "\n",
    "\r\n",
    "　",
    "(",
    ")",
    "「",
    "」",
    "«",
    "»",
    "“",
    "”",
    "。",
    "、",
    "؟",
    "/",
    "/",
    "?q=",
    "&x=",
    "#",
    "&#46;",
    "&#64;",
    "-",
    "1",
];

fn random_text(dice: &mut Dice, encoding: &'static Encoding, alphabet: &[char]) -> String {
    // Nothing at the beginning must look like a byte order mark.
    let mut text = String::from(" ");
    // A language keeps to its corner of a charset.
    let corner = dice.below(alphabet.len().max(1));
    for _ in 0..dice.below(24) + 4 {
        match dice.below(5) {
            0 | 1 => {
                for _ in 0..dice.below(6) + 1 {
                    let near = corner + dice.below(40);
                    let far = dice.below(alphabet.len().max(1));
                    let at = if dice.once_in(4) { far } else { near % alphabet.len().max(1) };
                    text.extend(alphabet.get(at));
                }
            }
            2 => text.push_str(dice.pick(&[
                "http://example.com/",
                "http://",
                "@example.org",
                ".com",
            ])),
            _ => text.push_str(dice.pick(&PIECES)),
        }
    }
    let mut writer = Writer::new(encoding);
    let is_there = |c: &char| c.is_ascii() || alphabet.binary_search(c).is_ok();
    text.retain(|c| is_there(&c) && writer.try_write(c).is_some());
    text
}

/// The document, and for each offset in the text where its character stands.
fn encode(encoding: &'static Encoding, text: &str) -> (Vec<u8>, Vec<Range<usize>>) {
    let mut writer = Writer::new(encoding);
    let mut places = vec![0..0; text.len()];
    for (at, c) in text.char_indices() {
        let own = writer.write(c);
        let end = writer.stored.len();
        for place in &mut places[at..at + c.len_utf8()] {
            *place = end - own..end;
        }
    }
    (writer.stored, places)
}

/// The query's part of an IRI or URI, and what is around it.
fn split(uri: &str) -> (&str, Option<&str>, &str) {
    let (front, fragment) = uri.split_at(uri.find('#').unwrap_or(uri.len()));
    match front.split_once('?') {
        Some((front, query)) => (front, Some(query), fragment),
        None => (front, None, fragment),
    }
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let hex = behind.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let value = hex.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(value.unwrap_or(*first));
        rest = if value.is_some() { &behind[2..] } else { behind };
    }
    out
}

/// What is not as it should be between a record of the text and the one of the stored bytes.
fn difference(
    charset: Charset,
    places: &[Range<usize>],
    of_text: &str,
    of_stored: &str,
) -> Option<String> {
    let string = |line: &str, name: &str| field(line, name).as_str().unwrap_or("").to_owned();
    let range_of_text = range(of_text);
    let want = places[range_of_text.start].start..places[range_of_text.end - 1].end;
    if range(of_stored) != want {
        return Some(format!("stands at {:?}, not {want:?}", range(of_stored)));
    }
    for name in ["kind", "raw", "rejected", "line"] {
        if field(of_text, name) != field(of_stored, name) {
            return Some(format!("{name} differs"));
        }
    }
    let iri = string(of_text, "iri");
    let composed: String = iri.nfc().collect();
    if charset.is_unicode() {
        return (["iri", "uri", "host"]
            .iter()
            .any(|name| field(of_text, name) != field(of_stored, name)))
        .then(|| "differs out of UTF-16".to_owned());
    }
    if string(of_stored, "rejected").is_empty() && string(of_stored, "iri") != composed {
        return Some(format!("iri is not {composed}"));
    }
    let (uri, legacy) = (string(of_text, "uri"), string(of_stored, "uri"));
    let is_http = uri.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"));
    if !is_http {
        return (composed == iri && uri != legacy).then(|| "uri differs".to_owned());
    }
    let (front, query, fragment) = split(&uri);
    let (legacy_front, legacy_query, legacy_fragment) = split(&legacy);
    if composed == iri && (front, fragment) != (legacy_front, legacy_fragment) {
        return Some("uri differs beside its query".to_owned());
    }
    // Octets of the charset, which are the query that is written.
    let written = query.map(|query| String::from_utf8(percent_decoded(query)).unwrap());
    let octets = legacy_query.map(|query| charset.decode(&percent_decoded(query)).into_owned());
    (written != octets).then(|| format!("query is {octets:?}, not {written:?}"))
}

#[test]
fn links_are_those_of_the_text_in_utf_8() {
    let inputs = std::env::var("LINKSIFT_INPUTS").ok().and_then(|n| n.parse().ok());
    let inputs: u64 = inputs.unwrap_or(400);
    let finder = Finder::new();
    for (number, name) in NAMES.into_iter().enumerate() {
        let charset: Charset = name.parse().unwrap();
        let encoding = Encoding::for_label(name.as_bytes()).unwrap();
        let alphabet = alphabet(encoding);
        assert!(alphabet.len() >= 45, "{name}: {}", alphabet.len());
        let mut dice = Dice::new(number as u64 + 77);
        let (mut found, mut beyond_ascii) = (0, 0);
        for _ in 0..inputs {
            let text = random_text(&mut dice, encoding, &alphabet);
            let (stored, places) = encode(encoding, &text);
            let want = whole(&finder, Some(Charset::UTF_8), text.as_bytes());
            let got = whole(&finder, Some(charset), &stored);
            let show = || format!("{name}: {text:?}\n{want:#?}\n{got:#?}");
            assert_eq!(want.len(), got.len(), "{}", show());
            for (of_text, of_stored) in want.iter().zip(&got) {
                found += 1;
                beyond_ascii += u64::from(!field(of_text, "raw").as_str().unwrap().is_ascii());
                if let Some(difference) = difference(charset, &places, of_text, of_stored) {
                    panic!("{difference}\n{of_text}{of_stored}{}", show());
                }
            }
            let cut = dice.below(stored.len() + 1);
            let cut_there = piped(&finder, Some(charset), &stored, &[cut]);
            assert_eq!(cut_there, got, "cut at {cut} {}", show());
        }
        assert!(found > inputs / 2, "{name}: {found} candidates");
        let is_private = name == "x-user-defined";
        assert!(is_private || beyond_ascii > inputs / 10, "{name}: {beyond_ascii} beyond ASCII");
    }
}

/// U+FF61 is one byte there, and was taken for the beginning of what stands after the dot.
#[test]
fn a_halfwidth_stop_after_a_dot_in_shift_jis() {
    let lines = whole(&Finder::new(), "shift_jis".parse().ok(), b" a.\xA1jp ");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!(range(&lines[0]), 1..6);
    assert_eq!(field(&lines[0], "rejected"), "host-label");
}

/// Of `www.` in front of a label of one letter there was a reason in UTF-8 alone.
#[test]
fn what_is_ascii_is_read_alike_in_every_charset() {
    let folder = crate::root().join("fixtures/text");
    let mut texts =
        vec!["(www.a.b.corp) WWW.e.test/ <www.h-da.lan/x> www.x1.y2.lan w.a. b".to_owned()];
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read(file.unwrap().path()).unwrap();
        texts
            .extend(String::from_utf8(text).map(|text| text.replace(|c: char| !c.is_ascii(), " ")));
    }
    let finder = Finder::new();
    let mut found = 0;
    // Each text in a third of them.
    for (n, text) in texts.iter().enumerate() {
        let want = whole(&finder, Some(Charset::UTF_8), text.as_bytes());
        found += want.len();
        for name in NAMES.into_iter().skip(n % 3).step_by(3) {
            let (charset, encoding) =
                (name.parse().unwrap(), Encoding::for_label(name.as_bytes()).unwrap());
            let (stored, places) = encode(encoding, text);
            let got = whole(&finder, Some(charset), &stored);
            let raw =
                |lines: &[String]| lines.iter().map(|line| field(line, "raw")).collect::<Vec<_>>();
            assert_eq!(raw(&want), raw(&got), "{name}: {text}");
            for (of_text, of_stored) in want.iter().zip(&got) {
                let difference = difference(charset, &places, of_text, of_stored);
                assert_eq!(difference, None, "{name}: {of_text}{of_stored}");
            }
        }
    }
    assert!(found > 1_000, "{found} candidates");
}
