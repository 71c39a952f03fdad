//! The rows, in the order in which they are examined.
//!
//! They are generated from `tests/it/tables/names.tsv`, as is a table in `docs/rules.md`. To add a row, see
//! `docs/architecture.md`, "change a rule of running text".

#[path = "../../generated/name_rows.rs"]
mod name_rows;

use super::row::{Row, RowIndex, Rule, Table};
use name_rows as list;

/// All rows, by table, in the order of their numbers.
const ALL: [&[Row]; 9] = [
    list::FOLDER,
    list::BELIEVED,
    list::WHOLE,
    list::LABELS,
    list::BESIDE,
    list::DOUBTFUL,
    list::NAMED,
    list::IN_CODE,
    list::ADDRESSES,
];

/// Rows for names in a directory, which are not hosts, whatever they end in.
pub(super) static FOLDER: Table = Table::nth(0, &ALL);
/// Rows for names below `com`, `org` and similar domains.
pub(super) static BELIEVED: Table = Table::nth(1, &ALL).with(&AROUND_BELIEVED);
static AROUND_BELIEVED: RowIndex = RowIndex::of(list::BELIEVED);
/// Rows for the domain and the complete name.
pub(super) static WHOLE: Table = Table::nth(2, &ALL);
/// Rows for the labels.
pub(super) static LABELS: Table = Table::nth(3, &ALL);
/// Rows for the text next to a name.
pub(super) static BESIDE: Table = Table::nth(4, &ALL).with(&AROUND_BESIDE);
static AROUND_BESIDE: RowIndex = RowIndex::of(list::BESIDE);
/// Rows for the text next to a name whose domain is in doubt.
pub(super) static DOUBTFUL: Table = Table::nth(5, &ALL).with(&AROUND_DOUBTFUL);
static AROUND_DOUBTFUL: RowIndex = RowIndex::of(list::DOUBTFUL);
/// Rows that make a doubted name a host.
pub(super) static NAMED: Table = Table::nth(6, &ALL).with(&AROUND_NAMED);
static AROUND_NAMED: RowIndex = RowIndex::of(list::NAMED);
/// Rows for names that are not hosts in source code and would be hosts in prose.
pub(super) static IN_CODE: Table = Table::nth(7, &ALL);
/// Rows that reject an address.
#[cfg(test)]
static ADDRESSES: Table = Table::nth(8, &ALL);

/// All tables, in the order of their numbers.
#[cfg(test)]
pub(super) static TABLES: [&Table; 9] =
    [&FOLDER, &BELIEVED, &WHOLE, &LABELS, &BESIDE, &DOUBTFUL, &NAMED, &IN_CODE, &ADDRESSES];
/// A path on another machine follows an address.
pub(super) const REMOTE_PATH: Rule = Table::nth(8, &ALL).rule(0);

impl Rule {
    /// Returns the rule's id: a name for people, which may change in any version.
    pub(crate) fn id(self) -> &'static str {
        let mut at = self.number();
        for rows in ALL {
            match rows.get(at) {
                Some(row) => return row.id,
                None => at -= rows.len(),
            }
        }
        ""
    }
}
