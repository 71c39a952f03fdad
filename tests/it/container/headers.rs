//! The header of HTTP in a record: references in it, however many and however long.

use super::compressed::gzip;
use super::run::run;
use super::warcs::{page, record, response};

/// A record whose header has these fields.
fn with(fields: &str) -> Vec<u8> {
    page(1, b"<a href=r>", fields)
}

#[test]
fn a_long_header_keeps_its_location_and_its_base() {
    let long = "a".repeat(3 << 20);
    let many = |field: &str| field.repeat((3 << 20) / field.len());
    for (fields, is_cut) in [
        (format!("X-Long: {long}\r\n"), false),
        (format!("{long}\r\n"), false),
        (many("X-Long: a\r\n"), false),
        (many("Link: a, <\r\n"), false),
        (format!("X-Long: {}\r\n", many("a\r\n ")), false),
        (format!("Link: {long}\r\n"), true),
        (format!("Link: a, <{}\r\n", many("a\r\n ")), true),
    ] {
        let bytes = with(&format!("{fields}Location: ../x\r\n"));
        for (name, bytes) in [("a.warc", bytes.clone()), ("a.warc.gz", gzip(&bytes))] {
            let found = run(name, &bytes);
            assert_eq!(found.uris(), ["http://s1.example/x", "http://s1.example/d/r"], "{name}");
            let notices = if is_cut { vec!["0 field-too-long"] } else { vec![] };
            assert_eq!(found.notices, notices, "{name} {}", &fields[..9]);
        }
    }
}

#[test]
fn places_in_a_header_are_those_of_its_bytes() {
    let fields = "Link: <a>;\r\n x=\"<b>\", <c>\r\nX: <no>\r\nlink:<d>\r\n";
    let found = run("a.warc", &with(fields));
    let block = response(b"<a href=r>", fields);
    for (link, name) in found.links.iter().zip(["a", "c", "d"]) {
        let at = block.windows(3).position(|part| part == format!("<{name}>").as_bytes());
        assert_eq!(link, &format!("0 {} http://s1.example/d/{name}", at.unwrap() + 1));
    }
    assert_eq!(found.links.len(), 4);
}

/// What goes on without an empty line is a header up to its end, and that is reported.
#[test]
fn a_header_that_does_not_end_is_told() {
    let block = format!("HTTP/1.1 200 OK\r\nLocation: x\r\n{}", "<p>text</p>".repeat(200_000));
    let found = run(
        "a.warc",
        &record("response", "http://s1.example/d/p", block.as_bytes(), &block.len().to_string()),
    );
    assert_eq!(found.uris(), ["http://s1.example/d/x"]);
    assert_eq!(found.notices, ["0 field-too-long"]);
}

/// Crawlers store bodies decoded and keep the header. brotli and deflate have no magic number.
#[test]
fn a_body_that_is_stored_decoded_is_read_in_any_encoding() {
    let page = "<!doctype html><p>Жуки</p><a href='/Жук'>";
    let bom = ["\u{FEFF}", page].concat();
    for charset in ["utf-8", "windows-1251"] {
        for text in [page, "<a href='/Жук'>", "Жуки <a href='/Жук'>", &bom] {
            if charset != "utf-8" && text == bom {
                continue;
            }
            let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap();
            let body = encoding.encode(text).0;
            for coding in ["br", "deflate", "gzip", "zstd"] {
                let head = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={charset}\r\nContent-Encoding: {coding}\r\n\r\n"
                );
                let block = [head.as_bytes(), &body].concat();
                let crawl =
                    record("response", "http://s1.example/", &block, &block.len().to_string());
                let found = run("a.warc", &crawl);
                // A path is encoded in UTF-8 whatever the page is in.
                let expected = "http://s1.example/%D0%96%D1%83%D0%BA";
                assert_eq!(found.uris(), [expected], "{charset} {coding} {text}");
                assert_eq!(found.codes().len(), 0, "{charset} {coding} {text}");
                let found = run("answer", &block);
                assert_eq!((found.links.len(), found.codes().len()), (1, 0), "{charset} {coding}");
            }
        }
    }
}

/// Its type may be damaged, or new.
#[test]
fn a_record_of_an_unknown_type_is_read() {
    let block = response(b"<a href=r>", "");
    for kind in ["x-snapshot", "respXnse", ""] {
        let crawl = record(kind, "http://s1.example/d/p", &block, &block.len().to_string());
        assert_eq!(run("a.warc", &crawl).uris(), ["http://s1.example/d/r"], "{kind:?}");
    }
    for kind in ["request", "warcinfo", "continuation"] {
        let crawl = record(kind, "http://s1.example/d/p", &block, &block.len().to_string());
        assert_eq!(run("a.warc", &crawl).links.len(), 0, "{kind}");
    }
}
