//! How cases of mail are written.
//!
//! `@@ NAME` begins one; after the name may follow `; mbox` (a mailbox), `; bare` (not tried in one),
//! `; headers=all`, `; alternatives=best`, `; join=never`, `; cr` (lines end with CR), `; lf` (only LF is tried).
//! Then `# why` lines, the message, a line `@@=`, and what is expected: a link a line,
//! `part | transfer | context | warnings | uri | slice`. `⏎` is a line end in a slice; `\xHH` is a byte,
//! `\s` a space at a line's end. `@@B` ends a line and begins base64 of the text up to the next `@@b`.

pub(crate) use crate::made::base64;

use std::ops::Range;

use linksift::{Alternatives, Format, Headers, Hints, JoinWrapped};

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) format: Format,
    pub(crate) is_bare: bool,
    headers: Headers,
    alternatives: Alternatives,
    join: JoinWrapped,
    is_cr: bool,
    /// Lengths in it are right with LF alone.
    pub(crate) is_lf: bool,
    text: String,
    pub(crate) expected: Vec<String>,
    /// The lines of the file where that is written, from zero.
    pub(crate) lines: Range<usize>,
}

impl Default for Case {
    fn default() -> Case {
        Case {
            name: String::new(),
            format: Format::Email,
            is_bare: false,
            headers: Headers::Links,
            alternatives: Alternatives::All,
            join: JoinWrapped::Auto,
            is_cr: false,
            is_lf: false,
            text: String::new(),
            expected: Vec::new(),
            lines: 0..0,
        }
    }
}

impl Case {
    pub(crate) fn hints(&self, format: Format) -> Hints {
        Hints::new()
            .format(format)
            .positions(true)
            .headers(self.headers)
            .alternatives(self.alternatives)
            .join_wrapped(self.join)
    }

    pub(crate) fn bytes(&self, crlf: bool) -> Vec<u8> {
        let text = unescaped(&self.text);
        let mut bytes = Vec::new();
        for byte in text {
            match byte {
                b'\n' if self.is_cr => bytes.push(b'\r'),
                b'\n' if crlf => bytes.extend_from_slice(b"\r\n"),
                byte => bytes.push(byte),
            }
        }
        bytes
    }
}

/// A slice on one line.
pub(crate) fn shown(slice: &str) -> String {
    slice.replace("\r\n", "⏎").replace(['\n', '\r'], "⏎")
}

fn unescaped(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let hex = bytes.get(at + 2..at + 4).and_then(|d| std::str::from_utf8(d).ok());
        match (bytes[at], bytes.get(at + 1), hex.map(|d| u8::from_str_radix(d, 16))) {
            (b'\\', Some(b'x'), Some(Ok(byte))) => {
                out.push(byte);
                at += 4;
            }
            (b'\\', Some(b's'), _) => {
                out.push(b' ');
                at += 2;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

/// `@@B` … `@@b` as base64 in lines of 60.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("@@B\n") {
        let (inside, after) = after.split_once("@@b").unwrap_or((after, ""));
        out.push_str(before);
        out.push_str(base64(&unescaped(inside), 60).trim_end());
        rest = after;
    }
    out + rest
}

pub(crate) fn cases(text: &str) -> Vec<Case> {
    let mut all: Vec<Case> = Vec::new();
    let mut is_expected = false;
    let mut is_text = false;
    for (number, line) in text.lines().enumerate() {
        if let Some(head) = line.strip_prefix("@@ ") {
            let mut case = Case::default();
            let mut words = head.split("; ");
            case.name = words.next().unwrap_or_default().to_owned();
            for word in words {
                match word {
                    "mbox" => case.format = Format::Mbox,
                    "bare" => case.is_bare = true,
                    "lf" => case.is_lf = true,
                    "cr" => (case.is_cr, case.is_bare) = (true, true),
                    "alternatives=best" => case.alternatives = Alternatives::Best,
                    "join=never" => case.join = JoinWrapped::Never,
                    "headers=all" => case.headers = Headers::All,
                    "headers=none" => case.headers = Headers::None,
                    other => panic!("{}: what is {other:?}?", case.name),
                }
            }
            all.push(case);
            (is_expected, is_text) = (false, false);
            continue;
        }
        let Some(case) = all.last_mut() else { continue };
        match line {
            "@@=" => {
                is_expected = true;
                case.lines = number + 1..number + 1;
            }
            line if is_expected && line.is_empty() => {}
            line if is_expected => {
                case.expected.push(line.to_owned());
                case.lines.end = number + 1;
            }
            line if line.starts_with("# ") && !is_text => {}
            line => {
                is_text = true;
                case.text.push_str(line);
                case.text.push('\n');
            }
        }
    }
    for case in &mut all {
        assert!(case.lines.start > 0, "{}: no @@=", case.name);
        // The last line end is the case's, not the message's.
        case.text.pop();
        case.text = encoded(&case.text);
    }
    all
}
