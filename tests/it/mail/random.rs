//! Random messages: parts of known text, encoded, labelled and nested by dice, whose links are all known.
//!
//! `LINKSIFT_RANDOM_MESSAGES=100000` says how many; without it there are a few hundred.

use std::ops::ControlFlow;

use super::cases::base64;
use super::{Found, misplaced, of_link};
use crate::support::dice::Dice;
use crate::support::pieces::Pieces;
use linksift::{Candidate, Event, Finder, Format, Hints};

/// Charsets, each with letters that it has.
const CHARSETS: [(&str, &str); 12] = [
    ("us-ascii", "xyz"),
    ("utf-8", "é表ф𝒳"),
    ("iso-8859-1", "éüñ"),
    ("windows-1251", "фыж"),
    ("koi8-r", "фыж"),
    ("shift_jis", "表ソ能"),
    ("euc-jp", "表ソ能"),
    ("gb18030", "表能é"),
    ("big5", "功許蓋"),
    ("euc-kr", "한글"),
    ("iso-2022-jp", "表能"),
    ("utf-16le", "é表𝒳"),
];

/// A message as it grows.
struct Maker {
    dice: Dice,
    text: Vec<u8>,
    /// The part and the text of each link, in stored order.
    links: Vec<(String, String)>,
    boundaries: usize,
    /// Links so far, for their names.
    number: usize,
}

impl Maker {
    fn put(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }

    fn link(&mut self, letters: &str) -> String {
        self.number += 1;
        let letters: Vec<char> = letters.chars().collect();
        let tail: String = (0..self.dice.below(5)).map(|_| self.dice.pick(&letters)).collect();
        let more = if self.dice.once_in(3) { "?a=b&c==20" } else { "" };
        format!("http://e{}.example/{tail}x{more}", self.number)
    }

    /// A part that holds no parts: its text, in lines, and the links in it.
    fn body(&mut self, letters: &str, is_html: bool, part: &str) -> String {
        let mut text = String::new();
        for _ in 0..self.dice.below(6) {
            let words = ["word ", "= ", "a.b ", "\t", "3D=3D ", letters, " "];
            (0..self.dice.below(9)).for_each(|_| text.push_str(self.dice.pick(&words)));
            if self.dice.once_in(2) {
                let link = self.link(letters);
                text.push(' ');
                match is_html && self.dice.once_in(2) {
                    true => text.push_str(&format!("<a href=\"{link}\">{letters}</a>")),
                    false => text.push_str(&link),
                }
                self.links.push((part.to_owned(), link));
            }
            text.push_str(if self.dice.once_in(3) { " \n\n" } else { "\n" });
        }
        text
    }

    fn leaf(&mut self, part: &str, line_end: &str) {
        let (mut charset, mut letters) = self.dice.pick(&CHARSETS);
        let is_html = self.dice.once_in(3);
        let encoding = self.dice.pick(&["8bit", "quoted-printable", "base64", "x-uuencode"]);
        if charset == "utf-16le" && encoding != "base64" {
            (charset, letters) = CHARSETS[1];
        }
        let kind = if is_html { "text/html" } else { "text/plain" };
        let quote = self.dice.pick(&["", "\""]);
        self.put(&format!(
            "Content-Type: {kind};{line_end} charset={quote}{charset}{quote}{line_end}\
             Content-Transfer-Encoding: {encoding}{line_end}{line_end}"
        ));
        let text = self.body(letters, is_html, part).replace('\n', line_end);
        let bytes = match charset {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            label => encoding_rs::Encoding::for_label(label.as_bytes())
                .unwrap()
                .encode(&text)
                .0
                .into_owned(),
        };
        match encoding {
            "quoted-printable" => self.quoted_printable(&bytes, line_end),
            "base64" => {
                let line = 4 + self.dice.below(90);
                let encoded = base64(&bytes, line).replace('\n', line_end);
                self.put(&encoded);
            }
            "x-uuencode" => {
                let encoded = uuencode(&bytes).replace('\n', line_end);
                self.put(&encoded);
            }
            _ => self.text.extend_from_slice(&bytes),
        }
        self.put(line_end);
    }

    fn quoted_printable(&mut self, bytes: &[u8], line_end: &str) {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            if rest.starts_with(line_end.as_bytes()) {
                self.put(line_end);
                at += line_end.len();
                continue;
            }
            let ends_line = rest.len() == 1 || rest[1..].starts_with(line_end.as_bytes());
            let is_plain = matches!(rest[0], b'!'..=b'<' | b'>'..=b'~')
                || matches!(rest[0], b' ' | b'\t') && !ends_line;
            match is_plain && !self.dice.once_in(9) {
                true => self.text.push(rest[0]),
                false if self.dice.once_in(4) => self.put(&format!("={:02x}", rest[0])),
                false => self.put(&format!("={:02X}", rest[0])),
            }
            if self.dice.once_in(12) && !ends_line {
                let blanks = self.dice.pick(&["", "", " ", "\t "]);
                self.put(&format!("={blanks}{line_end}"));
            }
            at += 1;
        }
    }

    /// An entity: its header goes on, its body follows. `part`: its own section.
    fn entity(&mut self, part: &str, depth: usize, chain: usize, is_message: bool, line_end: &str) {
        match self.dice.below(if depth < 5 { 6 } else { 1 }) {
            0..=2 => {
                let own = if is_message { inner(part, 1) } else { part.to_owned() };
                self.leaf(&own, line_end);
            }
            3 | 4 => {
                self.boundaries += 1;
                let kind = self.dice.pick(&["mixed", "alternative", "related", "x-y"]);
                let boundary =
                    format!("{}b{}", self.dice.pick(&["", "=_", "--", "b"]), self.boundaries);
                self.put(&format!(
                    "Content-Type: multipart/{kind}; boundary=\"{boundary}\"{line_end}{line_end}"
                ));
                if self.dice.once_in(2) {
                    self.put(&format!("preamble{line_end}"));
                }
                for number in 1..=self.dice.below(4) {
                    self.put(&format!("--{boundary}{line_end}"));
                    self.entity(&inner(part, number), depth + 1, chain, false, line_end);
                }
                if !self.dice.once_in(5) {
                    self.put(&format!("--{boundary}--{line_end}"));
                }
            }
            _ if is_message => self.leaf(&inner(part, 1), line_end),
            _ if chain < 1 && self.dice.once_in(2) => {
                let outside = std::mem::take(&mut self.text);
                self.message(part, depth + 1, chain + 1, line_end);
                let message = std::mem::replace(&mut self.text, outside);
                let encoding = self.dice.pick(&["base64", "quoted-printable"]);
                self.put(&format!(
                    "Content-Type: message/rfc822{line_end}Content-Transfer-Encoding: {encoding}{line_end}{line_end}"
                ));
                match encoding {
                    "base64" => {
                        let encoded = base64(&message, 76).replace('\n', line_end);
                        self.put(&encoded);
                        self.put(line_end);
                    }
                    _ => self.quoted_printable(&message, line_end),
                }
            }
            _ => {
                self.put(&format!("Content-Type: message/rfc822{line_end}{line_end}"));
                self.message(part, depth + 1, chain, line_end);
            }
        }
    }

    fn message(&mut self, part: &str, depth: usize, chain: usize, line_end: &str) {
        self.put(&format!("From: a@b.example{line_end}"));
        if self.dice.once_in(3) {
            let letters = "é表";
            let link = self.link(letters);
            let subject = format!("see {link} now");
            match self.dice.below(3) {
                0 => self.put(&format!("Subject: {subject}{line_end}")),
                1 => {
                    // A word holds whole characters, and 75 characters at most.
                    let mut words: Vec<String> = vec![String::new()];
                    for c in subject.chars() {
                        if words.last().unwrap().len() > 20 + self.dice.below(20) {
                            words.push(String::new());
                        }
                        words.last_mut().unwrap().push(c);
                    }
                    let words: Vec<String> = words
                        .iter()
                        .map(|word| {
                            format!("=?utf-8?B?{}?=", base64(word.as_bytes(), 1 << 20).trim_end())
                        })
                        .collect();
                    let joined = words.join(&format!("{line_end} "));
                    self.put(&format!("Subject: {joined}{line_end}"));
                }
                _ => {
                    let q: String = subject
                        .bytes()
                        .map(|b| match b {
                            b' ' => "_".to_owned(),
                            b if b.is_ascii_alphanumeric() || b"/:.".contains(&b) => {
                                char::from(b).to_string()
                            }
                            b => format!("={b:02X}"),
                        })
                        .collect();
                    self.put(&format!("Subject: =?UTF-8?Q?{q}?={line_end}"));
                }
            }
            self.links.push((part.to_owned(), link));
        }
        self.entity(part, depth, chain, true, line_end);
    }
}

/// A section inside of another one.
fn inner(part: &str, number: usize) -> String {
    if part.is_empty() { number.to_string() } else { format!("{part}.{number}") }
}

fn uuencode(bytes: &[u8]) -> String {
    let sign = |bits: u32| char::from(if bits & 63 == 0 { b'`' } else { 32 + (bits & 63) as u8 });
    let mut out = String::from("begin 644 x\n");
    for line in bytes.chunks(45) {
        out.push(sign(line.len() as u32));
        for group in line.chunks(3) {
            let bits =
                group.iter().fold(0_u32, |v, b| v << 8 | u32::from(*b)) << (8 * (3 - group.len()));
            out.extend([18, 12, 6, 0].map(|shift| sign(bits >> shift)));
        }
        out.push('\n');
    }
    out.push_str("`\nend\n");
    out
}

fn found(bytes: &[u8], format: Format, sizes: Option<usize>) -> Vec<Found> {
    let hints = Hints::new().format(format).positions(true);
    let finder = Finder::new();
    let mut all = Vec::new();
    match sizes {
        None => {
            for one in finder.document(bytes, &hints).unwrap().filter_map(Candidate::into_link) {
                all.push(of_link(&one));
            }
        }
        Some(size) => {
            let cuts: Vec<usize> = (0..bytes.len().max(1)).step_by(size).collect();
            let each = |event: Event<'_>| {
                if let Event::Link { link, .. } = event {
                    all.push(of_link(&link));
                }
                ControlFlow::Continue(())
            };
            finder.scan_reader(Pieces::cut(bytes, &cuts), &hints, each).unwrap();
        }
    }
    all
}

#[test]
fn random_messages() {
    let count =
        std::env::var("LINKSIFT_RANDOM_MESSAGES").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let (mut links, mut nested) = (0, 0);
    for seed in 0..count {
        let mut dice = Dice::new(seed * 2 + 1);
        let line_end = dice.pick(&["\n", "\r\n"]);
        let is_boxed = dice.once_in(4);
        let mut maker =
            Maker { dice, text: Vec::new(), links: Vec::new(), boundaries: 0, number: 0 };
        maker.message("", 0, 0, line_end);
        let Maker { text: mut bytes, links: wanted, .. } = maker;
        let (mut front, mut format) = ("", Format::Email);
        if is_boxed {
            let from = format!("From a@b Sat Jan  3 01:05:34 1996{line_end}");
            bytes.splice(..0, from.into_bytes());
            (front, format) = ("1!", Format::Mbox);
        }
        let is = found(&bytes, format, None);
        let wanted: Vec<(String, String)> = wanted
            .into_iter()
            .map(|(part, link)| match (front, &*part) {
                ("", "") => ("-".to_owned(), link),
                (_, "") => ("1".to_owned(), link),
                _ => (format!("{front}{part}"), link),
            })
            .collect();
        let has: Vec<_> = is.iter().map(|one| (one.part.clone(), one.raw.clone())).collect();
        assert_eq!(has, wanted, "{seed}\n{}", String::from_utf8_lossy(&bytes));
        for one in &is {
            if let Some(what) = misplaced(&bytes, one) {
                panic!("{seed}: {what}\n{}", String::from_utf8_lossy(&bytes));
            }
            nested += usize::from(one.transfer == "nested");
        }
        links += is.len();
        if seed % 4 == 0 {
            let size = 1 + seed as usize % 50;
            assert_eq!(found(&bytes, format, Some(size)), is, "{seed} in pieces of {size}");
        }
    }
    assert!(links > count as usize / 2 && nested > 0, "{links} links, {nested} nested");
}
