//! The shape of the public types: what borrows from what, what may go to another thread, what is
//! whose trait. What each item does is in its own documentation.

use std::collections::HashSet;
use std::ops::ControlFlow;

use linksift::iri::{IriBuf, MapOptions, Scheme};
use linksift::{
    Candidate, Candidates, Charset, Finder, Format, Hints, Link, Links, NotRead, Rejected, Schemes,
};

/// A finder that lives no longer than the call: its links borrow the text alone (E0515).
fn links_of_a_short_lived_finder(text: &str) -> Vec<Link<'_>> {
    Finder::builder().default_scheme("gopher".parse().unwrap()).build().links(text).collect()
}

fn candidates_of_a_short_lived_finder(text: &str) -> Vec<Candidate<'_>> {
    Finder::builder().emails(false).build().candidates(text).collect()
}

fn document_of_a_short_lived_finder(bytes: &[u8]) -> Vec<Candidate<'_>> {
    Finder::new().document(bytes, &Hints::new()).unwrap().collect()
}

#[test]
fn links_borrow_the_haystack_alone() {
    let text = String::from("see example.com, a@example.com and http://300.1.1.1/");
    let links = links_of_a_short_lived_finder(&text);
    let uris: Vec<_> = links.iter().map(|link| link.uri()).collect();
    assert_eq!(uris, ["gopher://example.com", "mailto:a@example.com"]);
    assert!(std::ptr::eq(links[0].raw(), &text[4..15]), "the text is borrowed");
    assert_eq!(candidates_of_a_short_lived_finder(&text).len(), 3);
    assert_eq!(document_of_a_short_lived_finder(text.as_bytes()).len(), 3);
}

/// An iterator may go to another thread, with the finder and the text that it borrows.
const _: () = {
    const fn is_send<T: Send>() {}
    const fn is_debug<T: std::fmt::Debug>() {}
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send::<Candidates<'_, '_>>();
    is_send::<Links<'_, '_>>();
    is_send::<MapOptions<'_>>();
    is_debug::<MapOptions<'_>>();
    {
        is_send::<linksift::container::Opening<'_>>();
        is_debug::<linksift::container::Opening<'_>>();
        is_debug::<linksift::container::Found<'_>>();
        is_debug::<linksift::container::DocumentReader<'_>>();
    }
    is_send_and_sync::<Finder>();
    is_send_and_sync::<Link<'_>>();
    is_send_and_sync::<Rejected<'_>>();
};

#[test]
fn a_link_is_a_value() {
    let text = "see example.com/a, http://e.com/";
    let links: Vec<_> = linksift::links(text).collect();
    assert_eq!(links[0], links[0].clone().into_owned());
    assert_ne!(links[0], links[1]);
    let distinct: HashSet<_> = links.iter().chain(&links).collect();
    assert_eq!(distinct.len(), 2);
    assert_eq!(links[0].to_string(), "https://example.com/a");
    assert_eq!(format!("{:?}", links[0]), r#"Link(4..17 "https://example.com/a")"#);
    assert_eq!(&text[links[0].range()], links[0].raw());
    let finder = Finder::new();
    let rejected =
        finder.candidates("http://300.1.1.1/").next().unwrap().into_result().unwrap_err();
    assert_eq!(format!("{rejected:?}"), r#"Rejected(0..17 "http://300.1.1.1/" host-ipv4)"#);
}

/// What is no scheme, no IRI, no charset cannot be given to a setter.
#[test]
fn nonsense_cannot_be_given() {
    assert_eq!("not a scheme".parse::<Scheme>().unwrap_err().index(), 3);
    assert_eq!("https,ht tp".parse::<Schemes>().unwrap_err().index(), 8);
    for none in ["", "1a", "-", "ü", "a:"] {
        assert!(none.parse::<Scheme>().is_err(), "{none}");
    }
    for none in ["", "not an iri", "../a", "http://[/"] {
        assert!(none.parse::<IriBuf>().is_err(), "{none}");
    }
    assert!("utf-9".parse::<Charset>().is_err());
}

/// A document that nothing can be decoded from is an error, not a document without links.
#[test]
fn a_replacement_charset_is_an_error() {
    let bytes = b"<meta charset=iso-2022-kr><a href=http://e.com/>";
    let hints = Hints::new();
    let finder = Finder::new();
    let error = finder.document(bytes, &hints).unwrap_err();
    assert_eq!(error, NotRead::Undecodable { label: Some("iso-2022-kr".into()) });
    let of_stream = finder.scan_reader(&bytes[..], &Hints::new(), |_| ControlFlow::Continue(()));
    let of_stream = of_stream.unwrap_err();
    assert_eq!(of_stream.to_string(), error.to_string());
    assert!(matches!(of_stream, linksift::ScanError::NotRead(reason) if reason == error));
    // Who knows better says so.
    let found = finder.document(bytes, &hints.charset(Charset::UTF_8)).unwrap();
    assert_eq!(found.links().count(), 1);
}

#[test]
fn links_alone_are_the_candidates_that_are_links() {
    let text = "http://256.1.1.1/ \u{e9} http://e.com/\u{e9} a@e.com main.rs x\n";
    let finder = Finder::new();
    let hints = Hints::new().positions(true);
    let bytes = text.as_bytes();
    let of_candidates: Vec<_> =
        finder.document(bytes, &hints).unwrap().filter_map(Candidate::into_link).collect();
    let alone: Vec<_> = finder.document(bytes, &hints).unwrap().links().collect();
    assert_eq!(alone, of_candidates);
    assert_eq!(alone[0].position().unwrap().column, 22);
    let of_bytes: Vec<_> = finder.links_in(text.as_bytes()).map(|l| l.range()).collect();
    assert_eq!(of_bytes, finder.links(text).map(|l| l.range()).collect::<Vec<_>>());
}

/// Each word of an enum is read back as what it is.
#[test]
fn words_are_read_back() {
    macro_rules! read_back {
        ($($name:ty, $word:ident;)+) => {$(
            let mut words = HashSet::new();
            for one in <$name>::ALL {
                assert_eq!(one.$word().parse(), Ok(*one));
                assert!(words.insert(one.$word()), "{} is there twice", one.$word());
                assert!(!one.to_string().is_empty());
            }
            let error = "no such word".parse::<$name>().unwrap_err();
            assert_eq!(error.expected().len(), <$name>::ALL.len());
        )+};
    }
    read_back! {
        linksift::ArchiveFormat, as_str;
        linksift::Boundaries, as_str;
        linksift::CharsetSource, as_str;
        linksift::Disposition, as_str;
        linksift::Evidence, as_str;
        linksift::Forbidden, as_str;
        linksift::Format, as_str;
        linksift::iri::HostMapping, as_str;
        linksift::LinkKind, as_str;
        linksift::Notice, as_str;
        linksift::References, as_str;
        linksift::Transfer, as_str;
        linksift::Userinfo, as_str;
        linksift::Warning, as_str;
        linksift::Reason, as_str;
        linksift::Severity, as_str;
        linksift::iri::BidiRule, as_str;
        linksift::iri::Detector, as_str;
        linksift::iri::ErrorKind, as_str;
        linksift::iri::Form, as_str;
        linksift::iri::HostDisplay, as_str;
        linksift::iri::Hosts, as_str;
        linksift::iri::IriWarning, as_str;
        linksift::iri::Repertoire, as_str;
        linksift::iri::NormalizationLevel, as_str;
        linksift::iri::Spaces, as_str;
        linksift::html::Newlines, as_str;
    }
    read_back! {
        linksift::Alternatives, as_str;
        linksift::Headers, as_str;
        linksift::JoinWrapped, as_str;
    }
    read_back! {
        linksift::container::FaultCode, as_str;
        linksift::files::Archives, as_str;
        linksift::files::Binary, as_str;
    }
}

/// A byte order mark is not a character of the first line.
#[test]
fn columns_begin_after_a_byte_order_mark() {
    use linksift::{Finder, Hints};
    let text = "\u{FEFF}http://a.com/ http://b.com/\nhttp://c.com/";
    let utf_16 = |of: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(of).collect::<Vec<u8>>();
    for (bytes, unit) in [
        (text.as_bytes().to_vec(), 1),
        (utf_16(u16::to_le_bytes), 2),
        (utf_16(u16::to_be_bytes), 2),
    ] {
        let hints = Hints::new().positions(true);
        let wanted = [(1, 1), (1, 14 * unit + 1), (2, 1)];
        let finder = Finder::new();
        let place = |link: &linksift::Link<'_>| {
            let position = link.position().unwrap();
            (position.line, position.column)
        };
        let in_memory: Vec<_> =
            finder.document(&bytes, &hints).unwrap().links().map(|link| place(&link)).collect();
        assert_eq!(in_memory, wanted);
        let mut streamed = Vec::new();
        let reader = crate::support::pieces::Pieces::new(bytes.chunks(1));
        let scanned = finder.scan_reader(reader, &hints, |event| {
            streamed.extend(event.link().map(place));
            std::ops::ControlFlow::Continue(())
        });
        scanned.unwrap();
        assert_eq!(streamed, wanted);
    }
}

/// An error goes to an error of input and output and back, and its source is not what it says itself.
#[test]
fn errors_of_scans_keep_their_kinds() {
    use std::error::Error;
    use std::io;

    use linksift::ScanError;

    let page = &b"<meta charset=iso-2022-kr>"[..];
    let failed =
        Finder::new().scan_reader(page, &Hints::new(), |_| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(failed.as_str(), "charset");
    assert!(failed.source().is_none());
    let failed = ScanError::from(io::Error::from(failed));
    assert!(
        matches!(failed, ScanError::NotRead(NotRead::Undecodable { label: Some(label) }) if &*label == "iso-2022-kr")
    );
    let cancelled = ScanError::from(io::Error::from(ScanError::Cancelled));
    assert!(matches!(cancelled, ScanError::Cancelled));
    let inner = ScanError::from(io::Error::other("inner"));
    assert_eq!((inner.to_string(), inner.as_str()), ("inner".to_owned(), "io"));
}

/// An iterator that has ended stays so, on each path: a text, a document in steps, a page.
#[test]
fn iterators_are_fused() {
    fn ends<I: std::iter::FusedIterator>(mut found: I) {
        assert!(found.by_ref().count() > 0);
        for _ in 0..3 {
            assert!(found.next().is_none());
        }
    }
    let (finder, text) = (Finder::new(), "http://a.example/ b.example <a href=http://c.example/>c");
    ends(finder.links(text));
    ends(finder.candidates(text));
    ends(finder.spans(text));
    for format in [Format::Text, Format::Html, Format::Markdown, Format::Email] {
        for positions in [false, true] {
            let hints = Hints::new().format(format).positions(positions);
            ends(finder.document(text.as_bytes(), &hints).unwrap());
            ends(finder.document(text.as_bytes(), &hints).unwrap().links());
        }
    }
}
