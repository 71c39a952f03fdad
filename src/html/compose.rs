//! Composers: the links of a text that is being edited.

use std::ops::Range;

use crate::document::finder::Finder;
use crate::link::Link;

/// The links of the lines that were edited in a composer, and the range of these lines.
///
/// A composer drops its links in [`range`](Rescan::range), and keeps these instead.
///
/// ```
/// let text = "http://a.example/\nsee b.com, c.com\n";
/// let finder = linksift::Finder::new();
/// let mut known = vec![0..17, 22..24];
///
/// let edited = finder.rescan(text, 24..27);
/// known.retain(|link| link.end <= edited.range.start || edited.range.end <= link.start);
/// known.extend(edited.links.iter().map(|link| link.range()));
/// assert_eq!(known, [0..17, 22..27, 29..34]);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rescan<'t> {
    /// Range of the complete lines that contain these links. Links found in it before are outdated.
    pub range: Range<usize>,
    /// The links in the range; their ranges are those of the complete text.
    pub links: Vec<Link<'t>>,
}

impl Finder {
    /// Returns the links of the lines of `text` that contain `edited`, the range that was changed, after the change. For
    /// composers, at each keystroke. No link of plain text continues after the end of a line (LF), and other lines do not
    /// affect it.
    ///
    /// An end that is not at a character boundary is moved to one.
    ///
    /// ```
    /// let text = "http://a.example/\nsee example.com\n";
    /// let finder = linksift::Finder::new();
    /// let found = finder.rescan(text, 20..21);
    /// assert_eq!(found.range, 18..33);
    /// assert_eq!(found.links[0].range(), 22..33);
    /// ```
    pub fn rescan<'t>(&self, text: &'t str, edited: Range<usize>) -> Rescan<'t> {
        let bytes = text.as_bytes();
        let start = edited.start.min(bytes.len());
        let end = edited.end.clamp(start, bytes.len());
        // The complete line affects names of files; a CR alone does not end a line.
        let start = memchr::memrchr(b'\n', &bytes[..start]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |at| end + at);
        let moved = |mut link: Link<'t>| {
            link.body.range = link.body.range.start + start..link.body.range.end + start;
            link
        };
        let links = self.links(&text[start..end]).map(moved).collect();
        Rescan { range: start..end, links }
    }
}

/// A text that is being edited, and its links: an edit scans the lines that it touches, and moves the links after them.
///
/// ```
/// let finder = linksift::Finder::new();
/// let mut composer = finder.compose("see http://a.example/ and\nb.example.com");
/// // Text before a link moves it.
/// assert_eq!(composer.edit(0..3, "look at"), 0..29);
/// let ranges: Vec<_> = composer.links().iter().map(|link| link.range()).collect();
/// assert_eq!(ranges, [8..25, 30..43]);
/// composer.edit(24..25, "/x");
/// assert_eq!(composer.links()[0].uri(), "http://a.example/x");
/// ```
#[derive(Clone, Debug)]
pub struct Composer<'f> {
    finder: &'f Finder,
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
    pub fn compose(&self, text: impl Into<String>) -> Composer<'_> {
        let text = text.into();
        let links = self.links(&text).map(Link::into_owned).collect();
        Composer { finder: self, text, links }
    }
}

impl Composer<'_> {
    /// Replaces a range of the text, in bytes. Returns the range of the new text that was scanned: complete lines, in which
    /// links may have come, gone or changed; all others have only moved. An end of the range that is not at a
    /// character boundary is moved to the one before it; one after the text is its end.
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
        let Rescan { range, links: found } = finder.rescan(text, start..added);
        // The lines that were scanned, in the text before the edit.
        let before = range.start..range.end - added + end;
        let from = links.partition_point(|link| link.body.range.end <= before.start);
        let to = links.partition_point(|link| link.body.range.start < before.end).max(from);
        for link in &mut links[to..] {
            let moved = |at: usize| at - end + added;
            link.body.range = moved(link.body.range.start)..moved(link.body.range.end);
        }
        links.splice(from..to, found.into_iter().map(Link::into_owned));
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

/// Returns the last character boundary up to an offset.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
