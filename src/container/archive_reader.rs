//! Reader of an archive in order. It gathers short members until they are enough for a unit of work.
//!
//! A file of an archive that is read in order: what archives without a directory have in common.
//!
//! The format reads its header and calls [`ArchiveReader::file`] with the feed at the content; after it the feed is
//! at the
//! content's end, wherever its reader stopped.

use std::io::{self, Read};

use super::fault::{Fault, FaultCode};
use super::lookahead::{Left, Lookahead, LookaheadReader};
use super::member::{self, Member};
use super::metadata::Metadata;
use super::stream_context::StreamContext;
use super::walk::{ContainerWalk, StartPosition};
use super::warc::BufferedRecord;
use super::work_unit::{SIZE, UnitBuilder, Visitor, WorkUnit};

/// A short member that waits until there are enough for a unit.
pub(super) enum QueuedMember {
    /// A file, with what its archive says of its length.
    File { member: Member, name: Vec<u8>, bytes: Vec<u8> },
    /// The block of a record.
    Block(BufferedRecord),
}

/// Most members of a unit.
const MOST_PIECES: usize = 1 << 12;

/// Reads an archive from member to member.
pub(super) struct ArchiveReader<'r, 'w> {
    pub(super) walk: &'r mut ContainerWalk<'w>,
    pub(super) visitor: &'r mut dyn Visitor,
    /// The archive.
    pub(super) context: &'r StreamContext<'r>,
    pieces: UnitBuilder<QueuedMember>,
    /// In the outermost archive: the last resume point.
    resumable: Option<u64>,
    /// End of the records that were read ahead for a block that was too long.
    pub(super) held_to: u64,
}

impl<'r, 'w> ArchiveReader<'r, 'w> {
    pub(super) fn new(
        walk: &'r mut ContainerWalk<'w>,
        visitor: &'r mut dyn Visitor,
        context: &'r StreamContext<'r>,
        begin: Option<StartPosition>,
    ) -> ArchiveReader<'r, 'w> {
        let resumable = begin.map(|begin| begin.at).filter(|_| !context.is_live);
        let pieces = UnitBuilder::new(MOST_PIECES);
        ArchiveReader { walk, visitor, context, pieces, resumable, held_to: 0 }
    }

    /// Records a resume point: what follows `at` does not depend on earlier bytes.
    pub(super) fn resumable(&mut self, at: u64) {
        let is_far = self.resumable.is_some_and(|last| at >= last.saturating_add(SIZE));
        if is_far && self.pieces.len() == 0 {
            self.resumable = Some(at);
            self.visitor.unit(WorkUnit::free(0, |_, _| {}).until(self.resumable), self.walk);
        }
    }

    pub(super) fn push(&mut self, piece: QueuedMember, size: usize) {
        let is_enough = self.pieces.push(piece, size as u64);
        // Live input may block before the next member, so each is a unit of its own.
        if is_enough || self.context.is_live {
            self.flush();
        }
    }

    /// Reports a failure, after the members that are queued.
    pub(super) fn failed(&mut self, member: &Member, error: io::Error) {
        self.flush();
        self.visitor.failed(member, error);
    }

    /// Passes on the queued members as one unit.
    pub(super) fn flush(&mut self) {
        if self.pieces.len() == 0 {
            return;
        }
        let StreamContext { member, depth, metadata, .. } = self.context;
        let (member, depth, metadata) = (Member::clone(member), *depth, Metadata::clone(metadata));
        let unit = self.pieces.build(move |piece, walk, visitor| {
            let outer = StreamContext::of_archive(&member, depth, &metadata);
            match piece {
                QueuedMember::File { member, name, bytes } => {
                    let inner = outer.inner(member, name, bytes.len() as u64);
                    walk.stream(Box::new(&bytes[..]), &inner, visitor);
                }
                QueuedMember::Block(held) => walk.held_block(held, &outer, visitor),
            }
        });
        self.visitor.unit(unit, self.walk);
    }
}

/// Reader that fails with an error which occurred earlier, and then ends.
pub(super) struct FailedReader(pub(super) Option<io::Error>);

impl io::Read for FailedReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Header of a file in an archive.
pub(super) struct File {
    pub(super) name: Vec<u8>,
    /// Length of its content, which is stored verbatim.
    pub(super) size: u64,
    /// Text of the fault if the archive ends in it.
    pub(super) short: &'static str,
}

/// End of the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileEnd {
    /// The archive continues after it.
    Whole,
    /// The archive ended in it, which has been reported.
    Cut,
}

impl ArchiveReader<'_, '_> {
    /// Hands on a file: a short one with others, as a part that another thread may take, a long one as it is read.
    pub(super) fn file(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        file: File,
    ) -> io::Result<FileEnd> {
        let File { name, size, short } = file;
        let context = self.context;
        let member = member::name_of_inner(context.member, &name, None);
        let mut left = Left::of(feed, size, short);
        let mut held = Vec::new();
        let mut failure = None;
        if size <= SIZE && !context.is_live {
            match left.read_to_end(&mut held) {
                Ok(_) => {
                    let size = held.len() + name.len();
                    self.push(QueuedMember::File { member, name, bytes: held }, size);
                    return Ok(FileEnd::Whole);
                }
                Err(error) => failure = Some(error),
            }
        }
        self.flush();
        let is_cut = failure.is_some();
        let reader = io::Cursor::new(held).chain(FailedReader(failure)).chain(&mut left);
        let inner = context.inner(&member, &name, size);
        self.walk.stream(Box::new(reader), &inner, self.visitor);
        if is_cut {
            return Ok(FileEnd::Cut);
        }
        pass(left, &member, self.visitor)
    }
}

/// Passes over what nobody has read of a member's content, which may be cut there.
pub(super) fn pass(
    left: Left<'_, '_>,
    member: &Member,
    visitor: &mut dyn Visitor,
) -> io::Result<FileEnd> {
    let Left { feed, left: rest, short, is_short } = left;
    // A reader that reached the end has already seen the error.
    if is_short {
        return Ok(FileEnd::Cut);
    }
    if !feed.skip(rest)? {
        visitor.failed(member, Fault::new(FaultCode::Truncated, feed.at(), short).into());
        return Ok(FileEnd::Cut);
    }
    Ok(FileEnd::Whole)
}
