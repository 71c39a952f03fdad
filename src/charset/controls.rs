//! Control characters: decides whether a text has too many of them.

use crate::simd::signs::{BLOCK, Isa, MaskKernel, Masks};

/// Number of bytes of a document that are examined.
pub(crate) const HEAD: usize = 8 << 10;

/// Returns `true` if more than one byte in sixteen of a document's first 8 KiB is NUL or another C0 control that does not
/// occur in text. White space does not count, nor do ESC, SO and SI, which are frequent in ISO-2022 and in coloured logs.
/// Not for UTF-16, where zeros are halves of characters.
pub(crate) fn has_many_controls(start: &[u8]) -> bool {
    let start = &start[..start.len().min(HEAD)];
    // Vectors count the bytes below U+0020, which include white space; in nearly all texts even these are rarer.
    if Isa::detect().run(ControlCount(start)) * 16 <= start.len() {
        return false;
    }
    // The count of such a piece fits in a byte, so that the compiler can use vectors.
    let count: usize =
        start.chunks(255).map(|piece| usize::from(piece.iter().map(is_control).sum::<u8>())).sum();
    count * 16 > start.len() && !is_chat(start)
}

/// The control characters with which IRC clients format text: bold, colour, reset, monospace, reverse, italic, struck, underlined.
const OF_CHAT: [u8; 8] = [0x02, 0x03, 0x0F, 0x11, 0x16, 0x1D, 0x1E, 0x1F];

/// Returns `true` if all control characters are those of IRC clients, and one of them begins a colour, which is a number.
fn is_chat(text: &[u8]) -> bool {
    // In UTF-16 and in binary data the second byte, or one of the first, decides.
    text.iter().all(|byte| is_control(byte) == 0 || OF_CHAT.contains(byte))
        && text.windows(2).any(|two| two[0] == 0x03 && two[1].is_ascii_digit())
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

/// Returns 1 for a control character that does not occur in text, otherwise 0; without a branch.
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
        assert!(!has_many_controls(b"\x02\x0304,12a\x03\x0F"));
        assert!(has_many_controls(b"\x02a\x03") && has_many_controls(b"\x0304\x01\x03"));
        assert!(!has_many_controls(&with(1, 16)));
        assert!(has_many_controls(&with(1, 15)));
        assert!(!has_many_controls(&with(512, HEAD)));
        assert!(has_many_controls(&with(513, HEAD)));
        // Bytes after the first 8 KiB have no effect.
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
