//! JSON against its strings: what is found in a document is what is found in each of its strings, as
//! `serde_json` reads them, one after the other.
#![cfg(feature = "cli")]

#[path = "roads/dice.rs"]
mod dice;
#[path = "roads/pieces.rs"]
mod pieces;

use std::ops::ControlFlow;

use dice::Dice;
use linksift::{Buffer, Document, Event, Finder, Format, Hints, Link, Refused};
use pieces::Pieces;
use serde_json::Value;

const DOCUMENTS: u64 = 12_000;

/// What strings are made of.
const WORDS: [&str; 34] = [
    "http://e.com/",
    "https:",
    "//",
    "/",
    "e.com",
    "www.e.com/a",
    "x@e.com",
    "mailto:",
    "tel:+1",
    ".",
    ":",
    "@",
    " ",
    "\n",
    "\t",
    "\r",
    "\"",
    "\\",
    "\\\\",
    "(",
    ")",
    "é",
    "例え.jp/パス",
    "。",
    "😀",
    "&#46;",
    "&#x2F;",
    "&amp;",
    "{",
    "}",
    ",",
    "?q=",
    "\u{8}",
    "a",
];

/// What was found, and how it is written in its string.
#[derive(Debug, PartialEq)]
struct Found {
    what: String,
    raw: String,
}

fn found(judged: Result<&Link<'_>, &Refused<'_>>, is_stored: bool) -> Found {
    let (what, raw) = match judged {
        Ok(link) => (format!("{:?} {} {}", link.kind(), link.iri(), link.uri()), link.raw()),
        Err(refused) => (format!("{:?} {}", refused.kind(), refused.reason()), refused.raw()),
    };
    let raw = match is_stored {
        true => {
            serde_json::from_str(&format!("\"{raw}\"")).unwrap_or_else(|e| panic!("{raw}: {e}"))
        }
        false => raw.to_owned(),
    };
    Found { what, raw }
}

/// The string between quotation marks, some of its characters escaped.
fn written(dice: &mut Dice, string: &str) -> String {
    let mut json = String::from("\"");
    for c in string.chars() {
        let short = match c {
            '\n' => 'n',
            '\t' => 't',
            '\r' => 'r',
            '\u{8}' => 'b',
            '"' | '\\' | '/' => c,
            _ => '\0',
        };
        if dice.once_in(6) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                match dice.once_in(2) {
                    true => json.push_str(&format!("\\u{unit:04x}")),
                    false => json.push_str(&format!("\\u{unit:04X}")),
                }
            }
        } else if short != '\0' && (c != '/' || dice.once_in(2)) {
            json.push('\\');
            json.push(short);
        } else {
            json.push(c);
        }
    }
    json + "\""
}

/// A document, and its strings.
fn document(dice: &mut Dice) -> (String, Vec<String>) {
    let mut strings = Vec::new();
    let mut json = String::from("[");
    for n in 0..1 + dice.below(5) {
        let mut string = || {
            let words: String = (0..dice.below(8)).map(|_| dice.pick(&WORDS)).collect();
            let json = written(dice, &words);
            strings.push(words);
            json
        };
        let one = match n % 3 {
            0 => string(),
            1 => format!("{{{}:\n {}}}", string(), string()),
            _ => format!("{{ {} : [1.5e3, true, null, {}, -2] }}", string(), string()),
        };
        json.push_str(if n > 0 { ",\n  " } else { "" });
        json.push_str(&one);
    }
    (json + "]\n", strings)
}

/// The strings of a value, keys among them, in order.
fn strings_of(value: &Value, strings: &mut Vec<String>) {
    match value {
        Value::String(string) => strings.push(string.clone()),
        Value::Array(values) => values.iter().for_each(|value| strings_of(value, strings)),
        Value::Object(fields) => {
            for (key, value) in fields {
                strings.push(key.clone());
                strings_of(value, strings);
            }
        }
        _ => {}
    }
}

#[test]
fn as_in_its_strings() {
    let finder = Finder::new();
    let mut buffer = Buffer::new();
    let mut count = 0;
    for seed in 0..DOCUMENTS {
        let mut dice = Dice::new(seed);
        let (json, strings) = document(&mut dice);
        let mut read = Vec::new();
        strings_of(&serde_json::from_str(&json).unwrap(), &mut read);
        assert_eq!(read, strings, "seed {seed}: {json}");

        let wanted: Vec<Found> = strings
            .iter()
            .flat_map(|string| {
                finder.candidates(string).map(|one| found(one.as_ref(), false)).collect::<Vec<_>>()
            })
            .collect();
        count += wanted.len();
        let whole = Document::new(json.as_bytes()).format(Format::Json);
        let of_whole: Vec<Found> =
            finder.document(&whole).map(|one| found(one.as_ref(), true)).collect();
        assert_eq!(of_whole, wanted, "seed {seed}: {json}");

        let cut = dice.below(json.len());
        let mut of_pieces = Vec::new();
        let emit = |event: Event<'_>| {
            match &event {
                Event::Link(link) => of_pieces.push(found(Ok(link), true)),
                Event::Refused(refused) => of_pieces.push(found(Err(refused), true)),
                _ => {}
            }
            ControlFlow::Continue(())
        };
        let pieces = Pieces::cut(json.as_bytes(), &[cut]);
        let hints = Hints::new().format(Format::Json);
        finder.scan_reader_in(&mut buffer, pieces, &hints, emit).unwrap();
        assert_eq!(of_pieces, wanted, "seed {seed}, cut at {cut}: {json}");
    }
    assert!(count > 20_000, "{count} found in all");
}
