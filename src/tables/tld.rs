//! Top-level domains.
//!
//! The input is a label in upper or lower case, as it is in the text; nothing is allocated. The list is IANA's, in
//! `tld_list`; its indexes are computed at compile time, so that they are always up to date. Fullwidth ASCII and decomposed
//! spellings of U-labels count (UTS #46 maps them to the label); other compatibility mappings do not, so `ⓒⓞⓜ` is not a
//! top-level domain here.

use std::ops::Range;

use super::forms::nfc_of;
use super::key;
use super::opening;
use super::tld_list::{ASCII, UNICODE, UNICODE_OPENINGS};

/// Length in bytes of the longest ASCII top-level domain.
const LONGEST: usize = longest(&ASCII);

/// Length in bytes of the longest spelling of a U-label that is checked: four bytes per character, decomposed into three.
pub(crate) const LONGEST_UNICODE: usize = longest(&UNICODE) * 4;

const fn longest(labels: &[&str]) -> usize {
    let mut longest = 0;
    let mut at = 0;
    while at < labels.len() {
        if labels[at].len() > longest {
            longest = labels[at].len();
        }
        at += 1;
    }
    longest
}

/// Returns the ASCII top-level domains, in lower case.
pub(crate) fn ascii_tlds() -> impl Iterator<Item = &'static str> {
    ASCII.iter().copied()
}

/// Bit j of word i: some ASCII top-level domain begins with the i-th and the j-th letter.
///
/// Only 373 of the 676 pairs begin a domain. These 104 bytes, which stay in the cache, exclude the others, and also text
/// that does not begin with two letters (after the dots of numbers, of versions, and at the ends of sentences).
pub static OPENINGS: [u32; 26] = openings(false);

/// Like [`OPENINGS`], for domains of two letters, which this bit alone decides.
static COUNTRIES: [u32; 26] = openings(true);

const fn openings(only_whole: bool) -> [u32; 26] {
    let mut openings = [0; 26];
    let mut at = 0;
    while at < ASCII.len() {
        let label = ASCII[at].as_bytes();
        if label.len() == 2 || !only_whole {
            openings[(label[0] - b'a') as usize] |= 1 << (label[1] - b'a');
        }
        at += 1;
    }
    openings
}

/// Number of slots of the hash table: half of them stay empty.
const SLOTS: usize = 4096;

/// Returns the slot at which the search for a key begins.
const fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize
}

/// Indices in the list, plus one, by the hash of the keys; zero for an empty slot. Labels with the same key, or the same
/// slot, are in the slots that follow.
static TABLE: [u16; SLOTS] = {
    let mut table = [0; SLOTS];
    let mut at = 0;
    while at < ASCII.len() {
        let mut n = slot(key(ASCII[at].as_bytes()));
        while table[n] != 0 {
            n = (n + 1) % SLOTS;
        }
        at += 1;
        table[n] = at as u16;
    }
    table
};

/// Keys of the ASCII labels.
static KEYS: [u64; ASCII.len()] = {
    let mut keys = [0; ASCII.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = key(ASCII[at].as_bytes());
        at += 1;
    }
    keys
};

/// Returns `true` if some ASCII top-level domain begins with these two bytes, in upper or lower case.
///
/// ```
/// use linksift::tables::tld::may_open;
/// assert!(may_open(b'C', b'o') && may_open(b'x', b'n'));
/// assert!(!may_open(b'q', b'q') && !may_open(b'4', b'2'));
/// ```
#[inline]
pub fn may_open(b0: u8, b1: u8) -> bool {
    let i = (b0 | 0x20).wrapping_sub(b'a') as usize;
    let j = (b1 | 0x20).wrapping_sub(b'a');
    // Bits 26 to 31 are zero, so 32 can be the limit of the shift.
    i < 26 && j < 32 && (OPENINGS[i] >> j) & 1 != 0
}

/// Returns `true` if some ASCII top-level domain begins with these three bytes, or ends before the third, in upper or lower
/// case. Also returns `true` if there is no third byte, or if it is non-ASCII, `_` or `&`.
///
/// ```
/// use linksift::tables::tld::may_open_label;
/// assert!(may_open_label(b'C', b'o', Some(b'm')) && may_open_label(b'd', b'e', Some(b'/')));
/// assert!(!may_open_label(b't', b'x', Some(b't')) && !may_open_label(b'd', b'e', Some(b'x')));
/// ```
#[inline]
pub fn may_open_label(b0: u8, b1: u8, b2: Option<u8>) -> bool {
    opening::may_open_ascii(b0, b1, b2)
}

/// Returns `true` if `label` is an ASCII top-level domain, which may be an A-label, in upper or lower case.
///
/// One bit decides labels of two letters, a hash table of the first eight bytes the others: a search in sorted labels takes
/// several times as long.
///
/// ```
/// use linksift::tables::tld::is_ascii_tld;
/// assert!(is_ascii_tld(b"com") && is_ascii_tld(b"DE") && is_ascii_tld(b"xn--p1ai"));
/// assert!(!is_ascii_tld(b"comm") && !is_ascii_tld(b"co.") && !is_ascii_tld(b""));
/// ```
#[inline]
pub fn is_ascii_tld(label: &[u8]) -> bool {
    let [b0, b1, rest @ ..] = label else { return false };
    if !may_open(*b0, *b1) {
        return false;
    }
    if rest.is_empty() {
        let (i, j) = ((b0 | 0x20) - b'a', (b1 | 0x20) - b'a');
        return (COUNTRIES[i as usize] >> j) & 1 != 0;
    }
    if let [b2] = rest {
        // Nearly all hosts end in one of these.
        if let b"com" | b"org" | b"net" = &[b0 | 0x20, b1 | 0x20, b2 | 0x20] {
            return true;
        }
    }
    label.len() <= LONGEST && is_listed(label)
}

/// Searches for a label for which [`may_open`] is `true`.
fn is_listed(label: &[u8]) -> bool {
    let key = key(label);
    let mut n = slot(key);
    while TABLE[n] != 0 {
        let at = usize::from(TABLE[n] - 1);
        if KEYS[at] == key && ASCII[at].as_bytes().eq_ignore_ascii_case(label) {
            return true;
        }
        n = (n + 1) % SLOTS;
    }
    false
}

/// Returns `true` if the non-ASCII `label` is a top-level domain: in upper or lower case, composed or decomposed, with
/// fullwidth forms (U+FF01 to U+FF5E) for ASCII. Returns `false` for ASCII labels.
///
/// ```
/// use linksift::tables::tld::is_unicode_tld;
/// assert!(is_unicode_tld("рф") && is_unicode_tld("РФ") && is_unicode_tld("ｃｏｍ"));
/// assert!(!is_unicode_tld("com") && !is_unicode_tld("рфф"));
/// ```
pub fn is_unicode_tld(label: &str) -> bool {
    let Some(first) = label.chars().next().and_then(|c| fold(c).next()) else { return false };
    if !first.is_ascii() && UNICODE_OPENINGS.binary_search(&first).is_err() {
        return false;
    }
    if label.is_ascii() || label.len() > LONGEST_UNICODE {
        return false;
    }
    let mut buffer = ['\0'; LONGEST_UNICODE];
    let mut len = 0;
    for c in nfc_of(label.chars().flat_map(fold)) {
        let Some(slot) = buffer.get_mut(len) else { return false };
        *slot = c;
        len += 1;
    }
    let folded = &buffer[..len];
    if folded.iter().all(char::is_ascii) {
        let mut bytes = [0; LONGEST_UNICODE];
        for (byte, c) in bytes.iter_mut().zip(folded) {
            *byte = *c as u8;
        }
        return is_ascii_tld(&bytes[..len]);
    }
    UNICODE.binary_search_by(|tld| tld.chars().cmp(folded.iter().copied())).is_ok()
}

/// Returns `true` if some non-ASCII top-level domain begins with this code point, in upper or lower case, or if it is
/// fullwidth ASCII. This quickly excludes most characters after an ideographic full stop.
///
/// ```
/// use linksift::tables::tld::may_open_unicode;
/// assert!(may_open_unicode('香' as u32) && may_open_unicode('Р' as u32));
/// assert!(!may_open_unicode('の' as u32));
/// ```
pub fn may_open_unicode(c: u32) -> bool {
    let is_listed = |c: char| UNICODE_OPENINGS.binary_search(&c).is_ok();
    // East Asian characters, most of those that follow an ideographic full stop, have no case.
    if EAST_ASIAN.contains(&c) {
        return OPENING_BITS[bit(c).0] & bit(c).1 != 0 && char::from_u32(c).is_some_and(is_listed);
    }
    let Some(first) = char::from_u32(c).and_then(|c| fold(c).next()) else { return false };
    first.is_ascii() || is_listed(first)
}

/// Returns `true` if a non-ASCII top-level domain begins with these two letters, in upper or lower case.
///
/// ```
/// use linksift::tables::tld::may_open_pair;
/// assert!(may_open_pair('Р', 'ф') && may_open_pair('м', 'о'));
/// assert!(!may_open_pair('р', 'а'));
/// ```
pub fn may_open_pair(first: char, second: char) -> bool {
    let Some(lower) = fold(first).next() else { return false };
    let from = UNICODE.partition_point(|tld| tld.chars().next() < Some(lower));
    let mut same = UNICODE[from..].iter().take_while(|tld| tld.starts_with(lower));
    // Most queries are for these characters, which have no case.
    if [first, second].iter().all(|c| EAST_ASIAN.contains(&u32::from(*c))) {
        return same.any(|tld| tld.chars().nth(1) == Some(second));
    }
    let wanted = || fold(first).chain(fold(second));
    lower.is_ascii() || same.any(|tld| wanted().eq(tld.chars().take(wanted().count())))
}

/// Returns `true` if `text` begins with a top-level domain, as spelled in the list, whose first character is this Han, kana
/// or Hangul character. Also returns `true` if it may begin with one that is decomposed, has references, or continues after
/// the text.
///
/// ```
/// use linksift::tables::tld::may_open_east_asian;
/// let text = |start: &str| start.to_owned() + &"。".repeat(99);
/// assert!(may_open_east_asian('香', text("香港/").as_bytes()));
/// assert!(!may_open_east_asian('香', text("香りが").as_bytes()));
/// ```
pub fn may_open_east_asian(first: char, text: &[u8]) -> bool {
    // The domain may continue after the end of the text.
    if text.len() < LONGEST_UNICODE {
        return true;
    }
    let from = UNICODE.partition_point(|tld| tld.chars().next() < Some(first));
    let same = UNICODE[from..].iter().take_while(|tld| tld.starts_with(first));
    let (mut listed, mut any) = (false, false);
    for tld in same {
        any = true;
        listed |= text.starts_with(tld.as_bytes());
    }
    // U+3099 and U+309A after a kana; compatibility ideographs are not among these characters.
    let window = &text[..text.len().min(LONGEST_UNICODE)];
    listed
        || any && window.contains(&b'&')
        || any && window.windows(2).any(|two| two == [0x82, 0x99] || two == [0x82, 0x9A])
        || !any && window.get(3..5) == Some(&[0xE3, 0x82])
}

/// A bit for each code point, shared by many; zero means that no top-level domain begins with it.
static OPENING_BITS: [u64; 64] = {
    let mut bits = [0; 64];
    let mut at = 0;
    while at < UNICODE_OPENINGS.len() {
        let (word, mask) = bit(UNICODE_OPENINGS[at] as u32);
        bits[word] |= mask;
        at += 1;
    }
    bits
};

const fn bit(c: u32) -> (usize, u64) {
    let hash = c.wrapping_mul(0x9E37_79B1) >> 20;
    ((hash >> 6) as usize, 1 << (hash & 63))
}

/// Characters of top-level domains in Han, kana and Hangul, which have no case.
pub(crate) const EAST_ASIAN: Range<u32> = 0x2E80..0xD7A4;

/// Returns the lower case of a character; for a fullwidth form, that of its ASCII counterpart.
fn fold(c: char) -> impl Iterator<Item = char> {
    let narrow = match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c,
    };
    narrow.to_lowercase()
}

/// Returns `true` if `label` is a top-level domain, ASCII or not, in upper or lower case.
///
/// ```
/// use linksift::tables::tld::is_tld;
/// assert!(is_tld("org") && is_tld("XN--P1AI") && is_tld("рф") && is_tld("vermögensberater"));
/// assert!(!is_tld("localhost") && !is_tld(""));
/// ```
#[inline]
pub fn is_tld(label: &str) -> bool {
    if label.is_ascii() { is_ascii_tld(label.as_bytes()) } else { is_unicode_tld(label) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_label_has_its_slot() {
        assert!(KEYS.is_sorted());
        assert_eq!(TABLE.iter().filter(|&&slot| slot != 0).count(), ASCII.len());
    }

    #[test]
    fn every_listed_label_is_found_in_any_case() {
        for label in ASCII {
            assert!(is_tld(label) && is_tld(&label.to_uppercase()), "{label}");
            assert!(!is_tld(&format!("{label}q0")), "{label}");
        }
        for label in UNICODE {
            let upper: String = label.to_uppercase();
            let decomposed: String = crate::tables::forms::nfd(label).collect();
            assert!(is_tld(label) && is_tld(&upper) && is_tld(&decomposed), "{label}");
            assert!(!is_tld(&format!("{label}q")), "{label}");
        }
    }

    #[test]
    fn bytes_that_fold_to_a_listed_label_are_none() {
        // `| 0x20` maps CR to `-` and U+0011 to `1`.
        assert!(is_ascii_tld(b"xn--p1ai"));
        assert!(!is_ascii_tld(b"xn\r\rp1ai") && !is_ascii_tld(b"xn--p\x11ai"));
    }

    #[test]
    fn openings_of_three_agree_with_the_list_for_all_bytes() {
        let labels: Vec<&[u8]> = ASCII.iter().map(|label| label.as_bytes()).collect();
        let openings: HashSet<&[u8]> = labels.iter().map(|l| &l[..l.len().min(3)]).collect();
        let pairs: HashSet<&[u8]> = labels.iter().map(|label| &label[..2]).collect();
        for b0 in 0..0x80 {
            for b1 in 0..0x80 {
                let pair: [u8; 2] = [b0, b1].map(|b: u8| b.to_ascii_lowercase());
                assert_eq!(may_open_label(b0, b1, None), pairs.contains(&pair[..]));
                for b2 in 0..=u8::MAX {
                    let three = [pair[0], pair[1], b2.to_ascii_lowercase()];
                    let expected = match b2 {
                        0x80.. | b'_' | b'&' | b'-' => pairs.contains(&pair[..]),
                        _ if b2.is_ascii_digit() => false,
                        _ if b2.is_ascii_alphabetic() => openings.contains(&three[..]),
                        _ => openings.contains(&pair[..]),
                    };
                    assert_eq!(may_open_label(b0, b1, Some(b2)), expected, "{three:?}");
                }
            }
        }
    }

    #[test]
    fn openings_agree_with_the_list_for_all_pairs_of_bytes() {
        let pairs: HashSet<&[u8]> = ASCII.iter().map(|label| &label.as_bytes()[..2]).collect();
        let labels: HashSet<&[u8]> = ASCII.iter().map(|label| label.as_bytes()).collect();
        for b0 in 0..=u8::MAX {
            for b1 in 0..=u8::MAX {
                let lower = [b0.to_ascii_lowercase(), b1.to_ascii_lowercase()];
                assert_eq!(may_open(b0, b1), pairs.contains(&lower[..]), "{b0:02X} {b1:02X}");
                let whole = labels.contains(&lower[..]);
                assert_eq!(is_ascii_tld(&[b0, b1]), whole, "{b0:02X} {b1:02X}");
            }
        }
    }
}
