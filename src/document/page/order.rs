//! Order: links that are found out of order are reported in the order in which they are written.
//!
//! A value may be inside a link of running text (in a `<wbr>`), a base is reported before the references
//! of its own tag. A link that comes too early waits here, within a limit.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::Emit;
use crate::link::{Judged, owned, start_of};

/// Bytes of text of the links that may wait.
const MOST: usize = 1 << 20;
/// Bytes that one link takes beside its text.
const EACH: usize = 256;

/// Links that wait, by where they begin.
#[derive(Clone, Default)]
pub(super) struct Order {
    waiting: VecDeque<Judged<'static>>,
    size: usize,
}

fn size_of(judged: &Judged<'_>) -> usize {
    let raw = match judged {
        Ok(link) => link.raw(),
        Err(refused) => refused.raw(),
    };
    EACH + raw.len()
}

impl Order {
    /// Where the first of those that wait begins.
    pub(super) fn first(&self) -> Option<usize> {
        self.waiting.front().map(start_of)
    }

    /// Lets one wait; true if there are too many now.
    pub(super) fn hold(&mut self, judged: Judged<'_>) -> bool {
        let judged = owned(judged);
        self.size += size_of(&judged);
        let start = start_of(&judged);
        let at = self.waiting.partition_point(|other| start_of(other) <= start);
        self.waiting.insert(at, judged);
        self.size > MOST
    }

    /// Gives those that begin before `limit`.
    pub(super) fn give<'s>(&mut self, limit: usize, emit: &mut Emit<'_, 's>) -> ControlFlow<()> {
        while self.first().is_some_and(|start| start < limit)
            && let Some(judged) = self.waiting.pop_front()
        {
            self.size -= size_of(&judged);
            emit(judged)?;
        }
        ControlFlow::Continue(())
    }
}
