//! Which languages write which Latin letters: the main exemplars of CLDR.
//!
//! In goes a letter, out comes the set of alphabets that have it. The data lie in `exemplar_list`,
//! which `tests/it/tables` generates where the exemplars have been fetched. An alphabet that is part of
//! another one is left out: who asks whether some language has all of these letters gets the same
//! answer without it.

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
