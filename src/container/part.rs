//! Parts: pieces of an archive that can be gone through on their own, by another thread too.
//!
//! A walk cuts an archive into the same parts whoever goes through them, so that what comes out is the
//! same. A part can be gone through again: what was done ahead of its turn is done again if what came
//! before it ended elsewhere, or left less of the input's budget.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use super::given::Given;
use super::header_link::HeaderLink;
use super::member::Member;
use super::walk::Walk;
use crate::notice::Notice;

/// So much is gone through as one part.
pub(super) const SIZE: u64 = 1 << 20;
/// What takes documents and faults, in order.
pub(crate) trait Visitor {
    /// A document; what it was not read of is passed over.
    fn document(&mut self, given: &Given<'_>, reader: &mut dyn Read) -> io::Result<()>;

    /// Something that could not be read, or not to its end.
    fn failed(&mut self, member: &Member, error: io::Error);

    /// Something that a reader of the links should know.
    fn noticed(&mut self, member: &Member, notice: Notice);

    /// A reference that a header of the document holds, in the bytes of a record's block.
    fn value(&mut self, given: &Given<'_>, link: HeaderLink);

    /// A part of an archive: gone through here and now ([`Part::run`]), or elsewhere, with what comes of it in
    /// its place.
    fn part(&mut self, part: Part, walk: &mut Walk<'_>);

    /// Whether nobody wants any more.
    fn is_stopped(&self) -> bool;
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
