//! The routes that a document takes to its records, which are lines of JSON.

use std::ops::ControlFlow;

use linksift::report::Record;
use linksift::{Candidate, Charset, Event, Finder, Format, Hints};

use crate::records::push_present;
use crate::support::pieces::Pieces;

fn json(found: &Candidate<'_>) -> String {
    let mut line = Vec::new();
    match found {
        Candidate::Link(link) => push_present(&Record::link("-", link), &mut line),
        Candidate::Rejected(rejected) => push_present(&Record::rejected("-", rejected), &mut line),
    }
    String::from_utf8(line).unwrap()
}

/// From memory.
pub(crate) fn whole(finder: &Finder, charset: Option<Charset>, stored: &[u8]) -> Vec<String> {
    let mut hints = Hints::new().format(Format::Text).positions(true);
    if let Some(charset) = charset {
        hints = hints.charset(charset);
    }
    finder.document(stored, &hints).unwrap().map(|found| json(&found)).collect()
}

/// Through a reader that gives the document in pieces.
pub(crate) fn piped(
    finder: &Finder,
    charset: Option<Charset>,
    stored: &[u8],
    cuts: &[usize],
) -> Vec<String> {
    let mut hints = Hints::new().format(Format::Text).positions(true);
    if let Some(charset) = charset {
        hints = hints.charset(charset);
    }
    let mut lines = Vec::new();
    let reader = Pieces::cut(stored, cuts);
    let scanned = finder.scan_reader(reader, &hints, |event| {
        lines.push(json(&match event {
            Event::Link { link, .. } => Candidate::Link(link),
            Event::Rejected { rejected, .. } => Candidate::Rejected(rejected),
            other => panic!("{other:?} in text"),
        }));
        ControlFlow::Continue(())
    });
    assert_eq!(scanned.unwrap().bytes(), stored.len() as u64);
    lines
}

/// What a record says of a field.
pub(crate) fn field(line: &str, name: &str) -> serde_json::Value {
    serde_json::from_str::<serde_json::Value>(line).unwrap()[name].clone()
}

/// Where a record stands.
pub(crate) fn range(line: &str) -> std::ops::Range<usize> {
    let number = |name: &str| usize::try_from(field(line, name).as_u64().unwrap()).unwrap();
    number("start")..number("end")
}
