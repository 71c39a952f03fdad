//! Memory that a stream takes whose links wait for text: bytes that are left out of a text, or joined, without end.
//!
//! `LINKSIFT_LARGE=256` feeds 256 MiB of each instead of 64.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// What is fed: options, the beginning, what is repeated, and the end.
type Case = (&'static [&'static str], &'static [u8], &'static [u8], &'static [u8]);

const COLOUR: &[u8] = b"\x1B[m";
const WIDE_COLOUR: &[u8] = b"\x1B\0[\0m\0";
const END: &[u8] = b" x http://end.example/\n";
const OF_BASE64: &[u8] = b"Subject: a\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS";
const OF_QUOTED: &[u8] =
    b"Subject: a\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.example/";

#[rustfmt::skip]
const CASES: [Case; 12] = [
    (&[], b"http://a.example/", COLOUR, END),
    (&[], b"http://a.example/", b"a\x1B[m\x1B[m\x1B[m\x1B[m\x1B[m\x1B[m\x1B[m\x1B[m", END),
    (&[], b"user@", COLOUR, END),
    (&[], b"user@a.example", COLOUR, END),
    (&["--charset", "windows-1252"], b"caf\xE9 http://a.example/", COLOUR, END),
    (&["--charset", "windows-1252"], b"caf\xE9 user@", COLOUR, END),
    (&["--charset", "gbk"], b"\xC4\xE3 http://a.example/", COLOUR, END),
    (&["--charset", "utf-16le"], b"h\0t\0t\0p\0:\0/\0/\0a\0.\0c\0o\0m\0", WIDE_COLOUR,
        b" \0h\0t\0t\0p\0:\0/\0/\0e\0n\0d\0.\0e\0x\0a\0m\0p\0l\0e\0/\0\n\0"),
    (&["--format", "html"], b"<p>http://a.example/", b"<!---->", END),
    (&["--format", "email"], OF_BASE64, b"\n", b"8=\n\nhttp://end.example/\n"),
    (&["--format", "email"], OF_BASE64, b" ", b"8=\n\nhttp://end.example/\n"),
    (&["--format", "email"], OF_QUOTED, b"=\n", END),
];

/// Maximum number of KiB of memory; a page takes more, whose first 16 MiB are held twice.
fn limit((options, ..): &Case) -> usize {
    if options.contains(&"html") { 56 << 10 } else { 40 << 10 }
}

/// Feeds a case; returns the peak of its memory in KiB when all but its end was read, and its output.
fn fed((options, begin, unit, end): &Case, size: usize) -> (usize, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_linksift"))
        .args(*options)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let block = unit.repeat((1 << 20) / unit.len());
    stdin.write_all(begin).unwrap();
    for _ in 0..size {
        stdin.write_all(&block).unwrap();
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak = peak.split_whitespace().next().unwrap().parse().unwrap();
    stdin.write_all(end).unwrap();
    drop(stdin);
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    child.wait().unwrap();
    (peak, output)
}

#[test]
fn bytes_that_are_left_out_of_a_link_are_not_held() {
    let size = std::env::var("LINKSIFT_LARGE").map_or(64, |size| size.parse().unwrap());
    for case in &CASES {
        let (peak, output) = fed(case, size);
        let what = String::from_utf8_lossy(case.1);
        assert!(peak <= limit(case), "{:?} {what} {:?}: {peak} KiB", case.0, case.2);
        assert!(output.contains("http://end.example/"), "{:?} {what}: {output}", case.0);
    }
}
