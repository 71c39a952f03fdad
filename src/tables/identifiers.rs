//! Properties of characters in names: whether names should have one, its scripts, whether it
//! is a nonspacing mark or a decimal digit, and whether mapping a host leaves it as it is.
//!
//! In goes a code point, out comes its [`IdClass`]. The data lie in `identifier_list`, which
//! `tests/it/tables` generates from `Identifier_Status` (UTS #39 §3.1), `Script_Extensions`,
//! `General_Category`, the mapping of UTS #46 and the quick check of NFC of Unicode 18.0. Which names are suspect is decided by the module `trust`.

use std::fmt;

use super::identifier_list::{CLASSES, DENSE_END, INDEX, LEAVES, NAMES, ZEROS};

pub use super::identifier_list::bits;

/// A set of scripts, with the three unions of UTS #39 §5.1 among them: `Hanb`, `Jpan`, `Kore`.
///
/// Scripts of which no character is recommended for names share one member, `Zzzz`.
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
    /// Every script: what `Common` and `Inherited` characters without extensions fit.
    pub const ALL: Scripts = Scripts(u64::MAX);

    /// The set with these [`bits`].
    #[must_use]
    pub const fn of(bits: u64) -> Scripts {
        Scripts(bits)
    }

    /// Returns `true` if the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether some script is in both.
    #[must_use]
    pub const fn meets(self, other: Scripts) -> bool {
        self.0 & other.0 != 0
    }

    /// The four-letter codes of ISO 15924 of what is in it, in the order of their letters.
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
    /// A letter of class R or AL.
    RightToLeft,
    /// A vowel sign or the like: not at the beginning of a label.
    Mark,
    /// Something that only `idna` knows, or that names seldom have.
    Other,
}

/// The class of a character in a name.
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

/// A character that a host may have without being remarked on.
const ALLOWED: u8 = 1;
/// `General_Category=Nonspacing_Mark`.
const MARK: u8 = 2;
/// `General_Category=Decimal_Number`.
const DIGIT: u8 = 4;
/// Mapping a host leaves it as it is, whatever is beside it.
const STAYS: u8 = 8;
/// So it does, and it is written from right to left.
const RIGHT_TO_LEFT: u8 = 16;
/// So it does, and it is a mark, which no label begins with.
const SIGN: u8 = 32;
const STAYS_RIGHT_TO_LEFT: u8 = STAYS | RIGHT_TO_LEFT;
const STAYS_SIGN: u8 = STAYS | SIGN;

impl IdClass {
    /// Its `Script_Extensions`, augmented as UTS #39 §5.1 says.
    #[must_use]
    pub const fn scripts(self) -> Scripts {
        self.scripts
    }

    /// Whether `Identifier_Status` allows it in a name, as browsers take that: all of `Hani` and `Bopo`
    /// are let in; what looks like punctuation, and blocks that are rarely used, are left out.
    #[must_use]
    pub const fn is_allowed(self) -> bool {
        self.flags & ALLOWED != 0
    }

    /// Whether it is allowed, and neither a nonspacing mark nor a digit.
    #[inline]
    pub(crate) const fn is_plain_letter(self) -> bool {
        self.flags & (ALLOWED | MARK | DIGIT) == ALLOWED
    }

    /// Returns its class in the mapping of a host.
    #[inline]
    pub(crate) const fn mapping(self) -> MappingClass {
        match self.flags & (STAYS | RIGHT_TO_LEFT | SIGN) {
            STAYS => MappingClass::Letter,
            STAYS_RIGHT_TO_LEFT => MappingClass::RightToLeft,
            STAYS_SIGN => MappingClass::Mark,
            _ => MappingClass::Other,
        }
    }

    /// Whether it is a nonspacing mark.
    #[must_use]
    pub const fn is_nonspacing_mark(self) -> bool {
        self.flags & MARK != 0
    }

    /// The zero of the decimal digits that `c`, whose class this is, belongs to; `None` if it is no
    /// decimal digit.
    #[must_use]
    pub fn digit_system(self, c: char) -> Option<char> {
        if self.flags & DIGIT == 0 {
            return None;
        }
        let before = ZEROS.partition_point(|&zero| zero <= u32::from(c));
        char::from_u32(*ZEROS.get(before.checked_sub(1)?)?)
    }
}

/// The class of a code point; a two-stage trie. What is beyond the last character of plane 3 is not
/// allowed and fits every script: mapping drops it from hosts.
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
