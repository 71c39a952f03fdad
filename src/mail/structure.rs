//! Structure of a message (RFC 2046 §5.1): the open levels, and the ends of their parts.
//!
//! A delimiter counts only at the start of a line, and must match its level's boundary exactly. The innermost level is
//! checked first, and a delimiter of an outer level closes the levels inside it. A level that is never closed ends with
//! the level around it. If another delimiter follows the closing one, the level has another part.

use std::sync::LazyLock;

use memchr::memmem;

use crate::detect::mbox::{FROM, Separators};
use crate::input::chunk::Chunk;

/// Maximum number of levels, `message/rfc822` included; deeper parts are scanned as text.
pub(crate) const DEEPEST: usize = crate::limits::MESSAGE;
/// Maximum number of blanks after a boundary.
const MOST_BLANKS: usize = 4096;

/// Open level of a message.
#[derive(Clone, Debug)]
pub(crate) enum EntityLevel {
    /// Parts of a `multipart/*`.
    Parts(Multipart),
    /// Nested message.
    Message,
}

#[derive(Clone, Debug)]
pub(crate) struct Multipart {
    pub(crate) boundary: Box<[u8]>,
    /// Length of the section without the part's number.
    pub(crate) depth: usize,
    pub(crate) number: u64,
    /// Whether parts without a type are messages (RFC 2046 §5.1.5).
    pub(crate) is_digest: bool,
    /// Whether its closing delimiter was read; another part may follow nevertheless.
    pub(crate) is_closed: bool,
}

impl Multipart {
    /// Creates a multipart before its first part.
    pub(crate) fn of(boundary: Box<[u8]>) -> Multipart {
        Multipart { boundary, depth: 0, number: 0, is_digest: false, is_closed: false }
    }
}

/// Event that ends a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartEnd {
    /// Delimiter of this level, which closes it if `is_close`; `next` is the offset of the line after it.
    Delimiter { level: usize, is_close: bool, next: usize },
    /// Next message of a mailbox.
    Message,
    /// End of the input.
    Input,
}

/// Role of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    End(PartEnd),
    Inside,
    /// More bytes decide.
    Cut,
}

/// Finds the ends of parts. It checks each line once.
#[derive(Clone, Debug)]
pub(crate) struct PartEndFinder {
    pub(crate) line_end: u8,
    /// Kind of lines that separate the messages, in a mailbox.
    pub(crate) mailbox: Option<Separators>,
    /// Offset in the input before which no message begins.
    no_message_before: usize,
}

/// Offset from which an end is searched, and whether a line begins there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchStart {
    pub(crate) at: usize,
    pub(crate) is_line: bool,
}

impl PartEndFinder {
    pub(crate) fn new(line_end: u8, mailbox: Option<Separators>) -> PartEndFinder {
        PartEndFinder { line_end, mailbox, no_message_before: 0 }
    }

    /// Sets an offset before which no message begins, since a header declares the length of the message.
    pub(crate) fn skip_messages(&mut self, offset: usize) {
        self.no_message_before = self.no_message_before.max(offset);
    }

    /// Returns the role of the line at an offset.
    pub(crate) fn line(&self, chunk: Chunk<'_>, offset: usize, levels: &[EntityLevel]) -> LineKind {
        match chunk.get(offset) {
            Some(b'-') => self.delimiter(chunk, offset, levels),
            Some(b'F') if offset >= self.no_message_before => match self.mailbox {
                None => LineKind::Inside,
                Some(separators) => match separators.is_at(chunk, offset, self.line_end) {
                    None => LineKind::Cut,
                    Some(true) => LineKind::End(PartEnd::Message),
                    Some(false) => LineKind::Inside,
                },
            },
            Some(_) => LineKind::Inside,
            None if chunk.is_last() => LineKind::End(PartEnd::Input),
            None => LineKind::Cut,
        }
    }

    fn delimiter(&self, chunk: Chunk<'_>, at: usize, levels: &[EntityLevel]) -> LineKind {
        let line = &chunk[at..];
        let parts = || levels.iter().enumerate().rev().filter_map(with_parts);
        // A closed level has another part only if no open level has this boundary.
        let is_open = |(_, parts): &(usize, &Multipart)| !parts.is_closed;
        let in_order = parts().filter(is_open).chain(parts().filter(|one| !is_open(one)));
        for (level, Multipart { boundary, is_closed, .. }) in in_order {
            let len = boundary.len() + 2;
            let (dashes, rest) = line.split_at(line.len().min(2));
            let seen = rest.len().min(boundary.len());
            if !b"--".starts_with(dashes) || rest[..seen] != boundary[..seen] {
                continue;
            }
            if line.len() < len {
                if chunk.is_last() {
                    continue;
                }
                return LineKind::Cut;
            }
            let rest = &line[len..];
            let is_close = rest.starts_with(b"--");
            if rest == b"-" && !chunk.is_last() {
                return LineKind::Cut;
            }
            if is_close && *is_closed {
                continue;
            }
            let rest = if is_close { &rest[2..] } else { rest };
            let blanks = rest.iter().take(MOST_BLANKS).take_while(|b| matches!(b, b' ' | b'\t'));
            let blanks = blanks.count();
            let next = at + len + 2 * usize::from(is_close) + blanks;
            let end = match &rest[blanks..] {
                [b'\r', b'\n', ..] => 2,
                [end, ..] if *end == self.line_end => 1,
                [] if chunk.is_last() => 0,
                [b'\r'] if chunk.is_last() => 1,
                [] | [b'\r'] => return LineKind::Cut,
                _ => continue,
            };
            return LineKind::End(PartEnd::Delimiter { level, is_close, next: next + end });
        }
        LineKind::Inside
    }

    /// Returns the end of the part that begins at `start`. If more bytes are needed, returns where the search resumes
    /// as the error.
    pub(crate) fn find(
        &mut self,
        chunk: Chunk<'_>,
        start: SearchStart,
        levels: &[EntityLevel],
    ) -> Result<(usize, PartEnd), SearchStart> {
        let has_parts = levels.iter().any(|level| matches!(level, EntityLevel::Parts(_)));
        let SearchStart { mut at, mut is_line } = start;
        loop {
            match self.line(chunk, at, levels) {
                _ if !is_line => {}
                LineKind::End(end) => return Ok((at, end)),
                LineKind::Cut => return Err(SearchStart { at, is_line: true }),
                LineKind::Inside => {}
            }
            is_line = true;
            let message = self.next_message(chunk, at);
            let message_at = message.unwrap_or(chunk.end());
            let inside = &chunk[at..message_at];
            let delimiter = match has_parts {
                true => self.dashes().find(inside).map(|found| at + found + 1),
                false => None,
            };
            at = match (delimiter, message) {
                (Some(at), _) => at,
                (None, Some(at)) => at,
                (None, None) if chunk.is_last() => {
                    return Ok((chunk.end(), PartEnd::Input));
                }
                // A pattern may be cut, and its role depends on the line before it.
                (None, None) => {
                    let tail = &chunk[at..];
                    let at = at + tail.len().saturating_sub(FROM.len() + 1);
                    return Err(SearchStart { at, is_line: false });
                }
            };
        }
    }

    /// Returns the search for lines that begin with two dashes; it is made once for all parts.
    fn dashes(&self) -> &'static memmem::Finder<'static> {
        static DASHES: LazyLock<[memmem::Finder<'static>; 2]> =
            LazyLock::new(|| [memmem::Finder::new("\n--"), memmem::Finder::new("\r--")]);
        &DASHES[usize::from(self.line_end == b'\r')]
    }

    /// Returns the offset of the next line after `at` that begins with `From `.
    fn next_message(&mut self, chunk: Chunk<'_>, at: usize) -> Option<usize> {
        self.mailbox?;
        let from = self.no_message_before.max(at + 1);
        let bytes = chunk.get(from - 1..)?;
        let pattern = [self.line_end, b'F', b'r', b'o', b'm', b' '];
        let found = memmem::find(bytes, &pattern);
        self.no_message_before = match found {
            Some(found) => from + found,
            None => from.max((from + bytes.len()).saturating_sub(pattern.len())),
        };
        found.map(|found| from + found)
    }
}

fn with_parts((number, level): (usize, &EntityLevel)) -> Option<(usize, &Multipart)> {
    match level {
        EntityLevel::Parts(parts) => Some((number, parts)),
        EntityLevel::Message => None,
    }
}

/// Appends a section in the numbering of IMAP (RFC 9051 §6.4.5): `1.2`.
pub(crate) fn push_section(numbers: &[u64], text: &mut String) {
    for (place, number) in numbers.iter().enumerate() {
        if place > 0 {
            text.push('.');
        }
        push_number(*number, text);
    }
}

/// Appends a number; `to_string` would allocate.
pub(crate) fn push_number(number: u64, text: &mut String) {
    let mut least = 1;
    while number / least >= 10 {
        least *= 10;
    }
    while least > 0 {
        text.push(char::from(b'0' + (number / least % 10) as u8));
        least /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(boundary: &str) -> EntityLevel {
        EntityLevel::Parts(Multipart {
            boundary: boundary.as_bytes().into(),
            depth: 0,
            number: 0,
            is_digest: false,
            is_closed: false,
        })
    }

    fn find(text: &str, levels: &[EntityLevel]) -> (usize, PartEnd) {
        let chunk = Chunk::whole(text.as_bytes());
        let start = SearchStart { at: 0, is_line: true };
        let found = PartEndFinder::new(b'\n', None).find(chunk, start, levels).unwrap();
        for end in 0..text.len() {
            let chunk = Chunk::new(&text.as_bytes()[..end], 0, false);
            let mut ends = PartEndFinder::new(b'\n', None);
            let first = ends.find(chunk, start, levels);
            let whole = Chunk::whole(text.as_bytes());
            let then = first.or_else(|again| ends.find(whole, again, levels));
            assert_eq!(then, Ok(found), "{text:?} {end}");
        }
        found
    }

    #[test]
    fn delimiters_count_at_the_start_of_a_line() {
        let levels = [parts("b"), parts("bb")];
        let delimiter = |level, is_close, next| PartEnd::Delimiter { level, is_close, next };
        assert_eq!(find("x --b\n--bb\ny", &levels), (6, delimiter(1, false, 11)));
        assert_eq!(find("--b--  \r\ny", &levels), (0, delimiter(0, true, 9)));
        assert_eq!(find("x\n--b", &levels), (2, delimiter(0, false, 5)));
        assert_eq!(find("x\n--bc\n", &levels), (7, PartEnd::Input));
        assert_eq!(find("x\n--b -\n", &levels), (8, PartEnd::Input));
        let mut text = String::new();
        push_section(&[1, 20, u32::MAX.into(), 0], &mut text);
        assert_eq!(text, "1.20.4294967295.0");
        text.clear();
        push_number(u64::MAX, &mut text);
        assert_eq!(text, u64::MAX.to_string());
    }
}
