//! Scripts whose words may be next to a link without a space in between.
//!
//! The input is a character, the result is what its script implies for the ASCII characters next to it: whether the script
//! is written without spaces, and whether ASCII continues a word in it.

use crate::tables::direction::is_of_right_to_left;

/// Returns `true` if the character is of a script that is written without spaces: Thai to Khmer, or Chinese and Japanese.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{E00}'..='\u{EFF}'
            | '\u{1000}'..='\u{109F}'
            | '\u{1780}'..='\u{17FF}'
            | '\u{2E80}'..='\u{9FFF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// Returns `true` if the character is Hangul. Korean words have spaces between them, but particles have none before them,
/// and other scripts may follow without one.
pub(crate) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}')
}

/// Returns `true` if an ASCII host may begin directly after the character. No label has both letters of a script that is
/// written from right to left and ASCII letters (RFC 5893 §2): `وexample.com`, with the word for "and" before it.
pub(crate) fn is_before_host(c: char) -> bool {
    is_unspaced(c) || is_of_right_to_left(c)
}

/// Returns `true` if an ASCII word may begin directly after the character: `メールはinfo`, `메일support`, `לinfo`.
pub(crate) fn is_before_word(c: char) -> bool {
    is_before_host(c) || is_hangul(c)
}

/// Returns `true` if the character joins two letters of a non-Latin script; ASCII letters are never joined.
pub(crate) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// Returns `true` if the character is a punctuation mark at the end of a word, but part of the word inside it: a Greek
/// semicolon, the Armenian marks above a vowel or after a word.
pub(crate) fn is_mark_at_end(c: char) -> bool {
    matches!(c, '\u{B7}' | '\u{387}' | '\u{55B}'..='\u{55E}')
}

/// Returns `true` if the character after ASCII letters begins something else: it is neither Latin, as in `größe`, nor a
/// mark that combines with the preceding letter.
pub(crate) fn is_foreign(code: u32) -> bool {
    let Some(c) = char::from_u32(code) else { return false };
    !c.is_ascii() && !is_latin(c) && !is_combining(c)
}

fn is_latin(c: char) -> bool {
    matches!(
        c,
        '\u{AA}' | '\u{BA}'
            | '\u{C0}'..='\u{D6}'
            | '\u{D8}'..='\u{F6}'
            | '\u{F8}'..='\u{2AF}'
            | '\u{1D00}'..='\u{1DBF}'
            | '\u{1E00}'..='\u{1EFF}'
            | '\u{2C60}'..='\u{2C7F}'
            | '\u{A720}'..='\u{A7FF}'
            | '\u{AB30}'..='\u{AB6F}'
            | '\u{FF21}'..='\u{FF3A}'
            | '\u{FF41}'..='\u{FF5A}'
    )
}

/// Returns `true` for marks of no script, and for characters that join two letters or select the shape of one.
fn is_combining(c: char) -> bool {
    matches!(
        c,
        '\u{B7}'
            | '\u{300}'..='\u{36F}'
            | '\u{1AB0}'..='\u{1AFF}'
            | '\u{1DC0}'..='\u{1DFF}'
            | '\u{200C}' | '\u{200D}'
            | '\u{20D0}'..='\u{20FF}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FE20}'..='\u{FE2F}'
            | '\u{E0100}'..='\u{E01EF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_as_one_word() {
        for c in ['é', 'ß', 'ö', '\u{308}', 'ｍ', 'a', '\u{200D}'] {
            assert!(!is_foreign(c.into()), "{c}");
        }
        for c in ['和', 'で', '에', 'и', '😀', 'ا', '１'] {
            assert!(is_foreign(c.into()), "{c}");
        }
    }
}
