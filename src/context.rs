//! Contexts: where in a document a link is.
//!
//! Code asks for the [kind](ContextKind) of a context. Its name is for records and for users, who get it as a [`Context`]: it is made
//! where the kind is known, shown by the accessors of links, and compared nowhere.

mod kind;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(crate) use kind::ContextKind;
pub use kind::Role;

use crate::codes::is_same;

/// What the names of header fields begin with.
pub(crate) const HEADER: &str = "header:";

/// Where in a document a link is, as [`Link::context`](crate::Link::context) and
/// [`Rejected::context`](crate::Rejected::context) return it: a name.
///
/// Most documents have contexts of few forms:
///
/// | [`as_str`](Context::as_str) | place | [`element`](Context::element) | [`attribute`](Context::attribute) | [`header`](Context::header) |
/// |---|---|---|---|---|
/// | `text` | running text | | | |
/// | `a@href`, `w:hlink@w:dest` | attribute of an element | `a`, `w:hlink` | `href`, `w:dest` | |
/// | `loc`, `w:instrtext` | content of an element that is a reference | `loc`, `w:instrtext` | | |
/// | `xml-stylesheet@href` | processing instruction | `xml-stylesheet` | `href` | |
/// | `header:list-unsubscribe` | header field of a message or an HTTP answer | | | `list-unsubscribe` |
/// | `if-mso:a@href` | anything in a comment that Outlook reads | as without `if-mso:` | as without it | |
/// | `style`, `markdown:link`, `json:url`, `pdf:uri` | other places | | | |
///
/// A property and an element may have the same name (`calendar:url`); only `element` distinguishes them. Two contexts are equal if
/// their names are. A name from a document is cut after 128 bytes.
///
/// ```
/// # #[cfg(feature = "documents")] {
/// use linksift::{Finder, Format, Hints};
///
/// let finder = Finder::new();
/// let page = b"<a href=http://a.example/>a</a> http://b.example/";
/// let links = finder.document(page, &Hints::new().format(Format::Html)).unwrap().links();
/// let mut images = 0;
/// let mut names = Vec::new();
/// for link in links {
///     let context = link.context();
///     images += usize::from(context.element() == Some("img"));
///     names.push(context.to_string());
/// }
/// assert_eq!((names, images), (vec!["a@href".to_owned(), "text".to_owned()], 0));
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Context<'a> {
    name: &'a str,
    kind: ContextKind,
    parts: NameParts,
}

/// What the name of a context consists of, after the prefix of a conditional comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NameParts {
    /// The name of an element.
    Element,
    /// The name of an element with this length in bytes, `@`, the name of an attribute.
    Attribute(usize),
    /// [`HEADER`] and the name of a field.
    Header,
    /// A word of ours, maybe with the name of a property after it.
    Other,
}

/// Context as links and values keep it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StoredContext {
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
    parts: NameParts,
}

/// Context with a name from the document.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct NamedContext {
    name: String,
    kind: ContextKind,
    parts: NameParts,
}

impl<'a> Context<'a> {
    /// Returns the name, as records and the option `--contexts` have it.
    ///
    /// ```
    /// let link = linksift::links("see example.com").next().unwrap();
    /// assert_eq!(link.context().as_str(), "text");
    /// ```
    pub const fn as_str(self) -> &'a str {
        self.name
    }

    /// Returns the name of the element that has the link as an attribute or as its content, in lower case; in XML with its prefix,
    /// except for attributes of XHTML, SVG and MathML that have links there. `None` in running text, which may be in any element, in
    /// CSS (`style`), and outside of markup.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let hints = Hints::new().format(Format::Html);
    /// let page = b"<img src=http://a.example/> <p style='background: url(http://b.example/)'>";
    /// let finder = Finder::new();
    /// let links = finder.document(page, &hints).unwrap().links();
    /// let elements: Vec<_> = links.map(|link| link.context().element().map(str::to_owned)).collect();
    /// assert_eq!(elements, [Some("img".to_owned()), None]);
    /// # }
    /// ```
    pub fn element(self) -> Option<&'a str> {
        match self.parts {
            NameParts::Element => Some(self.inner_name()),
            NameParts::Attribute(len) => self.inner_name().get(..len),
            NameParts::Header | NameParts::Other => None,
        }
    }

    /// Returns the name of the attribute whose value has the link, in lower case, with its prefix if it has one. A `meta` that
    /// refreshes the page has `refresh` (context `meta@refresh`). `None` in all other places.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let hints = Hints::new().format(Format::Html);
    /// let page = b"<img SRCSET='http://a.example/ 2x'>";
    /// let link = Finder::new().document(page, &hints).unwrap().links().next().unwrap();
    /// assert_eq!(link.context().attribute(), Some("srcset"));
    /// # }
    /// ```
    pub fn attribute(self) -> Option<&'a str> {
        match self.parts {
            NameParts::Attribute(len) => self.inner_name().get(len + 1..),
            NameParts::Element | NameParts::Header | NameParts::Other => None,
        }
    }

    /// Returns the name of the header field of a message or an HTTP answer that has the link, in lower case; `None` outside of
    /// headers.
    ///
    /// ```
    /// # #[cfg(feature = "mail")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let hints = Hints::new().format(Format::Email);
    /// let mail = b"List-Unsubscribe: <http://a.example/>\n\nsee example.com";
    /// let finder = Finder::new();
    /// let links = finder.document(mail, &hints).unwrap().links();
    /// let fields: Vec<_> = links.map(|link| link.context().header().map(str::to_owned)).collect();
    /// assert_eq!(fields, [Some("list-unsubscribe".to_owned()), None]);
    /// # }
    /// ```
    pub fn header(self) -> Option<&'a str> {
        match self.parts {
            NameParts::Header => self.inner_name().get(HEADER.len()..),
            NameParts::Element | NameParts::Attribute(_) | NameParts::Other => None,
        }
    }

    /// Returns the name without the prefix of a conditional comment.
    fn inner_name(self) -> &'a str {
        match self.kind {
            ContextKind::InConditional => {
                self.name.get(KnownContext::CONDITIONAL.name.len() + 1..).unwrap_or_default()
            }
            _ => self.name,
        }
    }
}

impl fmt::Display for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(&self.name).finish()
    }
}

impl PartialEq for Context<'_> {
    fn eq(&self, other: &Context<'_>) -> bool {
        self.name == other.name
    }
}

impl Eq for Context<'_> {}

impl Hash for Context<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl PartialEq<str> for Context<'_> {
    fn eq(&self, name: &str) -> bool {
        self.name == name
    }
}

impl PartialEq<&str> for Context<'_> {
    fn eq(&self, name: &&str) -> bool {
        self.name == *name
    }
}

impl PartialEq<Context<'_>> for str {
    fn eq(&self, context: &Context<'_>) -> bool {
        self == context.name
    }
}

impl PartialEq<Context<'_>> for &str {
    fn eq(&self, context: &Context<'_>) -> bool {
        *self == context.name
    }
}

impl NameParts {
    /// Returns the parts of a name of a table, in which no name is that of an element alone.
    const fn of(name: &str) -> NameParts {
        if let Some((front, _)) = name.split_at_checked(HEADER.len())
            && is_same(front, HEADER)
        {
            return NameParts::Header;
        }
        let mut len = 0;
        while len < name.len() {
            if name.as_bytes()[len] == b'@' {
                return NameParts::Attribute(len);
            }
            len += 1;
        }
        NameParts::Other
    }
}

impl KnownContext {
    pub(crate) const TEXT: &'static KnownContext = &KnownContext::new("text", ContextKind::Text);
    /// Declarations and style sheets.
    pub(crate) const STYLE: &'static KnownContext =
        &KnownContext::new("style", ContextKind::Embedded);
    /// A conditional comment, and the prefix, before a colon, of the contexts of links in it.
    pub(crate) const CONDITIONAL: &'static KnownContext =
        &KnownContext::new("if-mso", ContextKind::Conditional);

    pub(crate) const fn new(name: &'static str, kind: ContextKind) -> KnownContext {
        KnownContext { name, kind, parts: NameParts::of(name) }
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

    /// Returns the context as users see it.
    pub(crate) const fn shown(&self) -> Context<'static> {
        Context { name: self.name, kind: self.kind, parts: self.parts }
    }
}

impl StoredContext {
    pub(crate) const TEXT: StoredContext = StoredContext::Known(KnownContext::TEXT);

    /// Creates the context of an attribute of an element.
    pub(crate) fn of_attribute(element: &str, attribute: &str, kind: ContextKind) -> StoredContext {
        let name = [element, "@", attribute].concat();
        StoredContext::named(name, kind, NameParts::Attribute(element.len()))
    }

    /// Creates the context of the content of an element.
    pub(crate) fn of_content(element: &str, kind: ContextKind) -> StoredContext {
        StoredContext::named(element.to_owned(), kind, NameParts::Element)
    }

    /// Creates the context of a header field.
    pub(crate) fn of_header(field: &str) -> StoredContext {
        StoredContext::named([HEADER, field].concat(), ContextKind::Header, NameParts::Header)
    }

    /// Creates the context of a property; the name of the format comes first, and stands alone if the property has no name.
    pub(crate) fn of_property(format: &str, property: &str, kind: ContextKind) -> StoredContext {
        let separator = if property.is_empty() { "" } else { ":" };
        StoredContext::named([format, separator, property].concat(), kind, NameParts::Other)
    }

    fn named(name: String, kind: ContextKind, parts: NameParts) -> StoredContext {
        StoredContext::Named(Arc::new(NamedContext { name, kind, parts }))
    }

    /// Returns the context of the same place in a conditional comment.
    pub(crate) fn in_conditional(&self) -> StoredContext {
        let Context { name, parts, .. } = self.shown();
        let name = [KnownContext::CONDITIONAL.name, ":", name].concat();
        StoredContext::named(name, ContextKind::InConditional, parts)
    }

    /// Returns the context with another kind.
    pub(crate) fn with_kind(&self, kind: ContextKind) -> StoredContext {
        let Context { name, parts, .. } = self.shown();
        StoredContext::named(name.to_owned(), kind, parts)
    }

    /// Returns the name in records.
    pub(crate) fn name(&self) -> &str {
        match self {
            StoredContext::Known(known) => known.name,
            StoredContext::Named(named) => &named.name,
        }
    }

    #[inline]
    pub(crate) fn kind(&self) -> ContextKind {
        match self {
            StoredContext::Known(known) => known.kind,
            StoredContext::Named(named) => named.kind,
        }
    }

    /// Returns the context as users see it.
    pub(crate) fn shown(&self) -> Context<'_> {
        match self {
            StoredContext::Known(known) => known.shown(),
            StoredContext::Named(named) => {
                Context { name: &named.name, kind: named.kind, parts: named.parts }
            }
        }
    }
}

impl From<&'static KnownContext> for StoredContext {
    #[inline]
    fn from(known: &'static KnownContext) -> StoredContext {
        StoredContext::Known(known)
    }
}
