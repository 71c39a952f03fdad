//! The table of limits: each is reached by a document here, and says what the table says; the documentation has the
//! same table; and what comes out of a document is bounded by what goes in.

use std::fs;
use std::ops::ControlFlow;

use linksift::container::{Limits, Opening};
use linksift::files::{self, Options};
use linksift::limits::{ALL, Limit};
use linksift::report::Record;

use linksift::Event;

use crate::container::compressed::gzip;
use crate::container::run::options;
use crate::container::tars;
use crate::container::warcs::{page, record};
use crate::made::ars::{ar, member};
use crate::records::push_present;

/// What came of a document.
#[derive(Default)]
struct Run {
    /// Codes of notices, reasons, warnings and failures.
    codes: Vec<&'static str>,
    /// Bytes of its records.
    output: usize,
}

fn run_with(name: &str, bytes: &[u8], options: &Options) -> Run {
    let mut run = Run::default();
    let mut line = Vec::new();
    let opening = Opening::bytes(bytes.to_vec()).name(name);
    let _ = files::scan_one(opening, options, |event| {
        line.clear();
        match event {
            Event::Link { path, link, .. } => {
                run.codes.extend(link.warnings().iter().map(|warning| warning.as_str()));
                push_present(&Record::link(path, &link), &mut line);
            }
            Event::Rejected { path, rejected, .. } => {
                run.codes.push(rejected.reason().as_str());
                push_present(&Record::rejected(path, &rejected), &mut line);
            }
            Event::Noticed { notice, .. } => run.codes.push(notice.as_str()),
            Event::Failed { error, .. } => run.codes.push(error.as_str()),
            _ => {}
        }
        run.output += line.len();
        ControlFlow::Continue(())
    });
    run
}

fn run(name: &str, bytes: impl AsRef<[u8]>) -> Run {
    run_with(name, bytes.as_ref(), &options())
}

/// A tar of one file with a name of this length.
fn tar_of(len: usize, content: &[u8]) -> Vec<u8> {
    let name = ["n".repeat(len).as_bytes(), b"\0"].concat();
    [tars::entry_of(b"././@LongLink", &name, b'L'), tars::entry("n", content)].concat()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for n in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * n) & 63) as usize];
            out.push(if n <= group.len() { char::from(digit) } else { '=' });
        }
        if out.len() % 77 == 76 {
            out.push('\n');
        }
    }
    out
}

/// What a document comes to that has so much more (or less, if negative) than the limit lets through.
fn reached(limit: &Limit, more: i64) -> Run {
    let len = usize::try_from(limit.most() as i64 + more).unwrap();
    let fill = |len: usize| "a".repeat(len);
    match limit.name() {
        "link" => run("a.txt", format!("http://e.com/{} x", fill(len - 13))),
        "value of several links" => {
            run("a.html", format!("<p style=\"{}\">", "b:url(c);".repeat(len / 9)))
        }
        "HTML in a value" => run("a.json", format!("[\"<p>{}\"]", fill(len - 3))),
        "HTML in HAR" => {
            let object = r#"{"mimeType":"text/html","text":""}"#;
            let object = object.replace("\"\"}", &format!("\"{}\"}}", fill(len - object.len())));
            let entry =
                format!(r#"{{"log":{{"entries":[{{"response":{{"content":{object}}}}}]}}}}"#);
            run("a.har", entry)
        }
        "field of a header" => {
            let head = format!("HTTP/1.1 200 OK\r\nLink: {}\r\n\r\n", "<a>,".repeat(len / 4));
            run(
                "a.warc",
                record("response", "http://e.com/", head.as_bytes(), &head.len().to_string()),
            )
        }
        "base" => {
            run("a.html", format!("<base href='http://e.com/{}/'><a href=b>", fill(len - 14)))
        }
        "source" => {
            let uri = format!("http://e.com/{}", fill(len - 13));
            run("a.warc", record("resource", &uri, b"http://e.com/b", "14"))
        }
        "bases, sources and names over all links" => {
            let base = format!("<base href='http://e.com/{}/'>", fill(4_000));
            // At either side of it: each reference is told 8,000 bytes of the base.
            let unit =
                if more > 0 { "<a href=b>".to_owned() } else { format!("<a href=b>{}", fill(250)) };
            run("a.html", base + &unit.repeat(200))
        }
        "member's name" => run("a.tar", tar_of(len, b"http://e.com/b")),
        "page in UTF-16, Markdown, calendar, card, RTF" => {
            run("a.md", format!("{} http://e.com/b", fill(len - 15)))
        }
        "PDF, Office, property list, store in a mail" => {
            run("a.pdf", [b"%PDF-1.7\n".to_vec(), vec![b' '; len]].concat())
        }
        "lines of a calendar or a card" => {
            run("a.vcf", format!("{}N:http://e.com/b", "N:a\n".repeat(len - 1)))
        }
        "documents in values" => {
            let escaped = |html: String| {
                html.replace('&', "&amp;").replace('\'', "&#39;").replace('<', "&lt;")
            };
            let inside = |html, _| format!("<iframe srcdoc='{}'></iframe>", escaped(html));
            run("a.html", (0..len).fold("<a href='http://e.com/b'>".to_owned(), inside))
        }
        "quotations and lists of Markdown" => {
            run("a.md", format!("{}http://e.com/b", "> ".repeat(len)))
        }
        "elements of XML in each other" => {
            let deep = "<b>".repeat(len - 2);
            run("a.xml", format!("<a>{deep}<b xml:base='http://e.com/'/>"))
        }
        "prefixes of XML" => {
            let prefixes: String =
                (0..len).map(|n| format!(" xmlns:p{n}='http://e.com/'")).collect();
            run("a.xml", format!("<p0:a{prefixes}/>"))
        }
        "entities of XML" => {
            let (count, size) = (1 << 10, len / (1 << 10));
            let declared = format!("<!DOCTYPE a [<!ENTITY e '{}'>]>", fill(size));
            let text = "<b>&e; x.</b>".repeat(count + usize::from(more > 0) * 64);
            run("a.xml", format!("<?xml version='1.0'?>{declared}<a>{text}</a>"))
        }
        "messages in each other" => {
            let levels = "Content-Type: message/rfc822\n\n".repeat(len);
            run("a.eml", format!("{levels}Subject: x\n\nhttp://e.com/b"))
        }
        "encodings of mail" => {
            let head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n";
            let inside = |mail: String, _| head.to_owned() + &base64(mail.as_bytes());
            run("a.eml", (1..len).fold("Subject: x\n\nhttp://e.com/b".to_owned(), inside))
        }
        "uuencoded files in a text" => {
            let files = "begin 644 a\n#86)C\n`\nend\n".repeat(len);
            run("a.eml", format!("Subject: a\n\n{files}"))
        }
        "attached archive" => {
            let head =
                b"Content-Type: application/zip; name=a.zip\nContent-Transfer-Encoding: binary\n\n";
            let body = tar_of(9, &vec![b' '; len]);
            run("a.eml", [&head[..], &body].concat())
        }
        "archives in each other" => {
            let inside = |inner: Vec<u8>, _| ar(&[member("inner/", &inner)]);
            run("a.a", (0..len).fold(b"see example.com".to_vec(), inside))
        }
        "expansion" => {
            let limits = Limits::new().max_expansion(2).floors(10, 10);
            let content = if more > 0 { vec![b'a'; 10_000] } else { b"http://e.com/b".to_vec() };
            run_with("a.gz", &gzip(&content), &options().limits(limits))
        }
        "decoder's window" => {
            // A frame with a window of 128 KiB.
            let zstd = b"\x28\xB5\x2F\xFD\0\x38\x03\0\x10a";
            let window = if more > 0 { 64 << 10 } else { 128 << 10 };
            run_with("a.zst", zstd, &options().limits(Limits::new().max_window(window)))
        }
        name => panic!("no document reaches the limit {name:?}: write one here"),
    }
}

#[test]
fn each_limit_is_reached_and_says_what_the_table_says() {
    // Those without a code drop nothing.
    for limit in ALL.iter().filter(|limit| !limit.said().is_empty()) {
        // What is around what is counted.
        let slack = if limit.unit() == "bytes" { (limit.most() / 8) as i64 } else { 0 };
        let over = reached(limit, slack + 1);
        assert!(over.codes.contains(&limit.said()), "{}: {:?}", limit.name(), over.codes);
        let within = reached(limit, -slack);
        assert!(!within.codes.contains(&limit.said()), "{}: {:?}", limit.name(), within.codes);
    }
}

#[test]
fn what_is_told_with_each_link_is_let_through_to_the_byte() {
    for limit in
        ALL.iter().filter(|limit| ["base", "source", "member's name"].contains(&limit.name()))
    {
        assert!(reached(limit, 1).codes.contains(&limit.said()), "{}", limit.name());
        assert!(!reached(limit, 0).codes.contains(&limit.said()), "{}", limit.name());
    }
}

/// `docs/output.md` has the table.
#[test]
fn the_documentation_has_every_limit() {
    let page = fs::read_to_string(crate::root().join("docs/output.md")).unwrap();
    let most = |limit: &Limit| match (limit.unit(), limit.most()) {
        ("bytes", most) if most % (1 << 20) == 0 => format!("{} MiB", most >> 20),
        ("bytes", most) => format!("{} KiB", most >> 10),
        (unit, most) => format!("{most} {unit}"),
    };
    let option =
        |limit: &Limit| limit.option().map_or(String::new(), |option| format!("`{option}`"));
    let said = |limit: &Limit| match limit.said() {
        "" => "later files wait".to_owned(),
        code => format!("`{code}`"),
    };
    let rows = ALL.iter().map(|limit| {
        format!("| {} | {} | {} | {} |", limit.name(), most(limit), option(limit), said(limit))
    });
    let missing: Vec<_> = rows.filter(|row| !page.lines().any(|line| line == row)).collect();
    assert!(missing.is_empty(), "docs/output.md lacks\n{}", missing.join("\n"));
    let section = page.split("## Limits\n").nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows = section.unwrap().lines().filter(|line| line.starts_with("| ")).count();
    assert_eq!(rows, ALL.len() + 1, "docs/output.md has limits that are none");
}

/// Documents whose records are long for what they are made of: how each begins, what is repeated, how it ends.
fn long_records() -> Vec<(&'static str, String, &'static str, &'static str)> {
    let fill = |len: usize| "a".repeat(len);
    let base = |len: usize| format!("<base href='http://e.com/{}/'>", fill(len));
    let mail = |head: String| format!("{head}\nContent-Type: text/html\n\n");
    vec![
        ("a.html", base(60_000), "<a href=b>", ""),
        ("a.html", base(8_000), "<a href=b>", ""),
        ("a.html", base(8_000), "<a href=é>", ""),
        ("a.html", base(8_000), "<img srcset='b 1x,c 2x,d 3x'>", ""),
        ("a.html", base(8_000), "<iframe srcdoc='<a href=b>'></iframe>", ""),
        ("a.html", base(8_000).replace('a', "é"), "<a href=b>", ""),
        ("a.xml", format!("<a xml:base='http://e.com/{}/'>", fill(8_000)), "<b href='d'/>", ""),
        ("a.md", base(8_000), "[a](b) ", ""),
        (
            "a.eml",
            mail(format!("Content-Location: http://e.com/{}/", fill(8_000))),
            "<a href=b>",
            "",
        ),
        ("a.eml", mail(format!("Message-ID: <{}@e.com>", fill(900))), "http://e.com ", ""),
        (
            "a.eml",
            format!("Content-Location: http://e.com/{}/\n\n", fill(8_000)),
            "http://e.com ",
            "",
        ),
        ("a.html", String::new(), "<a href='é\u{1}\"表 '>", ""),
        ("a.html", String::new(), "<iframe srcdoc='<a href=b>'></iframe>", ""),
        ("a.html", base(60_000), "<iframe srcdoc='<a href=b>'></iframe>", ""),
        ("a.xml", "<a>".to_owned(), "<b xml:base='cccccccc/'>", ""),
        ("a.xml", "<a xml:base='http://e.com/'>".to_owned(), "<b xml:base='cccccccc/'>", ""),
        ("a.xml", "<a xml:base='http://e.com/'>".to_owned(), "<b xml:base='c/' href='d'/>", ""),
        ("a.xml", format!("<a><{} ", fill(60_000)), "b='http://c' ", "/></a>"),
        ("a.xml", format!("<a><b {}='http://c'", fill(4_000)), " b='http://c'", "/></a>"),
        ("a.css", String::new(), "a{b:url(é)}", ""),
        ("a.txt", String::new(), "http://é.表/é表 ", ""),
        ("a.md", String::new(), "[a](é) ", ""),
        ("a.json", "[".to_owned(), "\"http://e.com/\\u00e9\",", "0]"),
        (
            "a.eml",
            mail(format!("Content-Location: http://e.com/{}/", fill(60_000))),
            "<a href=b>",
            "",
        ),
        ("a.eml", mail(format!("Message-ID: <{}@e.com>", fill(60_000))), "<a href=b>", ""),
        ("a.eml", mail(format!("Content-Base: http://e.com/{}/", fill(60_000))), "<a href=b>", ""),
    ]
}

/// So many bytes of records a byte of input are the most that any of them has: what is reported with each link is
/// bounded, also over all links, and a link has a few bytes.
const MOST_A_BYTE: usize = 100;

#[test]
fn what_comes_out_is_bounded_by_what_goes_in() {
    let of = |name: &str, bytes: &[u8]| {
        let run = run(name, bytes);
        assert!(run.output <= MOST_A_BYTE * bytes.len(), "{name}: {} {}", run.output, bytes.len());
        run.output as f64 / bytes.len() as f64
    };
    for (name, front, unit, end) in long_records() {
        let document = |times: usize| format!("{front}{}{end}", unit.repeat(times)).into_bytes();
        // Where the front is long, what is after it counts first when it is as long.
        let (few, many) = (document(2_000), document(8_000));
        let (small, large) = (of(name, &few), of(name, &many));
        assert!(large <= 4.0 * small + 16.0, "{name} {unit}: {small} {large}");
        for (name, len) in [("a.warc", 60_000), ("a.tar", 8_000)] {
            let uri = format!("http://e.com/{}/", "a".repeat(len));
            let wrapped = match name {
                "a.warc" => record("resource", &uri, &few, &few.len().to_string()),
                _ => tar_of(len, &few),
            };
            of(name, &wrapped);
        }
    }
}

/// The documents of the issue: a base of 60 KB before 1,000 references.
#[test]
fn a_long_base_before_many_references() {
    let document =
        format!("<base href='http://e.com/{}/'>{}", "a".repeat(60_000), "<a href=b>".repeat(1_000));
    let run = run("a.html", &document);
    assert!(run.output < 8 * document.len(), "{}", run.output);
    assert_eq!(run.codes.iter().filter(|code| **code == "base-too-long").count(), 1_001);
}

/// The longest link that is let through, wherever one may be.
#[test]
fn a_link_that_is_too_long_is_rejected_wherever_it_is() {
    const LONG: &str = "http://e.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    let finder = linksift::Finder::builder().max_link(LONG.len() - 1).build();
    let mail = |field: &str| ("a.eml", format!("Subject: a\n{field}\n\nb").into_bytes());
    let crawl = |field: &str| ("a.warc", field.as_bytes().to_vec());
    let text = |name: &'static str, text: &str| (name, text.as_bytes().to_vec());
    let word = "<w:p xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>";
    let sheet = "<sst xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'>";
    let har =
        |entry: &str| ("a.har", format!("{{\"log\":{{\"entries\":[{entry}]}}}}").into_bytes());
    for (name, document) in [
        text("a.txt", "LONG x"),
        text("a.html", "<a href=LONG>"),
        text("a.html", "<base href=LONG>"),
        text("a.html", "<img srcset='LONG 2x'>"),
        text("a.html", "<a ping='LONG'>"),
        text("a.html", "<object archive='LONG'>"),
        text("a.html", "<meta http-equiv=refresh content='0;url=LONG'>"),
        text("a.html", "<p style='a:url(LONG)'>"),
        text("a.html", "<style>a{b:url(LONG)}</style>"),
        text("a.html", "<iframe srcdoc='<a href=LONG>'>"),
        text("a.css", "a{b:url(LONG)}"),
        text("a.xml", "<!DOCTYPE a SYSTEM 'LONG'><a/>"),
        text("a.xml", "<a href='LONG'/>"),
        text("a.xml", "<a xml:base='LONG'/>"),
        text("a.xml", &format!("{word}<w:instrText>HYPERLINK \"LONG\"</w:instrText></w:p>")),
        text("a.xml", &format!("{word}<w:delText>LONG</w:delText></w:p>")),
        text("a.xml", &format!("{sheet}<c><f>HYPERLINK(\"LONG\",\"x.y\")</f></c></sst>")),
        text("a.md", "[a](LONG)"),
        text("a.ics", "BEGIN:VCALENDAR\nURL:LONG\nEND:VCALENDAR\n"),
        har(r#"{"request":{"url":"LONG"}}"#),
        har(r#"{"response":{"redirectURL":"LONG"}}"#),
        mail("List-Unsubscribe: <LONG>"),
        mail("Archived-At: <LONG>"),
        mail("Content-Location: LONG"),
        crawl("Location: LONG"),
        crawl("Refresh: 0; url=LONG"),
        crawl("Link: <LONG>"),
        crawl("Content-Location: LONG"),
    ] {
        let document = String::from_utf8(document).unwrap();
        let of = |link: &str| {
            let document = document.replace("LONG", link);
            let bytes = match name {
                "a.warc" => page(1, b"x", &format!("{document}\r\n")),
                _ => document.into_bytes(),
            };
            run_with(name, &bytes, &options().finder(finder.clone()))
        };
        let over = of(LONG);
        assert!(over.codes.contains(&"too-long"), "{document}: {:?}", over.codes);
        assert!(!over.codes.contains(&"base-too-long"), "{document}");
        let within = of(&LONG[..LONG.len() - 1]);
        assert!(!within.codes.contains(&"too-long") && within.output > 0, "{document}");
    }
}
