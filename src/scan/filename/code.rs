//! Hosts in source code: what speaks for one there.
//!
//! In goes a name that prose would take for a host, out comes whether code may hold it as one: members
//! of objects and modules are far more, and their names are any words.

use super::facts::{ALONE, BELIEVED, Name, SECOND_LEVEL};
use super::lexicon::{CODE_ENDINGS, OF_HOSTS, OF_LONG_HOSTS, OF_MEMBERS, word};

/// Whether the domain is one that nobody calls a member by, or one below which a country has its own.
pub(super) fn is_host(name: Name<'_>) -> bool {
    let Name { name: labels, ending, facts } = name;
    let is_alone = facts & ALONE != 0;
    if facts & BELIEVED != 0 || !ending.iter().all(u8::is_ascii_alphabetic) {
        // A script of its own is none of code.
        return true;
    }
    if !is_alone && ending.len() == 2 && name.of_last() & SECOND_LEVEL != 0 {
        return true;
    }
    let kinds = CODE_ENDINGS.kinds(word(ending));
    let is_host =
        kinds & OF_HOSTS != 0 && name.first().len() > 1 || kinds & OF_LONG_HOSTS != 0 && !is_alone;
    is_host && !labels.iter().chain(ending).any(u8::is_ascii_uppercase)
}

/// Whether the domain is a word that members are called by, too.
pub(super) fn is_member_domain(ending: &[u8]) -> bool {
    CODE_ENDINGS.kinds(word(ending)) & OF_MEMBERS != 0
}
