//! Finds labels of links in AsciiDoc: `https://example.org/a[the text]`.

use super::Ending;
use crate::scan::view::is_gap;

/// Maximum number of square brackets that are open where the label of a link ends; with more of them the text is not a
/// label. The next candidate reads each bracket again before which a link ends, so the time would be quadratic without a
/// bound.
const MAX_LABELS: u16 = 8;

impl Ending {
    /// Ends the link before a square bracket that is still open at white space or at the end of the text: in AsciiDoc it
    /// begins the label of the link, `https://example.org/a[the text]`. A label with a slash is treated
    /// in the same way at its closing bracket.
    pub(super) fn cut_label(&mut self, code: u32) {
        let (at, depth) = self.square;
        let is_closed = code == u32::from(']') && self.open.is_empty();
        let is_label = is_closed || is_gap(code);
        if (1..=MAX_LABELS).contains(&depth) && self.prose && is_label {
            self.safe = at;
            self.is_cut = true;
        }
    }

    /// Returns `true` if the last closed square brackets contain the label of the link: they contain a name, and are not in
    /// a query.
    #[inline(never)]
    pub(super) fn is_label(&self, text: &[u8]) -> bool {
        let [start, end] = self.label;
        let is_letter = |b: &u8| b.is_ascii_alphabetic() || *b >= 0x80;
        !self.has_query() && text[start..end].iter().any(is_letter)
    }
}
