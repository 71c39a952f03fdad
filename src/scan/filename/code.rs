//! Decides which names are hosts in source code.
//!
//! The input is a name that would be a host in prose; the result is whether it may be a host in code. Members of objects
//! and modules are far more frequent there, and any word can be the name of one.

use super::facts::{ALONE, BELIEVED, Name, SECOND_LEVEL};
use super::lexicon::{CODE_ENDINGS, OF_HOSTS, OF_LONG_HOSTS, OF_MEMBERS, word};

/// Returns `true` if members are not named like the domain, or if it is a domain below which a country registers names.
pub(super) fn is_host(name: Name<'_>) -> bool {
    let Name { name: labels, ending, facts } = name;
    let is_alone = facts & ALONE != 0;
    if facts & BELIEVED != 0 || !ending.iter().all(u8::is_ascii_alphabetic) {
        // Code does not use domains in other scripts as names of members.
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

/// Returns `true` if the domain is also a word that members are named by.
pub(super) fn is_member_domain(ending: &[u8]) -> bool {
    CODE_ENDINGS.kinds(word(ending)) & OF_MEMBERS != 0
}
