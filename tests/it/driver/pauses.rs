//! Streams that pause: what is decided is given before more is read, and it is what the whole document has.
//!
//! With `Hints::eager` a read that returns less than was asked for is a pause.

use std::cell::Cell;
use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;

use linksift::{Charset, Event, Finder, Format, Hints, Notice, Warning};

use crate::support::pieces::Pieces;

/// What is said of a candidate that may be given early: all but its charset.
fn line(event: &Event<'_>) -> String {
    match event {
        Event::Link { link, .. } => {
            let (raw, iri, uri) = (link.raw(), link.iri(), link.uri());
            format!("{:?} {:?} {} {raw} {iri} {uri}", link.range(), link.position(), link.context())
        }
        Event::Rejected { rejected: one, .. } => {
            format!("{:?} {} {} {}", one.range(), one.context(), one.raw(), one.reason().as_str())
        }
        other => panic!("{other:?}"),
    }
}

fn in_memory(bytes: &[u8], hints: &Hints) -> Vec<String> {
    let finder = Finder::new();
    let found = finder.document(bytes, hints).unwrap();
    found.map(|one| line(&Event::from(one))).collect()
}

fn in_pieces(reader: impl Read, hints: &Hints) -> Vec<String> {
    let mut lines = Vec::new();
    let hints = hints.clone().eager(true);
    let scanned = Finder::new().scan_reader(reader, &hints, |event| {
        lines.push(line(&event));
        ControlFlow::Continue(())
    });
    scanned.unwrap();
    lines
}

/// Gives parts, one a read, and notes how many links were given before each read.
struct Parts<'p> {
    parts: &'p [&'p [u8]],
    next: usize,
    given: &'p Cell<usize>,
    seen: Vec<usize>,
}

impl Read for &mut Parts<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.next > 0 && self.next <= self.parts.len() {
            self.seen.push(self.given.get());
        }
        let part = self.parts.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        to[..part.len()].copy_from_slice(part);
        Ok(part.len())
    }
}

/// How many links are given after each part, and what they are.
fn given(parts: &[&[u8]], hints: &Hints) -> (Vec<usize>, Vec<String>) {
    let given = Cell::new(0);
    let mut reader = Parts { parts, next: 0, given: &given, seen: Vec::new() };
    let mut lines = Vec::new();
    let hints = hints.clone().eager(true);
    let scanned = Finder::new().scan_reader(&mut reader, &hints, |event| {
        if let Event::Link { link, .. } = &event {
            given.set(given.get() + 1);
            lines.push(format!("{} {}", link.charset(), link.uri()));
        }
        ControlFlow::Continue(())
    });
    scanned.unwrap();
    (reader.seen, lines)
}

fn auto() -> Hints {
    Hints::new().format(Format::Auto).positions(true)
}

/// Those of which a base is after the head, where it comes too late for a stream that pauses.
const LATE: [&str; 10] = [
    "base-after.html",
    "base-in-body.html",
    "base-in-foreign-object.html",
    "base-in-script.html",
    "base-in-svg.html",
    "base-in-template-nested.html",
    "base-last.html",
    "base-no-href-first.html",
    "base-srcdoc.html",
    "base-xhtml-late.xhtml",
];

#[test]
fn fixtures_in_short_reads_have_the_links_of_the_whole() {
    let folder = crate::root().join("fixtures/markup/links");
    let (mut documents, mut late) = (0, Vec::new());
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        let bytes = fs::read(&path).unwrap();
        if name.ends_with(".json") || std::str::from_utf8(&bytes).is_err() {
            continue;
        }
        documents += 1;
        let hints = auto().name(name).base("http://b.example/d/e".parse().unwrap());
        let wanted = in_memory(&bytes, &hints);
        let has_base = bytes.windows(5).any(|part| part.eq_ignore_ascii_case(b"<base"));
        for size in [1, 61, 1000] {
            let found = in_pieces(Pieces::new(bytes.chunks(size)), &hints);
            // So few bytes with controls among them are binary data, when they come one by one.
            if size == 1 && bytes.iter().any(|byte| matches!(byte, 0..=8 | 0x0E..=0x1A)) {
                continue;
            }
            if has_base && found != wanted {
                late.push(name.to_owned());
                continue;
            }
            let differ = found.iter().zip(&wanted).find(|(found, wanted)| found != wanted);
            assert_eq!(differ, None, "{name} by {size}");
            assert_eq!(found.len(), wanted.len(), "{name} by {size}");
        }
    }
    assert!(documents > 200, "{documents}");
    late.dedup();
    assert_eq!(late, LATE);
}

#[test]
fn links_are_given_at_a_pause_in_each_format() {
    let utf8 = |parts: &[&str], hints: Hints, seen: &[usize], last: usize| {
        let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
        let (found, lines) = given(&parts, &hints);
        assert_eq!((&found[..], lines.len()), (seen, last), "{parts:?} {lines:?}");
    };
    let page = "<!doctype html><head><title>t</title></head><body><a href=http://e.com/1>a</a> ";
    utf8(&[page, "<a href=http://e.com/2>a</a>"], auto(), &[1, 2], 2);
    utf8(&[page, "é", " <a href=http://e.com/2>a</a>"], auto(), &[1, 1, 2], 2);
    utf8(&["<p>http://e.com/1</p>", "<p>http://e.com/2</p>"], auto(), &[1, 2], 2);
    utf8(&["{\"a\":\"http://e.com/1\"}\n", "{\"a\":\"http://e.com/2 é\"}\n"], auto(), &[1, 2], 2);
    let csv = auto().format(Format::Csv);
    utf8(&["a;http://e.com/1\n", "b;http://e.com/2\n"], csv, &[1, 2], 2);
    let rss = "<?xml version='1.0'?><rss><channel><link>http://e.com/1</link><x/>";
    utf8(&[rss, "<link>http://e.com/2</link></channel></rss>"], auto(), &[1, 2], 2);
    let css = auto().format(Format::Css);
    utf8(&["a{b:url(http://e.com/1)}\n", "a{b:url(c)}\n"], css, &[1, 2], 2);
    utf8(&["see http://e.com/1 and\n", "é http://e.com/2 and\n"], auto(), &[1, 2], 2);
    // A terminal's colours are no other encoding.
    utf8(&["\u{1b}[1mhttp://e.com/1\u{1b}[m \n", "http://e.com/2 \n"], auto(), &[1, 2], 2);
    // A line like a field of mail, of which no more comes for now.
    utf8(&["Note: http://e.com/1 and\n", "http://e.com/2 and\n"], auto(), &[1, 2], 2);
    // What is at the end of these says what is before it.
    let markdown = auto().format(Format::Markdown);
    utf8(&["[a](http://e.com/1)\n\n", "[a](http://e.com/2)\n"], markdown, &[0, 0], 2);
    let card = "BEGIN:VCARD\nURL:http://e.com/1\n";
    utf8(&[card, "URL:http://e.com/2\nEND:VCARD\n"], auto(), &[0, 0], 2);
}

#[test]
fn the_encoding_is_decided_at_the_first_pause_after_a_character_beyond_ascii() {
    let russian = |text: &str| encoding_rs::WINDOWS_1251.encode(text).0.into_owned();
    let parts = ["see http://e.com/1 \n", "Привет, мир! http://e.com/П \n", "http://e.com/é \n"];
    let [first, second, _] = parts.map(russian);
    let (seen, lines) = given(&[&first, &second, parts[2].as_bytes()], &auto());
    assert_eq!(seen, [1, 2, 3]);
    assert_eq!(lines[0], "utf-8 http://e.com/1");
    assert_eq!(lines[1], "windows-1251 http://e.com/%D0%9F");
    // Once decided it stays so: what follows is read as the same.
    assert!(lines[2].starts_with("windows-1251"), "{lines:?}");
    // In a page too, whose links before it are not given again.
    let page = "<p><a href=/1>a</a> <a href=/2>b</a>";
    let rest = russian("<p>Привет, мир! <a href=/П?П>я</a> ");
    let hints = auto().base("http://e.com/".parse().unwrap());
    let (seen, lines) = given(&[page.as_bytes(), &rest, b"<a href=/3>c</a>"], &hints);
    assert_eq!(seen, [2, 3, 4]);
    assert_eq!(lines[2], "windows-1251 http://e.com/%D0%9F?%CF");
    assert_eq!(lines[3], "windows-1251 http://e.com/3");
    // Half a character decides nothing.
    let (seen, lines) = given(&[b"a http://e.com/1 \xD0", b"\x9F http://e.com/2 \n"], &auto());
    assert_eq!((seen, lines.len()), (vec![0, 2], 2));
    assert!(lines.iter().all(|line| line.starts_with("utf-8")), "{lines:?}");
    // What is transcoded as a whole is given at the end, but for what was given before.
    let japanese =
        encoding_rs::SHIFT_JIS.encode("[\"これは日本語の文章です。 http://e.com/2\"]\n").0;
    let json = b"[\"http://e.com/1\", \"http://e.com/1\"]\n";
    let (seen, lines) = given(&[json, &japanese, b"[\"http://e.com/3\"]\n"], &auto());
    assert_eq!((seen, lines.len()), (vec![2, 2, 2], 4), "{lines:?}");
    assert_eq!(lines[2], "shift_jis http://e.com/2");
}

#[test]
fn references_wait_for_a_base_until_the_head_ends() {
    let hints = || auto().base("http://b.e/".parse().unwrap());
    for (parts, seen, uris) in [
        // Absolute ones do not wait, those after one that waits do.
        (
            &[
                "<head><link href=http://a.e/>",
                "<link href=r><link href=http://c.e/>",
                "<base href=/d/>",
            ][..],
            &[1, 1, 4][..],
            "http://a.e/ http://b.e/d/r http://c.e/ http://b.e/d/",
        ),
        (&["<head><link href=r>", "<title>x</title>", "</head>"], &[0, 0, 1], "http://b.e/r"),
        (&["<link href=r>", "<body>", "<a href=s>x</a> "], &[0, 1, 2], "http://b.e/r http://b.e/s"),
        (&["<link href=r>", "<p>", "x"], &[0, 1, 1], "http://b.e/r"),
        (
            &["<style>a{b:url(http://a.e/)}</style>", "<style>a{b:url(r)}</style>", "<p>"],
            &[1, 1, 2],
            "http://a.e/ http://b.e/r",
        ),
        (
            &["<link href=http:r>", "<base href=/d/>", "<p>"],
            &[0, 2, 2],
            "http://b.e/d/r http://b.e/d/",
        ),
        // The end is a head's end too, and then it counts wherever it is.
        (&["<link href=r>", "<title>", "<p>"], &[0, 0, 0], "http://b.e/r"),
        // A feed has none.
        (
            &["<rss xml:base='/d/'><link href='r'/>", "<x/>", "<x/>"],
            &[2, 2, 2],
            "http://b.e/d/ http://b.e/d/r",
        ),
    ] {
        let stored: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
        let (found, lines) = given(&stored, &hints());
        let lines: Vec<_> = lines.iter().map(|line| line.split_once(' ').unwrap().1).collect();
        assert_eq!((&found[..], lines.join(" ").as_str()), (seen, uris), "{parts:?}");
    }
}

#[test]
fn a_base_after_the_head_is_late_and_changes_nothing() {
    let page = "<head></head><a href=r>x</a> <base href=http://late.e/><a href=s>x</a> ";
    let hints = auto().base("http://b.e/".parse().unwrap()).eager(true);
    let mut found = Vec::new();
    let reader = Pieces::cut(page.as_bytes(), &[30]);
    let scanned = Finder::new().scan_reader(reader, &hints, |event| {
        if let Event::Link { link, .. } = event {
            let is_late = link.warnings().contains(Warning::LateBase);
            found.push((link.uri().into_owned(), is_late));
        }
        ControlFlow::Continue(())
    });
    assert!(scanned.unwrap().notices().is_empty());
    let wanted = [("http://b.e/r", false), ("http://late.e/", true), ("http://b.e/s", false)];
    assert_eq!(found, wanted.map(|(uri, is_late)| (uri.to_owned(), is_late)));
    // In memory, and from a reader that gives all that it is asked for, it counts.
    for uris in [in_memory(page.as_bytes(), &hints), {
        let mut lines = Vec::new();
        let hints = hints.clone().eager(false);
        let reader = Pieces::cut(page.as_bytes(), &[30]);
        let scanned = Finder::new().scan_reader(reader, &hints, |event| {
            lines.push(line(&event));
            ControlFlow::Continue(())
        });
        scanned.unwrap();
        lines
    }] {
        assert!(uris[0].ends_with(" http://late.e/r"), "{uris:?}");
    }
}

/// A reader that returns what it is asked for does not pause, though `eager` is set.
#[test]
fn a_reader_that_flows_is_detected_from_as_a_whole() {
    struct Full<'t>(&'t [u8]);
    impl Read for Full<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.0.read(to)
        }
    }
    let filler = "words of a page ".repeat(20_000);
    let page = format!("<head></head><a href=r>x</a> {filler} <base href=http://e.com/>");
    let hints = auto();
    let wanted = in_memory(page.as_bytes(), &hints);
    let mut reader = Full(page.as_bytes());
    // The end may come after a read that was short.
    let (found, rest) = (in_pieces(&mut reader, &hints), reader.0.len());
    assert_eq!((rest, found[0] == wanted[0]), (0, false), "the last read is short: {found:?}");
    let hints = hints.charset(Charset::UTF_8);
    let whole = 64 << 10;
    let page = format!("{}{}", &page[..page.len() - 30], " ".repeat(whole));
    let page = &page[..page.len() / whole * whole];
    assert_eq!(in_pieces(Full(page.as_bytes()), &hints), in_memory(page.as_bytes(), &hints));
}

#[test]
fn a_document_is_binary_or_text_by_what_is_there_at_a_pause() {
    let binary = [&[0; 600][..], b" http://e.com/1 www.a.com and more\n"].concat();
    for (parts, is_told) in [
        (&[&binary[..], b"http://e.com/2 \n"][..], true),
        (&[b"see http://e.com/1 and more\n", b"http://e.com/2 \n"], false),
    ] {
        let (seen, lines) = given(parts, &auto().salvage(true));
        assert_eq!(lines.len(), 2, "{lines:?}");
        // In binary data a string may begin before what was read last.
        assert_eq!(seen, if is_told { [0, 0] } else { [1, 2] });
        let hints = auto().salvage(true).eager(true);
        let reader = Pieces::new(parts.iter().copied());
        let scanned =
            Finder::new().scan_reader(reader, &hints, |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(scanned.notices().contains(&Notice::Binary), is_told);
    }
}

/// Text ends where a stream proves to be binary, whatever was open there: links with a scheme are found behind it, where they
/// are stored.
#[test]
fn links_are_found_behind_the_first_control_character_whatever_was_open() {
    let units = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let link = "http://late.example/a";
    for (format, open) in [
        (Format::Text, "see "),
        (Format::Html, "<p>http://e.com/ <!-- a"),
        (Format::Html, "<p>http://e.com/ <img alt='a"),
        (Format::Html, "<p>http://e.com/ <script>a"),
        (Format::Html, "<p>http://e.com/ <style>a{"),
        (Format::Xml, "<a>http://e.com/ <!-- a"),
        (Format::Css, "a{} /* a"),
        (Format::Csv, "a,http://e.com/,\"a"),
        (Format::Json, "[\"http://e.com/\","),
    ] {
        for stored in [link.as_bytes().to_vec(), units(link)] {
            let behind = [&[0; 600][..], &stored, b"\0\0www.a.com\0"].concat();
            let hints = Hints::new().declared(format).eager(true).positions(true);
            let mut found = Vec::new();
            let given = Cell::new(0);
            let parts = [open.as_bytes(), &behind];
            let mut reader = Parts { parts: &parts, next: 0, given: &given, seen: Vec::new() };
            let scanned = Finder::new().scan_reader(&mut reader, &hints, |event| {
                found.extend(event.link().map(|link| (link.raw().to_owned(), link.range())));
                ControlFlow::Continue(())
            });
            let scanned = scanned.unwrap();
            let start = open.len() + 600;
            let wanted = (link.to_owned(), start..start + stored.len());
            assert_eq!(found.last(), Some(&wanted), "{open}");
            assert_eq!(found.len() - 1, open.matches("http").count(), "{open}: {found:?}");
            assert!(scanned.notices().contains(&Notice::LateBinary), "{open}");
            assert_eq!(scanned.bytes(), (open.len() + behind.len()) as u64, "{open}");
        }
    }
}
