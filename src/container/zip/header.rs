//! Headers of entries: those of the central directory and the local ones.

use std::io;

use super::super::codec::crc32;
use super::super::source::SourceRange;

/// Magic number of a local header.
pub(super) const LOCAL: &[u8] = b"PK\x03\x04";
/// Length in bytes of a local header without its name.
pub(super) const LOCAL_LEN: usize = 30;

/// Checksum and lengths follow the content.
pub(super) const DESCRIPTOR: u16 = 1 << 3;

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).map_or(0, |two| u16::from_le_bytes([two[0], two[1]]))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |four| u32::from_le_bytes(*four))
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |all| u64::from_le_bytes(*all))
}

/// A central directory header: one file in a zip.
#[derive(Clone, Debug, Default)]
pub(super) struct ZipEntry {
    pub(super) name: Vec<u8>,
    pub(super) flags: u16,
    pub(super) method: u16,
    pub(super) crc: u32,
    pub(super) stored: u64,
    pub(super) size: u64,
    /// Offset of its local header.
    pub(super) header: u64,
}

impl ZipEntry {
    /// Returns `true` if its local header is at an offset.
    pub(super) fn is_at(&self, window: &SourceRange, at: u64) -> io::Result<bool> {
        // A name of another length is the same only as a Unicode path, which is an extra field.
        let may_be = |header: [u8; LOCAL_LEN]| {
            usize::from(u16_at(&header, 26)) == self.name.len() || u16_at(&header, 28) > 0
        };
        Ok(fixed_part(window, at)?.is_some_and(may_be)
            && local_header(window, at)?.is_some_and(|(local, _)| local.name == self.name))
    }

    /// Applies the extra fields: lengths of 64 bits, a name in UTF-8.
    pub(super) fn read_extra(&mut self, mut extra: &[u8]) {
        while extra.len() >= 4 {
            let (id, len) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
            let field = &extra[4..(4 + len).min(extra.len())];
            match id {
                1 => {
                    let mut rest = field;
                    for value in [&mut self.size, &mut self.stored, &mut self.header] {
                        if *value == 0xFFFF_FFFF && rest.len() >= 8 {
                            *value = u64_at(rest, 0);
                            rest = &rest[8..];
                        }
                    }
                }
                // Info-ZIP's Unicode path: version 1, the checksum of the name that it replaces.
                0x7075
                    if field.len() > 5
                        && field[0] == 1
                        && crc32(&self.name) == u32_at(field, 1)
                        && std::str::from_utf8(&field[5..]).is_ok() =>
                {
                    self.name = field[5..].to_vec();
                }
                _ => {}
            }
            extra = &extra[(4 + len).min(extra.len())..];
        }
    }
}

/// Returns the fixed part of the local header at an offset, if there is one.
fn fixed_part(window: &SourceRange, at: u64) -> io::Result<Option<[u8; LOCAL_LEN]>> {
    let mut header = [0; LOCAL_LEN];
    let read = window.read_full_at(at, &mut header)?;
    Ok((read == LOCAL_LEN && header.starts_with(LOCAL)).then_some(header))
}

/// Returns the offset of the content of the entry whose local header is at an offset.
pub(super) fn content_of(window: &SourceRange, at: u64) -> io::Result<Option<u64>> {
    let len = |header: [u8; LOCAL_LEN]| {
        LOCAL_LEN as u64 + u64::from(u16_at(&header, 26)) + u64::from(u16_at(&header, 28))
    };
    Ok(fixed_part(window, at)?.map(|header| at.saturating_add(len(header))))
}

/// Returns the entry that the local header at an offset describes, and the offset of its content.
pub(super) fn local_header(window: &SourceRange, at: u64) -> io::Result<Option<(ZipEntry, u64)>> {
    let Some(header) = fixed_part(window, at)? else { return Ok(None) };
    let half = |at: usize| u16_at(&header, at);
    let mut place = at + LOCAL_LEN as u64;
    let mut part = |len: u16| {
        let mut bytes = vec![0; usize::from(len)];
        let len = window.read_full_at(place, &mut bytes)?;
        bytes.truncate(len);
        place += len as u64;
        io::Result::Ok(bytes)
    };
    let (name, extra) = (part(half(26))?, part(half(28))?);
    let mut entry = ZipEntry {
        name,
        flags: half(6),
        method: half(8),
        crc: u32_at(&header, 14),
        stored: u32_at(&header, 18).into(),
        size: u32_at(&header, 22).into(),
        header: 0,
    };
    entry.read_extra(&extra);
    entry.header = at;
    Ok(Some((entry, place)))
}

/// Comparison of an entry's stored length with its local header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalLength {
    Agrees,
    /// It has another length.
    Differs(u64),
    /// The length follows the content, but not where it should be.
    Unknown,
}

/// Returns the offset of an entry's content, and compares its stored length with the local header at an offset, or with the
/// descriptor after its content; `None` if there is no local header.
pub(super) fn local_length(
    window: &SourceRange,
    at: u64,
    stored: u64,
) -> io::Result<Option<(u64, LocalLength)>> {
    let Some((local, start)) = local_header(window, at)? else { return Ok(None) };
    if local.stored == stored {
        return Ok(Some((start, LocalLength::Agrees)));
    }
    if local.flags & DESCRIPTOR == 0 || local.stored != 0 {
        return Ok(Some((start, LocalLength::Differs(local.stored))));
    }
    // The signature of a descriptor may be absent. Of 64 bits the lower ones come first.
    let mut after = [0; 12];
    let len = window.read_full_at(start.saturating_add(stored), &mut after)?;
    let length = if after.starts_with(b"PK\x07\x08") { 8 } else { 4 };
    let is_there = len >= length + 4 && u64::from(u32_at(&after, length)) == stored & 0xFFFF_FFFF;
    Ok(Some((start, if is_there { LocalLength::Agrees } else { LocalLength::Unknown })))
}

/// Returns the offset of the next local header, from one offset up to another.
pub(super) fn next_local(window: &SourceRange, from: u64, to: u64) -> io::Result<Option<u64>> {
    if from < to && fixed_part(window, from)?.is_some() {
        return Ok(Some(from));
    }
    let mut block = vec![0; 64 << 10];
    let mut at = from;
    while at < to {
        let len = window.read_full_at(at, &mut block)?;
        if let Some(found) = memchr::memmem::find(&block[..len], LOCAL) {
            let found = at + found as u64;
            return Ok((found < to).then_some(found));
        }
        if len < block.len() {
            return Ok(None);
        }
        // One may lie over the edge.
        at += (len - (LOCAL.len() - 1)) as u64;
    }
    Ok(None)
}
