//! Deflate64, which Windows writes into zips of more than 2 GiB; the door of `deflate64`.

use std::io;

use deflate64::InflaterManaged;

use super::{CodecStep, FrameFormat, FrameStart, Lookahead, corrupt};

pub(super) struct Deflate64 {
    inflate: Box<InflaterManaged>,
}

impl Deflate64 {
    pub(super) fn new() -> Deflate64 {
        Deflate64 { inflate: Box::new(InflaterManaged::new()) }
    }
}

impl FrameFormat for Deflate64 {
    const NAME: &'static str = "deflate64";

    fn begin(&mut self, _: &mut dyn Lookahead, count: u64) -> io::Result<FrameStart> {
        Ok(if count == 0 { FrameStart::Frame } else { FrameStart::End })
    }

    fn step(&mut self, input: &[u8], _: bool, output: &mut [u8]) -> CodecStep {
        let result = self.inflate.inflate(input, output);
        // After a fault it still gives what it decoded before, call by call.
        let is_corrupt = result.data_error && self.inflate.available_output() == 0;
        let is_end =
            !result.data_error && self.inflate.finished() && self.inflate.available_output() == 0;
        CodecStep {
            taken: result.bytes_consumed,
            given: result.bytes_written,
            is_end,
            refusal: is_corrupt.then(|| corrupt(Self::NAME, "invalid data")),
        }
    }
}
