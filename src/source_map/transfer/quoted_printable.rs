//! Quoted-printable (RFC 2045 §6.7) and the Q encoding (RFC 2047 §4.2); the decoder rejects nothing.
//!
//! `=XX` in upper or lower case is a byte, and any other `=` represents itself. In text `=`, blanks and a line end are a
//! soft line break, and so are `=` and blanks at the end of the text; blanks at a line's end are removed (§6.7(3)). A CR
//! alone ends a line only after `=`: mail programs join the lines there, although the lines of the text end with LF.

use std::ops::Range;

use super::{ByteCoding, ByteOrigin, DecodedSink};
use crate::iri::chars::hex_value;
use crate::simd::signs::{BLOCK, Isa, MaskKernel, Masks};

/// Maximum number of blanks that are removed at a line's end, and that may be between `=` and a line end. Real lines have
/// 76 characters; without a limit any number of blanks would have to be buffered.
const MOST_BLANKS: usize = 4096;

/// Sequences other than `=XX` that are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuotedRules {
    /// Soft line breaks, and blanks at the end of a line; lines end with this byte.
    Text { line_end: u8 },
    /// `_`, which is a space: encoded words.
    Word,
    /// None: a value whose soft line breaks were removed before.
    Value,
}

/// Decoder of quoted-printable. Its only state is its rules: the meaning of a byte follows from the bytes after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuotedPrintable {
    rules: QuotedRules,
    masks: Isa,
}

/// Sequence that begins with `=` and is not an octet.
enum EscapeSequence {
    /// A soft line break of this many bytes.
    Break(usize),
    Literal,
    /// More bytes are needed to decide.
    Cut,
}

impl QuotedPrintable {
    pub(crate) fn new(rules: QuotedRules) -> QuotedPrintable {
        QuotedPrintable { rules, masks: Isa::detect() }
    }

    /// Decodes `bytes`, which are stored from `stored` on. Returns the number of bytes processed: all except those that
    /// depend on more bytes, if these are not the last, unless the sink has enough.
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
                    // Blanks and a CR may be at a line's end.
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
                // Encoded non-ASCII letters come in runs.
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
    /// Returns the byte besides `=` that may not represent itself.
    #[inline(always)]
    fn sign(self) -> u8 {
        match self {
            QuotedRules::Text { line_end } => line_end,
            QuotedRules::Word => b'_',
            QuotedRules::Value => b'=',
        }
    }

    /// Reads a sequence whose `=` does not begin an octet.
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
            [b'\r', ..] => EscapeSequence::Break(blanks + 2),
            [] if is_last => EscapeSequence::Break(bytes.len()),
            // More blanks than the limit are text.
            [] if blanks < MOST_BLANKS => EscapeSequence::Cut,
            [high] if blanks == 0 && !is_last && hex_value(*high).is_some() => EscapeSequence::Cut,
            _ => EscapeSequence::Literal,
        }
    }
}

/// Returns where the next `=` or other special byte is.
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

/// Returns the length of a text without the blanks at its end.
fn without_blanks(text: &[u8]) -> usize {
    let least = text.len().saturating_sub(MOST_BLANKS);
    let last = text[least..].iter().rposition(|b| !matches!(b, b' ' | b'\t'));
    last.map_or(least, |last| least + last + 1)
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the octet of `=XX`.
#[inline]
fn octet(bytes: &[u8]) -> Option<u8> {
    let [b'=', high, low, ..] = bytes else { return None };
    let (high, low) = (DIGITS[usize::from(*high)], DIGITS[usize::from(*low)]);
    (high | low < 16).then_some(high << 4 | low)
}

/// Values of hexadecimal digits; for other bytes a value that no digit has.
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
