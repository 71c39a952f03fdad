//! Names of elements and attributes, found in a list by their first eight bytes, case folded.
//!
//! A tag is read at a few bytes per nanosecond, so the first bytes of a name are loaded as one number, which is the key of
//! the lookup. No two names of a list have the same slot, which is computed at compile time.

const FOLD: u64 = 0x2020_2020_2020_2020;
/// Number of slots of a list: large enough that a factor without collisions is found soon.
const SLOTS: usize = 4096;

/// Returns eight bytes as one number, the first byte lowest.
#[inline(always)]
pub(super) fn word(bytes: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*bytes)
}

/// Masks of the first bytes of a word, by their number.
const FIRST: [u64; 9] = {
    let mut masks = [u64::MAX; 9];
    let mut len = 0;
    while len < 8 {
        masks[len] = (1 << (8 * len)) - 1;
        len += 1;
    }
    masks
};

/// Returns the first `len` bytes of a word, case folded, and zeros for the others.
#[inline(always)]
pub(super) fn folded(word: u64, len: usize) -> u64 {
    (word | FOLD) & FIRST.get(len).copied().unwrap_or(u64::MAX)
}

/// [`folded`] for a name that need not have eight bytes after its start.
pub(super) const fn key(name: &[u8]) -> u64 {
    let (mut key, mut at) = (0, 0);
    while at < name.len() && at < 8 {
        key |= ((name[at] | 0x20) as u64) << (8 * at);
        at += 1;
    }
    key
}

/// Returns the key of a name of more than eight bytes. No shorter name has it, because a folded first byte has the bit that
/// is cleared here.
const fn long_key(key: u64, len: usize) -> u64 {
    (key & !0x20) ^ (len & 0x1F) as u64
}

/// A list of at most 255 names in lower case, looked up in upper or lower case. The number of a name is its index, counted
/// from 1.
pub(super) struct Names<const N: usize> {
    names: [&'static str; N],
    /// Keys by number, 256 of them so that a number needs no bounds check.
    keys: [u64; 256],
    slots: [u8; SLOTS],
    factor: u64,
}

#[inline(always)]
const fn slot(key: u64, factor: u64) -> usize {
    (key.wrapping_mul(factor) >> (64 - SLOTS.trailing_zeros())) as usize
}

impl<const N: usize> Names<N> {
    pub(super) const fn new(names: [&'static str; N]) -> Names<N> {
        let mut list = Names { names, keys: [0; 256], slots: [0; SLOTS], factor: 0 };
        let mut at = 0;
        while at < N {
            let (key, len) = (key(names[at].as_bytes()), names[at].len());
            list.keys[at + 1] = if len > 8 { long_key(key, len) } else { key };
            at += 1;
        }
        // Try odd numbers with about as many ones as zeros until no two names have the same slot. A name that is listed
        // twice is found by its first number.
        let mut factor: u64 = 0x9E37_79B9_7F4A_7C15;
        while list.factor == 0 {
            list.slots = [0; SLOTS];
            list.factor = factor;
            let mut number = 1;
            while number <= N {
                let slot = slot(list.keys[number], factor);
                let other = list.slots[slot] as usize;
                if other == 0 {
                    list.slots[slot] = number as u8;
                } else if list.keys[other] != list.keys[number] {
                    list.factor = 0;
                    break;
                }
                number += 1;
            }
            factor = factor.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(2) | 1;
        }
        list
    }

    /// Returns the number of a name of at most eight bytes without control characters, given its folded bytes; 0 if it is
    /// not listed.
    #[inline(always)]
    pub(super) fn by_key(&self, key: u64) -> u8 {
        let number = self.slots[slot(key, self.factor) % SLOTS];
        // There is no branch, since the result is unpredictable.
        if self.keys[usize::from(number)] == key { number } else { 0 }
    }

    /// Returns the number of any name; 0 if it is not listed.
    pub(super) fn number_of(&self, name: &[u8]) -> u8 {
        let key = key(name);
        let number = match name.len() {
            ..=8 => self.by_key(key),
            len => self.by_key(long_key(key, len)),
        };
        if self.name(number).as_bytes().eq_ignore_ascii_case(name) { number } else { 0 }
    }

    /// Returns the number of a name that is listed, at compile time.
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
        panic!("a name that is not on its list: an element is to be on LISTED of element.rs first")
    }

    /// Returns the name with this number; empty for 0.
    pub(super) fn name(&self, number: u8) -> &'static str {
        let at = usize::from(number).checked_sub(1);
        at.and_then(|at| self.names.get(at)).copied().unwrap_or_default()
    }
}

/// Returns `true` for white space of HTML between attributes. CR counts, since a parser turns it into LF.
#[inline(always)]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0x0C)
}

/// Returns `true` if this byte ends the name of a tag.
#[inline(always)]
pub(super) fn ends_tag_name(byte: u8) -> bool {
    is_space(byte) || byte == b'>' || byte == b'/'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_is_the_same_both_ways() {
        let text = b"HrEf-x:9";
        for len in 0..=8 {
            assert_eq!(folded(word(text), len), key(&text[..len]), "{len}");
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
