//! Documents of Office, made here: what they lead to, and nothing of their own parts and schemas.

use super::run::{options, run_with};
use crate::made::zips::{deflated, stored, zip};

const RELATIONSHIPS: &str = r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://target.example/Ä" TargetMode="External"/></Relationships>"#;
const TYPES: &str = r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#;

/// Words of several scripts, each cut into runs in the middle of a link, and what the link is.
const CUT: [(&str, &str, &str); 5] = [
    ("see http://docx.exam", "ple.com/a now", "http://docx.example.com/a"),
    ("siehe http://bü", "cher.example/größe .", "http://xn--bcher-kva.example/gr%C3%B6%C3%9Fe"),
    (
        "смотри http://при",
        "мер.example/путь",
        "http://xn--e1afmkfd.example/%D0%BF%D1%83%D1%82%D1%8C",
    ),
    ("見て http://例え.jp/", "パス。", "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9"),
    ("انظر http://مثال.", "example/صفحة", "http://xn--mgbh0fb.example/%D8%B5%D9%81%D8%AD%D8%A9"),
];

fn of(name: &str, main: &str, content: &str) -> Vec<String> {
    let entries = [
        stored(b"[Content_Types].xml", TYPES.as_bytes()),
        deflated(b"_rels/a.rels", RELATIONSHIPS.as_bytes()),
        deflated(main.as_bytes(), content.as_bytes()),
    ];
    let run = run_with(name, &zip(&entries), &options());
    assert_eq!((run.failures.len(), run.notices.len()), (0, 0), "{name} {run:?}");
    run.uris().iter().map(|uri| (*uri).to_owned()).collect()
}

fn expected() -> Vec<String> {
    let cut = CUT.iter().map(|(.., uri)| (*uri).to_owned());
    ["https://target.example/%C3%84".to_owned()].into_iter().chain(cut).collect()
}

#[test]
fn paragraphs_of_each_format_are_one_text() {
    let paragraphs = |paragraph: fn(&str, &str) -> String| -> String {
        CUT.iter().map(|(first, rest, _)| paragraph(first, rest)).collect()
    };
    let word = paragraphs(|first, rest| {
        format!(
            "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{first}</w:t></w:r>\n<w:r><w:rPr><w:rtl/></w:rPr><w:t>{rest}</w:t></w:r></w:p>\n"
        )
    });
    let slide = paragraphs(|first, rest| {
        format!(
            "<a:p><a:r><a:rPr lang=\"x\"/><a:t>{first}</a:t></a:r><a:r><a:t>{rest}</a:t></a:r></a:p>"
        )
    });
    let strings = paragraphs(|first, rest| {
        format!("<si><r><t>{first}</t></r> <r><rPr><sz val=\"1\"/></rPr><t>{rest}</t></r></si>")
    });
    let text = paragraphs(|first, rest| {
        format!("<text:p>{first}<text:span text:style-name=\"T\">{rest}</text:span></text:p>")
    });
    let open = "urn:oasis:names:tc:opendocument:xmlns";
    let ooxml = "http://schemas.openxmlformats.org";
    for (name, main, content) in [
        (
            "a.docx",
            "word/document.xml",
            format!(
                "<w:document xmlns:w=\"{ooxml}/wordprocessingml/2006/main\">{word}</w:document>"
            ),
        ),
        (
            "a.pptx",
            "ppt/slides/slide1.xml",
            format!(
                "<p:sld xmlns:p=\"{ooxml}/presentationml/2006/main\" xmlns:a=\"{ooxml}/drawingml/2006/main\">{slide}</p:sld>"
            ),
        ),
        (
            "a.xlsx",
            "xl/sharedStrings.xml",
            format!("<sst xmlns=\"{ooxml}/spreadsheetml/2006/main\">{strings}</sst>"),
        ),
        (
            "a.odt",
            "content.xml",
            format!(
                "<office:text xmlns:office=\"{open}:office:1.0\" xmlns:text=\"{open}:text:1.0\">{text}</office:text>"
            ),
        ),
    ] {
        assert_eq!(of(name, main, &content), expected(), "{name}");
        // Strict documents have other names for the same.
        let strict = content
            .replace("http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/")
            .replace("/2006/main", "/main");
        assert_eq!(of(name, main, &strict), expected(), "{name}, strict");
    }
}
