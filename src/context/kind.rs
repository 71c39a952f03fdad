//! Kinds of contexts, on which code depends, and the roles of links, which follow from them.

use crate::codes::coded;

/// Kind of a context, as far as anything depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ContextKind {
    /// Running text.
    Text,
    /// An attribute that says where the text of its element leads: `a@href` in HTML, `href` and `url` in XML.
    Anchor,
    /// `button@formaction`: the text of the button says where it leads.
    Button,
    /// `area@href`: its `alt` says where it leads.
    Area,
    /// The code of a field of a word processor, before the text that the field shows.
    FieldCode,
    /// An attribute of an element of a word processor whose runs are the text: `w:fldsimple@w:instr`.
    FieldElement,
    /// A formula of a spreadsheet, before the value of its cell.
    Formula,
    /// A value that a form is sent to: `form@action`.
    Form,
    /// A page that a browser shows in another one: `iframe@src`.
    Frame,
    /// Any other value that a browser navigates to: a refresh.
    Navigation,
    /// `link@href`: its `rel` says what it is for.
    Relation,
    /// A value that a browser loads, other than to show it: `script@src`.
    Loaded,
    /// A name that is written as an IRI: `itemtype`, a document type.
    Identity,
    /// A link of a document that is not markup: `pdf:uri`.
    DocumentLink,
    /// A form of such a document is sent to it.
    DocumentForm,
    /// Running text of such a document, or of a value in it.
    DocumentText,
    /// A value that a browser only shows or applies: `img@src`, style sheets.
    Embedded,
    /// `base@href`: the base of the document.
    Base,
    /// A conditional comment that Outlook reads.
    Conditional,
    /// Anything in such a comment.
    InConditional,
    /// `markdown:link`.
    MarkdownLink,
    /// `markdown:image`.
    MarkdownImage,
    /// Any other destination in Markdown.
    Markdown,
    /// Header field.
    Header,
    /// Header field `List-Unsubscribe`.
    ListUnsubscribe,
    /// Header field `Content-Location` of a message or part.
    ContentLocation,
    /// Text before the first part of a multipart.
    Preamble,
    /// Text after its last part.
    Epilogue,
    Other,
}

impl ContextKind {
    pub(crate) fn is_markdown(self) -> bool {
        matches!(
            self,
            ContextKind::MarkdownLink | ContextKind::MarkdownImage | ContextKind::Markdown
        )
    }

    /// Returns `true` if a browser opens the link as a page.
    pub(crate) fn is_navigated(self) -> bool {
        matches!(
            self,
            ContextKind::Anchor
                | ContextKind::Button
                | ContextKind::Area
                | ContextKind::Form
                | ContextKind::Frame
                | ContextKind::Navigation
                | ContextKind::MarkdownLink
        )
    }

    /// Returns `true` in a header field, and in the text of a message outside its parts.
    pub(crate) fn is_outside_parts(self) -> bool {
        matches!(
            self,
            ContextKind::Header
                | ContextKind::ListUnsubscribe
                | ContextKind::ContentLocation
                | ContextKind::Preamble
                | ContextKind::Epilogue
        )
    }

    /// Returns what a program does with the link.
    pub(crate) fn role(self) -> Role {
        match self {
            ContextKind::Text
            | ContextKind::DocumentText
            | ContextKind::Preamble
            | ContextKind::Epilogue => Role::Text,
            ContextKind::Anchor
            | ContextKind::Area
            | ContextKind::Navigation
            | ContextKind::MarkdownLink
            | ContextKind::Markdown
            | ContextKind::FieldCode
            | ContextKind::FieldElement
            | ContextKind::Formula
            | ContextKind::DocumentLink => Role::Navigate,
            ContextKind::Button | ContextKind::Form | ContextKind::DocumentForm => Role::Submit,
            ContextKind::Embedded
            | ContextKind::Frame
            | ContextKind::Loaded
            | ContextKind::MarkdownImage => Role::Embed,
            ContextKind::Relation => Role::Relation,
            ContextKind::Base => Role::Base,
            ContextKind::Identity => Role::Identity,
            ContextKind::Header | ContextKind::ListUnsubscribe | ContextKind::ContentLocation => {
                Role::Header
            }
            ContextKind::Conditional | ContextKind::InConditional | ContextKind::Other => {
                Role::Other
            }
        }
    }
}

coded! {
    /// What a program does with a link, as far as its place says so.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints, Role};
    ///
    /// let finder = Finder::new();
    /// let page = b"<a href=a>b</a> <img src=c> example.com";
    /// let hints = Hints::new().format(Format::Html);
    /// let roles: Vec<_> = finder.document(page, &hints).unwrap().links().map(|link| link.role()).collect();
    /// assert_eq!(roles, [Role::Navigate, Role::Embed, Role::Text]);
    /// # }
    /// ```
    pub enum Role in "linksift" {
        /// Running text: a reader may open it.
        Text = "text",
        /// Opened when a reader selects it, or by itself: `a@href`, a refresh, a link of Markdown, Office or PDF.
        Navigate = "navigate",
        /// Loaded with the document: images, style sheets, scripts, frames.
        Embed = "embed",
        /// A form is sent to it.
        Submit = "submit",
        /// The value of a `link` element: its relation says what it is for.
        Relation = "relation",
        /// The base of the document.
        Base = "base",
        /// A name that is written as an IRI, such as `itemtype`.
        Identity = "identity",
        /// A field of a header of a message or an HTTP answer.
        Header = "header",
        /// Any other place, such as `blockquote@cite`.
        Other = "other",
    }
}
