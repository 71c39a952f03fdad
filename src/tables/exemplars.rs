//! Alphabets of languages that use Latin letters: the main exemplar sets of CLDR.
//!
//! The input is a letter, the result is the set of alphabets that have it. The data is in `exemplar_list`, which
//! `tests/it/tables` generates if the exemplar sets are available. An alphabet that is part of another one is omitted,
//! since this does not change whether some language has all of several letters.

use super::exemplar_list::LETTERS;

/// Returns the alphabets that have a non-ASCII Latin letter, as bits; 0 for any other character.
///
/// ```
/// use linksift::tables::exemplars::alphabets;
///
/// assert_ne!(alphabets('ä') & alphabets('ß'), 0);
/// assert_eq!(alphabets('ş') & alphabets('ø'), 0);
/// assert_eq!(alphabets('a'), 0);
/// ```
#[must_use]
pub fn alphabets(letter: char) -> u128 {
    let found = LETTERS.binary_search_by_key(&u32::from(letter), |row| u32::from(row.0));
    found.map_or(0, |at| LETTERS[at].1)
}
