//! Markup: converts stored bytes to runs, which are values that hold IRI references, or text to be scanned.
//!
//! Each format has its own tokenizer (`html`, `xml`, `css`, `json`, `separated`, `markdown`, `rtf`, `escaped`, `light`). It knows which parts of the
//! format hold an IRI and by which grammar. It decodes and resolves nothing, and returns ranges of the bytes as they are
//! stored. `value` splits the text of a value into references.
//!
//! The bytes may be in any encoding of the WHATWG standard except UTF-16, ISO-2022-JP and `replacement` (documents in these
//! are transcoded to UTF-8). The bytes 00–2F and 3A–3F represent themselves, 40–7E may be half a character and may be
//! examined only where a character surely begins, as after a `<` or white space.

pub(crate) mod anchor;
mod cdata;
mod css;
mod escaped;
mod field;
mod formula;
mod fragment;
mod html;
mod json;
mod light;
mod markdown;
pub(crate) mod plain_anchor;
mod property;
mod rtf;
mod separated;
#[cfg(feature = "documents")]
pub(crate) mod tag_values;
mod value;
mod visible;
mod xml;

use std::ops::Range;

use crate::context::StoredContext;
use crate::input::chunk::Chunk;
use crate::notation::{Layer, Notation};
use crate::notice::Notice;
use crate::scan::TextKind;
use crate::scan::reference::EscapeGrammar;
pub(crate) use crate::scan::reference::Rules;
#[cfg(feature = "office")]
pub(crate) use crate::scan::reference::header_text;
pub(crate) use cdata::IsBoundary;
pub(crate) use css::Css;
pub(crate) use escaped::Escaped;
#[cfg(feature = "office")]
pub(crate) use field::field_url;
pub(crate) use fragment::{FragmentFormat, reading};
pub(crate) use html::{
    Element, HeadLook, HeadScout, Html, HtmlPoint, HtmlTagPoint, Notes, html_place,
    is_html_element, is_json, note_attribute,
};
pub(crate) use json::{DeclaredJson, Json, JsonPoint};
pub(crate) use light::Light;
pub(crate) use markdown::Markdown;
pub(crate) use property::{Holds, Property, is_uri, names_charset, unfold, unquoted};
pub(crate) use rtf::{RtfLine, RtfLineKind, RtfText, read as rtf_text};
pub(crate) use separated::{Csv, CsvPoint};
pub(crate) use value::{
    ValueReference, each_reference, is_as_written, list_division, resolved, resolved_in,
};
pub(crate) use xml::{
    Entities, EntityError, PackageText, PackageTexts, Unexpanded, Xml, XmlPoint, XmlStackPoint,
    base64_resolved, result_text,
};

/// Token of a document; tokens come in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A value that holds IRI references.
    Value(UrlValue),
    /// Text, or a piece of it.
    Text(TextToken),
    /// A value that is an IRI reference and the base of others. The first HTML `<base href>` is the base of the complete
    /// document, though all of them are returned; an `xml:base` is the base of its element, up to the `BaseEnd`.
    Base { value: UrlValue, scope: BaseScope },
    /// The innermost base whose scope is an element has ended.
    BaseEnd,
    /// A value that is longer than its limit; its range ends where reading it was given up. `LongEnd` reports its end, with
    /// no token in between. Its content must not be kept.
    Long(UrlValue),
    /// End of the value that was last returned as `Long`.
    LongEnd(usize),
    /// Visible text of a link whose destination is the next value: of Markdown, where a definition may have several links, a
    /// field of RTF, or a link of reStructuredText or AsciiDoc.
    Label(LinkLabel),
    /// A limit was reached, and something was ignored.
    Notice(Notice),
}

/// Visible text of a link, in another place than its destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkLabel {
    pub(crate) text: LabelText,
    /// Whether the text is the description of an image, which nobody takes for the name of a site.
    pub(crate) is_image: bool,
}

/// Where the visible text of a link is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LabelText {
    /// In one range, which may have markup in it.
    Whole(Range<usize>),
    /// In pieces without markup.
    Pieces(Vec<LabelPiece>),
    /// It is known: in another part of the package.
    Given(PackageText),
}

/// Piece of the visible text of a link. An empty one is white space, or the end of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LabelPiece {
    pub(crate) range: Range<usize>,
    pub(crate) rules: Rules,
    /// Whether it is of the description of an image in the link.
    pub(crate) is_alternative: bool,
}

/// Scope of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseScope {
    Document,
    Element,
}

/// A range that holds IRI references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UrlValue {
    /// Range in the given bytes, between the quotes.
    pub(crate) range: Range<usize>,
    pub(crate) context: StoredContext,
    pub(crate) grammar: Grammar,
    /// Rules for the character references in it.
    pub(crate) rules: Rules,
}

/// Syntax of the references in a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// One reference, with white space stripped as the URL standard does: C0 controls and spaces at the ends, tabs and line
    /// breaks everywhere.
    Url,
    /// As `Url`, but an empty string is ignored (`src`, `poster`, `action`: HTML ignores it there).
    NonEmptyUrl,
    /// As `Url`, unless it is a safe CURIE (`[foaf:me]`) or a blank node (`_:b1`): `about` and `resource` of RDFa.
    SafeCurieOrUrl,
    /// As `NonEmptyUrl`, but all white space is removed, and the backslash before a character: a target of reStructuredText, whose lines are
    /// joined without their indentation.
    Joined,
    /// One reference if it has a scheme or begins with `//`; otherwise something else (a word, a title): `content`,
    /// `value`, attributes of an unknown vocabulary.
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
    /// A complete HTML document.
    Srcdoc,
    /// A fragment of HTML, in a value of another format; tags such as `<html>`, which open a document, are text.
    Fragment,
    /// A fragment of HTML that is the content of an XML element in several pieces.
    FragmentInPieces,
    /// A complete document in Markdown.
    MarkdownDocument,
    /// A complete HTML document in base64, as Atom 0.3 may have it.
    Base64Html,
    /// Plain text in base64.
    Base64Text,
    /// The content of an XML element in several pieces, with comments and CDATA sections among them; together they are one
    /// reference, as `Url`.
    Content,
    /// As `Url`, if it leads out of the package that the document is a part of: it is absolute, or begins with `/` or
    /// `../`. A relative path or a fragment refers to a part of the package.
    OutOfPackage,
    /// A path on a drive of Windows, as Office writes it in place of a URL: `C:\a.docx`.
    DrivePath,
    /// The code of a field in a word processor: `HYPERLINK "…" \\l "…"`. Elements between its pieces are skipped.
    Field,
    /// A formula of a spreadsheet: the URLs that are arguments of `HYPERLINK` and similar functions.
    Formula,
    /// Running text to be scanned with its references resolved: an XML text with entities that the document declares, or an
    /// attribute that holds text.
    Running,
    /// The value of a property in a calendar or a card: running text whose links have its context.
    Property,
    /// The destination of a link in Markdown: as `Url`, with backslashes and references resolved.
    Markdown,
    /// An e-mail address without `mailto:`.
    Address,
    /// A CSS string or `url()` without its quotes and brackets: escapes as in CSS.
    Css,
    /// A string of JSON: as `NonEmptyUrl`, with its escapes resolved.
    Json,
}

/// Token of a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextToken {
    /// Range in the given bytes; empty only if the token just reports the end of a text.
    pub(crate) range: Range<usize>,
    /// Rules for the character references in it.
    pub(crate) rules: Rules,
    pub(crate) content: Content,
    /// Continues the previous `TextToken`: directly, or after only comments or `<wbr>`. Otherwise the previous text has
    /// ended.
    pub(crate) joined: bool,
    /// May be continued by the next `TextToken`, because the end of the bytes, a comment or a `<wbr>` follows. Otherwise
    /// the text ends here.
    pub(crate) open: bool,
    /// Inside an `a` (or a similar element) whose reference was returned as a value before.
    pub(crate) in_link: bool,
}

/// Kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// To be scanned as running text.
    Running,
    /// The same, with the brackets of AsciiDoc.
    Asciidoc,
    /// To be scanned as source code.
    Code,
    /// A value of data, to be scanned as running text.
    Value,
    /// A style sheet, to be read as CSS; one ends where no adjacent piece follows.
    Sheet,
}

impl Content {
    /// Returns how a text of this kind is written.
    pub(crate) fn text_kind(self) -> TextKind {
        match self {
            Content::Code => TextKind::Code,
            Content::Asciidoc => TextKind::Asciidoc,
            Content::Value => TextKind::Value,
            Content::Running | Content::Sheet => TextKind::Prose,
        }
    }
}

/// Error of a tokenizer: the bytes end before a decision is possible.
struct NeedsMore;

/// Result of a step inside a token: the token, or `None` if there is none to give.
type TokenResult = Result<Option<Token>, NeedsMore>;

/// Result of a call of [`Tokenizer::next`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenizerStep {
    Token(Token),
    /// More bytes are needed, and those from this offset on; the bytes before it have been processed.
    Incomplete {
        needed: usize,
    },
    /// The input has ended.
    Done,
}

impl TokenizerStep {
    /// Returns the step with a token; without a token, the step for the end of the bytes or of the input.
    #[inline]
    fn of(token: Option<Token>, bytes: Chunk<'_>, needed: usize) -> TokenizerStep {
        match token {
            Some(token) => TokenizerStep::Token(token),
            None if bytes.is_last() => TokenizerStep::Done,
            None => TokenizerStep::Incomplete { needed },
        }
    }
}

/// Maximum lengths of values, in stored bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueLimits {
    /// Limit of a value that is one reference, in bytes.
    pub(crate) link: usize,
    /// Limit of a value that holds several references, or text, in bytes: lists, declarations, a nested document.
    pub(crate) whole: usize,
    pub(crate) lazy: Lazy,
    /// Whether the text of a link is a token that only repeats its destination.
    pub(crate) repeats: bool,
    /// Whether links need their visible text, and not only where it may name another site.
    pub(crate) texts: bool,
}

/// Whether attributes are read that scripts use instead of others (`data-src`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lazy {
    #[default]
    Left,
    Read,
}

impl Default for ValueLimits {
    fn default() -> ValueLimits {
        ValueLimits {
            link: crate::limits::LINK,
            whole: crate::limits::VALUE,
            lazy: Lazy::Left,
            repeats: false,
            texts: false,
        }
    }
}

impl Grammar {
    /// Returns `true` if a value of this grammar holds several references, or text.
    pub(crate) fn is_of_many(self) -> bool {
        !matches!(
            self,
            Grammar::Url
                | Grammar::NonEmptyUrl
                | Grammar::SafeCurieOrUrl
                | Grammar::Joined
                | Grammar::AbsoluteOnly
                | Grammar::Content
                | Grammar::OutOfPackage
                | Grammar::DrivePath
                | Grammar::Markdown
                | Grammar::Address
                | Grammar::Css
                | Grammar::Json
        )
    }

    /// Returns `true` if a value of this grammar is a document, or a fragment of one.
    pub(crate) fn is_document(self) -> bool {
        matches!(
            self,
            Grammar::Srcdoc
                | Grammar::MarkdownDocument
                | Grammar::Fragment
                | Grammar::FragmentInPieces
                | Grammar::Base64Html
        )
    }

    /// Returns `true` if a value of this grammar is a list of references, which can be read part by part.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, Grammar::SpaceList | Grammar::CommaList | Grammar::Srcset)
    }

    /// Returns how a link is written in a value of this grammar with these references.
    #[inline]
    pub(crate) fn notation(self, rules: Rules) -> Notation {
        match self {
            // Most values.
            Grammar::Url => Notation::of(rules),
            Grammar::Css | Grammar::CssValue | Grammar::Style => {
                Notation::of(rules).with(Layer::Css)
            }
            Grammar::Markdown => Notation::of(Rules::None).with(Layer::Destination),
            Grammar::Content => Notation::of(Rules::None).with(Layer::Content),
            // A string of a message; a property of a card or a calendar is folded too.
            Grammar::Property if rules == Rules::Escapes(EscapeGrammar::Po) => Notation::of(rules),
            Grammar::Joined => Notation::of(Rules::None).with(Layer::Joined),
            Grammar::FragmentInPieces
            | Grammar::Base64Html
            | Grammar::Base64Text
            | Grammar::Property
            | Grammar::Field
            | Grammar::DrivePath
            | Grammar::Formula => Notation::UNWRITABLE,
            _ => Notation::of(rules),
        }
    }

    /// Returns the limit for a value of this grammar.
    pub(crate) fn limit(self, limits: &ValueLimits) -> usize {
        match self.is_of_many() {
            false => limits.link,
            true => limits.whole.max(limits.link),
        }
    }
}

/// Reads a format chunk by chunk; offsets are those of the source.
///
/// `next` is called until it returns `Incomplete`, and then again with more bytes after the previous ones; the bytes before
/// the offset in `Incomplete` may be dropped.
pub(crate) trait Tokenizer {
    /// Returns the next step.
    fn next(&mut self, chunk: Chunk<'_>) -> TokenizerStep;
}
