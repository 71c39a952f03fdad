//! Reading order of a line with text from right to left: what is drawn from left to right is put in the order in which it is read.

use super::glyph::{PageGlyphs, TextLine};
use crate::tables::direction::is_of_right_to_left;

/// Returns `true` for characters that are read from right to left, which digits are not.
pub(super) fn is_from_right(c: char) -> bool {
    is_of_right_to_left(c) && !c.is_numeric()
}

/// Piece of a line: a glyph, or the space between two.
struct LinePiece {
    /// Number of the glyph; `None` for a space that no glyph draws.
    glyph: Option<usize>,
    text: String,
    place: f32,
    is_from_right: bool,
    /// Letters and digits of a link keep their order; spaces and signs belong to what is around them.
    is_from_left: bool,
}

/// Puts the text of a line in the order in which it is read.
pub(super) fn settle(page: &PageGlyphs, line: &mut TextLine) {
    if !line.text.chars().any(is_from_right) {
        return;
    }
    let mut pieces = pieces(page, line);
    pieces.sort_by(|one, other| one.place.total_cmp(&other.place));
    // A sign between two pieces from left to right is one of them: that of a link.
    let is_from_left: Vec<bool> = pieces.iter().map(|piece| piece.is_from_left).collect();
    let is_from_right: Vec<bool> = pieces.iter().map(|piece| piece.is_from_right).collect();
    let mut left = vec![false; pieces.len()];
    let mut before = false;
    for at in 0..pieces.len() {
        if is_from_left[at] {
            before = true;
        } else if is_from_right[at] {
            before = false;
        }
        left[at] = before;
    }
    let mut after = false;
    for at in (0..pieces.len()).rev() {
        if is_from_left[at] {
            after = true;
        } else if is_from_right[at] {
            after = false;
        }
        left[at] &= after;
    }
    let mut ordered = Vec::with_capacity(pieces.len());
    let mut end = pieces.len();
    while end > 0 {
        let start = if left[end - 1] {
            left[..end].iter().rposition(|left| !left).map_or(0, |at| at + 1)
        } else {
            end - 1
        };
        ordered.extend(start..end);
        end = start;
    }
    let (text, glyphs) = (&mut line.text, &mut line.glyphs);
    text.clear();
    glyphs.clear();
    for at in ordered {
        let piece = &pieces[at];
        glyphs.extend(piece.glyph.map(|glyph| (glyph, text.len())));
        text.push_str(&piece.text);
    }
}

fn pieces(page: &PageGlyphs, line: &TextLine) -> Vec<LinePiece> {
    let mut pieces: Vec<LinePiece> = Vec::new();
    let first = line.glyphs.first().map(|(number, _)| &page.glyphs[*number]);
    let along = first.map_or_else(Default::default, |first| first.to.minus(first.from).direction());
    let mut end = 0;
    for (number, at) in &line.glyphs {
        let glyph = &page.glyphs[*number];
        let text = page.text_of(glyph);
        let (from, to) = (along.dot(glyph.from), along.dot(glyph.to));
        if *at > end
            && let Some(last) = pieces.last()
        {
            let place = (last.place + (from + to) / 2.0) / 2.0;
            let text = " ".to_owned();
            pieces.push(LinePiece {
                glyph: None,
                text,
                place,
                is_from_right: false,
                is_from_left: false,
            });
        }
        end = at + text.len();
        pieces.push(LinePiece {
            glyph: Some(*number),
            text: text.to_owned(),
            place: (from + to) / 2.0,
            is_from_right: text.chars().any(is_from_right),
            is_from_left: text.chars().any(|c| c.is_alphanumeric() && !is_from_right(c)),
        });
    }
    pieces
}
