//! Normal forms: whether a text is in Form C, what it is in Form C or D, what a character is compatible with.
//!
//! The only door to `unicode-normalization`. Of what is compatible with what there is a table of the few that are
//! asked for: the crate's is forty times as long, and is left out of a program that does not ask for it.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::is_in;
use super::like_ascii::LIKE_ASCII;

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

/// In Form C: itself, if it is that.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    if is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
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

/// Whether it is a mark (`General_Category` M).
pub(crate) fn is_mark(c: char) -> bool {
    is_combining_mark(c)
}

/// Whether all that a character beyond ASCII is compatible with are ASCII letters and digits: mapping a host turns it into
/// these.
pub(crate) fn stands_for_ascii(c: char) -> bool {
    is_in(&LIKE_ASCII, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the characters that Unicode 17 has: this crate may know a later version.
    #[test]
    fn forms_are_those_of_another_implementation() {
        use icu_properties::{CodePointMapData, props::GeneralCategory};
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
            assert_eq!(nfd(&text).collect::<String>(), d.normalize(&text), "{one:?}");
            assert_eq!(is_nfc(&text), c.is_normalized(&text), "{one:?}");
        }
    }
}
