//! Documents along each path: ways in which programs and formats write links (`fixtures/dialects/rows.cases`), and what links know beside
//! their URIs (`fixtures/details/rows.cases`, `columns.cases`). The bindings read the same cases.

use std::ops::ControlFlow;

use linksift::files::{self, Options};
use linksift::offsets::Unit;
use linksift::{Event, Finder, Format, Hints, Link};

use crate::made::characters::unescaped;
use crate::made::folder::Folder;
use crate::made::zips::{stored, zip};
use crate::support::pieces::Pieces;

struct Row {
    name: &'static str,
    text: String,
    /// What the lines with `= ` say of its links.
    links: Vec<String>,
}

fn rows(table: &'static str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in table.lines() {
        match (line.split_at_checked(2), rows.last_mut()) {
            (Some(("= ", uri)), Some(row)) => row.links.push(unescaped(uri)),
            (Some(("@@", name)), _) => {
                rows.push(Row { name: name.trim(), text: String::new(), links: Vec::new() });
            }
            (_, Some(row)) => row.text = row.text.clone() + &unescaped(line) + "\n",
            (_, None) => assert!(line.starts_with('#') || line.is_empty(), "{line}"),
        }
    }
    rows
}

/// What a row says of a link.
type Say = fn(&Link<'_>) -> String;

fn note(event: &Event<'_>, say: Say, found: &mut Vec<String>) -> ControlFlow<()> {
    if let Event::Link { link, .. } = event {
        found.push(say(link));
    }
    ControlFlow::Continue(())
}

fn of_files(folder: &Folder, name: &str, bytes: &[u8], hints: &Hints, say: Say) -> Vec<String> {
    let path = folder.write(name, bytes);
    let options = Options::new().threads(1).hints(hints.clone());
    let mut found = Vec::new();
    let _ = files::scan([&path], &options, |event| note(&event, say, &mut found));
    found
}

/// Compares each row with what each path finds; returns how many there are.
fn compare(table: &'static str, hints: &Hints, say: Say) -> usize {
    let (finder, folder) = (Finder::new(), Folder::new());
    let rows = rows(table);
    let count = rows.len();
    let mut wrong = Vec::new();
    for Row { name, text, links } in rows {
        let bytes = text.as_bytes();
        let named = hints.clone().name(name);
        let memory =
            finder.document(bytes, &named).unwrap().links().map(|link| say(&link)).collect();
        let mut pieces = Vec::new();
        let reader = Pieces::cut(bytes, &[bytes.len() / 3, bytes.len() / 2]);
        finder.scan_reader(reader, &named, |event| note(&event, say, &mut pieces)).unwrap();
        let mail = format!(
            "From: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=part\n\n--part\n\
             Content-Type: application/octet-stream; name=\"{name}\"\nContent-Transfer-Encoding: base64\n\n{}\n--part--\n",
            crate::made::base64(bytes, 76)
        );
        let zipped = zip(&[stored(name.as_bytes(), bytes)]);
        let file = |name, bytes| of_files(&folder, name, bytes, hints, say);
        let paths = [
            ("in memory", memory),
            ("in pieces", pieces),
            ("a file", file(name, bytes)),
            ("in a zip", file("rows.zip", &zipped)),
            ("in a part", file("rows.eml", mail.as_bytes())),
        ];
        for (path, found) in paths {
            if found != links {
                wrong.push(format!("{name} {path}: {found:#?}, not {links:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    count
}

#[test]
fn each_row_along_each_path() {
    let hints = Hints::new().format(Format::Auto);
    let table = include_str!("../../fixtures/dialects/rows.cases");
    let count = compare(table, &hints, |link| link.uri().into_owned());
    assert!(count > 30, "{count}");
}

#[test]
fn what_links_know_along_each_path() {
    let hints = Hints::new().format(Format::Auto).details(true);
    compare(include_str!("../../fixtures/details/rows.cases"), &hints, |link| {
        let code = if link.is_code() { "code" } else { "prose" };
        let [rel, text] = [link.rel(), link.text()].map(|text| text.unwrap_or("-"));
        format!("{} | {} | {code} | {rel} | {text}", link.uri(), link.role().as_str())
    });
}

#[test]
fn columns_in_each_unit() {
    for Row { name, text, links } in rows(include_str!("../../fixtures/details/columns.cases")) {
        let places = |unit| -> Vec<_> {
            let hints = Hints::new().name(name).columns(unit);
            let finder = Finder::new();
            let found = finder.document(text.as_bytes(), &hints).unwrap().links();
            found.map(|link| link.position().unwrap()).collect()
        };
        let [bytes, chars, utf16] = [Unit::Bytes, Unit::Chars, Unit::Utf16].map(places);
        let found = bytes.iter().zip(&chars).zip(&utf16).map(|((bytes, chars), utf16)| {
            format!("{} | {} | {} | {}", bytes.line, bytes.column, chars.column, utf16.column)
        });
        assert_eq!(found.collect::<Vec<_>>(), links, "{name}");
    }
}
