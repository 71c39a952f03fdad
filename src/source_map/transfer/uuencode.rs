//! Uuencode (POSIX `uuencode`): lines between `begin` and `end`.
//!
//! Bytes before `begin` represent themselves; the encoding ends after `end`, and at a line that is not encoded.

use super::{ByteOrigin, DecodedSink};

/// Maximum length of a line; real lines are shorter, since 45 bytes are 61 characters.
const LONGEST_LINE: usize = 128;

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
