//! Mail, end to end: messages beside the links that are expected of them, by every code path.
//!
//! `fixtures/mail/*.cases` hold messages and what is expected of them; how they are written is described in
//! `cases`. Each goes in with LF and CRLF, whole and through readers that give single bytes, bare and in
//! a mailbox or an archive; whichever way, the links are the same, and each link's slice of the stored bytes decodes
//! to its text (`untransfer`).

mod archived;
pub(crate) mod cases;
mod fields;
mod folders;
mod hostile;
mod random;
mod shown;
mod signed;
mod split;
mod table;
mod untransfer;

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::bless::Blessing;
use crate::support::pieces::Pieces;
use cases::{Case, cases, shown};
use linksift::{Candidate, Event, Finder, Format, Hints, Link, Rejected};
use untransfer::decoded;

/// A link or a rejected candidate, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) range: std::ops::Range<usize>,
    position: Option<linksift::Position>,
    pub(crate) part: String,
    pub(crate) transfer: String,
    context: String,
    charset: String,
    pub(crate) raw: String,
    /// The URI, or why there is none.
    pub(crate) uri: String,
    warnings: String,
    pub(crate) message_id: String,
    source: String,
}

macro_rules! found {
    ($found:expr, $uri:expr) => {{
        let found = $found;
        let warnings: Vec<_> = found.warnings().iter().map(|warning| warning.as_str()).collect();
        Found {
            range: found.range(),
            position: found.position(),
            part: found.part().unwrap_or("-").to_owned(),
            transfer: found.transfer().map_or("-", |transfer| transfer.as_str()).to_owned(),
            context: found.context().to_string(),
            charset: found.charset().to_string(),
            raw: found.raw().to_owned(),
            uri: $uri,
            warnings: warnings.join(","),
            message_id: found.message_id().unwrap_or("-").to_owned(),
            source: found.source().unwrap_or("-").to_owned(),
        }
    }};
}

pub(crate) fn of_link(link: &Link<'_>) -> Found {
    found!(link, link.uri().into_owned())
}

pub(crate) fn of_rejected(rejected: &Rejected<'_>) -> Found {
    found!(rejected, format!("rejected {}", rejected.reason().as_str()))
}

pub(crate) fn whole(bytes: &[u8], case: &Case, format: Format) -> Vec<Found> {
    let finder = Finder::new();
    let found = finder.document(bytes, &case.hints(format)).unwrap().map(|found| match &found {
        Candidate::Link(link) => of_link(link),
        Candidate::Rejected(rejected) => of_rejected(rejected),
    });
    found.collect()
}

pub(crate) fn through(bytes: &[u8], case: &Case, format: Format, sizes: &[usize]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut cuts = vec![0];
    for size in sizes.iter().cycle() {
        let next = cuts[cuts.len() - 1] + size;
        if next >= bytes.len() {
            break;
        }
        cuts.push(next);
    }
    let reader = Pieces::cut(bytes, &cuts);
    Finder::new()
        .scan_reader(reader, &case.hints(format), |event| {
            match &event {
                Event::Link { link, .. } => found.push(of_link(link)),
                Event::Rejected { rejected, .. } => found.push(of_rejected(rejected)),
                _ => {}
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    found
}

/// What is wrong with the place of a link: its slice, its line.
pub(crate) fn misplaced(bytes: &[u8], found: &Found) -> Option<String> {
    let slice = bytes.get(found.range.clone())?;
    let says = match &*found.transfer {
        // The outer message would have to be decoded whole.
        "nested" => found.raw.clone(),
        transfer => decoded(slice, transfer, &found.charset),
    };
    if says != found.raw {
        return Some(format!("{found:?}\n  {:?}\n  says {says:?}", String::from_utf8_lossy(slice)));
    }
    let before = &bytes[..found.range.start];
    let mut line = 1 + before.iter().filter(|b| **b == b'\n').count() as u64;
    let last = before.iter().rposition(|b| *b == b'\n');
    if !bytes.contains(&b'\n') {
        line = 1 + before.iter().filter(|b| **b == b'\r').count() as u64;
    } else if before.windows(2).any(|pair| pair[0] == b'\r' && pair[1] != b'\n') {
        return None;
    }
    let column = (before.len() - last.map_or(0, |last| last + 1)) as u64 + 1;
    match found.position {
        Some(position)
            if position.line == line && (position.column == column || last.is_none()) =>
        {
            None
        }
        position => Some(format!("{found:?} {position:?}: {line}:{column}")),
    }
}

/// One expected line.
fn line(bytes: &[u8], found: &Found) -> String {
    let slice = String::from_utf8_lossy(&bytes[found.range.clone()]).into_owned();
    let slice = shown(&slice);
    let Found { part, transfer, context, uri, warnings, .. } = found;
    let warnings = if warnings.is_empty() { "-" } else { warnings };
    format!("{part} | {transfer} | {context} | {warnings} | {uri} | {slice}")
}

fn lines(bytes: &[u8], all: &[Found]) -> Vec<String> {
    all.iter().map(|found| line(bytes, found)).collect()
}

/// The links as they would be of the message alone.
fn out_of_mailbox(all: &[Found], ordinal: usize) -> Vec<Found> {
    let own = |part: &str| {
        let (number, rest) = part.split_once('!').unwrap_or((part, "-"));
        (number == ordinal.to_string()).then(|| rest.to_owned())
    };
    all.iter()
        .filter_map(|found| Some(Found { part: own(&found.part)?, ..found.clone() }))
        .collect()
}

/// All cases, with their files.
pub(crate) fn all_cases() -> Vec<(PathBuf, Case)> {
    let folder = crate::root().join("fixtures/mail");
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cases"));
    paths.sort();
    let read = |path: PathBuf| {
        let all = cases(&fs::read_to_string(&path).unwrap());
        all.into_iter().map(move |case| (path.clone(), case))
    };
    paths.into_iter().flat_map(read).collect()
}

#[test]
fn every_case_by_every_road() {
    let all = all_cases();
    let mut blessing = Blessing::new("mail::every_case_by_every_road");
    for (path, case) in &all {
        let bytes = case.bytes(false);
        let is = lines(&bytes, &whole(&bytes, case, case.format));
        let ends = [false, true].into_iter().filter(|crlf| !(case.is_lf && *crlf));
        let mut faults =
            ends.filter_map(|crlf| Some(format!("crlf={crlf}\n{}", differs(case, crlf, &is)?)));
        match faults.next() {
            Some(fault) => {
                blessing.fault(path, case.lines.start, &format!("{} {fault}", case.name));
            }
            None => blessing.lines(path, case.lines.clone(), is, &case.name),
        }
    }
    blessing.finish();
    assert!(all.len() >= 200, "{} cases", all.len());
}

#[test]
fn blessing_what_is_expected_changes_no_byte() {
    let mut blessing = Blessing::new("");
    for (path, case) in all_cases() {
        blessing.lines(&path, case.lines, case.expected, &case.name);
    }
    blessing.assert_nothing_changes(200);
}

/// What is wrong with what a case gives by some route, if its links should be `expected`.
fn differs(case: &Case, crlf: bool, expected: &[String]) -> Option<String> {
    let bytes = case.bytes(crlf);
    let found = whole(&bytes, case, case.format);
    for found in &found {
        if let Some(what) = misplaced(&bytes, found) {
            return Some(what);
        }
    }
    let is = lines(&bytes, &found);
    if is != expected {
        return Some(format!("with LF\n  {}\nis\n  {}", expected.join("\n  "), is.join("\n  ")));
    }
    for sizes in [&[1][..], &[7, 1, 30]] {
        let streamed = through(&bytes, case, case.format, sizes);
        if streamed != found {
            return Some(format!(
                "in pieces of {sizes:?}\n  {}",
                lines(&bytes, &streamed).join("\n  ")
            ));
        }
    }
    if case.is_bare || case.format == Format::Mbox {
        return None;
    }
    let end = if crlf { "\r\n" } else { "\n" };
    let from = format!("From a@b Sat Jan  3 01:05:34 1996{end}");
    let mut mailbox = Vec::new();
    for _ in 0..2 {
        mailbox.extend_from_slice(from.as_bytes());
        mailbox.extend_from_slice(&bytes);
        mailbox.extend_from_slice(format!("{end}{end}").as_bytes());
    }
    let boxed = whole(&mailbox, case, Format::Mbox);
    for ordinal in [1, 2] {
        let own = out_of_mailbox(&boxed, ordinal);
        let is = lines(&mailbox, &own);
        if is != expected {
            return Some(format!("in a mailbox, {ordinal}\n  {}", is.join("\n  ")));
        }
    }
    let streamed = through(&mailbox, case, Format::Mbox, &[3]);
    (streamed != boxed)
        .then(|| format!("mailbox in pieces\n  {}", lines(&mailbox, &streamed).join("\n  ")))
}

#[test]
fn links_alone_are_those_among_the_candidates() {
    let bytes = b"Subject: =?utf-8?q?http://s.example/=C3=A9?=\n\nsee http://e.example/ http://300.1.1.1/\n";
    let finder = Finder::new();
    let hints = Hints::new().format(Format::Email);
    let all = finder.document(bytes, &hints).unwrap().filter_map(Candidate::into_link);
    let all: Vec<_> = all.map(|link| link.uri().into_owned()).collect();
    let links = finder.document(bytes, &hints).unwrap().links();
    let links: Vec<_> = links.map(|link| link.uri().into_owned()).collect();
    assert_eq!(all, ["http://s.example/%C3%A9", "http://e.example/"]);
    assert_eq!(links, all);
}
