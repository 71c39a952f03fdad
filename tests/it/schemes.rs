//! Lists of schemes: one meaning, wherever a link is written.
//!
//! A list selects among the links that there are otherwise. So the candidates of each document by a list are those
//! without one, and of these the links whose URI has another scheme are rejected with `scheme-not-selected`.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use linksift::{Candidate, Charset, Finder, Format, Hints, Schemes, Settings, html};

use crate::naive;

/// Lists of schemes that are known: of others `scheme://` is no link without a list.
const LISTS: [&str; 6] = ["http", "https", "ftp", "mailto", "HTTPS,tel,urn", "http,https,mailto"];

/// Where a candidate is, how it is written, its URI or why it is rejected.
type Short = (Range<usize>, String, Result<String, &'static str>);

fn short(finder: &Finder, bytes: &[u8], hints: &Hints) -> Option<Vec<Short>> {
    let found = finder.document(bytes, hints).ok()?.map(|found| match found {
        Candidate::Link(link) => (link.range(), link.raw().to_owned(), Ok(link.uri().into_owned())),
        Candidate::Rejected(rejected) => {
            (rejected.range(), rejected.raw().to_owned(), Err(rejected.reason().as_str()))
        }
    });
    Some(found.collect())
}

/// What a list makes of a link with this URI.
fn selected(uri: String, list: &str) -> Result<String, &'static str> {
    match uri.split_once(':') {
        Some((scheme, _)) if list.split(',').any(|one| one.eq_ignore_ascii_case(scheme)) => Ok(uri),
        Some((scheme, _)) if !scheme.contains(['/', '?', '#']) => Err("scheme-not-selected"),
        _ => Err("no-scheme"),
    }
}

/// The documents of `fixtures` with their names.
fn documents() -> Vec<(PathBuf, Vec<u8>)> {
    let folders = ["text", "charset", "charset/guessed", "markup/links", "readme", "iri", "trust"];
    let mut documents = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(crate::root().join("fixtures").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                documents.push((path.clone(), fs::read(&path).unwrap()));
            }
        }
    }
    documents.sort();
    assert!(documents.len() > 150, "{}", documents.len());
    documents
}

#[test]
fn a_list_selects_among_the_links_of_every_document() {
    let usual = Finder::new();
    let finders = LISTS.map(|list| Finder::builder().schemes(list.parse().unwrap()).build());
    let (mut links, mut rejected) = (0, 0);
    for (path, bytes) in documents() {
        let base = "http://base.example/a/".parse().unwrap();
        let plain = Hints::new().name(&path);
        for hints in [plain.clone(), plain.base(base)] {
            let Some(all) = short(&usual, &bytes, &hints) else { continue };
            for (list, finder) in LISTS.iter().zip(&finders) {
                let found = short(finder, &bytes, &hints).unwrap();
                let expected = all.iter().map(|(range, raw, found)| {
                    let found = found.clone().and_then(|uri| selected(uri, list));
                    (range.clone(), raw.clone(), found)
                });
                // What a text repeats of the link around it is a candidate where that link is rejected, and what
                // `scheme://` of no known scheme has wrong is known by a list.
                let is_unknown = |one: &Short| one.2 == Err("unknown-scheme");
                for one in expected.filter(|one| !is_unknown(one)) {
                    assert!(found.contains(&one), "{path:?} by {list}: {one:?}");
                    rejected += u64::from(one.2 == Err("scheme-not-selected"));
                }
                for one in found.iter().filter(|one| one.2.is_ok()) {
                    assert!(all.contains(one), "{path:?} by {list}: {one:?}");
                    links += 1;
                }
            }
        }
    }
    assert!(links > 5_000 && rejected > 5_000, "{links} links, {rejected} rejected");
}

#[test]
fn a_list_selects_among_the_links_of_every_text() {
    let usual = Finder::new();
    let mut compared = 0;
    for case in naive::fixture::read_folder(&crate::root().join("fixtures/text")).unwrap() {
        for format in [Format::Text, Format::Code] {
            for charset in [Charset::UTF_8, "windows-1252".parse().unwrap()] {
                let hints = Hints::new().charset(charset).format(format);
                let all = short(&usual, &case.text, &hints).unwrap();
                if all.iter().any(|one| one.2 == Err("unknown-scheme")) {
                    continue;
                }
                for list in LISTS {
                    let finder = Finder::builder().schemes(list.parse().unwrap()).build();
                    let expected: Vec<_> = all
                        .iter()
                        .cloned()
                        .map(|(at, raw, found)| {
                            (at, raw, found.and_then(|uri| selected(uri, list)))
                        })
                        .collect();
                    assert_eq!(
                        short(&finder, &case.text, &hints).unwrap(),
                        expected,
                        "{}",
                        case.place()
                    );
                    compared += expected.len();
                }
            }
        }
    }
    assert!(compared > 5_000, "{compared}");
}

/// The same text in places of every kind of document, each with its `scheme-not-selected`.
#[test]
fn what_is_not_selected_has_its_code_in_every_format() {
    let mail = "Subject: http://e.com/\nList-Unsubscribe: <mailto:u@e.com>, <http://e.com/>\n\n\
        e.com u@e.com http://e.com/";
    for (format, text) in [
        (Format::Text, "e.com/ u@e.com mailto:u@e.com http://e.com/ tel:+15550100"),
        (Format::Code, "www.e.com/ \"u@e.com\" 'mailto:u@e.com' http://e.com/ tel:+15550100"),
        (
            Format::Html,
            "<a href=//e.com>a</a><a href='mailto:u@e.com'>a</a>u@e.com e.com <img src=http://e.com/>",
        ),
        (
            Format::Xml,
            "<rss><channel><link>http://e.com/</link><url>e.com u@e.com</url></channel></rss>",
        ),
        (Format::Css, "a{background:url(http://e.com/), url(//e.com/x)} /* e.com u@e.com */"),
        (Format::Json, r#"{"a": "http:\/\/e.com\/ e.com", "mailto:u@e.com": "u@e.com"}"#),
        (Format::Csv, "http://e.com/,e.com,u@e.com,\"mailto:u@e.com\"\n"),
        (Format::Markdown, "[a](http://e.com/) <http://e.com/> <u@e.com> e.com u@e.com\n"),
        (Format::Email, mail),
        (Format::Mbox, &format!("From a\n{mail}")),
    ] {
        let base = "http://base.example/".parse().unwrap();
        let hints = Hints::new().format(format).base(base);
        let all = short(&Finder::new(), text.as_bytes(), &hints).unwrap();
        let links = all.iter().filter(|one| one.2.is_ok()).count();
        assert!(links >= 2, "{format}: {all:?}");
        let by = |list: &str| {
            let finder = Finder::builder().schemes(list.parse().unwrap()).build();
            short(&finder, text.as_bytes(), &hints).unwrap()
        };
        let foreign = by("foo");
        let rejected = foreign.iter().filter(|one| one.2 == Err("scheme-not-selected")).count();
        assert_eq!((rejected, foreign.len()), (links, all.len()), "{format}: {foreign:?}");
        for list in LISTS {
            let expected = all
                .iter()
                .cloned()
                .map(|(at, raw, found)| (at, raw, found.and_then(|uri| selected(uri, list))));
            assert_eq!(by(list), expected.collect::<Vec<_>>(), "{format} by {list}");
        }
    }
}

#[test]
fn nothing_of_what_is_not_selected_is_a_link() {
    for text in [
        "https://example.com",
        "see (https://example.com/a?b=c#d) now",
        "https:\\/\\/example.com\\/",
        "https&#58;//example.com",
        "https://example.com。次",
        "见https://example.com/的",
        "https://joe@example.com/",
        "mailto:joe@example.com",
        "sip:joe@example.com",
        "xmpp:example.com",
        "data:,ftp://example.com/",
        "git+ssh://git@example.com/a.git",
        "foo+bar://example.com",
        "foo://example.com",
        "xhttps://example.com",
        "<https://example.com/ftp://e.com>",
    ] {
        let finder = Finder::builder().schemes("ftp".parse().unwrap()).build();
        let found: Vec<_> = finder.candidates(text).collect();
        let codes: Vec<_> = found
            .iter()
            .map(|one| one.clone().into_result().map_err(|one| one.reason().as_str()))
            .collect();
        assert!(
            matches!(codes[..], [Err("scheme-not-selected" | "userinfo")]),
            "{text}: {found:?}"
        );
        assert_eq!(finder.links(text).count(), 0, "{text}");
        assert!(
            !html::linkify(text, &html::Linkify::new().finder(finder)).contains("<a"),
            "{text}"
        );
    }
}

#[test]
fn hosts_and_addresses_count_as_their_uri() {
    let text = "e.com u@e.com http://e.com/ foo://e.com/ mailto:u@e.com";
    for (list, default, expected) in [
        ("http", "https", "http://e.com/"),
        ("https", "https", "https://e.com"),
        ("http", "http", "http://e.com http://e.com/"),
        ("foo", "foo", "foo://e.com foo://e.com/"),
        ("mailto", "https", "mailto:u@e.com mailto:u@e.com"),
        ("gopher", "https", ""),
    ] {
        let finder = Finder::builder()
            .schemes(list.parse().unwrap())
            .default_scheme(default.parse().unwrap())
            .build();
        let uris = |finder: &Finder| {
            let links = finder.links(text).map(|link| link.uri().into_owned());
            links.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(uris(&finder), expected, "{list} {default}");
        // By name, as the command and the bindings set it, in any order.
        for names in [["schemes", "default-scheme"], ["default_scheme", "schemes"]] {
            let mut settings = Settings::new();
            for name in names {
                settings.set(name, if name == "schemes" { list } else { default }).unwrap();
            }
            assert_eq!(uris(&settings.finder()), expected, "{names:?} {list} {default}");
        }
    }
    let finder = Finder::builder().schemes(Schemes::List(Vec::new())).build();
    assert_eq!(finder.links(text).count(), 0);
}
