//! Headers (RFC 5322 §2.2): fields with their places, nothing copied.
//!
//! What comes in are bytes from a header's first on, what goes out are the ranges of its fields one after the
//! other, and where the body begins. Lines that are no field are given as text, and end the header if
//! no field follows them.

use std::ops::Range;

/// The most fields of a header; what follows is its body.
pub(crate) const MOST_FIELDS: usize = 10_000;
/// The longest header; what follows is its body.
pub(crate) const LONGEST: usize = 1 << 20;

/// A field: ranges of the bytes that it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: Range<usize>,
    /// After the colon, with all line ends of folds, without the last.
    pub(crate) value: Range<usize>,
}

/// What is next in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Field(Field),
    /// A line that is none of a header's, with more of the header after it.
    Junk(Range<usize>),
    /// The body begins here.
    End(usize),
    /// More bytes decide.
    Incomplete,
}

/// Goes over a header.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    /// Where it is, and where it began.
    at: usize,
    start: usize,
    count: usize,
    line_end: u8,
}

impl Fields {
    pub(crate) fn new(at: usize, line_end: u8) -> Fields {
        Fields { at, start: at, count: 0, line_end }
    }

    /// What comes next in `bytes`, which are the last or not; `ends` says whether the line that begins
    /// at an offset ends whatever is before it.
    pub(crate) fn next(
        &mut self,
        bytes: &[u8],
        is_last: bool,
        ends: impl FnOnce(usize) -> bool,
    ) -> Next {
        let start = self.at;
        if self.count >= MOST_FIELDS || start - self.start >= LONGEST {
            return Next::End(start);
        }
        let Some(line) = self.line(bytes, start, is_last) else { return Next::Incomplete };
        let text = without_end(&bytes[line.clone()]);
        if text.is_empty() {
            return Next::End(line.end);
        }
        if matches!(text[0], b'-' | b'F') && ends(start) {
            return Next::End(start);
        }
        if let Some(colon) = colon(text) {
            let Some(end) = self.unfolded(bytes, line, is_last) else { return Next::Incomplete };
            let name_end = text[..colon].trim_ascii_end().len();
            let value_end = start + without_end(&bytes[start..end]).len();
            self.at = end;
            self.count += 1;
            let value = start + colon + 1..value_end;
            return Next::Field(Field { name: start..start + name_end, value });
        }
        // The line after it decides.
        match self.line(bytes, line.end, is_last) {
            None => return Next::Incomplete,
            Some(next) => {
                let next = without_end(&bytes[next]);
                let is_folded = next.first().is_some_and(|b| matches!(b, b' ' | b'\t'));
                if next.is_empty() || !is_folded && colon(next).is_none() {
                    return Next::End(start);
                }
            }
        }
        self.at = line.end;
        self.count += 1;
        Next::Junk(line)
    }

    /// A line with its end; `None` if more bytes decide where it ends.
    fn line(&self, bytes: &[u8], start: usize, is_last: bool) -> Option<Range<usize>> {
        match memchr::memchr(self.line_end, &bytes[start..]) {
            Some(found) => Some(start..start + found + 1),
            None if is_last || bytes.len() - start >= LONGEST => Some(start..bytes.len()),
            None => None,
        }
    }

    /// Where the field ends that begins with a line.
    fn unfolded(&self, bytes: &[u8], first: Range<usize>, is_last: bool) -> Option<usize> {
        let mut end = first.end;
        loop {
            match bytes.get(end) {
                Some(b' ' | b'\t') if end - self.start < LONGEST => {
                    end = self.line(bytes, end, is_last)?.end;
                }
                None if !is_last => return None,
                _ => return Some(end),
            }
        }
    }
}

/// A line without its end.
pub(crate) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Where the colon of a field is in its line; `None` if the line is none.
pub(crate) fn colon(line: &[u8]) -> Option<usize> {
    let name = line.iter().position(|b| !matches!(b, 33..=57 | 59..=126))?;
    let blanks = line[name..].iter().position(|b| !matches!(b, b' ' | b'\t'))?;
    let colon = name + blanks;
    if name == 0 || line[colon] != b':' {
        return None;
    }
    // Not a URL in the first line of a body without an empty line before it.
    let is_url = line[colon + 1..].starts_with(b"//")
        && ["http", "https", "ftp"].iter().any(|s| line[..name].eq_ignore_ascii_case(s.as_bytes()));
    (!is_url).then_some(colon)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let (mut fields, mut found) = (Fields::new(0, b'\n'), Vec::new());
        loop {
            match fields.next(text.as_bytes(), true, |at| text[at..].starts_with("--b")) {
                Next::Field(Field { name, value }) => {
                    found.push(format!("{}={}", &text[name], &text[value]));
                }
                Next::Junk(range) => found.push(text[range].to_owned()),
                Next::End(at) => {
                    found.push(text[at..].to_owned());
                    return found;
                }
                Next::Incomplete => unreachable!("the bytes are the last"),
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
}
