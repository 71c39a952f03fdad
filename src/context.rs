//! Contexts: where in a document a link is.
//!
//! Code asks for the [kind](ContextKind) of a context. Its name is for records: it is made where the kind is known, shown by the
//! accessors of links, and compared nowhere.

use std::sync::Arc;

/// Where in a document a link is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Context {
    /// A context of a table.
    Known(&'static KnownContext),
    /// A context that is named after an element, an attribute or a field of the document.
    Named(Arc<NamedContext>),
}

/// Context of a table.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct KnownContext {
    name: &'static str,
    kind: ContextKind,
}

/// Context with a name from the document.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct NamedContext {
    name: String,
    kind: ContextKind,
}

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
    /// Any other value that a browser navigates to: `form@action`, `iframe@src`, a refresh.
    Navigation,
    /// A value that a browser only shows or applies: `img@src`, style sheets.
    Embedded,
    /// `base@href` in XHTML: the base of the document.
    Base,
    /// A conditional comment that Outlook reads.
    Conditional,
    /// Anything in such a comment.
    InConditional,
    /// `markdown:link`.
    MarkdownLink,
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

impl KnownContext {
    pub(crate) const TEXT: &'static KnownContext = &KnownContext::new("text", ContextKind::Text);
    /// Declarations and style sheets.
    pub(crate) const STYLE: &'static KnownContext =
        &KnownContext::new("style", ContextKind::Embedded);

    pub(crate) const fn new(name: &'static str, kind: ContextKind) -> KnownContext {
        KnownContext { name, kind }
    }

    /// Creates a context on which nothing depends.
    pub(crate) const fn other(name: &'static str) -> KnownContext {
        KnownContext::new(name, ContextKind::Other)
    }

    /// Returns the name in records.
    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) const fn kind(&self) -> ContextKind {
        self.kind
    }
}

impl Context {
    pub(crate) const TEXT: Context = Context::Known(KnownContext::TEXT);

    /// Creates a context with a name from the document.
    pub(crate) fn named(name: String, kind: ContextKind) -> Context {
        Context::Named(Arc::new(NamedContext { name, kind }))
    }

    /// Returns the name in records.
    pub(crate) fn name(&self) -> &str {
        match self {
            Context::Known(known) => known.name,
            Context::Named(named) => &named.name,
        }
    }

    #[inline]
    pub(crate) fn kind(&self) -> ContextKind {
        match self {
            Context::Known(known) => known.kind,
            Context::Named(named) => named.kind,
        }
    }
}

impl From<&'static KnownContext> for Context {
    #[inline]
    fn from(known: &'static KnownContext) -> Context {
        Context::Known(known)
    }
}

impl ContextKind {
    pub(crate) fn is_markdown(self) -> bool {
        matches!(self, ContextKind::MarkdownLink | ContextKind::Markdown)
    }

    /// Returns `true` if a browser opens the link as a page.
    pub(crate) fn is_navigated(self) -> bool {
        matches!(
            self,
            ContextKind::Anchor
                | ContextKind::Button
                | ContextKind::Area
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
}
