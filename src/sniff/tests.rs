//! The verdict by each of its steps.

use super::*;
use crate::document::{Declared, Disposition, Format};

fn verdict_of(name: &str, declared: Declared, head: &[u8]) -> Verdict {
    verdict(
        &DocumentEvidence { declared, name: name.as_bytes(), ..DocumentEvidence::default() },
        head,
    )
}

fn nature_of(name: &str, head: &[u8]) -> Disposition {
    match verdict_of(name, Declared::Nothing, head) {
        Verdict::Document(disposition) => disposition,
        Verdict::Opened(archive_format) => panic!("{name} {head:?} is opened: {archive_format:?}"),
    }
}

#[test]
fn content_goes_before_the_name() {
    let archive_format = |name: &str, head: &[u8]| match verdict_of(name, Declared::Nothing, head) {
        Verdict::Opened(archive_format) => Some(archive_format),
        Verdict::Document(_) => None,
    };
    assert_eq!(archive_format("x.txt", b"\x1F\x8B\x08\0"), Some(ArchiveFormat::Gzip));
    assert_eq!(archive_format("x.gz", b"text"), None);
    assert_eq!(archive_format("x.br", b"text"), None);
    assert_eq!(archive_format("x.br", b"\x8B\x02\x80"), Some(ArchiveFormat::Brotli));
    assert_eq!(archive_format("x.gz", b""), Some(ArchiveFormat::Gzip));
    assert_eq!(nature_of("x", b"\x7FELF"), Disposition::Binary);
    assert_eq!(nature_of("x", b"a\0b"), Disposition::Binary);
    assert_eq!(nature_of("x", b"%PDF-1.7"), Disposition::Opaque);
    assert_eq!(nature_of("x", b"PAR1\x15\x04"), Disposition::Table);
    assert_eq!(nature_of("x.txt", b"\x89PNG\r\n\x1A\n"), Disposition::Media);
}

#[test]
fn letters_are_a_magic_number_with_a_witness() {
    for (word, name) in [("GIF89a", "x.gif"), ("RIFF", "x.wav"), ("PAR1", "x.parquet")] {
        assert_eq!(nature_of("x", format!("{word} is a format").as_bytes()), Disposition::Text);
        assert_ne!(nature_of("x", format!("{word}\x01").as_bytes()), Disposition::Text, "{word}");
        assert_ne!(nature_of(name, format!("{word} is").as_bytes()), Disposition::Text, "{word}");
    }
    let declared = verdict_of("", Declared::Kind(Disposition::Media), b"GIF89a is");
    assert_eq!(declared, Verdict::Document(Disposition::Media));
}

#[test]
fn a_name_of_a_picture_is_believed_of_what_is_no_text() {
    assert_eq!(nature_of("x.tga", b"\0\0\x02\0"), Disposition::Media);
    assert_eq!(nature_of("x.png", b"<a href=x>404</a>"), Disposition::Text);
    assert_eq!(nature_of("x.pdf", b"junk\0%PDF-1.7"), Disposition::Opaque);
}

#[cfg(feature = "documents")]
#[test]
fn a_text_that_is_named_or_declared_may_have_a_nul() {
    let page = b"\0<a href='http://e.com/'>x</a>";
    let video: Vec<u8> = b"\x47\x40\x11\x10\0B\xF0%\0\x01\xC1\0\0\xFF".repeat(40);
    assert_eq!(nature_of("n.html", page), Disposition::Text);
    assert_eq!(nature_of("n", page), Disposition::Binary);
    assert_eq!(nature_of("v.ts", &video), Disposition::Binary);
    for (format, bytes, disposition) in [
        (Format::Html, &page[..], Disposition::Text),
        (Format::Text, page, Disposition::Text),
        (Format::Text, &video, Disposition::Binary),
    ] {
        let declared = verdict_of("", Declared::Format(format), bytes);
        assert_eq!(declared, Verdict::Document(disposition));
    }
}

#[test]
fn what_is_asked_for_goes_before_all_but_archives() {
    let asked = |head: &[u8]| {
        verdict(
            &DocumentEvidence { asked: Some(Format::Text), ..DocumentEvidence::default() },
            head,
        )
    };
    for head in [&b"\x89PNG\r\n\x1A\n"[..], b"%PDF-1.7", b"a\0b", b"\x7FELF"] {
        assert_eq!(asked(head), Verdict::Document(Disposition::Text));
    }
    assert_eq!(asked(b"PK\x03\x04"), Verdict::Opened(ArchiveFormat::Zip));
}

#[cfg(feature = "documents")]
#[test]
fn wide_units_and_shifts_are_no_controls() {
    let utf16: Vec<u8> = "see http://e.com/".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(nature_of("x", &utf16), Disposition::Text);
    let utf32: Vec<u8> = "see".chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    assert_eq!(nature_of("x", &utf32), Disposition::Undecodable);
    assert_eq!(nature_of("x", b"\x1B$B$3\x1B(B\x1B$B$3\x1B(B"), Disposition::Text);
    assert!(!utf16.is_empty());
}

#[cfg(feature = "mail")]
#[test]
fn mail_may_have_binary_parts() {
    let mail = b"Subject: a\nTo: b\n\n\0\x01\x02\0\x01\x02\0\x01\x02";
    for name in ["", "x", "x.eml", "cur/1000000000.M1P2.host:2,S"] {
        assert_eq!(nature_of(name, mail), Disposition::Text, "{name}");
    }
    assert_eq!(nature_of("x.html", mail), Disposition::Binary);
    let one_field = b"Content-Type: image/png\n\n\0\0\0\0";
    assert_eq!(nature_of("x.eml", one_field), Disposition::Text);
    assert_eq!(nature_of("x", one_field), Disposition::Binary);
    assert_eq!(nature_of("x.eml", b"no field\n\0\0\0\0"), Disposition::Binary);
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
            let Verdict::Document(disposition) = kind.verdict else {
                panic!("{media_type} is opened")
            };
            assert_eq!(Declared::of(media_type), Declared::Kind(disposition), "{media_type}");
        }
    }
    assert!(seen > 70, "{seen}");
}
