//! Normal forms: whether a text is in Form C, and what it is in Form C or D; what UTS #46 maps a character to.
//!
//! The data are those that `idna` maps hosts by, so that they are there once.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;
#[cfg(any(feature = "known-hosts", test))]
use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::uts46::Uts46MapperBorrowed;

const C: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
#[cfg(any(feature = "known-hosts", test))]
const D: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();
const UTS46: Uts46MapperBorrowed<'static> = Uts46MapperBorrowed::new();

/// Whether it is in Form C.
pub(crate) fn is_nfc(text: &str) -> bool {
    text.is_ascii() || C.is_normalized(text)
}

/// In Form C: itself, if it is that.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    C.normalize(text)
}

/// Characters in Form C.
pub(crate) fn nfc_of(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    C.normalize_iter(characters)
}

/// The characters of a text in Form D.
#[cfg(any(feature = "known-hosts", test))]
pub(crate) fn nfd(text: &str) -> impl Iterator<Item = char> {
    D.normalize_iter(text.chars())
}

/// Whether UTS #46 maps a character beyond ASCII to ASCII letters and digits alone. A capital of what stays as it is
/// is none, though `ẞ` is mapped to `ss`.
pub(crate) fn is_mapped_to_ascii(c: char) -> bool {
    let (mut all, mut any) = (c != 'ẞ', false);
    UTS46.map_normalize(std::iter::once(c)).for_each(|d| {
        all &= d.is_ascii_alphanumeric();
        any = true;
    });
    all && any
}

#[cfg(test)]
mod tests {
    use icu_properties::CodePointMapData;
    use icu_properties::props::GeneralCategory;
    use unicode_normalization::char::decompose_compatible;

    use super::*;

    #[test]
    fn what_is_mapped_to_ascii_is_compatible_with_it() {
        // The crate that it is compared with may know a later Unicode.
        let category = CodePointMapData::<GeneralCategory>::new();
        let is_assigned = |c: &char| category.get(*c) != GeneralCategory::Unassigned;
        for c in (0x80..=0x10_FFFF).filter_map(char::from_u32).filter(is_assigned) {
            let (mut all, mut any) = (true, false);
            decompose_compatible(c, |d| {
                all &= d.is_ascii_alphanumeric();
                any = true;
            });
            assert_eq!(is_mapped_to_ascii(c), all && any, "U+{:04X}", u32::from(c));
        }
    }
}
