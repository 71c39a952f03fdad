//! The lines around a link.

use linksift::Charset;
use linksift::files::Surroundings;

/// Number of bytes before and after a link that are examined for each line.
const REACH: usize = 4096;
/// Maximum number of characters of a line that are shown on either side of the link.
const SHOWN: usize = 200;

/// The text around a link: lines before it, its line on both sides of it, lines after it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) before: Vec<String>,
    pub(crate) left: String,
    pub(crate) right: String,
    pub(crate) after: Vec<String>,
}

/// Returns the number of bytes that are needed on either side of a link for `count` lines.
pub(crate) fn reach(count: usize) -> usize {
    REACH * (count + 1)
}

/// Returns `count` lines around a link in a document of this encoding.
pub(crate) fn around(found: Surroundings<'_>, charset: Charset, count: usize) -> Around {
    let Surroundings { before, after, is_cut, .. } = found;
    // In UTF-16 a unit has two bytes.
    let is_odd = charset.name().starts_with("utf-16") && before.len() % 2 != 0;
    let left = charset.decode(&before[usize::from(is_odd)..]);
    // A byte order mark is not text.
    let left = left.strip_prefix('\u{FEFF}').unwrap_or(&left);
    split(left, &charset.decode(after), count, is_cut)
}

fn split(left: &str, right: &str, count: usize, is_cut: bool) -> Around {
    let mut lines: Vec<_> = left.split('\n').map(line).collect();
    let own = lines.pop().unwrap_or_default();
    // The first line is cut, so it is not shown.
    if is_cut && !lines.is_empty() {
        lines.remove(0);
    }
    let before = lines.split_off(lines.len().saturating_sub(count));
    let mut rest = right.split('\n').map(line);
    let behind = rest.next().unwrap_or_default();
    let mut after: Vec<_> = rest.take(count).map(|line| shortened(line, Side::Start)).collect();
    // No line follows the last line end.
    if after.len() < count + 1 && after.last().is_some_and(String::is_empty) {
        after.pop();
    }
    Around {
        before: before.into_iter().map(|line| shortened(line, Side::Start)).collect(),
        left: shortened(own, Side::End),
        right: shortened(behind, Side::Start),
        after,
    }
}

fn line(text: &str) -> &str {
    text.strip_suffix('\r').unwrap_or(text)
}

/// The side of a line that is kept.
#[derive(Clone, Copy)]
enum Side {
    Start,
    End,
}

fn shortened(text: &str, side: Side) -> String {
    let count = text.chars().count();
    match (count.checked_sub(SHOWN), side) {
        (None | Some(0), _) => text.to_owned(),
        (Some(_), Side::Start) => text.chars().take(SHOWN).chain(['…']).collect(),
        (Some(over), Side::End) => ['…'].into_iter().chain(text.chars().skip(over)).collect(),
    }
}
