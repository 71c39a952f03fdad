//! Character references: `&#8868;`, `&#x8868;`, `&amp;`, `&notit;`.
//!
//! What comes in is text, or stored bytes at an ampersand; what goes out is the text with its
//! references resolved, once, from left to right, and the trace back. Running text knows numeric ones
//! alone (`numeric`), HTML the standard's 2,231 names too, with and without semicolon (`html`), XML
//! five names and what a document declares.

mod html;
mod numeric;
mod resolve;

#[allow(unused_imports, reason = "read by the tokenizers of markup")]
pub(crate) use html::{Meaning, Read, reference_at, reference_before};
#[allow(unused_imports, reason = "read by the tokenizers of markup")]
pub(crate) use numeric::{LONGEST, Numeric, numeric_at, numeric_before};
pub(crate) use resolve::{plainly_resolved, resolved, resolved_by};

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
    /// Those of CommonMark (§2.5): HTML's names and numbers, each with its semicolon.
    Markdown,
    /// None: raw text, CSS.
    None,
}
