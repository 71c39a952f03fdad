//! Decides from the first bytes of a label, without a branch, whether a top-level domain may begin there.
//!
//! The input is any eight bytes; a "no" is certain, a "yes" may be wrong. Nearly all queries are for the dots of versions,
//! of file names, and at the ends of sentences, in an order that a processor cannot predict, so the answer is computed from
//! a few table lookups.

use super::tld_list::{ASCII, UNICODE, UNICODE_OPENINGS};

/// Classes of bytes that are not ASCII letters; the numbers of letters precede these.
const OTHER: u8 = 26;
const AMPERSAND: u8 = 27;
/// Non-ASCII characters of two or four bytes, or of a script with case, which are not distinguished here.
const WIDE: u8 = 28;
/// The first byte of a Han character.
const HAN: u8 = 29;
/// The first byte of kana, Hangul syllables and neighbouring blocks.
const KANA: u8 = 30;
const CLASSES: usize = 32;

static CLASS: [u8; 256] = {
    let mut classes = [WIDE; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            letter @ (b'a'..=b'z' | b'A'..=b'Z') => (letter | 0x20) - b'a',
            b'&' => AMPERSAND,
            0..0x80 => OTHER,
            0xE4..=0xE9 => HAN,
            0xE3 | 0xEA..=0xED => KANA,
            _ => WIDE,
        };
        byte += 1;
    }
    classes
};

/// A digit.
const NO_LETTER: u8 = 26;
/// Ends a label.
const END: u8 = 27;
/// May belong to a label, or represent another character.
const UNSURE: u8 = 28;

/// Classes of the third byte of a label: the number of a letter, or one of these three.
static THIRDS: [u8; 256] = {
    let mut thirds = [UNSURE; 256];
    let mut byte = 0;
    while byte < 128 {
        thirds[byte] = match byte as u8 {
            letter @ (b'a'..=b'z' | b'A'..=b'Z') => (letter | 0x20) - b'a',
            b'0'..=b'9' => NO_LETTER,
            // A hyphen at the end of a label does not belong to it.
            b'_' | b'&' | b'-' => UNSURE,
            _ => END,
        };
        byte += 1;
    }
    thirds
};

/// For the classes of the first two bytes, bit k: a label may begin with these, followed by [`THIRDS`] k.
static OPENINGS: [u32; CLASSES * CLASSES] = {
    let mut openings = [0; CLASSES * CLASSES];
    let mut class = 0;
    while class < CLASSES {
        openings[AMPERSAND as usize * CLASSES + class] = u32::MAX;
        openings[WIDE as usize * CLASSES + class] = u32::MAX;
        // A letter may be followed by one that is written as a reference or in fullwidth form.
        if class <= OTHER as usize {
            openings[class * CLASSES + AMPERSAND as usize] = u32::MAX;
        }
        if class < OTHER as usize {
            openings[class * CLASSES + WIDE as usize] = u32::MAX;
            openings[class * CLASSES + HAN as usize] = u32::MAX;
            openings[class * CLASSES + KANA as usize] = u32::MAX;
        }
        class += 1;
    }
    let mut at = 0;
    while at < ASCII.len() {
        let label = ASCII[at].as_bytes();
        let first = CLASS[label[0] as usize] as usize;
        let pair = &mut openings[first * CLASSES + CLASS[label[1] as usize] as usize];
        *pair |= 1 << UNSURE;
        *pair |= if label.len() == 2 { 1 << END } else { 1 << THIRDS[label[2] as usize] };
        at += 1;
    }
    openings
};

/// Masks of the significant bytes of a non-ASCII label: for Han, which has only one spelling, two characters without the
/// last byte; for others one character, which may be decomposed. For the remaining classes there are none.
static MASKS: [u64; CLASSES] = {
    let mut masks = [0; CLASSES];
    masks[HAN as usize] = (1 << 40) - 1;
    masks[KANA as usize] = (1 << 24) - 1;
    masks
};

/// A bit for those bytes, shared by many; zero means that no top-level domain begins with them, and also if there are none.
static BITS: [u64; 64] = {
    let mut bits = [0; 64];
    let mut at = 0;
    while at < UNICODE.len() {
        if let [b0, b1, b2, b3, b4, _, ..] = *UNICODE[at].as_bytes()
            && CLASS[b0 as usize] == HAN
        {
            set(&mut bits, [b0, b1, b2, b3, b4, 0, 0, 0]);
            // The second character may be a reference.
            set(&mut bits, [b0, b1, b2, b'&', b'#', 0, 0, 0]);
        }
        at += 1;
    }
    at = 0;
    while at < UNICODE_OPENINGS.len() {
        let mut bytes = [0; 8];
        let len = UNICODE_OPENINGS[at].encode_utf8(&mut bytes).len();
        if len == 3 && CLASS[bytes[0] as usize] == KANA {
            set(&mut bits, bytes);
        }
        at += 1;
    }
    assert!(bits[0] & 1 == 0);
    bits
};

const fn set(bits: &mut [u64; 64], key: [u8; 8]) {
    let (word, bit) = bit(u64::from_le_bytes(key));
    bits[word] |= 1 << bit;
}

/// Returns the word and the bit of a key.
const fn bit(key: u64) -> (usize, u32) {
    let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52;
    ((hash >> 6) as usize, (hash & 63) as u32)
}

/// Returns `true` if a top-level domain may begin with these bytes, the first of them lowest, in upper or lower case,
/// whether or not its characters are written as references.
#[inline(always)]
pub(crate) fn may_open(label: u64) -> bool {
    opening_bit(label) != 0
}

/// Like [`may_open`], but returns 1 or 0, for branch-free callers.
#[inline(always)]
pub(crate) fn opening_bit(label: u64) -> u32 {
    let byte = |n: u32| usize::from((label >> (8 * n)) as u8);
    let first = CLASS[byte(0)];
    let openings = openings(first, CLASS[byte(1)]) >> THIRDS[byte(2)];
    let (word, known) = bit(label & MASKS[usize::from(first)]);
    let is_known = (BITS[word] >> known) as u32;
    (openings | is_known) & 1
}

/// Returns `true` if this is the first byte of a Han, kana or Hangul character, for which [`may_open`] excludes little.
#[inline]
pub(crate) fn is_east_asian(first: u8) -> bool {
    CLASS[usize::from(first)] >= HAN
}

/// Returns `true` if some ASCII top-level domain begins with these bytes, or ends before the third.
#[inline(always)]
pub(super) fn may_open_ascii(b0: u8, b1: u8, b2: Option<u8>) -> bool {
    let (first, second) = (CLASS[usize::from(b0)], CLASS[usize::from(b1)]);
    // A missing third byte counts as one that may or may not belong to a label.
    let third = THIRDS[usize::from(b2.unwrap_or(b'_'))];
    first < OTHER && second < OTHER && openings(first, second) >> third & 1 != 0
}

#[inline(always)]
fn openings(first: u8, second: u8) -> u32 {
    OPENINGS[(usize::from(first) * CLASSES + usize::from(second)) % OPENINGS.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first eight bytes of a label, filled with a byte that may follow it.
    fn eight(label: &str, after: u8) -> u64 {
        let mut bytes = [after; 8];
        let len = label.len().min(8);
        bytes[..len].copy_from_slice(&label.as_bytes()[..len]);
        u64::from_le_bytes(bytes)
    }

    #[test]
    fn all_top_level_domains_may_open() {
        for after in [b'/', b'\n', 0xE3, b'.'] {
            for label in ASCII.iter().chain(&UNICODE) {
                assert!(may_open(eight(label, after)), "{label}");
                assert!(may_open(eight(&label.to_uppercase(), after)), "{label}");
            }
        }
        for opening in UNICODE_OPENINGS {
            let written = format!("&#x{:x};", opening as u32);
            assert!(may_open(eight(&written, b'x')), "{written}");
        }
        for label in UNICODE.iter().filter(|label| CLASS[label.as_bytes()[0] as usize] == HAN) {
            let first: String = label.chars().take(1).collect();
            assert!(may_open(eight(&(first + "&#x7EDC;"), b' ')), "{label}");
        }
    }

    #[test]
    fn most_sentences_begin_with_none() {
        for label in ["その日は", "中に入る", "12345678", "txt of it", "さくら", " a", "。", "-x"]
        {
            assert!(!may_open(eight(label, b' ')), "{label}");
        }
        // Two bytes, four bytes, scripts with case, fullwidth forms, malformed: not distinguished.
        for label in ["рф", "ｃｏｍ", "𠮷", "é", "aé", "a&", "&"] {
            assert!(may_open(eight(label, b' ')), "{label}");
        }
        assert!(may_open(u64::MAX));
    }
}
