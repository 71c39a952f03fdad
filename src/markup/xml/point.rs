//! Points: the state of the tokenizer in content, between two pieces of markup.

use super::paragraph::ParagraphRuns;
use super::scope::{ElementStack, XmlStackPoint};
use super::{Xml, XmlMode};

/// State of the tokenizer in content, with no entity declared, outside of the paragraphs of Office.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct XmlPoint {
    pub(crate) at: usize,
    pub(crate) stack: XmlStackPoint,
}

impl XmlPoint {
    /// Returns the point if a tokenizer can have this state.
    pub(crate) fn checked(self) -> Option<XmlPoint> {
        ElementStack::resumed(&self.stack).is_some().then_some(self)
    }
}

impl Xml {
    /// Returns the state between two pieces of markup; `None` elsewhere, and where it is more than a point holds.
    pub(crate) fn point(&self) -> Option<XmlPoint> {
        let at = self.at;
        let is_free = self.mode == XmlMode::Content
            && !self.open
            && self.due.is_empty()
            && self.entities.is_empty()
            && self.texts.is_none()
            && self.looked.text <= at
            && self.code_until <= at
            && self.runs == ParagraphRuns::default();
        let stack = if is_free { self.scope.point()? } else { return None };
        Some(XmlPoint { at, stack })
    }

    /// Continues where another tokenizer of the same document was.
    pub(crate) fn resume(&mut self, point: &XmlPoint) {
        self.at = point.at;
        self.scope = ElementStack::resumed(&point.stack).unwrap_or_default();
    }

    /// Returns the offset of the `<` of the start tag that was read last, if it has a value.
    pub(crate) fn tag_start(&self) -> usize {
        self.tag.start
    }

    /// Returns the offset before which all bytes have been processed.
    pub(crate) fn at(&self) -> usize {
        self.at
    }
}
