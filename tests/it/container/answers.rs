//! Answers of HTTP with their headers, in files and in archives.

use super::compressed::gzip;
use super::run::run;
use crate::made::base64;
use crate::made::zips::{stored, zip};

const PAGE: &[u8] = b"<a href=\"x?a&amp;b\">http://two.example/</a>";

fn answer(fields: &str, body: &[u8]) -> Vec<u8> {
    let header =
        format!("HTTP/1.1 200 OK\r\nContent-Location: http://one.example/\r\n{fields}\r\n");
    let redirect =
        "HTTP/1.1 302 Found\r\nLocation: http://one.example/d/\r\nContent-Length: 0\r\n\r\n";
    [redirect.as_bytes(), header.as_bytes(), body].concat()
}

/// Bodies are decoded only if they begin as the header says.
#[test]
fn codings_are_applied_as_far_as_the_body_begins_so() {
    let chunked = [format!("{:x}\r\n", PAGE.len()).as_bytes(), PAGE, b"\r\n0\r\n\r\n"].concat();
    let zipped = gzip(PAGE);
    let both = [format!("{:x}\r\n", zipped.len()).as_bytes(), &zipped, b"\r\n0\r\n\r\n"].concat();
    for body in [PAGE, &chunked, &zipped, &both] {
        let fields =
            "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n";
        let bytes = answer(fields, body);
        let boxed = zip(&[stored(b"in/a.txt", &bytes)]);
        let mail = format!(
            "From: a\nContent-Type: application/octet-stream; name=a\nContent-Transfer-Encoding: base64\n\n{}",
            base64(&bytes, 76)
        );
        for (name, bytes) in [
            ("a", &bytes),
            ("a.html", &bytes),
            ("a.txt.gz", &gzip(&bytes)),
            ("b.zip", &boxed),
            ("c.eml", &mail.into_bytes()),
        ] {
            let found = run(name, bytes);
            let expected = [
                "http://one.example/d/",
                "http://one.example/",
                "http://one.example/d/x?a&b",
                "http://two.example/",
            ];
            assert_eq!(found.uris(), expected, "{name} {}", body.len());
        }
    }
}

#[test]
fn chunks_that_end_too_early_are_told() {
    let bytes =
        answer("Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n", b"50\r\n<a href=x>");
    let found = run("a", &bytes);
    assert_eq!(found.uris().last().map(|uri| &**uri), Some("http://one.example/d/x"));
    assert_eq!(found.notices, [" source-truncated"]);
}

/// A header that never ends, and many of them.
#[test]
fn headers_without_an_end_are_read_in_linear_time() {
    let long = format!("HTTP/1.1 200 OK\r\n{}", "A: http://one.example/\r\n".repeat(100_000));
    let found = run("a", long.as_bytes());
    assert!(!found.links.is_empty());
    assert_eq!(found.notices, [" read-as-text"]);
    let many = "HTTP/1.1 301 Moved\r\nLocation: http://one.example/\r\n\r\n".repeat(200_000);
    let found = run("a", many.as_bytes());
    assert_eq!((found.links.len(), found.notices), (200_000, vec![" read-as-text".to_owned()]));
}
