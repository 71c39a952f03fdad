//! Decides whether a link may be in a text of markup, by each byte and the one after it.
//!
//! Without a dot before a letter, a colon before a visible character, or a reference to one of them, no scan finds
//! anything; hardly one in fifteen of the texts between the tags of a page has one of these. An address has a dot in
//! addition to its at sign.

use super::marks::{FIRST_LETTER, FULL_STOPS};
use crate::simd::signs::{BLOCK, Masks, NonAscii};

/// The least byte that is visible.
const FIRST_VISIBLE: u8 = b'!';

/// Returns `true` if a link may be in the text that the bytes begin with, up to `end`, where a `<` or the end of the bytes
/// is.
#[inline(always)]
pub(crate) fn may_hold_link(bytes: &[u8], end: usize, beyond: NonAscii, masks: impl Masks) -> bool {
    let mut at = 0;
    while at < end {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(block) = rest.first_chunk() else {
            return may_hold_link_at_edge(rest.get(..end - at).unwrap_or(rest), beyond);
        };
        let mut places = places(block, beyond, masks);
        if end - at < BLOCK {
            places &= (1 << (end - at)) - 1;
        }
        if places != 0 {
            return true;
        }
        at += BLOCK;
    }
    false
}

/// Returns the bytes of a block that may indicate a link, each together with the byte after it.
#[inline(always)]
fn places(block: &[u8; BLOCK + 1], beyond: NonAscii, masks: impl Masks) -> u32 {
    let (Some(these), Some(next)) = (block.first_chunk(), block.last_chunk()) else { return 0 };
    let is = |byte: u8| masks.same(these, byte);
    let goes_on = |byte: u8| masks.same(next, byte);
    let dots = is(b'.') & (masks.from(next, FIRST_LETTER) | goes_on(b'&'));
    let colons = is(b':') & masks.from(next, FIRST_VISIBLE) & !goes_on(b'<');
    // A numeric reference, `&period;`, `&colon;`, `&commat;`.
    let references = is(b'&') & (goes_on(b'#') | goes_on(b'p') | goes_on(b'c'));
    let stops = match beyond {
        NonAscii::Anything => masks.from(these, 0x80),
        NonAscii::Utf8 => FULL_STOPS.iter().fold(0, |all, [b, c]| all | is(*b) & goes_on(*c)),
        NonAscii::Letters => 0,
    };
    dots | colons | references | stops
}

/// Like [`may_hold_link`], byte by byte.
fn may_hold_link_at_edge(text: &[u8], beyond: NonAscii) -> bool {
    let next = text.iter().skip(1).chain(b"<");
    text.iter().zip(next).any(|(byte, next)| match byte {
        b'.' => *next >= FIRST_LETTER || *next == b'&',
        b':' => *next >= FIRST_VISIBLE && *next != b'<',
        b'&' => matches!(next, b'#' | b'p' | b'c'),
        0x80.. => match beyond {
            NonAscii::Anything => true,
            NonAscii::Utf8 => FULL_STOPS.contains(&[*byte, *next]),
            NonAscii::Letters => false,
        },
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::simd::signs::{Isa, MaskKernel, Plain};

    struct IsHot<'b>(&'b [u8], usize, NonAscii);

    impl MaskKernel for IsHot<'_> {
        type Output = bool;

        fn run(self, masks: impl Masks) -> bool {
            let IsHot(bytes, end, beyond) = self;
            may_hold_link(bytes, end, beyond, masks)
        }
    }

    #[test]
    fn masks_say_what_bytes_say() {
        const BYTES: &[u8] = b"aZ.:&#pc< @!\xE3\x80\x82\xEF\xBC\x8E\xBD\xA1\xE9-09;";
        let mut dice = Dice::new(23);
        let mut held = 0;
        for number in 0..60_000 {
            let few = if number % 2 == 0 { BYTES.len() } else { 3 };
            let mut bytes: Vec<u8> = (0..dice.below(80))
                .map(|_| if dice.once_in(4) { dice.pick(&BYTES[..few]) } else { b'a' })
                .collect();
            let start = dice.below(bytes.len() + 1);
            let end = start + dice.below(bytes.len() - start + 1);
            if let Some(byte) = bytes.get_mut(end) {
                *byte = b'<';
            }
            for beyond in [NonAscii::Anything, NonAscii::Utf8, NonAscii::Letters] {
                let by_bytes = may_hold_link_at_edge(&bytes[start..end], beyond);
                let (text, len) = (&bytes[start..], end - start);
                assert_eq!(may_hold_link(text, len, beyond, Plain), by_bytes, "{bytes:X?}");
                let best = Isa::detect().run(IsHot(text, len, beyond));
                assert_eq!(best, by_bytes, "{bytes:X?}");
                held += usize::from(by_bytes);
            }
        }
        assert!((20_000..160_000).contains(&held), "{held}");
    }
}
