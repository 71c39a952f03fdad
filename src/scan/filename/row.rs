//! A row: one rule of names that only look like hosts, as a mask over what is known of a name.
//!
//! In goes a name with its facts, out comes the first row of a table that fits. The facts available are one word
//! of bits, and no row is looked at whose rarest fact is missing; what stands around is looked at for the
//! rows that are left, and what takes a look at the line (`asked`) last, and once.

use std::num::NonZeroU8;

use super::asker::Asker;
use super::facts::Facts;
use super::predicate::Predicate;
use super::text::RowText;
use crate::scan::view::Incomplete;

/// Verdict on a host without a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Host,
    /// Rather a name of a file or of a member in code, unless a path or a query follows.
    Doubted,
    /// No host at all.
    Name,
}

/// A rule, by its number among the rows of all tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rule(NonZeroU8);

impl Rule {
    /// Its place among the rows of all tables.
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

/// One rule. All that it says must hold; what it leaves empty is not asked.
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) verdict: Verdict,
    /// Facts of its labels: all of these, one of these at the least, none of these.
    pub(super) all: Facts,
    pub(super) any: Facts,
    pub(super) none: Facts,
    /// One of these is directly in front.
    pub(super) front: &'static [RowText],
    /// One of these is directly after it.
    pub(super) behind: &'static [RowText],
    /// The line in front is one of `front`, white space apart, and nothing else.
    pub(super) begin: bool,
    /// The line behind is one of `behind`, and nothing else.
    pub(super) end: bool,
    /// Predicates that need a closer look, and those that must not hold.
    pub(super) asked: &'static [Predicate],
    pub(super) unless: &'static [Predicate],
}

impl Row {
    /// Rather a name, of which nothing is said yet.
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
    /// No host whatever follows it.
    pub(super) const NAME: Row = Row { verdict: Verdict::Name, ..Row::DOUBTED };
    /// A host whatever the rows after it say.
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
            // What is there may not be of the line: it may be cut before the beginning of a long word.
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

/// Sets of rows, by the place of each in its table.
type Set = u64;

/// Rows in the order in which they are asked, and which of them a fact or a byte can be about.
pub(super) struct Table {
    pub(super) rows: &'static [Row],
    /// The number of the first row among those of all tables.
    first: usize,
    /// Facts that rows are found by: the rarest of each.
    keys: Facts,
    by_key: [Set; 64],
    /// Rows that no fact is needed for.
    keyless: Set,
    /// Rows that may fit after or before a byte; none where it is not worth it.
    around: Option<&'static RowIndex>,
}

/// Index of the rows that may match, by the two bytes before a name and the two bytes after it.
pub(super) struct RowIndex {
    /// The byte directly before the name, the one before that; the byte directly after it, the next.
    places: [[Set; 256]; 4],
}

impl Table {
    /// One of the tables; rows are numbered through all of them.
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

    /// The first row that fits.
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

    /// The rule of a row.
    pub(super) const fn rule(&self, at: usize) -> Rule {
        Rule::nth(self.first + at)
    }
}

/// The facts that a row is found by, one of which it needs: the rarest of those that it needs all, or those of
/// which one will do if they are rarer.
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

    /// Adds a row to the bytes that its texts have nearest to the name and next to that.
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
            // Nothing more is on the line.
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

    /// The rows that may fit between the bytes around a name.
    #[inline]
    fn rows(&self, asker: &Asker<'_, '_>) -> Result<Set, Incomplete> {
        let [before, front] = asker.in_front();
        let [after, behind] = asker.behind()?;
        let bytes = [front, before, after, behind];
        let sets = self.places.iter().zip(bytes).map(|(place, byte)| place[usize::from(byte)]);
        Ok(sets.fold(Set::MAX, |rows, set| rows & set))
    }
}

/// White space that may be between the words of a line and a name.
const GAPS: &[u8] = b" \t\x0C\r";

const fn set_all(sets: &mut [Set; 256], bit: Set) {
    let mut byte = 0;
    while byte < 256 {
        sets[byte] |= bit;
        byte += 1;
    }
}
