//! A host or an address behind a separator in the tail of a link.

use super::Twin;
use super::ending::{Head, Part};

impl Twin<'_> {
    /// `&amp;me@example.org`: whether the separator at `i` ends a character of markup.
    fn is_markup_name(&self, head: Head, i: usize) -> bool {
        let before = |k: usize| (k > head.end).then(|| self.written(k - 1)).flatten();
        let mut name = i;
        while before(name).is_some_and(|c| c.is_ascii_alphanumeric() || c == '#') && i - name < 8 {
            name -= 1;
        }
        self.written(i) == Some(';') && before(name) == Some('&')
    }

    /// Where the link ends if the semicolon, bar or at sign at `i` belongs to another link.
    pub(super) fn separated_end(&self, head: Head, query: bool, i: usize) -> Option<usize> {
        if head.part != Part::None || query {
            return None;
        }
        let named = |k: usize| self.written(k).is_some_and(|c| c.is_ascii_alphanumeric());
        let separates = |c: char| ",;|".contains(c);
        if matches!(self.at(i), Some(';' | '|')) {
            let www = self.is_written(i + 1, "www.") && named(i + 5);
            return (www && !self.is_markup_name(head, i)).then_some(i);
        }
        if self.written(i) != Some('@') {
            return None;
        }
        let is_part = |k: usize| named(k) || self.written(k).is_some_and(|c| ".-_+".contains(c));
        let mut local = i;
        while local > head.end && i - local < 64 && is_part(local - 1) {
            local -= 1;
        }
        let before = |k: usize| (k > head.end).then(|| self.written(k - 1)).flatten();
        if !named(local) || local == i || !before(local).is_some_and(separates) {
            return None;
        }
        if self.is_markup_name(head, local - 1) {
            return None;
        }
        let listed = (head.end..local).any(|k| self.written(k) == Some('@'));
        if listed || self.written(i + 1).is_some_and(|c| c.is_ascii_digit()) {
            return None;
        }
        let (_, _, known) = self.address_host(i + 1)?;
        let mut end = local;
        while before(end).is_some_and(separates) {
            end -= 1;
        }
        (known && end > head.end).then_some(end)
    }
}
