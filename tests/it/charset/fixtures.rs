//! Documents in every encoding of the standard, `fixtures/charset/*.txt`, through every code path: whole,
//! in two pieces cut at every byte, byte by byte, and the naive twin, which decodes all and goes from
//! character to character. `tests/cmd/charsets.rs` pipes them to the command.
//!
//! The documents are made of the `.marked` files beside them, where links are marked as a reader
//! expects them; the records of a document are in its `.json`. `LINKSIFT_BLESS=1` writes both again.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use crate::bless::Blessing;
use crate::legacy::marked::{self, Marked};
use crate::legacy::plain::Plain;
use crate::legacy::routes::{field, piped, range, whole};
use crate::naive;
use linksift::{Candidate, Charset, Detected, Finder, Hints, References};

struct Fixture {
    name: String,
    made: Marked,
    charset: Charset,
    stored: Vec<u8>,
    /// Its records.
    lines: Vec<String>,
}

fn folder() -> PathBuf {
    crate::root().join("fixtures/charset")
}

fn path(name: &str, ending: &str) -> PathBuf {
    folder().join(format!("{name}.{ending}"))
}

fn label(made: &Marked) -> Charset {
    made.encoding.name().parse().unwrap()
}

/// The records of links, without those of refused candidates.
fn links(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().filter(|line| field(line, "rejected").is_null()).collect()
}

/// All of them, in the order of their names, as they are in the folder.
fn fixtures() -> Vec<Fixture> {
    let mut names: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| {
            Some(entry.unwrap().file_name().to_str()?.strip_suffix(".marked")?.to_owned())
        })
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| {
            let path = |ending: &str| path(&name, ending);
            let made = marked::read(&name, &fs::read_to_string(path("marked")).unwrap());
            let charset = label(&made);
            // Where there are none yet, they can be blessed.
            let stored = fs::read(path("txt")).unwrap_or_default();
            let lines = fs::read_to_string(path("json")).unwrap_or_default();
            let lines = lines.split_inclusive('\n').map(str::to_owned).collect();
            Fixture { name, made, charset, stored, lines }
        })
        .collect()
}

#[test]
fn the_folder_has_every_encoding_and_records_their_places() {
    let fixtures = fixtures();
    let names: BTreeSet<_> = fixtures.iter().map(|fixture| fixture.charset.as_str()).collect();
    assert_eq!(names.len(), 39, "{names:?}");
    let boms = fixtures.iter().filter(|f| f.made.first > 0).count();
    assert_eq!(boms, 2, "UTF-16 with byte order marks");
    for Fixture { name, made, lines, .. } in &fixtures {
        let plain = Plain::of(made.encoding, &made.stored, made.first);
        for line in lines {
            assert_eq!(field(line, "raw"), plain.slice(range(line)), "{name}.json: {line}");
            let uri = field(line, "uri");
            assert!(uri.as_str().is_some_and(|uri| uri.is_ascii()), "{name}.json: {line}");
        }
    }
}

/// The links of one list that another has not, as text.
fn only(own: &[Range<usize>], others: &[Range<usize>], plain: &Plain) -> Vec<String> {
    let own = own.iter().filter(|range| !others.contains(range));
    own.map(|range| plain.slice(range.clone())).collect()
}

/// The document that is made of what is marked, and its records from memory: of the links that are marked, and no
/// others. Without a word about it, it is in what its head says.
#[test]
fn from_memory() {
    let finder = Finder::new();
    let mut blessing = Blessing::new("charset::fixtures::from_memory");
    for Fixture { name, made, charset, .. } in fixtures() {
        blessing.whole(&path(&name, "txt"), &made.stored);
        let lines = links(whole(&finder, Some(charset), &made.stored));
        blessing.whole(&path(&name, "json"), lines.concat().as_bytes());
        let source = path(&name, "marked");
        let found: Vec<_> = lines.iter().map(|line| range(line)).collect();
        if found != made.links {
            let plain = Plain::of(made.encoding, &made.stored, made.first);
            let (marked, found) =
                (only(&made.links, &found, &plain), only(&found, &made.links, &plain));
            blessing.fault(&source, 0, &format!("marked, not found: {marked:?}; found: {found:?}"));
        }
        let detected = Detected::of_document(&made.stored, &Hints::new()).unwrap();
        let (encoding, known_by) = (detected.charset().as_str(), detected.source().as_str());
        if (&*made.undeclared.0, &*made.undeclared.1) != (encoding, known_by) {
            let fault = format!("found out is `! undeclared {encoding} {known_by}`");
            blessing.fault(&source, 0, &fault);
        }
    }
    blessing.finish();
}

#[test]
fn blessing_what_is_expected_changes_no_byte() {
    let mut blessing = Blessing::new("");
    for Fixture { name, stored, lines, .. } in fixtures() {
        blessing.whole(&path(&name, "txt"), &stored);
        blessing.whole(&path(&name, "json"), lines.concat().as_bytes());
    }
    blessing.assert_nothing_changes(2 * 39);
}

#[test]
fn cut_at_every_byte_and_byte_by_byte() {
    let finder = Finder::new();
    for Fixture { name, charset, stored, .. } in fixtures() {
        let want = whole(&finder, Some(charset), &stored);
        for cut in 1..stored.len() {
            let got = piped(&finder, Some(charset), &stored, &[cut]);
            assert_eq!(got, want, "{name} cut at {cut}");
        }
        let cuts: Vec<_> = (1..stored.len()).collect();
        let got = piped(&finder, Some(charset), &stored, &cuts);
        assert_eq!(got, want, "{name} byte by byte");
    }
}

#[test]
fn with_the_naive_twin() {
    let finder = Finder::new();
    let mut refused = 0;
    for Fixture { name, made, charset, stored, .. } in fixtures() {
        let plain = Plain::of(made.encoding, &stored, made.first);
        let twin: Vec<_> = naive::scan(&plain.text, &naive::Settings::default())
            .into_iter()
            .map(|record| {
                let kind = match record.kind {
                    naive::Kind::Iri => "iri",
                    naive::Kind::Schemeless => "schemeless",
                    naive::Kind::Email => "email",
                };
                let code = match record.outcome {
                    naive::Outcome::Found => None,
                    naive::Outcome::Refused(code) => Some(code),
                };
                (plain.stored(record.start..record.end), kind, code)
            })
            .collect();
        let got: Vec<_> = finder
            .document(&stored, &Hints::new().charset(charset))
            .unwrap()
            .map(|found| match found {
                Candidate::Link(link) => (link.range(), link.kind().as_str(), None),
                Candidate::Rejected(refused) => {
                    (refused.range(), refused.kind().as_str(), Some(refused.reason().as_str()))
                }
            })
            .collect();
        refused += got.iter().filter(|record| record.2.is_some()).count();
        assert_eq!(got, twin, "{name}");
    }
    assert!(refused < 5, "{refused} candidates refused in prose");
}

/// Whether two encodings decode what is in the fixtures to the same text.
fn is_alike(one: &str, other: &str) -> bool {
    let family = |name: &str| match name {
        "gbk" => "gb18030".to_owned(),
        "koi8-u" => "koi8-r".to_owned(),
        "iso-8859-8-i" | "windows-1255" => "iso-8859-8".to_owned(),
        _ => name.to_owned(),
    };
    family(one) == family(other)
}

/// Without a word about it the encoding is what the fixture's head says, by detection or by its
/// default; where that is wrong, links in ASCII are there all the same.
#[test]
fn not_declared() {
    let finder = Finder::new();
    for Fixture { name, made, charset, stored, lines } in fixtures() {
        let want = &made.undeclared.0;
        let got = whole(&finder, None, &stored);
        let cuts: Vec<_> = (1..stored.len()).collect();
        assert_eq!(piped(&finder, None, &stored, &cuts), got, "{name} byte by byte");
        let got = links(got);
        if is_alike(want, charset.as_str()) {
            // Not every character of one is in the other, so that a query may go out otherwise.
            let told = |lines: &[String]| -> Vec<_> {
                let names = ["start", "end", "line", "column", "kind", "raw", "iri", "host"];
                lines.iter().map(|line| names.map(|name| field(line, name))).collect()
            };
            assert_eq!(told(&got), told(&lines), "{name}");
            assert!(
                *want != *charset.as_str() || got == lines,
                "{name}: the records differ from its .json, which `charset::fixtures::from_memory` blesses"
            );
            continue;
        }
        assert!(!charset.as_str().starts_with("utf-16"), "{name}: zeros are no text");
        let mut in_ascii = 0;
        for line in &lines {
            let range = range(line);
            let with_edges =
                &stored[range.start.saturating_sub(1)..(range.end + 1).min(stored.len())];
            if with_edges.is_ascii() && field(line, "raw").as_str().unwrap().is_ascii() {
                in_ascii += 1;
                let is_there = got.iter().any(|line| self::range(line) == range);
                assert!(is_there, "{name}: {line}");
            }
        }
        assert!(in_ascii > 0, "{name}: no link in ASCII");
    }
}

/// The mode lines of Emacs and Vim declare it; all stands as many bytes further on.
#[test]
fn declared_in_a_mode_line() {
    let finder = Finder::new();
    let mut declared = 0;
    for Fixture { name, made, charset, stored, lines } in fixtures() {
        if made.mode_line.as_deref() == Some("none") {
            continue;
        }
        let want = made.mode_line.as_deref().unwrap_or(charset.as_str());
        let emacs = format!("-*- mode: text; coding: {} -*-\n", charset.as_str()).into_bytes();
        let vim = format!("# vim: set fileencoding={} tw=78 :\n", charset.as_str()).into_bytes();
        for (before, behind) in [(&emacs, &Vec::new()), (&Vec::new(), &vim)] {
            let document = [&**before, &stored, behind].concat();
            let found = Detected::of_document(&document, &Hints::new()).unwrap();
            assert_eq!(found.charset().as_str(), want, "{name}");
            assert_eq!(found.source().as_str(), "declared", "{name}");
            if want != charset.as_str() {
                continue;
            }
            declared += 1;
            let got = links(whole(&finder, None, &document));
            let moved: Vec<_> = lines
                .iter()
                .map(|line| {
                    let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
                    for (field, by) in [("start", before.len()), ("end", before.len())] {
                        line[field] = (line[field].as_u64().unwrap() + by as u64).into();
                    }
                    line["line"] =
                        (line["line"].as_u64().unwrap() + u64::from(!before.is_empty())).into();
                    line
                })
                .collect();
            let got: Vec<serde_json::Value> =
                got.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(got, moved, "{name}");
        }
    }
    assert!(declared >= 2 * 34, "{declared}");
}

/// References that are not resolved are characters like others, in every encoding.
#[test]
fn references_never() {
    let finder = Finder::builder().references(References::Never).build();
    for Fixture { name, made, charset, stored, .. } in fixtures() {
        let plain = Plain::of(made.encoding, &stored, made.first);
        let settings = naive::Settings { references: false, ..naive::Settings::default() };
        let twin: Vec<_> = naive::links(&plain.text, &settings)
            .into_iter()
            .map(|(start, end)| plain.stored(start..end))
            .collect();
        let got = links(whole(&finder, Some(charset), &stored));
        assert_eq!(got.iter().map(|line| range(line)).collect::<Vec<_>>(), twin, "{name}");
    }
}
