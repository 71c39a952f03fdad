//! LZ4 frames, skippable ones between. The frames are read here, `lz4_flex` decodes blocks: its `FrameDecoder` reads from a blocking
//! reader to the end of a frame, fails at a skippable one, and has no offset for a fault, none of which a feed and a place allow.
//!
//! A block that is stored is given as it comes in, one that is compressed when all of it is there.

use std::hash::Hasher;
use std::io;

use lz4_flex::block::{decompress_into, decompress_into_with_dict};
use twox_hash::XxHash32;

use super::super::fault::{Fault, FaultCode};
use super::{
    CodecError, CodecStep, FrameFormat, FrameStart, Lookahead, corrupt, garbage, truncated,
};

const NAME: &str = "lz4";
const FRAME: u32 = 0x184D_2204;
const SKIPPABLE: u32 = 0x184D_2A50;

/// Bits of the descriptor's first byte.
const VERSION: u8 = 0b1100_0000;
const INDEPENDENT: u8 = 1 << 5;
const BLOCK_SUMS: u8 = 1 << 4;
const SIZE: u8 = 1 << 3;
const CONTENT_SUM: u8 = 1 << 2;
const DICTIONARY: u8 = 1;

/// As far back as a block may refer to those before it.
const WINDOW: usize = 64 << 10;
/// The first bit of a block's size: it is stored as it is.
const STORED: u32 = 1 << 31;

pub(super) struct Lz4 {
    frame: Frame,
    piece: Lz4Section,
    /// The bytes of the piece so far, if it is of use as a whole.
    held: Vec<u8>,
    /// How many bytes of it are missing.
    left: usize,
    /// Bytes of the last block, and how many of them were returned.
    decoded: Vec<u8>,
    given: usize,
    /// Window that blocks may refer to.
    window: Vec<u8>,
    content: XxHash32,
    block: XxHash32,
    len: u64,
}

/// Header of a frame.
#[derive(Clone, Copy, Default)]
struct Frame {
    flags: u8,
    /// The longest block.
    most: usize,
    /// How long the content is.
    len: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lz4Section {
    Size,
    Stored,
    Compressed,
    /// Checksum of a block.
    Sum,
    /// Checksum of the content.
    ContentSum,
    End,
}

impl Lz4 {
    pub(super) fn new() -> Lz4 {
        Lz4 {
            frame: Frame::default(),
            piece: Lz4Section::Size,
            held: Vec::new(),
            left: 4,
            decoded: Vec::new(),
            given: 0,
            window: Vec::new(),
            content: XxHash32::with_seed(0),
            block: XxHash32::with_seed(0),
            len: 0,
        }
    }

    fn has(&self, flag: u8) -> bool {
        self.frame.flags & flag != 0
    }

    fn go_to(&mut self, piece: Lz4Section, len: usize) {
        self.held.clear();
        (self.piece, self.left) = (piece, len);
    }

    /// The bytes of the piece, of which there are four.
    fn number(&self) -> u32 {
        self.held.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    /// Content comes out.
    fn count(&mut self, bytes: &[u8]) {
        self.len += bytes.len() as u64;
        if self.has(CONTENT_SUM) {
            self.content.write(bytes);
        }
        if !self.has(INDEPENDENT) {
            // More is kept than is of use, so that it is not moved for each byte.
            if self.window.len() + bytes.len() > 8 * WINDOW {
                self.window.drain(..self.window.len().saturating_sub(WINDOW));
            }
            self.window.extend_from_slice(&bytes[bytes.len().saturating_sub(WINDOW)..]);
        }
    }

    fn after_block(&mut self) {
        match self.has(BLOCK_SUMS) {
            true => self.go_to(Lz4Section::Sum, 4),
            false => self.go_to(Lz4Section::Size, 4),
        }
    }

    /// A piece is whole.
    fn finish(&mut self) -> Result<(), CodecError> {
        match self.piece {
            Lz4Section::Size => {
                let size = self.number();
                let len = (size & !STORED) as usize;
                self.block = XxHash32::with_seed(0);
                match size {
                    0 if self.has(CONTENT_SUM) => self.go_to(Lz4Section::ContentSum, 4),
                    0 => self.go_to(Lz4Section::End, 0),
                    _ if len > self.frame.most => {
                        return Err(corrupt(NAME, "a block is too long").back(4));
                    }
                    _ if size & STORED != 0 => {
                        self.go_to(Lz4Section::Stored, len);
                        if len == 0 {
                            self.after_block();
                        }
                    }
                    _ => self.go_to(Lz4Section::Compressed, len),
                }
            }
            Lz4Section::Stored => self.after_block(),
            Lz4Section::Compressed if self.has(BLOCK_SUMS) => {
                // It is decoded when its checksum is known.
                (self.piece, self.left) = (Lz4Section::Sum, 4);
            }
            Lz4Section::Compressed => {
                self.decode(self.held.len())?;
                self.after_block();
            }
            Lz4Section::Sum => {
                let len = self.held.len() - 4;
                self.block.write(&self.held[..len]);
                let (_, sum) = self.held.split_at(len);
                if self.block.finish_32() != u32::from_le_bytes([sum[0], sum[1], sum[2], sum[3]]) {
                    let reason = "lz4 block checksum mismatch";
                    return Err(CodecError::new(FaultCode::Checksum, reason).back(4).late(false));
                }
                if len > 0 {
                    self.decode(len).map_err(|refusal| refusal.back(4 + len as u64))?;
                }
                self.go_to(Lz4Section::Size, 4);
            }
            Lz4Section::ContentSum | Lz4Section::End => {}
        }
        Ok(())
    }

    /// Decodes a block of this length, which is held.
    fn decode(&mut self, len: usize) -> Result<(), CodecError> {
        let held = &self.held[..len];
        self.decoded.resize(self.frame.most, 0);
        let result = match self.window.is_empty() {
            true => decompress_into(held, &mut self.decoded),
            false => {
                let window = &self.window[self.window.len().saturating_sub(WINDOW)..];
                decompress_into_with_dict(held, &mut self.decoded, window)
            }
        };
        let back = len as u64;
        let len = result.map_err(|error| corrupt(NAME, error).back(back))?;
        self.decoded.truncate(len);
        self.given = 0;
        let decoded = std::mem::take(&mut self.decoded);
        self.count(&decoded);
        self.decoded = decoded;
        Ok(())
    }

    /// Error of the content as a whole, after its last byte.
    fn wrong(&self) -> Option<CodecError> {
        let is_sum = !self.has(CONTENT_SUM) || self.number() == self.content.finish_32();
        let is_length = self.frame.len.is_none_or(|len| len == self.len);
        let reason = match (is_sum, is_length) {
            (true, true) => return None,
            (false, _) => "lz4 checksum mismatch",
            (_, false) => "lz4 length mismatch",
        };
        Some(CodecError::new(FaultCode::Checksum, reason).back(self.held.len() as u64))
    }
}

/// Parses the header of a frame; returns it with its length, or `None` if it is cut.
fn header(bytes: &[u8], at: u64) -> Result<Option<(Frame, usize)>, Fault> {
    let (Some(&flags), Some(&sizes)) = (bytes.get(4), bytes.get(5)) else { return Ok(None) };
    let corrupt = |why| Err(corrupt(NAME, why).at(at));
    if flags & VERSION != 0x40 || flags & 2 != 0 || sizes & 0x8F != 0 || sizes >> 4 < 4 {
        return corrupt("a header of no known kind");
    }
    let size = if flags & SIZE != 0 { 8 } else { 0 };
    let end = 6 + size + if flags & DICTIONARY != 0 { 4 } else { 0 };
    let Some(sum) = bytes.get(end) else { return Ok(None) };
    if *sum != (XxHash32::oneshot(0, &bytes[4..end]) >> 8) as u8 {
        return corrupt("header checksum mismatch");
    }
    if flags & DICTIONARY != 0 {
        return Err(Fault::new(FaultCode::Method, at, "lz4 stream needs a dictionary"));
    }
    let len = bytes[6..].first_chunk().filter(|_| size > 0).map(|len| u64::from_le_bytes(*len));
    // 64 KiB, 256 KiB, 1 MiB, 4 MiB.
    let most = 1 << (8 + 2 * (sizes >> 4));
    Ok(Some((Frame { flags, most, len }, end + 1)))
}

impl FrameFormat for Lz4 {
    const NAME: &'static str = NAME;
    const MAGIC: &'static [u8] = &FRAME.to_le_bytes();

    fn begin(&mut self, feed: &mut dyn Lookahead, count: u64) -> io::Result<FrameStart> {
        let at = feed.at();
        let held = feed.look(19)?;
        let magic = held.first_chunk().map(|magic| u32::from_le_bytes(*magic));
        match magic {
            None if held.is_empty() && count > 0 => Ok(FrameStart::End),
            Some(FRAME) => {
                let Some((frame, len)) = header(held, at)? else {
                    return Err(truncated(NAME).at(at + held.len() as u64).into());
                };
                feed.consume(len);
                *self = Lz4 { frame, ..Lz4::new() };
                Ok(FrameStart::Frame)
            }
            Some(magic) if magic & !15 == SKIPPABLE => {
                let Some(&[.., a, b, c, d]) = held.first_chunk::<8>() else {
                    return Err(truncated(NAME).at(at + held.len() as u64).into());
                };
                match feed.skip(8 + u64::from(u32::from_le_bytes([a, b, c, d])))? {
                    true => Ok(FrameStart::Between),
                    false => Err(truncated(NAME).at(feed.at()).into()),
                }
            }
            None if count == 0 => Err(truncated(NAME).at(at + held.len() as u64).into()),
            Some(_) if count == 0 => Err(Fault::new(FaultCode::Corrupt, at, "no lz4 frame").into()),
            _ => Err(garbage(NAME, at).into()),
        }
    }

    fn step(&mut self, input: &[u8], is_last: bool, output: &mut [u8]) -> CodecStep {
        if self.given < self.decoded.len() {
            let rest = &self.decoded[self.given..];
            let given = rest.len().min(output.len());
            output[..given].copy_from_slice(&rest[..given]);
            self.given += given;
            return CodecStep { given, ..CodecStep::default() };
        }
        if self.piece == Lz4Section::End || self.piece == Lz4Section::ContentSum && self.left == 0 {
            return CodecStep { is_end: true, refusal: self.wrong(), ..CodecStep::default() };
        }
        if input.is_empty() {
            let is_late = self.piece == Lz4Section::ContentSum;
            return match is_last {
                true => CodecStep::refused(truncated(NAME).late(is_late)),
                false => CodecStep::default(),
            };
        }
        let taken = self.left.min(input.len());
        let mut stepped = CodecStep { taken, ..CodecStep::default() };
        match self.piece {
            Lz4Section::Stored => {
                stepped.taken = taken.min(output.len());
                stepped.given = stepped.taken;
                let stored = &input[..stepped.taken];
                output[..stored.len()].copy_from_slice(stored);
                self.count(stored);
                if self.has(BLOCK_SUMS) {
                    self.block.write(stored);
                }
            }
            _ => self.held.extend_from_slice(&input[..taken]),
        }
        self.left -= stepped.taken;
        if self.left == 0 && self.piece != Lz4Section::ContentSum {
            stepped.refusal = self.finish().err();
        }
        stepped
    }
}
