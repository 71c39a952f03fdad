//! Links out of running text: the official cases and our own, each through every code path: whole text,
//! every split into two blocks, byte by byte, and the naive twin. Where the routes agree, what comes out can be
//! blessed.

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::bless::Blessing;
use crate::naive;
use crate::naive::fixture::{Case, parse, read_folder, refused_line};
use crate::support::pieces::Pieces;
use crate::support::twin::{Short as Record, builder, twin};
use linksift::{Candidate, Charset, Event, Finder, Format, Hints};

fn whole(finder: &Finder, text: &[u8], format: Format) -> Vec<Record> {
    finder
        .document(text, &Hints::new().charset(Charset::UTF_8).format(format))
        .unwrap()
        .map(|found| match found {
            Candidate::Link(link) => (link.range(), link.kind(), None),
            Candidate::Rejected(rejected) => {
                (rejected.range(), rejected.kind(), Some(rejected.reason().as_str()))
            }
        })
        .collect()
}

fn streamed(finder: &Finder, pieces: Vec<&[u8]>, format: Format) -> Vec<Record> {
    let mut records = Vec::new();
    finder
        .scan_reader(
            Pieces::new(pieces),
            &Hints::new().charset(Charset::UTF_8).format(format),
            |event| {
                records.push(match event {
                    Event::Link { link, .. } => (link.range(), link.kind(), None),
                    Event::Rejected { rejected, .. } => {
                        (rejected.range(), rejected.kind(), Some(rejected.reason().as_str()))
                    }
                    _ => unreachable!("no other events in text"),
                });
                ControlFlow::Continue(())
            },
        )
        .unwrap();
    records
}

fn links(records: &[Record]) -> Vec<(usize, usize)> {
    records.iter().filter(|r| r.2.is_none()).map(|r| (r.0.start, r.0.end)).collect()
}

/// The records of a case, and where its routes disagree about them.
fn records(case: &Case) -> (Vec<Record>, Vec<String>) {
    let finder = builder(&case.settings).build();
    let text = &case.text;
    let format = if case.settings.code { Format::Code } else { Format::Text };
    let records = whole(&finder, text, format);
    let mut faults = Vec::new();
    let naive = twin(&case.settings, text);
    if naive != records {
        faults.push(format!(
            "the twin, tests/it/naive, finds {naive:?}\n  what comes out is {records:?}; of the rules of schemes, which \
             fixtures/iri is about, the twin knows nothing"
        ));
    }
    for at in 0..=text.len() {
        let got = streamed(&finder, vec![&text[..at], &text[at..]], format);
        if got != records {
            faults.push(format!("split at {at}: {got:?}, not {records:?}"));
            break;
        }
    }
    let got = streamed(&finder, text.chunks(1).collect(), format);
    if got != records {
        faults.push(format!("byte by byte: {got:?}, not {records:?}"));
    }
    (records, faults)
}

fn folder() -> PathBuf {
    crate::root().join("fixtures/text")
}

/// The lines of a case with these links and these codes.
fn expect(
    blessing: &mut Blessing,
    case: &Case,
    links: &[(usize, usize)],
    refused: &[impl AsRef<str>],
) {
    let mut lines = vec![case.marked(links)];
    if case.refused.is_some() {
        lines.push(refused_line(refused));
    }
    let range = case.number..case.number + lines.len();
    blessing.lines(&folder().join(&case.file), range, lines, "");
}

#[test]
fn fixtures() {
    let cases = read_folder(&folder()).unwrap();
    assert!(cases.len() >= 400, "{} fixtures", cases.len());
    let mut blessing = Blessing::new("text::fixtures");
    for case in &cases {
        let (records, faults) = records(case);
        for fault in &faults {
            let fault = format!("{}\n  {fault}", case.line);
            blessing.fault(&folder().join(&case.file), case.number, &fault);
        }
        if faults.is_empty() {
            let refused: Vec<_> = records.iter().filter_map(|record| record.2).collect();
            expect(&mut blessing, case, &links(&records), &refused);
        }
    }
    blessing.finish();
}

#[test]
fn blessing_what_is_expected_changes_no_byte() {
    let mut blessing = Blessing::new("");
    for case in read_folder(&folder()).unwrap() {
        let refused = case.refused.clone().unwrap_or_default();
        expect(&mut blessing, &case, &case.links, &refused);
    }
    blessing.assert_nothing_changes(1900);
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn official_cases_of_uts_58() {
    let text = crate::tables::official_text("LinkDetectionTest.txt");
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut cases = Vec::new();
    for line in lines {
        for boundaries in [naive::Boundaries::Prose, naive::Boundaries::Uts58] {
            let escaped = line.replace('\\', "\\\\");
            let escaped = match escaped.strip_prefix('~') {
                Some(rest) => format!("\\x7E{rest}"),
                None => escaped,
            };
            let mut case = parse(&format!("{boundaries:?}"), &escaped).unwrap();
            let mut case = case.pop().unwrap_or_else(|| panic!("no case in {line}"));
            case.settings.boundaries = boundaries;
            cases.push(case);
        }
    }
    assert_eq!(cases.len(), 2 * 344);
    for case in &cases {
        let (records, faults) = records(case);
        assert_eq!(case.marked(&links(&records)), case.line, "{}", case.file);
        assert!(faults.is_empty(), "{}\n{}", case.line, faults.join("\n"));
    }
}
