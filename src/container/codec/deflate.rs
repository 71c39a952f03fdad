//! Deflate (RFC 1951), zlib (RFC 1950), Deflate64 and CRC-32: the wrapper of `flate2` and `deflate64`.

use std::io;

use deflate64::InflaterManaged;
use flate2::{Decompress, FlushDecompress, Status};

use super::super::fault::{Fault, FaultCode};
use super::{CodecStep, FrameFormat, FrameStart, Lookahead, corrupt, truncated};

const NAME: &str = "deflate";

/// One deflate stream without framing, or zlib's.
pub(super) struct Deflate {
    inflate: Decompress,
    /// Which of both it is shows in its first bytes.
    is_either: bool,
    /// Checksum of zlib.
    sum: Option<Adler>,
}

impl Deflate {
    pub(super) fn raw() -> Deflate {
        Deflate { inflate: Decompress::new(false), is_either: false, sum: None }
    }

    pub(super) fn of_http() -> Deflate {
        Deflate { is_either: true, ..Deflate::raw() }
    }
}

impl FrameFormat for Deflate {
    const NAME: &'static str = NAME;

    fn begin(&mut self, feed: &mut dyn Lookahead, count: u64) -> io::Result<FrameStart> {
        if count > 0 {
            return Ok(FrameStart::End);
        }
        if self.is_either
            && let [cmf, flg, ..] = *feed.look(2)?
            // RFC 1950 §2.2: deflate is method 8, and both bytes together are a multiple of 31.
            && cmf & 15 == 8
            && u16::from_be_bytes([cmf, flg]).is_multiple_of(31)
        {
            // FDICT.
            if flg & 0x20 != 0 {
                let reason = "deflate stream needs a dictionary";
                return Err(Fault::new(FaultCode::Method, feed.at(), reason).into());
            }
            feed.consume(2);
            self.sum = Some(Adler::default());
        }
        Ok(FrameStart::Frame)
    }

    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> CodecStep {
        let stepped = step(&mut self.inflate, NAME, input, is_last, output);
        if let Some(sum) = &mut self.sum {
            sum.update(&output[..stepped.given]);
        }
        stepped
    }

    fn end(&mut self, feed: &mut dyn Lookahead) -> io::Result<Option<Fault>> {
        let Some(sum) = self.sum.take() else { return Ok(None) };
        let at = feed.at();
        let Some(&trailer) = feed.look(4)?.first_chunk::<4>() else {
            let held = feed.look(4)?.len();
            feed.consume(held);
            return Err(truncated(NAME).at(feed.at()).late(true).into());
        };
        feed.consume(4);
        let reason = "deflate checksum mismatch";
        let is_right = u32::from_be_bytes(trailer) == sum.value();
        Ok((!is_right).then(|| Fault::new(FaultCode::Checksum, at, reason)))
    }
}

/// The checksum of zlib (RFC 1950 §8.2).
struct Adler {
    a: u32,
    b: u32,
}

impl Default for Adler {
    fn default() -> Adler {
        Adler { a: 1, b: 0 }
    }
}

impl Adler {
    fn update(&mut self, bytes: &[u8]) {
        const BASE: u32 = 65521;
        // Sums of 5,552 bytes fit into 32 bits before they are reduced.
        for chunk in bytes.chunks(5552) {
            for byte in chunk {
                self.a += u32::from(*byte);
                self.b += self.a;
            }
            self.a %= BASE;
            self.b %= BASE;
        }
    }

    fn value(&self) -> u32 {
        self.b << 16 | self.a
    }
}

/// Why deflated bytes cannot be decoded. The library's own words depend on the sizes of reads: its fast loop, which
/// needs much available, loses them and says that it was called once too often.
const INVALID: &str = "invalid block, code or distance";

/// A step of deflate.
pub(super) fn step(
    inflate: &mut Decompress,
    name: &str,
    input: &[u8],
    is_last: bool,
    output: &mut [u8],
) -> CodecStep {
    let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
    // `Finish` also flushes the rest of the window.
    let flush = if is_last { FlushDecompress::Finish } else { FlushDecompress::None };
    let status = inflate.decompress(input, output, flush);
    CodecStep {
        taken: (inflate.total_in() - before_in) as usize,
        given: (inflate.total_out() - before_out) as usize,
        is_end: matches!(status, Ok(Status::StreamEnd)),
        refusal: status.err().map(|_| corrupt(name, INVALID)),
    }
}

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

/// The checksum of bytes.
pub(in super::super) fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = Sum::new(0);
    sum.update(bytes);
    sum.value()
}

/// A checksum to be compared.
pub(in super::super) struct Sum {
    crc: flate2::Crc,
    expected: u32,
}

impl Sum {
    pub(in super::super) fn new(expected: u32) -> Sum {
        Sum { crc: flate2::Crc::new(), expected }
    }

    pub(in super::super) fn update(&mut self, bytes: &[u8]) {
        self.crc.update(bytes);
    }

    pub(in super::super) fn value(&self) -> u32 {
        self.crc.sum()
    }

    pub(in super::super) fn fits(&self) -> bool {
        self.value() == self.expected
    }
}
