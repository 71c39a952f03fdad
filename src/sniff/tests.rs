//! The verdict by each of its steps.

use super::*;
use crate::document::{Declared, Format, Nature};

fn verdict_of(name: &str, declared: Declared, head: &[u8]) -> Verdict {
    verdict(&About { declared, name: name.as_bytes(), ..About::default() }, head)
}

fn nature_of(name: &str, head: &[u8]) -> Nature {
    match verdict_of(name, Declared::Nothing, head) {
        Verdict::Document(nature) => nature,
        Verdict::Opened(opener) => panic!("{name} {head:?} is opened: {opener:?}"),
    }
}

#[test]
fn content_goes_before_the_name() {
    let opener = |name: &str, head: &[u8]| match verdict_of(name, Declared::Nothing, head) {
        Verdict::Opened(opener) => Some(opener),
        Verdict::Document(_) => None,
    };
    assert_eq!(opener("x.txt", b"\x1F\x8B\x08\0"), Some(Opener::Gzip));
    assert_eq!(opener("x.gz", b"text"), None);
    assert_eq!(opener("x.br", b"text"), None);
    assert_eq!(opener("x.br", b"\x8B\x02\x80"), Some(Opener::Brotli));
    assert_eq!(opener("x.gz", b""), Some(Opener::Gzip));
    assert_eq!(nature_of("x", b"\x7FELF"), Nature::Binary);
    assert_eq!(nature_of("x", b"a\0b"), Nature::Binary);
    assert_eq!(nature_of("x", b"%PDF-1.7"), Nature::Closed);
    assert_eq!(nature_of("x", b"PAR1\x15\x04"), Nature::Table);
    assert_eq!(nature_of("x.txt", b"\x89PNG\r\n\x1A\n"), Nature::Media);
}

#[test]
fn letters_are_a_magic_number_with_a_witness() {
    for (word, name) in [("GIF89a", "x.gif"), ("RIFF", "x.wav"), ("PAR1", "x.parquet")] {
        assert_eq!(nature_of("x", format!("{word} is a format").as_bytes()), Nature::Text);
        assert_ne!(nature_of("x", format!("{word}\x01").as_bytes()), Nature::Text, "{word}");
        assert_ne!(nature_of(name, format!("{word} is").as_bytes()), Nature::Text, "{word}");
    }
    let declared = verdict_of("", Declared::Kind(Nature::Media), b"GIF89a is");
    assert_eq!(declared, Verdict::Document(Nature::Media));
}

#[test]
fn a_name_of_a_picture_is_believed_of_what_is_no_text() {
    assert_eq!(nature_of("x.tga", b"\0\0\x02\0"), Nature::Media);
    assert_eq!(nature_of("x.png", b"<a href=x>404</a>"), Nature::Text);
    assert_eq!(nature_of("x.pdf", b"junk\0%PDF-1.7"), Nature::Closed);
}

#[cfg(feature = "documents")]
#[test]
fn a_text_that_is_named_or_declared_may_have_a_nul() {
    let page = b"\0<a href='http://e.com/'>x</a>";
    let video: Vec<u8> = b"\x47\x40\x11\x10\0B\xF0%\0\x01\xC1\0\0\xFF".repeat(40);
    assert_eq!(nature_of("n.html", page), Nature::Text);
    assert_eq!(nature_of("n", page), Nature::Binary);
    assert_eq!(nature_of("v.ts", &video), Nature::Binary);
    for (format, bytes, nature) in [
        (Format::Html, &page[..], Nature::Text),
        (Format::Text, page, Nature::Text),
        (Format::Text, &video, Nature::Binary),
    ] {
        let declared = verdict_of("", Declared::Format(format), bytes);
        assert_eq!(declared, Verdict::Document(nature));
    }
}

#[test]
fn what_is_asked_for_goes_before_all_but_archives() {
    let asked =
        |head: &[u8]| verdict(&About { asked: Some(Format::Text), ..About::default() }, head);
    for head in [&b"\x89PNG\r\n\x1A\n"[..], b"%PDF-1.7", b"a\0b", b"\x7FELF"] {
        assert_eq!(asked(head), Verdict::Document(Nature::Text));
    }
    assert_eq!(asked(b"PK\x03\x04"), Verdict::Opened(Opener::Zip));
}

#[cfg(feature = "documents")]
#[test]
fn wide_units_and_shifts_are_no_controls() {
    let utf16: Vec<u8> = "see http://e.com/".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(nature_of("x", &utf16), Nature::Text);
    let utf32: Vec<u8> = "see".chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    assert_eq!(nature_of("x", &utf32), Nature::Undecodable);
    assert_eq!(nature_of("x", b"\x1B$B$3\x1B(B\x1B$B$3\x1B(B"), Nature::Text);
    assert!(!utf16.is_empty());
}

#[cfg(feature = "mail")]
#[test]
fn mail_may_have_binary_parts() {
    let mail = b"Subject: a\nTo: b\n\n\0\x01\x02\0\x01\x02\0\x01\x02";
    for name in ["", "x", "x.eml", "cur/1000000000.M1P2.host:2,S"] {
        assert_eq!(nature_of(name, mail), Nature::Text, "{name}");
    }
    assert_eq!(nature_of("x.html", mail), Nature::Binary);
    let one_field = b"Content-Type: image/png\n\n\0\0\0\0";
    assert_eq!(nature_of("x.eml", one_field), Nature::Text);
    assert_eq!(nature_of("x", one_field), Nature::Binary);
    assert_eq!(nature_of("x.eml", b"no field\n\0\0\0\0"), Nature::Binary);
}

/// Each row is found by what it says of itself, and no row hides another.
#[test]
fn each_row_is_known_by_each_of_its_marks() {
    let mut seen = 0;
    for kind in &kinds::KINDS {
        for name in kind.endings() {
            let head = b"\x02\x03 no text \0";
            let found = verdict_of(&format!("x.{name}"), Declared::Nothing, head);
            assert_eq!(found, kind.verdict, "{name}");
            seen += 1;
        }
        for media_type in kind.media_types() {
            let Verdict::Document(nature) = kind.verdict else { panic!("{media_type} is opened") };
            assert_eq!(Declared::of(media_type), Declared::Kind(nature), "{media_type}");
        }
    }
    assert!(seen > 70, "{seen}");
}
