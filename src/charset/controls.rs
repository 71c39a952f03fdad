//! Control characters: how many of them a text has.

use crate::simd::signs::{BLOCK, Isa, MaskKernel, Masks};

/// How much of a document is looked at.
pub(crate) const HEAD: usize = 8 << 10;

/// Whether more than one byte in sixteen of a document's first 8 KiB is NUL or another C0 control as no text has
/// them. White space is none of those, nor are ESC, SO and SI, which ISO-2022 and coloured logs are full of. In UTF-16
/// zeros are halves of characters: it is not to be asked of.
pub(crate) fn has_many_controls(start: &[u8]) -> bool {
    let start = &start[..start.len().min(HEAD)];
    // Of nearly all texts it is seen by vectors: white space is rarer than that.
    if Isa::detect().run(ControlCount(start)) * 16 <= start.len() {
        return false;
    }
    // Pieces that a byte can count, so that the compiler makes vectors of them.
    let count: usize =
        start.chunks(255).map(|piece| usize::from(piece.iter().map(is_control).sum::<u8>())).sum();
    count * 16 > start.len()
}

/// Kernel that counts the bytes below U+0020: controls, and white space.
struct ControlCount<'s>(&'s [u8]);

impl MaskKernel for ControlCount<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self, masks: impl Masks) -> usize {
        let (blocks, rest) = self.0.as_chunks::<BLOCK>();
        let in_block = |block| masks.from(block, b' ').count_zeros() as usize;
        let in_rest = rest.iter().filter(|byte| **byte < b' ').count();
        blocks.iter().map(in_block).sum::<usize>() + in_rest
    }
}

/// 1 for a control character that text does not have, else 0; without a branch.
fn is_control(byte: &u8) -> u8 {
    let is_blank_or_shift = byte.wrapping_sub(0x09) < 7;
    u8::from(*byte < 0x20 && !is_blank_or_shift && *byte != 0x1B)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_sixteen_is_text_still() {
        let with = |controls: usize, len: usize| {
            let mut bytes = vec![b'a'; len];
            bytes[..controls].fill(1);
            bytes
        };
        assert!(!has_many_controls(b""));
        assert!(has_many_controls(b"\0"));
        assert!(!has_many_controls(&with(1, 16)));
        assert!(has_many_controls(&with(1, 15)));
        assert!(!has_many_controls(&with(512, HEAD)));
        assert!(has_many_controls(&with(513, HEAD)));
        // What comes after the first 8 KiB changes nothing.
        assert!(has_many_controls(&with(513, 10 * HEAD)));
        assert!(!has_many_controls(&[with(512, HEAD), with(HEAD, HEAD)].concat()));
    }

    #[test]
    fn white_space_and_shifts_are_none() {
        for byte in 0..=255_u8 {
            let is_control = byte < 0x20 && !b"\t\n\x0B\x0C\r\x0E\x0F\x1B".contains(&byte);
            assert_eq!(has_many_controls(&[byte]), is_control, "{byte:#x}");
        }
    }
}
