//! Normal forms: whether a text is in Form C, what it is in Form C or D, what a character is compatible with.
//!
//! The only door to `unicode-normalization`, which the feature `normalization` has: it knows the latest Unicode.
//! Without it the forms are made by the tables that `idna` has brought, so that a small program has them once.

use std::borrow::Cow;

use super::is_in;
use super::like_ascii::LIKE_ASCII;

pub(crate) use source::is_nfc;
pub(crate) use source::nfc_of;
#[cfg(any(feature = "known-hosts", test))]
pub(crate) use source::nfd;

#[cfg(feature = "normalization")]
mod source {
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

    /// Whether it is in Form C.
    pub(crate) fn is_nfc(text: &str) -> bool {
        if text.is_ascii() {
            return true;
        }
        match is_nfc_quick(text.chars()) {
            IsNormalized::Yes => true,
            IsNormalized::No => false,
            IsNormalized::Maybe => text.nfc().eq(text.chars()),
        }
    }

    /// Characters in Form C.
    pub(crate) fn nfc_of(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
        characters.nfc()
    }

    /// The characters of a text in Form D.
    #[cfg(any(feature = "known-hosts", test))]
    pub(crate) fn nfd(text: &str) -> impl Iterator<Item = char> {
        text.nfd()
    }
}

#[cfg(not(feature = "normalization"))]
mod source {
    use icu_normalizer::ComposingNormalizerBorrowed;
    #[cfg(any(feature = "known-hosts", test))]
    use icu_normalizer::DecomposingNormalizerBorrowed;

    const C: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
    #[cfg(any(feature = "known-hosts", test))]
    const D: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();

    /// Whether it is in Form C.
    pub(crate) fn is_nfc(text: &str) -> bool {
        text.is_ascii() || C.is_normalized(text)
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
}

/// In Form C: itself, if it is that.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    if is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(nfc_of(text.chars()).collect()) }
}

/// Whether all that a character beyond ASCII is compatible with are ASCII letters and digits: mapping a host
/// turns it into these.
pub(crate) fn stands_for_ascii(c: char) -> bool {
    is_in(&LIKE_ASCII, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the characters that Unicode 17 has: with the feature, those of a later version may be known.
    #[test]
    fn forms_are_those_of_another_implementation() {
        use icu_properties::{CodePointMapData, props::GeneralCategory};
        use unicode_normalization::UnicodeNormalization;
        let category = CodePointMapData::<GeneralCategory>::new();
        let is_assigned = |c: &char| {
            !matches!(category.get(*c), GeneralCategory::Unassigned | GeneralCategory::PrivateUse)
        };
        let (c, d) = (
            icu_normalizer::ComposingNormalizer::new_nfc(),
            icu_normalizer::DecomposingNormalizer::new_nfd(),
        );
        for one in ('\u{80}'..=char::MAX).filter(is_assigned) {
            let text = format!("a{one}\u{301}");
            assert_eq!(nfc(&text), c.normalize(&text), "{one:?}");
            assert_eq!(nfc(&text), text.nfc().collect::<String>(), "{one:?}");
            assert_eq!(nfd(&text).collect::<String>(), d.normalize(&text), "{one:?}");
            assert_eq!(nfd(&text).collect::<String>(), text.nfd().collect::<String>(), "{one:?}");
            assert_eq!(is_nfc(&text), c.is_normalized(&text), "{one:?}");
        }
    }
}
