//! Hostile input: nothing panics, and time grows no faster than the text.

use crate::support::clock::clock;
use crate::support::growth::curved;
use linksift::iri::{
    Iri, IriRef, NormalizationLevel, Spaces, encode_forbidden, host_to_ascii, leiri_to_iri, prepare,
};

/// A front, a unit that is repeated, and an end.
const SHAPES: [(&str, &str, &str); 37] = [
    ("http://", "[", ""),
    ("http://[", ":", "]"),
    ("http://", "[::1]", ""),
    ("http://a/", "../", ""),
    ("http://a/", "a/../", ""),
    ("http://a/", "%2e%2e/", ""),
    ("http://a", "/..", "/x"),
    ("a:", "./", ""),
    ("a:", "../", "//x"),
    ("a:b/", "/..", "//c"),
    ("", "%", ""),
    ("http://a/", "%41", ""),
    ("http://a/", "%C3", ""),
    ("http://a/", "%F0%9F%98", ""),
    ("", "a:b@", ""),
    ("http://", "a:", "@"),
    ("http://", "a@", ""),
    ("http://", "a.", "/"),
    ("http://", "é.", "/"),
    ("http://", "xn--", "/"),
    ("http://", "xn--a.", "/"),
    ("http://", "%C3%A9", "/"),
    ("http://", "\u{AD}", "/"),
    ("http://a:", "9", ""),
    ("", "a", ":"),
    ("http://a/?", "&=", ""),
    ("http://a/#", ":~:", ""),
    ("http://a/", "(", ""),
    ("http://a/", "(]", ""),
    ("http://a/", "e\u{301}\u{323}", ""),
    ("http://a/", "א", "1"),
    ("mailto:", "a@b,", ""),
    ("urn:", "a:", ""),
    ("data:", ";a=b", ","),
    ("http://a/", "a（b）", ""),
    ("http://a/", "（）", ""),
    ("http://a/", ",http:", ""),
];

/// Everything that is done with a text, as a caller would; the answer keeps it from being left out.
fn everything(text: &str) -> usize {
    let mut sum = leiri_to_iri(text).len() + encode_forbidden(text).len();
    sum += prepare(text, Spaces::Split).count() + usize::from(host_to_ascii(text).is_ok());
    let Ok(iri) = IriRef::parse(text) else { return sum };
    sum += iri.to_uri().map_or(0, |uri| uri.len()) + iri.to_iri_text().len();
    sum += iri.normalize().len()
        + iri.normalize_to(NormalizationLevel::Scheme).len()
        + iri.display().len();
    sum += iri.warnings().len();
    let base = Iri::parse("http://a/b/c").expect("a base");
    sum += base.resolve(&iri).len();
    if let Some(iri) = iri.to_iri() {
        sum += base.relativize(&iri).map_or(0, |r| r.len()) + iri.resolve(&iri).len();
        sum += iri.relativize(&base).map_or(0, |r| r.len());
    }
    sum
}

#[test]
fn time_is_linear() {
    for (front, unit, end) in SHAPES {
        let growth = curved(
            32 << 10,
            |size| format!("{front}{}{end}", unit.repeat(size / unit.len())),
            |text: &str| {
                std::hint::black_box(everything(text));
            },
        );
        assert!(growth.is_none(), "{front}{unit}…{end}: {growth:?}");
    }
}

#[test]
fn a_million_labels_are_refused_in_no_time() {
    let host = "a.".repeat(1_000_000);
    let start = clock();
    for _ in 0..10 {
        assert!(host_to_ascii(&host).is_err());
        assert!(Iri::parse(&format!("http://é{host}/")).is_ok_and(|iri| iri.to_uri().is_err()));
    }
    assert!(clock() - start < 5.0);
}
