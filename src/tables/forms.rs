//! Normal forms: whether a text is in Form C, its Forms C and D, and compatibility of characters with ASCII.
//!
//! This is the only wrapper of `unicode-normalization`, which the feature `documents` enables. Without it, and in
//! WebAssembly, the forms use the tables that `idna` includes, so that a small program has them only once. Both may
//! implement a later version of Unicode than the tables, so characters that are unassigned in the tables are not passed to
//! them: such a character is a starter that no form changes.
//!
//! Non-ASCII characters that mapping a host does not change: UTS #46 classifies them as "valid", and NFC does not change
//! them in any context. The classes of characters in names determine them; tests compare them with `idna`.

use std::borrow::Cow;

pub(crate) use super::identifiers::MappingClass;
use super::identifiers::class;
use super::like_ascii::LIKE_ASCII;
use super::{is_assigned, is_in};

#[cfg(all(feature = "documents", not(target_family = "wasm")))]
mod source {
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

    /// Returns `true` if a text is in Form C.
    pub(super) fn is_nfc(text: &str) -> bool {
        match is_nfc_quick(text.chars()) {
            IsNormalized::Yes => true,
            IsNormalized::No => false,
            IsNormalized::Maybe => text.nfc().eq(text.chars()),
        }
    }

    /// Returns characters in Form C.
    pub(super) fn nfc(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
        characters.nfc()
    }

    /// Returns the characters of a text in Form D.
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

    /// Returns `true` if a text is in Form C.
    pub(super) fn is_nfc(text: &str) -> bool {
        C.is_normalized(text)
    }

    /// Returns characters in Form C.
    pub(super) fn nfc(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
        C.normalize_iter(characters)
    }

    /// Returns the characters of a text in Form D.
    pub(super) fn nfd(text: &str) -> impl Iterator<Item = char> {
        D.normalize_iter(text.chars())
    }
}

/// Returns an iterator over the pieces of a text that a form may change, and, each by itself, the unassigned characters
/// between them, which it does not change.
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
    /// Characters that are assigned in this version of Unicode.
    Assigned(&'a str),
    /// A character that is not assigned in this version.
    Unassigned(char),
}

/// Returns `true` if a text is in Form C.
pub(crate) fn is_nfc(text: &str) -> bool {
    // Most texts have only letters that no form changes, which needs no check of their canonical classes. Every piece of a
    // text in Form C is in Form C too, in any version.
    text.chars().all(|c| c.is_ascii() || is_unmapped(c))
        || source::is_nfc(text)
        || pieces(text).all(|piece| match piece {
            AssignedRun::Assigned(piece) => source::is_nfc(piece),
            AssignedRun::Unassigned(_) => true,
        })
}

/// Returns a text in Form C, borrowed if it is already.
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

/// Returns characters in Form C, with U+FFFD, which no name has, for each unassigned one.
pub(crate) fn nfc_of(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    source::nfc(characters.map(|c| if is_assigned(c) { c } else { char::REPLACEMENT_CHARACTER }))
}

/// Returns the characters of a text in Form D.
pub(crate) fn nfd(text: &str) -> impl Iterator<Item = char> {
    pieces(text).flat_map(|piece| {
        let (piece, unassigned) = match piece {
            AssignedRun::Assigned(piece) => (piece, None),
            AssignedRun::Unassigned(c) => ("", Some(c)),
        };
        source::nfd(piece).chain(unassigned)
    })
}

/// Returns `true` if two combining marks are of one canonical combining class, so that they stand in the same place of a
/// letter: Form D keeps the order in which they are written.
pub(crate) fn have_same_class(one: char, other: char) -> bool {
    let keeps = |first: char, second: char| {
        let text: String = ['x', first, second].iter().collect();
        nfd(&text).eq(text.chars())
    };
    keeps(one, other) && keeps(other, one)
}

/// Returns `true` if the compatibility mapping of a non-ASCII character has only ASCII letters and digits: mapping a host
/// replaces it with these.
pub(crate) fn stands_for_ascii(c: char) -> bool {
    is_in(&LIKE_ASCII, c)
}

/// Class of a non-ASCII character in the mapping of a host.
#[inline]
pub(crate) fn kind(c: char) -> MappingClass {
    class(u32::from(c)).mapping()
}

/// Returns `true` if UTS #46 does not change a non-ASCII character in any context. Such a character is also visible, and
/// not compatible with ASCII; `false` implies nothing about a character.
#[inline]
pub(crate) fn is_unmapped(c: char) -> bool {
    !matches!(kind(c), MappingClass::OrderedMark | MappingClass::Other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_above_and_below_differ_in_class() {
        assert!(have_same_class('\u{301}', '\u{308}') && have_same_class('\u{323}', '\u{331}'));
        assert!(!have_same_class('\u{301}', '\u{323}') && !have_same_class('\u{323}', '\u{301}'));
    }

    /// A text of characters that normalization does not change is in Form C, whatever their order.
    #[test]
    fn what_stays_needs_no_composition() {
        use icu_properties::{CodePointMapData, props::CanonicalCombiningClass};
        let classes = CodePointMapData::<CanonicalCombiningClass>::new();
        let stays: Vec<char> = ('\u{80}'..=char::MAX).filter(|&c| is_unmapped(c)).collect();
        // With only one class in addition to that of starters nothing needs to be reordered.
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

    /// Marks whose code points ascend are in Form C, behind a virama too, and those of a lower code point behind them are left
    /// to `idna`.
    #[test]
    fn ordered_marks_are_in_form_c_as_their_code_points_ascend() {
        let marks: Vec<char> =
            ('\u{80}'..=char::MAX).filter(|&c| kind(c) == MappingClass::OrderedMark).collect();
        assert!(['\u{64F}', '\u{E39}', '\u{E48}', '\u{EC8}'].iter().all(|c| marks.contains(c)));
        for (at, &a) in marks.iter().enumerate() {
            for &b in &marks[at..] {
                let text = format!("ก\u{E3A}{a}{b}");
                assert!(!is_unmapped(a) && source::is_nfc(&text), "{text:?}");
            }
        }
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

    /// The result of a later version is not used: the text is split there.
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
