//! LZ4 frames, skippable ones between; the door of `lz4_flex`.
//!
//! The library reads a frame from a reader and takes no byte too many; it ends a cut frame without a
//! word, so that the reader it is given notes whether it was asked for more than there is.

use std::io::{self, Read};

use lz4_flex::frame::FrameDecoder;

use super::super::fault::{Fault, FaultCode, told};
use super::{Ahead, Decode, corrupt, garbage, truncated};

const NAME: &str = "lz4";
const FRAME: u32 = 0x184D_2204;
const SKIPPABLE: u32 = 0x184D_2A50;

pub(super) struct Lz4<'f> {
    decoder: FrameDecoder<Counted<'f>>,
    is_inside: bool,
    count: u64,
    failed: bool,
}

/// A reader that notes that it ended.
struct Counted<'f> {
    feed: &'f mut dyn Ahead,
    is_short: bool,
    error: Option<io::Error>,
}

impl Read for Counted<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let held = match self.feed.fill() {
            Ok(held) => held,
            Err(error) => {
                self.error = Some(error);
                return Err(told());
            }
        };
        let len = held.len().min(to.len());
        to[..len].copy_from_slice(&held[..len]);
        self.feed.consume(len);
        self.is_short |= len == 0 && !to.is_empty();
        Ok(len)
    }
}

impl<'f> Lz4<'f> {
    pub(super) fn new(feed: &'f mut dyn Ahead) -> Lz4<'f> {
        let feed = Counted { feed, is_short: false, error: None };
        Lz4 { decoder: FrameDecoder::new(feed), is_inside: false, count: 0, failed: false }
    }

    fn run(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_inside && !self.begin()? {
                return Ok(0);
            }
            let read = self.decoder.read(to);
            let Counted { feed, is_short, error } = self.decoder.get_mut();
            if let Some(error) = error.take() {
                return Err(error);
            }
            match read {
                _ if *is_short => return Err(truncated(NAME, feed.at()).into()),
                Ok(0) => {
                    self.is_inside = false;
                    self.count += 1;
                }
                Ok(read) => return Ok(read),
                Err(error) => {
                    let (code, reason) = corrupt(NAME, error);
                    return Err(Fault::new(code, feed.at(), reason).into());
                }
            }
        }
    }

    /// Goes to the next frame; false if there is none.
    fn begin(&mut self) -> io::Result<bool> {
        let feed = &mut *self.decoder.get_mut().feed;
        loop {
            let held = feed.look(8)?;
            let magic = held.first_chunk().map(|magic| u32::from_le_bytes(*magic));
            match magic {
                None if held.is_empty() && self.count > 0 => return Ok(false),
                Some(FRAME) => break,
                Some(magic) if magic & !15 == SKIPPABLE => {
                    let Some(&[.., a, b, c, d]) = held.first_chunk::<8>() else {
                        return Err(truncated(NAME, feed.at()).into());
                    };
                    if !feed.skip(8 + u64::from(u32::from_le_bytes([a, b, c, d])))? {
                        return Err(truncated(NAME, feed.at()).into());
                    }
                }
                None if self.count == 0 => return Err(truncated(NAME, feed.at()).into()),
                Some(_) if self.count == 0 => {
                    return Err(Fault::new(FaultCode::Corrupt, feed.at(), "no lz4 frame").into());
                }
                _ => return Err(garbage(NAME, feed.at()).into()),
            }
        }
        self.is_inside = true;
        Ok(true)
    }
}

impl Read for Lz4<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.failed {
            return Err(told());
        }
        let result = if to.is_empty() { Ok(0) } else { self.run(to) };
        self.failed = result.is_err();
        result
    }
}

impl Decode for Lz4<'_> {
    fn at(&self) -> u64 {
        self.decoder.get_ref().feed.at()
    }
}
