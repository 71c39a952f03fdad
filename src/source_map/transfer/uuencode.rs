//! Uuencode (POSIX `uuencode`): lines between `begin` and `end`.
//!
//! Bytes before `begin` represent themselves; the encoding ends after `end`, and at a line that is not encoded.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{ByteOrigin, DecodedSink};

/// Maximum length of a line; real lines are shorter, since 45 bytes are 61 characters.
const LONGEST_LINE: usize = 128;
/// Compiled search for the start of a file's first line.
pub(crate) static BEGIN: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("begin "));

#[derive(Clone, Copy, Debug)]
pub(crate) struct Uuencode {
    line_end: u8,
    has_begun: bool,
    pub(crate) has_ended: bool,
}

impl Uuencode {
    pub(crate) fn new(line_end: u8) -> Uuencode {
        Uuencode { line_end, has_begun: false, has_ended: false }
    }

    /// Creates a decoder at the beginning of a line after `begin`.
    pub(crate) fn resumed(line_end: u8) -> Uuencode {
        Uuencode { has_begun: true, ..Uuencode::new(line_end) }
    }

    /// Decodes `bytes`, which are stored from `stored` on. Returns the number of bytes processed: all except those that
    /// depend on more bytes, if these are not the last, unless the sink has enough.
    pub(crate) fn step(
        &mut self,
        bytes: &[u8],
        stored: usize,
        is_last: bool,
        sink: &mut impl DecodedSink,
    ) -> usize {
        let mut at = 0;
        while at < bytes.len() && !self.has_ended {
            let rest = &bytes[at..];
            let found = memchr::memchr(self.line_end, rest);
            if found.is_none() && !is_last && rest.len() < LONGEST_LINE {
                return at;
            }
            let len = found.map_or(rest.len(), |found| found + 1);
            let line = rest[..found.unwrap_or(rest.len())].trim_ascii_end();
            if !self.has_begun {
                if is_begin(line) {
                    self.has_begun = true;
                } else if sink.literal(rest, len, stored + at) {
                    return at + len;
                }
                at += len;
                continue;
            }
            let Some(count) = count(line) else {
                self.has_ended = true;
                // The line `end` does not belong to the text that follows.
                return if line == b"end" { at + len } else { at };
            };
            if sink.is_idle() {
                at += len;
                continue;
            }
            sink.line(stored + at);
            for number in (0..count).step_by(3) {
                let first = 1 + 4 * (number / 3);
                let digit = |at: usize| line.get(at).map_or(0, |b| b.wrapping_sub(b' ') & 0x3F);
                let [a, b, c, d] = [0, 1, 2, 3].map(|place| digit(first + place));
                let group = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
                for (phase, byte) in group.into_iter().enumerate().take(count - number) {
                    let start = stored + at + first + phase;
                    let unit = ByteOrigin::digits(start..start + 2, phase as u8);
                    if sink.unit(byte, unit) {
                        return at;
                    }
                }
            }
            at += len;
        }
        at
    }
}

/// Returns `true` for the line `begin MODE NAME`.
pub(crate) fn is_begin(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"begin ") else { return false };
    let digits = rest.iter().take_while(|b| (b'0'..b'8').contains(*b)).count();
    (3..=4).contains(&digits) && rest.get(digits) == Some(&b' ')
}

/// Returns the name of the file in these lines, from `begin` on.
pub(crate) fn name(lines: &[u8]) -> &[u8] {
    let line = lines.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    line.splitn(3, |byte| *byte == b' ').nth(2).unwrap_or_default().trim_ascii()
}

/// Returns the number of bytes that a line encodes; `None` if it is not a line of uuencode.
pub(crate) fn count(line: &[u8]) -> Option<usize> {
    let (first, rest) = line.split_first()?;
    if !line.iter().all(|b| (b' '..=b'`').contains(b)) {
        return None;
    }
    let count = usize::from((first - b' ') & 0x3F);
    // Blanks at the end may be missing, and there may be a check digit.
    let digits = count.div_ceil(3) * 4;
    (rest.len() <= digits + 1 && (rest.len() + 4 > digits || count == 0)).then_some(count)
}

/// Search for uuencoded files in a text that is not decoded. It reads the first [`HEAD`](Self::HEAD) bytes in full; in the
/// rest it examines one place in each [`SAMPLE`](Self::SAMPLE) bytes, so that it costs next to nothing, and finds each
/// file of at least seven full lines.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UuencodeSearch {
    /// Offset of the text of the next place that is examined; 0 before the head was read.
    next: usize,
    pub(crate) has_found: bool,
}

impl UuencodeSearch {
    const HEAD: usize = 32 << 10;
    const SAMPLE: usize = 256;

    /// Returns what a search that goes on at `offset` needs to know; `None` as long as it needs more bytes before it.
    pub(crate) fn point(self, offset: usize) -> Option<(usize, bool)> {
        let is_read =
            self.has_found || self.next >= Self::HEAD && self.next >= offset + 2 * LONGEST_LINE;
        is_read.then_some((self.next, self.has_found))
    }

    /// Continues another search of the same text.
    pub(crate) fn resumed((next, has_found): (usize, bool)) -> UuencodeSearch {
        UuencodeSearch { next, has_found }
    }

    /// Returns `true` if a complete text may contain a uuencoded file.
    pub(crate) fn may_be_in(bytes: &[u8]) -> bool {
        let mut search = UuencodeSearch::default();
        search.look(bytes, 0, true);
        search.has_found
    }

    /// Examines the places that it has not examined yet; `bytes` begin at the offset `start` of the text.
    pub(crate) fn look(&mut self, bytes: &[u8], start: usize, is_last: bool) {
        let end = start + bytes.len();
        // Two lines on each side of a place are read.
        let limit = if is_last { end } else { end.saturating_sub(2 * LONGEST_LINE) };
        if self.has_found || limit < Self::HEAD && !is_last {
            return;
        }
        if self.next < Self::HEAD {
            self.next = Self::HEAD;
            let head = bytes.len().min(Self::HEAD.saturating_sub(start) + 2 * LONGEST_LINE);
            self.has_found = begins_in(&bytes[..head]);
        }
        self.next = self.next.max(start.next_multiple_of(Self::SAMPLE));
        while self.next < limit && !self.has_found {
            let at = self.next - start;
            self.has_found = may_be_data(&bytes[at..]) && is_between_lines(bytes, at);
            self.next += Self::SAMPLE;
        }
    }
}

/// Returns `true` if a file begins in these bytes: a line `begin MODE NAME`, then a line of data.
fn begins_in(bytes: &[u8]) -> bool {
    BEGIN.find_iter(bytes).any(|at| {
        let mut lines = bytes[at..].splitn(3, |byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        let is_line_start = at == 0 || bytes[at - 1] == b'\n';
        is_line_start
            && lines.next().is_some_and(is_begin)
            && lines.next().is_some_and(|line| is_data(line) || is_escaped_data(line))
    })
}

fn is_data(line: &[u8]) -> bool {
    count(line).is_some_and(|count| count > 0)
}

/// Returns `true` for a line of data in which `<`, `>` and `&` are written as references of HTML.
pub(crate) fn is_escaped_data(line: &[u8]) -> bool {
    if !line.contains(&b'&') || line.len() > LONGEST_LINE * "&amp;".len() {
        return false;
    }
    let (mut plain, mut rest) = (Vec::with_capacity(line.len()), line);
    while let Some((first, after)) = rest.split_first() {
        let names = [(&b"&amp;"[..], b'&'), (b"&lt;", b'<'), (b"&gt;", b'>')];
        let found = names.into_iter().find(|(name, _)| rest.starts_with(name));
        let (len, byte) = found.map_or((1, *first), |(name, byte)| (name.len(), byte));
        plain.push(byte);
        rest = rest.get(len..).unwrap_or(after);
    }
    plain.len() < line.len() && is_data(&plain)
}

/// Returns `false` for most other texts, which have lower-case letters. Reading lines costs far more.
#[inline]
fn may_be_data(bytes: &[u8]) -> bool {
    bytes.iter().take(8).all(|byte| *byte <= b'`')
}

/// Returns `true` if a full line of data is at an offset, and another line of data after it.
fn is_between_lines(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[at.saturating_sub(LONGEST_LINE)..at];
    let Some(line_end) = memchr::memrchr(b'\n', before) else { return false };
    let after = &bytes[at - before.len() + line_end + 1..];
    let after = &after[..after.len().min(2 * LONGEST_LINE)];
    let mut lines = after.splitn(3, |byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let is_full = |line: &[u8]| line.first() == Some(&FULL) && count(line).is_some();
    lines.next().is_some_and(is_full) && lines.next().is_some_and(is_data)
}

/// First character of a line of 45 bytes, as all are but the last.
const FULL: u8 = b'M';
