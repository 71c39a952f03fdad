//! Each row against its example and its counter-example; the table of `docs/rules.md` is made from them.

use super::facts::*;
use super::lexicon::{BEHIND, nouns};
use super::predicate::Predicate;
use super::row::{Row, Verdict};
use super::rows::{IN_CODE, TABLES};
use super::text::RowText;
use crate::{Document, Finder};

fn rows() -> impl Iterator<Item = (&'static Row, bool)> {
    TABLES.iter().flat_map(|table| {
        table.rows.iter().map(|row| (row, std::ptr::eq(table.rows, IN_CODE.rows)))
    })
}

/// How many links are in a text, and by which rules candidates are refused in it.
fn decided(text: &str, is_code: bool) -> (usize, Vec<&'static str>) {
    let finder = Finder::new();
    let document = Document::new(text.as_bytes());
    let document = if is_code { document.format(crate::Format::Code) } else { document };
    let found: Vec<_> = match finder.document(&document) {
        Ok(candidates) => candidates.collect(),
        Err(error) => panic!("{error}"),
    };
    let refused = found.iter().filter_map(|one| one.as_ref().err()?.rule()).collect();
    (found.iter().filter(|one| one.is_ok()).count(), refused)
}

#[test]
fn each_row_decides_its_example_and_not_its_counter_example() {
    let mut wrong = Vec::new();
    for (row, is_code) in rows() {
        let (links, refused) = decided(row.example, is_code);
        let (counter_links, counter_refused) = decided(row.counter, is_code);
        let is_right = match row.verdict {
            // A text without the row's mark would be refused.
            Verdict::Host => links > 0 && !counter_refused.is_empty(),
            _ => {
                refused.contains(&row.id) && counter_links > 0 && !counter_refused.contains(&row.id)
            }
        };
        if !is_right {
            wrong.push(format!(
                "{}: {:?} {links} {refused:?}; {:?} {counter_links} {counter_refused:?}",
                row.id, row.example, row.counter
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn ids_are_words_of_their_own() {
    let ids: Vec<_> = rows().map(|(row, _)| row.id).collect();
    for (at, id) in ids.iter().enumerate() {
        assert!(!ids[..at].contains(id), "{id} is there twice");
        assert!(id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{id}");
    }
    for (table, row) in
        TABLES.iter().flat_map(|table| (0..table.rows.len()).map(move |n| (table, n)))
    {
        assert_eq!(table.rule(row).id(), table.rows[row].id);
    }
}

/// A row is found by what it says: a key or a byte that it is missing from would hide it in silence.
#[test]
fn texts_beside_a_name_are_those_of_their_rows() {
    for (row, _) in rows() {
        for text in row.front.iter().chain(row.behind) {
            assert!(text.text.is_ascii() && !text.text.contains('\n'), "{}", row.id);
        }
        assert!(!row.end || !row.behind.is_empty(), "{}: nothing ends the line", row.id);
        assert!(!row.begin || !row.front.is_empty(), "{}: nothing begins it", row.id);
        assert_eq!(row.all & row.none, 0, "{}", row.id);
    }
}

/// Each noun that may be after a name begins as the row says.
#[test]
fn nouns_begin_as_their_row_says() {
    let (row, _) = match rows().find(|(row, _)| row.id == "noun-behind") {
        Some(found) => found,
        None => panic!("no such row"),
    };
    let begins = |letter: char| row.behind.iter().any(|text| text.text == format!(" {letter}"));
    for noun in nouns(BEHIND) {
        let first = noun.chars().next().unwrap_or_default();
        assert!(begins(first) && begins(first.to_ascii_uppercase()), "{noun}");
    }
}

/// Words for people of each fact.
const WORDS: &[(Facts, &str)] = &[
    (ALONE, "one label"),
    (MANY, "two labels or more"),
    (KNOWN, "known name"),
    (KNOWN_HOST, "known host"),
    (OBJECT, "first: object"),
    (CODE, "first: code"),
    (PLACE, "first: setting"),
    (REVERSE, "first: reversed"),
    (REVERSE_LONG, "first: reversed before three letters"),
    (SECTION, "first: section"),
    (VARIABLE, "first: variable"),
    (MIDDLE, "last: ending"),
    (SECOND_LEVEL, "last: second level"),
    (TEMPLATE, "last: template"),
    (IN_FRONT_OF, "last: in"),
    (REFERENCE, "reference"),
    (WWW, "www"),
    (FOREIGN, "domain: other script"),
    (OWN, "this, self, cls"),
    (UNDERSCORE, "underscore"),
    (LAST_UNDERSCORE, "last: underscore"),
    (FIRST_ONE, "first: one letter"),
    (EVERY_ONE, "each: one letter"),
    (EVERY_TWO, "each: two letters, three labels"),
    (NUMBERS, "numbers"),
    (VERSION, "v and numbers"),
    (VERSION_END, "version at the end"),
    (MODULE, "each: word with a capital"),
    (SOME_CAPITALS, "some: all capitals"),
    (DEEP, "four labels or more"),
    (CAMEL, "first: small letter, then a capital"),
    (LATER_UPPER, "capital after the first"),
    (FIRST_UPPER, "first: capital"),
    (ENDING_TITLE, "domain: capital in front"),
    (ENDING_CAPITALS, "domain: all capitals"),
    (ENDING_UPPER, "domain: capital"),
    (COUNTRY_SECOND, "country's second level"),
    (OTHER, "hyphen or other script"),
    (DIGIT, "digit"),
    (NO_DOMAIN, "domain: no registry"),
    (FIELD, "domain: field"),
    (ONLY_FILE, "domain: file after many"),
    (APP, "domain: app"),
    (ID, "domain: id"),
    (IN, "domain: in"),
    (SO, "domain: so"),
    (CHAIN, "domain: chain"),
    (LARGE, "domain: large country"),
    (SHORT, "domain: short names"),
    (FILE, "domain: file"),
    (WORD, "domain: word"),
    (DOUBT, "domain: doubt"),
    (COMMON, "domain: common"),
    (BELIEVED, "domain: believed"),
    (COM, "domain: com"),
    (FIRST_TWO, "first: two letters"),
    (COUNTRY, "domain: country on no list"),
    (QUOTED, "after a quotation mark"),
    (AFTER_UNDERSCORE, "after an underscore"),
    (AFTER_PAIR, "after the same twice"),
    (LONG, "domain: three letters or more"),
    (LOWER, "small letter"),
];

fn words(facts: Facts) -> Vec<&'static str> {
    if facts == WEAK {
        return vec!["domain in doubt"];
    }
    let words: Vec<_> =
        WORDS.iter().filter(|(fact, _)| facts & fact != 0).map(|(_, word)| *word).collect();
    assert_eq!(words.len(), facts.count_ones() as usize, "{facts:#x} has a fact without a word");
    words
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
fn said(row: &Row) -> String {
    let mut said = words(row.all).into_iter().map(str::to_owned).collect::<Vec<_>>();
    let any = words(row.any);
    if !any.is_empty() {
        said.push(any.join(" or "));
    }
    said.extend(words(row.none).into_iter().map(|word| format!("not {word}")));
    let texts = |texts: &[RowText]| {
        texts
            .iter()
            .filter(|text| !text.text.is_empty())
            .map(|text| cell(text.text))
            .collect::<Vec<_>>()
            .join(" ")
    };
    if !row.front.is_empty() {
        said.push(format!(
            "{} {}",
            if row.begin { "line begins" } else { "after" },
            texts(row.front)
        ));
    }
    match texts(row.behind) {
        none if none.is_empty() && !row.behind.is_empty() => said.push("line ends".to_owned()),
        none if none.is_empty() => {}
        behind => said.push(format!("before {behind}{}", if row.end { ", line ends" } else { "" })),
    }
    let asked = |asked: &Predicate| {
        let name = format!("{asked:?}");
        let mut words = String::new();
        for c in name.chars() {
            if c.is_ascii_uppercase() && !words.is_empty() {
                words.push(' ');
            }
            words.push(c.to_ascii_lowercase());
        }
        words
    };
    said.extend(row.asked.iter().map(|one| format!("*{}*", asked(one))));
    said.extend(row.unless.iter().map(|one| format!("not *{}*", asked(one))));
    said.join("; ")
}

/// The table of `docs/rules.md`.
fn table() -> String {
    let mut out =
        String::from("| rule | it comes to | where | example | but not |\n|---|---|---|---|---|\n");
    for (row, is_code) in rows() {
        let verdict = match row.verdict {
            Verdict::Host => "host",
            Verdict::Doubted => "name, without a path",
            Verdict::Name => "name",
        };
        let where_ = said(row);
        let where_ = if is_code { format!("in source code; {where_}") } else { where_ };
        out += &format!(
            "| `{}` | {verdict} | {where_} | {} | {} |\n",
            row.id,
            cell(row.example),
            cell(row.counter)
        );
    }
    out
}

#[test]
fn the_table_of_the_docs_is_that_of_the_rows() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rules.md");
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text.replace("\r\n", "\n"),
        // The package has no docs.
        Err(_) => return,
    };
    let (begin, end) =
        ("<!-- rows: made from src/scan/filename/rows -->\n", "<!-- end of rows -->");
    let parts = text.split_once(begin).and_then(|(front, rest)| {
        rest.split_once(end).map(|(table, behind)| (front, table, behind))
    });
    let Some((front, old, behind)) = parts else {
        panic!("docs/rules.md has no place for the rows")
    };
    let new = table();
    if old != new && std::env::var_os("LINKSIFT_BLESS").is_some() {
        let text = format!("{front}{begin}{new}{end}{behind}");
        assert!(std::fs::write(path, text).is_ok(), "{path} cannot be written");
    } else {
        assert!(
            old == new,
            "docs/rules.md says other rows: LINKSIFT_BLESS=1 cargo test --lib filename"
        );
    }
}
