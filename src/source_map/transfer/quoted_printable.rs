//! Quoted-printable (RFC 2045 §6.7) and the Q encoding (RFC 2047 §4.2), as they are read: nothing is refused.
//!
//! `=XX` in either case is a byte, and any other `=` stands for itself. In text `=`, blanks and a line end are a soft
//! break, and so are `=` and blanks at its end; blanks at a line's end go (§6.7(3)).

use std::ops::Range;

use super::{ByteCoding, ByteOrigin, DecodedSink};
use crate::iri::chars::hex_value;
use crate::simd::signs::{BLOCK, Isa, MaskKernel, Masks};

/// So many blanks at a line's end go, and so many may be between `=` and a line end. Real lines have
/// 76 characters; without a limit a part of blanks would have to be kept.
const MOST_BLANKS: usize = 4096;

/// Characters beside `=XX` that stand for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuotedRules {
    /// Soft breaks, and blanks at the end of a line, which ends so.
    Text { line_end: u8 },
    /// `_`, which is a space: encoded words.
    Word,
    /// Nothing: a value whose soft breaks were left out.
    Value,
}

/// Decoder of quoted-printable. It has no state but its rules: what a byte stands for follows from those after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuotedPrintable {
    rules: QuotedRules,
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
    pub(crate) fn new(rules: QuotedRules) -> QuotedPrintable {
        QuotedPrintable { rules, masks: Isa::detect() }
    }

    /// Goes over `bytes`, which are stored from `stored` on; gives how many are done with: all but what more
    /// bytes decide, if they are not the last, unless the sink has enough.
    pub(crate) fn step(
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
        let sign = decoder.rules.sign();
        let mut at = 0;
        macro_rules! literal {
            ($range:expr) => {
                let range: Range<usize> = $range;
                let place = stored + range.start;
                if sink.literal(&bytes[range.start..], range.len(), place) {
                    return range.end;
                }
            };
        }
        while at < bytes.len() {
            let Some(found) = next(&bytes[at..], sign, masks) else {
                let end = match (decoder.rules, is_last) {
                    (QuotedRules::Text { .. }, true) => at + without_blanks(&bytes[at..]),
                    // Blanks, and a CR, may turn out to be at a line's end.
                    (QuotedRules::Text { .. }, false) => {
                        at + without_blanks(without_cr(&bytes[at..]))
                    }
                    _ => bytes.len(),
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
                // Letters outside ASCII come in runs.
                let run = at;
                while let Some(byte) = octet(&bytes[at..]) {
                    let range = stored + at..stored + at + 3;
                    let unit = ByteOrigin { range, coding: ByteCoding::Escape };
                    at += 3;
                    if sink.unit(byte, unit) {
                        return at;
                    }
                }
                if run < at {
                    continue;
                }
                match decoder.rules.escape(&bytes[at..], is_last) {
                    EscapeSequence::Break(len) => at += len,
                    EscapeSequence::Literal => {
                        literal!(at..at + 1);
                        at += 1;
                    }
                    EscapeSequence::Cut => return at,
                }
                continue;
            }
            if decoder.rules == QuotedRules::Word {
                literal!(at..found);
                let range = stored + found..stored + found + 1;
                at = found + 1;
                if sink.unit(b' ', ByteOrigin { range, coding: ByteCoding::Escape }) {
                    return at;
                }
                continue;
            }
            let end = match sign {
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

impl QuotedRules {
    /// The byte besides `=` that may not stand for itself.
    #[inline(always)]
    fn sign(self) -> u8 {
        match self {
            QuotedRules::Text { line_end } => line_end,
            QuotedRules::Word => b'_',
            QuotedRules::Value => b'=',
        }
    }

    /// Reads a sequence whose `=` begins no octet.
    fn escape(self, bytes: &[u8], is_last: bool) -> EscapeSequence {
        let QuotedRules::Text { line_end } = self else { return EscapeSequence::Literal };
        let rest = &bytes[1..];
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let most = &rest[..rest.len().min(MOST_BLANKS)];
        let blanks = most.iter().position(|b| !is_blank(b)).unwrap_or(most.len());
        match &rest[blanks..] {
            [end, ..] if *end == line_end => EscapeSequence::Break(blanks + 2),
            [b'\r', b'\n', ..] if line_end == b'\n' => EscapeSequence::Break(blanks + 3),
            [b'\r'] if line_end == b'\n' && !is_last => EscapeSequence::Cut,
            [] if is_last => EscapeSequence::Break(bytes.len()),
            // Blanks that go on beyond the limit are text.
            [] if blanks < MOST_BLANKS => EscapeSequence::Cut,
            [high] if blanks == 0 && !is_last && hex_value(*high).is_some() => EscapeSequence::Cut,
            _ => EscapeSequence::Literal,
        }
    }
}

/// Where the next `=` or other sign is.
#[inline(always)]
fn next(bytes: &[u8], sign: u8, masks: impl Masks) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        let found = masks.same(block, b'=') | masks.same(block, sign);
        if found != 0 {
            return Some(number * BLOCK + found.trailing_zeros() as usize);
        }
    }
    memchr::memchr2(b'=', sign, rest).map(|found| bytes.len() - rest.len() + found)
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
