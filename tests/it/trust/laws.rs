//! Laws: of links made of pieces that deceive and pieces that do not.

use linksift::iri::IriRef;
use linksift::{Finder, Severity, trust};

use super::warnings;
use crate::support::dice::Dice;

const SCHEMES: [&str; 5] = ["http://", "https://", "ftp://", "ws://", "//"];
const USERS: [&str; 6] = ["", "", "", "me@", "bank.com@", "me:x%2Fy@"];
const LABELS: [&str; 32] = [
    "example",
    "bank",
    "www",
    "com",
    "com-login",
    "net-a",
    "xn--bcher-kva",
    "xn--pypal-4ve",
    "a",
    "b-c",
    "bücher",
    "pаypal",
    "аррӏе",
    "яндекс",
    "例え",
    "a一b",
    "i♥ny",
    "ⓔx",
    "１",
    "متجر",
    "١2",
    "ß",
    "þing",
    "l·l",
    "ñł",
    "あヘ",
    "ﬁx",
    "%65x",
    "%C3%A9",
    "한글",
    "ไทย",
    "xn--80ak6aa92e",
];
const ENDS: [&str; 10] =
    ["com", "test", "рф", "jp", "is", "co.uk", "xn--p1ai", "сс", "香港", "gov.sk.ca"];
const TAILS: [&str; 16] = [
    "",
    "",
    "/",
    "/a?b#c",
    ":80/x",
    "/%2e%2E/x",
    "/%00",
    "/\u{202E}x",
    "/%E2%80%AE",
    "/é",
    "/%C3%A9%20%D7%90",
    "⁄login",
    "\u{200B}x",
    "/x\u{AD}y",
    "/א?ב",
    "/%D1%8F%FF",
];
const PLAIN: [&str; 8] = ["example", "bank", "www", "a", "b-c", "login", "x1", "straight-edge"];

fn link(dice: &mut Dice) -> String {
    let mut text = format!("{}{}", dice.pick(&SCHEMES), dice.pick(&USERS));
    for _ in 0..1 + dice.below(4) {
        text.push_str(dice.pick(&LABELS));
        text.push_str(dice.pick(&[".", ".", ".", "。"]));
    }
    text + dice.pick(&ENDS) + dice.pick(&TAILS)
}

/// The host of what is shown has no label in characters that deceives.
fn deceives(shown: &str) -> Option<String> {
    let parsed = IriRef::parse(shown).ok()?;
    let host = parsed.host()?.trim_end_matches('.');
    let tld = host.rsplit('.').next().unwrap_or_default();
    let labels = host.split('.').filter(|label| !label.is_ascii());
    let mut labels = labels.map(|label| (label, trust::label(label, tld)));
    labels
        .find(|(_, found)| found.warnings().severity() >= Some(Severity::Suspect))
        .map(|(label, found)| format!("{label}: {found:?}"))
}

/// What a URI names: its octets, however it writes them.
fn octets(uri: &str) -> Vec<u8> {
    let (bytes, mut out, mut at) = (uri.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let digits = uri.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(octet) => out.push(octet),
            None => out.push(bytes[at]),
        }
        at += if digits.is_some() { 3 } else { 1 };
    }
    out
}

#[test]
fn what_is_shown_is_found_whole_and_does_not_deceive() {
    let finder = Finder::new();
    let (mut shown_count, mut suspect) = (0, 0);
    for seed in 0..6_000 {
        let text = link(&mut Dice::new(seed));
        // Findings lie inside of what they are about: it is checked there, of rejected ones too.
        warnings(&finder, &text, linksift::Format::Text);
        for link in finder.links(&text) {
            suspect += usize::from(link.severity() >= Some(Severity::Suspect));
            let shown = link.display();
            assert_eq!(deceives(&shown), None, "{text} as {shown}");
            if link.kind() != linksift::LinkKind::Absolute {
                continue;
            }
            let again = finder.links(&shown).next().map(|one| (one.range(), octets(&one.uri())));
            let wanted = Some((0..shown.len(), octets(&link.uri())));
            assert_eq!(again, wanted, "{text} as {shown}");
            shown_count += 1;
        }
    }
    assert!(shown_count > 1_000 && suspect > 1_000, "{shown_count} {suspect}");
}

/// Plain ASCII without user information, triplets and nested names has no code of these at all.
#[test]
fn ordinary_links_have_nothing() {
    let finder = Finder::new();
    for seed in 0..2_000 {
        let mut dice = Dice::new(seed);
        let mut text = dice.pick(&["http://", "https://", "ftp://", "", "mailto:me@"]).to_owned();
        for _ in 0..1 + dice.below(5) {
            text.push_str(dice.pick(&PLAIN));
            text.push('.');
        }
        text.push_str(dice.pick(&["com", "org", "de", "co.uk"]));
        if !text.starts_with("mailto") {
            text.push_str(dice.pick(&["", "/", "/a_(b)", "/?a=b&c=d", ":8080/x#y"]));
        }
        for (raw, _, warnings) in warnings(&finder, &text, linksift::Format::Text) {
            assert!(warnings.severity() < Some(Severity::Suspect), "{raw} {warnings:?}");
        }
    }
}
