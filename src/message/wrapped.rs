//! Texts that are no mail, read with the links joined that mail breaks over lines.

use super::edit::{self, Edited};
use super::part::Reading;
use crate::finder::Finder;

/// Gives the links of a text, those in `<…>` that are broken over lines joined, with where they are.
pub(crate) fn each_joined(
    finder: &Finder,
    text: &str,
    mut each: impl FnMut(std::ops::Range<usize>, &crate::link::Link<'_>),
) {
    let mut edited = Edited::default();
    let reading = Reading::Text { delsp: false };
    if !edit::edit(&reading, edit::Wrapped::Joined, text.as_bytes(), &mut edited) {
        finder.links(text).for_each(|link| each(link.range(), &link));
        return;
    }
    for link in finder.candidates_in(&edited.text).flatten() {
        let range = link.range();
        let range = edited.source(range.start)..edited.source(range.end.max(1) - 1) + 1;
        each(range, &link);
    }
}
