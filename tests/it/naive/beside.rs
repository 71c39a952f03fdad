//! What the words before and after a name on its line say of it.

use super::names::{MIDDLES, has};

/// Words that say that the next is of code whatever its domain, those that say so of what is doubted,
/// and those that say that the one before is.
pub(super) const SAID_SURELY: &str = "argument arguments attribute callback file filename files function functions macro \
     macros method methods parameter parameters struct variable variables";
pub(super) const SAID_BEFORE: &str = "class field fields member module option options register script setting target \
     targets template templates";
pub(super) const SAID_BEHIND: &str = "attribute callback field file function macro method module namespace object parameter property register struct variable";
/// What is done to templates, `vi x.in`.
pub(super) const EDITED: &str =
    "cat edit edited emacs nano regenerate regenerated simplify update updated vi vim";

/// Endings of sources.
pub(super) const SOURCES: &str = "ac am c cpp h hh hpp m4 pod py texi txt";
/// Those that need a path in front of them.
pub(super) const SOURCES_IN_PATHS: &str = "at cc html in info js md sh";

/// The first of a changelog's entry.
pub(super) fn is_entry(behind: &str, star: bool) -> bool {
    let colon = behind.strip_prefix(':');
    colon.is_some_and(|rest| rest.chars().next().is_none_or(|c| c.is_ascii_whitespace()))
        || star && (behind.starts_with(',') || behind.starts_with(" ("))
}

/// What a commit changed.
pub(super) fn is_in_diffstat(behind: &str) -> bool {
    let Some((gap, rest)) = behind.split_once("| ") else { return false };
    let Some((count, signs)) = rest.trim_ascii_start().split_once(' ') else { return false };
    gap.trim_ascii().is_empty()
        && !count.is_empty()
        && count.chars().all(|c| c.is_ascii_digit())
        && signs.starts_with(['+', '-'])
}

/// A line of a file.
pub(super) fn is_position(before: &str, behind: &str) -> bool {
    let Some(number) = behind.strip_prefix(':') else { return false };
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < number.len()
        && (rest.starts_with(':') || rest.starts_with(')') && before.ends_with('('))
}

/// The word in front or after says that it is of code.
pub(super) fn is_called_so(line: &str, behind: &str, weak: bool) -> bool {
    let front = word_in_front(line.strip_suffix(['"', '\'', '`']).unwrap_or(line));
    let front = front.strip_suffix(':').unwrap_or(front);
    let behind = behind.strip_prefix(' ').unwrap_or("");
    let behind = behind.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    has(SAID_SURELY, front)
        || behind == "file"
        || weak && (has(SAID_BEFORE, front) || has(SAID_BEHIND, behind))
}

/// The last word, and a space after it.
pub(super) fn word_in_front(line: &str) -> &str {
    let front = line.strip_suffix(' ').unwrap_or("");
    front.rsplit(|c: char| c.is_ascii_whitespace()).next().unwrap_or("")
}

/// `#include "`
pub(super) fn includes(line: &str) -> bool {
    let open = line.strip_suffix(['"', '\'', '`']).and_then(|open| open.strip_suffix("include "));
    open.is_some_and(|front| front.ends_with(['#', '\\']) || front.trim_ascii().is_empty())
}

/// Two slashes or more in front, and none beside another.
pub(super) fn is_in_path(before: &str) -> bool {
    let around = |c: char| c.is_ascii_whitespace() || "\"'`(<=,".contains(c);
    let path = before.rsplit(around).next().unwrap_or("");
    path.ends_with('/')
        && path.matches('/').count() > 1
        && !path.contains("//")
        && !path.contains('\\')
}

/// An underscore joins two words.
pub(super) fn has_identifier(line: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    line.match_indices('_').any(|(at, _)| {
        joins(line[..at].chars().next_back()) && joins(line[at + 1..].chars().next())
    })
}

/// Whether a name with the ending of a source stands on the line.
pub(super) fn names_source(line: &str) -> bool {
    line.split(|c: char| c.is_ascii_whitespace()).any(|word| {
        word.match_indices('.').any(|(dot, _)| {
            let rest = &word[dot + 1..];
            let ending =
                rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
            let behind = rest[ending.len()..].chars().next();
            let name = &word[..dot];
            let path = name.contains('/') && !name.contains("//");
            let middle = name.contains('.') && has(MIDDLES, name.rsplit('.').next().unwrap_or(""));
            let source = has(SOURCES, ending) || has(SOURCES_IN_PATHS, ending) && (path || middle);
            source && behind.is_none_or(|c| !"./@_-".contains(c))
        })
    })
}
