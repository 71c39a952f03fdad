//! `src/generated/name_rows.rs` and a table of `docs/rules.md`: the rules of names that only look like hosts, from
//! `names.tsv`, which is next to this file and describes its columns.

mod rows;

use super::{regenerating, settle, settle_lines};
use linksift::{Finder, Format, Hints};
use std::collections::BTreeSet;

use rows::{FACTS, Row, TABLES, parse};

const NAMES: &str = include_str!("names.tsv");
const FACTS_SOURCE: &str = include_str!("../../../src/scan/filename/facts.rs");

fn rows() -> Vec<Row<'static>> {
    parse(NAMES).unwrap_or_else(|error| panic!("{error}"))
}

fn source(rows: &[Row<'_>]) -> String {
    let mut source = String::from(
        "\n//! Rules of names that only look like hosts: `tests/it/tables/names.tsv` has them with examples.\n\n\
         use crate::scan::filename::facts::*;\n\
         use crate::scan::filename::predicate::Predicate;\n\
         use crate::scan::filename::row::Row;\n",
    );
    for (table, name) in TABLES.iter().enumerate() {
        let constant = name.replace('-', "_").to_uppercase();
        source += &format!("\n#[rustfmt::skip]\npub(super) const {constant}: &[Row] = &[\n");
        for row in rows.iter().filter(|row| row.table == table) {
            source += &row_source(row);
        }
        source += "];\n";
    }
    source
}

fn row_source(row: &Row<'_>) -> String {
    let mut fields = vec![format!("id: {:?}", row.id)];
    for (field, facts) in [("all", &row.all), ("any", &row.any), ("none", &row.none)] {
        let names: Vec<_> = facts.iter().map(|&at| FACTS[at].0).collect();
        fields.extend((!facts.is_empty()).then(|| format!("{field}: {}", names.join(" | "))));
    }
    for (field, texts) in [("front", &row.front), ("behind", &row.behind)] {
        fields.extend((!texts.is_empty()).then(|| format!("{field}: &{field}({texts:?})")));
    }
    for (field, is_set) in [("begin", row.begin), ("end", row.end)] {
        fields.extend(is_set.then(|| format!("{field}: true")));
    }
    for (field, asked) in [("asked", &row.asked), ("unless", &row.unless)] {
        let paths: Vec<_> = asked.iter().map(|name| format!("Predicate::{name}")).collect();
        fields.extend((!asked.is_empty()).then(|| format!("{field}: &[{}]", paths.join(", "))));
    }
    format!("    Row {{ {}, ..Row::{} }},\n", fields.join(", "), row.verdict.1)
}

/// `a text` as code in a cell.
fn cell(text: &str) -> String {
    let text =
        text.replace('\n', "\\n").replace('\t', "\\t").replace('\r', "\\r").replace('|', "\\|");
    let marks = if text.contains("``") {
        "```"
    } else if text.contains('`') {
        "``"
    } else {
        "`"
    };
    let space =
        if marks.len() > 1 || text.starts_with(' ') || text.ends_with(' ') { " " } else { "" };
    format!("{marks}{space}{text}{space}{marks}")
}

/// What a row says, in words.
fn said(row: &Row<'_>) -> String {
    let facts = |facts: &[usize]| facts.iter().map(|&at| FACTS[at].1).collect::<Vec<_>>();
    let mut said: Vec<_> =
        row.is_of_code().then(|| "in source code".to_owned()).into_iter().collect();
    said.extend(facts(&row.all).into_iter().map(str::to_owned));
    said.extend((!row.any.is_empty()).then(|| facts(&row.any).join(" or ")));
    said.extend(facts(&row.none).into_iter().map(|words| format!("not {words}")));
    let texts = |texts: &[String]| {
        let cells = texts.iter().filter(|text| !text.is_empty()).map(|text| cell(text));
        cells.collect::<Vec<_>>().join(" ")
    };
    if !row.front.is_empty() {
        let where_ = if row.begin { "line begins" } else { "after" };
        said.push(format!("{where_} {}", texts(&row.front)));
    }
    let end = if row.end { ", line ends" } else { "" };
    match texts(&row.behind) {
        behind if !behind.is_empty() => said.push(format!("before {behind}{end}")),
        _ if row.end => said.push("line ends".to_owned()),
        _ => {}
    }
    let asked = |name: &str| {
        let mut words = String::new();
        for c in name.chars() {
            if c.is_ascii_uppercase() && !words.is_empty() {
                words.push(' ');
            }
            words.push(c.to_ascii_lowercase());
        }
        format!("*{words}*")
    };
    said.extend(row.asked.iter().map(|one| asked(one)));
    said.extend(row.unless.iter().map(|one| format!("not {}", asked(one))));
    said.join("; ")
}

/// The table of `docs/rules.md`.
fn docs(rows: &[Row<'_>]) -> String {
    let mut out =
        String::from("| rule | it comes to | where | example | but not |\n|---|---|---|---|---|\n");
    for row in rows {
        let (id, verdict, said) = (row.id, row.verdict.2, said(row));
        let (example, counter) = (cell(&row.example), cell(&row.counter));
        out += &format!("| `{id}` | {verdict} | {said} | {example} | {counter} |\n");
    }
    out
}

#[test]
fn generated_file_of_names_is_current() {
    settle("name_rows.rs", &source(&rows()));
}

#[test]
fn the_table_of_the_docs_is_that_of_the_rows() {
    let begin = "<!-- rows: generated from tests/it/tables/names.tsv -->";
    let rows = docs(&rows());
    settle_lines("docs/rules.md", &[[begin, "<!-- end of rows -->", &rows]], "tables::names");
}

/// How many links are in a text, and by which rules candidates are rejected in it.
fn decided(text: &str, is_code: bool) -> (usize, Vec<&'static str>) {
    let finder = Finder::new();
    let hints = if is_code { Hints::new().format(Format::Code) } else { Hints::new() };
    let found: Vec<_> = finder.document(text.as_bytes(), &hints).unwrap().collect();
    let rejected = found.iter().filter_map(|one| one.rejected()?.rule()).collect();
    (found.iter().filter(|one| one.is_link()).count(), rejected)
}

#[test]
fn each_row_decides_its_example_and_not_its_counter_example() {
    if regenerating() {
        return;
    }
    let mut wrong = Vec::new();
    for row in rows() {
        let (links, rejected) = decided(&row.example, row.is_of_code());
        let (counter_links, counter_rejected) = decided(&row.counter, row.is_of_code());
        let is_right = match row.verdict.0 {
            // A text without the row's mark would be rejected.
            "host" => links > 0 && !counter_rejected.is_empty(),
            _ => {
                rejected.contains(&row.id)
                    && counter_links > 0
                    && !counter_rejected.contains(&row.id)
            }
        };
        if !is_right {
            wrong.push(format!(
                "{}: {:?} {links} {rejected:?}; {:?} {counter_links} {counter_rejected:?}",
                row.id, row.example, row.counter
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn facts_are_those_of_the_source() {
    let declared = FACTS_SOURCE.lines().filter_map(|line| {
        line.strip_prefix("pub(super) const ")?.split_once(": Facts = ").map(|(name, _)| name)
    });
    let named: BTreeSet<_> = FACTS.iter().map(|fact| fact.0).collect();
    assert_eq!(declared.collect::<BTreeSet<_>>(), named);
}

#[test]
fn what_is_wrong_with_a_row_is_named_with_its_line() {
    let error = |row: &str| {
        let begin = NAMES.find("in-folder\t").unwrap();
        let text = format!("{}{row}\n{}", &NAMES[..begin], &NAMES[begin..]);
        let line = NAMES[..begin].lines().count() + 1;
        let error = parse(&text).err().unwrap_or_else(|| panic!("{row:?} is a row"));
        let place = format!("tests/it/tables/names.tsv:{line}: ");
        error.strip_prefix(&place).unwrap_or_else(|| panic!("{place}{error}")).to_owned()
    };
    for (row, expected) in [
        ("a\tname\t-\t-\t-\t-\t\"x\"", "7 columns where 8 are expected"),
        ("a\tname\t-\t-\t-\t-\t\"x\"\t\"y\"\tz", "9 columns where 8 are expected"),
        ("A1\tname\t-\t-\t-\t-\t\"x\"\t\"y\"", "A1 has characters other than a-z and -"),
        ("a\tlink\t-\t-\t-\t-\t\"x\"\t\"y\"", "no verdict link"),
        ("a\tname\tLONE\t-\t-\t-\t\"x\"\t\"y\"", "no fact LONE"),
        ("a\tname\tCOM|CORN\t-\t-\t-\t\"x\"\t\"y\"", "no fact CORN"),
        ("a\tname\tCOM !\t-\t-\t-\t\"x\"\t\"y\"", "no fact "),
        ("a\tname\tCOM !COM\t-\t-\t-\t\"x\"\t\"y\"", "COM is there twice"),
        ("a\tname\tWORD !WEAK\t-\t-\t-\t\"x\"\t\"y\"", "WORD is there twice"),
        (
            "a\tname\tID|IN WEAK\t-\t-\t-\t\"x\"\t\"y\"",
            "WEAK after other facts of which one is enough",
        ),
        (
            "a\tname\t-\t-\t-\tFolders\t\"x\"\t\"y\"",
            "no predicate Folders in src/scan/filename/predicate.rs",
        ),
        ("a\tname\t-\tx\t-\t-\t\"x\"\t\"y\"", "x: a text without a quotation mark"),
        ("a\tname\t-\t\"x\"\"y\"\t-\t-\t\"x\"\t\"y\"", "\"x\"\"y\": two texts without a space"),
        ("a\tname\t-\t\"x\t-\t-\t\"x\"\t\"y\"", "\"x: a text without an end, or its escape"),
        (
            "a\tname\t-\t\"\\q\"\t-\t-\t\"x\"\t\"y\"",
            "\"\\q\": a text without an end, or its escape",
        ),
        ("a\tname\t-\t\"\"\t-\t-\t\"x\"\t\"y\"", "an empty text is everywhere"),
        ("a\tname\t-\t^ -\t-\t-\t\"x\"\t\"y\"", "^ or $ without a text"),
        (
            "a\tname\t-\t\"é\"\t-\t-\t\"x\"\t\"y\"",
            "\"é\" is not ASCII, is over a line, or has over 16 bytes",
        ),
        ("a\tname\t-\t-\t-\t-\t-\t\"y\"", "-: not a text"),
        ("[believe]", "[believe] where table [believed] is expected"),
    ] {
        assert_eq!(error(row), expected);
    }
    let twice = NAMES.replacen("\nafter-file-scheme\t", "\nin-folder\t", 1);
    assert!(parse(&twice).err().is_some_and(|error| error.ends_with(": a second row in-folder")));
    let wrong = parse("rule\tverdict\n").err();
    let columns = "tests/it/tables/names.tsv:1: the columns are not rule, verdict, facts, front, behind, asked, example, counter";
    assert_eq!(wrong.as_deref(), Some(columns));
}
