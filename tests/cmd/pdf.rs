//! PDF by the command: places, pages, and none.

use std::process::Command;

use super::Folder;
use crate::made::pdfs::PdfMaker;

fn run(folder: &Folder, arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
    let output =
        command.env_remove("NO_COLOR").args(arguments).current_dir(folder.path()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

fn two_pages() -> Vec<u8> {
    let page = |uri: &str| {
        format!("<< /Type /Page /Annots [<< /Subtype /Link /A << /S /URI /URI ({uri}) >> >>] >>")
    };
    PdfMaker::default()
        .with("<< /Type /Catalog /Pages 2 0 R >>")
        .with("<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>")
        .with(page("http://e.com/1"))
        .with(page("http://e.com/2"))
        .compressed()
}

#[test]
fn pages_are_places_and_can_be_selected() {
    let folder = Folder::new();
    folder.write("a.pdf", two_pages());
    let (both, ..) = run(&folder, &["-H", "a.pdf"]);
    assert_eq!(both, "a.pdf:1:http://e.com/1\na.pdf:2:http://e.com/2\n");
    for (pages, expected) in [
        ("1", "http://e.com/1\n"),
        ("2-", "http://e.com/2\n"),
        ("1-1", "http://e.com/1\n"),
        ("3-4", ""),
    ] {
        let (out, err, _) = run(&folder, &["--pages", pages, "a.pdf"]);
        assert_eq!((&*out, &*err), (expected, ""), "{pages}");
    }
    for wrong in ["0", "2-1", "a", ""] {
        let (out, err, code) = run(&folder, &["--pages", wrong, "a.pdf"]);
        assert!(
            out.is_empty() && err.contains("--pages") && code == Some(2),
            "{wrong:?}: {out} {err} {code:?}"
        );
    }
}

#[test]
fn no_pdf_is_read_if_none_is_wanted() {
    let folder = Folder::new();
    folder.write("a.pdf", two_pages());
    folder.write("a.txt", "see http://e.com/text now");
    let (out, err, code) = run(&folder, &["--no-pdf", "a.pdf", "a.txt"]);
    assert_eq!(out, "a.txt:1:5:http://e.com/text\n");
    assert!(err.contains("a.pdf") && err.contains("notice"), "{err}");
    assert_eq!(code, Some(0));
}

#[test]
fn the_totals_count_documents_without_an_encoding_of_their_own() {
    let folder = Folder::new();
    folder.write("a.pdf", two_pages());
    folder.write("a.eml", "Subject: a\n\nsee http://e.com/mail now\n");
    folder.write("a.txt", "see http://e.com/text now");
    run(&folder, &["--summary", "s.json", "a.pdf", "a.eml", "a.txt"]);
    let out = std::fs::read_to_string(folder.path().join("s.json")).unwrap();
    assert!(out.contains("\"documents\": 3,") && out.contains("\"links\": 4,"), "{out}");
}
