//! Words with their kinds, found by a hash.
//!
//! The input is a label in upper or lower case, the result is the kinds that it is listed under. The words are in the lists
//! of `lexicon`.

/// Length in bytes of the longest word that counts.
pub(super) const LONGEST: usize = 16;

/// Returns a label in lower case as a number; zero if it is longer than any word.
#[inline]
pub(in crate::scan::filename) const fn word(label: &[u8]) -> u128 {
    if label.len() > LONGEST {
        return 0;
    }
    // The first and the last bytes overlap, and are equal where they do. This needs no loop, whose length the processor
    // would mispredict.
    if let (Some(front), Some(back)) = (label.first_chunk(), label.last_chunk()) {
        let front = lower(u64::from_be_bytes(*front)) as u128;
        return front << (8 * (label.len() - 8)) | lower(u64::from_be_bytes(*back)) as u128;
    }
    let bytes = if let (Some(front), Some(back)) = (label.first_chunk(), label.last_chunk()) {
        (u32::from_be_bytes(*front) as u64) << (8 * (label.len() - 4))
            | u32::from_be_bytes(*back) as u64
    } else {
        match *label {
            [a, b, c] => (a as u64) << 16 | (b as u64) << 8 | c as u64,
            [a, b] => (a as u64) << 8 | b as u64,
            [a] => a as u64,
            _ => 0,
        }
    };
    lower(bytes) as u128
}

/// Returns the bytes with their ASCII letters in lower case.
const fn lower(bytes: u64) -> u64 {
    const EACH: u64 = u64::MAX / 0xFF;
    // The top bit of each byte is the result; no sum carries into the next byte.
    let low = bytes & (EACH * 0x7F);
    let from_a = low + EACH * (0x80 - b'A' as u64);
    let behind_z = low + EACH * (0x7F - b'Z' as u64);
    let upper = from_a & !behind_z & !bytes & (EACH * 0x80);
    bytes | upper >> 2
}

/// Kinds of a label, as a set of constants of its lexicon.
pub(in crate::scan::filename) type LexiconKinds = u16;

/// Words with their kinds, found by a hash. A binary search among sorted words is mispredicted at each of its eight steps,
/// which took a tenth of the time of prose.
pub(in crate::scan::filename) struct Lexicon<const N: usize, const SLOTS: usize> {
    words: [u128; N],
    kinds: [LexiconKinds; N],
    /// The index of each word, plus one; zero for an empty slot. Words with the same hash are in the slots that follow.
    places: [u16; SLOTS],
}

impl<const N: usize, const SLOTS: usize> Lexicon<N, SLOTS> {
    /// Returns the kinds that the word is listed under; none if it is on no list.
    #[inline]
    pub(in crate::scan::filename) fn kinds(&self, word: u128) -> LexiconKinds {
        let mut slot = Self::slot(word);
        while self.places[slot] != 0 {
            let at = usize::from(self.places[slot] - 1);
            if self.words[at] == word {
                return self.kinds[at];
            }
            slot = (slot + 1) % SLOTS;
        }
        0
    }

    /// Returns the slot at which the search for a word begins.
    #[inline]
    const fn slot(word: u128) -> usize {
        let halves = word as u64 ^ ((word >> 64) as u64).rotate_left(29);
        (halves.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % SLOTS
    }

    /// Creates a lexicon from lists of words with spaces between them; no word may be on two lists.
    pub(super) const fn new(lists: &[(LexiconKinds, &str)]) -> Lexicon<N, SLOTS> {
        let mut lexicon = Lexicon { words: [0; N], kinds: [0; N], places: [0; SLOTS] };
        let mut len = 0;
        let mut list = 0;
        while list < lists.len() {
            let mut rest = lists[list].1.as_bytes();
            while !rest.is_empty() {
                let (first, behind) = rest.split_at(first_word(rest));
                let number = word(first);
                let mut slot = Self::slot(number);
                while lexicon.places[slot] != 0 {
                    let at = lexicon.places[slot] as usize - 1;
                    assert!(lexicon.words[at] != number, "a word is there twice");
                    slot = (slot + 1) % SLOTS;
                }
                lexicon.words[len] = number;
                lexicon.kinds[len] = lists[list].0;
                len += 1;
                lexicon.places[slot] = len as u16;
                rest = match behind {
                    [b' ', rest @ ..] => rest,
                    _ => &[],
                };
            }
            list += 1;
        }
        lexicon
    }
}

pub(super) const fn first_word(list: &[u8]) -> usize {
    let mut len = 0;
    while len < list.len() && list[len] != b' ' {
        len += 1;
    }
    assert!(0 < len && len <= LONGEST, "no word");
    len
}

pub(super) const fn count(lists: &[(LexiconKinds, &str)]) -> usize {
    let mut count = 0;
    let mut list = 0;
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].1.len() {
            count += (lists[list].1.as_bytes()[at] == b' ') as usize;
            at += 1;
        }
        count += 1;
        list += 1;
    }
    count
}

/// Returns a number of slots so large that the first slot decides for most words that are on no list.
pub(super) const fn slots(lists: &[(LexiconKinds, &str)]) -> usize {
    (4 * count(lists)).next_power_of_two()
}
