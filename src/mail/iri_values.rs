//! Values of header fields that are IRIs: entries of `List-*` fields (RFC 2369 §2), and values that are one IRI, which
//! may be folded, and in brackets or quotes.
//!
//! A `List-*` field contains `<IRI>` entries, separated by commas, with comments before and after them. Contrary to the
//! RFC, some have IRIs and addresses without brackets.

use std::borrow::Cow;
use std::ops::Range;

use crate::detect::media_type::comment_len;

/// Entry of a list, as a range of the field's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ListEntry {
    /// Text between `<` and `>`.
    Enclosed(Range<usize>),
    /// Text outside brackets: IRIs, addresses, words.
    Bare(Range<usize>),
}

/// Iterator over the entries of a value.
pub(super) struct ListEntries<'v> {
    value: &'v [u8],
    at: usize,
    /// Whether `(` may begin a comment: `false` after one that was not closed.
    has_comments: bool,
}

impl<'v> ListEntries<'v> {
    pub(super) fn of(value: &'v [u8]) -> ListEntries<'v> {
        ListEntries { value, at: 0, has_comments: true }
    }

    /// Returns the length in bytes of the comment that begins at an offset, if one does.
    fn comment(&mut self, at: usize) -> Option<usize> {
        let inner = self.value[at..].strip_prefix(b"(").filter(|_| self.has_comments)?;
        let len = comment_len(inner);
        self.has_comments = len.is_some();
        len.map(|len| len + 1)
    }

    /// Returns the end of a text outside brackets that begins at an offset: a bracket, or a comment after white space.
    fn bare_end(&mut self, start: usize) -> usize {
        let mut at = start;
        while let Some(found) = memchr::memchr2(b'<', b'(', &self.value[at..]) {
            at += found;
            let is_after_blank = at == start || self.value[at - 1].is_ascii_whitespace();
            if self.value[at] == b'<' || is_after_blank && self.comment(at).is_some() {
                return at;
            }
            at += 1;
        }
        self.value.len()
    }
}

impl Iterator for ListEntries<'_> {
    type Item = ListEntry;

    #[inline]
    fn next(&mut self) -> Option<ListEntry> {
        loop {
            let rest = &self.value[self.at..];
            let is_between = |b: &u8| b.is_ascii_whitespace() || *b == b',';
            self.at += rest.iter().take_while(|b| is_between(b)).count();
            let start = self.at;
            if let Some(len) = self.comment(start) {
                self.at += len;
                continue;
            }
            if self.value.get(start)? == &b'<' {
                self.at += 1;
                let inner = start + 1;
                let end = memchr::memchr2(b'<', b'>', &self.value[inner..]);
                if let Some(end) = end.map(|len| inner + len)
                    && self.value[end] == b'>'
                {
                    self.at = end + 1;
                    return Some(ListEntry::Enclosed(inner..end));
                }
                continue;
            }
            self.at = self.bare_end(start).max(start + 1);
            return Some(ListEntry::Bare(start..self.at));
        }
    }
}

/// White space that is removed from a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhiteSpace {
    /// All white space (RFC 2369 §2).
    All,
    /// White space around line ends (RFC 2557 §4.4.2).
    Folds,
}

/// Returns a value, trimmed, without this white space.
pub(super) fn without(value: &[u8], white: WhiteSpace) -> Cow<'_, [u8]> {
    let value = value.trim_ascii();
    if !value.iter().any(u8::is_ascii_whitespace) {
        return Cow::Borrowed(value);
    }
    let is_fold = |run: &[u8]| white == WhiteSpace::All || run.iter().any(|b| b"\r\n".contains(b));
    let mut runs = value.chunk_by(|a, b| a.is_ascii_whitespace() == b.is_ascii_whitespace());
    if !runs.clone().any(|run| run[0].is_ascii_whitespace() && is_fold(run)) {
        return Cow::Borrowed(value);
    }
    let mut kept = Vec::with_capacity(value.len());
    runs.by_ref()
        .filter(|run| !(run[0].is_ascii_whitespace() && is_fold(run)))
        .for_each(|run| kept.extend_from_slice(run));
    Cow::Owned(kept)
}

/// Returns the range of a value without the brackets or quotes around it.
pub(super) fn unenclosed(value: &[u8]) -> Range<usize> {
    let start = value.len() - value.trim_ascii_start().len();
    let range = start..start + value.trim_ascii().len();
    match &value[range.clone()] {
        [b'<', .., b'>'] | [b'"', .., b'"'] => range.start + 1..range.end - 1,
        _ => range,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(value: &str) -> Vec<String> {
        let text = |entry| match entry {
            ListEntry::Enclosed(range) => format!("<{}>", &value[range]),
            ListEntry::Bare(range) => value[range].to_owned(),
        };
        ListEntries::of(value.as_bytes()).map(text).collect()
    }

    #[test]
    fn values_are_read_as_people_write_them() {
        assert_eq!(all("<a>, <b>"), ["<a>", "<b>"]);
        assert_eq!(all(" (c (d) \\) ,) <a> (x) <b>(y)"), ["<a>", "<b>"]);
        assert_eq!(all("NO"), ["NO"]);
        assert_eq!(all("a, <b> c (d)"), ["a, ", "<b>", "c "]);
        assert_eq!(all("a(b) <c"), ["a(b) ", "c"]);
        assert_eq!(all("<a, <b>"), ["a, ", "<b>"]);
        assert_eq!(all("(a http://b"), ["(a http://b"]);
        assert_eq!(all("<>,, <a\n b>"), ["<>", "<a\n b>"]);
        assert_eq!(all(""), [""; 0]);
    }

    #[test]
    fn brackets_that_never_close_take_linear_time() {
        for unit in ["(", "<", "a (", "<(", "(\\"] {
            let value = unit.repeat(300_000);
            assert!(ListEntries::of(value.as_bytes()).count() <= 300_000);
        }
    }

    #[test]
    fn white_space_goes_where_it_may() {
        let all = |value: &'static str| without(value.as_bytes(), WhiteSpace::All).into_owned();
        let folds = |value: &'static str| without(value.as_bytes(), WhiteSpace::Folds).into_owned();
        assert_eq!(all(" a b\r\n c "), b"abc");
        assert_eq!(folds(" a b \r\n\tc "), b"a bc");
        assert!(matches!(without(b"a b", WhiteSpace::Folds), Cow::Borrowed(b"a b")));
        assert_eq!(unenclosed(b" <a> "), 2..3);
        assert_eq!(unenclosed(b"\"a\""), 1..2);
        assert_eq!(unenclosed(b"<"), 0..1);
    }
}
