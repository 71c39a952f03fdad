//! Notices: what is not read as a reader of the links may expect is said by every call that reads documents.

use std::io::{self, Read};
use std::ops::ControlFlow;

use linksift::files::{Archives, Options};
use linksift::html::{Linkify, linkify, linkify_html, linkify_html_until, linkify_until};
use linksift::{
    ArchiveFormat, Cancel, Detected, Finder, Format, Hints, Notice, ScanError, Scanned, detect,
};

use crate::container::run::run_with;
use crate::made::ars::{ar, member};
use crate::made::tars::{entry, entry_of, tar};
use crate::made::zips::{deflated, stored, zip};
use crate::made::{compressed, warcs};

/// What each call says of a document, which is to be the same; binary data are searched.
fn notices(bytes: &[u8], hints: &Hints) -> Vec<Notice> {
    let (finder, hints) = (Finder::new(), &hints.clone().salvage(true));
    let mut candidates = finder.document(bytes, hints).unwrap();
    candidates.by_ref().for_each(drop);
    let in_memory = candidates.notices();
    assert_eq!(candidates.notice(), in_memory.first().copied());
    for block in [1, 7, 1 << 20] {
        let reader = Chunks(bytes, block);
        let scanned = finder.scan_reader(reader, hints, |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(scanned.notices(), in_memory, "in blocks of {block}");
    }
    in_memory
}

/// Gives so many bytes at once.
struct Chunks<'b>(&'b [u8], usize);

impl Read for Chunks<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(buffer.len()).min(self.0.len());
        let (now, rest) = self.0.split_at(len);
        buffer[..len].copy_from_slice(now);
        self.0 = rest;
        Ok(len)
    }
}

#[test]
fn an_unknown_charset_is_told_by_every_call() {
    let late = format!("<p>caf\u{e9}{}<meta charset=klingon>\u{80}", " ".repeat(2000));
    let late: Vec<u8> = late.chars().map(|c| c as u8).collect();
    let documents: &[(&str, &[u8])] = &[
        ("a.html", b"<meta charset=klingon><a href=http://e.com/>x</a>"),
        ("a.html", b"<meta http-equiv=content-type content='text/html; charset=klingon'>e.com"),
        ("a.html", &late),
        ("a.xml", b"<?xml version='1.0' encoding='klingon'?><a href='http://e.com/'/>"),
        ("a.css", b"@charset \"klingon\";a{background:url(http://e.com/)}"),
        ("a.txt", b"# -*- coding: klingon -*-\nhttp://e.com/\n"),
        ("", b"# vim: set fileencoding=klingon :\nhttp://e.com/\n"),
        ("", b"<meta charset=klingon><a href=http://e.com/>x</a>"),
    ];
    for (name, bytes) in documents {
        let hints = Hints::new().format(Format::Auto).name(name);
        assert_eq!(notices(bytes, &hints), [Notice::UnknownCharset], "{name} {bytes:?}");
        let found = run_with(if name.is_empty() { "a" } else { name }, bytes, &Options::new());
        assert_eq!(found.notices, [" unknown-charset"], "{name}");
    }
    // What is known, says nothing, or is decided before is not told.
    for bytes in [
        &b"<meta charset=utf-8>"[..],
        b"<meta charset=''>",
        b"\xEF\xBB\xBF<meta charset=klingon>",
        b"write <meta charset=klingon> in your page, as e.com does",
        b"# -*- coding: undecided -*-",
    ] {
        assert_eq!(notices(bytes, &Hints::new()), [], "{bytes:?}");
    }
}

#[test]
fn an_unknown_label_of_a_header_is_told() {
    let page = b"<p>http://e.com/\xE9";
    let hints = Hints::new().format(Format::Html).charset_label("klingon");
    assert_eq!(notices(page, &hints), [Notice::UnknownCharset]);
    assert_eq!(notices(b"e.com", &Hints::new().charset_label("x-none")), [Notice::UnknownCharset]);
    for label in ["latin1", " UTF-8 ", ""] {
        assert_eq!(notices(page, &hints.clone().charset_label(label)), [], "{label:?}");
    }
    // What the document says itself counts then, and the label is told all the same.
    let declares = b"<meta charset=windows-1251>http://e.com/\xFF";
    assert_eq!(notices(declares, &hints), [Notice::UnknownCharset]);
    let found = Detected::of_document(declares, &hints);
    assert_eq!(found.unwrap().unknown_label(), Some("klingon"));
    let link = Finder::new().document(declares, &hints).unwrap().links().next().unwrap();
    assert_eq!((link.raw(), link.charset().as_str()), ("http://e.com/я", "windows-1251"));

    // Of several fields the last counts.
    for (label, expected) in [("\"klingon\"", 1), ("utf-8", 0), ("''", 0), ("'latin1'", 0)] {
        let field = format!("Content-Type: text/html; charset={label}\r\n");
        let crawl = warcs::page(1, b"<a href=http://e.com/>", &field);
        let found = run_with("a.warc", &crawl, &Options::new());
        let told = found.notices.iter().filter(|one| one.ends_with("unknown-charset")).count();
        assert_eq!((told, found.links.len()), (expected, 1), "{label} {found:?}");
    }
}

#[test]
fn an_unknown_charset_of_mail_is_told() {
    for (mail, expected) in [
        ("Subject: =?klingon?q?http://e.com/=E9?=\n\nx", &[Notice::UnknownCharset][..]),
        ("Subject: =?unknown-8bit?q?http://e.com/=E9?=\n\nx", &[]),
        ("Subject: =?utf-8?q?http://e.com/?=\n\nx", &[]),
        ("Content-Type: text/html\n\n<meta charset=klingon>e.com", &[Notice::UnknownCharset]),
        ("Content-Type: text/plain; charset=klingon\n\ne.com", &[Notice::UnknownCharset]),
        // What is said of a part's document is said of the message.
        (
            "Content-Type: text/xml\n\n<!DOCTYPE a [<!ENTITY % p 'x'> %p;]><a/>",
            &[Notice::EntitiesUnread],
        ),
    ] {
        let hints = Hints::new().format(Format::Email);
        assert_eq!(notices(mail.as_bytes(), &hints), expected, "{mail}");
    }
}

/// Every kind of archive and compression, with a text in it.
fn archives() -> Vec<(&'static str, Vec<u8>)> {
    let text = b"see http://one.example/a and www.two.example\n";
    let mut all: Vec<_> = ["gz", "bz2", "zst", "xz", "lz4"]
        .map(|ending| (ending, compressed::encode(ending, text)))
        .into();
    all.push(("zip", zip(&[deflated(b"a.txt", text)])));
    all.push(("zip", zip(&[stored(b"a.txt", text)])));
    all.push(("tar", tar(&[(b"a.txt", text)])));
    all.push(("ar", ar(&[member("a.txt/", text)])));
    all.push(("warc", warcs::page(1, b"<a href=http://one.example/a>", "")));
    all
}

/// A format that is added must be in `archives` too.
#[test]
fn archives_of_all_formats_are_made() {
    let made: Vec<_> =
        archives().iter().filter_map(|(_, bytes)| detect(bytes, &Hints::new()).archive()).collect();
    // They have no magic number: a name tells them.
    let named = [ArchiveFormat::Lzma, ArchiveFormat::Brotli];
    for format in ArchiveFormat::ALL {
        assert!(made.contains(format) != named.contains(format), "{}", format.as_str());
    }
}

/// A bare host in front of a link has no part in binary data, whoever reads it: in memory, from a reader, in a file, in a
/// mail.
#[test]
fn every_call_reads_binary_data_without_bare_hosts() {
    let bytes = b"\x7FELF\0 a.example.com/http://one.example/x b.com?mailto:me@two.example \0\0";
    let expected = ["http://one.example/x", "mailto:me@two.example"];
    let finder = Finder::new();
    let hints = Hints::new().salvage(true);
    let links = |it: &mut dyn Iterator<Item = String>| assert_eq!(it.collect::<Vec<_>>(), expected);
    links(&mut finder.document(bytes, &hints).unwrap().links().map(|l| l.uri().into_owned()));
    let mut read = Vec::new();
    let each = |event: linksift::Event<'_>| {
        read.extend(event.link().map(|link| link.uri().into_owned()));
        ControlFlow::Continue(())
    };
    finder.scan_reader(Chunks(bytes, 7), &hints, each).unwrap();
    links(&mut read.into_iter());
    let found = run_with("a.bin", bytes, &Options::new());
    links(&mut found.links.iter().map(|link| link.rsplit(' ').next().unwrap().to_owned()));
    let mail =
        [&b"Content-Type: application/octet-stream\nMIME-Version: 1.0\n\n"[..], bytes].concat();
    let mail = finder.document(&mail, &hints.format(Format::Email)).unwrap().links();
    links(&mut mail.map(|link| link.uri().into_owned()));
}

#[test]
fn an_archive_that_is_not_opened_is_told_whatever_format_is_asked_for() {
    for (ending, bytes) in archives() {
        for format in [Format::Auto, Format::Text, Format::Html, Format::Json, Format::Markdown] {
            let hints = Hints::new().format(format);
            assert_eq!(notices(&bytes, &hints), [Notice::ArchiveUnopened], "{ending} as {format}");
            let finder = Finder::new();
            let bare = finder.document(&bytes, &hints.salvage(true)).unwrap().links();
            let bare = bare.filter(|link| link.raw() == "www.two.example").count();
            assert_eq!(bare, 0, "{ending} as {format}: bytes of an archive are no text");
        }
        let options = Options::new().archives(Archives::Never);
        let found = run_with(&format!("a.{ending}"), &bytes, &options);
        assert_eq!(found.notices, [" archive-unopened"], "{ending}");
        // Opened, it has nothing of the kind.
        let found = run_with(&format!("a.{ending}"), &bytes, &Options::new());
        assert!(!found.links.is_empty() && found.notices.is_empty(), "{ending}: {found:?}");
    }
    // Known by its name alone.
    let brotli = compressed::brotli(b"see http://one.example/a");
    assert_eq!(notices(&brotli, &Hints::new().name("a.br")), [Notice::ArchiveUnopened]);
    let html = Hints::new().format(Format::Html).name("a.html.br");
    assert_eq!(notices(&brotli, &html), [Notice::ArchiveUnopened]);
    // What is text is none, whatever its name.
    for text in [&b"PK is what zips begin with: e.com"[..], b"BZh91 e.com", b"", b"P", b"\x1F"] {
        for format in [Format::Text, Format::Html] {
            let hints = Hints::new().format(format).name("a.gz");
            assert_eq!(notices(text, &hints), [], "{text:?}");
        }
    }
}

/// Fails at its end.
struct Failing;

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
}

/// A scan reports the links before an error of its reader; a feed that ends there has their totals and notices too.
#[test]
fn what_fails_has_its_links_and_notices_so_far() {
    let page = b"<meta charset=klingon><a href=http://e.com/>x</a> <a href=/b>y</a> ";
    let mail = b"Content-Type: text/plain; charset=klingon\n\nhttp://e.com/ http://f.com/ more";
    let markdown = [&b"http://e.com/ http://f.com/ "[..], &b"[".repeat(1 << 20)].concat();
    let box_of = [b"From a\n", &mail[..]].concat();
    for (format, bytes, expected) in [
        (Format::Auto, &page[..], Notice::UnknownCharset),
        (Format::Email, mail, Notice::UnknownCharset),
        (Format::Mbox, &box_of, Notice::UnknownCharset),
        (Format::Markdown, &markdown, Notice::ReadAsText),
    ] {
        let hints = Hints::new().format(format);
        let given = Finder::new().scan_reader(bytes, &hints, |_| ControlFlow::Continue(()));
        let given: Scanned = given.unwrap();
        let mut links = 0;
        let failed = Finder::new().scan_reader(bytes.chain(Failing), &hints, |event| {
            links += u64::from(event.link().is_some());
            ControlFlow::Continue(())
        });
        let error = failed.unwrap_err();
        let is_reset = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionReset;
        assert!(matches!(&error, ScanError::Io(error) if is_reset(error)), "{format}");
        assert!(is_reset(&io::Error::from(error)), "{format}");
        assert_eq!(links, 2, "{format}");
        let finder = Finder::new();
        let mut feed = finder.feed(&hints);
        links = feed.push(bytes).unwrap().filter(|event| event.link().is_some()).count() as u64;
        links += feed.finish().unwrap().filter(|event| event.link().is_some()).count() as u64;
        let scanned = feed.scanned();
        assert_eq!((links, scanned.links(), scanned.bytes()), (2, 2, given.bytes()), "{format}");
        assert_eq!(scanned.notices(), [expected], "{format}");
    }
}

#[test]
fn html_that_is_cancelled_is_an_error() {
    let text = "<p>see http://example.com/ and\n".repeat(200_000);
    let options = Linkify::new();
    for (until, make) in [
        (linkify_until as fn(&str, &Linkify, &Cancel) -> _, linkify as fn(&str, &Linkify) -> _),
        (linkify_html_until, linkify_html),
    ] {
        assert_eq!(until(&text, &options, &Cancel::new()).unwrap(), make(&text, &options));
        // Before it begins, and under way.
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(matches!(until(&text, &options, &cancel), Err(ScanError::Cancelled)));
        assert!(matches!(until("", &options, &cancel), Err(ScanError::Cancelled)));
        let cancel = Cancel::new();
        let other = cancel.clone();
        let thread = std::thread::spawn(move || other.cancel());
        match until(&text, &options, &cancel) {
            Ok(html) => assert_eq!(html, make(&text, &options)),
            Err(error) => assert_eq!(error.to_string(), "cancelled"),
        }
        thread.join().unwrap();
    }
}

#[test]
fn a_table_of_names_of_ar_that_is_too_long_is_told() {
    let names = vec![b'n'; (1 << 20) + 2];
    let archive = ar(&[member("//", &names), member("/0", b"see http://one.example/a\n ")]);
    let found = run_with("a.a", &archive, &Options::new());
    assert!(found.codes().iter().any(|code| code.ends_with("length")), "{:?}", found.failures);
    assert_eq!(found.uris(), ["http://one.example/a"]);
}

#[test]
fn a_header_of_tar_that_is_too_long_is_told() {
    let text = b"see http://one.example/a\n";
    for kind in [b'x', b'L', b'g'] {
        let long = entry_of(b"long", &vec![b'n'; (1 << 20) + 1], kind);
        let found = run_with("a.tar", &[long, entry("a.txt", text)].concat(), &Options::new());
        assert!(found.codes().iter().any(|code| code.ends_with("length")), "{:?}", found.failures);
        assert_eq!(found.uris(), ["http://one.example/a"]);
    }
}

/// A uuencoded file with this many full lines, whose last line names a link.
fn uuencoded(lines: usize) -> String {
    let digit = |value: u8| if value == 0 { '`' } else { char::from(b' ' + value) };
    let mut content = b"123456789012345678901234567890123456789012345".repeat(lines);
    content.extend_from_slice(b"see http://e.com/in");
    let mut text = String::from("begin 644 notes.txt\n");
    for line in content.chunks(45) {
        text.push(digit(line.len() as u8));
        for group in line.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|at| group.get(at).copied().unwrap_or_default());
            let digits = [a >> 2, (a & 3) << 4 | b >> 4, (b & 15) << 2 | c >> 6, c & 63];
            text.extend(digits.map(digit));
        }
        text.push('\n');
    }
    text + "`\nend\n"
}

#[test]
fn uuencoded_files_in_a_text_are_told() {
    let words = |bytes: usize| "some words of a text, and more\n".repeat(bytes / 31);
    for lines in [0, 1, 2, 7, 100] {
        let file = uuencoded(lines);
        for text in [
            file.clone(),
            format!("see the file\n\n{file}\nbye\n"),
            format!("{}{file}", words(20_000)),
            file.replace('\n', "\r\n"),
            format!("caf\u{e9}\n{file}"),
        ] {
            assert_eq!(notices(text.as_bytes(), &Hints::new()), [Notice::Skipped], "{text}");
            let hints = Hints::new().format(Format::Text);
            assert_eq!(notices(text.as_bytes(), &hints), [Notice::Skipped], "{text}");
            let found = run_with("a.txt", text.as_bytes(), &Options::new());
            assert_eq!(found.notices, [" skipped"], "{text}");
        }
    }
    // Behind its first 32 KiB a text is sampled.
    for front in (32_000..34_000).step_by(61).chain([100_000, 1_000_000]) {
        let text = words(front) + &uuencoded(8) + &words(5_000);
        assert_eq!(notices(text.as_bytes(), &Hints::new()), [Notice::Skipped], "{front}");
    }
    let latin = [b"caf\xE9\n".as_slice(), uuencoded(3).as_bytes()].concat();
    let hints = Hints::new().charset("windows-1252".parse().unwrap());
    assert_eq!(notices(&latin, &hints), [Notice::Skipped]);
    for text in [
        "begin 644 notes.txt and then go on\nwith words",
        "to begin 644 x\nMABC",
        "begin 644 notes.txt\nHELLO WORLD\nend\n",
        &"1234567 8901 2345 6789\n".repeat(3_000),
        &"M".repeat(100_000),
    ] {
        assert_eq!(notices(text.as_bytes(), &Hints::new()), [], "{text}");
    }
}

#[test]
fn uuencoded_files_that_are_not_decoded_in_mail_are_told() {
    let file = uuencoded(2);
    let escaped = file.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    assert_ne!(file, escaped);
    for (head, body, expected) in [
        ("text/html", format!("<pre>\n{escaped}</pre>"), &[Notice::Skipped][..]),
        ("text/html", format!("<p>a</p>\n{file}"), &[]),
        ("text/plain; format=flowed; delsp=yes", file.clone(), &[Notice::Skipped]),
        ("text/enriched", file.clone(), &[Notice::Skipped]),
        ("text/plain", file.clone(), &[]),
    ] {
        let mail = format!("Content-Type: {head}\n\n{body}");
        let hints = Hints::new().format(Format::Email);
        assert_eq!(notices(mail.as_bytes(), &hints), expected, "{mail}");
    }
}

#[test]
fn archives_that_end_in_their_magic_number_fail() {
    for (name, bytes) in [
        ("a", &b"BZh91A"[..]),
        ("a", b"BZh91AY"),
        ("a.bz2", b"BZh91AY&S"),
        ("a.bz2", b"BZh9"),
        ("a.bz2", b"BZh"),
        ("a", b"\x1F\x8B"),
        ("a", b"\xFD7z"),
        ("a", b"\xFD7zXZ"),
        ("a", b"\x28\xB5\x2F"),
        ("a", b"\x04\x22\x4D"),
        ("a", b"PK\x03"),
    ] {
        let found = run_with(name, bytes, &Options::new());
        assert_eq!(found.failures.len(), 1, "{name} {bytes:?} {found:?}");
        assert_eq!(notices(bytes, &Hints::new().name(name)), [Notice::ArchiveUnopened], "{name}");
    }
    for (name, text) in [("a", "BZh9"), ("a", "BZh91"), ("a.bz2", "B"), ("a", "PK"), ("a", "!<ar")]
    {
        let found = run_with(name, text.as_bytes(), &Options::new());
        assert!(found.failures.is_empty() && found.notices.is_empty(), "{name} {text} {found:?}");
    }
}

#[test]
fn a_message_that_is_cut_in_its_header_is_told() {
    let mail = "From: a@e.com\nTo: b@e.com\nSubject: see http://e.com/ now\n\tand later\nX-A: 1\n";
    let hints = Hints::new().format(Format::Email);
    for line_end in ["\n", "\r\n"] {
        let whole = format!("{mail}\nbody").replace('\n', line_end);
        let header = whole.len() - "body".len() - line_end.len();
        for end in 8..=header {
            let cut = &whole.as_bytes()[..end];
            // The body of a message may be missing.
            let is_line = cut.ends_with(b"\n") || cut.ends_with(b"\r") && !cut.contains(&b'\n');
            let wanted: &[Notice] = match is_line {
                true => &[],
                false => &[Notice::SourceTruncated],
            };
            assert_eq!(notices(cut, &hints), wanted, "{end} of {whole:?}");
        }
        for end in header + line_end.len()..=whole.len() {
            assert_eq!(notices(&whole.as_bytes()[..end], &hints), [], "{end} of {whole:?}");
        }
        let found = run_with("a.eml", &whole.as_bytes()[..20], &Options::new());
        assert_eq!(found.notices, [" source-truncated"]);
    }
    let mailbox =
        format!("From a Mon Jan  1 00:00:00 2024\n{mail}\nFrom b Mon Jan  1 00:00:00 2024\n{mail}");
    let of_mailbox = Hints::new().format(Format::Mbox);
    assert_eq!(notices(mailbox.as_bytes(), &of_mailbox), []);
    let cut = mailbox.trim_end();
    assert_eq!(notices(cut.as_bytes(), &of_mailbox), [Notice::SourceTruncated]);
    let later = format!("{mailbox}\nx\n");
    assert_eq!(notices(later.as_bytes(), &of_mailbox), []);
    let part = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/ht";
    assert_eq!(notices(part.as_bytes(), &hints), [Notice::SourceTruncated]);
    // The text of a part may follow its header without an empty line.
    let part = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\nsee a\n--b--\n";
    assert_eq!(notices(part.as_bytes(), &hints), []);
}

/// Parts of a message in a mailbox, of a message in a part, and members of an archive that is attached.
#[test]
fn a_notice_names_the_part_that_it_is_about() {
    let zip =
        zip(&[deflated(b"a.txt", b"see example.com"), deflated(b"b.png", b"\x89PNG\r\n\x1A\n")]);
    let message = [
        &b"Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nsee example.com\n--b\n"[..],
        b"Content-Transfer-Encoding: x-odd\n\nsee example.org\n--b\nContent-Type: message/rfc822\n\n",
        b"Content-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: text/plain; charset=klingon\n\n",
        b"see example.net\n--c\nContent-Transfer-Encoding: x-odd\n\nx\n--c--\n--b\nContent-Type: application/zip; name=z.zip\n",
        b"Content-Transfer-Encoding: binary\n\n",
        &zip,
        b"\n--b--\n",
    ]
    .concat();
    let told = |bytes: &[u8]| {
        let mut told = Vec::new();
        let opening = linksift::container::Opening::bytes(bytes);
        let _ = linksift::files::scan_one(opening.name("a.eml"), &Options::new(), |event| {
            if let linksift::Event::Noticed { member, part, notice, .. } = event {
                told.push(format!(
                    "{} {} {}",
                    member.as_str(),
                    part.unwrap_or("-"),
                    notice.as_str()
                ));
            }
            ControlFlow::Continue(())
        });
        told
    };
    let wanted = ["b.png 4 media-unread", " 2 unknown-transfer", " 3.1 unknown-charset"];
    assert_eq!(told(&message), wanted);
    let mailbox = [b"From a@b Sat Jan  3 01:05:34 1996\n", &message[..]].concat();
    assert_eq!(told(&mailbox)[1..], [" 1!2 unknown-transfer", " 1!3.1 unknown-charset"]);
    // About the message itself.
    assert_eq!(
        told(&[b"Content-Type: text/html\n", &message[..]].concat())[1],
        " - duplicate-header"
    );
    let hints = Hints::new().format(Format::Email);
    let scanned = Finder::new().scan_reader(&message[..], &hints, |_| ControlFlow::Continue(()));
    let scanned = scanned.unwrap();
    assert_eq!(scanned.notice_part(Notice::UnknownTransfer), Some("2"));
    assert_eq!(scanned.notice_part(Notice::UnknownCharset), Some("3.1"));
    assert_eq!(scanned.notice_part(Notice::Binary), None);
}
