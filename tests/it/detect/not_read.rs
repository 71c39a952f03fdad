//! A document that is not read is an error of every call, before the first event; a part of one is a notice.

use std::io;
use std::ops::ControlFlow;

use linksift::container::{self, Found, Limits, Opening};
use linksift::{Candidate, Feed, Finder, Format, Hints, NotRead, Notice, ScanError};

use crate::container::run::run_with;
use crate::made::ars::{ar, member};
use crate::made::compressed;
use crate::made::zips::{stored, zip};
use crate::support::pieces::Pieces;

/// Documents that are not read, with the reason; whether they are searched on request.
fn unread() -> Vec<(&'static str, Vec<u8>, NotRead, bool)> {
    let text = b"see http://e.com/1 and www.e.com\n";
    let after = |lead: &[u8]| [lead, &b" see http://e.com/1 "[..]].concat();
    vec![
        ("picture", after(b"\x89PNG\r\n\x1A\n"), NotRead::Media, false),
        ("table", after(b"SQLite format 3\0"), NotRead::Table, false),
        ("binary", after(b"\0\x01\x02"), NotRead::Binary, true),
        ("7z", after(b"7z\xBC\xAF\x27\x1C"), NotRead::Unsupported, true),
        ("gzip", compressed::encode("gz", text), NotRead::Archive, true),
        ("zip", zip(&[stored(b"a.txt", text)]), NotRead::Archive, true),
        ("ar", ar(&[member("a/", text)]), NotRead::Archive, true),
        ("damaged", b"%PDF-1.4\nsee http://e.com/1 now\n".to_vec(), NotRead::Damaged, true),
        (
            "encrypted",
            std::fs::read(crate::root().join("fixtures/pdf/password.pdf")).unwrap(),
            NotRead::Encrypted,
            false,
        ),
        (
            "undecodable",
            b"<meta charset=iso-2022-kr> http://e.com/1".to_vec(),
            NotRead::Undecodable { label: Some("iso-2022-kr".into()) },
            false,
        ),
    ]
}

/// Returns the reason of each call, in memory, from a reader and fed; `None` where the document is read.
fn reasons(bytes: &[u8], hints: &Hints) -> Vec<Option<NotRead>> {
    let finder = Finder::new();
    let mut all = vec![finder.document(bytes, hints).err()];
    for block in [1, 7, 1 << 20] {
        let mut events = 0;
        let done = finder.scan_reader(Pieces::new(bytes.chunks(block)), hints, |_| {
            events += 1;
            ControlFlow::Continue(())
        });
        all.push(done.as_ref().err().map(|error| reason(error, events)));
        let mut feed: Feed = finder.feed(hints);
        let mut events = 0;
        let mut done = Ok(());
        for piece in bytes.chunks(block) {
            done = done.and_then(|()| feed.push(piece).map(|found| events += found.count()));
        }
        done = done.and_then(|()| feed.finish().map(|found| events += found.count()));
        all.push(done.as_ref().err().map(|error| reason(error, events)));
        assert_eq!(feed.finish().unwrap().count(), 0);
    }
    all
}

/// Returns the reason of an error, before which nothing was reported.
fn reason(error: &ScanError, events: usize) -> NotRead {
    assert_eq!(events, 0);
    let ScanError::NotRead(reason) = error else { panic!("{error:?}") };
    assert_eq!(io::Error::from(reason.clone()).kind(), io::ErrorKind::InvalidData);
    reason.clone()
}

#[test]
fn a_document_that_is_not_read_is_an_error_of_every_call() {
    for (name, bytes, reason, is_searched) in unread() {
        assert_eq!(reasons(&bytes, &Hints::new()), vec![Some(reason.clone()); 7], "{name}");
        let salvaged = reasons(&bytes, &Hints::new().salvage(true));
        assert_eq!(salvaged, vec![(!is_searched).then_some(reason); 7], "{name}");
    }
    let whole = std::fs::read(crate::root().join("fixtures/pdf/rc4-40.pdf")).unwrap();
    assert_eq!(reasons(&whole, &Hints::new()), vec![None; 7]);
    assert_eq!(reasons(&whole, &Hints::new().pdf(false)), vec![Some(NotRead::Pdf); 7]);
    assert_eq!(reasons(b"no link", &Hints::new()), vec![None; 7]);
    assert_eq!(reasons(b"", &Hints::new()), vec![None; 7]);
}

#[test]
fn a_part_that_is_not_read_is_a_notice() {
    // A picture among text makes the whole binary, unless it is encoded.
    let picture = &b"Content-Type: image/png\r\n\r\n\x89PNG\r\n\x1A\n\0 http://e.com/1\r\n"[..];
    let mail = [
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n",
        &b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n"[..],
        b"--x\r\n\r\nhttp://e.com/2\r\n--x--\r\n",
    ];
    let answer = [b"HTTP/1.1 200 OK\r\nLocation: http://e.com/3\r\n", picture];
    for (document, format) in [(mail.concat(), Format::Email), (answer.concat(), Format::Auto)] {
        let hints = Hints::new().format(format);
        let name = document.escape_ascii();
        assert_eq!(reasons(&document, &hints), vec![None; 7], "{name}");
        let finder = Finder::new();
        let mut found = finder.document(&document, &hints).unwrap();
        assert_eq!(found.by_ref().filter_map(Candidate::into_link).count(), 1, "{name}");
        assert_eq!(found.notices(), [Notice::MediaUnread], "{name}");
    }
}

/// A parser that needs the whole document has one limit, also for what is in memory already.
#[test]
fn a_document_that_is_too_long_is_not_read_in_memory_either() {
    let mut pdf = vec![0; (256 << 20) + 1];
    pdf[..9].copy_from_slice(b"%PDF-1.7\n");
    let (finder, hints) = (Finder::new(), Hints::new());
    assert_eq!(finder.document(&pdf, &hints).err(), Some(NotRead::TooLong));
    let read = finder.scan_reader(&pdf[..], &hints, |_| ControlFlow::Continue(()));
    assert_eq!(reason(&read.unwrap_err(), 0), NotRead::TooLong);
    let mut feed = finder.feed(&hints);
    assert_eq!(feed.push(&pdf).unwrap().count(), 0);
    let fed = feed.finish().map(drop);
    assert_eq!(reason(&fed.unwrap_err(), 0), NotRead::TooLong);
}

/// A walk reports what is not read by notices: there the inputs are many.
#[test]
fn files_have_notices_and_their_documents_errors() {
    for (name, bytes, reason, _) in unread() {
        let is_error = matches!(reason, NotRead::Undecodable { .. });
        let is_opened = reason == NotRead::Archive;
        let found = run_with("a", &bytes, &linksift::files::Options::new());
        assert_eq!(found.failures.is_empty(), !is_error, "{name} {found:?}");
        assert_eq!(found.notices.is_empty(), is_error || is_opened, "{name} {found:?}");
    }
    let mut all = Vec::new();
    let archive = zip(&[stored(b"a.png", b"\x89PNG\r\n\x1A\n"), stored(b"a.bin", b"\0\x01\x02")]);
    container::documents(Opening::bytes(archive), &Limits::new(), |found| {
        if let Found::Document(mut document) = found {
            let hints = document.hints(&Hints::new());
            let done =
                Finder::new().scan_reader(&mut document, &hints, |_| ControlFlow::Continue(()));
            all.push(reason(&done.unwrap_err(), 0));
        }
        ControlFlow::Continue(())
    });
    assert_eq!(all, [NotRead::Media, NotRead::Binary]);
}
