//! A row: one rule about names that only look like hosts, as a mask over the facts of a name; and the tables of rows.
//!
//! The input is a name with its facts, the result is the first row of a table that matches. The known facts are one `u64`,
//! and rows whose rarest fact is missing are not examined. For the other rows the text next to the name is compared, and
//! the predicates that need the line (`asked`) are evaluated last, each only once.
//!
//! The rows are generated from `tests/it/tables/names.tsv`, as is a table in `docs/rules.md`. To add a row, see
//! `docs/architecture.md`, "change a rule of running text".

#[path = "../../generated/name_rows.rs"]
mod name_rows;

use std::num::NonZeroU8;

use name_rows as list;

use super::asker::Asker;
use super::facts::{
    ALONE, ENDING_CAPITALS, ENDING_TITLE, Facts, KNOWN, LAST_UNDERSCORE, RowText, UNDERSCORE,
};
use super::predicate::Predicate;
use crate::scan::view::Incomplete;

/// Verdict on a host without a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Host,
    /// Rather the name of a file or of a member in code, unless a path follows.
    Doubted,
    /// Not a host.
    Name,
}

/// A rule, by its number among the rows of all tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rule(NonZeroU8);

impl Rule {
    /// Returns its index among the rows of all tables.
    pub(super) const fn number(self) -> usize {
        self.0.get() as usize - 1
    }

    const fn nth(number: usize) -> Rule {
        assert!(number < 255, "more rows than have a number");
        match NonZeroU8::new(number as u8 + 1) {
            Some(number) => Rule(number),
            None => panic!("zero"),
        }
    }
}

/// One rule. All its conditions must be true; an empty field is no condition.
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) verdict: Verdict,
    /// Facts of its labels: all of these, at least one of these, none of these.
    pub(super) all: Facts,
    pub(super) any: Facts,
    pub(super) none: Facts,
    /// One of these texts directly precedes the name.
    pub(super) front: &'static [RowText],
    /// One of these texts directly follows the name.
    pub(super) behind: &'static [RowText],
    /// The line before the name is one of `front`, except for white space.
    pub(super) begin: bool,
    /// The line after the name is one of `behind`.
    pub(super) end: bool,
    /// Predicates that must be true and take longer to evaluate; predicates that must be false.
    pub(super) asked: &'static [Predicate],
    pub(super) unless: &'static [Predicate],
}

impl Row {
    /// A row for a doubted name, without conditions.
    pub(super) const DOUBTED: Row = Row {
        id: "",
        verdict: Verdict::Doubted,
        all: 0,
        any: 0,
        none: 0,
        front: &[],
        behind: &[],
        begin: false,
        end: false,
        asked: &[],
        unless: &[],
    };
    /// A row for a name that is not a host, whatever follows it.
    pub(super) const NAME: Row = Row { verdict: Verdict::Name, ..Row::DOUBTED };
    /// A row for a name that is a host, whatever the rows after it contain.
    pub(super) const HOST: Row = Row { verdict: Verdict::Host, ..Row::DOUBTED };

    #[inline]
    fn fits(&self, asker: &mut Asker<'_, '_>) -> Result<bool, Incomplete> {
        let facts = asker.name.facts;
        if facts & self.all != self.all
            || facts & self.none != 0
            || self.any != 0 && facts & self.any == 0
        {
            return Ok(false);
        }
        self.fits_around(asker)
    }

    fn fits_around(&self, asker: &mut Asker<'_, '_>) -> Result<bool, Incomplete> {
        if !self.front.is_empty() {
            let is_there = match self.begin {
                false => self.front.iter().any(|text| text.is_at(asker.number_in_front())),
                true => asker.is_begun(self.front),
            };
            if !is_there {
                return Ok(false);
            }
        }
        if !self.behind.is_empty() {
            let is_other = asker
                .number_behind()
                .is_some_and(|beside| !self.behind.iter().any(|text| text.is_at(beside)));
            // The rest may not be the complete line: it may be cut before the beginning of a long word.
            if is_other || !asker.is_before(self.behind, self.end)? {
                return Ok(false);
            }
        }
        for &asked in self.asked {
            if !asker.ask(asked)? {
                return Ok(false);
            }
        }
        for &asked in self.unless {
            if asker.ask(asked)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Set of rows, by the index of each in its table.
type Set = u64;

/// Rows in the order in which they are examined, and an index of the rows that a fact or a byte excludes.
pub(super) struct Table {
    pub(super) rows: &'static [Row],
    /// Number of the first row among those of all tables.
    first: usize,
    /// Facts that rows are found by: the rarest fact of each row.
    keys: Facts,
    by_key: [Set; 64],
    /// Rows that need no fact.
    keyless: Set,
    /// Index of the rows by the bytes around a name; `None` for tables in which it does not pay off.
    around: Option<&'static RowIndex>,
}

/// Index of the rows that may match, by the two bytes before a name and the two bytes after it.
pub(super) struct RowIndex {
    /// The byte directly before the name, the one before that; the byte directly after the name, the one after that.
    places: [[Set; 256]; 4],
}

impl Table {
    /// Creates one of the tables; rows are numbered across all tables.
    pub(super) const fn nth(number: usize, all: &[&'static [Row]]) -> Table {
        let rows = all[number];
        assert!(rows.len() <= 64, "more rows than a set has");
        let mut table =
            Table { rows, first: 0, keys: 0, by_key: [0; 64], keyless: 0, around: None };
        let mut at = 0;
        while at < number {
            table.first += all[at].len();
            at += 1;
        }
        at = 0;
        while at < rows.len() {
            let mut keys = key(&rows[at]);
            if keys == 0 {
                table.keyless |= 1 << at;
            }
            table.keys |= keys;
            while keys != 0 {
                table.by_key[keys.trailing_zeros() as usize] |= 1 << at;
                keys &= keys - 1;
            }
            at += 1;
        }
        table
    }

    pub(super) const fn with(self, around: &'static RowIndex) -> Table {
        Table { around: Some(around), ..self }
    }

    /// Returns the first row that matches.
    #[inline]
    pub(super) fn first(
        &self,
        asker: &mut Asker<'_, '_>,
    ) -> Result<Option<(Verdict, Rule)>, Incomplete> {
        let mut keys = asker.name.facts & self.keys;
        let mut left = self.keyless;
        while keys != 0 {
            left |= self.by_key[keys.trailing_zeros() as usize];
            keys &= keys - 1;
        }
        if let Some(around) = self.around
            && left != 0
        {
            left &= around.rows(asker)?;
        }
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            let row = &self.rows[at];
            if row.fits(asker)? {
                return Ok(Some((row.verdict, self.rule(at))));
            }
            left &= left - 1;
        }
        Ok(None)
    }

    /// Returns the rule of a row.
    pub(super) const fn rule(&self, at: usize) -> Rule {
        Rule::nth(self.first + at)
    }
}

/// Returns the facts that a row is found by, one of which must be there: the rarest of the facts that it needs all, or
/// those of which it needs one if they are rarer.
const fn key(row: &Row) -> Facts {
    let rarest = row.all & row.all.wrapping_neg();
    match row.any {
        0 => rarest,
        any if rarest != 0 && rarest < any & any.wrapping_neg() => rarest,
        any => any,
    }
}

impl RowIndex {
    pub(super) const fn of(rows: &[Row]) -> RowIndex {
        let mut around = RowIndex { places: [[0; 256]; 4] };
        let mut at = 0;
        while at < rows.len() {
            let (row, bit) = (&rows[at], 1 << at);
            around.add(0, row.front, row.begin, bit);
            around.add(2, row.behind, false, bit);
            at += 1;
        }
        around
    }

    /// Adds a row to the sets of the bytes that its texts have nearest to the name and next to that.
    const fn add(&mut self, side: usize, texts: &[RowText], may_have_gap: bool, bit: Set) {
        let mut at = 0;
        while at < texts.len() {
            let text = texts[at].text.as_bytes();
            let len = text.len();
            if len > 0 {
                let nearest = text[if side == 0 { len - 1 } else { 0 }];
                self.places[side][nearest as usize] |= bit;
                if may_have_gap {
                    let mut gap = 0;
                    while gap < GAPS.len() {
                        self.places[side][GAPS[gap] as usize] |= bit;
                        gap += 1;
                    }
                }
            }
            if len > 1 && !may_have_gap {
                let next = text[if side == 0 { len - 2 } else { 1 }];
                self.places[side + 1][next as usize] |= bit;
            } else {
                set_all(&mut self.places[side + 1], bit);
            }
            // The line has no more bytes.
            if len == 0 {
                self.places[side][b'\n' as usize] |= bit;
                self.places[side][b'\r' as usize] |= bit;
            }
            at += 1;
        }
        if texts.is_empty() {
            set_all(&mut self.places[side], bit);
            set_all(&mut self.places[side + 1], bit);
        }
    }

    /// Returns the rows that may match between the bytes around a name.
    #[inline]
    fn rows(&self, asker: &Asker<'_, '_>) -> Result<Set, Incomplete> {
        let [before, front] = asker.in_front();
        let [after, behind] = asker.behind()?;
        Ok(self.between([front, before, after, behind]))
    }

    /// Returns the rows that may match between these bytes, in the order of the places.
    #[inline]
    pub(super) fn between(&self, bytes: [u8; 4]) -> Set {
        let [a, b, c, d] = bytes.map(usize::from);
        let [front, before, after, behind] = &self.places;
        front[a] & before[b] & after[c] & behind[d]
    }
}

/// White space that may separate the words of a line from a name.
const GAPS: &[u8] = b" \t\x0C\r";

/// Returns the rows that need none of these facts.
const fn without(rows: &[Row], facts: Facts) -> Set {
    let (mut set, mut at) = (0, 0);
    while at < rows.len() {
        if rows[at].all & facts == 0 {
            set |= 1 << at;
        }
        at += 1;
    }
    set
}

const fn set_all(sets: &mut [Set; 256], bit: Set) {
    let mut byte = 0;
    while byte < 256 {
        sets[byte] |= bit;
        byte += 1;
    }
}

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
pub(super) static AROUND_BELIEVED: RowIndex = RowIndex::of(list::BELIEVED);
/// Those of them that may match a name of two labels or more, without underscores, below a domain in lower-case letters:
/// the others need a fact that such a name does not have.
pub(super) const BELIEVED_BY_TEXT: Set = without(
    list::BELIEVED,
    ALONE | KNOWN | UNDERSCORE | LAST_UNDERSCORE | ENDING_TITLE | ENDING_CAPITALS,
);
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
