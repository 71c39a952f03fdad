//! Properties of characters in names: whether they are recommended for names, their scripts, whether they are nonspacing
//! marks or decimal digits, whether mapping a host changes them, which text they look like, and which alphabets have them.
//!
//! The data is in `identifier_list`, `confusable_list` and `exemplar_list`, which `tests/it/tables` generates: from
//! `Identifier_Status` (UTS #39 §3.1), `Script_Extensions`, `General_Category`, the mapping of UTS #46 and the quick check of
//! NFC of Unicode 18.0; from the prototypes of UTS #39 §4, for characters that hosts may have; and from the main exemplar
//! sets of CLDR, if these are available. An alphabet that is part of another one is omitted, since this does not change
//! whether some language has all of several letters.
//!
//! The module `trust` decides which names are suspect, and compares names by their skeletons.

use std::fmt;

use super::confusable_list::{PROTOTYPES, SOURCES};
use super::exemplar_list::LETTERS;
pub use super::identifier_list::bits;
use super::identifier_list::{CLASSES, DENSE_END, INDEX, LEAVES, NAMES, ZEROS};

/// A set of scripts, which may include the three unions of UTS #39 §5.1: `Hanb`, `Jpan`, `Kore`.
///
/// Scripts without any characters recommended for names share one member, `Zzzz`.
///
/// ```
/// use linksift::tables::identifiers::{Scripts, class};
///
/// let both = class('日' as u32).scripts() & class('ひ' as u32).scripts();
/// assert_eq!(both.names().collect::<Vec<_>>(), ["Jpan"]);
/// assert!((class('а' as u32).scripts() & class('a' as u32).scripts()).is_empty());
/// assert_eq!(class('-' as u32).scripts(), Scripts::ALL);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scripts(u64);

impl Scripts {
    /// Every script: the set of `Common` and `Inherited` characters without extensions.
    pub const ALL: Scripts = Scripts(u64::MAX);

    /// Returns the set with these [`bits`].
    #[must_use]
    pub const fn of(bits: u64) -> Scripts {
        Scripts(bits)
    }

    /// Returns `true` if the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if some script is in both sets.
    #[must_use]
    pub const fn meets(self, other: Scripts) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns an iterator over the ISO 15924 codes of the scripts in the set, in alphabetical order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        NAMES.iter().enumerate().filter(move |(at, _)| self.0 >> at & 1 != 0).map(|(_, name)| *name)
    }
}

impl std::ops::BitAnd for Scripts {
    type Output = Scripts;

    fn bitand(self, other: Scripts) -> Scripts {
        Scripts(self.0 & other.0)
    }
}

impl fmt::Debug for Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// Class of a character in the mapping of hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MappingClass {
    /// A letter written from left to right.
    Letter,
    /// A letter of bidirectional class R or AL.
    RightToLeft,
    /// A vowel sign or a similar mark: not at the beginning of a label.
    Mark,
    /// A mark whose place among others is fixed: it is in Form C behind a mark of a lower code point, as those of Thai.
    OrderedMark,
    /// A character for which `idna` is needed, or that is rare in names.
    Other,
}

/// Class of a character in a name.
///
/// ```
/// use linksift::tables::identifiers::class;
///
/// assert!(class('é' as u32).is_allowed() && !class('☺' as u32).is_allowed());
/// assert!(class(0x301).is_nonspacing_mark());
/// assert_eq!(class('٣' as u32).digit_system('٣'), Some('٠'));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdClass {
    scripts: Scripts,
    flags: u8,
}

/// A character that a host may have without a warning.
const ALLOWED: u8 = 1;
/// `General_Category=Nonspacing_Mark`.
const MARK: u8 = 2;
/// `General_Category=Decimal_Number`.
const DIGIT: u8 = 4;
/// Mapping a host does not change it, whatever is next to it.
const STAYS: u8 = 8;
/// As [`STAYS`], and it is written from right to left.
const RIGHT_TO_LEFT: u8 = 16;
/// As [`STAYS`], and it is a mark, with which no label begins.
const SIGN: u8 = 32;
/// Mapping a host does not change it behind a character that is no mark, or behind a mark of this kind with a code point that
/// is not greater; it is a mark, with which no label begins.
const ORDERED: u8 = 64;
const STAYS_RIGHT_TO_LEFT: u8 = STAYS | RIGHT_TO_LEFT;
const STAYS_SIGN: u8 = STAYS | SIGN;

impl IdClass {
    /// Returns its `Script_Extensions`, augmented by UTS #39 §5.1.
    #[must_use]
    pub const fn scripts(self) -> Scripts {
        self.scripts
    }

    /// Returns `true` if `Identifier_Status` allows it in a name, with the changes of browsers: all of `Hani` and `Bopo`
    /// are allowed; characters that look like punctuation, and rarely used blocks, are not.
    #[must_use]
    pub const fn is_allowed(self) -> bool {
        self.flags & ALLOWED != 0
    }

    /// Returns `true` if it is allowed, and neither a nonspacing mark nor a digit.
    #[inline]
    pub(crate) const fn is_plain_letter(self) -> bool {
        self.flags & (ALLOWED | MARK | DIGIT) == ALLOWED
    }

    /// Returns its class in the mapping of a host.
    #[inline]
    pub(crate) const fn mapping(self) -> MappingClass {
        match self.flags & (STAYS | RIGHT_TO_LEFT | SIGN | ORDERED) {
            STAYS => MappingClass::Letter,
            STAYS_RIGHT_TO_LEFT => MappingClass::RightToLeft,
            STAYS_SIGN => MappingClass::Mark,
            ORDERED => MappingClass::OrderedMark,
            _ => MappingClass::Other,
        }
    }

    /// Returns `true` if it is a nonspacing mark.
    #[must_use]
    pub const fn is_nonspacing_mark(self) -> bool {
        self.flags & MARK != 0
    }

    /// Returns the zero of the decimal digits to which `c`, whose class this is, belongs; `None` if it is not a decimal
    /// digit.
    #[must_use]
    pub fn digit_system(self, c: char) -> Option<char> {
        if self.flags & DIGIT == 0 {
            return None;
        }
        let before = ZEROS.partition_point(|&zero| zero <= u32::from(c));
        char::from_u32(*ZEROS.get(before.checked_sub(1)?)?)
    }
}

/// Returns the class of a code point from a two-stage trie. Code points after the last character of plane 3 are not allowed
/// and have every script, since mapping removes them from hosts.
#[inline]
#[must_use]
pub fn class(c: u32) -> IdClass {
    if c >= DENSE_END {
        return IdClass { scripts: Scripts::ALL, flags: 0 };
    }
    let leaf = &LEAVES[usize::from(INDEX[(c >> 6) as usize])];
    let (scripts, flags) = CLASSES[usize::from(leaf[(c & 63) as usize])];
    IdClass { scripts: Scripts(scripts), flags }
}

/// Returns the prototype of a character, if that is another text: Latin letters if possible.
///
/// ```
/// use linksift::tables::identifiers::prototype;
///
/// assert_eq!(prototype('а'), Some("a"));
/// assert_eq!(prototype('m'), Some("rn"));
/// assert_eq!(prototype('a'), None);
/// ```
#[must_use]
pub fn prototype(c: char) -> Option<&'static str> {
    let at = SOURCES.binary_search_by_key(&u32::from(c), |entry| entry.0).ok()?;
    let (start, len) = (SOURCES[at].1 >> 5, SOURCES[at].1 & 31);
    PROTOTYPES.get(start as usize..(start + len) as usize)
}

/// Returns the alphabets that have a non-ASCII Latin letter, as bits; 0 for any other character.
///
/// ```
/// use linksift::tables::identifiers::alphabets;
///
/// assert_ne!(alphabets('ä') & alphabets('ß'), 0);
/// assert_eq!(alphabets('ş') & alphabets('ø'), 0);
/// assert_eq!(alphabets('a'), 0);
/// ```
#[must_use]
pub fn alphabets(letter: char) -> u128 {
    let found = LETTERS.binary_search_by_key(&u32::from(letter), |row| u32::from(row.0));
    found.map_or(0, |at| LETTERS[at].1)
}
