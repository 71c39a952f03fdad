//! Answers of HTTP: the links of their headers.

use crate::charset::Charset;
use crate::container::{AnswerHeads, HeaderLink};
use crate::detect::document::Hints;
use crate::document::finder::{Base, Finder, Reference};
use crate::link::{Judged, Repeated, body_of, set_position, shown_text};
use crate::notation::Notation;
use crate::notice::Notice;

/// Returns the links of the headers, and appends notices on them.
pub(super) fn links_of(
    finder: &Finder,
    heads: &mut AnswerHeads,
    hints: &Hints,
    notices: &mut Vec<Notice>,
) -> Vec<Judged<'static>> {
    let mut repeated = Repeated::default();
    let each = heads.links.drain(..).map(|(link, base)| {
        let base = base.as_ref().map(Base::from);
        judged(finder, hints, link, base.as_ref(), &mut repeated)
    });
    let found = each.collect();
    notices.extend(heads.is_too_much.then_some(Notice::ReadAsText));
    notices.extend(repeated.is_reached().then_some(Notice::Repeated));
    found
}

/// Judges a link of a header of HTTP.
pub(crate) fn judged(
    finder: &Finder,
    hints: &Hints,
    link: HeaderLink,
    base: Option<&Base>,
    repeated: &mut Repeated,
) -> Judged<'static> {
    let HeaderLink { context, text, range, position, rel } = link;
    let reference = Reference {
        text: text.into(),
        raw: None,
        range,
        context: context.into(),
        notation: Notation::UNWRITABLE,
    };
    let mut judged = finder.judge_value(reference, base, Charset::UTF_8);
    repeated.bound(&mut judged);
    set_position(&mut judged, hints.positions.map(|_| position));
    if let Some(rel) = rel.filter(|_| hints.scope.details) {
        body_of(&mut judged).rare_mut().rel = shown_text(&rel);
    }
    judged
}
