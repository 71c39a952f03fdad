//! Passes: from the stored bytes of a document to links and rejected candidates, step by step.
//!
//! There is one for running text in UTF-8, one for running text in the legacy charsets, one for pages. A driver calls
//! each for its next step over the available block. In memory this is the whole document, as its last block. A stream
//! supplies one block after the other, and removes the bytes that the pass no longer needs.

#[cfg_attr(not(feature = "documents"), path = "any_of_text.rs")]
mod any;
#[cfg(feature = "documents")]
mod legacy;
#[cfg(feature = "documents")]
mod page;
mod point;
mod positions;
mod utf8;
#[cfg(feature = "documents")]
mod wide;

use std::ops::ControlFlow;

use crate::charset::{Detected, Extent};
use crate::document::step::{Emit, Stepped};
use crate::input::chunk::Chunk;
use crate::link::Judged;
use crate::notice::Notice;

#[cfg(feature = "documents")]
pub(crate) use super::page::{PagePoint, TokensPoint};
pub(crate) use any::AnyPass;
pub(crate) use point::{PassPoint, PassState};
pub(crate) use utf8::Utf8;

/// Notices on a document before its first link: it is read as text; it names an unknown charset.
pub(crate) type Told = [Option<Notice>; 2];

/// Part of a document that is available when its pass begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) extent: Extent,
    /// Whether it comes from a stream that has paused: decided links are given before all bytes have come.
    pub(crate) is_paused: bool,
}

impl<'b> Arrived<'b> {
    /// Returns the beginning of a document that is available as a whole.
    pub(crate) fn whole(bytes: &'b [u8]) -> Arrived<'b> {
        Arrived { bytes, extent: Extent::Whole, is_paused: false }
    }
}

impl Notice {
    /// Returns the notice on how an encoding was detected.
    pub(crate) fn of_detected(detected: &Detected) -> Option<Notice> {
        detected.unknown_label().map(|_| Notice::UnknownCharset)
    }
}

/// A pass over a document.
pub(crate) trait Pass {
    /// Advances by one step. Links beside its result go to `emit` first.
    fn step<'b>(
        &mut self,
        chunk: Chunk<'b>,
        emit: &mut Emit<'_, 'b>,
    ) -> ControlFlow<(), Stepped<'b>>;

    /// Copies what the pass keeps of the chunk; returns the offset from which its bytes are still needed.
    fn release(&mut self, chunk: Chunk<'_>) -> usize;

    /// Returns the notices so far.
    fn notices(&self) -> &[Notice] {
        &[]
    }

    /// Returns the offset before which it has processed all bytes, if it may have a point.
    fn at(&self) -> Option<usize> {
        None
    }

    /// Returns the state between two steps from which a pass can go on; `None` if that takes more than it holds.
    fn point(&self, _: Chunk<'_>) -> Option<PassPoint> {
        None
    }

    /// Continues, before its first step, where another pass over the same document was.
    fn resume(&mut self, _: &PassPoint) {}

    /// Reads the block as far as its links can be decided.
    fn run<F>(&mut self, chunk: Chunk<'_>, emit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        while self.step(chunk, emit)?.give(emit)? {}
        ControlFlow::Continue(())
    }
}
