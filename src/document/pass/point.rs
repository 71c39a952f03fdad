//! Points: what a pass knows at an offset where it can go on with nothing but the bytes from there.

#[cfg(feature = "documents")]
use crate::document::page::PagePoint;
use crate::link::lines::LineState;
use crate::scan::ScanPoint;

/// State of a pass from which it can go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PassPoint {
    /// Offset of the document from which bytes are needed.
    pub(crate) offset: usize,
    pub(crate) lines: Option<LineState>,
    pub(crate) state: PassState,
}

/// What differs from pass to pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PassState {
    /// Running text in UTF-8.
    Text(ScanPoint),
    #[cfg(feature = "documents")]
    Page(Box<PagePoint>),
}

impl PassPoint {
    /// Returns the offset up to which bytes must be available before the pass goes on.
    pub(crate) fn available(&self) -> usize {
        match &self.state {
            PassState::Text(text) => text.at.max(text.min_start),
            #[cfg(feature = "documents")]
            PassState::Page(page) => page.tokens.done(),
        }
        .max(self.lines.map_or(0, |lines| lines.done))
    }
}
