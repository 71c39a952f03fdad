//! Streams: whatever a read returns, and wherever it fails, what is given is what the whole document has.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;

use linksift::{Charset, Event, Finder, Format, Hints, NotRead, ScanError};

use crate::support::failing::Failing;
use crate::support::pieces::Pieces;

/// What is said of a candidate.
fn line(event: Event<'_>) -> String {
    match event {
        Event::Link { link, .. } => format!("{:?} {} {}", link.range(), link.context(), link.uri()),
        Event::Rejected { rejected: one, .. } => {
            format!("{:?} {} {}", one.range(), one.context(), one.reason().as_str())
        }
        other => panic!("{other:?}"),
    }
}

fn in_memory(bytes: &[u8], format: Format, charset: Charset) -> Vec<String> {
    let found = Finder::new();
    let found = found.document(bytes, &Hints::new().format(format).charset(charset)).unwrap();
    found.map(|one| line(Event::from(one))).collect()
}

fn in_a_stream(
    reader: impl Read,
    format: Format,
    charset: Charset,
) -> (Vec<String>, io::Result<u64>) {
    let mut lines = Vec::new();
    let hints = Hints::new().format(format).charset(charset);
    let scanned = Finder::new().scan_reader(reader, &hints, |event| {
        lines.push(line(event));
        ControlFlow::Continue(())
    });
    (lines, scanned.map(|scanned| scanned.bytes()).map_err(io::Error::from))
}

/// A document that is markup is read as such, wherever the first reads end.
#[test]
fn the_format_does_not_hang_on_what_a_read_returns() {
    for (text, context) in [
        ("<!doctype html><a href=http://e.com/>x</a>", "a@href"),
        ("\u{FEFF} \n<!DOCTYPE HTML PUBLIC><a href=http://e.com/>x</a>", "a@href"),
        ("<!-- a --> <!-- b --><html><a href=http://e.com/>x</a>", "a@href"),
        ("<html lang=de><a href=http://e.com/>x</a>", "a@href"),
        ("<?xml version='1.0'?><x href='http://e.com/'/>", "x@href"),
        ("<?xml-stylesheet href='http://e.com/'?><x/>", "xml-stylesheet@href"),
        ("<x xmlns='http://e.com/'><x href='http://e.com/'/></x>", "x@href"),
        ("<svg><a href='http://e.com/'/></svg>", "a@href"),
        ("[ \"http:\\/\\/e.com\\/\" ]", "text"),
        ("<3 http://e.com/ <a href=http://e.com/>", "text"),
    ] {
        let charset = Charset::UTF_8;
        let wanted = in_memory(text.as_bytes(), Format::Auto, charset);
        assert!(wanted.iter().any(|line| line.contains(context)), "{text}: {wanted:?}");
        for cut in 1..text.len() {
            let (front, rest) = text.as_bytes().split_at(cut);
            let (found, _) = in_a_stream(Pieces::new([front, rest]), Format::Auto, charset);
            assert_eq!(found, wanted, "{text} cut at {cut}");
        }
        let (found, _) = in_a_stream(Pieces::new(text.as_bytes().chunks(1)), Format::Auto, charset);
        assert_eq!(found, wanted, "{text} byte by byte");
    }
}

/// What cannot become markup any more does not wait for more.
#[test]
fn text_of_a_known_charset_is_not_waited_for() {
    struct Slow<'c>(&'c Cell<usize>, usize);
    impl Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            const PARTS: [&str; 2] = ["see http://e.com/a now\n", "and http://e.com/b now\n"];
            assert_eq!(self.0.get(), self.1.min(PARTS.len()), "each link before the next read");
            let part = PARTS.get(self.1).copied().unwrap_or_default();
            self.1 += 1;
            to[..part.len()].copy_from_slice(part.as_bytes());
            Ok(part.len())
        }
    }
    let given = Cell::new(0);
    let hints = Hints::new().format(Format::Auto).charset(Charset::UTF_8);
    let scanned = Finder::new().scan_reader(Slow(&given, 0), &hints, |_| {
        given.set(given.get() + 1);
        ControlFlow::Continue(())
    });
    assert_eq!(scanned.unwrap().links(), 2);
}

/// A reader that fills its buffers is detected as memory and a feed are, also if its links need not wait for an encoding.
#[test]
fn a_nul_in_the_first_bytes_is_seen_in_a_reader_of_a_known_charset() {
    let (finder, hints) = (Finder::new(), Hints::new().charset(Charset::UTF_8));
    for at in [100, 4000, 4095, 4096, 5000, 8191, 8192, 9000] {
        let mut text = format!("http://example.com/{}", " ".repeat(10_000)).into_bytes();
        text[at] = 0;
        let unread = (at < 8192).then_some(NotRead::Binary);
        assert_eq!(finder.document(&text, &hints).err(), unread, "NUL at {at} in memory");
        let reason = |error| match error {
            ScanError::NotRead(reason) => reason,
            error => panic!("{error}"),
        };
        let read = finder.scan_reader(&text[..], &hints, |_| ControlFlow::Continue(()));
        let notices = read.as_ref().map_or(0, |scanned| scanned.notices().len());
        assert_eq!(notices, 0, "NUL at {at}");
        assert_eq!(read.map_err(reason).err(), unread, "NUL at {at} in a reader");
        let mut feed = finder.feed(&hints);
        let pushed = feed.push(&text).map(Iterator::count);
        assert_eq!(pushed.map_err(reason).err(), unread, "NUL at {at} in a feed");
    }
}

/// Where a reader fails, no link is cut there: what was given is what the whole document has.
#[test]
fn nothing_is_cut_where_a_reader_fails() {
    let text = "见 http://example.com/path?q=1, www.example.org. a@example.com http://10.0.0.1:8080/x mailto:b@example.com";
    let page = "<p>http://example.com/a</p><a href='http://example.com/b?x=1'>x</a> www.example.org\n<style>a{b:url(http://example.com/c)}</style>";
    let data = "[\"http://example.com/a\", \"www.example.org\"]";
    for (name, format, text) in [
        ("utf-8", Format::Text, text),
        ("gb18030", Format::Text, text),
        ("utf-16le", Format::Text, text),
        ("iso-2022-jp", Format::Text, &text["见".len()..]),
        ("utf-8", Format::Html, page),
        ("windows-1251", Format::Html, page),
        ("utf-8", Format::Json, data),
    ] {
        let charset: Charset = name.parse().unwrap();
        let stored: Vec<u8> = match name {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "gb18030" => encoding_rs::GB18030.encode(text).0.into_owned(),
            _ => text.as_bytes().to_vec(),
        };
        let wanted = in_memory(&stored, format, charset);
        assert!(wanted.len() >= 2, "{name} {wanted:?}");
        let mut given = 0;
        for cut in 0..=stored.len() {
            let (found, scanned) = in_a_stream(Failing(&stored[..cut]), format, charset);
            assert!(scanned.is_err());
            assert!(wanted.starts_with(&found), "{name} fails at {cut}: {found:?} of {wanted:?}");
            given += found.len();
        }
        assert!(given > stored.len() / 2, "{name}: what is decided before is given");
    }
}

/// What is in front of a control, or of a mark outside ASCII, has a say in a path that goes over it.
#[test]
fn paths_over_controls_in_memory_and_in_streams() {
    let mut refused = 0;
    for (name, between) in [
        ("windows-1251", "\u{1}"),
        ("koi8-r", "\u{2}"),
        ("utf-16le", "\u{1}"),
        ("shift_jis", "、"),
        ("euc-jp", "「"),
    ] {
        let charset: Charset = name.parse().unwrap();
        for n in 0..=40 {
            let text = format!(" isbn:p/{}/e.co", between.repeat(n));
            let stored: Vec<u8> = match name {
                "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                _ => encoding_rs::Encoding::for_label(name.as_bytes())
                    .unwrap()
                    .encode(&text)
                    .0
                    .into_owned(),
            };
            let wanted = in_memory(&stored, Format::Text, charset);
            let plain = in_memory(text.as_bytes(), Format::Text, Charset::UTF_8);
            assert_eq!(wanted.len(), plain.len(), "{name} {n}");
            let is_refused =
                |lines: &[String]| lines.iter().any(|line| line.ends_with("file-name"));
            assert_eq!(is_refused(&wanted), is_refused(&plain), "{name} {n}: {wanted:?}");
            refused += usize::from(is_refused(&wanted));
            for size in [1, 7, stored.len()] {
                let (found, _) =
                    in_a_stream(Pieces::new(stored.chunks(size)), Format::Text, charset);
                assert_eq!(found, wanted, "{name} {n} by {size}");
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

/// What the other attributes of a `meta` say is known at its end; its links are in order all the same.
#[test]
fn the_links_of_a_meta_are_in_order() {
    let page = "<p>http://e.com/a<meta content=/c itemid=urn:isbn:9783161484100 style='b:url(/d)' itemprop=url>http://e.com/e<meta content=x itemid=/f>";
    let wanted = in_memory(page.as_bytes(), Format::Html, Charset::UTF_8);
    let contexts: Vec<_> = wanted.iter().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!(contexts, ["text", "meta@content", "meta@itemid", "style", "text", "meta@itemid"]);
    for size in 1..page.len() {
        let reader = Pieces::new(page.as_bytes().chunks(size));
        assert_eq!(in_a_stream(reader, Format::Html, Charset::UTF_8).0, wanted, "by {size}");
    }
}
