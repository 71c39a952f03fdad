//! Finds where texts, names and values end, by blocks of bytes.
//!
//! The input is bytes and an offset, the result is the offset of the end. Nearly all of them end in their first block, so
//! the call of a search function would cost more than this check.

use crate::input::chunk::Chunk;
use crate::simd::signs::{BLOCK, Masks, NonAscii, Plain};

/// Returns the bytes from an offset on as an array, if there are enough.
#[inline(always)]
pub(in crate::markup) fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    bytes.get(at..)?.first_chunk()
}

/// Returns the bits up to and including the lowest bit that is set; all bits if none is set.
#[inline(always)]
pub(in crate::markup) fn up_to_first(mask: u32) -> u32 {
    mask ^ mask.wrapping_sub(1)
}

/// Returns the number of bytes before the first one that may end a name: white space and other controls, `/`, `=`, `>`; the
/// size of the block if there is no such byte.
#[inline(always)]
pub(super) fn name_len(bytes: &[u8; BLOCK]) -> usize {
    Plain.name_ends(bytes).trailing_zeros() as usize
}

/// Returns the offset of the next `byte` from an offset on.
#[inline(always)]
pub(super) fn find_by(bytes: Chunk<'_>, from: usize, byte: u8, masks: impl Masks) -> Option<usize> {
    find_in(bytes.get(from..)?, byte, masks).map(|len| from + len)
}

/// Returns the offset of the next `byte` in these bytes.
pub(super) fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    find_in(bytes, byte, Plain)
}

#[inline(always)]
pub(super) fn find_in(bytes: &[u8], byte: u8, masks: impl Masks) -> Option<usize> {
    let mut at = 0;
    while let Some(block) = chunk::<BLOCK>(bytes, at) {
        let mask = masks.same(block, byte);
        if mask != 0 {
            return Some(at + mask.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    memchr::memchr(byte, bytes.get(at..)?).map(|len| at + len)
}

/// Returns the next `<` from an offset on, and whether a link may be in the text before it, taken by itself: there is a
/// dot, a colon or an ampersand with a visible character after it, or a possible ideographic full stop. An address has a
/// dot in addition to its at sign. Close to the end of the bytes the answer is always `true`.
#[inline(always)]
pub(in crate::markup) fn text_end_by(
    bytes: Chunk<'_>,
    from: usize,
    masks: impl Masks,
) -> (Option<usize>, bool) {
    let bytes = bytes.get(from..).unwrap_or_default();
    let mut at = 0;
    while let Some(block) = chunk::<{ BLOCK + 1 }>(bytes, at) {
        let (signs, possible) = masks.text(block, NonAscii::Anything);
        if signs != 0 {
            let may_link = possible & up_to_first(signs) != 0;
            return (Some(from + at + signs.trailing_zeros() as usize), may_link);
        }
        at += BLOCK;
        if possible != 0 {
            let rest = bytes.get(at..).unwrap_or_default();
            return (find_in(rest, b'<', masks).map(|len| from + at + len), true);
        }
    }
    let rest = bytes.get(at..).unwrap_or_default();
    (rest.iter().position(|&b| b == b'<').map(|len| from + at + len), true)
}

/// [`text_end_by`] with the portable masks.
pub(super) fn text_end(bytes: Chunk<'_>, from: usize) -> (Option<usize>, bool) {
    text_end_by(bytes, from, Plain)
}

/// Returns `true` if a link may be in a text by itself, as in [`text_end`].
pub(super) fn may_link(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(block) = chunk::<{ BLOCK + 1 }>(text, at) {
        if Plain.text(block, NonAscii::Anything).1 != 0 {
            return true;
        }
        at += BLOCK;
    }
    let rest = text.get(at..).unwrap_or_default();
    let is_followed = |pair: &[u8]| {
        matches!(pair, [b'.' | b':' | b'&', b'!'..=0x7F]) && pair.last() != Some(&b'<')
    };
    !rest.is_ascii() || rest.windows(2).any(is_followed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_where_the_standard_ends_them() {
        for (text, len) in [
            (&b"href=\"xyhref=\"xy"[..], 4),
            (b"class           ", 5),
            (b"a>aaaaaaaaaaaaaa", 1),
            (b"ab/ab/ab<aaaaaaa", 2),
            (b"abcdefgh?<;:,.-\x7F", 32),
            (b">bcdefghijklmnop", 0),
            (b"a\xE9\xA0\xBFe\x80\xA1\xFFaaaaaaa=", 15),
            (b"\x81\x3D\x3D             ", 1),
            (b"abcdefghijklmn\0 ", 14),
        ] {
            let block = [text, &[b'a'; BLOCK]].concat();
            assert_eq!(name_len(chunk(&block, 0).unwrap()), len, "{text:?}");
        }
    }

    #[test]
    fn possible_texts_are_those_that_may_hold_a_link() {
        for text in ["a.b", "x: y:z", "\u{3002}", "a&b", "1234567.8", "12345678.9", ".12345678"] {
            for padding in ["", "such a long text that it takes more than a block 5. 7"] {
                assert!(may_link([padding, text].concat().as_bytes()), "{padding}{text}");
                assert!(may_link([text, padding].concat().as_bytes()), "{text}{padding}");
            }
        }
        for text in ["", "a", "End. Etc", "Deferred:\t: 12@ 5. 7", "26\">*<:\n"] {
            assert!(!may_link(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn texts_end_at_the_sign() {
        let after = "12345678".repeat(8);
        for (text, end, possible) in [
            ("abc<", 3, false),
            ("abcdefghij<", 10, false),
            ("<", 0, false),
            ("a.<b.c", 2, false),
            ("a.b<cdefgh", 3, true),
            ("a<.bcdefgh", 1, false),
            ("a thousand words and not one link<a.b", 33, false),
            ("a thousand words and not one lin.<", 33, false),
            ("a thousand words and not one li.<", 32, false),
            ("a thousand words and not one li.k<", 33, true),
            ("\u{e9} thousand words and then some more of them<", 44, true),
        ] {
            let text = [text, &*after].concat();
            assert_eq!(text_end(Chunk::whole(text.as_bytes()), 0), (Some(end), possible), "{text}");
        }
        assert_eq!(text_end(Chunk::whole(b"no sign"), 0), (None, true));
        assert_eq!(text_end(Chunk::whole(b"one<"), 0), (Some(3), true));
    }

    #[test]
    fn a_byte_is_found_wherever_it_is() {
        for len in 0..100 {
            let text = [&vec![b'a'; len][..], b"\"bc\""].concat();
            let find = |from: usize| Some(from + find(text.get(from..)?, b'"')?);
            assert_eq!(find(0), Some(len));
            assert_eq!(find(len + 1), Some(len + 3));
            assert_eq!(find(len + 4), None);
            assert_eq!(find(len + 9), None);
        }
    }
}
