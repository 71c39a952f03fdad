//! The central directory: found from the end, walked entry by entry.

use std::io;

use super::super::fault::{Fault, FaultCode};
use super::super::lookahead::{Lookahead, LookaheadReader};
use super::super::source::SourceRange;
use super::entry::LocalEntries;
use super::header::{LOCAL, ZipEntry, u16_at, u32_at, u64_at};
use super::place::EntryBase;

/// The end record may have a comment of 64 KiB after it.
const TAIL: u64 = (64 << 10) + RECORD as u64;
const SHORT_TAIL: u64 = 1 << 10;
const END: &[u8] = b"PK\x05\x06";
/// Length in bytes of an end record without its comment.
const RECORD: usize = 22;
const MOST_NAME: usize = 64 << 10;

/// Position of the central directory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directory {
    start: u64,
    end: u64,
    /// Declared number of entries.
    claimed: u64,
    pub(super) base: EntryBase,
    /// Where its first entry begins, and where the archive ends, with its comment.
    pub(super) front: u64,
    pub(super) after: u64,
    /// Where the archive before it ends: entries that are not listed are searched from there on.
    floor: u64,
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
        for at in 1..all.len() {
            all[at].floor = all[at - 1].after;
        }
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
        // Entries that are not listed would be searched in the bytes of all archives in front, once for each archive.
        self.front = self.front(front, all.is_empty())?;
        *front = front.part(0, self.front);
        all.push(self);
        Ok(())
    }

    /// Returns the offset of the first entry: stored offsets may count from the start of the zip, behind other data.
    fn front(&self, window: &SourceRange, with_unlisted: bool) -> io::Result<u64> {
        let (mut entries, mut header) = (self.entries(window), u64::MAX);
        while header > 0
            && let Some(entry) = if with_unlisted { entries.next()? } else { entries.listed()? }
        {
            header = header.min(entry.header);
        }
        Ok(self.base.front.saturating_add(header).min(self.start))
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
        let has_entries = window.read_full_at(0, &mut magic)? == 4 && magic == *LOCAL;
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
        let before_end = end.checked_sub(size);
        let front = before_end.and_then(|start| start.checked_sub(offset));
        for (start, front) in [(before_end, front.unwrap_or(0)), (Some(offset), 0)] {
            let Some(start) = start else { continue };
            let mut magic = [0; 4];
            let read = window.read_full_at(start, &mut magic)?;
            let is_there = read == 4 && &magic == b"PK\x01\x02";
            // One that begins behind its end record is not its directory.
            if start <= at && (is_there || claimed == 0 && size == 0) {
                let end = start.saturating_add(size).clamp(start, at);
                let after = after.min(window.len());
                let base = EntryBase { front, moved: 0 };
                let mut found = Directory { start, end, claimed, base, front, after, floor: 0 };
                found.compare(offset, window)?;
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Decides whether a directory that is not at its offset has something in front of its archive, or is behind bytes
    /// that were inserted or lost: then the first entry is where it says.
    fn compare(&mut self, offset: u64, window: &SourceRange) -> io::Result<()> {
        if self.start == offset || self.claimed == 0 {
            return Ok(());
        }
        let Some(first) = self.entries(window).listed()? else { return Ok(()) };
        let is_moved = self.base.front == 0
            || first.is_at(window, first.header)?
                && !first.is_at(window, self.base.front.saturating_add(first.header))?;
        if is_moved {
            let moved = i128::from(self.start) - i128::from(offset);
            let moved = i64::try_from(moved).unwrap_or_default();
            (self.base, self.front) = (EntryBase { front: 0, moved }, 0);
        }
        Ok(())
    }

    /// Reports a directory that is not where it should be.
    pub(super) fn fault(&self) -> Option<Fault> {
        let (len, where_to) = match self.base.moved {
            0 => return None,
            1.. => (self.base.moved, "later"),
            _ => (self.base.moved, "earlier"),
        };
        let len = len.unsigned_abs();
        let reason = format!("zip directory begins {len} bytes {where_to} than it should");
        Some(Fault::new(FaultCode::Length, self.start, reason))
    }

    pub(super) fn entries(&self, window: &SourceRange) -> ZipEntries<'static> {
        let part = window.part(self.start, self.end);
        ZipEntries {
            feed: LookaheadReader::reusing(Vec::new(), Box::new(part), self.start),
            directory: *self,
            window: window.clone(),
            unlisted: None,
            count: 0,
            fault: None,
        }
    }
}

/// Iterator over the entries of a central directory. If it ends too early, those that are behind its last one follow,
/// as their local headers tell.
pub(super) struct ZipEntries<'f> {
    feed: LookaheadReader<'f>,
    directory: Directory,
    window: SourceRange,
    /// Those that follow the listed ones.
    unlisted: Option<LocalEntries>,
    pub(super) count: u64,
    /// Reason why the directory ended too early.
    pub(super) fault: Option<Fault>,
}

impl ZipEntries<'_> {
    pub(super) fn next(&mut self) -> io::Result<Option<ZipEntry>> {
        if self.unlisted.is_none() {
            let at = self.feed.at();
            if let Some(entry) = self.listed()? {
                self.count += 1;
                return Ok(Some(entry));
            }
            if !self.ends_early(at) {
                return Ok(None);
            }
        }
        let from = match self.unlisted.take() {
            Some(unlisted) => unlisted,
            None => {
                let from = self.end_of_last()?.max(self.directory.floor);
                LocalEntries::new(&self.window, from, self.directory.start)
            }
        };
        let entry = self.unlisted.insert(from).next()?;
        self.count += u64::from(entry.is_some());
        let front = self.directory.base.front;
        Ok(entry.map(|entry| ZipEntry { header: entry.header.saturating_sub(front), ..entry }))
    }

    fn listed(&mut self) -> io::Result<Option<ZipEntry>> {
        let Some(&header) = self.feed.look(46)?.first_chunk::<46>() else { return Ok(None) };
        if !header.starts_with(b"PK\x01\x02") {
            return Ok(None);
        }
        let [name, extra, comment] = [28, 30, 32].map(|field| usize::from(u16_at(&header, field)));
        self.feed.consume(46);
        let held = self.feed.look(name.min(MOST_NAME))?;
        if held.len() < name {
            return Ok(None);
        }
        let name = held[..name].to_vec();
        self.feed.consume(name.len());
        let held = self.feed.look(extra)?;
        let extra = held[..extra.min(held.len())].to_vec();
        self.feed.consume(extra.len());
        self.feed.skip(comment as u64)?;
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

    /// Whether the directory has fewer entries than it should, or more. Keeps the reason.
    fn ends_early(&mut self, at: u64) -> bool {
        let claimed = self.directory.claimed;
        // Without zip64 more entries than can be counted are counted modulo 2^16.
        let is_all = self.count == claimed || self.count % 0x1_0000 == claimed;
        if !is_all && self.fault.is_none() {
            let reason = format!("zip directory has {} entries instead of {claimed}", self.count);
            self.fault = Some(Fault::new(FaultCode::Length, at, reason));
        }
        !is_all
    }

    /// Where the content of the last listed entry ends that is there.
    fn end_of_last(&self) -> io::Result<u64> {
        let Directory { base, start, .. } = self.directory;
        let (mut again, mut listed) = (self.directory.entries(&self.window), Vec::new());
        while let Some(entry) = again.listed()? {
            listed.push((entry.header, entry.stored));
        }
        listed.sort_unstable();
        for (header, stored) in listed.into_iter().rev() {
            if base.front.saturating_add(header) < start
                && let Some(end) = base.end_of(&self.window, header, stored)?
            {
                return Ok(end);
            }
        }
        Ok(base.front)
    }
}
