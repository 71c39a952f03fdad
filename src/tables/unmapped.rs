//! Characters beyond ASCII that mapping a host leaves as they are: UTS #46 says "valid" of them, and NFC "stays,
//! whatever is beside it". Kept by hand; tests compare it with `idna`.

/// What a character is to the mapping of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A letter written from left to right.
    Letter,
    /// A letter of class R or AL.
    RightToLeft,
    /// A vowel sign or the like: not at the beginning of a label.
    Mark,
    /// Something that only `idna` knows.
    Other,
}

#[inline]
pub(crate) fn kind(c: char) -> Kind {
    match FIRST.get(c as usize) {
        Some(kind) => *kind,
        None => kind_of(c as u32),
    }
}

/// The kinds of what is below the Indic scripts, where the ranges are small and many.
static FIRST: [Kind; 0x700] = {
    let mut kinds = [Kind::Other; 0x700];
    let mut c = 0;
    while c < kinds.len() {
        kinds[c] = kind_of(c as u32);
        c += 1;
    }
    kinds
};

const fn kind_of(c: u32) -> Kind {
    match c {
        // Latin: of Latin Extended-A and the Vietnamese letters every other one is lower case; ĳ ŀ ŉ
        // ſ are mapped.
        0xDF..=0xF6 | 0xF8..=0xFF => Kind::Letter,
        c @ (0x101..=0x131 | 0x135..=0x137 | 0x14B..=0x177 | 0x1EA1..=0x1EF9) if c & 1 == 1 => {
            Kind::Letter
        }
        c @ (0x13A..=0x13E | 0x142..=0x148 | 0x17A..=0x17E) if c & 1 == 0 => Kind::Letter,
        // Greek, Cyrillic, Armenian, Georgian.
        0x3AC..=0x3CE | 0x430..=0x45F | 0x561..=0x586 | 0x10D0..=0x10FA => Kind::Letter,
        c @ (0x48B..=0x4BF | 0x4D1..=0x52F) if c & 1 == 1 => Kind::Letter,
        // Kana, ideographs, Hangul syllables.
        0x3041..=0x3096 | 0x30A1..=0x30FA | 0x30FC => Kind::Letter,
        0x3005..=0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFC | 0xAC00..=0xD7A3 => Kind::Letter,
        // Devanagari without nukta, with which letters compose.
        0x904..=0x939 => Kind::Letter,
        0x901..=0x903 | 0x93E..=0x94D => Kind::Mark,
        // Hebrew; Arabic, Persian, Urdu without the mapped ones.
        0x5D0..=0x5EA | 0x620..=0x63F | 0x641..=0x64A | 0x671..=0x674 | 0x679..=0x6D3 => {
            Kind::RightToLeft
        }
        _ => Kind::Other,
    }
}

/// Whether UTS #46 leaves a character beyond ASCII as it is, whatever is beside it. What this lets in is
/// seen, too, and compatible with no ASCII; of other characters it says nothing.
#[inline]
pub(crate) fn stays(c: char) -> bool {
    kind(c) != Kind::Other
}
