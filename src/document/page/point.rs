//! Points: the state of a page between two pieces of its markup, of which little is left to be known there.

use super::{Page, Tokens};
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
        let (base, has_base) = self.bases.point()?;
        let is_free = self.unended.sheet.is_none()
            && self.unended.long.is_none()
            && self.texts.labels.is_empty()
            && self.texts.waiting.is_empty()
            && self.order.first().is_none()
            && !self.running.is_open
            && !self.running.is_stored()
            && self.running.target.uri().is_some_and(|uri| uri.len() <= limits::TOLD_WITH_EACH);
        let html = if is_free { html.point()? } else { return None };
        Some(PagePoint {
            html,
            base,
            has_base,
            href: self.running.target.uri()?.to_owned(),
            repeated: self.repeated.numbers(),
            notices: self.notices.as_slice().to_vec(),
        })
    }

    /// Continues where another scan of the same page was.
    pub(crate) fn resume(&mut self, point: &PagePoint) {
        if let Tokens::Html(html) = &mut self.tokens {
            html.resume(&point.html);
        }
        self.bases.resume(point.base.as_deref(), point.has_base);
        self.running.target.set(&point.href);
        self.repeated = Repeated::of_numbers(point.repeated);
        self.notices.add_all(&point.notices);
    }
}
