//! IRIs out of XML: our cases through every split, random bytes, hostile shapes.

use crate::markup::cases::{self, found};
use crate::support::dice::Dice;
use crate::support::growth::curved;
use linksift::peek::runs;

#[test]
fn cases_give_what_they_say() {
    assert!(cases::check("xml") >= 60);
}

/// Pieces of documents, thrown together: no panic, ranges in order and inside, and the same runs
/// for any split, texts apart in which there is no link.
#[test]
fn soup_gives_the_same_in_any_pieces() {
    const PIECES: [&[u8]; 56] = [
        b"<",
        b">",
        b"/>",
        b"</a>",
        b"</",
        b"<a",
        b"<b ",
        b"<rss>",
        b"<link>",
        b"</link>",
        b"<guid ",
        b"<description>",
        b"</description>",
        b"<image><url>",
        b" href=",
        b" xml:base=\"x\"",
        b"\"",
        b"'",
        b"=",
        b" ",
        b"\n",
        b"<!--",
        b"-->",
        b"--",
        b"<![CDATA[",
        b"]]>",
        b"]]",
        b"]",
        b"<!DOCTYPE",
        b" a [",
        b"<!ENTITY b \"c&d;\">",
        b"<!ENTITY e SYSTEM 'f'>",
        b"]>",
        b"<?",
        b"?>",
        b"<?xml-stylesheet href='g'?>",
        b"<?xml-model ",
        b"&b;",
        b"&amp;",
        b"&",
        b"&#6",
        b";",
        b"!",
        b"/",
        b"http://e.com/",
        b"\xE8\xA1\xA8",
        b"\xFF",
        b"\0",
        b"x",
        b"<svg xmlns='http://www.w3.org/2000/svg'>",
        b" xmlns:k='http://www.w3.org/1999/xlink'",
        b" k:href='l'",
        b"<style>",
        b"SYSTEM",
        b"[",
        b" type=\"html\"",
    ];
    let mut dice = Dice::new(11);
    for _ in 0..30_000 {
        let mut bytes = Vec::new();
        for _ in 0..dice.below(24) {
            bytes.extend_from_slice(PIECES[dice.below(PIECES.len())]);
        }
        let whole = found("xml", &bytes, &[]);
        let mut end = 0;
        for run in whole.iter().filter(|f| !["base", "base-end"].contains(&f.what)) {
            assert!(run.range.end <= bytes.len(), "{:?}", bytes.escape_ascii());
            assert!(run.range.start >= end, "{:?} {whole:#?}", bytes.escape_ascii());
            end = run.range.end;
        }
        let cut = dice.below(bytes.len() + 1);
        let second = cut + dice.below(bytes.len() + 1 - cut);
        for cuts in [vec![cut], vec![cut, second], (0..bytes.len()).collect()] {
            assert_eq!(found("xml", &bytes, &cuts), whole, "{:?} {cuts:?}", bytes.escape_ascii());
        }
    }
}

/// What grows with the square of its input is seen by a factor of sixteen between these sizes.
#[test]
fn hostile_shapes_take_linear_time() {
    let shapes: [(&str, &str); 16] = [
        ("", "<a>"),
        ("", "<a xml:base='b'>"),
        ("", "<a></b>"),
        ("", "</a>"),
        ("", "<![CDATA["),
        ("<a><![CDATA[", "]] >"),
        ("", "<!--"),
        ("", "<!DOCTYPE a ["),
        ("<!DOCTYPE a [", "<!ENTITY b '&c;'>"),
        ("<!DOCTYPE a [<!ENTITY b '&c;'>]><a>", "&b;"),
        ("<a ", "b='c' "),
        ("<a ", "xmlns:b='c' b:d='e' "),
        ("<rss>", "<link>"),
        ("<rss><description>", "<!-- -->x"),
        ("<a>", "&<"),
        ("<a b='", "'"),
    ];
    for (start, part) in shapes {
        for pieces in [usize::MAX, 64 << 10] {
            let growth = curved(
                512 << 10,
                |len| format!("{start}{}", part.repeat(len / part.len())),
                |text: &str| {
                    let cuts: Vec<_> = (0..text.len()).step_by(pieces.min(text.len())).collect();
                    drop(runs("xml", text.as_bytes(), &cuts));
                },
            );
            assert!(growth.is_none(), "{start}{part}: {growth:?}");
        }
    }
}

#[test]
fn a_long_value_is_given_up_and_its_end_found() {
    let long = "x".repeat(70_000);
    let longer = "y".repeat(3 << 20);
    let text = format!(
        "<a href='{long}' b='http://{longer}' src=\"{longer}\" href='c'><rss><link>{long}</link></a>"
    );
    for cuts in [vec![], vec![65_000, 69_000, 70_500], (0..text.len()).step_by(7777).collect()] {
        let found = runs("xml", text.as_bytes(), &cuts);
        let seen: Vec<_> = found.iter().map(|f| (f.what, f.range.len())).collect();
        // What may be text is given as such, however long it is.
        let text = ("text", "http://".len() + (3 << 20));
        let wanted = [("long", 70_000), text, ("long", 3 << 20), ("value", 1), ("text", 70_000)];
        assert_eq!(seen, wanted, "{} cuts", cuts.len());
    }
}

#[test]
fn nesting_of_a_million() {
    let text = format!("{}<b href='c'>", "<a href='d'>".repeat(1_000_000));
    assert_eq!(runs("xml", text.as_bytes(), &[]).len(), 1_000_001);
    let text = format!("{}{}<b href='c'/>", "<a>".repeat(1_000_000), "</a>".repeat(1_000_000));
    assert_eq!(runs("xml", text.as_bytes(), &[]).len(), 1);
}

/// A text that is longer than a value has its entities resolved too, wherever they are in it.
#[test]
fn entities_of_long_texts() {
    let links = |text: &str| {
        let page = format!(r#"<!DOCTYPE r [<!ENTITY p "http://a.example/">]><r>{text}</r>"#);
        let hints = linksift::Hints::new().format(linksift::Format::Xml);
        let finder = linksift::Finder::new();
        let mut document = finder.document(page.as_bytes(), &hints).unwrap();
        let found: Vec<_> =
            document.by_ref().filter_map(|found| found.into_result().ok()).collect();
        (
            found.iter().map(|link| link.uri().into_owned()).collect::<Vec<_>>(),
            document.notices().to_vec(),
        )
    };
    for words in [10, 20_000, 60_000] {
        let text = format!(
            "&p;1 {} &p;2 {}http://b.example/&p;3",
            "word ".repeat(words),
            "word ".repeat(words)
        );
        let wanted =
            ["http://a.example/1", "http://a.example/2", "http://b.example/http://a.example/3"];
        assert_eq!(links(&text), (wanted.map(String::from).to_vec(), vec![]), "{words}");
    }
    let (_, notices) = links(&["&p;", &"x".repeat(200_000)].concat());
    assert_eq!(
        notices.iter().map(|notice| notice.as_str()).collect::<Vec<_>>(),
        ["value-too-long"]
    );
}

/// Elements beyond the deepest that is kept are counted once, so that those after them have their names.
#[test]
fn elements_after_deep_ones() {
    let deep = 20_000;
    let page = format!(
        r#"<r>{}{}<h xmlns="http://www.w3.org/1999/xhtml"><img src="x.png"/></h></r>"#,
        "<a>".repeat(deep),
        "</a>".repeat(deep),
    );
    let hints = linksift::Hints::new().format(linksift::Format::Xml);
    let finder = linksift::Finder::new();
    let found: Vec<_> = finder.document(page.as_bytes(), &hints).unwrap().links().collect();
    assert_eq!(found.iter().map(|link| link.context()).collect::<Vec<_>>(), ["img@src"]);
}
