//! Codecs: compressed bytes in, what they stand for out, one door for each library.
//!
//! The framing (members, frames, streams, padding, what follows the end) is read by [`Frames`] and the
//! codec's own file; a library only decodes. So all that follows a member is seen, and each fault has
//! its place in the stored bytes. A codec whose feature is off is refused by name.

mod brotli;
mod bzip2;
mod deflate;
mod deflate64;
mod frames;
mod gzip;
mod lz4;
mod lzma;
mod seek;
mod sum;
mod xz;
#[cfg(feature = "zstd")]
mod zstd;

use std::io::{self, Read};

use super::fault::{Fault, FaultCode};
use super::feed::Ahead;
use super::limits::Limits;
use super::member_offsets::MemberOffsets;
use frames::Frames;
pub(super) use seek::{begins_with_record, seek_record};
pub(super) use sum::{Sum, crc32};

/// How bytes are compressed.
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

    /// What the compressed bytes of `feed` stand for.
    pub(crate) fn decoder<'f>(
        self,
        feed: &'f mut dyn Ahead,
        limits: &Limits,
        offsets: Option<MemberOffsets>,
    ) -> io::Result<Box<dyn Decode + 'f>> {
        Ok(match self {
            Codec::Gzip => Box::new(Frames::new(feed, gzip::Gzip::new()).noting(offsets)),
            Codec::Deflate => Box::new(Frames::new(feed, deflate::Deflate::raw())),
            Codec::Zlib => Box::new(Frames::new(feed, deflate::Deflate::of_http())),
            Codec::Deflate64 => Box::new(Frames::new(feed, deflate64::Deflate64::new())),
            Codec::Bzip2 => Box::new(Frames::new(feed, bzip2::Bzip2::new()).noting(offsets)),
            Codec::Xz => Box::new(Frames::new(feed, xz::Xz::new(limits.window)).noting(offsets)),
            Codec::Lzma => Box::new(Frames::new(feed, lzma::Lzma::new(limits.window))),
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

/// A decoder that knows where it is in the stored bytes.
pub(super) trait Decode: Read {
    fn at(&self) -> u64;
}

/// What is there where a frame may begin.
pub(super) enum Begin {
    /// A frame: its header has been taken, as far as the codec does not read it itself.
    Frame,
    /// Something between frames, which has been taken.
    Between,
    /// The end.
    End,
}

/// What a step of a codec came to. All that it has written counts, whether it failed or not.
#[derive(Debug, Default)]
pub(super) struct Stepped {
    pub(super) taken: usize,
    pub(super) given: usize,
    /// The frame ends here; a refusal beside it is told, and the next frame is read.
    pub(super) is_end: bool,
    /// Why the codec cannot go on.
    pub(super) refusal: Option<Refusal>,
}

impl Stepped {
    /// Nothing, and why.
    pub(super) fn refused(refusal: Refusal) -> Stepped {
        Stepped { refusal: Some(refusal), ..Stepped::default() }
    }
}

/// What a codec cannot go on with.
#[derive(Debug)]
pub(super) struct Refusal {
    code: FaultCode,
    reason: String,
    /// How many bytes before the next one the fault is.
    back: u64,
    /// All of the content came before it.
    is_late: bool,
}

impl Refusal {
    pub(super) fn new(code: FaultCode, reason: impl Into<String>) -> Refusal {
        let is_late = code == FaultCode::Checksum;
        Refusal { code, reason: reason.into(), back: 0, is_late }
    }

    /// It shows so many bytes before the next one.
    pub(super) fn back(self, back: u64) -> Refusal {
        Refusal { back, ..self }
    }

    /// Whether all of the content came before it.
    pub(super) fn late(self, is_late: bool) -> Refusal {
        Refusal { is_late, ..self }
    }

    /// The fault, if the next byte is at this place.
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
    pub(super) refusal: Refusal,
}

/// A format of frames (members, streams) one after the other.
pub(super) trait Format {
    /// The format's name in messages.
    const NAME: &'static str;

    /// Whether a frame that fails can be decoded once more: of a library that keeps to itself what it
    /// decoded before it failed.
    const REPLAYS: bool = false;

    /// What a frame begins with, if frames can be looked for.
    const MAGIC: &'static [u8] = &[];

    /// Whether what its header says cannot be found by chance.
    const IS_SURE: bool = true;

    /// Looks at what is there; `count` frames came before.
    fn begin(&mut self, feed: &mut dyn Ahead, count: u64) -> io::Result<Begin>;

    /// Decodes some of `input` into `output`; `is_last` if no input follows. What a frame comes to does not
    /// depend on how its bytes are cut into inputs.
    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> Stepped;

    /// Decodes a frame that failed once more; `given` bytes of it were given.
    fn replay(&mut self, _frame: &[u8], _given: u64) -> Option<Replayed> {
        None
    }

    /// Takes what follows a frame's data; a fault there does not end the stream.
    fn end(&mut self, _feed: &mut dyn Ahead) -> io::Result<Option<Fault>> {
        Ok(None)
    }
}

/// Takes zeros between frames; how many of them are at hand.
fn take_zeros(feed: &mut dyn Ahead) -> io::Result<Option<Begin>> {
    let held = feed.fill()?;
    let zeros = held.iter().take_while(|byte| **byte == 0).count();
    if held.is_empty() {
        return Ok(Some(Begin::End));
    }
    feed.consume(zeros);
    Ok((zeros > 0).then_some(Begin::Between))
}

/// The fault of a stream that ends too early.
pub(super) fn truncated(name: &str, at: u64) -> Fault {
    Fault::new(FaultCode::Truncated, at, format!("{name} stream truncated"))
}

/// The fault of bytes after the end that belong to nothing.
pub(super) fn garbage(name: &str, at: u64) -> Fault {
    Fault::new(FaultCode::TrailingGarbage, at, format!("trailing garbage after the {name} stream"))
}

/// What a library says, as a reason.
pub(super) fn corrupt(name: &str, why: impl std::fmt::Display) -> Refusal {
    let why = why.to_string().to_ascii_lowercase();
    Refusal::new(FaultCode::Corrupt, format!("{name} stream corrupt: {why}"))
}

/// A stream that ends too early, as a refusal.
pub(super) fn cut(name: &str) -> Refusal {
    Refusal::new(FaultCode::Truncated, format!("{name} stream truncated"))
}

/// Sizes as people read them.
pub(super) fn needs(name: &str, bytes: u64) -> Refusal {
    let shown = match bytes {
        _ if bytes >= 1 << 30 && bytes.is_multiple_of(1 << 30) => format!("{} GiB", bytes >> 30),
        _ => format!("{} MiB", bytes.div_ceil(1 << 20)),
    };
    Refusal::new(
        FaultCode::Window,
        format!("{name} stream needs {shown}, --max-window allows less"),
    )
}
