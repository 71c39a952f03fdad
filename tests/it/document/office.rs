//! Old Office: documents of our own making, damaged ones, and the shared samples with what other readers find in them.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;

use crate::made::compound::{atom, compound, hyperlink, join, record, word, word_of_pieces};
use crate::made::store::{Node, store};
use crate::made::zips::{stored, zip};
use crate::support::dice::Dice;
use linksift::{Candidate, Event, Finder, Format, Headers, Hints, NotRead, Notice};

/// Returns the links of a document as lines, and its notices; the reason, if it is not read.
fn read(bytes: &[u8]) -> (Vec<String>, Vec<Notice>) {
    let finder = Finder::new();
    let mut links = match finder.document(bytes, &Hints::new()) {
        Ok(links) => links,
        Err(reason) => return (vec![reason.to_string()], vec![]),
    };
    let lines = links.by_ref().filter_map(Candidate::into_link).map(|link| {
        let object = link.object().unwrap_or_default().to_owned();
        let shown = link.text_host().map(|host| format!(" shown {host}")).unwrap_or_default();
        format!("{object} {} {:?} {}{shown}", link.context(), link.range(), link.uri())
    });
    let lines = lines.collect();
    (lines, links.notices().to_vec())
}

#[test]
fn paragraphs_and_fields_of_word() {
    let text = "see \u{13} HYPERLINK \"http://one.example/a\" \\l \"b\" \u{14}www.bank.com\u{15}, \
        www.two\u{1F}.com\rnext\u{7}me@three.com\r\u{13} PAGE \u{14}http://four.example/\u{15}";
    let (lines, notices) = read(&word(text));
    let wanted = [
        "WordDocument office:link 0..22 http://one.example/a#b shown www.bank.com",
        "WordDocument office:text 5..17 https://www.bank.com",
        "WordDocument office:text 19..30 https://www.two.com",
        "WordDocument office:text 36..48 mailto:me@three.com",
        "WordDocument office:text 49..69 http://four.example/",
    ];
    assert_eq!((lines, notices), (wanted.map(str::to_owned).to_vec(), vec![]));
}

/// U+001E is a hyphen at which no line ends, U+001F one that only shows where a line ends.
#[test]
fn hyphens_of_word() {
    let text = "http://no\u{1E}break.example/x\u{1E}y \u{13} HYPERLINK \"http://a\u{1E}b.example/\" \u{14}x\u{15}";
    let (lines, notices) = read(&word(text));
    let wanted = [
        "WordDocument office:link 0..19 http://a-b.example/",
        "WordDocument office:text 0..27 http://no-break.example/x-y",
    ];
    assert_eq!((lines, notices), (wanted.map(str::to_owned).to_vec(), vec![]));
}

/// U+0002 is the mark of a note, a number; U+0005 that of a comment, which is beside the text.
#[test]
fn marks_of_notes_in_word() {
    let (lines, _) = read(&word("http://one.example/x\u{2}and http://two.example/y\u{5}z"));
    let wanted = [
        "WordDocument office:text 0..20 http://one.example/x",
        "WordDocument office:text 25..46 http://two.example/yz",
    ];
    assert_eq!(lines, wanted);
}

/// Pieces that overlap would multiply the text.
#[test]
fn overlapping_pieces_of_word_end_with_a_notice() {
    let text = format!("http://one.example/{}\r", "a".repeat(2000));
    let (lines, notices) = read(&word_of_pieces(&text, 1000));
    assert_eq!((lines.len(), notices), (1, vec![Notice::OfficeLimit]));
}

/// The text of a cell or a field with many links is not copied whole for each.
#[test]
fn shown_texts_are_cut() {
    let long = format!("http://www.bank.com/ {}", "x".repeat(10_000));
    let field = format!("\u{13} HYPERLINK \"http://one.example/\" \u{14}{long}\u{15}");
    let (lines, notices) = read(&word(&field));
    let wanted = "WordDocument office:link 0..19 http://one.example/ shown www.bank.com";
    assert_eq!((lines[0].as_str(), notices), (wanted, vec![]));
}

/// Makes a workbook: a string that continues in another record as UTF-16, a link of its cell, a formula.
pub(super) fn workbook() -> Vec<u8> {
    let strings = join(&[&[1, 0, 0, 0, 1, 0, 0, 0], &[12, 0, 0], b"www.b"]);
    let rest: Vec<u8> = "ank.com".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let formula = join(&[&[0; 22], &[0x17, 17, 0], b"http://e.example/", &[0x42, 1, 0x67, 1]]);
    let link = join(&[&[0; 24], &hyperlink("http://one.example/", "x")]);
    let records = [
        record(0x809, &[0, 6, 5, 0]),
        record(0xFC, &strings),
        record(0x3C, &join(&[&[1], &rest])),
        record(0x809, &[0, 6, 16, 0]),
        record(0xFD, &[0; 10]),
        record(0x1B8, &link),
        record(0x06, &formula),
    ];
    records.concat()
}

#[test]
fn cells_links_and_formulas_of_excel() {
    let (lines, notices) = read(&compound(&[("Workbook", &workbook())]));
    let wanted = [
        "Workbook office:link 0..19 http://one.example/ shown www.bank.com",
        "Workbook office:link 0..17 http://e.example/",
        "Workbook office:text 0..12 https://www.bank.com",
    ];
    assert_eq!((lines, notices), (wanted.map(str::to_owned).to_vec(), vec![]));
    let encrypted = [record(0x809, &[0, 6, 5, 0]), record(0x2F, &[0; 6])].concat();
    let found = read(&compound(&[("Workbook", &encrypted)]));
    assert_eq!(found, (vec![NotRead::Encrypted.to_string()], vec![]));
}

/// Formulas in reverse Polish notation: the address is a string, or put together.
#[test]
fn addresses_in_formulas_of_excel() {
    let string = |text: &str| join(&[&[0x17, text.len() as u8, 0], text.as_bytes()]);
    let link = |count: u8| vec![0x42, count, 0x67, 1];
    let [cell, concat, upper, text] =
        [vec![0x44, 1, 0, 0, 0xC0], vec![8], vec![0x41, 113, 0], vec![0x41, 48, 0]];
    let url = string("http://one.example/");
    for (tokens, is_link) in [
        (vec![url.clone(), link(1)], true),
        (vec![url.clone(), string("x"), link(2)], true),
        (vec![url.clone(), vec![0x15], cell.clone(), string("0"), text.clone(), link(2)], true),
        (vec![url.clone(), cell.clone(), concat.clone(), string("x"), link(2)], false),
        (vec![url.clone(), cell.clone(), string("0"), text, concat.clone(), link(1)], false),
        (vec![url.clone(), upper, string("x"), link(2)], false),
        (vec![cell.clone(), url.clone(), link(2)], false),
        (vec![url.clone(), cell.clone(), string("x"), vec![0x41, 0x5A, 1], link(2)], true),
        (vec![url.clone(), cell.clone(), cell.clone(), vec![0x41, 0x1D, 1], link(2)], true),
        (vec![cell, vec![0x19, 2, 9, 0], url.clone(), link(1), vec![0x42, 2, 1, 0]], true),
        (vec![url.clone(), vec![0x19, 0x40, 0, 1], link(1), string("x"), concat], true),
        (vec![url.clone(), vec![0x18], link(1)], false),
        (vec![url, link(2)], false),
    ] {
        let formula = join(&[&[0; 22], &tokens.concat()]);
        let book = [record(0x809, &[0, 6, 5, 0]), record(0x06, &formula)].concat();
        let (lines, _) = read(&compound(&[("Workbook", &book)]));
        assert_eq!(lines.len(), usize::from(is_link), "{tokens:?}");
    }
}

/// The codes in the header of a sheet end its texts.
#[test]
fn headers_of_excel() {
    let header = br#"&Lwww.example.org&C&"Arial,Bold"&12http://two.example/?a&&b&8 small &K00FF00me@example.org&P &"#;
    let body = join(&[&[header.len() as u8, 0, 0], header]);
    let book = [record(0x809, &[0, 6, 5, 0]), record(0x14, &body)].concat();
    let (lines, _) = read(&compound(&[("Workbook", &book)]));
    let uris: Vec<_> = lines.iter().filter_map(|line| line.rsplit(' ').next()).collect();
    assert_eq!(
        uris,
        ["https://www.example.org", "http://two.example/?a&b", "mailto:me@example.org"]
    );
}

pub(super) fn presentation() -> Vec<u8> {
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let link = [atom(0, 0xFD3, &[7, 0, 0, 0]), atom(0x10, 0xFBA, &wide("http://one.example/"))];
    let stream = join(&[
        &atom(0xF, 0xFD7, &link.concat()),
        &atom(0, 0xFA8, b"go to www.bank.com\rnow"),
        &atom(0xF, 0xFF2, &atom(0, 0xFF3, &[0, 0, 0, 0, 7, 0, 0, 0])),
        &atom(0, 0xFDF, &[6, 0, 0, 0, 18, 0, 0, 0]),
        &atom(0, 0xFA0, &wide("http://two.example/é")),
    ]);
    compound(&[("PowerPoint Document", &stream)])
}

#[test]
fn texts_and_links_of_powerpoint() {
    let (lines, notices) = read(&presentation());
    let object = "PowerPoint Document";
    let wanted = [
        "office:link 0..19 http://one.example/ shown www.bank.com",
        "office:text 6..18 https://www.bank.com",
        "office:text 23..44 http://two.example/%C3%A9",
    ];
    assert_eq!((lines, notices), (wanted.map(|line| format!("{object} {line}")).to_vec(), vec![]));
}

#[test]
fn properties_and_embedded_files() {
    let text = b"see http://one.example/\0";
    let set = join(&[
        &[0; 4],
        &[2, 0, 0, 0, 2, 0, 0, 0, 24, 0, 0, 0, 7, 0, 0, 0, 24, 0, 0, 0],
        &[30, 0, 0, 0, text.len() as u8, 0, 0, 0],
        text,
    ]);
    let properties = join(&[&[0; 24], &[1, 0, 0, 0], &[0; 16], &[48, 0, 0, 0], &set]);
    let file = b"<a href='http://two.example/'>x</a>";
    let package = join(&[
        &[0, 0, 0, 0, 2, 0],
        b"a.html\0c:\\a.html\0",
        &[0, 0, 3, 0, 2, 0, 0, 0, b'x', 0],
        &[file.len() as u8, 0, 0, 0],
        file,
    ]);
    let bytes = compound(&[
        ("Workbook", &record(0x809, &[0, 6, 5, 0])),
        ("\u{5}SummaryInformation", &properties),
        ("_1/\u{1}Ole10Native", &package),
    ]);
    let finder = Finder::new();
    let links = finder.document(&bytes, &Hints::new()).unwrap().filter_map(Candidate::into_link);
    let found: Vec<_> = links
        .map(|link| format!("{:?} {} {}", link.member(), link.context(), link.uri()))
        .collect();
    let wanted =
        ["None office:property http://one.example/", "Some(\"a.html\") a@href http://two.example/"];
    assert_eq!(found, wanted);
}

/// Makes a message of Outlook: headers of its transport, two bodies, a recipient, an attachment.
pub(super) fn message() -> Vec<u8> {
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let fixed =
        |tag: u32, value: u32| join(&[&tag.to_le_bytes(), &[0; 4], &value.to_le_bytes(), &[0; 4]]);
    let headers = "Microsoft Mail Internet Headers Version 2.0\r\nFrom: a@one.com\r\n\
        Content-Type: text/plain\r\nList-Unsubscribe: <http://u.example/>\r\n\r\n";
    let properties = join(&[&[0; 32], &fixed(0x3FDE_0003, 28591), &fixed(0x3FFD_0003, 1252)]);
    compound(&[
        ("__properties_version1.0", &properties),
        ("__substg1.0_007D001F", &wide(headers)),
        ("__substg1.0_0037001F", &wide("about http://s.example/")),
        ("__substg1.0_1000001F", &wide("see http://plain.example/é now")),
        ("__substg1.0_10130102", b"<p><a href='http://html.example/\xE9'>x</a>"),
        ("__attach_version1.0_#00000000/__properties_version1.0", &[0; 8]),
        ("__attach_version1.0_#00000000/__substg1.0_3707001F", &wide("a.txt")),
        ("__attach_version1.0_#00000000/__substg1.0_37010102", b"in http://file.example/ it"),
        ("__recip_version1.0_#00000000/__properties_version1.0", &[0; 8]),
        ("__recip_version1.0_#00000000/__substg1.0_39FE001F", &wide("b@two.com")),
    ])
}

#[test]
fn bodies_headers_and_attachments_of_outlook() {
    let bytes = message();
    let hints = Hints::new().format(Format::Auto).headers(Headers::All);
    let mut found = Vec::new();
    let scanned = Finder::new().scan_reader(&bytes[..], &hints, |event| {
        if let Event::Link { link, .. } = event {
            let place = format!("{} {}", link.part().unwrap_or_default(), link.object().unwrap());
            found.push(format!("{place} {} {:?} {}", link.context(), link.range(), link.uri()));
        }
        ControlFlow::Continue(())
    });
    assert_eq!(scanned.unwrap().notices(), []);
    let wanted = [
        " 007D header:from 51..60 mailto:a@one.com",
        " 007D header:list-unsubscribe 107..124 http://u.example/",
        " 0037 header:subject 6..23 http://s.example/",
        " recipient 1/39FE header:to 0..9 mailto:b@two.com",
        "1.1 1000 text 4..27 http://plain.example/%C3%A9",
        "1.2 1013 a@href 12..33 http://html.example/%C3%A9",
        "2 attachment 1/3701 text 3..23 http://file.example/",
    ];
    assert_eq!(found, wanted);
}

/// The sender's properties are a field whose display name is compared, and so is a target with the text before it.
#[test]
fn names_and_texts_of_outlook_that_are_others() {
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let bytes = compound(&[
        ("__properties_version1.0", &[0; 32]),
        ("__substg1.0_0C1A001F", &wide("bank@bank.com")),
        ("__substg1.0_0C1F001F", &wide("x@evil.net")),
        ("__substg1.0_1000001F", &wide("at https://bank.com/a<https://evil.net/a> now")),
    ]);
    let hints = Hints::new().format(Format::Auto).headers(Headers::All);
    let mut found = Vec::new();
    let scanned = Finder::new().scan_reader(&bytes[..], &hints, |event| {
        if let Event::Link { link, .. } = event
            && let Some(shown) = link.text_host()
        {
            found.push(format!("{} {shown} {:?}", link.uri(), link.severity()));
        }
        ControlFlow::Continue(())
    });
    assert!(scanned.is_ok());
    let wanted = [
        "mailto:x@evil.net bank.com Some(Deceptive)",
        "https://evil.net/a bank.com Some(Deceptive)",
    ];
    assert_eq!(found, wanted);
}

/// Makes a store: a folder below the top, a message in it with an attachment.
pub(super) fn outlook_store() -> Vec<u8> {
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let (top, inbox) = (wide("Top of Personal Folders"), wide("In/box"));
    let body = wide("see http://plain.example/ now");
    let (name, to, cc) = (wide("B of www.two.com"), wide("b@two.com"), wide("c@three.com"));
    let folder = |number, parent, name| Node {
        number,
        parent,
        properties: name,
        attachments: &[],
        recipients: &[],
    };
    store(&[
        folder(0x122, 0x122, &[]),
        folder(0x8022, 0x122, &[(0x3001, 0x1F, &top)]),
        folder(0x8042, 0x8022, &[(0x3001, 0x1F, &inbox)]),
        Node {
            number: 0x20_0024,
            parent: 0x8042,
            properties: &[
                (0x1000, 0x1F, &body),
                (0x1013, 0x102, b"<a href='http://html.example/'>x</a>"),
            ],
            attachments: &[&[(0x3701, 0x102, b"in http://file.example/ it")]],
            recipients: &[
                &[(0x0C15, 3, &[1, 0, 0, 0]), (0x3001, 0x1F, &name), (0x39FE, 0x1F, &to)],
                &[(0x0C15, 3, &[2, 0, 0, 0]), (0x3001, 0x1F, &cc), (0x39FE, 0x1F, &cc)],
            ],
        },
    ])
}

#[test]
fn messages_of_a_store_are_its_members() {
    let bytes = outlook_store();
    let finder = Finder::new();
    let mut links = finder.document(&bytes, &Hints::new()).unwrap();
    let lines = links.by_ref().filter_map(Candidate::into_link).map(|link| {
        let place = [link.member(), link.part(), link.object()].map(Option::unwrap_or_default);
        format!("{} {:?} {}", place.join(" "), link.range(), link.uri())
    });
    let lines: Vec<_> = lines.collect();
    let wanted = [
        "In%2Fbox!2097188 1.1 1000 4..25 http://plain.example/",
        "In%2Fbox!2097188 1.2 1013 9..29 http://html.example/",
        "In%2Fbox!2097188 2 attachment 1/3701 3..23 http://file.example/",
    ];
    assert_eq!(lines, wanted);
    assert_eq!(links.notices().to_vec(), []);
    // Pages of 4 KiB.
    let mut later = bytes;
    later[10] = 36;
    assert_eq!(read(&later), (vec![NotRead::Unsupported.to_string()], vec![]));
}

/// Returns what a message or a store gives of its fields and parts, in order.
fn told(bytes: &[u8]) -> Vec<String> {
    let hints = Hints::new().format(Format::Auto).headers(Headers::All);
    let mut found = Vec::new();
    let scanned = Finder::new().scan_reader(bytes, &hints, |event| {
        match event {
            Event::Part { part, .. } => {
                let place = [part.member(), part.part()].map(|one| one.unwrap_or("-"));
                let [kind, name] = [part.content_type(), part.name()];
                found.push(format!("part {} {kind:?} {name:?}", place.join(" ")));
            }
            Event::Link { link, .. } => {
                let place =
                    [link.member(), link.part(), link.object()].map(|one| one.unwrap_or("-"));
                found.push(format!("{} {} {}", place.join(" "), link.context(), link.uri()));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    assert_eq!(scanned.unwrap().notices(), []);
    found
}

#[test]
fn parts_of_messages_come_before_their_links() {
    let wanted = [
        "- - 007D header:list-unsubscribe http://u.example/",
        "- - 0037 header:subject http://s.example/",
        "- - 007D header:from mailto:a@one.com",
        "- - recipient 1/39FE header:to mailto:b@two.com",
    ];
    let found = told(&message());
    assert_eq!(
        found.iter().filter(|line| line.contains("header:")).count(),
        wanted.len(),
        "{found:?}"
    );
    assert!(wanted.iter().all(|line| found.iter().any(|found| found == line)), "{found:?}");
    let parts: Vec<_> = found.iter().filter(|line| !line.contains("header:")).collect();
    let wanted = [
        "part - 1.1 Some(\"text/plain\") None",
        "- 1.1 1000 text http://plain.example/%C3%A9",
        "part - 1.2 Some(\"text/html\") None",
        "- 1.2 1013 a@href http://html.example/%C3%A9",
        "part - 2 Some(\"application/octet-stream\") Some(\"a.txt\")",
        "- 2 attachment 1/3701 text http://file.example/",
    ];
    assert_eq!(parts, wanted.each_ref());
    // In mail they have the part of the attachment around them.
    let mail = [
        b"Content-Type: application/vnd.ms-outlook\r\nContent-Transfer-Encoding: binary\r\n\r\n"
            .to_vec(),
        message(),
    ];
    let mut parts = Vec::new();
    Finder::new()
        .scan_reader(&mail.concat()[..], &Hints::new().format(Format::Email), |event| {
            if let Event::Part { part, .. } = event {
                parts.push(part.part().unwrap_or("-").to_owned());
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(parts, ["1", "1/1.1", "1/1.2", "1/2"]);
}

#[test]
fn recipients_of_a_store_are_fields() {
    let found = told(&outlook_store());
    let fields: Vec<_> = found.iter().filter(|line| line.contains("header:")).collect();
    let wanted = [
        "In%2Fbox!2097188 - recipient 1/39FE header:to mailto:b@two.com",
        "In%2Fbox!2097188 - recipient 2/39FE header:cc mailto:c@three.com",
    ];
    assert_eq!(fields, wanted.each_ref());
    let parts: Vec<_> = found.iter().filter(|line| line.starts_with("part ")).collect();
    let wanted = ["1.1 Some(\"text/plain\") None", "1.2 Some(\"text/html\") None"];
    assert_eq!(parts[..2], wanted.map(|part| format!("part In%2Fbox!2097188 {part}")).each_ref());
}

/// A message in a message in a message, with a zip in the innermost one.
fn nested() -> Vec<u8> {
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let zip = zip(&[stored(b"a.html", b"<a href='http://zip.example/'>x</a>")]);
    let (outer, inner, deep) = (
        wide("http://outer.example/"),
        wide("http://inner.example/"),
        wide("http://deep.example/"),
    );
    let name = wide("a.zip");
    let item = "__attach_version1.0_#00000000/__substg1.0_3701000D";
    let path = |depth: usize, name: &str| format!("{}{name}", format!("{item}/").repeat(depth));
    let attached =
        |depth: usize, name: &str| path(depth, &format!("__attach_version1.0_#00000000/{name}"));
    let streams: Vec<(String, &[u8])> = vec![
        ("__properties_version1.0".to_owned(), &[0; 32]),
        ("__substg1.0_1000001F".to_owned(), &outer),
        (attached(0, "__properties_version1.0"), &[0; 8]),
        (path(1, "__properties_version1.0"), &[0; 24]),
        (path(1, "__substg1.0_1000001F"), &inner),
        (attached(1, "__properties_version1.0"), &[0; 8]),
        (path(2, "__properties_version1.0"), &[0; 24]),
        (path(2, "__substg1.0_1000001F"), &deep),
        (attached(2, "__properties_version1.0"), &[0; 8]),
        (attached(2, "__substg1.0_3707001F"), &name),
        (attached(2, "__substg1.0_37010102"), &zip),
    ];
    let streams: Vec<(&str, &[u8])> =
        streams.iter().map(|(path, bytes)| (&**path, *bytes)).collect();
    compound(&streams)
}

#[test]
fn messages_in_messages_and_attached_archives_are_read() {
    use linksift::container::Opening;
    use linksift::files::{self, Options};
    let mut found = Vec::new();
    let _ = files::scan_one(Opening::bytes(nested()).name("a.msg"), &Options::new(), |event| {
        if let Event::Link { link, .. } = &event {
            let place = [link.member(), link.part(), link.object()].map(|one| one.unwrap_or("-"));
            found.push(format!("{} {}", place.join(" "), link.uri()));
        }
        if let Event::Noticed { notice, .. } = &event {
            found.push(notice.as_str().to_owned());
        }
        ControlFlow::Continue(())
    });
    let wanted = [
        "- 1.1 1000 http://outer.example/",
        "- 2.1.1 attachment 1/1000 http://inner.example/",
        "- 2.2.1.1 attachment 1/attachment 1/1000 http://deep.example/",
        "a.html 2.2.2 - http://zip.example/",
    ];
    assert_eq!(found, wanted);
}

/// A compound file without a document is searched like other binary data.
#[test]
fn other_compound_files_are_binary() {
    let bytes = compound(&[("VisioDocument", b"see http://one.example/ and www.two.com")]);
    let finder = Finder::new();
    assert_eq!(finder.document(&bytes, &Hints::new()).unwrap_err(), NotRead::Binary);
    let mut links = finder.document(&bytes, &Hints::new().salvage(true)).unwrap();
    let link = links.next().and_then(Candidate::into_link).unwrap();
    assert_eq!((&*link.uri(), link.object()), ("http://one.example/", None));
    assert_eq!(&bytes[link.range()], b"http://one.example/");
    assert!(links.next().is_none());
    assert_eq!(links.notices().to_vec(), [Notice::Binary]);
}

/// Cut and altered documents: no panic, and the time of each is bounded by its length.
#[test]
fn damaged_documents_end() {
    let long = "http://one.example/ ".repeat(600);
    let sheets = compound(&[("Workbook", &workbook()), ("_1/Book", &workbook())]);
    let seeds = [word(&long), sheets, message(), outlook_store()];
    let mut dice = Dice::new(59);
    let mut damaged = 0;
    for number in 0..4_000 {
        let mut bytes = seeds[number % 4].clone();
        if dice.once_in(4) {
            bytes.truncate(dice.below(bytes.len()));
        }
        for _ in 0..dice.below(12) {
            let Some(last) = bytes.len().checked_sub(1) else { break };
            let at = dice.below(last + 1);
            bytes[at] = [0, 1, 0x7F, 0xFF, dice.below(256) as u8][dice.below(5)];
        }
        let (_, notices) = read(&bytes);
        damaged += usize::from(notices.contains(&Notice::OfficeDamaged));
    }
    assert!(damaged > 100, "{damaged}");
}

/// The shared samples: links that other readers find, and how many of ours they find.
#[test]
#[cfg_attr(not(samples), ignore = "needs the samples beside the project")]
fn samples_have_the_links_of_other_readers() {
    let folder = crate::root().join("../shared/samples/ole");
    let expected = fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&expected).unwrap();
    let finder = Finder::new();
    let plain = |uri: &str| uri.trim_end_matches('/').to_lowercase();
    for kind in ["doc", "xls", "ppt", "msg", "pst"] {
        // Other readers leave out the names of pictures in messages (`cid:`).
        let is_counted = |uri: &String| !uri.starts_with("cid:");
        let (mut wanted, mut found, mut both) = (0, 0, 0);
        for (path, links) in expected.iter().filter(|(path, _)| path.starts_with(kind)) {
            let bytes = fs::read(folder.join(path)).unwrap();
            let of_others =
                links.as_array().unwrap().iter().map(|uri| plain(uri.as_str().unwrap()));
            let of_others: BTreeSet<String> = of_others.collect();
            let hints = Hints::new();
            let ours = finder
                .document(&bytes, &hints)
                .into_iter()
                .flatten()
                .filter_map(Candidate::into_link);
            let ours: BTreeSet<String> =
                ours.map(|link| plain(&link.uri())).filter(is_counted).collect();
            (wanted, found) = (wanted + of_others.len(), found + ours.len());
            both += of_others.intersection(&ours).count();
        }
        assert!(
            both * 100 >= wanted * 92 && (both * 100 >= found * 90 || kind == "msg"),
            "{kind}: {both} {wanted} {found}"
        );
    }
}
