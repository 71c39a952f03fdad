//! The leaves of messages as other parsers see them: a line of JSON a message for `mail.py`.
//!
//! ```sh
//! find TREE -type f | cargo run --bin mail > parts.jsonl
//! ```
//!
//! A leaf is its type and how many bytes it holds decoded; ours has its section, and no count.

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::panic::catch_unwind;

use linksift::{Event, Finder, Format, Hints};
use mail_parser::{MessageParser, MimeHeaders, PartType};

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}

fn ours(bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    Finder::new()
        .scan_reader(&bytes[..], &Hints::new().format(Format::Email), |event| {
            if let Event::Part { part, .. } = event {
                let kind = part.content_type().unwrap_or_else(|| "text/plain".to_owned());
                all.push(format!("{} {kind}", part.part().unwrap_or("-")));
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    all
}

fn of_message(message: &mail_parser::Message<'_>, all: &mut Vec<String>) {
    for part in &message.parts {
        let kind = match part.content_type() {
            Some(kind) => {
                let subtype = kind.subtype().unwrap_or_default();
                format!("{}/{subtype}", kind.ctype()).to_ascii_lowercase()
            }
            None => "text/plain".to_owned(),
        };
        match &part.body {
            PartType::Multipart(_) => {}
            PartType::Message(inner) => of_message(inner, all),
            _ => all.push(format!("{} {kind}", part.contents().len())),
        }
    }
}

fn by_mail_parser(bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(message) = MessageParser::default().parse(bytes) {
        of_message(&message, &mut all);
    }
    all
}

fn of_mail(mail: &mailparse::ParsedMail<'_>, all: &mut Vec<String>) {
    if mail.subparts.is_empty() {
        let len = mail.get_body_raw().map_or(-1, |body| body.len() as i64);
        all.push(format!("{len} {}", mail.ctype.mimetype));
    }
    for part in &mail.subparts {
        of_mail(part, all);
    }
}

fn by_mailparse(bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    match mailparse::parse_mail(bytes) {
        Ok(mail) => of_mail(&mail, &mut all),
        Err(error) => all.push(format!("error {error}")),
    }
    all
}

fn main() {
    let mut out = std::io::stdout().lock();
    for path in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let list = |parts: fn(&[u8]) -> Vec<String>| match catch_unwind(|| parts(&bytes)) {
            Ok(parts) => parts.iter().map(|part| quoted(part)).collect::<Vec<_>>().join(","),
            Err(_) => "\"panic\"".to_owned(),
        };
        let (ours, one, other) = (list(ours), list(by_mail_parser), list(by_mailparse));
        let path = quoted(&path);
        // A closed pipe ends it.
        if writeln!(
            out,
            "{{\"path\":{path},\"linksift\":[{ours}],\"mail-parser\":[{one}],\"mailparse\":[{other}]}}"
        )
        .is_err()
        {
            return;
        }
    }
}
