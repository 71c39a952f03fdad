//! Lines and columns of links across the end of a block that a stream holds.

use std::ops::ControlFlow;

use linksift::offsets::Unit;
use linksift::{Charset, Event, Finder, Hints, Position};

use super::rounds;
use crate::support::dice::Dice;

/// Length in bytes of the first block that a reader fills.
const BLOCK: usize = 64 << 10;

fn of(event: &Event<'_>) -> Option<(String, Option<Position>)> {
    event.link().map(|link| (link.raw().to_owned(), link.position()))
}

/// Compares the positions of a reader, which fills its blocks, and of a feed in blocks with those in memory.
fn compare(stored: &[u8], hints: &Hints, about: &str) {
    let finder = Finder::new();
    let document = finder.document(stored, hints).unwrap();
    let wanted: Vec<_> =
        document.links().map(|link| (link.raw().to_owned(), link.position())).collect();
    assert!(!wanted.is_empty(), "{about}");
    let mut found = Vec::new();
    let read = finder.scan_reader(stored, hints, |event| {
        found.extend(of(&event));
        ControlFlow::Continue(())
    });
    assert!(read.unwrap().links() > 0);
    assert_eq!(found, wanted, "{about}, in a reader");
    found.clear();
    let mut feed = finder.feed(hints);
    for block in stored.chunks(BLOCK) {
        found.extend(feed.push(block).unwrap().filter_map(|event| of(&event)));
    }
    found.extend(feed.finish().unwrap().filter_map(|event| of(&event)));
    assert_eq!(found, wanted, "{about}, in a feed");
}

/// A candidate's start is found backwards, from bytes that may be in the next block.
#[test]
fn columns_of_links_across_the_end_of_a_block() {
    let text = format!("\x1b[0m{}http://example.com/{}", " ".repeat(65_520), " ".repeat(100));
    for name in ["a.txt", "a.yaml", "a.rs", "a.log"] {
        let hints = Hints::new().charset(Charset::UTF_8).positions(true).name(name);
        compare(text.as_bytes(), &hints, name);
    }
}

/// Texts whose bytes, characters and units of UTF-16 differ, in each of these charsets.
#[test]
fn columns_of_texts_across_the_end_of_a_block_in_each_charset() {
    const ESCAPES: [&str; 5] = ["", "\x1b[0m", "\x1b[1;31m", "\x1b[K", "\x1b[0m \x1b[0m"];
    const FRONTS: [&str; 8] = [" ", "\t", "é ", "表ア ", "я ", "😀 ", "\r\n", "\n"];
    const LINKS: [&str; 7] = [
        "http://example.com/",
        "e.co",
        "<http://example.com/>",
        "www.example.com",
        "a\x1b[1mbc@exa\x1b[0mmple.com",
        "abcdefghijklmnopqrstuvwxyz.abcdefghijklmnopqrstuvwxyz.0123456789@example.com",
        "http://ex\x1b[4mample.com/a",
    ];
    const LABELS: [&str; 6] =
        ["utf-8", "shift_jis", "windows-1251", "gb18030", "iso-2022-jp", "utf-16le"];
    let mut dice = Dice::new(65_536);
    for round in 0..rounds().unwrap_or(300) {
        let label = dice.pick(&LABELS);
        let unit = dice.pick(&[Unit::Bytes, Unit::Chars, Unit::Utf16]);
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let written = |text: &str| -> Vec<u8> {
            match label {
                "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                _ => encoding.encode(text).0.into_owned(),
            }
        };
        let mark = [BLOCK, BLOCK, 512 << 10][dice.below(3)];
        let front = [dice.pick(&ESCAPES), " ", dice.pick(&FRONTS)].concat();
        let (near, last) = (dice.pick(&FRONTS), dice.pick(&ESCAPES));
        let link = dice.pick(&LINKS);
        let tail = [near, last, link].concat();
        let (head, tail) = (written(&front), written(&tail));
        let width = written(" ").len();
        let room = mark + dice.below(8) - dice.below(tail.len() + 20);
        let spaces = written(" ").repeat((room - head.len()) / width);
        let after = written(&" ".repeat(200));
        let stored = [head, spaces, tail, after].concat();
        let hints = Hints::new().charset(label.parse().unwrap()).positions(true).columns(unit);
        let about =
            format!("{round}: {label} {unit:?} {front:?} {near:?} {last:?} {link} at {room}");
        compare(&stored, &hints, &about);
    }
}
