//! Zstandard (RFC 8878): frames one after the other, skippable ones between; the door of `zstd`.
//!
//! A frame's header is read here too: it says the window, and a window above the limit is refused
//! with what it needs, before anything is allocated. A crawl (`.warc.zst`) may begin with a skippable frame
//! that holds the dictionary of those that follow, itself compressed or not.

use std::io::{self, Read};

use zstd::stream::raw::{DParameter, Decoder, Operation};

use super::super::fault::{Fault, FaultCode};
use super::{
    CodecError, CodecStep, FrameFormat, FrameStart, Lookahead, corrupt, garbage, needs, truncated,
};

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
    /// The piece of the frame that is next, how many bytes of it were taken, and how many it has.
    piece: ZstdSection,
    taken: u64,
    len: u64,
    /// A block's header, as it comes in.
    header: [u8; 3],
    has_sum: bool,
    /// More output of the input so far may follow.
    is_full: bool,
}

/// The pieces of a frame (§3.1.1). The library gets one at a time: at a fault it keeps to itself what it
/// decoded in that call, and only a block that is whole comes to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ZstdSection {
    Header,
    BlockHeader,
    Block { is_last: bool },
    Sum,
    End,
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
        Ok(Zstd {
            decoder,
            window,
            piece: ZstdSection::Header,
            taken: 0,
            len: 0,
            header: [0; 3],
            has_sum: false,
            is_full: false,
        })
    }
}

impl Zstd {
    /// Takes the frame with the dictionary; another frame is skipped.
    fn take_dictionary(&mut self, feed: &mut dyn Lookahead) -> io::Result<FrameStart> {
        let at = feed.at();
        let cut = |at| io::Error::from(truncated("zstd").at(at));
        let Some(&[.., a, b, c, d]) = feed.look(8)?.first_chunk::<8>() else {
            return Err(cut(at));
        };
        feed.consume(8);
        let mut left = u64::from(u32::from_le_bytes([a, b, c, d]));
        if left > MOST_DICTIONARY {
            return if feed.skip(left)? { Ok(FrameStart::Between) } else { Err(cut(feed.at())) };
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
                return Err(corrupt("zstd dictionary", error).at(at).into());
            }
            stored = decoded;
        }
        if let Ok(with) = Zstd::with_dictionary(self.window, &stored) {
            *self = with;
        }
        Ok(FrameStart::Between)
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

impl FrameFormat for Zstd {
    const NAME: &'static str = "zstd";
    const MAGIC: &'static [u8] = &FRAME.to_le_bytes();

    fn begin(&mut self, feed: &mut dyn Lookahead, count: u64) -> io::Result<FrameStart> {
        let held = feed.look(18)?;
        if held.is_empty() {
            return Ok(FrameStart::End);
        }
        let magic = held.first_chunk().map(|magic| u32::from_le_bytes(*magic));
        match magic {
            Some(FRAME) => {
                let Some(needed) = window(held) else {
                    return Err(truncated(Self::NAME).at(feed.at()).into());
                };
                if needed > self.window {
                    return Err(needs(Self::NAME, needed).at(feed.at()).into());
                }
                let Some(len) = header_len(held) else {
                    return Err(truncated(Self::NAME).at(feed.at()).into());
                };
                self.has_sum = held[4] & 4 != 0;
                self.go_to(ZstdSection::Header, len);
                self.is_full = false;
                self.decoder.reinit()?;
                Ok(FrameStart::Frame)
            }
            Some(DICTIONARY) if count == 0 => self.take_dictionary(feed),
            Some(magic) if magic & !15 == SKIPPABLE => {
                let Some(&[.., a, b, c, d]) = held.first_chunk::<8>() else {
                    return Err(truncated(Self::NAME).at(feed.at()).into());
                };
                match feed.skip(8 + u64::from(u32::from_le_bytes([a, b, c, d])))? {
                    true => Ok(FrameStart::Between),
                    false => Err(truncated(Self::NAME).at(feed.at()).into()),
                }
            }
            None if count == 0 => Err(truncated(Self::NAME).at(feed.at()).into()),
            Some(_) if count == 0 => {
                Err(Fault::new(FaultCode::Corrupt, feed.at(), "not a zstd frame").into())
            }
            _ => Err(garbage(Self::NAME, feed.at()).into()),
        }
    }

    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> CodecStep {
        // Before the next piece all is given that comes of this one.
        if std::mem::take(&mut self.is_full) {
            let stepped = self.step_of_piece(&[], output);
            if stepped.given > 0 || stepped.is_end || stepped.refusal.is_some() {
                return stepped;
            }
        }
        let left = usize::try_from(self.len - self.taken).unwrap_or(usize::MAX);
        let stepped = self.step_of_piece(&input[..left.min(input.len())], output);
        let is_stuck = stepped.taken == 0 && stepped.given == 0 && !stepped.is_end;
        match is_stuck && is_last && stepped.refusal.is_none() {
            true => CodecStep::refused(truncated(Self::NAME).late(self.piece == ZstdSection::Sum)),
            false => stepped,
        }
    }
}

impl Zstd {
    fn step_of_piece(&mut self, input: &[u8], output: &mut [u8]) -> CodecStep {
        let status = match self.decoder.run_on_buffers(input, output) {
            Ok(status) => status,
            Err(error) => return self.refused(&error),
        };
        let (taken, given) = (status.bytes_read, status.bytes_written);
        self.is_full = given == output.len();
        if self.piece == ZstdSection::BlockHeader {
            let at = self.taken as usize;
            self.header[at..at + taken].copy_from_slice(&input[..taken]);
        }
        self.taken += taken as u64;
        if self.taken == self.len {
            self.next_piece();
        }
        let is_end = self.piece == ZstdSection::End && status.remaining == 0;
        CodecStep { taken, given, is_end, refusal: None }
    }

    fn go_to(&mut self, piece: ZstdSection, len: u64) {
        (self.piece, self.taken, self.len) = (piece, 0, len);
    }

    fn next_piece(&mut self) {
        match self.piece {
            ZstdSection::Header => self.go_to(ZstdSection::BlockHeader, 3),
            ZstdSection::BlockHeader => {
                // §3.1.1.2: the last one or not, the type, the size; of one byte that is repeated, how often.
                let [a, b, c] = self.header;
                let header = u32::from_le_bytes([a, b, c, 0]);
                let len = if header >> 1 & 3 == 1 { 1 } else { header >> 3 };
                self.go_to(ZstdSection::Block { is_last: header & 1 != 0 }, len.into());
                if len == 0 {
                    self.next_piece();
                }
            }
            ZstdSection::Block { is_last: false } => self.go_to(ZstdSection::BlockHeader, 3),
            ZstdSection::Block { is_last: true } if self.has_sum => self.go_to(ZstdSection::Sum, 4),
            ZstdSection::Block { .. } | ZstdSection::Sum | ZstdSection::End => {
                self.go_to(ZstdSection::End, 0)
            }
        }
    }

    /// The library cannot go on: at the beginning of a piece, and after a wrong checksum with the next frame.
    fn refused(&self, error: &io::Error) -> CodecStep {
        match self.piece {
            ZstdSection::Sum => CodecStep {
                // The missing bytes of the checksum.
                taken: (self.len - self.taken) as usize,
                is_end: true,
                refusal: Some(
                    CodecError::new(FaultCode::Checksum, "zstd checksum mismatch").back(4),
                ),
                ..CodecStep::default()
            },
            _ => CodecStep::refused(corrupt(Self::NAME, error).back(self.taken)),
        }
    }
}

/// How long the header of the frame is that begins so (§3.1.1.1).
fn header_len(header: &[u8]) -> Option<u64> {
    let descriptor = *header.get(4)?;
    let is_single = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content = match descriptor >> 6 {
        0 => u64::from(is_single),
        size => 1 << size,
    };
    Some(5 + u64::from(!is_single) + dictionary + content)
}
