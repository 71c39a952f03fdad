//! Texts of links in packages of Office, which are in another part than the targets.

use std::ops::ControlFlow;

use linksift::files::{self, Options};
use linksift::{Event, Hints, Role, Warning};

use super::run::Folder;
use crate::made::zips::{deflated, stored, zip};

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A link: target, role, text, whether its text names another site.
type Seen = (String, Role, Option<String>, bool);

/// Returns relationships of hyperlinks with these identifiers and targets.
fn hyperlinks(links: &[(&str, &str)]) -> String {
    let one = |(id, target): &(&str, &str)| {
        format!(
            "<Relationship Id=\"{id}\" Type=\"{OFFICE}/hyperlink\" Target=\"{target}\" TargetMode=\"External\"/>"
        )
    };
    relations(&links.iter().map(one).collect::<String>())
}

fn relations(inside: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{inside}</Relationships>"
    )
}

/// Returns the links of the relationships in a package of these parts.
fn seen(parts: &[(&str, &str)]) -> Vec<Seen> {
    let entry = |(at, (name, content)): (usize, &(&str, &str))| match at % 2 {
        0 => deflated(name.as_bytes(), content.as_bytes()),
        _ => stored(name.as_bytes(), content.as_bytes()),
    };
    seen_in(&zip(&parts.iter().enumerate().map(entry).collect::<Vec<_>>()))
}

fn seen_in(package: &[u8]) -> Vec<Seen> {
    let folder = Folder::new();
    let path = folder.write("a.docx", package);
    let options = Options::new().threads(1).hints(Hints::new().details(true));
    let mut seen = Vec::new();
    let _ = files::scan([&path], &options, |event| {
        if let Event::Link { link, .. } = event
            && link.context() == "relationship@target"
        {
            let is_mismatch = link.warnings().contains(Warning::TextMismatch);
            let text = link.text().map(str::to_owned);
            seen.push((link.uri().into_owned(), link.role(), text, is_mismatch));
        }
        ControlFlow::Continue(())
    });
    seen
}

/// Returns what is seen of a link with this target.
fn link(target: &str, text: &str, is_mismatch: bool) -> Seen {
    let text = Some(text.to_owned()).filter(|text| !text.is_empty());
    (target.to_owned(), Role::Navigate, text, is_mismatch)
}

fn word(inside: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" xmlns:r=\"{OFFICE}\"><w:body>{inside}</w:body></w:document>"
    )
}

#[test]
fn links_of_word_have_the_text_of_their_runs() {
    let document = word(
        "<w:p><w:hyperlink r:id=\"rId1\"><w:r><w:rPr><w:b/></w:rPr><w:t>https://www.bank.</w:t></w:r>\
        <w:r><w:t>example/</w:t></w:r></w:hyperlink>\
        <w:hyperlink w:anchor=\"top\" r:id=\"rId2\"><w:r><w:t>a &amp; b</w:t><w:tab/><w:t>c</w:t></w:r>\
        <w:r><w:rPr><w:vanish/></w:rPr><w:t>bank.example</w:t></w:r>\
        <w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>d</w:t></w:r>\
        <w:r><w:delText>gone</w:delText><w:instrText>CODE</w:instrText></w:r></w:hyperlink>\
        <w:hyperlink w:anchor=\"top\"><w:r><w:t>bank.example</w:t></w:r></w:hyperlink></w:p>\
        <w:p><w:hyperlink r:id=\"rId3\"><w:r><w:drawing><wp:docPr descr=\"Logo\"/></w:drawing></w:r></w:hyperlink>\
        <w:r><w:drawing><wp:docPr descr=\"Map\"><a:hlinkClick r:id=\"rId4\"/></wp:docPr></w:drawing></w:r></w:p>\
        <mc:AlternateContent><mc:Choice><w:p><w:hyperlink r:id=\"rId5\"><w:r><w:t>Once</w:t></w:r></w:hyperlink></w:p></mc:Choice>\
        <mc:Fallback><w:p><w:hyperlink r:id=\"rId5\"><w:r><w:t>Once</w:t></w:r></w:hyperlink></w:p></mc:Fallback></mc:AlternateContent>\
        <w:p><w:hyperlink r:id=\"rId7\"><w:r><w:rPr><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>https://bank.example/</w:t></w:r>\
        <w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom></w:hyperlink></w:p>\
        <mc:AlternateContent><mc:Choice Requires=\"zz\"/><mc:Fallback><w:p><w:hyperlink r:id=\"rId8\"><w:r><w:t>bank.example</w:t></w:r></w:hyperlink></w:p></mc:Fallback></mc:AlternateContent>",
    );
    let targets = hyperlinks(&[
        ("rId1", "https://evil.test/"),
        ("rId2", "https://shop.example/"),
        ("rId3", "https://logo.example/"),
        ("rId4", "https://map.example/"),
        ("rId5", "https://once.example/"),
        ("rId6", "https://none.example/"),
        ("rId7", "https://evil.test/7"),
        ("rId8", "https://evil.test/8"),
    ]);
    let expected = [
        link("https://evil.test/", "https://www.bank.example/", true),
        link("https://shop.example/", "a & b cd", false),
        link("https://logo.example/", "Logo", false),
        link("https://map.example/", "Map", false),
        link("https://once.example/", "Once", false),
        link("https://none.example/", "", false),
        link("https://evil.test/7", "https://bank.example/", true),
        link("https://evil.test/8", "bank.example", true),
    ];
    // The part is before its relationships or behind them, and names are compared without case.
    for parts in [
        [("word/document.xml", &*document), ("word/_rels/document.xml.rels", &*targets)],
        [("word/_rels/document.xml.rels", &*targets), ("word/document.xml", &*document)],
        [("Word/_rels/Document.xml.rels", &*targets), ("word/document.xml", &*document)],
    ] {
        assert_eq!(seen(&parts), expected);
    }
    // Without the part they are found as well.
    let alone = seen(&[("word/_rels/document.xml.rels", &*targets)]);
    assert!(alone.iter().all(|(.., text, is_mismatch)| text.is_none() && !is_mismatch));
    assert_eq!(alone.len(), expected.len());
}

#[test]
fn a_link_with_several_texts_is_compared_with_each() {
    let document = word(
        "<w:p><w:hyperlink r:id=\"r1\"><w:r><w:t>Here</w:t></w:r></w:hyperlink>\
        <w:hyperlink r:id=\"r1\"><w:r><w:t>http://bank.example/</w:t></w:r></w:hyperlink></w:p>",
    );
    let targets = hyperlinks(&[("r1", "https://evil.test/")]);
    let parts = [("word/document.xml", &*document), ("word/_rels/document.xml.rels", &*targets)];
    assert_eq!(seen(&parts), [link("https://evil.test/", "Here", true)]);
}

#[test]
fn a_type_says_what_a_target_is_for() {
    let of = |kind: &str| {
        let inside = format!(
            "<Relationship Id=\"a\" Type=\"{OFFICE}/{kind}\" Target=\"http://e.test/\" TargetMode=\"External\"/>"
        );
        seen(&[("word/_rels/document.xml.rels", &relations(&inside))])[0].1
    };
    let roles = ["hyperlink", "image", "attachedTemplate", "oleObject"].map(of);
    assert_eq!(roles, [Role::Navigate, Role::Embed, Role::Embed, Role::Embed]);
}

#[test]
fn links_of_slides_have_the_text_of_runs_shapes_and_pictures() {
    let slide = "<p:sld><p:sp><p:nvSpPr><p:cNvPr name=\"n\" descr=\"d\"><a:hlinkClick r:id=\"r2\"/></p:cNvPr></p:nvSpPr><p:txBody>\
        <a:p><a:r><a:rPr><a:hlinkClick r:id=\"r1\"/></a:rPr><a:t>bank</a:t></a:r>\
        <a:r><a:rPr b=\"1\"><a:hlinkClick r:id=\"r1\"></a:hlinkClick></a:rPr><a:t>.example</a:t></a:r>\
        <a:r><a:t> and</a:t></a:r></a:p></p:txBody></p:sp>\
        <p:pic><p:nvPicPr><p:cNvPr descr=\"A map\"><a:hlinkClick r:id=\"r3\"/></p:cNvPr></p:nvPicPr></p:pic></p:sld>";
    let targets = hyperlinks(&[
        ("r1", "https://evil.test/"),
        ("r2", "https://shape.example/"),
        ("r3", "https://map.example/"),
    ]);
    let parts = [("ppt/slides/slide1.xml", slide), ("ppt/slides/_rels/slide1.xml.rels", &targets)];
    let expected = [
        link("https://evil.test/", "bank.example", true),
        link("https://shape.example/", "bank.example and", false),
        link("https://map.example/", "A map", false),
    ];
    assert_eq!(seen(&parts), expected);
}

#[test]
fn links_of_cells_have_their_values() {
    let sheet = format!(
        "<worksheet xmlns:r=\"{OFFICE}\"><sheetData><row><c r=\"A1\" t=\"s\"><v>1</v></c>\
        <c r=\"B1\" t=\"inlineStr\"><is><t>&lt;inline&gt;</t></is></c><c r=\"C1\"><f>6*7</f><v>42</v></c><c r=\"D1\"/></row></sheetData>\
        <hyperlinks><hyperlink ref=\"A1\" r:id=\"r1\" display=\"harmless\"/><hyperlink ref=\"B1:C1\" r:id=\"r2\"/>\
        <hyperlink ref=\"C1\" r:id=\"r3\"/><hyperlink ref=\"D1\" r:id=\"r4\" display=\"shown _x0041_\"/></hyperlinks></worksheet>"
    );
    let strings = "<sst><si><t>zero</t></si><si><r><t>www.bank</t></r><r><t>.example</t></r><rPh><t>x</t></rPh></si></sst>";
    let targets = hyperlinks(&[
        ("r1", "https://evil.test/"),
        ("r2", "https://b.example/"),
        ("r3", "https://c.example/"),
        ("r4", "https://d.example/"),
    ]);
    let parts = [
        ("xl/worksheets/_rels/sheet1.xml.rels", &*targets),
        ("xl/sharedStrings.xml", strings),
        ("xl/worksheets/sheet1.xml", &*sheet),
    ];
    let expected = [
        link("https://evil.test/", "www.bank.example", true),
        link("https://b.example/", "<inline>", false),
        link("https://c.example/", "42", false),
        link("https://d.example/", "shown A", false),
    ];
    assert_eq!(seen(&parts), expected);
}

#[test]
fn cells_without_a_name_follow_the_one_before() {
    let value = |text: &str| format!("<c t=\"str\"><v>{text}</v></c>");
    let sheet = format!(
        "<worksheet xmlns:r=\"{OFFICE}\"><sheetData><row>{}<c r=\"D1\"/>{}</row><row>{}</row><row r=\"9\"><c/>{}</row></sheetData>\
        <hyperlinks><hyperlink ref=\"A1\" r:id=\"r1\"/><hyperlink ref=\"E1\" r:id=\"r2\"/>\
        <hyperlink ref=\"A2\" r:id=\"r3\"/><hyperlink ref=\"B9\" r:id=\"r4\"/></hyperlinks></worksheet>",
        value("bank.example"),
        value("two"),
        value("three"),
        value("four"),
    );
    let targets = ["r1", "r2", "r3", "r4"].map(|id| (id, "https://evil.test/"));
    let targets = hyperlinks(&targets);
    // Programs of Windows write backslashes into the names of entries.
    for slash in ["/", "\\"] {
        let names = ["xl/worksheets/sheet1.xml", "xl/worksheets/_rels/sheet1.xml.rels"];
        let [part, relations] = names.map(|name| name.replace('/', slash));
        let expected = [("bank.example", true), ("two", false), ("three", false), ("four", false)]
            .map(|(text, is_mismatch)| link("https://evil.test/", text, is_mismatch));
        assert_eq!(seen(&[(&*part, &*sheet), (&*relations, &*targets)]), expected);
    }
}

/// Whatever is wrong with the part, the targets are found.
#[test]
fn damaged_parts_lose_no_target() {
    let document = word(
        "<w:p><w:hyperlink r:id=\"r1\"><w:r><w:t>Here <![CDATA[now]]></w:t></w:r></w:hyperlink></w:p><!-- x --><?y z?>",
    );
    let targets = hyperlinks(&[("r1", "https://a.example/"), ("r2", "https://b.example/")]);
    for end in 0..=document.len() {
        let part = &document[..end];
        let parts = [("word/document.xml", part), ("word/_rels/document.xml.rels", &*targets)];
        let uris: Vec<_> = seen(&parts).into_iter().map(|(uri, ..)| uri).collect();
        assert_eq!(uris, ["https://a.example/", "https://b.example/"], "{part}");
    }
    // The content of the part is not what its entry says.
    let mut package = zip(&[
        deflated(b"word/document.xml", document.as_bytes()),
        deflated(b"word/_rels/document.xml.rels", targets.as_bytes()),
    ]);
    let at = package.windows(17).position(|name| name == b"word/document.xml").expect("a name");
    package[at + 17..at + 60].fill(0xFF);
    assert_eq!(seen_in(&package).len(), 2);
}
