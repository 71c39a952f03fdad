//! The general path from a draft to a link: the same fault has one code, and the same look one warning, wherever a
//! link stands; what comes out is a fixed point of the mapping.

use linksift::iri::{HostMapping, Iri, IriRef, MapOptions, host_to_ascii};
use linksift::{Candidate, Finder, Hints};

use crate::support::dice::Dice;

fn in_text(text: &str) -> Candidate<'static> {
    let finder = Finder::new();
    let found = finder.candidates(text).next().unwrap_or_else(|| panic!("{text}: no candidate"));
    found.into_owned()
}
fn in_value(text: &str) -> Candidate<'static> {
    let page = format!("<a href=\"{text}\">x</a>");
    let finder = Finder::new();
    let hints = Hints::new().format(linksift::Format::Html).charset(linksift::Charset::UTF_8);
    let mut found = finder.document(page.as_bytes(), &hints).unwrap();
    let found = found.next().unwrap_or_else(|| panic!("{text}: no candidate"));
    found.into_owned()
}
fn codes(judged: &Candidate<'_>) -> Vec<&'static str> {
    let warnings = match judged {
        Candidate::Link(link) => link.warnings(),
        Candidate::Rejected(rejected) => rejected.warnings(),
    };
    warnings.iter().map(|warning| warning.as_str()).collect()
}

/// Warnings of direction were once given in text only.
#[test]
fn directions_are_warned_of_in_values_too() {
    for (text, code) in [
        ("http://e.example/\u{5D0}\u{5D1}cd", "bidi-mixed"),
        ("http://e.example/\u{5D0}\u{5D1}1/x", "bidi-ends"),
    ] {
        assert!(codes(&in_text(text)).contains(&code), "{text} in text");
        assert!(codes(&in_value(text)).contains(&code), "{text} in a value");
    }
    assert!(codes(&in_value("/\u{5D0}\u{5D1}cd")).contains(&"bidi-mixed"), "a relative reference");
}

/// A fault once had one code in text and another in a value.
#[test]
fn a_fault_has_one_code_wherever_it_stands() {
    for (text, code) in [
        ("http://e.example:70000/", "port"),
        ("http://300.1.1.1/", "host-ipv4"),
        ("http://xn--a.example/", "host-invalid-idna"),
        ("http://[::g]/", "host-ip-literal"),
        ("http://a..b.example/", "host-label"),
        ("http://%ff.example/", "host-not-utf-8"),
    ] {
        let value = in_value(text).into_result().map_err(|rejected| rejected.reason().as_str());
        // Browsers open an empty label.
        let wanted = Some(code).filter(|code| *code != "host-label");
        assert_eq!(value.err(), wanted, "{text} in a value");
        let finder = Finder::new();
        let found = finder
            .candidates(text)
            .next()
            .map(|found| found.rejected().map(|r| r.reason().as_str()));
        assert_eq!(found, Some(Some(code)), "{text} in text");
    }
}

/// The domains in the query of a `mailto:` were once mapped in values only.
#[test]
fn the_uri_of_a_mailto_link_maps_to_itself() {
    for text in [
        "mailto:a@b.com?cc=x@%C3%A4.com",
        "mailto:\u{e4}@\u{e4}.com?to=b@\u{e4}.com&subject=\u{e4}",
        "mailto:a@xn--4ca.com?cc=c@xn--4ca.com",
        "mailto:a@b.com?bcc=c@XN--4CA.com",
    ] {
        let Candidate::Link(link) = in_text(text) else { panic!("{text} is rejected") };
        let uri = link.uri().into_owned();
        assert_eq!(Iri::parse(&uri).unwrap().to_uri().unwrap(), uri, "{text}");
    }
}

/// Random texts out of what makes links and breaks them.
fn random_text(dice: &mut Dice) -> String {
    const PIECES: [&str; 44] = [
        "http://",
        "https://",
        "mailto:",
        "ftp://",
        "urn:isbn:",
        "sip:",
        "tel:+1",
        "foo://",
        "a@",
        "example",
        ".com",
        ".\u{e4}",
        "\u{4f8b}\u{3048}.jp",
        "xn--4ca",
        "/",
        "?",
        "#",
        "%41",
        "%zz",
        "%C3%A4",
        "%",
        "[",
        "]",
        "::1",
        ":",
        "80",
        "@",
        "&",
        "=",
        "to=",
        "cc=b@",
        "\u{e4}",
        "e\u{301}",
        "\u{5d0}",
        "x",
        "1",
        "\u{3002}",
        " ",
        "\u{fffd}",
        "\u{e000}",
        "|",
        "-",
        ",",
        ";",
    ];
    (0..1 + dice.below(12)).map(|_| PIECES[dice.below(PIECES.len())]).collect()
}

/// Every URI that is given is ASCII, valid, and maps to itself.
#[test]
fn uris_of_random_texts_are_fixed_points() {
    let mut dice = Dice::new(11);
    let finder = Finder::builder().schemes(linksift::Schemes::Any).build();
    let (mut seen, mut hosts) = (0, 0);
    for _ in 0..20_000 {
        let text = random_text(&mut dice);
        for link in finder.links(&text) {
            let uri = link.uri();
            assert!(uri.is_ascii(), "{text:?}: {uri}");
            let parsed = Iri::parse(&uri).unwrap_or_else(|e| panic!("{text:?}: {uri}: {e}"));
            assert_eq!(parsed.to_uri().as_deref(), Ok(&*uri), "{text:?}");
            if let Some(host) = link.host() {
                let (whole, part) = (uri.to_ascii_lowercase(), host.to_ascii_lowercase());
                assert!(whole.contains(&part), "{text:?}: {host} in {uri}");
                hosts += 1;
            }
            seen += 1;
        }
    }
    assert!(seen > 3_000 && hosts > 1_000, "{seen} links, {hosts} hosts");
}

/// Text in brackets that is no address was once given back as it is.
#[test]
fn a_mapped_host_is_ascii_and_maps_to_itself() {
    assert!(host_to_ascii("[c]: /\u{f6}").is_err());
    assert!(host_to_ascii("[\u{f6}]").is_err());
    assert_eq!(host_to_ascii("[::1]").as_deref(), Ok("[::1]"));
    let mut dice = Dice::new(12);
    let (mut hosts, mut uris) = (0, 0);
    for _ in 0..20_000 {
        let text = random_text(&mut dice);
        if let Ok(host) = host_to_ascii(&text) {
            assert!(host.is_ascii(), "{text:?}: {host}");
            assert_eq!(host_to_ascii(&host).as_deref(), Ok(&*host), "{text:?}");
            hosts += 1;
        }
        // Nor does an IRI of it map to anything else.
        if let Ok(reference) = IriRef::parse(&text)
            && let Ok(uri) = reference.to_uri_with(&MapOptions::new().host(HostMapping::Percent))
        {
            assert!(uri.is_ascii(), "{text:?}: {uri}");
            uris += 1;
        }
    }
    assert!(hosts > 500 && uris > 2_000, "{hosts} hosts, {uris} URIs");
}

/// A host of an address is mapped as any other.
#[test]
fn the_domain_of_an_address_follows_the_form_of_hosts() {
    let text = "j\u{f6}rg@\u{4f8b}\u{3048}.jp";
    for (form, uri) in [
        (HostMapping::Ascii, "mailto:j%C3%B6rg@xn--r8jz45g.jp"),
        (HostMapping::Percent, "mailto:j%C3%B6rg@%E4%BE%8B%E3%81%88.jp"),
        (HostMapping::Unicode, "mailto:j%C3%B6rg@\u{4f8b}\u{3048}.jp"),
    ] {
        let finder = Finder::builder().host(form).build();
        assert_eq!(finder.links(text).next().unwrap().uri(), uri);
        let page = text.as_bytes();
        let hints = Hints::new();
        assert_eq!(finder.document(page, &hints).unwrap().links().next().unwrap().uri(), uri);
    }
}
