//! Tests of each step of the detection.

use super::*;
use crate::detect::document::{
    ArchiveFormat, Declared, Detection, Disposition, Evidence, Format, Hints,
};

fn found(name: &str, declared: Declared, head: &[u8]) -> Detection {
    detect_disposition(
        &DocumentFacts { declared, name: name.as_bytes(), ..DocumentFacts::default() },
        head,
    )
}

fn disposition_of(name: &str, head: &[u8]) -> Disposition {
    found(name, Declared::Nothing, head).disposition
}

#[test]
fn content_goes_before_the_name() {
    let archive_format = |name: &str, head: &[u8]| found(name, Declared::Nothing, head).archive;
    assert_eq!(archive_format("x.txt", b"\x1F\x8B\x08\0"), Some(ArchiveFormat::Gzip));
    assert_eq!(archive_format("x.gz", b"text"), None);
    assert_eq!(archive_format("x.br", b"text"), None);
    assert_eq!(archive_format("x.br", b"\x8B\x02\x80"), Some(ArchiveFormat::Brotli));
    assert_eq!(archive_format("x.gz", b""), Some(ArchiveFormat::Gzip));
    assert_eq!(disposition_of("x", b"\x7FELF"), Disposition::Binary);
    assert_eq!(disposition_of("x", b"a\0b"), Disposition::Binary);
    assert_eq!(disposition_of("x", b"7z\xBC\xAF\x27\x1C"), Disposition::Opaque);
    assert_eq!(disposition_of("x", b"PAR1\x15\x04"), Disposition::Table);
    assert_eq!(disposition_of("x.txt", b"\x89PNG\r\n\x1A\n"), Disposition::Media);
}

#[test]
fn letters_are_a_magic_number_with_a_witness() {
    for (word, name) in [("GIF89a", "x.gif"), ("RIFF", "x.wav"), ("PAR1", "x.parquet")] {
        assert_eq!(
            disposition_of("x", format!("{word} is a format").as_bytes()),
            Disposition::Text
        );
        assert_ne!(
            disposition_of("x", format!("{word}\x01").as_bytes()),
            Disposition::Text,
            "{word}"
        );
        assert_ne!(
            disposition_of(name, format!("{word} is").as_bytes()),
            Disposition::Text,
            "{word}"
        );
    }
    let declared = found("", Declared::Kind(Disposition::Media), b"GIF89a is");
    assert_eq!(declared, Detection::of(Disposition::Media, Evidence::Magic));
}

#[test]
fn a_name_of_a_picture_is_believed_of_what_is_no_text() {
    assert_eq!(disposition_of("x.tga", b"\0\0\x02\0"), Disposition::Media);
    assert_eq!(disposition_of("x.png", b"<a href=x>404</a>"), Disposition::Text);
    assert_eq!(disposition_of("x.7z", b"junk\0"), Disposition::Opaque);
}

#[cfg(feature = "documents")]
#[test]
fn a_text_that_is_named_or_declared_may_have_a_nul() {
    let page = b"\0<a href='http://e.com/'>x</a>";
    let video: Vec<u8> = b"\x47\x40\x11\x10\0B\xF0%\0\x01\xC1\0\0\xFF".repeat(40);
    assert_eq!(disposition_of("n.html", page), Disposition::Text);
    assert_eq!(disposition_of("n", page), Disposition::Binary);
    assert_eq!(disposition_of("v.ts", &video), Disposition::Binary);
    for (format, bytes, disposition) in [
        (Format::Html, &page[..], Disposition::Text),
        (Format::Text, page, Disposition::Text),
        (Format::Text, &video, Disposition::Binary),
    ] {
        let declared = found("", Declared::Format(format), bytes);
        assert_eq!(declared.disposition, disposition);
    }
}

#[test]
fn what_is_asked_for_goes_before_all_but_archives() {
    let asked = |head: &[u8]| {
        detect_disposition(
            &DocumentFacts { asked: Some(Format::Text), ..DocumentFacts::default() },
            head,
        )
    };
    for head in [&b"\x89PNG\r\n\x1A\n"[..], b"%PDF-1.7", b"a\0b", b"\x7FELF"] {
        assert_eq!(asked(head), Detection::of(Disposition::Text, Evidence::Asked));
    }
    assert_eq!(asked(b"PK\x03\x04").archive, Some(ArchiveFormat::Zip));
}

#[cfg(feature = "documents")]
#[test]
fn wide_units_and_shifts_are_no_controls() {
    let utf16: Vec<u8> = "see http://e.com/".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(disposition_of("x", &utf16), Disposition::Text);
    let utf32: Vec<u8> = "see".chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    assert_eq!(disposition_of("x", &utf32), Disposition::Undecodable);
    assert_eq!(disposition_of("x", b"\x1B$B$3\x1B(B\x1B$B$3\x1B(B"), Disposition::Text);
    assert!(!utf16.is_empty());
}

#[cfg(feature = "mail")]
#[test]
fn mail_may_have_binary_parts() {
    let mail = b"Subject: a\nTo: b\n\n\0\x01\x02\0\x01\x02\0\x01\x02";
    for name in ["", "x", "x.eml", "cur/1000000000.M1P2.host:2,S"] {
        assert_eq!(disposition_of(name, mail), Disposition::Text, "{name}");
    }
    assert_eq!(disposition_of("x.html", mail), Disposition::Binary);
    let one_field = b"Content-Type: image/png\n\n\0\0\0\0";
    assert_eq!(disposition_of("x.eml", one_field), Disposition::Text);
    assert_eq!(disposition_of("x", one_field), Disposition::Binary);
    assert_eq!(disposition_of("x.eml", b"no field\n\0\0\0\0"), Disposition::Binary);
}

/// Each row is found by its own names and types, and no row hides another.
#[test]
fn each_row_is_known_by_each_of_its_marks() {
    let mut seen = 0;
    for kind in &kinds::KINDS {
        for name in kind.endings() {
            let head = b"\x02\x03 no text \0";
            let found = found(&format!("x.{name}"), Declared::Nothing, head);
            assert_eq!(found, kind.detection(Evidence::Name), "{name}");
            seen += 1;
        }
        for media_type in kind.media_types() {
            let Detection { disposition, archive: None, .. } = kind.detection(Evidence::Declared)
            else {
                panic!("{media_type} is opened")
            };
            assert_eq!(Declared::of(media_type), Declared::Kind(disposition), "{media_type}");
        }
    }
    assert!(seen > 70, "{seen}");
}

#[cfg(all(feature = "documents", feature = "mail"))]
#[test]
fn each_step_of_a_detection_is_its_evidence() {
    use Evidence::{Asked, Content, Declared as Said, Magic, Name};
    let of = |hints: Hints, bytes: &[u8]| {
        let found = detect(bytes, &hints);
        (found.disposition(), found.archive(), found.format(), found.evidence())
    };
    let new = Hints::new;
    let text = |format, evidence| (Disposition::Text, None, format, evidence);
    let mail = b"Subject: a\nFrom: b@e.com\n\nsee example.com";
    let page = b"<!doctype html><p>";
    for (hints, bytes, wanted) in [
        (new(), &b"see example.com"[..], text(Format::Text, Content)),
        (new(), page, text(Format::Html, Content)),
        (new(), mail, text(Format::Email, Content)),
        (new(), b"From a@b Thu Jan  1 00:00:00 1970\nTo: b\n\n", text(Format::Mbox, Content)),
        (new().name("a.csv"), b"a,b", text(Format::Csv, Name)),
        (new().name("a.rs"), page, text(Format::Code, Name)),
        (new().name("a.adoc"), b"= a", text(Format::Asciidoc, Name)),
        (new().declared(Format::Json), page, text(Format::Json, Said)),
        (new().declared(Format::Json).name("a.csv"), page, text(Format::Json, Said)),
        (new().format(Format::Css).name("a.csv"), page, text(Format::Css, Asked)),
        (new().format(Format::Email), b"x", text(Format::Email, Asked)),
        (new(), b"\x7FELF", (Disposition::Binary, None, Format::Text, Magic)),
        (new(), b"a\0b", (Disposition::Binary, None, Format::Text, Content)),
        (new().name("a.7z"), b"\x01\0", (Disposition::Opaque, None, Format::Text, Name)),
        (
            new().format(Format::Html),
            b"PK\x03\x04",
            (Disposition::Archive, Some(ArchiveFormat::Zip), Format::Html, Magic),
        ),
    ] {
        assert_eq!(of(hints.clone(), bytes), wanted, "{hints:?} {bytes:?}");
    }
}
