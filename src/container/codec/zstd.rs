//! Zstandard (RFC 8878): frames one after the other, skippable ones between; the door of `zstd`.
//!
//! A frame's header is read here too: it says the window, and a window above the limit is refused
//! with what it needs, before anything is allocated. A crawl (`.warc.zst`) may begin with a skippable frame
//! that holds the dictionary of those that follow, itself compressed or not.

use std::io::{self, Read};

use zstd::stream::raw::{DParameter, Decoder, Operation};

use super::super::fault::{Fault, FaultCode};
use super::{Ahead, Begin, Format, Refusal, Stepped, corrupt, garbage, needs, truncated};

const FRAME: u32 = 0xFD2F_B528;
/// §3.1.2: sixteen magic numbers.
const SKIPPABLE: u32 = 0x184D_2A50;
/// The skippable frame of a crawl's dictionary.
const DICTIONARY: u32 = 0x184D_2A5D;
/// The longest dictionary; those in use have 110 KiB.
const MOST_DICTIONARY: u64 = 16 << 20;

pub(super) struct Zstd {
    decoder: Decoder<'static>,
    window: u64,
}

impl Zstd {
    pub(super) fn new(window: u64) -> io::Result<Zstd> {
        Zstd::with_dictionary(window, &[])
    }

    pub(super) fn with_dictionary(window: u64, dictionary: &[u8]) -> io::Result<Zstd> {
        let mut decoder = Decoder::with_dictionary(dictionary)?;
        // The limit is ours: the library's default would refuse more than 128 MiB.
        decoder.set_parameter(DParameter::WindowLogMax(if cfg!(target_pointer_width = "64") {
            31
        } else {
            30
        }))?;
        Ok(Zstd { decoder, window })
    }
}

impl Zstd {
    /// Takes the frame that holds the dictionary; one that is none is passed over.
    fn take_dictionary(&mut self, feed: &mut dyn Ahead) -> io::Result<Begin> {
        let at = feed.at();
        let cut = |at| io::Error::from(truncated("zstd", at));
        let Some(&[.., a, b, c, d]) = feed.look(8)?.first_chunk::<8>() else {
            return Err(cut(at));
        };
        feed.consume(8);
        let mut left = u64::from(u32::from_le_bytes([a, b, c, d]));
        if left > MOST_DICTIONARY {
            return if feed.skip(left)? { Ok(Begin::Between) } else { Err(cut(feed.at())) };
        }
        let mut stored = Vec::new();
        while left > 0 {
            let held = feed.fill()?;
            let len = usize::try_from(left).unwrap_or(usize::MAX).min(held.len());
            if len == 0 {
                return Err(cut(feed.at()));
            }
            stored.extend_from_slice(&held[..len]);
            feed.consume(len);
            left -= len as u64;
        }
        if stored.starts_with(&FRAME.to_le_bytes()) {
            let mut decoded = Vec::new();
            let decoder = zstd::Decoder::new(&stored[..])?;
            let read = decoder.take(MOST_DICTIONARY).read_to_end(&mut decoded);
            if let Err(error) = read {
                let (code, reason) = corrupt("zstd dictionary", error);
                return Err(Fault::new(code, at, reason).into());
            }
            stored = decoded;
        }
        if let Ok(with) = Zstd::with_dictionary(self.window, &stored) {
            *self = with;
        }
        Ok(Begin::Between)
    }
}

/// The window of the frame that begins so (§3.1.1.1); `None` if more bytes are needed.
fn window(header: &[u8]) -> Option<u64> {
    let descriptor = *header.get(4)?;
    if descriptor & 0x20 == 0 {
        let byte = *header.get(5)?;
        let base = 1_u64 << (10 + (byte >> 3));
        return Some(base + base / 8 * u64::from(byte & 7));
    }
    // A single segment: the window is the content.
    let at = 5 + [0, 1, 2, 4][usize::from(descriptor & 3)];
    let len = [1, 2, 4, 8][usize::from(descriptor >> 6)];
    let mut size = [0; 8];
    size[..len].copy_from_slice(header.get(at..at + len)?);
    let size = u64::from_le_bytes(size);
    Some(if len == 2 { size + 256 } else { size })
}

impl Format for Zstd {
    const NAME: &'static str = "zstd";

    fn begin(&mut self, feed: &mut dyn Ahead, count: u64) -> io::Result<Begin> {
        let held = feed.look(18)?;
        if held.is_empty() {
            return Ok(Begin::End);
        }
        let magic = held.first_chunk().map(|magic| u32::from_le_bytes(*magic));
        match magic {
            Some(FRAME) => {
                let Some(needed) = window(held) else {
                    return Err(truncated(Self::NAME, feed.at()).into());
                };
                if needed > self.window {
                    let (code, reason) = needs(Self::NAME, needed);
                    return Err(Fault::new(code, feed.at(), reason).into());
                }
                self.decoder.reinit()?;
                Ok(Begin::Frame)
            }
            Some(DICTIONARY) if count == 0 => self.take_dictionary(feed),
            Some(magic) if magic & !15 == SKIPPABLE => {
                let Some(&[.., a, b, c, d]) = held.first_chunk::<8>() else {
                    return Err(truncated(Self::NAME, feed.at()).into());
                };
                match feed.skip(8 + u64::from(u32::from_le_bytes([a, b, c, d])))? {
                    true => Ok(Begin::Between),
                    false => Err(truncated(Self::NAME, feed.at()).into()),
                }
            }
            None if count == 0 => Err(truncated(Self::NAME, feed.at()).into()),
            Some(_) if count == 0 => {
                Err(Fault::new(FaultCode::Corrupt, feed.at(), "no zstd frame").into())
            }
            _ => Err(garbage(Self::NAME, feed.at()).into()),
        }
    }

    fn step(&mut self, input: &[u8], _: bool, output: &mut [u8]) -> Result<Stepped, Refusal> {
        let status = self
            .decoder
            .run_on_buffers(input, output)
            .map_err(|error| corrupt(Self::NAME, error))?;
        Ok(Stepped {
            taken: status.bytes_read,
            given: status.bytes_written,
            is_end: status.remaining == 0,
        })
    }
}
