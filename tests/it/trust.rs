//! What deceives, end to end: each code by links that have it and the nearest that have not, laws that hold of
//! all, and hosts that are in use.

mod hosts;
mod laws;

use std::io::Read;
use std::ops::ControlFlow;

use linksift::files::{self, Options};
use linksift::trust::KnownHosts;
use linksift::{Candidate, Charset, Event, Finder, Format, Hints, Severity, Warning, Warnings};

use crate::made::characters::unescaped;
use crate::made::folder::Folder;
use crate::made::tars::tar;
use crate::support::pieces::Pieces;

/// One code, and texts that have it or not.
struct Case {
    code: Warning,
    kind: String,
    lines: Vec<(bool, String)>,
}

fn cases() -> Vec<Case> {
    let mut all: Vec<Case> = Vec::new();
    for line in include_str!("../../fixtures/trust/codes.cases").lines() {
        match line.split_at_checked(2) {
            Some(("@@", head)) => {
                let (code, kind) = head.trim().split_once("; ").unwrap_or((head.trim(), "text"));
                let (code, kind) = (code.parse().unwrap(), kind.to_owned());
                all.push(Case { code, kind, lines: Vec::new() });
            }
            Some((sign @ ("+ " | "- "), text)) => {
                all.last_mut().unwrap().lines.push((sign == "+ ", unescaped(text)));
            }
            _ => assert!(line.is_empty() || line.starts_with('#'), "{line}"),
        }
    }
    all
}

/// The links and rejected candidates of a text, what each has, and whether findings agree with it.
fn warnings(finder: &Finder, text: &str, format: Format) -> Vec<(String, bool, Warnings)> {
    let mut all = Vec::new();
    for found in finder.document(text.as_bytes(), &Hints::new().format(format)).unwrap() {
        let (is_link, raw, warnings, findings, iri) = match &found {
            Candidate::Link(one) => (true, one.raw(), one.warnings(), one.findings(), one.iri()),
            Candidate::Rejected(one) => {
                (false, one.raw(), one.warnings(), one.findings(), one.iri())
            }
        };
        for finding in &findings {
            assert!(warnings.contains(finding.warning()), "{raw}: {finding:?}");
            assert!(iri.get(finding.range()).is_some(), "{raw}: {finding:?} of {iri}");
        }
        all.push((raw.to_owned(), is_link, warnings));
    }
    all
}

/// By a finder that knows hosts, and looks at each link for their sake, and by one that knows none, in which a plain
/// link goes a shorter way.
#[test]
fn each_code_by_three_that_have_it_and_the_nearest_that_have_not() {
    let known = KnownHosts::new(["example.com", "bank.example"]);
    let finders = [
        ("with known hosts", Finder::builder().known_hosts(known).build()),
        ("without", Finder::new()),
    ];
    let mut wrong = Vec::new();
    for Case { code, kind, lines } in cases() {
        let with = lines.iter().filter(|(has, _)| *has).count();
        assert!(with >= 3 && lines.len() - with >= 3, "{code}");
        for (has, text) in lines {
            let (text, format) = match &*kind {
                "html" => (text, Format::Html),
                "markdown" => (text, Format::Markdown),
                "value" => (format!("<a href='{text}'>x</a>"), Format::Html),
                _ => (text, Format::Text),
            };
            for (name, finder) in &finders {
                let needs_known = matches!(code, Warning::HostLookalike | Warning::HostMisspelled);
                if needs_known && *name == "without" {
                    continue;
                }
                let all = warnings(finder, &text, format);
                let is_there = all.iter().any(|(_, _, warnings)| warnings.contains(code));
                let has_link = all.iter().any(|(_, is_link, _)| *is_link);
                if is_there != has || !has && !has_link {
                    let sign = if has { '+' } else { '-' };
                    wrong.push(format!("{code} {sign} {name}: {text:?} {all:?}"));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "fixtures/trust/codes.cases; what is found with known hosts alone is lost on a short path \
         (`is_plain` in src/document/finder/text.rs, `plain` in src/document/finder/value.rs):\n{}",
        wrong.join("\n")
    );
}

/// A relative reference to the site of the caller's base leads to a page about the site that its text names, unless the page, or
/// the sender of a message, chose the base.
#[test]
fn names_of_other_sites_on_a_page_of_ones_own() {
    let finder = Finder::new();
    let hints = Hints::new().format(Format::Html).base("https://own.example/a/b".parse().unwrap());
    let severity = |page: &str, hints: &Hints| {
        let found = finder.document(page.as_bytes(), hints).unwrap();
        found.links().filter(|link| link.context() == "a@href").map(|link| link.severity()).next()
    };
    for (page, wanted) in [
        ("<a href='from?site=nytimes.com'>nytimes.com</a>", Severity::Note),
        ("<a href='/wiki/Amazon.com'>Amazon.com</a>", Severity::Note),
        ("<a href='/users/joe.me'>joe.me</a>", Severity::Note),
        ("<a href='#foo.com'>www.foo.com</a>", Severity::Note),
        ("<a href='foo.com.html'>foo.com</a>", Severity::Note),
        ("<a href='/contact'>info@foo.com</a>", Severity::Note),
        ("<base href='https://own.example/'><a href='/foo.com'>foo.com</a>", Severity::Note),
        ("<a href='/foo.com'>https://foo.com/</a>", Severity::Deceptive),
        ("<a href='/foo.com'>see https://foo.com/</a>", Severity::Suspect),
        ("<a href='//evil.test/foo.com'>foo.com</a>", Severity::Suspect),
        ("<a href='https://own.example/foo.com'>foo.com</a>", Severity::Suspect),
        ("<a href='https://evil.test/foo.com'>foo.com</a>", Severity::Suspect),
        ("<base href='https://evil.test/'><a href='/foo.com'>foo.com</a>", Severity::Suspect),
    ] {
        assert_eq!(severity(page, &hints), Some(Some(wanted)), "{page}");
    }
    let page = "<a href='/foo.com'>foo.com</a>";
    for header in ["", "Content-Base: https://evil.test/\n"] {
        let mail =
            format!("From: a\nMIME-Version: 1.0\n{header}Content-Type: text/html\n\n{page}\n");
        let hints = hints.clone().format(Format::Email);
        assert_eq!(severity(&mail, &hints), Some(Some(Severity::Suspect)), "{mail}");
    }
}

/// A document, a reader that gives it in two pieces, a part of a message in quoted-printable, and a file in an archive have
/// the same links with the same warnings.
#[test]
fn warnings_are_the_same_on_every_path() {
    let finder = Finder::new();
    let folder = Folder::new();
    let options = Options::new().threads(1);
    let mut compared = 0;
    for Case { kind, lines, .. } in cases() {
        for (_, text) in lines {
            let (text, format, media, name) = match &*kind {
                "html" => (text, Format::Html, "text/html", "a.html"),
                "markdown" => (text, Format::Markdown, "text/markdown", "a.md"),
                "value" => (format!("<a href='{text}'>x</a>"), Format::Html, "text/html", "a.html"),
                _ => (text, Format::Text, "text/plain", "a.txt"),
            };
            let whole: Vec<_> = warnings(&finder, &text, format)
                .into_iter()
                .map(|(raw, is_link, warnings)| (raw, is_link, codes(warnings)))
                .collect();
            let pieces = Pieces::cut(text.as_bytes(), &[text.len() / 2]);
            let hints = Hints::new().format(format).charset(Charset::UTF_8);
            assert_eq!(by_events(&finder, pieces, &hints), whole, "in pieces: {text}");
            let encoded: String = text.bytes().map(|b| format!("={b:02X}")).collect();
            let mail = format!(
                "From: a\nMIME-Version: 1.0\nContent-Type: {media}; charset=utf-8\n\
                 Content-Transfer-Encoding: quoted-printable\n\n{encoded}\n"
            );
            let hints = Hints::new().format(Format::Email);
            assert_eq!(by_events(&finder, mail.as_bytes(), &hints), whole, "in a message: {text}");
            let archive = tar(&[(name.as_bytes(), text.as_bytes())]);
            let path = folder.write("a.tar", &archive);
            let mut found = Vec::new();
            let _ = files::scan([&path], &options, |event| note(&event, &mut found));
            assert_eq!(found, whole, "in an archive: {text}");
            compared += whole.len();
        }
    }
    assert!(compared > 200, "{compared}");
}

/// The text of a candidate, whether it is a link, and the codes of its warnings.
type Found = (String, bool, Vec<&'static str>);

fn codes(warnings: Warnings) -> Vec<&'static str> {
    warnings.iter().map(|warning| warning.as_str()).collect()
}

/// Returns what a reader has, in the order of the events.
fn by_events(finder: &Finder, reader: impl Read, hints: &Hints) -> Vec<Found> {
    let mut all = Vec::new();
    finder.scan_reader(reader, hints, |event| note(&event, &mut all)).unwrap();
    all
}

fn note(event: &Event<'_>, all: &mut Vec<Found>) -> ControlFlow<()> {
    match event {
        Event::Link { link, .. } => {
            all.push((link.raw().to_owned(), true, codes(link.warnings())));
        }
        Event::Rejected { rejected, .. } => {
            all.push((rejected.raw().to_owned(), false, codes(rejected.warnings())));
        }
        _ => {}
    }
    ControlFlow::Continue(())
}

/// In running text a line may break at a soft hyphen; in a value nobody sees it.
#[test]
fn a_soft_hyphen_in_running_text_is_a_note() {
    let severity = |text: &str, format| {
        let link = Finder::new()
            .document(text.as_bytes(), &Hints::new().format(format))
            .unwrap()
            .next()
            .and_then(Candidate::into_link)
            .unwrap();
        assert!(link.warnings().contains(Warning::HostDisguised), "{text}");
        let finding = link.findings().iter().map(|finding| finding.severity()).max();
        assert!(finding.is_none_or(|one| Some(one) == link.severity()), "{text}");
        link.severity()
    };
    for text in
        ["www.inte\u{AD}great.app", "kon\u{AD}takt@example.org", "http://inte\u{AD}great.app/%41"]
    {
        assert_eq!(severity(text, Format::Text), Some(Severity::Note), "{text}");
    }
    for text in ["<p>www.inte&shy;great.app", "<p>kon&#xAD;takt@example.org"] {
        assert_eq!(severity(text, Format::Html), Some(Severity::Note), "{text}");
    }
    let value = "<a href='http://inte&shy;great.app/'>x</a>";
    assert_eq!(severity(value, Format::Html), Some(Severity::Suspect));
    assert_eq!(severity("http://ｅx\u{AD}ample.com/", Format::Text), Some(Severity::Suspect));
}

/// Every code that is suspect or worse is in the table, but for `userinfo`, which is older than these.
#[test]
fn the_table_has_every_code() {
    let cases = cases();
    for warning in Warning::ALL {
        let is_here = cases.iter().any(|case| case.code == *warning);
        let is_grave = warning.severity() >= Severity::Suspect && *warning != Warning::Userinfo;
        assert_eq!(
            is_here, is_grave,
            "{warning}: fixtures/trust/codes.cases has each code that is suspect or worse, and no other"
        );
    }
}

/// A definition of Markdown that the list of schemes lacks takes the texts of its links with it: they are not compared with
/// the next definition.
#[test]
fn texts_of_a_rejected_definition_are_compared_with_nothing() {
    let text = "[www.bank.example][1] [x][2]\n\n[1]: /a\n[2]: http://e.example/\n";
    let warnings = |schemes: &str| {
        let finder = Finder::builder().schemes(schemes.parse().unwrap()).build();
        let hints = Hints::new().format(Format::Markdown);
        let found = finder.document(text.as_bytes(), &hints).unwrap();
        found.filter_map(Candidate::into_link).map(|link| link.warnings().len()).collect::<Vec<_>>()
    };
    assert_eq!(warnings("http"), [0]);
}
