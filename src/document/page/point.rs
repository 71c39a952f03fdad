//! Points: the state of a page between two of its tokens, where little is left to be known.

use super::{Page, Tokens};
use crate::limits;
use crate::link::Repeated;
use crate::markup::{CsvPoint, HtmlPoint, JsonPoint, XmlPoint};
use crate::notice::Notice;

/// State of a page between two tokens, with nothing that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PagePoint {
    pub(crate) tokens: TokensPoint,
    /// The page's own base, and whether it has one, even one that nothing can be resolved against.
    pub(crate) base: Option<String>,
    pub(crate) has_base: bool,
    /// Bases of the open elements.
    pub(crate) inner: Vec<Option<String>>,
    /// The URI of the link whose text is being processed.
    pub(crate) href: String,
    pub(crate) repeated: [u64; 4],
    pub(crate) notices: Vec<Notice>,
}

/// State of the tokenizer of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokensPoint {
    Html(HtmlPoint),
    Xml(XmlPoint),
    Json(JsonPoint),
    Csv(CsvPoint),
}

impl TokensPoint {
    /// Returns the offset from which the tokenizer needs bytes.
    pub(crate) fn at(&self) -> usize {
        match self {
            TokensPoint::Html(html) => html.at,
            TokensPoint::Xml(xml) => xml.at,
            TokensPoint::Json(json) => json.at,
            TokensPoint::Csv(csv) => csv.at,
        }
    }

    /// Returns the offset before which the tokenizer has processed all bytes.
    pub(crate) fn done(&self) -> usize {
        match self {
            TokensPoint::Html(html) => html.tag.map_or(html.at, |tag| tag.at),
            _ => self.at(),
        }
    }
}

impl Tokens {
    /// Returns the offset before which the tokenizer has processed all bytes, in a format that has points.
    fn at(&self) -> Option<usize> {
        match self {
            Tokens::Html(html) => Some(html.at()),
            Tokens::Xml(xml) => Some(xml.at()),
            Tokens::Json(json) => Some(json.needed()),
            Tokens::Csv(csv) => Some(csv.needed()),
            _ => None,
        }
    }

    fn point(&self) -> Option<TokensPoint> {
        Some(match self {
            Tokens::Html(html) => TokensPoint::Html(html.point()?),
            Tokens::Xml(xml) => TokensPoint::Xml(xml.point()?),
            Tokens::Json(json) => TokensPoint::Json(json.point()?),
            Tokens::Csv(csv) => TokensPoint::Csv(csv.point()?),
            _ => return None,
        })
    }

    fn resume(&mut self, point: &TokensPoint) {
        match (self, point) {
            (Tokens::Html(html), TokensPoint::Html(point)) => html.resume(point),
            (Tokens::Xml(xml), TokensPoint::Xml(point)) => xml.resume(point),
            (Tokens::Json(json), TokensPoint::Json(point)) => json.resume(point),
            (Tokens::Csv(csv), TokensPoint::Csv(point)) => csv.resume(point),
            _ => {}
        }
    }
}

impl Page<'_> {
    /// Returns the offset of the source before which the tokenizer has processed all, in a format that has points.
    pub(crate) fn at(&self) -> Option<usize> {
        self.tokens.at()
    }

    /// Returns the state of the page; `None` while something waits that it does not hold.
    pub(crate) fn point(&self) -> Option<PagePoint> {
        let is_free = self.unended.sheet.is_none()
            && self.unended.long.is_none()
            && self.texts.labels.is_empty()
            && self.texts.waiting.is_empty()
            && self.order.first().is_none()
            && !self.running.is_open
            && !self.running.is_stored()
            && self.running.target.uri().is_some_and(|uri| uri.len() <= limits::TOLD_WITH_EACH)
            && self.bases.has_point();
        let tokens = if is_free { self.tokens.point()? } else { return None };
        let (base, has_base, inner) = self.bases.point();
        Some(PagePoint {
            tokens,
            base,
            has_base,
            inner,
            href: self.running.target.uri()?.to_owned(),
            repeated: self.repeated.numbers(),
            notices: self.notices.as_slice().to_vec(),
        })
    }

    /// Continues where another scan of the same page was.
    pub(crate) fn resume(&mut self, point: &PagePoint) {
        self.tokens.resume(&point.tokens);
        self.bases.resume((point.base.as_deref(), point.has_base), &point.inner);
        self.running.target.set(&point.href);
        self.repeated = Repeated::of_numbers(point.repeated);
        self.notices.add_all(&point.notices);
    }
}
