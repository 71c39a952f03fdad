//! Texts of a notebook of Jupyter (nbformat 4), which are a string, or a list of strings that are its lines.

use std::ops::Range;

use super::look::{JsonSearch, look};
use super::{Escapes, string_end};
use crate::context::StoredContext;
use crate::input::chunk::Chunk;
use crate::markup::{Content, Grammar, Rules, TextToken, Token, UrlValue};
use crate::scan::reference::EscapeGrammar;

/// Language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotebookText {
    Markdown,
    Html,
    Code,
    Raw,
}

/// Texts of an object: the names of its members, and their languages.
pub(super) type Texts = &'static [(&'static str, NotebookText)];

/// Texts of the output of a cell, by their media types.
pub(super) const OUTPUT: Texts =
    &[("text/html", NotebookText::Html), ("text/markdown", NotebookText::Markdown)];
/// Name of the member of a cell that says which kind it is.
pub(super) const CELL_TYPE: &str = "cell_type";

/// Returns the texts of the cell that begins at an offset; `None` if its kind is further on.
pub(super) fn cell(bytes: Chunk<'_>, at: usize) -> Option<Texts> {
    match look(bytes, at, &[CELL_TYPE]) {
        JsonSearch::Found(kind) => Some(match &bytes[kind] {
            b"markdown" => &[("source", NotebookText::Markdown)],
            b"code" => &[("source", NotebookText::Code)],
            _ => &[("source", NotebookText::Raw)],
        }),
        JsonSearch::Absent => Some(&[]),
        JsonSearch::Cut => None,
    }
}

/// Extent of a text.
pub(super) enum NotebookExtent {
    /// The range between its first and its last quotation mark, and the offset after it.
    Whole(Range<usize>, usize),
    /// The value is neither a string nor a list of strings.
    Other,
    Cut,
}

/// Returns the extent of the text that begins at an offset.
pub(super) fn extent(bytes: Chunk<'_>, start: usize) -> NotebookExtent {
    let is_list = bytes[start] == b'[';
    let mut text: Option<Range<usize>> = None;
    let mut at = start + usize::from(is_list);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                // A string without an end is cut, even at the end of the input.
                let (end, is_end) = string_end(bytes.not_last(), at + 1, &mut Escapes::default());
                if !is_end {
                    return NotebookExtent::Cut;
                }
                if bytes[end] != b'"' {
                    return NotebookExtent::Other;
                }
                text = Some(text.map_or(at + 1, |text| text.start)..end);
                at = end;
                if !is_list {
                    return NotebookExtent::Whole(text.unwrap_or_default(), end + 1);
                }
            }
            b']' => return NotebookExtent::Whole(text.unwrap_or(at..at), at + 1),
            b',' | b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => return NotebookExtent::Other,
        }
        at += 1;
    }
    NotebookExtent::Cut
}

/// Returns the token of a text.
pub(super) fn token(range: Range<usize>, text: NotebookText) -> Token {
    let rules = Rules::Escapes(EscapeGrammar::Notebook);
    let grammar = match text {
        NotebookText::Markdown => Grammar::MarkdownDocument,
        NotebookText::Html => Grammar::Srcdoc,
        NotebookText::Code | NotebookText::Raw => {
            let content = if text == NotebookText::Code { Content::Code } else { Content::Running };
            let (joined, open, in_link) = (false, false, false);
            return Token::Text(TextToken { range, rules, content, joined, open, in_link });
        }
    };
    Token::Value(UrlValue { range, context: StoredContext::TEXT, grammar, rules })
}
