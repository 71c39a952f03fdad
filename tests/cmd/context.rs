//! Lines around links, wherever the document is.

use std::fmt::Write as _;
use std::fs;

use super::Folder;
use super::runs::{linksift, run, stderr};
use crate::made::compressed::{gzip, zstd};
use crate::made::tars::tar;
use crate::made::warcs::record;
use crate::made::zips::{deflated, stored, zip};

/// Numbered lines, some of them with a link, and what is printed for them with a line before and after.
fn numbered(count: usize, filling: &str) -> (String, String) {
    let line = |n: usize| match n % 7 {
        3 => format!("line {n} has http://e.example/{n} in it"),
        _ => format!("line {n}{filling}"),
    };
    let (mut text, mut shown) = (String::new(), String::new());
    for n in 1..=count {
        let _ = writeln!(text, "{}", line(n));
        if n % 7 == 3 {
            let _ = writeln!(shown, "http://e.example/{n}");
            let _ = writeln!(shown, "    {}- {}", n - 1, line(n - 1));
            let _ = writeln!(shown, "    {n}: line {n} has «http://e.example/{n}» in it");
            if n < count {
                let _ = writeln!(shown, "    {}- {}", n + 1, line(n + 1));
            }
        }
    }
    (text, shown)
}

#[test]
fn lines_of_members_are_those_of_the_file() {
    let folder = Folder::new();
    let path = folder.path();
    // More than the scan reads at once, and more than is kept of it; the last line has a link.
    for (count, filling) in [(94, ""), (30_005, " of a text"), (150_000, &*" and so on".repeat(15))]
    {
        let (text, shown) = numbered(count, filling);
        let text = text.as_bytes();
        folder.write("a.txt", text);
        folder.write("a.txt.gz", gzip(text));
        folder.write("a.zip", zip(&[deflated(b"d/a.txt", text)]));
        folder.write("a.tar.zst", zstd(&tar(&[(b"none.txt", b"nothing"), (b"a.txt", text)])));
        folder.write("a.tar.gz", gzip(&tar(&[(b"a.zip", &zip(&[stored(b"a.txt", text)]))])));
        let record = record("resource", "http://s.example/a.txt", text, &text.len().to_string());
        let record = String::from_utf8(record).unwrap().replace("application/http", "text/plain");
        folder.write("a.warc.gz", gzip(record.as_bytes()));
        for name in ["a.txt", "a.txt.gz", "a.zip", "a.tar.zst", "a.tar.gz", "a.warc.gz"] {
            for threads in ["-j1", "-j3"] {
                let output = run(path, &format!("{threads} -I --context-lines 1 {name}"));
                assert!(output.stdout == shown.as_bytes(), "{name} of {count} lines");
                assert_eq!(stderr(&output), "", "{name}");
            }
        }
        let file = fs::File::open(path.join("a.tar.gz")).unwrap();
        let output = linksift(path, "--context-lines 1").stdin(file).output().unwrap();
        assert!(output.stdout == shown.as_bytes(), "standard input of {count} lines");
    }
}

#[test]
fn other_charsets_and_rejected_candidates_keep_their_places() {
    let folder = Folder::new();
    let text = "первая\nвот http://e.example/и\nhttp://300.1.1.1/\nпоследняя http://e.example/2";
    let utf16: Vec<u8> =
        [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    folder.write("a.zip", zip(&[stored(b"a.txt", text.as_bytes()), deflated(b"b.txt", &utf16)]));
    let arguments = "--show raw --rejected --no-heading -I --context-lines 1 a.zip";
    let output = run(folder.path(), arguments);
    let once = "http://e.example/и
    1- первая
    2: вот «http://e.example/и»
    3- http://300.1.1.1/
rejected host-ipv4 http://300.1.1.1/
http://e.example/2
    3- http://300.1.1.1/
    4: последняя «http://e.example/2»
";
    assert_eq!(String::from_utf8_lossy(&output.stdout), once.repeat(2), "{}", stderr(&output));
}
