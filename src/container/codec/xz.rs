//! xz: streams one after the other, padding in fours between; and `.lzma`: the wrapper of `lzma-rust2`.

use std::io::{self, ErrorKind, Read};

use lzma_rust2::{Action, LzmaReader, LzmaStream, Status, StreamResult, XzReader, XzStream};

use super::super::fault::{Fault, FaultCode};
use super::frames::by_bytes;
use super::{
    CodecError, CodecStep, FrameFormat, FrameStart, Lookahead, Replayed, corrupt, garbage, needs,
    truncated,
};

const MAGIC: [u8; 6] = [0xFD, b'7', b'z', b'X', b'Z', 0];
/// Beside the dictionary a decoder takes about 100 KiB.
const OVERHEAD: u64 = 1 << 20;

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

/// Converts the error of a failed step.
fn refusal(name: &str, error: &io::Error, need: Option<u32>) -> CodecError {
    match (error.kind(), need) {
        (ErrorKind::OutOfMemory, Some(need)) => needs(name, u64::from(need) << 10),
        (ErrorKind::UnexpectedEof, _) => truncated(name),
        _ => {
            let why = error.to_string().to_ascii_lowercase();
            match why.strip_prefix("xz ").unwrap_or(&why) {
                // All blocks came before.
                why if why.starts_with("index ") || why.starts_with("stream footer") => {
                    let reason = format!("{name} stream corrupt: {why}");
                    CodecError::new(FaultCode::Checksum, reason)
                }
                why => corrupt(name, why),
            }
        }
    }
}

/// Decoder of the library that takes its input in pieces.
pub(super) trait PushDecoder {
    fn process(
        &mut self,
        input: &[u8],
        output: &mut [u8],
        action: Action,
    ) -> io::Result<StreamResult>;

    /// Returns the total numbers of bytes read and written, as far as the library reports them.
    fn totals(&self) -> (u64, u64);

    fn need(&self) -> Option<u32>;
}

macro_rules! push_decoder {
    ($($Stream:ident),+) => {$(
        impl PushDecoder for $Stream {
            fn process(
                &mut self,
                input: &[u8],
                output: &mut [u8],
                action: Action,
            ) -> io::Result<StreamResult> {
                $Stream::process(self, input, output, action)
            }

            fn totals(&self) -> (u64, u64) {
                (self.total_in(), self.total_out())
            }

            fn need(&self) -> Option<u32> {
                self.memory_usage()
            }
        }
    )+};
}

push_decoder!(XzStream, LzmaStream);

/// A step of such a decoder.
pub(super) fn step(
    stream: &mut impl PushDecoder,
    name: &str,
    input: &[u8],
    is_last: bool,
    output: &mut [u8],
) -> CodecStep {
    let action = if is_last { Action::Finish } else { Action::Run };
    let before = stream.totals();
    match stream.process(input, output, action) {
        Ok(result) => CodecStep {
            taken: result.bytes_consumed,
            given: result.bytes_produced,
            is_end: result.status == Status::StreamEnd,
            refusal: None,
        },
        Err(error) => {
            let (taken, given) = stream.totals();
            CodecStep {
                taken: ((taken - before.0) as usize).min(input.len()),
                given: ((given - before.1) as usize).min(output.len()),
                is_end: false,
                refusal: Some(refusal(name, &error, stream.need())),
            }
        }
    }
}

/// Decodes a frame that failed, to the byte. The library that takes pieces keeps to itself what it decoded
/// of the piece that it fails in; its readers decode what they are asked for, but want the whole of a chunk. What
/// follows the fault is taken for zeros, and for ones: the bytes that both give come of what is there, whatever
/// follows, since the choices of a range decoder are monotonic.
pub(super) fn replay<'f, F: FrameFormat, R: Read>(
    format: F,
    open: impl Fn(Padded<'f>) -> io::Result<R>,
    frame: &'f [u8],
    given: u64,
) -> Option<Replayed> {
    let mut replayed = by_bytes(format, frame, given)?;
    let taken = usize::try_from(replayed.taken).unwrap_or(usize::MAX);
    let seen = &frame[..frame.len().min(taken.saturating_add(1))];
    let followed_by = |pad| rest(open(Padded { bytes: seen, pad }).ok()?, given);
    if let (FaultCode::Truncated | FaultCode::Corrupt, Some(mut zeros), Some(mut ones)) =
        (replayed.refusal.code, followed_by(0), followed_by(0xFF))
    {
        let same = || zeros.next().filter(|byte| ones.next() == Some(*byte));
        replayed.rest = std::iter::from_fn(same).take(MOST_REST).collect();
    }
    Some(replayed)
}

/// Limit of decoded bytes that may be missing: the library decodes at most 64 KiB in one step.
const MOST_REST: usize = 1 << 20;

/// The bytes of a reader that follow those that were given, one by one, up to its end or its failure.
fn rest<R: Read>(mut reader: R, given: u64) -> Option<impl Iterator<Item = u8>> {
    let passed = io::copy(&mut reader.by_ref().take(given), &mut io::sink()).ok()?;
    (passed == given).then(|| {
        let mut byte = [0];
        std::iter::from_fn(move || matches!(reader.read(&mut byte), Ok(1)).then_some(byte[0]))
    })
}

/// Bytes, and others of one value after them without end.
pub(super) struct Padded<'p> {
    bytes: &'p [u8],
    pad: u8,
}

impl Read for Padded<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() {
            to.fill(self.pad);
            return Ok(to.len());
        }
        self.bytes.read(to)
    }
}

impl FrameFormat for Xz {
    const NAME: &'static str = "xz";
    const REPLAYS: bool = true;
    const MAGIC: &'static [u8] = &MAGIC;

    fn begin(&mut self, feed: &mut dyn Lookahead, count: u64) -> io::Result<FrameStart> {
        let at = feed.at();
        let held = feed.look(6)?;
        match (held, count) {
            ([], 1..) => return Ok(FrameStart::End),
            ([0, 0, 0, 0, ..], 1..) => {
                feed.consume(4);
                return Ok(FrameStart::Between);
            }
            (held, _) if held.starts_with(&MAGIC) => {}
            (held, 0) if MAGIC.starts_with(held) => {
                return Err(truncated(Self::NAME).at(at).into());
            }
            (_, 0) => return Err(Fault::new(FaultCode::Corrupt, at, "no xz header").into()),
            _ => return Err(garbage(Self::NAME, at).into()),
        }
        self.stream = stream(self.window);
        Ok(FrameStart::Frame)
    }

    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> CodecStep {
        step(&mut self.stream, Self::NAME, input, is_last, output)
    }

    fn replay(&mut self, frame: &[u8], given: u64) -> Option<Replayed> {
        let limit = limit(self.window);
        let open = |bytes| Ok(XzReader::new_mem_limit(bytes, false, limit));
        replay(Xz::new(self.window), open, frame, given)
    }
}

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
