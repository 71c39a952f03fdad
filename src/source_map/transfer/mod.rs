//! Transfer encodings: decodes Base64, quoted-printable and uuencode to bytes, each with its stored position.
//!
//! A decoder reads stored bytes and passes the decoded pieces, each with its position, to a [`DecodedSink`]. One sink keeps
//! the decoded bytes, another searches for the position of one of them, so that decoded bytes and their positions follow
//! from the same code.

pub(crate) mod base64;
pub(crate) mod quoted_printable;
pub(crate) mod uuencode;

pub(crate) use base64::Base64;
pub(crate) use quoted_printable::{QuotedPrintable, QuotedRules};
pub(crate) use uuencode::Uuencode;

use std::ops::Range;

/// Stored range of one decoded byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByteOrigin {
    pub(crate) range: Range<usize>,
    pub(crate) coding: ByteCoding,
}

/// Coding of a decoded byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ByteCoding {
    /// Stored unchanged.
    #[default]
    Literal,
    /// As an escape sequence.
    Escape,
    /// In two digits of six bits. This is the number of the byte in a group of three, from 0: two bits of the first digit
    /// belong to the previous byte for each.
    Digits(u8),
}

impl ByteOrigin {
    /// Returns the origin of a byte that is stored unchanged.
    pub(crate) fn literal(at: usize) -> ByteOrigin {
        ByteOrigin { range: at..at + 1, coding: ByteCoding::Literal }
    }

    fn digits(range: Range<usize>, phase: u8) -> ByteOrigin {
        ByteOrigin { range, coding: ByteCoding::Digits(phase) }
    }
}

/// Receiver of decoded bytes, which may stop the decoder.
pub(crate) trait DecodedSink {
    /// Returns `true` if the sink ignores its input.
    fn is_idle(&self) -> bool {
        false
    }

    /// Reports that a decoder may begin here.
    fn line(&mut self, _stored: usize) {}

    /// Takes the first `len` of these bytes, which are stored unchanged from `stored` on; returns whether it has enough.
    fn literal(&mut self, bytes: &[u8], len: usize, stored: usize) -> bool;

    /// Takes one byte; returns whether it has enough.
    fn unit(&mut self, byte: u8, unit: ByteOrigin) -> bool;

    /// Takes one byte between whose digits there are bytes that a decoder which begins before it would not skip.
    fn split_unit(&mut self, byte: u8, unit: ByteOrigin) -> bool {
        self.unit(byte, unit)
    }

    /// Takes groups of four digits of Base64 without other bytes; returns whether it has enough.
    fn groups(&mut self, groups: &[u8], stored: usize) -> bool;
}

/// Discards the decoded bytes; used to find the end of the encoded data.
pub(crate) struct Discard;

impl DecodedSink for Discard {
    fn is_idle(&self) -> bool {
        true
    }

    fn literal(&mut self, _: &[u8], _: usize, _: usize) -> bool {
        false
    }

    fn unit(&mut self, _: u8, _: ByteOrigin) -> bool {
        false
    }

    fn groups(&mut self, _: &[u8], _: usize) -> bool {
        false
    }
}

/// Appends the decoded bytes.
pub(crate) struct AppendTo<'o>(pub(crate) &'o mut Vec<u8>);

/// Number of literal bytes that are copied at once.
const SHORT: usize = 32;

impl DecodedSink for AppendTo<'_> {
    #[inline]
    fn literal(&mut self, bytes: &[u8], len: usize, _: usize) -> bool {
        // Most pieces are short: copying a constant number of bytes takes less time than a call.
        match bytes.first_chunk::<SHORT>() {
            Some(short) if len <= SHORT => {
                let end = self.0.len() + len;
                self.0.extend_from_slice(short);
                self.0.truncate(end);
            }
            _ => self.0.extend_from_slice(&bytes[..len]),
        }
        false
    }

    #[inline]
    fn unit(&mut self, byte: u8, _: ByteOrigin) -> bool {
        self.0.push(byte);
        false
    }

    #[inline]
    fn groups(&mut self, groups: &[u8], _: usize) -> bool {
        crate::simd::base64::decode(groups, self.0);
        false
    }
}

/// Searches for the position of one decoded byte.
pub(crate) struct SeekDecoded {
    /// Number of the byte.
    wanted: usize,
    /// Number of bytes that have been decoded.
    decoded: usize,
    pub(crate) found: Option<ByteOrigin>,
}

impl SeekDecoded {
    pub(crate) fn new(wanted: usize) -> SeekDecoded {
        SeekDecoded { wanted, decoded: 0, found: None }
    }
}

impl DecodedSink for SeekDecoded {
    #[inline]
    fn literal(&mut self, _: &[u8], len: usize, stored: usize) -> bool {
        let after = self.wanted - self.decoded;
        if after >= len {
            self.decoded += len;
            return false;
        }
        self.found = Some(ByteOrigin::literal(stored + after));
        true
    }

    #[inline]
    fn unit(&mut self, _: u8, unit: ByteOrigin) -> bool {
        let is_wanted = self.decoded == self.wanted;
        self.decoded += 1;
        if is_wanted {
            self.found = Some(unit);
        }
        is_wanted
    }

    #[inline]
    fn groups(&mut self, groups: &[u8], stored: usize) -> bool {
        let after = self.wanted - self.decoded;
        if after >= groups.len() / 4 * 3 {
            self.decoded += groups.len() / 4 * 3;
            return false;
        }
        let (group, phase) = (after / 3, after % 3);
        let start = stored + 4 * group + phase;
        self.found = Some(ByteOrigin::digits(start..start + 2, phase as u8));
        true
    }
}
