//! What places are counted in.

use std::ops::Range;

use sift::offsets::{self, Offsets};

/// The unit of places, and how far it was counted.
pub(crate) enum Unit {
    /// Stored bytes.
    Byte,
    /// Units of UTF-16, two stored bytes each.
    Utf16,
    /// Characters of a text in UTF-8: code points; a byte that belongs to none counts with the one before.
    Character(Box<Offsets<'static>>),
}

impl Unit {
    /// Characters of a text.
    pub(crate) fn character(text: &'static [u8]) -> Unit {
        Unit::Character(Box::new(Offsets::new(text, offsets::Unit::Chars)))
    }

    /// Where a range of stored bytes is.
    pub(crate) fn place(&mut self, range: Range<usize>) -> (u64, u64) {
        match self {
            Unit::Byte => (range.start as u64, range.end as u64),
            Unit::Utf16 => (range.start as u64 / 2, range.end as u64 / 2),
            Unit::Character(characters) => {
                let range = characters.range(range);
                (range.start as u64, range.end as u64)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Unit;

    #[test]
    fn characters_are_counted_forward_and_back() {
        let text = "aé😀b";
        let mut unit = Unit::character(text.as_bytes());
        assert_eq!(unit.place(1..7), (1, 3));
        assert_eq!(unit.place(7..8), (3, 4));
        assert_eq!(unit.place(0..3), (0, 2));
        assert_eq!(Unit::Utf16.place(4..10), (2, 5));
    }
}
