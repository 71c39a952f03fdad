//! Parses `names.tsv`. Each error names its line.

use std::collections::BTreeSet;

const PREDICATES: &str = include_str!("../../../../src/scan/filename/predicate.rs");

/// Tables in the order in which `src/scan/filename/row.rs` numbers them.
pub(super) const TABLES: [&str; 9] = [
    "folder",
    "believed",
    "whole",
    "labels",
    "beside",
    "doubtful",
    "named",
    "in-code",
    "addresses",
];

const COLUMNS: [&str; 8] =
    ["rule", "verdict", "facts", "front", "behind", "asked", "example", "counter"];

/// Verdicts, each with its name in the source and its words in the docs.
const VERDICTS: [(&str, &str, &str); 3] = [
    ("host", "HOST", "host"),
    ("doubted", "DOUBTED", "name, without a path"),
    ("name", "NAME", "name"),
];

/// Facts of a name in the order in which the docs list them, each with its words there.
pub(super) const FACTS: &[(&str, &str)] = &[
    ("ALONE", "one label"),
    ("MANY", "two labels or more"),
    ("KNOWN", "known name"),
    ("KNOWN_HOST", "known host"),
    ("OBJECT", "first: object"),
    ("CODE", "first: code"),
    ("PLACE", "first: setting"),
    ("REVERSE", "first: reversed"),
    ("REVERSE_LONG", "first: reversed before three letters"),
    ("SECTION", "first: section"),
    ("VARIABLE", "first: variable"),
    ("MIDDLE", "last: ending"),
    ("SECOND_LEVEL", "last: second level"),
    ("TEMPLATE", "last: template"),
    ("IN_FRONT_OF", "last: in"),
    ("REFERENCE", "reference"),
    ("WWW", "www"),
    ("FOREIGN", "domain: other script"),
    ("OWN", "this, self, cls"),
    ("UNDERSCORE", "underscore"),
    ("LAST_UNDERSCORE", "last: underscore"),
    ("FIRST_ONE", "first: one letter"),
    ("EVERY_ONE", "each: one letter"),
    ("EVERY_TWO", "each: two letters, three labels"),
    ("NUMBERS", "numbers"),
    ("VERSION", "v and numbers"),
    ("VERSION_END", "version at the end"),
    ("MODULE", "each: word with a capital"),
    ("SOME_CAPITALS", "some: all capitals"),
    ("DEEP", "four labels or more"),
    ("CAMEL", "first: small letter, then a capital"),
    ("LATER_UPPER", "capital after the first"),
    ("FIRST_UPPER", "first: capital"),
    ("ENDING_TITLE", "domain: capital in front"),
    ("ENDING_CAPITALS", "domain: all capitals"),
    ("ENDING_UPPER", "domain: capital"),
    ("COUNTRY_SECOND", "country's second level"),
    ("OTHER", "hyphen or other script"),
    ("DIGIT", "digit"),
    ("WEAK", "domain in doubt"),
    ("NO_DOMAIN", "domain: no registry"),
    ("FIELD", "domain: field"),
    ("ONLY_FILE", "domain: file after many"),
    ("APP", "domain: app"),
    ("ID", "domain: id"),
    ("IN", "domain: in"),
    ("SO", "domain: so"),
    ("CHAIN", "domain: chain"),
    ("LARGE", "domain: large country"),
    ("SHORT", "domain: short names"),
    ("FILE", "domain: file"),
    ("WORD", "domain: word"),
    ("DOUBT", "domain: doubt"),
    ("COMMON", "domain: common"),
    ("BELIEVED", "domain: believed"),
    ("COM", "domain: com"),
    ("FIRST_TWO", "first: two letters"),
    ("COUNTRY", "domain: country on no list"),
    ("QUOTED", "after a quotation mark"),
    ("AFTER_UNDERSCORE", "after an underscore"),
    ("AFTER_PAIR", "after the same twice"),
    ("LONG", "domain: three letters or more"),
    ("LOWER", "small letter"),
];

/// The facts that `WEAK` is one of.
const WEAK: [&str; 3] = ["FILE", "WORD", "DOUBT"];

/// A row of `names.tsv`.
#[derive(Default)]
pub(super) struct Row<'t> {
    pub(super) table: usize,
    pub(super) id: &'t str,
    pub(super) verdict: (&'static str, &'static str, &'static str),
    /// Places in `FACTS`, sorted.
    pub(super) all: Vec<usize>,
    pub(super) any: Vec<usize>,
    pub(super) none: Vec<usize>,
    pub(super) begin: bool,
    pub(super) front: Vec<String>,
    pub(super) behind: Vec<String>,
    pub(super) end: bool,
    pub(super) asked: Vec<&'t str>,
    pub(super) unless: Vec<&'t str>,
    pub(super) example: String,
    pub(super) counter: String,
}

impl Row<'_> {
    pub(super) fn is_of_code(&self) -> bool {
        TABLES[self.table] == "in-code"
    }
}

/// The rows of a text, or a message that names the line that is wrong.
pub(super) fn parse(text: &str) -> Result<Vec<Row<'_>>, String> {
    let (mut rows, mut has_header, mut tables): (Vec<Row<'_>>, _, _) = (Vec::new(), false, 0);
    let mut ids = BTreeSet::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |error: String| format!("tests/it/tables/names.tsv:{}: {error}", number + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let columns: Vec<_> = line.split('\t').filter(|column| !column.is_empty()).collect();
        if !has_header {
            if columns != COLUMNS {
                return Err(wrong(format!("the columns are not {}", COLUMNS.join(", "))));
            }
            has_header = true;
        } else if let [table] = columns[..] {
            let next = TABLES.get(tables).copied().unwrap_or("nothing");
            if table.strip_prefix('[').and_then(|table| table.strip_suffix(']')) != Some(next) {
                return Err(wrong(format!("{table} where table [{next}] is expected")));
            }
            tables += 1;
        } else {
            let row = parse_row(&columns, tables).map_err(wrong)?;
            if !ids.insert(row.id) {
                return Err(wrong(format!("a second row {}", row.id)));
            }
            rows.push(row);
        }
    }
    match tables == TABLES.len() {
        true => Ok(rows),
        false => Err(format!("tests/it/tables/names.tsv: no table [{}]", TABLES[tables])),
    }
}

fn parse_row<'t>(columns: &[&'t str], tables: usize) -> Result<Row<'t>, String> {
    let [id, verdict, facts, front, behind, asked, example, counter] = *columns else {
        return Err(format!("{} columns where {} are expected", columns.len(), COLUMNS.len()));
    };
    let table = tables.checked_sub(1).ok_or("a row before the first table")?;
    if !id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') {
        return Err(format!("{id} has characters other than a-z and -"));
    }
    let known = VERDICTS.iter().find(|known| known.0 == verdict);
    let verdict = *known.ok_or_else(|| format!("no verdict {verdict}"))?;
    let mut row = Row { table, id, verdict, ..Row::default() };
    add_facts(&mut row, facts)?;
    (row.begin, row.front) = match front.strip_prefix("^ ") {
        Some(front) => (true, texts(front)?),
        None => (false, texts(front)?),
    };
    (row.end, row.behind) = match behind.strip_suffix(" $") {
        Some(behind) => (true, texts(behind)?),
        None => (false, texts(behind)?),
    };
    if row.begin && row.front.is_empty() || row.end && row.behind.is_empty() {
        return Err("^ or $ without a text".to_owned());
    }
    for text in row.front.iter().chain(&row.behind) {
        if !text.is_ascii() || text.contains('\n') || text.len() > 16 {
            return Err(format!("{text:?} is not ASCII, is over a line, or has over 16 bytes"));
        }
        if text.is_empty() && !row.end {
            return Err("an empty text is everywhere".to_owned());
        }
    }
    for predicate in words(asked) {
        let (list, name) = match predicate.strip_prefix('!') {
            Some(name) => (&mut row.unless, name),
            None => (&mut row.asked, predicate),
        };
        if !predicates().any(|known| known == name) {
            return Err(format!("no predicate {name} in src/scan/filename/predicate.rs"));
        }
        list.push(name);
    }
    (row.example, row.counter) = (one_text(example)?, one_text(counter)?);
    Ok(row)
}

/// Adds `A` (all of these), `A|B` (one of these), and `!A` (none of these).
fn add_facts(row: &mut Row<'_>, facts: &str) -> Result<(), String> {
    for fact in words(facts) {
        let (list, names) = match fact.strip_prefix('!') {
            Some(name) => (&mut row.none, name),
            None if fact.contains('|') || fact == "WEAK" => {
                if !row.any.is_empty() {
                    return Err(format!("{fact} after other facts of which one is enough"));
                }
                (&mut row.any, fact)
            }
            None => (&mut row.all, fact),
        };
        for name in names.split('|') {
            let known = FACTS.iter().position(|known| known.0 == name);
            list.push(known.ok_or_else(|| format!("no fact {name}"))?);
        }
    }
    for list in [&mut row.all, &mut row.any, &mut row.none] {
        list.sort_unstable();
    }
    let each = [&row.all, &row.any, &row.none].into_iter().flatten().map(|&at| FACTS[at].0);
    let mut single = each.flat_map(|name| match name {
        "WEAK" => WEAK.to_vec(),
        name => vec![name],
    });
    let mut seen = BTreeSet::new();
    match single.find(|name| !seen.insert(*name)) {
        Some(twice) => Err(format!("{twice} is there twice")),
        None => Ok(()),
    }
}

/// The words of a column; `-` has none.
fn words(column: &str) -> impl Iterator<Item = &str> {
    column.split(' ').filter(move |_| column != "-")
}

/// The variants of `Predicate`.
fn predicates() -> impl Iterator<Item = &'static str> {
    let body = PREDICATES.split_once("enum Predicate {").map_or("", |(_, body)| body);
    let lines = body.lines().take_while(|line| *line != "}").map(str::trim);
    lines.filter(|line| !line.starts_with("//")).filter_map(|line| line.strip_suffix(','))
}

fn one_text(column: &str) -> Result<String, String> {
    let [text] = <[_; 1]>::try_from(texts(column)?).map_err(|_| format!("{column}: not a text"))?;
    Ok(text)
}

/// Texts in quotation marks, with a space between.
fn texts(column: &str) -> Result<Vec<String>, String> {
    let (mut texts, mut chars) = (Vec::new(), column.chars());
    if column == "-" {
        return Ok(texts);
    }
    loop {
        let mut text = String::new();
        if chars.next() != Some('"') {
            return Err(format!("{column}: a text without a quotation mark"));
        }
        loop {
            let c = match chars.next() {
                Some('"') => break,
                Some('\\') => escaped(&mut chars),
                c => c,
            };
            text.push(c.ok_or_else(|| format!("{column}: a text without an end, or its escape"))?);
        }
        texts.push(text);
        match chars.next() {
            Some(' ') => {}
            Some(_) => return Err(format!("{column}: two texts without a space")),
            None => return Ok(texts),
        }
    }
}

/// The character that an escape stands for.
fn escaped(chars: &mut std::str::Chars<'_>) -> Option<char> {
    match chars.next()? {
        't' => Some('\t'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        'x' => {
            let hex = chars.as_str().get(..2)?;
            *chars = chars.as_str()[2..].chars();
            u8::from_str_radix(hex, 16).ok().filter(u8::is_ascii).map(char::from)
        }
        c @ ('\\' | '"') => Some(c),
        _ => None,
    }
}
