//! The values of `List-*` fields (RFC 2369 §2), as they are written: `<IRI>` with commas between, comments before
//! and after them, and, against the RFC, IRIs and addresses that are in no brackets.

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
    /// A `(` begins a comment: the last one that did was closed.
    has_comments: bool,
}

impl<'v> ListEntries<'v> {
    pub(super) fn of(value: &'v [u8]) -> ListEntries<'v> {
        ListEntries { value, at: 0, has_comments: true }
    }

    /// How long the comment is that begins at an offset, if one does.
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
}
