//! Deflate (RFC 1951) and zlib (RFC 1950): the door of `flate2`.

use std::io;

use flate2::{Decompress, FlushDecompress, Status};

use super::{Ahead, Begin, Format, Refusal, Stepped, corrupt};

/// One deflate stream without framing, or zlib's.
pub(super) struct Deflate {
    inflate: Decompress,
    /// Which of both it is shows in its first bytes.
    is_either: bool,
}

impl Deflate {
    pub(super) fn raw() -> Deflate {
        Deflate { inflate: Decompress::new(false), is_either: false }
    }

    pub(super) fn of_http() -> Deflate {
        Deflate { inflate: Decompress::new(true), is_either: true }
    }
}

impl Format for Deflate {
    const NAME: &'static str = "deflate";

    fn begin(&mut self, feed: &mut dyn Ahead, count: u64) -> io::Result<Begin> {
        if count > 0 {
            return Ok(Begin::End);
        }
        if self.is_either {
            // RFC 1950 §2.2: deflate is method 8, and both bytes together are a multiple of 31.
            let is_zlib = match feed.look(2)? {
                [cmf, flg, ..] => {
                    cmf & 15 == 8 && u16::from_be_bytes([*cmf, *flg]).is_multiple_of(31)
                }
                _ => false,
            };
            self.inflate = Decompress::new(is_zlib);
        }
        Ok(Begin::Frame)
    }

    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> Result<Stepped, Refusal> {
        step(&mut self.inflate, Self::NAME, input, is_last, output)
    }
}

/// A step of deflate.
pub(super) fn step(
    inflate: &mut Decompress,
    name: &str,
    input: &[u8],
    is_last: bool,
    output: &mut [u8],
) -> Result<Stepped, Refusal> {
    let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
    // What is left in its window comes out with `Finish` too.
    let flush = if is_last { FlushDecompress::Finish } else { FlushDecompress::None };
    let status = match inflate.decompress(input, output, flush) {
        Ok(status) => status,
        Err(error) => return Err(corrupt(name, error.message().unwrap_or("invalid data"))),
    };
    Ok(Stepped {
        taken: (inflate.total_in() - before_in) as usize,
        given: (inflate.total_out() - before_out) as usize,
        is_end: status == Status::StreamEnd,
    })
}
