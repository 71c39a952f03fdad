//! Normal forms: whether a text is in Form C, what it is in Form C or D, what a character is compatible with.
//!
//! The only door to `unicode-normalization`, which the feature `documents` has.
//! Without it, and in WebAssembly, the forms are made by the tables that `idna` has brought, so that a small program has them once. Either
//! may know a later version than the tables do, so what these call unassigned is not shown to it: such a character is
//! a starter that no form changes.

use std::borrow::Cow;

use super::like_ascii::LIKE_ASCII;
use super::{is_assigned, is_in, unmapped};

#[cfg(all(feature = "documents", not(target_family = "wasm")))]
mod source {
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

    /// Whether it is in Form C.
    pub(super) fn is_nfc(text: &str) -> bool {
        match is_nfc_quick(text.chars()) {
            IsNormalized::Yes => true,
            IsNormalized::No => false,
            IsNormalized::Maybe => text.nfc().eq(text.chars()),
        }
    }

    /// Characters in Form C.
    pub(super) fn nfc(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
        characters.nfc()
    }

    /// The characters of a text in Form D.
    pub(super) fn nfd(text: &str) -> impl Iterator<Item = char> {
        text.nfd()
    }
}

#[cfg(not(all(feature = "documents", not(target_family = "wasm"))))]
mod source {
    use icu_normalizer::ComposingNormalizerBorrowed;
    use icu_normalizer::DecomposingNormalizerBorrowed;

    const C: ComposingNormalizerBorrowed<'static> = ComposingNormalizerBorrowed::new_nfc();
    const D: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizerBorrowed::new_nfd();

    /// Whether it is in Form C.
    pub(super) fn is_nfc(text: &str) -> bool {
        C.is_normalized(text)
    }

    /// Characters in Form C.
    pub(super) fn nfc(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
        C.normalize_iter(characters)
    }

    /// The characters of a text in Form D.
    pub(super) fn nfd(text: &str) -> impl Iterator<Item = char> {
        D.normalize_iter(text.chars())
    }
}

/// The pieces of a text that a form may change, and between them, each by itself, the characters that it does not, since
/// they are unassigned.
fn pieces(text: &str) -> impl Iterator<Item = AssignedRun<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (piece, behind) = if is_assigned(first) {
            let end = rest.find(|c| !is_assigned(c)).unwrap_or(rest.len());
            let (piece, behind) = rest.split_at(end);
            (AssignedRun::Assigned(piece), behind)
        } else {
            (AssignedRun::Unassigned(first), &rest[first.len_utf8()..])
        };
        rest = behind;
        Some(piece)
    })
}

/// Run of a text whose characters are assigned, or one unassigned character.
enum AssignedRun<'a> {
    /// Characters of this version of Unicode.
    Assigned(&'a str),
    /// One that this version has not assigned.
    Unassigned(char),
}

/// Whether it is in Form C.
pub(crate) fn is_nfc(text: &str) -> bool {
    // Most texts have nothing but letters that stay as they are: that is seen without looking at their classes. In what is
    // in Form C every piece is, by whichever version.
    text.chars().all(|c| c.is_ascii() || unmapped::stays(c))
        || source::is_nfc(text)
        || pieces(text).all(|piece| match piece {
            AssignedRun::Assigned(piece) => source::is_nfc(piece),
            AssignedRun::Unassigned(_) => true,
        })
}

/// In Form C: itself, if it is that.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    if is_nfc(text) {
        return Cow::Borrowed(text);
    }
    let mut composed = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            AssignedRun::Assigned(piece) => composed.extend(source::nfc(piece.chars())),
            AssignedRun::Unassigned(c) => composed.push(c),
        }
    }
    Cow::Owned(composed)
}

/// Characters in Form C, and U+FFFD, which no name has, for each one that is unassigned.
pub(crate) fn nfc_of(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    source::nfc(characters.map(|c| if is_assigned(c) { c } else { char::REPLACEMENT_CHARACTER }))
}

/// The characters of a text in Form D.
pub(crate) fn nfd(text: &str) -> impl Iterator<Item = char> {
    pieces(text).flat_map(|piece| {
        let (piece, unassigned) = match piece {
            AssignedRun::Assigned(piece) => (piece, None),
            AssignedRun::Unassigned(c) => ("", Some(c)),
        };
        source::nfd(piece).chain(unassigned)
    })
}

/// Whether all that a non-ASCII character is compatible with are ASCII letters and digits: mapping a host
/// turns it into these.
pub(crate) fn stands_for_ascii(c: char) -> bool {
    is_in(&LIKE_ASCII, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text of characters that stay is in Form C, whatever their order.
    #[test]
    fn what_stays_needs_no_composition() {
        use icu_properties::{CodePointMapData, props::CanonicalCombiningClass};
        let classes = CodePointMapData::<CanonicalCombiningClass>::new();
        let stays: Vec<char> = ('\u{80}'..=char::MAX).filter(|&c| unmapped::stays(c)).collect();
        // With one class beside that of starters there is nothing to be reordered.
        let (starter, virama) =
            (CanonicalCombiningClass::NotReordered, CanonicalCombiningClass::Virama);
        assert!(stays.iter().all(|&c| [starter, virama].contains(&classes.get(c))));
        for &c in &stays {
            for text in [format!("a{c}"), format!("{c}{c}"), format!("न{c}"), format!("가{c}")] {
                assert!(source::is_nfc(&text), "{text:?}");
            }
        }
        assert!(is_nfc("пример中文") && !is_nfc("e\u{301}") && !is_nfc("न\u{93C}"));
    }

    #[test]
    fn forms_are_those_of_another_implementation() {
        use unicode_normalization::UnicodeNormalization;
        let (c, d) = (
            icu_normalizer::ComposingNormalizer::new_nfc(),
            icu_normalizer::DecomposingNormalizer::new_nfd(),
        );
        for one in '\u{80}'..=char::MAX {
            let text = format!("a{one}\u{301}");
            assert_eq!(nfc(&text), c.normalize(&text), "{one:?}");
            assert_eq!(nfc(&text), text.nfc().collect::<String>(), "{one:?}");
            assert_eq!(nfd(&text).collect::<String>(), d.normalize(&text), "{one:?}");
            assert_eq!(nfd(&text).collect::<String>(), text.nfd().collect::<String>(), "{one:?}");
            assert_eq!(is_nfc(&text), c.is_normalized(&text), "{one:?}");
        }
    }

    /// What a later version makes of it is not asked: the text is cut there.
    #[test]
    fn unassigned_characters_are_shown_to_nobody() {
        let shown = |text| -> Vec<String> {
            let pieces = pieces(text).filter_map(|piece| match piece {
                AssignedRun::Assigned(piece) => Some(piece.to_owned()),
                AssignedRun::Unassigned(c) => {
                    assert!(!is_assigned(c));
                    None
                }
            });
            pieces.collect()
        };
        assert_eq!(shown("\u{378}e\u{301}\u{378}\u{FFFE}o\u{302}"), ["e\u{301}", "o\u{302}"]);
        assert_eq!(shown("\u{378}\u{379}"), Vec::<String>::new());
        assert_eq!(shown("é"), ["é"]);
        assert_eq!(nfc("\u{378}e\u{301}\u{379}\u{301}"), "\u{378}é\u{379}\u{301}");
        assert_eq!(nfd("é\u{378}é").collect::<String>(), "e\u{301}\u{378}e\u{301}");
        assert!(is_nfc("é\u{378}") && !is_nfc("\u{378}e\u{301}"));
        assert_eq!(nfc_of("e\u{301}\u{378}".chars()).collect::<String>(), "é\u{FFFD}");
    }
}
