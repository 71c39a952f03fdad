//! Links of which terminal sequences colour or erase parts (SGR, EL): `grep --color`, `ls --color`, logs, typescripts.
//!
//! A text is coloured at random, stored in an encoding, and has to give the links of the text without colours; where they are
//! stored has to hold them, by itself.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use linksift::{Candidate, Charset, Finder, Format, Hints, Step};

use crate::legacy::routes::{field, piped, range, whole};
use crate::naive::colours::seen;
use crate::support::dice::Dice;
use crate::support::growth::curved;

const COLOURS: [&str; 7] = [
    "\x1B[m",
    "\x1B[K",
    "\x1B[01;31m\x1B[K",
    "\x1B[m\x1B[K",
    "\x1B[38;2;1;2;3m",
    "\x1B[0m",
    "\x1B[4:3m",
];

/// Lines with links of all kinds, the last ones for encodings that have these letters.
const LINES: [&str; 10] = [
    "see https://example.com/a?b=c#d, and more",
    "src/main.rs:12:34: see example.com/a_(b)/c. or (example.org)",
    "mail me@example.com or mailto:you@example.net?subject=x now",
    "http://localhost:8080/x http://[2001:db8::1]/y 192.0.2.1:80 ftp://ftp.example.org/z",
    "files: a.py, b.py, lib.rs and 'https://example.com/it' = tel:+1-201-555-0123",
    "<https://example.com/a b> \"http://example.com/q\" **https://example.org/** end",
    "example.com&#46;example https&#58;//example.com/&#97; x",
    "nothing: of: a. link, here... 1.2.3 x@ @y",
    "сайт http://example.com/привет и пример.рф, почта",
    "漢字 http://example.com/表 と例え.jp、終",
];

fn encodings() -> Vec<(&'static str, usize)> {
    let latin = ["utf-8", "windows-1252", "iso-8859-15"].map(|name| (name, 8));
    let cyrillic =
        ["windows-1251", "koi8-r", "utf-16le", "utf-16be", "utf-8"].map(|name| (name, 9));
    let east = ["shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "utf-8", "utf-16le"];
    latin.into_iter().chain(cyrillic).chain(east.map(|name| (name, 10))).collect()
}

fn encoded(name: &str, text: &str) -> Vec<u8> {
    let encoding = Encoding::for_label(name.as_bytes()).unwrap();
    if encoding == UTF_16LE {
        return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    }
    if encoding == UTF_16BE {
        return text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    }
    // A sequence of a terminal is no character of ISO-2022-JP.
    let mut stored = Vec::new();
    for (n, piece) in text.split('\x1B').enumerate() {
        if n > 0 {
            stored.push(0x1B);
        }
        let (bytes, _, _) = encoding.encode(piece);
        stored.extend_from_slice(&bytes);
    }
    stored
}

/// The text with colours between its characters, but none that parts two links.
fn coloured(text: &str, dice: &mut Dice, one_in: usize) -> String {
    let mut coloured = String::new();
    for (at, c) in text.char_indices() {
        let before = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
        let parts = before && text[at..].starts_with("http");
        if !parts && dice.once_in(one_in) {
            coloured.push_str(dice.pick(&COLOURS));
        }
        coloured.push(c);
    }
    coloured + dice.pick(&COLOURS)
}

fn said(lines: &[String]) -> Vec<[serde_json::Value; 4]> {
    let fields = ["raw", "uri", "kind", "rejected"];
    lines.iter().map(|line| fields.map(|name| field(line, name))).collect()
}

#[test]
fn coloured_texts_have_the_links_of_plain_ones_in_all_encodings() {
    let (finder, mut dice) = (Finder::new(), Dice::new(47));
    let mut links = 0;
    for (name, count) in encodings() {
        let charset: Charset = name.parse().unwrap();
        for turn in 0..60 {
            let newline = if turn % 2 == 0 { "\n" } else { "\r\n" };
            let mut lines: Vec<&str> = LINES[..count].to_vec();
            for _ in 0..4 {
                let [a, b] = [dice.below(count), dice.below(count)];
                lines.swap(a, b);
            }
            let text: String = lines.iter().map(|line| format!("{line}{newline}")).collect();
            let stored = encoded(name, &coloured(&text, &mut dice, 1 + turn / 3));
            let plain = whole(&finder, Some(charset), &encoded(name, &text));
            let found = whole(&finder, Some(charset), &stored);
            let shown = String::from_utf8_lossy(&stored).escape_debug().to_string();
            assert_eq!(said(&found), said(&plain), "{name} {shown}");
            for line in &found {
                let place = &stored[range(line)];
                // What is stored holds the link, and no colour at its edges.
                assert_ne!(place[0], 0x1B, "{name} {shown}");
                if charset == Charset::UTF_8 {
                    let bytes: Vec<u8> = seen(place).iter().map(|&at| place[at]).collect();
                    assert_eq!(field(line, "raw"), String::from_utf8(bytes).unwrap());
                }
                links += 1;
            }
            let mut cuts: Vec<usize> =
                (0..dice.below(9)).map(|_| dice.below(stored.len())).collect();
            cuts.sort_unstable();
            assert_eq!(piped(&finder, Some(charset), &stored, &cuts), found, "{name} {shown}");
        }
    }
    assert!(links > 8_000, "{links}");
}

/// A sequence is cut wherever it can be.
#[test]
fn coloured_texts_cut_at_every_byte() {
    let (finder, mut dice) = (Finder::new(), Dice::new(48));
    for (name, count) in encodings() {
        let charset: Charset = name.parse().unwrap();
        for line in &LINES[..count] {
            let stored = encoded(name, &coloured(&format!("{line}\r\n"), &mut dice, 5));
            let found = whole(&finder, Some(charset), &stored);
            for cut in 1..stored.len() {
                let piped = piped(&finder, Some(charset), &stored, &[cut]);
                assert_eq!(piped, found, "{name} at {cut}: {line}");
            }
            let every: Vec<usize> = (1..stored.len()).collect();
            assert_eq!(piped(&finder, Some(charset), &stored, &every), found, "{name}");
        }
    }
}

/// All calls of the library say the same.
#[test]
fn every_call_goes_over_colours() {
    let text = "a http://exam\x1B[1mple.com/a\x1B[m, m\x1B[1me@example.org\x1B[K and \x1B[4mexample.\x1B[mnet/x.";
    let raws = ["http://example.com/a", "me@example.org", "example.net/x"];
    let ranges = [2..26, 31..49, 61..77];
    let finder = Finder::new();
    let links: Vec<_> = finder.links(text).collect();
    assert_eq!(links.iter().map(|link| link.raw()).collect::<Vec<_>>(), raws);
    assert_eq!(links.iter().map(|link| link.range()).collect::<Vec<_>>(), ranges);
    assert_eq!(links[0].uri(), "http://example.com/a");
    assert_eq!(links[1].uri(), "mailto:me@example.org");
    assert_eq!(links[2].host(), Some("example.net".into()));
    assert_eq!(finder.links_in(text.as_bytes()).collect::<Vec<_>>(), links);
    assert_eq!(finder.candidates(text).filter_map(Candidate::into_link).collect::<Vec<_>>(), links);
    let bytes = text.as_bytes();
    let hints = Hints::new().format(Format::Text);
    assert_eq!(finder.document(bytes, &hints).unwrap().links().collect::<Vec<_>>(), links);
    let spans: Vec<_> = finder.spans(text).collect();
    assert_eq!(spans.iter().map(|span| span.raw()).collect::<String>(), text);
    assert_eq!(spans.iter().filter_map(|span| span.link().cloned()).collect::<Vec<_>>(), links);
    for bytes in 1..text.len() {
        let mut links = finder.links(text);
        let mut found = Vec::new();
        loop {
            match links.next_within(bytes) {
                Step::Found(link) => found.push(link.raw().to_owned()),
                Step::Done => break,
                Step::Budget => {}
            }
        }
        assert_eq!(found, raws, "within {bytes}");
    }
}

/// A long log, of which a stream keeps no more than a block.
#[test]
fn long_logs_in_colour() {
    let line = "\x1B[35msrc/a.txt\x1B[m\x1B[36m:\x1B[m12: http://exa\x1B[01;31m\x1B[Kmple\x1B[m\x1B[K.com/a b\r\n";
    let text = line.repeat(20_000);
    let finder = Finder::new();
    let links: Vec<_> = finder.links(&text).collect();
    assert_eq!(links.len(), 20_000);
    for (n, link) in links.iter().enumerate() {
        let start = n * line.len() + line.find("http").unwrap();
        assert_eq!((link.raw(), link.range().start), ("http://example.com/a", start));
    }
    let hints = Hints::new().format(Format::Text);
    let mut starts = Vec::new();
    let scanned = finder.scan_reader(text.as_bytes(), &hints, |event| {
        if let linksift::Event::Link { link, .. } = event {
            starts.push(link.range().start);
        }
        std::ops::ControlFlow::Continue(())
    });
    assert!(scanned.is_ok());
    assert_eq!(starts, links.iter().map(|link| link.range().start).collect::<Vec<_>>());
}

#[test]
fn texts_of_sequences_take_linear_time() {
    let finder = Finder::new();
    let units = [
        "\x1B[m",
        "\x1B[",
        "\x1B[9",
        "\x1B]0;a\x1B[m",
        "a.com\x1B[m",
        "\x1B[ma.com ",
        "http\x1B[m",
        "a\x1B[mhttp://",
        "http://a.example/\x1B[Ka",
        "a\x1B[m.\x1B[m",
    ];
    let mut found = Vec::new();
    for unit in units {
        for name in ["utf-8", "windows-1251", "shift_jis", "utf-16le", "iso-2022-jp"] {
            let charset: Charset = name.parse().unwrap();
            let make = |size: usize| encoded(name, &unit.repeat(size / unit.len()));
            let run = |bytes: &[u8]| {
                let hints = Hints::new().format(Format::Text).charset(charset);
                std::hint::black_box(finder.document(bytes, &hints).unwrap().count());
            };
            if let Some(growth) = curved(8 << 10, make, run) {
                found.push(format!("{unit:?} in {name}: {growth:.2}"));
            }
        }
    }
    assert!(found.is_empty(), "time grows with these powers of the size: {found:#?}");
}
