//! Documents in legacy charsets: the scan of stored bytes against the plain path, which decodes all
//! of the document with encoding_rs and scans the text.
//!
//! `LINKSIFT_INPUTS` says how many random documents there are for each encoding.

mod detect;
mod fixtures;
mod hostile;
mod iri;
mod letters;
mod prescan;
mod unicode;

use std::ops::{ControlFlow, Range};

use crate::legacy::ascii;
use crate::legacy::names::NAMES;
use crate::support::dice::Dice;
use crate::support::pieces::Pieces;
use encoding_rs::{DecoderResult, Encoding};
use linksift::{Candidate, Charset, Event, Finder, Format, Hints};

fn encoding(name: &str) -> &'static Encoding {
    Encoding::for_label(name.as_bytes()).unwrap()
}

/// A character, `None` for a malformed sequence, and the bytes that it was stored in.
type Piece = (Option<char>, Range<usize>);

/// The characters of the bytes, which are fed to the decoder one by one.
fn pieces_of(encoding: &'static Encoding, stored: &[u8]) -> Vec<Piece> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut out: Vec<Piece> = Vec::new();
    // The end of the last piece.
    let mut done = 0;
    for end in 1..=stored.len() + 1 {
        let last = end > stored.len();
        let mut feed = if last { &[][..] } else { &stored[end - 1..end] };
        let end = end.min(stored.len());
        loop {
            let mut text = String::with_capacity(64);
            let (result, read) =
                decoder.decode_to_string_without_replacement(feed, &mut text, last);
            feed = &feed[read..];
            let mut chars = text.chars().peekable();
            let mut malformed = None;
            if let DecoderResult::Malformed(len, after) = result {
                let end = end - feed.len() - usize::from(after);
                malformed = Some(end - usize::from(len)..end);
            }
            while let Some(c) = chars.next() {
                let is_last = chars.peek().is_none();
                let until = match (&malformed, c.is_ascii()) {
                    // Bytes that a malformed sequence had swallowed and gave back.
                    (Some(malformed), _) if is_last => malformed.start,
                    (_, true) if !is_last => done + 1,
                    _ => end,
                };
                out.push((Some(c), done.min(until)..until));
                // Of two characters that are one piece the second one begins where the first does.
                done = if is_last || c.is_ascii() { until } else { done };
            }
            if let Some(range) = malformed {
                done = range.end;
                out.push((None, range));
            }
            if result == DecoderResult::InputEmpty {
                break;
            }
        }
    }
    out
}

/// The document decoded to UTF-8, `FF` for what is malformed, and for each offset of it that is a
/// character's edge where the character before ends and the one after begins in the stored bytes.
fn decoded(name: &str, stored: &[u8]) -> (Vec<u8>, Vec<(usize, usize)>) {
    let mut text = Vec::new();
    let mut edges = Vec::new();
    let mut end = 0;
    for (c, range) in pieces_of(encoding(name), stored) {
        let mut start = range.start;
        let is_escape = |at: usize| matches!(stored[at..], [0x1B, b'(' | b'$', _, ..]);
        while name == "iso-2022-jp" && c.is_some() && is_escape(start) {
            start += 3;
        }
        edges.resize(text.len(), (usize::MAX, usize::MAX));
        edges.push((end, start));
        end = range.end;
        match c {
            Some(c) => text.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            None => text.push(0xFF),
        }
    }
    edges.resize(text.len(), (usize::MAX, usize::MAX));
    edges.push((end, stored.len()));
    (text, edges)
}

/// What is compared of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    range: Range<usize>,
    raw: String,
    kind: &'static str,
    reason: Option<&'static str>,
    line: Option<(u64, u64)>,
}

fn record(found: &Candidate<'_>) -> Record {
    let line = |p: Option<linksift::Position>| p.map(|p| (p.line, p.column));
    match found {
        Candidate::Link(l) => Record {
            range: l.range(),
            raw: l.raw().to_owned(),
            kind: l.kind().as_str(),
            reason: None,
            line: line(l.position()),
        },
        Candidate::Rejected(r) => Record {
            range: r.range(),
            raw: r.raw().to_owned(),
            kind: r.kind().as_str(),
            reason: Some(r.reason().as_str()),
            line: line(r.position()),
        },
    }
}

/// The line and the column of an offset: lines end at LF, CR LF or CR as decoded, columns count bytes.
fn position(pieces: &[Piece], offset: usize) -> (u64, u64) {
    let (mut line, mut start) = (1, 0);
    for (n, (c, range)) in pieces.iter().enumerate() {
        if range.start >= offset {
            break;
        }
        let follows_cr = n > 0 && pieces[n - 1].0 == Some('\r');
        if matches!(c, Some('\n' | '\r')) {
            line += u64::from(!(*c == Some('\n') && follows_cr));
            start = range.end;
        }
    }
    (line, (offset - start) as u64 + 1)
}

/// By the plain path.
fn plain(finder: &Finder, name: &str, stored: &[u8]) -> Vec<Record> {
    let (text, edges) = decoded(name, stored);
    let map = |range: Range<usize>| {
        let (start, end) = (edges[range.start].1, edges[range.end].0);
        start..end
    };
    let records = finder.candidates_in(&text).map(|found| record(&found));
    let pieces = pieces_of(encoding(name), stored);
    records
        .map(|r| {
            let range = map(r.range.clone());
            Record { line: Some(position(&pieces, range.start)), range, ..r }
        })
        .collect()
}

/// By the scan of the stored bytes.
fn whole(finder: &Finder, name: &str, stored: &[u8]) -> Vec<Record> {
    let charset: Charset = name.parse().unwrap();
    let hints = Hints::new().format(Format::Text).charset(charset).positions(true);
    finder.document(stored, &hints).unwrap().map(|found| record(&found)).collect()
}

/// Through a reader.
fn piped(finder: &Finder, name: &str, stored: &[u8], cuts: &[usize]) -> Vec<Record> {
    read(
        finder,
        stored,
        cuts,
        &Hints::new().format(Format::Text).charset(name.parse().unwrap()).positions(true),
    )
}

fn read(finder: &Finder, stored: &[u8], cuts: &[usize], hints: &Hints) -> Vec<Record> {
    let mut records = Vec::new();
    let reader = Pieces::cut(stored, cuts);
    finder
        .scan_reader(reader, hints, |event| {
            records.push(match event {
                Event::Link { link, .. } => record(&Candidate::Link(link)),
                Event::Rejected { rejected, .. } => record(&Candidate::Rejected(rejected)),
                _ => unreachable!(),
            });
            ControlFlow::Continue(())
        })
        .unwrap();
    records
}

/// Pieces out of which documents are made: what links are made of, and what trips a scan.
const PIECES: [&str; 70] = [
    "tests/x.c: ",
    "* ",
    "foo.in",
    "、…。中国",
    "www.。",
    "see ",
    "http://",
    "https://",
    "www.",
    "example",
    ".com",
    ".org",
    ".jp",
    ".рф",
    ".みんな",
    "。みんな",
    "．com",
    "｡jp",
    ".",
    "。",
    "、",
    "/",
    "?q=",
    "#",
    "&x=",
    "@",
    "user@",
    "mailto:",
    "tel:+1",
    "urn:isbn:1",
    " ",
    "\n",
    "\r\n",
    "\r",
    "　",
    "(",
    ")",
    "「",
    "」",
    "<",
    ">",
    "\"",
    "'",
    "&#46;",
    "&#x8868;",
    "&#64;",
    "&#58;",
    "表",
    "ソ",
    "例え",
    "パス",
    "ｱ",
    "の",
    "中文",
    "한국",
    "é",
    "ß",
    "Ω",
    "ж",
    "москва",
    "א",
    "ب",
    "ก",
    "İ",
    "Ê̄",
    "1.2",
    "a",
    "B",
    "xn--p1ai",
    "％",
];

fn encoded(name: &str, text: &str) -> Vec<u8> {
    match name {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => encoding(name).encode(text).0.into_owned(),
    }
}

/// A document: pieces that the encoding has, and some bytes of noise.
fn random_document(dice: &mut Dice, name: &str, noise: bool) -> Vec<u8> {
    let mut pieces = String::new();
    for _ in 0..dice.below(14) + 1 {
        pieces.push_str(PIECES[dice.below(PIECES.len())]);
    }
    let mut stored = encoded(name, &pieces);
    // Where a broken escape sequence ends the plain path does not know; `charset` has tests of its own.
    if noise && name != "iso-2022-jp" {
        let special = b"\x1B$B(J@\x80\x81\x82\x88\x8E\x8F\xA1\xA3\x62\x30\x39\x40\xD8\xFE\xFF\x00.";
        for _ in 0..dice.below(6) {
            let byte = match dice.below(3) {
                0 => dice.below(256) as u8,
                _ => special[dice.below(special.len())],
            };
            let at = dice.below(stored.len() + 1);
            match dice.below(3) {
                0 if at < stored.len() => stored[at] = byte,
                1 if at < stored.len() => {
                    stored.remove(at);
                }
                _ => stored.insert(at, byte),
            }
        }
    }
    // A byte order mark goes before what is said.
    if stored.starts_with(b"\xFE\xFF") || stored.starts_with(b"\xFF\xFE") {
        stored.insert(0, b' ');
    }
    stored
}

#[test]
fn random_documents_by_all_paths() {
    let inputs: u64 =
        std::env::var("LINKSIFT_INPUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let finder = Finder::new();
    for (number, name) in NAMES.into_iter().enumerate() {
        let mut dice = Dice::new(number as u64 + 1);
        let mut found = 0;
        for n in 0..inputs {
            let stored = random_document(&mut dice, name, n % 2 == 1);
            let want = plain(&finder, name, &stored);
            found += want.len();
            let context = || {
                format!(
                    "{name} {:?} {stored:x?}",
                    String::from_utf8_lossy(&decoded(name, &stored).0)
                )
            };
            assert_eq!(whole(&finder, name, &stored), want, "{}", context());
            let cut = [dice.below(stored.len() + 1)];
            assert_eq!(piped(&finder, name, &stored, &cut), want, "cut at {cut:?} {}", context());
        }
        assert!(found as u64 > inputs / 10, "{name}: {found}");
    }
}

/// Documents of some size: prose of the language between links, so that windows begin and end
/// anywhere, and blocks of all sizes.
#[test]
fn long_documents_by_all_paths() {
    let inputs: u64 =
        std::env::var("LINKSIFT_INPUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    // What is too long is so in stored bytes, whatever becomes of them.
    let (finder, limited) = (Finder::new(), Finder::builder().max_link(300).build());
    let too_long = |mut r: Record| {
        if r.range.len() > 300 {
            // Its end is where the text must end, without a look at what it ends with.
            (r.reason, r.raw, r.range.end) = (Some("too-long"), String::new(), 0);
        }
        r
    };
    for (number, name) in NAMES.into_iter().enumerate() {
        let mut dice = Dice::new(number as u64 + 1000);
        for _ in 0..inputs.div_ceil(100) {
            let mut stored = Vec::new();
            let filler = random_document(&mut dice, name, false);
            let unit = if name.starts_with("utf-16") { 2 } else { 1 };
            while stored.len() < 3000 {
                match dice.below(4) {
                    0 => {
                        for _ in 0..dice.below(60) {
                            stored.extend_from_slice(&filler[..filler.len() / 2 / unit * unit]);
                        }
                    }
                    n => stored.extend(random_document(&mut dice, name, n == 1)),
                }
            }
            let want: Vec<_> = plain(&finder, name, &stored).into_iter().map(too_long).collect();
            let got: Vec<_> = whole(&limited, name, &stored).into_iter().map(too_long).collect();
            for (got, want) in got.iter().zip(&want) {
                assert_eq!(got, want, "{name} {stored:x?}");
            }
            assert_eq!(got.len(), want.len(), "{name} {stored:x?}");
            let mut cuts: Vec<usize> =
                (0..dice.below(9)).map(|_| dice.below(stored.len())).collect();
            cuts.sort_unstable();
            let got: Vec<_> =
                piped(&limited, name, &stored, &cuts).into_iter().map(too_long).collect();
            assert_eq!(got, want, "{name} {cuts:?} {stored:x?}");
        }
    }
}

/// Where all is ASCII around a trigger nothing is decoded; short documents for what stands on the same
/// line, long ones for stretches of ASCII.
#[test]
fn documents_of_ascii_for_the_most_part_by_all_paths() {
    let inputs: usize =
        std::env::var("LINKSIFT_INPUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let finder = Finder::new();
    for (number, name) in NAMES.into_iter().enumerate() {
        let mut dice = Dice::new(number as u64 + 3000);
        let mut found = 0;
        for n in 0..inputs {
            let most = if n % 40 == 0 { 900 } else { 9 };
            let text = ascii::document(&mut dice, most);
            let stored = encoded(name, &text);
            let want = plain(&finder, name, &stored);
            found += want.len();
            assert_eq!(whole(&finder, name, &stored), want, "{name} {text:?} {stored:x?}");
            let cut = [dice.below(stored.len() + 1)];
            assert_eq!(piped(&finder, name, &stored, &cut), want, "{name} {cut:?} {text:?}");
        }
        assert!(found > inputs, "{name}: {found}");
    }
}

/// What is in front of a name, on its line and the one before, was not decoded in each window.
#[test]
fn what_is_in_front_of_a_name_has_a_say_however_the_blocks_lie() {
    let finder = Finder::new();
    for text in [
        format!("{} !== aa.at", "a".repeat(63)),
        "表 a/b.h, adiv a.link,\nexample.at x".to_owned(),
        "表 a/b.h, adiv a.link,\n  example.at x".to_owned(),
        "表\nM*&=E=\"!A.2!Y;W4@8V%N(')E860@=&AI<RP@>6]U)W)E('1O;R!C;&]S92X*E.AT\n".to_owned(),
        "表 div ul.my {\n".to_owned(),
    ] {
        for name in ["shift_jis", "gb18030", "euc-kr", "utf-16le"] {
            let stored = encoded(name, &text);
            let want = plain(&finder, name, &stored);
            assert_eq!(whole(&finder, name, &stored), want, "{name} {text:?}");
            for cut in 0..stored.len() {
                assert_eq!(piped(&finder, name, &stored, &[cut]), want, "{name} {cut} {text:?}");
            }
        }
    }
}

/// Links that are given before the charset is known are those that are given when it is.
#[test]
fn eager_or_not_the_links_are_the_same() {
    let finder = Finder::new();
    for (number, name) in NAMES.into_iter().enumerate() {
        let mut dice = Dice::new(number as u64 + 2000);
        for _ in 0..60 {
            let ascii = ["see http://example.com/a ", "www.example.org.", "a@example.com ", "x\n"];
            let mut stored = Vec::new();
            for _ in 0..dice.below(5) {
                stored.extend_from_slice(dice.pick(&ascii).as_bytes());
            }
            let ascii = stored.len();
            if !name.starts_with("utf-16") {
                stored.extend(random_document(&mut dice, name, true));
            }
            stored.push(b'\n');
            let hints = Hints::new().format(Format::Text).positions(true);
            let want = read(&finder, &stored, &[], &hints);
            let mut cuts: Vec<usize> =
                (0..dice.below(5)).map(|_| dice.below(stored.len() + 1)).collect();
            cuts.sort_unstable();
            assert_eq!(read(&finder, &stored, &cuts, &hints), want, "{cuts:?} {stored:x?}");
            // What comes after the first non-ASCII character, at a pause, is not asked any more.
            cuts.retain(|cut| *cut <= ascii);
            let eager = hints.eager(true);
            assert_eq!(read(&finder, &stored, &cuts, &eager), want, "{cuts:?} {stored:x?}");
        }
    }
}
