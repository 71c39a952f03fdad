//! Characters outside ASCII that mapping a host leaves as they are: UTS #46 says "valid" of them, and NFC "stays,
//! whatever is beside it". The classes of characters in names say which they are; tests compare them with `idna`.

pub(crate) use super::identifiers::MappingClass;
use super::identifiers::class;

/// Class of a non-ASCII character in the mapping of a host.
#[inline]
pub(crate) fn kind(c: char) -> MappingClass {
    class(u32::from(c)).mapping()
}

/// Whether UTS #46 leaves a non-ASCII character as it is, whatever is beside it. What this lets in is
/// seen, too, and compatible with no ASCII; of other characters it says nothing.
#[inline]
pub(crate) fn stays(c: char) -> bool {
    kind(c) != MappingClass::Other
}
