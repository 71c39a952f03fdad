//! Keys of links, by which a program recognizes pages that it has seen.

use linksift::iri::NormalizationLevel;
use linksift::{Finder, Format, Hints, Link};

fn keys(page: &[u8], hints: &Hints, level: NormalizationLevel) -> Vec<String> {
    let hints = hints.clone().format(Format::Html);
    let finder = Finder::new();
    let links = finder.document(page, &hints).unwrap().links();
    links.map(|link: Link<'_>| link.key(level)).collect()
}

#[test]
fn links_to_the_same_page_have_the_same_key() {
    let page = b"<a href='HTTP://E.com:80/x/../%7ea?b#c'></a><a href='http://e.com/~a?b'></a>";
    let of = |level| keys(page, &Hints::new(), level);
    // Dot segments of markup are removed as a browser does, before any level.
    let simple = ["HTTP://E.com:80/%7ea?b", "http://e.com/~a?b"];
    assert_eq!(of(NormalizationLevel::Simple), simple);
    assert_eq!(of(NormalizationLevel::Syntax), ["http://e.com:80/~a?b", "http://e.com/~a?b"]);
    assert_eq!(of(NormalizationLevel::Scheme), ["http://e.com/~a?b"; 2]);
}

#[test]
fn a_relative_reference_stays_relative_without_a_base() {
    let (page, level) = (b"<a href='./b#c'></a><a href='#c'></a>", NormalizationLevel::Scheme);
    assert_eq!(keys(page, &Hints::new(), level), ["./b", ""]);
    let hints = Hints::new().base("http://e.com/a#x".parse().unwrap());
    assert_eq!(keys(page, &hints, level), ["http://e.com/b", "http://e.com/a"]);
}

#[test]
fn a_key_is_the_one_of_the_uri() {
    for text in ["http://xn--r8jz45g.jp/%E3%83%91#a", "http://例え.jp/パ", "例え.jp", "jörg@e.com"]
    {
        let link = linksift::links(text).next().unwrap();
        let key = link.key(NormalizationLevel::Scheme);
        let uri = linksift::iri::Iri::parse(link.uri().split('#').next().unwrap())
            .map(|uri| uri.normalize_to(NormalizationLevel::Scheme));
        assert_eq!(uri, Ok(key), "{text}");
    }
}
