//! What the rules ask of one character. The properties come from the library's
//! generated tables, which have tests of their own against the official files;
//! domains and schemes are the twin's own.

use super::listed;
use linksift::tables;

pub(super) use Term::{Close, Hard, Include, Open, Soft};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Hard,
    Soft,
    Open,
    Close,
    Include,
}

/// Link_Term as the official file has it: what is ours alone is asked for by
/// [`is_ender`] and [`is_prose_stop`].
pub(super) fn term(c: char) -> Term {
    if is_ender(c) {
        return Include;
    }
    if is_prose_stop(c) {
        return Soft;
    }
    table_term(c)
}

/// Characters that end a link in both modes though they are Include.
pub(super) fn is_ender(c: char) -> bool {
    matches!(
        c,
        '\u{200E}'
            | '\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}'
            | '\u{061C}'
            | '\u{200B}'
            | '\u{00AD}'
            | '\u{FEFF}'
            | '\u{FFFD}'
    )
}

/// CJK punctuation that ends a link in prose, whatever follows.
pub(super) fn is_prose_stop(c: char) -> bool {
    "。、，；：！？｡､".contains(c)
}

pub(super) fn is_dot(c: char) -> bool {
    c == '.' || c == '\u{FF0E}' || is_ideographic_dot(c)
}

pub(super) fn is_ideographic_dot(c: char) -> bool {
    c == '\u{3002}' || c == '\u{FF61}'
}

/// Host characters other than dots and `_`.
pub(super) fn is_host(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '-';
    }
    !is_ender(c) && class(c).is_host()
}

/// What may stand on both sides of a `_`, or of a Hebrew mark, inside a host.
pub(super) fn is_letter_or_digit(c: char) -> bool {
    is_host(c) && !matches!(c, '-' | '\u{5F3}' | '\u{5F4}')
}

/// A word of ASCII begins after it without a space.
pub(super) fn is_before_word(c: char) -> bool {
    is_before_host(c) || is_hangul(c)
}

/// A host of ASCII does.
pub(super) fn is_before_host(c: char) -> bool {
    is_unspaced(c)
        || within(
            c,
            &[
                (0x590, 0x8FF),
                (0xFB1D, 0xFDFF),
                (0xFE70, 0xFEFE),
                (0x10800, 0x10FFF),
                (0x1E800, 0x1EFFF),
            ],
        )
}

pub(super) fn is_hangul(c: char) -> bool {
    within(c, &[(0x1100, 0x11FF), (0xA960, 0xA97F), (0xAC00, 0xD7FF)])
}

/// A fraction, a currency, and what else is in a word that was read in a wrong encoding.
pub(super) fn is_sign_in_word(c: char) -> bool {
    let signs =
        [(0x80, 0xFF), (0x2020, 0x2022), (0x2030, 0x2031), (0x20A0, 0x20CF), (0x2150, 0x218F)];
    within(c, &signs) && !is_ender(c) && term(c) == Include
}

/// Belongs to the character before it: a joiner, a selector of a shape, the frame of a key.
pub(super) fn is_attached(c: char) -> bool {
    is_joiner(c) || is_variation_selector(c) || c == '\u{20E3}'
}

/// Joins letters, none of them of ASCII.
pub(super) fn is_joiner(c: char) -> bool {
    c == '\u{200C}' || c == '\u{200D}'
}

/// Greek and Armenian marks and dashes, which are part of a word unless they end it.
pub(super) fn is_mark_at_end(c: char) -> bool {
    "\u{B7}\u{387}\u{55B}\u{55C}\u{55D}\u{55E}–—―⸺⸻".contains(c)
}

/// Thai and Lao, Burmese, Khmer, Chinese and Japanese.
pub(super) fn is_unspaced(c: char) -> bool {
    let ranges = [
        (0xE00, 0xEFF),
        (0x1000, 0x109F),
        (0x1780, 0x17FF),
        (0x2E80, 0x9FFF),
        (0xF900, 0xFAFF),
        (0x20000, 0x3FFFF),
    ];
    within(c, &ranges)
}

/// Neither ASCII nor Latin, nor a mark of no script.
pub(super) fn is_foreign(c: char) -> bool {
    let marks = [
        (0xB7, 0xB7),
        (0x300, 0x36F),
        (0x1AB0, 0x1AFF),
        (0x1DC0, 0x1DFF),
        (0x200C, 0x200D),
        (0x20D0, 0x20FF),
        (0xFE00, 0xFE0F),
        (0xFE20, 0xFE2F),
        (0xE0100, 0xE01EF),
    ];
    !c.is_ascii() && !is_latin(c) && !within(c, &marks)
}

pub(super) fn is_latin(c: char) -> bool {
    let latin = [
        (0xAA, 0xAA),
        (0xBA, 0xBA),
        (0xC0, 0xD6),
        (0xD8, 0xF6),
        (0xF8, 0x2AF),
        (0x1D00, 0x1DBF),
        (0x1E00, 0x1EFF),
        (0x2C60, 0x2C7F),
        (0xA720, 0xA7FF),
        (0xAB30, 0xAB6F),
        (0xFF21, 0xFF3A),
        (0xFF41, 0xFF5A),
    ];
    within(c, &latin)
}

fn within(c: char, ranges: &[(u32, u32)]) -> bool {
    ranges.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)))
}

pub(super) fn is_variation_selector(c: char) -> bool {
    c == '\u{FE0E}' || c == '\u{FE0F}'
}

/// So and Sk, without the variation selectors after them.
pub(super) fn is_symbol(c: char) -> bool {
    !c.is_ascii() && !is_variation_selector(c) && class(c).is_host_symbol()
}

/// Link_Email.
pub(super) fn is_email(c: char) -> bool {
    !is_ender(c) && class(c).is_email()
}

pub(super) fn is_white_space(c: char) -> bool {
    c.is_whitespace()
}

/// A letter with case that is not ASCII.
pub(super) fn is_cased(c: char) -> bool {
    !c.is_ascii() && class(c).is_cased()
}

pub(super) fn is_scheme(c: char) -> bool {
    c.is_ascii_alphanumeric() || "+-.".contains(c)
}

pub(super) fn opening_bracket(close: char) -> Option<char> {
    tables::opening_bracket(u32::from(close)).and_then(char::from_u32)
}

pub(super) fn is_tld(label: &str) -> bool {
    listed::is_tld(label)
}

pub(super) fn is_known_scheme(scheme: &str) -> bool {
    listed::is_known_scheme(scheme)
}

fn class(c: char) -> tables::Class {
    tables::class(u32::from(c))
}

fn table_term(c: char) -> Term {
    match class(c).term() {
        tables::Term::Hard => Hard,
        tables::Term::Soft | tables::Term::ProseStop => Soft,
        tables::Term::Open => Open,
        tables::Term::Close => Close,
        tables::Term::Include | tables::Term::Ender => Include,
    }
}

/// A bar, a box or a block character, which rules off a table.
pub(super) fn is_rule(c: char) -> bool {
    c == '|' || ('\u{2500}'..='\u{259F}').contains(&c)
}
