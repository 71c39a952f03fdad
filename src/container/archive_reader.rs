//! Reader of an archive in order. It gathers short members until they are enough for a unit of work.

use std::io;

use super::member::Member;
use super::metadata::Metadata;
use super::start_position::StartPosition;
use super::stream_context::StreamContext;
use super::walk::ContainerWalk;
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
