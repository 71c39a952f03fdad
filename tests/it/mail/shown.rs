//! Links that mail programs show although the message is wrong: a filter that reads it strictly would not see them.

use std::ops::ControlFlow;

use crate::support::pieces::Pieces;
use linksift::{Event, Finder, Format, Hints};

use super::untransfer::decoded;

const PAGE: &str = "<p>hello <a href=\"http://e.com/shown\">go on</a></p>   ";
const SHOWN: &str = "a@href http://e.com/shown";

/// Returns the links of a message with their contexts, the same whole and in pieces; each slice decodes to its link.
fn links(message: &[u8]) -> Vec<String> {
    let scanned = |bytes: &mut dyn std::io::Read| {
        let mut found = Vec::new();
        let hints = Hints::new().format(Format::Email);
        let each = |event: Event<'_>| {
            if let Event::Link { link, .. } = &event {
                let transfer = link.transfer().map_or("-", |transfer| transfer.as_str());
                if transfer != "nested" {
                    let text = decoded(&message[link.range()], transfer, link.charset());
                    assert_eq!(text, link.raw());
                }
                found.push(format!("{} {}", link.context(), link.uri()));
            }
            ControlFlow::Continue(())
        };
        Finder::new().scan_reader(bytes, &hints, each).unwrap();
        found
    };
    let whole = scanned(&mut &message[..]);
    for len in [1, 7, 100] {
        assert_eq!(scanned(&mut Pieces::new(message.chunks(len))), whole, "{len}");
    }
    whole
}

fn message(fields: &str, body: &[u8]) -> Vec<u8> {
    [b"From: a@b.example\nMIME-Version: 1.0\n", fields.as_bytes(), b"\n\n", body].concat()
}

fn page(content_type: &str) -> Vec<u8> {
    message(&format!("Content-Type: {content_type}"), PAGE.as_bytes())
}

#[test]
fn a_media_type_ends_where_its_characters_end() {
    for kind in [
        "text/html, charset=utf-8",
        "text/html\0; charset=utf-8",
        "text / html",
        "text/\n html",
        "text(c)/(d)html",
    ] {
        assert_eq!(links(&page(kind)), [SHOWN], "{kind:?}");
    }
}
