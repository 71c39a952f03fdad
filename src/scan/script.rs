//! Scripts whose words may be beside a link without a space in between.
//!
//! In goes a character, out comes what its script says of the ASCII beside it: whether it is written
//! without spaces, and whether ASCII goes on in it as one word.

use crate::tables::direction::is_of_right_to_left;

/// Whether the character is of a script that is written without spaces, Thai to Khmer or Chinese and
/// Japanese.
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

/// Whether the character is Hangul: words have spaces between them, but particles and what is no word
/// of Korean have none.
pub(crate) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}')
}

/// Whether a host of ASCII may begin directly after the character. No label has letters of a script that is
/// written from right to left and those of ASCII (RFC 5893 §2): `وexample.com`, with the word for "and" in front.
pub(crate) fn is_before_host(c: char) -> bool {
    is_unspaced(c) || is_of_right_to_left(c)
}

/// Whether a word of ASCII may begin directly after the character: `メールはinfo`, `메일support`, `לinfo`.
pub(crate) fn is_before_word(c: char) -> bool {
    is_before_host(c) || is_hangul(c)
}

/// Whether the character joins two letters of a script beyond Latin: ASCII has nothing to be joined.
pub(crate) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// Whether the character is a mark at the end of a word, and inside of one a part of it: a Greek semicolon,
/// what Armenian writes over the vowel or after the word.
pub(crate) fn is_mark_at_end(c: char) -> bool {
    matches!(c, '\u{B7}' | '\u{387}' | '\u{55B}'..='\u{55E}')
}

/// Whether the character after ASCII letters begins something else: it is neither of Latin, as in
/// `größe`, nor a mark that combines with the letter in front.
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

/// Marks of no script, and what joins two letters or picks the shape of one.
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
