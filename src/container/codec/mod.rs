//! Codecs: decoders of compressed streams, with one wrapper module for each library.
//!
//! The framing (members, frames, streams, padding, what follows the end) is read by [`Frames`] and the
//! codec's own file; a library only decodes. So all that follows a member is seen, and each fault has
//! its place in the stored bytes. A codec whose feature is off is refused by name.

mod brotli;
mod bzip2;
mod deflate;
mod frames;
mod gzip;
mod lz4;
mod seek;
mod xz;
#[cfg(feature = "zstd")]
mod zstd;

use std::io::{self, Read};

pub(super) use deflate::{Sum, crc32};
use frames::Frames;
pub(super) use seek::{begins_with_record, seek_record};

use super::fault::{Fault, FaultCode};
use super::limits::Limits;
use super::lookahead::Lookahead;
use super::member_offsets::MemberOffsets;

/// Compression method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Gzip,
    /// Raw deflate: an entry of a zip.
    Deflate,
    /// The `deflate` of HTTP: with zlib's header, or without.
    Zlib,
    Deflate64,
    Bzip2,
    Xz,
    Lzma,
    Zstd,
    Lz4,
    Brotli,
}

impl Codec {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Codec::Gzip => "gzip",
            Codec::Deflate | Codec::Zlib => "deflate",
            Codec::Deflate64 => "deflate64",
            Codec::Bzip2 => "bzip2",
            Codec::Xz => "xz",
            Codec::Lzma => "lzma",
            Codec::Zstd => "zstd",
            Codec::Lz4 => "lz4",
            Codec::Brotli => "brotli",
        }
    }

    /// Returns a reader of the decompressed bytes of `feed`.
    pub(crate) fn decoder<'f>(
        self,
        feed: &'f mut dyn Lookahead,
        limits: &Limits,
        offsets: Option<MemberOffsets>,
    ) -> io::Result<Box<dyn PositionedDecoder + 'f>> {
        Ok(match self {
            Codec::Gzip => Box::new(Frames::new(feed, gzip::Gzip::new()).noting(offsets)),
            Codec::Deflate => Box::new(Frames::new(feed, deflate::Deflate::raw())),
            Codec::Zlib => Box::new(Frames::new(feed, deflate::Deflate::of_http())),
            Codec::Deflate64 => Box::new(Frames::new(feed, deflate::Deflate64::new())),
            Codec::Bzip2 => Box::new(Frames::new(feed, bzip2::Bzip2::new()).noting(offsets)),
            Codec::Xz => Box::new(Frames::new(feed, xz::Xz::new(limits.window)).noting(offsets)),
            Codec::Lzma => Box::new(Frames::new(feed, xz::Lzma::new(limits.window))),
            #[cfg(feature = "zstd")]
            Codec::Zstd => {
                Box::new(Frames::new(feed, zstd::Zstd::new(limits.window)?).noting(offsets))
            }
            Codec::Lz4 => Box::new(Frames::new(feed, lz4::Lz4::new()).noting(offsets)),
            Codec::Brotli => Box::new(Frames::new(feed, brotli::Brotli::new())),
            #[allow(unreachable_patterns, reason = "codecs that are not built in")]
            _ => {
                let reason = format!("{} is not supported by this build", self.name());
                return Err(Fault::new(FaultCode::Method, feed.at(), reason).into());
            }
        })
    }
}

/// Decoder that reports its offset in the stored bytes.
pub(super) trait PositionedDecoder: Read {
    fn at(&self) -> u64;
}

/// Result of looking for a frame's beginning.
pub(super) enum FrameStart {
    /// A frame: its header has been taken, as far as the codec does not read it itself.
    Frame,
    /// Something between frames, which has been taken.
    Between,
    /// The end.
    End,
}

/// Result of a decoding step. The bytes that it wrote count even if it failed.
#[derive(Debug, Default)]
pub(super) struct CodecStep {
    pub(super) taken: usize,
    pub(super) given: usize,
    /// The frame ends here. An error in addition is reported, and the next frame is read.
    pub(super) is_end: bool,
    /// Why the codec cannot go on.
    pub(super) refusal: Option<CodecError>,
}

impl CodecStep {
    /// An empty step with the reason for the failure.
    pub(super) fn refused(refusal: CodecError) -> CodecStep {
        CodecStep { refusal: Some(refusal), ..CodecStep::default() }
    }
}

/// Reason why a codec cannot continue.
#[derive(Debug)]
pub(super) struct CodecError {
    code: FaultCode,
    reason: String,
    /// Distance of the fault before the next byte.
    back: u64,
    /// The content was complete before it.
    is_late: bool,
}

impl CodecError {
    pub(super) fn new(code: FaultCode, reason: impl Into<String>) -> CodecError {
        let is_late = code == FaultCode::Checksum;
        CodecError { code, reason: reason.into(), back: 0, is_late }
    }

    /// Sets the distance of the fault before the next byte.
    pub(super) fn back(self, back: u64) -> CodecError {
        CodecError { back, ..self }
    }

    /// Whether all of the content came before it.
    pub(super) fn late(self, is_late: bool) -> CodecError {
        CodecError { is_late, ..self }
    }

    /// Returns the fault, given the offset of the next byte.
    pub(super) fn at(self, at: u64) -> Fault {
        Fault::new(self.code, at.saturating_sub(self.back), self.reason).late(self.is_late)
    }
}

/// A frame that failed, decoded once more from its first byte.
pub(super) struct Replayed {
    /// The bytes that follow those that were given.
    pub(super) rest: Vec<u8>,
    /// How many bytes of the frame come before the fault.
    pub(super) taken: u64,
    pub(super) refusal: CodecError,
}

/// Format of consecutive frames (members, streams).
pub(super) trait FrameFormat {
    /// The format's name in messages.
    const NAME: &'static str;

    /// Whether a frame that fails can be decoded once more: of a library that keeps to itself what it
    /// decoded before it failed.
    const REPLAYS: bool = false;

    /// First bytes of a frame, if frames can be searched.
    const MAGIC: &'static [u8] = &[];

    /// Whether what its header says cannot be found by chance.
    const IS_SURE: bool = true;

    /// Reads the header of the next frame, after `count` frames.
    fn begin(&mut self, feed: &mut dyn Lookahead, count: u64) -> io::Result<FrameStart>;

    /// Decodes some of `input` into `output`; `is_last` if no input follows. What a frame comes to does not
    /// depend on how its bytes are cut into inputs.
    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> CodecStep;

    /// Decodes a frame that failed once more; `given` bytes of it were given.
    fn replay(&mut self, _frame: &[u8], _given: u64) -> Option<Replayed> {
        None
    }

    /// Takes what follows a frame's data; a fault there does not end the stream.
    fn end(&mut self, _feed: &mut dyn Lookahead) -> io::Result<Option<Fault>> {
        Ok(None)
    }
}

/// Takes zeros between frames; how many of them are available.
fn take_zeros(feed: &mut dyn Lookahead) -> io::Result<Option<FrameStart>> {
    let held = feed.fill()?;
    let zeros = held.iter().take_while(|byte| **byte == 0).count();
    if held.is_empty() {
        return Ok(Some(FrameStart::End));
    }
    feed.consume(zeros);
    Ok((zeros > 0).then_some(FrameStart::Between))
}

/// The fault of bytes after the end that belong to nothing.
pub(super) fn garbage(name: &str, at: u64) -> Fault {
    Fault::new(FaultCode::TrailingGarbage, at, format!("trailing garbage after the {name} stream"))
}

/// Converts the error of a library to a reason.
pub(super) fn corrupt(name: &str, why: impl std::fmt::Display) -> CodecError {
    let why = why.to_string().to_ascii_lowercase();
    CodecError::new(FaultCode::Corrupt, format!("{name} stream corrupt: {why}"))
}

/// The error of a stream that ends too early.
pub(super) fn truncated(name: &str) -> CodecError {
    CodecError::new(FaultCode::Truncated, format!("{name} stream truncated"))
}

/// Sizes as people read them.
pub(super) fn needs(name: &str, bytes: u64) -> CodecError {
    let shown = match bytes {
        _ if bytes >= 1 << 30 && bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        _ => format!("{} MiB", bytes.div_ceil(1 << 20)),
    };
    CodecError::new(
        FaultCode::Window,
        format!("{name} stream needs {shown}, --max-window allows less"),
    )
}
