//! tar: ustar, PAX, GNU's long names and sparse files.
//!
//! The archive is read as a stream. End blocks do not end it if another header follows: archives are
//! concatenated. After a header whose checksum is wrong the next block with a right one is looked for.
//! Links, devices and directories have no content.

use std::io::{self, Read};

use super::archive_reader::{ArchiveReader, File, FileEnd, pass};
use super::fault::{Fault, FaultCode};
use super::lookahead::{Left, Lookahead, LookaheadReader};
use super::member;
use super::stream_context::StreamContext;
use super::walk::ContainerWalk;
use super::work_unit::Visitor;
use crate::detect::{TAR_BLOCK as BLOCK, is_tar_header as is_header, octal};

/// The longest header of PAX or GNU that is read; a name in it may be as long.
const MOST_HEADER: u64 = 1 << 20;
/// The most pieces of a sparse file.
const MOST_PIECES: usize = 1 << 16;
/// Text of the fault of an entry that is cut by the archive's end.
const SHORT: &str = "tar entry truncated";
/// Text of the fault of a header that is cut by the archive's end.
const SHORT_HEADER: &str = "tar header truncated";

/// Returns a number that is written in octal digits or, if the first bit is set, in base 256; `None` for a negative one.
fn number(field: &[u8]) -> Option<u64> {
    match field {
        [first, rest @ ..] if first & 0x80 != 0 => {
            let first = u64::from(first & 0x3F);
            let is_negative = field[0] & 0x40 != 0;
            let value = rest.iter().try_fold(first, |value, byte| {
                value.checked_mul(256)?.checked_add(u64::from(*byte))
            });
            value.filter(|_| !is_negative)
        }
        _ => octal(field),
    }
}

fn text(field: &[u8]) -> &[u8] {
    &field[..field.iter().position(|byte| *byte == 0).unwrap_or(field.len())]
}

/// Extended headers before an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Extended {
    path: Option<Vec<u8>>,
    size: Option<u64>,
    real_size: Option<u64>,
    pieces: Vec<(u64, u64)>,
    /// Whether it has more pieces than the limit.
    has_more: bool,
    /// The pieces are listed in front of the content (GNU.sparse 1.0).
    is_listed: bool,
}

impl Extended {
    /// Reads the records of a PAX header: `LENGTH KEY=VALUE\n`.
    fn read(&mut self, mut records: &[u8]) {
        let mut offset = None;
        while let Some(space) = memchr::memchr(b' ', &records[..records.len().min(20)]) {
            let len = std::str::from_utf8(&records[..space]).ok().and_then(|len| len.parse().ok());
            let record: Option<&[u8]> = len.and_then(|len: usize| records.get(space + 1..len));
            let Some(record) = record.filter(|record| !record.is_empty()) else { break };
            records = &records[space + 1 + record.len()..];
            let record = record.strip_suffix(b"\n").unwrap_or(record);
            let Some(equals) = memchr::memchr(b'=', record) else { continue };
            let (key, value) = (&record[..equals], &record[equals + 1..]);
            let number = std::str::from_utf8(value).ok().and_then(|value| value.parse().ok());
            match key {
                b"path" | b"GNU.sparse.name" => self.path = Some(value.to_vec()),
                b"size" => self.size = number,
                b"GNU.sparse.realsize" | b"GNU.sparse.size" => self.real_size = number,
                b"GNU.sparse.major" => self.is_listed = number == Some(1),
                b"GNU.sparse.offset" => offset = number,
                b"GNU.sparse.numbytes" if self.pieces.len() < MOST_PIECES => {
                    self.pieces.extend(offset.take().zip(number));
                }
                b"GNU.sparse.numbytes" => self.has_more = true,
                b"GNU.sparse.map" => {
                    let numbers: Vec<u64> = value
                        .split(|byte| *byte == b',')
                        .filter_map(|n| std::str::from_utf8(n).ok()?.parse().ok())
                        .take(2 * MOST_PIECES + 1)
                        .collect();
                    self.has_more = numbers.len() > 2 * MOST_PIECES;
                    let pairs = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1]));
                    self.pieces = pairs.take(MOST_PIECES).collect();
                }
                _ => {}
            }
        }
    }
}

/// Header of an entry that may have content.
struct TarEntry<'e> {
    header: &'e [u8; BLOCK],
    /// Offset of the entry.
    at: u64,
    kind: u8,
    /// Declared length of the content.
    stored: u64,
}

impl ContainerWalk<'_> {
    pub(super) fn tar(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let begin = self.take_begin();
        let seeked = self.pass_to(begin, feed, context)?;
        let mut reader = ArchiveReader::new(self, visitor, context, begin);
        let result = match seeked {
            Some(mut feed) => reader.tar_entries(&mut feed),
            None => reader.tar_entries(feed),
        };
        reader.flush();
        result
    }
}

impl ArchiveReader<'_, '_> {
    fn tar_entries(&mut self, feed: &mut LookaheadReader<'_>) -> io::Result<()> {
        let (mut global, mut next) = (Extended::default(), None::<Extended>);
        let (mut is_lost, mut is_ended) = (false, false);
        while !self.visitor.is_stopped() {
            let at = feed.at();
            if !is_lost && next.is_none() && global == Extended::default() {
                self.resumable(at);
            }
            let block = feed.look(BLOCK)?;
            if block.iter().take(BLOCK).all(|byte| *byte == 0) {
                let len = block.len().min(BLOCK);
                feed.consume(len);
                if len == BLOCK {
                    // Another archive may follow.
                    is_ended = true;
                    continue;
                }
                // The error of the reader comes after the bytes that it had.
                feed.fill()?;
                return match len > 0 && !is_ended {
                    true => Err(Fault::new(FaultCode::Truncated, at, SHORT_HEADER).into()),
                    false => Ok(()),
                };
            }
            let Some(&header) = block.first_chunk::<BLOCK>() else {
                let len = block.len();
                feed.consume(len);
                feed.fill()?;
                return Err(Fault::new(FaultCode::Truncated, at, SHORT_HEADER).into());
            };
            feed.consume(BLOCK);
            is_ended = false;
            if !is_header(&header) {
                if !is_lost {
                    let fault = Fault::new(FaultCode::Corrupt, at, "not a tar header");
                    self.failed(self.context.member, fault.into());
                }
                is_lost = true;
                continue;
            }
            is_lost = false;
            let Some(stored) = number(&header[124..136]) else {
                let fault =
                    Fault::new(FaultCode::Corrupt, at, "the size of a tar entry is not a number");
                self.failed(self.context.member, fault.into());
                continue;
            };
            match header[156] {
                kind @ (b'x' | b'g' | b'X' | b'L' | b'K') => {
                    let Some(text) = take_header(feed, stored, at)? else {
                        let reason = "header of a tar entry is too long";
                        let fault = Fault::new(FaultCode::Length, at, reason);
                        self.failed(self.context.member, fault.into());
                        continue;
                    };
                    match kind {
                        b'g' => global.read(&text),
                        b'x' | b'X' => next.get_or_insert_with(|| global.clone()).read(&text),
                        b'L' => {
                            let name = self::text(&text).to_vec();
                            next.get_or_insert_with(|| global.clone()).path = Some(name);
                        }
                        _ => {}
                    }
                }
                kind => {
                    let said = next.take().unwrap_or_else(|| global.clone());
                    self.entry(feed, TarEntry { header: &header, at, kind, stored }, said)?;
                }
            }
        }
        Ok(())
    }

    fn entry(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        entry: TarEntry<'_>,
        mut said: Extended,
    ) -> io::Result<()> {
        let (TarEntry { header, at, kind, stored }, context) = (entry, self.context);
        let mut stored = match kind {
            b'1'..=b'6' => 0,
            _ => said.size.unwrap_or(stored),
        };
        let name = said.path.take().unwrap_or_else(|| {
            let name = text(&header[..100]);
            // GNU's magic is another one, and it keeps other things where the prefix is.
            let prefix =
                if &header[257..263] == b"ustar\0" { text(&header[345..500]) } else { b"" };
            if prefix.is_empty() { name.to_vec() } else { [prefix, b"/", name].concat() }
        });
        if kind == b'S' {
            said.real_size = number(&header[483..495]);
            let mut fields = header[386..482].to_vec();
            let mut is_more = header[482] != 0;
            while is_more {
                let Some(&more) = feed.look(BLOCK)?.first_chunk::<BLOCK>() else { break };
                feed.consume(BLOCK);
                match fields.len() < MOST_PIECES * 24 {
                    true => fields.extend_from_slice(&more[..504]),
                    false => said.has_more = true,
                }
                is_more = more[504] != 0;
            }
            said.pieces = fields
                .chunks_exact(24)
                .map_while(|one| Some((octal(&one[..12])?, octal(&one[12..])?)))
                .filter(|(_, len)| *len > 0)
                .collect();
        }
        let padded = stored.saturating_add(stored.wrapping_neg() % BLOCK as u64);
        let mut padding = padded - stored;
        let is_file = matches!(kind, b'0' | 0 | b'7' | b'S') && !name.ends_with(b"/");
        if is_file {
            if said.is_listed {
                let (pieces, len) = listed(feed, stored)?;
                said.has_more = pieces.len() > MOST_PIECES;
                said.pieces = pieces;
                stored = stored.saturating_sub(len);
            }
            let real_size = said.real_size.filter(|_| kind == b'S' || !said.pieces.is_empty());
            let end = match real_size {
                None => {
                    let file = File { name, size: stored, short: SHORT };
                    self.file(feed, file)?
                }
                Some(size) => {
                    self.flush();
                    let member = member::name_of_inner(context.member, &name, None);
                    let mut left = Left::of(feed, stored, SHORT);
                    if said.has_more {
                        let reason = "sparse file has too many pieces";
                        let fault = Fault::new(FaultCode::Length, at, reason);
                        self.visitor.failed(&member, fault.into());
                    } else if size > self.walk.limits.of_member(stored) {
                        let fault =
                            Fault::new(FaultCode::Expansion, at, "the sparse file is too long");
                        self.visitor.failed(&member, fault.into());
                    } else {
                        let pieces = said.pieces;
                        let sparse = Sparse { left: &mut left, pieces, size, at: 0, piece: 0 };
                        let inner = context.inner(&member, &name, stored);
                        self.walk.stream(Box::new(sparse), &inner, self.visitor);
                    }
                    pass(left, &member, self.visitor)?
                }
            };
            if end == FileEnd::Cut {
                return Ok(());
            }
        } else {
            padding = padded;
        }
        let end = feed.at();
        // An archive may end with the content of its last entry.
        match feed.skip(padding)? {
            false if !is_file || feed.at() > end => {
                let fault = Fault::new(FaultCode::Truncated, feed.at(), SHORT);
                Err(fault.into())
            }
            _ => Ok(()),
        }
    }
}

/// The content of a header of PAX or GNU; `None` if it is too long, which passes over it.
fn take_header(feed: &mut LookaheadReader<'_>, len: u64, at: u64) -> io::Result<Option<Vec<u8>>> {
    let padded = len.saturating_add(len.wrapping_neg() % BLOCK as u64);
    if len > MOST_HEADER {
        feed.skip(padded)?;
        return Ok(None);
    }
    let mut text = Vec::new();
    let read = Left::of(feed, len, SHORT).read_to_end(&mut text);
    if read.is_err() || !feed.skip(padded - len)? {
        read?;
        return Err(Fault::new(FaultCode::Truncated, at, SHORT_HEADER).into());
    }
    Ok(Some(text))
}

/// The list of pieces in front of a sparse file: decimal numbers, a line each, in whole blocks.
fn listed(feed: &mut LookaheadReader<'_>, stored: u64) -> io::Result<(Vec<(u64, u64)>, u64)> {
    let (mut numbers, mut taken, mut value) = (Vec::new(), 0, 0_u64);
    let mut expected = 1;
    while taken < stored && numbers.len() < expected {
        let Some(&block) = feed.look(BLOCK)?.first_chunk::<BLOCK>() else { break };
        feed.consume(BLOCK);
        taken += BLOCK as u64;
        for byte in block {
            match byte {
                b'0'..=b'9' => {
                    value = value.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
                }
                b'\n' if numbers.len() < expected => {
                    numbers.push(value);
                    let count = usize::try_from(numbers[0]).unwrap_or(usize::MAX);
                    expected = 1 + 2 * count.min(MOST_PIECES + 1);
                    value = 0;
                }
                _ => {}
            }
        }
    }
    let pairs = numbers.get(1..).unwrap_or_default();
    Ok((pairs.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(), taken.min(stored)))
}

/// A sparse file: its pieces, with zeros between.
struct Sparse<'s, 'l, 'r> {
    left: &'s mut Left<'l, 'r>,
    pieces: Vec<(u64, u64)>,
    size: u64,
    at: u64,
    /// The piece that is next, or that is being read.
    piece: usize,
}

impl Read for Sparse<'_, '_, '_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let rest = self.size.saturating_sub(self.at);
            let (start, len) = self.pieces.get(self.piece).copied().unwrap_or((self.size, 0));
            let end = start.saturating_add(len);
            if self.piece < self.pieces.len() && self.at >= end {
                self.piece += 1;
                continue;
            }
            let is_data = self.at >= start && self.piece < self.pieces.len();
            let most = if is_data { end - self.at } else { start.max(self.at) - self.at };
            let most = if self.piece < self.pieces.len() { most.min(rest) } else { rest };
            let len = usize::try_from(most).unwrap_or(usize::MAX).min(to.len());
            if len == 0 {
                return Ok(0);
            }
            let read = match is_data {
                true => self.left.read(&mut to[..len])?,
                false => {
                    to[..len].fill(0);
                    len
                }
            };
            self.at += read as u64;
            return Ok(read);
        }
    }
}
