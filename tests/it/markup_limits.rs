//! What is too long: bases that stand too late, documents that are read as text.

use std::io::Read;
use std::ops::ControlFlow;

use linksift::{Document, Event, Finder, Format, Hints, Notice, Warning};

const WHOLE: usize = 16 << 20;

/// The links of a document through a reader, `uri` and warnings each, and what is said of all of it.
fn read(format: Format, reader: impl Read) -> (Vec<String>, Option<Notice>) {
    let mut found = Vec::new();
    let hints = Hints::new().format(format).base("http://b.example/".parse().unwrap());
    let scanned = Finder::new().scan_reader(reader, &hints, |event| {
        if let Event::Link { link, .. } = event {
            let warnings: Vec<_> = link.warnings().iter().map(Warning::code).collect();
            found.push([&[&*link.uri()], &*warnings].concat().join(" "));
        }
        ControlFlow::Continue(())
    });
    (found, scanned.unwrap().notice())
}

/// `front`, blanks, and `back` after so many bytes.
fn apart(front: &str, at: usize, back: &str, len: usize) -> Vec<u8> {
    let mut text = front.as_bytes().to_vec();
    text.resize(at, b'\n');
    text.extend_from_slice(back.as_bytes());
    text.resize(len.max(text.len()), b'\n');
    text
}

const LINK: &str = "<a href=x>y</a>";
const BASE: &str = "<base href='http://e.com/'><a href=z>y</a>";

#[test]
fn a_base_counts_wherever_it_stands_in_what_is_in_memory() {
    let text = apart(LINK, WHOLE - 100, BASE, 0);
    let wanted = ["http://e.com/x", "http://e.com/", "http://e.com/z"];
    assert_eq!(read(Format::Html, &*text), (wanted.map(str::to_owned).to_vec(), None));
    // A document is in memory, however long it is.
    let text = apart(LINK, WHOLE + 100, BASE, 0);
    let finder = Finder::new();
    let document =
        Document::new(&text).format(Format::Html).base("http://b.example/".parse().unwrap());
    let uris: Vec<_> = finder
        .document(&document)
        .unwrap()
        .map(|found| found.unwrap().uri().into_owned())
        .collect();
    assert_eq!(uris, wanted);
}

#[test]
fn references_of_a_long_stream_wait_so_long_for_a_base() {
    let early = apart(LINK, (1 << 20) - 100, BASE, WHOLE + 100);
    let wanted = ["http://e.com/x", "http://e.com/", "http://e.com/z"];
    assert_eq!(read(Format::Html, &*early).0, wanted);
    // The same wherever it stands, though more is at hand.
    for at in [(1 << 20) + 100, WHOLE - 100, WHOLE + (1 << 20)] {
        let late = apart(LINK, at, BASE, WHOLE + 100);
        let wanted = ["http://b.example/x", "http://e.com/ late-base", "http://b.example/z"];
        assert_eq!(read(Format::Html, &*late).0, wanted, "{at}");
        let slowly = late
            .chunks(100_001)
            .fold(Box::new(std::io::empty()) as Box<dyn Read>, |before, part| {
                Box::new(before.chain(part))
            });
        assert_eq!(read(Format::Html, slowly).0, wanted, "{at}, in pieces");
    }
}

#[test]
fn a_second_base_is_not_late() {
    let text = apart(LINK, 100, "<base href=a/><base href=b/>", WHOLE + 100);
    let wanted = ["http://b.example/a/x", "http://b.example/a/", "http://b.example/b/"];
    assert_eq!(read(Format::Html, &*text).0, wanted);
}

#[test]
fn what_cannot_be_had_in_memory_is_read_as_text() {
    let markdown = apart("[a](b) <http://e.com/>", 100, "", WHOLE + 1);
    assert_eq!(
        read(Format::Markdown, &*markdown),
        (vec!["http://e.com/".to_owned()], Some(Notice::ReadAsText))
    );
    let (found, notice) = read(Format::Markdown, &markdown[..1000]);
    assert_eq!((found.len(), notice), (2, None));

    let wide = |text: &[u8]| -> Vec<u8> {
        [0xFF, 0xFE].into_iter().chain(text.iter().flat_map(|b| [*b, 0])).collect()
    };
    let page = apart(LINK, 100, "http://e.com/", WHOLE / 2);
    let (found, notice) = read(Format::Html, &*wide(&page));
    assert_eq!((&*found, notice), (&["http://e.com/".to_owned()][..], Some(Notice::ReadAsText)));
    assert_eq!(read(Format::Html, &*wide(&page[..1000])).0.len(), 2);
    // Nothing of the kind is said of text.
    assert_eq!(read(Format::Text, &*wide(&page)).1, None);
    assert_eq!(read(Format::Html, &*page).1, None);
}

#[test]
fn what_would_take_too_much_memory_is_read_as_text() {
    let front = "[a](b) <http://e.com/>\n\n";
    for mark in ["[", "*a ", "- a\n", "a\n\n", "**a** ", "\\["] {
        let text = front.to_owned() + &mark.repeat((2 << 20) / mark.len());
        let finder = Finder::new();
        let document = Document::new(text.as_bytes()).format(Format::Markdown);
        let count = finder.document(&document).unwrap().flatten().count();
        assert_eq!(
            (count, read(Format::Markdown, text.as_bytes()).1),
            (1, Some(Notice::ReadAsText))
        );
    }
    let plain = front.to_owned() + &"word ".repeat(2 << 20);
    assert_eq!(read(Format::Markdown, plain.as_bytes()).1, None);
}

/// Long texts are resolved piece by piece: what stands at an edge is found whole, wherever that is.
#[test]
fn long_texts_with_references() {
    let unit = "x http&#58;//e.com/&eacute;表?a=1&amp;b=2 www&period;e.com/c y";
    let json =
        r#"{"a":"http:\/\/e.com\/\u00e9表?a=1\u0026b=2","b":"www\u002ee.com\/c \ud83d\ude00"}"#;
    let wanted = ["http://e.com/%C3%A9%E8%A1%A8?a=1&b=2", "https://www.e.com/c"];
    let finder = Finder::new();
    for (front, unit, back) in [
        ("<p>", unit, "</p>"),
        ("<textarea>", unit, "</textarea>"),
        ("<script type=application/json>", json, "</script>"),
    ] {
        let count = (600 << 10) / unit.len();
        // Every place of a unit comes to an edge.
        for padding in 0..unit.len() {
            let text = [front, &" ".repeat(padding), &unit.repeat(count), back].concat();
            let text = match padding % 16 {
                0 => text,
                _ => [front, &" ".repeat((255 << 10) + padding), &unit.repeat(40), back].concat(),
            };
            let count = text.matches(unit).count();
            let document = Document::new(text.as_bytes()).format(Format::Html);
            let mut found = 0;
            for link in finder.document(&document).unwrap() {
                assert_eq!(link.unwrap().uri(), wanted[found % 2], "{front} {padding} {found}");
                found += 1;
            }
            assert_eq!(found, 2 * count, "{front} {padding}");
        }
    }
}
