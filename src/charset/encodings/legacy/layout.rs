//! The layout of characters in bytes for each encoding: facts that the scan of stored bytes needs.
//!
//! In every encoding of the WHATWG standard except UTF-16 and ISO-2022-JP the bytes 00–2F and 3A–3F represent themselves;
//! in some, 30–39 and 40–7E may be the second half of a character. The tests compare these facts with encoding_rs
//! exhaustively.

/// Families of encodings with the same layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Layout {
    /// One byte per character: the single-byte encodings and x-user-defined.
    Single,
    ShiftJis,
    EucJp,
    EucKr,
    Big5,
    /// GBK and GB18030, which have the same decoder.
    Gb,
    Utf16Le,
    Utf16Be,
    Iso2022Jp,
}

impl Layout {
    /// Returns `true` if a character surely begins after this byte, whatever precedes it.
    #[inline]
    pub(crate) const fn is_sure(self, byte: u8) -> bool {
        match self {
            Layout::Single => true,
            Layout::ShiftJis => matches!(byte, 0..=0x80 | 0xA0..=0xDF | 0xFD..),
            Layout::EucJp => matches!(byte, 0..=0x8D | 0x90..=0xA0 | 0xFF),
            Layout::EucKr | Layout::Big5 => matches!(byte, 0..=0x80 | 0xFF),
            Layout::Gb => matches!(byte, 0..=0x2F | 0x3A..=0x80 | 0xFF),
            // In these encodings the answer does not depend on single bytes.
            Layout::Utf16Le | Layout::Utf16Be | Layout::Iso2022Jp => false,
        }
    }

    /// Returns the number of bytes of the character at the beginning of `bytes`, malformed or not, as far as that decides
    /// where the one after the next begins: an ASCII byte that turns out not to belong to the character is a
    /// [sure](Layout::is_sure) one.
    #[inline]
    pub(crate) fn step(self, bytes: &[u8]) -> usize {
        let [lead, rest @ ..] = bytes else { return 0 };
        let is_lead = match self {
            Layout::Single => false,
            Layout::Utf16Le | Layout::Utf16Be => return 2,
            Layout::ShiftJis => matches!(lead, 0x81..=0x9F | 0xE0..=0xFC),
            Layout::EucJp => matches!(lead, 0x8E | 0x8F | 0xA1..=0xFE),
            Layout::EucKr | Layout::Big5 | Layout::Gb => matches!(lead, 0x81..=0xFE),
            Layout::Iso2022Jp => false,
        };
        if !is_lead {
            return 1;
        }
        match (self, lead, rest) {
            (_, _, []) => 1,
            (Layout::EucJp, 0x8F, [0xA1..=0xFE, third, ..]) if *third >= 0x80 => 3,
            (Layout::Gb, _, [0x30..=0x39, 0x81..=0xFE, 0x30..=0x39, ..]) => 4,
            (Layout::Gb, _, [0x30..=0x39, ..]) => 1,
            (_, _, [0..=0x3F, ..]) => 1,
            _ => 2,
        }
    }

    /// Returns the first offset in `bytes`, not before `offset`, at which a character begins, given that one begins at
    /// offset 0. It searches back to the nearest sure byte, and steps forwards from there.
    pub(crate) fn boundary(self, bytes: &[u8], offset: usize) -> usize {
        let before = &bytes[..offset.min(bytes.len())];
        let mut at = before.iter().rposition(|b| self.is_sure(*b)).map_or(0, |n| n + 1);
        while at < offset {
            at += self.step(bytes.get(at..).unwrap_or_default()).max(1);
        }
        at
    }

    /// Returns the stored forms of the full stops U+3002, U+FF0E and U+FF61: their last two bytes, and the byte that is
    /// such a full stop by itself. `None` if the encoding has none, or cannot be searched for bytes.
    pub(crate) const fn stops(self) -> Option<([[u8; 2]; 3], Option<u8>)> {
        Some(match self {
            Layout::ShiftJis => ([[0x81, 0x42], [0x81, 0x44], [0x81, 0x44]], Some(0xA1)),
            Layout::EucJp => ([[0xA1, 0xA3], [0xA1, 0xA5], [0x8E, 0xA1]], None),
            Layout::EucKr => ([[0xA1, 0xA3], [0xA3, 0xAE], [0xA3, 0xAE]], None),
            // U+FF61 is 84 31 95 37 in GB18030.
            Layout::Gb => ([[0xA1, 0xA3], [0xA3, 0xAE], [0x95, 0x37]], None),
            Layout::Big5 => ([[0xA1, 0x43], [0xA1, 0x44], [0xA1, 0x44]], None),
            Layout::Single | Layout::Utf16Le | Layout::Utf16Be | Layout::Iso2022Jp => return None,
        })
    }

    /// Returns the stored forms of punctuation marks that no host, local part or scheme contains: a backwards search ends
    /// there, if the bytes are one character.
    pub(crate) const fn hard_boundaries(self) -> &'static [[u8; 2]] {
        match self {
            // 、「」（）
            Layout::ShiftJis => {
                &[[0x81, 0x41], [0x81, 0x75], [0x81, 0x76], [0x81, 0x69], [0x81, 0x6A]]
            }
            Layout::EucJp => {
                &[[0xA1, 0xA2], [0xA1, 0xD6], [0xA1, 0xD7], [0xA1, 0xCA], [0xA1, 0xCB]]
            }
            // 、，：（）
            Layout::Gb => &[[0xA1, 0xA2], [0xA3, 0xAC], [0xA3, 0xBA], [0xA3, 0xA8], [0xA3, 0xA9]],
            // ，、：（）
            Layout::Big5 => &[[0xA1, 0x41], [0xA1, 0x42], [0xA1, 0x47], [0xA1, 0x5D], [0xA1, 0x5E]],
            _ => &[],
        }
    }

    /// Returns `true` for U+3000, the only non-ASCII white space of two bytes in the encodings with
    /// [hard_boundaries](Layout::hard_boundaries).
    #[inline]
    pub(crate) const fn is_ideographic_space(self, pair: [u8; 2]) -> bool {
        match self {
            Layout::ShiftJis => matches!(pair, [0x81, 0x40]),
            Layout::Big5 => matches!(pair, [0xA1, 0x40]),
            // The second form is used by old fonts, and is in the standard.
            Layout::Gb => matches!(pair, [0xA1, 0xA1] | [0xA3, 0xA0]),
            _ => matches!(pair, [0xA1, 0xA1]),
        }
    }

    /// Returns `true` if the encoding is UTF-16 in either byte order.
    pub(crate) const fn is_utf16(self) -> bool {
        matches!(self, Layout::Utf16Le | Layout::Utf16Be)
    }

    /// Returns the 16-bit unit with these bytes.
    #[inline]
    pub(crate) const fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Layout::Utf16Be => u16::from_be_bytes(bytes),
            _ => u16::from_le_bytes(bytes),
        }
    }
}
