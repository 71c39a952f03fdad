//! One entry: its local header, its codec, and the check of its length and checksum.

use std::io::{self, Read};

use super::super::codec::{Codec, Sum};
use super::super::fault::{Fault, FaultCode, LateFault};
use super::super::lookahead::LookaheadReader;
use super::super::member::Member;
use super::super::source::SourceRange;
use super::super::stream_context::{StreamContext, Where};
use super::super::walk::ContainerWalk;
use super::super::work_unit::Visitor;
use super::header::{DESCRIPTOR, ZipEntry, content_of, local_header, next_local, u32_at, u64_at};

const ENCRYPTED: u16 = 1;

/// An entry, and the archive that it is in.
pub(super) struct Located<'l> {
    pub(super) window: &'l SourceRange,
    /// Offset of its header.
    pub(super) at: u64,
    pub(super) entry: &'l ZipEntry,
    pub(super) member: &'l Member,
}

/// The stored content of an entry.
pub(super) struct EntryContent {
    pub(super) codec: Option<Codec>,
    pub(super) start: u64,
    pub(super) stored: SourceRange,
}

impl Located<'_> {
    /// Returns the content; an error if it is encrypted or compressed by an unknown method, or not there.
    pub(super) fn content(&self) -> io::Result<EntryContent> {
        let Located { window, at, entry, .. } = *self;
        let fault = |code, reason: &str| io::Error::from(Fault::new(code, at, reason));
        if entry.flags & ENCRYPTED != 0 {
            return Err(fault(FaultCode::Encrypted, "zip entry is encrypted"));
        }
        let codec = match entry.method {
            0 => None,
            8 => Some(Codec::Deflate),
            9 => Some(Codec::Deflate64),
            12 => Some(Codec::Bzip2),
            93 => Some(Codec::Zstd),
            95 => Some(Codec::Xz),
            method => {
                let reason = format!("zip entry is compressed by method {method}");
                return Err(fault(FaultCode::Method, &reason));
            }
        };
        let Some(start) = content_of(window, at)? else {
            return Err(fault(FaultCode::Corrupt, "not a zip entry"));
        };
        let stored = window.part(start, start.saturating_add(entry.stored));
        Ok(EntryContent { codec, start, stored })
    }
}

impl ContainerWalk<'_> {
    /// Scans an entry.
    pub(super) fn zip_entry(
        &mut self,
        located: &Located<'_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) {
        if located.entry.is_directory() {
            return;
        }
        if let Err(error) = self.try_entry(located, context, visitor) {
            visitor.failed(located.member, error);
        }
    }

    fn try_entry(
        &mut self,
        located: &Located<'_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let Located { at, entry, member, .. } = *located;
        let fault = |code, reason: &str| io::Error::from(Fault::new(code, at, reason));
        let EntryContent { codec, start, stored } = located.content()?;
        let is_cut = stored.len() < entry.stored;
        // The bytes of a plainly stored entry can be read at any offset, if all are there.
        let is_plain = codec.is_none() && !is_cut && entry.stored == entry.size;
        let from = match is_plain {
            true => Where::Window(stored.clone()),
            false => Where::Stream(Some(entry.stored)),
        };
        let inner = StreamContext {
            member,
            name: &entry.name,
            from,
            depth: context.depth + 1,
            is_live: false,
            metadata: context.metadata,
            offsets: None,
            cut: None,
        };
        let (left, at) = (entry.size, start);
        let sum = Sum::new(entry.crc);
        let late = LateFault::default();
        match codec {
            None => {
                let reader = Box::new(stored);
                let checked = ChecksumReader { reader, left, sum, at, late: late.clone() };
                self.stream(Box::new(checked), &inner, visitor);
            }
            Some(codec) => {
                let held = self.spare.pop().unwrap_or_default();
                let mut feed = LookaheadReader::reusing(held, Box::new(stored), start);
                let reader = self.metered(codec, &mut feed, Some(entry.stored), &late)?;
                let checked = ChecksumReader { reader, left, sum, at, late: late.clone() };
                self.stream(Box::new(checked), &inner, visitor);
                self.spare.push(feed.into_memory());
            }
        }
        // Of a size that stands for "unknown" nothing was told while it was read.
        match late.take() {
            Some(error) => Err(error),
            None if is_cut && entry.size >= u64::MAX / 2 => {
                Err(fault(FaultCode::Truncated, "zip entry truncated"))
            }
            None => Ok(()),
        }
    }
}

/// Iterator over the entries that local headers tell of, in a range of an archive.
///
/// Behind an entry the next header is searched: a descriptor may be of any form, and damage be between.
#[derive(Clone)]
pub(super) struct LocalEntries {
    window: SourceRange,
    /// Where the last entry ended.
    pub(super) at: u64,
    to: u64,
}

impl LocalEntries {
    pub(super) fn new(window: &SourceRange, at: u64, to: u64) -> LocalEntries {
        LocalEntries { window: window.clone(), at, to }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<ZipEntry>> {
        let Some(at) = next_local(&self.window, self.at, self.to)? else { return Ok(None) };
        let found = local(&self.window, at)?;
        Ok(found.map(|(entry, end)| {
            self.at = end;
            entry
        }))
    }
}

/// An entry as its local header tells, and where the next one may begin.
fn local(window: &SourceRange, at: u64) -> io::Result<Option<(ZipEntry, u64)>> {
    let Some((mut entry, start)) = local_header(window, at)? else { return Ok(None) };
    let mut end = start.saturating_add(entry.stored);
    if entry.flags & DESCRIPTOR != 0 {
        // Without one the content goes on to the end.
        let at = window.len();
        let none = Descriptor { at, crc: entry.crc, size: u64::MAX, after: at };
        let found = descriptor(window, start)?.unwrap_or(none);
        entry.stored = found.at.saturating_sub(start);
        (entry.crc, entry.size, end) = (found.crc, found.size, found.after);
    }
    Ok(Some((entry, end)))
}

/// What follows the content of an entry whose local header has no lengths.
struct Descriptor {
    at: u64,
    crc: u32,
    size: u64,
    after: u64,
}

/// Looks for the descriptor of content: it says how long the content is, and only the right one says it rightly.
/// Its lengths have 32 bits, or 64 in zip64.
fn descriptor(window: &SourceRange, start: u64) -> io::Result<Option<Descriptor>> {
    let mut block = vec![0; 64 << 10];
    let mut at = start;
    loop {
        let len = window.read_full_at(at, &mut block)?;
        let is_last = len < block.len();
        for found in memchr::memmem::find_iter(&block[..len], b"PK\x07\x08") {
            let record = &block[found..len];
            let place = at + found as u64;
            let is_whole = record.len() >= 24 || is_last && record.len() >= 16;
            if is_whole && u64::from(u32_at(record, 8)) == (place - start) & 0xFFFF_FFFF {
                // With 64 bits these are the upper ones of the first length, and not all of what follows.
                let is_64 = record.len() >= 24
                    && u64::from(u32_at(record, 12)) == (place - start) >> 32
                    && !record[16..].starts_with(b"PK");
                let (size, len) = match is_64 {
                    true => (u64_at(record, 16), 24),
                    false => (u32_at(record, 12).into(), 16),
                };
                let crc = u32_at(record, 4);
                return Ok(Some(Descriptor { at: place, crc, size, after: place + len }));
            }
        }
        if is_last {
            return Ok(None);
        }
        // A record may lie over the edge.
        at += len as u64 - 23;
    }
}

/// Reader of an entry's content that compares its length and checksum with the directory.
struct ChecksumReader<'c> {
    reader: Box<dyn Read + 'c>,
    left: u64,
    sum: Sum,
    at: u64,
    late: LateFault,
}

impl ChecksumReader<'_> {
    fn fault(&self, code: FaultCode, reason: &str) -> io::Result<usize> {
        self.late.keep(Err(Fault::new(code, self.at, reason).into()))
    }
}

impl Read for ChecksumReader<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.late.is_set() {
            return Ok(0);
        }
        let read = self.reader.read(to)?;
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        if read > most {
            // Cut content that is longer than declared.
            let reason = "zip entry is longer than the directory says";
            return self.fault(FaultCode::Length, reason).map(|_| most);
        }
        self.left -= read as u64;
        self.sum.update(&to[..read]);
        // Without a directory the length is unknown.
        if read == 0 && !to.is_empty() && self.left < u64::MAX / 2 {
            if self.left > 0 {
                return self.fault(FaultCode::Truncated, "zip entry truncated");
            }
            if !self.sum.fits() {
                return self.fault(FaultCode::Checksum, "zip entry checksum mismatch");
            }
        }
        Ok(read)
    }
}
