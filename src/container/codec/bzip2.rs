//! bzip2: streams one after the other; the door of the crate `bzip2`.
//!
//! Zeros after a stream are padding, as tapes have it.

use std::io;
use std::mem;
use std::ops::Range;

use bzip2::{Decompress, Status};

use super::super::fault::{Fault, FaultCode};
use super::frames::by_bytes;
use super::{
    CodecError, CodecStep, FrameFormat, FrameStart, Lookahead, Replayed, corrupt, garbage,
    take_zeros, truncated,
};

/// Stands before the checksum of a stream, at any bit: the square root of pi in decimal digits.
const FOOTER: u128 = 0x1772_4538_5090;

/// A stream without blocks, but for the digit of its header.
const EMPTY: &[u8] = b"\x17\x72\x45\x38\x50\x90\0\0\0\0";

/// Maximum length in bytes of a stream that is decoded at once.
const SHORT: usize = 512;

/// Maximum number of bytes that such a stream decodes to.
const SHORT_OUTPUT: usize = 16 << 10;

pub(super) struct Bzip2 {
    decompress: Decompress,
    /// The last sixteen bytes that it took.
    tail: u128,
    /// Of a short stream, which was decoded when it began: number of its bytes that are still to be taken.
    short: Option<usize>,
    /// The decoded bytes of the short stream, and those that are still to be given.
    decoded: Vec<u8>,
    left: Range<usize>,
}

impl Bzip2 {
    pub(super) fn new() -> Bzip2 {
        let decompress = Decompress::new(false);
        Bzip2 { decompress, tail: 0, short: None, decoded: Vec::new(), left: 0..0 }
    }
}

impl FrameFormat for Bzip2 {
    const NAME: &'static str = "bzip2";
    const REPLAYS: bool = true;
    const MAGIC: &'static [u8] = b"BZh";

    fn begin(&mut self, feed: &mut dyn Lookahead, count: u64) -> io::Result<FrameStart> {
        if count > 0
            && let Some(begin) = take_zeros(feed)?
        {
            return Ok(begin);
        }
        match (feed.look(4)?, count) {
            (held @ [b'B', b'Z', b'h', b'1'..=b'9', ..], _) => {
                self.short = self.decode_short(&held[..held.len().min(SHORT)]);
            }
            (held, 0) if held.len() < 4 => return Err(truncated(Self::NAME).at(feed.at()).into()),
            (_, 0) => {
                let reason = "no bzip2 header";
                return Err(Fault::new(FaultCode::Corrupt, feed.at(), reason).into());
            }
            _ => return Err(garbage(Self::NAME, feed.at()).into()),
        }
        if self.short.is_none() {
            (self.decompress, self.tail) = (Decompress::new(false), 0);
        }
        Ok(FrameStart::Frame)
    }

    fn step(&mut self, input: &[u8], _: bool, output: &mut [u8]) -> CodecStep {
        if let Some(taken) = &mut self.short {
            let given = self.left.len().min(output.len());
            output[..given].copy_from_slice(&self.decoded[self.left.start..][..given]);
            self.left.start += given;
            let (taken, is_end) = (mem::take(taken), self.left.is_empty());
            return CodecStep { taken, given, is_end, refusal: None };
        }
        let (before_in, before_out) = (self.decompress.total_in(), self.decompress.total_out());
        let status = self.decompress.decompress(input, output);
        let taken = (self.decompress.total_in() - before_in) as usize;
        let given = (self.decompress.total_out() - before_out) as usize;
        for byte in &input[taken.saturating_sub(16)..taken] {
            self.tail = self.tail << 8 | u128::from(*byte);
        }
        let refusal = match status {
            Ok(Status::MemNeeded) => Some(corrupt(Self::NAME, "no memory")),
            Ok(_) => None,
            Err(_) if self.is_at_end() => {
                let reason = "bzip2 checksum mismatch";
                Some(CodecError::new(FaultCode::Checksum, reason).back(4))
            }
            Err(_) => Some(corrupt(Self::NAME, "invalid data")),
        };
        let is_end = matches!(status, Ok(Status::StreamEnd));
        CodecStep { taken, given, is_end, refusal }
    }

    /// The library reads ahead as far as its input goes, and tells the place of a fault by that.
    fn replay(&mut self, frame: &[u8], given: u64) -> Option<Replayed> {
        by_bytes(Bzip2::new(), frame, given)
    }
}

impl Bzip2 {
    /// Decodes a stream if it is short and without faults; returns its length. For each stream the library clears as much
    /// memory as the largest block takes, 3.6 MB if the header says 9; what is short is tried with the smallest block.
    fn decode_short(&mut self, held: &[u8]) -> Option<usize> {
        let rest = &held[4..];
        self.left = 0..0;
        if rest.starts_with(EMPTY) {
            return Some(4 + EMPTY.len());
        }
        self.decoded.resize(SHORT_OUTPUT, 0);
        let mut small = Decompress::new(false);
        small.decompress(b"BZh1", &mut []).ok()?;
        let status = small.decompress(rest, &mut self.decoded).ok()?;
        self.left.end = usize::try_from(small.total_out()).ok()?;
        (status == Status::StreamEnd).then_some(small.total_in() as usize)
    }

    /// Whether the last that it took are the checksum of the stream, and up to seven bits.
    fn is_at_end(&self) -> bool {
        (32..40).any(|shift| self.tail >> shift & 0xFFFF_FFFF_FFFF == FOOTER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY_STREAM: &[u8] = b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0";
    /// The letter `a` and a line feed.
    const LETTER: &[u8] = b"BZh91AY\x26SYc\x3E\xD6\xE2\x00\x00\x00\xC1\x00\x00\x10\x20\x00\x20\x00\x21\x00\x82\xB1w\x24S\x85\x09\x063\xEDn\x20";

    #[test]
    fn a_short_stream_is_decoded_when_it_begins() {
        let mut bzip2 = Bzip2::new();
        let behind = [EMPTY_STREAM, b"BZh9"].concat();
        assert_eq!(bzip2.decode_short(&behind), Some(EMPTY_STREAM.len()));
        assert!(bzip2.left.is_empty());
        assert_eq!(bzip2.decode_short(&LETTER.repeat(2)), Some(LETTER.len()));
        assert_eq!(bzip2.decoded[bzip2.left.clone()], *b"a\n");
        for end in 4..LETTER.len() {
            assert_eq!(bzip2.decode_short(&LETTER[..end]), None, "{end} bytes");
        }
        let mut damaged = LETTER.to_vec();
        damaged[10] ^= 1;
        assert_eq!(bzip2.decode_short(&damaged), None);
    }
}
