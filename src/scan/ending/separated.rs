//! An address or a host that a separator joins to a link: `http://example.org/a;me@example.org`, `http://example.org/a|www.example.org`.

use std::ops::Range;

use crate::scan::address_host;
use crate::scan::view::{Char, Incomplete, View};
use crate::tables::punctuation::separated_local;

/// Maximum number of letters of the name of a character of markup.
const MAX_NAME: usize = 8;

/// Returns `true` if `www.` and a letter or digit are at `at`, after a separator of this link, and not after a character of markup.
pub(super) fn is_www(view: &View<'_>, link: Range<usize>, at: usize) -> Result<bool, Incomplete> {
    for (n, want) in b"www.".iter().enumerate() {
        if !view.byte(at + n)?.is_some_and(|byte| byte.eq_ignore_ascii_case(want)) {
            return Ok(false);
        }
    }
    let is_name = view.byte(at + 4)?.is_some_and(|byte| byte.is_ascii_alphanumeric());
    Ok(is_name && !(view.text[link.end] == b';' && is_name_of_character(&view.text[link])))
}

/// Returns where a link ends whose tail, from the authority to an at sign, is at `tail`, if a separator and the local part of an
/// address are before the sign, and a host is at `after`.
pub(super) fn end_before_address(
    view: &View<'_>,
    tail: Range<usize>,
    after: usize,
) -> Result<Option<usize>, Incomplete> {
    let origin = tail.start;
    let Some(local) = separated_local(&view.text[tail]).map(|len| origin + len) else {
        return Ok(None);
    };
    // An address in the path begins a list, and the name of a file may have a size: `large@2x.zip`.
    let is_of_path = memchr::memchr(b'@', &view.text[origin..local]).is_some()
        || view.byte(after)?.is_some_and(|byte| byte.is_ascii_digit());
    if is_of_path
        || view.text[local - 1] == b';' && is_name_of_character(&view.text[origin..local - 1])
        || !address_host::is_known(view, after)?
    {
        return Ok(None);
    }
    let mut end = local;
    while let Char { code: 0x2C | 0x3B | 0x7C, len: 1 } = view.prev(end, origin) {
        end -= 1;
    }
    Ok((end > origin && end < local).then_some(end))
}

/// Returns `true` if a text ends in an ampersand and letters or digits, with which a semicolon is a character of markup: `&amp`.
fn is_name_of_character(text: &[u8]) -> bool {
    let is_inner = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'#';
    let len = text.iter().rev().take(MAX_NAME).take_while(is_inner).count();
    text[..text.len() - len].ends_with(b"&")
}
