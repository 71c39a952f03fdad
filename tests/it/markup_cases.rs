//! Cases of markup: a document with its values marked, and what it gives.
//!
//! A file holds cases one after the other. A line `== name` opens one; the lines below are the
//! document, without the last line break; `--` ends it, and a line for each run follows, in order:
//! `context: text resolved`, with `base ` or `long ` in front where it is one, or `text: …`,
//! `linked: …` (text in a link), `sheet: …`. The ranges of values stand in the document itself,
//! between `⟦` and `⟧`. Control characters are written as `␉ ␊ ␌ ␍ ␀`. Text that is nothing but white
//! space is left out. A line that begins with `#` before the first case is a comment.

use std::fs;
use std::ops::Range;
use std::path::Path;

use linksift::peek::{Found, runs};

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) document: String,
    pub(crate) lines: Vec<String>,
    pub(crate) ranges: Vec<Range<usize>>,
}

/// All cases of the files in `fixtures/markup/FOLDER`.
pub(crate) fn cases(folder: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/markup").join(folder);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files.iter().flat_map(|file| parse(&fs::read_to_string(file).unwrap())).collect()
}

fn parse(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for part in text.split("\n== ").skip(1) {
        let (name, rest) = part.split_once('\n').unwrap();
        let rest = format!("\n{rest}\n");
        let (document, lines) =
            rest.split_once("\n--\n").unwrap_or_else(|| panic!("{name}: no --"));
        let document = document.strip_prefix('\n').unwrap_or(document);
        let mut case = Case {
            name: name.to_owned(),
            document: String::new(),
            lines: lines.lines().filter(|l| !l.trim().is_empty()).map(controls).collect(),
            ranges: Vec::new(),
        };
        let mut start = None;
        for c in controls(document).chars() {
            match c {
                '⟦' => start = Some(case.document.len()),
                '⟧' => case.ranges.push(start.take().unwrap()..case.document.len()),
                c => case.document.push(c),
            }
        }
        assert!(start.is_none(), "{name}: a mark is not closed");
        cases.push(case);
    }
    cases
}

fn controls(line: &str) -> String {
    let control = |c| match c {
        '␉' => '\t',
        '␊' => '\n',
        '␌' => '\x0C',
        '␍' => '\r',
        '␀' => '\0',
        c => c,
    };
    line.chars().map(control).collect()
}

fn line(found: &Found) -> String {
    let Found { what, context, text, .. } = found;
    match *what {
        "value" => format!("{context}: {text}"),
        "base" | "long" => format!("{what} {context}: {text}"),
        "text" if found.in_link => format!("linked: {text}"),
        "base-end" => "base-end".to_owned(),
        _ => format!("{what}: {text}"),
    }
}

/// The runs of a document without blank texts, and of XML without those that hold no link, which may
/// be passed over.
pub(crate) fn found(format: &str, bytes: &[u8], cuts: &[usize]) -> Vec<Found> {
    let mut found = runs(format, bytes, cuts);
    found.retain(|f| f.what != "text" || !is_passed_over(format, &f.text));
    found
}

fn is_passed_over(format: &str, text: &str) -> bool {
    text.trim().is_empty() || format == "xml" && !may_hold_a_link(text.as_bytes())
}

/// A dot, colon or ampersand with something after it, or what is not ASCII.
fn may_hold_a_link(text: &[u8]) -> bool {
    let is_followed =
        |two: &[u8]| matches!(two, [b'.' | b':' | b'&', b'!'..=b'~']) && two[1] != b'<';
    !text.is_ascii() || text.windows(2).any(is_followed)
}

/// Compares each case with what its document gives: whole, and cut in two at every byte, and byte
/// by byte. Gives the number of cases.
pub(crate) fn check(format: &str) -> usize {
    let mut failures = Vec::new();
    let cases = cases(format);
    for case in &cases {
        let bytes = case.document.as_bytes();
        let whole = found(format, bytes, &[]);
        let lines: Vec<_> = whole.iter().map(line).collect();
        let text = |line: &str| {
            ["text: ", "linked: "]
                .iter()
                .find_map(|word| line.strip_prefix(word))
                .map(str::to_owned)
        };
        let is_kept = |line: &&String| text(line).is_none_or(|text| !is_passed_over(format, &text));
        let expected: Vec<_> = case.lines.iter().filter(is_kept).cloned().collect();
        let is_marked = |f: &&Found| ["value", "base", "long"].contains(&f.what);
        let ranges: Vec<_> = whole.iter().filter(is_marked).map(|f| f.range.clone()).collect();
        if lines != expected || ranges != case.ranges {
            let show = |ranges: &[Range<usize>]| -> Vec<String> {
                let text = |r: &Range<usize>| String::from_utf8_lossy(&bytes[r.clone()]).into();
                ranges.iter().map(text).collect()
            };
            failures.push(format!(
                "{}\n  gives    {lines:#?}\n  expected {:#?}\n  gives    {:?}\n  expected {:?}",
                case.name,
                expected,
                show(&ranges),
                show(&case.ranges)
            ));
            continue;
        }
        let each: Vec<usize> = (0..bytes.len()).collect();
        let cuts = each.iter().map(|cut| vec![*cut]).chain([each.clone()]);
        for cut in cuts {
            let pieces = found(format, bytes, &cut);
            if pieces != whole {
                failures.push(format!("{}, cut at {cut:?}\n  {pieces:#?}", case.name));
                break;
            }
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), cases.len(), failures.join("\n"));
    cases.len()
}
