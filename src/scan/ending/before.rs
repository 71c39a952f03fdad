//! The text before a link on its line, as far as it decides where the link ends.

use super::Ending;
use crate::scan::markup_context::{APOSTROPHE, DOUBLE, is_closing};
use crate::scan::view::{EDGE, Incomplete, View};

/// Number of characters before the link that are examined; no more are available where windows are decoded.
const MAX_BEFORE: usize = 32;

/// Flag beside the kinds of quotation marks: the link has a double one.
pub(super) const SEEN_DOUBLE: u8 = 128;

/// The last characters before a link on its line; a non-ASCII character counts as NUL.
pub(super) struct LineBefore {
    bytes: [u8; MAX_BEFORE],
    first: usize,
}

impl LineBefore {
    /// Reads the characters before `start`.
    pub(super) fn of(view: &View<'_>, start: usize) -> Result<LineBefore, Incomplete> {
        let mut before = LineBefore { bytes: [0; MAX_BEFORE], first: MAX_BEFORE };
        let mut at = start;
        while before.first > 0 {
            let c = view.prev(at, 0);
            if c.code == EDGE || matches!(c.code, 0x0A | 0x0D) {
                break;
            }
            at -= c.len;
            before.first -= 1;
            let byte = u8::try_from(c.code).unwrap_or(0);
            before.bytes[before.first] = if byte.is_ascii() { byte } else { 0 };
        }
        match view.is_ascii_back(at, start) {
            true => Ok(before),
            // In a legacy encoding a byte that looks like ASCII may be half a character.
            false => Err(Incomplete),
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.first..]
    }
}

/// Returns the number of these bytes at the end of a text.
pub(super) fn trailing(text: &[u8], byte: u8) -> usize {
    text.iter().rev().take_while(|&&b| b == byte).count()
}

/// Returns `true` if a quotation mark before `start` on its line opens a string that is not closed before it:
/// `('see `. An apostrophe is between two letters.
fn is_in_string(view: &View<'_>, start: usize, mark: u8) -> Result<bool, Incomplete> {
    let before = LineBefore::of(view, start)?;
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == 0;
    let mut rest = before.bytes();
    while let Some(at) = memchr::memrchr(mark, rest) {
        let (front, behind) = (rest[..at].last(), before.bytes().get(at + 1));
        let is_first = at == 0 && before.first > 0;
        let is_letter_before = front.is_some_and(is_letter);
        rest = &rest[..at];
        let is_apostrophe = mark == b'\'' && is_letter_before && behind.is_some_and(is_letter);
        if front == Some(&b'\\') || is_apostrophe {
            continue;
        }
        let closes = |byte: &u8| byte.is_ascii_whitespace() || b",;:.)]}+".contains(byte);
        return Ok((is_first || front.is_some())
            && !is_letter_before
            && !behind.is_none_or(closes));
    }
    Ok(false)
}

impl Ending {
    /// Returns `true` if a quotation mark of this kind, which nothing in the link opened, ends the link; the text after it is at
    /// `after`. In prose a double one also ends a string that began before the link, or begins the next value of a list.
    #[inline(never)]
    pub(super) fn is_end_of_string(
        &self,
        view: &View<'_>,
        mark: u8,
        after: usize,
    ) -> Result<bool, Incomplete> {
        let prose = self.limits.prose;
        if mark == APOSTROPHE && !(prose && is_in_string(view, self.start, b'\'')?) {
            return Ok(false);
        }
        if is_closing(view, mark, after)? {
            return Ok(true);
        }
        if !prose || mark != DOUBLE {
            return Ok(false);
        }
        let before = char::from_u32(view.prev(self.at, self.origin).code);
        // `/"Heroes"_(album)`: it opens in the link.
        if matches!(before, Some('/' | '=' | '_'))
            && view.byte(after)?.is_some_and(|byte| byte.is_ascii_alphanumeric())
        {
            return Ok(false);
        }
        // `?key=[1,"a"]` is one value.
        let is_separated = matches!(before, Some(',' | ';'))
            && self.pairs.quotes & SEEN_DOUBLE == 0
            && self.pairs.brackets.is_empty()
            && !self.has_query();
        Ok(is_separated || is_in_string(view, self.start, b'"')?)
    }
}
