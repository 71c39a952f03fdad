//! Details of links that callers ask for: their visible text and their relation.
//!
//! The text is that which [`anchor`](super::anchor) compares with the target; here it is kept, at most [`SHOWN`] bytes of it.

use std::ops::Range;

use super::{Page, Source, Tokens};
use crate::context::ContextKind;
use crate::limits::SHOWN;
use crate::link::{Judged, body_of, shown_text};
use crate::markup::anchor::{AnchorElement, AnchorText, Dialect, ReadAnchor, VISIBLE, anchor};
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

/// What is behind a value, for its links of one kind. A value may have many of them, and its text is read once.
#[derive(Clone)]
pub(super) struct ReadValue {
    /// Range of the value in the source.
    range: Range<usize>,
    kind: ContextKind,
    pub(super) details: LinkDetails,
    /// Text that is compared with the targets, if links of this kind have one.
    pub(super) compared: Option<AnchorText>,
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

    /// Returns what is behind a value at this range, for its links of this kind; `None` if it is not available yet.
    pub(super) fn read_value(
        &mut self,
        source: &Source<'_>,
        value: &Range<usize>,
        kind: ContextKind,
    ) -> Option<ReadValue> {
        let is_read = |read: &mut ReadValue| read.range == *value && read.kind == kind;
        if let Some(read) = self.texts.read.take_if(is_read) {
            return Some(read);
        }
        let details = match self.settings.details {
            true => self.details(source, value, kind)?,
            false => LinkDetails::default(),
        };
        let compared = match leads_from(kind) {
            Some(element) => match self.read_text(source, value, element, VISIBLE) {
                ReadAnchor::Text(text) => Some(text),
                ReadAnchor::Cut => return None,
            },
            None => None,
        };
        Some(ReadValue { range: value.clone(), kind, details, compared })
    }

    /// Reads the text of the element that a reference at this range leads from.
    fn read_text(
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

    /// Returns the details of a link of this kind whose value is at this range; `None` if they are not available yet.
    fn details(
        &self,
        source: &Source<'_>,
        value: &Range<usize>,
        kind: ContextKind,
    ) -> Option<LinkDetails> {
        let rules = self.dialect().1;
        let of_tag = TagValues::around(source.chunk, self.tokens.tag_start(), value.start)?;
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
