//! Non-ASCII characters that mapping a host does not change: UTS #46 classifies them as "valid", and NFC does not change
//! them in any context. The classes of characters in names determine them; tests compare them with `idna`.

pub(crate) use super::identifiers::MappingClass;
use super::identifiers::class;

/// Class of a non-ASCII character in the mapping of a host.
#[inline]
pub(crate) fn kind(c: char) -> MappingClass {
    class(u32::from(c)).mapping()
}

/// Returns `true` if UTS #46 does not change a non-ASCII character in any context. Such a character is also visible, and
/// not compatible with ASCII; `false` implies nothing about a character.
#[inline]
pub(crate) fn stays(c: char) -> bool {
    kind(c) != MappingClass::Other
}
