//! Markup: stored bytes in, runs out: values that hold IRI references, and text to be scanned.
//!
//! Each format has a tokenizer of its own (`html`, `xml`, `css`, `json`, `csv`, `markdown`). It knows which parts of
//! the format hold an IRI and by which grammar; it decodes nothing, resolves nothing, and gives
//! ranges of the bytes as they are stored. `value` makes references out of a value's text.
//!
//! The bytes may be in any encoding of the WHATWG standard but UTF-16, ISO-2022-JP and `replacement`
//! (those come transcoded to UTF-8): 00–2F and 3A–3F are themselves, 40–7E may be half a character
//! and are to be looked at only where a character surely begins, as after a `<` or white space.

pub(crate) mod anchor;
mod css;
mod field;
mod fragment;
mod html;
mod json;
mod markdown;
mod parts;
mod property;
mod separated;
mod value;
mod xml;

use std::ops::Range;

use crate::context::Context;
use crate::input::chunk::Chunk;
use crate::notice::Notice;
use crate::scan::TextKind;
pub(crate) use crate::scan::reference::Rules;
pub(crate) use css::Css;
pub(crate) use fragment::{FragmentFormat, reading};
pub(crate) use html::{
    CONDITIONAL, HeadLook, HeadScout, Html, html_place, is_html_element, is_json,
};
pub(crate) use json::Json;
pub(crate) use markdown::Markdown;
pub(crate) use property::{Holds, Property, is_uri, names_charset, unfold, unquoted};
pub(crate) use separated::Csv;
pub(crate) use value::{each_reference, is_as_written, list_division, resolved, resolved_in};
pub(crate) use xml::{Entities, EntityError, Unexpanded, Xml, base64_resolved};

/// Token of a document; tokens come in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A value that holds IRI references.
    Value(UrlValue),
    /// Text, or a piece of it.
    Text(TextToken),
    /// A value that is an IRI reference and the base of others (HTML `<base href>`: of the whole
    /// document, the first of them, though all are given; `xml:base`: of its element, up to the
    /// `BaseEnd`).
    Base { value: UrlValue, scope: BaseScope },
    /// The innermost base whose scope is an element is no longer in force.
    BaseEnd,
    /// A value that is longer than its limit; its range ends where it was given up. Its end comes as
    /// `LongEnd`, with nothing in between. What it holds is not to be kept.
    Long(UrlValue),
    /// Where the value ends that was last given as `Long`.
    LongEnd(usize),
    /// A limit was reached, and something does not count.
    Notice(Notice),
}

/// Scope of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseScope {
    Document,
    Element,
}

/// A stretch that holds IRI references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UrlValue {
    /// In the bytes given: what is between the quotes.
    pub(crate) range: Range<usize>,
    pub(crate) context: Context,
    pub(crate) grammar: Grammar,
    /// Which character references are resolved in it.
    pub(crate) rules: Rules,
}

/// How the references lie in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// The whole is one reference, white space stripped as the URL standard does: C0 controls and
    /// space at the ends, tab and line breaks everywhere.
    Url,
    /// As `Url`, but an empty string is ignored (`src`, `poster`, `action`: HTML ignores it there).
    NonEmptyUrl,
    /// The whole is one reference if it has a scheme or begins with `//`; otherwise it is something
    /// else (a word, a title): `content`, `value`, attributes of an unknown vocabulary.
    AbsoluteOnly,
    /// References between ASCII white space: `ping`, `itemtype`.
    SpaceList,
    /// References between commas: the `archive` of an `applet`.
    CommaList,
    /// Image candidates: `srcset`, `imagesrcset`.
    Srcset,
    /// `5; url=…`, the `content` of a refresh.
    Refresh,
    /// A URL or functional notation of CSS in a presentation attribute of SVG: `fill="url(#a)"`.
    CssValue,
    /// CSS declarations: a `style` attribute.
    Style,
    /// A whole HTML document.
    Srcdoc,
    /// A fragment of HTML, in a value of another format; what opens a document in it is text.
    Fragment,
    /// The same, of the content of an XML element in several pieces.
    FragmentInPieces,
    /// A whole HTML document in base64, as Atom 0.3 may have it.
    Base64Html,
    /// The same of plain text.
    Base64Text,
    /// The content of an XML element in several pieces, comments and CDATA sections among them; what
    /// they make is one reference, as `Url`.
    Content,
    /// As `Url`, if it leads out of the package that the document is a part of: it is absolute, or begins with `/` or
    /// `../`; a relative path or a fragment is a part of it.
    OutOfPackage,
    /// The code of a field in a word processor: `HYPERLINK "…" \\l "…"`. Elements between its pieces are left out.
    Field,
    /// A formula of a spreadsheet: the URLs that `HYPERLINK` and its like are called with.
    Formula,
    /// Running text that is to be scanned with its references resolved: an XML text with entities
    /// that the document declares, an attribute that holds text.
    Running,
    /// The value of a property in a calendar or a card: running text whose links have its context.
    Property,
    /// The destination of a link in Markdown: as `Url`, with backslashes and references resolved.
    Markdown,
    /// An e-mail address, which goes without its `mailto:`.
    Address,
    /// A CSS string or `url()` without its quotes and brackets: escapes as in CSS.
    Css,
    /// A string of JSON: as `NonEmptyUrl`, with its escapes resolved.
    Json,
}

/// Token of a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextToken {
    /// In the bytes given; not empty, unless nothing but its end is to be said.
    pub(crate) range: Range<usize>,
    /// Which character references are resolved in it.
    pub(crate) rules: Rules,
    pub(crate) content: Content,
    /// Continues the previous `TextToken`: directly, or only comments or `<wbr>` stood between.
    /// Otherwise whatever came before has ended.
    pub(crate) joined: bool,
    /// May be continued by the next `TextToken`: the end of the bytes, a comment or a
    /// `<wbr>` is after it. Otherwise this is its end.
    pub(crate) open: bool,
    /// Inside an `a` (or the like) whose reference was given as a value before.
    pub(crate) in_link: bool,
}

/// Kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// To be scanned as running text.
    Running,
    /// The same, of source code.
    Code,
    /// A style sheet: to be read as CSS. Its pieces lie side by side.
    Sheet,
}

impl Content {
    /// Returns how a text of this kind is written.
    pub(crate) fn text_kind(self) -> TextKind {
        match self {
            Content::Code => TextKind::Code,
            Content::Running | Content::Sheet => TextKind::Prose,
        }
    }
}

/// Error of a tokenizer: the bytes end before something is decided.
struct NeedsMore;

/// Result of a step inside a token: the token, or `None` if there is none to give.
type TokenResult = Result<Option<Token>, NeedsMore>;

/// Result of a call of [`Tokenizer::next`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenizerStep {
    Token(Token),
    /// More bytes are needed, and those from this offset on; everything before has been decided.
    Incomplete {
        needed: usize,
    },
    /// The input is at its end.
    Done,
}

impl TokenizerStep {
    /// Returns the step with a token; without one, that these bytes or all have been processed.
    #[inline]
    fn of(token: Option<Token>, bytes: Chunk<'_>, needed: usize) -> TokenizerStep {
        match token {
            Some(token) => TokenizerStep::Token(token),
            None if bytes.is_last() => TokenizerStep::Done,
            None => TokenizerStep::Incomplete { needed },
        }
    }
}

/// Longest values, in stored bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueLimits {
    /// Limit of a value that is one reference, in bytes.
    pub(crate) link: usize,
    /// Limit of a value that holds several references, or text, in bytes: lists, declarations, a document inside.
    pub(crate) whole: usize,
    pub(crate) lazy: Lazy,
}

/// Whether attributes are read that scripts put in the place of others (`data-src`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lazy {
    #[default]
    Left,
    Read,
}

impl Default for ValueLimits {
    fn default() -> ValueLimits {
        ValueLimits { link: crate::DEFAULT_MAX_LINK, whole: crate::limits::VALUE, lazy: Lazy::Left }
    }
}

impl Grammar {
    /// Whether a value of this grammar holds several references, or text.
    pub(crate) fn is_of_many(self) -> bool {
        !matches!(
            self,
            Grammar::Url
                | Grammar::NonEmptyUrl
                | Grammar::AbsoluteOnly
                | Grammar::Content
                | Grammar::OutOfPackage
                | Grammar::Markdown
                | Grammar::Address
                | Grammar::Css
                | Grammar::Json
        )
    }

    /// Whether a value of this grammar is a list of references, which can be read part by part.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Grammar::SpaceList | Grammar::CommaList | Grammar::Srcset)
    }

    /// The limit for a value of this grammar.
    pub(crate) fn limit(self, limits: &ValueLimits) -> usize {
        match self.is_of_many() {
            false => limits.link,
            true => limits.whole.max(limits.link),
        }
    }
}

/// Reads a format chunk by chunk; offsets are those of the source.
///
/// `next` is called until it returns `Incomplete`, then again with more bytes after those that were there;
/// before that, bytes before the offset in it may be dropped.
pub(crate) trait Tokenizer {
    /// The next run.
    fn next(&mut self, chunk: Chunk<'_>) -> TokenizerStep;
}
