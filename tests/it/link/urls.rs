//! Links as `url::Url`, for programs that go on with that crate.

use linksift::{Finder, Format, Hints};
use url::{Host, ParseError, Url};

fn url(text: &str) -> Url {
    Url::try_from(&linksift::links(text).next().unwrap()).unwrap()
}

#[test]
fn a_link_of_http_is_read_as_a_browser_reads_it() {
    let url = url("see http://example.com:8080/a/../b?q=1#f now");
    assert_eq!(url.as_str(), "http://example.com:8080/b?q=1#f");
    assert_eq!((url.port(), url.path(), url.query()), (Some(8080), "/b", Some("q=1")));
}

#[test]
fn what_has_no_scheme_gets_that_of_the_link() {
    assert_eq!(url("www.example.com/x").as_str(), "https://www.example.com/x");
}

#[test]
fn an_address_is_a_mailto() {
    let url = url("write to jörg@example.com.");
    assert_eq!((url.scheme(), url.path()), ("mailto", "j%C3%B6rg@example.com"));
    assert!(url.cannot_be_a_base());
}

#[test]
fn hosts_of_other_scripts_are_the_same_a_labels() {
    for text in ["https://bücher.example/", "http://例え.jp/パス", "http://пример.рф/путь?я=1"]
    {
        let link = linksift::links(text).next().unwrap();
        let url = Url::try_from(&link).unwrap();
        assert_eq!(url.as_str(), link.uri(), "{text}");
        // As if the crate itself had mapped the text.
        assert_eq!(url, Url::parse(text).unwrap(), "{text}");
        assert!(matches!(url.host(), Some(Host::Domain(host)) if host.contains("xn--")));
    }
}

#[test]
fn a_relative_reference_is_an_error() {
    let hints = Hints::new().format(Format::Html);
    let link = Finder::new().document(b"<a href=/x>", &hints).unwrap().links().next().unwrap();
    assert_eq!(Url::try_from(&link), Err(ParseError::RelativeUrlWithoutBase));
    let hints = hints.base("http://example.com/a/b".parse().unwrap());
    let link = Finder::new().document(b"<a href=/x>", &hints).unwrap().links().next().unwrap();
    assert_eq!(Url::try_from(&link).unwrap().as_str(), "http://example.com/x");
}
