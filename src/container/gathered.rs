//! Short members of an archive, gathered until they are enough for a part.

use std::io;

use super::begin::Begin;
use super::member::Member;
use super::part::{Part, SIZE, Visitor};
use super::place::{Place, Where};
use super::said::Said;
use super::walk::Walk;
use super::warc::Held;

/// So many members at most.
const MOST_PIECES: usize = 1 << 12;

/// One member that is held.
pub(super) enum Piece {
    /// A file, with what its archive says of its length.
    File { member: Member, name: Vec<u8>, bytes: Vec<u8> },
    /// The block of a record.
    Block(Held),
}

/// Members that become a part when there are enough of them.
pub(super) struct Gathered {
    pieces: Vec<Piece>,
    size: u64,
    /// Of the archive that they are in.
    outer: Member,
    depth: u32,
    said: Said,
    /// What comes next may have to be waited for: each is a part of its own.
    is_live: bool,
    /// In the outermost archive: where it could be gone on with last.
    resumable: Option<u64>,
}

impl Gathered {
    pub(super) fn new(place: &Place<'_>, begin: Option<Begin>) -> Gathered {
        Gathered {
            pieces: Vec::new(),
            size: 0,
            outer: place.member.clone(),
            depth: place.depth,
            said: place.said.clone(),
            is_live: place.is_live,
            resumable: begin.map(|begin| begin.at).filter(|_| !place.is_live),
        }
    }

    /// Who has gone through all before this place can go on here: what comes depends on nothing before it.
    pub(super) fn resumable(&mut self, at: u64, walk: &mut Walk<'_>, visitor: &mut dyn Visitor) {
        let is_far = self.resumable.is_some_and(|last| at >= last.saturating_add(SIZE));
        if is_far && self.pieces.is_empty() {
            self.resumable = Some(at);
            visitor.part(Part::free(0, |_, _| {}).until(self.resumable), walk);
        }
    }

    pub(super) fn push(
        &mut self,
        piece: Piece,
        size: usize,
        walk: &mut Walk<'_>,
        visitor: &mut dyn Visitor,
    ) {
        self.pieces.push(piece);
        self.size += size as u64;
        if self.size >= SIZE || self.pieces.len() >= MOST_PIECES || self.is_live {
            self.flush(walk, visitor);
        }
    }

    /// Tells of what failed after all that is here.
    pub(super) fn failed(
        &mut self,
        member: &Member,
        error: io::Error,
        walk: &mut Walk<'_>,
        visitor: &mut dyn Visitor,
    ) {
        self.flush(walk, visitor);
        visitor.failed(member, error);
    }

    /// Hands on what is here: before anything else that comes after it.
    pub(super) fn flush(&mut self, walk: &mut Walk<'_>, visitor: &mut dyn Visitor) {
        let pieces = std::mem::take(&mut self.pieces);
        let size = std::mem::take(&mut self.size);
        if pieces.is_empty() {
            return;
        }
        let (outer, depth, said) = (self.outer.clone(), self.depth, self.said.clone());
        let part = Part::free(size, move |walk, visitor| {
            for piece in &pieces {
                if visitor.is_stopped() {
                    return;
                }
                match piece {
                    Piece::File { member, name, bytes } => {
                        let inner = Place {
                            member,
                            name,
                            from: Where::Stream(Some(bytes.len() as u64)),
                            depth: depth + 1,
                            is_live: false,
                            said: &said,
                            marks: None,
                        };
                        walk.stream(Box::new(&bytes[..]), &inner, visitor);
                    }
                    Piece::Block(held) => {
                        let place = Place {
                            member: &outer,
                            name: b"",
                            from: Where::Stream(None),
                            depth,
                            is_live: false,
                            said: &said,
                            marks: None,
                        };
                        walk.held_block(held, &place, visitor);
                    }
                }
            }
        });
        visitor.part(part, walk);
    }
}

/// A failure that was met before, in the place where it was.
pub(super) struct Failing(pub(super) Option<io::Error>);

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
