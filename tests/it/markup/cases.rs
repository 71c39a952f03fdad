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
use std::path::{Path, PathBuf};

use crate::bless::{self, Blessing};
use linksift::peek::{MarkupRun, runs};

const MARKS: [char; 2] = ['⟦', '⟧'];

/// Control characters, and how they are written.
const CONTROLS: [(char, char); 5] =
    [('\t', '␉'), ('\n', '␊'), ('\x0C', '␌'), ('\r', '␍'), ('\0', '␀')];

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) document: String,
    /// What is expected, blank lines apart.
    pub(crate) lines: Vec<String>,
    pub(crate) ranges: Vec<Range<usize>>,
    file: PathBuf,
    /// The lines of the file after the name.
    first: usize,
    written: Vec<String>,
    /// How many of them are the document.
    above: usize,
}

/// All cases of the files in `fixtures/markup/FOLDER`.
pub(crate) fn cases(folder: &str) -> Vec<Case> {
    let folder = crate::root().join("fixtures/markup").join(folder);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files.iter().flat_map(|file| parse(file, &fs::read_to_string(file).unwrap())).collect()
}

fn parse(file: &Path, text: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.split('\n').collect();
    let starts: Vec<_> = (0..lines.len()).filter(|at| lines[*at].starts_with("== ")).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let case = |(start, end): (&usize, usize)| {
        let name = lines[*start].trim_start_matches("== ").to_owned();
        let written: Vec<_> = lines[start + 1..end].iter().map(|&line| line.to_owned()).collect();
        let above = written.iter().position(|line| line == "--");
        let above = above.unwrap_or_else(|| panic!("{name}: no --"));
        let (document, ranges) = unmarked(&written[..above].join("\n"))
            .unwrap_or_else(|| panic!("{name}: a mark is not closed"));
        let is_blank = |line: &&String| line.trim().is_empty();
        let expected = written[above + 1..].iter().filter(|line| !is_blank(line));
        let lines = expected.map(|line| controls(line)).collect();
        let (file, first) = (file.to_owned(), start + 1);
        Case { name, document, lines, ranges, file, first, written, above }
    };
    starts.iter().zip(ends).map(case).collect()
}

/// A document, and the ranges that are marked in it.
fn unmarked(written: &str) -> Option<(String, Vec<Range<usize>>)> {
    let (mut document, mut ranges, mut start) = (String::new(), Vec::new(), None);
    for c in controls(written).chars() {
        match c {
            '⟦' => start = Some(document.len()),
            '⟧' => ranges.push(start.take()?..document.len()),
            c => document.push(c),
        }
    }
    start.is_none().then_some((document, ranges))
}

impl Case {
    /// The lines of the case with these runs and these ranges.
    fn expect(
        &self,
        blessing: &mut Blessing,
        format: &str,
        lines: &[String],
        ranges: &[Range<usize>],
    ) {
        let (document, expected) = self.written.split_at(self.above);
        let plain = document.join("\n").replace(MARKS, "");
        let mut buffer = [0; 4];
        let width = |c: char| controls(c.encode_utf8(&mut buffer)).len();
        let widths: Vec<_> = plain.chars().map(width).collect();
        let pieces = plain.split_inclusive(|_| true).zip(widths);
        let document = bless::marked(pieces, ranges, MARKS);
        if unmarked(&document) != Some((self.document.clone(), ranges.to_vec())) {
            let fault = format!("{}: no marks can say {ranges:?}", self.name);
            return blessing.fault(&self.file, self.first, &fault);
        }
        // Lines stay as they are written where they say the same.
        let write = |line: &String| {
            let old = expected.iter().find(|old| controls(old) == *line);
            old.cloned().unwrap_or_else(|| pictures(line))
        };
        let new: Vec<_> = lines.iter().map(write).collect();
        let is_compared = |line: &str| {
            line != "--" && !line.trim().is_empty() && is_kept(format, &controls(line))
        };
        let mut written: Vec<_> = document.split('\n').map(str::to_owned).collect();
        if self.above == 0 {
            written.clear();
        }
        written.extend(bless::merged(expected, is_compared, &new, 1));
        let range = self.first..self.first + self.written.len();
        blessing.lines(&self.file, range, written, &self.name);
    }
}

fn controls(line: &str) -> String {
    let control = |c| CONTROLS.iter().find(|(_, written)| *written == c).map_or(c, |pair| pair.0);
    line.chars().map(control).collect()
}

fn pictures(text: &str) -> String {
    let picture = |c| CONTROLS.iter().find(|(control, _)| *control == c).map_or(c, |pair| pair.1);
    text.chars().map(picture).collect()
}

fn line(found: &MarkupRun) -> String {
    let MarkupRun { what, context, text, .. } = found;
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
pub(crate) fn found(format: &str, bytes: &[u8], cuts: &[usize]) -> Vec<MarkupRun> {
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

/// Whether an expected line is compared: that of a text that may be passed over is not.
fn is_kept(format: &str, line: &str) -> bool {
    let text = ["text: ", "linked: "].iter().find_map(|word| line.strip_prefix(word));
    text.is_none_or(|text| !is_passed_over(format, text))
}

/// Compares each case with what its document gives: whole, and cut in two at every byte, and byte
/// by byte. Gives the number of cases.
pub(crate) fn check(format: &str) -> usize {
    let mut blessing = Blessing::new(format!("markup_{format}::cases"));
    let cases = cases(format);
    for case in &cases {
        let bytes = case.document.as_bytes();
        let whole = found(format, bytes, &[]);
        let each: Vec<usize> = (0..bytes.len()).collect();
        let mut cuts = each.iter().map(|cut| vec![*cut]).chain([each.clone()]);
        if let Some(cut) = cuts.find(|cut| found(format, bytes, cut) != whole) {
            let pieces = found(format, bytes, &cut);
            let fault = format!("{}, cut at {cut:?}\n  {pieces:#?}", case.name);
            blessing.fault(&case.file, case.first, &fault);
            continue;
        }
        let lines: Vec<_> = whole.iter().map(line).collect();
        let is_marked = |f: &&MarkupRun| ["value", "base", "long"].contains(&f.what);
        let ranges: Vec<_> = whole.iter().filter(is_marked).map(|f| f.range.clone()).collect();
        case.expect(&mut blessing, format, &lines, &ranges);
    }
    blessing.finish();
    cases.len()
}

#[test]
fn blessing_what_is_expected_changes_no_byte() {
    for format in ["css", "markdown", "xml"] {
        let mut blessing = Blessing::new("");
        for case in cases(format) {
            let is_compared = |line: &&String| is_kept(format, line);
            let lines: Vec<_> = case.lines.iter().filter(is_compared).cloned().collect();
            case.expect(&mut blessing, format, &lines, &case.ranges);
            for line in case.lines {
                assert_eq!(controls(&pictures(&line)), line);
            }
        }
        blessing.assert_nothing_changes(20);
    }
}
