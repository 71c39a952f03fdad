//! WARC: records, HTTP in them, wrong lengths, damaged members.

use super::compressed::{gzip, zstd};
use super::run::{T, run};

pub(crate) fn record(kind: &str, uri: &str, block: &[u8], length: &str) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nwarc-type: {kind}\r\nWARC-Target-URI:\r\n {uri}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

pub(crate) fn page(number: usize, body: &[u8], fields: &str) -> Vec<u8> {
    let block = response(body, fields);
    record("response", &format!("http://s{number}.example/d/p"), &block, &block.len().to_string())
}

pub(crate) fn response(body: &[u8], fields: &str) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=shift_jis\r\n{fields}\r\n");
    [head.as_bytes(), body].concat()
}

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
    for length in ["-7", "50", "-5", "x", "5000000000"] {
        let four = four(length);
        let members: Vec<_> = four.iter().map(|one| gzip(one)).collect();
        for (name, bytes) in [("a.warc", four.concat()), ("a.warc.gz", members.concat())] {
            let found = run(name, &bytes);
            let uris: Vec<_> =
                found.uris().into_iter().filter(|uri| uri.contains("/d/r")).collect();
            // What is longer than is kept in memory takes the rest of a plain file with it.
            if length == "5000000000" && name == "a.warc" {
                assert_eq!(uris[..2], FOUR[..2]);
            } else {
                assert_eq!(uris, FOUR, "{length} {name} {found:?}");
            }
            assert_eq!(found.failures.len(), 1, "{length} {name} {found:?}");
        }
    }
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

#[test]
fn every_cut_and_many_flipped_bits_do_no_harm() {
    let four = four("0");
    super::run::torture("a.warc", &four.concat());
    super::run::torture("a.warc.gz", &four.iter().flat_map(|one| gzip(one)).collect::<Vec<u8>>());
}
