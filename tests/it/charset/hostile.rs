//! Stored bytes as somebody hostile would make them, or a broken disk: cut and damaged characters,
//! labels that lie, storms of lead bytes and escape sequences. Nothing panics, spans are in order and
//! inside the input, links in ASCII are there, and the time is linear.

use std::fs;
use std::hint::black_box;
use std::ops::{ControlFlow, Range};

use crate::legacy::marked;
use crate::legacy::names::NAMES;
use crate::legacy::routes::{field, piped, range, whole};
use crate::support::clock::clock;
use crate::support::pieces::Pieces;
use encoding_rs::Encoding;
use linksift::{Candidate, Charset, Event, Finder, Format, Hints};

/// Bytes a read, as of a pipe.
const BLOCK: usize = 4 << 10;

fn charset(name: &str) -> Charset {
    name.parse().unwrap()
}

/// The documents of `fixtures/charset`, with the labels of their encodings and their records.
fn fixtures() -> Vec<(String, Charset, Vec<u8>, Vec<String>)> {
    let folder = crate::root().join("fixtures/charset");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "txt") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let lines = fs::read_to_string(path.with_extension("json")).unwrap();
            let lines = lines.lines().map(str::to_owned).collect();
            let source = fs::read_to_string(path.with_extension("marked")).unwrap();
            let label = charset(marked::read(&name, &source).encoding.name());
            found.push((name, label, fs::read(path).unwrap(), lines));
        }
    }
    assert!(found.len() >= 41, "{} documents", found.len());
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// What holds of every document: spans in order and inside, and what they say decodes to `raw`.
fn check(finder: &Finder, label: Charset, stored: &[u8], context: &dyn Fn() -> String) -> usize {
    let encoding = Encoding::for_label(label.as_str().as_bytes()).unwrap();
    // A label of UTF-16 is ignored if the document is ASCII without NUL.
    let is_ignored =
        label.as_str().starts_with("utf-16") && stored.iter().all(|byte| matches!(byte, 1..=0x7F));
    let is_stateless =
        label.as_str() != "iso-2022-jp" && Encoding::for_bom(stored).is_none() && !is_ignored;
    let mut floor = 0;
    let mut links = 0;
    for found in finder.document(stored, &Hints::new().format(Format::Text).charset(label)).unwrap()
    {
        let (range, raw) = match &found {
            Candidate::Link(link) => (link.range(), link.raw()),
            Candidate::Rejected(rejected) => (rejected.range(), rejected.raw()),
        };
        assert!(floor <= range.start && range.start < range.end, "{range:?} {}", context());
        assert!(range.end <= stored.len(), "{range:?} {}", context());
        floor = range.end;
        let Candidate::Link(link) = &found else { continue };
        links += 1;
        assert!(link.uri().is_ascii(), "{}", context());
        if is_stateless {
            let (text, _) = encoding.decode_without_bom_handling(&stored[range.clone()]);
            assert_eq!(text, raw, "{range:?} {}", context());
        }
    }
    links
}

/// What a decoder trips over, in one encoding or another.
const STRAY: [u8; 16] = [
    0x00, 0x0E, 0x1B, 0x24, 0x28, 0x30, 0x40, 0x5C, 0x80, 0x81, 0x8E, 0x8F, 0xA0, 0xD8, 0xFE, 0xFF,
];

#[test]
fn documents_that_are_cut_or_damaged_anywhere() {
    let finder = Finder::new();
    for (name, label, stored, lines) in fixtures() {
        let mut links = 0;
        for at in 0..stored.len() {
            let cut = &stored[..at];
            links += check(&finder, label, cut, &|| format!("{name} cut off at {at}"));
            let mut other = stored.clone();
            let byte = STRAY[at % STRAY.len()];
            let what = match at % 3 {
                0 => {
                    other[at] = byte;
                    "replaced"
                }
                1 => {
                    other.insert(at, byte);
                    "inserted"
                }
                _ => {
                    other.remove(at);
                    "removed"
                }
            };
            let context = || format!("{name}: {what} at {at} {byte:x}");
            links += check(&finder, label, &other, &context);
            if at % 7 == 0 {
                let want = whole(&finder, Some(label), &other);
                for cut in [at, at + 1, at + 2, at + 3] {
                    let got = piped(&finder, Some(label), &other, &[cut]);
                    assert_eq!(got, want, "cut at {cut} {}", context());
                }
            }
        }
        assert!(links > lines.len() * stored.len() / 2, "{name}: {links}");
    }
}

/// A character that is cut at the end of a link is not of it, and the link is there.
#[test]
fn truncated_sequences_in_links() {
    let finder = Finder::new();
    #[rustfmt::skip]
    let cases: [(&str, &[u8], &[&str]); 14] = [
        ("shift_jis", b"http://e.com/a\x95", &["http://e.com/a"]),
        ("shift_jis", b"http://e.com/\x95\x5C\x95 http://e.com/b", &["http://e.com/表", "http://e.com/b"]),
        ("shift_jis", b"http://e.com/\x81\x00a", &["http://e.com/"]),
        ("euc-jp", b"http://e.com/a\x8F\xB0", &["http://e.com/a"]),
        ("euc-jp", b"http://e.com/a\x8F\xB0 http://e.com/b", &["http://e.com/a", "http://e.com/b"]),
        ("gb18030", b"http://e.com/a\x81\x30\x81", &["http://e.com/a"]),
        ("gb18030", b"http://e.com/\x81\x30\x81 http://e.com/b", &["http://e.com/", "http://e.com/b"]),
        ("gbk", b"http://e.com/a\x81\x30b.com", &["http://e.com/a", "0b.com"]),
        ("big5", b"\x81http://e.com/", &["http://e.com/"]),
        ("euc-kr", b"a\xFF\xFEhttp://e.com/", &["http://e.com/"]),
        ("utf-16le", b"h\0t\0t\0p\0:\0/\0/\0e\0.\0d\0e\0/\0a\0b", &["http://e.de/a"]),
        ("utf-16be", b"\0h\0t\0t\0p\0:\0/\0/\0e\0.\0d\0e\0/\0a\xD8\0", &["http://e.de/a"]),
        ("utf-16be", b"\0h\0t\0t\0p\0:\0/\0/\0e\0.\0d\0e\0/\xDC\0\xD8\0\0h", &["http://e.de/"]),
        ("iso-2022-jp", b"http://e.com/\x1B$BI=I\x1B(Bb", &["http://e.com/表"]),
    ];
    for (name, stored, want) in cases {
        let hints = Hints::new().format(Format::Text).charset(charset(name));
        let links = finder.document(stored, &hints).unwrap().filter_map(Candidate::into_link);
        let raw: Vec<_> = links.map(|link| link.raw().to_owned()).collect();
        assert_eq!(raw, want, "{name} {stored:x?}");
    }
}

/// Every fixture under every label: a link in ASCII between white space is found wherever ASCII is.
#[test]
fn labels_that_lie() {
    let finder = Finder::new();
    let mut kept = 0;
    for (name, label, stored, lines) in fixtures() {
        for other in NAMES.into_iter().chain(["utf-8"]) {
            check(&finder, charset(other), &stored, &|| format!("{name} as {other}"));
            if name.starts_with("utf-16") || other.starts_with("utf-16") || label.as_str() == other
            {
                continue;
            }
            let got: Vec<_> = finder
                .document(&stored, &Hints::new().format(Format::Text).charset(charset(other)))
                .unwrap()
                .filter_map(|found| Some(found.into_link()?.range()))
                .collect();
            for line in &lines {
                let range = range(line);
                let is_space = |at: Option<usize>| {
                    at.and_then(|at| stored.get(at))
                        .is_none_or(|byte| *byte <= b' ' && *byte != 0x1B)
                };
                let is_apart = is_space(range.start.checked_sub(1)) && is_space(Some(range.end));
                if is_apart
                    && stored[range.clone()].is_ascii()
                    && !stored[range.clone()].contains(&0x1B)
                {
                    assert!(got.contains(&range), "{name} as {other}: {line}");
                    kept += 1;
                }
            }
        }
    }
    assert!(kept > 38 * 10, "{kept}");
}

/// A byte order mark is believed before any label, and its links stand after it.
#[test]
fn a_byte_order_mark_against_a_label() {
    let finder = Finder::new();
    for (name, bom, stored) in [
        ("utf-8", &b"\xEF\xBB\xBF"[..], &b"http://e.de/\xC3\xA9"[..]),
        ("utf-16le", b"\xFF\xFE", b"h\0t\0t\0p\0:\0/\0/\0e\0.\0d\0e\0/\0\xE9\0"),
        ("utf-16be", b"\xFE\xFF", b"\0h\0t\0t\0p\0:\0/\0/\0e\0.\0d\0e\0/\0\xE9"),
    ] {
        let document = [bom, stored].concat();
        for label in NAMES.into_iter().chain(["utf-8"]) {
            let lines = whole(&finder, Some(charset(label)), &document);
            assert_eq!(lines.len(), 1, "{name} as {label}: {lines:?}");
            assert_eq!(field(&lines[0], "charset"), name);
            assert_eq!(range(&lines[0]), bom.len()..document.len());
            assert_eq!(field(&lines[0], "iri"), "http://e.de/é");
            assert_eq!(field(&lines[0], "line"), 1);
        }
    }
}

fn utf_16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

/// ASCII in an encoding, and a letter of its own.
fn write(name: &str, text: &str) -> Vec<u8> {
    match name {
        "utf-16le" => utf_16(text, u16::to_le_bytes),
        "utf-16be" => utf_16(text, u16::to_be_bytes),
        _ => Encoding::for_label(name.as_bytes()).unwrap().encode(text).0.into_owned(),
    }
}

fn letter(name: &str) -> char {
    let encoding = Encoding::for_label(name.as_bytes()).unwrap();
    match name {
        "x-user-defined" => 'a',
        _ if name.starts_with("utf-16") => '表',
        _ => {
            "表許한жéαאبก".chars().find(|c| !encoding.encode(c.encode_utf8(&mut [0; 4])).2).unwrap()
        }
    }
}

#[test]
fn nul_bytes_end_links() {
    let finder = Finder::new();
    for name in NAMES {
        let text = format!("\0http://example.com/{0}\0{0}\0\0example.org\0", letter(name));
        let stored = write(name, &text);
        let lines = whole(&finder, Some(charset(name)), &stored);
        let raw: Vec<_> = lines.iter().map(|line| field(line, "raw")).collect();
        assert_eq!(
            raw,
            [&*format!("http://example.com/{}", letter(name)), "example.org"],
            "{name}"
        );
        check(&finder, charset(name), &stored, &|| name.to_owned());
    }
}

/// Links up to 64 KiB of stored bytes are links; of what is longer the right place is reported.
#[test]
fn links_of_70_000_bytes() {
    let finder = Finder::new();
    for name in NAMES {
        for (len, is_link) in [(60_000, true), (70_000, false), (300_000, false)] {
            // Longer ones than are ever kept, for one of each layout.
            let is_first = LAYOUTS.contains(&name);
            if len == 300_000 && !is_first {
                continue;
            }
            let units = [letter(name).to_string(), "a".to_owned(), format!("a{}", letter(name))];
            for unit in units.into_iter().take(if is_first { 3 } else { 1 }) {
                let (before, link, behind) =
                    ("see ", "http://example.com/", " or http://example.org/ too");
                let bytes = |text: &str| write(name, text).len();
                // Escape sequences of ISO-2022-JP that are not the link's own.
                let is_stateful = name == "iso-2022-jp" && !unit.ends_with('a');
                let back = if is_stateful { 3 } else { 0 };
                let each = bytes(&unit.repeat(2)) - bytes(&unit);
                let link = link.to_owned() + &unit.repeat((len - bytes(link)) / each);
                let want = bytes(before)..bytes(before) + bytes(&link) - back;
                let next = want.end + back + bytes(" or ");
                let stored = write(name, &[before, &link, behind].concat());
                let cuts: Vec<_> = (0..stored.len()).step_by(4096).collect();
                let routes = [
                    whole(&finder, Some(charset(name)), &stored),
                    piped(&finder, Some(charset(name)), &stored, &cuts),
                    piped(&finder, Some(charset(name)), &stored, &[]),
                ];
                for (route, lines) in routes.iter().enumerate() {
                    let context = format!("{name} {len} {unit} route {route}");
                    assert_eq!(lines.len(), 2, "{context}");
                    assert_eq!(range(&lines[0]), want, "{context}");
                    let code = if is_link { serde_json::Value::Null } else { "too-long".into() };
                    assert_eq!(field(&lines[0], "rejected"), code, "{context}");
                    assert_eq!(range(&lines[1]).start, next, "{context}");
                    assert_eq!(field(&lines[1], "column"), next + 1, "{context}");
                    assert_eq!(field(&lines[1], "raw"), "http://example.org/", "{context}");
                }
            }
        }
    }
}

/// One of each layout.
const LAYOUTS: [&str; 10] = [
    "windows-1251",
    "windows-1258",
    "shift_jis",
    "euc-jp",
    "euc-kr",
    "big5",
    "gb18030",
    "utf-16le",
    "utf-16be",
    "iso-2022-jp",
];

/// The seconds that a document takes, and that no link at its end is lost if its ASCII is readable.
fn seconds(finder: &Finder, label: Charset, stored: &[u8], is_streamed: bool) -> f64 {
    let start = clock();
    if is_streamed {
        let hints = Hints::new().format(Format::Text).charset(label).positions(true);
        let mut last: Range<usize> = 0..0;
        let scanned = finder.scan_reader(Pieces::new(stored.chunks(BLOCK)), &hints, |event| {
            last = match event {
                Event::Link { link, .. } => link.range(),
                Event::Rejected { rejected, .. } => rejected.range(),
                other => panic!("{other:?}"),
            };
            ControlFlow::Continue(())
        });
        assert_eq!(scanned.unwrap().bytes(), stored.len() as u64);
        assert!(last.end <= stored.len());
    } else {
        let hints = Hints::new().format(Format::Text).charset(label);
        black_box(finder.document(stored, &hints).unwrap().count());
    }
    clock() - start
}

/// Units repeated, after a beginning. Were the time quadratic, it would be many times the limit.
/// `LINKSIFT_STORM_BYTES` says how long the documents are.
fn storm<'u>(units: impl Iterator<Item = Vec<u8>> + 'u, names: &[&str], openings: &[&[u8]]) {
    const LIMIT: f64 = 1.0;
    let size = std::env::var("LINKSIFT_STORM_BYTES").ok().and_then(|size| size.parse().ok());
    let size: usize = size.unwrap_or(64 << 10);
    let limit = LIMIT * (size as f64 / f64::from(64 << 10)).max(1.0);
    let finder = Finder::new();
    let units: Vec<_> = units.collect();
    let mut slow = Vec::new();
    for name in names {
        for (number, unit) in units.iter().enumerate() {
            let opening = openings[number % openings.len()];
            let stored = [opening, &unit.repeat(size / unit.len())].concat();
            let is_streamed = number % 2 == 1;
            let mut took = seconds(&finder, charset(name), &stored, is_streamed);
            if took > limit {
                took = took.min(seconds(&finder, charset(name), &stored, is_streamed));
            }
            if took > limit {
                slow.push(format!("{name}: {opening:x?} and {unit:x?}: {took:.1} s"));
            }
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

#[test]
fn each_byte_again_and_again() {
    storm((0..=255).map(|byte| vec![byte]), &LAYOUTS, &[b"http://e.com/", b"", b"a@", b"www."]);
}

/// Bytes at the edges of what is a lead or a trail byte anywhere.
const EDGES: [u8; 22] = [
    0x21, 0x2E, 0x30, 0x39, 0x3A, 0x40, 0x5C, 0x61, 0x7E, 0x80, 0x81, 0x8E, 0x8F, 0x9F, 0xA0, 0xA1,
    0xDF, 0xE0, 0xFC, 0xFD, 0xFE, 0xFF,
];

#[test]
fn pairs_of_lead_and_trail_bytes() {
    let pairs = EDGES.iter().flat_map(|a| EDGES.iter().map(|b| vec![*a, *b]));
    let names = ["shift_jis", "euc-jp", "big5", "gb18030", "utf-16le", "iso-2022-jp"];
    storm(pairs, &names, &[b"http://e.com/", b"", b"\x81", b"example.com/\xA1", b"www."]);
}

#[test]
fn lead_bytes_with_triggers_between() {
    let units: [&[u8]; 14] = [
        b"\x81@",
        b"\x81@.com",
        b"\x81.",
        b"\x81\x30.com",
        b"\x81\x30\x81\x30.",
        b"\xFEa@",
        b"\xFE.a",
        b"\x8F\xA1.jp",
        b"\x81\x42\xA4",
        b"\xA1\xA3.",
        b"\xFE://",
        b"\xFE&#46;",
        b"\xA1\xA1@\xA1\xA1.jp",
        b"\x95\x37\x84\x31\x95\x37",
    ];
    storm(units.iter().map(|unit| unit.to_vec()), &LAYOUTS, &[b"", b"http://e.com/", b"\x81"]);
}

#[test]
fn storms_of_escape_sequences() {
    let units: [&[u8]; 14] = [
        b"\x1B",
        b"\x1B(",
        b"\x1B$",
        b"\x1B(B",
        b"\x1B$B",
        b"\x1B(J\x1B(B",
        b"\x1B$BI=\x1B(B",
        b"a\x1B(B",
        b"\x1B(Ia\x1B(J\x5C",
        b"\x1B$B.",
        b"\x1B(B.com",
        b"\x1B$B!#\x1B(Bjp",
        b"\x1B$@$\x1B(B@a.jp",
        b"\x1B(B://",
    ];
    let units = units.iter().map(|unit| unit.to_vec());
    storm(units, &["iso-2022-jp"], &[b"", b"http://e.com/", b"\x1B$B"]);
}

#[test]
fn storms_of_surrogates() {
    let units: [&[u8]; 8] = [
        b"\0\xD8",
        b"\0\xDC",
        b"\0\xDC\0\xD8",
        b"\0\xD8.\0",
        b"\0\xD8\0\xDCa\0.\0c\0o\0m\0",
        b"\x02\x30",
        b"\x61\xFF.\0",
        b"\0\xD8\x02\x30",
    ];
    let units = units.iter().map(|unit| unit.to_vec());
    storm(units, &["utf-16le", "utf-16be"], &[b"", b"h\0t\0t\0p\0:\0/\0/\0e\0.\0d\0e\0/\0", b"a"]);
}

/// Whatever a text ends with, a link in front of it has been found, and one after it is.
#[test]
fn links_around_lone_bytes() {
    let finder = Finder::new();
    for name in NAMES.into_iter().filter(|name| !name.starts_with("utf-16")) {
        for byte in 0..=255u8 {
            for times in 1..=4 {
                let middle = vec![byte; times];
                let stored = [b"http://e.com/ ", &*middle, b" http://e.com/b"].concat();
                let got: Vec<_> = finder
                    .document(&stored, &Hints::new().format(Format::Text).charset(charset(name)))
                    .unwrap()
                    .filter_map(|found| Some(found.into_link()?.range()))
                    .collect();
                let last = stored.len() - 14..stored.len();
                assert_eq!(got.first(), Some(&(0..13)), "{name} {byte:x}");
                assert_eq!(got.last(), Some(&last), "{name} {byte:x}");
            }
        }
    }
}
