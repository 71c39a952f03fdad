//! Which encoding a document is in, and why: the order of what speaks for one, and hostile bytes.

use std::fs;
use std::ops::ControlFlow;

use linksift::{Charset, CharsetSource, Detected, Event, Finder, Format, Hints};

use crate::bless::Blessing;
use crate::support::clock::clock;
use crate::support::pieces::Pieces;

fn of(bytes: &[u8]) -> (&'static str, &'static str) {
    let found = Detected::of(bytes).unwrap();
    (found.charset().as_str(), found.source().as_str())
}

fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Raw bytes in files, and beside them in `expected` what they are encoded in.
#[test]
fn every_file_is_what_its_folder_says() {
    let root = crate::root().join("fixtures/charset");
    let mut blessing = Blessing::new("charset::detect::every_file");
    for folder in ["declared", "guessed"].map(|name| root.join(name)) {
        let file = folder.join("expected");
        let expected = fs::read_to_string(&file).unwrap();
        let files = fs::read_dir(&folder).unwrap().count() - 1;
        let lines = expected.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
        assert_eq!(lines.clone().count(), files, "{}: each file has its line", folder.display());
        for (number, line) in lines {
            let (name, _) = line.split_once('\t').unwrap();
            let (charset, source) = of(&fs::read(folder.join(name)).unwrap());
            let found = format!("{name}\t{charset}\t{source}");
            blessing.lines(&file, number..number + 1, vec![found], "");
        }
    }
    blessing.finish();
}

#[test]
fn what_comes_first_counts() {
    let russian = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?";
    let declared = [&b"<meta charset=koi8-r>"[..], russian].concat();
    let marked = [b"\xEF\xBB\xBF", &declared[..]].concat();
    assert_eq!(of(&marked), ("utf-8", "bom"));
    assert_eq!(of(&declared), ("koi8-r", "declared"));
    assert_eq!(of(russian), ("windows-1251", "detected"));
    // A label that lies is believed, as browsers do; UTF-8 alone is not asked whether it is.
    assert_eq!(of("<meta charset=big5>é".as_bytes()), ("big5", "declared"));
    assert_eq!(of("<p>é".as_bytes()), ("utf-8", "utf-8"));
    assert_eq!(of(b""), ("utf-8", "utf-8"));
    assert_eq!(of(b"ASCII"), ("utf-8", "utf-8"));
    assert_eq!(of(b"\xFF\xFE"), ("utf-16le", "bom"));
    assert_eq!(of(b"\xFE\xFF\0a"), ("utf-16be", "bom"));
    assert_eq!(of(b"\xFF"), ("windows-1252", "default"));
}

#[test]
fn utf_16_cannot_be_declared_in_ascii() {
    assert_eq!(of(b"<meta charset=utf-16le>"), ("utf-8", "declared"));
    assert_eq!(of(b"<meta charset=x-user-defined>"), ("windows-1252", "declared"));
    assert_eq!(of(&utf_16("<?xml version='1.0' encoding='utf-16'?>")), ("utf-16le", "declared"));
    assert_eq!(of(&utf_16("<p>no declaration, no mark</p>\n")), ("utf-16le", "detected"));
}

/// A label that the bytes refute is ignored, in memory and in streams that are cut anywhere.
#[test]
fn a_label_of_utf_16_does_not_hide_ascii() {
    let finder = Finder::new();
    let found = |document: &[u8], label: &str, format: Format| {
        let hints = Hints::new().format(format).charset(label.parse().unwrap());
        let links = finder.document(document, &hints).unwrap().links();
        let whole: Vec<_> =
            links.map(|link| (link.charset().as_str(), link.uri().into_owned())).collect();
        // Of the long document each byte would say nothing more.
        let lens: &[usize] =
            if document.len() > 1 << 16 { &[1023, 5000] } else { &[1, 2, 7, 1023, 1024, 5000] };
        for &len in lens {
            let mut streamed = Vec::new();
            let reader = Pieces::new(document.chunks(len));
            let scanned = finder.scan_reader(reader, &hints, |event| {
                if let Event::Link { link, .. } = event {
                    streamed.push((link.charset().as_str(), link.uri().into_owned()));
                }
                ControlFlow::Continue(())
            });
            assert!(scanned.is_ok() && streamed == whole, "{label} {len} {streamed:?} {whole:?}");
        }
        whole
    };
    let page = "<a href='http://e.com/1'>a</a>";
    for text in [page.to_owned(), page.repeat(40), "a ".repeat(1 << 20) + page] {
        for label in ["utf-16", "utf-16le", "utf-16be"] {
            for format in [Format::Text, Format::Html] {
                let links = found(text.as_bytes(), label, format);
                let is_found = |(charset, uri): &(&str, String)| {
                    *charset == "utf-8" && uri == "http://e.com/1"
                };
                assert!(!links.is_empty() && links.iter().all(is_found), "{label} {links:?}");
            }
            let is_le = label != "utf-16be";
            let units = text.encode_utf16();
            let wide: Vec<u8> = units
                .flat_map(|unit| if is_le { unit.to_le_bytes() } else { unit.to_be_bytes() })
                .collect();
            let links = found(&wide, label, Format::Html);
            let wanted = if is_le { "utf-16le" } else { "utf-16be" };
            assert!(!links.is_empty() && links.iter().all(|link| link.0 == wanted), "{links:?}");
        }
    }
    // A single other byte is evidence enough for the label.
    assert_eq!(found(format!("{page}\u{e9}").as_bytes(), "utf-16le", Format::Text), []);
}

#[test]
fn a_declaration_after_the_first_kib_is_better_than_a_guess() {
    let late = [&b"<html>"[..], &[b' '; 5000], b"<meta charset=iso-8859-7>", b"\xE1\xE2"].concat();
    assert_eq!(of(&late), ("iso-8859-7", "declared"));
    let valid = [&late[..late.len() - 2], "é".as_bytes()].concat();
    assert_eq!(of(&valid), ("utf-8", "utf-8"), "and valid UTF-8 is better than that");
}

#[test]
fn iso_2022_jp_is_found_in_ascii() {
    assert_eq!(of(b"mail \x1B$B$3$s$K$A$O\x1B(B end"), ("iso-2022-jp", "detected"));
    assert_eq!(of(b"\x1B[1mbold\x1B(B\x1B[m"), ("utf-8", "utf-8"));
}

#[test]
fn bytes_after_the_sample_change_nothing() {
    let mut text = "été ".repeat(40_000).into_bytes();
    text.extend(b"\xE9\xE8".repeat(1000));
    assert_eq!(of(&text), ("utf-8", "utf-8"));
    let mut ascii = vec![b'a'; Detected::START];
    ascii.push(0xFF);
    assert_eq!(of(&ascii), ("utf-8", "utf-8"));
}

#[test]
fn a_label_that_is_none_is_told_and_passed_over() {
    let found = Detected::of(b"<meta charset=nonsense><meta charset=iso-8859-5>").unwrap();
    assert_eq!((found.charset().as_str(), found.source()), ("iso-8859-5", CharsetSource::Declared));
    let found = Detected::of(b"<meta charset=nonsense>").unwrap();
    assert_eq!((found.unknown_label(), found.source()), (Some("nonsense"), CharsetSource::Utf8));
    let long = format!("<meta charset='{}'>", "x".repeat(900));
    let found = Detected::of(long.as_bytes()).unwrap();
    assert_eq!(found.unknown_label().map(str::len), Some(64), "a message is no document");
    let refused = Detected::of(b"<?xml version='1.0' encoding='ISO-2022-KR'?>").unwrap_err();
    assert_eq!(refused, linksift::NotRead::Undecodable { label: Some("ISO-2022-KR".into()) });
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn no_bytes_make_it_panic() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let pieces: [&[u8]; 16] = [
        b"<meta charset=",
        b"<meta http-equiv=content-type content='text/html; charset=",
        b"<!--",
        b"-->",
        b"<?xml encoding='",
        b"@charset \"",
        b"-*- coding: ",
        b"# vim: fenc=",
        b"\x1B$B",
        b"\x1B(J",
        b"\0<\0?\0x",
        b"\"",
        b"big5\xFF",
        b"\xE9t\xE9 ",
        b">\n",
        b"utf-16",
    ];
    let (mut others, mut plain) = (0, 0);
    for _ in 0..4000 {
        let mut bytes = Vec::new();
        for _ in 0..dice.next() % 12 {
            match dice.next() % 3 {
                0 => bytes.push(dice.next() as u8),
                _ => bytes.extend_from_slice(pieces[dice.next() as usize % pieces.len()]),
            }
        }
        // No piece names an encoding that nothing can be decoded from.
        let found = Detected::of(&bytes).unwrap_or_else(|e| panic!("{e}: {bytes:?}"));
        others += usize::from(found.charset() != Charset::UTF_8);
        let is_plain = bytes.iter().all(|byte| (1..0x7F).contains(byte) && *byte != 0x1B);
        if is_plain && found.source() == CharsetSource::Utf8 {
            plain += 1;
            assert_eq!(found.charset(), Charset::UTF_8, "{bytes:?}");
        }
    }
    assert!(others > 500 && plain > 100, "{others} and {plain}");
    for byte in 0..=0xFF_u8 {
        for length in [1, 2, 3, 1023, 1024, 5000] {
            let found = Detected::of(&vec![byte; length]).unwrap();
            let is_text = byte.is_ascii_graphic() || byte == b' ';
            assert!(!is_text || found.charset() == Charset::UTF_8, "{byte} {length} times");
        }
    }
}

#[test]
fn a_declaration_can_be_cut_anywhere() {
    let whole =
        b"<!-- x --><html><meta http-equiv=\"Content-Type\" content=\"text/html; charset=euc-kr\">";
    for cut in 0..whole.len() {
        assert_eq!(of(&whole[..cut]), ("utf-8", "utf-8"), "{cut}");
    }
    assert_eq!(of(whole), ("euc-kr", "declared"));
}

#[test]
fn time_is_linear_on_hostile_beginnings() {
    for unit in [
        &b"<meta "[..],
        b"<meta charset=x>",
        b"<meta a=b ",
        b"<meta content='charset ",
        b"<meta content=charset=charset=charset",
        b"<!--",
        b"<a ",
        b"<a b='",
        b"</",
        b"\x1B$B",
        b"\x1B(J",
        b"\xFF",
        b"\x81",
        b"\x8E\xA1 ",
        b"\xE9 ",
        b"\xE9\n",
        b"a\0",
        b"vim:",
        b"coding ",
        b"-*-",
    ] {
        let text = unit.repeat((1 << 20) / unit.len());
        let html = [b"<p>\xFF", &text[..]].concat();
        let begin = clock();
        let _ = Detected::of(&text);
        let _ = Detected::of(&html);
        let took = clock() - begin;
        // What is quadratic in 1 MiB takes minutes; code that is not optimised is given its time.
        assert!(took < 5.0, "{}: {took:.1} s", unit.escape_ascii());
    }
}
