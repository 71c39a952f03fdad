//! Passes: from the stored bytes of a document to links and rejected candidates, step by step.
//!
//! There is one for running text in UTF-8, one for running text in the legacy charsets, one for pages. Each is asked
//! for its next step over the block that is at hand. In memory this is all of the document, and the last block;
//! a stream shows one block after the other, and cuts from the front what the pass says it needs no more.

#[cfg(feature = "documents")]
mod legacy;
#[cfg(feature = "documents")]
mod page;
mod positions;
mod utf8;

use std::ops::ControlFlow;

use crate::block::{Block, Emit, Stepped};
use crate::charset::{Detected, Extent};
use crate::document::Hints;
#[cfg(feature = "documents")]
use crate::legacy::LegacyScanner;
use crate::link::Judged;
use crate::notice::Notice;

#[cfg(feature = "documents")]
use legacy::Legacy;
#[cfg(feature = "documents")]
use page::Page;
pub(crate) use utf8::{Utf8, next_link};

/// Goes over a document.
pub(crate) trait Pass {
    /// Goes on by one step; what it gives beside its result, it gives to `emit` before.
    fn step<'b>(
        &mut self,
        block: Block<'b>,
        emit: &mut Emit<'_, 'b>,
    ) -> ControlFlow<(), Stepped<'b>>;

    /// How many bytes at the front of the block are not needed any more; they go.
    fn cut(&mut self, block: Block<'_>) -> usize;

    /// What a reader should know of what was gone over so far.
    fn notices(&self) -> &[Notice] {
        &[]
    }

    /// Goes over all that the block has, as far as it can be decided.
    fn run<F>(&mut self, block: Block<'_>, emit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        while self.step(block, emit)?.give(emit)? {}
        ControlFlow::Continue(())
    }
}

/// The pass that a document asks for.
#[allow(clippy::large_enum_variant, reason = "to allocate takes longer than a short text does")]
#[derive(Clone, Debug)]
pub(crate) enum Way<'f> {
    Utf8(Utf8<'f>),
    #[cfg(feature = "documents")]
    Legacy(Box<Legacy<'f>>),
    #[cfg(feature = "documents")]
    Page(Box<Page<'f>>),
}

impl<'f> Way<'f> {
    /// The one for a document of which this is the beginning, or all; `begun` has gone over its first bytes already, if
    /// they are ASCII, and goes on if it is text in UTF-8. With it what a reader should know.
    pub(crate) fn of(
        detected: &Detected,
        hints: &Hints,
        (start, extent): (&[u8], Extent),
        begun: Utf8<'f>,
    ) -> (Way<'f>, Option<Notice>) {
        #[cfg(feature = "documents")]
        if let Some(page) = Page::of(begun.finder, detected, hints, start, extent) {
            return (Way::Page(Box::new(page)), None);
        }
        #[cfg(feature = "documents")]
        let notice = Notice::of_text(hints, start);
        #[cfg(not(feature = "documents"))]
        let (notice, _) = (None, (start, extent));
        #[cfg(feature = "documents")]
        if let Some(scanner) = LegacyScanner::of(detected, &begun.finder.scan) {
            return (Way::Legacy(Box::new(Legacy::after(begun, scanner, hints.positions))), notice);
        }
        #[cfg(not(feature = "documents"))]
        let _ = (detected, hints);
        (Way::Utf8(begun), notice)
    }
}

impl Pass for Way<'_> {
    #[inline(always)]
    fn step<'b>(
        &mut self,
        block: Block<'b>,
        emit: &mut Emit<'_, 'b>,
    ) -> ControlFlow<(), Stepped<'b>> {
        match self {
            Way::Utf8(pass) => pass.step(block, emit),
            #[cfg(feature = "documents")]
            Way::Legacy(pass) => pass.step(block, emit),
            #[cfg(feature = "documents")]
            Way::Page(pass) => pass.step(block, emit),
        }
    }

    fn cut(&mut self, block: Block<'_>) -> usize {
        match self {
            Way::Utf8(pass) => pass.cut(block),
            #[cfg(feature = "documents")]
            Way::Legacy(pass) => pass.cut(block),
            #[cfg(feature = "documents")]
            Way::Page(pass) => pass.cut(block),
        }
    }

    fn notices(&self) -> &[Notice] {
        match self {
            #[cfg(feature = "documents")]
            Way::Page(pass) => pass.notices(),
            _ => &[],
        }
    }
}

#[cfg(feature = "documents")]
impl Notice {
    /// What is to be known of a document that begins so and is read as text: something, if it is markup
    /// that could have been read as such.
    fn of_text(hints: &Hints, start: &[u8]) -> Option<Notice> {
        use crate::sniff::Kind;

        let kind = hints.kind(start)?;
        let is_known = kind != Kind::Markdown || cfg!(feature = "documents");
        is_known.then_some(Notice::ReadAsText)
    }
}
