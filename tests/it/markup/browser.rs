//! Values of markup beside the URL standard, by the crate `url`: a reference that a browser opens is a link that leads to
//! the same host, with a warning if RFC 3987 has another opinion of it; one that no browser opens is rejected.

use linksift::iri::IriRef;
use linksift::{Candidate, Finder, Format, Hints};
use url::{ParseError, Url};

use crate::support::dice::Dice;

const BASE: &str = "http://base.example/d/e?f";

/// What a browser reads in an odd way, or not at all.
#[rustfmt::skip]
const PIECES: [&str; 79] = [
    "http:", "HTTPS:", "ftp:", "x:", "file:", "mailto:", "tel:", "javascript:", "data:", "ws:", "blob:", "//", "/", "/", "\\",
    ".", "..", ":80", ":", "@", "%31", "%", "%zz", "%00", "%2F", "?", "#", "[::1]", "[", "]", ":99999", ":0", "a:b@", "--", "-b",
    "a", "A", "1", "é", "１", "ß", "א", "٣", "①", "_", "|", "^", "<", ">", " ", "`", "{", "}", "*", "!", "'", "(", ",", ";", "=", "&",
    "+", "~", "$", "\t", "\u{1}", "\u{AD}", "\u{200B}", "\u{200D}", "。", "\u{FFFD}", "\u{FFFF}", "\u{E000}", "\u{3000}", "\u{A0}",
    "\u{300}", "\u{2044}", "℀", "%7B",
];
const HOSTS: [&str; 14] = [
    "b.example",
    "evil.test",
    "0x7f",
    "127.1",
    "0300.0x1.1",
    "256.256.256.256",
    "a.b.c.d.",
    "xn--",
    "xn--a",
    "ab--c",
    "xn--mnchen-3ya",
    "a..b",
    ".a",
    "例え.jp",
];
const HEADS: [&str; 6] = ["http://", "//", "https://b.example", "", "mailto:a", "file:"];

/// Returns the URI and the number of warnings of the link that a page has for a reference; `None` if it is rejected.
fn link(reference: &str) -> Option<(String, usize)> {
    let value = reference.replace('&', "&amp;").replace('"', "&quot;");
    let page = format!("<a href=\"{value}\">x</a>");
    let hints = Hints::new().format(Format::Html).base(BASE.parse().unwrap());
    let finder = Finder::new();
    let mut candidates = finder.document(page.as_bytes(), &hints).unwrap().filter(|one| {
        let range = match one {
            Candidate::Link(link) => link.range(),
            Candidate::Rejected(rejected) => rejected.range(),
        };
        range.end <= 9 + value.len()
    });
    let first = candidates.next()?.into_link()?;
    Some((first.uri().to_string(), first.warnings().iter().count()))
}

/// Returns a complaint about the answer to one reference.
fn complaint(reference: &str) -> Option<String> {
    let base = Url::parse(BASE).unwrap();
    let (ours, theirs) = (link(reference), base.join(reference));
    match (ours, theirs) {
        (None, Ok(theirs)) => Some(format!("is lost: {theirs}")),
        // The crate does not skip the slashes of a reference without a scheme: `///host`.
        (Some(_), Err(ParseError::EmptyHost)) => None,
        // A host of another scheme is percent-encoded, also where the standard forbids a character.
        (Some((ours, _)), Err(_)) if ours.starts_with("x:") => None,
        (Some((ours, _)), Err(error)) => Some(format!("{ours}, but: {error}")),
        (None, Err(_)) => None,
        (Some((ours, warnings)), Ok(theirs)) => {
            let read = Url::parse(&ours).ok();
            let parts = |url: &Url| {
                (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port())
            };
            if read.as_ref().map(&parts) != Some(parts(&theirs)) {
                return Some(format!("{ours}, not {theirs}"));
            }
            // White space and backslashes are common, and have no warning everywhere.
            let is_tidy =
                !reference.contains(['\t', '\u{1}', ' ', '\\']) && !ours.starts_with("file:");
            let is_strict = IriRef::parse(reference).is_ok_and(|strict| strict.to_uri().is_ok());
            (is_tidy && !is_strict && warnings == 0).then(|| format!("{ours} has no warning"))
        }
    }
}

#[test]
fn what_a_browser_opens_is_a_link_to_the_same_host() {
    let mut dice = Dice::new(60);
    let (mut wrong, mut opened) = (Vec::new(), 0);
    for _ in 0..40_000 {
        let mut text = dice.pick(&HEADS).to_string();
        for _ in 0..1 + dice.below(6) {
            text.push_str(match dice.below(4) {
                0 => dice.pick(&HOSTS),
                _ => dice.pick(&PIECES),
            });
        }
        opened += usize::from(link(&text).is_some());
        wrong.extend(complaint(&text).map(|complaint| format!("{text:?} {complaint}")));
    }
    wrong.sort_by_key(String::len);
    assert!(
        wrong.is_empty(),
        "{} of {opened}\n{}",
        wrong.len(),
        wrong[..wrong.len().min(60)].join("\n")
    );
    assert!(opened > 20_000, "{opened}");
}

#[test]
fn hosts_that_only_browsers_accept() {
    for (reference, uri) in [
        ("http://{host}/x", "http://%7Bhost%7D/x"),
        ("//a`b/", "http://a%60b/"),
        ("http://a..b.example/", "http://a..b.example/"),
        ("https://bank.example]@evil.test/", "https://bank.example%5D@evil.test/"),
        ("https://[bank.example@evil.test/", "https://%5Bbank.example@evil.test/"),
        ("http://\u{AD}1/", "http://0.0.0.1/"),
        ("http://①27.0.0.1/", "http://127.0.0.1/"),
        ("ws://me@b.example/#x", "ws://me@b.example/#x"),
        ("file://", "file:///"),
        ("file://host?x", "file://host/?x"),
        ("mailto:a@b..example", "mailto:a@b..example"),
        ("mailto:a@\u{2100}", "mailto:a@%E2%84%80"),
        ("x://\u{3000}/", "x://%E3%80%80/"),
    ] {
        let (found, warnings) = link(reference).unwrap_or_else(|| panic!("{reference}"));
        assert_eq!(found, uri, "{reference}");
        assert!(warnings > 0, "{reference}");
    }
    for reference in [
        "http://256.1.1.1/",
        "http://a.0x7f/",
        "http://a:port/",
        "http://xn--a/",
        "http://%FF/",
        "http://a%2Fb/",
        "//\u{AD}/",
    ] {
        assert_eq!(link(reference), None, "{reference}");
    }
}
