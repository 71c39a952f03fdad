//! Characters that a reader does not see, or takes for the punctuation of a URL.
//!
//! The input is a character, the result a yes or a no. What follows from it for a link is decided by the callers.

use super::is_in;
use super::like_syntax::LIKE_SYNTAX;

/// Returns `true` if a character changes the direction of the following text (`Bidi_Control`).
pub(crate) fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Returns `true` if a character is invisible, and does not shape the characters next to it.
pub(crate) fn is_invisible(c: char) -> bool {
    is_bidi_control(c)
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{200B}'
            | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E001F}' | '\u{E0080}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}')
}

/// Returns `true` if a character is invisible, and shapes the characters next to it where they are fit for it: joiners,
/// variation selectors, tags of flags, and separators of Mongolian.
pub(crate) fn is_shaping(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{180B}'..='\u{180F}'
        | '\u{E0100}'..='\u{E01EF}' | '\u{E0020}'..='\u{E007F}')
}

/// Returns `true` if a reader does not see a character.
pub(crate) fn is_unseen(c: char) -> bool {
    is_invisible(c) || is_shaping(c)
}

/// Returns `true` if a non-ASCII character that is neither a letter nor a mark looks like `/ ? # @ : . \` or `-`.
pub(crate) fn is_like_syntax(c: char) -> bool {
    is_in(&LIKE_SYNTAX, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_ignorables_are_those_of_unicode() {
        use icu_properties::CodePointSetData;
        use icu_properties::props::{BidiControl, DefaultIgnorableCodePoint};
        let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
        let control = CodePointSetData::new::<BidiControl>();
        for c in '\0'..=char::MAX {
            let expected =
                c == '\u{2800}' || control.contains(c) || ignorable.contains(c) && !is_shaping(c);
            assert_eq!(is_invisible(c), expected, "{c:?}");
            assert!(!is_shaping(c) || ignorable.contains(c), "{c:?}");
        }
    }

    #[test]
    fn punctuation_of_other_scripts() {
        for c in ['⁄', '／', '∕', '？', '＃', '＠', '：', '․', '﹨', '‐', '‑', '۔', '։']
        {
            assert!(is_like_syntax(c), "{c}");
        }
        for c in ['–', '—', 'ノ', '丶', '٠', '/', 'a', '。', '，', 'ः'] {
            assert!(!is_like_syntax(c), "{c}");
        }
    }
}
