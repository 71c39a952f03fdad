//! Character references: `&#8868;`, `&#x8868;`, `&amp;`, `&notit;`.
//!
//! What comes in is text, or stored bytes at an ampersand; what goes out is the text with its
//! references resolved, once, from left to right, and the trace back. Running text knows numeric ones
//! alone (`numeric`), HTML the standard's 2,231 names too, with and without semicolon (`html`), XML
//! five names and what a document declares.

mod numeric;

pub(crate) use numeric::{Numeric, numeric_at, numeric_before, resolved};

/// Which references are resolved.
#[allow(dead_code, reason = "said by the tokenizers of markup")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Those of running text: numeric ones that have their semicolon.
    #[default]
    Plain,
    /// Those of HTML in text.
    HtmlText,
    /// Those of HTML in an attribute's value, where `&copy=` is none.
    HtmlAttribute,
    /// Those of XML.
    Xml,
    /// None: raw text, CSS.
    None,
}
