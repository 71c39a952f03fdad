//! Links out of markup, end to end: documents beside the records that are expected of them.
//!
//! `fixtures/markup/links` holds documents and, beside `NAME`, the file `NAME.json`: its first line says
//! what is asked beside the document (`base`, `text`, `charset`), each other one is a record. A document
//! goes in whole and through readers; whichever way, the records are the same. `LINKSIFT_CORPUS=DIR` lets
//! a slow check go over the markup of a folder.

mod corpus;

use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::bless::Blessing;
use crate::records::push_present;
use crate::support::pieces::Pieces;
use linksift::report::Record;
use linksift::{Candidate, Charset, Event, Finder, Format, Hints};
use serde_json::Value;

/// A document, what is asked beside it, and the records it must give.
struct Case {
    name: String,
    bytes: Vec<u8>,
    base: Option<String>,
    text: bool,
    charset: Option<Charset>,
    /// The first line of the file of records.
    asked: String,
    records: String,
    path: PathBuf,
}

/// What the ending of a name says.
fn format_of(path: &Path) -> Option<Format> {
    Some(match path.extension()?.to_str()? {
        "html" | "htm" => Format::Html,
        "xml" | "svg" | "xhtml" => Format::Xml,
        "css" => Format::Css,
        "jsonl" => Format::Json,
        "ipynb" => Format::Notebook,
        "yaml" => Format::Yaml,
        "csv" => Format::Csv,
        "md" => Format::Markdown,
        "ics" => Format::Calendar,
        "vcf" => Format::Vcard,
        "properties" => Format::Properties,
        "po" => Format::Po,
        "strings" => Format::Strings,
        "tex" => Format::Tex,
        "texi" => Format::Texinfo,
        "pod" => Format::Pod,
        "roff" => Format::Roff,
        "pm" | "rtf" | "webmanifest" => Format::Auto,
        _ => return None,
    })
}

fn cases() -> Vec<Case> {
    let folder = crate::root().join("fixtures/markup/links");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| format_of(path).is_some());
    paths.iter().map(|path| case(path)).collect()
}

fn case(path: &Path) -> Case {
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    // Where there is none yet, it can be blessed.
    let wanted = fs::read_to_string(records_of(path)).unwrap_or_else(|_| "{}\n".to_owned());
    let (first, records) = wanted.split_once('\n').unwrap();
    let asked: Value =
        serde_json::from_str(first).unwrap_or_else(|error| panic!("{name}.json:1: {error}"));
    let text = |key: &str| asked[key].as_str();
    Case {
        bytes: fs::read(path).unwrap(),
        base: text("base").map(str::to_owned),
        text: asked["text"].as_bool().unwrap_or(true),
        charset: text("charset").map(|label| label.parse().unwrap()),
        records: records.to_owned(),
        asked: first.to_owned(),
        path: path.to_owned(),
        name,
    }
}

/// The file of the records of a document.
fn records_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

impl Case {
    /// Facts about the document, with its format as it is known, or to be detected.
    fn hints(&self, format: Format) -> Hints {
        let mut hints =
            Hints::new().format(format).name(&self.name).text(self.text).positions(true);
        if let Some(base) = &self.base {
            hints = hints.base(base.parse().unwrap());
        }
        if let Some(charset) = self.charset {
            hints = hints.charset(charset);
        }
        hints
    }

    fn format(&self) -> Format {
        format_of(Path::new(&self.name)).unwrap()
    }

    fn add(&self, out: &mut Vec<u8>, candidate: &Candidate<'_>) {
        match candidate {
            Candidate::Link(link) => push_present(&Record::link(&self.name, link), out),
            Candidate::Rejected(rejected) => {
                push_present(&Record::rejected(&self.name, rejected), out)
            }
        }
    }

    /// What the document gives as a whole.
    fn whole(&self, finder: &Finder) -> String {
        let mut out = Vec::new();
        for candidate in finder.document(&self.bytes, &self.hints(self.format())).unwrap() {
            self.add(&mut out, &candidate);
        }
        String::from_utf8(out).unwrap()
    }

    /// The file of records with these.
    fn expect(&self, blessing: &mut Blessing, records: &str) {
        let content = format!("{}\n{records}", self.asked);
        blessing.whole(&records_of(&self.path), content.as_bytes());
    }

    /// What a reader gives that yields the document in pieces.
    fn read(&self, finder: &Finder, reader: impl Read) -> String {
        let mut out = Vec::new();
        let emit = |event: Event<'_>| {
            if let Some(candidate) = event.into_candidate() {
                self.add(&mut out, &candidate);
            }
            ControlFlow::Continue(())
        };
        finder.scan_reader(reader, &self.hints(Format::Auto), emit).unwrap();
        String::from_utf8(out).unwrap()
    }
}

fn assert_same(name: &str, route: &str, found: &str, wanted: &str) {
    if let Some((found, wanted)) = found.lines().zip(wanted.lines()).find(|(a, b)| a != b) {
        panic!("{name}, {route}:\n  found  {found}\n  wanted {wanted}");
    }
    assert_eq!(found, wanted, "{name}, {route}: one is longer");
}

#[test]
fn whole_documents() {
    let finder = Finder::new();
    let cases = cases();
    assert!(cases.len() >= 360, "{} fixtures", cases.len());
    let mut blessing = Blessing::new("markup::links::whole_documents");
    for case in &cases {
        case.expect(&mut blessing, &case.whole(&finder));
    }
    blessing.finish();
}

/// Each row of the table of attributes has a document in which one of its elements has a link, but for those whose value
/// is a page or a style, which have contexts of their own, and what is read only with `--lazy`.
#[test]
fn each_row_of_attributes_has_a_document() {
    let table = include_str!("../../../src/markup/html/places.rs");
    let records: String = cases().into_iter().map(|case| case.records).collect();
    let of_row = |row: &'static str| {
        let row = row.trim();
        let openings = ["value!(", "holds!(", "embeds!(", "loads!(", "identifies!("];
        let row = Some(row).filter(|row| !row.contains('$'))?;
        openings.iter().find_map(|opening| row.strip_prefix(opening))
    };
    let rows: Vec<_> = table.lines().filter_map(of_row).collect();
    assert!(rows.len() > 50, "{} rows", rows.len());
    let is_seen = |row: &&str| {
        let names: Vec<_> = row.split('"').skip(1).step_by(2).collect();
        let attribute = names[0];
        let elements = if names.len() > 1 { &names[1..] } else { &[""] };
        elements.iter().any(|element| records.contains(&format!("{element}@{attribute}\"")))
            || row.contains(", Style,")
            || row.contains(", Srcdoc,")
    };
    let missing: Vec<_> = rows.into_iter().filter(|row| !is_seen(row)).collect();
    assert!(
        missing.is_empty(),
        "rows of src/markup/html/places.rs of which no document in fixtures/markup/links has a link:\n{}",
        missing.join("\n")
    );
}

#[test]
fn blessing_what_is_expected_changes_no_byte() {
    let mut blessing = Blessing::new("");
    for case in cases() {
        case.expect(&mut blessing, &case.records);
    }
    blessing.assert_nothing_changes(360);
}

#[test]
fn readers() {
    let finder = Finder::new();
    for case in cases() {
        let whole = case.whole(&finder);
        let found = case.read(&finder, &*case.bytes);
        assert_same(&case.name, "reader", &found, &whole);
        let found = case.read(&finder, Pieces::new(case.bytes.chunks(1)));
        assert_same(&case.name, "byte by byte", &found, &whole);
        // What a bomb costs need not be paid at every byte.
        let step = if case.name == "bomb.xml" { 97 } else { 1 };
        for at in (0..=case.bytes.len()).step_by(step) {
            let found = case.read(&finder, Pieces::cut(&case.bytes, &[at]));
            assert_same(&case.name, &format!("cut at {at}"), &found, &whole);
        }
    }
}

/// What the offsets say is what stands there; so are the line and the column.
#[test]
fn slices_are_what_was_written() {
    for case in cases() {
        for record in case.records.lines() {
            let record: Value = serde_json::from_str(record).unwrap();
            let number = |key: &str| usize::try_from(record[key].as_u64().unwrap()).unwrap();
            let label = record["charset"].as_str().unwrap();
            let slice = &case.bytes[number("start")..number("end")];
            // Its characters have their escape sequences outside of the slice.
            if label != "iso-2022-jp" {
                let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
                let text = encoding.decode_without_bom_handling(slice).0;
                assert_eq!(record["raw"].as_str(), Some(&*text), "{}: {record}", case.name);
            }
            if !label.starts_with("utf-16") && label != "iso-2022-jp" {
                let position = position(&case.bytes, number("start"));
                assert_eq!(position, (number("line"), number("column")), "{}: {record}", case.name);
            }
        }
    }
}

/// The line and the column of an offset, counted from the beginning, after a byte order mark.
fn position(bytes: &[u8], at: usize) -> (usize, usize) {
    let (mut line, mut start) = (1, if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 });
    for n in 0..at {
        if bytes[n] == b'\n' || (bytes[n] == b'\r' && bytes.get(n + 1) != Some(&b'\n')) {
            (line, start) = (line + 1, n + 1);
        }
    }
    (line, at - start + 1)
}
