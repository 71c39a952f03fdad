//! Selects the best of several alternatives (RFC 2046 §5.1.4): their links are buffered until the last of them has been
//! read.

use std::ops::ControlFlow;

use super::part::{Leaf, LeafFormat};
use super::structure::PartEnd;
use super::{EmitMail, MailScanner, ScanEvent};
use crate::detect::document::Format;
use crate::link::{Judged, kept_size, start_of};
use crate::notice::Notice;

/// Number of buffered links above which buffering ends, also within a part. The links kept so far are reported, and those
/// of all later parts.
const MOST: usize = 100_000;
/// Number of bytes that the buffered links need above which buffering ends.
const MOST_SIZE: usize = 32 << 20;

/// Links that are kept.
#[derive(Clone, Debug, Default)]
struct KeptLinks {
    links: Vec<Judged<'static>>,
    size: usize,
}

impl KeptLinks {
    fn push(&mut self, judged: Judged<'static>) {
        self.size += kept_size(&judged);
        self.links.push(judged);
    }

    fn extend(&mut self, more: KeptLinks) {
        self.size += more.size;
        self.links.extend(more.links);
    }
}

/// Buffered links of a `multipart/alternative`.
#[derive(Clone, Debug, Default)]
pub(super) struct AlternativeBuffer {
    /// Number of open levels, its own included.
    depth: usize,
    /// Links and rank of the best part so far.
    best: KeptLinks,
    best_rank: u8,
    /// Links of parts that are not alternatives: the preamble, skipped parts.
    others: KeptLinks,
    /// Links and rank of the current part.
    current: KeptLinks,
    rank: u8,
}

impl AlternativeBuffer {
    pub(super) fn new(depth: usize) -> AlternativeBuffer {
        AlternativeBuffer { depth, ..AlternativeBuffer::default() }
    }

    /// Ends a part. A part of at least the best rank replaces the best one. The links of a part of rank 0, which is not an
    /// alternative, are kept beside it.
    fn settle(&mut self) {
        let current = std::mem::take(&mut self.current);
        let rank = std::mem::take(&mut self.rank);
        match rank {
            0 => self.others.extend(current),
            rank if rank >= self.best_rank => {
                self.best = current;
                self.best_rank = rank;
            }
            _ => {}
        }
    }

    /// Adds a link of the current part.
    pub(super) fn push(&mut self, judged: Judged<'static>) {
        self.current.push(judged);
    }

    fn is_full(&self) -> bool {
        let kept = [&self.best, &self.others, &self.current];
        let links: usize = kept.iter().map(|kept| kept.links.len()).sum();
        let size: usize = kept.iter().map(|kept| kept.size).sum();
        links > MOST || size > MOST_SIZE
    }

    /// Returns the kept links, in stored order, and then those of the current part.
    fn finish(self) -> impl Iterator<Item = Judged<'static>> {
        let mut kept = self.best.links;
        if !self.others.links.is_empty() {
            kept.extend(self.others.links);
            kept.sort_by_cached_key(start_of);
        }
        kept.into_iter().chain(self.current.links)
    }
}

impl MailScanner<'_> {
    /// Returns `true` if the innermost level buffers alternatives.
    pub(super) fn holds_alternatives(&self) -> bool {
        self.held.last().is_some_and(|held| held.depth == self.entities.levels.len())
    }

    /// Records the rank of a leaf as an alternative.
    pub(super) fn rank(&mut self, leaf: &Leaf) {
        let rank = match leaf.reading {
            _ if leaf.context.is_some() => 0,
            LeafFormat::Skip | LeafFormat::Kind(..) => 0,
            // Its type does not say that it can be read: what it is, only its bytes and its name tell.
            LeafFormat::As(Format::Auto, _) => 1,
            // An invitation accompanies the text that describes it.
            LeafFormat::As(Format::Calendar | Format::Vcard, _) => 2,
            LeafFormat::As(Format::Html, _) => 4,
            _ => 3,
        };
        for held in &mut self.held {
            held.rank = held.rank.max(rank);
        }
    }

    /// Settles the buffers in which a part ends, and reports the links of the buffers that end.
    pub(super) fn settle(&mut self, end: PartEnd, emit: &mut EmitMail<'_>) -> ControlFlow<()> {
        // Number of levels that stay open, and whether the last of them continues with another part.
        let (depth, is_next) = match end {
            PartEnd::Delimiter { level, is_close, .. } => {
                (level + usize::from(!is_close), !is_close)
            }
            PartEnd::Message | PartEnd::Input => (0, false),
        };
        while let Some(held) = self.held.last_mut() {
            let is_over = held.depth > depth;
            if is_over || is_next && held.depth == depth {
                held.settle();
            }
            if !is_over {
                break;
            }
            self.release(emit)?;
        }
        self.release_full(emit)
    }

    /// Ends the buffering of the innermost levels whose buffers are full.
    pub(super) fn release_full(&mut self, emit: &mut EmitMail<'_>) -> ControlFlow<()> {
        while self.held.last().is_some_and(AlternativeBuffer::is_full) {
            self.notice(Notice::AlternativesUnheld);
            self.release(emit)?;
        }
        ControlFlow::Continue(())
    }

    /// Reports the links of the innermost buffer, or adds them to the one around it.
    fn release(&mut self, emit: &mut EmitMail<'_>) -> ControlFlow<()> {
        let Some(held) = self.held.pop() else { return ControlFlow::Continue(()) };
        for judged in held.finish() {
            match self.held.last_mut() {
                Some(outer) => outer.push(judged),
                None => emit(ScanEvent::Judged(judged))?,
            }
        }
        ControlFlow::Continue(())
    }
}
