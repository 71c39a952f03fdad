//! WARC: records, HTTP in them, wrong lengths, damaged members.

use std::io::Write;

pub(crate) use crate::made::warcs::*;

use super::compressed::{gzip, zstd};
use super::run::{Order, T, ends, options, run, run_with};

fn link(number: usize) -> Vec<u8> {
    page(number, format!("<a href='r{number}'>").as_bytes(), "")
}

/// Four records of which the second has this length.
fn four(length: &str) -> [Vec<u8>; 4] {
    let block = response(b"<a href='r2'> and some more words to fill the body of this record", "");
    let length = match length.parse::<i64>() {
        Ok(more) => (block.len() as i64 + more).to_string(),
        Err(_) => length.to_owned(),
    };
    [link(1), record("response", "http://s2.example/d/p", &block, &length), link(3), link(4)]
}

const FOUR: [&str; 4] = [
    "http://s1.example/d/r1",
    "http://s2.example/d/r2",
    "http://s3.example/d/r3",
    "http://s4.example/d/r4",
];

#[test]
fn a_response_is_read_as_its_headers_say() {
    let found = run("a.warc", &page(1, b"<a href=\"r?q=\x93\xFA\">", "Location: ../x\r\n"));
    assert_eq!(found.uris(), ["http://s1.example/x", "http://s1.example/d/r?q=%93%FA"]);
    assert_eq!(found.members(), ["0", "0"]);
    assert_eq!(found.links[1].split(' ').nth(1), Some("9"));
}

#[test]
fn a_target_is_read_as_a_browser_reads_it() {
    let of = |target: &[u8]| {
        let mut record = record("resource", "TARGET", b"<html><a href=r>", "16");
        let at = record.windows(6).position(|part| part == b"TARGET").unwrap();
        record.splice(at..at + 6, target.iter().copied());
        run("a.warc", &record)
    };
    for (target, uri) in [
        (&b"http://e.example/a|b/[c]"[..], "http://e.example/a%7Cb/r"),
        (b"http://e.example/{a}^`b\"/", "http://e.example/%7Ba%7D%5E%60b%22/r"),
        (b"<http://e.example/a b/>", "http://e.example/a%20b/r"),
        (b"http:\\\\e.example\\a\\b", "http://e.example/a/r"),
        (b"http://e.example/%zz/", "http://e.example/%25zz/r"),
        (b"http://e.example/caf\xE9/", "http://e.example/caf%E9/r"),
    ] {
        let found = of(target);
        assert_eq!(found.uris(), [uri]);
        assert_eq!(found.notices, [""; 0]);
    }
    for target in [&b"http://e.example:port/"[..], b"e.example/x", b"http://256.1.1.1/"] {
        assert_eq!(of(target).notices, ["0 base-unusable"]);
    }
}

#[test]
fn a_header_may_begin_with_another_word_than_http() {
    let of = |status: &str| {
        let body = "<a href=r1>";
        let block = format!("{status}\r\nContent-Type: text/html\r\n\r\n{body}");
        let record =
            record("response", "http://s1.example/d/p", block.as_bytes(), &block.len().to_string());
        run("a.warc", &record).links
    };
    for status in ["HTTP/1.1 200 OK", "HTTP/1.0 200", "HTTPX/1.1 200 OK", "ICY 200 OK"] {
        assert_eq!(of(status), ["0 8 http://s1.example/d/r1"], "{status}");
    }
    // It is the text of the document then.
    let plain = of("200 lines of http://e.com/");
    assert_eq!(plain[0], "0 13 http://e.com/");
}

#[test]
fn steps_are_offsets_in_the_file() {
    let four = four("0");
    let members: Vec<_> = four.iter().map(|one| gzip(one)).collect();
    let starts: Vec<String> =
        (0..4).map(|n| members[..n].iter().map(Vec::len).sum::<usize>().to_string()).collect();
    assert_eq!(run("a.warc.gz", &members.concat()).members(), starts);
    let shared: Vec<String> = (0..4)
        .map(|n| four[..n].iter().map(Vec::len).sum::<usize>())
        .map(|k| match k {
            0 => "0".to_owned(),
            k => format!("0+{k}"),
        })
        .collect();
    assert_eq!(run("a.warc.gz", &gzip(&four.concat())).members(), shared);
    let frames: Vec<_> = four.iter().map(|one| zstd(one)).collect();
    assert_eq!(run("a.warc.zst", &frames.concat()).uris(), FOUR);
}

#[test]
fn bodies_are_taken_apart_only_if_they_look_like_it() {
    let lies = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";
    let body = gzip(b"<a href='r1'>");
    let chunked = [format!("{:x}\r\n", body.len()).as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
    let found = run("a.warc", &[page(1, &chunked, lies), page(2, b"<a href='r2'>", lies)].concat());
    assert_eq!(found.uris(), FOUR[..2]);
    assert!(found.failures.is_empty(), "{found:?}");
}

#[test]
fn a_wrong_length_ends_no_more_than_its_record() {
    for length in ["-7", "50", "-5", "x", "16777300", "5000000000", "18446744073709551615"] {
        let four = four(length);
        let members: Vec<_> = four.iter().map(|one| gzip(one)).collect();
        for (name, bytes) in [("a.warc", four.concat()), ("a.warc.gz", members.concat())] {
            let found = run(name, &bytes);
            let uris: Vec<_> =
                found.uris().into_iter().filter(|uri| uri.contains("/d/r")).collect();
            assert_eq!(uris, FOUR, "{length} {name} {found:?}");
            assert_eq!(found.failures.len(), 1, "{length} {name} {found:?}");
        }
    }
}

/// What is longer than is kept in memory, in a file that goes on after it.
#[test]
fn a_wrong_length_of_many_megabytes_ends_no_more_than_its_record() {
    let filler = record("resource", "http://f.example/", &b"some words\n".repeat(90_000), "990000");
    let of = |length: &str| {
        let [one, two, three, four] = four(length);
        [one, two, three, filler.repeat(20), four].concat()
    };
    // What a stream comes to whose length cannot be looked up is not asked for here.
    let found = run("a.warc", &of("17000000"));
    assert_eq!(found.uris(), FOUR, "{:?}", found.failures);
    let second = link(1).len();
    assert_eq!(found.failures, [format!("{second} length {second}")]);
}

/// A record of this type and media type.
fn typed(kind: &str, uri: &str, media_type: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

const HTTP: &str = "application/http; msgtype=response";

#[test]
fn a_revisit_gives_the_links_of_its_header() {
    let header =
        "HTTP/1.1 301 Moved\r\nLocation: ../x\r\nLink: <a>; rel=next,\r\n <b>; rel=prev\r\n";
    let uris = ["http://s.example/x", "http://s.example/d/a", "http://s.example/d/b"];
    for block in [format!("{header}\r\n"), header.to_owned(), header.trim_end().to_owned()] {
        let revisit = typed("revisit", "http://s.example/d/p", HTTP, block.as_bytes());
        let found = run("a.warc", &[revisit, link(1)].concat());
        assert_eq!(found.uris(), [&uris[..], &FOUR[..1]].concat(), "{block:?}");
        assert_eq!(found.links[0], "0 30 http://s.example/x");
        assert!(found.failures.is_empty() && found.notices.is_empty(), "{found:?}");
    }
    // The body is that of another record, whatever is there.
    let block = format!("{header}\r\nsee http://no.example/");
    let revisit = typed("revisit", "http://s.example/d/p", HTTP, block.as_bytes());
    let revisit = String::from_utf8(revisit)
        .unwrap()
        .replace("WARC-Type:", "WARC-Truncated: length\r\nWARC-Type:");
    let found = run("a.warc", revisit.as_bytes());
    assert_eq!((found.uris(), found.notices.len()), (uris.to_vec(), 0));
}

#[test]
fn a_header_that_is_cut_gives_its_links() {
    let whole = page(1, b"", "Location: /moved\r\nContent-Location: /cut-here\r\n");
    let end = whole.windows(9).position(|nine| nine == b"/cut-here").unwrap() + 4;
    let found = run("a.warc", &whole[..end]);
    assert_eq!(found.uris(), ["http://s1.example/moved"]);
    assert_eq!(found.codes(), ["0 truncated"]);
}

/// A link that touches the end of what is stored may be cut, so it is left out; what follows a cut is told as before.
#[test]
fn a_link_that_a_cut_touches_is_left_out() {
    let text = b"see https://a.example/one and https://b.example/two";
    let whole = typed("resource", "http://s.example/", "text/plain", text);
    let start = whole.len() - text.len() - 4;
    let long = [&b"word ".repeat(1 << 20)[..], text].concat();
    let long = typed("resource", "http://s.example/", "text/plain", &long);
    let long_start = long.len() - text.len() - 4;
    for len in [30, 45, 50] {
        for (name, cut) in [
            ("a.warc", whole[..start + len].to_vec()),
            ("a.warc.gz", gzip(&whole[..start + len])),
            ("a.warc", long[..long_start + len].to_vec()),
        ] {
            let found = run(name, &cut);
            assert_eq!(found.uris(), ["https://a.example/one"], "{name} {len}");
            assert_eq!(found.codes(), ["0 truncated"], "{name} {len}");
        }
    }
    // A compressed record that is cut itself.
    let stored = gzip(&whole);
    for len in stored.len() - 30..stored.len() - 8 {
        let found = run("a.warc.gz", &stored[..len]);
        let uris = found.uris();
        let ends = ["https://a.example/one", "https://b.example/two"];
        assert!(ends.starts_with(&uris.iter().map(|uri| &**uri).collect::<Vec<_>>()), "{uris:?}");
    }
    // Not complete by what it says itself, or by its chunks: a notice says so.
    let said = String::from_utf8(whole).unwrap();
    let said = said.replace("WARC-Type:", "WARC-Truncated: length\r\nWARC-Type:");
    let body = format!("{:x}\r\n{}\r\n", text.len(), String::from_utf8_lossy(text));
    let block = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n{body}"
    );
    let len = block.len().to_string();
    let chunked = record("response", "http://s.example/", block.as_bytes(), &len);
    for crawl in [said.into_bytes(), chunked] {
        let found = run("a.warc", &crawl);
        assert_eq!(found.uris(), ["https://a.example/one"]);
        assert_eq!(
            (found.notices, found.failures.len()),
            (vec!["0 source-truncated".to_owned()], 0)
        );
    }
    // What is wrong with the body is told all the same.
    let mut coded = gzip(&b"https://a.example/one ".repeat(4_000));
    let middle = coded.len() / 2;
    coded[middle] ^= 0x55;
    let response = [b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", &coded[..]].concat();
    let damaged = record("response", "http://s.example/", &response, &response.len().to_string());
    let damaged = [b"WARC/1.0\r\nWARC-Truncated: length\r\n", &damaged[10..]].concat();
    let found = run("a.warc", &damaged);
    assert_eq!((found.codes().len(), found.notices.len()), (1, 1), "{found:?}");
    // A field that is cut is not read.
    let response = b"HTTP/1.1 200 OK\r\nLocation: https://bank.exam";
    let head = record("response", "http://s.example/", response, &response.len().to_string());
    let head = [b"WARC/1.0\r\nWARC-Truncated: length\r\n", &head[10..]].concat();
    assert_eq!(run("a.warc", &head).uris().len(), 0);
    // With all of its chunks the link is whole.
    let block = format!("{block}0\r\n\r\n");
    let len = block.len().to_string();
    assert_eq!(
        run("a.warc", &record("response", "http://s.example/", block.as_bytes(), &len))
            .uris()
            .len(),
        2
    );
}

#[test]
fn octets_of_a_header_that_are_no_utf_8_are_kept() {
    let found = run("a.warc", &{
        let mut bytes = page(1, b"", "Location: /caf? x\r\n");
        let at = bytes.windows(5).position(|five| five == b"/caf?").unwrap() + 4;
        bytes[at] = 0xE9;
        bytes
    });
    assert_eq!(found.uris(), ["http://s1.example/caf%E9%20x"]);
}

#[test]
fn parameters_of_media_types_are_read_by_their_grammar() {
    let of = |media_type: &str| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n").into_bytes();
        let block = [&block[..], b"<a href='r'>\xF4</a>"].concat();
        let folder = super::run::Folder::new();
        let path = folder.write("a.warc", typed("response", "http://s.example/", HTTP, &block));
        let mut charsets = Vec::new();
        let _ = linksift::files::scan([&path], &super::run::options(), |event| {
            charsets.extend(event.link().map(|link| link.charset().as_str()));
            std::ops::ControlFlow::Continue(())
        });
        charsets.concat()
    };
    for (media_type, charset) in [
        ("text/html; x=\"a;charset=koi8-r;b\"; charset=windows-1251", "windows-1251"),
        ("text/html; x=\"\\\";charset=koi8-r\"; charset=windows-1251", "windows-1251"),
        ("text/html;charset = \"windows-1251\"", "windows-1251"),
        ("TEXT/HTML;CHARSET=Windows-1251;charset=koi8-r", "windows-1251"),
        ("text/html; charset='windows-1251'", "windows-1251"),
        ("text/html; xcharset=koi8-r; charset=windows-1251", "windows-1251"),
        ("text/html;; =x; charset=koi8-r (charset=windows-1251)", "koi8-r"),
    ] {
        assert_eq!(of(media_type), charset, "{media_type}");
    }
}

#[test]
fn what_crawlers_write_of_themselves_is_not_read() {
    let log = b"see http://no.example/\n";
    let wget = |name: &str| format!("<metadata://gnu.org/software/wget/warc/{name}>");
    let records = [
        typed("response", "dns:no.example", "text/dns", log),
        typed("resource", "dns:no.example", "TEXT/DNS; x=y", log),
        typed("metadata", &wget("MANIFEST.txt"), "text/plain", log),
        typed("resource", &wget("wget_arguments.txt"), "text/plain", log),
        typed("resource", &wget("wget.log"), "text/plain", log),
        typed(
            "metadata",
            "http://s.example/",
            "application/warc-fields",
            b"outlink: http://a.example/ L\r\n",
        ),
        link(1),
    ];
    let found = run("a.warc", &records.concat());
    assert_eq!(found.uris(), ["http://a.example/", FOUR[0]], "{found:?}");
    assert!(found.failures.is_empty() && found.notices.is_empty(), "{found:?}");
}

#[test]
fn a_piece_from_the_middle_of_a_document_is_told_and_not_read() {
    let mut first = page(1, b"<a href='r1'>", "");
    first.splice(10..10, *b"WARC-Segment-Number: 1\r\n");
    let rest = typed(
        "continuation",
        "http://s.example/",
        "text/html",
        b"x.example/half http://no.example/",
    );
    let at = first.len();
    let found = run("a.warc", &[first, rest, link(2)].concat());
    assert_eq!(found.uris(), FOUR[..2]);
    assert_eq!(
        found.notices,
        ["0 source-truncated".to_owned(), format!("{at} continuation-unread")]
    );
    assert!(found.failures.is_empty(), "{found:?}");
}

#[test]
fn a_target_that_is_none_is_told() {
    let moved = b"HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\n";
    for kind in ["response", "revisit"] {
        let found = run("a.warc", &[typed(kind, "http://[::x]/", HTTP, moved), link(1)].concat());
        assert_eq!(found.notices, ["0 base-unusable"], "{found:?}");
        assert_eq!(found.uris().last(), Some(&FOUR[0]));
    }
    for (target, uri) in [
        (
            "http://s.example/a[1]|{2}^%zz b\"c`d/e",
            "http://s.example/a%5B1%5D%7C%7B2%7D%5E%25zz%20b%22c%60d/r",
        ),
        ("<http://s.example/d/e>", "http://s.example/d/r"),
    ] {
        let page = response(b"<a href=r>", "");
        let found = run("a.warc", &typed("response", target, HTTP, &page));
        assert_eq!((found.uris(), found.notices.len()), (vec![uri], 0), "{target}");
    }
}

#[test]
fn chunks_that_end_too_early_are_told() {
    let fields = "Transfer-Encoding: chunked\r\n";
    let of = |body: &[u8]| {
        let found = run("a.warc", &page(1, body, fields));
        assert_eq!(found.uris(), FOUR[..1], "{found:?}");
        found.notices
    };
    assert!(of(b"d\r\n<a href='r1'>\r\n0\r\n\r\n").is_empty());
    assert_eq!(of(b"d\r\n<a href='r1'>\r\n"), ["0 source-truncated"]);
    assert_eq!(of(b"d\r\n<a href='r1'>\r\nzz\r\n"), ["0 source-truncated"]);
    assert_eq!(of(b"20\r\n<a href='r1'> and"), ["0 source-truncated"]);
}

#[test]
fn line_feeds_alone_and_no_lines_between() {
    let lf = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
        let block = text.split_once("\n\n").unwrap().1.trim_end_matches('\n').len();
        let start = text.find("Content-Length: ").unwrap() + 16;
        let end = start + text[start..].find('\n').unwrap();
        format!("{}{block}{}", &text[..start], &text[end..]).into_bytes()
    };
    let records: Vec<u8> = four("0").into_iter().flat_map(lf).collect();
    assert_eq!(run("a.warc", &records).uris(), FOUR);
    let close: Vec<u8> =
        four("0").into_iter().flat_map(|one| one[..one.len() - 4].to_vec()).collect();
    let found = run("a.warc", &close);
    assert_eq!((found.uris(), found.failures.len()), (FOUR.to_vec(), 0));
}

#[test]
fn after_a_damaged_member_the_next_one_is_found() {
    let mut members: Vec<_> = four("0").iter().map(|one| gzip(one)).collect();
    // The code of a block that there is not.
    members[1][10] = 0xFF;
    let found = run("a.warc.gz", &members.concat());
    assert_eq!(found.uris(), [FOUR[0], FOUR[2], FOUR[3]], "{found:?}");
    assert!(!found.failures.is_empty());
    let whole: Vec<u8> = four("0").iter().flat_map(|one| gzip(one)).collect();
    let found = run("a.warc.gz", &whole[..whole.len() - 30]);
    assert_eq!(found.uris()[..3], FOUR[..3]);
    assert!(found.codes()[0].ends_with("truncated"), "{found:?}");
}

/// A member whose stream is damaged right after these bytes.
fn damaged_after(bytes: &[u8]) -> Vec<u8> {
    let head = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
    let mut encoder = flate2::write::DeflateEncoder::new(head, flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.flush().unwrap();
    // A block of the type that there is not.
    [encoder.get_ref(), &[0xFF; 4][..]].concat()
}

/// The header of the damaged one went on into the next record.
#[test]
fn a_header_that_a_damaged_member_cuts_ends_there() {
    for kept in [9, 40, 90] {
        let records = four("0");
        let members = [
            gzip(&records[0]),
            damaged_after(&records[1][..kept]),
            gzip(&records[2]),
            gzip(&records[3]),
        ];
        let found = run("a.warc.gz", &members.concat());
        let (first, second) = (members[0].len(), members[1].len());
        let third = first + second;
        assert_eq!(
            found.links,
            [
                format!("0 9 {}", FOUR[0]),
                format!("{third} 9 {}", FOUR[2]),
                format!("{} 9 {}", third + members[2].len(), FOUR[3]),
            ],
            "{kept} {found:?}"
        );
        let told = &found.failures;
        assert_eq!(told.len(), 2, "{kept} {told:?}");
        assert_eq!(told[0], format!(" truncated {first}"));
        assert!(told[1].starts_with(" corrupt "), "{told:?}");
    }
    // Each is reported, wherever a range of the file begins.
    let records = four("0");
    let cut = |record: &[u8]| damaged_after(&record[..40]);
    let members = [cut(&records[0]), cut(&records[1]), gzip(&records[2])];
    let all = run("a.warc.gz", &members.concat());
    let [first, second] = [members[0].len(), members[1].len()];
    assert_eq!(all.links, [format!("{} 9 {}", first + second, FOUR[2])]);
    let told = all
        .failures
        .iter()
        .filter(|told| [" truncated 0".to_owned(), format!(" truncated {first}")].contains(told));
    assert_eq!(told.count(), 2, "{all:?}");
}

/// Those of a short crawl were reported after all records, since its end was seen before anybody knew that it is one.
#[test]
fn a_wrong_checksum_is_told_before_the_record_after_it() {
    for filler in [0, 200_000] {
        let mut records = four("50");
        records[3] = page(4, &[&b" ".repeat(filler)[..], b"<a href='r4'>"].concat(), "");
        let mut members: Vec<_> = records.iter().map(|one| gzip(one)).collect();
        for wrong in [0, 2] {
            let sum = members[wrong].len() - 8;
            members[wrong][sum] ^= 1;
        }
        let found = run("a.warc.gz", &members.concat());
        let lens: Vec<_> = members.iter().map(Vec::len).collect();
        let sums = [lens[0] - 8, lens[0] + lens[1] + lens[2] - 8];
        assert_eq!(
            found.failures,
            [
                format!(" checksum {}", sums[0]),
                format!("{0} length {0}", lens[0]),
                format!(" checksum {}", sums[1]),
            ]
        );
        assert_eq!(found.uris(), FOUR);
    }
}

#[test]
fn records_of_other_types_are_not_read() {
    let block = b"GET / HTTP/1.1\r\nHost: http://no.example/\r\n\r\n";
    let other: Vec<u8> = ["request", "warcinfo", "revisit"]
        .iter()
        .flat_map(|kind| record(kind, "http://e.example/", block, &block.len().to_string()))
        .collect();
    assert_eq!(run("a.warc", &[other, link(1)].concat()).uris(), FOUR[..1]);
    let picture = response(b"\xFF\xD8\xFF http://no.example/", "").to_vec();
    let text = String::from_utf8_lossy(&picture).replace("text/html", "image/jpeg").into_bytes();
    let picture = record("response", "http://e.example/", &text, &text.len().to_string());
    assert_eq!(run("a.warc", &[picture, link(1)].concat()).uris(), FOUR[..1]);
}

#[test]
fn records_of_arc() {
    let block = response(T, "");
    let arc = [
        b"filedesc://a.arc 0.0.0.0 20260101000000 text/plain 9\n1 0 x\nURL\n\n".to_vec(),
        format!("http://s1.example/d/p 127.0.0.1 20260101000000 text/html {}\n", block.len())
            .into_bytes(),
        block,
        b"\n".to_vec(),
    ]
    .concat();
    let found = run("a.arc", &arc);
    assert_eq!(found.uris(), ["http://one.example/a", "http://two.example/b"], "{found:?}");
    assert!(found.failures.is_empty(), "{found:?}");
}

#[test]
fn a_header_without_end_is_told() {
    let endless = [&b"WARC/1.0\r\n"[..], &b"X: y\r\n".repeat(300_000)].concat();
    let found = run("a.warc", &[&endless[..], &link(1)].concat());
    assert!(!found.failures.is_empty());
}

/// The header that is not there was no record before, which told nothing of what had happened.
#[test]
fn a_crawl_that_ends_within_a_header_is_truncated() {
    let [first, second, ..] = four("0");
    let head = second.windows(4).position(|part| part == b"\r\n\r\n").unwrap() + 4;
    let check = |name: &str, parts: &[&[u8]], at: usize| {
        let found = run(name, &parts.concat());
        assert_eq!(found.uris(), [FOUR[0]], "{name} {found:?}");
        assert_eq!(found.failures, [format!(" truncated {at}")], "{name} {found:?}");
    };
    for kept in 1..head {
        let cut = &second[..kept];
        check("a.warc", &[&first, cut], first.len());
        // A member whose text ends there, as the last one and before another.
        if kept > 6 {
            let (whole, half) = (gzip(&first), gzip(cut));
            check("a.warc.gz", &[&whole, &half], whole.len());
            check("a.warc.gz", &[&half, &whole], 0);
        }
    }
    // What begins as no record stays what it was.
    let found = run("a.warc", &[&first[..], b"WORD"].concat());
    assert_eq!(found.codes(), ["0 length"], "{found:?}");
}

/// Offsets of records stay those in the file.
#[test]
fn a_crawl_may_begin_with_blank_lines_or_a_byte_order_mark() {
    let records = four("0").concat();
    let plain = run("a.warc", &records);
    for before in
        ["\r\n", "\n", "\n\n", "\r\n\r\n", "\n\r\n", "\u{FEFF}", "\u{FEFF}\r\n", "\r\n\r\n\r\n\r\n"]
    {
        let moved = |link: &String| {
            let (at, rest) = link.split_once(' ').unwrap();
            format!("{} {rest}", at.parse::<usize>().unwrap() + before.len())
        };
        let all: Vec<String> = plain.links.iter().map(moved).collect();
        let bytes = [before.as_bytes(), &records].concat();
        let ranges = options().limits(linksift::container::Limits::new().range_size(200));
        for found in [run("a.warc", &bytes), run("a", &bytes), run_with("a.warc", &bytes, &ranges)]
        {
            assert_eq!((&found.links, &*found.failures), (&all, &[][..]), "{before:?}");
        }
        let found = run("a.warc.gz", &gzip(&bytes));
        assert_eq!((found.uris(), found.failures.len()), (FOUR.to_vec(), 0), "{before:?}");
        assert_eq!(found.members()[0], format!("0+{}", before.len()));
        // In memory it is not opened.
        let found = linksift::detect(&bytes, &linksift::Hints::new());
        assert_eq!(found.archive(), Some(linksift::ArchiveFormat::Warc), "{before:?}");
    }
    for before in [&b"\n".repeat(100)[..], b" ", b"x\n"] {
        let found = linksift::detect(&[before, &records].concat(), &linksift::Hints::new());
        assert_eq!(found.archive(), None, "{before:?}");
    }
}

#[test]
fn every_cut_and_many_flipped_bits_do_no_harm() {
    let four = four("0");
    let zipped: Vec<_> = four.iter().map(|one| gzip(one)).collect();
    for (name, records) in [("a.warc", &four[..]), ("a.warc.gz", &zipped)] {
        let order = Order::Records(&ends(records));
        assert!(super::run::torture(name, &records.concat(), order) > 100, "{name}");
    }
}

/// A record of ARC that says another length than it has: the next line of a record begins the next one.
#[test]
fn a_wrong_length_in_an_arc_hides_no_other_record() {
    let record = |url: &str, body: &str, length: Option<usize>| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        let length = length.unwrap_or(block.len());
        format!("{url} 192.0.2.1 20010203040506 text/html {length}\n{block}\n")
    };
    let about = "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n";
    let about =
        format!("filedesc://t.arc 0.0.0.0 20010203040506 text/plain {}\n{about}\n", about.len());
    let lines = "a b 20010203040506\nc: d 2001 e 5\n".repeat(4000);
    for (body, length) in [
        (format!("<a href=a>{lines}<a href=late>"), Some(60)),
        ("<a href=a>".to_owned(), Some(300)),
        ("<a href=a>".to_owned(), Some(1 << 30)),
        (format!("<a href=a>{lines}"), Some(59)),
    ] {
        let all = [
            about.clone(),
            record("http://a.example/", &body, length),
            record("http://b.example/", "<a href=b>", None),
            record("http://c.example/", "<a href=c>", None),
        ];
        for name in ["a.arc", "a.arc.gz"] {
            let bytes = all.concat().into_bytes();
            let bytes = if name.ends_with("gz") { gzip(&bytes) } else { bytes };
            let found = run(name, &bytes);
            let uris = found.uris();
            let expected = ["http://a.example/a", "http://b.example/b", "http://c.example/c"];
            assert_eq!(uris, expected, "{name} {length:?}");
        }
    }
}
