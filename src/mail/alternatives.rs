//! The best of several alternatives (RFC 2046 §5.1.4): their links are buffered until the last of them has been read.

use std::ops::ControlFlow;

use super::part::{Leaf, LeafFormat};
use super::structure::PartEnd;
use super::{EmitMail, MailScanner, ScanEvent};
use crate::detect::document::Format;
use crate::link::Judged;
use crate::notice::Notice;

/// Most links that are buffered; with more, those of all alternatives are given.
const MOST: usize = 100_000;

/// Buffered links of a `multipart/alternative`.
#[derive(Clone, Debug, Default)]
pub(super) struct AlternativeBuffer {
    /// Number of levels that are open in it.
    depth: usize,
    /// Links of the best part so far, and of the current one.
    best: Vec<Judged<'static>>,
    best_rank: u8,
    pub(super) current: Vec<Judged<'static>>,
    rank: u8,
}

impl AlternativeBuffer {
    pub(super) fn new(depth: usize) -> AlternativeBuffer {
        AlternativeBuffer { depth, ..AlternativeBuffer::default() }
    }

    /// Ends a part. The last part of the best kind is chosen; parts that are not alternatives are kept.
    fn settle(&mut self) {
        let current = std::mem::take(&mut self.current);
        let rank = std::mem::take(&mut self.rank);
        match rank {
            0 => self.best.extend(current),
            rank if rank >= self.best_rank => {
                self.best = current;
                self.best_rank = rank;
            }
            _ => {}
        }
    }
}

impl MailScanner<'_> {
    /// Whether the level that was opened last is one of alternatives, the best of which is read.
    pub(super) fn holds_alternatives(&self) -> bool {
        self.held.last().is_some_and(|held| held.depth == self.levels.len())
    }

    /// Notes how good a leaf is as an alternative.
    pub(super) fn rank(&mut self, leaf: &Leaf) {
        let rank = match leaf.reading {
            _ if leaf.context.is_some() => 0,
            LeafFormat::Skip | LeafFormat::Kind(..) => 0,
            // An invitation is beside the text that tells of it.
            LeafFormat::As(Format::Calendar | Format::Vcard, _) => 1,
            LeafFormat::As(Format::Html, _) => 3,
            _ => 2,
        };
        for held in &mut self.held {
            held.rank = held.rank.max(rank);
        }
    }

    /// Something has ended: parts of alternatives, and alternatives.
    pub(super) fn settle(&mut self, end: PartEnd, emit: &mut EmitMail<'_>) -> ControlFlow<()> {
        // How many levels stay open, and whether the last of them goes on with another part.
        let (depth, is_next) = match end {
            PartEnd::Delimiter { level, is_close, .. } => {
                (level + usize::from(!is_close), !is_close)
            }
            PartEnd::Message | PartEnd::Input => (0, false),
        };
        while let Some(held) = self.held.last_mut() {
            let is_full = held.best.len() + held.current.len() > MOST;
            let is_over = held.depth > depth || is_full;
            if is_over || is_next && held.depth == depth {
                held.settle();
            }
            if !is_over {
                return ControlFlow::Continue(());
            }
            let Some(held) = self.held.pop() else { break };
            if is_full {
                self.notice(Notice::AlternativesUnheld);
            }
            for judged in held.best.into_iter().chain(held.current) {
                match self.held.last_mut() {
                    Some(outer) => outer.current.push(judged),
                    None => emit(ScanEvent::Judged(judged))?,
                }
            }
        }
        ControlFlow::Continue(())
    }
}
