//! Examines the line around a name: a call, an assignment, a condition, the name of a source file, an entry of a changelog.
//!
//! The input is the bounded text before and after a name on its line, the result is whether the text contains the construct
//! of a predicate. The texts directly next to the name are in the rows.
//!
//! Decides which names are hosts in source code.
//!
//! The input is a name that would be a host in prose; the result is whether it may be a host in code. Members of objects
//! and modules are far more frequent there, and any word can be the name of one.

use super::facts::{ALONE, BELIEVED, Name, SECOND_LEVEL};
use super::lexicon::{
    BEHIND, CODE_ENDINGS, DIRECTORIES, EDITED, LAST_LABELS, LexiconKinds, MIDDLE, NOUNS, OF_HOSTS,
    OF_LONG_HOSTS, OF_MEMBERS, SOURCE, SOURCE_ENDINGS, SOURCE_IN_PATH, word,
};
use super::{BareHost, MAX_BEFORE};
use crate::scan::view::{Incomplete, View};

/// Number of bytes after a name that are examined.
const MAX_BEHIND: usize = 32;
/// Maximum number of spaces between a key and its `=`.
const MAX_GAP: usize = 24;

/// Keys whose values are hosts.
const KEYS: [&str; 20] = [
    "addr", "base", "cdn", "dns", "domain", "endpoint", "fqdn", "home", "host", "href", "mail",
    "mx", "proxy", "realm", "relay", "server", "site", "uri", "url", "web",
];
/// Functions that translate the text of a key: `{{ __('entry.in') }}`.
const TRANSLATORS: [&[u8]; 6] = [b"__", b"_", b"t", b"gettext", b"trans", b"translate"];

/// The line up to a name, as far as it is examined.
#[derive(Clone, Copy)]
pub(super) struct LineFront<'v> {
    pub(super) line: &'v [u8],
    /// The previous line, as far as it is examined.
    previous: &'v [u8],
    /// Whether `line` begins where the line does.
    pub(super) is_begin: bool,
}

impl<'v> LineFront<'v> {
    #[inline]
    pub(super) fn of(before: &'v [u8]) -> LineFront<'v> {
        let (line, previous) = match memchr::memrchr(b'\n', before) {
            Some(at) => (&before[at + 1..], &before[..at]),
            None => (before, &before[..0]),
        };
        LineFront { line, previous, is_begin: line.len() < MAX_BEFORE }
    }

    /// Returns `true` if only a bullet precedes the name on the line.
    fn is_first(self) -> bool {
        self.is_begin && is_bullet(self.line)
    }

    pub(super) fn begins_with(self, text: &[u8]) -> bool {
        self.is_begin && self.line.starts_with(text)
    }

    /// Returns `true` if only the keyword, and punctuation of a prompt or a comment, precedes the name: `>>> from a.net`.
    pub(super) fn imports(self, keyword: &[u8]) -> bool {
        let marks = self.line.iter().take_while(|b| !b.is_ascii_alphanumeric()).count();
        self.is_begin && self.line[marks..].trim_ascii_end() == keyword
    }

    /// Returns `true` if only a key precedes the name on the line: `store: `.
    pub(super) fn is_field(self) -> bool {
        let key = self.line.trim_ascii_start().strip_suffix(b": ").unwrap_or_default();
        self.is_begin && !key.is_empty() && key.iter().all(is_of_name)
    }

    pub(super) fn is_tabbed_entry(self, behind: &[u8]) -> bool {
        self.line.starts_with(b"\t*") && self.is_first() && is_entry(self.line, behind)
    }

    pub(super) fn is_entry(self, behind: &[u8]) -> bool {
        (self.line.ends_with(b": ") || self.is_first()) && is_entry(self.line, behind)
    }

    pub(super) fn is_of_changelog(self) -> bool {
        self.is_begin && matches!(self.line, [b'\t', b'*' | b'(', ..])
    }

    pub(super) fn is_text_of_changelog(self) -> bool {
        let text = self.line.strip_prefix(b"\t").unwrap_or_default();
        self.is_begin && !text.trim_ascii().is_empty()
    }

    /// Returns `true` if the line is empty and the name of a source file and a comma end the previous line.
    pub(super) fn is_after_source(self) -> bool {
        self.line.trim_ascii().is_empty()
            && self.previous.ends_with(b",")
            && has_source(self.previous)
    }
}

/// The rest of a line, as far as it is examined: complete ASCII words, which are the same in all encodings.
#[derive(Clone, Copy)]
pub(super) struct Behind<'v> {
    pub(super) line: &'v [u8],
    /// Whether `line` ends where the line does.
    pub(super) is_end: bool,
}

impl<'v> Behind<'v> {
    pub(super) fn of(view: &View<'v>, end: usize) -> Result<Behind<'v>, Incomplete> {
        let rest = view.text.get(end..).unwrap_or_default();
        if let Some(line) = rest.first_chunk::<MAX_BEHIND>()
            && let Some(next) = rest.get(MAX_BEHIND)
            && line.iter().fold(true, |is_inside, &b| is_inside & (b < 0x80) & (b != b'\n'))
        {
            let line = if next.is_ascii_alphanumeric() { whole_words(line) } else { line };
            return Ok(Behind { line, is_end: false });
        }
        let seen = &rest[..rest.len().min(MAX_BEHIND)];
        let mut len = memchr::memchr(b'\n', seen).unwrap_or(seen.len());
        if !seen[..len].is_ascii() {
            len = seen.iter().position(|b| !b.is_ascii()).unwrap_or(len);
        }
        let mut line = &seen[..len];
        let next = view.byte(end + len)?;
        let is_end = len < MAX_BEHIND && next.is_none_or(|b| b == b'\n');
        if is_end && let Some(without) = line.strip_suffix(b"\r") {
            line = without;
        }
        if len == MAX_BEHIND && next.is_some_and(|b| b.is_ascii_alphanumeric()) {
            line = whole_words(line);
        }
        Ok(Behind { line, is_end })
    }
}

/// Returns the line without a word at its end that may be cut.
fn whole_words(line: &[u8]) -> &[u8] {
    let cut = line.iter().rposition(|b| !b.is_ascii_alphanumeric());
    &line[..cut.map_or(0, |at| at + 1)]
}

/// Returns `true` for `:attr:` in ``:attr:`entry.in` ``.
pub(super) fn is_role(before: &[u8]) -> bool {
    let [role @ .., b':', b'`'] = before else { return false };
    let len = role.iter().rev().take_while(|b| is_of_name(b)).count();
    len > 0 && role[..role.len() - len].ends_with(b":")
}

/// Returns `true` if an underscore that is part of the name precedes it: `_core.read`.
pub(super) fn is_private(line: &[u8]) -> bool {
    matches!(line, [b'_'] | [.., b' ' | b'(' | b'&' | b'.' | b'=' | b'!' | b'$' | b'@', b'_'])
}

/// Returns `true` if an object precedes the arrow: `asoc->`, `x[0]->`.
pub(super) fn is_arrow_of_object(line: &[u8]) -> bool {
    matches!(line, [.., b, b'-', b'>'] if is_of_name(b) || matches!(b, b')' | b']'))
}

/// Returns the kinds that the preceding word is listed under: `register ar.lc`, `File: a.info`, `argument "bar.bg"`.
pub(super) fn noun_in_front(line: &[u8]) -> LexiconKinds {
    let noun = last_word(unquoted(line).strip_suffix(b" ").unwrap_or_default());
    NOUNS.kinds(word(noun.strip_suffix(b":").unwrap_or(noun)))
}

/// Returns `true` if the word after the name is listed: `attr.show callback`.
pub(super) fn is_noun_behind(line: &[u8]) -> bool {
    NOUNS.kinds(word(word_behind(line))) & BEHIND != 0
}

/// Returns the word after the name: `callback` in `attr.show callback`.
pub(super) fn word_behind(line: &[u8]) -> &[u8] {
    let behind = line.strip_prefix(b" ").unwrap_or_default();
    let len = behind.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    &behind[..len]
}

/// Returns `true` if there may be a `://` among the bytes next to a name. Most names have none there.
#[inline]
pub(super) fn may_name(view: &View<'_>, host: BareHost) -> bool {
    may_have_link(view.text[..host.start].last_chunk())
        || may_have_link(view.text[host.end..].first_chunk())
}

/// Returns `true` if the bytes contain a colon and a slash, or are too few to know.
#[inline]
fn may_have_link(beside: Option<&[u8; MAX_BEFORE]>) -> bool {
    beside.is_none_or(|bytes| has(bytes, b':') && has(bytes, b'/'))
}

/// Returns `true` if there may be another name with a dot next to a name.
#[inline]
pub(super) fn may_have_sibling(view: &View<'_>, host: BareHost) -> bool {
    let before = view.text[..host.start].last_chunk();
    let behind = view.text[host.end..].first_chunk();
    before.is_none_or(|bytes| has(bytes, b'.')) || behind.is_none_or(|bytes| has(bytes, b'.'))
}

/// Returns `true` if a byte is among these. All of them are compared without a branch for each.
#[inline]
fn has(bytes: &[u8; MAX_BEFORE], byte: u8) -> bool {
    bytes.iter().fold(false, |has, &b| has | (b == byte))
}

/// Returns `true` if text that mail servers write before a host name precedes the name.
pub(super) fn is_after_word_of_mail(line: &[u8]) -> bool {
    [&b"from "[..], b"by ", b"helo="].iter().any(|word| {
        line.len() >= word.len() && line[line.len() - word.len()..].eq_ignore_ascii_case(word)
    })
}

/// Returns `true` if the rest of a `Received` field follows: `from host.name (`, `by host.name with ESMTP`.
pub(super) fn is_of_server(behind: &[u8]) -> bool {
    let is_server = behind.starts_with(b" (") && !behind.windows(3).any(|three| three == b"://");
    is_server && behind.iter().any(|b| matches!(b, b'[' | b'.'))
        || [&b" with SMTP"[..], b" with ESMTP", b" with HTTP", b" with LMTP", b" (Postfix"]
            .iter()
            .any(|word| behind.starts_with(word))
}

/// Returns `true` if an assignment or a comparison follows, after more than one space if it is aligned.
pub(super) fn is_before_operator(view: &View<'_>, end: usize) -> Result<bool, Incomplete> {
    let mut at = end;
    // An aligned operator has more than one space before it.
    while at - end < MAX_GAP && matches!(view.byte(at)?, Some(b' ' | b'\t')) {
        at += 1;
    }
    if matches!(view.byte(at)?, Some(b'-' | b'+' | b'|' | b'&' | b'*' | b'!' | b'~' | b'>')) {
        at += 1;
    }
    Ok(view.byte(at)? == Some(b'=') && view.byte(at + 1)? != Some(b'>'))
}

/// Returns `true` if `line` contains a `://` with this host after it.
pub(super) fn names(line: &[u8], name: &[u8]) -> bool {
    // Creating a searcher for all three bytes would take longer than searching such a line.
    memchr::memchr_iter(b':', line).filter(|&at| line[at..].starts_with(b"://")).any(|at| {
        let host = &line[at + 3..];
        let host = host.strip_prefix(b"www.").unwrap_or(host);
        let is_it = host.get(..name.len()).is_some_and(|host| host.eq_ignore_ascii_case(name));
        let goes_on = |b: &u8| b.is_ascii_alphanumeric() || b"-.@_".contains(b);
        is_it && !host.get(name.len()).is_some_and(goes_on)
    })
}

/// Returns `true` for a path from the root or from the current directory, of one name or more: `/srv/www/`, `~/sites/`,
/// `../`.
pub(super) fn is_in_filesystem(before: &[u8]) -> bool {
    let is_around = |b: &u8| !b.is_ascii_graphic() || b"\"'`()<>[]{}=,:;|@?#&\\".contains(b);
    let Some(around) = before.iter().rposition(is_around) else {
        return before.len() < MAX_BEFORE && is_path_of_file(before);
    };
    is_path_of_file(&before[around + 1..]) && !before[..=around].ends_with(b"\\")
}

fn is_path_of_file(path: &[u8]) -> bool {
    let is_rooted = [&b"/"[..], b"~/", b"./", b"../"].iter().any(|root| path.starts_with(root));
    is_rooted && path.len() > 1 && !path.windows(2).any(|two| two == b"//")
}

/// Returns `true` if a listed directory precedes the name: `tests/options.cn`.
pub(super) fn is_in_directory(before: &[u8]) -> bool {
    before.strip_suffix(b"/").is_some_and(|path| {
        let name = path.rsplit(|b| !b.is_ascii_alphanumeric()).next().unwrap_or_default();
        DIRECTORIES.kinds(word(name)) != 0
    })
}

/// Returns `true` if a lower-case directory of the list directly precedes the name, or two lower-case directories of which
/// one is on the list or hidden: `src/img/a.org`, `.github/notes-2/a.org`.
pub(super) fn is_in_sources(before: &[u8]) -> bool {
    let Some(path) = before.strip_suffix(b"/") else { return false };
    let is_of_path = |b: &u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'/');
    let len = path.iter().rev().take_while(|b| is_of_path(b)).count();
    let (front, path) = path.split_at(path.len() - len);
    // Without a first name that may be cut, or that another character precedes.
    let is_cut = front.last().map_or(before.len() == MAX_BEFORE, |b| is_of_name(b) || *b >= 0x80);
    let from = if is_cut { path.iter().position(|&b| b == b'/').unwrap_or(path.len()) } else { 0 };
    let mut names = path[from..].rsplit(|&b| b == b'/').filter(|name| !name.is_empty());
    let is_listed = |name: &[u8]| DIRECTORIES.kinds(word(name)) != 0;
    let is_known = |name: &[u8]| is_listed(name) || matches!(name, [b'.', b'a'..=b'z', ..]);
    let Some(last) = names.next() else { return false };
    is_listed(last)
        || names.next().is_some_and(|name| is_known(name) || is_known(last) || names.any(is_known))
}

/// Returns `true` if the line has only a bullet.
fn is_bullet(line: &[u8]) -> bool {
    let marks = line.trim_ascii();
    matches!(marks, [] | [b'*' | b'+' | b'-']) && (marks.is_empty() || !line.ends_with(marks))
}

/// Returns `true` for the beginning of an entry of a changelog: `configure.in: New test.`, `* configure.in (AC_INIT): …`,
/// `* a.at, b.at: …`, `tests: a.at: …`
fn is_entry(line: &[u8], behind: &[u8]) -> bool {
    match behind {
        [b':'] => true,
        [b':', b, ..] => b.is_ascii_whitespace(),
        [b',', ..] | [b' ', b'(', ..] => line.contains(&b'*'),
        _ => false,
    }
}

/// Returns `true` for a changed file in a diffstat: `calc.at | 30 ++++--`.
pub(super) fn is_in_diffstat(behind: &[u8]) -> bool {
    let Some(count) = behind.trim_ascii_start().strip_prefix(b"| ") else { return false };
    let count = count.trim_ascii_start();
    let digits = count.iter().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && matches!(count[digits..], [b' ', b'+' | b'-', ..])
}

/// Returns `true` for a position in a file: `calc.at:773: testing`, `(calc.at:773)`.
pub(super) fn is_position(before: &[u8], behind: &[u8]) -> bool {
    let Some(number) = behind.strip_prefix(b":") else { return false };
    let len = number.iter().take_while(|b| b.is_ascii_digit()).count();
    match number.get(len) {
        _ if len == 0 => false,
        Some(b':') => true,
        Some(b')') => before.ends_with(b"("),
        _ => false,
    }
}

/// Returns the text after the last white space.
fn last_word(line: &[u8]) -> &[u8] {
    line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default()
}

/// Returns the line without the quotation mark that ends it.
fn unquoted(line: &[u8]) -> &[u8] {
    match line {
        [front @ .., b'"' | b'\'' | b'`'] => front,
        _ => line,
    }
}

/// Returns `true` if a verb that is used for editing files precedes the name, or the option of `pip` for a list: `Update ignore.in`,
/// `vi access.in`, `-r requirements.in`.
pub(super) fn is_edited(line: &[u8]) -> bool {
    let front = line.strip_suffix(b" ").unwrap_or_default();
    let last = front.rsplit(u8::is_ascii_whitespace).next();
    matches!(last, Some(b"-r" | b"--requirement"))
        || NOUNS.kinds(word(last_word(front))) & EDITED != 0
}

/// Returns `true` if the name is in an include directive: `#include "base.de`, `\include 'persian.ly`.
pub(super) fn is_included(line: &[u8]) -> bool {
    let open = unquoted(line);
    open.len() < line.len()
        && open.strip_suffix(b"include ").is_some_and(|front| {
            front.ends_with(b"#") || front.ends_with(b"\\") || front.trim_ascii().is_empty()
        })
}

/// Returns `true` if the name is in a path with two slashes or more: `testsuite/ld-powerpc/tlsget.wf`. Slashes of an
/// authority do not count, nor those of `https:\/\/`.
pub(super) fn is_in_path(before: &[u8]) -> bool {
    if !before.ends_with(b"/") {
        return false;
    }
    let is_around = |b: &u8| b.is_ascii_whitespace() || b"\"'`(<=,".contains(b);
    let path = before.rsplit(is_around).next().unwrap_or_default();
    path.iter().filter(|&&b| b == b'/').count() > 1
        && !path.contains(&b'\\')
        && !path.windows(2).any(|two| two == b"//")
}

/// Returns `true` if an underscore joins two words: `mpfr_asin`.
pub(super) fn has_identifier(line: &[u8]) -> bool {
    line.windows(3).any(|three| {
        three[1] == b'_' && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric()
    })
}

/// Returns `true` if the name of a source file is on the line: `* tests/Makefile.am: Add `.
pub(super) fn has_source(line: &[u8]) -> bool {
    memchr::memchr_iter(b'.', line).any(|dot| {
        let rest = &line[dot + 1..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        // A name that continues here is an address, a path or a longer name.
        if matches!(rest.get(len), Some(b'.' | b'/' | b'@' | b'_' | b'-')) {
            return false;
        }
        let kinds = SOURCE_ENDINGS.kinds(word(&rest[..len]));
        let name = || last_word(&line[..dot]);
        kinds & SOURCE != 0
            || kinds & SOURCE_IN_PATH != 0 && (is_path(name()) || has_middle(name()))
    })
}

/// Returns `true` if the name ends in the extension of a file: `sudo.man` in `sudo.man.in`.
fn has_middle(name: &[u8]) -> bool {
    let dot = name.iter().rposition(|&b| b == b'.');
    dot.is_some_and(|dot| LAST_LABELS.kinds(word(&name[dot + 1..])) & MIDDLE != 0)
}

/// Returns `true` if the name has a slash, and not the two slashes of an authority.
fn is_path(name: &[u8]) -> bool {
    name.contains(&b'/') && !name.windows(2).any(|two| two == b"//")
}

/// Returns `true` if a function that translates is called, by its bare name or after punctuation: `__('`.
pub(super) fn is_translated(line: &[u8]) -> bool {
    let Some(front) = unquoted(line).strip_suffix(b"(") else { return false };
    TRANSLATORS.iter().any(|one| {
        let rest = front.strip_suffix(*one);
        rest.is_some_and(|rest| !rest.last().is_some_and(is_of_name))
    })
}

/// Returns `true` if the called name is written like a function: `dict(a.degree)`, `matches!(a.safety, …)`.
pub(super) fn is_argument(front: &[u8]) -> bool {
    let Some(function) = front.strip_suffix(b"(") else { return false };
    let is_part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'!');
    let len = function.iter().rev().take_while(is_part).count();
    let name = &function[function.len() - len..];
    name.first().is_some_and(u8::is_ascii_lowercase) || name.iter().any(|b| b"_.!".contains(b))
}

/// Returns `true` for an assignment `a = b.one`, unless the key states that the value is a host.
pub(super) fn is_assigned(front: &[u8]) -> bool {
    let Some(target) = front.strip_suffix(b" = ") else { return false };
    let len = target.iter().rev().take_while(|b| is_of_name(b)).count();
    let key = target[target.len() - len..].to_ascii_lowercase();
    let key = str::from_utf8(&key).unwrap_or_default();
    target.last().is_some_and(|b| is_of_name(b) || matches!(b, b')' | b']'))
        && !KEYS.iter().any(|word| key.contains(word))
}

pub(super) fn is_of_name(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || *b == b'_'
}

/// Returns `true` if members are not named like the domain, or if it is a domain below which a country registers names.
pub(super) fn is_host_in_code(name: Name<'_>) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_precedes_a_file() {
        for (line, is_file) in [
            ("vi ", true),
            ("# via -r ", true),
            ("-r ", true),
            ("pip install --requirement ", true),
            ("x-r ", false),
            ("-r", false),
            ("see ", false),
        ] {
            assert_eq!(is_edited(line.as_bytes()), is_file, "{line}");
        }
    }
}
