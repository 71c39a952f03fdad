//! The lines around a link.

use linksift::Charset;
use linksift::files::Surroundings;

/// Bytes before and after a link that are looked at for each line that is shown.
const REACH: usize = 4096;
/// Characters of a line that are shown on either side of the link.
const SHOWN: usize = 200;

/// The text around a link: lines before it, its line on both sides of it, lines after it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) before: Vec<String>,
    pub(crate) left: String,
    pub(crate) right: String,
    pub(crate) after: Vec<String>,
}

/// How many bytes there must be on either side of a link for so many lines.
pub(crate) fn reach(count: usize) -> usize {
    REACH * (count + 1)
}

/// So many lines around a link in a document of this charset.
pub(crate) fn around(found: Surroundings<'_>, charset: Charset, count: usize) -> Around {
    let Surroundings { before, after, is_cut, .. } = found;
    // Two bytes make a character in UTF-16.
    let is_odd = charset.name().starts_with("utf-16") && before.len() % 2 != 0;
    let left = charset.decode(&before[usize::from(is_odd)..]);
    // A byte order mark is no text.
    let left = left.strip_prefix('\u{FEFF}').unwrap_or(&left);
    split(left, &charset.decode(after), count, is_cut)
}

fn split(left: &str, right: &str, count: usize, is_cut: bool) -> Around {
    let mut lines: Vec<_> = left.split('\n').map(line).collect();
    let own = lines.pop().unwrap_or_default();
    // What the reach cuts is no line.
    if is_cut && !lines.is_empty() {
        lines.remove(0);
    }
    let before = lines.split_off(lines.len().saturating_sub(count));
    let mut rest = right.split('\n').map(line);
    let behind = rest.next().unwrap_or_default();
    let mut after: Vec<_> = rest.take(count).map(|line| shortened(line, Side::Start)).collect();
    // The last line end opens no line.
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

/// Which side of a line is kept.
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
