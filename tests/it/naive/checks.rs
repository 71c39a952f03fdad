//! The twin is checked too: against the official lines, and against the fixtures,
//! whose expectations were thought out by hand.

use super::fixture::{self, Case};
use super::{Boundaries, Outcome, Settings, links, refused, scan};
use std::path::Path;

fn root() -> &'static Path {
    crate::root()
}

#[test]
#[cfg_attr(not(official_data), ignore = "needs the official data beside the project")]
fn official_lines_come_out_in_both_modes() {
    let text = crate::tables::official_text("LinkDetectionTest.txt");
    let mut lines = 0;
    for line in text.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        lines += 1;
        let plain = line.replace(['⸠', '⸡'], "");
        for boundaries in [Boundaries::Prose, Boundaries::Uts58] {
            let settings = Settings { boundaries, ..Settings::default() };
            let mut marked = plain.clone();
            for (start, end) in links(plain.as_bytes(), &settings).into_iter().rev() {
                marked.insert(end, '⸡');
                marked.insert(start, '⸠');
            }
            assert_eq!(marked, line, "{boundaries:?}");
        }
    }
    assert_eq!(lines, 344);
}

#[test]
fn fixtures_come_out_as_marked() {
    let cases = match fixture::read_folder(&root().join("fixtures/text")) {
        Ok(cases) => cases,
        Err(error) => panic!("{error}"),
    };
    assert!(cases.len() >= 1900, "only {} cases", cases.len());
    let wrong: Vec<String> = cases.iter().filter_map(disagreement).collect();
    assert!(
        wrong.is_empty(),
        "the twin, tests/it/naive, finds others than fixtures/text says:\n{}",
        wrong.join("\n")
    );
}

fn disagreement(case: &Case) -> Option<String> {
    let got = links(&case.text, &case.settings);
    let codes = refused(&case.text, &case.settings);
    let place = case.place();
    if got != case.links {
        let (want, got) = (case.marked(&case.links), case.marked(&got));
        return Some(format!("{place}\n want {want}\n got  {got}"));
    }
    match &case.refused {
        Some(want) if *want != codes => Some(format!("{place}: want {want:?}, got {codes:?}")),
        _ => None,
    }
}

#[test]
fn records_are_in_order_and_inside() {
    let cases = fixture::read_folder(&root().join("fixtures/text")).unwrap_or_default();
    for case in &cases {
        let mut floor = 0;
        for record in scan(&case.text, &case.settings) {
            let ordered = floor <= record.start && record.start < record.end;
            assert!(ordered && record.end <= case.text.len(), "{}", case.place());
            let long = record.end - record.start > case.settings.max_link;
            assert!(!(long && record.outcome == Outcome::Found), "{}", case.place());
            floor = record.end;
        }
    }
}

#[test]
fn fixture_files_are_read_as_described() {
    let text =
        "# guards nothing\n! emails=no schemes=http,ssh\na\\n⸠b\\u{E9}⸡\\xFF\n~ email none\n\nx\n";
    let cases = match fixture::parse("a.txt", text) {
        Ok(cases) => cases,
        Err(error) => panic!("{error}"),
    };
    let [first, second] = cases.as_slice() else {
        panic!("{} cases", cases.len());
    };
    assert_eq!(first.text, b"a\nb\xC3\xA9\xFF");
    assert_eq!(first.links, [(2, 5)]);
    assert_eq!(first.refused.as_deref(), Some(&["email".to_owned()][..]));
    assert!(!first.settings.emails);
    assert_eq!(first.place(), "a.txt:3");
    assert_eq!(second.settings, Settings::default());
    assert_eq!(first.marked(&first.links), first.line);
    assert_eq!(first.marked(&[(0, 1), (5, 6)]), "⸠a⸡\\nb\\u{E9}⸠\\xFF⸡");
    for bad in ["⸠a", "a⸡", "\\q", "! x=y", "~ email"] {
        assert!(fixture::parse("a.txt", bad).is_err(), "{bad}");
    }
}
