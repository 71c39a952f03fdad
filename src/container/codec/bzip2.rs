//! bzip2: streams one after the other; the door of the crate `bzip2`.
//!
//! Zeros after a stream are padding, as tapes have it.

use std::io;

use bzip2::{Decompress, Status};

use super::super::fault::{Fault, FaultCode};
use super::{Ahead, Begin, Format, Refusal, Stepped, corrupt, garbage, take_zeros, truncated};

pub(super) struct Bzip2 {
    decompress: Decompress,
}

impl Bzip2 {
    pub(super) fn new() -> Bzip2 {
        Bzip2 { decompress: Decompress::new(false) }
    }
}

impl Format for Bzip2 {
    const NAME: &'static str = "bzip2";

    fn begin(&mut self, feed: &mut dyn Ahead, count: u64) -> io::Result<Begin> {
        if count > 0
            && let Some(begin) = take_zeros(feed)?
        {
            return Ok(begin);
        }
        match (feed.look(4)?, count) {
            ([b'B', b'Z', b'h', b'1'..=b'9', ..], _) => {}
            (held, 0) if held.len() < 4 => return Err(truncated(Self::NAME, feed.at()).into()),
            (_, 0) => {
                let reason = "no bzip2 header";
                return Err(Fault::new(FaultCode::Corrupt, feed.at(), reason).into());
            }
            _ => return Err(garbage(Self::NAME, feed.at()).into()),
        }
        self.decompress = Decompress::new(false);
        Ok(Begin::Frame)
    }

    fn step(&mut self, input: &[u8], _: bool, output: &mut [u8]) -> Result<Stepped, Refusal> {
        let (before_in, before_out) = (self.decompress.total_in(), self.decompress.total_out());
        let status = self.decompress.decompress(input, output);
        let taken = (self.decompress.total_in() - before_in) as usize;
        let given = (self.decompress.total_out() - before_out) as usize;
        match status {
            Ok(Status::MemNeeded) => Err(corrupt(Self::NAME, "no memory")),
            Ok(status) => Ok(Stepped { taken, given, is_end: status == Status::StreamEnd }),
            Err(_) => Err(corrupt(Self::NAME, "invalid data")),
        }
    }
}
