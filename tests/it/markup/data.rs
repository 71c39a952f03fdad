//! JSON against its strings, CSV against its fields: what is found in a document is what is found in each of
//! them, as `serde_json` and `csv` read them, one after the other.

use std::ops::ControlFlow;

use crate::support::dice::Dice;
use crate::support::pieces::Pieces;
use linksift::{Candidate, Event, Finder, Format, Hints};
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

/// Control sequences of terminals, which strings of JSON have as escapes, and one that is written out.
const SEQUENCES: [&str; 5] = ["\u{1b}", "\u{1b}[1;31m", "\u{1b}[K", "\u{1b}]0;", "\\u001b[1m"];

/// What was found, and how it is written in its string.
#[derive(Debug, PartialEq)]
struct Found {
    what: String,
    raw: String,
}

fn found(candidate: &Candidate<'_>, is_stored: bool) -> Found {
    let (what, raw) = match candidate {
        Candidate::Link(link) => {
            (format!("{:?} {} {}", link.kind(), link.iri(), link.uri()), link.raw())
        }
        Candidate::Rejected(rejected) => {
            (format!("{:?} {}", rejected.kind(), rejected.reason()), rejected.raw())
        }
    };
    let raw = match is_stored {
        true => {
            let raw: String = serde_json::from_str(&format!("\"{raw}\""))
                .unwrap_or_else(|e| panic!("{raw}: {e}"));
            // What is written as an escape stays in `raw`.
            SEQUENCES[1..3].iter().fold(raw, |raw, sequence| raw.replace(sequence, ""))
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
        if dice.once_in(6) || c < ' ' && short == '\0' {
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

/// The string with a space behind a link that it may be: a link that is a whole string has a rule of its own.
fn apart(words: String) -> String {
    let may_be_link = words.contains("http");
    words + if may_be_link { " " } else { "" }
}

/// A document, and its strings.
fn document(dice: &mut Dice) -> (String, Vec<String>) {
    let mut strings = Vec::new();
    let mut json = String::from("[");
    for n in 0..1 + dice.below(5) {
        let mut string = || {
            let count = dice.below(8);
            let mut word = || match dice.once_in(8) {
                true => dice.pick(&SEQUENCES),
                false => dice.pick(&WORDS),
            };
            let words = apart((0..count).map(|_| word()).collect());
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

/// Asserts that in a document the same is found as in its texts; tells how much that is.
fn as_in_texts(
    finder: &Finder,
    seed: u64,
    document: &str,
    texts: &[String],
    format: Format,
) -> usize {
    let of = |text| finder.candidates(text).map(|one| found(&one, false));
    let wanted: Vec<Found> = texts.iter().flat_map(|text| of(text)).collect();
    let mut dice = Dice::new(!seed);
    for (route, of_route) in routes(finder, &mut dice, document, format) {
        assert_eq!(of_route, wanted, "seed {seed}, {route}: {document}");
    }
    wanted.len()
}

/// What is found in a document as a whole, and cut in two.
fn routes(
    finder: &Finder,
    dice: &mut Dice,
    document: &str,
    format: Format,
) -> [(String, Vec<Found>); 2] {
    let is_json = format == Format::Json;
    let hints = Hints::new().format(format);
    let whole = finder.document(document.as_bytes(), &hints).unwrap();
    let of_whole = whole.map(|one| found(&one, is_json)).collect();

    let cut = dice.below(document.len());
    let mut of_pieces = Vec::new();
    let emit = |event: Event<'_>| {
        of_pieces.extend(event.into_candidate().map(|one| found(&one, is_json)));
        ControlFlow::Continue(())
    };
    let pieces = Pieces::cut(document.as_bytes(), &[cut]);
    finder.scan_reader(pieces, &hints, emit).unwrap();
    [("whole".to_owned(), of_whole), (format!("cut at {cut}"), of_pieces)]
}

/// A long string is resolved in pieces, which may end in an escape, or in what only looks like one.
#[test]
fn escapes_where_a_piece_of_a_long_string_ends() {
    const PIECE: usize = 256 << 10;
    let finder = Finder::new();
    // The first is a backslash and what follows it.
    for (escape, meaning) in [(r"\\u001b]0;", r"\u001b]0;"), (r"\u001b[1m", "\u{1b}[1m")] {
        for back in (0..600).step_by(7) {
            let front = " ".repeat(PIECE - back);
            let document = format!("[\"{front}{escape}me@example.com http://e.com/{escape} \"]");
            let text = format!("{front}{meaning}me@example.com http://e.com/{meaning} ");
            let found = as_in_texts(&finder, back as u64, &document, &[text], Format::Json);
            assert_eq!(found, 2, "{escape} {back}");
        }
    }
}

/// Some lines, the fields on them, and the texts of which these are made: a doubled mark parts two.
fn lines(dice: &mut Dice, separator: &str) -> (String, Vec<String>, Vec<String>) {
    let (mut csv, mut fields, mut texts) = (format!("a{separator}b{separator}c\n"), vec![], vec![]);
    fields.extend(["a", "b", "c"].map(str::to_owned));
    for _ in 0..1 + dice.below(4) {
        for n in 0..3 {
            let words = apart((0..dice.below(8)).map(|_| dice.pick(&WORDS)).collect());
            let is_plain = !words.contains(['\n', '\r', '"']) && !words.contains(separator);
            csv.push_str(if n > 0 { separator } else { "" });
            if is_plain && !words.is_empty() && dice.once_in(2) {
                csv.push_str(&words);
                texts.push(words.clone());
            } else {
                csv.push_str(&format!("\"{}\"", words.replace('"', "\"\"")));
                texts.extend(words.split('"').map(str::to_owned));
            }
            fields.push(words);
        }
        csv.push('\n');
    }
    (csv, fields, texts)
}

#[test]
fn as_in_its_fields() {
    let finder = Finder::new();
    let mut count = 0;
    for seed in 0..DOCUMENTS {
        let mut dice = Dice::new(seed);
        let separator = dice.pick(&[",", ";", "\t", "|"]);
        let (csv, fields, texts) = lines(&mut dice, separator);
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.has_headers(false).delimiter(separator.as_bytes()[0]);
        let records = reader.from_reader(csv.as_bytes()).into_records();
        let read: Vec<String> = records
            .flat_map(|record| record.unwrap().iter().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        assert_eq!(read, fields, "seed {seed}: {csv}");

        count += as_in_texts(&finder, seed, &csv, &texts, Format::Csv);
    }
    assert!(count > 20_000, "{count} found in all");
}

#[test]
fn as_in_its_strings() {
    let finder = Finder::new();
    let mut count = 0;
    for seed in 0..DOCUMENTS {
        let mut dice = Dice::new(seed);
        let (json, strings) = document(&mut dice);
        let mut read = Vec::new();
        strings_of(&serde_json::from_str(&json).unwrap(), &mut read);
        assert_eq!(read, strings, "seed {seed}: {json}");

        count += as_in_texts(&finder, seed, &json, &strings, Format::Json);
    }
    assert!(count > 20_000, "{count} found in all");
}
