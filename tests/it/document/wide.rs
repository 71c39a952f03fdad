//! Strings in UTF-16LE in what is not text: links by `scheme://` and `mailto:`, at their bytes, along every code path.

use std::ops::{ControlFlow, Range};

use linksift::container::Opening;
use linksift::files::{self, Options};
use linksift::{Charset, Event, Finder, Format, Hints, Link};

use crate::container::zips;
use crate::made::base64;
use crate::support::growth;
use crate::support::pieces::Pieces;

type Found = (String, Range<usize>, Charset, Option<(u64, u64)>);

fn of_link(link: &Link<'_>) -> Found {
    let position = link.position().map(|position| (position.line, position.column));
    (link.uri().into_owned(), link.range(), link.charset(), position)
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn whole(bytes: &[u8]) -> Vec<Found> {
    let finder = Finder::new();
    let hints = Hints::new().salvage(true).positions(true);
    finder.document(bytes, &hints).unwrap().links().map(|link| of_link(&link)).collect()
}

fn through(bytes: &[u8], cuts: &[usize]) -> Vec<Found> {
    let mut found = Vec::new();
    let each = |event: Event<'_>| {
        found.extend(event.link().map(of_link));
        ControlFlow::Continue(())
    };
    let reader = Pieces::cut(bytes, cuts);
    Finder::new().scan_reader(reader, &Hints::new().salvage(true).positions(true), each).unwrap();
    found
}

/// A file of OLE, as `.doc` and `.msg` are, and what is in it: at an even and at an odd offset.
fn files() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for lead in [&b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0\x01\x02\n"[..], b"\x7FELF\0\0\0\x01\n\0\n"]
    {
        let parts = [
            lead.to_vec(),
            wide("see http://wide.example/a?b=1, or"),
            b"\0\0\x07\x01http://bytes.example/1\0\n\xFF\xFE".to_vec(),
            wide("MAILTO:me@wide.example\u{0}x: y:/z www.no.example"),
            b"\0\x01\x02".to_vec(),
            wide(
                "https://\u{43F}\u{440}\u{438}\u{43C}\u{435}\u{440}.example/\u{E4} https://b.example/\u{1F600}",
            ),
            vec![0xC3; 300],
            wide("ftp://end.example/x"),
            b"\0\0\x01 http://bytes.example/2 \0".to_vec(),
        ];
        files.push(parts.concat());
    }
    files
}

const WANTED: [&str; 8] = [
    "http://wide.example/a?b=1",
    "http://bytes.example/1",
    "MAILTO:me@wide.example",
    "https://xn--e1afmkfd.example/%C3%A4",
    "https://b.example/",
    "ftp://end.example/x",
    "http://bytes.example/2",
    "",
];

#[test]
fn strings_are_found_where_they_are_stored() {
    for bytes in files() {
        let found = whole(&bytes);
        let uris: Vec<&str> = found.iter().map(|one| &*one.0).collect();
        assert_eq!(uris, WANTED[..7]);
        for (uri, range, charset, position) in &found {
            let slice = &bytes[range.clone()];
            match uri.contains("bytes") {
                true => assert_eq!(slice, uri.as_bytes()),
                false => {
                    assert_eq!(charset.as_str(), "utf-16le");
                    let (units, _) = slice.as_chunks::<2>();
                    let units: Vec<u16> =
                        units.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
                    let text = String::from_utf16(&units).unwrap().to_lowercase();
                    let scheme = uri.split(':').next().unwrap();
                    assert!(
                        text.starts_with(&scheme.to_lowercase()) && 2 * units.len() == slice.len(),
                        "{text}"
                    );
                }
            }
            let before = &bytes[..range.start];
            let line = 1 + before.iter().filter(|b| **b == b'\n').count() as u64;
            assert_eq!(position.unwrap().0, line, "{uri}");
        }
    }
}

#[test]
fn strings_are_found_at_every_cut() {
    for bytes in files() {
        let wanted = whole(&bytes);
        for at in 1..bytes.len() {
            assert_eq!(through(&bytes, &[0, at]), wanted, "{at}");
        }
        let every: Vec<usize> = (0..bytes.len()).collect();
        assert_eq!(through(&bytes, &every), wanted);
        // Far behind a stream's first blocks, and over the ends of blocks.
        for gap in [8_000, 65_500, 262_000, 300_000, 1 << 20] {
            let long = [&bytes[..], &vec![0xC3; gap], &bytes].concat();
            let wanted = whole(&long);
            assert_eq!(wanted.len(), 14, "{gap}");
            assert_eq!(through(&long, &[0, 5, 4096, 70_000]), wanted, "{gap}");
            let cuts: Vec<usize> = (0..long.len()).step_by(1000).collect();
            assert_eq!(through(&long, &cuts), wanted, "{gap}");
        }
    }
}

/// What has come in blocks is searched block by block once the encoding is known.
#[test]
fn strings_are_found_at_every_cut_of_what_is_declared() {
    for bytes in files() {
        for charset in ["utf-8", "windows-1252"] {
            let hints = || Hints::new().salvage(true).charset(charset.parse().unwrap());
            let links = |cuts: &[usize]| {
                let mut found = Vec::new();
                let each = |event: Event<'_>| {
                    found.extend(event.link().map(of_link));
                    ControlFlow::Continue(())
                };
                let reader = Pieces::cut(&bytes, cuts);
                Finder::new().scan_reader(reader, &hints(), each).unwrap();
                found
            };
            let wanted = links(&[0]);
            assert_eq!(wanted.len(), 7, "{wanted:?}");
            for at in 1..bytes.len() {
                assert_eq!(links(&[0, at]), wanted, "{charset} {at}");
            }
            let every: Vec<usize> = (0..bytes.len()).collect();
            assert_eq!(links(&every), wanted, "{charset}");
        }
    }
}

#[test]
fn strings_are_found_in_archives_and_in_mail() {
    let bytes = files().remove(0);
    let links = |opening: Opening<'_>, hints: Hints| {
        let mut found = Vec::new();
        let _ = files::scan_one(opening, &Options::new().threads(1).hints(hints), |event| {
            if let Event::Link { link, .. } = event {
                found.push(link.uri().into_owned());
            }
            ControlFlow::Continue(())
        });
        found
    };
    let zip = zips::zip(&[zips::deflated(b"a.doc", &bytes)]);
    assert_eq!(links(Opening::bytes(zip), Hints::new()), WANTED[..7]);
    assert_eq!(links(Opening::bytes(bytes.clone()).name("a.msg"), Hints::new()), WANTED[..7]);
    let mail = format!(
        "Subject: a\nContent-Type: application/msword; name=a.doc\nContent-Transfer-Encoding: base64\n\n{}\n",
        base64(&bytes, 76)
    );
    let mail = Opening::bytes(mail.into_bytes());
    assert_eq!(links(mail, Hints::new().format(Format::Email)), WANTED[..7]);
}

/// What has no scheme, or only a part of one, is no string.
#[test]
fn what_is_no_string() {
    for bytes in [
        [b"\x7FELF\0\0\xC3", &wide("www.a.example me@a.example a.example/b a:b")[..]].concat(),
        b"\x7FELF\0\0h\0t\0t\0p\0:\0/\0/".to_vec(),
        b"\x7FELF\0\0:\0/\0/\0a\0.\0c\0o\0m\0".to_vec(),
        b"\x7FELF\0\0h\0t\0t\0p\0:".to_vec(),
    ] {
        assert_eq!(whole(&bytes), [], "{}", bytes.escape_ascii());
    }
}

/// A link that is longer than the strings that are looked at is rejected, in memory and in a stream.
#[test]
fn a_string_that_is_too_long() {
    let codes = |bytes: &[u8]| {
        let hints = Hints::new().salvage(true);
        let finder = Finder::new();
        let found: Vec<_> = finder.document(bytes, &hints).unwrap().collect();
        found
            .iter()
            .map(|one| one.rejected().map_or("link", |no| no.reason().as_str()))
            .collect::<Vec<_>>()
    };
    for (count, wanted) in [(4_000, "link"), (5_000, "too-long")] {
        let text = format!("http://a.example/{}", "x".repeat(count));
        let bytes = [&b"\x7FELF\0\0\xC3"[..], &wide(&text), &[0, 0]].concat();
        assert_eq!(codes(&bytes)[0], wanted, "{count}");
        assert_eq!(through(&bytes, &[0, 7_000, 9_000]), whole(&bytes));
    }
}

#[test]
fn time_is_linear_in_strings() {
    let finder = Finder::new();
    let mut curved = Vec::new();
    for unit in ["http://", "http://a.example/ ", ":", "mailto:", "\u{44F}://", "http:/", "a"] {
        let growth = growth::curved::<Vec<u8>, [u8]>(
            4 << 10,
            |size| [&b"\x7FELF\0\0"[..], &wide(&unit.repeat(size / unit.len()))].concat(),
            |bytes| {
                finder.document(bytes, &Hints::new().salvage(true)).unwrap().count();
            },
        );
        curved.extend(growth.map(|growth| format!("{unit:?}: {growth:.2}")));
    }
    assert!(curved.is_empty(), "{}", curved.join("\n"));
}
