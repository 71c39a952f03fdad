//! xz: streams one after the other, padding in fours between; the door of `lzma-rust2`.

use std::io::{self, ErrorKind};

use lzma_rust2::{Action, Status, XzStream};

use super::super::fault::{Fault, FaultCode};
use super::{Ahead, Begin, Format, Refusal, Stepped, corrupt, garbage, needs, truncated};

const MAGIC: [u8; 6] = [0xFD, b'7', b'z', b'X', b'Z', 0];
/// Beside the dictionary a decoder takes about 100 KiB.
pub(super) const OVERHEAD: u64 = 1 << 20;

pub(super) struct Xz {
    stream: XzStream,
    window: u64,
}

impl Xz {
    pub(super) fn new(window: u64) -> Xz {
        Xz { stream: stream(window), window }
    }
}

fn stream(window: u64) -> XzStream {
    XzStream::new_mem_limit(false, limit(window))
}

/// The limit in KiB.
pub(super) fn limit(window: u64) -> u32 {
    u32::try_from(window.saturating_add(OVERHEAD) >> 10).unwrap_or(u32::MAX - 1)
}

/// What a step that failed says.
pub(super) fn refusal(name: &str, error: &io::Error, need: Option<u32>) -> Refusal {
    match (error.kind(), need) {
        (ErrorKind::OutOfMemory, Some(need)) => needs(name, u64::from(need) << 10),
        (ErrorKind::UnexpectedEof, _) => (FaultCode::Truncated, format!("{name} stream truncated")),
        _ => corrupt(name, error),
    }
}

impl Format for Xz {
    const NAME: &'static str = "xz";

    fn begin(&mut self, feed: &mut dyn Ahead, count: u64) -> io::Result<Begin> {
        let at = feed.at();
        let held = feed.look(6)?;
        match (held, count) {
            ([], 1..) => return Ok(Begin::End),
            ([0, 0, 0, 0, ..], 1..) => {
                feed.consume(4);
                return Ok(Begin::Between);
            }
            (held, _) if held.starts_with(&MAGIC) => {}
            (held, 0) if MAGIC.starts_with(held) => return Err(truncated(Self::NAME, at).into()),
            (_, 0) => return Err(Fault::new(FaultCode::Corrupt, at, "no xz header").into()),
            _ => return Err(garbage(Self::NAME, at).into()),
        }
        self.stream = stream(self.window);
        Ok(Begin::Frame)
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
