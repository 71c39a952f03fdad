//! The shortcut for short texts has the links of a full detection.

use std::fs;
use std::path::{Path, PathBuf};

use crate::charset::Charset;
use crate::detect::document::{Detection, Disposition, Format, Hints};
use crate::detect::is_plain_text;
use crate::dice::Dice;
use crate::document::finder::Finder;
use crate::driver::memory::Step;

/// All files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// Whether both ways agree on a document; and whether it was reported at once.
fn agrees(finder: &Finder, bytes: &[u8]) -> bool {
    let text = Hints::new().format(Format::Text);
    let known = Some(Detection::known(Disposition::Text));
    for hints in [
        text.clone(),
        text.clone().charset(Charset::UTF_8),
        Hints { detection: known, ..text.clone() },
        Hints { detection: known, ..text.charset(Charset::UTF_8) },
    ] {
        agrees_on(finder, bytes, &hints);
    }
    agrees_on(finder, bytes, &Hints::new())
}

fn agrees_on(finder: &Finder, bytes: &[u8], hints: &Hints) -> bool {
    let told = |found: Result<crate::Candidates<'_, '_>, _>| {
        found.map(|mut found| {
            let all: Vec<_> = found.by_ref().collect();
            (format!("{all:?}"), found.notices())
        })
    };
    let by_look = told(finder.document_by_look(bytes, hints));
    assert_eq!(told(finder.document(bytes, hints)), by_look, "{}", String::from_utf8_lossy(bytes));
    is_plain_text(hints, bytes)
}

#[test]
fn short_documents_are_what_a_look_at_them_tells() {
    let finder = Finder::new();
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"), &mut paths);
    let (mut plain, mut asked) = (0, 0);
    for path in paths {
        let bytes = fs::read(path).unwrap();
        let lines = bytes.split(|byte| *byte == b'\n').take(200);
        let from_lines =
            lines.map(|line| &bytes[line.as_ptr() as usize - bytes.as_ptr() as usize..]);
        for (number, from) in from_lines.enumerate() {
            let len = [17, 60, 128, 300, 1500, 4096][number % 6];
            plain += usize::from(agrees(&finder, &from[..from.len().min(len)]));
            asked += 1;
        }
    }
    assert!(plain > asked / 4, "{plain} of {asked}");
}

/// Calls for the next candidate and calls with a number of bytes give together what one of them gives alone.
#[test]
fn steps_of_all_kinds_give_the_same() {
    const PIECES: [&str; 8] = [
        "http://a.example/",
        "b@c.example ",
        "word word ",
        "。",
        "d.com",
        "http://256.1.1.1/",
        ":",
        "@",
    ];
    let finder = Finder::new();
    let mut dice = Dice::new(17);
    let mut count = 0;
    for round in 0..600 {
        let text: String =
            (0..dice.below([4, 40, 400][round % 3])).map(|_| dice.pick(&PIECES)).collect();
        let wanted: Vec<_> = finder.candidates(&text).map(|one| format!("{one:?}")).collect();
        let mut candidates = finder.candidates(&text);
        let mut found = Vec::new();
        loop {
            let next = match dice.below(3) {
                0 => candidates.next().map_or(Step::Done, Step::Found),
                _ => candidates.next_within(dice.below(90)),
            };
            match next {
                Step::Found(one) => found.push(format!("{one:?}")),
                Step::Done => break,
                Step::Budget => {}
            }
        }
        assert_eq!(found, wanted, "{text}");
        count += found.len();
        let links: Vec<_> = finder.links(&text).collect();
        let mut some = finder.links(&text);
        let mut linked: Vec<_> = some.by_ref().take(dice.below(5)).collect();
        loop {
            match some.next_within(dice.below(90)) {
                Step::Found(link) => linked.push(link),
                Step::Done => break,
                Step::Budget => {}
            }
        }
        assert_eq!(linked, links, "{text}");
    }
    assert!(count > 5_000, "{count}");
}

/// A call that finds a link in bytes that the pass has seen shows it no others: otherwise the one call that finds none
/// would search the bytes of all calls.
#[test]
fn a_call_searches_about_as_many_bytes_as_it_is_given() {
    const STEP: usize = 50;
    let finder = Finder::new();
    let plain = "word ".repeat(20_000);
    for (link, declared) in [
        ("http://a.example/ ", None),
        ("<a href=http://a.example/>b</a>", Some(crate::detect::document::Format::Html)),
    ] {
        let bytes = [link.repeat(500), plain.clone()].concat().into_bytes();
        let hints = match declared {
            None => Hints::new(),
            Some(format) => Hints::new().format(format),
        };
        let mut links = finder.document(&bytes, &hints).unwrap().links();
        let (mut found, mut pending) = (0, 0);
        loop {
            match links.next_within(STEP) {
                Step::Found(_) => found += 1,
                Step::Done => break,
                Step::Budget if found == 500 => pending += 1,
                Step::Budget => {}
            }
        }
        assert_eq!(found, 500);
        assert!(pending >= plain.len() / STEP - 5, "{declared:?}: {pending}");
    }
}

#[test]
fn texts_that_only_begin_plainly() {
    let finder = Finder::new();
    let tar = {
        let mut header = [b'a'; 512];
        header[257..262].copy_from_slice(b"ustar");
        header
    };
    for text in [
        &b"Subject: a\n\nsee example.com"[..],
        b"x\nSubject: a\nDate: b\n\nsee example.com",
        b"From me to you: example.com",
        b"From joe Mon Nov 23 21:42:42 2026\nSubject: a\n\nb",
        b"PK\x03\x04 example.com",
        b"BZh91AY&SY example.com",
        b"RIFF example.com",
        b"true\0\x05 example.com",
        b"filedesc://a example.com",
        b"ab # vim: set fileencoding=latin1 : http://e.com/?\xE9",
        b"ab\n# coding: koi8-r\nhttp://e.com/?\xC4\xA0",
        b"ab -*- coding: utf-16 -*- http://e.com/?\xC3\xA9",
        b"P\x2A\x4D\x18 example.com",
        b"\xE3\x81\x82 http://e.com/\xE3\x81",
        b"a\x1B$B%Q%9\x1B(B example.com",
        b"a \x7F example.com",
        &tar,
    ] {
        agrees(&finder, text);
    }
}
