//! Streams that are cut once, at every byte, and readers that fail there.

use std::collections::HashMap;
use std::io::Read;
use std::ops::ControlFlow;

use linksift::{Event, Finder, Format, Hints};

use super::cases::Case;
use super::{Found, all_cases, of_link, of_rejected, whole};
use crate::support::failing::Failing;
use crate::support::pieces::Pieces;

fn scanned(finder: &Finder, reader: impl Read, case: &Case, format: Format) -> Vec<Found> {
    let mut found = Vec::new();
    let each = |event: Event<'_>| {
        match &event {
            Event::Link { link, .. } => found.push(of_link(link)),
            Event::Rejected { rejected, .. } => found.push(of_rejected(rejected)),
            _ => {}
        }
        ControlFlow::Continue(())
    };
    // What it fails with is what it was made to fail with.
    let _ = finder.scan_reader(reader, &case.hints(format), each);
    found
}

/// Gathers the places of parts, and of candidates, in order.
fn gathering(found: &mut Vec<String>) -> impl FnMut(Event<'_>) -> ControlFlow<()> {
    |event| {
        found.push(match event {
            Event::Part { part, .. } => format!("{:?} {:?}", part.part(), part.start()),
            event => format!("{:?}", event.into_candidate().unwrap()),
        });
        ControlFlow::Continue(())
    }
}

/// A reader gives the parts, links and rejected candidates of a message, those in memory the same links and candidates, and a
/// reader of pieces the same events.
#[test]
fn a_stream_gives_the_parts_of_mail() {
    let (finder, mut parts) = (Finder::new(), 0);
    for (_, case) in all_cases() {
        let hints = case.hints(Format::Email);
        let (bytes, mut wanted, mut found) = (case.bytes(false), Vec::new(), Vec::new());
        finder.scan_reader(&bytes[..], &hints, gathering(&mut wanted)).unwrap();
        let in_memory = finder.document(&bytes, &hints).unwrap().map(|one| format!("{one:?}"));
        let is_candidate = |one: &&String| one.starts_with("Link") || one.starts_with("Rejected");
        let candidates = wanted.iter().filter(is_candidate).cloned();
        assert!(candidates.eq(in_memory), "{}", case.name);
        let each = gathering(&mut found);
        finder.scan_reader(Pieces::new(bytes.chunks(7)), &hints, each).unwrap();
        assert_eq!(found, wanted, "{}", case.name);
        let bytes = boxed(&bytes, "\n");
        wanted.clear();
        found.clear();
        let mailbox = case.hints(Format::Mbox);
        finder.scan_reader(&bytes[..], &mailbox, gathering(&mut wanted)).unwrap();
        let each = gathering(&mut found);
        finder.scan_reader(Pieces::new(bytes.chunks(7)), &mailbox, each).unwrap();
        assert_eq!(found, wanted, "{} in a mailbox", case.name);
        parts += wanted
            .iter()
            .filter(|one| !one.starts_with("Link") && !one.starts_with("Rejected"))
            .count();
    }
    assert!(parts > 500, "{parts} parts");
}

/// A message twice in a mailbox.
pub(super) fn boxed(bytes: &[u8], line_end: &str) -> Vec<u8> {
    let from = format!("From a@b Sat Jan  3 01:05:34 1996{line_end}");
    let after = format!("{line_end}{line_end}");
    let one = [from.as_bytes(), bytes, after.as_bytes()].concat();
    one.repeat(2)
}

/// Bare with LF at every byte; with CR LF and in a mailbox, whose bytes are the same but for these, at every byte
/// near a line end. All of them at every byte with `LINKSIFT_EVERY_BYTE=1`.
#[test]
fn every_case_cut_at_every_byte() {
    let finder = Finder::new();
    let is_every = std::env::var_os("LINKSIFT_EVERY_BYTE").is_some();
    let mut count = 0;
    for (_, case) in all_cases() {
        for (is_crlf, is_boxed) in [(false, false), (true, false), (false, true), (true, true)] {
            if is_crlf && case.is_lf || is_boxed && (case.is_bare || case.format == Format::Mbox) {
                continue;
            }
            let mut bytes = case.bytes(is_crlf);
            let mut format = case.format;
            if is_boxed {
                bytes = boxed(&bytes, if is_crlf { "\r\n" } else { "\n" });
                format = Format::Mbox;
            }
            let wanted = whole(&bytes, &case, format);
            let is_near = |at: usize| {
                let near = &bytes[at.saturating_sub(1)..(at + 1).min(bytes.len())];
                near.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
            };
            let is_all = is_every || !is_crlf && !is_boxed;
            for at in (1..bytes.len()).filter(|at| is_all || is_near(*at)) {
                let reader = Pieces::cut(&bytes, &[0, at]);
                let found = scanned(&finder, reader, &case, format);
                assert_eq!(found, wanted, "{} crlf={is_crlf} cut at {at}", case.name);
                count += 1;
            }
        }
    }
    assert!(count > 30_000, "{count} cuts");
}

/// Where a reader fails, no link is cut there: each that was found is one of the whole message.
#[test]
fn no_link_is_cut_where_a_reader_fails() {
    let finder = Finder::new();
    let (mut given, mut wrong) = (0, Vec::new());
    for (_, case) in all_cases() {
        let bytes = case.bytes(false);
        let wanted = whole(&bytes, &case, case.format);
        // The better alternative is not there yet, or the end of what a command takes.
        let is_shorter = case.name.starts_with("best alternative") || case.name == "enriched";
        let mut known: HashMap<(usize, usize), &Found> = HashMap::new();
        known.extend(wanted.iter().map(|one| ((one.range.start, one.range.end), one)));
        for at in 0..bytes.len() {
            for one in scanned(&finder, Failing(&bytes[..at]), &case, case.format) {
                let is_whole = known
                    .get(&(one.range.start, one.range.end))
                    .is_some_and(|whole| whole.uri == one.uri);
                if !is_whole && !is_shorter && !one.uri.starts_with("rejected") {
                    wrong.push(format!("{} at {at}: {}", case.name, one.uri));
                    break;
                }
                given += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(given > 4_000, "what is decided before is given: {given}");
}

/// For programs, of mailboxes.
#[test]
fn a_mailbox_that_fails_gives_no_cut_link() {
    let text = "From a\nSubject: a\n\nsee http://a.example/whole now\nhttp://b.example/cut-here\n";
    let end = text.find("-here").unwrap();
    let mut links = Vec::new();
    let each = |event: Event<'_>| {
        links.extend(event.link().map(|link| link.uri().into_owned()));
        ControlFlow::Continue(())
    };
    let hints = Hints::new().format(Format::Mbox);
    let failed = Finder::new().scan_reader(Failing(&text.as_bytes()[..end]), &hints, each);
    assert_eq!(failed.unwrap_err().to_string(), "the disk is broken");
    assert_eq!(links, ["http://a.example/whole"]);
}
