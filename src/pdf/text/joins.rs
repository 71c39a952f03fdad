//! Lines of a page that a link joins.
//!
//! A link that continues on the next line is one: where the annotation over both parts says so, or where the line ends with a
//! character of a link, has no room for what follows, and that reads like a part of a link. A paragraph breaks before every
//! word that does not fit, so a plain word after a link says nothing by its place: the page decides then, by its other words
//! and by how it treats its other links.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::LinkArea;
use super::glyph::{PageGlyphs, Point, TextLine};

/// Different words of a page that are known.
const MOST_WORDS: usize = 1 << 16;
/// Length in bytes of the longest part after a dot that may be a word alone: the extension of a file, or most domains.
const LONGEST_EXTENSION: usize = 5;
/// Width of a space between words, in font sizes.
const WORD_SPACE: f32 = 0.35;

/// How a line continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Continuation {
    Not,
    Joined,
    /// The last character is a hyphen that is not part of the link.
    WithoutHyphen,
}

/// Lines of a page, with what says how they continue.
pub(super) struct LineJoins<'p> {
    page: &'p PageGlyphs,
    lines: &'p [TextLine],
    /// Number of the link that each glyph belongs to.
    owners: &'p [Option<usize>],
    links: &'p [LinkArea],
    /// Words of the page.
    words: OnceCell<HashSet<&'p str>>,
    /// Whether the page moves a link to the next line rather than break it.
    keeps_links: OnceCell<bool>,
    /// Whether the line is a part of a link that began before it, and nothing else.
    is_inside: bool,
}

impl<'p> LineJoins<'p> {
    pub(super) fn new(
        page: &'p PageGlyphs,
        lines: &'p [TextLine],
        owners: &'p [Option<usize>],
        links: &'p [LinkArea],
    ) -> LineJoins<'p> {
        let (words, keeps_links) = (OnceCell::new(), OnceCell::new());
        LineJoins { page, lines, owners, links, words, keeps_links, is_inside: false }
    }

    /// Returns how the line with this number continues. Lines are asked for in their order.
    pub(super) fn after(&mut self, number: usize) -> Continuation {
        let continuation = self.between(number);
        let next = self.lines.get(number + 1);
        self.is_inside = continuation != Continuation::Not
            && next.is_some_and(|next| !next.text.trim().contains(char::is_whitespace));
        continuation
    }

    fn between(&self, number: usize) -> Continuation {
        let line = &self.lines[number];
        let Some(next) = self.lines.get(number + 1) else { return Continuation::Not };
        let head = next.text.split_whitespace().next().unwrap_or_default();
        let tail = line.text.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
        if head.is_empty() || tail.is_empty() || !follows(line, next) {
            return Continuation::Not;
        }
        let owner = |glyph: Option<&(usize, usize)>| glyph.and_then(|(at, _)| self.owners[*at]);
        let before = |end: usize| owner(line.glyphs.iter().rfind(|(_, at)| *at < end));
        let end = line.text.trim_end();
        let last = before(end.len());
        if let (Some(one), Some(other)) = (last, owner(next.glyphs.first()))
            && self.links[one].uri == self.links[other].uri
        {
            let by_link = by_link(&self.links[one].uri, tail, head);
            if by_link != Continuation::Not {
                return by_link;
            }
        }
        // The full stop after it is not in the area of a link.
        let whole = last.or_else(|| before(plain(end).len()));
        let is_whole = whole.is_some_and(|link| is_same(&self.links[link].uri, tail));
        match is_scheme_cut(tail, head) || self.is_joined(number, (tail, head), is_whole) {
            true => Continuation::Joined,
            false => Continuation::Not,
        }
    }

    /// Returns `true` if the first word of the next line is a part of the link that a line ends with; `is_whole`: an annotation
    /// ends with the line.
    fn is_joined(&self, number: usize, (tail, head): (&str, &str), is_whole: bool) -> bool {
        // A number that is not part of the link is that of the next section, item or page, or a date.
        let is_number = head.bytes().all(|byte| matches!(byte, b'-'..=b'9' | b'[' | b']'));
        let is_sentence = tail.ends_with('.') && head.starts_with(|c: char| c.is_uppercase());
        let is_new = head.contains("://") || head.starts_with("www.") || head.contains('@');
        if !is_open(tail, self.is_inside)
            || is_number
            || is_sentence
            || is_new
            || head.starts_with(['[', '('])
        {
            return false;
        }
        if is_of_link(head) {
            return true;
        }
        let is_compound = head.contains('-') && head.starts_with(|c: char| c.is_ascii_alphabetic());
        let may_be_part =
            is_compound || head.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
        may_be_part && !is_whole && self.is_full(number, head) && self.is_part(number, tail, head)
    }

    /// Returns `true` if a plain word at the beginning of the line after this one is a part of the link before it, rather than the
    /// next word of the text.
    fn is_part(&self, number: usize, tail: &str, head: &str) -> bool {
        let word = plain(head);
        let closes = |open: char, close: char| {
            tail.starts_with(open) && !tail.contains(close) && head.contains(close)
        };
        if closes('(', ')') || closes('<', '>') || closes('[', ']') {
            return true;
        }
        // An extension is short; a longer word begins a sentence in lower case.
        if self.keeps_links() || tail.ends_with('.') && word.len() > LONGEST_EXTENSION {
            return false;
        }
        let (line, next) = (&self.lines[number], &self.lines[number + 1]);
        // A link that fills its line, or that the next line has the rest of and nothing else, as in lists of links.
        let is_apart = line.text.trim() == tail || next.text.trim() == head;
        is_apart || !self.words().contains(word)
    }

    /// Returns the words of the page, without those that may be parts of links. Words such as "may" and "of" are there more than once,
    /// parts of links seldom are.
    fn words(&self) -> &HashSet<&'p str> {
        self.words.get_or_init(|| {
            let mut words = HashSet::new();
            let mut is_open_before = false;
            for line in self.lines {
                let mut last = "";
                for (number, word) in line.text.split_whitespace().enumerate() {
                    if words.len() < MOST_WORDS && !(number == 0 && is_open_before) {
                        words.insert(plain(word));
                    }
                    last = word;
                }
                is_open_before = is_open(last, false);
            }
            words
        })
    }

    /// Returns `true` if some line ends where the beginning of the link in the next one would have fitted.
    fn keeps_links(&self) -> bool {
        *self
            .keeps_links
            .get_or_init(|| (1..self.lines.len()).any(|number| self.is_moved(number - 1)))
    }

    /// Returns `true` if the line after this one begins with a link whose first part would have fitted here.
    fn is_moved(&self, number: usize) -> bool {
        let (line, next) = (&self.lines[number], &self.lines[number + 1]);
        let head = next.text.split_whitespace().next().unwrap_or_default();
        let Some(host) = head.find("://").map(|at| at + 3) else { return false };
        let Some(path) = head[host..].find('/').map(|at| host + at + 1) else { return false };
        // The line is one of the same paragraph: no label, no end of a sentence.
        let is_inside = line.text.trim_end().ends_with(|c: char| c.is_alphanumeric() || c == ',');
        path < head.len()
            && is_inside
            && follows(line, next)
            && self
                .room(number)
                .is_some_and(|room| room > self.width(next, path) + WORD_SPACE * line.size)
    }

    /// Returns `true` if the first word of the next line did not fit at the end of a line.
    fn is_full(&self, number: usize, head: &str) -> bool {
        let width = self.width(&self.lines[number + 1], head.len());
        self.room(number).is_none_or(|room| width > room)
    }

    /// Returns how far a line ends before the longest of the others around it, in the units of the page; `None` for a line
    /// without others.
    fn room(&self, number: usize) -> Option<f32> {
        let line = &self.lines[number];
        let around = &self.lines[number.saturating_sub(2)..self.lines.len().min(number + 4)];
        let along = line.to.minus(line.from).direction();
        let place = |point: Point| along.dot(point);
        let is_beside = |one: &&TextLine| {
            one.from != line.from && (place(one.from) - place(line.from)).abs() < 4.0 * line.size
        };
        let edges = around.iter().filter(is_beside).map(|one| place(one.to));
        edges.reduce(f32::max).map(|edge| edge - place(line.to))
    }

    /// Returns the width of the first bytes of a line.
    fn width(&self, line: &TextLine, len: usize) -> f32 {
        let start = line.text.len() - line.text.trim_start().len();
        let along = line.to.minus(line.from).direction();
        let inside = line.glyphs.iter().filter(|(_, at)| (start..start + len).contains(at));
        let places = inside.map(|(glyph, _)| &self.page.glyphs[*glyph]);
        let ends = places.map(|glyph| (along.dot(glyph.from), along.dot(glyph.to)));
        let ends = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        ends.map_or(0.0, |(from, to)| to - from)
    }
}

/// Returns a link without its scheme, which a text may leave out.
pub(super) fn without_scheme(link: &str) -> &str {
    let schemes = ["://", "mailto:"];
    schemes.iter().find_map(|end| link.split_once(end)).map_or(link, |(_, rest)| rest)
}

/// Judges two parts of the text of a link by its URI.
fn by_link(uri: &str, tail: &str, head: &str) -> Continuation {
    let ends: Vec<usize> = tail.char_indices().map(|(at, _)| at).collect();
    // A few characters on either side say where in the URI the line breaks.
    let near = &tail[ends[ends.len().saturating_sub(8)]..];
    let head: String =
        head.chars().take(8).take_while(|c| !matches!(c, ')' | ']' | ',' | ';')).collect();
    let head = head.trim_end_matches('.');
    let is_there = |front: &str| {
        let joined = [front, head].concat();
        uri.to_ascii_lowercase().contains(&joined.to_ascii_lowercase())
    };
    let hyphens = ['-', '\u{AD}', '\u{2010}'];
    let bare = near.trim_end_matches(hyphens);
    match () {
        () if is_there(&near.replace(['\u{AD}', '\u{2010}'], "-")) => Continuation::Joined,
        () if bare.len() < near.len() && is_there(bare) => Continuation::WithoutHyphen,
        () => Continuation::Not,
    }
}

/// Returns `true` if a line is below another one and reads on from it.
fn follows(line: &TextLine, next: &TextLine) -> bool {
    let along = line.to.minus(line.from).direction();
    let delta = next.from.minus(line.from);
    // Down is to the right of the direction of reading.
    let down = -along.cross(delta);
    let size = line.size.max(next.size);
    (0.3 * size..3.0 * size).contains(&down)
        && line.size < 1.5 * next.size
        && next.size < 1.5 * line.size
}

/// Returns `true` if the last word of a line is a link that may go on, or a part of one that began before it (`is_inside`).
fn is_open(tail: &str, is_inside: bool) -> bool {
    let start = ["://", "www."].iter().find_map(|mark| tail.find(mark));
    let Some(start) = start.or(is_inside.then_some(0)) else { return false };
    let link = &tail[start..];
    // A full stop after a path, which has its extension already.
    let is_sentence = link.strip_suffix('.').is_some_and(|link| {
        let path = link.trim_start_matches("://").split_once('/').map(|(_, path)| path);
        path.is_some_and(|path| {
            path.rsplit('/').next().is_some_and(|name| name.is_empty() || name.contains('.'))
        })
    });
    let is_ended = is_sentence || link.contains(['>', ')', '"', '»', '”']);
    let ends = ['/', '-', '.', '?', '&', '=', '_', '%', '\u{AD}', '\u{2010}'];
    !is_ended && tail.ends_with(ends)
}

/// Returns `true` for the first word of a line that reads like a part of a link.
fn is_of_link(head: &str) -> bool {
    let inner = plain(head);
    // A hyphen is a sign of compound words as well.
    let has_sign = inner.contains(['/', '.', '_', '=', '&', '?', '%', '#']);
    let is_ascii = inner.bytes().all(|byte| byte.is_ascii_graphic());
    is_ascii && (has_sign || inner.bytes().any(|byte| byte.is_ascii_digit()) && inner.len() > 3)
}

/// Returns a word without the signs after it.
fn plain(word: &str) -> &str {
    word.trim_end_matches(['.', ',', ';', ':', ')'])
}

/// Returns `true` if the link breaks within its scheme.
fn is_scheme_cut(tail: &str, head: &str) -> bool {
    head.starts_with("//") && (tail.ends_with("http:") || tail.ends_with("https:"))
}

/// Returns `true` if a word is the link to this URI, and all of it.
fn is_same(uri: &str, word: &str) -> bool {
    let bare = |link: &str| without_scheme(link).trim_end_matches(['/', '.']).to_ascii_lowercase();
    bare(uri) == bare(word.trim_start_matches(['(', '<', '[']))
}
