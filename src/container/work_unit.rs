//! Units of work: pieces of an archive that can be processed on their own, by another thread too.
//!
//! A walk cuts an archive into the same units whichever thread processes them, so that the results are the
//! same. A unit can be processed again: a unit that was processed ahead of its turn is repeated if the units
//! before it ended at another place, or left less of the input's budget.

use std::io::{self, Read};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;

use super::member::Member;
use super::metadata::{DocumentInfo, HeaderLink};
use super::walk::ContainerWalk;
use crate::link::Repeated;
use crate::notice::Notice;

/// Bytes of members, or of the stored archive, that are processed as one unit.
pub(super) const SIZE: u64 = 1 << 20;
/// Receiver of documents and faults, in order.
pub(crate) trait Visitor {
    /// Receives a document; the bytes that it leaves unread are skipped.
    fn document(&mut self, info: &DocumentInfo<'_>, reader: &mut dyn Read) -> io::Result<()>;

    /// Something that could not be read, or not to its end.
    fn failed(&mut self, member: &Member, error: io::Error);

    /// Something that a reader of the links should know.
    fn noticed(&mut self, member: &Member, notice: Notice);

    /// A reference that a header of the document holds, in the bytes of a record's block.
    fn value(&mut self, info: &DocumentInfo<'_>, link: HeaderLink, repeated: &mut Repeated);

    /// Takes a unit of an archive: processes it at once ([`WorkUnit::run`]), or on another thread, with the results in
    /// its place.
    fn unit(&mut self, unit: WorkUnit, walk: &mut ContainerWalk<'_>);

    /// Returns `true` if no more documents are needed.
    fn is_stopped(&self) -> bool;

    /// Returns `true` if the messages of a store are documents of their own ([`DocumentInfo::message`]); `false` if the
    /// store is one, with its bytes.
    #[cfg(all(feature = "office", feature = "files"))]
    fn reads_messages(&self) -> bool {
        false
    }
}

/// Start and end of a unit that are not known before it is read.
#[derive(Debug)]
pub(crate) struct UnitBounds {
    begun: AtomicU64,
    ended: AtomicU64,
}

/// Nowhere yet.
const UNKNOWN: u64 = u64::MAX;

impl Default for UnitBounds {
    fn default() -> UnitBounds {
        UnitBounds { begun: AtomicU64::new(UNKNOWN), ended: AtomicU64::new(UNKNOWN) }
    }
}

impl UnitBounds {
    pub(super) fn begin(&self, at: u64) {
        self.begun.store(at, SeqCst);
    }

    pub(super) fn end(&self, at: u64) {
        self.ended.store(at, SeqCst);
    }
}

/// Function that reads a unit, from a known place or from the first that it finds.
type Work =
    dyn Fn(Option<u64>, &UnitBounds, &mut ContainerWalk<'_>, &mut dyn Visitor) + Send + Sync;

/// A piece of an archive.
#[derive(Clone)]
pub(crate) struct WorkUnit {
    work: Arc<Work>,
    /// End of the unit before it, for a unit that begins there.
    chain: Option<Arc<AtomicU64>>,
    /// Resume point after the unit.
    next: Option<Arc<AtomicU64>>,
    /// About how many bytes there are in it.
    pub(crate) size: u64,
}

impl WorkUnit {
    /// A unit that depends on no other.
    pub(crate) fn free(
        size: u64,
        work: impl Fn(&mut ContainerWalk<'_>, &mut dyn Visitor) + Send + Sync + 'static,
    ) -> WorkUnit {
        let work = move |_: Option<u64>,
                         _: &UnitBounds,
                         walk: &mut ContainerWalk<'_>,
                         visitor: &mut dyn Visitor| {
            work(walk, visitor);
        };
        WorkUnit { work: Arc::new(work), chain: None, next: None, size }
    }

    /// A unit that begins where the one before it in the chain ended.
    pub(super) fn chained(
        size: u64,
        chain: &Arc<AtomicU64>,
        work: impl Fn(Option<u64>, &UnitBounds, &mut ContainerWalk<'_>, &mut dyn Visitor)
        + Send
        + Sync
        + 'static,
    ) -> WorkUnit {
        WorkUnit { work: Arc::new(work), chain: Some(Arc::clone(chain)), next: None, size }
    }

    /// After it the archive can be resumed at this place, if one is given.
    pub(super) fn until(self, next: Option<u64>) -> WorkUnit {
        WorkUnit { next: next.map(|next| Arc::new(AtomicU64::new(next))), ..self }
    }

    /// After it the archive can be resumed where the next one of its chain begins.
    pub(super) fn until_its_end(self) -> WorkUnit {
        WorkUnit { next: self.chain.clone(), ..self }
    }

    /// Returns the resume point, when this unit has been processed in its turn.
    pub(crate) fn next(&self) -> Option<u64> {
        let next = self.next.as_ref()?.load(SeqCst);
        (next != UNKNOWN).then_some(next)
    }

    /// Processes the unit in its turn.
    pub(crate) fn run(&self, walk: &mut ContainerWalk<'_>, visitor: &mut dyn Visitor) {
        let bounds = UnitBounds::default();
        let from = self.chain.as_ref().map(|chain| chain.load(SeqCst));
        (self.work)(from, &bounds, walk, visitor);
        self.finish(&bounds);
    }

    /// Processes the unit ahead of its turn.
    pub(crate) fn run_ahead(
        &self,
        bounds: &UnitBounds,
        walk: &mut ContainerWalk<'_>,
        visitor: &mut dyn Visitor,
    ) {
        (self.work)(None, bounds, walk, visitor);
    }

    /// Returns `true` if the unit began where it must, in its turn; `None` if that is not known yet.
    pub(crate) fn fits(&self, bounds: &UnitBounds, is_done: bool) -> Option<bool> {
        let Some(chain) = &self.chain else { return Some(true) };
        match bounds.begun.load(SeqCst) {
            UNKNOWN if !is_done => None,
            begun => Some(begun == chain.load(SeqCst)),
        }
    }

    /// Marks it as processed.
    pub(crate) fn finish(&self, bounds: &UnitBounds) {
        if let Some(chain) = &self.chain {
            chain.store(bounds.ended.load(SeqCst), SeqCst);
        }
    }
}

/// Gathers short pieces of an archive, until there are enough for a unit of work.
pub(super) struct UnitBuilder<T> {
    pieces: Vec<T>,
    /// Most pieces of a unit.
    most: usize,
    size: u64,
}

impl<T: Send + Sync + 'static> UnitBuilder<T> {
    pub(super) fn new(most: usize) -> UnitBuilder<T> {
        UnitBuilder { pieces: Vec::new(), most, size: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Adds a piece; returns `true` if there are enough.
    pub(super) fn push(&mut self, piece: T, size: u64) -> bool {
        self.pieces.push(piece);
        self.size = self.size.saturating_add(size);
        self.size >= SIZE || self.pieces.len() >= self.most
    }

    /// Returns the unit of the pieces so far.
    pub(super) fn build(
        &mut self,
        each: impl Fn(&T, &mut ContainerWalk<'_>, &mut dyn Visitor) + Send + Sync + 'static,
    ) -> WorkUnit {
        let (pieces, size) = (mem::take(&mut self.pieces), mem::take(&mut self.size));
        WorkUnit::free(size, move |walk, visitor| {
            for piece in &pieces {
                if visitor.is_stopped() {
                    return;
                }
                each(piece, walk, visitor);
            }
        })
    }
}
