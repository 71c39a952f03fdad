//! The documents in every encoding, `fixtures/charset/*.txt`, piped to the command and named to it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use linksift::Finder;

#[path = "../it/legacy/routes.rs"]
#[allow(dead_code, reason = "documents are not cut here")]
mod records;

use records::{field, whole};

struct Fixture {
    name: String,
    /// What its head says that it is encoded in.
    charset: String,
    /// What is detected without a word about it, and from what.
    undeclared: (String, String),
    stored: Vec<u8>,
    /// Its records.
    records: String,
}

fn folder() -> PathBuf {
    crate::root().join("fixtures/charset")
}

/// All of them, in the order of their names.
fn fixtures() -> Vec<Fixture> {
    let mut sources: Vec<_> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    sources.retain(|path| path.extension().is_some_and(|ending| ending == "marked"));
    sources.sort();
    let fixture = |source: &PathBuf| {
        let head = fs::read_to_string(source).unwrap();
        let said = |what: &str| {
            let lines = head.lines().map_while(|line| line.strip_prefix("! "));
            lines.filter_map(|line| line.strip_prefix(what)?.strip_prefix(' ')).next()
        };
        let (found, by) = said("undeclared").unwrap().split_once(' ').unwrap();
        Fixture {
            name: source.file_stem().unwrap().to_str().unwrap().to_owned(),
            charset: said("charset").unwrap_or("utf-8").to_owned(),
            undeclared: (found.to_owned(), by.to_owned()),
            stored: fs::read(source.with_extension("txt")).unwrap(),
            records: fs::read_to_string(source.with_extension("json")).unwrap(),
        }
    };
    let fixtures: Vec<_> = sources.iter().map(fixture).collect();
    assert!(fixtures.len() >= 39, "{}", fixtures.len());
    fixtures
}

/// A notice reports what is not text.
#[test]
fn archives_and_media_have_no_encoding() {
    let folder = crate::Folder::new();
    folder.write("a.txt.gz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03\0");
    folder.write("a.png", b"\x89PNG\r\n\x1A\n");
    folder.write("a.txt", "abc");
    let output = crate::runs::run(folder.path(), "charset a.txt.gz a.png a.txt");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a.txt\tutf-8\tutf-8\n");
    let said = "linksift: a.txt.gz: notice: not text: an archive or a compressed file\n\
                linksift: a.png: notice: not text: an image, audio, video or font\n";
    assert_eq!((crate::runs::stderr(&output), output.status.code()), (said.to_owned(), Some(0)));
}

/// What the command prints with the document on its standard input.
fn piped(arguments: &[&str], stored: &[u8]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linksift"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let stored = stored.to_owned();
    let writer = thread::spawn(move || input.write_all(&stored).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The fields that have a value, as in the fixtures.
fn present(lines: &str) -> String {
    let absent = ["member", "part", "source", "page", "object", "host"];
    let lines = absent
        .iter()
        .fold(lines.to_owned(), |lines, name| lines.replace(&format!("\"{name}\":null,"), ""));
    lines.replace(",\"warnings\":[]}", "}").replace(",\"host\":null}", "}")
}

#[test]
fn what_is_piped_has_the_records_of_its_charset() {
    for Fixture { name, charset, stored, records, .. } in fixtures() {
        assert_eq!(present(&piped(&["--json", "--charset", &charset], &stored)), records, "{name}");
    }
}

/// A page that declares another encoding is written in UTF-8, and a browser reads it so.
#[test]
fn linkified_pages_begin_with_a_mark_if_they_were_not_utf_8() {
    let arguments = ["linkify", "--html", "--rel", ""];
    let page = b"<meta charset=windows-1251><p>\xCF\xF0 e.com";
    let linked = "<meta charset=windows-1251><p>\u{41F}\u{440} <a href=\"https://e.com\">e.com</a>";
    assert_eq!(piped(&arguments, page), format!("\u{FEFF}{linked}"));
    let utf_8 = linked.replace("windows-1251", "utf-8");
    assert_eq!(piped(&arguments, "<meta charset=utf-8><p>\u{41F}\u{440} e.com".as_bytes()), utf_8);
    // Text declares nothing.
    let text = ["linkify", "--charset", "windows-1251"];
    assert_eq!(piped(&text, b"\xCF\xF0"), "\u{41F}\u{440}");
}

/// Without a word about the charset it is what the library detects of the whole document.
#[test]
fn what_is_piped_without_a_charset_is_read_as_the_library_reads_it() {
    let finder = Finder::new();
    for Fixture { name, stored, .. } in fixtures() {
        let mut lines = whole(&finder, None, &stored);
        lines.retain(|line| field(line, "rejected").is_null());
        assert_eq!(present(&piped(&["--json"], &stored)), lines.concat(), "{name}");
        // Who reads URIs alone gets those of an ASCII beginning before the encoding is known.
        let uri = |line: &String| field(line, "uri").as_str().unwrap().to_owned() + "\n";
        let uris: String = lines.iter().map(uri).collect();
        assert_eq!(piped(&["--show", "uri"], &stored), uris, "{name}");
    }
}

/// `linksift charset` says of each file what it is and why.
#[test]
fn the_command_tells_charsets() {
    let fixtures = fixtures();
    let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
    command.arg("charset").current_dir(folder());
    command.args(fixtures.iter().map(|fixture| format!("{}.txt", fixture.name)));
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(told.lines().count(), fixtures.len());
    for (Fixture { name, undeclared, .. }, told) in fixtures.iter().zip(told.lines()) {
        assert_eq!(told, format!("{name}.txt\t{}\t{}", undeclared.0, undeclared.1));
    }
}
