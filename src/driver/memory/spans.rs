//! All of a text in pieces: links, and the text between them.

use std::iter::FusedIterator;
use std::ops::Range;

use super::Links;
use crate::document::finder::Finder;
use crate::link::Link;

impl Finder {
    /// Returns all of `text` in order: its links, and the texts between them, none of which is empty.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let html: String = finder
    ///     .spans("see example.com, or not")
    ///     .map(|span| match span.link() {
    ///         Some(link) => format!("<{}>", link.uri()),
    ///         None => span.raw().to_owned(),
    ///     })
    ///     .collect();
    /// assert_eq!(html, "see <https://example.com>, or not");
    /// ```
    pub fn spans<'f, 't>(&'f self, text: &'t str) -> Spans<'f, 't> {
        Spans { text, at: 0, links: self.links(text), link: None }
    }
}

/// Piece of a text: a link, or the text between two links; see [`Finder::spans`].
///
/// ```
/// let spans: Vec<_> = linksift::Finder::new().spans("see example.com").collect();
/// assert_eq!((spans[0].raw(), spans[0].link().is_some()), ("see ", false));
/// assert_eq!((spans[1].raw(), spans[1].link().is_some()), ("example.com", true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span<'t> {
    raw: &'t str,
    start: usize,
    link: Option<Link<'t>>,
}

impl<'t> Span<'t> {
    /// Returns the piece as written.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.spans("no link").next().unwrap().raw(), "no link");
    /// ```
    pub fn raw(&self) -> &'t str {
        self.raw
    }

    /// Returns the range of the piece in the text, in bytes.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.spans("见 example.com").nth(1).unwrap().range(), 4..15);
    /// ```
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.raw.len()
    }

    /// Returns the link, if the piece is one.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let span = finder.spans("me@example.com").next().unwrap();
    /// assert_eq!(span.link().unwrap().uri(), "mailto:me@example.com");
    /// ```
    pub fn link(&self) -> Option<&Link<'t>> {
        self.link.as_ref()
    }
}

/// Iterator over the pieces of a text; see [`Finder::spans`].
///
/// ```
/// let finder = linksift::Finder::new();
/// let spans: linksift::Spans<'_, '_> = finder.spans("example.com or example.org");
/// assert_eq!(spans.count(), 3);
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy"]
pub struct Spans<'f, 't> {
    text: &'t str,
    /// Offset before which everything was returned.
    at: usize,
    links: Links<'f, 't>,
    /// The link after the text that was returned last.
    link: Option<Link<'t>>,
}

impl<'t> Iterator for Spans<'_, 't> {
    type Item = Span<'t>;

    fn next(&mut self) -> Option<Span<'t>> {
        let start = self.at;
        let link = self.link.take().or_else(|| self.links.next());
        let range = link.as_ref().map_or(self.text.len()..self.text.len(), Link::range);
        if start < range.start {
            (self.at, self.link) = (range.start, link);
            return Some(Span { raw: &self.text[start..range.start], start, link: None });
        }
        let link = link?;
        self.at = range.end;
        Some(Span { raw: &self.text[range], start, link: Some(link) })
    }
}

impl FusedIterator for Spans<'_, '_> {}
