//! Input that pauses: what is decided is printed before more comes.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::Folder;

/// A pause is 200 ms; who gets nothing for so long gets nothing before the end.
const PATIENCE: Duration = Duration::from_secs(20);

/// A part of a document, and how many lines are printed before the next part comes.
type Part<'p> = (&'p [u8], usize);

/// Runs the command on parts, of which each is written when the lines of those before are there; all that it prints.
fn run(
    arguments: &[&str],
    parts: &[Part<'_>],
    open: impl FnOnce(&mut Command) -> Open,
) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
    command.env_remove("NO_COLOR").args(arguments).stdout(Stdio::piped());
    let open = open(&mut command);
    let mut child = command.spawn().unwrap();
    let mut input: Box<dyn Write> = match open {
        Open::Stdin => Box::new(child.stdin.take().unwrap()),
        Open::Fifo(path) => Box::new(File::options().write(true).open(path).unwrap()),
    };
    let (sender, lines) = mpsc::channel();
    let output = BufReader::new(child.stdout.take().unwrap());
    let reader = thread::spawn(move || {
        output.lines().for_each(|line| sender.send(line.unwrap()).unwrap());
    });
    let mut found = Vec::new();
    for (number, (part, printed)) in parts.iter().enumerate() {
        input.write_all(part).unwrap();
        input.flush().unwrap();
        for _ in 0..*printed {
            match lines.recv_timeout(PATIENCE) {
                Ok(line) => found.push(line),
                Err(error) => panic!("{arguments:?}: after part {number}: {error}: {found:?}"),
            }
        }
        // What is not expected would come now.
        let more = lines.recv_timeout(Duration::from_millis(if *printed == 0 { 600 } else { 0 }));
        assert_eq!(more, Err(RecvTimeoutError::Timeout), "{arguments:?}: after part {number}");
    }
    drop(input);
    reader.join().unwrap();
    found.extend(lines);
    assert!(child.wait().unwrap().success(), "{arguments:?}: {found:?}");
    found
}

enum Open {
    Stdin,
    Fifo(PathBuf),
}

fn stdin(command: &mut Command) -> Open {
    command.stdin(Stdio::piped());
    Open::Stdin
}

fn gzipped(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

const PAGE: &str = "<!doctype html>\n<html><head><title>t</title>\n<link rel=canonical href='http://e.com/0'>\n\
    </head><body>\n<a href='http://e.com/1'>a</a>\n<a href=/2>b</a> ";
const REST: &str = "<base href='http://late.e/'><a href=/3>c</a>\n</body></html>\n";

#[test]
fn links_are_printed_at_a_pause_in_each_format() {
    let utf8 = |arguments: &[&str], parts: &[(&str, usize)], uris: &str| {
        let parts: Vec<Part<'_>> =
            parts.iter().map(|(part, printed)| (part.as_bytes(), *printed)).collect();
        let found = run(arguments, &parts, stdin);
        assert_eq!(found.join(" "), uris, "{arguments:?}");
        let json: Vec<&str> = ["--json"].iter().chain(arguments).copied().collect();
        let records = run(&json, &parts, stdin);
        for (record, uri) in records.iter().zip(uris.split(' ')) {
            assert!(record.contains(&format!("\"uri\":\"{uri}\"")), "{record} {uri}");
        }
        assert_eq!(records.len(), found.len());
    };
    utf8(
        &["--base", "http://b.e/"],
        &[(PAGE, 3), (REST, 2)],
        "http://e.com/0 http://e.com/1 http://b.e/2 http://late.e/ http://b.e/3",
    );
    utf8(
        &[],
        &[("{\"a\": \"http://e.com/1\"}\n", 1), ("{\"a\": \"é http://e.com/2\"}\n", 1)],
        "http://e.com/1 http://e.com/2",
    );
    utf8(
        &["--format", "csv"],
        &[("a,http://e.com/1\n", 1), ("b,http://e.com/2\n", 1)],
        "http://e.com/1 http://e.com/2",
    );
    utf8(
        &[],
        &[
            ("<?xml version='1.0'?>\n<rss><link>http://e.com/1</link><x/>", 1),
            ("<link>http://e.com/2</link></rss>", 1),
        ],
        "http://e.com/1 http://e.com/2",
    );
    utf8(
        &[],
        &[("é http://e.com/1 \n", 1), ("http://e.com/2 \n", 1)],
        "http://e.com/1 http://e.com/2",
    );
    utf8(
        &["--format", "markdown"],
        &[("[a](http://e.com/1)\n", 0), ("[a](http://e.com/2)\n", 0)],
        "http://e.com/1 http://e.com/2",
    );
}

#[test]
fn legacy_text_is_decided_at_a_pause_or_by_its_label() {
    let first = b"http://e.com/1 \n\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! http://e.com/\xCF \n";
    let parts: &[Part<'_>] = &[(first, 2), (b"\xC3\xA9 http://e.com/\xC3\xA9 \n", 1)];
    let found = run(&["--show", "iri"], parts, stdin);
    assert_eq!(found.join(" "), "http://e.com/1 http://e.com/П http://e.com/Г©");
    // However it comes, it is what the label says.
    let split: &[Part<'_>] = &[(b"http://e.com/1 \n\xC3\xA9 http://e.com/\xC3\xA9 \n", 2)];
    for parts in [parts, split] {
        let found = run(&["--show", "iri", "--charset", "windows-1251"], parts, stdin);
        assert_eq!(found.last().map(String::as_str), Some("http://e.com/Г©"));
    }
    assert_eq!(run(&["--show", "iri"], split, stdin).last().unwrap(), "http://e.com/é");
}

#[test]
fn named_pipes_and_what_is_compressed_pause_too() {
    let folder = Folder::new();
    let fifo = folder.path().join("fifo");
    if !Command::new("mkfifo").arg(&fifo).status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: no mkfifo");
        return;
    }
    let parts: &[Part<'_>] = &[(PAGE.as_bytes(), 2), (REST.as_bytes(), 1)];
    let arguments = &["-I", &*fifo.to_string_lossy()];
    let found = run(arguments, parts, |_| Open::Fifo(fifo.clone()));
    assert_eq!(found.join(" "), "http://e.com/0 http://e.com/1 http://late.e/");
    let (first, second) = (gzipped(PAGE), gzipped(REST));
    let found = run(&["--base", "http://b.e/"], &[(&first, 3), (&second, 2)], stdin);
    assert_eq!(found.last().map(String::as_str), Some("http://b.e/3"));
}

/// Files and input that flows do not pause: a base counts wherever it is.
#[test]
fn what_flows_is_read_as_a_file_is() {
    let folder = Folder::new();
    let page = [PAGE, &"<p>words and words</p>\n".repeat(50_000), REST].concat();
    folder.write("a.html", &page);
    let output = |command: &mut Command| {
        let output = command.output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let linksift = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
        command.args(["-I", "--json"]).current_dir(folder.path());
        command
    };
    let named = |records: &str| records.replace("\"path\":\"a.html\"", "\"path\":\"-\"");
    let of_file = named(&output(linksift().arg("a.html")));
    assert!(of_file.contains("http://late.e/2"), "{of_file}");
    let file = File::open(folder.path().join("a.html")).unwrap();
    assert_eq!(output(linksift().stdin(file)), of_file);
    let mut child = linksift().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // Short gaps are none.
    for part in page.as_bytes().chunks(page.len() / 20 + 1) {
        input.write_all(part).unwrap();
        thread::sleep(Duration::from_millis(20));
    }
    drop(input);
    let found = child.wait_with_output().unwrap().stdout;
    assert_eq!(String::from_utf8(found).unwrap(), of_file);
}

/// With one thread what is found is printed before the command waits for the next name of a list, or for a pipe.
#[test]
fn results_do_not_wait_beside_a_pipe() {
    let folder = Folder::new();
    for name in ["a", "b"] {
        folder.write(&format!("{name}.txt"), format!("see http://{name}.example/ now"));
    }
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (a, b) = (path("a.txt"), path("b.txt"));
    for threads in ["-j1", "-j2"] {
        let arguments = ["-I", threads, &a, "-"];
        let found = run(&arguments, &[(b"", 1), (b"http://c.example/ \n", 1)], stdin);
        assert_eq!(found.join(" "), "http://a.example/ http://c.example/", "{threads}");
        let names = [format!("{a}\n{b}\n"), format!("{a}\n")];
        let parts: &[Part<'_>] = &[(names[0].as_bytes(), 2), (names[1].as_bytes(), 1)];
        let found = run(&["-I", threads, "--files-from", "-"], parts, stdin);
        assert_eq!(found.len(), 3, "{threads}: {found:?}");
    }
}

/// A pause after the blank lines, or within the first word of a record, does not make text of a crawl.
#[test]
fn a_crawl_after_blank_lines_is_told_whenever_it_comes() {
    let record = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: 16\r\n\r\n\
        http://e.com/1 \n\r\n\r\n";
    for before in ["\r\n", "\n\r\n", "\u{FEFF}\r\n"] {
        let whole = format!("{before}{record}");
        for cut in [before.len(), before.len() + 3] {
            let (first, rest) = whole.as_bytes().split_at(cut);
            let found = run(&["--csv", "--fields", "member,uri"], &[(first, 1), (rest, 0)], stdin);
            let expected = format!("{},\"http://e.com/1\"", before.len());
            assert_eq!(found, ["member,uri", &expected], "{before:?} {cut}");
        }
    }
}
