//! `.lzma`: one stream with a header of 13 bytes and nothing after it.

use std::io;

use lzma_rust2::{Action, LzmaReader, LzmaStream, StreamResult};

use super::xz::{PushDecoder, limit, replay, step};
use super::{CodecStep, FrameFormat, FrameStart, Lookahead, Replayed, garbage};

pub(super) struct Lzma {
    stream: LzmaStream,
    window: u64,
}

impl Lzma {
    pub(super) fn new(window: u64) -> Lzma {
        Lzma { stream: LzmaStream::new_mem_limit(limit(window), None), window }
    }
}

impl FrameFormat for Lzma {
    const NAME: &'static str = "lzma";
    const REPLAYS: bool = true;

    fn begin(&mut self, feed: &mut dyn Lookahead, count: u64) -> io::Result<FrameStart> {
        if count == 0 {
            return Ok(FrameStart::Frame);
        }
        // What it looked ahead.
        let ahead = self.stream.unused_input().len() as u64;
        match ahead > 0 || !feed.fill()?.is_empty() {
            true => Err(garbage(Self::NAME, feed.at() - ahead).into()),
            false => Ok(FrameStart::End),
        }
    }

    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> CodecStep {
        step(&mut self.stream, Self::NAME, input, is_last, output)
    }

    fn replay(&mut self, frame: &[u8], given: u64) -> Option<Replayed> {
        let limit = limit(self.window);
        let open = |bytes| LzmaReader::new_mem_limit(bytes, limit, None);
        replay(Lzma::new(self.window), open, frame, given)
    }
}

impl PushDecoder for LzmaStream {
    fn process(
        &mut self,
        input: &[u8],
        output: &mut [u8],
        action: Action,
    ) -> io::Result<StreamResult> {
        LzmaStream::process(self, input, output, action)
    }

    fn totals(&self) -> (u64, u64) {
        (self.total_in(), self.total_out())
    }

    fn need(&self) -> Option<u32> {
        self.memory_usage()
    }
}
