//! Contexts of links: their names and the parts of these.

use linksift::container::{self, Found, Limits, Opening};
use linksift::{Candidate, Context, Finder, Hints};
use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::made::{compound, pdfs, warcs};

/// Names of documents, documents, and for each link: context, element, attribute, header field.
const CASES: &[(&str, &str, &[&str])] = &[
    (
        "a.txt",
        "http://a.example/ \x1B]8;;http://b.example/\x07b\x1B]8;;\x07",
        &["text - - -", "terminal:link - - -"],
    ),
    (
        "a.html",
        "<base href=http://a.example/><a href=b>text</a> http://c.example/ <img srcset='d 2x' src=e>\
         <meta http-equiv=refresh content='0;url=f'><meta property=og:image content=http://g.example/>\
         <p style='background: url(h)'><style>p { background: url(i) }</style><x-y about=http://j.example/>\
         <svg><use xlink:href=k.svg /></svg><script type=importmap>{\"imports\":{\"a\":\"./l.js\"}}</script>",
        &[
            "base@href base href -",
            "a@href a href -",
            "text - - -",
            "img@srcset img srcset -",
            "img@src img src -",
            "meta@refresh meta refresh -",
            "meta@content meta content -",
            "style - - -",
            "style - - -",
            "x-y@about x-y about -",
            "use@xlink:href use xlink:href -",
            "json:imports - - -",
        ],
    ),
    (
        "a.html",
        "<x@y about=http://a.example/><!--[if mso]><a href=http://b.example/>b</a> http://c.example/\
         <v:rect href=http://d.example/><x@y about=http://e.example/>\
         <p style='background: url(http://f.example/)'><![endif]-->",
        &[
            "x@y@about x@y about -",
            "if-mso:a@href a href -",
            "if-mso:text - - -",
            "if-mso:v:rect@href v:rect href -",
            "if-mso:x@y@about x@y about -",
            "if-mso:style - - -",
        ],
    ),
    (
        "a.xml",
        "<?xml version='1.0'?><?xml-stylesheet href='http://a.example/'?>\
         <!DOCTYPE r SYSTEM 'http://b.example/' [<!ENTITY e SYSTEM 'http://c.example/'>]>\
         <R xml:base='http://d.example/'><X:Y Href='e'>http://f.example/</X:Y><z note='see http://g.example/'/></R>",
        &[
            "xml-stylesheet@href xml-stylesheet href -",
            "doctype - - -",
            "entity - - -",
            "r@xml:base r xml:base -",
            "x:y@href x:y href -",
            "text - - -",
            "text - - -",
        ],
    ),
    (
        "a.rss",
        "<rss xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><channel><link>http://a.example/</link>\
         <image:loc>http://b.example/</image:loc><item><description>&lt;a href='c'>c&lt;/a></description>\
         <enclosure url='http://d.example/'/></item></channel></rss>",
        &[
            "link link - -",
            "image:loc image:loc - -",
            "a@href a href -",
            "enclosure@url enclosure url -",
        ],
    ),
    (
        "a.xml",
        "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>\
         <w:fldSimple w:instr='HYPERLINK \"http://a.example/\"'><w:r><w:t>a</w:t></w:r></w:fldSimple>\
         <w:p><w:r><w:fldChar w:fldCharType='begin'/><w:instrText>HYPERLINK \"http://b.example/\"</w:instrText>\
         <w:fldChar w:fldCharType='end'/></w:r></w:p></w:document>",
        &["w:fldsimple@w:instr w:fldsimple w:instr -", "w:instrtext w:instrtext - -"],
    ),
    ("a.css", "@import 'http://a.example/';", &["style - - -"]),
    ("a.json", "{\"a\": \"http://a.example/\"}", &["text - - -"]),
    (
        "a.har",
        "{\"log\":{\"entries\":[{\"request\":{\"url\":\"http://a.example/\"},\"response\":{\"redirectURL\":\"/b\"}}]}}",
        &["json:url - - -", "json:redirectURL - - -"],
    ),
    ("a.webmanifest", "{\"start_url\": \"http://a.example/\"}", &["json:start_url - - -"]),
    ("a.csv", "a,http://a.example/", &["text - - -"]),
    (
        "a.md",
        "[a](http://a.example/) ![b](http://b.example/) <http://c.example/>\n\n[d]: http://d.example/\n",
        &[
            "markdown:link - - -",
            "markdown:image - - -",
            "markdown:autolink - - -",
            "markdown:definition - - -",
        ],
    ),
    (
        "a.rst",
        "`a <http://a.example/>`_\n\n.. image:: http://b.example/\n\n.. _c: http://c.example/\n",
        &["rst:link - - -", "rst:image - - -", "rst:target - - -"],
    ),
    (
        "a.adoc",
        "http://a.example[a] xref:b.adoc#c[b] image:http://c.example/[]\n",
        &["asciidoc:link - - -", "asciidoc:xref - - -", "asciidoc:image - - -"],
    ),
    ("a.po", "msgid \"http://a.example/\"\nmsgstr \"\"\n", &["po:msgid - - -"]),
    (
        "a.ics",
        "BEGIN:VCALENDAR\nURL:http://a.example/\nhttp://b.example/no/property\nX-B:see http://c.example/\nEND:VCALENDAR\n",
        &["calendar:url - - -", "calendar - - -", "calendar:x-b - - -"],
    ),
    ("a.vcf", "BEGIN:VCARD\nNOTE:see http://a.example/\nEND:VCARD\n", &["vcard:note - - -"]),
    (
        "a.rtf",
        "{\\rtf1 {\\field{\\*\\fldinst HYPERLINK \"http://a.example/\"}{\\fldrslt a}} http://b.example/}",
        &["rtf:fldinst - - -", "text - - -"],
    ),
    (
        "a.eml",
        "Subject: see http://a.example/\nList-Unsubscribe: <http://b.example/>\nX-Bug: http://c.example/\n\
         Content-Type: multipart/mixed; boundary=d\n\nhttp://e.example/\n--d\n\nhttp://f.example/\n--d\nContent-Type: text/html\n\
         Content-Location: http://g.example/\n\n<a href=h>h</a>\n--d--\nhttp://i.example/\n",
        &[
            "header:subject - - subject",
            "header:list-unsubscribe - - list-unsubscribe",
            "header:x-bug - - x-bug",
            "preamble - - -",
            "text - - -",
            "header:content-location - - content-location",
            "a@href a href -",
            "epilogue - - -",
        ],
    ),
];

/// Returns a context as a line with its parts.
fn line(context: Context<'_>) -> String {
    let (element, attribute) = (context.element(), context.attribute());
    let or_none = |part: Option<&str>| part.unwrap_or("-").to_owned();
    [context.as_str().to_owned(), or_none(element), or_none(attribute), or_none(context.header())]
        .join(" ")
}

fn lines(name: &str, bytes: &[u8]) -> Vec<String> {
    let hints = Hints::new().name(name).headers(linksift::Headers::All);
    let finder = Finder::new();
    let found = finder.document(bytes, &hints).unwrap();
    found
        .map(|candidate| match &candidate {
            Candidate::Link(link) => line(link.context()),
            Candidate::Rejected(rejected) => line(rejected.context()),
        })
        .collect()
}

#[test]
fn each_kind_of_context_has_its_parts() {
    for (name, document, expected) in CASES {
        assert_eq!(lines(name, document.as_bytes()), *expected, "{name}");
    }
    let annotations = "/Annots [<< /A << /S /URI /URI (http://a.example/) >> >>]";
    assert_eq!(lines("a.pdf", &pdfs::page("", annotations, &[]).file()), ["pdf:uri - - -"]);
    let word = compound::word("see http://a.example/");
    assert_eq!(lines("a.doc", &word), ["office:text - - -"]);
}

#[test]
fn a_reference_of_a_record_has_the_context_of_its_header_field() {
    let block = b"HTTP/1.1 301 Moved\r\nLocation: /a\r\n\r\n";
    let bytes = warcs::record("response", "http://a.example/", block, &block.len().to_string());
    let mut fields = Vec::new();
    container::documents(Opening::bytes(bytes).name("a.warc"), &Limits::new(), |found| {
        if let Found::Reference { context, text, .. } = found {
            fields.push((context.header(), text));
        }
        ControlFlow::Continue(())
    });
    assert_eq!(fields, [(Some("location"), "/a".to_owned())]);
}

#[test]
fn contexts_are_compared_by_their_names() {
    let link = linksift::links("see example.com").next().unwrap();
    let context = link.context();
    assert!(context == "text" && context == *"text" && context != "a@href");
    assert_eq!(HashSet::from([context, link.clone().context()]).len(), 1);
    assert_eq!(format!("{context:>6}|{context:?}"), "  text|Context(\"text\")");
}

#[test]
fn an_element_and_a_property_of_one_name_differ_in_their_parts() {
    let map = "<calendar:urlset xmlns:calendar='http://www.sitemaps.org/schemas/sitemap/0.9'>\
               <calendar:loc>http://a.example/</calendar:loc></calendar:urlset>";
    assert_eq!(lines("a.xml", map.as_bytes()), ["calendar:loc calendar:loc - -"]);
    let calendar = "BEGIN:VCALENDAR\nLOC:http://a.example/\nEND:VCALENDAR\n";
    assert_eq!(lines("a.ics", calendar.as_bytes()), ["calendar:loc - - -"]);
}
