//! Brotli (RFC 7932): one stream, known by its name or by HTTP alone; the door of
//! `brotli-decompressor`.
//!
//! Windows are at most 16 MiB: larger ones are no RFC's.

use std::io;

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

use super::frames::by_bytes;
use super::{CodecStep, FrameFormat, FrameStart, Lookahead, Replayed, corrupt, garbage};

pub(super) struct Brotli {
    state: BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
}

impl Brotli {
    pub(super) fn new() -> Brotli {
        let alloc = StandardAlloc::default;
        Brotli { state: BrotliState::new_strict(alloc(), alloc(), alloc()) }
    }
}

impl FrameFormat for Brotli {
    const NAME: &'static str = "brotli";
    const REPLAYS: bool = true;

    fn begin(&mut self, feed: &mut dyn Lookahead, count: u64) -> io::Result<FrameStart> {
        match count {
            0 => Ok(FrameStart::Frame),
            _ if feed.fill()?.is_empty() => Ok(FrameStart::End),
            _ => Err(garbage(Self::NAME, feed.at()).into()),
        }
    }

    fn step(&mut self, input: &[u8], _: bool, output: &mut [u8]) -> CodecStep {
        let (mut left, mut taken) = (input.len(), 0);
        let (mut room, mut given, mut total) = (output.len(), 0, 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut taken,
            input,
            &mut room,
            &mut given,
            output,
            &mut total,
            &mut self.state,
        );
        CodecStep {
            taken,
            given,
            is_end: matches!(result, BrotliResult::ResultSuccess),
            refusal: matches!(result, BrotliResult::ResultFailure)
                .then(|| corrupt(Self::NAME, "invalid data")),
        }
    }

    /// At a fault the library keeps what it has decoded of the input that it is in. It gives all where an input
    /// ends: here, after each byte.
    fn replay(&mut self, frame: &[u8], given: u64) -> Option<Replayed> {
        by_bytes(Brotli::new(), frame, given)
    }
}
