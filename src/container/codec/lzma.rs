//! `.lzma`: one stream with a header of 13 bytes and nothing after it.

use std::io;

use lzma_rust2::{Action, LzmaStream, Status};

use super::xz::{limit, refusal};
use super::{Ahead, Begin, Format, Refusal, Stepped, garbage};

pub(super) struct Lzma {
    stream: LzmaStream,
}

impl Lzma {
    pub(super) fn new(window: u64) -> Lzma {
        Lzma { stream: LzmaStream::new_mem_limit(limit(window), None) }
    }
}

impl Format for Lzma {
    const NAME: &'static str = "lzma";

    fn begin(&mut self, feed: &mut dyn Ahead, count: u64) -> io::Result<Begin> {
        if count == 0 {
            return Ok(Begin::Frame);
        }
        let has_rest = !feed.fill()?.is_empty() || !self.stream.unused_input().is_empty();
        match has_rest {
            true => Err(garbage(Self::NAME, feed.at()).into()),
            false => Ok(Begin::End),
        }
    }

    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> Result<Stepped, Refusal> {
        let action = if is_last { Action::Finish } else { Action::Run };
        match self.stream.process(input, output, action) {
            Ok(result) => Ok(Stepped {
                taken: result.bytes_consumed,
                given: result.bytes_produced,
                is_end: result.status == Status::StreamEnd,
            }),
            Err(error) => Err(refusal(Self::NAME, &error, self.stream.memory_usage())),
        }
    }
}
