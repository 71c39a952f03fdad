//! The trigger bytes of links: which bytes they are, which bytes must be next to them, and the rules by which a byte
//! follows one. The passes find these places with vectors, and are tested against the rules.

/// The last two bytes of U+3002, U+FF0E and U+FF61, which UTS #46 maps to a dot. Some ideographs whose lead byte is not
/// less than those of the full stops end in them too; to accept these saves comparisons.
pub(crate) const FULL_STOPS: [[u8; 2]; 3] = [[0x80, 0x82], [0xBC, 0x8E], [0xBD, 0xA1]];
/// The least of their lead bytes. Texts in Latin, Greek, Cyrillic and Arabic letters have hardly any bytes that are not
/// less.
pub(crate) const FIRST_LEAD: u8 = 0xE3;
/// The least byte that counts as a host's after an `@`: `&`, with which a reference to a letter begins.
pub(crate) const FIRST_BEHIND_AT: u8 = b'&';
/// The least byte that counts as a host character before a dot: `-`. Greater bytes that are not host characters are
/// accepted, which saves comparisons.
pub(crate) const FIRST_HOST: u8 = 0x2D;
/// [`SLASH_BITS`] map `/` and `&` after a colon to this byte, and also `'` and the dot.
pub(crate) const SLASH: u8 = b'/';
pub(crate) const SLASH_BITS: u8 = 0x09;
/// The least byte that counts as a letter after a dot: `A`. A reference there has its own trigger.
pub(crate) const FIRST_LETTER: u8 = 0x41;

/// First byte of terminal sequences. A sequence within a link hides the trigger bytes next to it.
pub(crate) const ESCAPE: u8 = 0x1B;
/// The byte that follows in a control sequence, and the least byte that counts as it.
pub(crate) const FIRST_BEHIND_ESCAPE: u8 = b'[';

/// Returns `true` if a trigger byte precedes the byte at `at`. The passes must find all these places, and may find more.
pub(crate) fn is_after_mark(text: &[u8], at: usize, kinds: Kinds) -> bool {
    let back = |n: usize| at.checked_sub(n).map_or(0, |i| text[i]);
    let letter = text[at] >= FIRST_LETTER;
    match back(1) {
        b':' => text[at] > b' ',
        b'&' => text[at] == b'#',
        b'@' => text[at] >= FIRST_BEHIND_AT,
        ESCAPE => text[at] == FIRST_BEHIND_ESCAPE,
        b'.' => kinds.dots && letter,
        last => {
            kinds.dots && letter && FULL_STOPS.contains(&[back(2), last]) && back(3) >= FIRST_LEAD
        }
    }
}

/// Which triggers are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds {
    /// Dots, including ideographic full stops.
    pub(crate) dots: bool,
}

/// Number of bytes that a mask covers.
pub(crate) const BLOCK: usize = 64;
/// Number of masks that are computed at once.
pub(crate) const BATCH: usize = 64;

/// The masks of the blocks from `base` on: bit n of mask m is the byte at `base + 64 m + n`.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub(crate) base: usize,
    /// Masks of the blocks; if a mask is zero, its old value may have been left.
    pub(crate) masks: [u64; BATCH],
    /// Number of blocks.
    pub(crate) len: usize,
    /// Bit m is set if mask m is not zero.
    pub(crate) present: u64,
}

impl Batch {
    pub(crate) fn new() -> Batch {
        Batch { base: 0, masks: [0; BATCH], len: 0, present: 0 }
    }
}

/// Trigger bytes that are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LegacyKinds {
    /// Dots, including ideographic full stops.
    pub(crate) dots: bool,
    /// Two bytes may be one character: a label after a dot may then begin with any one of them. The bytes before a colon or
    /// a dot are not checked, because fewer comparisons make the pass faster.
    pub(crate) is_wide: bool,
    pub(crate) stops: Stops,
}

/// The stored forms of U+3002, U+FF0E and U+FF61.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stops {
    None,
    /// These two bytes.
    Pairs([[u8; 2]; 3]),
    /// These two bytes, or this one.
    PairsAndSingle([[u8; 2]; 3], u8),
    /// This byte.
    Single(u8),
}

/// Every byte that may follow has this bit set, except `@`, as letters do; the zeros after the end do not.
#[cfg(feature = "documents")]
pub(crate) const AFTER_W: u8 = 0x40;

/// Returns `true` if a trigger is at `at`: the rule that the fast passes are tested against.
#[cfg(feature = "documents")]
pub(crate) fn is_stored_trigger(bytes: &[u8], at: usize, kinds: LegacyKinds) -> bool {
    let back = |n: usize| at.checked_sub(n).map_or(0, |i| bytes[i]);
    let letter = |b: u8| b >= FIRST_LETTER;
    let host = |b: u8| b >= FIRST_HOST;
    let byte = bytes[at];
    let is_pair = |pairs: [[u8; 2]; 3]| pairs.contains(&[back(2), back(1)]);
    let is_stop = match kinds.stops {
        Stops::None => false,
        Stops::Pairs(pairs) => is_pair(pairs),
        Stops::PairsAndSingle(pairs, single) => is_pair(pairs) || back(1) == single,
        Stops::Single(single) => back(1) == single,
    };
    if kinds.is_wide {
        let least = match back(1) {
            b':' => Some(b'!'),
            b'&' => Some(b'#'),
            b'@' => Some(FIRST_BEHIND_AT),
            _ => None,
        };
        return least.is_some_and(|least| byte >= least)
            || kinds.dots && back(2) == b'.' && letter(back(1)) && host(byte)
            || kinds.dots && letter(byte) && is_stop;
    }
    // After `www.` a label may have one letter: there every host is reported with a reason.
    let after_w = if back(3) | 0x20 == b'w' { AFTER_W } else { 0 };
    byte >= FIRST_BEHIND_AT && back(1) == b'@'
        || byte == b'#' && back(1) == b'&'
        || byte > b' ' && back(1) == b':' && host(back(2))
        || kinds.dots
            && letter(byte | after_w)
            && letter(back(1))
            && back(2) == b'.'
            && host(back(3))
        || kinds.dots && letter(byte) && is_stop
}
