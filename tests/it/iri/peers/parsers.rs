//! What is asked of the peers, and to which class a disagreement belongs.

use iri_string::types::{IriReferenceStr, IriStr, UriReferenceStr};
use linksift::iri::{ErrorKind, Form, Iri, IriRef, Repertoire, Syntax};

use super::classes::{Class, Tally};
use super::generate::Random;

type Five<'a> = [Option<&'a str>; 5];

/// How many texts: few by default, as many as `LINKSIFT_DIFFERENTIAL` says.
pub(crate) fn rounds(default: u64) -> u64 {
    std::env::var("LINKSIFT_DIFFERENTIAL").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn ours<'a>(iri: &IriRef<'a>) -> Five<'a> {
    [iri.scheme(), iri.authority(), Some(iri.path()), iri.query(), iri.fragment()]
}

#[test]
fn validity_and_components() {
    let mut random = Random::new(0x1EE7);
    let mut tally = Tally::default();
    let mut text = String::new();
    let uri = Syntax::new().form(Form::Reference).repertoire(Repertoire::Rfc3986);
    let (mut valid, count) = (0u64, rounds(60_000));
    for _ in 0..count {
        random.text(&mut text);
        let text = text.as_str();
        let our = IriRef::parse(text);
        let oxiri = oxiri::IriRef::parse(text);
        let fluent = fluent_uri::IriRef::parse(text);
        let string = IriReferenceStr::new(text);
        let bidi = matches!(our, Err(error) if error.kind() == ErrorKind::BidiControl);
        for (peer, good) in [
            ("oxiri", oxiri.is_ok()),
            ("fluent-uri", fluent.is_ok()),
            ("iri-string", string.is_ok()),
        ] {
            if good != our.is_ok() {
                tally.count(bidi.then_some(Class::BidiFormatting), || {
                    format!("{peer} {good}: {text}")
                });
            }
        }
        let strict = uri.parse(text).is_ok();
        for (peer, good) in [
            ("fluent-uri", fluent_uri::UriRef::parse(text).is_ok()),
            ("iri-string", UriReferenceStr::new(text).is_ok()),
        ] {
            if good != strict {
                tally.count(None, || format!("{peer} as URI {good}: {text}"));
            }
        }
        let Ok(iri) = our else { continue };
        valid += 1;
        let mut same = |peer: &str, theirs: Five<'_>| {
            if theirs != ours(&iri) {
                tally.count(None, || format!("components of {peer}: {text}"));
            }
        };
        if let Ok(peer) = &oxiri {
            let path = Some(peer.path());
            same("oxiri", [peer.scheme(), peer.authority(), path, peer.query(), peer.fragment()]);
        }
        if let Ok(peer) = string {
            let fragment = peer.fragment().map(|f| f.as_str());
            let path = Some(peer.path_str());
            same(
                "iri-string",
                [peer.scheme_str(), peer.authority_str(), path, peer.query_str(), fragment],
            );
        }
        if let Ok(peer) = &fluent {
            let authority = peer.authority();
            same(
                "fluent-uri",
                [
                    peer.scheme().map(|c| c.as_str()),
                    authority.map(|c| c.as_str()),
                    Some(peer.path().as_str()),
                    peer.query().map(|c| c.as_str()),
                    peer.fragment().map(|c| c.as_str()),
                ],
            );
            let theirs = authority.map(|a| {
                (a.userinfo().map(|u| u.as_str()), a.host(), a.port().map(|p| p.as_str()))
            });
            if theirs != iri.host().map(|host| (iri.userinfo(), host, iri.port())) {
                tally.count(None, || format!("authority of fluent-uri: {text}"));
            }
        }
    }
    eprintln!("{valid} valid of {count}");
    tally.settle();
    assert!(valid > count / 2);
}

#[test]
fn resolution() {
    let mut random = Random::new(0xBA5E);
    let mut tally = Tally::default();
    let mut text = String::new();
    let mut base = String::from("http://a/b/c/d;p?q");
    for _ in 0..rounds(40_000) {
        random.text(&mut text);
        let Ok(reference) = IriRef::parse(&text) else { continue };
        if random.below(4) == 0 && reference.scheme().is_some() {
            base.clone_from(&text);
        }
        let ours = Iri::parse(&base).expect("bases are valid");
        let target = ours.resolve(&reference);
        let guarded = Iri::parse(&target).is_ok_and(|t| t.path().starts_with("/.//"));
        let triplet = |text: &str| text.to_ascii_lowercase().contains("%2e");
        let mut judge = |peer: &str, theirs: Result<String, String>, opaque: bool| {
            if theirs.as_ref() == Ok(&target) {
                return;
            }
            let class = if opaque && theirs.is_err() {
                Some(Class::OpaqueBase)
            } else if guarded {
                Some(Class::SlashGuard)
            } else if peer != "oxiri" && (triplet(&base) || triplet(&text)) {
                Some(Class::DotTriplets)
            } else if peer == "fluent-uri" && reference.scheme().is_some() && !rooted(&reference) {
                Some(Class::RootlessTarget)
            } else if peer == "fluent-uri" && reference.authority().is_none() && has_dots(&ours) {
                Some(Class::BaseDots)
            } else {
                None
            };
            tally.count(class, || format!("{peer}: {text} against {base} is {target}, {theirs:?}"));
        };
        if let (Ok(base), Ok(reference)) =
            (oxiri::Iri::parse(base.as_str()), oxiri::IriRef::parse(text.as_str()))
        {
            let theirs = base.resolve(&reference);
            judge("oxiri", theirs.map(oxiri::Iri::into_inner).map_err(|e| e.to_string()), false);
        }
        if let (Ok(base), Ok(reference)) =
            (fluent_uri::Iri::parse(base.as_str()), fluent_uri::IriRef::parse(text.as_str()))
        {
            let theirs = reference.resolve_against(&base.strip_fragment());
            let opaque = !base.has_authority() && !base.path().as_str().starts_with('/');
            judge("fluent-uri", theirs.map(|t| t.into_string()).map_err(|e| e.to_string()), opaque);
        }
        if let (Ok(base), Ok(reference)) = (IriStr::new(&base), IriReferenceStr::new(&text)) {
            let theirs = reference.resolve_against(base.to_absolute_and_fragment().0);
            judge("iri-string", Ok(theirs.to_string()), false);
        }
    }
    tally.settle();
}

/// Every non-ASCII character as triplets, and all triplets in upper case.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    let mut digits = 0;
    for c in text.chars() {
        if c == '%' {
            digits = 3;
        }
        match (c.is_ascii(), digits) {
            (true, 0) => out.push(c),
            (true, _) => out.push(c.to_ascii_uppercase()),
            (false, _) => {
                c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| out += &format!("%{b:02X}"));
            }
        }
        digits = digits.max(1) - 1;
    }
    out
}

/// Without its port, if that is empty or the scheme's own.
fn without_port(text: &str) -> String {
    let Ok(iri) = IriRef::parse(text) else { return text.to_owned() };
    let (Some(authority), Some(port)) = (iri.authority(), iri.port()) else {
        return text.to_owned();
    };
    let default = matches!((iri.scheme(), port), (Some("http"), "80") | (Some("https"), "443"));
    if !port.is_empty() && !default {
        return text.to_owned();
    }
    // After the scheme, the slashes and what stands before the colon.
    let end = iri.scheme().map_or(0, |s| s.len() + 1) + 2 + authority.len();
    text[..end - port.len() - 1].to_owned() + &text[end..]
}

/// Dot segments go where there is no root in front.
fn rooted(iri: &IriRef<'_>) -> bool {
    iri.authority().is_some() || iri.path().starts_with('/')
}

fn has_dots(iri: &IriRef<'_>) -> bool {
    let path = iri.path().to_ascii_lowercase().replace("%2e", ".");
    path.split('/').any(|segment| segment == "." || segment == "..")
}

#[test]
fn normalisation() {
    let mut random = Random::new(0x0FF5);
    let mut tally = Tally::default();
    let mut text = String::new();
    for _ in 0..rounds(40_000) {
        random.text(&mut text);
        let Some(iri) = IriRef::parse(&text).ok().and_then(IriRef::to_iri) else { continue };
        let normal = iri.normalize();
        let rootless = !rooted(&iri);
        let mut judge = |peer: &str, theirs: String| {
            if theirs == normal {
                return;
            }
            // Triplets first: what the peer decoded need not be an IRI any more.
            let (left, right) = (encoded(&normal), encoded(&theirs));
            let (bare, theirs_bare) = (without_port(&left), without_port(&right));
            let class = if left == right {
                Some(Class::WhatIsDecoded)
            } else if bare == theirs_bare {
                match iri.port() {
                    Some("") => Some(Class::EmptyPort),
                    _ => Some(Class::DefaultPort),
                }
            } else if bare.eq_ignore_ascii_case(&theirs_bare) {
                Some(Class::HostCase)
            } else if peer == "fluent-uri" && iri.host().is_some_and(|h| h.starts_with('[')) {
                Some(Class::Ipv6Form)
            } else if rootless && has_dots(&iri) {
                Some(Class::RootlessDots)
            } else if iri.authority().is_none() && normal.contains(":/.//") {
                Some(Class::ReferenceDots)
            } else {
                None
            };
            tally.count(class, || format!("{peer}: {text} is {normal}, {theirs}"));
        };
        if let Ok(peer) = fluent_uri::Iri::parse(text.as_str()) {
            judge("fluent-uri", peer.normalize().into_string());
        }
        if let Ok(peer) = IriStr::new(&text) {
            judge("iri-string", peer.normalize().to_string());
        }
    }
    tally.settle();
}
