//! Facts about characters, top-level domains and schemes, as tables that are looked up in a few instructions.
//!
//! The input is a code point, a label or a scheme; the result is a [`Class`], or a yes or a no. The data is in
//! `src/generated`, whose files `tests/it/tables` generates and compares; the code here only reads it. It implements the
//! properties of UTS #58 (`Link_Term`, `Link_Bracket`, `Link_Email`) and additional classes that link detection needs. It
//! does not decide where a link begins or ends.

pub mod entities;
pub(crate) mod forms;
pub mod identifiers;
pub(crate) mod imitation;
pub(crate) mod punctuation;
pub(crate) mod punycode;
mod scheme_rows;
pub mod schemes;
pub(crate) mod sentence;
pub(crate) mod simple_host;
pub mod tld;

#[path = "../generated/confusable_list.rs"]
mod confusable_list;
pub(crate) mod direction;
#[path = "../generated/directions.rs"]
mod directions;
#[path = "../generated/entity_list.rs"]
mod entity_list;
#[path = "../generated/exemplar_list.rs"]
mod exemplar_list;
#[path = "../generated/identifier_list.rs"]
mod identifier_list;
#[path = "../generated/like_ascii.rs"]
mod like_ascii;
#[path = "../generated/like_syntax.rs"]
mod like_syntax;
pub(crate) mod opening;
#[path = "../generated/scheme_list.rs"]
mod scheme_list;
#[path = "../generated/tld_list.rs"]
mod tld_list;
#[path = "../generated/unicode.rs"]
mod unicode;

use unicode::{DENSE_END, FAR_END, FAR_START, INDEX, LEAVES};

pub(crate) use unicode::VERSION;

pub use unicode::BRACKETS;

/// Effect of a character on the end of a link: `Link_Term` of UTS #58, with two classes that are split from its `Include`
/// and `Soft`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Term {
    /// Ends a link, in any position.
    Hard = 0,
    /// Belongs to a link only if a character that belongs to it follows.
    Soft = 1,
    /// An opening bracket.
    Open = 2,
    /// A closing bracket.
    Close = 3,
    /// Belongs to a link.
    Include = 4,
    /// `Include` by UTS #58, but invisible: bidi formatting, U+200B, U+00AD, U+FEFF, and U+FFFD for bytes that could not be
    /// decoded. It ends a link as `Hard` does.
    Ender = 5,
    /// `Soft` by UTS #58, and a full stop, comma or similar mark of a script without spaces.
    ProseStop = 6,
}

/// Class of a character: its [`Term`] and five Boolean properties, in one byte.
///
/// ```
/// use linksift::tables::{Term, class};
/// assert_eq!(class('。' as u32).term(), Term::ProseStop);
/// assert!(class('例' as u32).is_host() && !class('_' as u32).is_host());
/// assert_eq!(class(u32::MAX).term(), Term::Hard);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class(u8);

impl Class {
    /// Mask of the [`Term`].
    pub const TERM: u8 = 0b111;
    /// A host character other than the dots and `_`.
    pub const HOST: u8 = 1 << 3;
    /// A symbol or variation selector that a host after an explicit `scheme://` may contain.
    pub const HOST_SYMBOL: u8 = 1 << 4;
    /// `Link_Email`: a character of a local part.
    pub const EMAIL: u8 = 1 << 5;
    /// `White_Space`.
    pub const WHITE_SPACE: u8 = 1 << 6;
    /// A letter that has case.
    pub const CASED: u8 = 1 << 7;

    /// Returns the effect of the character on the end of a link.
    ///
    /// ```
    /// use linksift::tables::{Term, class_ascii};
    /// assert_eq!(class_ascii(b'.').term(), Term::Soft);
    /// ```
    #[inline]
    pub const fn term(self) -> Term {
        match self.0 & Self::TERM {
            1 => Term::Soft,
            2 => Term::Open,
            3 => Term::Close,
            4 => Term::Include,
            5 => Term::Ender,
            6 => Term::ProseStop,
            // The generator does not write 7.
            _ => Term::Hard,
        }
    }

    /// Returns `true` if it may be in a host; dots and `_` are not included.
    ///
    /// ```
    /// use linksift::tables::class;
    /// assert!(class('é' as u32).is_host() && !class('’' as u32).is_host());
    /// ```
    #[inline]
    pub const fn is_host(self) -> bool {
        self.0 & Self::HOST != 0
    }

    /// Returns `true` if it is a symbol, or a variation selector after one, that a host after an explicit `scheme://` may
    /// contain. None of these [is a host character](Self::is_host).
    ///
    /// ```
    /// use linksift::tables::class;
    /// assert!(class('☺' as u32).is_host_symbol() && !class('→' as u32).is_host_symbol());
    /// ```
    #[inline]
    pub const fn is_host_symbol(self) -> bool {
        self.0 & Self::HOST_SYMBOL != 0
    }

    /// Returns `true` if it has `Link_Email`, so that it may be in a local part.
    ///
    /// ```
    /// use linksift::tables::class_ascii;
    /// assert!(class_ascii(b'+').is_email() && !class_ascii(b'@').is_email());
    /// ```
    #[inline]
    pub const fn is_email(self) -> bool {
        self.0 & Self::EMAIL != 0
    }

    /// Returns `true` if it has `White_Space`.
    ///
    /// ```
    /// use linksift::tables::class;
    /// assert!(class(0x3000).is_white_space() && !class(0x200B).is_white_space());
    /// ```
    #[inline]
    pub const fn is_white_space(self) -> bool {
        self.0 & Self::WHITE_SPACE != 0
    }

    /// Returns `true` if it is a letter that has case: lower, upper or title.
    ///
    /// ```
    /// use linksift::tables::class;
    /// assert!(class('ô' as u32).is_cased() && !class('例' as u32).is_cased());
    /// ```
    #[inline]
    pub const fn is_cased(self) -> bool {
        self.0 & Self::CASED != 0
    }

    /// Returns the byte itself, for masks that test several properties at once.
    ///
    /// ```
    /// use linksift::tables::{Class, class_ascii};
    /// let mask = Class::HOST | Class::EMAIL;
    /// assert_eq!(class_ascii(b'a').bits() & mask, mask);
    /// ```
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// Returns the class of a code point; for surrogates and values beyond U+10FFFF, the class of unassigned code points.
///
/// The table is a two-stage trie: two loads, and one comparison that has the same result for nearly all text. A third stage
/// would save 6 of the 8 KB of the index and cost a third dependent load. Planes 2 and 3 are in the dense part, so only
/// tags and variation selectors (U+E0000 to U+E01FF) take the other branch. A leaf has 64 code points, so that its index is
/// the payload of the last byte of a UTF-8 sequence.
///
/// ```
/// use linksift::tables::{Term, class};
/// assert_eq!(class('(' as u32).term(), Term::Open);
/// assert_eq!(class(0xE000).term(), Term::Hard);
/// ```
#[inline]
pub const fn class(c: u32) -> Class {
    let block = if c < DENSE_END {
        c >> 6
    } else if c >= FAR_START && c < FAR_END {
        (DENSE_END + (c - FAR_START)) >> 6
    } else {
        return Class(0);
    };
    Class(LEAVES[INDEX[block as usize] as usize][(c & 63) as usize])
}

/// Returns `true` if a character is assigned in the version of Unicode of these tables: its `General_Category` is not `Cn`.
///
/// Most characters without a class are unassigned; the others are controls, private-use characters, and a few that are
/// deprecated.
///
/// ```
/// use linksift::tables::is_assigned;
/// assert!(is_assigned('é') && is_assigned('\u{E000}') && is_assigned('\0'));
/// assert!(!is_assigned('\u{378}') && !is_assigned('\u{FFFE}') && !is_assigned(char::MAX));
/// ```
#[inline]
pub const fn is_assigned(c: char) -> bool {
    class(c as u32).0 != 0
        || matches!(
            c,
            '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}'
                | '\u{206A}'..='\u{206F}' | '\u{2329}' | '\u{232A}' | '\u{E0001}'
                | '\u{E000}'..='\u{F8FF}'
                | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}'
        )
}

/// Classes of U+0000 to U+007F; the entries of the bytes from 0x80 on are 0, which is no class.
///
/// There are 256 entries, so that a byte needs no bounds check; text uses four cache lines of them.
pub static ASCII: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 0x80 {
        table[b] = class(b as u32).bits();
        b += 1;
    }
    table
};

/// Returns the class of an ASCII byte; for any other byte, that of a control character.
///
/// ```
/// use linksift::tables::{class, class_ascii};
/// assert_eq!(class_ascii(b'a'), class('a' as u32));
/// assert_eq!(class_ascii(0xE9).bits(), 0);
/// ```
#[inline]
pub fn class_ascii(b: u8) -> Class {
    Class(ASCII[b as usize])
}

/// Returns the opening bracket that belongs to a closing one (`Link_Bracket`).
///
/// ```
/// use linksift::tables::opening_bracket;
/// assert_eq!(opening_bracket('>' as u32), Some('<' as u32));
/// assert_eq!(opening_bracket('」' as u32), Some('「' as u32));
/// assert_eq!(opening_bracket('(' as u32), None);
/// ```
#[inline]
pub fn opening_bracket(close: u32) -> Option<u32> {
    match close {
        0x29 => Some(0x28),
        0x3E => Some(0x3C),
        0x5D => Some(0x5B),
        0x7D => Some(0x7B),
        0..=0x7F => None,
        _ => {
            let at = BRACKETS.binary_search_by_key(&close, |pair| pair.0).ok()?;
            Some(BRACKETS[at].1)
        }
    }
}

/// Eight spaces: the bits that fold the case of the letters of a key.
const FOLD: u64 = 0x2020_2020_2020_2020;

/// Returns the first eight bytes of a name, each `| 0x20`, as one big-endian number, with zeros for missing bytes. This is
/// the key by which the lists are searched, so that a step of the search compares numbers and not strings.
///
/// `| 0x20` folds case and leaves `a`–`z`, `0`–`9`, `+ - .` unchanged, so the numbers of the names in a list are in the
/// order of the names. It also maps a few bytes that no name contains to others (CR to `-`), so the caller must compare the
/// names after finding a key.
///
/// Short names are loaded as two overlapping numbers, since a loop over the bytes would have a branch for each.
const fn key(name: &[u8]) -> u64 {
    if let Some(eight) = name.first_chunk::<8>() {
        return u64::from_be_bytes(*eight) | FOLD;
    }
    let unused = 64 - 8 * name.len() as u32;
    let bytes = if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>())
    {
        (u32::from_be_bytes(*first) as u64) << 32 | (u32::from_be_bytes(*last) as u64) << unused
    } else if let (Some(first), Some(last)) = (name.first_chunk::<2>(), name.last_chunk::<2>()) {
        (u16::from_be_bytes(*first) as u64) << 48 | (u16::from_be_bytes(*last) as u64) << unused
    } else if let [only] = name {
        (*only as u64) << 56
    } else {
        return 0;
    };
    bytes | (FOLD << unused)
}

/// Returns `true` for a label of a host that browsers read as a number (URL standard, "ends in a number").
pub(crate) fn is_number(label: &[u8]) -> bool {
    match label {
        [b'0', b'x' | b'X', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
        _ => label.iter().all(u8::is_ascii_digit),
    }
}

/// Returns `true` if a character is in one of these sorted ranges of code points, each given by its first and last.
pub(crate) fn is_in(ranges: &[(u32, u32)], c: char) -> bool {
    let c = u32::from(c);
    let at = ranges.partition_point(|&(_, last)| last < c);
    ranges.get(at).is_some_and(|&(first, _)| first <= c)
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn keys_are_the_first_eight_bytes_folded() {
        for name in [&b""[..], b"A", b"Ab", b"AbC", b"dEfG", b"a-1.Z", b"AEIOUY", b"MUSEUMS"] {
            let expected = name
                .iter()
                .enumerate()
                .fold(0, |key, (at, b)| key | u64::from(b | 0x20) << (56 - 8 * at));
            assert_eq!(key(name), expected, "{name:?}");
        }
        assert_eq!(key(b"LONG-name.beyond"), u64::from_be_bytes(*b"long-nam"));
        assert_eq!(key(b"EXACTLY8"), u64::from_be_bytes(*b"exactly8"));
    }
}
