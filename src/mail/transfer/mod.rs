//! Content transfer encodings of parts (RFC 2045 §6, uuencode): parses their names, decodes them, and detects their
//! end.

mod base64;

pub(crate) use base64::{ExpectedContent, base64_in};

use crate::link::Transfer;
use crate::source_map::transfer::{
    AppendTo, ByteCoding, ByteOrigin, DecodedSink, Discard, QuotedPrintable, QuotedRules, Uuencode,
};
use crate::source_map::{ReplayCoding, ReplayedBytes, SourceMap};

/// Number of letters and digits of a name that are compared: more than the longest has.
const LONGEST_NAME: usize = 16;

/// Transfer encoding of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum TransferEncoding {
    /// Verbatim: `7bit`, `8bit`, `binary`, and unknown names.
    #[default]
    Identity,
    QuotedPrintable,
    Base64,
    Uuencode,
}

impl TransferEncoding {
    /// Parses the value of a field `Content-Transfer-Encoding`; `None` if it is unknown. Only letters and digits are compared, since
    /// programs write quotes, brackets and underscores too.
    pub(crate) fn of(value: &[u8]) -> Option<TransferEncoding> {
        let whole = value.split(|b| matches!(b, b';' | b'(')).next().unwrap_or_default();
        let word = whole.trim_ascii().split(u8::is_ascii_whitespace).next().unwrap_or_default();
        TransferEncoding::of_name(word).or_else(|| TransferEncoding::of_name(whole))
    }

    fn of_name(name: &[u8]) -> Option<TransferEncoding> {
        let (mut letters, mut len) = ([0; LONGEST_NAME], 0);
        let of_name = name.iter().filter(|b| b.is_ascii_alphanumeric());
        for (letter, byte) in letters.iter_mut().zip(of_name) {
            (*letter, len) = (byte.to_ascii_lowercase(), len + 1);
        }
        Some(match &letters[..len] {
            b"quotedprintable" => TransferEncoding::QuotedPrintable,
            b"base64" => TransferEncoding::Base64,
            b"xuuencode" | b"xuue" | b"uuencode" | b"xuu" => TransferEncoding::Uuencode,
            b"7bit" | b"8bit" | b"binary" | b"" => TransferEncoding::Identity,
            _ => return None,
        })
    }

    /// Returns the transfer encoding that records report for a link whose first byte is this.
    pub(crate) fn transfer(self, first: &ByteOrigin) -> Option<Transfer> {
        Some(match (self, first.coding) {
            (TransferEncoding::Identity, _) => return None,
            (TransferEncoding::QuotedPrintable, _) => Transfer::QuotedPrintable,
            // A literal byte, before the line `begin`.
            (TransferEncoding::Uuencode, ByteCoding::Literal) => return None,
            (TransferEncoding::Uuencode, ByteCoding::Digits(1)) => Transfer::UuencodePlus1,
            (TransferEncoding::Uuencode, ByteCoding::Digits(2)) => Transfer::UuencodePlus2,
            (TransferEncoding::Uuencode, _) => Transfer::Uuencode,
            (TransferEncoding::Base64, ByteCoding::Digits(1)) => Transfer::Base64Plus1,
            (TransferEncoding::Base64, ByteCoding::Digits(2)) => Transfer::Base64Plus2,
            (TransferEncoding::Base64, _) => Transfer::Base64,
        })
    }
}

/// State of a decoder between two blocks of stored bytes.
#[derive(Clone, Copy, Debug)]
enum Decoder {
    Identity,
    QuotedPrintable(QuotedPrintable),
    Base64(base64::Base64Lines),
    Uuencode(Uuencode),
}

/// Decoder of a part's bytes, block by block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransferDecoder {
    decoder: Decoder,
    line_end: u8,
}

impl TransferDecoder {
    /// Creates a decoder. Lines end with `line_end`: a line feed, or a carriage return where there are no line feeds.
    pub(crate) fn new(
        encoding: TransferEncoding,
        line_end: u8,
        expected: ExpectedContent,
    ) -> TransferDecoder {
        let decoder = match encoding {
            TransferEncoding::Identity => Decoder::Identity,
            TransferEncoding::QuotedPrintable => {
                let rules = QuotedRules::Text { line_end };
                Decoder::QuotedPrintable(QuotedPrintable::new(rules))
            }
            TransferEncoding::Base64 => {
                Decoder::Base64(base64::Base64Lines::new(line_end, expected))
            }
            TransferEncoding::Uuencode => Decoder::Uuencode(Uuencode::new(line_end)),
        };
        TransferDecoder { decoder, line_end }
    }

    /// Decodes `bytes`, which are stored at `stored`, up to the end of the encoding; returns the number of bytes
    /// consumed. Bytes whose decoding depends on later ones are not consumed, unless `is_last`.
    fn step(
        &mut self,
        bytes: &[u8],
        stored: usize,
        is_last: bool,
        sink: &mut impl DecodedSink,
    ) -> usize {
        match &mut self.decoder {
            Decoder::Identity => {
                sink.literal(bytes, bytes.len(), stored);
                bytes.len()
            }
            Decoder::QuotedPrintable(decoder) => decoder.step(bytes, stored, is_last, sink),
            Decoder::Base64(decoder) => decoder.step(bytes, stored, is_last, sink),
            Decoder::Uuencode(decoder) => decoder.step(bytes, stored, is_last, sink),
        }
    }

    /// Appends the decoded bytes to `out`; returns the number of bytes consumed.
    pub(crate) fn decode(&mut self, bytes: &[u8], is_last: bool, out: &mut Vec<u8>) -> usize {
        self.step(bytes, 0, is_last, &mut AppendTo(out))
    }

    /// Decodes as [`decode`](TransferDecoder::decode) does, and maps the decoded bytes to `bytes`, which are stored at
    /// `stored`.
    pub(crate) fn decode_mapped(
        &mut self,
        bytes: &[u8],
        stored: usize,
        is_last: bool,
        out: &mut Vec<u8>,
        map: &mut SourceMap,
    ) -> usize {
        let coding = match self.decoder {
            // `Identity` yields only literals, which are copied.
            Decoder::Identity | Decoder::Base64(_) => ReplayCoding::Base64(0),
            Decoder::QuotedPrintable(_) => {
                ReplayCoding::Quoted(QuotedRules::Text { line_end: self.line_end })
            }
            Decoder::Uuencode(_) => ReplayCoding::Uuencode(self.line_end),
        };
        self.step(bytes, stored, is_last, &mut ReplayedBytes::new(out, map, coding))
    }

    /// Skips the encoded bytes of a complete part; returns the number of bytes consumed.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> usize {
        self.step(bytes, 0, true, &mut Discard)
    }

    /// Continues without the bytes that were decoded so far: a byte whose encoding they begin is lost.
    pub(crate) fn restart(&mut self) {
        if let Decoder::Base64(decoder) = &mut self.decoder {
            decoder.lose();
        }
    }

    /// Returns `true` if the encoding ended before the part, so that the remaining bytes are not encoded.
    pub(crate) fn has_ended(&self) -> bool {
        match &self.decoder {
            Decoder::Base64(decoder) => decoder.has_ended,
            Decoder::Uuencode(decoder) => decoder.has_ended,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
