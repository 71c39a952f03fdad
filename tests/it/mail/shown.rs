//! Links that mail programs show although the message is wrong: a filter that reads it strictly would not see them.

use std::ops::ControlFlow;

use crate::made::base64;
use crate::support::pieces::Pieces;
use linksift::{Event, Finder, Format, Hints};

use super::untransfer::decoded;

const PAGE: &str = "<p>hello <a href=\"http://e.com/shown\">go on</a></p>   ";
const SHOWN: &str = "a@href http://e.com/shown";

/// Returns the links of a message with their contexts, the same whole and in pieces; each slice decodes to its link.
fn links(message: &[u8]) -> Vec<String> {
    let scanned = |bytes: &mut dyn std::io::Read| {
        let mut found = Vec::new();
        let hints = Hints::new().format(Format::Email);
        let each = |event: Event<'_>| {
            if let Event::Link { link, .. } = &event {
                let transfer = link.transfer().map_or("-", |transfer| transfer.as_str());
                if transfer != "nested" {
                    let text = decoded(&message[link.range()], transfer, link.charset().as_str());
                    assert_eq!(text, link.raw());
                }
                found.push(format!("{} {}", link.context(), link.uri()));
            }
            ControlFlow::Continue(())
        };
        Finder::new().scan_reader(bytes, &hints, each).unwrap();
        found
    };
    let whole = scanned(&mut &message[..]);
    for len in [1, 7, 100] {
        assert_eq!(scanned(&mut Pieces::new(message.chunks(len))), whole, "{len}");
    }
    whole
}

fn message(fields: &str, body: &[u8]) -> Vec<u8> {
    [b"From: a@b.example\nMIME-Version: 1.0\n", fields.as_bytes(), b"\n\n", body].concat()
}

fn page(content_type: &str) -> Vec<u8> {
    message(&format!("Content-Type: {content_type}"), PAGE.as_bytes())
}

#[test]
fn an_attachment_is_opened_by_its_name_whatever_its_type_is() {
    for kind in [
        "text/plain",
        "text/css",
        "image/png",
        "video/mp4",
        "application/json",
        "application/octet-stream",
        "application/pgp-signature",
        "application/pgp-keys",
        "application/pkcs7-mime",
        "application/ms-tnef",
    ] {
        for name in ["name=a.html", "name*=utf-8''a%2EHTM", "name=\"a.xhtml\""] {
            assert_eq!(links(&page(&format!("{kind}; {name}"))), [SHOWN], "{kind} {name}");
        }
        let named = message(
            &format!("Content-Type: {kind}; name=a.eml"),
            b"From: a@b.example\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGEgaHJlZj1odHRwOi8vZS5jb20vc2hvd24+\n",
        );
        assert_eq!(links(&named), [SHOWN], "{kind}");
    }
    // A picture is one, whatever it is called.
    let picture = "Content-Type: image/png; name=a.html\nContent-Transfer-Encoding: base64";
    let bytes = base64(b"\x89PNG\r\n\x1A\n\0\0http://e.com/", 76);
    assert_eq!(links(&message(picture, bytes.as_bytes())), [""; 0]);
    assert_eq!(links(&page("image/png; name=a.png")), [""; 0]);
    assert_eq!(links(&page("application/pgp-signature; name=a.asc")), [""; 0]);
}

#[test]
fn a_media_type_ends_where_its_characters_end() {
    for kind in [
        "text/html, charset=utf-8",
        "text/html\0; charset=utf-8",
        "text / html",
        "text/\n html",
        "text(c)/(d)html",
    ] {
        assert_eq!(links(&page(kind)), [SHOWN], "{kind:?}");
    }
}

#[test]
fn a_boundary_that_does_not_occur_is_replaced_by_one_that_does() {
    let body = "preamble\n--ab\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n\
        PGEgaHJlZj1odHRwOi8vZS5jb20vc2hvd24+\n--ab--\n";
    for parameters in [
        "boundary=ab",
        "boundary=zz; boundary=ab",
        "boundary=zz; boundary*=us-ascii'en'ab",
        "boundary=zz; boundary*0=a; boundary*1=b",
        "boundary*=us-ascii''zz; boundary=ab",
        "boundary=\"=?us-ascii?q?ab?=\"",
        "boundary=a b",
        "boundary=zz",
    ] {
        let found = links(&message(
            &format!("Content-Type: multipart / mixed; {parameters}"),
            body.as_bytes(),
        ));
        assert_eq!(found, [SHOWN], "{parameters}");
        // The same in a part of another multipart.
        let inner = format!("Content-Type: multipart/mixed; {parameters}\n\n{body}");
        let outer = format!("--out\n{inner}\n--out\n\nhttp://e.com/last\n--out--\n");
        let found =
            links(&message("Content-Type: multipart/mixed; boundary=out", outer.as_bytes()));
        assert_eq!(found, [SHOWN, "text http://e.com/last"], "{parameters}");
    }
    // A boundary that occurs counts, even if the text before it shows another one.
    let quoted = "--ab\nX-A: b\n\nhttp://e.com/1\n--ab--\n--zz\n\nhttp://e.com/2\n--zz--\n";
    let found = links(&message("Content-Type: multipart/mixed; boundary=zz", quoted.as_bytes()));
    assert_eq!(found, ["preamble http://e.com/1", "text http://e.com/2"]);
}

#[test]
fn foreign_bytes_do_not_end_base64_where_it_decodes_to_odd_bytes() {
    let page = base64(PAGE.as_bytes(), usize::MAX);
    let odd = ["////", "AQID", "/////w=="];
    for charset in ["", "; charset=utf-8", "; charset=iso-8859-1", "; charset=shift_jis"] {
        for (front, back) in odd.iter().flat_map(|odd| [(*odd, ""), ("", *odd)]) {
            for mark in ["!", "!!", ".", "\0", "_-", " "] {
                let body = format!("{front}{mark}{page}{mark}{back}");
                let fields =
                    format!("Content-Type: text/html{charset}\nContent-Transfer-Encoding: base64");
                let found = links(&message(&fields, body.as_bytes()));
                assert_eq!(found, [SHOWN], "{charset} {body:?}");
            }
        }
    }
    // A line that is text ends it.
    let text = "Content-Type: text/plain\nContent-Transfer-Encoding: base64";
    for line in [
        "https://LIST.example/0A1B2C3D4E5F60718293A4B5C6D7E8F90",
        "WRITE TO THE.LIST.OWNER.OF.THIS.LIST@LISTS.EXAMPLE.COM",
    ] {
        let body = format!("aGVsbG8K\n{line}\n");
        assert_eq!(links(&message(text, body.as_bytes())).len(), 1, "{line}");
    }
}

#[test]
fn base64_continues_after_a_text_that_was_put_before_it() {
    let page = base64(PAGE.as_bytes(), 64);
    let fields = "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64";
    for text in [
        "This message comes from outside, see http://e.com/help\n",
        "CAUTION:\nthis message comes from outside, see http://e.com/help\n\n",
        "five letters more: see http://e.com/help\nabc\n",
    ] {
        let found = links(&message(fields, format!("{text}{page}").as_bytes()));
        assert_eq!(found, ["text http://e.com/help", SHOWN], "{text}");
        let digits = text.bytes().filter(|b| b.is_ascii_alphanumeric() || b"+/".contains(b));
        // Digits that complete the group that the text begins, if it is read as digits.
        let before = "A".repeat((4 - digits.count() % 4) % 4);
        let found = links(&message(fields, format!("{text}{before}{page}").as_bytes()));
        assert_eq!(found, ["text http://e.com/help", SHOWN], "{text}");
    }
    let again = format!("{page}\nsome words, http://e.com/1\n{page}\nsome words, http://e.com/2\n");
    assert_eq!(
        links(&message(fields, again.as_bytes())),
        [SHOWN, "text http://e.com/1", SHOWN, "text http://e.com/2"]
    );
    // Digits that decode to other bytes are text.
    let text = "some words, http://e.com/1\niQEzBAABCAAdFiEEx3J0ZXN0a2V5c2lnbmF0dXJlZmlsZQAKCRDF\nhttp://e.com/2\n";
    let fields = "Content-Type: text/plain\nContent-Transfer-Encoding: base64";
    let found = links(&message(fields, text.as_bytes()));
    assert_eq!(found, ["text http://e.com/1", "text http://e.com/2"]);
}

#[test]
fn a_cr_alone_after_the_sign_is_a_soft_line_break() {
    let fields = "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable";
    for mark in ["=\r", "= \t\r", "=\r\n", "= \n", "=\r=\r"] {
        let body = format!("see http://e.com/aa{mark}bb now\n");
        assert_eq!(
            links(&message(fields, body.as_bytes())),
            ["text http://e.com/aabb"],
            "{mark:?}"
        );
    }
    // A CR without the sign is a character of the text.
    let body = "see http://e.com/aa\rbb now\n";
    assert_eq!(links(&message(fields, body.as_bytes())), ["text http://e.com/aa"]);
}

#[test]
fn a_charset_of_utf_16_does_not_hide_ascii() {
    for label in ["utf-16", "\"UTF-16LE\"", "utf-16be", "unicode"] {
        for (encoding, body) in [
            ("8bit", PAGE.to_owned()),
            ("quoted-printable", PAGE.replace('=', "=3D")),
            ("base64", base64(PAGE.as_bytes(), 76)),
            ("base64", base64(PAGE.as_bytes(), 8)),
        ] {
            let fields = format!(
                "Content-Type: text/html; charset={label}\nContent-Transfer-Encoding: {encoding}"
            );
            assert_eq!(links(&message(&fields, body.as_bytes())), [SHOWN], "{fields}");
        }
    }
}
