//! The characters of hosts, by UTS #58, and by `docs/rules.md` where UTS #58 leaves a choice.

use super::view::{Char, Incomplete, View};
pub(crate) use crate::scan::prefilter::surroundings::is_simple;
use crate::tables;
use crate::tables::direction::is_rtl;
use crate::tables::identifiers::{self, Scripts, bits};
use crate::tables::imitation::{is_like_syntax, is_unseen};
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

/// Returns `true` for U+00AD, which UTS #46 removes: a host and a local part have it between two letters or digits.
pub(crate) fn is_soft_hyphen(c: Char) -> bool {
    c.code == 0xAD
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

/// Returns `true` if a reader does not see `c`, which is behind a host, or mistakes it for a part of the link, so that
/// `next` seems to be in the link too.
///
/// A character is not mistaken before a letter of a script that writes it: full stops, colons, hyphens and question marks
/// there are those of the prose, and the invisible ones separate words, or set directions.
pub(crate) fn goes_on(c: char, next: char) -> bool {
    if !is_mistaken(c) || !next.is_alphanumeric() {
        return false;
    }
    if next.is_ascii() {
        return true;
    }
    let scripts = |c: char| identifiers::class(u32::from(c)).scripts();
    let (own, following) = (scripts(c), scripts(next));
    if following == Scripts::ALL {
        return true;
    }
    let is_written = match c {
        '\u{200B}' | '\u{2060}' | '\u{FEFF}' => following.meets(UNSPACED),
        '\u{200C}' | '\u{200D}' => !following.meets(EUROPEAN),
        '\u{61C}' | '\u{200E}' | '\u{200F}' => is_rtl(next),
        '\u{FF0D}' | '\u{FF1A}' | '\u{FF1F}' | '\u{FE13}' | '\u{FE16}' | '\u{FE30}'
        | '\u{FE52}' | '\u{FE55}' | '\u{FE56}' | '\u{FE58}' => following.meets(EAST_ASIAN),
        '\u{6D4}' => following.meets(Scripts::of(bits::ARAB)),
        '\u{589}' => following.meets(Scripts::of(bits::ARMN | bits::GEOR)),
        _ => own != Scripts::ALL && own.meets(following),
    };
    !is_written
}

/// Returns `true` if a reader does not see a character, or takes it for the punctuation of a URL.
pub(crate) fn is_mistaken(c: char) -> bool {
    is_unseen(c) || is_like_syntax(c)
}

/// Scripts that do not put spaces between words.
const UNSPACED: Scripts = Scripts::of(
    bits::HANI
        | bits::HIRA
        | bits::KANA
        | bits::BOPO
        | bits::THAI
        | bits::LAOO
        | bits::KHMR
        | bits::MYMR
        | bits::TIBT,
);
const EAST_ASIAN: Scripts =
    Scripts::of(bits::HANI | bits::HIRA | bits::KANA | bits::BOPO | bits::HANG);
const EUROPEAN: Scripts = Scripts::of(bits::LATN | bits::GREK | bits::CYRL);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_a_host_is_mistaken_unless_the_script_writes_it() {
        for (c, next) in [
            ('⁄', 'l'),
            ('／', 'l'),
            ('？', 'q'),
            ('：', '8'),
            ('＠', 'e'),
            ('․', 'c'),
            ('‑', 'l'),
            ('\u{2060}', 'a'),
            ('\u{200E}', 'a'),
            ('\u{202E}', 'a'),
            ('\u{34F}', 'ä'),
            ('\u{FE0F}', 'a'),
            ('\u{E0041}', 'a'),
            ('\u{3164}', 'a'),
            ('\u{200B}', 'п'),
            ('۔', 'a'),
            ('＃', '例'),
            ('／', '例'),
            ('։', 'ا'),
        ] {
            assert!(goes_on(c, next), "{c:?} {next:?}");
        }
        for (c, next) in [
            ('：', '请'),
            ('？', '谢'),
            ('۔', 'ا'),
            ('։', 'ա'),
            ('׃', 'א'),
            ('–', 'l'),
            ('—', 'l'),
            ('\u{200B}', 'ภ'),
            ('\u{200F}', 'א'),
            ('\u{200C}', 'ا'),
            ('⁄', ' '),
            ('，', 'a'),
            (')', 'a'),
            ('\u{200B}', '.'),
        ] {
            assert!(!goes_on(c, next), "{c:?} {next:?}");
        }
    }
}
