//! Look-alikes: the prototypes of UTS #39 §4, for characters that hosts may have.
//!
//! The input is a character, the result is the text it looks like. The data is in `confusable_list`, which
//! `tests/it/tables` generates. The module `trust` compares names by their skeletons.

use super::confusable_list::{PROTOTYPES, SOURCES};

/// Returns the prototype of a character, if that is another text: Latin letters if possible.
///
/// ```
/// use linksift::tables::confusables::prototype;
///
/// assert_eq!(prototype('а'), Some("a"));
/// assert_eq!(prototype('m'), Some("rn"));
/// assert_eq!(prototype('a'), None);
/// ```
#[must_use]
pub fn prototype(c: char) -> Option<&'static str> {
    let at = SOURCES.binary_search_by_key(&u32::from(c), |entry| entry.0).ok()?;
    let (start, len) = (SOURCES[at].1 >> 5, SOURCES[at].1 & 31);
    PROTOTYPES.get(start as usize..(start + len) as usize)
}
