//! Signed content (CMS, RFC 5652): read as a part, wherever and however it is stored; what is encrypted stays so.

use std::ops::ControlFlow;

use linksift::container::Opening;
use linksift::files::{self, Options};
use linksift::{Event, Finder, Format, Hints, Notice};

use super::cases::Case;
use super::split::boxed;
use super::{Found, through, whole};
use crate::container::zips;
use crate::made::base64;

const SIGNED: &[u8] = b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02";
const ENVELOPED: &[u8] = b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x03";
const DATA: &[u8] = b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01";
const ENTITY: &str = "Content-Type: multipart/alternative; boundary=i\n\n--i\nContent-Transfer-Encoding: quoted-printable\n\nhttp://e.com/=61?=\nb\n--i\nContent-Type: text/html\n\n<a href=\"http://e.com/c?d&amp;e\">x</a>\n--i--\n";

/// An element of a definite length.
fn definite(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let head = match length {
        0..0x80 => vec![tag, length as u8],
        0x80..0x100 => vec![tag, 0x81, length as u8],
        0x100..0x1_0000 => vec![tag, 0x82, (length >> 8) as u8, length as u8],
        _ => [&[tag, 0x84][..], &(length as u32).to_be_bytes()].concat(),
    };
    [&head, content].concat()
}

fn indefinite(tag: u8, content: &[u8]) -> Vec<u8> {
    [&[tag, 0x80], content, &[0, 0]].concat()
}

type Element = fn(u8, &[u8]) -> Vec<u8>;

/// What `kind` of CMS holds `octets`, an element.
fn cms(kind: &[u8], octets: Option<Vec<u8>>, element: Element) -> Vec<u8> {
    let octets = octets.map_or(Vec::new(), |octets| element(0xA0, &octets));
    let algorithm = element(0x30, b"\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01");
    let signed = [
        definite(0x02, &[1]),
        element(0x31, &algorithm),
        element(0x30, &[DATA, &octets].concat()),
        element(0xA0, b"\x0C\x1Ahttp://ca.example/ca.crl\0\0"),
        element(0x31, b"\x30\x03\x02\x01\x01"),
    ];
    element(0x30, &[kind, &element(0xA0, &element(0x30, &signed.concat()))].concat())
}

/// An octet string in pieces of so many bytes.
fn pieces(content: &[u8], size: usize, element: Element) -> Vec<u8> {
    let pieces: Vec<Vec<u8>> = content.chunks(size).map(|piece| definite(0x04, piece)).collect();
    element(0x24, &pieces.concat())
}

fn ways(content: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("definite", cms(SIGNED, Some(definite(0x04, content)), definite)),
        ("indefinite", cms(SIGNED, Some(definite(0x04, content)), indefinite)),
        ("one piece", cms(SIGNED, Some(pieces(content, 1 << 20, indefinite)), indefinite)),
        ("long pieces", cms(SIGNED, Some(pieces(content, 70, indefinite)), indefinite)),
        ("short pieces", cms(SIGNED, Some(pieces(content, 7, definite)), definite)),
        ("nested", {
            let inner: Vec<Vec<u8>> =
                content.chunks(50).map(|piece| pieces(piece, 13, indefinite)).collect();
            cms(SIGNED, Some(indefinite(0x24, &inner.concat())), indefinite)
        }),
    ]
}

fn mail(kind: &str, bytes: &[u8]) -> Vec<u8> {
    let encoded = base64(bytes, 64);
    format!(
        "Subject: a\nMessage-ID: <id@a>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://e.com/1\n--b\nContent-Type: {kind}\nContent-Transfer-Encoding: base64\n\n{encoded}\n--b\n\nhttp://e.com/3\n--b--\n"
    )
    .into_bytes()
}

fn uris(found: &[Found]) -> Vec<(&str, &str)> {
    found.iter().map(|one| (&*one.part, &*one.uri)).collect()
}

fn notices(bytes: &[u8]) -> Vec<Notice> {
    let hints = Hints::new().format(Format::Email);
    let scanned = Finder::new().scan_reader(bytes, &hints, |_| ControlFlow::Continue(()));
    scanned.unwrap().notices().to_vec()
}

#[test]
fn signed_content_is_read() {
    let case = Case::default();
    let wanted = [
        ("1", "http://e.com/1"),
        ("2.1", "http://e.com/a?b"),
        ("2.2", "http://e.com/c?d&e"),
        ("3", "http://e.com/3"),
    ];
    for (way, bytes) in ways(ENTITY.as_bytes()) {
        for kind in [
            "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m",
            "application/x-pkcs7-mime",
            "application/octet-stream; name=\"SMIME.P7M\"",
        ] {
            let mail = mail(kind, &bytes);
            let found = whole(&mail, &case, Format::Email);
            assert_eq!(uris(&found), wanted, "{way} {kind}");
            assert!(found.iter().all(|one| one.message_id == "id@a"), "{way}");
            assert_eq!(notices(&mail), [], "{way} {kind}");
            for sizes in [&[1][..], &[7], &[64], &[1000]] {
                assert_eq!(through(&mail, &case, Format::Email, sizes), found, "{way} {sizes:?}");
            }
            let boxed = boxed(&mail, "\n");
            let found = whole(&boxed, &case, Format::Mbox);
            assert_eq!(found.len(), 8, "{way} {kind}");
            assert_eq!(found[5].part, "2!2.1", "{way}");
        }
    }
}

/// The places are those of the stored bytes: decoded and without the heads of pieces, they say the link.
#[test]
fn places_of_signed_content() {
    let text = "Content-Type: text/plain\n\nsee http://e.com/some/path now, and http://e.com/b\n";
    for (way, bytes) in ways(text.as_bytes()) {
        let mail = [&b"Subject: a\nContent-Type: application/pkcs7-mime\nContent-Transfer-Encoding: binary\n\n"[..], &bytes].concat();
        let found = whole(&mail, &Case::default(), Format::Email);
        assert_eq!(found.len(), 2, "{way}");
        for one in &found {
            let slice = &mail[one.range.clone()];
            match &*one.transfer {
                "-" => assert_eq!(slice, one.raw.as_bytes(), "{way}"),
                transfer => {
                    assert_eq!(transfer, "nested", "{way}");
                    assert_eq!(
                        (slice[0], slice[slice.len() - 1]),
                        (b'h', *one.raw.as_bytes().last().unwrap())
                    );
                }
            }
            assert_eq!(one.transfer == "nested", slice != one.raw.as_bytes(), "{way}");
        }
        assert_eq!(
            found[0].transfer == "nested",
            ["short pieces", "nested"].contains(&way),
            "{way}"
        );
    }
    // In base64 the first digit has bits of the byte before.
    let mail = mail("application/pkcs7-mime", &ways(text.as_bytes())[0].1);
    for one in &whole(&mail, &Case::default(), Format::Email) {
        assert_eq!(super::misplaced(&mail, one), None);
    }
}

#[test]
fn what_is_encrypted_or_detached_is_not_read() {
    let content = definite(0x04, ENTITY.as_bytes());
    let plain = ["http://e.com/1", "http://e.com/3"];
    for (kind, bytes, told) in [
        (
            "application/pkcs7-mime",
            cms(ENVELOPED, Some(content.clone()), definite),
            &[Notice::AttachmentUnread][..],
        ),
        ("application/pkcs7-mime", b"\x30\x82\x01\0\x06\x09".to_vec(), &[Notice::AttachmentUnread]),
        ("application/pkcs7-mime", Vec::new(), &[]),
        ("application/pkcs7-mime; smime-type=certs-only", cms(SIGNED, None, definite), &[]),
        ("application/pkcs7-signature; name=smime.p7s", cms(SIGNED, None, definite), &[]),
        (
            "application/pkcs7-signature; name=smime.p7m",
            cms(SIGNED, Some(content.clone()), definite),
            &[],
        ),
    ] {
        let mail = mail(kind, &bytes);
        let found = whole(&mail, &Case::default(), Format::Email);
        let uris: Vec<&str> = found.iter().map(|one| &*one.uri).collect();
        assert_eq!((uris, &*notices(&mail)), (plain.to_vec(), told), "{kind}");
    }
}

/// What is signed need not be an entity of MIME.
#[test]
fn other_files_that_are_signed() {
    let files = |name: &str, content: &[u8]| {
        let signed = cms(SIGNED, Some(pieces(content, 100, indefinite)), indefinite);
        let message = mail(&format!("application/octet-stream; name={name}.p7m"), &signed);
        let mut found = Vec::new();
        let options = Options::new().threads(1).hints(Hints::new().format(Format::Email));
        let _ = files::scan_one(Opening::bytes(message), &options, |event| {
            if let Event::Link { link, .. } = event {
                let member = link.member().unwrap_or_default();
                found.push(format!("{}|{member}|{}", link.part().unwrap_or_default(), link.uri()));
            }
            ControlFlow::Continue(())
        });
        found.remove(1)
    };
    let page = b"<p><a href='http://e.com/a?b&amp;c'>x</a>";
    assert_eq!(files("a.html", page), "2||http://e.com/a?b&c");
    assert_eq!(files("a.xml", b"<a xlink:href='http://e.com/a'/>"), "2||http://e.com/a");
    let zip = zips::zip(&[zips::deflated(b"a.txt", b"see http://e.com/z")]);
    assert_eq!(files("a.zip", &zip), "2|a.txt|http://e.com/z");
    assert_eq!(files("a.txt", b"Note: http://e.com/n"), "2||http://e.com/n");
}

/// Cut anywhere, it gives no link that the whole does not have, and all that are before the cut; with a byte changed
/// it ends.
#[test]
fn signed_content_that_is_damaged() {
    let front = "Content-Type: text/plain\n\nhttp://e.com/first\n\n".to_owned();
    let text = front + &"padding ".repeat(20);
    for (way, bytes) in ways(text.as_bytes()) {
        for end in bytes.len() - 150..bytes.len() {
            let mail = mail("application/pkcs7-mime", &bytes[..end]);
            let found = whole(&mail, &Case::default(), Format::Email);
            assert_eq!(found[1].uri, "http://e.com/first", "{way} {end}");
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] = !bytes[at];
            let mail = mail("application/pkcs7-mime", &bytes);
            let found = whole(&mail, &Case::default(), Format::Email);
            assert_eq!(found[0].uri, "http://e.com/1", "{way} {at}");
            assert_eq!(found.last().unwrap().uri, "http://e.com/3", "{way} {at}");
        }
    }
}

/// More pieces than programs write: it is read as binary, and that is reported.
#[test]
fn signed_content_in_too_many_pieces() {
    let text = format!("Content-Type: text/plain\n\nhttp://e.com/first\n\n{}", "x ".repeat(80_000));
    for (size, wanted) in [(4, vec![]), (2, vec![Notice::Binary])] {
        let bytes = cms(SIGNED, Some(pieces(text.as_bytes(), size, indefinite)), indefinite);
        assert_eq!(notices(&mail("application/pkcs7-mime", &bytes)), wanted, "{size}");
    }
}

/// Signed again and again: too deep is reported.
#[test]
fn signed_content_in_signed_content() {
    let mut entity = "Content-Type: text/plain\n\nsee http://e.com/inner\n".to_owned();
    for depth in 1..6 {
        let bytes = cms(SIGNED, Some(definite(0x04, entity.as_bytes())), definite);
        let mail = mail("application/pkcs7-mime", &bytes);
        let found = whole(&mail, &Case::default(), Format::Email);
        let is_found = found.iter().any(|one| one.uri.ends_with("inner"));
        // What is too deep is read as binary, in which a text that is stored so is found.
        assert_eq!(is_found, depth < 4, "{depth}");
        assert_eq!(notices(&mail).contains(&Notice::TooDeep), depth >= 3, "{depth}");
        entity = format!(
            "Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n{}\n",
            base64(&bytes, 64)
        );
    }
}
