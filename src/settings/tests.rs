//! Each name with its values, and what of a finder they set.

use super::*;
use crate::html::linkify;

/// A value that the setting takes, and one that it does not.
fn samples(name: &str) -> (&'static str, Option<&'static str>) {
    match name {
        "schemes" => ("http,foo", Some("ht tp")),
        "default-scheme" => ("http", Some("not a scheme")),
        "boundaries" => ("uts58", Some("none")),
        "userinfo" => ("warn", Some("keep")),
        "references" => ("never", Some("always")),
        "host" => ("unicode", Some("punycode")),
        "forbidden" => ("refuse", Some("keep")),
        "query-charset" => ("utf-8", Some("latin1")),
        "max-link" => ("100", Some("-1")),
        "format" => ("text", Some("word")),
        "charset" => ("windows-1251", Some("klingon")),
        "base" => ("http://b.example/", Some("not an iri")),
        "name" => ("index.html", None),
        "headers" => ("all", Some("some")),
        "alternatives" => ("best", Some("worst")),
        "join-wrapped" => ("never", Some("always")),
        "class" | "target" | "rel" => ("x", None),
        "newlines" => ("break", Some("cut")),
        "known-hosts" => ("a.example # ours, once\nb.example,c.example", Some("http://a.example")),
        "linkify-schemes" => ("https,tel", Some("ht tp")),
        "on-suspect" => ("mark", Some("drop")),
        "columns" => ("utf16", Some("words")),
        "pages" => ("2-5", Some("no")),
        _ => ("no", Some("perhaps")),
    }
}

#[cfg(feature = "documents")]
#[test]
fn each_name_takes_its_values_alone() {
    let mut refused = 0;
    for name in Settings::NAMES {
        let mut settings = Settings::new();
        let (good, bad) = samples(name);
        settings.set(name, good).unwrap();
        settings.set(&name.replace('-', "_"), good).unwrap();
        if let Some(bad) = bad {
            let error = settings.set(name, bad).unwrap_err();
            assert!(matches!(error, SettingError::BadValue { .. }), "{name}: {error}");
            assert!(error.to_string().contains(bad), "{error}");
            refused += 1;
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn what_is_set_holds() {
    let mut settings = Settings::new();
    let found = |settings: &Settings| {
        let finder = settings.finder();
        let links = finder.links("foo://a/b http://a.de bb.de me@a.de");
        links.map(|link| link.uri().into_owned()).collect::<Vec<_>>()
    };
    settings.set("schemes", "any").unwrap();
    settings.set("schemeless", "FALSE").unwrap();
    assert_eq!(found(&settings), ["foo://a/b", "http://a.de", "mailto:me@a.de"]);
    settings.set("emails", "off").unwrap();
    assert_eq!(found(&settings), ["foo://a/b", "http://a.de"]);
    settings.set("schemes", "no scheme").unwrap_err();
    assert_eq!(found(&settings), ["foo://a/b", "http://a.de"]);
}

#[test]
fn named_schemes_are_all_that_there_are() {
    let found = |set: &[(&str, &str)]| {
        let mut settings = Settings::new();
        set.iter().for_each(|(name, value)| settings.set(name, value).unwrap());
        let finder = settings.finder();
        let links = finder.links("foo://a/b http://a.de bb.de me@a.de");
        links.map(|link| link.uri().into_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found(&[("schemes", "foo")]), "foo://a/b");
    assert_eq!(found(&[("schemes", "foo,https")]), "foo://a/b https://bb.de");
    let same = "foo://a/b http://a.de http://bb.de";
    assert_eq!(found(&[("schemes", "foo,http"), ("default_scheme", "http")]), same);
    let same = "http://a.de http://bb.de mailto:me@a.de";
    assert_eq!(found(&[("default_scheme", "HTTP"), ("schemes", "http,mailto")]), same);
}

#[test]
fn words_for_schemes_stand_alone() {
    for (list, word) in [("known,http", "known"), ("http,any", "any"), ("http, known", "known")] {
        let error = Settings::new().set("schemes", list).unwrap_err();
        assert!(error.to_string().contains(&format!("{word:?} must stand alone")), "{error}");
    }
    for list in ["known", "any", "unknown,http"] {
        Settings::new().set("schemes", list).unwrap();
    }
}

#[test]
fn what_is_made_of_suspect_links_is_set() {
    let html = |set: &[(&str, &str)]| {
        let mut settings = Settings::new();
        set.iter().for_each(|(name, value)| settings.set(name, value).unwrap());
        linkify("ראו http://www.bank.com.evil.test/", &settings.html())
    };
    let marked = html(&[("on_suspect", "mark")]);
    assert!(marked.contains(r#"class="suspect" title="suspect: The host begins like the address of another site. Goes to www"#), "{marked}");
    assert!(marked.contains("<bdi") && !marked.contains("<b>"), "{marked}");
    assert!(!html(&[("on-suspect", "text")]).contains("<a"));
    assert!(!html(&[("isolate", "no")]).contains("<bdi"));
    assert!(html(&[("emphasize-host", "yes")]).contains("<b>evil.test</b>"));
}

#[cfg(feature = "known-hosts")]
#[test]
fn known_hosts_may_have_comments() {
    let mut settings = Settings::new();
    settings
        .set("known-hosts", "# ours\nexample.com # since 1999\n\nexample.org,a.example")
        .unwrap();
    let link = |text| settings.finder().links(text).next().unwrap().severity();
    assert!(link("http://examp1e.org/").is_some());
    assert!(link("http://example.org/").is_none());
}
