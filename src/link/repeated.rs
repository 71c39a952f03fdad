//! Texts that each link repeats although they are not written there: the IRI that a base makes of a short reference, the
//! document's own IRI, the names of members.
//!
//! Each of them may have 8 KiB, and a document may have a link in every few bytes. To bound the output by the input, a
//! document's links may repeat a number of bytes for each byte of it, and a minimum in any case: only documents with links at
//! a density that no real page has reach the limit.

use std::sync::Arc;

use super::{Body, Judged, Origin, Reason, Rejected, body_of};
use crate::limits;
use crate::scan::LinkKind;

/// Number of bytes that the links of a document have repeated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Repeated {
    /// Bytes of links, and bytes of rejected candidates, which have a budget of their own since few users read them.
    told: [u64; 2],
    is_reached: bool,
    /// Bytes of the candidates whose ranges do not count in the stored bytes.
    unplaced: usize,
}

/// Source of a value that is repeated with each link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Teller {
    Link,
    Rejected,
}

impl From<&Judged<'_>> for Teller {
    fn from(judged: &Judged<'_>) -> Teller {
        if judged.is_ok() { Teller::Link } else { Teller::Rejected }
    }
}

impl Repeated {
    /// Returns its numbers, for a scan that goes on later.
    #[cfg(feature = "documents")]
    pub(crate) fn numbers(self) -> [u64; 4] {
        let [links, rejected] = self.told;
        [links, rejected, u64::from(self.is_reached), self.unplaced as u64]
    }

    /// Continues from numbers of the same document.
    #[cfg(feature = "documents")]
    pub(crate) fn of_numbers([links, rejected, is_reached, unplaced]: [u64; 4]) -> Repeated {
        let told = [links, rejected];
        Repeated { told, is_reached: is_reached != 0, unplaced: unplaced as usize }
    }

    /// Whether a text was omitted because of the limit.
    #[inline]
    pub(crate) fn is_reached(self) -> bool {
        self.is_reached
    }

    /// Returns how many bytes of the document end with a candidate; where its range does not say so, the bytes of the
    /// candidates so far.
    pub(crate) fn end_of(&mut self, body: &Body<'_>) -> usize {
        if body.rare.as_ref().is_none_or(|rare| rare.object.is_none()) {
            return body.range.end;
        }
        self.unplaced += body.raw.len();
        self.unplaced
    }

    /// Counts `more` bytes for a candidate that ends at the offset `end` of the document; returns whether they are within the limit.
    pub(crate) fn takes(&mut self, by: Teller, more: usize, end: usize) -> bool {
        let most = limits::REPEATED_ALWAYS + limits::REPEATED * end as u64;
        let own = &mut self.told[by as usize];
        let told = *own + more as u64;
        let is_taken = more == 0 || told <= most;
        match is_taken {
            true => *own = told,
            false => self.is_reached = true,
        }
        is_taken
    }

    /// Counts what the IRI and the URI of a candidate have more than its raw text; returns whether it is within the limit.
    #[inline]
    pub(crate) fn takes_beside(
        &mut self,
        by: Teller,
        raw: &str,
        texts: [&str; 2],
        end: usize,
    ) -> bool {
        let more = texts.iter().map(|text| text.len().saturating_sub(raw.len())).sum();
        self.takes(by, more, end)
    }

    /// Counts the IRI that a base made of a reference; returns whether it is within the limit.
    #[inline]
    pub(crate) fn takes_resolved(&mut self, by: Teller, body: &Body<'_>) -> bool {
        match (&body.resolved, body.kind) {
            (Some(resolved), LinkKind::Reference) => {
                let uri = body.rare.as_ref().and_then(|rare| rare.uri.as_deref());
                let texts = [resolved, uri.unwrap_or(resolved)];
                let end = self.end_of(body);
                self.takes_beside(by, &body.raw, texts, end)
            }
            _ => true,
        }
    }

    /// Removes from a candidate the IRI that a base made of it, if the limit for repeated texts is reached.
    #[inline]
    pub(crate) fn bound(&mut self, judged: &mut Judged<'_>) {
        let by = Teller::from(&*judged);
        if !self.takes_resolved(by, body_of(judged)) {
            refuse(judged);
        }
    }

    /// Removes from a candidate its origin, except for its part, if the limit for repeated texts is reached.
    #[inline]
    pub(crate) fn bound_origin(&mut self, judged: &mut Judged<'_>) {
        let by = Teller::from(&*judged);
        let body = body_of(judged);
        let end = self.end_of(body);
        let Some(origin) = body.rare.as_mut().and_then(|rare| rare.origin.as_mut()) else { return };
        if !self.takes(by, origin.told(), end) {
            *origin = Arc::new(Origin { source: None, message_id: None, ..Origin::clone(origin) });
        }
    }
}

/// Rejects a candidate, without the IRI that a base made of it. It is copied, which is rare, so that all others need
/// not be moved.
#[cold]
fn refuse(judged: &mut Judged<'_>) {
    let (mut body, reason) = match judged.clone() {
        Ok(link) => (link.body, Reason::BaseTooLong),
        Err(rejected) => (*rejected.body, rejected.reason),
    };
    (body.resolved, body.host) = (None, 0..0);
    if let Some(rare) = &mut body.rare {
        rare.uri = None;
    }
    *judged = Err(Rejected::new(body, reason));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_bounded_by_what_there_is() {
        let mut repeated = Repeated::default();
        let (mut told, len) = (0, 100_000);
        for end in (10..len).step_by(10) {
            told += if repeated.takes(Teller::Link, 8000, end) { 8000 } else { 0 };
            repeated.takes(Teller::Rejected, 8000, end);
        }
        let most = limits::REPEATED_ALWAYS + limits::REPEATED * len as u64;
        assert!(repeated.is_reached() && (most - 8000..=most).contains(&told), "{told}");
        // What tells nothing more goes on.
        assert!(repeated.takes(Teller::Link, 0, 0));
    }
}
