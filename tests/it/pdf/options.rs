//! Which pages are read, and files without objects.

use linksift::{Candidate, Finder, Hints, NotRead, Notice};

use super::scanned;
use crate::made::pdfs::PdfMaker;

/// A file of three pages, each with a link in its text and one of an annotation; an outline, and an embedded file.
fn three_pages() -> Vec<u8> {
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
    let page = |number: u32| {
        format!(
            "<< /Type /Page /Contents {} 0 R /Annots [<< /Subtype /Link /A << /S /URI /URI (http://e.com/a{number}) >> >>] >>",
            number + 5
        )
    };
    let text =
        |number: u32| format!("BT /F 10 Tf 100 700 Td (see http://e.com/t{number} now) Tj ET");
    PdfMaker::default()
        .with("<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /URI /URI (http://e.com/open) >> >>")
        .with(format!("<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 /Resources << /Font << /F {font} >> >> >>"))
        .with(page(1))
        .with(page(2))
        .with(page(3))
        .with_flate("", text(1))
        .with_flate("", text(2))
        .with_flate("", text(3))
        .file()
}

fn read(bytes: &[u8], hints: Hints) -> (Vec<String>, Vec<Notice>) {
    let finder = Finder::new();
    let mut found = finder.document(bytes, &hints).unwrap();
    let links = found.by_ref().filter_map(Candidate::into_link).map(|link| link.uri().into_owned());
    let links = links.map(|uri| uri.trim_start_matches("http://e.com/").to_owned()).collect();
    (links, found.notices())
}

#[test]
fn only_the_pages_of_the_range_are_read() {
    let bytes = three_pages();
    for (pages, expected) in [
        ("1-", "a1 t1 a2 t2 a3 t3 open"),
        ("2", "a2 t2 open"),
        ("2-3", "a2 t2 a3 t3 open"),
        ("1-2", "a1 t1 a2 t2 open"),
        ("3-", "a3 t3 open"),
        ("4-9", "open"),
    ] {
        let hints = Hints::new().pages(pages.parse().unwrap());
        assert_eq!(
            read(&bytes, hints),
            (expected.split(' ').map(str::to_owned).collect(), vec![]),
            "{pages}"
        );
    }
    let no_text = read(&bytes, Hints::new().text(false));
    assert_eq!(no_text.0, ["a1", "a2", "a3", "open"]);
}

/// Lines of text in front, as of a script of a server. Without a name or a type it may be a text about PDF.
#[test]
fn a_pdf_that_its_name_or_type_tells_may_begin_after_text() {
    let whole = read(&three_pages(), Hints::new());
    let bytes = [&b"Warning: in /srv/a.php on line 3\n\n"[..], &three_pages()].concat();
    for hints in [Hints::new().name("a.pdf"), Hints::new().media_type("application/pdf")] {
        assert_eq!(read(&bytes, hints.clone()), whole);
        let mut links = 0;
        let scanned = Finder::new().scan_reader(&bytes[..], &hints, |event| {
            links += usize::from(event.link().is_some());
            std::ops::ControlFlow::Continue(())
        });
        assert_eq!((links, scanned.unwrap().notice()), (whole.0.len(), None));
        let text = b"%PDF- is what a PDF begins with: http://e.com/t";
        assert_eq!(read(&text[1..], hints), (vec!["t".to_owned()], vec![]));
    }
    assert_eq!(Finder::new().document(&bytes, &Hints::new()).unwrap_err(), NotRead::Binary);
}

#[test]
fn no_pdf_is_read_if_none_is_wanted() {
    // Nor searched like binary data.
    for bytes in [&three_pages()[..], b"%PDF-1.4\nsee http://e.com/a now\n"] {
        for hints in [Hints::new().pdf(false), Hints::new().pdf(false).salvage(true)] {
            assert_eq!(Finder::new().document(bytes, &hints).unwrap_err(), NotRead::Pdf);
        }
    }
}

#[test]
fn a_file_without_objects_is_searched_like_binary_data_on_request() {
    let bytes = b"%PDF-1.4\nsee http://e.com/a now\n%%EOF\n";
    assert_eq!(Finder::new().document(bytes, &Hints::new()).unwrap_err(), NotRead::Damaged);
    let (links, notices) = scanned(bytes);
    assert_eq!(links.iter().map(|link| link.uri()).collect::<Vec<_>>(), ["http://e.com/a"]);
    assert_eq!(&bytes[links[0].range()], b"http://e.com/a");
    assert_eq!(notices, [Notice::PdfDamaged, Notice::Binary]);
}

/// The shared samples, with what PyMuPDF finds in them; the test is listed as ignored where they are absent.
#[test]
#[cfg_attr(not(samples), ignore = "needs the samples beside the project")]
fn samples_have_the_links_of_another_reader() {
    let folder = crate::root().join("../shared/samples/pdf");
    let expected = std::fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&expected).unwrap();
    let finder = Finder::new();
    let bare = |uri: &str| {
        let uri = uri.trim_end_matches('/').to_lowercase();
        let rest = uri.split_once("://").map(|(_, rest)| rest.to_owned());
        rest.unwrap_or_else(|| uri.trim_start_matches("mailto:").to_owned())
    };
    let (mut count, mut found) = ([0; 2], [0; 2]);
    for (path, links) in &expected {
        let bytes = std::fs::read(folder.join(path)).unwrap();
        let hints = Hints::new();
        let mut ours = [Vec::new(), Vec::new()];
        for link in
            finder.document(&bytes, &hints).into_iter().flatten().filter_map(Candidate::into_link)
        {
            let is_text = link.context() == "pdf:text";
            ours[usize::from(is_text)].extend([bare(&link.uri()), bare(link.raw())]);
        }
        for (kind, name) in ["annotations", "text"].iter().enumerate() {
            for uri in links[*name].as_array().unwrap() {
                count[kind] += 1;
                found[kind] += usize::from(ours[kind].contains(&bare(uri.as_str().unwrap())));
            }
        }
    }
    // Of the four in the text that are missing, two begin with a brace, and one is the second half of an address.
    assert_eq!((found[0], count[1] - found[1] <= 4), (count[0], true), "{found:?} {count:?}");
}
