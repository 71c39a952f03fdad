//! Visible text of links and images that are open, as pieces of the document.
//!
//! The input is what the parser finds between the brackets, the result is the label of each link. The open links share the pieces, so that
//! each piece is noted once, however many images are nested.

use std::ops::Range;

use crate::markup::anchor::tag_attributes;
use crate::markup::{LabelPiece, LinkLabel, Rules, Token};

/// Maximum number of bytes of the document in a label, before its last piece.
const MOST_IN_LABEL: usize = 4 * crate::limits::SHOWN;

/// Pieces of the text of the outermost link or image that is open.
#[derive(Default)]
pub(super) struct OpenLabels {
    pieces: Vec<LabelPiece>,
}

impl OpenLabels {
    /// Notes that a link or an image begins; returns where its pieces will begin.
    pub(super) fn opened(&mut self, is_outermost: bool) -> usize {
        if is_outermost {
            self.pieces.clear();
        }
        self.pieces.len()
    }

    /// Notes a piece of text; an empty one separates what is around it.
    pub(super) fn add(&mut self, range: Range<usize>, rules: Rules, is_alternative: bool) {
        self.pieces.push(LabelPiece { range, rules, is_alternative });
    }

    /// Notes the description of a picture whose tag of HTML is in this range.
    pub(super) fn add_picture(&mut self, text: &str, tag: Range<usize>) {
        let bytes = text.as_bytes().get(tag.clone()).unwrap_or_default();
        let mut alt = None;
        tag_attributes(bytes, b"<img".len(), |name, value| {
            if name.eq_ignore_ascii_case(b"alt") {
                alt.get_or_insert(value);
            }
        });
        // An attribute without a value has one that is not among the bytes.
        let start = |value: &[u8]| value.as_ptr().addr().wrapping_sub(bytes.as_ptr().addr());
        if let Some(value) = alt.filter(|value| !value.is_empty() && start(value) < bytes.len()) {
            let start = tag.start + start(value);
            self.add(start..start + value.len(), Rules::HtmlAttribute, true);
            self.add(tag.end..tag.end, Rules::None, true);
        }
    }

    /// Returns the pieces from `from` on, as far as their limit.
    pub(super) fn since(&self, from: usize) -> Vec<LabelPiece> {
        let mut len = 0;
        let pieces = self.pieces.get(from..).unwrap_or_default().iter();
        let kept = pieces.take_while(|piece| {
            let is_kept = len <= MOST_IN_LABEL;
            len += piece.range.len().max(1);
            is_kept
        });
        kept.cloned().collect()
    }

    /// Returns `true` if the pieces from `from` on may name a site or a number.
    pub(super) fn may_name_site(&self, text: &str, from: usize) -> bool {
        let is_of_name = |c: char| matches!(c, '.' | ':' | '&' | '0'..='9') || !c.is_ascii();
        let mut pieces = self.pieces.get(from..).unwrap_or_default().iter();
        pieces.any(|piece| {
            text.get(piece.range.clone()).is_some_and(|text| text.contains(is_of_name))
        })
    }
}

/// Definitions are in no order, and a destination comes after the text it belongs to. A label comes right before its
/// destination.
pub(super) fn in_order(labels: Vec<(usize, LinkLabel)>, runs: Vec<Token>) -> Vec<Token> {
    let mut last = 0;
    let mut placed: Vec<(usize, Token)> = Vec::with_capacity(labels.len() + runs.len());
    placed.extend(labels.into_iter().map(|(start, label)| (start, Token::Label(label))));
    for run in runs {
        last = match &run {
            Token::Value(value) | Token::Long(value) | Token::Base { value, .. } => {
                value.range.start
            }
            Token::Text(text) => text.range.start,
            Token::LongEnd(_) | Token::BaseEnd | Token::Notice(_) | Token::Label(_) => last,
        };
        placed.push((last, run));
    }
    placed.sort_by_key(|(start, _)| *start);
    placed.into_iter().map(|(_, run)| run).collect()
}
