//! Quoted-printable (RFC 2045 §6.7), as it is read: nothing is refused.
//!
//! `=XX` in either case is a byte; `=`, blanks and a line end are a soft break, and so are `=` and blanks
//! at the part's end; any other `=` stands for itself. Blanks at a line's end go (§6.7(3)).

use std::ops::Range;

use super::{ByteOrigin, DecodedSink};
use crate::iri::chars::hex_value;
use crate::simd::signs::{BLOCK, Isa, MaskKernel, Masks};

/// So many blanks at a line's end go, and so many may be between `=` and a line end. Real lines have
/// 76 characters; without a limit a part of blanks would have to be kept.
const MOST_BLANKS: usize = 4096;

#[derive(Clone, Copy, Debug)]
pub(super) struct QuotedPrintable {
    line_end: u8,
    masks: Isa,
}

/// Sequence that begins with `=` and is not an octet.
enum EscapeSequence {
    /// A soft break of so many bytes.
    Break(usize),
    Literal,
    /// More bytes decide.
    Cut,
}

impl QuotedPrintable {
    pub(super) fn new(line_end: u8) -> QuotedPrintable {
        QuotedPrintable { line_end, masks: Isa::detect() }
    }

    pub(super) fn step(
        self,
        bytes: &[u8],
        stored: usize,
        is_last: bool,
        sink: &mut impl DecodedSink,
    ) -> usize {
        self.masks.run(QuotedPrintableKernel { decoder: self, bytes, stored, is_last, sink })
    }
}

/// Decoding step, compiled for vectors of each width.
struct QuotedPrintableKernel<'b, S> {
    decoder: QuotedPrintable,
    bytes: &'b [u8],
    stored: usize,
    is_last: bool,
    sink: &'b mut S,
}

impl<S: DecodedSink> MaskKernel for QuotedPrintableKernel<'_, S> {
    type Output = usize;

    #[inline(always)]
    fn run(self, masks: impl Masks) -> usize {
        let QuotedPrintableKernel { decoder, bytes, stored, is_last, sink } = self;
        let line_end = decoder.line_end;
        let mut at = 0;
        macro_rules! literal {
            ($range:expr) => {
                let range: Range<usize> = $range;
                let place = stored + range.start;
                if let Some(done) = sink.literal(&bytes[range.start..], range.len(), place) {
                    return range.start + done;
                }
            };
        }
        while at < bytes.len() {
            let Some(found) = next(&bytes[at..], line_end, masks) else {
                let end = match is_last {
                    true => at + without_blanks(&bytes[at..]),
                    // Blanks, and a CR, may turn out to be at a line's end.
                    false => at + without_blanks(without_cr(&bytes[at..])),
                };
                literal!(at..end);
                return if is_last { bytes.len() } else { end };
            };
            let found = at + found;
            if bytes[found] == b'=' {
                if at < found {
                    literal!(at..found);
                    at = found;
                }
                // Letters beyond ASCII come in runs.
                let run = at;
                while let Some(byte) = octet(&bytes[at..]) {
                    let unit = ByteOrigin { range: stored + at..stored + at + 3, phase: 0 };
                    at += 3;
                    if sink.unit(byte, unit) {
                        return at;
                    }
                }
                if run < at {
                    continue;
                }
                match decoder.sign(&bytes[at..], is_last) {
                    EscapeSequence::Break(len) => at += len,
                    EscapeSequence::Literal => {
                        literal!(at..at + 1);
                        at += 1;
                    }
                    EscapeSequence::Cut => return at,
                }
                continue;
            }
            let end = match line_end {
                b'\n' => at + without_cr(&bytes[at..found]).len(),
                _ => found,
            };
            let text_end = at + without_blanks(&bytes[at..end]);
            if text_end == end {
                literal!(at..found + 1);
            } else {
                literal!(at..text_end);
                literal!(end..found + 1);
            }
            at = found + 1;
        }
        at
    }
}

impl QuotedPrintable {
    fn sign(self, bytes: &[u8], is_last: bool) -> EscapeSequence {
        let rest = &bytes[1..];
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let most = &rest[..rest.len().min(MOST_BLANKS)];
        let blanks = most.iter().position(|b| !is_blank(b)).unwrap_or(most.len());
        match &rest[blanks..] {
            [end, ..] if *end == self.line_end => EscapeSequence::Break(blanks + 2),
            [b'\r', b'\n', ..] if self.line_end == b'\n' => EscapeSequence::Break(blanks + 3),
            [b'\r'] if self.line_end == b'\n' && !is_last => EscapeSequence::Cut,
            [] if is_last => EscapeSequence::Break(bytes.len()),
            // Blanks that go on beyond the limit are text.
            [] if blanks < MOST_BLANKS => EscapeSequence::Cut,
            [high] if blanks == 0 && !is_last && hex_value(*high).is_some() => EscapeSequence::Cut,
            _ => EscapeSequence::Literal,
        }
    }
}

/// Where the next `=` or line end is.
#[inline(always)]
fn next(bytes: &[u8], line_end: u8, masks: impl Masks) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        let found = masks.same(block, b'=') | masks.same(block, line_end);
        if found != 0 {
            return Some(number * BLOCK + found.trailing_zeros() as usize);
        }
    }
    memchr::memchr2(b'=', line_end, rest).map(|found| bytes.len() - rest.len() + found)
}

/// How long a text is without the blanks at its end.
fn without_blanks(text: &[u8]) -> usize {
    let least = text.len().saturating_sub(MOST_BLANKS);
    let last = text[least..].iter().rposition(|b| !matches!(b, b' ' | b'\t'));
    last.map_or(least, |last| least + last + 1)
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The octet that `=XX` stands for.
#[inline]
fn octet(bytes: &[u8]) -> Option<u8> {
    let [b'=', high, low, ..] = bytes else { return None };
    let (high, low) = (DIGITS[usize::from(*high)], DIGITS[usize::from(*low)]);
    (high | low < 16).then_some(high << 4 | low)
}

/// The values of hexadecimal digits; of what is none, one that no digit has.
const DIGITS: [u8; 256] = {
    let mut digits = [0xFF; 256];
    let mut byte = 0;
    while byte < digits.len() {
        if let Some(value) = hex_value(byte as u8) {
            digits[byte] = value;
        }
        byte += 1;
    }
    digits
};
