//! Files that are damaged, encrypted, or made to cost much.

use std::time::{Duration, Instant};

use linksift::{Finder, Hints, NotRead, Notice};

use super::{in_text, scanned};
use crate::made::pdfs::{PdfMaker, page, zlib};

fn uris(file: &[u8]) -> (Vec<String>, Vec<Notice>) {
    let started = Instant::now();
    let (links, notices) = scanned(file);
    // Far more than it takes, and far less than what has no bound.
    assert!(started.elapsed() < Duration::from_secs(60));
    (links.iter().map(|link| link.uri().into_owned()).collect(), notices)
}

fn linked(entries: &str) -> PdfMaker {
    page(
        "BT /F 10 Tf (see http://e.com/text) Tj ET",
        &format!("/Annots [<< /A << /S /URI /URI (http://e.com/a) >> >>] {entries}"),
        &[],
    )
}

/// A string that the file ends in is cut: a link in it is not whole.
#[test]
fn a_link_that_the_end_of_the_file_cuts_is_left_out() {
    let whole = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
        3 0 obj<</Type/Page/Parent 2 0 R/Annots[4 0 R 5 0 R]>>endobj\n\
        4 0 obj<</Type/Annot/Subtype/Link/A<</S/URI/URI(http://e.com/a)>>>>endobj\n\
        5 0 obj<</Type/Annot/Subtype/Link/A<</S/URI/URI(http://bank.example/b)>>>>endobj\n";
    let (found, _) = uris(whole);
    assert_eq!(found, ["http://e.com/a", "http://bank.example/b"]);
    let end = memchr::memmem::find(whole, b"/b)").unwrap();
    for len in end - 8..end + 2 {
        let (found, notices) = uris(&whole[..len]);
        assert_eq!(
            (&*found, &*notices),
            (&["http://e.com/a".to_owned()][..], &[Notice::PdfDamaged][..])
        );
    }
}

#[test]
fn damaged_references_are_rebuilt() {
    let whole = linked("").file();
    let text = String::from_utf8_lossy(&whole);
    let at = text.find("xref").unwrap();
    let binary = |from: &str, to: &str| {
        let at = memchr::memmem::find(&whole, from.as_bytes()).unwrap();
        [&whole[..at], to.as_bytes(), &whole[at + from.len()..]].concat()
    };
    let files = [
        binary("startxref", "startxxxx"),
        binary("0000000015", "0000000016"),
        binary("trailer", "trialer"),
        whole[..whole.len() - at.min(60)].to_vec(),
        [b"%PDF-1.4\njunk\n", &whole[9..]].concat(),
    ];
    for file in files {
        let (found, notices) = uris(&file);
        assert_eq!(
            found,
            ["http://e.com/a", "http://e.com/text"],
            "{}",
            String::from_utf8_lossy(&file)
        );
        assert_eq!(notices, [Notice::PdfDamaged]);
    }
    // Bytes before the header are not damage: offsets count from the header.
    let shifted = [b"\r\n".as_slice(), &whole].concat();
    assert_eq!(
        uris(&shifted),
        (vec!["http://e.com/a".to_owned(), "http://e.com/text".to_owned()], vec![])
    );
}

#[test]
fn a_file_that_is_cut_gives_what_it_holds() {
    let whole = linked("")
        .with("<< /Type /Page /Annots [<< /A << /S /URI /URI (http://e.com/last) >> >>] >>")
        .file();
    let pages = memchr::memmem::find(&whole, b"/MediaBox").unwrap();
    let mut counts = Vec::new();
    for end in (pages..whole.len()).step_by(7) {
        let (found, _) = uris(&whole[..end]);
        counts.push(found.len());
    }
    assert!(counts.contains(&1) && counts.contains(&2) && counts.contains(&3), "{counts:?}");
    // What is cut inside compressed data gives their beginning.
    let filler: String = (0..2_000).map(|number| format!("% {}\n", number * number)).collect();
    let long = format!("BT /F 10 Tf (see http://e.com/text) Tj ET\n{filler}");
    let file = page(&long, "", &[]).file();
    let (found, notices) = uris(&file[..file.len() / 2]);
    assert_eq!((found, notices), (vec!["http://e.com/text".to_owned()], vec![Notice::PdfDamaged]));
}

/// What leads to them is behind the cut. What something leads to is read there, and once.
#[test]
fn links_that_nothing_leads_to_are_read_where_the_file_is_cut() {
    let objects = "%PDF-1.4\n\
        2 0 obj<</S/URI/URI(http://e.com/next)>>endobj\n\
        4 0 obj<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://e.com/a)>>>>endobj\n\
        5 0 obj<</S/URI/URI(http://e.com/action)/Next 2 0 R>>endobj\n\
        6 0 obj<</Title(x)/A 8 0 R/Next 15 0 R>>endobj\n\
        15 0 obj<</Title(y)/A<</S/URI/URI(http://e.com/second)>>/Prev 6 0 R>>endobj\n\
        7 0 obj<</Subtype/Widget/AA<</U 8 0 R/D 8 0 R>>>>endobj\n\
        8 0 obj<</S/URI/URI(http://e.com/shared)>>endobj\n\
        9 0 obj<</Type/Filespec/F(a.txt)/EF<</F 10 0 R>>>>endobj\n\
        10 0 obj<</Length 19>>stream\nhttp://e.com/inside\nendstream endobj\n\
        11 0 obj<</Type/StructElem/S/URI/A<</O/Layout>>>>endobj\n";
    let read = |further: &str| {
        let (links, notices) = scanned(format!("{objects}{further}").as_bytes());
        assert_eq!(notices, [Notice::PdfDamaged]);
        let page = |page: Option<u64>| page.map_or("-".to_owned(), |page| page.to_string());
        let told = links.iter().map(|link| {
            let name = link.uri().replace("http://e.com/", "");
            format!("{} {} {name}", page(link.page()), link.object().unwrap_or("-"))
        });
        told.collect::<Vec<_>>()
    };
    let lost = [
        "- 4 0 a",
        "- 8 0 shared",
        "- 8 0 shared",
        "- - inside",
        "- 15 0 second",
        "- 2 0 next",
        "- 5 0 action",
    ];
    assert_eq!(read("12 0 obj<</Len"), lost);
    let page = "12 0 obj<</Type/Page/Annots[4 0 R 7 0 R]>>endobj 13 0 obj<</Len";
    let found = [
        "1 4 0 a",
        "1 8 0 shared",
        "- 8 0 shared",
        "- - inside",
        "- 15 0 second",
        "- 2 0 next",
        "- 5 0 action",
    ];
    assert_eq!(read(page), found);
    let whole = "12 0 obj<</Type/Page/Annots[4 0 R 7 0 R]/AA<</O 5 0 R>>>>endobj\n\
        13 0 obj<</Type/Catalog/Pages 14 0 R/Outlines<</First 6 0 R>>/AA<</WC 5 0 R>>>>endobj\n\
        14 0 obj<</Kids[12 0 R]>>endobj";
    let all = [
        "1 5 0 action",
        "1 2 0 next",
        "1 4 0 a",
        "1 8 0 shared",
        "- 5 0 action",
        "- 2 0 next",
        "- 8 0 shared",
        "- 15 0 second",
        "- - inside",
    ];
    assert_eq!(read(whole), all);
    let hints = Hints::new().pages("1-1".parse().unwrap());
    let bytes = format!("{objects}{page}");
    let finder = Finder::new();
    let of_range = finder.document(bytes.as_bytes(), &hints).unwrap();
    assert_eq!(of_range.links().count(), 2);
}

#[test]
fn a_tree_without_pages_is_damaged() {
    let file = PdfMaker::default()
        .with("<< /Type /Catalog /Pages 2 0 R >>")
        .with("<< /Type /Pages /Count 1 >>")
        .with("<< /Type /Page /Annots [<< /A << /S /URI /URI (http://e.com/a) >> >>] >>")
        .file();
    assert_eq!(uris(&file), (vec!["http://e.com/a".to_owned()], vec![Notice::PdfDamaged]));
}

#[test]
fn an_empty_password_opens_and_another_one_does_not() {
    for name in ["rc4-40", "rc4-128", "aes-128", "aes-256"] {
        let file = std::fs::read(crate::root().join(format!("fixtures/pdf/{name}.pdf"))).unwrap();
        let found = uris(&file);
        assert_eq!(
            found,
            (vec!["http://e.com/a".to_owned(), "http://e.com/text".to_owned()], vec![]),
            "{name}"
        );
    }
    let file = std::fs::read(crate::root().join("fixtures/pdf/password.pdf")).unwrap();
    assert_eq!(Finder::new().document(&file, &Hints::new()).unwrap_err(), NotRead::Encrypted);
}

#[test]
fn what_costs_too_much_ends_with_a_notice_and_what_was_found() {
    let first = "http://e.com/a".to_owned();
    let circle = PdfMaker::default()
        .with("<< /Type /Catalog /Pages 2 0 R >>")
        .with("<< /Type /Pages /Kids [3 0 R 2 0 R] >>")
        .with(
            "<< /Type /Page /Annots [<< /A << /S /URI /URI (http://e.com/a) /Next 4 0 R >> >>] >>",
        )
        .with("<< /S /URI /URI (http://e.com/a) /Next 4 0 R >>")
        .file();
    let operators = linked("").with("").file();
    assert_eq!(uris(&operators).0[0], first);
    let many = page(
        &"q Q ".repeat(3 << 20),
        "/Annots [<< /A << /S /URI /URI (http://e.com/a) >> >>]",
        &[],
    )
    .file();
    let deep = page(
        &format!("{} Tj", "[".repeat(100_000)),
        "/Annots [<< /A << /S /URI /URI (http://e.com/a) >> >>]",
        &[],
    )
    .file();
    let bomb = {
        let zeros = vec![b' '; 70 << 20];
        page("", "/Annots [<< /A << /S /URI /URI (http://e.com/a) >> >>]", &[]);
        PdfMaker::default()
            .with("<< /Type /Catalog /Pages 2 0 R >>")
            .with("<< /Type /Pages /Kids [3 0 R] >>")
            .with("<< /Type /Page /Contents 4 0 R /Annots [<< /A << /S /URI /URI (http://e.com/a) >> >>] >>")
            .with_stream("/Filter [/FlateDecode /FlateDecode]", zlib(&zlib(&zeros)))
            .file()
    };
    let form = "<< /Type /XObject /Subtype /Form /Resources << /XObject << /X 5 0 R >> >> /Length 12 >>\nstream\n/X Do /X Do \nendstream";
    let forms = page("/X Do", "/Resources << /XObject << /X 5 0 R >> >> /Annots [<< /A << /S /URI /URI (http://e.com/a) >> >>]", &[form]).file();
    let filters = page("", "/Annots [<< /A << /S /JavaScript /JS 5 0 R >> >> << /A << /S /URI /URI (http://e.com/a) >> >>]", &[
        "<< /Filter [/AHx /AHx /AHx /AHx /AHx] /Length 2 >>\nstream\n30\nendstream",
    ]).file();
    let references = page(
        "",
        "/Annots [<< /A 5 0 R >> << /A << /S /URI /URI (http://e.com/a) >> >>]",
        &["<< /Length 5 0 R >>\nstream\n\nendstream"],
    )
    .file();
    let link = "/Annots [<< /A << /S /URI /URI (http://e.com/a) >> >>]";
    let state = format!("/G << /X [{}] >>", "1 ".repeat(100_000));
    let state = page(
        &"/G gs ".repeat(3000),
        &format!("/Resources << /ExtGState << {state} >> >> {link}"),
        &[],
    )
    .file();
    let names: String = (0..20_000).map(|name| format!("/F{name} 5 0 R ")).collect();
    let shown: String = (0..20_000).map(|name| format!("/F{name} 1 Tf ")).collect();
    let fonts =
        page(&shown, &format!("/Resources << /Font << {names} >> >> {link}"), &["<< >>"]).file();
    let widths = {
        let each: String = (0..2000).map(|name| format!("/F{name} {} 0 R ", name + 6)).collect();
        let shown: String = (0..60_000).map(|at| format!("/F{} 1 Tf ", at % 2000)).collect();
        let font = "<< /Subtype /Type0 /DescendantFonts [<< /W 5 0 R >>] >>";
        let list = format!("[{}]", "0 65535 500 ".repeat(2000));
        let further: Vec<&str> =
            std::iter::once(&*list).chain(std::iter::repeat_n(font, 2000)).collect();
        page(&shown, &format!("/Resources << /Font << {each} >> >> {link}"), &further).file()
    };
    let spaces = {
        let map = "1 begincodespacerange <00> <01> endcodespacerange ".repeat(100);
        let map = format!("<< /Length {} >>\nstream\n{map}\nendstream", map.len());
        let font = "<< /Subtype /Type0 /Encoding 6 0 R >>";
        let resources = format!("/Resources << /Font << /F 5 0 R >> >> {link}");
        page("/F 1 Tf", &resources, &[font, &map]).file()
    };
    let elements = page("", &format!("/X [{}] {link}", "1 ".repeat(1_100_000)), &[]).file();
    let numbers = {
        let entries = zlib(&vec![0; 1_200_000]);
        let dictionary = "/Type /XRef /W [0 1 0] /Size 1200000 /Root 1 0 R /Filter /FlateDecode";
        let mut file = b"%PDF-1.7\n".to_vec();
        let start = file.len();
        let head = format!("9 0 obj\n<< {dictionary} /Length {} >>\nstream\n", entries.len());
        file.extend(head.bytes());
        file.extend(entries);
        file.extend(b"\nendstream\nendobj\n");
        file.extend(&page("", link, &[]).file()[9..]);
        file.extend(format!("\nstartxref\n{start}\n%%EOF\n").bytes());
        file
    };
    for (name, file) in [
        ("elements", elements),
        ("numbers", numbers),
        ("state", state),
        ("fonts", fonts),
        ("widths", widths),
        ("spaces", spaces),
        ("circle", circle),
        ("many", many),
        ("deep", deep),
        ("bomb", bomb),
        ("forms", forms),
        ("filters", filters),
        ("references", references),
    ] {
        let (found, notices) = uris(&file);
        assert!(found.contains(&first), "{name}: {found:?}");
        assert!(notices.contains(&Notice::PdfLimit), "{name}: {notices:?}");
    }
}

/// Pages that inherit large resources share them: a copy for each would be 8 GB here.
#[test]
fn pages_share_the_resources_that_they_inherit() {
    let kids = "3 0 R ".repeat(20_000);
    let file = PdfMaker::default()
        .with("<< /Type /Catalog /Pages 2 0 R >>")
        .with(format!("<< /Kids [{kids}] /Resources << /X [{}] >> >>", "1 ".repeat(10_000)))
        .with("<< /Type /Page /Annots [<< /A << /S /URI /URI (http://e.com/a) >> >>] >>")
        .file();
    assert_eq!(uris(&file).0, ["http://e.com/a"]);
}

#[test]
fn what_cannot_be_read_has_a_notice() {
    let image = PdfMaker::default()
        .with("<< /Type /Catalog /Pages 2 0 R >>")
        .with("<< /Type /Pages /Kids [3 0 R] >>")
        .with("<< /Type /Page /Contents 4 0 R >>")
        .with_stream("/Filter /DCTDecode", "")
        .file();
    assert_eq!(uris(&image), (vec![], vec![Notice::PdfFilter]));
    let font = "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /Subtype /CIDFontType2 >>] >>";
    let glyphs = page(
        "BT /G 10 Tf <00050006> Tj ET",
        &format!("/Resources << /Font << /G {font} >> >>"),
        &[],
    )
    .file();
    assert_eq!(uris(&glyphs), (vec![], vec![Notice::PdfGlyphs]));
    assert_eq!(in_text(b"%PDF-1.4"), Vec::<String>::new());
}
