//! Fields of headers: which of them have links, and fields that are written as they were before RFC 2822.

use std::ops::ControlFlow;

use crate::support::pieces::Pieces;
use linksift::{Event, Finder, Format, Headers, Hints};

/// Returns the links of a document with their parts and contexts, the same whole and in pieces. Each slice is the link as it
/// is written.
fn links(document: &[u8], hints: &Hints) -> Vec<String> {
    let scanned = |bytes: &mut dyn std::io::Read| {
        let mut found = Vec::new();
        let each = |event: Event<'_>| {
            if let Event::Link { link, .. } = &event {
                let slice = String::from_utf8_lossy(&document[link.range()]);
                assert_eq!(slice, link.raw());
                let part = link.part().unwrap_or("-");
                found.push(format!("{part} {} {}", link.context(), link.uri()));
            }
            ControlFlow::Continue(())
        };
        Finder::new().scan_reader(bytes, hints, each).unwrap();
        found
    };
    let whole = scanned(&mut &document[..]);
    for len in [1, 7, 100] {
        assert_eq!(scanned(&mut Pieces::new(document.chunks(len))), whole, "{len}");
    }
    whole
}

fn in_header(fields: &str) -> Vec<String> {
    let message = format!("From: a@b.example\n{fields}\n\nhttp://e.com/body\n");
    let mut found = links(message.as_bytes(), &Hints::new().format(Format::Email));
    assert_eq!(found.pop().as_deref(), Some("1 text http://e.com/body"), "{fields}");
    found
}

#[test]
fn blanks_may_precede_the_colon_of_the_first_field() {
    let body = "Subject: c\n\nsee http://e.com/\n";
    let hints = Hints::new().headers(Headers::All);
    let wanted = ["- header:from mailto:a@b.com", "1 text http://e.com/"];
    for from in ["From : a@b.com", "From  \t: <a@b.com>", "From: a@b.com", "\u{FEFF}From : a@b.com"]
    {
        let message = format!("{from}\n{body}");
        for named in [hints.clone().name("a.eml"), hints.clone()] {
            assert_eq!(links(message.as_bytes(), &named), wanted, "{message}");
            let ends = message.replace('\n', "\r\n");
            assert_eq!(links(ends.as_bytes(), &named), wanted, "{message}");
        }
    }
    // A line that begins a message has a colon in its time, or in its address.
    for line in
        ["From a@b.com Thu Jan  1 00:00:00 1970", "From  Thu Jan  1 00:00:00 1970", "From a:b"]
    {
        let wanted = ["1 header:from mailto:a@b.com", "1!1 text http://e.com/"];
        let message = format!("{line}\nFrom : a@b.com\n{body}");
        for named in [hints.clone().name("a.eml"), hints.clone().name("a.mbox"), hints.clone()] {
            assert_eq!(links(message.as_bytes(), &named), wanted, "{message}");
        }
    }
    // In a mailbox it does not begin a message.
    let mailbox = format!("From a\nSubject: a\n\nx\n\nFrom : a@b.com\n{body}");
    let found = links(mailbox.as_bytes(), &hints.format(Format::Mbox));
    assert_eq!(found, ["1!1 text mailto:a@b.com", "1!1 text http://e.com/"]);
}

#[test]
fn a_field_of_bimi_has_tags() {
    for separator in ["; ", ";", ";\n "] {
        let tags = ["v=BIMI1", "l=https://e.com/l.svg", "a=https://e.com/a.pem", ""];
        let found = in_header(&format!("BIMI-Location: {}", tags.join(separator)));
        let wanted =
            ["l.svg", "a.pem"].map(|name| format!("- header:bimi-location https://e.com/{name}"));
        assert_eq!(found, wanted, "{separator:?}");
    }
    assert_eq!(in_header("BIMI-Location: v=BIMI1; l=; a="), [""; 0]);
}

#[test]
fn a_field_of_links_has_iris_in_brackets() {
    let found =
        in_header("Link: <https://e.com/1>; rel=\"next\", <a>, <https://e.com/\n 2>;rel=prev");
    assert_eq!(found, ["- header:link https://e.com/1", "- header:link https://e.com/2"]);
}

#[test]
fn the_url_of_an_external_body_is_a_link() {
    let url = |parameters: &str| {
        let fields = format!("Content-Type: message/external-body; {parameters}");
        let message = format!("From: a@b.example\n{fields}\n\nContent-Type: text/plain\n\n");
        links(message.as_bytes(), &Hints::new().format(Format::Email))
    };
    let wanted = ["- header:content-type https://e.com/a.pdf?b=c"];
    for parameters in [
        "access-type=URL; URL=\"https://e.com/a.pdf?b=c\"",
        "url=https://e.com/a.pdf?b=c; access-type=URL",
        "access-type=URL;\n URL=\"https://e.com/\n  a.pdf ?b=c \"",
        "access-type=URL;\r\n\tURL=\" https://e.com/\r\n\ta.pdf?b=\r\n c\"",
        "access-type=URL; URL*0=\"https://e.com/a\";\n URL*1=\".pdf?b=c\"",
        "access-type=URL; URL*=utf-8''https%3A%2F%2Fe.com/a.pdf%3Fb=c",
        "access-type=URL; URL=\"https://e.com/a.pdf?b=\\c\"",
    ] {
        assert_eq!(url(parameters), wanted, "{parameters}");
    }
    assert_eq!(url("access-type=URL"), [""; 0]);
    assert_eq!(url("access-type=URL; URL=a.pdf"), [""; 0]);
    let none = Hints::new().format(Format::Email).headers(Headers::None);
    let message = b"Content-Type: message/external-body; URL=https://e.com/\n\n";
    assert_eq!(links(message, &none), [""; 0]);
    // Other types have no such parameter.
    assert_eq!(in_header("Content-Type: text/plain; URL=https://e.com/"), [""; 0]);
}
