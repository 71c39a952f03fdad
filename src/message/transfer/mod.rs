//! Content transfer encodings (RFC 2045 §6, uuencode): stored bytes to decoded ones, and back to places.
//!
//! A decoder goes over stored bytes and gives its [`DecodedSink`] what they stand for, each piece with where it is
//! stored. One sink keeps the decoded bytes; the other looks for the place of one decoded byte. So what is
//! decoded and where it is come from one rule, and no table of places is kept: links leave a part in
//! order, and a [`TransferCursor`] goes over the stored bytes again only near them. It goes from [`Mark`] to mark,
//! which are noted in a part that is decoded whole.

mod base64;
mod expected;
mod quoted_printable;
pub(crate) mod uuencode;

pub(crate) use expected::ExpectedContent;

use std::ops::Range;

use crate::link::Transfer;

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
    /// Parses the value of a field `Content-Transfer-Encoding`.
    pub(crate) fn of(value: &[u8]) -> TransferEncoding {
        let end = value.iter().position(|b| b" \t\r\n;(".contains(b)).unwrap_or(value.len());
        let is = |name: &str| value[..end].eq_ignore_ascii_case(name.as_bytes());
        match () {
            () if is("quoted-printable") => TransferEncoding::QuotedPrintable,
            () if is("base64") => TransferEncoding::Base64,
            () if ["x-uuencode", "x-uue", "uuencode", "x-uu"].into_iter().any(is) => {
                TransferEncoding::Uuencode
            }
            () => TransferEncoding::Identity,
        }
    }

    /// Returns the transfer encoding that records report for a link whose first byte is this.
    pub(crate) fn transfer(self, first: &ByteOrigin) -> Option<Transfer> {
        Some(match (self, first.phase) {
            (TransferEncoding::Identity, _) => return None,
            (TransferEncoding::QuotedPrintable, _) => Transfer::QuotedPrintable,
            (TransferEncoding::Base64, 0) => Transfer::Base64,
            (TransferEncoding::Base64, 1) => Transfer::Base64Plus1,
            (TransferEncoding::Base64, _) => Transfer::Base64Plus2,
            // Before the word `begin`.
            (TransferEncoding::Uuencode, _) if first.range.len() == 1 => return None,
            (TransferEncoding::Uuencode, 0) => Transfer::Uuencode,
            (TransferEncoding::Uuencode, 1) => Transfer::UuencodePlus1,
            (TransferEncoding::Uuencode, _) => Transfer::UuencodePlus2,
        })
    }
}

/// Stored range of one decoded byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByteOrigin {
    pub(crate) range: Range<usize>,
    /// Which byte of a group of three it is: two bits of what is stored belong to the one before for each.
    pub(crate) phase: u8,
}

/// Receiver of decoded bytes, which may stop the decoder.
trait DecodedSink {
    /// Whether nothing is done with what it is given.
    fn is_idle(&self) -> bool {
        false
    }

    /// The first `len` of these bytes stand for themselves, stored from `stored` on. `Some(n)`: enough, and `n` of
    /// them are done with.
    fn literal(&mut self, bytes: &[u8], len: usize, stored: usize) -> Option<usize>;

    /// One byte; whether it is enough.
    fn unit(&mut self, byte: u8, unit: ByteOrigin) -> bool;

    /// Groups of four digits of base64, nothing between them. `Some(n)`: enough, and `n` stored bytes,
    /// whole groups, are done with.
    fn groups(&mut self, groups: &[u8], stored: usize) -> Option<usize>;
}

/// A decoder's state between two blocks of stored bytes.
#[derive(Clone, Copy, Debug)]
enum Decoder {
    Identity,
    QuotedPrintable(quoted_printable::QuotedPrintable),
    Base64(base64::Base64),
    Uuencode(uuencode::Uuencode),
}

impl Decoder {
    fn new(encoding: TransferEncoding, line_end: u8, expected: ExpectedContent) -> Decoder {
        match encoding {
            TransferEncoding::Identity => Decoder::Identity,
            TransferEncoding::QuotedPrintable => {
                Decoder::QuotedPrintable(quoted_printable::QuotedPrintable::new(line_end))
            }
            TransferEncoding::Base64 => Decoder::Base64(base64::Base64::new(line_end, expected)),
            TransferEncoding::Uuencode => Decoder::Uuencode(uuencode::Uuencode::new(line_end)),
        }
    }

    /// Goes over `bytes`, which are stored from `stored` on; gives how many are done with: all but what more
    /// bytes decide, if they are not the last, or up to where the sink has enough.
    fn step(
        &mut self,
        bytes: &[u8],
        stored: usize,
        is_last: bool,
        sink: &mut impl DecodedSink,
    ) -> usize {
        match self {
            Decoder::Identity => sink.literal(bytes, bytes.len(), stored).unwrap_or(bytes.len()),
            Decoder::QuotedPrintable(decoder) => decoder.step(bytes, stored, is_last, sink),
            Decoder::Base64(decoder) => decoder.step(bytes, stored, is_last, sink),
            Decoder::Uuencode(decoder) => decoder.step(bytes, stored, is_last, sink),
        }
    }

    /// The encoding has ended; what follows stands for itself.
    fn has_ended(&self) -> bool {
        match self {
            Decoder::Base64(decoder) => decoder.has_ended,
            Decoder::Uuencode(decoder) => decoder.has_ended,
            _ => false,
        }
    }
}

/// Decoder of a part's bytes, block by block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransferDecoder(Decoder);

impl TransferDecoder {
    /// Lines end with `line_end`: a line feed, or a carriage return where there are no line feeds.
    pub(crate) fn new(
        encoding: TransferEncoding,
        line_end: u8,
        expected: ExpectedContent,
    ) -> TransferDecoder {
        TransferDecoder(Decoder::new(encoding, line_end, expected))
    }

    /// Appends to `out` what `bytes` stand for; gives how many of them are done with.
    pub(crate) fn decode(&mut self, bytes: &[u8], is_last: bool, out: &mut Vec<u8>) -> usize {
        self.0.step(bytes, 0, is_last, &mut AppendTo(out))
    }

    /// Appends to `out` what a whole part stands for, and notes a mark after every so many stored bytes where the
    /// encoding has places at which one may begin anew; gives how many bytes are done with.
    pub(crate) fn decode_whole(
        &mut self,
        bytes: &[u8],
        every: usize,
        out: &mut Vec<u8>,
        marks: &mut Vec<Mark>,
    ) -> usize {
        let (start, mut stored, mut ahead) = (out.len(), 0, every);
        while matches!(self.0, Decoder::QuotedPrintable(_)) && bytes.len() - stored > ahead {
            let done = self.decode(&bytes[stored..stored + ahead], false, out);
            stored += done;
            marks.push(Mark { stored, decoded: out.len() - start });
            ahead = if done == 0 { ahead * 2 } else { every };
        }
        stored + self.decode(&bytes[stored..], true, out)
    }

    /// Goes over a whole part; gives how many of its bytes are done with.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> usize {
        self.0.step(bytes, 0, true, &mut Discard)
    }

    /// Whether the encoding ended before the part did: then what is not done with stands for itself.
    pub(crate) fn has_ended(&self) -> bool {
        self.0.has_ended()
    }
}

/// Discards the decoded bytes; used to find the end of the encoded data.
struct Discard;

impl DecodedSink for Discard {
    fn is_idle(&self) -> bool {
        true
    }

    fn literal(&mut self, _: &[u8], _: usize, _: usize) -> Option<usize> {
        None
    }

    fn unit(&mut self, _: u8, _: ByteOrigin) -> bool {
        false
    }

    fn groups(&mut self, _: &[u8], _: usize) -> Option<usize> {
        None
    }
}

/// A place in a part's bytes where a decoder may begin anew.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// All before it gives so many decoded bytes.
    stored: usize,
    decoded: usize,
}

/// Literal bytes that are copied at once.
const SHORT: usize = 32;

struct AppendTo<'o>(&'o mut Vec<u8>);

impl DecodedSink for AppendTo<'_> {
    #[inline]
    fn literal(&mut self, bytes: &[u8], len: usize, _: usize) -> Option<usize> {
        // Most are short: so many bytes at once, whose number is known, take less time than a call does.
        match bytes.first_chunk::<SHORT>() {
            Some(short) if len <= SHORT => {
                let end = self.0.len() + len;
                self.0.extend_from_slice(short);
                self.0.truncate(end);
            }
            _ => self.0.extend_from_slice(&bytes[..len]),
        }
        None
    }

    #[inline]
    fn unit(&mut self, byte: u8, _: ByteOrigin) -> bool {
        self.0.push(byte);
        false
    }

    #[inline]
    fn groups(&mut self, groups: &[u8], _: usize) -> Option<usize> {
        crate::simd::base64::decode(groups, self.0);
        None
    }
}

/// How far ahead of a decoded byte stored ones are looked at: more than any decoder wants to see of
/// what it decides on. Lines may be as long as the part.
const AHEAD: usize = 16 << 10;

/// Cursor that finds where decoded bytes are stored.
#[derive(Clone, Debug)]
pub(crate) struct TransferCursor {
    decoder: Decoder,
    encoding: TransferEncoding,
    /// All before this place of the stored bytes, counted from the part's beginning, gives so many
    /// decoded bytes.
    stored: usize,
    decoded: usize,
    last: Option<(usize, ByteOrigin)>,
    line_end: u8,
    expected: ExpectedContent,
}

impl TransferCursor {
    pub(crate) fn new(
        encoding: TransferEncoding,
        line_end: u8,
        expected: ExpectedContent,
    ) -> TransferCursor {
        TransferCursor {
            decoder: Decoder::new(encoding, line_end, expected),
            encoding,
            expected,
            stored: 0,
            decoded: 0,
            last: None,
            line_end,
        }
    }

    pub(crate) fn encoding(&self) -> TransferEncoding {
        self.encoding
    }

    #[cfg(test)]
    /// Where it is in the stored bytes; what is before it is needed no more by those who go forward.
    pub(crate) fn stored(&self) -> usize {
        self.stored
    }

    /// The place of the decoded byte number `wanted`; `bytes` are the part's from its byte `base` on, to
    /// its end if they are the last. After the last byte it is the part's end. Of a whole part there may be
    /// `marks`.
    pub(crate) fn place(
        &mut self,
        bytes: &[u8],
        base: usize,
        marks: &[Mark],
        wanted: usize,
    ) -> ByteOrigin {
        if self.encoding == TransferEncoding::Identity {
            // Nothing is to be gone over, and those who ask go forward.
            self.stored = wanted;
            return ByteOrigin { range: wanted..wanted + 1, phase: 0 };
        }
        match &self.last {
            Some((known, unit)) if *known == wanted => return unit.clone(),
            _ if wanted < self.decoded => {
                // Links come in order, but for those that lie in each other.
                *self = TransferCursor::new(self.encoding, self.line_end, self.expected);
            }
            _ => {}
        }
        let before = &marks[..marks.partition_point(|mark| mark.decoded <= wanted)];
        if let Some(mark) = before.last().filter(|mark| mark.decoded > self.decoded) {
            let Mark { stored, decoded } = *mark;
            let decoder = Decoder::new(self.encoding, self.line_end, self.expected);
            *self = TransferCursor { decoder, stored, decoded, last: None, ..*self };
        }
        let mut seek = SeekDecoded { wanted, decoded: self.decoded, found: None };
        let mut ahead = AHEAD;
        loop {
            let from = self.stored - base.min(self.stored);
            let rest = bytes.get(from..).unwrap_or_default();
            let block = &rest[..rest.len().min(ahead + (wanted - seek.decoded.min(wanted)))];
            let is_last = block.len() == rest.len();
            let done = self.decoder.step(block, self.stored, is_last, &mut seek);
            self.stored += done;
            self.decoded = seek.decoded;
            if let Some(unit) = seek.found {
                self.last = Some((wanted, unit.clone()));
                return unit;
            }
            if is_last || self.decoder.has_ended() {
                let end = base + bytes.len();
                return ByteOrigin { range: end..end, phase: 0 };
            }
            // A decoder always gets somewhere; if not, it has to see more.
            ahead = if done == 0 { ahead * 2 } else { AHEAD };
        }
    }
}

struct SeekDecoded {
    wanted: usize,
    decoded: usize,
    found: Option<ByteOrigin>,
}

impl DecodedSink for SeekDecoded {
    #[inline]
    fn literal(&mut self, _: &[u8], len: usize, stored: usize) -> Option<usize> {
        let after = self.wanted - self.decoded;
        if after >= len {
            self.decoded += len;
            return None;
        }
        self.decoded = self.wanted;
        self.found = Some(ByteOrigin { range: stored + after..stored + after + 1, phase: 0 });
        Some(after)
    }

    #[inline]
    fn unit(&mut self, _: u8, unit: ByteOrigin) -> bool {
        self.decoded += 1;
        let is_wanted = self.decoded > self.wanted;
        if is_wanted {
            self.found = Some(unit);
        }
        is_wanted
    }

    #[inline]
    fn groups(&mut self, groups: &[u8], stored: usize) -> Option<usize> {
        let after = self.wanted - self.decoded;
        if after >= groups.len() / 4 * 3 {
            self.decoded += groups.len() / 4 * 3;
            return None;
        }
        let (group, phase) = (after / 3, after % 3);
        self.decoded += 3 * group;
        let start = stored + 4 * group + phase;
        self.found = Some(ByteOrigin { range: start..start + 2, phase: phase as u8 });
        Some(4 * group)
    }
}

#[cfg(test)]
mod tests;
