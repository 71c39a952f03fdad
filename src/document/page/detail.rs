//! Details of links that callers ask for: their visible text and their relation.
//!
//! The text is that which [`anchor`](super::anchor) compares with the target; here it is kept, at most [`SHOWN`] bytes of it.

use std::ops::Range;

use super::{Page, Source, Tokens};
use crate::context::ContextKind;
use crate::limits::SHOWN;
use crate::link::{Judged, Link, body_of, shown_text};
use crate::markup::anchor::{AnchorElement, Dialect, ReadAnchor, anchor};
use crate::markup::tag_values::TagValues;
use crate::markup::{Rules, result_text};
use crate::scan::reference::plainly_resolved;

/// Maximum number of stored bytes of a text or a relation of which [`SHOWN`] are kept: references are longer than their characters.
const MOST_STORED: usize = 4 * SHOWN;

/// Visible text and relation of a link.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkDetails {
    pub(super) text: Option<Box<str>>,
    pub(super) rel: Option<Box<str>>,
}

impl LinkDetails {
    /// Returns a link with these details.
    pub(super) fn of(self, mut judged: Judged<'_>) -> Judged<'_> {
        if self.text.is_some() || self.rel.is_some() {
            let rare = body_of(&mut judged).rare_mut();
            (rare.text, rare.rel) = (self.text, self.rel);
        }
        judged
    }
}

impl Page<'_> {
    /// Returns the markup language of the page, and how references in its texts are resolved.
    #[inline]
    pub(super) fn dialect(&self) -> (Dialect, Rules) {
        match self.tokens {
            Tokens::Xml(_) => (Dialect::Xml, Rules::Xml),
            _ => (Dialect::Html, Rules::HtmlText),
        }
    }

    /// Returns `true` if the caller wants details of a link in this context, which has some.
    #[inline]
    pub(super) fn wants_details(&self, kind: ContextKind) -> bool {
        self.settings.details
            && (leads_from(kind).is_some()
                || kind.is_markdown()
                || matches!(
                    kind,
                    ContextKind::Relation | ContextKind::Form | ContextKind::Embedded
                ))
    }

    /// Reads the text of the element that a reference at this range leads from.
    pub(super) fn read_text(
        &self,
        source: &Source<'_>,
        value: &Range<usize>,
        element: AnchorElement,
        visible: usize,
    ) -> ReadAnchor {
        match element {
            AnchorElement::FieldCode | AnchorElement::FieldElement | AnchorElement::Formula => {
                result_text(source.chunk, value.clone(), element)
            }
            _ => anchor(source.chunk, value.end, self.dialect().0, element, visible),
        }
    }

    /// Returns the details of a link whose value is at this range; `None` if they are not available yet.
    pub(super) fn details(
        &self,
        source: &Source<'_>,
        value: &Range<usize>,
        link: &Link<'_>,
    ) -> Option<LinkDetails> {
        let kind = link.body.context.kind();
        let rules = self.dialect().1;
        let of_tag = TagValues::around(source.chunk, value.start)?;
        let charset = source.charset(self.charset);
        let plain = |bytes: &[u8]| {
            let bytes = bytes.get(..MOST_STORED).unwrap_or(bytes);
            shown_text(&plainly_resolved(&charset.decode(bytes), rules))
        };
        let own = of_tag.alt.filter(|_| !matches!(kind, ContextKind::Anchor | ContextKind::Button));
        let own = own.and_then(plain);
        let text = match leads_from(kind).filter(|_| own.is_none()) {
            Some(element) => {
                let read = self.read_text(source, value, element, MOST_STORED);
                let ReadAnchor::Text(found) = read else { return None };
                if found.is_resolved {
                    let text = shown_text(&String::from_utf8_lossy(&found.bytes));
                    return Some(LinkDetails { text, rel: None });
                }
                let pictures = found.alternatives.iter().skip(usize::from(found.has_title));
                plain(&found.bytes)
                    .or_else(|| plain(&pictures.cloned().collect::<Vec<_>>().join(&b' ')))
            }
            None => own,
        };
        let rel = of_tag.rel.and_then(plain).map(|rel| rel.to_lowercase().into_boxed_str());
        Some(LinkDetails { text, rel })
    }
}

/// Returns the element whose text says where a link of this kind leads.
#[inline]
pub(super) fn leads_from(kind: ContextKind) -> Option<AnchorElement> {
    match kind {
        ContextKind::Anchor => Some(AnchorElement::Anchor),
        ContextKind::Button => Some(AnchorElement::Button),
        ContextKind::Area => Some(AnchorElement::Area),
        ContextKind::FieldCode => Some(AnchorElement::FieldCode),
        ContextKind::FieldElement => Some(AnchorElement::FieldElement),
        ContextKind::Formula => Some(AnchorElement::Formula),
        _ => None,
    }
}
