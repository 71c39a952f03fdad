//! Checks: whether exactly the wanted links have changed in a document that was rewritten.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::Planned;
use crate::context::StoredContext;
use crate::document::finder::{Finder, Reference};
use crate::iri::repair::scheme_of;
use crate::link::Link;
use crate::notation::Notation;

/// Links that a scan of the rewritten document must find.
pub(super) struct Expected<'e, 't> {
    pub(super) finder: &'e Finder,
    /// Links of the original document.
    pub(super) links: &'e [Link<'t>],
    /// Edits, by their places. Links that share a place have equal edits.
    pub(super) plan: &'e [Planned],
}

/// What links are sorted by: range in the rewritten document, raw text.
type Mark<'m> = (usize, usize, &'m str);

impl<'e> Expected<'e, '_> {
    /// Returns the numbers of the edits after which `found` are not the links that were wanted: for each difference the edit that is
    /// nearest to it.
    pub(super) fn wrong(&self, found: &[Link<'_>]) -> BTreeSet<usize> {
        let places = Places::of(self.plan);
        let mut of_link = vec![None; self.links.len()];
        for (number, planned) in self.plan.iter().enumerate() {
            of_link[planned.link] = Some(number);
        }
        let mut wanted: Vec<(Mark<'_>, Option<&Planned>, &StoredContext)> =
            Vec::with_capacity(self.links.len());
        for (link, number) in self.links.iter().zip(&of_link) {
            let planned = number.map(|number| &self.plan[number]);
            let (start, end) = places.moved(link, planned);
            let raw = planned.map_or(link.raw(), |planned| &planned.raw);
            wanted.push(((start, end, raw), planned, &link.body.context));
        }
        let mut seen: Vec<_> = found.iter().collect();
        seen.sort_by_key(|link| mark(link));
        wanted.sort_by_key(|(mark, ..)| *mark);
        let mut wrong = BTreeSet::new();
        let (mut wanted, mut seen) = (wanted.into_iter().peekable(), seen.into_iter().peekable());
        loop {
            let order = match (wanted.peek(), seen.peek()) {
                (None, None) => return wrong,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((one, ..)), Some(link)) => one.cmp(&mark(link)),
            };
            let first = wanted.next_if(|_| order.is_le());
            let second = seen.next_if(|_| order.is_ge());
            let place = match (first, second) {
                (Some((_, planned, context)), Some(link))
                    if *context == link.body.context
                        && planned.is_none_or(|planned| self.is_wanted(planned, link)) =>
                {
                    continue;
                }
                (Some((mark, ..)), _) => (mark.0, mark.1),
                (None, Some(link)) => (link.range().start, link.range().end),
                (None, None) => return wrong,
            };
            wrong.extend(places.nearest(place));
        }
    }

    /// Returns `true` if a link that has the raw text of an edit means what was wanted.
    fn is_wanted(&self, planned: &Planned, link: &Link<'_>) -> bool {
        let text = &*planned.text;
        // No base and no repair changes what a scan of running text reads.
        if link.body.text() == text {
            return true;
        }
        if link.written() != text {
            return false;
        }
        // A relative reference depends on its base.
        if scheme_of(text).is_none() {
            return true;
        }
        let reference = Reference {
            text: Cow::Borrowed(text),
            raw: None,
            range: link.range(),
            context: link.body.context.clone(),
            notation: Notation::default(),
        };
        let judged = self.finder.judge_value(reference, None, link.body.charset);
        judged.is_ok_and(|judged| judged.uri() == link.uri())
    }
}

/// Returns what a link that was found is sorted by.
fn mark<'l>(link: &'l Link<'_>) -> Mark<'l> {
    (link.range().start, link.range().end, link.raw())
}

/// Edits in the rewritten document.
struct Places<'e> {
    plan: &'e [Planned],
    /// For each edit, where it begins in the rewritten document.
    starts: Vec<usize>,
    /// Number of bytes that the rewritten document has beyond the original one after so many edits, added to the length of what they replace.
    grown: Vec<(usize, usize)>,
}

impl<'e> Places<'e> {
    fn of(plan: &'e [Planned]) -> Places<'e> {
        let (mut added, mut removed) = (0, 0);
        let mut places = Places { plan, starts: Vec::new(), grown: vec![(0, 0)] };
        for (number, Planned { edit, .. }) in plan.iter().enumerate() {
            places.starts.push(edit.range.start + added - removed);
            if number == 0 || plan[number - 1].edit != *edit {
                (added, removed) = (added + edit.bytes.len(), removed + edit.range.len());
            }
            places.grown.push((added, removed));
        }
        places
    }

    /// Returns where a link begins and ends in the rewritten document; `own` is its edit.
    fn moved(&self, link: &Link<'_>, own: Option<&Planned>) -> (usize, usize) {
        let after = |at: usize| self.plan.partition_point(|planned| planned.edit.range.end <= at);
        let shifted = |at: usize, edits: usize| {
            let (added, removed) = self.grown[edits];
            at + added - removed
        };
        let range = link.range();
        let mut start = shifted(range.start, after(range.start));
        if let Some(own) = own.filter(|own| own.edit.range.end <= range.start) {
            start -= own.edit.bytes.len();
        }
        (start, shifted(range.end, after(range.end)))
    }

    /// Returns the number of the edit that is nearest to a range of the rewritten document.
    fn nearest(&self, place: (usize, usize)) -> Option<usize> {
        let after = self.starts.partition_point(|start| *start <= place.1);
        let before = after.checked_sub(1);
        let distance = |number: usize| {
            let end = self.starts[number] + self.plan[number].edit.bytes.len();
            match self.starts[number] > place.1 {
                true => self.starts[number] - place.1,
                false => place.0.saturating_sub(end),
            }
        };
        let both = [before, Some(after).filter(|after| *after < self.starts.len())];
        both.into_iter().flatten().min_by_key(|number| distance(*number))
    }
}
