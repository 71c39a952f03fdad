//! zip (APPNOTE): the central directory rules; entries are known by the offset of their header.
//!
//! The archive is read at any offset. A stream is first kept, in memory or in a file without a
//! name. Without a directory the local headers are walked. Archives may follow each other.

mod claims;
mod directory;
mod entry;
mod header;
mod package;
mod place;
mod spool;

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io;

use claims::{Dispute, disputes};
use directory::Directory;
pub(super) use directory::has_end_record;
use entry::{LocalEntries, Located};
use header::{ZipEntry, content_of};
use package::{PackageParts, RelatedParts};
use place::EntryBase;
pub(super) use spool::{Spool, SpoolEnd, keep};

use super::fault::{Fault, FaultCode};
use super::lookahead::{Lookahead, LookaheadReader};
use super::member::{self, Coding, Member};
use super::metadata::Metadata;
use super::source::SourceRange;
use super::stream_context::{StreamContext, Where};
use super::walk::{ContainerWalk, StartPosition};
use super::work_unit::{UnitBuilder, Visitor};
use crate::notice::Notice;

/// Bytes of names that are not UTF-8 from which their encoding is detected.
const SAMPLE: usize = 64 << 10;

impl ContainerWalk<'_> {
    pub(super) fn zip(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let begin = self.take_begin();
        let (window, cut) = match context.from.window() {
            Some(window) => (window, None),
            None => match keep(feed, self.limits.of_input(0)) {
                Spool { end: SpoolEnd::NoRoom(error), .. } => return Err(error),
                Spool { window, end, .. } => (window, end.error()),
            },
        };
        let archives = Directory::all(&window)?;
        match archives.is_empty() {
            true => self.by_headers(&window, context, visitor)?,
            false => self.by_directories(&window, &archives, context, begin, visitor)?,
        }
        cut.map_or(Ok(()), Err)
    }

    /// Reads consecutive archives.
    fn by_directories(
        &mut self,
        window: &SourceRange,
        archives: &[Directory],
        context: &StreamContext<'_>,
        begin: Option<StartPosition>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        self.restore_budget(begin);
        let mut progress = DirectoryProgress {
            keys: RandomState::new(),
            names: HashSet::new(),
            passed: begin.map_or(0, |begin| begin.at),
            resumable: begin.map(|begin| begin.at),
        };
        if let Some(first) = archives.first().filter(|_| progress.passed == 0) {
            self.front(window, first, context, visitor)?;
        }
        for (number, directory) in archives.iter().enumerate() {
            let fault = self.by_directory(window, directory, context, &mut progress, visitor)?;
            let before = archives.get(number + 1).map_or(window.len(), |next| next.front);
            let garbage = directory.garbage(window, before)?;
            // What is reported behind the place where it is resumed was not told before.
            if progress.passed > 0 || visitor.is_stopped() {
                continue;
            }
            let reason = "trailing garbage after the zip";
            let garbage = garbage.map(|at| Fault::new(FaultCode::TrailingGarbage, at, reason));
            for fault in fault.into_iter().chain(garbage) {
                visitor.failed(context.member, fault.into());
            }
        }
        Ok(())
    }

    /// Reads the bytes in front of the first archive: an archive that has lost its end, or a script, which is a
    /// document. A program is not read.
    fn front(
        &mut self,
        window: &SourceRange,
        first: &Directory,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let front = window.part(0, first.base.front);
        if content_of(&front, 0)?.is_some() {
            if let Err(error) = self.by_headers(&front, context, visitor) {
                visitor.failed(context.member, error);
            }
            return Ok(());
        }
        let script = window.part(0, first.front);
        let mut feed = LookaheadReader::reusing(Vec::new(), Box::new(script.clone()), 0);
        if !feed.look(2)?.starts_with(b"#!") {
            return Ok(());
        }
        let inner = StreamContext {
            member: context.member,
            name: context.name,
            from: Where::Window(script),
            depth: context.depth,
            is_live: false,
            metadata: context.metadata,
            offsets: None,
            cut: None,
        };
        let found = self.detect(&mut feed, &inner)?;
        match found.archive {
            None => self.leaf(&mut feed, &inner, found, visitor),
            Some(_) => Ok(()),
        }
    }

    fn by_directory(
        &mut self,
        window: &SourceRange,
        directory: &Directory,
        context: &StreamContext<'_>,
        progress: &mut DirectoryProgress,
        visitor: &mut dyn Visitor,
    ) -> io::Result<Option<Fault>> {
        let (mut ranges, mut sample) = (Vec::new(), Vec::new());
        let mut parts = PackageParts::default();
        let mut entries = directory.entries(window);
        while let Some(entry) = entries.next()? {
            ranges.push((entry.header, entry.stored));
            parts.note(&entry.name);
            if sample.len() < SAMPLE && std::str::from_utf8(&entry.name).is_err() {
                sample.extend_from_slice(&entry.name);
                sample.push(b'\n');
            }
        }
        let (count, fault) = (entries.count, entries.fault.take().or_else(|| directory.fault()));
        let coding = (!sample.is_empty()).then(|| Coding::of(&sample));
        let disputes = disputes(window, directory.base, ranges)?;
        parts.find(directory, window)?;

        let mut headers = HashSet::new();
        let mut run = EntryBatch::new(window, directory, context, count);
        run.resumable = progress.resumable;
        let mut entries = directory.entries(window);
        while let Some(mut entry) = entries.next()? {
            if visitor.is_stopped() {
                return Ok(None);
            }
            let dispute = disputes.get(&entry.header).copied();
            if let Some(Dispute::AtMost(most)) = dispute {
                entry.stored = entry.stored.min(most);
            }
            let member = member::name_of_inner(context.member, &entry.name, coding);
            let (before, is) = (headers.len() as u64, EntryStatus::Whole);
            let mut found = QueuedEntry { entry, member, parts: None, before, is };
            if !headers.insert(found.entry.header) {
                found.is = EntryStatus::Listed;
            } else {
                let is_new = progress.names.insert(progress.keys.hash_one(&found.entry.name));
                found.is = match (dispute == Some(Dispute::Inside), is_new) {
                    (true, _) => EntryStatus::Overlapping { is_new },
                    (false, true) => EntryStatus::Whole,
                    (false, false) => EntryStatus::Namesake,
                };
            }
            if found.is == EntryStatus::Whole {
                found.parts = parts.take(&found.entry.name);
            }
            // The entries that were processed before the resumed place are skipped.
            match progress.passed.checked_sub(1) {
                Some(left) => progress.passed = left,
                None => run.push(found, self, visitor),
            }
        }
        run.flush(self, visitor);
        progress.resumable = run.resumable;
        Ok(fault)
    }

    /// Without a directory: what can be found from header to header.
    fn by_headers(
        &mut self,
        window: &SourceRange,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let mut entries = LocalEntries::new(window, 0, window.len());
        while let Some(entry) = entries.next()? {
            if visitor.is_stopped() {
                return Ok(());
            }
            let member = member::name_of_inner(context.member, &entry.name, None);
            let located = Located { window, at: entry.header, entry: &entry, member: &member };
            self.zip_entry(&located, context, visitor);
        }
        // The last header may say more than there is.
        let at = entries.at.min(window.len());
        let fault = Fault::new(FaultCode::NoDirectory, at, "zip without a central directory");
        Err(fault.into())
    }
}

/// Names of entries so far, and the number of entries that are done: in an earlier run, and for the resume point.
struct DirectoryProgress {
    keys: RandomState,
    names: HashSet<u64>,
    passed: u64,
    resumable: Option<u64>,
}

/// An entry of the directory that waits to be read.
struct QueuedEntry {
    entry: ZipEntry,
    member: Member,
    /// The parts with the texts of its links, if it has relationships.
    parts: Option<RelatedParts>,
    /// Number of entries before it.
    before: u64,
    is: EntryStatus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryStatus {
    Whole,
    /// An earlier entry has its name.
    Namesake,
    /// An earlier record lists the same entry.
    Listed,
    /// An entry in the range of another one.
    Overlapping {
        is_new: bool,
    },
}

/// Consecutive entries, gathered until they are enough for a unit of work.
struct EntryBatch {
    entries: UnitBuilder<QueuedEntry>,
    inside: ZipContext,
    /// In the outermost archive: number of entries of the directory before the next ones.
    resumable: Option<u64>,
}

/// The archive that entries are in.
#[derive(Clone)]
struct ZipContext {
    window: SourceRange,
    base: EntryBase,
    member: Member,
    depth: u32,
    metadata: Metadata,
    /// How many entries the directory has.
    count: u64,
}

/// Most entries in a batch.
const MOST_FOUND: usize = 1 << 10;

impl EntryBatch {
    fn new(
        window: &SourceRange,
        directory: &Directory,
        context: &StreamContext<'_>,
        count: u64,
    ) -> EntryBatch {
        let inside = ZipContext {
            window: window.clone(),
            base: directory.base,
            member: context.member.clone(),
            depth: context.depth,
            metadata: context.metadata.clone(),
            count,
        };
        EntryBatch { entries: UnitBuilder::new(MOST_FOUND), inside, resumable: None }
    }

    fn push(
        &mut self,
        found: QueuedEntry,
        walk: &mut ContainerWalk<'_>,
        visitor: &mut dyn Visitor,
    ) {
        let size = found.entry.stored.max(found.entry.size);
        if self.entries.push(found, size) {
            self.flush(walk, visitor);
        }
    }

    fn flush(&mut self, walk: &mut ContainerWalk<'_>, visitor: &mut dyn Visitor) {
        if self.entries.len() == 0 {
            return;
        }
        let count = self.entries.len() as u64;
        self.resumable = self.resumable.map(|before| before + count);
        let inside = self.inside.clone();
        let unit =
            self.entries.build(move |found, walk, visitor| walk.found(found, &inside, visitor));
        visitor.unit(unit.until(self.resumable), walk);
    }
}

impl ContainerWalk<'_> {
    fn found(&mut self, found: &QueuedEntry, inside: &ZipContext, visitor: &mut dyn Visitor) {
        let QueuedEntry { entry, member, .. } = found;
        let is_duplicate = match found.is {
            EntryStatus::Whole => false,
            EntryStatus::Namesake | EntryStatus::Listed => true,
            EntryStatus::Overlapping { is_new } => !is_new,
        };
        if is_duplicate {
            visitor.noticed(member, Notice::Duplicate);
        }
        match found.is {
            EntryStatus::Listed => return,
            EntryStatus::Overlapping { .. } => {
                let at = inside.base.front.saturating_add(entry.header);
                let reason = "zip entry overlaps another one";
                return visitor.failed(member, Fault::new(FaultCode::Overlap, at, reason).into());
            }
            EntryStatus::Whole | EntryStatus::Namesake => {}
        }
        let at = match inside.base.place(&inside.window, entry) {
            Ok(at) => at,
            Err(error) => return visitor.failed(member, error),
        };
        if self.budget.left() == 0 {
            if self.budget.is_to_be_told() {
                let left = inside.count.saturating_sub(found.before);
                let reason =
                    format!("the input expands to too many bytes, {left} entries are skipped");
                let fault = Fault::new(FaultCode::Expansion, at, reason);
                visitor.failed(&inside.member, fault.into());
            }
            return;
        }
        let located = Located { window: &inside.window, at, entry, member };
        let texts = found.parts.as_ref().and_then(|parts| self.texts(parts, &located, inside.base));
        let metadata = match texts {
            Some(texts) => &inside.metadata.with_texts(texts),
            None => &inside.metadata,
        };
        let context = StreamContext::of_archive(&inside.member, inside.depth, metadata);
        self.zip_entry(&located, &context, visitor);
    }
}

/// Declared type of an entry.
impl ZipEntry {
    pub(super) fn is_directory(&self) -> bool {
        self.name.ends_with(b"/") && self.size == 0
    }
}
