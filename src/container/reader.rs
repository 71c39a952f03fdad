//! Archives that are read in order: their short members are gathered until they are enough for a unit.

use std::io;

use super::begin::Begin;
use super::member::Member;
use super::metadata::Metadata;
use super::stream_context::{StreamContext, Where};
use super::walk::Walk;
use super::warc::Held;
use super::work_unit::{SIZE, Visitor, WorkUnit};

/// So many members at most.
const MOST_PIECES: usize = 1 << 12;

/// One member that is held.
pub(super) enum Piece {
    /// A file, with what its archive says of its length.
    File { member: Member, name: Vec<u8>, bytes: Vec<u8> },
    /// The block of a record.
    Block(Held),
}

/// Reads an archive from member to member. Short members become a unit when there are enough of them.
pub(super) struct Reader<'r, 'w> {
    pub(super) walk: &'r mut Walk<'w>,
    pub(super) visitor: &'r mut dyn Visitor,
    /// The archive.
    pub(super) context: &'r StreamContext<'r>,
    pieces: Vec<Piece>,
    size: u64,
    /// In the outermost archive: where it could be gone on with last.
    resumable: Option<u64>,
    /// Up to here a stream of records was read ahead for a block that was too long.
    pub(super) held_to: u64,
}

impl<'r, 'w> Reader<'r, 'w> {
    pub(super) fn new(
        walk: &'r mut Walk<'w>,
        visitor: &'r mut dyn Visitor,
        context: &'r StreamContext<'r>,
        begin: Option<Begin>,
    ) -> Reader<'r, 'w> {
        let resumable = begin.map(|begin| begin.at).filter(|_| !context.is_live);
        Reader { walk, visitor, context, pieces: Vec::new(), size: 0, resumable, held_to: 0 }
    }

    /// Who has gone through all before this place can go on here: what comes depends on nothing before it.
    pub(super) fn resumable(&mut self, at: u64) {
        let is_far = self.resumable.is_some_and(|last| at >= last.saturating_add(SIZE));
        if is_far && self.pieces.is_empty() {
            self.resumable = Some(at);
            self.visitor.unit(WorkUnit::free(0, |_, _| {}).until(self.resumable), self.walk);
        }
    }

    pub(super) fn push(&mut self, piece: Piece, size: usize) {
        self.pieces.push(piece);
        self.size += size as u64;
        // What comes next may have to be waited for: then each is a unit of its own.
        if self.size >= SIZE || self.pieces.len() >= MOST_PIECES || self.context.is_live {
            self.flush();
        }
    }

    /// Tells of what failed after all that is here.
    pub(super) fn failed(&mut self, member: &Member, error: io::Error) {
        self.flush();
        self.visitor.failed(member, error);
    }

    /// Hands on what is here: before anything else that comes after it.
    pub(super) fn flush(&mut self) {
        let pieces = std::mem::take(&mut self.pieces);
        let size = std::mem::take(&mut self.size);
        if pieces.is_empty() {
            return;
        }
        let StreamContext { member, depth, metadata, .. } = self.context;
        let (outer, depth, metadata) = (Member::clone(member), *depth, Metadata::clone(metadata));
        let unit = WorkUnit::free(size, move |walk, visitor| {
            for piece in &pieces {
                if visitor.is_stopped() {
                    return;
                }
                match piece {
                    Piece::File { member, name, bytes } => {
                        let inner = StreamContext {
                            member,
                            name,
                            from: Where::Stream(Some(bytes.len() as u64)),
                            depth: depth + 1,
                            is_live: false,
                            metadata: &metadata,
                            offsets: None,
                        };
                        walk.stream(Box::new(&bytes[..]), &inner, visitor);
                    }
                    Piece::Block(held) => {
                        let context = StreamContext {
                            member: &outer,
                            name: b"",
                            from: Where::Stream(None),
                            depth,
                            is_live: false,
                            metadata: &metadata,
                            offsets: None,
                        };
                        walk.held_block(held, &context, visitor);
                    }
                }
            }
        });
        self.visitor.unit(unit, self.walk);
    }
}

/// A failure that was met before, in the place where it was.
pub(super) struct Failing(pub(super) Option<io::Error>);

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
