//! Escapes characters of a readable form at which the finder would end the link because it continues like a sentence or like
//! markup: a particle of Japanese or Korean after ASCII, an ellipsis before a script without spaces, a character reference.
//!
//! The input is the complete readable form, since the words of a sentence are longer than a character. The words are those of
//! `tables::sentence`, which the scan reads too.

use super::chars::{push_encoded, push_triplet};
use crate::tables::sentence::{
    AHEAD, begins_sentence, ends_in_document, is_hangul, is_joiner, is_unspaced, may_begin_sentence,
};
use crate::tables::{entities, punctuation};

/// Percent-encodes these characters of the path, query and fragment, which begin at `tail`. It encodes a letter of a character
/// reference instead of its delimiters, which must stay, since the letter is unreserved: the link still maps to an equivalent
/// URI.
pub(super) fn escape_ends(out: &mut String, tail: usize) {
    if out.as_bytes()[tail..].iter().all(|&b| b < 0x80 && b != b'&') {
        return;
    }
    let text = out.split_off(tail);
    // After a non-ASCII character no sentence begins.
    let mut is_foreign = false;
    let mut letter = None;
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        if letter == Some(at) {
            push_triplet(out, c as u8);
            continue;
        }
        match c {
            '&' => letter = letter_of_reference(rest).map(|len| at + len),
            _ if u32::from(c) == punctuation::ELLIPSIS
                && rest[c.len_utf8()..].starts_with(is_unspaced) =>
            {
                push_encoded(out, c);
                continue;
            }
            _ if !c.is_ascii() && !is_foreign && continues_as_sentence(out, rest) => {
                push_encoded(out, c);
                continue;
            }
            _ => {}
        }
        is_foreign |= !c.is_ascii();
        out.push(c);
    }
}

/// Returns `true` if the finder would end the link `front` before `rest`, which begins with its first non-ASCII character.
fn continues_as_sentence(front: &str, rest: &str) -> bool {
    let Some(first) = rest.chars().next() else { return false };
    // It may follow a letter that is escaped now.
    if is_joiner(first) {
        return true;
    }
    // The value of a query begins after `=`.
    if !is_unspaced(first) && !is_hangul(first) || front.ends_with('=') {
        return false;
    }
    if ends_in_document(front) {
        return true;
    }
    if !may_begin_sentence(first) && !is_hangul(first) {
        return false;
    }
    let mut text = ['\0'; AHEAD];
    let mut len = 0;
    for (to, c) in text.iter_mut().zip(rest.chars()) {
        *to = c;
        len += 1;
    }
    begins_sentence(&text[..len], front.ends_with('/'))
}

/// Returns the offset of the first letter or digit of the character reference at the beginning of a text: `&lt;`, `&#38;`.
fn letter_of_reference(text: &str) -> Option<usize> {
    let name = text.strip_prefix('&')?;
    let number = name.strip_prefix('#');
    let name = number.unwrap_or(name).as_bytes();
    let len =
        name.iter().take(entities::LONGEST + 1).take_while(|b| b.is_ascii_alphanumeric()).count();
    let is_reference = name.get(len) == Some(&b';') && len > 0;
    let is_known = number.is_some() || entities::entity(&name[..len]).is_some();
    (is_reference && is_known).then_some(if number.is_some() { 2 } else { 1 })
}
