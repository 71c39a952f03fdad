//! The central directory: found from the end, walked entry by entry.

use std::io;

use super::super::codec::crc32;
use super::super::fault::{Fault, FaultCode};
use super::super::lookahead::{Lookahead, LookaheadReader};
use super::super::source::SourceRange;

/// The end record may have a comment of 64 KiB after it.
const TAIL: u64 = (64 << 10) + RECORD as u64;
const SHORT_TAIL: u64 = 1 << 10;
const END: &[u8] = b"PK\x05\x06";
/// Length in bytes of an end record without its comment.
const RECORD: usize = 22;
const MOST_NAME: usize = 64 << 10;

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).map_or(0, |two| u16::from_le_bytes([two[0], two[1]]))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |four| u32::from_le_bytes(*four))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |all| u64::from_le_bytes(*all))
}

/// Position of the central directory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directory {
    start: u64,
    end: u64,
    /// Declared number of entries.
    claimed: u64,
    /// How much is in front of the archive: offsets count from here.
    pub(super) base: u64,
    /// Where its first entry begins, and where the archive ends, with its comment.
    pub(super) front: u64,
    pub(super) after: u64,
}

/// Whether there is a zip at the end, whatever it begins with.
pub(in super::super) fn has_end_record(window: &SourceRange) -> bool {
    matches!(Directory::find(window), Ok(Some(directory)) if directory.claimed > 0)
}

/// Returns the last bytes of a window, and their offset.
fn tail_of(window: &SourceRange, most: u64) -> io::Result<(u64, Vec<u8>)> {
    let from = window.len().saturating_sub(most);
    let mut tail = vec![0; usize::try_from(window.len() - from).unwrap_or(0)];
    let len = window.read_full_at(from, &mut tail)?;
    tail.truncate(len);
    Ok((from, tail))
}

impl Directory {
    /// Those of a file: archives may follow each other.
    pub(super) fn all(window: &SourceRange) -> io::Result<Vec<Directory>> {
        let (mut all, mut front) = (Vec::new(), window.clone());
        while let Some(found) = Directory::find(&front)? {
            match found.claimed {
                // None of the records there has entries. To look for each from the next one on takes their square.
                0 => Directory::empty_ones(&mut front, &mut all)?,
                _ => found.put_before(&mut front, &mut all)?,
            }
        }
        all.reverse();
        Ok(all)
    }

    /// Adds the archives of a window whose tail has only records without entries, and leaves what is in front of them.
    fn empty_ones(front: &mut SourceRange, all: &mut Vec<Directory>) -> io::Result<()> {
        let (from, tail) = tail_of(front, TAIL)?;
        for at in memchr::memmem::rfind_iter(&tail, END) {
            let place = from + at as u64;
            let len = usize::try_from(front.len().saturating_sub(place)).unwrap_or(usize::MAX);
            let record = &tail[at..tail.len().min(at.saturating_add(len))];
            if record.len() >= RECORD
                && let Some(found) = Directory::at(front, place, record)?
            {
                found.put_before(front, all)?;
            }
        }
        Ok(())
    }

    fn put_before(mut self, front: &mut SourceRange, all: &mut Vec<Directory>) -> io::Result<()> {
        self.front = self.front(front)?;
        *front = front.part(0, self.front);
        all.push(self);
        Ok(())
    }

    /// Returns the offset of the first entry: stored offsets may count from the start of the zip, behind other data.
    fn front(&self, window: &SourceRange) -> io::Result<u64> {
        let (mut entries, mut header) = (self.entries(window), u64::MAX);
        while header > 0
            && let Some(entry) = entries.next()?
        {
            header = header.min(entry.header);
        }
        Ok(self.base.saturating_add(header).min(self.start))
    }

    /// Where bytes begin that belong to no archive, before the next one or the end; zeros may be there.
    pub(super) fn garbage(&self, window: &SourceRange, before: u64) -> io::Result<Option<u64>> {
        // An end record is looked for in as many bytes.
        let mut rest = vec![0; usize::try_from(before.saturating_sub(self.after)).unwrap_or(0)];
        let len = window.read_full_at(self.after, &mut rest)?;
        let start = rest[..len].iter().position(|byte| *byte != 0);
        Ok(start.map(|start| self.after + start as u64))
    }

    /// Looks for the end record from the end on; a comment may hold what looks like one, but no
    /// directory is where that one says. One of an empty archive says of no place at all: it counts only if there is
    /// no other, and nothing that begins as an archive with entries does.
    fn find(window: &SourceRange) -> io::Result<Option<Directory>> {
        // As a rule nothing is behind it, and of archives that follow each other each is looked for.
        match Directory::find_in(window, SHORT_TAIL)? {
            Some(found) if found.claimed > 0 || window.len() <= SHORT_TAIL => Ok(Some(found)),
            _ => Directory::find_in(window, TAIL),
        }
    }

    fn find_in(window: &SourceRange, tail: u64) -> io::Result<Option<Directory>> {
        let (from, tail) = tail_of(window, tail)?;
        let mut empty = None;
        for at in memchr::memmem::rfind_iter(&tail, END) {
            let record = &tail[at..];
            if record.len() < RECORD {
                continue;
            }
            match Directory::at(window, from + at as u64, record)? {
                Some(found) if found.claimed == 0 => empty = empty.or(Some(found)),
                Some(found) => return Ok(Some(found)),
                None => {}
            }
        }
        let mut magic = [0; 4];
        let has_entries = window.read_full_at(0, &mut magic)? == 4 && &magic == b"PK\x03\x04";
        Ok(empty.filter(|_| !has_entries))
    }

    fn at(window: &SourceRange, at: u64, record: &[u8]) -> io::Result<Option<Directory>> {
        let after = at + 22 + u64::from(u16_at(record, 20));
        let mut claimed = u64::from(u16_at(record, 10));
        let mut size = u64::from(u32_at(record, 12));
        let mut offset = u64::from(u32_at(record, 16));
        let mut end = at;
        let is_64 = claimed == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF;
        let mut locator = [0; 20];
        let has_locator = is_64
            && at >= 20
            && window.read_full_at(at - 20, &mut locator)? == 20
            && locator.starts_with(b"PK\x06\x07");
        if has_locator {
            let mut record = [0; 56];
            // With something in front the record is where the locator ends, as a rule.
            for place in [u64_at(&locator, 8), at.saturating_sub(76)] {
                let read = window.read_full_at(place, &mut record)?;
                if read == 56 && record.starts_with(b"PK\x06\x06") {
                    claimed = u64_at(&record, 32);
                    (size, offset) = (u64_at(&record, 40), u64_at(&record, 48));
                    end = place;
                    break;
                }
            }
        }
        // The directory ends where the end record begins, but for what somebody put between.
        for base in [end.checked_sub(size).and_then(|start| start.checked_sub(offset)), Some(0)] {
            let Some(start) = base.and_then(|base| base.checked_add(offset)) else { continue };
            let mut magic = [0; 4];
            let read = window.read_full_at(start, &mut magic)?;
            let is_there = read == 4 && &magic == b"PK\x01\x02";
            // One that begins behind its end record is not its directory.
            if start <= at && (is_there || claimed == 0 && size == 0) {
                let base = base.unwrap_or(0);
                let end = start.saturating_add(size).clamp(start, at);
                let after = after.min(window.len());
                let front = base;
                return Ok(Some(Directory { start, end, claimed, base, front, after }));
            }
        }
        Ok(None)
    }

    pub(super) fn entries(&self, window: &SourceRange) -> ZipEntries<'static> {
        let part = window.part(self.start, self.end);
        ZipEntries {
            feed: LookaheadReader::reusing(Vec::new(), Box::new(part), self.start),
            claimed: self.claimed,
            count: 0,
            fault: None,
        }
    }
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

/// Iterator over the entries of a central directory.
pub(super) struct ZipEntries<'f> {
    feed: LookaheadReader<'f>,
    claimed: u64,
    pub(super) count: u64,
    /// Reason why the directory ended too early.
    pub(super) fault: Option<Fault>,
}

impl ZipEntries<'_> {
    pub(super) fn next(&mut self) -> io::Result<Option<ZipEntry>> {
        let at = self.feed.at();
        let Some(&header) = self.feed.look(46)?.first_chunk::<46>() else {
            return Ok(self.end(at));
        };
        if !header.starts_with(b"PK\x01\x02") {
            return Ok(self.end(at));
        }
        let [name, extra, comment] = [28, 30, 32].map(|field| usize::from(u16_at(&header, field)));
        self.feed.consume(46);
        let held = self.feed.look(name.min(MOST_NAME))?;
        if held.len() < name {
            return Ok(self.end(at));
        }
        let name = held[..name].to_vec();
        self.feed.consume(name.len());
        let held = self.feed.look(extra)?;
        let extra = held[..extra.min(held.len())].to_vec();
        self.feed.consume(extra.len());
        self.feed.skip(comment as u64)?;
        self.count += 1;
        let mut entry = ZipEntry {
            name,
            flags: u16_at(&header, 8),
            method: u16_at(&header, 10),
            crc: u32_at(&header, 16),
            stored: u32_at(&header, 20).into(),
            size: u32_at(&header, 24).into(),
            header: u32_at(&header, 42).into(),
        };
        entry.read_extra(&extra);
        Ok(Some(entry))
    }

    fn end(&mut self, at: u64) -> Option<ZipEntry> {
        // Without zip64 more entries than can be counted are counted modulo 2^16.
        let is_all = self.count == self.claimed || self.count % 0x1_0000 == self.claimed;
        if !is_all && self.fault.is_none() {
            let reason =
                format!("zip directory has {} entries instead of {}", self.count, self.claimed);
            self.fault = Some(Fault::new(FaultCode::Length, at, reason));
        }
        None
    }
}

impl ZipEntry {
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
