//! Parts: pieces of an archive that can be gone through on their own, by another thread too.
//!
//! A walk cuts an archive into the same parts whoever goes through them, so that what comes out is the
//! same. A part can be gone through again: what was done ahead of its turn is done again if what came
//! before it ended elsewhere, or left less of the input's budget.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

use super::member::Member;
use super::resume::Begin;
use super::walk::{Place, Said, Visitor, Walk, Where};
use super::warc::Held;

/// So much is gone through as one part.
pub(super) const SIZE: u64 = 1 << 20;
/// So many members at most.
const MOST_PIECES: usize = 1 << 12;

/// What may still come out of an input.
#[derive(Debug)]
pub(crate) struct Budget {
    left: AtomicU64,
    /// That there is none left has been told.
    is_told: AtomicBool,
}

impl Budget {
    pub(crate) fn new(left: u64) -> Budget {
        Budget { left: AtomicU64::new(left), is_told: AtomicBool::new(false) }
    }

    pub(crate) fn left(&self) -> u64 {
        self.left.load(SeqCst)
    }

    pub(crate) fn set(&self, left: u64) {
        self.left.store(left, SeqCst);
    }

    /// Spends some; false if there is not as much, and then nothing is left.
    pub(crate) fn spend(&self, bytes: u64) -> bool {
        let left = |left: u64| Some(left.saturating_sub(bytes));
        // Nobody fails to update what is always updated.
        let before = self.left.fetch_update(SeqCst, SeqCst, left).unwrap_or(0);
        before >= bytes
    }

    /// Whether nothing is left, and nobody has told so yet.
    pub(super) fn is_to_be_told(&self) -> bool {
        self.left() == 0 && !self.is_told.swap(true, SeqCst)
    }
}

/// Where a part begins and ends, for those that cannot know it before.
#[derive(Debug)]
pub(crate) struct Seam {
    begun: AtomicU64,
    ended: AtomicU64,
}

/// Nowhere yet.
const UNKNOWN: u64 = u64::MAX;

impl Default for Seam {
    fn default() -> Seam {
        Seam { begun: AtomicU64::new(UNKNOWN), ended: AtomicU64::new(UNKNOWN) }
    }
}

impl Seam {
    pub(super) fn begin(&self, at: u64) {
        self.begun.store(at, SeqCst);
    }

    pub(super) fn end(&self, at: u64) {
        self.ended.store(at, SeqCst);
    }
}

/// What goes through a part: from a place that is known, or from the first that it finds.
type Work = dyn Fn(Option<u64>, &Seam, &mut Walk<'_>, &mut dyn Visitor) + Send + Sync;

/// A piece of an archive.
#[derive(Clone)]
pub(crate) struct Part {
    work: Arc<Work>,
    /// Where the part before it ended, of those that begin where it did.
    chain: Option<Arc<AtomicU64>>,
    /// Where the archive can be gone on with after it.
    next: Option<Arc<AtomicU64>>,
    /// About how many bytes there are in it.
    pub(crate) size: u64,
}

impl Part {
    /// A part that depends on no other.
    pub(super) fn free(
        size: u64,
        work: impl Fn(&mut Walk<'_>, &mut dyn Visitor) + Send + Sync + 'static,
    ) -> Part {
        let work =
            move |_: Option<u64>, _: &Seam, walk: &mut Walk<'_>, visitor: &mut dyn Visitor| {
                work(walk, visitor);
            };
        Part { work: Arc::new(work), chain: None, next: None, size }
    }

    /// A part that begins where the one before it in the chain ended.
    pub(super) fn chained(
        size: u64,
        chain: &Arc<AtomicU64>,
        work: impl Fn(Option<u64>, &Seam, &mut Walk<'_>, &mut dyn Visitor) + Send + Sync + 'static,
    ) -> Part {
        Part { work: Arc::new(work), chain: Some(Arc::clone(chain)), next: None, size }
    }

    /// After it the archive can be gone on with at this place, if one is given.
    pub(super) fn until(self, next: Option<u64>) -> Part {
        Part { next: next.map(|next| Arc::new(AtomicU64::new(next))), ..self }
    }

    /// After it the archive can be gone on with where the next one of its chain begins.
    pub(super) fn until_its_end(self) -> Part {
        Part { next: self.chain.clone(), ..self }
    }

    /// Where the archive can be gone on with, now that this has been gone through in its turn.
    pub(crate) fn next(&self) -> Option<u64> {
        let next = self.next.as_ref()?.load(SeqCst);
        (next != UNKNOWN).then_some(next)
    }

    /// Goes through it in its turn.
    pub(crate) fn run(&self, walk: &mut Walk<'_>, visitor: &mut dyn Visitor) {
        let seam = Seam::default();
        let from = self.chain.as_ref().map(|chain| chain.load(SeqCst));
        (self.work)(from, &seam, walk, visitor);
        self.finish(&seam);
    }

    /// Goes through it ahead of its turn.
    pub(crate) fn run_ahead(&self, seam: &Seam, walk: &mut Walk<'_>, visitor: &mut dyn Visitor) {
        (self.work)(None, seam, walk, visitor);
    }

    /// Whether it was begun where it has to begin, now that it is its turn; `None` if it is not known yet.
    pub(crate) fn fits(&self, seam: &Seam, is_done: bool) -> Option<bool> {
        let Some(chain) = &self.chain else { return Some(true) };
        match seam.begun.load(SeqCst) {
            UNKNOWN if !is_done => None,
            begun => Some(begun == chain.load(SeqCst)),
        }
    }

    /// It has been gone through.
    pub(crate) fn finish(&self, seam: &Seam) {
        if let Some(chain) = &self.chain {
            chain.store(seam.ended.load(SeqCst), SeqCst);
        }
    }
}

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
