//! Texts next to a name, compared as numbers: all bytes of a text at once.
//!
//! The texts of a row are converted to numbers whose lowest byte is the nearest to the name.

/// A text next to a name, also as a number.
#[derive(Clone, Copy)]
pub(super) struct RowText {
    pub(super) text: &'static str,
    /// The text as a number; the byte nearest to the name is the lowest.
    number: u128,
    mask: u128,
}

impl RowText {
    /// Returns `true` if the bytes next to a name begin, or end, with the text.
    #[inline]
    pub(super) fn is_at(&self, beside: u128) -> bool {
        beside & self.mask == self.number
    }
}

/// Creates texts that precede a name.
pub(super) const fn front<const N: usize>(texts: [&'static str; N]) -> [RowText; N] {
    numbered(texts, true)
}

/// Creates texts that follow a name.
pub(super) const fn behind<const N: usize>(texts: [&'static str; N]) -> [RowText; N] {
    numbered(texts, false)
}

const fn numbered<const N: usize>(texts: [&'static str; N], is_front: bool) -> [RowText; N] {
    let mut all = [RowText { text: "", number: 0, mask: 0 }; N];
    let mut nth = 0;
    while nth < N {
        let bytes = texts[nth].as_bytes();
        let (mut number, mut mask, mut at) = (0, 0, 0);
        assert!(bytes.len() <= 16, "longer than a number");
        while at < bytes.len() {
            let byte = bytes[if is_front { at } else { bytes.len() - 1 - at }];
            number = number << 8 | byte as u128;
            mask = mask << 8 | 0xFF;
            at += 1;
        }
        all[nth] = RowText { text: texts[nth], number, mask };
        nth += 1;
    }
    all
}
