//! Laws of the module `iri`, over texts that are put together at random; each with its section.

use linksift::iri::{
    Form, HostMapping, Iri, IriRef, MapOptions, NormalizationLevel, Repertoire, Syntax,
    is_bidi_formatting, is_iprivate, is_ucschar, leiri_to_iri, prepare,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::RngSeed;

/// What texts are made of: syntax, and whatever has gone wrong in one library or another.
const PIECES: [&str; 62] = [
    "a",
    "b",
    "Z",
    "1",
    "80",
    "/",
    "/",
    "//",
    ".",
    "..",
    "/.",
    "/..",
    "/./",
    "/../",
    "?",
    "#",
    ":",
    "@",
    "&",
    "=",
    ";",
    "+",
    "-",
    "_",
    "~",
    "!",
    "'",
    "(",
    ")",
    "[",
    "]",
    "%",
    "%2",
    "%2E",
    "%2e%2E",
    "%41",
    "%7e",
    "%2F",
    "%25",
    "%C3%A9",
    "%c3%a9",
    "%C3",
    "%A9",
    "%E2%80%AE",
    "%EE%80%80",
    "%F0%9F%98%80",
    "%ED%A0%80",
    "é",
    "É",
    "e\u{301}",
    "日本",
    "😀",
    "\u{E000}",
    "\u{202E}",
    "\u{A0}",
    "\u{200D}",
    "א",
    "xn--9ca",
    "xn--a",
    "example",
    " ",
    "%00",
];
const FRONTS: [&str; 14] = [
    "",
    "",
    "http://",
    "http://e.example",
    "HTTP://E.Example:80",
    "http://é.example/",
    "a:",
    "a:/",
    "//",
    "a://",
    "urn:a:",
    "mailto:a@",
    "file:///",
    "http://[::1]",
];

fn text() -> impl Strategy<Value = String> {
    let tail = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12);
    (prop::sample::select(&FRONTS[..]), tail)
        .prop_map(|(front, tail)| front.to_owned() + &tail.concat())
}

/// A reference that is valid: texts that are not are cut before their first error.
fn valid() -> impl Strategy<Value = String> {
    text().prop_map(|mut text| {
        while let Err(error) = IriRef::parse(&text) {
            let mut at = error.index().min(text.len().saturating_sub(1));
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.truncate(at);
        }
        text
    })
}

fn percent() -> MapOptions<'static> {
    MapOptions::new().host(HostMapping::Percent)
}

fn rejoined(iri: &IriRef<'_>) -> String {
    let mut out = String::new();
    if let Some(scheme) = iri.scheme() {
        out += &format!("{scheme}:");
    }
    if let Some(authority) = iri.authority() {
        let mut parts = String::new();
        if let Some(userinfo) = iri.userinfo() {
            parts += &format!("{userinfo}@");
        }
        parts += iri.host().unwrap_or("no host in an authority");
        if let Some(port) = iri.port() {
            parts += &format!(":{port}");
        }
        assert_eq!(parts, authority);
        out += &format!("//{authority}");
    }
    out += iri.path();
    if let Some(query) = iri.query() {
        out += &format!("?{query}");
    }
    if let Some(fragment) = iri.fragment() {
        out += &format!("#{fragment}");
    }
    out
}

/// How many texts each law sees; `LINKSIFT_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("LINKSIFT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000)
}

/// The same texts in every run, so that a change is what makes a test fail; others when more of them
/// are asked for.
fn seed() -> RngSeed {
    match std::env::var_os("LINKSIFT_CASES") {
        None => RngSeed::Fixed(3987),
        Some(_) => RngSeed::Random,
    }
}

/// RFC 3986 §5.2.4: what resolution never leaves behind.
fn has_dot_segment(path: &str) -> bool {
    path.split('/').skip(1).any(|segment| segment == "." || segment == "..")
}

/// The laws below hold of nothing if the texts that they are of do not come: each kind does, often.
#[test]
fn the_texts_are_of_each_kind() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut valid, mut wrong, mut mapped, mut earlier) = (0, 0, 0, 0);
    for _ in 0..2_000 {
        let text = text().new_tree(&mut runner).unwrap().current();
        match IriRef::parse(&text) {
            Ok(iri) => {
                valid += 1;
                mapped += usize::from(iri.to_uri().is_ok());
            }
            Err(error) => {
                wrong += 1;
                earlier += usize::from(IriRef::parse(&text[..error.index()]).is_err());
            }
        }
    }
    assert!(
        valid > 200 && wrong > 200 && mapped > 100 && earlier > 0,
        "{valid} {wrong} {mapped} {earlier}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), rng_seed: seed(), failure_persistence: None, ..ProptestConfig::default() })]

    /// RFC 3986 §5.3: components and delimiters put together are the text.
    #[test]
    fn parse_splits_and_rejoins(text in valid()) {
        let iri = IriRef::parse(&text).expect("valid");
        prop_assert_eq!(rejoined(&iri), text);
    }

    /// The two parsers agree, whatever the octets.
    #[test]
    fn octets_and_text_agree(text in text(), noise in prop::collection::vec(any::<u8>(), 0..3), at in 0usize..40) {
        for form in [Form::Iri, Form::Reference, Form::Absolute, Form::Relative] {
            for repertoire in [Repertoire::Rfc3986, Repertoire::Rfc3987, Repertoire::Bis] {
                let syntax = Syntax::new().form(form).repertoire(repertoire);
                prop_assert_eq!(syntax.parse_bytes(text.as_bytes()), syntax.parse(&text));
                let mut octets = text.clone().into_bytes();
                let at = at.min(octets.len());
                octets.splice(at..at, noise.iter().copied());
                match (std::str::from_utf8(&octets), syntax.parse_bytes(&octets)) {
                    (Ok(text), parsed) => prop_assert_eq!(parsed, syntax.parse(text)),
                    (Err(bad), Ok(_)) => prop_assert!(false, "not UTF-8 at {}", bad.valid_up_to()),
                    (Err(bad), Err(error)) => prop_assert!(error.index() <= bad.valid_up_to()),
                }
            }
        }
    }

    /// The index of an error is a character's; what stands before it is the begin of something valid
    /// or the error is about the whole (no scheme, the colon of a first segment, an IP literal).
    #[test]
    fn errors_have_a_place(text in text()) {
        if let Err(error) = IriRef::parse(&text) {
            prop_assert!(text.is_char_boundary(error.index()), "{error}");
            if let Err(earlier) = IriRef::parse(&text[..error.index()]) {
                // `a[::1` fails after what is cut off; never before it.
                prop_assert!(earlier.index() <= error.index());
            }
        }
    }

    /// RFC 3987 §3.1: URIs fully conforming to RFC 3986; idempotent; the identity for URIs.
    #[test]
    fn mapping(text in valid()) {
        let iri = IriRef::parse(&text).expect("valid");
        let uri_reference = Syntax::new().form(Form::Reference).repertoire(Repertoire::Rfc3986);
        for options in [MapOptions::new(), percent()] {
            if let Ok(uri) = iri.to_uri_with(&options) {
                prop_assert!(uri.is_ascii());
                let parsed = uri_reference.parse(&uri);
                prop_assert!(parsed.is_ok(), "{uri}: {parsed:?}");
                let again = parsed.expect("checked").to_uri_with(&options);
                prop_assert_eq!(again.as_deref(), Ok(&*uri));
            }
        }
        let uri = iri.to_uri_with(&percent()).expect("percent-encoding does not fail");
        prop_assert!(!text.is_ascii() || uri == text);
        prop_assert_eq!(uri_reference.parse(&uri).expect("a URI").path().matches('/').count(), iri.path().matches('/').count());
    }

    /// RFC 3987 §3.2: an IRI comes out, it maps back to an equivalent URI, and nothing stands in it
    /// that §2.2, §4.1 and §6.1 keep out.
    #[test]
    fn unmapping(text in valid()) {
        let uri = IriRef::parse(&text).expect("valid").to_uri_with(&percent()).expect("mapped").into_owned();
        let uri = IriRef::parse(&uri).expect("a URI");
        let unmapped = uri.to_iri_text();
        let iri = IriRef::parse(&unmapped);
        prop_assert!(iri.is_ok(), "{unmapped}: {iri:?}");
        let iri = iri.expect("checked");
        for (component, private) in [(iri.path(), false), (iri.query().unwrap_or(""), true), (iri.fragment().unwrap_or(""), false)] {
            for c in component.chars().filter(|c| !c.is_ascii()) {
                prop_assert!(is_ucschar(c) || (private && is_iprivate(c)));
                prop_assert!(!is_bidi_formatting(c) && !c.is_whitespace());
            }
        }
        let back = iri.to_uri_with(&percent()).expect("mapped");
        let back = IriRef::parse(&back).expect("a URI");
        prop_assert!(back.equivalent(&uri, NormalizationLevel::Syntax), "{uri} {unmapped} {back}");
        // A second time changes nothing: `%25` is not decoded and then again.
        let again = iri.to_iri_text();
        prop_assert_eq!(&*again, &*unmapped);
    }

    /// RFC 3987 §5.3: normal forms are IRIs, stay what they are, and an IRI and its URI have one.
    #[test]
    fn normalisation(text in valid()) {
        let iri = IriRef::parse(&text).expect("valid");
        for rung in [NormalizationLevel::Simple, NormalizationLevel::Syntax, NormalizationLevel::Scheme] {
            let normal = iri.normalize_to(rung);
            let parsed = IriRef::parse(&normal);
            prop_assert!(parsed.is_ok(), "{normal}: {parsed:?}");
            let parsed = parsed.expect("checked");
            prop_assert_eq!(parsed.normalize_to(rung), normal.clone());
            prop_assert!(iri.equivalent(&parsed, rung));
            prop_assert_eq!(parsed.scheme().is_some(), iri.scheme().is_some());
            prop_assert_eq!(parsed.query().is_some(), iri.query().is_some());
            prop_assert_eq!(parsed.fragment().is_some(), iri.fragment().is_some());
            prop_assert!(rung == NormalizationLevel::Simple || iri.scheme().is_none() || !has_dot_segment(parsed.path()) || parsed.path().starts_with("/.//"));
        }
        let uri = iri.to_uri_with(&percent()).expect("mapped").into_owned();
        prop_assert_eq!(IriRef::parse(&uri).expect("a URI").normalize(), iri.normalize());
    }

    /// RFC 3986 §5.2: a target is an IRI without dot segments; a reference to it leads back.
    #[test]
    fn resolution(base in valid(), reference in valid()) {
        let Some(base) = IriRef::parse(&base).expect("valid").to_iri() else { return Ok(()) };
        let reference = IriRef::parse(&reference).expect("valid");
        let target = base.resolve(&reference);
        let parsed = Iri::parse(&target);
        prop_assert!(parsed.is_ok(), "{target}: {parsed:?}");
        let parsed = parsed.expect("checked");
        prop_assert_eq!(parsed.fragment(), reference.fragment());
        if let Some(authority) = reference.authority() {
            prop_assert_eq!(parsed.authority(), Some(authority));
        } else if reference.scheme().is_none() {
            prop_assert_eq!(parsed.authority(), base.authority());
        }
        if !reference.path().is_empty() {
            prop_assert!(!has_dot_segment(parsed.path()) || parsed.path().starts_with("/.//"));
        }
        // Everything that resolution can reach is reached.
        let own = base.resolve(&parsed);
        match base.relativize(&parsed) {
            Some(back) => {
                let back = IriRef::parse(&back).expect("a reference");
                prop_assert_eq!(base.resolve(&back), target);
            }
            None => prop_assert!(own != target, "{base} does not reach {target}"),
        }
    }

    /// UTS #58: what is displayed is found again whole, and names the same octets.
    #[test]
    fn display(tail in valid(), front in prop::sample::select(&["http://e.example", "https://例え.jp"][..])) {
        let Ok(tail) = IriRef::parse(&tail).map(|t| t.as_str()[t.as_str().len() - t.path().len() - tail_length(&t)..].to_owned()) else { return Ok(()) };
        let link = format!("{front}/{tail}");
        let Ok(iri) = Iri::parse(&link) else { return Ok(()) };
        let shown = iri.display();
        if link.ends_with(['?', '#']) {
            return Ok(());
        }
        let text = format!("см. {shown} и");
        let found: Vec<_> = linksift::links(&text).map(|found| found.raw().to_string()).collect();
        prop_assert_eq!(found, vec![shown]);
    }

    /// Nothing panics, whatever comes, and what comes out is of its kind.
    #[test]
    fn no_panic(text in any::<String>(), other in text()) {
        for text in [&text, &other] {
            let _ = leiri_to_iri(text);
            let _ = prepare(text, linksift::iri::Spaces::Split).count();
            if let Ok(host) = linksift::iri::host_to_ascii(text) {
                prop_assert!(host.is_ascii(), "{host}");
            }
            let _ = linksift::iri::host_to_unicode(text);
            if let Ok(iri) = IriRef::parse(text) {
                let _ = (iri.warnings(), iri.display());
                prop_assert!(iri.to_uri().map_or(true, |uri| uri.is_ascii()));
            }
        }
    }
}

fn tail_length(iri: &IriRef<'_>) -> usize {
    iri.query().map_or(0, |q| q.len() + 1) + iri.fragment().map_or(0, |f| f.len() + 1)
}
