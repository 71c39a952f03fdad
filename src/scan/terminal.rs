//! String sequences of terminals (ECMA-48 §8.3.89 OSC, 8.3.27 DCS, and APC, PM, SOS), which are not text: titles of
//! windows, marks of prompts, images.
//!
//! The input is the start of a candidate, the result is whether a sequence that is still open there contains it. A sequence
//! ends at BEL, at the next ESC (that of its terminator, `ESC \`) and at the end of the line. The URI of a hyperlink (OSC
//! 8) and of the working directory (OSC 7) is a link by itself.

use super::candidate::CandidateFlags;
use super::sequence::ESC;

const BEL: u8 = 0x07;
/// Maximum number of bytes of a sequence before a candidate. Searching back over 4 KiB takes 2 to 4 % of the instructions
/// of a text without sequences. Legacy encodings do not decode more before a candidate.
const MAX_SEQUENCE: usize = 32;

/// Place of a candidate among control sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    Text,
    /// The URI of a sequence, with this flag.
    Uri(CandidateFlags),
    /// Part of a sequence.
    Sequence,
}

/// Returns `true` if an ESC precedes `start` so closely that a sequence that begins there may contain it.
#[inline(always)]
pub(super) fn has_escape_before(text: &[u8], start: usize) -> bool {
    let before = &text[..start];
    match before.last_chunk::<MAX_SEQUENCE>() {
        Some(near) => has_escape(near),
        None => match (before.first_chunk::<16>(), before.last_chunk::<16>()) {
            (Some(first), Some(last)) => has_escape(first) | has_escape(last),
            _ => before.contains(&ESC),
        },
    }
}

/// Returns `true` if the bytes contain an ESC. There is no branch for each byte, since nearly all texts have none.
#[inline(always)]
fn has_escape<const LEN: usize>(bytes: &[u8; LEN]) -> bool {
    bytes.iter().fold(false, |has, &b| has | (b == ESC))
}

/// Returns what holds the candidate after this text, which has an ESC near its end.
pub(super) fn holder(before: &[u8]) -> Holder {
    match memchr::memrchr2(ESC, b'\n', before) {
        Some(at) if before[at] == ESC => holder_after(&before[at + 1..]),
        _ => Holder::Text,
    }
}

/// Returns what holds the text after this one, which follows the last ESC.
fn holder_after(text: &[u8]) -> Holder {
    let [kind @ (b']' | b'P' | b'X' | b'^' | b'_'), string @ ..] = text else {
        return Holder::Text;
    };
    if memchr::memchr(BEL, string).is_some() {
        return Holder::Text;
    }
    match string {
        b"7;" if *kind == b']' => Holder::Uri(CandidateFlags::WORKING_DIRECTORY),
        [b'8', b';', parameters @ .., b';'] if *kind == b']' && !parameters.contains(&b';') => {
            Holder::Uri(CandidateFlags::HYPERLINK)
        }
        _ => Holder::Sequence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder_at(text: &[u8], start: usize) -> Holder {
        match has_escape_before(text, start) {
            true => super::holder(&text[..start]),
            false => Holder::Text,
        }
    }

    fn holder(text: &str) -> Holder {
        holder_at(text.as_bytes(), text.len())
    }

    #[test]
    fn sequences_hold_what_is_in_them() {
        for text in ["\x1b]0;", "\x1b]2;a b ", "x\x1bPq", "\x1b_a", "\x1b^", "\x1bXé ", "\x1b]8;"]
        {
            assert_eq!(holder(text), Holder::Sequence, "{text:?}");
        }
        for text in ["", "a", "\x1b]0;a\x07", "\x1b]0;a\x1b\\", "\x1b[0m", "\x1b]0;a\nb", "]0;"] {
            assert_eq!(holder(text), Holder::Text, "{text:?}");
        }
        assert_eq!(holder("\x1b]7;"), Holder::Uri(CandidateFlags::WORKING_DIRECTORY));
        for text in ["\x1b]8;;", "a\x1b]8;id=1:x=y;"] {
            assert_eq!(holder(text), Holder::Uri(CandidateFlags::HYPERLINK), "{text:?}");
        }
        for text in ["\x1b]8;;a;", "\x1b]7;x;", "\x1bP8;;"] {
            assert_eq!(holder(text), Holder::Sequence, "{text:?}");
        }
    }

    #[test]
    fn sequences_are_looked_for_over_32_bytes() {
        let long = |len: usize| format!("\x1b]0;{}", "a".repeat(len));
        assert_eq!(holder(&long(MAX_SEQUENCE - 4)), Holder::Sequence);
        assert_eq!(holder(&long(MAX_SEQUENCE - 3)), Holder::Text);
    }

    #[test]
    fn later_candidates_are_found_in_their_sequence() {
        let text = b"a.com b.com \x1b]0;c.com d.com\x07 e.com";
        let found = [0, 6, 16, 22, 29].map(|start| holder_at(text, start));
        let (text, inside) = (Holder::Text, Holder::Sequence);
        assert_eq!(found, [text, text, inside, inside, text]);
    }
}
