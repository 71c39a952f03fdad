//! Odd documents: what a name, a declaration or a byte says wrongly of them.

use crate::made::compressed::gzip;
use crate::made::pdfs;
use crate::made::zips::{stored, zip};

type Bytes = Vec<u8>;

/// A document with its name, the URIs that it holds, and the codes of what is told of it.
type Outcome = (&'static str, Bytes, &'static [&'static str], &'static [&'static str]);

const PAGE: &str = "<p>see www.one.com/x <a href=\"http://two.example/?a&amp;b\">two</a> and http://three.example/ here</p>";
const PAGE_LINKS: &[&str] =
    &["https://www.one.com/x", "http://two.example/?a&b", "http://three.example/"];
const TEXT: &str =
    "see www.one.com/x and http://two.example/?a&b, mailto:me@three.example and so on, here\n";
const TEXT_LINKS: &[&str] =
    &["https://www.one.com/x", "http://two.example/?a&b", "mailto:me@three.example"];
const SURE: &[&str] = &["http://two.example/?a&b", "mailto:me@three.example"];

/// Control words, groups and numbers directly after links, and before them.
const RTF: &str = "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\r\n\
    {\\field{\\*\\fldinst{HYPERLINK \"https://one.example/field\"}}{\\fldrslt{\\ul https://one.example/shown}}}\\par\r\n\
    see https://two.example/y\\par https://two.example/?a=b\\line\\b0https://two.example/c#d\\tab www.three.com/e\\par\r\n\
    {\\b https://three.example/f}\\~{\\i https://thr\r\nee.ex{\\i ample/g}}\\'94 mailto:me@three.example\\par }";
const RTF_LINKS: &[&str] = &[
    "https://one.example/field",
    "https://one.example/shown",
    "https://two.example/y",
    "https://two.example/?a=b",
    "https://two.example/c#d",
    "https://www.three.com/e",
    "https://three.example/f",
    "https://three.example/g",
    "mailto:me@three.example",
];

/// Folds, one of them in a character; an identifier, HTML, escapes.
const EVENT: &[u8] = b"BEGIN:VCALENDAR\r\nuid:a1@one.example.com\r\nurl:https://one.example/a\r\n b\r\n\
    description:see https://two.example/c\\, https\\://two.example/\xC3\r\n\t\xA9\\nwww.three.com/d\r\n\
    x-alt-desc;fmttype=text/html:<a href='https://three.example/?e&amp\\;f'>g</a>\r\nattendee:mailto:me@\r\n three.example\r\n";
const EVENT_LINKS: &[&str] = &[
    "https://one.example/ab",
    "https://two.example/c",
    "https://two.example/%C3%A9",
    "https://www.three.com/d",
    "https://three.example/?e&f",
    "mailto:me@three.example",
];
const CARD: &[u8] = b"BEGIN:VCARD\nVERSION:2.1\nURL;QUOTED-PRINTABLE:https://one.example/?a=3D=\nb\n\
    NOTE;CHARSET=ISO-8859-1:https://two.example/\xE9\nIMPP:xmpp:me@example.com\nORG:https://three.example/\xC3\n \xA9\nEND:VCARD\n";
const CARD_LINKS: &[&str] = &[
    "https://one.example/?a=b",
    "https://two.example/%C3%A9",
    "xmpp:me@example.com",
    "https://three.example/%C3%A9",
];
const TWO_CARDS: &[&str] = &[
    "https://one.example/?a=b",
    "https://two.example/%C3%A9",
    "xmpp:me@example.com",
    "https://three.example/%C3%A9",
    "https://one.example/?a=b",
    "https://two.example/%C3%A9",
    "xmpp:me@example.com",
    "https://three.example/%C3%A9",
];

/// XML without a declaration.
const ELEMENTS: &str = "<config>\n <item url='https://one.example/?a&amp;b'/>\n <x2>https://two.example/?a&amp;b</x2>\n</config>\n";
const ELEMENT_LINKS: &[&str] = &["https://one.example/?a&b", "https://two.example/?a&b"];
const CHAT: &str =
    "<alice> hi, see https://one.example/?a&b\n<bob> try <item>https://two.example/?a&b</item>\n";
const TRANSLATION: &str = "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS><source>https://one.example/?a&amp;b</source></TS>\n";
const NOTEBOOK: &str = r#"{"cells": [{"cell_type": "markdown", "source": ["[a](https://one.example/?a&b) \n", "https://two.ex", "ample/"]},
    {"cell_type": "code", "outputs": [{"data": {"text/html": ["<a hr", "ef='https://three.example/?a&amp;b'>"]}}], "source": "b = 'https://four.example/\u00e9'"}]}"#;
const NOTEBOOK_LINKS: &[&str] = &[
    "https://one.example/?a&b",
    "https://two.example/",
    "https://three.example/?a&b",
    "https://four.example/%C3%A9",
];
const MANIFEST: &str = "apiVersion: networking.example.io/v1\nmetadata:\n  labels: {app.example.io/name: x}\n  home: https://one.example/\n  other: www.two.com/x\n";
const MANIFEST_LINKS: &[&str] = &["https://one.example/", "https://www.two.com/x"];
const ANSWER: &str = "HTTP/1.1 301 Moved\r\nLocation: https://one.example/d/\r\n\r\nHTTP/2 200 \r\nContent-Type: text/html; charset=utf-8\r\n\
    Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nLink: <a.css>; rel=stylesheet\r\n\r\n<p><a href='b?c&amp;d'>b</a>\r\n see https://two.example/é?a&amp;b";
const ANSWER_LINKS: &[&str] = &[
    "https://one.example/d/",
    "https://one.example/d/a.css",
    "https://one.example/d/b?c&d",
    "https://two.example/%C3%A9?a&b",
];
const BARE_ANSWER: &str = "HTTP/1.0 200\nServer: x\n\n{\"a\": \"https:\\/\\/one.example\\/\"}";
const LYING_ARCHIVE: &str = r#"{"log": {"entries": [{"request": {"url": "https://one.example/d/"}, "response": {"content": {"mimeType": "text/html",
    "encoding": "base64", "text": "<p><a href=\"x.html?a&amp;b\">x</a> https://two.example/"}}}]}}"#;
const LYING_ARCHIVE_LINKS: &[&str] =
    &["https://one.example/d/", "https://one.example/d/x.html?a&b", "https://two.example/"];

fn join(parts: &[&[u8]]) -> Bytes {
    parts.concat()
}

/// A text with something at its start, in its middle and at its end.
fn around(what: &[u8], text: &str) -> [Bytes; 3] {
    let middle = text.find(" and").unwrap();
    let (before, after) = (&text.as_bytes()[..middle], &text.as_bytes()[middle..]);
    [join(&[what, text.as_bytes()]), join(&[before, what, after]), join(&[text.as_bytes(), what])]
}

fn utf16(text: &str) -> Bytes {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Packets of a stream of MPEG, with a text in them.
fn packets() -> Bytes {
    let mut packets = Vec::new();
    for number in 0..40_u8 {
        packets.extend_from_slice(&[0x47, 0x40, 0x11, 0x10 | number & 15, 0, 2, 0xB0]);
        packets.extend((0..181_u16).map(|at| (at as u8).wrapping_mul(number)));
    }
    packets.splice(900..900, TEXT.bytes());
    packets
}

/// A binary property list of two texts, one in UTF-16.
fn property_list() -> Bytes {
    let text: Bytes = "see http://ä.example/x".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let first = join(&[b"bplist00\x6F\x10\x16", &text]);
    let all = join(&[&first, b"\x5F\x10\x15http://one.example/a!"]);
    let trailer = [[0, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0, 2], [0; 8]].concat();
    let table = (all.len() as u64).to_be_bytes();
    join(&[&all, &[8, first.len() as u8], &trailer, &table])
}

/// Documents of which it is written down what they come to.
pub(super) fn outcomes() -> Vec<Outcome> {
    let [page_start, page_middle, page_end] = around(b"\0", PAGE);
    let [text_start, text_middle, text_end] = around(b"\0", TEXT);
    let gif = |rest: &str| join(&[b"GIF89a\x01\0\x01\0\x80\0\0", rest.as_bytes()]);
    let png = join(&[b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", TEXT.as_bytes()]);
    let pdf = join(&[b"%PDF-1.7\n", TEXT.as_bytes()]);
    let annotation = "/Annots [<< /A << /S /URI /URI (http://e.com/) >> >>]";
    let paper = pdfs::page("BT /F 9 Tf (see http://one.example/) Tj ET", annotation, &[]).file();
    let elf = join(&[b"\x7FELF\x02\x01\x01\0\0\0\0\0", TEXT.as_bytes()]);
    let arrow = join(&[b"ARROW1\0\0\xFF\xFF\xFF\xFF", b"http://a/d/http://a/d/http://a/d/"]);
    let parquet = join(&[b"PAR1\x15\x04\x15\x18", TEXT.as_bytes(), b"PAR1"]);
    let sqlite = join(&[b"SQLite format 3\0\x10\0", TEXT.as_bytes()]);
    let mail =
        "Subject: a\r\nTo: b@two.example\r\n\r\nsee http://one.example/ and www.two.com/x\r\n";
    let marked_mail = join(&[b"\xEF\xBB\xBF", mail.as_bytes()]);
    let mbox = "From a@b Sat Jan  3 01:05:34 1996\nSubject: http://s.example/\nTo: c\n\nhttp://one.example/\n";
    let marked_mbox = join(&[b"\xEF\xBB\xBF", mbox.as_bytes()]);
    let controls = format!("{}{TEXT}", "\u{1}\u{2}".repeat(20));
    let colours = "\u{1B}[1m\u{1B}[31m".repeat(40) + TEXT;
    let utf32: Bytes = TEXT.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let list = property_list();
    let cut_list = list[..list.len() - 1].to_vec();
    vec![
        ("list.plist", list.clone(), &["http://xn--4ca.example/x", "http://one.example/a!"], &[]),
        ("list", list, &["http://xn--4ca.example/x", "http://one.example/a!"], &[]),
        ("cut.webloc", cut_list, &["http://xn--4ca.example/", "http://one.example/a"], &["binary"]),
        ("nul-start.html", page_start, PAGE_LINKS, &[]),
        ("nul-middle.html", page_middle, PAGE_LINKS, &[]),
        ("nul-end.html", page_end, PAGE_LINKS, &[]),
        ("nul-start.txt", text_start.clone(), TEXT_LINKS, &[]),
        ("nul-middle.txt", text_middle.clone(), TEXT_LINKS, &[]),
        ("nul-end.txt", text_end, TEXT_LINKS, &[]),
        ("nul-start", text_start, SURE, &["binary"]),
        ("nul-middle.dat", text_middle, SURE, &["binary"]),
        ("nul-in-values.html", b"<a href=\"http://e.example/a\0b\" title=\"x\0\">http://f.example/a\0b</a> <a\0 href=z>".to_vec(), &["http://e.example/a%EF%BF%BDb", "http://f.example/a"], &[]),
        ("nul-in-links.txt", b"a long line of text, http://e.example/a\0b and www.f.com/c\0d.example".to_vec(), &["http://e.example/a", "https://www.f.com/c"], &[]),
        ("video.ts", packets(), SURE, &["binary"]),
        ("video", packets(), SURE, &["binary"]),
        ("controls.txt", controls.into_bytes(), SURE, &["binary"]),
        ("colours.txt", colours.clone().into_bytes(), TEXT_LINKS, &[]),
        ("colours.log", colours.into_bytes(), TEXT_LINKS, &[]),
        ("picture.gif", gif(TEXT), &[], &["media-unread"]),
        ("picture", gif(TEXT), &[], &["media-unread"]),
        ("picture.html", png.clone(), &[], &["media-unread"]),
        ("picture.png", png, &[], &["media-unread"]),
        ("sound.mp3", join(&[b"ID3\x04\0\0", TEXT.as_bytes()]), &[], &["media-unread"]),
        ("page.png", PAGE.as_bytes().to_vec(), PAGE_LINKS, &[]),
        ("not-there.pdf", PAGE.as_bytes().to_vec(), PAGE_LINKS, &[]),
        ("page.txt", PAGE.as_bytes().to_vec(), PAGE_LINKS, &[]),
        ("text.html", TEXT.as_bytes().to_vec(), TEXT_LINKS, &[]),
        ("broken.pdf", pdf, SURE, &["binary", "pdf-damaged"]),
        ("paper.pdf", paper, &["http://e.com/", "http://one.example/"], &[]),
        ("program", elf, SURE, &["binary"]),
        ("table.feather", arrow, &[], &["table-unread"]),
        ("table.parquet", parquet.clone(), &[], &["table-unread"]),
        ("table.txt", parquet, &[], &["table-unread"]),
        ("table.db", sqlite, &[], &["table-unread"]),
        ("drawing.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><a href='http://e.example/'/></svg>".to_vec(), &["http://e.example/"], &[]),
        ("message.eml", mail.as_bytes().to_vec(), &["http://one.example/", "https://www.two.com/x"], &[]),
        ("marked.eml", marked_mail.clone(), &["http://one.example/", "https://www.two.com/x"], &[]),
        ("marked", marked_mail, &["http://one.example/", "https://www.two.com/x"], &[]),
        ("marked.mbox", marked_mbox.clone(), &["http://s.example/", "http://one.example/"], &[]),
        ("marked-box", marked_mbox, &["http://s.example/", "http://one.example/"], &[]),
        ("wide.txt", utf16(TEXT), TEXT_LINKS, &[]),
        ("wide", join(&[b"\xFF\xFE", &utf16(PAGE)]), PAGE_LINKS, &[]),
        ("wider.txt", utf32, &[], &["undecodable"]),
        ("empty", Vec::new(), &[], &[]),
        ("empty.html", Vec::new(), &[], &[]),
        ("empty.png", Vec::new(), &[], &[]),
        ("mark.txt", b"\xEF\xBB\xBF".to_vec(), &[], &[]),
        ("mark", b"\xFF\xFE".to_vec(), &[], &[]),
        ("marked.html", join(&[b"\xEF\xBB\xBF", PAGE.as_bytes()]), PAGE_LINKS, &[]),
        ("page.html.gz", gzip(PAGE.as_bytes()), PAGE_LINKS, &[]),
        ("box.html", zip(&[stored(b"nul.html", &join(&[b"\0", PAGE.as_bytes()]))]), PAGE_LINKS, &[]),
        ("letter.rtf", RTF.as_bytes().to_vec(), RTF_LINKS, &[]),
        ("letter", RTF.as_bytes().to_vec(), RTF_LINKS, &[]),
        ("letter.txt", RTF.as_bytes().to_vec(), RTF_LINKS, &[]),
        ("wide.rtf", join(&[b"\xFF\xFE", &utf16(RTF)]), RTF_LINKS, &[]),
        ("event.ics", join(&[EVENT]), EVENT_LINKS, &[]),
        ("event", join(&[EVENT]), EVENT_LINKS, &[]),
        ("event.txt", join(&[b"\xEF\xBB\xBF", EVENT]), EVENT_LINKS, &[]),
        ("event.dat", join(&[b"\r\n", &EVENT.to_ascii_lowercase()]), EVENT_LINKS, &[]),
        ("card.vcf", join(&[CARD]), CARD_LINKS, &[]),
        ("card", join(&[CARD]), CARD_LINKS, &[]),
        ("card.dat", join(&[CARD, CARD]), TWO_CARDS, &[]),
        ("config.props", ELEMENTS.as_bytes().to_vec(), ELEMENT_LINKS, &[]),
        ("config", ELEMENTS.as_bytes().to_vec(), ELEMENT_LINKS, &[]),
        ("config.txt", utf16(ELEMENTS), ELEMENT_LINKS, &[]),
        ("config.tsx", ELEMENTS.as_bytes().to_vec(), &["https://one.example/?a&amp;b", "https://two.example/?a&amp;b"], &[]),
        ("chat", CHAT.as_bytes().to_vec(), ELEMENT_LINKS, &[]),
        ("de.ts", TRANSLATION.as_bytes().to_vec(), &["https://one.example/?a&b"], &[]),
        ("cells.ipynb", NOTEBOOK.as_bytes().to_vec(), NOTEBOOK_LINKS, &[]),
        ("cells", NOTEBOOK.as_bytes().to_vec(), NOTEBOOK_LINKS, &[]),
        ("manifest.yml", MANIFEST.as_bytes().to_vec(), MANIFEST_LINKS, &[]),
        ("manifest", join(&[b"---\n# a comment\n", MANIFEST.as_bytes()]), MANIFEST_LINKS, &[]),
        ("answer.txt", ANSWER.as_bytes().to_vec(), ANSWER_LINKS, &[]),
        ("answer", ANSWER.as_bytes().to_vec(), ANSWER_LINKS, &[]),
        ("answer.html", BARE_ANSWER.as_bytes().to_vec(), &["https://one.example/"], &[]),
        ("answer.dat", BARE_ANSWER.as_bytes().to_vec(), &["https://one.example/"], &[]),
        ("no-answer", b"HTTP/1.1 200 OK\n\nsee https://one.example/?a&amp;b".to_vec(), &["https://one.example/?a&amp;b"], &[]),
        ("lying.har", LYING_ARCHIVE.as_bytes().to_vec(), LYING_ARCHIVE_LINKS, &["read-as-text"]),
        ("guarded", b")]}'\n{\"a\": \"https:\\/\\/one.example\\/\"}".to_vec(), &["https://one.example/"], &[]),
        ("called", b"call({\"a\": \"https:\\/\\/one.example\\/\"});".to_vec(), &["https://one.example/"], &[]),
        ("page.1", b".TH A 1\nme\\(atone.com\n".to_vec(), &["mailto:me@one.com"], &[]),
        ("text.gz", TEXT.as_bytes().to_vec(), TEXT_LINKS, &[]),
    ]
}

/// All odd documents.
pub(super) fn documents() -> Vec<(&'static str, Bytes)> {
    let mut all: Vec<_> = outcomes().into_iter().map(|(name, bytes, ..)| (name, bytes)).collect();
    let lying = b"<meta charset=utf-8><p>\xCF\xF0\xE8\xE2\xE5\xF2 <a href='http://e.example/\xE9'>";
    all.push(("lying.html", lying.to_vec()));
    all.push((
        "lying-xml.xml",
        b"<?xml version='1.0' encoding='utf-16'?><a>http://e.example/\xE9</a>".to_vec(),
    ));
    all.push(("replaced.html", b"<meta charset=hz-gb-2312><p>http://e.example/".to_vec()));
    all.push(("unknown.html", b"<meta charset=no-such><p>http://e.example/\xE9".to_vec()));
    all.push((
        "uuencoded.txt",
        b"see http://e.example/ and\nbegin 644 a.txt\n2:'1T<#HO+V4N8V]M+V$`\n`\nend\n".to_vec(),
    ));
    all.push(("shifts.txt", b"\x1B$B$3$l$O\x1B(B http://e.example/ \x1B$B$G$9\x1B(B\n".to_vec()));
    all.push(("legacy-nul.html", b"<p>\xCF\xF0\xE8\xE2\xE5\xF2, \0\xEC\xE8\xF0! <a href='http://e.example/\xE9'>\xF1\xF1\xFB\xEB\xEA\xE0</a>".to_vec()));
    for (name, text) in [
        ("nul.css", "a{background:url(http://e.example/a\0b)} /* a comment that is long enough */"),
        ("nul.json", "{\"a long enough key\": \"see http://e.example/a\0b and www.f.com/c\"}"),
        ("nul.csv", "a,see http://e.example/a\0b,www.f.com/c and more that follows\n"),
        (
            "nul.md",
            "see [a](http://e.example/a\0b) and <http://f.example/c\0d> and more that follows\n",
        ),
        (
            "nul.xml",
            "<a b='http://e.example/a\0b'>see http://f.example/c\0d and more that follows</a>",
        ),
        ("nul.py", "x = 'http://e.example/a\0b' # and more that follows, so that it is long\n"),
    ] {
        all.push((name, text.as_bytes().to_vec()));
    }
    all
}
