//! Points: the state of a page between two pieces of its markup, of which little is left to be known there.

use super::{Page, Tokens};
use crate::document::finder::Base;
use crate::limits;
use crate::link::Repeated;
use crate::markup::HtmlPoint;
use crate::notice::Notice;

/// State of a page of HTML between two pieces of markup, with nothing that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PagePoint {
    pub(crate) html: HtmlPoint,
    /// The page's own base, and whether it has one, even one that nothing can be resolved against.
    pub(crate) base: Option<String>,
    pub(crate) has_base: bool,
    /// The URI of the link whose text is being processed.
    pub(crate) href: String,
    pub(crate) repeated: [u64; 4],
    pub(crate) notices: Vec<Notice>,
}

impl Page<'_> {
    /// Returns the offset of the source before which the tokenizer has processed all, if the page is HTML.
    pub(crate) fn html_at(&self) -> Option<usize> {
        match &self.tokens {
            Tokens::Html(html) => Some(html.at()),
            _ => None,
        }
    }

    /// Returns the state of the page; `None` while something waits that it does not hold.
    pub(crate) fn point(&self) -> Option<PagePoint> {
        let Tokens::Html(html) = &self.tokens else { return None };
        let is_free = self.is_own_known
            && self.head.is_none()
            && self.inner.is_empty()
            && self.sheet.is_none()
            && self.long.is_none()
            && self.labels.is_empty()
            && self.waiting.is_none()
            && self.order.first().is_none()
            && !self.is_text_open
            && !self.is_stored_text_open()
            && self.href.len() <= limits::TOLD_WITH_EACH;
        let html = if is_free { html.point()? } else { return None };
        Some(PagePoint {
            html,
            base: self.own.as_ref().map(|base| base.as_str().to_owned()),
            has_base: self.has_own,
            href: self.href.clone(),
            repeated: self.repeated.numbers(),
            notices: self.notices.as_slice().to_vec(),
        })
    }

    /// Continues where another scan of the same page was.
    pub(crate) fn resume(&mut self, point: &PagePoint) {
        if let Tokens::Html(html) = &mut self.tokens {
            html.resume(&point.html);
        }
        (self.head, self.is_own_known, self.has_own) = (None, true, point.has_base);
        self.own = point.base.as_deref().and_then(Base::new);
        self.href.clone_from(&point.href);
        self.repeated = Repeated::of_numbers(point.repeated);
        self.notices.add_all(&point.notices);
    }
}
