//! Character references: `&#8868;`, `&#x8868;`, `&amp;`, `&notit;`.
//!
//! The input is text, or stored bytes at an ampersand. The result is the text with its references resolved once, from left
//! to right, and a source map. Running text has only numeric references, HTML also the standard's 2,231 names,
//! with and without a semicolon (`html`), XML five names and those that a document declares. In JSON a backslash does what
//! an ampersand does elsewhere (`json`), and in a field of CSV a quotation mark precedes another one. Other formats of text have
//! escapes of their own (`escape`), and running text may hold strings of JSON and JavaScript (`string`).

mod escape;
mod html;
mod json;
mod resolve;
mod sheet;
mod string;

pub(crate) use escape::EscapeGrammar;
pub(crate) use html::{
    Numeric, ResolvedReference, ascii_at, numeric_at, numeric_before, reference_at,
};
pub(crate) use json::{before_escape_of, whole_escapes};
pub(crate) use resolve::{any_reference, plainly_resolved, resolved, resolved_by};
#[cfg(feature = "office")]
pub(crate) use sheet::header_text;
pub(crate) use string::{
    MAX_STRING_ESCAPE, at_sign_before, is_of_url, may_be_longer, string_escape,
};

/// Syntax of the character references or escapes to resolve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    /// The escapes of a text format.
    Escapes(EscapeGrammar),
    /// The tag of an element that represents a hyphen.
    Hyphen,
    /// None: raw text, CSS.
    None,
}

impl Rules {
    /// Returns the first byte of each reference, if there is one such byte.
    pub(crate) fn opener(self) -> Option<u8> {
        match self {
            Rules::Json => Some(b'\\'),
            Rules::Csv => Some(b'"'),
            Rules::Hyphen => Some(b'<'),
            Rules::None | Rules::Escapes(_) => None,
            _ => Some(b'&'),
        }
    }

    /// Returns the bytes that may begin a reference, or must be replaced.
    fn openers(self) -> Option<[u8; 2]> {
        match self {
            Rules::Escapes(_) => None,
            // In an attribute U+0000 becomes U+FFFD (WHATWG HTML §13.2.5.36–38).
            Rules::HtmlAttribute => Some([b'&', 0]),
            _ => self.opener().map(|opener| [opener; 2]),
        }
    }

    /// Returns `true` if a byte may begin a reference.
    fn is_opener(self, byte: u8) -> bool {
        match self {
            Rules::Escapes(grammar) => grammar.openers().contains(&byte),
            _ => self.opener() == Some(byte),
        }
    }

    /// Returns `true` if a text may hold a reference, or a character that must be replaced.
    pub(crate) fn may_be_in(self, text: &[u8]) -> bool {
        match (self, self.openers()) {
            (Rules::Escapes(grammar), _) => {
                let [first, second, third] = grammar.openers();
                memchr::memchr3(first, second, third, text).is_some()
            }
            (_, Some([first, second])) => memchr::memchr2(first, second, text).is_some(),
            (_, None) => false,
        }
    }
}
