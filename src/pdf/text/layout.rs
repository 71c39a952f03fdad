//! Layout: from glyphs with places to the lines of a page as text.
//!
//! The order is that of drawing. A gap between glyphs is a space, another baseline is a new line. `joins` says which link
//! continues on the next line.

use std::ops::Range;

use super::glyph::{PageGlyphs, ShownGlyph, TextLine};
use super::joins::{Continuation, LineJoins, without_scheme};
use super::{LinkArea, order};
use crate::limits::SHOWN;

/// Width of a gap between words, in font sizes.
const WORD_GAP: f32 = 0.13;
/// Distance between baselines of one line, in font sizes.
const SAME_LINE: f32 = 0.5;
/// Size of a raised number beside that of the text, and by how many font sizes it is raised.
const SMALL: f32 = 0.85;
const RAISED: f32 = 0.1;
/// Distance between a glyph and the same one that is drawn over it, in font sizes.
const OVER: f32 = 0.2;
/// Glyphs of a line that are compared with one that is drawn again.
const MOST_REPEATED: usize = 256;

/// Text of a page, and where in it each glyph is.
#[derive(Clone, Debug, Default)]
pub(super) struct PageText {
    pub(super) text: String,
    /// Range of each glyph's text, by its number; `None` if it is not in the text.
    pub(super) ranges: Vec<Option<Range<u32>>>,
    /// Ranges of links that are cut at the end of a line, and whole in an annotation over them.
    pub(super) cut: Vec<Range<usize>>,
}

/// Returns the text of a page with these links.
pub(super) fn text(page: &PageGlyphs, links: &[LinkArea]) -> PageText {
    let mut lines = lines(page);
    lines.iter_mut().for_each(|line| order::settle(page, line));
    let owners = owners(page, links);
    let mut joins = LineJoins::new(page, &lines, &owners, links);
    let ranges = vec![None; page.glyphs.len()];
    let mut done = PageText { text: String::new(), ranges, cut: Vec::new() };
    for (number, line) in lines.iter().enumerate() {
        let start = done.text.len();
        done.text.push_str(&line.text);
        match joins.after(number) {
            Continuation::Not => {
                let cut = cut(line, &owners, links);
                done.cut.extend(cut.map(|at| start + at..start + line.text.len()));
                done.text.push_str(if number + 1 < lines.len() { "\n" } else { "" });
            }
            kind => {
                let trimmed = done.text.trim_end().len();
                done.text.truncate(trimmed);
                if let Some(c @ ('-' | '\u{AD}' | '\u{2010}')) = done.text.chars().last() {
                    done.text.truncate(trimmed - c.len_utf8());
                    if kind == Continuation::Joined {
                        done.text.push('-');
                    }
                }
            }
        }
        // The next line begins where spaces or a hyphen were that are left out.
        let end = done.text.len();
        for (glyph, offset) in &line.glyphs {
            let from = start + offset;
            let to = end.min(from + page.text_of(&page.glyphs[*glyph]).len());
            done.ranges[*glyph] = (from < to).then_some(from as u32..to as u32);
        }
    }
    done
}

/// Divides the glyphs into lines.
fn lines(page: &PageGlyphs) -> Vec<TextLine> {
    let mut lines: Vec<TextLine> = Vec::new();
    let mut line = TextLine::default();
    let mut last: Option<&ShownGlyph> = None;
    // Place in the line of the glyph that was drawn again just before.
    let mut again: Option<usize> = None;
    for (number, glyph) in page.glyphs.iter().enumerate() {
        again = last.and_then(|last| repeated(page, &line, last, glyph, again));
        if again.is_some() {
            continue;
        }
        let text = page.text_of(glyph);
        match last.map_or(GlyphStep::NewLine, |last| step(last, glyph, page)) {
            GlyphStep::Next => {}
            GlyphStep::Space if line.text.ends_with(' ') || text.starts_with(' ') => {}
            GlyphStep::Space => line.text.push(' '),
            GlyphStep::NewLine => {
                if !line.glyphs.is_empty() {
                    lines.push(std::mem::take(&mut line));
                }
                line.from = glyph.from;
            }
        }
        line.glyphs.push((number, line.text.len()));
        line.text.push_str(text);
        (line.to, line.size) = (glyph.to, line.size.max(glyph.size));
        last = Some(glyph);
    }
    lines.push(line);
    lines
}

/// GlyphStep from a glyph to the next one.
enum GlyphStep {
    Next,
    Space,
    NewLine,
}

fn step(last: &ShownGlyph, glyph: &ShownGlyph, page: &PageGlyphs) -> GlyphStep {
    let along = last.to.minus(last.from).direction();
    let own = glyph.to.minus(glyph.from).direction();
    let size = last.size.max(glyph.size);
    let delta = glyph.from.minus(last.to);
    if along.dot(own) < 0.9 || along.cross(delta).abs() > SAME_LINE * size {
        return GlyphStep::NewLine;
    }
    let gap = along.dot(delta);
    // The number of a note is no part of the word beside it.
    let is_raised = glyph.size < SMALL * last.size || last.size < SMALL * glyph.size;
    if is_raised && along.cross(delta).abs() > RAISED * size && gap >= -SAME_LINE * size {
        return GlyphStep::Space;
    }
    if gap >= -SAME_LINE * size {
        return if gap > WORD_GAP * size { GlyphStep::Space } else { GlyphStep::Next };
    }
    // Text from right to left may be drawn in the order in which it is read.
    let is_from_right = |glyph: &ShownGlyph| page.text_of(glyph).chars().any(order::is_from_right);
    let before = along.dot(last.from.minus(glyph.to));
    if (is_from_right(last) || is_from_right(glyph)) && before.abs() < size {
        return if before > WORD_GAP * size { GlyphStep::Space } else { GlyphStep::Next };
    }
    GlyphStep::NewLine
}

/// Returns the place in a line of the glyph that this one is drawn over again, as programs do for bold text; `again` is that
/// of the glyph before it.
fn repeated(
    page: &PageGlyphs,
    line: &TextLine,
    last: &ShownGlyph,
    glyph: &ShownGlyph,
    again: Option<usize>,
) -> Option<usize> {
    let distance = |one: &ShownGlyph| {
        let delta = one.from.minus(glyph.from);
        delta.dot(delta).sqrt()
    };
    let is_same = |at: usize| {
        let one = &page.glyphs[line.glyphs[at].0];
        distance(one) < OVER * glyph.size && page.text_of(one) == page.text_of(glyph)
    };
    // A word is drawn again in the order of its letters.
    if let Some(next) = again.map(|at| at + 1).filter(|at| *at < line.glyphs.len())
        && is_same(next)
    {
        return Some(next);
    }
    // What begins in the second half of the last glyph comes after it: the next one of two narrow letters is as near.
    let advance = last.to.minus(last.from);
    let along = advance.direction();
    if along.dot(glyph.from.minus(last.from)) >= advance.dot(along) / 2.0 {
        return None;
    }
    let end = line.glyphs.len();
    (end.saturating_sub(MOST_REPEATED)..end).find(|at| is_same(*at))
}

/// Returns the number of the link that each glyph belongs to.
fn owners(page: &PageGlyphs, links: &[LinkArea]) -> Vec<Option<usize>> {
    let mut owners = vec![None; page.glyphs.len()];
    for (number, link) in links.iter().enumerate() {
        for glyph in &link.glyphs {
            owners[*glyph] = Some(number);
        }
    }
    owners
}

/// Returns the offset in a line of the link that it ends with, if an annotation over it has more of that link.
fn cut(line: &TextLine, owners: &[Option<usize>], links: &[LinkArea]) -> Option<usize> {
    let text = line.text.trim_end();
    let last = line.glyphs.iter().rfind(|(_, at)| *at < text.len());
    let owner = last.and_then(|(number, _)| owners[*number])?;
    let tail = text.rsplit(char::is_whitespace).next()?;
    let link = tail.trim_start_matches(['(', '<', '[', '"', '“', '«']);
    let at = text.len() - link.len();
    let (link, uri) = (without_scheme(link), without_scheme(&links[owner].uri));
    let link = link.trim_end_matches(['-', '\u{AD}', '\u{2010}', '…', '.']);
    let uri = uri.trim_end_matches('/').as_bytes();
    let is_more = link.trim_end_matches('/').len() < uri.len();
    let start = uri.get(..link.len()).filter(|_| is_more && !link.is_empty())?;
    start.eq_ignore_ascii_case(link.as_bytes()).then_some(at)
}

/// Returns `true` if a link goes on in another area: its target is the same, and its text begins where this one ends, as
/// programs write a link that is broken over two lines.
pub(super) fn goes_on(text: &PageText, one: &LinkArea, next: &LinkArea) -> bool {
    let ranges = |link: &LinkArea| -> Vec<Range<u32>> {
        link.glyphs.iter().filter_map(|glyph| text.ranges[*glyph].clone()).collect()
    };
    if one.uri.is_empty() || one.uri != next.uri {
        return false;
    }
    let end = ranges(one).iter().map(|range| range.end).max();
    end.is_some() && end == ranges(next).iter().map(|range| range.start).min()
}

/// Returns the text of glyphs that a link covers: a run of it for each line.
pub(super) fn shown(text: &PageText, glyphs: &[usize]) -> String {
    let mut ranges: Vec<Range<usize>> = glyphs
        .iter()
        .filter_map(|glyph| text.ranges[*glyph].clone())
        .map(|range| range.start as usize..range.end as usize)
        .collect();
    ranges.sort_by_key(|range| range.start);
    let mut shown = String::new();
    let mut end = None;
    for range in ranges {
        // Spaces that no glyph draws are between them.
        if let Some(end) = end
            && text.text.get(end..range.start).is_some_and(|gap| !gap.is_empty())
        {
            shown.push(' ');
        }
        shown.push_str(text.text.get(range.clone()).unwrap_or_default());
        if shown.len() >= SHOWN {
            break;
        }
        end = Some(range.end);
    }
    shown
}
