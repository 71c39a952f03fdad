//! Links in code and in prose, along each code path.

use linksift::{Candidate, Event, Finder, Format, Hints};
use std::ops::ControlFlow;

/// Formats, documents, and whether each of their links is in code.
const CASES: &[(Format, &str, &[bool])] = &[
    (Format::Text, "http://a.com/ b.com", &[false, false]),
    (Format::Code, "http://a.com/ http://\u{E9}.com/ http://\x1B[1mb.com/", &[true, true, true]),
    (Format::Yaml, "a: http://a.com/", &[true]),
    (Format::Markdown, "http://a.com/ `http://b.com/` http://c.com/", &[false, true, false]),
    (
        Format::Markdown,
        "```\nhttp://a.com/\n```\n\n    http://b.com/\n\n[c](d)",
        &[true, true, false],
    ),
    (Format::Markdown, "<code>http://a.com/</code> [`b.com`](http://c.com/)", &[true, true, false]),
    (
        Format::Html,
        "<p>http://a.com/<pre>http://b.com/ <a href=c>d</a></pre>",
        &[false, true, false],
    ),
    (Format::Html, "<code>http://a.com/?b&amp;c</code> http://d.com/?e&amp;f", &[true, false]),
    (
        Format::Xml,
        "<html xmlns='http://www.w3.org/1999/xhtml'><pre>http://a.com/</pre> http://b.com/</html>",
        &[true, false],
    ),
    (Format::Json, "[\"http://a.com/\"]", &[false]),
];

#[test]
fn code_is_told_from_prose_along_each_code_path() {
    let finder = Finder::new();
    for (format, text, wanted) in CASES {
        for charset in ["utf-8", "windows-1252", "utf-16le"] {
            let bytes = match charset {
                "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                "utf-8" => text.as_bytes().to_vec(),
                _ => encoding_rs::WINDOWS_1252.encode(text).0.into_owned(),
            };
            let hints = Hints::new().format(*format).charset(charset.parse().unwrap());
            for positions in [false, true] {
                let hints = hints.clone().positions(positions);
                let found = || finder.document(&bytes, &hints).unwrap();
                let links: Vec<_> = found().links().map(|link| link.is_code()).collect();
                assert_eq!(links, *wanted, "{format} {charset} {text}");
                let links: Vec<_> =
                    found().filter_map(Candidate::into_link).map(|link| link.is_code()).collect();
                assert_eq!(links, *wanted, "{format} {charset} {text}");
                let mut links = Vec::new();
                let read = finder.scan_reader(&*bytes, &hints, |event| {
                    if let Event::Link { link, .. } = event {
                        links.push(link.is_code());
                    }
                    ControlFlow::Continue(())
                });
                assert!(read.is_ok());
                assert_eq!(links, *wanted, "{format} {charset} {text}");
            }
        }
    }
}
