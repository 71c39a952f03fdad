//! Links of annotations, actions, outlines, scripts, embedded files and metadata.

use linksift::Warning;

use super::{said, scanned};
use crate::made::pdfs::{PdfMaker, page};

#[test]
fn actions_of_annotations_have_contexts_pages_and_objects() {
    let annotations =
        "/Annots [5 0 R 6 0 R << /A << /S /URI /URI (http://e.com/c) >> >> 7 0 R 9 0 R]";
    let further = [
        "<< /Subtype /Link /A << /S /URI /URI (http://e.com/a\\(1\\)) >> >>",
        "<< /Subtype /Link /PA << /S /GoToR /F (other%201.pdf) /D [0 /Fit] >> >>",
        "<< /Subtype /Widget /A 8 0 R /AA << /E << /S /Launch /F << /UF (a.exe) >> >> >> >>",
        "<< /S /SubmitForm /F << /FS /URL /F (http://e.com/form) >> /Next [<< /S /URI /URI <68747470733A2F2F652E6F72672F> >>] >>",
        "<< /A << /S /JavaScript /JS (app.launchURL\\(\"http://e.com/js\"\\);) >> >>",
    ];
    let file = page("", annotations, &further).file();
    assert_eq!(
        said(&file),
        [
            "pdf:uri 1 5 0 http://e.com/a(1)",
            "pdf:file 1 6 0 other%201.pdf",
            "pdf:uri 1 3 0 http://e.com/c",
            "pdf:submit 1 8 0 http://e.com/form",
            "pdf:uri 1 8 0 https://e.org/",
            "pdf:file 1 7 0 a.exe",
            "pdf:javascript 1 9 0 http://e.com/js",
        ]
    );
    let (links, _) = scanned(&file);
    assert_eq!(links[0].range(), 0..17);
    assert_eq!(links[6].range(), 15..30);
}

/// A field has its own actions, and may have widgets of its own on several pages.
#[test]
fn actions_of_a_field_are_read_at_its_first_widget() {
    let action = |key: &str, name: &str| {
        format!("/AA << /{key} << /S /JavaScript /JS (x='http://e.com/{name}') >> >>")
    };
    let further = [
        &*format!("<< /Subtype /Widget /Parent 7 0 R {} >>", action("E", "own")),
        "<< /Subtype /Widget /Parent 7 0 R >>",
        &*format!("<< /T (a) /Parent 8 0 R /Kids [5 0 R 6 0 R] {} >>", action("K", "field")),
        &*format!("<< /T (b) /Parent 7 0 R /Kids [7 0 R] {} >>", action("C", "outer")),
    ];
    assert_eq!(
        said(&page("", "/Annots [5 0 R 6 0 R]", &further).file()),
        [
            "pdf:javascript 1 5 0 http://e.com/own",
            "pdf:javascript 1 7 0 http://e.com/field",
            "pdf:javascript 1 8 0 http://e.com/outer",
        ]
    );
}

/// Browsers remove tabs and line breaks from a URI.
#[test]
fn a_uri_may_be_written_in_lines() {
    let uri = "/A << /S /URI /URI (http://e.c\nom/a\r\n/b\tc) >>";
    let (links, _) = scanned(&page("", &format!("/Annots [<< {uri} >>]"), &[]).file());
    assert_eq!(links[0].uri(), "http://e.com/a/bc");
    assert_eq!((links[0].raw(), links[0].range()), ("http://e.c\nom/a\n/b\tc", 0..20));
}

/// Actions that follow each other in a circle are read once for each annotation.
#[test]
fn an_action_is_read_once_for_each_annotation() {
    let annotations = "/Annots [<< /A 5 0 R /AA << /U 5 0 R >> >> << /A 6 0 R >>]";
    let further = [
        "<< /S /URI /URI (http://e.com/a) /Next 5 0 R >>",
        "<< /S /URI /URI (http://e.com/b) /Next [5 0 R 6 0 R 5 0 R] >>",
    ];
    assert_eq!(
        said(&page("", annotations, &further).file()),
        [
            "pdf:uri 1 5 0 http://e.com/a",
            "pdf:uri 1 6 0 http://e.com/b",
            "pdf:uri 1 5 0 http://e.com/a",
        ]
    );
}

#[test]
fn text_strings_are_decoded_and_have_the_base_of_the_document() {
    let annotations =
        "/Annots [<< /A << /S /URI /URI (b\\344) >> >> << /A << /S /URI /URI <FEFF0063> >> >>]";
    let maker = page("", annotations, &[]);
    let file = String::from_utf8_lossy(&maker.file())
        .replace("/Catalog", "/Catalog /URI << /Base (http://e.com/d/) >>");
    // Offsets have moved: the objects are searched.
    let (links, _) = scanned(file.as_bytes());
    let uris: Vec<_> = links.iter().map(|link| link.uri()).collect();
    assert_eq!(uris, ["http://e.com/d/b%C3%A4", "http://e.com/d/c"]);
}

#[test]
fn the_document_has_actions_an_outline_scripts_and_metadata() {
    let names = "/Names << /JavaScript << /Kids [7 0 R] >> >>";
    let xmp = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
        <rdf:Description rdf:about='' xmlns:xmpRights='http://ns.adobe.com/xap/1.0/rights/'>\
        <xmpRights:WebStatement>http://e.com/licence</xmpRights:WebStatement>\
        <s:namespaceURI>http://e.com/ns/id/</s:namespaceURI></rdf:Description>\
        <rdf:Description s:namespaceURI = 'http://e.com/ns/other/'/></rdf:RDF></x:xmpmeta>";
    let file = PdfMaker::default()
        .with(format!("<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /URI /URI (http://e.com/open) >> /Outlines 4 0 R /Metadata 8 0 R {names} >>"))
        .with("<< /Type /Pages /Kids [3 0 R] >>")
        .with("<< /Type /Page /AA << /O << /S /URI /URI (http://e.com/o) >> >> >>")
        .with("<< /First 5 0 R >>")
        .with("<< /Title (One) /A << /S /URI /URI (http://e.com/1) >> /First 6 0 R >>")
        .with("<< /Title (www.bank.com) /A << /S /URI /URI (http://evil.example/) >> >>")
        .with("<< /Names [(a) << /S /JavaScript /JS (// see http://e.com/script) >>] >>")
        .with_flate("/Type /Metadata /Subtype /XML", xmp);
    for file in [file.file(), file.compressed()] {
        assert_eq!(
            said(&file),
            [
                "pdf:uri 1 3 0 http://e.com/o",
                "pdf:uri - 1 0 http://e.com/open",
                "pdf:uri - 5 0 http://e.com/1",
                "pdf:uri - 6 0 http://evil.example/",
                "pdf:javascript - 1 0 http://e.com/script",
                "pdf:metadata - 8 0 http://e.com/licence",
            ]
        );
        let (links, _) = scanned(&file);
        assert_eq!(links[3].text_host(), Some("www.bank.com"));
        assert!(links[3].warnings().contains(Warning::TextMismatch));
    }
}

#[test]
fn embedded_files_are_documents_of_their_own() {
    let inner = page("", "/Annots [<< /A << /S /URI /URI (http://e.com/inner) >> >>]", &[]).file();
    let names = "/Names << /EmbeddedFiles << /Names [(a) 4 0 R (b) << /UF (b.html) /EF << /F 6 0 R >> >> (again) 4 0 R] >> >>";
    let file = PdfMaker::default()
        .with(format!("<< /Type /Catalog /Pages 2 0 R {names} >>"))
        .with("<< /Type /Pages /Kids [3 0 R] >>")
        .with("<< /Type /Page >>")
        .with("<< /Type /Filespec /F (a.pdf) /EF << /F 5 0 R >> >>")
        .with_flate("/Type /EmbeddedFile", inner)
        .with_flate("/Type /EmbeddedFile", "<a href='http://e.com/page'>x</a>")
        .file();
    let (links, notices) = scanned(&file);
    assert_eq!(notices, []);
    let said: Vec<_> = links
        .iter()
        .map(|link| {
            format!(
                "{:?} {:?} {:?} {} {}",
                link.member(),
                link.page(),
                link.object(),
                link.context(),
                link.uri()
            )
        })
        .collect();
    assert_eq!(
        said,
        [
            r#"Some("a.pdf") Some(1) Some("3 0") pdf:uri http://e.com/inner"#,
            r#"Some("b.html") None None a@href http://e.com/page"#,
        ]
    );
}

#[test]
fn the_visible_text_of_an_annotation_may_name_another_site() {
    let content = "BT /F 12 Tf 100 700 Td (www.bank.com) Tj 0 -50 Td (elsewhere) Tj ET";
    let uri = "/A << /S /URI /URI (http://evil.example/) >>";
    for (area, shown) in [
        ("/Rect [90 690 300 720]", Some("www.bank.com")),
        ("/Rect [90 640 300 670]", None),
        ("/Rect [0 0 1 1] /QuadPoints [90 720 300 720 90 690 300 690]", Some("www.bank.com")),
    ] {
        let file =
            page(content, &format!("/Annots [<< /Subtype /Link {area} {uri} >>]"), &[]).file();
        let (links, _) = scanned(&file);
        assert_eq!(links[0].text_host(), shown, "{area}");
    }
    // A link that is broken has an annotation over each line.
    let content = "BT /F 12 Tf 14 TL 100 700 Td (see http://www.exam) Tj T* (ple.com/x and) Tj ET";
    for (second, mismatches) in [("http://www.example.com/x", 0), ("http://www.example.com/y", 2)] {
        let link =
            |area: &str, uri: &str| format!("<< /Rect [{area}] /A << /S /URI /URI ({uri}) >> >>");
        let (one, other) =
            (link("122 697 400 712", "http://www.example.com/x"), link("90 683 150 696", second));
        let (links, _) = scanned(&page(content, &format!("/Annots [{one} {other}]"), &[]).file());
        let warned = links.iter().filter(|link| link.warnings().contains(Warning::TextMismatch));
        assert_eq!(warned.count(), mismatches, "{second}");
    }
}
