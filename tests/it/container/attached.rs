//! Archives that are attached to mail, and mail in archives: where their links are.

use std::ops::ControlFlow;

use linksift::Event;
use linksift::files::{self, Archives, Options};

use super::compressed::gzip;
use super::run::{Folder, T, options};
use super::zips::{deflated, stored, zip};
use crate::made::pdfs::PdfMaker;
use crate::mail::cases::base64;

/// `PART MEMBER START URI` of each link, then `MEMBER CODE` of each failure.
fn lines(name: &str, bytes: &[u8], options: &Options) -> Vec<String> {
    let folder = Folder::new();
    let path = folder.write(name, bytes);
    let mut lines = Vec::new();
    let _ = files::scan([&path], options, |event| {
        match event {
            Event::Link { link, .. } => {
                let (part, member) = (link.part().unwrap_or("-"), link.member().unwrap_or("-"));
                lines.push(format!("{part} {member} {} {}", link.range().start, link.uri()));
            }
            Event::Failed { member, error, .. } => {
                lines.push(format!("{} {}", member.as_str(), error.as_str()));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    lines
}

/// A message with a text, and attachments of these names.
fn message(attachments: &[(&str, &[u8])]) -> Vec<u8> {
    let mut text = String::from(
        "From: a@b.example\nMessage-ID: <m@b.example>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://e.example/text\n",
    );
    for (name, bytes) in attachments {
        text.push_str(&format!(
            "--b\nContent-Type: application/octet-stream; name=\"{name}\"\nContent-Transfer-Encoding: base64\n\n{}\n",
            base64(bytes, 76)
        ));
    }
    text.push_str("--b\n\nhttp://e.example/end\n--b--\n");
    text.into_bytes()
}

/// Case 40 of the design: offsets are those of the message in the archive.
#[test]
fn mail_in_archives() {
    let alternative = b"Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\nhttp://e.example/1\n--b\nContent-Type: text/html\n\n<a href=http://e.example/2>x</a>\n--b--\n";
    let archive = zip(&[stored(b"dir/x.eml", alternative)]);
    let start = |link: &str| String::from_utf8_lossy(alternative).find(link).unwrap();
    assert_eq!(
        lines("a.zip", &archive, &options()),
        [
            format!("1 dir/x.eml {} http://e.example/1", start("http://e.example/1")),
            format!("2 dir/x.eml {} http://e.example/2", start("http://e.example/2")),
        ]
    );
}

#[test]
fn archives_in_mail() {
    let html = b"<a href='http://e.example/html'>x</a>";
    let inner = message(&[("in.zip", &zip(&[stored(b"t.txt", b"http://e.example/deep")]))]);
    let archive = zip(&[deflated(b"dir/x.html", html), stored(b"m.eml", &inner)]);
    let bytes = message(&[("a.zip", &archive), ("t.txt.gz", &gzip(b"see http://e.example/gz"))]);
    let at = |bytes: &[u8], what: &str| memchr::memmem::find(bytes, what.as_bytes()).unwrap();
    let wanted = [
        format!("1 - {} http://e.example/text", at(&bytes, "http://e.example/text")),
        "2 dir/x.html 9 http://e.example/html".to_owned(),
        format!("2/1 m.eml {} http://e.example/text", at(&inner, "http://e.example/text")),
        "2/2 m.eml!t.txt 0 http://e.example/deep".to_owned(),
        format!("2/3 m.eml {} http://e.example/end", at(&inner, "http://e.example/end")),
        "3 t.txt.gz 4 http://e.example/gz".to_owned(),
        format!("4 - {} http://e.example/end", at(&bytes, "http://e.example/end")),
    ];
    assert_eq!(lines("m.eml", &bytes, &options()), wanted);
    let mut mailbox = b"From a\n".to_vec();
    mailbox.extend_from_slice(&bytes);
    assert_eq!(lines("m.mbox", &mailbox, &options())[1], "1!2 dir/x.html 9 http://e.example/html");
    let in_gz = lines("m.eml.gz", &gzip(&bytes), &options());
    assert_eq!(in_gz, wanted);
    let closed = lines("m.eml", &bytes, &options().archives(Archives::Never));
    assert_eq!(closed.len(), 2, "{closed:?}");
}

/// What is broken or too much ends with a word, and what is beside it is found.
#[test]
fn attachments_that_cannot_be_read() {
    let mut broken = zip(&[deflated(b"a.txt", &T.repeat(40)), stored(b"b.txt", T)]);
    for byte in &mut broken[45..60] {
        *byte ^= 0x55;
    }
    let bytes = message(&[("a.zip", &broken), ("y.zip", b"PK\x03\x04 cut")]);
    let lines = lines("m.eml", &bytes, &options());
    assert!(lines[0].ends_with("/text") && lines.last().unwrap().ends_with("/end"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("2 b.txt ")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("2!a.zip!a.txt ")), "{lines:?}");
}

/// The offsets of what is only compressed are not those of the message, which its member says.
#[test]
fn compressed_documents_in_mail_have_a_member() {
    let inner = message(&[("deep.html.gz", &gzip(b"<a href=http://e.example/deep>x</a>"))]);
    let tar = super::tars::tar(&[(b"n.txt", b"http://e.example/tar")]);
    let bytes = message(&[
        ("x!y.html.gz", &gzip(b"<a href=http://e.example/html>x</a>")),
        ("", &gzip(b"http://e.example/nameless")),
        ("m.eml.gz", &gzip(&inner)),
        ("t.tar.gz", &gzip(&tar)),
        ("a.zip", &zip(&[stored(b"n.txt.gz", &gzip(b"http://e.example/zip"))])),
        ("cut.txt.gz", &gzip(&b"http://e.example/cut ".repeat(9))[..20]),
        ("b.zip", &zip(&[stored(b"c.gz", &gzip(&b"http://e.example/cut ".repeat(9))[..20])])),
    ]);
    let wanted = |message: &str, mailbox: &str| {
        [
            format!("{mailbox}2 {message}x%21y.html.gz 8 http://e.example/html"),
            format!("{mailbox}3 {message}attachment 0 http://e.example/nameless"),
            format!("{mailbox}4/2 {message}m.eml.gz!deep.html.gz 8 http://e.example/deep"),
            format!("{mailbox}5 {message}n.txt 0 http://e.example/tar"),
            format!("{mailbox}6 {message}n.txt.gz 0 http://e.example/zip"),
            format!("{message}{}7!cut.txt.gz truncated", mailbox),
            format!("{message}{}8!b.zip!c.gz truncated", mailbox),
        ]
    };
    let of_attachments = |name: &str, bytes: &[u8]| {
        let all = lines(name, bytes, &options()).into_iter();
        all.filter(|line| !line.ends_with("/text") && !line.ends_with("/end")).collect::<Vec<_>>()
    };
    assert_eq!(of_attachments("m.eml", &bytes), wanted("", ""));
    assert_eq!(of_attachments("m.zip", &zip(&[deflated(b"m.eml", &bytes)])), wanted("m.eml!", ""));
    let mailbox = [b"From a@b Sat Jan  3 01:05:34 1996\n", &*bytes].concat();
    assert_eq!(of_attachments("m.mbox", &mailbox), wanted("", "1!"));
}

/// Files that are embedded in one document have no parts: their names distinguish them.
#[test]
fn archives_in_a_document_have_their_names() {
    let files: [(&str, Vec<u8>); 5] = [
        ("x.zip", zip(&[stored(b"a.txt", b"http://e.example/x")])),
        ("y!.zip", zip(&[deflated(b"a.txt", b"http://e.example/y")])),
        ("t.tgz", gzip(&super::tars::tar(&[(b"n.txt", b"http://e.example/tgz")]))),
        ("g.gz", gzip(b"http://e.example/gz")),
        ("cut.gz", gzip(&b"http://e.example/cut ".repeat(9))[..20].to_vec()),
    ];
    let names: String =
        (0..files.len()).map(|number| format!("(n) {} 0 R ", 4 + 2 * number)).collect();
    let maker = PdfMaker::default()
        .with(format!(
            "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [{names}] >> >> >>"
        ))
        .with("<< /Type /Pages /Kids [3 0 R] >>")
        .with("<< /Type /Page >>");
    let maker = files.iter().enumerate().fold(maker, |maker, (number, (name, bytes))| {
        let stream = 5 + 2 * number;
        maker
            .with(format!("<< /Type /Filespec /F ({name}) /EF << /F {stream} 0 R >> >>"))
            .with_flate("/Type /EmbeddedFile", bytes)
    });
    let pdf = maker.file();
    let wanted = |part: &str, outer: &str, failed: &str| {
        [
            format!("{part} {outer}x.zip!a.txt 0 http://e.example/x"),
            format!("{part} {outer}y%21.zip!a.txt 0 http://e.example/y"),
            format!("{part} {outer}t.tgz!n.txt 0 http://e.example/tgz"),
            format!("{part} {outer}g.gz 0 http://e.example/gz"),
            format!("{failed}cut.gz truncated"),
        ]
    };
    assert_eq!(lines("a.pdf", &pdf, &options()), wanted("-", "", ""));
    let archive = zip(&[stored(b"a.pdf", &pdf)]);
    assert_eq!(lines("a.zip", &archive, &options()), wanted("-", "a.pdf!", "a.pdf!"));
    let mail = lines("m.eml", &message(&[("a.pdf", &pdf)]), &options());
    assert_eq!(mail[1..6], wanted("2", "", "2!"));
}

/// Mail is no archive: what is attached to it is in nothing that the limit counts.
#[test]
fn an_attached_archive_is_one_deep() {
    let gz = gzip(b"see http://e.example/gz");
    let tgz = gzip(&super::tars::tar(&[(b"n.txt", b"http://e.example/tgz")]));
    let attached = [
        ("a.zip", zip(&[deflated(b"t.txt", b"http://e.example/zip"), stored(b"t.txt.gz", &gz)])),
        ("t.txt.gz", gz.clone()),
        ("t.tgz", tgz),
    ];
    let attached: Vec<_> = attached.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
    let at = |depth| {
        let limits = linksift::container::Limits::new().max_depth(depth);
        lines("m.eml", &message(&attached), &options().limits(limits))
    };
    let [text, end] = ["/text", "/end"];
    let told = |depth, wanted: &[&str]| {
        let found = at(depth);
        let ends = found.iter().zip(wanted).all(|(line, end)| line.ends_with(end));
        assert!(ends && found.len() == wanted.len(), "{depth}: {found:?}");
    };
    told(0, &[text, "2!a.zip depth", "3!t.txt.gz depth", "4!t.tgz depth", end]);
    told(1, &[text, "/zip", "t.txt.gz depth", "/gz", "4!t.tgz depth", end]);
    told(2, &[text, "/zip", "/gz", "/gz", "/tgz", end]);
}

/// Mail in a zip in mail in a zip: the limit for depth counts them.
#[test]
fn depth_is_limited_through_mail() {
    let mut bytes = b"http://e.example/innermost".to_vec();
    for _ in 0..12 {
        bytes = message(&[("a.zip", &zip(&[stored(b"m.eml", &bytes)]))]);
    }
    let lines = lines("m.eml", &bytes, &options());
    assert!(lines.iter().any(|line| line.ends_with(" depth")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.ends_with("innermost")));
    let ends = lines.iter().filter(|line| line.ends_with("/end")).count();
    assert!((8..=9).contains(&ends), "{ends}");
}

/// What is longer than is held whole is not opened, and it is told which one it is.
#[test]
fn an_archive_that_is_too_long_is_named() {
    let folder = Folder::new();
    let long: Vec<u8> = [zip(&[stored(b"a.txt", T)]), vec![b'x'; 17 << 20]].concat();
    let message =
        message(&[("big.zip", &long), ("noise.bin", &[vec![0; 64], long.clone()].concat())]);
    let mailbox = [b"From a@b Sat Jan  3 01:05:34 1996\n", &*message].concat();
    for (name, bytes, wanted) in
        [("a.eml", &message, "2!big.zip"), ("a.mbox", &mailbox, "1!2!big.zip")]
    {
        let path = folder.write(name, bytes);
        let (mut links, mut notices) = (Vec::new(), Vec::new());
        let _ = files::scan([&path], &options(), |event| {
            match event {
                Event::Link { link, .. } => links.push(link.uri().into_owned()),
                Event::Noticed { member, notice, .. } => {
                    notices.push(format!("{} {}", member.as_str(), notice.as_str()));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        // The other one is no archive: its bytes are looked at, and there a file is stored as it is.
        let [text, end] = ["http://e.example/text", "http://e.example/end"];
        assert_eq!(links, [text, "http://one.example/a", "http://two.example/b", end], "{name}");
        let told = [format!("{wanted} attachment-too-long"), " binary".to_owned()];
        assert_eq!(notices, told, "{name}");
    }
}

/// What is not read as text is told of as in a file, of whatever size; but for signatures.
#[test]
fn an_attachment_that_nobody_reads_is_told_of() {
    let part = |kind: &str, bytes: &[u8]| {
        format!(
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://e.example/a\n--b\nContent-Type: {kind}\nContent-Transfer-Encoding: base64\n\n{}\n--b--\n",
            base64(bytes, 76)
        )
        .into_bytes()
    };
    let (program, long) = (b"\x7fELF\0\0".to_vec(), vec![0; 13 << 20]);
    let signed = b"\x30\x82\x01\0\x06\x09".to_vec();
    let told: [(_, _, &[&str]); 13] = [
        ("application/octet-stream", &program, &["binary"]),
        ("application/octet-stream", &long, &["binary"]),
        ("application/msword; name=a.doc", &program, &["binary"]),
        ("application/pkcs7-mime", &signed, &["attachment-unread"]),
        ("application/pgp-encrypted", &b"Version: 1".to_vec(), &["attachment-unread"]),
        ("application/x-7z-compressed", &long, &["not-opened"]),
        ("application/vnd.ms-excel; name=a.csv", &b"a,http://e.example/b".to_vec(), &[]),
        ("application/octet-stream", &Vec::new(), &[]),
        ("application/pkcs7-signature", &signed, &[]),
        ("image/png", &signed, &["media-unread"]),
        ("image/png", &program, &["binary"]),
        ("video/mp4", &long, &["media-unread"]),
        ("application/zip", &zip(&[stored(b"a", T)]), &[]),
    ];
    let folder = Folder::new();
    for (kind, bytes, wanted) in told {
        let message = part(kind, bytes);
        let path = folder.write("a.eml", &message);
        let mut notices = Vec::new();
        let _ = files::scan([&path], &options(), |event| {
            if let Event::Noticed { notice, .. } = event {
                notices.push(notice.as_str());
            }
            ControlFlow::Continue(())
        });
        assert_eq!(notices, wanted, "{kind}, {} bytes", bytes.len());
        // A reader opens no archives.
        let hints = linksift::Hints::new().format(linksift::Format::Email);
        let scanned = linksift::Finder::new()
            .scan_reader(&message[..], &hints, |_| ControlFlow::Continue(()))
            .unwrap();
        let codes: Vec<&str> = scanned.notices().iter().map(|notice| notice.as_str()).collect();
        let wanted = if kind == "application/zip" { &["attachment-unread"] } else { wanted };
        assert_eq!(codes, wanted, "{kind}");
    }
}

/// A part of a message may be stored as the bytes that it is.
#[test]
fn a_message_with_zeros_is_mail() {
    let zeros = [0; 300];
    let head = "From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n";
    let message = [
        head.as_bytes(),
        b"Content-Type: text/plain\n\nsee example.com/1\n--b\nContent-Type: image/png\nContent-Transfer-Encoding: binary\n\n",
        &zeros,
        b"example.com/no\n--b\nContent-Type: text/plain\n\nsee example.com/2\n--b--\n",
    ]
    .concat();
    let found = |name: &str, bytes: &[u8]| {
        let of_file: Vec<_> = lines(name, bytes, &options());
        let mut of_bytes = Vec::new();
        let opening = linksift::container::Opening::bytes(bytes.to_vec()).name(name);
        let _ = files::scan_one(opening, &options(), |event| {
            of_bytes.extend(event.link().map(|link| link.uri().into_owned()));
            ControlFlow::Continue(())
        });
        let ends = of_file.iter().zip(&of_bytes).all(|(line, uri)| line.ends_with(&**uri));
        assert!(ends && of_file.len() == of_bytes.len(), "{of_file:?} {of_bytes:?}");
        of_bytes
    };
    let both = ["https://example.com/1", "https://example.com/2"];
    // By its content, and by its name where one field says too little.
    assert_eq!(found("message", &message), both);
    let few = &message["From: a@b.example\nSubject: x\n".len()..];
    assert_eq!(found("a.eml", few), both);
    assert_eq!(found("1700000000.M1P2.host:2,S", few), both);
    assert_eq!(found("message", few), [""; 0]);
    // In an archive, and in a mailbox.
    assert_eq!(found("a.zip", &zip(&[stored(b"a.eml", few)])), both);
    let mailbox = [b"From a@b.example Mon Jan  1 00:00:00 2024\n", &message[..], b"\n"].concat();
    assert_eq!(found("mailbox", &mailbox), both);
    // What only its name calls mail.
    let picture = [b"\x89PNG\r\n\x1A\n", &zeros[..], b" see example.com/1 "].concat();
    assert_eq!(found("picture.eml", &picture), [""; 0]);
}
