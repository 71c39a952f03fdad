//! gzip (RFC 1952): members one after the other are one document.
//!
//! Zeros between and after members are padding. A wrong checksum or length is reported at the end; all
//! members are read. The name in a header names nothing.

use std::io;

use flate2::{Crc, Decompress};

use super::super::fault::{Fault, FaultCode};
use super::{
    CodecStep, FrameFormat, FrameStart, Lookahead, deflate, garbage, take_zeros, truncated,
};

/// FHCRC, FEXTRA, FNAME, FCOMMENT (§2.3.1); the three bits above are reserved.
const HEADER_CRC: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0b1110_0000;

pub(super) struct Gzip {
    inflate: Decompress,
    crc: Crc,
}

impl Gzip {
    pub(super) fn new() -> Gzip {
        Gzip { inflate: Decompress::new(false), crc: Crc::new() }
    }
}

/// Whether a member may begin so.
pub(super) fn is_member(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1F, 0x8B, 8, flags, ..] if flags & RESERVED == 0)
}

/// Takes the header of a member.
pub(super) fn take_header(feed: &mut dyn Lookahead) -> io::Result<()> {
    let cut = |feed: &dyn Lookahead| io::Error::from(truncated("gzip").at(feed.at()));
    let Some(&[.., flags, _, _, _, _, _, _]) = feed.look(10)?.first_chunk::<10>() else {
        return Err(cut(feed));
    };
    feed.consume(10);
    if flags & EXTRA != 0 {
        let Some(&len) = feed.look(2)?.first_chunk::<2>() else { return Err(cut(feed)) };
        feed.consume(2);
        if !feed.skip(u16::from_le_bytes(len).into())? {
            return Err(cut(feed));
        }
    }
    for flag in [NAME, COMMENT] {
        let mut is_open = flags & flag != 0;
        while is_open {
            let held = feed.fill()?;
            let end = memchr::memchr(0, held);
            let step = end.map_or(held.len(), |end| end + 1);
            if step == 0 {
                return Err(cut(feed));
            }
            feed.consume(step);
            is_open = end.is_none();
        }
    }
    match flags & HEADER_CRC == 0 || feed.skip(2)? {
        true => Ok(()),
        false => Err(cut(feed)),
    }
}

impl FrameFormat for Gzip {
    const NAME: &'static str = "gzip";
    const MAGIC: &'static [u8] = &[0x1F, 0x8B, 8];
    const IS_SURE: bool = false;

    fn begin(&mut self, feed: &mut dyn Lookahead, count: u64) -> io::Result<FrameStart> {
        if count > 0
            && let Some(begin) = take_zeros(feed)?
        {
            return Ok(begin);
        }
        let held = feed.look(4)?;
        match (is_member(held), count, held.len()) {
            (true, ..) => {}
            (_, 0, 0..4) => return Err(truncated(Self::NAME).at(feed.at()).into()),
            (_, 0, _) => {
                let reason = "not a gzip stream";
                return Err(Fault::new(FaultCode::Corrupt, feed.at(), reason).into());
            }
            _ => return Err(garbage(Self::NAME, feed.at()).into()),
        }
        take_header(feed)?;
        self.inflate.reset(false);
        self.crc.reset();
        Ok(FrameStart::Frame)
    }

    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> CodecStep {
        let stepped = deflate::step(&mut self.inflate, Self::NAME, input, is_last, output);
        self.crc.update(&output[..stepped.given]);
        stepped
    }

    fn end(&mut self, feed: &mut dyn Lookahead) -> io::Result<Option<Fault>> {
        let at = feed.at();
        let Some(&trailer) = feed.look(8)?.first_chunk::<8>() else {
            let held = feed.look(8)?.len();
            feed.consume(held);
            return Err(truncated(Self::NAME).at(feed.at()).late(true).into());
        };
        feed.consume(8);
        let [a, b, c, d, e, f, g, h] = trailer;
        let is_sum = u32::from_le_bytes([a, b, c, d]) == self.crc.sum();
        // §2.3.1: the length modulo 2^32.
        let is_length = u32::from_le_bytes([e, f, g, h]) == self.crc.amount();
        Ok(match (is_sum, is_length) {
            (true, true) => None,
            (false, _) => Some(Fault::new(FaultCode::Checksum, at, "gzip checksum mismatch")),
            (_, false) => Some(Fault::new(FaultCode::Checksum, at, "gzip length mismatch")),
        })
    }
}
