//! Text of a document: paragraphs as lines, and the links of its fields.
//!
//! In Word a field is stored in its paragraph: U+0013, its code, U+0014, its result, which readers see, U+0015.

use std::sync::Arc;

use crate::context::{ContextKind, KnownContext, StoredContext};
use crate::limits::SHOWN;
use crate::markup::field_url;
use crate::piece::{DocumentPiece, PieceContent};

static TEXT: KnownContext = KnownContext::new("office:text", ContextKind::DocumentText);
static LINK: KnownContext = KnownContext::new("office:link", ContextKind::DocumentLink);
static PROPERTY: KnownContext = KnownContext::other("office:property");

/// Maximum depth of fields in each other.
const MAX_FIELDS: usize = 64;

/// Returns a text that readers see for a link, as far as it is kept and compared with it.
pub(super) fn shown(text: impl Iterator<Item = char>) -> String {
    let mut shown = String::new();
    for c in text {
        if shown.len() + c.len_utf8() > SHOWN {
            break;
        }
        shown.push(c);
    }
    shown
}

/// Returns the piece of a link, with the text that readers see.
pub(super) fn link(object: &str, text: String, shown: Option<String>) -> DocumentPiece {
    piece(object, &LINK, PieceContent::Value { text, base: None, shown })
}

/// Returns the piece of a text.
pub(super) fn text(object: &str, text: String) -> DocumentPiece {
    piece(object, &TEXT, PieceContent::Text(text))
}

/// Returns the piece of properties of a document.
pub(super) fn property(object: &str, text: String) -> DocumentPiece {
    piece(object, &PROPERTY, PieceContent::Text(text))
}

/// Returns the piece of a file in a document.
pub(super) fn file(object: &str, name: String, bytes: Vec<u8>) -> DocumentPiece {
    piece(object, &TEXT, PieceContent::File { name, bytes })
}

/// Returns the piece of a message.
pub(super) fn message(content: PieceContent) -> DocumentPiece {
    piece("message", &TEXT, content)
}

fn piece(object: &str, context: &'static KnownContext, content: PieceContent) -> DocumentPiece {
    DocumentPiece {
        object: Arc::from(object),
        page: None,
        context: StoredContext::Known(context),
        content,
    }
}

/// Field that has begun.
#[derive(Debug)]
struct OpenField {
    code: String,
    /// Start of its result in the text, if that has begun.
    result: Option<usize>,
}

/// Text that is being read, character by character.
#[derive(Debug, Default)]
pub(super) struct ParagraphText {
    text: String,
    fields: Vec<OpenField>,
    /// Number of fields that are too deep to be read.
    deeper: usize,
    links: Vec<(String, Option<String>)>,
    /// Some of it is over a limit.
    pub(super) is_limited: bool,
}

impl ParagraphText {
    /// Appends text with the control characters of Office.
    pub(super) fn push_str(&mut self, text: &str) {
        for c in text.chars() {
            self.push(c);
        }
    }

    fn push(&mut self, c: char) {
        match c {
            '\u{13}' if self.fields.len() < MAX_FIELDS => {
                self.fields.push(OpenField { code: String::new(), result: None });
            }
            '\u{13}' => self.deeper += 1,
            '\u{15}' if self.deeper > 0 => self.deeper -= 1,
            '\u{14}' if self.deeper == 0 => {
                // A link begins with its result.
                let is_new = |field: &&OpenField| field.result.is_none();
                let field = self.fields.last().filter(is_new);
                let is_link = field.is_some_and(|field| field_url(&field.code).is_some());
                if is_link {
                    self.text.push('\n');
                }
                let start = self.text.len();
                if let Some(field) = self.fields.last_mut() {
                    field.result.get_or_insert(start);
                }
            }
            '\u{15}' => self.end_field(),
            // The mark of a note is a number.
            '\r' | '\u{2}' | '\u{7}' | '\u{B}' | '\u{C}' | '\u{E}' => self.push_text('\n'),
            // A hyphen at which no line ends: readers see and copy a hyphen.
            '\u{1E}' => self.push_text('-'),
            // Pictures, marks of comments, hyphens that only show at the end of a line.
            '\0'..='\u{8}' | '\u{10}'..='\u{1F}' => {}
            c => self.push_text(c),
        }
    }

    /// Appends a character to the code of the innermost field without a result, or to the text.
    fn push_text(&mut self, c: char) {
        match self.fields.iter_mut().rev().find(|field| field.result.is_none()) {
            Some(field) => field.code.push(c),
            None => self.text.push(c),
        }
    }

    fn end_field(&mut self) {
        let Some(OpenField { code, result }) = self.fields.pop() else { return };
        if let Some(url) = field_url(&code) {
            let shown =
                result.and_then(|start| self.text.get(start..)).map(|text| shown(text.chars()));
            self.links.push((url, shown));
        }
    }

    /// Returns the pieces: links, then the text.
    pub(super) fn into_pieces(mut self, object: &str) -> Vec<DocumentPiece> {
        while !self.fields.is_empty() {
            self.end_field();
        }
        let links = self.links.into_iter().map(|(url, shown)| link(object, url, shown));
        links.chain([text(object, self.text)]).collect()
    }
}
