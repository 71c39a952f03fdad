//! Whether the beginning of a document is UTF-8.
//!
//! What comes in is the beginning, what goes out is a verdict on its first 64 KiB of non-ASCII:
//! what comes after them is not looked at, so that a stream need not be kept.

use std::str;

/// How many bytes of a document's beginning are looked at.
pub(crate) const START: usize = 1 << 20;
/// How many non-ASCII bytes of them are.
pub(crate) const NON_ASCII: usize = 64 << 10;

/// Whether a document ends where its known beginning ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The beginning is all there is.
    Whole,
    /// There is more, or may be.
    Beginning,
}

/// What bytes are, seen as UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Not a byte above 0x7F.
    Ascii,
    /// Well-formed.
    Valid,
    /// Malformed here and there, but what is well-formed in it cannot be chance.
    Damaged,
    Other,
}

/// The part of a beginning that is judged: up to its 64 KiB of non-ASCII, or to 1 MiB.
pub(super) fn judged(start: &[u8], extent: Extent) -> (&[u8], Extent) {
    let mut end = start.len().min(START);
    let mut left = NON_ASCII;
    let mut at = 0;
    for chunk in start[..end].chunks(1 << 10) {
        let count = count_non_ascii(chunk);
        if count >= left {
            end = at + nth_non_ascii(chunk, left);
            break;
        }
        left -= count;
        at += chunk.len();
    }
    let extent = if end < start.len() { Extent::Beginning } else { extent };
    (&start[..end], extent)
}

/// How many bytes above 0x7F there are.
pub(super) fn count_non_ascii(bytes: &[u8]) -> usize {
    // In pieces whose count fits a byte: the compiler makes vectors of it.
    let piece = |piece: &[u8]| piece.iter().map(|byte| byte >> 7).sum::<u8>() as usize;
    bytes.chunks(128).map(piece).sum()
}

/// The index behind the non-ASCII byte with this number, counted from one.
fn nth_non_ascii(chunk: &[u8], number: usize) -> usize {
    let mut places = chunk.iter().enumerate().filter(|(_, byte)| **byte >= 0x80);
    places.nth(number.saturating_sub(1)).map_or(chunk.len(), |(at, _)| at + 1)
}

/// What `bytes` are, which [`judged`] has cut.
pub(super) fn verdict(bytes: &[u8], extent: Extent) -> Verdict {
    if bytes.is_ascii() {
        return Verdict::Ascii;
    }
    let (mut wrong, mut characters) = (0, 0);
    let mut rest = bytes;
    loop {
        match str::from_utf8(rest) {
            Ok(text) => {
                characters += count_characters(text);
                break;
            }
            Err(error) => {
                let (good, bad) = rest.split_at(error.valid_up_to());
                characters += str::from_utf8(good).map_or(0, count_characters);
                let Some(length) = error.error_len() else {
                    // A character that is cut by the end: the rest of it may come.
                    wrong += usize::from(extent == Extent::Whole);
                    break;
                };
                wrong += 1;
                // Most of what is no UTF-8 is so at once; a few good characters early on are
                // given their chance.
                if wrong > 8 && wrong * ENOUGH > characters.max(8 * ENOUGH) {
                    return Verdict::Other;
                }
                rest = &bad[length..];
            }
        }
    }
    match wrong {
        0 => Verdict::Valid,
        _ if characters >= wrong * ENOUGH => Verdict::Damaged,
        _ => Verdict::Other,
    }
}

/// With this many good characters for each malformed sequence a text is damaged UTF-8: two bytes of
/// another encoding are one by chance in about twenty, so that this many in a row are none.
const ENOUGH: usize = 16;

/// How many characters of more than one byte there are.
fn count_characters(text: &str) -> usize {
    let is_lead = |byte: &u8| u8::from(*byte >= 0xC0);
    text.as_bytes().chunks(128).map(|c| c.iter().map(is_lead).sum::<u8>() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8], extent: Extent) -> Verdict {
        let (bytes, extent) = judged(bytes, extent);
        verdict(bytes, extent)
    }

    #[test]
    fn a_character_cut_at_the_end_is_fine_when_more_follows() {
        assert_eq!(of(b"a", Extent::Whole), Verdict::Ascii);
        assert_eq!(of("é".as_bytes(), Extent::Whole), Verdict::Valid);
        assert_eq!(of(b"\xC3\xA9\xC3", Extent::Beginning), Verdict::Valid);
        assert_eq!(of(b"\xC3\xA9\xC3", Extent::Whole), Verdict::Other);
        assert_eq!(of(b"caf\xE9", Extent::Beginning), Verdict::Valid, "it may go on as 試");
        assert_eq!(of(b"caf\xE9 ", Extent::Beginning), Verdict::Other);
    }

    #[test]
    fn what_comes_after_the_sample_changes_nothing() {
        for unit in ["é", "字", "é字"] {
            let mut bytes = unit.repeat(NON_ASCII).into_bytes();
            bytes.extend([0xFF; 100_000]);
            assert_eq!(of(&bytes, Extent::Whole), Verdict::Valid);
        }
        let mut bytes = vec![b'a'; START];
        bytes.extend([0xFF; 10]);
        assert_eq!(of(&bytes, Extent::Whole), Verdict::Ascii);
    }

    #[test]
    fn a_few_malformed_bytes_in_much_utf8_are_damage() {
        let mut bytes = "äöü ".repeat(10).into_bytes();
        bytes.push(0xFF);
        assert_eq!(of(&bytes, Extent::Whole), Verdict::Damaged);
        assert_eq!(of(b"\xC3\xA4 \xFF", Extent::Whole), Verdict::Other);
        assert_eq!(of(&[0xE4; 1000], Extent::Whole), Verdict::Other);
        // Words of windows-1252 beside one pair that would be UTF-8.
        assert_eq!(of(b"na\xEFve caf\xE9 \xC3\xA9", Extent::Whole), Verdict::Other);
    }

    #[test]
    fn non_ascii_is_counted() {
        let mut bytes = vec![b'a'; 300];
        bytes.extend([0x80; 300]);
        assert_eq!(count_non_ascii(&bytes), 300);
        assert_eq!(nth_non_ascii(b"a\x80b\x80", 2), 4);
    }
}
