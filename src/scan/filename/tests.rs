//! Tests that rows have the numbers of their rules, and agree with the word lists.

use super::lexicon::{BEHIND, nouns};
use super::row::TABLES;

#[test]
fn rules_have_the_ids_of_their_rows() {
    for table in TABLES {
        for (at, row) in table.rows.iter().enumerate() {
            assert_eq!(table.rule(at).id(), row.id);
        }
    }
}

/// Each word that may follow a name begins as the row states.
#[test]
fn nouns_begin_as_their_row_says() {
    let mut rows = TABLES.iter().flat_map(|table| table.rows);
    let row = match rows.find(|row| row.id == "noun-behind") {
        Some(row) => row,
        None => panic!("no such row"),
    };
    let begins = |letter: char| row.behind.iter().any(|text| text.text == format!(" {letter}"));
    for noun in nouns(BEHIND) {
        let first = noun.chars().next().unwrap_or_default();
        assert!(begins(first) && begins(first.to_ascii_uppercase()), "{noun}");
    }
}
