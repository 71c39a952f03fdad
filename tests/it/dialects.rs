//! Ways in which programs and formats write links, along each path: `fixtures/dialects/rows.cases`. The bindings read the same cases.

#![cfg(all(feature = "files", feature = "known-hosts", feature = "mail"))]

use std::ops::ControlFlow;

use linksift::files::{self, Options};
use linksift::{Document, Event, Finder, Format, Hints};

use crate::made::characters::unescaped;
use crate::made::folder::Folder;
use crate::made::zips::{stored, zip};
use crate::support::pieces::Pieces;

struct Row {
    name: &'static str,
    text: String,
    uris: Vec<&'static str>,
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in include_str!("../../fixtures/dialects/rows.cases").lines() {
        match (line.split_at_checked(2), rows.last_mut()) {
            (Some(("= ", uri)), Some(row)) => row.uris.push(uri),
            (Some(("@@", name)), _) => {
                rows.push(Row { name: name.trim(), text: String::new(), uris: Vec::new() });
            }
            (_, Some(row)) => row.text = row.text.clone() + &unescaped(line) + "\n",
            (_, None) => assert!(line.starts_with('#') || line.is_empty(), "{line}"),
        }
    }
    rows
}

fn note(event: &Event<'_>, uris: &mut Vec<String>) -> ControlFlow<()> {
    if let Event::Link { link, .. } = event {
        uris.push(link.uri().into_owned());
    }
    ControlFlow::Continue(())
}

fn of_files(folder: &Folder, name: &str, bytes: &[u8]) -> Vec<String> {
    let path = folder.write(name, bytes);
    let options = Options::new().threads(1).hints(Hints::new().format(Format::Auto));
    let mut uris = Vec::new();
    files::sift([&path], &options, |event| note(&event, &mut uris));
    uris
}

#[test]
fn each_row_along_each_path() {
    let (finder, folder) = (Finder::new(), Folder::new());
    let rows = rows();
    assert!(rows.len() > 30, "{}", rows.len());
    let mut wrong = Vec::new();
    for Row { name, text, uris } in rows {
        let bytes = text.as_bytes();
        let document = Document::new(bytes).format(Format::Auto).name(name);
        let links = finder.document(&document).unwrap();
        let memory = links.filter_map(Result::ok).map(|link| link.uri().into_owned()).collect();
        let mut pieces = Vec::new();
        let reader = Pieces::cut(bytes, &[bytes.len() / 3, bytes.len() / 2]);
        let hints = Hints::new().format(Format::Auto).name(name);
        finder.scan_reader(reader, &hints, |event| note(&event, &mut pieces)).unwrap();
        let mail = format!(
            "From: a\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=part\n\n--part\n\
             Content-Type: application/octet-stream; name=\"{name}\"\nContent-Transfer-Encoding: base64\n\n{}\n--part--\n",
            crate::made::base64(bytes, 76)
        );
        let paths = [
            ("in memory", memory),
            ("in pieces", pieces),
            ("a file", of_files(&folder, name, bytes)),
            ("in a zip", of_files(&folder, "rows.zip", &zip(&[stored(name.as_bytes(), bytes)]))),
            ("in a part", of_files(&folder, "rows.eml", mail.as_bytes())),
        ];
        for (path, found) in paths {
            if found != uris {
                wrong.push(format!("{name} {path}: {found:?}, not {uris:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "fixtures/dialects/rows.cases:\n{}", wrong.join("\n"));
}
