//! Hostile mail: the time is linear whatever is repeated, limits have a name, and the links before them are found.
//!
//! A message is taken against one eight times as long, and the growth is judged, never the time.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::ControlFlow;

use super::cases::base64;
use crate::support::growth;
use linksift::{Alternatives, Candidate, Event, Finder, Format, Headers, Hints, Notice};

const SMALL: usize = 24 << 10;
const FIRST: &str = "http://first.example/";

/// Shapes: what a message begins with after its subject, and what is repeated; `#` is a number.
#[rustfmt::skip]
const SHAPES: &[(&str, &str)] = &[
    ("", "X-#: http://e.com/\n"), ("", "X: a\n"), ("", " fold\n"), ("X: a\n", " \t\n"), ("", "junk\n"), ("", "a"),
    ("Subject: ", "=?utf-8?B?aHR0cDovL2EuY29tLw==?= "), ("Subject: ", "=?utf-8?Q?=?= "), ("Subject: ", "=?"),
    ("Subject: ", "=?utf-8?q?a?=\n "), ("Subject: ", "=?utf-8?b?====?="), ("Subject: ", "?=?="), ("To: ", "(\\"),
    ("Content-Type: text/plain; ", "name*#*=a;\n "), ("Content-Type: text/plain; ", "name*#=\"\\"),
    ("Content-Type: text/plain; ", "charset=a;"), ("Content-Type: ", "(("), ("Content-Type: a/b;", ";;="),
    ("Content-Disposition: a; ", "filename*#*=%41;"), ("Content-Disposition: a; ", "filename*0=a; filename*#="),
    ("List-Unsubscribe: ", "<http://a.com/>,"), ("List-Unsubscribe: ", "<"), ("List-Help: <", " a\n"),
    ("BIMI-Location: ", "l=a.com;"), ("Link: ", "<http://a.com/>;a=b,"),
    ("Content-Type: message/external-body; ", "URL*#=a;\n "), ("OpenPGP: ", "url=a;"), ("Message-ID: ", "<a@"), ("Content-Location: <", "a b"),
    ("Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nhttp://a.com/\n"),
    ("Content-Type: multipart/mixed; boundary=b\n\n", "--b--\n"), ("Content-Type: multipart/mixed; boundary=b\n\n", "--bb\n"),
    ("Content-Type: multipart/mixed; boundary=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n\n", "--bbbbbbbbbbb"),
    ("Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: multipart/mixed; boundary=b\n\n"),
    ("Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: multipart/mixed; boundary=b#\n\n--b#\n"),
    ("Content-Type: multipart/alternative; boundary=b\n\n", "--b\nContent-Type: multipart/alternative; boundary=b#\n\n--b#\n\na.com\n"),
    ("Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: a/b\nContent-Type: multipart/mixed; boundary=c\n\n"),
    ("Content-Type: multipart/mixed; boundary=b\nContent-Type: multipart/mixed; boundary=c\n", "--bb\nX: a\n"),
    ("Content-Type: multipart/mixed; boundary=b\n", "--b\nContent-Type: multipart/mixed; boundary=b#\n--b#\n"),
    ("Content-Type: multipart/mixed; boundary=b\n\n", "--b--\n--b\n"), ("Content-Type: message/rfc822\n\n", "\n"),
    ("Content-Type: multipart/digest; boundary=b\n\n", "--b\n\n\n\nTo: a\n"),
    ("", "Content-Type: message/rfc822\n\n"), ("", "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"),
    ("\n", "--\n"), ("\n", "-- \n"), ("\n", "From a\n"), ("\n", ">From a\n"), ("\n", "<http://a.com/"), ("\n", "<http://a.com/a\n"),
    ("\n", "> <http://a.com/a\n"), ("\n", "<\n"), ("\n", "<URL:"), ("\n", "> "), ("\n", ">"), ("\n", "begin 644 x\n"),
    ("\n", "begin 644 x\n#86)C\nend\n"), ("\nbegin 644 x\n", "#86)C\n"), ("\n", "begin 644 x\n#86)C\n\n"),
    ("Content-Transfer-Encoding: quoted-printable\n\n", "begin 644 x\n#86)C\nend\nhttp://a.com/\n"), ("\n", "begin 644 x\nM"), ("\n", "-----BEGIN PGP MESSAGE-----\n"), ("\n", "-----BEGIN PGP SIGNED MESSAGE-----\n\n- a.com\n"),
    ("\n", "=ybegin line=128 size=1 name=a\n"), ("\n", "Message-ID: <a@a.com>\n"),
    ("Content-Type: text/plain; format=flowed; delsp=yes\n\n", "http://a.com/a \n"),
    ("Content-Type: text/plain; format=flowed; delsp=yes\n\n", "> "), ("Content-Type: text/calendar\n\n", "URL:http://a.com/\n a\n"),
    ("Content-Type: text/calendar\n\n", " "), ("Content-Type: text/enriched\n\n", "<param>"), ("Content-Type: text/enriched\n\n", "<<"),
    ("Content-Transfer-Encoding: quoted-printable\n\n", "="), ("Content-Transfer-Encoding: quoted-printable\n\n", "=\n"),
    ("Content-Transfer-Encoding: quoted-printable\n\n", "= \t"), ("Content-Transfer-Encoding: quoted-printable\n\n", "http://a.com/=3D=\n"),
    ("Content-Transfer-Encoding: quoted-printable\n\n", " \t"), ("Content-Transfer-Encoding: base64\n\n", "="),
    ("Content-Transfer-Encoding: base64\n\n", "aHR0cDovL2EuY29tLw==\n"), ("Content-Transfer-Encoding: base64\n\n", "a\n"),
    ("Content-Transfer-Encoding: base64\n\n", "!!!!"), ("Content-Transfer-Encoding: base64\n\n", "aaa a"),
    ("Content-Transfer-Encoding: x-uuencode\n\n", "begin 644 x\n`\nend\n"), ("Content-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n", "M"),
];

fn message(front: &str, unit: &str, size: usize) -> Vec<u8> {
    let mut text = format!("Subject: {FIRST} x\n{front}");
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&unit.replace('#', &number.to_string()));
    }
    text.into_bytes()
}

fn links(finder: &Finder, bytes: &[u8], format: Format) -> Vec<String> {
    finder
        .document(bytes, &Hints::new().format(format))
        .unwrap()
        .filter_map(Candidate::into_link)
        .map(|link| link.uri().into_owned())
        .collect()
}

#[test]
fn time_is_linear() {
    let finder = Finder::new();
    let mut curved = Vec::new();
    for (front, unit) in SHAPES {
        let growth = growth::curved::<Vec<u8>, [u8]>(
            SMALL,
            |size| message(front, unit, size),
            |bytes| {
                assert_eq!(links(&finder, bytes, Format::Email)[0], FIRST, "{front:?} {unit:?}")
            },
        );
        curved.extend(growth.map(|growth| format!("{front:?} and {unit:?} repeated: {growth:.2}")));
    }
    assert!(curved.is_empty(), "{}", curved.join("\n"));
}

/// A parameter that comes again and again before one in pieces.
#[test]
fn time_is_linear_in_equal_parameters() {
    let finder = Finder::new();
    for name in ["charset", "name", "boundary", "format"] {
        let growth = growth::curved::<Vec<u8>, [u8]>(
            SMALL,
            |size| {
                let front =
                    format!("Content-Type: text/plain; {}", format!("{name}=;").repeat(size / 8));
                format!("{front} x*=y\n\n{FIRST}\n").into_bytes()
            },
            |bytes| assert_eq!(links(&finder, bytes, Format::Email), [FIRST], "{name}"),
        );
        assert_eq!(growth, None, "{name}");
    }
}

/// Levels of base64 in base64: a chain that is too long is read as text, and costs no more than its size.
#[test]
fn encodings_inside_each_other() {
    let mut bytes = b"Subject: x\n\nhttp://e.com/innermost\n".to_vec();
    for depth in 0..12 {
        let front = "Subject: http://e.com/outer\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n";
        bytes = [front.as_bytes(), base64(&bytes, 76).as_bytes()].concat();
        let (uris, notices) = scanned(&bytes, Format::Email);
        assert_eq!(uris[0], "http://e.com/outer");
        // What is too deep is decoded once more, and read as text.
        assert_eq!(uris.iter().any(|uri| uri.ends_with("innermost")), depth < 3, "{depth}");
        assert_eq!(notices.contains(&Notice::TooDeep), depth >= 2, "{depth}");
    }
}

fn scanned(bytes: &[u8], format: Format) -> (Vec<String>, Vec<Notice>) {
    scanned_by(bytes, &Hints::new().format(format))
}

fn scanned_with(bytes: &[u8], format: Format, headers: Headers) -> (Vec<String>, Vec<Notice>) {
    scanned_by(bytes, &Hints::new().format(format).headers(headers))
}

fn scanned_by(bytes: &[u8], hints: &Hints) -> (Vec<String>, Vec<Notice>) {
    let mut uris = Vec::new();
    let scanned = Finder::new().scan_reader(bytes, hints, |event| {
        if let Event::Link { link, .. } = event {
            uris.push(link.uri().into_owned());
        }
        ControlFlow::Continue(())
    });
    (uris, scanned.unwrap().notices().to_vec())
}

/// What declares a base that is none is told of, and nothing is resolved against it.
#[test]
fn a_base_that_is_no_iri() {
    for (head, notices) in [
        ("Content-Location: http://e.com:port/", &[Notice::BaseUnusable][..]),
        ("Content-Base: http://[::g]/", &[Notice::BaseUnusable]),
        ("Content-Location: d/p.html", &[]),
        ("Content-Location: cid:1@e.com", &[]),
    ] {
        let mail = format!("{head}\nContent-Type: text/html\n\n<a href=http://e.com/r>");
        let found = scanned(mail.as_bytes(), Format::Email);
        assert_eq!(found.0.last().unwrap(), "http://e.com/r");
        assert_eq!(found.1, notices, "{head}");
    }
    let html = "Content-Type: text/html\n\n<base href=http://e.com:port/><a href=r>";
    assert_eq!(scanned(html.as_bytes(), Format::Email).1, [Notice::BaseUnusable]);
}

/// Each limit has its notice, and what is before it and after it is found.
#[test]
fn limits_have_names() {
    let (uris, notices) =
        scanned(&message("", "Content-Type: message/rfc822\n\n", 4_000), Format::Email);
    assert_eq!((&*uris[0], &*notices), (FIRST, &[Notice::TooDeep][..]));
    let mut deep = format!("Subject: {FIRST}\n");
    for _ in 0..100 {
        deep.push_str("Content-Type: message/rfc822\n\n");
    }
    deep.push_str("\nhttp://e.com/innermost\n");
    let (uris, notices) = scanned(deep.as_bytes(), Format::Email);
    assert_eq!((&*uris[0], &*notices), (FIRST, &[Notice::TooDeep][..]));
    assert_eq!(uris.last().unwrap(), "http://e.com/innermost");
    for value in ["a b\n ", "ab,"] {
        let text = format!("http://e.com/in {}\n", value.repeat((1 << 20) / value.len() + 1));
        for headers in [Headers::Links, Headers::None] {
            let long = format!(
                "Subject: {FIRST}\nX: {text}Comments: http://e.com/after\n\nhttp://e.com/last\n"
            );
            let (mut uris, notices) = scanned_with(long.as_bytes(), Format::Email, headers);
            uris.dedup();
            let wanted = [FIRST, "http://e.com/in", "http://e.com/after", "http://e.com/last"];
            let wanted = if headers == Headers::Links { &wanted[..] } else { &wanted[3..] };
            assert_eq!(uris, wanted, "{value:?}");
            assert_eq!(notices, [Notice::FieldTooLong], "{value:?}");
        }
    }
    // What is said late of links that are given by then.
    let mut late = message("", "X-#: http://e.com/\n", 1 << 20);
    late.extend_from_slice(b"Message-ID: <a@b>\n\nhttp://e.com/last\n");
    let (uris, notices) = scanned(&late, Format::Email);
    assert_eq!((uris.len(), &*notices), (2, &[Notice::LateField][..]));
    let front = "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n";
    let mut many = message(front, "http://e.com/a\n", 1_600_000);
    many.extend_from_slice(b"\n--b\nContent-Type: text/html\n\nhttp://e.com/b\n--b--\n");
    let hints = Hints::new().format(Format::Email).alternatives(Alternatives::Best);
    let (uris, notices) = scanned_by(&many, &hints);
    assert_eq!(notices, [Notice::AlternativesUnheld]);
    assert!(uris.len() > 100_000 && uris.last().unwrap() == "http://e.com/b");
}

#[test]
fn long_links_of_alternatives_are_not_kept() {
    let front = "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n";
    let long = format!("http://e.com/{}\n", "a".repeat(60_000));
    let hints = Hints::new().format(Format::Email).alternatives(Alternatives::Best);
    for (count, expected) in [(500, &[][..]), (600, &[Notice::AlternativesUnheld])] {
        let mut many = message(front, &long, count * long.len());
        many.extend_from_slice(b"\n--b\nContent-Type: text/html\n\nhttp://e.com/b\n--b--\n");
        let (uris, notices) = scanned_by(&many, &hints);
        assert_eq!(notices, expected, "{count}");
        assert_eq!(uris.len() > 500, count > 500, "{count}");
    }
}

#[test]
fn an_encoding_without_end_between_two_characters() {
    let quoted = "Content-Transfer-Encoding: quoted-printable\n\nhttp://e.com/";
    let base64 = "Content-Transfer-Encoding: base64\n\naHR0cDovL2UuY29tL";
    for (front, between, end) in [
        (quoted, "=\n", " http://e.com/end\n"),
        // The byte between is lost, and what follows it is not: `/` and ` http://e.com/end`.
        (base64, "\n", "yBodHRwOi8vZS5jb20vZW5k\n"),
        (base64, " ", "yBodHRwOi8vZS5jb20vZW5k\n"),
    ] {
        // More than 16 MiB.
        let mut mail = message(front, between, 17 << 20);
        mail.extend_from_slice(end.as_bytes());
        let (uris, notices) = scanned_by(&mail, &Hints::new().format(Format::Email));
        assert_eq!(notices, [Notice::Skipped], "{between:?}");
        assert_eq!(uris.last().unwrap(), "http://e.com/end", "{between:?}");
        let short = message(front, between, 1 << 20);
        assert_eq!(scanned_by(&short, &Hints::new().format(Format::Email)).1, []);
    }
}

/// Reader that counts the bytes it has given.
struct Counted<'b>(&'b [u8], &'b Cell<usize>);

impl Read for Counted<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(to)?;
        self.1.set(self.1.get() + read);
        Ok(read)
    }
}

/// The links of one long alternative are not kept to its end.
#[test]
fn links_of_a_long_alternative_are_given_before_its_end() {
    let front = "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n";
    let long = message(front, "http://e.com/a\n", 20 << 20);
    let hints = Hints::new().format(Format::Email).alternatives(Alternatives::Best);
    let (read, mut at_first) = (Cell::new(0), 0);
    let scanned = Finder::new().scan_reader(Counted(&long, &read), &hints, |event| {
        let Some(link) = event.link().filter(|link| link.raw() != FIRST) else {
            return ControlFlow::Continue(());
        };
        assert_eq!(link.raw(), "http://e.com/a");
        at_first = read.get();
        ControlFlow::Break(())
    });
    assert_eq!(scanned.unwrap().notices(), [Notice::AlternativesUnheld]);
    assert!((1..19 << 20).contains(&at_first), "{at_first} bytes");
}

/// What is read in another way than it says has a notice, and what is read as it says has none.
#[test]
fn what_is_odd_is_told() {
    let part = "--b\n\nhttp://e.com/\n--b--\n";
    let multipart =
        "Subject: a\nContent-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: ";
    let encoded = base64(part.as_bytes(), 60);
    let text = |charset: &str| {
        format!(
            "Subject: a\nContent-Type: text/plain; charset={charset}\n\nsee http://e.com/ now\n"
        )
    };
    for (mail, notices) in [
        (format!("{multipart}base64\n\n{encoded}"), &[Notice::EncodedMultipart][..]),
        (
            format!("{multipart}quoted-printable\n\n{}", part.replace('-', "=2D")),
            &[Notice::EncodedMultipart],
        ),
        (format!("{multipart}base64\n\n{part}"), &[]),
        (format!("{multipart}base64\n\nhttp://e.com/ is no multipart\n"), &[]),
        (format!("{multipart}8bit\n\n{part}"), &[]),
        (text("utf-7"), &[Notice::Undecodable]),
        (text("hz-gb-2312"), &[Notice::Undecodable]),
        (text("iso-2022-kr"), &[Notice::Undecodable]),
        (text("x-klingon"), &[Notice::UnknownCharset]),
        (text("us-ascii"), &[]),
        ("Subject: =?utf-7?q?http://e.com/?=\nFrom: a\n\nx".to_owned(), &[Notice::Undecodable]),
    ] {
        let wanted = (vec!["http://e.com/".to_owned()], notices.to_vec());
        assert_eq!(scanned(mail.as_bytes(), Format::Email), wanted, "{mail}");
    }
}

/// Which of several types counts is reported, whichever it is.
#[test]
fn several_types_are_told() {
    let body = "\n--b\nContent-Transfer-Encoding: base64\n\naHR0cDovL2UuY29tLw==\n--b--\n";
    let types = ["text/plain", "text/plain", "multipart/mixed; boundary=b", "text/css", "a/b"];
    for count in 3..=types.len() {
        let fields: Vec<String> =
            types[..count].iter().map(|one| format!("Content-Type: {one}\n")).collect();
        let mail = format!("Subject: a\n{}{body}", fields.concat());
        let wanted = (vec!["http://e.com/".to_owned()], vec![Notice::DuplicateHeader]);
        assert_eq!(scanned(mail.as_bytes(), Format::Email), wanted, "{mail}");
    }
    // Of five only four are compared, and that is reported too.
    let fields = "Content-Type: text/plain\n".repeat(4);
    let mail = format!("{fields}Content-Type: multipart/mixed; boundary=b\n{body}");
    let wanted = (vec![], vec![Notice::DuplicateHeader]);
    assert_eq!(scanned(mail.as_bytes(), Format::Email), wanted);
}

/// Fields and parts have no number at which anything changes.
#[test]
fn fields_and_parts_have_no_limit() {
    let front = "Content-Type: multipart/mixed; boundary=b\n\n";
    for count in [10_000, 10_001, 100_001] {
        let mut text = format!("Subject: {FIRST}\n");
        (0..count).for_each(|number| text.push_str(&format!("X-{number}: a\n")));
        text.push_str("Comments: http://e.com/field\n");
        text.push_str(front);
        for number in 0..count {
            let digest = if number % 2 == 0 { "" } else { "Content-Type: message/rfc822\n\n" };
            text.push_str(&format!("--b\n{digest}\n"));
        }
        text.push_str(
            "--b\nContent-Transfer-Encoding: base64\n\naHR0cDovL2UuY29tL2xhc3Q=\n--b--\n",
        );
        let (uris, notices) = scanned(text.as_bytes(), Format::Email);
        assert_eq!(uris, [FIRST, "http://e.com/field", "http://e.com/last"]);
        assert_eq!(notices, []);
        let bytes = text.as_bytes();
        let hints = Hints::new().format(Format::Email);
        let last = Finder::new().document(bytes, &hints).unwrap().links().last().unwrap();
        assert_eq!(last.part(), Some(&*(count + 1).to_string()));
        assert_eq!(last.transfer().unwrap().as_str(), "base64");
    }
}

/// Text whose lines are joined is scanned in blocks of a size of their own, which end where no line is joined.
#[test]
fn no_link_of_flowed_text_is_cut_between_blocks() {
    let head = "Subject: a\nContent-Type: text/plain; format=flowed; delsp=yes\n\n";
    let lines: String = (0..60_000)
        .map(|n| format!("{:1$}see http://e.com/{n}/a \nb \nc is\n", "", n % 7))
        .collect();
    assert!(lines.len() > 1 << 20);
    let (uris, notices) = scanned(format!("{head}{lines}").as_bytes(), Format::Email);
    let wanted: Vec<_> = (0..60_000).map(|n| format!("http://e.com/{n}/abc")).collect();
    assert!(uris == wanted, "{} links", uris.len());
    assert_eq!(notices, []);
}
