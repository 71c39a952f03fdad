//! A set of the URIs that have occurred, as 128-bit hashes, which needs little more memory than the hashes.
//!
//! The standard library's set doubles its size, and keeps the old table in addition to the new one meanwhile: for 16 bytes
//! per hash it needs 20 to 60. Here only a part of the set grows at a time, by a quarter. Hashes are evenly distributed and
//! therefore can be sorted: each is as close as possible after the slot that its value determines, smaller ones before
//! greater ones. A search then ends at the first greater one, and a table that is seven eighths full is still fast (linear
//! probing in order, Amble and Knuth 1974).

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use linksift::Link;

use crate::args::Scope;

/// Hashes the value that links have in common of which only one is shown. Two keyed 64-bit hashes form one of 128 bits: the
/// author of a text does not know the keys, and cannot make one link hide another.
#[derive(Default)]
pub(crate) struct Keys([RandomState; 2]);

impl Keys {
    /// Returns the key of a link that has this value in common with others of the same scope.
    pub(crate) fn of(&self, scope: Scope, path: &Path, link: &Link<'_>, value: &str) -> u128 {
        if scope == Scope::Run {
            return self.hash(value.as_bytes());
        }
        let (path, member) = (path.as_os_str().as_encoded_bytes(), link.member());
        let number = link.message_number().unwrap_or(0).to_be_bytes();
        // Only the number can contain a NUL, and its length is fixed.
        let member = member.unwrap_or_default().as_bytes();
        self.hash(&[value.as_bytes(), b"\0", path, b"\0", member, b"\0", &number].concat())
    }

    fn hash(&self, value: &[u8]) -> u128 {
        let [high, low] = &self.0;
        u128::from(high.hash_one(value)) << 64 | u128::from(low.hash_one(value))
    }
}

/// Set of hashes.
pub(crate) struct Seen {
    /// Parts, by the first byte of the hash.
    parts: Vec<Part>,
}

#[derive(Clone, Default)]
struct Part {
    /// Ascending hashes, with gaps, which are zero; some entries may be after `places`.
    entries: Vec<u128>,
    /// Number of slots over which hashes are distributed.
    places: usize,
    len: usize,
}

/// Number of entries after the last slot that are allocated at once.
const SPILL: usize = 32;

impl Seen {
    pub(crate) fn new() -> Seen {
        Seen { parts: vec![Part::default(); 256] }
    }

    /// Inserts a hash; returns whether it is new.
    pub(crate) fn insert(&mut self, hash: u128) -> bool {
        // Zero is a gap. This does not change how likely it is that two URIs share a hash.
        self.parts[(hash >> 120) as usize].insert(hash.max(1))
    }
}

impl Part {
    /// Returns the slot at which the search for a hash begins; it is monotonic, so that slots are in the order of values.
    fn place(&self, hash: u128) -> usize {
        let spread = (hash << 8) >> 64;
        ((spread * self.places as u128) >> 64) as usize
    }

    fn insert(&mut self, hash: u128) -> bool {
        if self.len >= self.places / 8 * 7 {
            self.grow();
        }
        let mut at = self.place(hash);
        while let Some(&entry) = self.entries.get(at) {
            if entry == hash {
                return false;
            }
            if entry == 0 || entry > hash {
                break;
            }
            at += 1;
        }
        let rest = self.entries.iter().skip(at);
        let gap = at + rest.take_while(|entry| **entry != 0).count();
        if gap == self.entries.len() {
            self.entries.reserve_exact(SPILL);
            self.entries.push(0);
        }
        self.entries.copy_within(at..gap, at + 1);
        self.entries[at] = hash;
        self.len += 1;
        true
    }

    fn grow(&mut self) {
        self.places = (self.places + self.places / 4).next_multiple_of(8) + 8;
        let mut entries = Vec::with_capacity(self.places + SPILL);
        for entry in self.entries.drain(..).filter(|entry| *entry != 0) {
            let place = ((((entry << 8) >> 64) * self.places as u128) >> 64) as usize;
            if entries.len() < place {
                entries.resize(place, 0);
            }
            entries.push(entry);
        }
        if entries.len() < self.places {
            entries.resize(self.places, 0);
        }
        self.entries = entries;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn says_what_a_set_says() {
        let mut state = 1_u128;
        let mut random = || {
            state = state.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(99);
            state.rotate_left(64)
        };
        // Evenly distributed hashes, hashes at either end of a part, and frequent duplicates.
        let spread: Vec<u128> = (0..20_000).map(|_| random()).collect();
        let low: Vec<u128> = (0..2_000).map(|_| random() >> 100).collect();
        let high: Vec<u128> = (0..2_000).map(|_| u128::MAX - (random() >> 100)).collect();
        let few: Vec<u128> = (0..2_000).map(|_| random() % 50).collect();
        let (mut seen, mut set) = (Seen::new(), HashSet::new());
        for hash in [spread, low, high, few].into_iter().flatten().map(|hash| hash.max(1)) {
            assert_eq!(seen.insert(hash), set.insert(hash), "{hash:x}");
        }
        for hash in set {
            assert!(!seen.insert(hash), "{hash:x}");
        }
        for part in &seen.parts {
            let entries: Vec<_> = part.entries.iter().filter(|entry| **entry != 0).collect();
            assert_eq!(entries.len(), part.len);
            assert!(entries.is_sorted());
        }
    }
}
