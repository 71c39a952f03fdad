//! Documents that are not text, as a table that the bindings read too: the same links, notices and reasons everywhere.

use std::fmt::Write;

use linksift::{Candidate, Finder, Hints};

use super::office::{message, outlook_store, presentation, workbook};
use crate::bless::Blessing;
use crate::made::compound::{compound, word};
use crate::made::pdfs::page;
use crate::made::zips::{stored, zip};

const HEAD: &str = "\
# Documents that are not text. `@@ NAME | REASON` begins a case: the name of the document and why nothing of it is read, or `-`. Lines that begin
# with `= ` are its links, with `! ` its notices; the others are its bytes: hexadecimal, `XX*N` for N equal bytes.
#
# The test `document::binary_cases` makes this file.
";

/// Writes bytes as the table has them.
fn written(bytes: &[u8]) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for run in bytes.chunk_by(|one, next| one == next) {
        match run.len() {
            len @ 8.. => write!(line, " {:02X}*{len} ", run[0]).unwrap(),
            len => line += &format!("{:02X}", run[0]).repeat(len),
        }
        if line.len() > 120 {
            lines += line.trim();
            lines.push('\n');
            line.clear();
        }
    }
    lines + line.trim()
}

/// Returns the case of a document.
fn case(name: &str, bytes: &[u8]) -> String {
    let finder = Finder::new();
    let (mut reason, mut lines) = ("-", String::new());
    match finder.document(bytes, &Hints::new().name(name)) {
        Ok(mut links) => {
            for link in links.by_ref().filter_map(Candidate::into_link) {
                writeln!(lines, "= {}", link.uri()).unwrap();
            }
            for notice in links.notices().to_vec() {
                writeln!(lines, "! {}", notice.as_str()).unwrap();
            }
        }
        Err(unread) => reason = unread.as_str(),
    }
    format!("\n@@ {name} | {reason}\n{lines}{}\n", written(bytes))
}

#[test]
fn documents_that_are_not_text_are_read_the_same_everywhere() {
    let later_store = {
        let mut store = outlook_store();
        store[10] = 36;
        store
    };
    let linked = page(
        "BT /F 10 Tf (see http://a.example/text) Tj ET",
        "/Annots [<< /A << /S /URI /URI (http://a.example/link) >> >>]",
        &[],
    );
    let wide = "\u{FEFF}see http://a.example/".chars().flat_map(|c| u32::from(c).to_le_bytes());
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("picture.png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR http://a.example/".to_vec()),
        ("photo.jpg", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0 http://a.example/".to_vec()),
        ("notes.txt", b"\x7FELF\x02\x01\x01\0 http://a.example/ www.b.example".to_vec()),
        ("archive.zip", zip(&[stored(b"a.txt", b"http://a.example/")])),
        ("archive.rar", b"Rar!\x1A\x07\x01\0 http://a.example/".to_vec()),
        ("data.sqlite", b"SQLite format 3\0\x10\0\x01\x01 http://a.example/".to_vec()),
        ("table.parquet", b"PAR1\x15\x04\x15\0 http://a.example/ PAR1".to_vec()),
        ("wide.txt", wide.collect()),
        ("page.html", b"<meta charset=iso-2022-kr><a href=http://a.example/>".to_vec()),
        ("short.txt", b"see http://a.example/ \0 then http://b.example/".to_vec()),
        ("letter.doc", word("see http://a.example/ and b@c.example")),
        ("letter.docm", compound(&[("EncryptedPackage", b"secret"), ("EncryptionInfo", b"\x04")])),
        ("sheet.xls", compound(&[("Workbook", &workbook())])),
        ("talk.ppt", presentation()),
        ("plan.vsd", compound(&[("VisioDocument", b"see http://a.example/")])),
        ("mail.msg", message()),
        ("store.pst", outlook_store()),
        ("store.ost", later_store),
        ("manual.pdf", linked.file()),
        ("damaged.pdf", b"%PDF-1.4\nnothing of it is left".to_vec()),
    ];
    let all: String = cases.iter().map(|(name, bytes)| case(name, bytes)).collect();
    let path = crate::root().join("fixtures/binary/documents.cases");
    let mut blessing = Blessing::new("document::binary_cases");
    blessing.whole(&path, (HEAD.to_owned() + &all).as_bytes());
    blessing.finish();
}
