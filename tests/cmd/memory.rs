//! Memory that a stream takes whose links wait for text: bytes of each format that are left out of a text, or joined,
//! without end.
//!
//! `LINKSIFT_LARGE=256` feeds 256 MiB of each instead of 32.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;

/// What is fed: options, the beginning, what is repeated, and the end.
type Case = (&'static [&'static str], &'static [u8], &'static [u8], &'static [u8]);

const COLOUR: &[u8] = b"\x1B[m";
const WIDE_COLOUR: &[u8] = b"\x1B\0[\0m\0";
const END: &[u8] = b" x http://end.example/\n";
const OF_BASE64: &[u8] = b"Subject: a\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS";
const OF_QUOTED: &[u8] =
    b"Subject: a\nContent-Transfer-Encoding: quoted-printable\n\nhttp://a.example/";
const HTML: &[&str] = &["--format", "html"];
const XML: &[&str] = &["--format", "xml"];
const JSON: &[&str] = &["--format", "json"];
const EMAIL: &[&str] = &["--format", "email"];

#[rustfmt::skip]
const TEXT: [Case; 13] = [
    (&[], b"http://a.example/", COLOUR, END),
    (&[], b"http://a.example/", b"a\x1B[m\x1B[m\x1B[m\x1B[m\x1B[m\x1B[m\x1B[m\x1B[m", END),
    (&[], b"http://a.example/", b"a", END),
    (&[], b"user@", COLOUR, END),
    (&[], b"user@a.example", COLOUR, END),
    (&[], b"var a = \"http://a.example/", b"\\u200b", END),
    (&["--charset", "windows-1252"], b"caf\xE9 http://a.example/", COLOUR, END),
    (&["--charset", "windows-1252"], b"caf\xE9 user@", COLOUR, END),
    (&["--charset", "gbk"], b"\xC4\xE3 http://a.example/", COLOUR, END),
    (&["--charset", "iso-2022-jp"], b"http://a.example/", b"\x1B$B\x1B(B", END),
    (&["--charset", "utf-16le"], b"h\0t\0t\0p\0:\0/\0/\0a\0.\0c\0o\0m\0", WIDE_COLOUR,
        b" \0h\0t\0t\0p\0:\0/\0/\0e\0n\0d\0.\0e\0x\0a\0m\0p\0l\0e\0/\0\n\0"),
    (&["--format", "yaml"], b"a: \"http://a.example/", b"\\\n", END),
    (&["--format", "code"], b"// http://a.example/", b"\\\n// ", END),
];

#[rustfmt::skip]
const PAGES: [Case; 14] = [
    (HTML, b"<p>http://a.example/", b"<!---->", END),
    (HTML, b"<p>http://a.example/", COLOUR, END),
    (HTML, b"<p>http://a.example/", b"&#8203;", END),
    (HTML, b"<p>http://a.example/", b"<b></b>", END),
    (HTML, b"<p>http://a.example/<!--", b" ", b"-->http://end.example/"),
    (HTML, b"<a href=http://a.example/>http://b.example/", b"<i hidden>a</i>", END),
    (HTML, b"<a href=http://a.example/>a</a>\n", b"<a href=b>c</a>", END),
    (HTML, b"<a href='http://a.example/", b" ", b"'>http://end.example/"),
    (HTML, b"<style>", b"a{b:url(c)}", b"</style>http://end.example/"),
    (HTML, b"<script>", b"aaaa ", b"</script>http://end.example/"),
    (&["--format", "html", "--charset", "gbk"], b"<p>\xC4\xE3 http://a.example/", b"<!---->", END),
    (&["--format", "css"], b"a{b:url(http://a.example/", b"/**/", b")}c{d:url(http://end.example/)}"),
    (&["--format", "css"], b"", b"a{b:url(c)}", b"c{d:url(http://end.example/)}"),
    (&["--format", "http"], b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>http://a.example/", b"<!---->", END),
];

#[rustfmt::skip]
const DATA: [Case; 12] = [
    (XML, b"<a>http://a.example/", b"<!---->", b"http://b.example/ http://end.example/</a>"),
    (XML, b"<a>http://a.example/", b"<![CDATA[]]>", b" http://end.example/</a>"),
    (XML, b"<a>http://a.example/", b"<?b?>", b" http://end.example/</a>"),
    (XML, b"<!DOCTYPE a [<!ENTITY e ''>]><a>http://a.example/", b"&e;", b" http://end.example/</a>"),
    (XML, b"<a>", b"<b href='c'/>", b"http://end.example/</a>"),
    (JSON, b"[\"http://a.example/", b"\\u200b", b" http://end.example/\"]"),
    (JSON, b"[\"http://a.example/", b"\\n", b" http://end.example/\"]"),
    (JSON, b"{\"href\":\"http://a.example/\",\"b\":[", b"0,", b"\"http://end.example/\"]}"),
    (&["--format", "notebook"], b"{\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"http://a.example/", b"\",\"",
        b"\"]}],\"a\":\"http://end.example/\"}"),
    (&["--format", "csv"], b"\"http://a.example/", b"\"\"", b"\",http://end.example/\n"),
    (&["--format", "csv"], b"http://a.example/", b",", b"http://end.example/\n"),
    (&["--format", "markdown"], b"", b"[a](http://a.example/)\n", END),
];

#[rustfmt::skip]
const MAIL: [Case; 12] = [
    (EMAIL, OF_BASE64, b"\n", b"8=\n\nhttp://end.example/\n"),
    (EMAIL, OF_BASE64, b" ", b"8=\n\nhttp://end.example/\n"),
    (EMAIL, OF_QUOTED, b"=\n", END),
    (EMAIL, b"Subject: http://a.example/", b"\n ", b"\n\nhttp://end.example/\n"),
    (EMAIL, b"Subject: a\n\nbegin 644 a\n", b"#86)C\n", b"end\nhttp://end.example/\n"),
    (EMAIL, b"Content-Type: text/plain; format=flowed\n\nhttp://a.example/", b" \n", END),
    (EMAIL, b"Content-Type: text/plain; format=flowed; delsp=yes\n\nhttp://a.example/", b" \n", END),
    (EMAIL, b"Content-Type: text/plain; format=flowed; delsp=yes\n\nhttp://a.example/", b"a \n", END),
    (EMAIL, b"Content-Type: text/enriched\n\nhttp://a.example/", b"<b>", END),
    (EMAIL, b"Content-Type: text/enriched\n\nhttp://a.example/", b"a<b>", END),
    (EMAIL, b"Content-Type: text/html\n\n<p>http://a.example/", b"<!---->", END),
    (EMAIL, b"Content-Type: multipart/mixed; boundary=b\n\n", b"--b\n\na.example\n", b"--b\n\nhttp://end.example/\n--b--\n"),
];

/// Maximum number of KiB of memory.
const LIMIT: usize = 40 << 10;

/// Feeds a case; returns the peak of its memory in KiB when all but its end was read, and the last of its output.
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
    let mut stdout = child.stdout.take().unwrap();
    // The command waits for its reader.
    let reader = thread::spawn(move || {
        let (mut last, mut read) = (Vec::new(), vec![0; 1 << 16]);
        while let Ok(len @ 1..) = stdout.read(&mut read) {
            last.drain(..last.len().saturating_sub(1 << 10));
            last.extend_from_slice(&read[..len]);
        }
        String::from_utf8(last).unwrap()
    });
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
    let output = reader.join().unwrap();
    child.wait().unwrap();
    (peak, output)
}

/// Feeds cases, and compares their memory with the limit.
fn all_fit(cases: &[Case]) {
    let size = std::env::var("LINKSIFT_LARGE").map_or(32, |size| size.parse().unwrap());
    for case in cases {
        let (peak, output) = fed(case, size);
        let what = String::from_utf8_lossy(case.1);
        assert!(peak <= LIMIT, "{:?} {what} {:?}: {peak} KiB", case.0, case.2);
        assert!(output.contains("http://end.example/"), "{:?} {what}: {output:.99}", case.0);
    }
}

#[test]
fn bytes_that_are_left_out_of_a_link_are_not_held() {
    all_fit(&TEXT);
}

#[test]
fn pages_of_any_length_take_little_memory() {
    all_fit(&PAGES);
}

#[test]
fn data_of_any_length_take_little_memory() {
    all_fit(&DATA);
}

#[test]
fn messages_of_any_length_take_little_memory() {
    all_fit(&MAIL);
}
