//! What deceives, end to end: each code by links that have it and the nearest that have not, laws that hold of
//! all, and hosts that are in use.

#![cfg(feature = "known-hosts")]

mod hosts;
mod laws;

use linksift::trust::KnownHosts;
use linksift::{Document, Finder, Format, Severity, Warning, Warnings};

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

/// `\u{…}` is a character.
fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (hex, rest) = part.split_once('}').unwrap();
        out.push(char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap());
        out.push_str(rest);
    }
    out
}

/// The links and rejected candidates of a text, what each has, and whether findings agree with it.
fn warnings(finder: &Finder, text: &str, format: Format) -> Vec<(String, bool, Warnings)> {
    let document = Document::new(text.as_bytes()).format(format);
    let mut all = Vec::new();
    for found in finder.document(&document).unwrap() {
        let (is_link, raw, warnings, findings, iri) = match &found {
            Ok(one) => (true, one.raw(), one.warnings(), one.findings(), one.iri()),
            Err(one) => (false, one.raw(), one.warnings(), one.findings(), one.iri()),
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
