//! Labels of links in AsciiDoc: `https://example.org/a[the text]`.

use super::Ending;
use crate::scan::view::is_gap;

/// Square brackets that are open where the label of a link ends; with more of them the text is no label. Each one
/// that a link ends in front of is read again by the next candidate, so that without a bound the time is quadratic.
const MAX_LABELS: u16 = 8;

impl Ending {
    /// A square bracket that is still open at white space or the text's end, where the link has ended, began the label
    /// of the link in AsciiDoc, `https://example.org/a[the text]`; so did one whose label has a slash.
    pub(super) fn cut_label(&mut self, code: u32) {
        let (at, depth) = self.square;
        let is_closed = code == u32::from(']') && self.open.is_empty();
        let is_label = is_closed || is_gap(code);
        if (1..=MAX_LABELS).contains(&depth) && self.prose && is_label {
            self.safe = at;
            self.is_cut = true;
        }
    }

    /// Whether the square brackets that were closed last are the label of the link: a name stands in them, and they are in no query.
    #[inline(never)]
    pub(super) fn is_label(&self, text: &[u8]) -> bool {
        let [start, end] = self.label;
        let is_letter = |b: &u8| b.is_ascii_alphabetic() || *b >= 0x80;
        !self.has_query() && text[start..end].iter().any(is_letter)
    }
}
