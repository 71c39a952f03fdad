//! Hosts in source code: what is believed without a scheme there.
//!
//! In goes a name that prose would take for a host, out comes whether code may hold it as one: members
//! of objects and modules are far more, and their names are any words. `www.`, a domain nobody calls a
//! member by, or one below which a country has its own, speak for a host; an operator after, or an
//! object in front, against all of them.

use super::code_context::is_before_operator;
use super::lexicon::{
    BELIEVED, CODE, FIRST_LABELS, Kinds, LAST_LABELS, OBJECT, REVERSE, SECOND_LEVEL, SECTION, word,
};
use super::{Domain, last_label};
use crate::scan::view::{Incomplete, View};

/// Domains that hosts in code have and members have not.
const OF_HOSTS: &str = " au cn cz de eu fr hu jp kr nl nz ru tw ua uk ";
/// The same where two labels or more stand in front.
const OF_LONG_HOSTS: &str = " ai app cloud co dev io page pl se sh us ";

/// Whether `name` below `ending`, which ends at `end`, is believed.
pub(super) fn is_host(
    view: &View<'_>,
    name: &[u8],
    ending: Domain<'_>,
    end: usize,
) -> Result<bool, Incomplete> {
    let mut labels = name.split(|&b| b == b'.');
    let first = labels.next().unwrap_or_default();
    let is_alone = labels.next().is_none();
    if first.eq_ignore_ascii_case(b"www") {
        return Ok(true);
    }
    let kinds: Kinds = FIRST_LABELS.kinds(word(first));
    let is_com = ending.label.eq_ignore_ascii_case(b"com");
    let is_member = match is_alone {
        // `github.com`, `kernel.org` are hosts; `this.org` is none.
        true => {
            kinds & OBJECT != 0 || kinds & (CODE | SECTION | REVERSE) != 0 && is_word(ending.label)
        }
        // `org.example.net`
        false => kinds & (OBJECT | REVERSE) != 0,
    };
    if is_member && !is_com || !is_alone && kinds & REVERSE != 0 {
        return Ok(false);
    }
    if is_before_operator(view, b"", end)? || view.byte(end)? == Some(b'[') {
        return Ok(false);
    }
    let has_capital = name.iter().chain(ending.label).any(u8::is_ascii_uppercase);
    let is_second_level = !is_alone
        && ending.label.len() == 2
        && LAST_LABELS.kinds(word(last_label(name))) & SECOND_LEVEL != 0;
    Ok(ending.kinds & BELIEVED != 0
        || is_second_level
        || !has_capital && is_on(OF_HOSTS, ending.label) && first.len() > 1
        || !is_alone && !has_capital && is_on(OF_LONG_HOSTS, ending.label)
        // A script of its own is none of code.
        || !ending.label.iter().all(u8::is_ascii_alphabetic))
}

/// Whether the domain is a word that members are called by too.
fn is_word(ending: &[u8]) -> bool {
    [&b"net"[..], b"int", b"biz", b"mil"].iter().any(|word| ending.eq_ignore_ascii_case(word))
}

fn is_on(list: &str, label: &[u8]) -> bool {
    let label = String::from_utf8_lossy(label).to_ascii_lowercase();
    list.split(' ').any(|one| one == label)
}
