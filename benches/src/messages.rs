//! Messages of mail, made: the same on every machine. And those of a folder, for who has real ones.
//!
//! Half are plain text, as lists have them; the others quoted-printable, base64, HTML, both alternatives of a
//! newsletter, text with an attachment. Headers are as long as those that pass through three servers.

use std::fs;
use std::path::Path;

/// A generator of numbers (SplitMix64): good enough to vary texts with.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((value ^ value >> 31) % sides as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }
}

const ENGLISH: &[&str] = &[
    "the",
    "a",
    "patch",
    "release",
    "of",
    "build",
    "and",
    "we",
    "have",
    "to",
    "meeting",
    "that",
    "version",
    "is",
    "in",
    "file",
    "not",
    "for",
    "server",
    "was",
    "with",
    "this",
    "question",
    "please",
    "tomorrow",
    "see",
    "question.",
    "thanks,",
    "list",
    "at",
    "10:30",
    "e.g.",
    "v1.2.3",
];
const FRENCH: &[&str] = &[
    "réunion",
    "été",
    "déjà",
    "le",
    "la",
    "serveur",
    "très",
    "où",
    "et",
    "liste",
    "à",
    "nous",
    "version",
    "être",
    "français",
    "demain",
    "merci",
    "pièce",
    "jointe",
    "envoyé",
];
const RUSSIAN: &[&str] = &[
    "письмо",
    "сервер",
    "и",
    "не",
    "в",
    "на",
    "список",
    "рассылки",
    "версия",
    "завтра",
    "спасибо",
    "вопрос",
    "ответ",
    "файл",
    "встреча",
    "что",
    "это",
    "мы",
];
const JAPANESE: &[&str] = &[
    "会議",
    "は",
    "明日",
    "です。",
    "資料",
    "を",
    "送り",
    "ます。",
    "メール",
    "の",
    "件名",
    "について、",
    "サーバー",
    "ありがとう",
];
const HOSTS: &[&str] = &[
    "lists.example.org",
    "www.example.com",
    "track.mail.example.net",
    "github.com",
    "example.co.uk",
    "shop.example.de",
    "docs.example.io",
];

/// So many messages, the same ones for the same number.
pub fn made(count: usize) -> Vec<Vec<u8>> {
    let mut dice = Dice(15);
    (0..count).map(|number| message(&mut dice, number)).collect()
}

/// The messages below a folder: files of at most 1 MiB whose name ends in `.eml`, or that begin with two
/// fields of mail.
pub fn below(folder: &Path) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return all };
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_symlink() {
            continue;
        } else if path.is_dir() {
            all.extend(below(&path));
        } else if let Ok(bytes) = fs::read(&path) {
            let is_named = path.extension().is_some_and(|ending| ending == "eml");
            if bytes.len() <= 1 << 20 && (is_named || begins_as_mail(&bytes)) {
                all.push(bytes);
            }
        }
    }
    all
}

/// Whether the first lines are fields, two of them such as messages alone have.
fn begins_as_mail(bytes: &[u8]) -> bool {
    const FIELDS: [&[u8]; 8] = [
        b"from:",
        b"to:",
        b"date:",
        b"subject:",
        b"received:",
        b"message-id:",
        b"return-path:",
        b"mime-version:",
    ];
    let lines = bytes.split(|b| *b == b'\n').take(40).take_while(|line| line.len() > 1);
    let known = |line: &[u8]| {
        FIELDS.iter().any(|f| line.get(..f.len()).is_some_and(|l| l.eq_ignore_ascii_case(f)))
    };
    let mut lines = lines.peekable();
    lines.peek().is_some_and(|line| known(line)) && lines.filter(|line| known(line)).count() > 1
}

/// Running text of about so many bytes, with a link every twelve lines or so.
pub fn text(seed: u64, len: usize) -> String {
    prose(&mut Dice(seed), ENGLISH, len)
}

fn prose(dice: &mut Dice, words: &[&str], len: usize) -> String {
    let mut text = String::with_capacity(len + 128);
    let mut line = 0;
    while text.len() < len {
        if dice.roll(150) == 0 {
            text.push_str(&link(dice));
        } else {
            text.push_str(dice.one(words));
        }
        line += 1;
        text.push_str(match line % 12 {
            0 if line % 60 == 0 => "\r\n\r\n",
            0 if dice.roll(3) == 0 => "\r\n> ",
            0 => "\r\n",
            _ => " ",
        });
    }
    text.push_str("\r\n-- \r\nA. Person <a.person@example.org>\r\n");
    text
}

fn link(dice: &mut Dice) -> String {
    match dice.roll(6) {
        0 => format!("{}/{}", dice.one(HOSTS), dice.roll(9999)),
        1 => format!("someone{}@{}", dice.roll(99), dice.one(HOSTS)),
        2 => format!("<https://{}/archives/{}.html>", dice.one(HOSTS), dice.roll(99999)),
        _ => format!("https://{}/?id={}&ref=mail", dice.one(HOSTS), dice.roll(9_999_999)),
    }
}

fn html(dice: &mut Dice, words: &[&str], len: usize) -> String {
    let mut html = String::from(
        "<!DOCTYPE html>\r\n<html><head><meta charset=\"utf-8\"><style>td{font-family:Arial}</style></head>\r\n<body>",
    );
    while html.len() < len {
        html.push_str("<table width=\"100%\" style=\"border:0\"><tr><td class=\"cell\" style=\"padding:4px 8px\">");
        for _ in 0..20 + dice.roll(40) {
            html.push_str(dice.one(words));
            html.push(' ');
        }
        let (host, number) = (dice.one(HOSTS), dice.roll(9_999_999));
        html.push_str(&format!(
            "<a href=\"https://{host}/c/{number:08x}?u={number}&amp;l=3\" style=\"color:#06c\">more</a><img src=\"https://{host}/i/{number}.png\" width=1 height=1></td></tr></table>\r\n"
        ));
    }
    html.push_str("</body></html>\r\n");
    html
}

fn message(dice: &mut Dice, number: usize) -> Vec<u8> {
    let mut out = header(dice, number);
    let len = 600 + dice.roll(3) * dice.roll(3000);
    match dice.roll(20) {
        0..=9 => leaf(&mut out, "text/plain; charset=us-ascii", "7bit", &prose(dice, ENGLISH, len)),
        10 => leaf(&mut out, "text/plain; charset=utf-8", "8bit", &prose(dice, RUSSIAN, len)),
        11 | 12 => leaf(
            &mut out,
            "text/plain; charset=\"utf-8\"; format=flowed",
            "quoted-printable",
            &prose(dice, FRENCH, len),
        ),
        13 => {
            leaf(&mut out, "text/plain; charset=utf-8", "base64", &prose(dice, JAPANESE, len));
        }
        14 => {
            let html = html(dice, ENGLISH, 5 * len);
            leaf(&mut out, "text/html; charset=utf-8", "quoted-printable", &html);
        }
        15..=17 => {
            let words = [ENGLISH, FRENCH, RUSSIAN][dice.roll(3)];
            multipart(&mut out, "alternative", &mut |out, part| {
                let (kind, text) = match part {
                    0 => ("text/plain; charset=utf-8", prose(dice, words, len)),
                    1 => ("text/html; charset=utf-8", html(dice, words, 4 * len)),
                    _ => return false,
                };
                leaf(out, kind, "quoted-printable", &text);
                true
            });
        }
        _ => multipart(&mut out, "mixed", &mut |out, part| {
            match part {
                0 => leaf(out, "text/plain", "7bit", &prose(dice, ENGLISH, len)),
                1 => {
                    let bytes: Vec<u8> =
                        (0..4000 + dice.roll(30_000)).map(|_| dice.roll(256) as u8).collect();
                    out.extend(b"Content-Type: image/png; name=\"a.png\"\r\nContent-Disposition: attachment\r\n");
                    out.extend(b"Content-Transfer-Encoding: base64\r\n\r\n");
                    base64(&bytes, out);
                }
                _ => return false,
            }
            true
        }),
    }
    out
}

fn header(dice: &mut Dice, number: usize) -> Vec<u8> {
    let mut out = format!("Return-Path: <bounce-{number}@lists.example.org>\r\n");
    for hop in 0..3 {
        let id: String = (0..12).map(|_| char::from(b'A' + dice.roll(26) as u8)).collect();
        out.push_str(&format!(
            "Received: from mx{hop}.example.net (mx{hop}.example.net [192.0.2.{}])\r\n\tby mail.example.org (Postfix) with ESMTPS id {id}\r\n\tfor <a@example.org>; Mon, 23 Nov 2026 10:{:02}:00 +0000 (UTC)\r\n",
            dice.roll(255),
            dice.roll(60),
        ));
    }
    let signature: String = (0..344)
        .map(|n| match n % 72 {
            71 => " ",
            _ => &"ABCDEFGHIJKLMNOPabcdefghijklmnop0123456789+/"[dice.roll(44)..][..1],
        })
        .collect::<String>()
        .replace(' ', "\r\n\t");
    out.push_str(&format!(
        "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=mail;\r\n\th=from:to:subject:date; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\r\n\tb={signature}\r\nDate: Mon, 23 Nov 2026 10:11:12 +0100\r\nFrom: \"A. Person\" <a.person@example.org>\r\nTo: list@lists.example.org\r\nMessage-ID: <{number}.{}@example.org>\r\nSubject: Re: {} {} {}\r\nMIME-Version: 1.0\r\nX-Mailer: Example 1.0\r\nList-Id: <list.lists.example.org>\r\nList-Unsubscribe: <https://lists.example.org/u/{number}>,\r\n\t<mailto:list-request@lists.example.org?subject=unsubscribe>\r\n",
        dice.roll(1_000_000),
        dice.one(ENGLISH),
        dice.one(ENGLISH),
        dice.one(ENGLISH),
    ));
    out.into_bytes()
}

fn multipart(out: &mut Vec<u8>, kind: &str, part: &mut dyn FnMut(&mut Vec<u8>, usize) -> bool) {
    let head = format!("Content-Type: multipart/{kind}; boundary=\"=_part_1\"\r\n\r\nMIME.\r\n");
    out.extend(head.bytes());
    for number in 0.. {
        let end = out.len();
        out.extend(b"--=_part_1\r\n");
        if !part(out, number) {
            out.truncate(end);
            break;
        }
        out.extend(b"\r\n");
    }
    out.extend(b"--=_part_1--\r\n");
}

fn leaf(out: &mut Vec<u8>, kind: &str, encoding: &str, text: &str) {
    let head = format!("Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n");
    out.extend(head.bytes());
    match encoding {
        "quoted-printable" => quoted_printable(text.as_bytes(), out),
        "base64" => base64(text.as_bytes(), out),
        _ => out.extend(text.bytes()),
    }
}

/// Encodes lines that end in CRLF (RFC 2045 §6.7).
pub fn quoted_printable(text: &[u8], out: &mut Vec<u8>) {
    let mut column = 0;
    for (at, byte) in text.iter().enumerate() {
        if matches!(byte, b'\r' | b'\n') {
            out.push(*byte);
            column = 0;
            continue;
        }
        let is_at_end = matches!(text.get(at + 1), None | Some(b'\r'));
        let is_literal =
            matches!(byte, b'!'..=b'<' | b'>'..=b'~') || matches!(byte, b' ' | b'\t') && !is_at_end;
        let width = if is_literal { 1 } else { 3 };
        if column + width > 75 {
            out.extend(b"=\r\n");
            column = 0;
        }
        column += width;
        match is_literal {
            true => out.push(*byte),
            false => out.extend(format!("={byte:02X}").bytes()),
        }
    }
}

/// Encodes in lines of 76 (RFC 2045 §6.8).
pub fn base64(bytes: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for line in bytes.chunks(57) {
        for group in line.chunks(3) {
            let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
            let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
            for place in 0..4 {
                let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
                out.push(if place > group.len() { b'=' } else { digit });
            }
        }
        out.extend(b"\r\n");
    }
}
