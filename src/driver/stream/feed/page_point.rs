//! The state of a page, as fields of a point.

use std::fmt;

use super::fields::{Fields, Words};
use crate::detect::document::DocumentFormat;
use crate::document::pass::{PagePoint, TokensPoint};
use crate::markup::{CsvPoint, HtmlPoint, HtmlTagPoint, JsonPoint, XmlPoint, XmlStackPoint};

impl Fields<'_, '_> {
    pub(super) fn page(&mut self, page: &PagePoint) -> fmt::Result {
        let PagePoint { tokens, base, has_base, inner, href, repeated, notices } = page;
        match tokens {
            TokensPoint::Html(html) => self.html(html)?,
            TokensPoint::Xml(XmlPoint { at: _, stack }) => self.xml_stack(stack)?,
            TokensPoint::Json(JsonPoint { at: _, is_in_string }) => self.number(*is_in_string)?,
            TokensPoint::Csv(CsvPoint { at: _, separator, is_quoted, is_inside }) => {
                self.number(*separator)?;
                self.number(*is_quoted)?;
                self.number(*is_inside)?;
            }
        }
        self.text(base.as_deref())?;
        self.number(*has_base)?;
        self.size(inner.len())?;
        inner.iter().try_for_each(|base| self.text(base.as_deref()))?;
        self.text(Some(href))?;
        repeated.iter().try_for_each(|number| self.number(*number))?;
        self.notices(notices)
    }

    fn html(&mut self, html: &HtmlPoint) -> fmt::Result {
        let HtmlPoint { at: _, joined, in_link, around, tag } = html;
        self.number(*joined)?;
        self.number(*in_link)?;
        self.size(around.len())?;
        for (number, count) in around {
            self.number(*number)?;
            self.number(*count)?;
        }
        self.number(tag.is_some())?;
        if let Some(HtmlTagPoint { at, element, seen, is_link }) = tag {
            self.size(*at)?;
            self.number(*element)?;
            write!(self.0, " {seen}")?;
            self.number(*is_link)?;
        }
        Ok(())
    }

    fn xml_stack(&mut self, stack: &XmlStackPoint) -> fmt::Result {
        let XmlStackPoint { elements, prefixes } = stack;
        self.size(elements.len())?;
        elements.iter().flatten().try_for_each(|number| self.number(*number))?;
        self.size(prefixes.len())?;
        for (prefix, vocabulary) in prefixes {
            self.text(Some(prefix))?;
            self.number(*vocabulary)?;
        }
        Ok(())
    }
}

impl Words<'_> {
    /// Reads the state of a page whose tokenizer is at an offset.
    pub(super) fn page(&mut self, at: usize, format: DocumentFormat) -> Option<PagePoint> {
        let tokens = match format {
            DocumentFormat::Xml => {
                TokensPoint::Xml(XmlPoint { at, stack: self.xml_stack()? }.checked()?)
            }
            DocumentFormat::Json => TokensPoint::Json(JsonPoint { at, is_in_string: self.flag()? }),
            DocumentFormat::Csv => {
                let (separator, is_quoted, is_inside) =
                    (self.parsed()?, self.flag()?, self.flag()?);
                TokensPoint::Csv(CsvPoint { at, separator, is_quoted, is_inside }.checked()?)
            }
            _ => TokensPoint::Html(self.html(at)?),
        };
        let bases = match &tokens {
            TokensPoint::Xml(xml) => xml.stack.bases(),
            _ => 0,
        };
        let (base, has_base) = (self.text()?, self.flag()?);
        let inner = self.list(Words::text).filter(|inner| inner.len() == bases)?;
        let href = self.text()??;
        let repeated = [self.count()?, self.count()?, self.count()?, self.count()?];
        let notices = self.notices()?;
        Some(PagePoint { tokens, base, has_base, inner, href, repeated, notices })
    }

    fn html(&mut self, at: usize) -> Option<HtmlPoint> {
        let (joined, in_link) = (self.flag()?, self.flag()?);
        let around = self.list(|words| Some((words.parsed()?, words.parsed()?)))?;
        let tag = match self.flag()? {
            true => {
                let done = self.count().filter(|done| *done >= at)?;
                let (element, seen, is_link) = (self.parsed()?, self.parsed()?, self.flag()?);
                Some(HtmlTagPoint { at: done, element, seen, is_link })
            }
            false => None,
        };
        Some(HtmlPoint { at, joined, in_link, around, tag })
    }

    fn xml_stack(&mut self) -> Option<XmlStackPoint> {
        let numbers = |words: &mut Self| {
            Some([words.parsed()?, words.parsed()?, words.parsed()?, words.parsed()?])
        };
        let elements = self.list(numbers)?;
        let prefixes = self.list(|words| Some((words.text()??, words.parsed()?)))?;
        Some(XmlStackPoint { elements, prefixes })
    }
}
