//! Decides whether the beginning of a document is UTF-8.
//!
//! The input is the beginning, the result is a verdict on its first 64 KiB of non-ASCII bytes. Later bytes are not
//! examined, so that a stream need not be kept.

use std::str;

/// Maximum number of bytes of a document's beginning that are checked.
pub(crate) const START: usize = 1 << 20;
/// Maximum number of non-ASCII bytes among them.
pub(crate) const NON_ASCII: usize = 64 << 10;

/// Whether a document ends where its known beginning ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The beginning is the complete document.
    Whole,
    /// There is more, or there may be.
    Beginning,
}

/// Validity of bytes as UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Utf8Validity {
    /// No bytes above 0x7F.
    Ascii,
    /// Well-formed.
    Valid,
    /// Partly malformed, but with too many well-formed characters to be chance.
    Damaged,
    Other,
}

/// Returns the part of a beginning that is checked: up to its 64 KiB of non-ASCII bytes, or to 1 MiB.
pub(super) fn judged(start: &[u8], extent: Extent) -> (&[u8], Extent) {
    if start.len() < NON_ASCII {
        return (start, extent);
    }
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

/// Returns the number of bytes above 0x7F.
pub(super) fn count_non_ascii(bytes: &[u8]) -> usize {
    // The count of each piece fits in a byte, so that the compiler can use vectors. Most pieces have no such bytes, which
    // is checked faster.
    let piece = |piece: &[u8]| piece.iter().map(|byte| byte >> 7).sum::<u8>() as usize;
    bytes.chunks(128).filter(|bytes| !bytes.is_ascii()).map(piece).sum()
}

/// Returns the index after the non-ASCII byte with this number, counted from one.
fn nth_non_ascii(chunk: &[u8], number: usize) -> usize {
    let mut places = chunk.iter().enumerate().filter(|(_, byte)| **byte >= 0x80);
    places.nth(number.saturating_sub(1)).map_or(chunk.len(), |(at, _)| at + 1)
}

/// Checks `bytes`, as cut by [`judged`].
pub(super) fn verdict(bytes: &[u8], extent: Extent) -> Utf8Validity {
    if bytes.is_ascii() {
        return Utf8Validity::Ascii;
    }
    let whole = match extent {
        Extent::Whole => bytes,
        // A character that is cut at the end may continue.
        Extent::Beginning => without_cut(bytes),
    };
    match is_valid(whole) {
        true => Utf8Validity::Valid,
        false if is_cut_out(bytes) => Utf8Validity::Damaged,
        false => damage(bytes, extent),
    }
}

/// Returns `true` if only the first and the last character are incomplete, as in a piece that was cut out of a longer text,
/// and there are enough others.
fn is_cut_out(bytes: &[u8]) -> bool {
    let tails = bytes.iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    let inner = without_cut(&bytes[tails..]);
    let is_tail = |byte: &&u8| **byte & 0xC0 == 0x80;
    is_valid(inner) && inner.iter().filter(is_tail).take(ENOUGH_INSIDE).count() == ENOUGH_INSIDE
}

/// Minimum number of bytes that continue a well-formed character in a text that begins or ends within one: two characters, or
/// one of three bytes.
const ENOUGH_INSIDE: usize = 2;

/// Number of bytes that are checked before testing the result, and before testing whether there are any non-ASCII bytes:
/// most texts have more ASCII letters than others.
const STEP: usize = 256;

/// Returns `true` if all bytes are well-formed (Unicode §3.9, table 3-7). Each byte is checked with the three bytes before
/// it and without a branch, so that the compiler can use vectors. The standard library's check goes from character to
/// character, and took longer for Cyrillic than the scan for links.
fn is_valid(bytes: &[u8]) -> bool {
    let Some(tail) = bytes.last_chunk::<3>() else { return str::from_utf8(bytes).is_ok() };
    let is_cut = tail[2] >= 0xC0 || tail[1] >= 0xE0 || tail[0] >= 0xF0;
    // The bytes before the first one count as ASCII.
    let mut first = [0; 6];
    first[3..].copy_from_slice(&bytes[..3]);
    if is_cut || has_wrong(&first) {
        return false;
    }
    let starts = (0..bytes.len() - 3).step_by(STEP);
    let mut pieces = starts.map(|at| &bytes[at..bytes.len().min(at + STEP + 3)]);
    pieces.all(|piece| piece.is_ascii() || !has_wrong(piece))
}

/// Returns `true` if one of the bytes after the first three is not allowed after the three bytes before it.
fn has_wrong(piece: &[u8]) -> bool {
    let (Some(thirds), Some(seconds), Some(firsts), Some(bytes)) =
        (piece.get(..), piece.get(1..), piece.get(2..), piece.get(3..))
    else {
        return false;
    };
    let befores = thirds.iter().zip(seconds).zip(firsts);
    let wrong = befores.zip(bytes).fold(0, |wrong, (((third, second), first), byte)| {
        let is_tail = byte & 0xC0 == 0x80;
        let is_due = (*first >= 0xC0) | (*second >= 0xE0) | (*third >= 0xF0);
        let is_never = (*byte >= 0xF5) | (*byte & 0xFE == 0xC0);
        let is_overlong = ((*first == 0xE0) & (*byte < 0xA0)) | ((*first == 0xF0) & (*byte < 0x90));
        let is_beyond = ((*first == 0xED) & (*byte >= 0xA0)) | ((*first == 0xF4) & (*byte >= 0x90));
        wrong | u8::from((is_tail != is_due) | is_never | is_overlong | is_beyond)
    });
    wrong != 0
}

/// Returns the bytes without an incomplete character at their end.
fn without_cut(bytes: &[u8]) -> &[u8] {
    let tails = bytes.iter().rev().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    let lead = bytes.len().saturating_sub(tails + 1);
    let length = match bytes.get(lead) {
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF4) => 4,
        _ => 1,
    };
    // The cut bytes must be the beginning of a character; `E0 80` cannot be.
    let is_start = str::from_utf8(&bytes[lead..]).is_err_and(|error| error.error_len().is_none());
    if tails + 1 < length && is_start { &bytes[..lead] } else { bytes }
}

/// Classifies bytes that are not valid UTF-8.
fn damage(bytes: &[u8], extent: Extent) -> Utf8Validity {
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
                    wrong += usize::from(extent == Extent::Whole);
                    break;
                };
                wrong += 1;
                // Most texts that are not UTF-8 are malformed from the beginning, but a few well-formed characters early on
                // must not decide.
                if wrong > 8 && wrong * ENOUGH > characters.max(8 * ENOUGH) {
                    return Utf8Validity::Other;
                }
                rest = &bad[length..];
            }
        }
    }
    match characters >= wrong * ENOUGH {
        true => Utf8Validity::Damaged,
        false => Utf8Validity::Other,
    }
}

/// Minimum number of well-formed characters for each malformed sequence in damaged UTF-8. Two bytes of another encoding are
/// a well-formed character by chance in about one of twenty cases, so this many are no coincidence.
const ENOUGH: usize = 16;

/// Returns the number of characters of more than one byte.
fn count_characters(text: &str) -> usize {
    let is_lead = |byte: &u8| u8::from(*byte >= 0xC0);
    text.as_bytes().chunks(128).map(|c| c.iter().map(is_lead).sum::<u8>() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8], extent: Extent) -> Utf8Validity {
        let (bytes, extent) = judged(bytes, extent);
        verdict(bytes, extent)
    }

    #[test]
    fn a_character_cut_at_the_end_is_fine_when_more_follows() {
        assert_eq!(of(b"a", Extent::Whole), Utf8Validity::Ascii);
        assert_eq!(of("é".as_bytes(), Extent::Whole), Utf8Validity::Valid);
        assert_eq!(of(b"\xC3\xA9\xC3", Extent::Beginning), Utf8Validity::Valid);
        assert_eq!(of(b"\xC3\xA9\xC3", Extent::Whole), Utf8Validity::Other);
        assert_eq!(of(b"caf\xE9", Extent::Beginning), Utf8Validity::Valid, "it may go on as 試");
        assert_eq!(of(b"caf\xE9 ", Extent::Beginning), Utf8Validity::Other);
    }

    #[test]
    fn what_comes_after_the_sample_changes_nothing() {
        for unit in ["é", "字", "é字"] {
            let mut bytes = unit.repeat(NON_ASCII).into_bytes();
            bytes.extend([0xFF; 100_000]);
            assert_eq!(of(&bytes, Extent::Whole), Utf8Validity::Valid);
        }
        let mut bytes = vec![b'a'; START];
        bytes.extend([0xFF; 10]);
        assert_eq!(of(&bytes, Extent::Whole), Utf8Validity::Ascii);
    }

    #[test]
    fn a_few_malformed_bytes_in_much_utf8_are_damage() {
        let mut bytes = "äöü ".repeat(10).into_bytes();
        bytes.push(0xFF);
        assert_eq!(of(&bytes, Extent::Whole), Utf8Validity::Damaged);
        assert_eq!(of(b"\xC3\xA4 \xFF", Extent::Whole), Utf8Validity::Other);
        assert_eq!(of(&[0xE4; 1000], Extent::Whole), Utf8Validity::Other);
        // Words in windows-1252 next to one pair that would be UTF-8.
        assert_eq!(of(b"na\xEFve caf\xE9 \xC3\xA9", Extent::Whole), Utf8Validity::Other);
    }

    #[test]
    fn a_piece_may_begin_and_end_within_a_character() {
        for piece in
            [&b"gr\xC3\xB6\xC3\x9Fe \xC3"[..], b"\xE8\xAF\xB7 \xE6", b"\xE8\xAF\xB7 \xE6\x88"]
        {
            assert_eq!(of(piece, Extent::Whole), Utf8Validity::Damaged, "{piece:X?}");
        }
        for tails in [&b"\xBC"[..], b"\xAF\xB7", b"\x9F\x98\x80"] {
            let piece = [tails, "größe".as_bytes()].concat();
            assert_eq!(of(&piece, Extent::Whole), Utf8Validity::Damaged, "{piece:X?}");
            assert_eq!(of(&[&piece[..], b"\xC3"].concat(), Extent::Whole), Utf8Validity::Damaged);
        }
        // Words of another encoding, and too few characters.
        for other in [
            &b"caf\xE9"[..],
            b"\xC3\xA9 caf\xE9",
            b"\x93caf\xC3\xA9\x94",
            b"gr\xC3\xB6\xC3\x9Fe \xFF",
            b"\xA4\xA2\xA4\xA4 \xC3\xB6\xC3\x9F",
        ] {
            assert_eq!(of(other, Extent::Whole), Utf8Validity::Other, "{other:X?}");
        }
    }

    #[test]
    fn the_check_is_the_standard_librarys() {
        let mut seed = 1_u32;
        let mut dice = |sides: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % sides
        };
        let leads = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF];
        let more = [0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF];
        let bytes = [leads, more].concat();
        // All sequences of up to three of these bytes, and of four after a lead byte; random longer ones, also across the
        // boundaries of steps.
        let count = bytes.len();
        let check = |text: &[u8]| {
            assert_eq!(is_valid(text), str::from_utf8(text).is_ok(), "{text:X?}");
        };
        for number in 0..count.pow(3) {
            let [first, second, third] =
                [0, 1, 2].map(|digit: u32| bytes[number / count.pow(digit) % count]);
            check(&[first]);
            check(&[first, second]);
            check(&[first, second, third]);
            for lead in [0xE1, 0xF0, 0xF1, 0xF4] {
                check(&[lead, first, second, third]);
            }
        }
        let good = ["a", "é", "字", "😀"];
        for length in [5, 50, STEP - 2, STEP, STEP + 3, 3 * STEP] {
            for _ in 0..100 {
                let mut text = String::new();
                while text.len() < length {
                    text.push_str(good[dice(4) as usize]);
                }
                let mut text = text.into_bytes();
                assert!(is_valid(&text));
                for _ in 0..dice(3) {
                    let at = dice(text.len() as u32) as usize;
                    text[at] = bytes[dice(count as u32) as usize];
                }
                assert_eq!(is_valid(&text), str::from_utf8(&text).is_ok());
                text.truncate(text.len() - dice(4) as usize);
                assert_eq!(is_valid(&text), str::from_utf8(&text).is_ok());
                let kept = without_cut(&text);
                let is_fine =
                    str::from_utf8(&text).map_or_else(|e| e.error_len().is_none(), |_| true);
                assert_eq!(is_valid(kept), is_fine, "{:X?}", &text[text.len().saturating_sub(4)..]);
            }
        }
    }

    #[test]
    fn non_ascii_is_counted() {
        let mut bytes = vec![b'a'; 300];
        bytes.extend([0x80; 300]);
        assert_eq!(count_non_ascii(&bytes), 300);
        assert_eq!(nth_non_ascii(b"a\x80b\x80", 2), 4);
    }
}
