//! Position in a text from which its links are resumed, for callers that can lend the text only for one call.

use super::text::{Input, next_link};
use crate::document::finder::Finder;
use crate::document::window::TextWindow;
use crate::input::chunk::Chunk;
use crate::link::Link;
use crate::scan::{ScanStep, Scanner, TextKind};

/// Position in a text between two of its links. It borrows neither the finder nor the text.
///
/// For a program that keeps the text elsewhere and requests one link at a time: an editor, a binding for another
/// language. All links together are those of [`Finder::links`]. The text of each call should be that of the first; for
/// another text the links from [`offset`](Cursor::offset) on are returned, and no link that begins before it.
///
/// ```
/// use linksift::{Cursor, Finder};
///
/// struct Viewer {
///     text: String,
///     finder: Finder,
///     cursor: Cursor,
/// }
///
/// let text = "http://a.example/ and b@example.com".to_owned();
/// let mut viewer = Viewer { text, finder: Finder::new(), cursor: Cursor::new() };
/// let mut ends = Vec::new();
/// while let Some(link) = viewer.cursor.next_link(&viewer.finder, &viewer.text) {
///     ends.push(link.range().end);
/// }
/// assert_eq!(ends, [17, 35]);
/// ```
#[derive(Clone, Debug)]
pub struct Cursor {
    scanner: Scanner,
    /// End of the last link.
    offset: usize,
    /// The text from the first control sequence on that a link continues across.
    window: Option<Box<TextWindow>>,
    /// Address and length of the text of the last call.
    text: (usize, usize),
}

impl Cursor {
    /// Creates a cursor at the beginning of a text.
    ///
    /// ```
    /// assert_eq!(linksift::Cursor::new().offset(), 0);
    /// ```
    #[must_use]
    pub fn new() -> Cursor {
        Cursor { scanner: Scanner::for_links(), offset: 0, window: None, text: (0, 0) }
    }

    /// Returns the offset in bytes at or after which the next links begin: the end of the last one.
    ///
    /// ```
    /// let (finder, mut cursor) = (linksift::Finder::new(), linksift::Cursor::new());
    /// cursor.next_link(&finder, "see example.com, example.org");
    /// assert_eq!(cursor.offset(), 15);
    /// ```
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the next link of `text`; after the last one `None`.
    ///
    /// ```
    /// let (finder, mut cursor) = (linksift::Finder::new(), linksift::Cursor::new());
    /// let text = "www.example.com, www.example.org";
    /// assert_eq!(cursor.next_link(&finder, text).unwrap().range(), 0..15);
    /// assert_eq!(cursor.offset(), 15);
    /// assert_eq!(cursor.next_link(&finder, text).unwrap().range(), 17..32);
    /// assert_eq!(cursor.next_link(&finder, text), None);
    /// ```
    pub fn next_link<'t>(&mut self, finder: &Finder, text: &'t str) -> Option<Link<'t>> {
        let known = (text.as_ptr().addr(), text.len());
        if self.text != known {
            // The scanner has read ahead in another text.
            self.text = known;
            self.scanner = Scanner::for_links().resumed(self.offset, self.offset);
            self.window = None;
        }
        let Cursor { scanner, window, .. } = self;
        let link = match window {
            Some(window) => next_in(window, finder, text),
            None => {
                let input = Input::Utf8(text);
                next_link(scanner, finder, input, TextKind::Prose, &mut |stopped| {
                    let chunk = Chunk::whole(text.as_bytes());
                    let after = TextWindow::after(&stopped.scanner, chunk, TextKind::Prose);
                    next_in(window.insert(Box::new(after)), finder, text)
                })
            }
        };
        let link = link?;
        self.offset = link.range().end;
        Some(link)
    }
}

/// Returns the next link of a text that continues in a window.
#[cold]
fn next_in<'t>(window: &mut TextWindow, finder: &Finder, text: &'t str) -> Option<Link<'t>> {
    let chunk = Chunk::whole(text.as_bytes());
    while let ScanStep::Found(found) = window.next(chunk, &finder.scan) {
        if let Ok(link) = finder.judge_in_window(window, chunk, found) {
            return Some(link);
        }
    }
    None
}

impl Default for Cursor {
    fn default() -> Cursor {
        Cursor::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;

    const PIECES: [&str; 14] = [
        "http://a.example/",
        "見て",
        " ",
        "b@example.org",
        "(",
        ")",
        "。",
        "&#x8868;",
        "example.com",
        "\n",
        "http://[",
        "𠮷",
        "a.b",
        "xmpp:x@y.example",
    ];

    fn text(dice: &mut Dice) -> String {
        (0..dice.below(12)).map(|_| PIECES[dice.below(PIECES.len())]).collect()
    }

    #[test]
    fn all_links_one_by_one_are_all_links() {
        let finder = Finder::new();
        let mut dice = Dice::new(9);
        let mut count = 0;
        for _ in 0..4000 {
            let text = text(&mut dice);
            let mut cursor = Cursor::new();
            let found: Vec<_> = std::iter::from_fn(|| cursor.next_link(&finder, &text)).collect();
            count += found.len();
            assert_eq!(found, finder.links(&text).collect::<Vec<_>>(), "{text:?}");
            assert_eq!(cursor.next_link(&finder, &text), None);
        }
        assert!(count > 2000, "{count}");
    }

    /// Texts that change between calls, at the same address too.
    #[test]
    fn another_text_gives_no_link_that_is_not_in_it() {
        let finder = Finder::new();
        let (mut dice, mut count) = (Dice::new(4), 0);
        let mut held = String::with_capacity(400);
        for _ in 0..2000 {
            let mut cursor = Cursor::new();
            for _ in 0..6 {
                if dice.below(3) > 0 {
                    held.clear();
                    held.push_str(&text(&mut dice));
                }
                let from = cursor.offset();
                if let Some(link) = cursor.next_link(&finder, &held) {
                    assert!(link.range().start >= from);
                    assert_eq!(held.get(link.range()), Some(link.raw()), "{held:?}");
                    count += 1;
                }
            }
        }
        assert!(count > 1_000, "{count}");
    }
}
