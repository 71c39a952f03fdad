//! Steps: the result of one step of a pass over a document, and where its links go.

use std::ops::ControlFlow;

use crate::link::Judged;

/// Receives a link or a rejected candidate; most are borrowed from the chunk.
pub(crate) type Emit<'e, 'b> = dyn FnMut(Judged<'b>) -> ControlFlow<()> + 'e;

/// The result of a step over a chunk.
pub(crate) enum Stepped<'b> {
    /// Result of a candidate, made where it is returned, for a link is large to move; nothing was emitted.
    Found(Judged<'b>),
    /// All decided links were emitted.
    More,
    /// Nothing more can be decided in this chunk.
    NeedInput,
}

impl<'b> Stepped<'b> {
    /// Passes the result to `emit`; returns `true` if there may be more in the chunk.
    #[inline(always)]
    pub(crate) fn give<F>(self, emit: &mut F) -> ControlFlow<(), bool>
    where
        F: FnMut(Judged<'b>) -> ControlFlow<()> + ?Sized,
    {
        match self {
            Stepped::Found(judged) => emit(judged).map_continue(|()| true),
            Stepped::More => ControlFlow::Continue(true),
            Stepped::NeedInput => ControlFlow::Continue(false),
        }
    }
}
