//! What is too long: bases that stand too late, documents that are read as text.

use std::io::Read;
use std::ops::ControlFlow;

use linksift::{Candidate, Event, Finder, Format, Hints, Notice, Warning};

const WHOLE: usize = 16 << 20;

/// The links of a document through a reader, `uri` and warnings each, and what is said of all of it.
fn read(format: Format, reader: impl Read) -> (Vec<String>, Option<Notice>) {
    let mut found = Vec::new();
    let hints = Hints::new().format(format).base("http://b.example/".parse().unwrap());
    let scanned = Finder::new().scan_reader(reader, &hints, |event| {
        if let Event::Link { link, .. } = event {
            let warnings: Vec<_> = link.warnings().iter().map(Warning::as_str).collect();
            found.push([&[&*link.uri()], &*warnings].concat().join(" "));
        }
        ControlFlow::Continue(())
    });
    (found, scanned.unwrap().notice())
}

/// `front`, blanks, and `back` after so many bytes.
fn apart(front: &str, at: usize, back: &str, len: usize) -> Vec<u8> {
    let mut text = front.as_bytes().to_vec();
    text.resize(at, b'\n');
    text.extend_from_slice(back.as_bytes());
    text.resize(len.max(text.len()), b'\n');
    text
}

const LINK: &str = "<a href=x>y</a>";
const BASE: &str = "<base href='http://e.com/'><a href=z>y</a>";

#[test]
fn a_base_counts_wherever_it_stands_in_what_is_in_memory() {
    let text = apart(LINK, WHOLE - 100, BASE, 0);
    let wanted = ["http://e.com/x", "http://e.com/", "http://e.com/z"];
    assert_eq!(read(Format::Html, &*text), (wanted.map(str::to_owned).to_vec(), None));
    // A document is in memory, however long it is.
    let text = apart(LINK, WHOLE + 100, BASE, 0);
    let finder = Finder::new();
    let hints = Hints::new().format(Format::Html).base("http://b.example/".parse().unwrap());
    let uris: Vec<_> = finder
        .document(&text, &hints)
        .unwrap()
        .map(|found| found.into_link().unwrap().uri().into_owned())
        .collect();
    assert_eq!(uris, wanted);
}

#[test]
fn references_of_a_long_stream_wait_so_long_for_a_base() {
    let early = apart(LINK, (1 << 20) - 100, BASE, WHOLE + 100);
    let wanted = ["http://e.com/x", "http://e.com/", "http://e.com/z"];
    assert_eq!(read(Format::Html, &*early).0, wanted);
    // The same wherever it stands, though more is available.
    for at in [(1 << 20) + 100, WHOLE - 100, WHOLE + (1 << 20)] {
        let late = apart(LINK, at, BASE, WHOLE + 100);
        let wanted = ["http://b.example/x", "http://e.com/ late-base", "http://b.example/z"];
        assert_eq!(read(Format::Html, &*late).0, wanted, "{at}");
        let slowly = late
            .chunks(100_001)
            .fold(Box::new(std::io::empty()) as Box<dyn Read>, |before, part| {
                Box::new(before.chain(part))
            });
        assert_eq!(read(Format::Html, slowly).0, wanted, "{at}, in pieces");
    }
}

#[test]
fn a_second_base_is_not_late() {
    let text = apart(LINK, 100, "<base href=a/><base href=b/>", WHOLE + 100);
    let wanted = ["http://b.example/a/x", "http://b.example/a/", "http://b.example/b/"];
    assert_eq!(read(Format::Html, &*text).0, wanted);
}

#[test]
fn what_cannot_be_had_in_memory_is_read_as_text() {
    let markdown = apart("[a](b) <http://e.com/>", 100, "", WHOLE + 1);
    assert_eq!(
        read(Format::Markdown, &*markdown),
        (vec!["http://e.com/".to_owned()], Some(Notice::ReadAsText))
    );
    let (found, notice) = read(Format::Markdown, &markdown[..1000]);
    assert_eq!((found.len(), notice), (2, None));

    let wide = |text: &[u8]| -> Vec<u8> {
        [0xFF, 0xFE].into_iter().chain(text.iter().flat_map(|b| [*b, 0])).collect()
    };
    let page = apart(LINK, 100, "http://e.com/", WHOLE / 2);
    let (found, notice) = read(Format::Html, &*wide(&page));
    assert_eq!((&*found, notice), (&["http://e.com/".to_owned()][..], Some(Notice::ReadAsText)));
    assert_eq!(read(Format::Html, &*wide(&page[..1000])).0.len(), 2);
    // Nothing of the kind is said of text.
    assert_eq!(read(Format::Text, &*wide(&page)).1, None);
    assert_eq!(read(Format::Html, &*page).1, None);
}

#[test]
fn what_would_take_too_much_memory_is_read_as_text() {
    let front = "[a](b) <http://e.com/>\n\n";
    for mark in ["[", "*a ", "- a\n", "a\n\n", "**a** ", "\\["] {
        let text = front.to_owned() + &mark.repeat((2 << 20) / mark.len());
        let finder = Finder::new();
        let bytes = text.as_bytes();
        let hints = Hints::new().format(Format::Markdown);
        let count =
            finder.document(bytes, &hints).unwrap().filter_map(Candidate::into_link).count();
        assert_eq!(
            (count, read(Format::Markdown, text.as_bytes()).1),
            (1, Some(Notice::ReadAsText))
        );
    }
    let plain = front.to_owned() + &"word ".repeat(2 << 20);
    assert_eq!(read(Format::Markdown, plain.as_bytes()).1, None);
}

/// Quotations and lists in each other, before lines that belong to all of them.
#[test]
fn deep_markdown_is_read_as_text() {
    for mark in ["> ", "- ", "1. ", "+\t", ">- "] {
        for (depth, said) in [(40, None), (30_000, Some(Notice::ReadAsText))] {
            let text = mark.repeat(depth) + &"http://e.com/ \n".repeat(500);
            let (found, notice) = read(Format::Markdown, text.as_bytes());
            assert_eq!((found.len(), notice), (500, said), "{mark:?} {depth}");
        }
    }
    // By indentation, one list a line.
    let lists = |depth: usize| (0..depth).map(|n| "  ".repeat(n) + "- http://e.com/\n").collect();
    let found = |depth| read(Format::Markdown, String::as_bytes(&lists(depth)));
    assert_eq!(found(60), (vec!["http://e.com/".to_owned(); 60], None));
    assert_eq!(found(200).1, Some(Notice::ReadAsText));
    // What is no list, however far it is indented.
    let code = format!("{}- a\n{0}b\n", " ".repeat(400)).repeat(9) + &"*".repeat(400) + "\n";
    assert_eq!(read(Format::Markdown, code.as_bytes()).1, None);
}

#[test]
fn metadata_begins_a_document_of_markdown() {
    let links = |text: &str| read(Format::Markdown, text.as_bytes()).0;
    let both = ["http://e.com/a_b", "http://b.example/c"];
    for end in ["---", "..."] {
        let text = format!("---\nurl: http://e.com/a_b\n    - x\n{end}\n[b](c)\n");
        assert_eq!(links(&text), both, "{text}");
    }
    let toml = "+++\nurl = \"http://e.com/a_b\"\n+++\n[b](c)\n";
    assert_eq!(links(toml), both);
    // They are settings: neither references nor backslashes of Markdown are in them.
    for (open, end) in [("---", "---"), ("+++", "+++")] {
        let text = format!("{open}\nurl: 'http://e.com/a&amp;b'\n{end}\nhttp://e.com/a&amp;b\n");
        assert_eq!(links(&text), ["http://e.com/a&amp;b", "http://e.com/a&b"], "{text}");
    }
    // Elsewhere it is two rules, and what is between them is a paragraph.
    assert_eq!(links("a\n\n---\nb: http://e.com/a_b\n---\n[b](c)"), both);
    assert_eq!(links("---\n\nhttp://e.com/a_b\n---\n[b](c)"), both);
    assert_eq!(links("---\nb: http://e.com/a_b\n[b](c)"), both);
}

/// The links of a document in memory and what is said of it, by what a stream of 100 KB a read gives too.
fn read_both_ways(format: Format, text: &str) -> (Vec<String>, Option<Notice>) {
    let whole = read(format, text.as_bytes());
    let parts = text.as_bytes().chunks(100_001);
    let reader = parts.fold(Box::new(std::io::empty()) as Box<dyn Read>, |before, part| {
        Box::new(before.chain(part))
    });
    assert_eq!(read(format, reader), whole);
    whole
}

/// A list is read part by part, however long it is.
#[test]
fn long_lists_of_references() {
    let images: Vec<String> = (0..50_000)
        .map(|n| format!("{n}/{}.png {n}w", "a".repeat(n % 90)))
        .chain(["(a,b).png (1x, 2x)".to_owned(), "last.png".to_owned()])
        .collect();
    let wanted = |of: &[String]| -> Vec<String> {
        let url = |one: &String| one.split(' ').next().unwrap().to_owned();
        of.iter().map(|one| format!("http://b.example/{}", url(one))).collect()
    };
    for quote in ["\"", "'"] {
        let page = format!("<img srcset={quote}{}{quote}><a href=z>", images.join(", "));
        assert!(page.len() > 2 << 20);
        let (found, notice) = read_both_ways(Format::Html, &page);
        assert_eq!(notice, None);
        assert_eq!(found.len(), images.len() + 1);
        assert_eq!(found[..images.len()], wanted(&images));
    }
    let pings: Vec<String> = (0..300_000).map(|n| n.to_string()).collect();
    let page = format!("<a ping='{}' href=z>", pings.join("\n"));
    let (found, notice) = read_both_ways(Format::Html, &page);
    assert_eq!((found.len(), notice), (pings.len() + 1, None));
    // One of them is too long: what is after it is not read, and this is said.
    let page = format!("<img srcset='a.png 1x, {} 2x, b.png 3x'><a href=z>", "c".repeat(2 << 20));
    let (found, notice) = read_both_ways(Format::Html, &page);
    assert_eq!(found, ["http://b.example/a.png", "http://b.example/z"]);
    assert_eq!(notice, Some(Notice::ValueTooLong));
}

/// What is dropped by a limit is said, whatever the value is.
#[test]
fn values_that_are_too_long_have_a_notice() {
    let long = "a{b:url(c)} ".repeat((2 << 20) / 12);
    let comment = format!("<!--[if {} mso]>x<![endif]-->", "mso|".repeat(2 << 10));
    for front in [
        format!("<p style='{long}'>"),
        format!("<iframe srcdoc='{long}'></iframe>"),
        format!("<!--[if mso]>{long}<![endif]-->"),
        format!("<meta property=og:image content='http://e.com/{long}'>"),
        format!("<meta content='http://e.com/{long}' property=og:image>"),
        format!("<meta content='http://e.com/{}' property=og:image>", "a".repeat(80 << 10)),
        comment,
    ] {
        let (found, notice) = read_both_ways(Format::Html, &(front.clone() + "<a href=z>"));
        assert_eq!(found, ["http://b.example/z"], "{}", &front[..40]);
        assert_eq!(notice, Some(Notice::ValueTooLong), "{}", &front[..40]);
    }
    // A condition of a few hundred bytes is read.
    let comment = format!("<!--[if ({}mso)]><a href=y><![endif]-->", "IE)|(".repeat(200));
    let wanted = vec!["http://b.example/y".to_owned()];
    assert_eq!(read_both_ways(Format::Html, &comment), (wanted, None));
}

/// HTML in a value of another format is read up to a limit; what is longer is text, which is said.
#[test]
fn html_in_a_value_that_is_too_long_is_text() {
    const MOST: usize = 1 << 20;
    let tag = "<a href='y'>";
    for (format, front, back) in [
        (Format::Json, "{\"a\": \"<a href='y'>", "\", \"b\": \"<a href='z'>\"}"),
        (Format::Json, r#"{"log": {"a": "<a href='y'>"#, r#"", "b": "<a href='z'>"}}"#),
        (Format::Csv, "a,\"<a href='y'>", "\",<a href='z'>\n"),
        (Format::Csv, "a,<a href='y'>", ",\"<a href='z'>\"\n"),
        (Format::Xml, "<x><![CDATA[<a href='y'>", "]]><w>&lt;a href='z'></w></x>"),
        (Format::Xml, "<x c=\"&lt;a href='y'>", "\"><w>&lt;a href='z'></w></x>"),
        (
            Format::Xml,
            "<rss><description><![CDATA[<a href='y'>",
            "]]></description><w>&lt;a href='z'></w></rss>",
        ),
        (Format::Calendar, "X:<a href='y'>", "\nX:<a href='z'>\n"),
    ] {
        // What it has more in the stored bytes, by references.
        let slack = if front.starts_with("<x") || front.starts_with("<rss") { 64 } else { 0 };
        let value = |len: usize| format!("{front}{}{back}", "a".repeat(len - tag.len()));
        let (found, notice) = read_both_ways(format, &value(MOST - slack));
        assert_eq!((found.len(), notice), (2, None), "{front}");
        assert_eq!(found[1], "http://b.example/z", "{front}");
        let text = format!("{} http://w.example/ ", "a".repeat(MOST + slack));
        let long = format!("{front}{text}{back}");
        let wanted = ["http://w.example/", "http://b.example/z"].map(str::to_owned).to_vec();
        assert_eq!(read_both_ways(format, &long), (wanted, Some(Notice::ReadAsText)), "{front}");
        // Of what would not be HTML nothing is said.
        let long = long.replacen("a href='y'", "n href='y'", 1);
        assert_eq!(read_both_ways(format, &long).1, None, "{front}");
    }
}

/// However few bytes a reader gives at a time, a value is read in a time that grows with its length.
#[test]
fn a_value_that_comes_byte_by_byte_takes_linear_time() {
    struct Slow<'t>(&'t [u8]);
    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let len = self.0.len().min(buffer.len()).min(16);
            buffer[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }
    for (format, front, back) in [
        (Format::Json, "[\"<a href='y'>", "\"]"),
        (Format::Json, r#"{"log": {"a": "<a href='y'>"#, r#""}}"#),
        (Format::Csv, "\"<a href='y'>", "\"\n"),
        (Format::Csv, "<a href='y'>", "\n"),
        (Format::Xml, "<x><![CDATA[<a href='y'>", "]]></x>"),
        (Format::Xml, "<x>&lt;a href='y'>", "</x>"),
    ] {
        let value = format!("{front}{}{back}", "a b ".repeat(200 << 10));
        let (found, notice) = read(format, Slow(value.as_bytes()));
        assert_eq!((found, notice), (vec!["http://b.example/y".to_owned()], None), "{front}");
    }
}

/// A destination that stands far behind its label is looked for so far.
#[test]
fn destinations_far_from_their_marks_have_a_notice() {
    let far = |blanks: usize| format!("[a]({}b\\*c) http://e.com/", " ".repeat(blanks));
    let said = |blanks| read(Format::Markdown, far(blanks).as_bytes());
    assert_eq!((said(9).0.len(), said(9).1), (2, None));
    assert_eq!((said(90).0.len(), said(90).1), (1, Some(Notice::ValueTooLong)));
}

#[test]
fn what_xml_declares_beyond_a_limit_has_a_notice() {
    let said = |text: &str| read_both_ways(Format::Xml, text).1;
    let deep = |inside: &str| format!("<a>{}{inside}", "<b>".repeat(1 << 14));
    assert_eq!(said(&deep("<c xml:base='d/'>")), Some(Notice::ElementsTooDeep));
    assert_eq!(
        said(&deep("<c xmlns='http://www.w3.org/1999/xhtml'>")),
        Some(Notice::ElementsTooDeep)
    );
    assert_eq!(said(&deep("<c href='d'>")), None);
    let prefixes: String = (0..300).map(|n| format!(" xmlns:p{n}='d'")).collect();
    assert_eq!(said(&format!("<a{prefixes}/>")), Some(Notice::PrefixesTooMany));
    assert_eq!(said(&format!("<a xmlns:{}='d'/>", "p".repeat(65))), Some(Notice::PrefixesTooMany));
    let long = format!("<a xml:base='http://e.com/{}/'/>", "b".repeat(65_500));
    assert_eq!(said(&long), Some(Notice::BaseTooLong));
    let entity = |declared: &str| format!("<!DOCTYPE a [{declared}]><a href='&e;'/>");
    let through = "<!ENTITY % p \"<!ENTITY e 'http://e.com/'>\"> %p;";
    assert_eq!(said(&entity(through)), Some(Notice::EntitiesUnread));
    assert_eq!(said(&entity("<!ENTITY e 'http://e.com/'>")), None);
    let many: String =
        (0..50).map(|n| format!("<!ENTITY e{n} '{}'>", "x".repeat(100 << 10))).collect();
    assert_eq!(said(&entity(&many)), Some(Notice::EntitiesUnread));
    let blanks = " ".repeat(5 << 10);
    for head in [format!("href{blanks}='d'"), format!("href={blanks}'d'")] {
        assert_eq!(said(&format!("<a {head}/>")), Some(Notice::ValueTooLong));
    }
}

/// Long texts are resolved piece by piece: what stands at an edge is found whole, wherever that is.
#[test]
fn long_texts_with_references() {
    let unit = "x http&#58;//e.com/&eacute;表?a=1&amp;b=2 www&period;e.com/c y";
    let json =
        r#"{"a":"http:\/\/e.com\/\u00e9表?a=1\u0026b=2","b":"www\u002ee.com\/c \ud83d\ude00"}"#;
    let wanted = ["http://e.com/%C3%A9%E8%A1%A8?a=1&b=2", "https://www.e.com/c"];
    let finder = Finder::new();
    for (front, unit, back) in [
        ("<p>", unit, "</p>"),
        ("<textarea>", unit, "</textarea>"),
        ("<script type=application/json>", json, "</script>"),
    ] {
        let count = (600 << 10) / unit.len();
        // Every place of a unit comes to an edge.
        for padding in 0..unit.len() {
            let text = [front, &" ".repeat(padding), &unit.repeat(count), back].concat();
            let text = match padding % 16 {
                0 => text,
                _ => [front, &" ".repeat((255 << 10) + padding), &unit.repeat(40), back].concat(),
            };
            let count = text.matches(unit).count();
            let hints = Hints::new().format(Format::Html);
            let mut found = 0;
            for link in finder.document(text.as_bytes(), &hints).unwrap() {
                assert_eq!(
                    link.into_link().unwrap().uri(),
                    wanted[found % 2],
                    "{front} {padding} {found}"
                );
                found += 1;
            }
            assert_eq!(found, 2 * count, "{front} {padding}");
        }
    }
}

/// A page in HAR is read whatever its length, wherever its type stands.
#[test]
fn long_pages_in_har() {
    const LINKS: usize = 100_000;
    let plain = "<a href=x>  ".repeat(LINKS);
    let base64 = "PGEgaHJlZj14PiAg".repeat(LINKS);
    for (text, encoding) in [(plain, ""), (base64, ",\"encoding\":\"base64\"")] {
        for (front, back) in [
            ("\"mimeType\":\"text/html\",", encoding.to_owned()),
            ("", format!("{encoding},\"mimeType\":\"text/html\"")),
        ] {
            let content = format!("{{{front}\"text\":\"{text}\"{back}}}");
            let har =
                format!("{{\"log\":{{\"entries\":[{{\"response\":{{\"content\":{content}}}}}]}}}}");
            let (found, notice) = read_both_ways(Format::Json, &har);
            assert_eq!((found.len(), notice), (LINKS, None), "{front} {back}");
            assert_eq!(found[LINKS - 1], "http://b.example/x");
        }
    }
}
