//! Character references: `&#8868;`, `&#x8868;`, `&amp;`, `&notit;`.
//!
//! The input is text, or stored bytes at an ampersand. The result is the text with its references resolved once, from left
//! to right, and a source map. Running text has only numeric references, HTML also the standard's 2,231 names,
//! with and without a semicolon (`html`), XML five names and those that a document declares. In JSON a backslash does what
//! an ampersand does elsewhere (`json`), and in a field of CSV a quotation mark precedes another one.

mod html;
mod json;
mod resolve;

pub(crate) use html::{Numeric, ascii_at, numeric_at, numeric_before};
pub(crate) use json::{before_escape_of, whole_escapes};
pub(crate) use resolve::{any_reference, plainly_resolved, resolved, resolved_by};

/// Syntax of the character references or escapes to resolve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Those of running text: only numeric references with a semicolon.
    #[default]
    Plain,
    /// Those of HTML in text.
    HtmlText,
    /// Those of HTML in an attribute's value, where `&copy=` is not a reference.
    HtmlAttribute,
    /// Those of XML.
    Xml,
    /// Those of CommonMark (§2.5): HTML's names and numbers, each with its semicolon.
    Markdown,
    /// The escapes of JSON's strings: `https:\/\/example.com\/\u00e9`.
    Json,
    /// The doubled quotation marks in a field of CSV (RFC 4180 §2).
    Csv,
    /// None: raw text, CSS.
    None,
}

impl Rules {
    /// Returns the first byte of each reference.
    pub(crate) fn opener(self) -> Option<u8> {
        match self {
            Rules::Json => Some(b'\\'),
            Rules::Csv => Some(b'"'),
            Rules::None => None,
            _ => Some(b'&'),
        }
    }
}
