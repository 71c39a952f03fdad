//! The characters of hosts, by UTS #58, and by `docs/rules.md` where UTS #58 leaves a choice.

use super::view::{Char, Incomplete, View};
pub(crate) use crate::scan::prefilter::surroundings::is_simple;
use crate::tables;
use crate::tables::punctuation::{FullStop, dot_of_host};

/// Class of a character in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CharClass {
    Letter,
    Hyphen,
    Dot,
    FullStop,
    Symbol,
    None,
}

/// Returns `true` if the characters around the byte decide whether a host ends there.
#[inline]
pub(crate) const fn needs_look(byte: u8) -> bool {
    matches!(byte, b'_' | b'%' | b'&' | 0x80..)
}

pub(crate) fn class(c: Char) -> CharClass {
    match c.code {
        0x2D => CharClass::Hyphen,
        code => {
            match dot_of_host(code) {
                Some(FullStop::Plain) => return CharClass::Dot,
                Some(FullStop::Ideographic) => return CharClass::FullStop,
                None => {}
            }
            let class = tables::class(c.code);
            if class.is_host() {
                CharClass::Letter
            } else if class.is_host_symbol() {
                CharClass::Symbol
            } else {
                CharClass::None
            }
        }
    }
}

/// Returns `true` if the character is a dot of a host, or a full stop that may be one.
pub(crate) fn is_dot(c: Char) -> bool {
    dot_of_host(c.code).is_some()
}

/// Returns `true` if the character may be in a host without a scheme; dots are not included.
pub(crate) fn is_bare_host_char(c: Char) -> bool {
    matches!(class(c), CharClass::Letter | CharClass::Hyphen)
}

/// Returns `true` if the character may be in a host after `scheme://`, whatever is around it.
pub(crate) fn is_host_like(c: Char) -> bool {
    class(c) != CharClass::None || c.code == u32::from('_') || c.code == u32::from('%')
}

/// Returns `true` if there are only dots between the offsets.
pub(crate) fn is_only_dots(view: &View<'_>, start: usize, end: usize) -> bool {
    let mut at = start;
    while at < end {
        match view.next(at) {
            Ok(c) if is_dot(c) => at += c.len,
            _ => return false,
        }
    }
    true
}

/// Returns `true` if the character is a letter, a combining mark or a number of a host.
pub(crate) fn is_letter(c: Char) -> bool {
    class(c) == CharClass::Letter && !is_hebrew_mark(c)
}

/// Returns `true` if a letter or digit of a host is on both sides: only there do an underscore and the Hebrew punctuation,
/// which also serves as quotation marks, belong to a host.
pub(crate) fn is_inner(
    view: &View<'_>,
    start: usize,
    at: usize,
    len: usize,
) -> Result<bool, Incomplete> {
    Ok(is_letter(view.prev(at, start)) && is_letter(view.next(at + len)?))
}

/// Returns `true` for U+05F3 and U+05F4.
pub(crate) fn is_hebrew_mark(c: Char) -> bool {
    matches!(c.code, 0x5F3 | 0x5F4)
}

pub(crate) fn is_triplet(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let is_hex = |byte: Option<u8>| byte.is_some_and(|b| b.is_ascii_hexdigit());
    Ok(is_hex(view.byte(at + 1)?) && is_hex(view.byte(at + 2)?))
}

pub(crate) fn is_symbol(c: Char) -> bool {
    class(c) == CharClass::Symbol && !is_variation_selector(c)
}

pub(crate) fn is_variation_selector(c: Char) -> bool {
    matches!(c.code, 0xFE0E | 0xFE0F)
}

/// Returns `true` if a reader mistakes a character that ends a host for a slash of its link, or does not see it.
pub(crate) fn continues_host(c: char) -> bool {
    matches!(c, '\u{2044}' | '\u{2215}' | '\u{29F8}' | '\u{FF0F}' | '\u{200B}' | '\u{AD}')
}
