//! Random and mutated texts through every code path: nothing panics, what comes out holds what it
//! promises, all code paths agree, and the scanner agrees with the naive twin.
//!
//! `LINKSIFT_INPUTS` says how many texts, `LINKSIFT_SEED` where they begin. What fails is cut down to
//! its smallest form before it is reported, so that it can become a fixture.

mod routes;
mod shrink;
mod texts;
mod uri;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};

use crate::naive::{self, Settings};
use crate::support::dice::Dice;
use linksift::iri::HostMapping;
use linksift::{Candidate, Finder, Forbidden, LinkKind};
use routes::{Record, Short};
use texts::Texts;

/// As many as take some ten seconds without much optimisation.
const DEFAULT_INPUTS: u64 = 200_000;
/// So many different failures are enough to read.
const MAX_FAILURES: usize = 12;

/// What is wrong with a text: which promise is broken, and how.
type Wrong = (&'static str, String);

/// Which cuts of the text are tried.
#[derive(Clone, Copy)]
enum Cuts {
    None,
    Random(u64),
    All,
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
#[expect(clippy::print_stderr, reason = "a long run says how far it came")]
fn random_texts() {
    let inputs = number("LINKSIFT_INPUTS").unwrap_or(DEFAULT_INPUTS);
    let seed = number("LINKSIFT_SEED").unwrap_or(0);
    let folder = crate::root().join("fixtures/text");
    let lines: Vec<_> =
        naive::fixture::read_folder(&folder).unwrap().into_iter().map(|case| case.text).collect();
    assert!(lines.len() > 1000, "{} fixtures", lines.len());
    let texts = Texts::new(&lines);
    let mut failures = BTreeMap::new();
    let mut links = 0;
    quiet_panics();
    for input in 0..inputs {
        let mut dice = Dice::new((seed << 40) + input);
        let text = texts.text(&mut dice);
        let settings = texts::settings(&mut dice);
        // The scanner looks for no name behind a joiner and an underscore, the twin rejects one: neither finds a link.
        if text.windows(4).any(|bytes| JOINED.contains(&bytes)) {
            continue;
        }
        match wrong(&text, &settings, Cuts::Random(dice.next())) {
            Ok(found) => links += found,
            Err((promise, _)) => {
                let cuts = if promise == "cuts" { Cuts::All } else { Cuts::None };
                let (text, settings) = shrink::smallest(text, settings, |text, settings| {
                    let again = wrong(text, settings, cuts);
                    again.is_err_and(|(broken, _)| broken == promise)
                });
                let why = wrong(&text, &settings, cuts);
                let why =
                    why.err().map_or_else(|| "only then and there".to_owned(), |(_, why)| why);
                let place =
                    format!("{promise}: {} {}", shrink::line(&text), shrink::options(&settings));
                failures.entry(place).or_insert_with(|| format!("{why}\n  input {input}"));
                if failures.len() >= MAX_FAILURES {
                    break;
                }
            }
        }
        if input % 1_000_000 == 999_999 {
            eprintln!("{} inputs, {links} links", input + 1);
        }
    }
    let report: String = failures.iter().map(|(p, why)| format!("{p}\n  {why}\n")).collect();
    assert!(failures.is_empty(), "seed {seed}\n{report}{} failures", failures.len());
    assert!(links * 4 > inputs, "too few links to mean anything: {links} in {inputs} texts");
}

/// What random texts have found to be wrong once, each by what was wrong.
#[test]
fn texts_that_were_wrong_once() {
    let never = Settings { references: false, ..Settings::default() };
    let uts58 = Settings { boundaries: naive::Boundaries::Uts58, ..Settings::default() };
    let short = Settings { max_link: 19, ..Settings::default() };
    let usual = Settings::default();
    // A character that is split by a sequence, behind a host that ends in one that is not a part of it.
    for after in ["•", "⁄", "\u{2060}"] {
        let parts = [b"<https://", after.as_bytes(), b"\xE3\x1B[m\x83\x86", "スト%Fz ".as_bytes()];
        let wrong = wrong(&parts.concat(), &usual, Cuts::All);
        assert!(wrong.is_ok(), "{after}: {wrong:?}");
    }
    // A character after a host that a sequence splits decides whether the host is one.
    let split = ["sip:ー.・\\".as_bytes(), b"\xCC\x1B[m\x81"].concat();
    let found = wrong(&split, &usual, Cuts::All);
    assert!(found.is_ok(), "{found:?}");
    for (text, settings) in [
        // Whole and streamed text did not agree on where a refused IP literal ends.
        ("http://[ ] x", &usual),
        ("http://[/] x", &usual),
        // The URI was not ASCII: after a stop of prose in the angle form, and in a root dot.
        ("<http://a.com/。>", &usual),
        ("<http://a.com/#。#b>", &usual),
        ("a.am．/x", &usual),
        ("a.am。/x", &uts58),
        // References were resolved though it was asked that they be not.
        ("urn:aa:&#302;b", &never),
        // The limit was asked at another place in a block than in the whole.
        ("<http://a.com/aa../..>", &short),
        // The URI was not ASCII after a field's domain that is no host.
        ("mailto:a@a?cc=@?þ ", &uts58),
        // A mark of Hebrew beside another hid the host.
        ("״״a.com/b״", &usual),
        // What a name in a scheme-only form is followed by.
        ("sip:a.com_ sip:a.com) xmpp:a.org\\r", &usual),
        ("magnet:?&#120;t=a news:a.b。c@d geo:&#45;1,2", &usual),
        ("file://&#47;a", &usual),
        // A run of Soft longer than the limit, decided by a whole window.
        (".:///..a", &Settings { max_link: 1, ..Settings::default() }),
        // A change of font that takes off all of a local part, or bares a dot.
        ("\\fR@a.am \\fR.b@a.am", &usual),
        // Underscores after an escape, which no host begins with.
        ("\\uaaaa_a.am \\n_example.com \\n_.com \\n__a.com", &usual),
        ("\\f\u{1B}[m\u{1B}[K\u{1B}[KR_a.a\u{1B}[mo ", &usual),
        // The last label of a host with a dot that is written as a reference is a number.
        ("sip:a&#46;0 ", &usual),
        // A field of a `mailto:` whose domain is not UTF-8.
        ("mailto:a@\u{1B}[ma?cc=@%aa ", &usual),
        // A percent sign before an at sign, behind prose.
        ("a.as日\u{200D}%@ a.amע%@ a.am日a%40b.com ", &usual),
        // A character that is written as a reference before the end of a comment.
        (".:///&#38;*/ ", &usual),
        // A dot that is written by its number, before the root dot.
        ("http://a%2E.?a ", &usual),
        // What ends a link after a host without `//`, and a bracket in braces before a host.
        ("xmpp:a.a^[[ sip:a.com&nbsp;x xmpp:b.org\\x1b[0m", &usual),
        ("\\u{3a}\\u{2f}\\u{2f}a.a.com http\\u{3a}\\u{2f}\\u{2f}www.a.com", &usual),
        // A control character after what may end a comment.
        (".:///.-}&#7; ", &usual),
        // A Hebrew mark after an escape that is read as text.
        ("\\uaaaa״a.am", &uts58),
    ] {
        let wrong = wrong(text.as_bytes(), settings, Cuts::All);
        // What the twin need not agree with is still the same on every code path.
        assert!(wrong.is_ok(), "{text}: {wrong:?}");
    }
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Joiners before an underscore.
const JOINED: [&[u8]; 2] = ["\u{200C}_".as_bytes(), "\u{200D}_".as_bytes()];

/// What panics inside [`wrong`] is reported by it, not printed for each step of the shrinking.
fn quiet_panics() {
    let loud = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !IS_QUIET.get() {
            loud(info);
        }
    }));
}

/// What is wrong with the text; the number of its links if nothing is.
fn wrong(text: &[u8], settings: &Settings, cuts: Cuts) -> Result<u64, Wrong> {
    IS_QUIET.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| examine(text, settings, cuts)));
    IS_QUIET.set(false);
    outcome.unwrap_or_else(|panic| {
        // It may have been left in disorder.
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or(panic.downcast_ref::<&str>().copied());
        Err(("no panic", message.unwrap_or("?").to_owned()))
    })
}

fn examine(text: &[u8], settings: &Settings, cuts: Cuts) -> Result<u64, Wrong> {
    let finder = routes::builder(settings).build();
    let records = routes::whole(&finder, text);
    ranges_and_text(text, settings, &records)?;
    positions(text, &records)?;
    uris(text, settings)?;
    iterators(&finder, text, &records)?;
    every_cut(&finder, text, cuts, &records)?;
    let mut short: Vec<_> = records.iter().map(Record::scanned).collect();
    let twin = routes::twin(settings, text);
    for ((record, short), twin) in records.iter().zip(&mut short).zip(&twin) {
        let may_be_of_scheme = record.may_be_of_scheme || record.is_refused_as_iri;
        // What a list does not select is asked last.
        if may_be_of_scheme && matches!(twin.2, None | Some("scheme-not-selected")) {
            short.2 = twin.2;
        }
    }
    if !agree(&short, &twin) && !is_settled(text, &short) && !is_settled(text, &twin) {
        return Err(("twin", format!("scanner {short:?}\n  twin    {twin:?}")));
    }
    Ok(records.iter().filter(|r| r.code.is_none()).count() as u64)
}

/// Whether the twin says the same. Which hosts look like names of files is measured on documents, not
/// derived: the fixtures hold it, and a text is scanned in the same way whether one is refused or not.
fn agree(short: &[Short], twin: &[Short]) -> bool {
    let is_same = |(a, b): (&Short, &Short)| {
        let is_file_name = |one: &Short| one.2 == Some("file-name");
        (&a.0, a.1) == (&b.0, b.1) && (a.2 == b.2 || is_file_name(a) || is_file_name(b))
    };
    short.len() == twin.len() && short.iter().zip(twin).all(is_same)
}

/// Where scanner and twin need not agree, by what either of them says. Nobody writes such texts, and
/// each is settled by a decision: the stages before a candidate look at stored bytes.
fn is_settled(text: &[u8], records: &[Short]) -> bool {
    let has = |word: &[u8]| text.windows(word.len()).any(|window| window == word);
    // Letters, digits, triplets, backslashes, brackets, `@` written as references.
    let is_reference = String::from_utf8_lossy(text).split("&#").skip(1).any(|rest| {
        let number = rest.split(';').next().unwrap_or_default();
        let value = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u8::from_str_radix(hex, 16),
            None => number.parse(),
        };
        value.is_ok_and(|value| {
            value.is_ascii_alphanumeric() || matches!(value, b'%' | b'\\' | b'[' | b'@')
        })
    });
    let is_triplet = |hex: usize| {
        let is_cut = |four: &[u8]| four[0] == b'%' && four[1 + hex..].starts_with(b"&#");
        text.windows(3 + hex).any(is_cut)
    };
    // An IP literal with references in it.
    let literal = text.windows(2).position(|two| matches!(two, b"/[" | b"@["));
    let is_literal = literal.is_some_and(|at| text[at..].windows(2).any(|two| two == b"&#"));
    // A reference of more digits than any character needs.
    let is_endless = text
        .windows(22)
        .any(|run| run.starts_with(b"&#") && run[3..].iter().all(u8::is_ascii_hexdigit));
    let is_defanged = has(b"[.]") && has(b"&#");
    // `www.` after more prose than a host can have, or after a dot that is a reference.
    let is_www = has(b"www.") && (has(b"&#") || text.len() > 253);
    // A folder's dot that is a reference, in a terminal's string, in which only what is refused is reported.
    let is_dot_in_string = has(b"\x1B") && (has(b"&#46;/") || has(b"&#x2E;/") || has(b"&#x2e;/"));
    // Dots side by side in more than a host can be.
    let is_dotted = text.len() > 253 && has(b"..");
    // An escape's letter is a neighbour of what stands after it until it is known to be an escape's.
    let is_escape = text.windows(4).any(|four| {
        let is_mark = |b: u8| matches!(b, b'_' | b'&' | 0xD7 | 0xE3 | 0xEF);
        four[0] == b'\\'
            && match four[1] {
                b'n' | b'r' | b't' => is_mark(four[2]),
                b'f' => is_mark(four[2]) || is_mark(four[3]),
                _ => false,
            }
    });
    // The same of a terminal's escapes, of which the twin does not know that their last letter may be a name's first.
    let is_after_escape = |text: &[u8]| {
        text.split(|&b| b == 0x1B).skip(1).any(|rest| {
            let mut rest = rest.iter().skip_while(|b| matches!(b, b' '..=b'?' | b'['));
            rest.nth(1).is_some_and(|b| matches!(b, b'_' | b'&' | 0xD7 | 0xE3 | 0xEF))
        })
    };
    let seen: Vec<u8> = naive::colours::seen(text).iter().map(|&at| text[at]).collect();
    let is_escape = is_escape || is_after_escape(text) || is_after_escape(&seen);
    // `fine.It` after a dot that is not the ASCII one.
    let is_capital = |two: &[u8]| two[0].is_ascii_uppercase() && two[1].is_ascii_lowercase();
    let is_dot = ["．", "。", "｡", "&#"].iter().any(|dot| has(dot.as_bytes()));
    let is_sentence = is_dot && text.windows(2).any(is_capital);
    let is_odd = |one: &Short| {
        let (range, kind, code) = one;
        let slice = &text[range.clone()];
        let is_referenced = slice.windows(2).any(|two| two == b"&#");
        let is_of = |what: &str| *code == Some(what);
        // Prose that goes on after a host for longer than a label can be, without a stop.
        let behind = &text[range.end..];
        let is_prose = behind.first().is_some_and(|b| !b.is_ascii()) && behind.len() > 100;
        match kind {
            LinkKind::Schemeless | LinkKind::Email if is_prose => true,
            // Longer than any host: how far what is refused reaches.
            _ if code.is_some() && slice.len() > 253 => true,
            LinkKind::Absolute if is_of("host-ipv4") && is_referenced => true,
            // Given up before it is seen whether the body is plausible, which the twin asks first.
            LinkKind::Absolute => {
                let colon = slice.iter().position(|&b| b == b':');
                is_of("too-long") && colon.is_some_and(|at| !slice[at + 1..].starts_with(b"//"))
            }
            LinkKind::Schemeless => is_of("host-label") && is_referenced,
            _ => false,
        }
    };
    is_reference
        || is_triplet(0)
        || is_triplet(1)
        || is_literal
        || is_endless
        || is_defanged
        || is_dotted
        || is_dot_in_string
        || is_www
        || is_dot && (has(b"%2E") || has(b"%2e"))
        || is_escape
        || is_sentence
        || records.iter().any(is_odd)
}

/// What a reader sees of a stretch.
fn seen(stretch: &[u8], settings: &Settings) -> Vec<u8> {
    match settings.boundaries {
        naive::Boundaries::Prose => {
            naive::colours::seen(stretch).iter().map(|&at| stretch[at]).collect()
        }
        naive::Boundaries::Uts58 => stretch.to_vec(),
    }
}

/// Ranges are ordered, disjoint, inside, not empty, not too long; `raw` is the slice.
fn ranges_and_text(text: &[u8], settings: &Settings, records: &[Record]) -> Result<(), Wrong> {
    let mut floor = 0;
    for record in records {
        let range = record.range.clone();
        if range.start < floor || range.is_empty() || range.end > text.len() {
            return Err(("ranges", format!("{record:?} behind {floor}")));
        }
        floor = range.end;
        let slice = &seen(&text[range.clone()], settings);
        let is_slice = match record.code {
            None => record.raw.as_bytes() == *slice,
            // Of what is too long only the front is kept.
            Some("too-long") => {
                String::from_utf8_lossy(slice).starts_with(record.raw.trim_end_matches('\u{FFFD}'))
            }
            Some(_) => record.raw == String::from_utf8_lossy(slice),
        };
        if !is_slice {
            return Err(("raw", format!("{record:?} is not {slice:?}")));
        }
        if record.code.is_none() && slice.len() > settings.max_link {
            return Err(("max-link", format!("{record:?}")));
        }
    }
    Ok(())
}

/// Lines and columns as a count from the text's front gives them.
fn positions(text: &[u8], records: &[Record]) -> Result<(), Wrong> {
    for record in records {
        let (mut line, mut column) = (1, 1);
        // A byte order mark is not a character of the first line.
        let mark = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        for at in mark..record.range.start {
            let ends = text[at] == b'\n' || (text[at] == b'\r' && text.get(at + 1) != Some(&b'\n'));
            (line, column) = if ends { (line + 1, 1) } else { (line, column + 1) };
        }
        if record.position.map(|p| (p.line, p.column)) != Some((line, column)) {
            return Err(("position", format!("{record:?} is at {line}:{column}")));
        }
    }
    Ok(())
}

/// What is not ASCII in the domains of a `mailto:`'s header fields, which keep their form as its host does, as
/// letters.
fn ascii_domains(uri: &str) -> String {
    let mut is_domain = false;
    let ascii = |c: char| {
        is_domain = c == '@' || is_domain && !matches!(c, ',' | '&' | '?' | '#');
        if is_domain && !c.is_ascii() { 'h' } else { c }
    };
    uri.chars().map(ascii).collect()
}

/// Each URI fits the grammar and holds the host that it says, in each form of hosts.
fn uris(text: &[u8], settings: &Settings) -> Result<(), Wrong> {
    for form in [HostMapping::Ascii, HostMapping::Percent, HostMapping::Unicode] {
        let finder = routes::builder(settings).host(form).build();
        for link in finder.candidates_in(text).filter_map(Candidate::into_link) {
            let uri = link.uri();
            let host = link.host();
            let host = host.as_deref().unwrap_or("");
            let [whole, part] = [&uri, host].map(str::to_ascii_lowercase);
            let Some(at) = whole.find(&part) else {
                return Err(("host in uri", format!("{host:?} in {uri:?}")));
            };
            let unnamed = [&uri[..at], "h", &uri[at + part.len()..]].concat();
            let fault = match form {
                // The host of a `mailto:` is a domain of it too.
                HostMapping::Unicode if whole.starts_with("mailto:") => {
                    uri::fault(&ascii_domains(&uri))
                }
                HostMapping::Unicode => uri::fault(&unnamed),
                _ => uri::fault(&uri),
            };
            if let Some(fault) =
                fault.filter(|_| !host.starts_with('[') || form != HostMapping::Unicode)
            {
                return Err(("uri", format!("{form:?}: {fault}")));
            }
        }
    }
    let strict = routes::builder(settings).forbidden_characters(Forbidden::Refuse).build();
    for link in strict.candidates_in(text).filter_map(Candidate::into_link) {
        if link.warnings().iter().any(|warning| warning.as_str() == "forbidden-character") {
            return Err(("forbidden", format!("{link:?}")));
        }
    }
    Ok(())
}

/// A clone of the finder, and of an iterator under way, go on as their originals; `links` leaves
/// out what is refused and nothing else.
fn iterators(finder: &Finder, text: &[u8], records: &[Record]) -> Result<(), Wrong> {
    let again = routes::whole(&finder.clone(), text);
    if again != records {
        return Err(("clone of the finder", format!("{again:?}\n  not {records:?}")));
    }
    let mut candidates = finder.candidates_in(text);
    let half = records.len() / 2;
    let mut seen: Vec<_> = candidates.by_ref().take(half).collect();
    seen.extend(candidates.clone());
    let seen: Vec<_> = seen.iter().map(|found| Record::new(found).short()).collect();
    let short: Vec<_> = records.iter().map(Record::short).collect();
    if seen != short {
        return Err(("clone under way", format!("{seen:?}\n  not {short:?}")));
    }
    if let Ok(text) = std::str::from_utf8(text) {
        let links: Vec<_> =
            finder.links(text).map(|link| Record::new(&Candidate::Link(link)).short()).collect();
        let found: Vec<_> = short.into_iter().filter(|r| r.2.is_none()).collect();
        if links != found {
            return Err(("links", format!("{links:?}\n  not {found:?}")));
        }
    }
    Ok(())
}

/// In two, in three, byte by byte: the records stay the same in all they say.
fn every_cut(finder: &Finder, text: &[u8], cuts: Cuts, records: &[Record]) -> Result<(), Wrong> {
    let mut all: Vec<Vec<usize>> = vec![(1..text.len()).collect()];
    match cuts {
        Cuts::None => return Ok(()),
        Cuts::Random(seed) => {
            let mut dice = Dice::new(seed);
            let mut cut = || dice.below(text.len() + 1);
            let (a, b, c) = (cut(), cut(), cut());
            all.extend([vec![a], vec![b.min(c), b.max(c)]]);
        }
        Cuts::All => {
            all.extend((1..text.len()).map(|at| vec![at]));
            if text.len() < 50 {
                all.extend((2..text.len()).flat_map(|b| (1..b).map(move |a| vec![a, b])));
            }
        }
    }
    for cuts in all {
        let got = routes::pieces(finder, text, &cuts);
        if got != records {
            return Err(("cuts", format!("at {cuts:?}: {got:?}\n  not {records:?}")));
        }
    }
    Ok(())
}
