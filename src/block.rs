//! What a driver and what goes over a document tell each other: the bytes that are at hand, and what a step over them
//! came to.

use std::ops::ControlFlow;

use crate::chunk::Chunk;
use crate::link::Judged;

/// The bytes of a document that are at hand: of a stream one block after the other, in memory all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'b> {
    pub(crate) bytes: &'b [u8],
    /// The same, if they are known to be UTF-8; they are then the beginning of the document.
    pub(crate) text: Option<&'b str>,
    /// Where the first of them is in the document.
    pub(crate) base: usize,
    /// The document ends with them.
    pub(crate) is_last: bool,
}

impl<'b> Block<'b> {
    pub(crate) fn new(bytes: &'b [u8], base: usize, is_last: bool) -> Block<'b> {
        Block { bytes, text: None, base, is_last }
    }
}

impl<'b> Block<'b> {
    pub(crate) fn chunk(&self) -> Chunk<'b> {
        Chunk::new(self.bytes, self.base, self.is_last)
    }

    pub(crate) fn end(&self) -> usize {
        self.base + self.bytes.len()
    }

    /// The bytes from an offset of the document on.
    pub(crate) fn from(&self, offset: usize) -> &'b [u8] {
        self.bytes.get(offset.saturating_sub(self.base)..).unwrap_or_default()
    }

    pub(crate) fn range(&self, range: std::ops::Range<usize>) -> &'b [u8] {
        let low = range.start.saturating_sub(self.base).min(self.bytes.len());
        let high = range.end.saturating_sub(self.base).clamp(low, self.bytes.len());
        &self.bytes[low..high]
    }
}

/// What becomes of a link or a rejected candidate; most are borrowed from the block.
pub(crate) type Emit<'e, 'b> = dyn FnMut(Judged<'b>) -> ControlFlow<()> + 'e;

/// What a step over a block comes to.
pub(crate) enum Stepped<'b> {
    /// What a candidate came to, made where it is returned, for a link is large to hand on; nothing was emitted.
    Found(Judged<'b>),
    /// What there was to be had was emitted.
    More,
    /// Nothing more can be decided in this block.
    NeedInput,
}

impl<'b> Stepped<'b> {
    /// Hands on what the step came to; whether there may be more in the block.
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
