//! Composers: the links of a text that is being edited.

use std::ops::Range;

use crate::document::finder::Finder;
use crate::link::Link;
use crate::scan::MAX_BEFORE;

/// A text that is being edited, and its links: an edit scans the lines that it may affect, and moves the links after them.
///
/// It owns a clone of its finder, some 100 bytes, so that the state of an editor can keep it. Clones share the hosts that others must
/// not resemble and the default scheme; [`Schemes::List`](crate::Schemes::List) is copied.
///
/// ```
/// let finder = linksift::Finder::new();
/// let mut composer = finder.compose("see http://a.example/ and\nb.example.com");
/// // Text before a link moves it.
/// assert_eq!(composer.edit(0..3, "look at"), 0..43);
/// let ranges: Vec<_> = composer.links().iter().map(|link| link.range()).collect();
/// assert_eq!(ranges, [8..25, 30..43]);
/// composer.edit(24..25, "/x");
/// assert_eq!(composer.links()[0].uri(), "http://a.example/x");
/// ```
#[derive(Clone, Debug)]
pub struct Composer {
    finder: Finder,
    text: String,
    links: Vec<Link<'static>>,
}

impl Finder {
    /// Begins a composer with a text.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let composer = finder.compose("see example.com");
    /// assert_eq!(composer.links()[0].range(), 4..15);
    /// ```
    pub fn compose(&self, text: impl Into<String>) -> Composer {
        let text = text.into();
        let links = self.links(&text).map(Link::into_owned).collect();
        Composer { finder: self.clone(), text, links }
    }
}

impl Composer {
    /// Replaces a range of the text, in bytes. Returns the range of the new text in which links may have come, gone or
    /// changed: the lines of the edit, which end at LF, and those that begin a few bytes after it. All other links have only moved. An end of
    /// the range that is not at a character boundary is moved to the one before it; one after the text is its end.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let mut composer = finder.compose("");
    /// for (at, c) in "example.com".char_indices() {
    ///     composer.edit(at..at, c.encode_utf8(&mut [0; 4]));
    /// }
    /// assert_eq!(composer.links()[0].uri(), "https://example.com");
    /// composer.edit(0..1, "");
    /// assert_eq!(composer.links()[0].raw(), "xample.com");
    /// ```
    pub fn edit(&mut self, range: Range<usize>, new: &str) -> Range<usize> {
        let Composer { finder, text, links } = self;
        let start = floor(text, range.start);
        let end = floor(text, range.end).max(start);
        text.replace_range(start..end, new);
        let added = start + new.len();
        let range = lines_that_depend_on(text, start..added);
        // The same lines in the text before the edit.
        let before = range.start..range.end - added + end;
        let from = links.partition_point(|link| link.body.range.end <= before.start);
        let to = links.partition_point(|link| link.body.range.start < before.end).max(from);
        for link in &mut links[to..] {
            let moved = |at: usize| at - end + added;
            link.body.range = moved(link.body.range.start)..moved(link.body.range.end);
        }
        // The text before these lines is only context, which need not begin with a line: its links stay as they are.
        let context = floor(text, range.start.saturating_sub(MAX_BEFORE));
        let found = finder.links(&text[context..range.end]).filter_map(|mut link| {
            link.body.range = link.body.range.start + context..link.body.range.end + context;
            (link.body.range.start >= range.start).then(|| link.into_owned())
        });
        links.splice(from..to, found);
        range
    }

    /// Returns the text.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let mut composer = finder.compose("see b.com");
    /// composer.edit(4..5, "a");
    /// assert_eq!(composer.text(), "see a.com");
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the links of the text, in order.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert!(finder.compose("see here").links().is_empty());
    /// ```
    pub fn links(&self) -> &[Link<'static>] {
        &self.links
    }
}

/// Returns the lines that contain a range, and those whose links the range may affect: a name on a later line may be
/// rejected because of the text before it. No link of plain text continues after the end of a line (LF), and later lines do
/// not affect it. A CR alone does not end a line.
fn lines_that_depend_on(text: &str, range: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = memchr::memrchr(b'\n', &bytes[..range.start]).map_or(0, |at| at + 1);
    let last = (range.end + MAX_BEFORE - 1).min(bytes.len());
    let end = memchr::memchr(b'\n', &bytes[last..]).map_or(bytes.len(), |at| last + at);
    start..end
}

/// Returns the last character boundary up to an offset.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
