//! bzip2: streams one after the other; the door of the crate `bzip2`.
//!
//! Zeros after a stream are padding, as tapes have it.

use std::io;

use bzip2::{Decompress, Status};

use super::super::fault::{Fault, FaultCode};
use super::frames::by_bytes;
use super::{
    CodecError, CodecStep, FrameFormat, FrameStart, Lookahead, Replayed, corrupt, garbage,
    take_zeros, truncated,
};

/// Stands before the checksum of a stream, at any bit: the square root of pi in decimal digits.
const FOOTER: u128 = 0x1772_4538_5090;

pub(super) struct Bzip2 {
    decompress: Decompress,
    /// The last sixteen bytes that it took.
    tail: u128,
}

impl Bzip2 {
    pub(super) fn new() -> Bzip2 {
        Bzip2 { decompress: Decompress::new(false), tail: 0 }
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
            ([b'B', b'Z', b'h', b'1'..=b'9', ..], _) => {}
            (held, 0) if held.len() < 4 => return Err(truncated(Self::NAME).at(feed.at()).into()),
            (_, 0) => {
                let reason = "no bzip2 header";
                return Err(Fault::new(FaultCode::Corrupt, feed.at(), reason).into());
            }
            _ => return Err(garbage(Self::NAME, feed.at()).into()),
        }
        *self = Bzip2::new();
        Ok(FrameStart::Frame)
    }

    fn step(&mut self, input: &[u8], _: bool, output: &mut [u8]) -> CodecStep {
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
    /// Whether the last that it took are the checksum of the stream, and up to seven bits.
    fn is_at_end(&self) -> bool {
        (32..40).any(|shift| self.tail >> shift & 0xFFFF_FFFF_FFFF == FOOTER)
    }
}
