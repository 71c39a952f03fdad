//! Detects prose that follows an ASCII link without a space: `http://example.org/aを参照`.
//!
//! The input is the first character of another script in a path, query or fragment. The result is whether it continues the
//! sentence rather than the link, by the words of `tables::sentence`.

use super::Ending;
use crate::scan::host_char::is_bare_host_char;
use crate::scan::joined::is_foreign;
use crate::scan::view::{Char, EDGE, Incomplete, View, is_gap};
use crate::tables::sentence::{
    self, AHEAD, begins_sentence, is_hangul, is_joiner, is_mark_at_end, is_unspaced,
    may_begin_sentence,
};

/// Number of characters before it that are examined: `.xhtml` has six.
const BEFORE: usize = 6;

impl Ending {
    /// Returns `true` if prose begins with this character, the first non-ASCII one, or if a punctuation mark ends the word
    /// here.
    pub(super) fn is_glued(
        &mut self,
        view: &View<'_>,
        c: Char,
        after: usize,
    ) -> Result<bool, Incomplete> {
        if char::from_u32(c.code).is_some_and(is_mark_at_end) {
            return Ok(is_gap(view.next(after)?.code));
        }
        if self.is_foreign {
            return Ok(false);
        }
        if let Some(hyphen) = suffix(view, self.start, self.at)? {
            self.safe = hyphen;
            return Ok(true);
        }
        begins(view, self.start, self.at)
    }
}

/// Returns `true` if [`Ending::is_glued`] may end the link before its first non-ASCII character, which is not a punctuation
/// mark.
pub(crate) fn is_glued(view: &View<'_>, start: usize, at: usize) -> Result<bool, Incomplete> {
    Ok(suffix(view, start, at)?.is_some() || begins(view, start, at)?)
}

/// Returns `false` if [`is_glued`] is surely `false` for a character after a byte.
#[inline(always)]
pub(crate) fn may_be_glued(before: u8, code: u32) -> bool {
    let Some(c) = char::from_u32(code) else { return true };
    match before {
        b'-' => true,
        // No name of a document is before it.
        b'/' if is_unspaced(c) => may_begin_sentence(c),
        _ => is_unspaced(c) || is_hangul(c) || is_joiner(c),
    }
}

/// Returns `true` if prose begins at `at`, where the first character of another script follows the link.
fn begins(view: &View<'_>, start: usize, at: usize) -> Result<bool, Incomplete> {
    let Some(first) = char::from_u32(view.next(at)?.code) else { return Ok(false) };
    if is_joiner(first) {
        return Ok(true);
    }
    if !is_unspaced(first) && !is_hangul(first) {
        return Ok(false);
    }
    let front = view.prev(at, start).code;
    // `?title=获取用户`: the value of a query begins.
    if front == u32::from('=') {
        return Ok(false);
    }
    if is_document(view, start, at) {
        return Ok(true);
    }
    if !may_begin_sentence(first) && !is_hangul(first) {
        return Ok(false);
    }
    let mut text = ['\0'; AHEAD];
    let (mut len, mut end) = (0, at);
    while len < AHEAD {
        let c = view.next(end)?;
        if c.code == EDGE {
            break;
        }
        // A malformed character is not white space, and not on any list.
        text[len] = char::from_u32(c.code).unwrap_or(char::REPLACEMENT_CHARACTER);
        len += 1;
        end += c.len.max(1);
    }
    Ok(begins_sentence(&text[..len], front == u32::from('/')))
}

/// Returns the offset of the hyphen that joins a suffix to a link which ends in a slash: `http://example.org/-ზე`.
/// After `/wiki/` the name of a page begins, and a dictionary has pages for suffixes: `/wiki/-ость`.
fn suffix(view: &View<'_>, start: usize, at: usize) -> Result<Option<usize>, Incomplete> {
    let hyphen = view.prev(at, start);
    if hyphen.code != u32::from('-') || !is_letter_of_another(view.next(at)?) {
        return Ok(None);
    }
    let hyphen = at - hyphen.len;
    let is_before = |text: &str| {
        let mut before = hyphen;
        text.chars().rev().all(|c| {
            let found = view.prev(before, start);
            before -= found.len;
            found.code == u32::from(c)
        })
    };
    Ok((is_before("/") && !is_before("/wiki/")).then_some(hyphen))
}

fn is_letter_of_another(c: Char) -> bool {
    is_foreign(c.code) && is_bare_host_char(c)
}

/// Returns `true` if the link so far ends in the extension of a document: `/index.html`.
fn is_document(view: &View<'_>, start: usize, end: usize) -> bool {
    let mut extension = [0; BEFORE];
    let (mut at, mut first) = (end, BEFORE);
    loop {
        let c = view.prev(at, start);
        match u8::try_from(c.code) {
            Ok(byte) if byte.is_ascii_lowercase() && first > 0 => {
                first -= 1;
                extension[first] = byte;
                at -= c.len;
            }
            Ok(b'.') => break,
            _ => return false,
        }
    }
    sentence::is_document(&extension[first..])
}
