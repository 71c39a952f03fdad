//! Pages as somebody hostile would make them: every format in every layout of characters, documents in
//! documents, malformed bytes, bases again and again, in memory and in streams. The time is linear, and
//! what a stream gives is what memory gives.

use std::hint::black_box;
use std::ops::ControlFlow;

use encoding_rs::Encoding;
use linksift::{Charset, Finder, Format, Hints};

use crate::support::growth::curved;
use crate::support::pieces::Pieces;

/// Bytes of the shorter document.
const SMALL: usize = 4 << 10;
/// Bytes a read.
const BLOCK: usize = 4 << 10;

/// An encoding, a letter of it, and bytes that are malformed in it.
type Layout = (&'static str, char, &'static [u8]);

/// One of each layout.
const LAYOUTS: [Layout; 9] = [
    ("utf-8", 'é', b"\xFF"),
    ("windows-1253", 'ω', b"\xD2"),
    ("shift_jis", '表', b"\xFF"),
    ("euc-jp", '表', b"\x8F\xFF"),
    ("euc-kr", '한', b"\xFF"),
    ("big5", '許', b"\xFF"),
    ("gb18030", '表', b"\x81\x30\xFF"),
    ("utf-16le", '表', b"\x00\xD8"),
    ("iso-2022-jp", '表', b"\x1B."),
];

/// A document: its format, how it begins, what is repeated in it (`é` is a letter of the encoding, `~` the
/// place of malformed bytes), how it ends, and how many candidates each repetition has.
struct Shape(Format, &'static str, &'static str, &'static str, usize);

#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    Shape(Format::Xml, "<rss><channel><item><description>", "&lt;p>~é &lt;a href=\"http://e.com/é\">x&lt;/a> ", "</description></item></channel></rss>", 1),
    Shape(Format::Xml, "<rss><channel>", "<item><description>&lt;a href=\"é\">~&lt;/a></description></item>", "</channel></rss>", 1),
    Shape(Format::Xml, "<rss><channel><item><description><![CDATA[", "<a href='é'>~</a> e.com/é ", "]]></description></item></channel></rss>", 2),
    Shape(Format::Xml, "<a>", "<b xml:base='http://e.com/é'>~</b>", "</a>", 1),
    Shape(Format::Xml, "", "<b xml:base='http://e.com/é~' href='é'>", "", 2),
    Shape(Format::Html, "<iframe srcdoc=\"", "<a href='é'>~</a>&amp;é ", "\">", 1),
    Shape(Format::Html, "<iframe srcdoc=\"<iframe srcdoc=&quot;", "<a href='é'>~</a>&amp;é ", "&quot;>\">", 1),
    Shape(Format::Html, "", "<iframe srcdoc=\"<a href=é>~</a>\"></iframe>", "", 1),
    Shape(Format::Html, "<script type='application/ld+json'>[", "{\"url\":\"http:\\/\\/e.com\\/é~\"},", "]</script>", 1),
    Shape(Format::Html, "<style>", "a{b:url(é~.png)}", "</style>", 1),
    Shape(Format::Html, "<p style=\"", "b:url(é\\26 ~&amp;.png);", "\">", 1),
    Shape(Format::Html, "", "<base href='http://e.com/é~'>é", "", 1),
    Shape(Format::Html, "", "<base href='http://e.com/'>", "", 1),
    Shape(Format::Html, "", "<div itemscope itemid='http://e.com/é~'></div>", "", 1),
    Shape(Format::Html, "<pre>", "é~ e.com/é http://e.com/é~\n", "", 2),
    Shape(Format::Html, "<pre>", "é~&amp; http&#58;//e.com/&eacute; e.com/é<wbr>é<!-- é~ -->é\n", "", 2),
    Shape(Format::Html, "<img srcset=\"", "é~&amp;.png 1x, ", "\">", 1),
    Shape(Format::Html, "<p>", "<meta content='/é~' itemid='urn:isbn:1'>", "", 1),
    Shape(Format::Css, "", "a{b:url(é~.png)}", "", 1),
    Shape(Format::Json, "[", "\"é~ http:\\/\\/e.com\\/é\\u00e9\",", "]", 1),
    Shape(Format::Csv, "", "é~,http://e.com/é,", "\n", 1),
    Shape(Format::Csv, "", "a~,", "\n", 0),
    Shape(Format::Xml, "<a xml:base='http://e.com/'>", "<b xml:base='c/'>", "", 1),
    Shape(Format::Xml, "<w:p xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:t>a</w:t>", "<w:del><w:delText>http://e.com/é~</w:delText></w:del>", "</w:p>", 1),
    Shape(Format::Xml, "<a>", "<b xml:base='http://[/'>", "<c href='d'/>", 0),
    Shape(Format::Json, "[", "\"é~<a href='é'>é</a> http:\\/\\/e.com\\/é\",", "]", 2),
    Shape(Format::Json, "[\"<p>", "é~\\u003ca href='é'> ", "\"]", 1),
    Shape(Format::Csv, "", "\"<p>é~\"\"é\"\" <a href=\"\"é\"\"></p>\",", "\n", 1),
    Shape(Format::Csv, "\"<p>", "é~ <a href=\"\"é\"\">", "\"\n", 1),
    Shape(Format::Xml, "<a>", "<b>é~&lt;a href='é'>é&lt;/a></b>", "</a>", 1),
    Shape(Format::Xml, "<a>&lt;p>", "é~<![CDATA[<a href='é'>]]>é <!-- é~ -->", "</a>", 1),
    Shape(Format::Xml, "<a>é", "<![CDATA[]]><!-- &lt;/p> -->", "</a>", 0),
    Shape(Format::Xml, "<a b='é&lt;/p>", "é~ &lt;a href=é> ", "'/>", 1),
    Shape(Format::Calendar, "", "X:<p>é~\\, <a href='é'></p>\n", "", 1),
    Shape(Format::Calendar, "BEGIN:VCALENDAR\nX:", "é~\n http://e.com/é ", "\n", 1),
    Shape(Format::Calendar, "", "X:é~\\, http://e.com/é\\n\n", "", 1),
    Shape(Format::Calendar, "", "X-ALT-DESC;FMTTYPE=text/html:<a href='é~'>\n", "", 1),
    Shape(Format::Vcard, "N;ENCODING=QUOTED-PRINTABLE:", "é~=\nhttp://e.com/é =\n", "", 1),
    Shape(Format::Vcard, "X", ";X-A=\"é~\"", ":http://e.com/", 0),
    Shape(Format::Properties, "", "é~=a\\\n http\\://e.com/é\n", "", 1),
    Shape(Format::Properties, "", "\\", "\n", 0),
    Shape(Format::Properties, "", "a\\\n", "", 0),
    Shape(Format::Po, "", "msgid \"é~http://e.co\"\n\"m/é\"\n", "", 1),
    Shape(Format::Po, "msgid \"\"\n", "\"\"\n", "", 0),
    Shape(Format::Tex, "", "{\\_}é~\\_ http://e.com/{\\_}é {", "", 1),
    Shape(Format::Roff, "", "\\fBé~\\[\\s+ http://e.com/\\:é\n", "", 1),
    Shape(Format::Pod, "", "E<éE<~> http://e.com/é\n", "", 1),
    Shape(Format::Texinfo, "", "@@é~, http://e.com/é\n", "", 1),
    Shape(Format::Markdown, "", "> ---\n", "", 0),
    Shape(Format::Markdown, "", "* ---\n", "", 0),
    Shape(Format::Markdown, "", "1. ---\n", "", 0),
    Shape(Format::Markdown, "> - ", "> a\n", "", 0),
    Shape(Format::Rst, "", "é~ `é <http://e.com/é>`_ ``é`` ", "", 1),
    Shape(Format::Rst, "", "`é~ <", "\n", 0),
    Shape(Format::Rst, "", "a::\n\n  é~\n\n.. _é~: http://e.com/é\n", "", 1),
    Shape(Format::Rst, "", "``` ", "\n", 0),
    Shape(Format::Rst, "", ".. _é:\n   é~\n  é\n", "", 0),
    Shape(Format::Rst, "", ".. image:: é~\n  é_\n :target: é\n  é_\n", "", 0),
    Shape(Format::Asciidoc, "", "é~ http://e.com/é[é] `é` ", "", 1),
    Shape(Format::Asciidoc, "", "link:é~[", "\n", 0),
    Shape(Format::Asciidoc, "", "[", "http://e.com/[a]\n", 0),
    Shape(Format::Asciidoc, "", "+` é~", "\n", 0),
    Shape(Format::Asciidoc, "", "link:++é~ link:+++é ", "\n", 0),
    Shape(Format::Asciidoc, "", "link:pass:[é~", "\n", 0),
    Shape(Format::Asciidoc, "", "link:++é++[{é~", "\n", 0),
    Shape(Format::Asciidoc, "image:é[", "\"é~,'é,link=", "]\n", 0),
    Shape(Format::Asciidoc, "", "----\né~\n", "\n", 0),
    Shape(Format::Markdown, "", "é~ [é](http://e.com/é) <a href='é'>é</a>\n", "", 1),
];

/// The document, of about so many bytes.
fn make(
    shape: &Shape,
    (name, letter, malformed): (&str, char, &[u8]),
    has_malformed: bool,
    size: usize,
) -> Vec<u8> {
    let write = |text: &str| -> Vec<u8> {
        let text = text.replace('é', &letter.to_string());
        match name {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            _ => Encoding::for_label(name.as_bytes()).unwrap().encode(&text).0.into_owned(),
        }
    };
    let Shape(_, opening, unit, closing, _) = shape;
    let parts: Vec<_> = unit.split('~').map(write).collect();
    let unit = parts.join(if has_malformed { malformed } else { b"" });
    [write(opening), unit.repeat(size / unit.len()), write(closing)].concat()
}

fn in_memory(finder: &Finder, format: Format, charset: Charset, bytes: &[u8]) -> usize {
    finder.document(bytes, &Hints::new().format(format).charset(charset)).unwrap().count()
}

fn in_a_stream(finder: &Finder, format: Format, charset: Charset, bytes: &[u8]) -> usize {
    let mut candidates = 0;
    let hints = Hints::new().format(format).charset(charset).positions(true);
    let scanned = finder.scan_reader(Pieces::new(bytes.chunks(BLOCK)), &hints, |_| {
        candidates += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(scanned.unwrap().bytes(), bytes.len() as u64);
    candidates
}

type Route = fn(&Finder, Format, Charset, &[u8]) -> usize;

fn take_linear_time(route: Route, layouts: &[Layout], has_malformed: bool) {
    let finder = Finder::new();
    let mut found = Vec::new();
    for &layout in layouts {
        let charset: Charset = layout.0.parse().unwrap();
        for shape in SHAPES {
            let Shape(format, opening, unit, ..) = shape;
            let make = |size: usize| make(shape, layout, has_malformed, size);
            let growth = curved(SMALL, make, |bytes: &[u8]| {
                black_box(route(&finder, *format, charset, bytes));
            });
            if let Some(growth) = growth {
                found.push(format!("{}: {opening} and {unit} repeated: {growth:.2}", layout.0));
            }
        }
    }
    assert!(found.is_empty(), "time grows with these powers of the size:\n{}", found.join("\n"));
}

#[test]
fn pages_in_memory_take_linear_time() {
    // The others differ by what is malformed.
    take_linear_time(in_memory, &LAYOUTS[..2], false);
}

#[test]
fn malformed_pages_in_memory_take_linear_time() {
    take_linear_time(in_memory, &LAYOUTS, true);
}

#[test]
fn malformed_pages_in_streams_take_linear_time() {
    take_linear_time(in_a_stream, &LAYOUTS, true);
}

/// Where each candidate is and what is said of it, in memory and in a stream.
#[test]
fn streams_give_what_memory_gives() {
    let finder = Finder::new();
    for layout in LAYOUTS {
        let charset: Charset = layout.0.parse().unwrap();
        for (shape, has_malformed) in SHAPES.iter().flat_map(|s| [(s, false), (s, true)]) {
            let Shape(format, opening, unit, _, each) = shape;
            let bytes = make(shape, layout, has_malformed, SMALL);
            let context =
                || format!("{}: {opening} and {unit}, malformed {has_malformed}", layout.0);
            let hints = Hints::new().format(*format).charset(charset).positions(true);
            let whole: Vec<_> =
                finder.document(&bytes, &hints).unwrap().map(|one| format!("{one:?}")).collect();
            let mut piped = Vec::new();
            let reader = Pieces::new(bytes.chunks(97));
            let scanned = finder.scan_reader(reader, &hints, |event| {
                let candidate = event.into_candidate().expect("a document has nothing else");
                piped.push(format!("{candidate:?}"));
                ControlFlow::Continue(())
            });
            assert!(scanned.is_ok());
            assert_eq!(piped, whole, "{}", context());
            let stored: usize = make(shape, layout, has_malformed, 1 << 12).len();
            assert!(whole.len() >= each * (stored / 200), "{}: {}", context(), whole.len());
        }
    }
}
