//! Links out of running text: the official cases and our own, each through every road: whole text,
//! every split into two blocks, byte by byte, and the naive twin.

use std::ops::ControlFlow;
use std::path::Path;

use crate::naive;
use crate::naive::fixture::{Case, parse, read_folder};
use crate::roads::pieces::Pieces;
use crate::roads::twin::{Short as Record, builder, twin};
use linksift::{Buffer, Charset, Document, Event, Finder, Format, Hints};

fn whole(finder: &Finder, text: &[u8], format: Format) -> Vec<Record> {
    finder
        .document(&Document::new(text).charset(Charset::UTF_8).format(format))
        .unwrap()
        .map(|found| match found {
            Ok(link) => (link.range(), link.kind(), None),
            Err(rejected) => (rejected.range(), rejected.kind(), Some(rejected.reason().code())),
        })
        .collect()
}

fn streamed(
    finder: &Finder,
    buffer: &mut Buffer,
    pieces: Vec<&[u8]>,
    format: Format,
) -> Vec<Record> {
    let mut records = Vec::new();
    finder
        .scan_reader_in(
            buffer,
            Pieces::new(pieces),
            &Hints::new().charset(Charset::UTF_8).format(format),
            |event| {
                records.push(match event {
                    Event::Link { link, .. } => (link.range(), link.kind(), None),
                    Event::Rejected { rejected, .. } => {
                        (rejected.range(), rejected.kind(), Some(rejected.reason().code()))
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

/// What is wrong with a case, road by road; nothing if all is well.
fn failures(case: &Case, buffer: &mut Buffer) -> Vec<String> {
    let finder = builder(&case.settings).build();
    let text = &case.text;
    let format = if case.settings.code { Format::Code } else { Format::Text };
    let records = whole(&finder, text, format);
    let mut failures = Vec::new();
    if links(&records) != case.links {
        failures.push(format!("whole: {}", case.marked(&links(&records))));
    }
    if let Some(want) = &case.refused {
        let got: Vec<_> = records.iter().filter_map(|r| r.2).collect();
        if got != *want {
            failures.push(format!("rejected: {got:?}, not {want:?}"));
        }
    }
    let naive = twin(&case.settings, text);
    if naive != records {
        failures.push(format!("twin: {naive:?}\n   not {records:?}"));
    }
    for at in 0..=text.len() {
        let got = streamed(&finder, buffer, vec![&text[..at], &text[at..]], format);
        if got != records {
            failures.push(format!("split at {at}: {got:?}, not {records:?}"));
            break;
        }
    }
    let got = streamed(&finder, buffer, text.chunks(1).collect(), format);
    if got != records {
        failures.push(format!("byte by byte: {got:?}, not {records:?}"));
    }
    failures
}

fn check(cases: &[Case]) {
    let mut failed = 0;
    let mut buffer = Buffer::new();
    let mut report = String::new();
    for case in cases {
        let failures = failures(case, &mut buffer);
        if !failures.is_empty() {
            failed += 1;
            report += &format!("{}: {}\n  {}\n", case.place, case.line, failures.join("\n  "));
        }
    }
    assert!(failed == 0, "{report}{failed} of {} cases failed", cases.len());
}

#[test]
fn fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/text");
    let cases = read_folder(&folder).unwrap();
    assert!(cases.len() >= 400, "{} fixtures", cases.len());
    check(&cases);
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn official_cases_of_uts_58() {
    let text = crate::beside::text("unicode/LinkDetectionTest.txt");
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
    check(&cases);
}
