//! Parser for headers (RFC 5322 §2.2), which returns fields as ranges without copying them.
//!
//! It reads a header from its first byte, and returns the ranges of its fields in sequence, then the offset of the
//! body. A line that is not a field is returned as text if more fields follow, and ends the header otherwise.

use std::ops::Range;

use crate::detect::field::colon;
pub(crate) use crate::detect::field::without_end;
use crate::input::chunk::Chunk;
use crate::limits;

/// Maximum length in bytes of a field, line ends of its folds included; a longer one is scanned as running text.
pub(crate) const LONGEST_FIELD: usize = limits::FIELD;

/// Header field, as ranges of the bytes that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderField {
    pub(crate) name: Range<usize>,
    /// Range after the colon, with the line ends of folds but without the last line end.
    pub(crate) value: Range<usize>,
}

/// Next item of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeaderItem {
    Field(HeaderField),
    /// Field that exceeds the maximum length, with the offset of its value.
    Long(usize),
    /// Line that does not belong to a header, though more of the header follows it.
    Junk(Range<usize>),
    /// Offset of the body.
    End(usize),
    /// More bytes decide.
    Incomplete,
}

/// Reason why the end of a line or a field is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IncompleteField {
    /// More bytes decide.
    Cut,
    /// The line or field is longer than a field may be.
    Long,
}

/// Reader of the fields of a header.
#[derive(Clone, Debug)]
pub(crate) struct HeaderFields {
    at: usize,
    line_end: u8,
}

impl HeaderFields {
    pub(crate) fn new(line_end: u8) -> HeaderFields {
        HeaderFields { at: 0, line_end }
    }

    /// Returns the offset up to which items have been returned.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Returns the next item of `bytes`, which are the last ones if `is_last`. `ends` returns `true` if the line at an
    /// offset ends the part before it.
    #[inline]
    pub(crate) fn next(
        &mut self,
        bytes: &[u8],
        is_last: bool,
        ends: impl FnOnce(usize) -> bool,
    ) -> HeaderItem {
        let start = self.at;
        let limit = start + LONGEST_FIELD;
        let line = match self.line(bytes, start, limit, is_last) {
            Ok(line) => line,
            Err(IncompleteField::Cut) => return HeaderItem::Incomplete,
            Err(IncompleteField::Long) => {
                return match colon(&bytes[start..limit]) {
                    Some(colon) => HeaderItem::Long(start + colon + 1),
                    None => HeaderItem::End(start),
                };
            }
        };
        let text = without_end(&bytes[line.clone()]);
        if text.is_empty() {
            return HeaderItem::End(line.end);
        }
        if matches!(text[0], b'-' | b'F') && ends(start) {
            return HeaderItem::End(start);
        }
        if let Some(colon) = colon(text) {
            let end = match self.unfolded(bytes, line.end, limit, is_last) {
                Ok(end) => end,
                Err(IncompleteField::Cut) => return HeaderItem::Incomplete,
                Err(IncompleteField::Long) => return HeaderItem::Long(start + colon + 1),
            };
            let name_end = text[..colon].trim_ascii_end().len();
            let value_end = start + without_end(&bytes[start..end]).len();
            self.at = end;
            let value = start + colon + 1..value_end;
            return HeaderItem::Field(HeaderField { name: start..start + name_end, value });
        }
        // The next line decides whether this one is junk or belongs to the body.
        let after = line.end + LONGEST_FIELD;
        let next = match self.line(bytes, line.end, after, is_last) {
            Ok(next) => next,
            Err(IncompleteField::Cut) => return HeaderItem::Incomplete,
            Err(IncompleteField::Long) => line.end..after,
        };
        let next = without_end(&bytes[next]);
        let is_folded = next.first().is_some_and(|b| matches!(b, b' ' | b'\t'));
        if next.is_empty() || !is_folded && colon(next).is_none() {
            return HeaderItem::End(start);
        }
        self.at = line.end;
        HeaderItem::Junk(line)
    }

    /// Returns the range of a line with its end, which must be before `limit`.
    #[inline]
    fn line(
        &self,
        bytes: &[u8],
        start: usize,
        limit: usize,
        is_last: bool,
    ) -> Result<Range<usize>, IncompleteField> {
        let near = bytes.get(start..bytes.len().min(limit)).unwrap_or_default();
        match memchr::memchr(self.line_end, near) {
            Some(found) => Ok(start..start + found + 1),
            None if bytes.len() >= limit => Err(IncompleteField::Long),
            None if is_last => Ok(start..bytes.len()),
            None => Err(IncompleteField::Cut),
        }
    }

    /// Returns the end of the field whose first line ends at `end`.
    #[inline]
    fn unfolded(
        &self,
        bytes: &[u8],
        mut end: usize,
        limit: usize,
        is_last: bool,
    ) -> Result<usize, IncompleteField> {
        loop {
            match bytes.get(end) {
                Some(b' ' | b'\t') => end = self.line(bytes, end, limit, is_last)?.end,
                None if !is_last => return Err(IncompleteField::Cut),
                _ => return Ok(end),
            }
        }
    }
}

/// Returns the end of a field, which is searched from `from` on. If more bytes are needed, returns the offset at which
/// the search resumes as the error.
pub(crate) fn field_end(chunk: Chunk<'_>, from: usize, line_end: u8) -> Result<usize, usize> {
    let ends = memchr::memchr_iter(line_end, &chunk[from..]).map(|found| from + found);
    for end in ends {
        match chunk.get(end + 1) {
            Some(b' ' | b'\t') => {}
            None if !chunk.is_last() => return Err(end),
            _ => return Ok(end + 1),
        }
    }
    if chunk.is_last() { Ok(chunk.end()) } else { Err(chunk.end()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let (mut fields, mut found) = (HeaderFields::new(b'\n'), Vec::new());
        loop {
            match fields.next(text.as_bytes(), true, |at| text[at..].starts_with("--b")) {
                HeaderItem::Field(HeaderField { name, value }) => {
                    found.push(format!("{}={}", &text[name], &text[value]));
                }
                HeaderItem::Junk(range) => found.push(text[range].to_owned()),
                HeaderItem::End(at) => {
                    found.push(text[at..].to_owned());
                    return found;
                }
                HeaderItem::Long(_) | HeaderItem::Incomplete => {
                    unreachable!("short, and the bytes are the last")
                }
            }
        }
    }

    #[test]
    fn fields_end_where_a_body_begins() {
        assert_eq!(all("A: b\r\n c\r\nB : d\r\n\r\ne"), ["A= b\r\n c", "B= d", "e"]);
        assert_eq!(all("A: b\nhttp://e/\n"), ["A= b", "http://e/\n"]);
        assert_eq!(all("A: b\njunk\nC: d\n\nx"), ["A= b", "junk\n", "C= d", "x"]);
        assert_eq!(all("A: b\njunk\nmore junk\n\nx"), ["A= b", "junk\nmore junk\n\nx"]);
        assert_eq!(all("A: b\n--b\nC: d"), ["A= b", "--b\nC: d"]);
        assert_eq!(all("\nx"), ["x"]);
        assert_eq!(all(""), [""]);
        assert_eq!(all("A:"), ["A=", ""]);
    }

    /// The bytes available after a field do not affect whether it is too long.
    #[test]
    fn a_field_has_a_longest_length() {
        for (over, is_long) in [(0, false), (1, true)] {
            let folded = LONGEST_FIELD + over - "A: \n".len() - 1;
            let text = format!("A: {}\n \nB: c\n\n", "x".repeat(folded - 1));
            let wanted = match is_long {
                true => HeaderItem::Long(2),
                false => HeaderItem::Field(HeaderField { name: 0..1, value: 2..LONGEST_FIELD - 1 }),
            };
            for (end, is_last) in
                [(text.len(), true), (text.len(), false), (LONGEST_FIELD + 1, false)]
            {
                let bytes = &text.as_bytes()[..end];
                let next = HeaderFields::new(b'\n').next(bytes, is_last, |_| false);
                assert_eq!(next, wanted, "{over} {end} {is_last}");
            }
        }
        let line = "x".repeat(LONGEST_FIELD);
        let first = |text: &str| HeaderFields::new(b'\n').next(text.as_bytes(), true, |_| false);
        assert_eq!(first(&line), HeaderItem::End(0));
        assert_eq!(first(&format!("A:{line}")), HeaderItem::Long(2));
        assert_eq!(first(&format!("junk\nA:{line}")), HeaderItem::Junk(0..5));
        assert_eq!(first(&format!("junk\n{line}")), HeaderItem::End(0));
        assert_eq!(field_end(Chunk::new(b"a\n b\nc", 0, true), 0, b'\n'), Ok(5));
        assert_eq!(field_end(Chunk::new(b"a\n b\n", 0, false), 0, b'\n'), Err(4));
        assert_eq!(field_end(Chunk::new(b"a\n b", 0, false), 2, b'\n'), Err(4));
        assert_eq!(field_end(Chunk::new(b"a\n b", 0, true), 2, b'\n'), Ok(4));
    }
}
