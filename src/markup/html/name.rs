//! Names of elements and attributes: found in a list by their first eight bytes, case folded.
//!
//! A tag is read at a few bytes a nanosecond, so a name is loaded as one number, its end is found by
//! arithmetic on that number, and the same number is the key of the lookup.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
const FOLD: u64 = 0x2020_2020_2020_2020;
/// Slots of a list; at most half of them are taken.
const SLOTS: usize = 512;

/// Eight bytes as one number, the first of them lowest.
#[inline(always)]
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk::<8>()?))
}

/// How many bytes of the word stand before the first that may end a name: white space and other
/// controls, `/`, `=`, `>` and its neighbours `<` and `?`, which end none; 8 if there is none.
///
/// The borrow of a subtraction makes false hits only above a true one, and the lowest is taken.
#[inline(always)]
pub(super) fn name_len(word: u64) -> usize {
    let controls = word.wrapping_sub(ONES * 0x21) & !word;
    let slash = word ^ (ONES * 0x2F);
    let slash = slash.wrapping_sub(ONES) & !slash;
    let signs = (word & (ONES * 0xFC)) ^ (ONES * 0x3C);
    let signs = signs.wrapping_sub(ONES) & !signs;
    ((controls | slash | signs) & HIGH).trailing_zeros() as usize / 8
}

/// How many bytes of the word stand before the first `byte`; 8 if there is none.
#[inline(always)]
pub(super) fn distance(word: u64, byte: u8) -> usize {
    let same = word ^ (ONES * byte as u64);
    (same.wrapping_sub(ONES) & !same & HIGH).trailing_zeros() as usize / 8
}

/// The next `byte` from an offset on.
#[inline(always)]
pub(super) fn find(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    // Most texts are short; calling for them costs more than three words do.
    for at in [from, from + 8, from + 16] {
        if let Some(word) = word(bytes, at)
            && let len @ 0..8 = distance(word, byte)
        {
            return Some(at + len);
        }
    }
    memchr::memchr(byte, bytes.get(from..)?).map(|len| from + len)
}

/// The next `<` from an offset on, and whether a link may be in the text before it, by a quick look:
/// false only if [`is_warm`] is.
#[inline(always)]
pub(super) fn text_end(bytes: &[u8], from: usize) -> (Option<usize>, bool) {
    let mut at = from;
    while let Some(word) = word(bytes, at) {
        let signs = word ^ (ONES * b'<' as u64);
        let signs = signs.wrapping_sub(ONES) & !signs & HIGH;
        // One mask finds the three that are wanted, and with them `" * 2 6 >`.
        let stops = (word & (ONES * 0xE3)) ^ (ONES * 0x22);
        let stops = stops.wrapping_sub(ONES) & !stops;
        let warm = (stops & followed(word, signs) | word) & HIGH;
        if signs != 0 {
            // A hit may be false above a true one, which does no harm: only the first sign is asked
            // for, and only whether there is any hit before it.
            let before = signs & signs.wrapping_neg();
            return (Some(at + signs.trailing_zeros() as usize / 8), warm & (before - 1) != 0);
        }
        at += 8;
        if warm != 0 {
            return (find(bytes, at, b'<'), true);
        }
    }
    let rest = bytes.get(at..).unwrap_or_default();
    (rest.iter().position(|&b| b == b'<').map(|len| at + len), true)
}

/// The bytes of a word that something visible follows which is none of `ends`; what follows the last is
/// not known, and taken for something.
#[inline(always)]
fn followed(word: u64, ends: u64) -> u64 {
    // Exact for each byte: what is above a space.
    let visible = ((word & !HIGH) + ONES * 0x5F) | word;
    ((visible & !ends) >> 8) | (HIGH & !(HIGH >> 8))
}

/// Whether a link may be in a text that stands alone: there is a dot, a colon or an ampersand with
/// something behind it, or what is not ASCII (where other dots are). An address has a dot as well as its
/// at sign.
pub(super) fn is_warm(text: &[u8]) -> bool {
    let warm = |word: u64| {
        // `&` and `.` differ in one bit.
        let stops = (word & (ONES * 0xF7)) ^ (ONES * b'&' as u64);
        let stops = stops.wrapping_sub(ONES) & !stops;
        let colons = word ^ (ONES * b':' as u64);
        let colons = colons.wrapping_sub(ONES) & !colons;
        ((stops | colons) & followed(word, 0) | word) & HIGH != 0
    };
    let mut words = text.chunks_exact(8);
    words.any(|chunk| word(chunk, 0).is_some_and(warm)) || {
        let rest = words.remainder();
        let last = rest.len().saturating_sub(1);
        !rest.is_ascii() || rest[..last].iter().any(|b| matches!(b, b'.' | b':' | b'&'))
    }
}

/// The first `len` bytes of a word, at least one, case folded, the others zero.
#[inline(always)]
pub(super) fn folded(word: u64, len: usize) -> u64 {
    // For no bytes at all the shift would have to be by 64.
    debug_assert!(len > 0);
    (word | FOLD) & (u64::MAX >> (64 - 8 * len.min(8) as u32 & 63))
}

/// [`folded`] of a name that need not have eight bytes behind its start.
pub(super) const fn key(name: &[u8]) -> u64 {
    let (mut key, mut at) = (0, 0);
    while at < name.len() && at < 8 {
        key |= ((name[at] | 0x20) as u64) << (8 * at);
        at += 1;
    }
    key
}

/// A list of names in lower case, at most 255, looked up in any case; a name's number is its place,
/// counted from 1.
pub(super) struct Names<const N: usize> {
    names: [&'static str; N],
    /// By number, 256 of each so that a number needs no check.
    keys: [u64; 256],
    lens: [u8; 256],
    slots: [u8; SLOTS],
}

const fn slot(key: u64, len: usize) -> usize {
    ((key ^ len as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize
}

impl<const N: usize> Names<N> {
    pub(super) const fn new(names: [&'static str; N]) -> Names<N> {
        let mut list = Names { names, keys: [0; 256], lens: [0; 256], slots: [0; SLOTS] };
        let mut at = 0;
        while at < N {
            let name = names[at].as_bytes();
            list.keys[at + 1] = key(name);
            list.lens[at + 1] = name.len() as u8;
            let mut slot = slot(key(name), name.len());
            while list.slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            list.slots[slot] = at as u8 + 1;
            at += 1;
        }
        list
    }

    /// The number of a name that holds no control characters, whose key is at hand; 0: not listed.
    #[inline(always)]
    pub(super) fn number(&self, name: &[u8], key: u64) -> u8 {
        let mut slot = slot(key, name.len());
        loop {
            let number = self.slots[slot % SLOTS];
            if number == 0 {
                return 0;
            }
            let place = usize::from(number);
            if self.keys[place] == key && usize::from(self.lens[place]) == name.len() {
                if name.len() <= 8 {
                    return number;
                }
                let known = self.name(number).as_bytes().get(8..).unwrap_or_default();
                if name.get(8..).is_some_and(|rest| rest.eq_ignore_ascii_case(known)) {
                    return number;
                }
            }
            slot += 1;
        }
    }

    /// The number of any name; 0: not listed.
    pub(super) fn number_of(&self, name: &[u8]) -> u8 {
        match self.number(name, key(name)) {
            0 => 0,
            number if self.name(number).as_bytes().eq_ignore_ascii_case(name) => number,
            _ => 0,
        }
    }

    /// The number of a name that is listed, worked out by the compiler.
    pub(super) const fn listed(&self, name: &str) -> u8 {
        let name = name.as_bytes();
        let mut at = 0;
        while at < N {
            let known = self.names[at].as_bytes();
            let mut same = 0;
            while same < known.len() && same < name.len() && known[same] == name[same] {
                same += 1;
            }
            if same == known.len() && same == name.len() {
                return at as u8 + 1;
            }
            at += 1;
        }
        panic!("a name that is not on the list")
    }

    /// The name with this number; empty for 0.
    pub(super) fn name(&self, number: u8) -> &'static str {
        let at = usize::from(number).checked_sub(1);
        at.and_then(|at| self.names.get(at)).copied().unwrap_or_default()
    }
}

/// White space of HTML between attributes. CR counts: a reader turns it into LF.
#[inline(always)]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0C)
}

/// Whether a tag's name ends before this byte.
#[inline(always)]
pub(super) fn ends_tag_name(byte: u8) -> bool {
    is_space(byte) || byte == b'>' || byte == b'/'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_where_the_standard_ends_them() {
        for (text, len) in [
            (&b"href=\"xy"[..], 4),
            (b"class   ", 5),
            (b"a>aaaaaa", 1),
            (b"ab/ab/ab", 2),
            (b"abcdefgh", 8),
            (b">bcdefgh", 0),
            (b"a\xE9\xA0\xBFe\x80\xA1=", 7),
            (b"\x81\x3D\x3D     ", 1),
        ] {
            assert_eq!(name_len(word(text, 0).unwrap()), len, "{text:?}");
        }
        assert_eq!(distance(word(b"abc\"def\"", 0).unwrap(), b'"'), 3);
        assert_eq!(distance(word(b"abcdefgh", 0).unwrap(), b'"'), 8);
    }

    #[test]
    fn warm_texts_are_those_that_may_hold_a_link() {
        for text in ["a.b", "x: y:z", "\u{3002}", "a&b", "1234567.8", "12345678.9", ".12345678"] {
            assert!(is_warm(text.as_bytes()), "{text}");
        }
        for text in ["", "a", "End. Etc", "Note:\t: 12@ 5. 7", "26\">*<:\n"] {
            assert!(!is_warm(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn texts_end_at_the_sign() {
        for (text, end, warm) in [
            ("abc<", Some(3), false),
            ("abcdefghij<12345678", Some(10), false),
            ("<", Some(0), false),
            ("a.<bcdefgh", Some(2), false),
            ("a.b<cdefgh", Some(3), true),
            ("a<.bcdefgh", Some(1), false),
        ] {
            assert_eq!(text_end(text.as_bytes(), 0).0, end, "{text}");
            if text.len() >= 8 {
                assert_eq!(text_end(text.as_bytes(), 0).1, warm, "{text}");
            }
        }
    }

    #[test]
    fn folding_is_the_same_both_ways() {
        let text = b"HrEf-x:9 more";
        for len in 1..=8 {
            assert_eq!(folded(word(text, 0).unwrap(), len), key(&text[..len]), "{len}");
        }
    }

    #[test]
    fn lists_find_their_names_in_any_case() {
        static LIST: Names<4> = Names::new(["a", "href", "xlink:href", "xlink:role"]);
        for (name, number) in
            [("A", 1), ("HREF", 2), ("XLink:Href", 3), ("xlink:rolE", 4), ("xlink:re", 0), ("", 0)]
        {
            assert_eq!(LIST.number_of(name.as_bytes()), number, "{name}");
        }
        assert_eq!(LIST.number_of(b"xlink\x1Ahref"), 0);
        const ROLE: u8 = LIST.listed("xlink:role");
        assert_eq!(LIST.name(ROLE), "xlink:role");
    }
}
