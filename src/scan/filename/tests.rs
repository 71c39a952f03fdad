//! Each row against its example and its counter-example; the table of `docs/rules.md` is made from them.

use super::row::{Row, Verdict};
use super::rows::{IN_CODE, TABLES};
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
                refused.contains(&row.id)
                    && counter_links > 0
                    && !counter_refused.contains(&row.id)
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
