//! What is directly before and after a name: a path, an operator, the line of a changelog.
//!
//! In goes the place of a host without a scheme, out comes whether what is beside it makes it the
//! name of a file or of a member in code. It looks a few bytes back and a few characters ahead.

use super::lexicon::{
    BEHIND, COMMON, DIRECTORIES, DOUBT, EDITED, FIELD, FILE, IN_FRONT, Kinds, LAST_LABELS, MIDDLE,
    NOUNS, SOURCE, SOURCE_ENDINGS, SOURCE_IN_PATH, SURE, WEAK, WORD, word,
};
use super::line::{self, Line};
use super::{MAX_BEFORE, sibling};
use crate::scan::view::{Incomplete, View};

/// Bytes of the line after that are.
const MAX_BEHIND: usize = 32;
/// Spaces between a key and its `=`.
const MAX_GAP: usize = 24;

/// Whether `start..end`, whose domain is of these `kinds`, is in a path or in code.
pub(super) fn is_beside_code(
    view: &View<'_>,
    start: usize,
    end: usize,
    kinds: Kinds,
) -> Result<bool, Incomplete> {
    let before = &view.text[start.saturating_sub(MAX_BEFORE)..start];
    if is_after_operator(before)
        || is_before_operator(view, before, end)?
        || goes_on(view, end, kinds)?
    {
        return Ok(true);
    }
    let rest = Behind::of(view, end)?;
    let behind = rest.line;
    let (line, previous) = match memchr::memrchr(b'\n', before) {
        Some(at) => (&before[at + 1..], &before[..at]),
        None => (before, &before[..0]),
    };
    let is_whole = line.len() < MAX_BEFORE;
    let is_first = is_whole && is_bullet(line);
    let name = &view.text[start..end];
    let written = Line {
        front: line,
        is_begin: is_whole,
        behind,
        is_end: rest.is_end,
        is_country: kinds & !COMMON == 0 && is_two_letters(name),
        is_weak: kinds & WEAK != 0,
    };
    if behind.starts_with(b"()")
        || line::is_code(written)
        || is_called_so(line, behind, kinds)
        || is_included(line)
        || is_in_path(before)
        || is_first && line.starts_with(b"\t*") && is_entry(line, behind)
        || sibling::is_beside(name, line, behind)
    {
        return Ok(true);
    }
    if kinds & WEAK == 0 {
        return Ok(is_in_directory(before));
    }
    match before {
        // After one slash it is a part of a path; after two it is an authority.
        [.., b'/', b'/'] => return Ok(false),
        [.., b'/' | b'{'] | [.., b'>', b'>', b'>', b' '] => return Ok(true),
        _ => {}
    }
    let is_alone = name.iter().filter(|&&b| b == b'.').count() == 1;
    let is_quoted = match (before, behind) {
        ([.., b'`', b'`'], [b'`', b'`', ..]) => kinds & WORD != 0 || is_alone && !is_large(name),
        ([.., b'`'], [b'`', ..]) => kinds & WORD != 0,
        ([.., b'`'], [b'\'', ..]) => true,
        _ => false,
    };
    Ok(is_quoted
        || has_source(line)
        || line.trim_ascii().is_empty() && previous.ends_with(b",") && has_source(previous)
        || behind.starts_with(b", ") && has_source(behind)
        || is_whole && is_in_changelog(line, is_alone && kinds & DOUBT != 0 && !is_large(name))
        || kinds & (WORD | FILE) != 0 && matches!(behind, [b'(' | b'[', ..])
        || (is_first || line.ends_with(b": ")) && is_entry(line, behind)
        || is_position(before, behind)
        || is_in_diffstat(behind)
        || is_alone && name.ends_with(b".in") && is_edited(line)
        || kinds & FIELD != 0 && (has_identifier(line) || has_identifier(behind)))
}

/// Whether an explicit link on the line beside `start..end` names the host: `Name.new (https://name.new/)`; or
/// what is beside is what mail servers write of hosts, `from host.name (host.name [192.0.2.1])`.
pub(super) fn is_named(view: &View<'_>, start: usize, end: usize) -> Result<bool, Incomplete> {
    let before = &view.text[start.saturating_sub(MAX_BEFORE)..start];
    let has_word = is_after_word_of_mail(before);
    // Most names have nothing of that beside them.
    if !has_word && !may_name(before.last_chunk()) && !may_name(view.text[end..].first_chunk()) {
        return Ok(false);
    }
    let line = before.rsplit(|&b| b == b'\n').next().unwrap_or_default();
    let behind = Behind::of(view, end)?.line;
    let name = &view.text[start..end];
    Ok(names(line, name) || names(behind, name) || is_of_mail(line, has_word, behind))
}

/// Whether there may be a `://` among the bytes beside a name: they have a colon and a slash, or are fewer.
fn may_name(beside: Option<&[u8; MAX_BEFORE]>) -> bool {
    // Without a branch for each byte: all are looked at at once.
    let has =
        |bytes: &[u8; MAX_BEFORE], byte| bytes.iter().fold(false, |has, &b| has | (b == byte));
    beside.is_none_or(|bytes| has(bytes, b':') && has(bytes, b'/'))
}

/// Whether a `://` with this host after it is in `line`.
fn names(line: &[u8], name: &[u8]) -> bool {
    // A searcher for all three would take longer to be made than such a line to be gone through.
    memchr::memchr_iter(b':', line).filter(|&at| line[at..].starts_with(b"://")).any(|at| {
        let host = &line[at + 3..];
        let host = host.strip_prefix(b"www.").unwrap_or(host);
        let is_it = host.get(..name.len()).is_some_and(|host| host.eq_ignore_ascii_case(name));
        let goes_on = |b: &u8| b.is_ascii_alphanumeric() || b"-.@_".contains(b);
        is_it && !host.get(name.len()).is_some_and(goes_on)
    })
}

/// Whether a name follows what mail servers write before one, or the bracket of a relay.
fn is_after_word_of_mail(before: &[u8]) -> bool {
    match before {
        [.., b' ' | b'='] => [&b"from "[..], b"by ", b"helo="].iter().any(|word| {
            before.len() >= word.len()
                && before[before.len() - word.len()..].eq_ignore_ascii_case(word)
        }),
        [.., b'('] => true,
        _ => false,
    }
}

/// Whether a `Received` field is around a name: `from host.name (`, `by host.name with ESMTP`.
fn is_of_mail(line: &[u8], has_word: bool, behind: &[u8]) -> bool {
    let is_server = behind.starts_with(b" (") && !behind.windows(3).any(|three| three == b"://");
    let goes_on = is_server && behind.iter().any(|b| matches!(b, b'[' | b'.'))
        || [&b" with SMTP"[..], b" with ESMTP", b" with HTTP", b" with LMTP", b" (Postfix"]
            .iter()
            .any(|word| behind.starts_with(word));
    match line {
        [.., b'('] => matches!(behind, [b' ', b'[', b'0'..=b'9', ..]),
        _ => has_word && goes_on,
    }
}

/// Whether it ends in a country with so many hosts that they are believed a little more.
fn is_large(name: &[u8]) -> bool {
    let last = name.rsplit(|&b| b == b'.').next().unwrap_or_default();
    [b"be", b"br", b"ca", b"it", b"us"].iter().any(|large| last.eq_ignore_ascii_case(&large[..]))
}

/// The rest of a line, as far as it is looked at: whole words of ASCII, which are the same in all encodings.
struct Behind<'v> {
    line: &'v [u8],
    /// The line ends with it.
    is_end: bool,
}

impl<'v> Behind<'v> {
    fn of(view: &View<'v>, end: usize) -> Result<Behind<'v>, Incomplete> {
        let rest = view.text.get(end..).unwrap_or_default();
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
            let cut = line.iter().rposition(|b| !b.is_ascii_alphanumeric());
            line = &line[..cut.map_or(0, |at| at + 1)];
        }
        Ok(Behind { line, is_end })
    }
}

/// Whether the name `start..end`, whose domain none in code is called by, is a file by its path or a module
/// that is imported: `/srv/www/example.com/a`, `from mail.net import b`.
pub(super) fn is_in_path_or_import(
    view: &View<'_>,
    start: usize,
    end: usize,
) -> Result<bool, Incomplete> {
    let before = &view.text[start.saturating_sub(MAX_BEFORE)..start];
    match before {
        [.., b'/'] => Ok(is_in_filesystem(before)),
        [.., b'f', b'r', b'o', b'm', b' '] => {
            let rest = Behind::of(view, end)?;
            let front = before.rsplit(|&b| b == b'\n').next().unwrap_or_default();
            let (behind, is_end) = (rest.line, rest.is_end);
            let is_begin = front.len() < MAX_BEFORE;
            Ok(line::is_imported(Line { front, is_begin, behind, is_end, ..Line::default() }))
        }
        _ => Ok(false),
    }
}

/// `/srv/www/`, `~/sites/`, `../`: from the root or the folder one is in, of one name or more.
fn is_in_filesystem(before: &[u8]) -> bool {
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

fn is_two_letters(name: &[u8]) -> bool {
    name.iter().rev().take_while(|&&b| b != b'.').count() == 2
}

/// `tests/options.cn`
fn is_in_directory(before: &[u8]) -> bool {
    before.strip_suffix(b"/").is_some_and(|path| {
        let name = path.rsplit(|b| !b.is_ascii_alphanumeric()).next().unwrap_or_default();
        DIRECTORIES.kinds(word(name)) != 0
    })
}

/// Whether the line is one of GNU's changelogs; where little speaks for a host, their text is enough.
fn is_in_changelog(line: &[u8], is_weak: bool) -> bool {
    match line {
        [b'\t', b'*' | b'(', ..] => true,
        [b'\t', text @ ..] => is_weak && !text.trim_ascii().is_empty(),
        _ => false,
    }
}

/// `asoc->base.sk`, `&dev.dev`, `~Option.help`, `#lxc.network`; in reStructuredText the names after a
/// directive and in a role, in manual pages those of fonts.
fn is_after_operator(before: &[u8]) -> bool {
    match before {
        [.., b'~', b'~'] => false,
        [.., b'~' | b'&' | b'#' | b'$' | b'^'] => true,
        [.., b':', b':'] | [.., b':', b':', b' '] | [.., b'\\', b'f', b'('] => true,
        [.., b, b'-', b'>'] => b.is_ascii_alphanumeric() || matches!(b, b'_' | b')' | b']'),
        // `*View*title.top: a`: a resource of X, or a product.
        [.., b, b'*'] => b.is_ascii_alphanumeric(),
        [role @ .., b':', b'`'] => {
            let is_part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
            let len = role.iter().rev().take_while(is_part).count();
            len > 0 && role[..role.len() - len].ends_with(b":")
        }
        _ => false,
    }
}

/// An assignment, a comparison, an arrow, or more of a name after it.
pub(super) fn is_before_operator(
    view: &View<'_>,
    before: &[u8],
    end: usize,
) -> Result<bool, Incomplete> {
    let mut at = end;
    match view.byte(at)? {
        Some(b'_') => return Ok(!before.ends_with(b"_")),
        Some(b'-') if view.byte(at + 1)? == Some(b'>') => return Ok(true),
        Some(b'+') if view.byte(at + 1)? == Some(b'+') => return Ok(true),
        _ => {}
    }
    // What is aligned has more than one space.
    while at - end < MAX_GAP && matches!(view.byte(at)?, Some(b' ' | b'\t')) {
        at += 1;
    }
    if matches!(view.byte(at)?, Some(b'-' | b'+' | b'|' | b'&' | b'*' | b'!' | b'~' | b'>')) {
        at += 1;
    }
    Ok(view.byte(at)? == Some(b'=') && view.byte(at + 1)? != Some(b'>'))
}

/// More of a key, of a pattern or of drawn letters directly after it: `entry.contact[sys`, `host.name.<metric>`,
/// `10.in\-addr.arpa`, `ex.ee..ex`, `entry.to.int$`.
fn goes_on(view: &View<'_>, end: usize, kinds: Kinds) -> Result<bool, Incomplete> {
    let mark = match view.byte(end)? {
        Some(b'$') => return Ok(kinds & COMMON == 0),
        Some(mark @ (b'.' | b'[' | b':' | b'\\')) => mark,
        _ => return Ok(false),
    };
    let Some(next) = view.byte(end + 1)? else { return Ok(false) };
    Ok(match (mark, next) {
        (b'[', b'"' | b'\'' | b'{' | b'$') => kinds & COMMON == 0,
        (b'[', _) => kinds & WEAK != 0 && next.is_ascii_alphabetic(),
        (b'.', b'.') => view.byte(end + 2)?.is_some_and(|b| b.is_ascii_alphanumeric()),
        (b'.', _) => matches!(next, b'<' | b'*' | b'{' | b'$' | b'%' | b'+' | b'_'),
        // `jmx["entry.as:type=a"]`, `entry = a.services.bz:Service`
        (b':', _) => kinds & COMMON == 0 && next.is_ascii_alphabetic(),
        (_, b'-') => view.byte(end + 2)?.is_some_and(|b| b.is_ascii_alphanumeric()),
        _ => false,
    })
}

/// `if (!entry.org`, `entry.net[name]`, below domains that prose believes.
pub(super) fn is_member_by_marks(
    view: &View<'_>,
    start: usize,
    end: usize,
) -> Result<bool, Incomplete> {
    if view.text[..start].ends_with(b"(!") {
        return Ok(true);
    }
    let is_index = view.byte(end)? == Some(b'[');
    Ok(is_index && view.byte(end + 1)?.is_some_and(|b| b.is_ascii_alphabetic()))
}

/// Whether nothing but a bullet stands on the line.
fn is_bullet(line: &[u8]) -> bool {
    let marks = line.trim_ascii();
    matches!(marks, [] | [b'*' | b'+' | b'-']) && (marks.is_empty() || !line.ends_with(marks))
}

/// `configure.in: New test.`, `* configure.in (AC_INIT): …`, `* a.at, b.at: …`, `tests: a.at: …`
fn is_entry(line: &[u8], behind: &[u8]) -> bool {
    match behind {
        [b':'] => true,
        [b':', b, ..] => b.is_ascii_whitespace(),
        [b',', ..] | [b' ', b'(', ..] => line.contains(&b'*'),
        _ => false,
    }
}

/// A file that was changed: `calc.at | 30 ++++--`.
fn is_in_diffstat(behind: &[u8]) -> bool {
    let Some(count) = behind.trim_ascii_start().strip_prefix(b"| ") else { return false };
    let count = count.trim_ascii_start();
    let digits = count.iter().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && matches!(count[digits..], [b' ', b'+' | b'-', ..])
}

/// A place in a file: `calc.at:773: testing`, `(calc.at:773)`.
fn is_position(before: &[u8], behind: &[u8]) -> bool {
    let Some(number) = behind.strip_prefix(b":") else { return false };
    let len = number.iter().take_while(|b| b.is_ascii_digit()).count();
    match number.get(len) {
        _ if len == 0 => false,
        Some(b':') => true,
        Some(b')') => before.ends_with(b"("),
        _ => false,
    }
}

/// Whether the word in front or after says what it is: `register ar.lc`, `attr.show callback`,
/// `File: a.info`, `argument "bar.bg"`.
fn is_called_so(line: &[u8], behind: &[u8], kinds: Kinds) -> bool {
    let front = last_word(unquoted(line).strip_suffix(b" ").unwrap_or_default());
    let front = NOUNS.kinds(word(front.strip_suffix(b":").unwrap_or(front)));
    let behind = behind.strip_prefix(b" ").unwrap_or_default();
    let len = behind.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let behind = &behind[..len];
    if kinds & WEAK == 0 {
        return front & SURE != 0 || behind == b"file";
    }
    front & IN_FRONT != 0 || NOUNS.kinds(word(behind)) & BEHIND != 0
}

/// What is after the last white space.
fn last_word(line: &[u8]) -> &[u8] {
    line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default()
}

/// The line without the quotation mark that ends it.
fn unquoted(line: &[u8]) -> &[u8] {
    match line {
        [front @ .., b'"' | b'\'' | b'`'] => front,
        _ => line,
    }
}

/// `Update ignore.in`, `vi access.in`
fn is_edited(line: &[u8]) -> bool {
    NOUNS.kinds(word(last_word(line.strip_suffix(b" ").unwrap_or_default()))) & EDITED != 0
}

/// `#include "base.de`, `\include 'persian.ly`
fn is_included(line: &[u8]) -> bool {
    let open = unquoted(line);
    open.len() < line.len()
        && open.strip_suffix(b"include ").is_some_and(|front| {
            front.ends_with(b"#") || front.ends_with(b"\\") || front.trim_ascii().is_empty()
        })
}

/// `testsuite/ld-powerpc/tlsget.wf`: after two slashes or more, and no authority's, `https:\/\/`
/// neither.
fn is_in_path(before: &[u8]) -> bool {
    if !before.ends_with(b"/") {
        return false;
    }
    let is_around = |b: &u8| b.is_ascii_whitespace() || b"\"'`(<=,".contains(b);
    let path = before.rsplit(is_around).next().unwrap_or_default();
    path.iter().filter(|&&b| b == b'/').count() > 1
        && !path.contains(&b'\\')
        && !path.windows(2).any(|two| two == b"//")
}

/// Whether an underscore joins two words: `mpfr_asin`.
fn has_identifier(line: &[u8]) -> bool {
    line.windows(3).any(|three| {
        three[1] == b'_' && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric()
    })
}

/// Whether the name of a source stands on the line: `* tests/Makefile.am: Add `.
fn has_source(line: &[u8]) -> bool {
    memchr::memchr_iter(b'.', line).any(|dot| {
        let rest = &line[dot + 1..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        // What goes on there is an address, a path or a longer name.
        if matches!(rest.get(len), Some(b'.' | b'/' | b'@' | b'_' | b'-')) {
            return false;
        }
        let kinds = SOURCE_ENDINGS.kinds(word(&rest[..len]));
        let name = || line[..dot].rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        kinds & SOURCE != 0
            || kinds & SOURCE_IN_PATH != 0 && (is_path(name()) || has_middle(name()))
    })
}

/// Whether the ending of a file ends it: `sudo.man` of `sudo.man.in`.
fn has_middle(name: &[u8]) -> bool {
    let dot = name.iter().rposition(|&b| b == b'.');
    dot.is_some_and(|dot| LAST_LABELS.kinds(word(&name[dot + 1..])) & MIDDLE != 0)
}

/// Whether it has a slash, and not the two of an authority.
fn is_path(name: &[u8]) -> bool {
    name.contains(&b'/') && !name.windows(2).any(|two| two == b"//")
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::DOUBT;
    use super::*;
    use crate::scan::References;

    fn is_code(before: &str, host: &str, after: &str, kinds: Kinds) -> bool {
        let text = format!("{before}{host}{after}");
        let view = View::new(text.as_bytes(), true, References::Auto);
        let end = before.len() + host.len();
        is_beside_code(&view, before.len(), end, kinds) == Ok(true)
    }

    #[test]
    fn operators() {
        for (before, after) in [
            ("asoc->", ""),
            ("&", ""),
            ("~", " "),
            ("#", ""),
            (".. attribute:: ", "\n"),
            (":attr:`", "`"),
            ("", " = 1"),
            ("x ", " += 1"),
            ("", "==1"),
            ("", "->x"),
            ("", "++"),
            ("", "_x"),
            ("\\f(", "\\fP"),
        ] {
            assert!(is_code(before, "a.de", after, 0), "{before}a.de{after}");
        }
        for (before, after) in [
            ("", ""),
            ("url=", " x"),
            ("~~", "~~"),
            ("_", "_"),
            ("<b>", "</b>"),
            ("-->", ""),
            ("`", "`"),
            ("see:`", "`"),
            ("", " => x"),
            ("x/", ""),
            ("* ", ": x"),
            ("x.c: ", ""),
        ] {
            assert!(!is_code(before, "a.de", after, 0), "{before}a.de{after}");
        }
    }

    #[test]
    fn paths_and_changelogs() {
        for (before, after) in [
            ("tests/", " x"),
            ("{", ",b}"),
            (">>> ", "\n"),
            ("", ": x"),
            ("\t* x, ", " y"),
            ("\t(", "): y"),
            ("* ", " (X): y"),
            ("\t* ", ", b.at: x"),
            ("\t* tests/Makefile.am: Add ", "."),
            ("\t* x/zcat.in, ", "\n"),
        ] {
            assert!(is_code(before, "a.at", after, DOUBT), "{before}a.at{after}");
        }
        for (before, after) in [
            ("//", "/"),
            ("see ", " for"),
            ("see ", ": x"),
            ("* see ", " (x)"),
            ("`", "`"),
            ("", " (x)"),
            ("example.com, ", ""),
            ("example.in, example.info, ", ""),
            ("example.info/x ", ""),
        ] {
            assert!(!is_code(before, "a.at", after, DOUBT), "{before}a.at{after}");
        }
        for (before, after) in [("`", "`"), ("", "(x)"), ("", "[0]")] {
            assert!(is_code(before, "a.name", after, WORD), "{before}a.name{after}");
            assert!(!is_code(before, "a.at", after, DOUBT), "{before}a.at{after}");
        }
    }
}
