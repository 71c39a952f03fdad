//! Texts that are no mail, read with the links joined that mail breaks over lines.

use std::ops::Range;

use super::edit::{self, Edited};
use super::part::Reading;

/// A text with the links joined that are broken over lines in `<…>`.
pub(crate) struct Joined {
    edited: Edited,
}

impl Joined {
    /// What is to be searched in place of the text.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.edited.text
    }

    /// Where in the text a range of these bytes is.
    pub(crate) fn place(&self, range: Range<usize>) -> Range<usize> {
        self.edited.source(range.start)..self.edited.source(range.end.max(1) - 1) + 1
    }
}

/// A text with the links joined; `None` if none is broken.
pub(crate) fn joined(text: &str) -> Option<Joined> {
    let mut edited = Edited::default();
    let reading = Reading::Text { delsp: false };
    edit::edit(&reading, edit::Wrapped::Joined, text.as_bytes(), &mut edited)
        .then_some(Joined { edited })
}
