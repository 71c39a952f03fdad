//! What comes off the end of a link that was found: emphasis, parts that are empty, and what this bares.

use super::Ending;
use crate::scan::view::View;
use crate::tables::{self, Term};

impl Ending {
    /// The end without emphasis marks that also stand in front and without parts that are empty,
    /// and then without the Soft that this bares; nothing before `host_end` comes off.
    pub(crate) fn trimmed(&self, view: &View<'_>, host_end: usize) -> usize {
        let mut end = self.safe;
        let is_simple =
            self.opened == [usize::MAX; 2] && self.lead.emphasis.is_none() && !self.is_cut;
        if is_simple || self.is_exact || end <= self.origin {
            return end;
        }
        let text = view.text;
        // Where the link was cut, what is last now may be Soft.
        let full = if self.is_cut { usize::MAX } else { end };
        let mut times = self.lead.emphasis.map_or(0, |(_, times)| times);
        loop {
            let before = end;
            while times > 0
                && end > host_end
                && Some(text[end - 1]) == self.lead.emphasis.map(|e| e.0)
            {
                end -= 1;
                times -= 1;
            }
            for &opened in self.opened.iter().rev() {
                if opened < end && is_bare(&text[..end], opened) {
                    end = opened;
                }
            }
            while end < full && end > host_end {
                let c = view.prev(end, host_end);
                if !matches!(tables::class(c.code).term(), Term::Soft | Term::ProseStop) {
                    break;
                }
                end -= c.len;
            }
            if end == before {
                return end;
            }
        }
    }
}

/// Whether nothing but the `?` or `#` at `opened` is left of the part, written as it is or as a
/// reference.
fn is_bare(text: &[u8], opened: usize) -> bool {
    let Some(part) = text.get(opened..) else { return false };
    let opener = match part.first() {
        Some(b'&') => memchr::memchr(b';', part).map_or(1, |n| n + 1),
        Some(_) => 1,
        None => return false,
    };
    // A second `#` is as bare as the first.
    part[opener..].iter().all(|&b| b == b'#')
}
