//! How the lines of a case would be written for what came out.
//!
//! Lines that say it as it is stay as they are written, `…` with them.

use super::case::{Case, Run, line_of};
use crate::bless::{Blessing, merged};
use crate::escapes::escaped;

/// The rest of the output.
const REST: &[u8] = "…".as_bytes();

/// Whether what came out is what was expected: `…` at a line's end stands for the rest of the line,
/// alone for all lines from there on.
fn fits(actual: &[u8], expected: &[u8]) -> bool {
    let is_end = |byte: &u8| *byte == b'\n';
    let (mut actual, mut expected) = (actual.split(is_end), expected.split(is_end));
    loop {
        let fits = match (actual.next(), expected.next()) {
            (None, None) => return true,
            (Some(_), Some(REST)) => return true,
            (Some(actual), Some(expected)) => match expected.strip_suffix(REST) {
                Some(start) => actual.starts_with(start),
                None => actual == expected,
            },
            _ => false,
        };
        if !fits {
            return false;
        }
    }
}

/// A line of a case: how it is written, and what it stands for.
struct Line {
    text: String,
    bytes: Vec<u8>,
}

/// The lines of `mark` for what came out.
fn output(old: &[Line], mark: char, actual: &[u8]) -> Vec<String> {
    if fits(actual, &old.iter().flat_map(|line| line.bytes.clone()).collect::<Vec<_>>()) {
        return old.iter().map(|line| line.text.clone()).collect();
    }
    let rest = old.iter().position(|line| line.bytes.strip_suffix(b"\n") == Some(REST));
    let mut next = 0;
    let mut written = Vec::new();
    for (number, chunk) in actual.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if let Some(rest) = rest.filter(|rest| next == *rest || number >= *rest) {
            written.push(old[rest].text.clone());
            return written;
        }
        let known = old[next..].iter().position(|line| fits(chunk, &line.bytes));
        if let Some(known) = known.filter(|known| rest.is_none_or(|rest| next + known < rest)) {
            written.push(old[next + known].text.clone());
            next += known + 1;
            continue;
        }
        let known = old.iter().find(|line| line.bytes == chunk);
        written.push(known.map_or_else(|| line(mark, chunk), |known| known.text.clone()));
    }
    written
}

/// A line that stands for these bytes.
fn line(mark: char, bytes: &[u8]) -> String {
    let text = match bytes.strip_suffix(b"\n") {
        Some(bytes) => escaped(bytes),
        None => escaped(bytes) + "\\c",
    };
    format!("{mark} {text}")
}

/// The lines of the case for what came out; those that it has if that is what they say.
pub(super) fn lines(case: &Case, run: &Run) -> Vec<String> {
    let mut lines = case.lines.clone();
    for (mark, after, actual) in [('>', "!=", &run.stdout), ('!', "=", &run.stderr)] {
        let of_mark = |line: &String| {
            let text = line.strip_prefix(mark)?;
            let bytes = line_of(text.strip_prefix(' ').unwrap_or(text));
            Some(Line { text: line.clone(), bytes })
        };
        let old: Vec<_> = lines.iter().filter_map(of_mark).collect();
        let new = output(&old, mark, actual);
        let end = lines.iter().position(|line| line.starts_with(|c| after.contains(c)));
        let end = end.unwrap_or(lines.len());
        lines = merged(&lines, |line| line.starts_with(mark), &new, end);
    }
    let status: Vec<_> = run.status.map(|status| format!("= {status}")).into_iter().collect();
    let end = lines.len();
    merged(&lines, |line| line.starts_with('='), &status, end)
}

pub(super) fn expect(blessing: &mut Blessing, case: &Case, run: &Run) {
    let range = case.first..case.first + case.lines.len();
    blessing.lines(&case.file, range, lines(case, run), &case.name);
}

#[test]
fn blessing_what_is_expected_changes_no_byte() {
    let mut blessing = Blessing::new("");
    for case in super::all_cases() {
        let expected = case.expected();
        expect(&mut blessing, &case, &expected);
        for stream in [&expected.stdout, &expected.stderr] {
            for chunk in stream.split_inclusive(|byte| *byte == b'\n') {
                let line = line('>', chunk);
                assert_eq!(line_of(line.strip_prefix("> ").unwrap()), chunk);
            }
        }
    }
    blessing.assert_nothing_changes(200);
}

#[test]
fn lines_that_still_fit_stay() {
    let old = ["> a…", "> b\\x20", "> c", "> …"];
    let old = old.map(|text| Line { text: text.to_owned(), bytes: line_of(&text[2..]) });
    let new = |actual: &str| output(&old, '>', actual.as_bytes()).join("\n");
    assert_eq!(new("a1\nb \nc\n\nx\n"), "> a…\n> b\\x20\n> c\n> …");
    assert_eq!(new("a1\nB\nc\nx\ny\n"), "> a…\n> B\n> c\n> …");
    assert_eq!(new("x\ty\na1\nb \n\0z"), "> x\\ty\n> a…\n> b\\x20\n> …");
    assert_eq!(new("b \n\0z"), "> b\\x20\n> \\0z\\c");
    assert_eq!(output(&[], '!', b"\nx\n"), ["! ", "! x"]);
}
