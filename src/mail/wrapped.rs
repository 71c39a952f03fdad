//! Joins links that mail programs broke over lines, in texts that are not messages.

use std::ops::Range;

use super::edit::{self, EditedText};
use super::part::LeafFormat;

/// Text in which links in `<…>` that were broken over lines are joined.
pub(crate) struct JoinedText {
    edited: EditedText,
}

impl JoinedText {
    /// Returns the bytes to search in place of the text.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.edited.text
    }

    /// Maps a range of these bytes to the original text.
    pub(crate) fn place(&self, range: Range<usize>) -> Range<usize> {
        self.edited.range(range)
    }
}

/// Joins the links of a text; returns `None` if none is broken.
pub(crate) fn joined(text: &str) -> Option<JoinedText> {
    let mut edited = EditedText::default();
    let reading = LeafFormat::Text { delsp: false };
    edit::edit(&reading, edit::WrappedLinks::Joined, text.as_bytes(), &mut edited)
        .then_some(JoinedText { edited })
}
