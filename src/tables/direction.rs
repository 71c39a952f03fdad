//! The direction of characters: the `Bidi_Class` of each (`directions`, generated), and the blocks of scripts that are
//! written from right to left.

use super::directions::{LEFT_TO_RIGHT, RIGHT_TO_LEFT};
use super::is_in;

/// Returns `true` if the character is strong, from right to left (`R`, `AL`).
pub(crate) fn is_rtl(c: char) -> bool {
    (is_of_right_to_left(c) || c == '\u{200F}') && is_in(&RIGHT_TO_LEFT, c)
}

/// Returns `true` if the character is strong, from left to right (`L`).
pub(crate) fn is_ltr(c: char) -> bool {
    is_in(&LEFT_TO_RIGHT, c)
}

/// Returns `true` if the character is in a block of scripts that are written from right to left, including their marks,
/// digits and unassigned code points: those to which `DerivedBidiClass.txt` assigns `R` and `AL` by default. The
/// right-to-left mark, a control, is the only strong character outside these blocks.
#[inline]
pub(crate) const fn is_of_right_to_left(c: char) -> bool {
    matches!(
        c,
        '\u{590}'..='\u{8FF}'
            | '\u{FB1D}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFE}'
            | '\u{10800}'..='\u{10FFF}'
            | '\u{1E800}'..='\u{1EFFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strong_character_is_in_a_block_and_every_block_has_some() {
        let outside = ('\0'..=char::MAX).filter(|c| is_in(&RIGHT_TO_LEFT, *c));
        assert_eq!(outside.filter(|c| !is_of_right_to_left(*c)).collect::<String>(), "\u{200F}");
        // No character of a block is strong in the other direction.
        assert_eq!(('\0'..=char::MAX).filter(|c| is_of_right_to_left(*c) && is_ltr(*c)).count(), 0);
        // Adlam, from its first letter to its last digit.
        assert!(('\u{1E900}'..='\u{1E959}').all(is_of_right_to_left));
        assert!(!is_of_right_to_left('\u{FEFF}') && !is_of_right_to_left('a'));
    }
}
